#include <fmt/format.h>

#include <chrono>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/basis_text.hpp"
#include "intertwine/io/table_file.hpp"

namespace intertwine::app {

namespace {

/// verify() knows the table, not its file. What the table says is either wrong about it (the verification failed) or no
/// mathematics at all (the file is damaged).
TableProof proof_of(const std::string& name, const Task& task) {
  const WeightTable table = read_table(name, task);
  const auto named = [&](const Error& e) {
    const std::string what = e.what();
    return what.starts_with(name) ? what : name + ": " + what;
  };
  try {
    return verify(table, task);
  } catch (const VerificationError& e) {
    throw VerificationError(named(e));
  } catch (const ParseError& e) {
    throw FileError(fmt::format("{}, at character {} of its text", named(e), e.position() + 1));
  } catch (const FileError& e) {
    throw FileError(named(e));
  } catch (const DomainError& e) {
    throw FileError(named(e));
  }
}

void run(const std::string& file, Context& context) {
  const auto start = std::chrono::steady_clock::now();
  const TableProof proof = proof_of(file, context.task);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  context.finish_progress();
  if (context.json) {
    context.out << Document("verify")
                       .add("file", file)
                       .add("verified", true)
                       .add_all(to_json(proof))
                       .add("seconds", seconds)
                       .str();
    return;
  }
  context.out << file << ": verified\n"
              << to_text(proof) << "  time         " << format_seconds(seconds) << '\n';
}

}  // namespace

void add_verify(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("verify", "re-proves what an exported table claims, from the file alone");
  const auto file = std::make_shared<std::string>();
  command->add_option("FILE", *file, "a .safetensors, .npz or .json table")->type_name("")->required();
  command->footer(
      "Exit status 4 if a claim fails, 2 if the file is damaged or cannot be read.\nExample:\n  intertwine "
      "verify graph.safetensors");
  command->callback([file, &context] { run(*file, context); });
}

}  // namespace intertwine::app
