#include <fmt/format.h>

#include <chrono>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/basis_text.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/io/verify_table.hpp"

namespace intertwine::app {

namespace {

void run(const std::string& file, Context& context) {
  const auto start = std::chrono::steady_clock::now();
  const TableProof proof = verify_table_file(file, context.task);
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
