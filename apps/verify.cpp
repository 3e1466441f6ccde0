#include <fmt/format.h>

#include <chrono>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/answer_file.hpp"
#include "intertwine/io/basis_text.hpp"

namespace intertwine::app {

namespace {

struct Proof {
  std::string text, json;
};

Proof proved(const WeightTable& table, const Task& task) {
  const TableProof proof = verify(table, task);
  return {to_text(proof), to_json(proof)};
}

template <class Answer>
Proof proved(const Answer& answer, const Task& task) {
  verify(answer, task);
  return {proof_text(answer), proof_json(answer)};
}

/// verify() knows what a file holds, not the file. What that says is either wrong about it (the verification failed) or
/// no mathematics at all (the file is damaged).
Proof proof_of(const std::string& name, const Task& task) {
  const Provable claim = read_provable(name, task);
  const auto named = [&](const Error& e) {
    const std::string what = e.what();
    return what.starts_with(name) ? what : name + ": " + what;
  };
  try {
    return std::visit([&](const auto& answer) { return proved(answer, task); }, claim);
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
  const Proof proof = proof_of(file, context.task);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  context.finish_progress();
  Document document("verify");
  document.add("file", file).add("verified", true).add_all(proof.json).add("seconds", seconds);
  context.out << (context.json ? document.str()
                               : fmt::format("{}: verified\n{}  time         {}\n", file, proof.text,
                                             format_seconds(seconds)));
}

}  // namespace

void add_verify(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand(
      "verify", "re-proves what an exported table, polynomial maps or irreps claim, from the file alone");
  const auto file = std::make_shared<std::string>();
  command
      ->add_option("FILE", *file,
                   "a .safetensors, .npz or .json table, or the .json of polynomials or irreps")
      ->type_name("")
      ->required();
  command->footer(
      "Exit status 4 if a claim fails, 2 if the file is damaged or cannot be read.\nExamples:\n  intertwine "
      "verify graph.safetensors\n  intertwine verify cubic.json");
  command->callback([file, &context] { run(*file, context); });
}

}  // namespace intertwine::app
