// Command `verify`: proves the claims of a file again.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>

#include "context.hpp"
#include "intertwine/io/answer_file.hpp"
#include "intertwine/io/basis_text.hpp"
#include "intertwine/io/diagram_text.hpp"
#include "intertwine/io/records.hpp"

namespace intertwine::app {

namespace {

void run(const std::string& file, Context& context) {
  context.require_formats("verify", {Format::text, Format::json});
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::string> claims;
  const Proved proof = verify_file(file, context.task, &claims);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Document document("verify");
  document.add("file", file).add("verified", true);
  const Record facts = std::visit([](const auto& found) { return proof_record(found); }, proof);
  document.add_all(facts, context.task);
  std::string text = to_text(facts);
  if (!claims.empty()) {
    document.add("claims", claims);
    text += fmt::format("  not checked  the writer's word: {}\n", fmt::join(claims, "; "));
  }
  if (context.quiet && !context.json && context.outputs.empty()) return;  // the exit status says it
  context.deliver([&](Format format, unsigned) -> Answer {
    if (format == Format::json) return document;
    return fmt::format("{}: verified\n{}  time         {}\n", file, text, format_seconds(seconds));
  });
}

}  // namespace

void add_verify(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("verify",
                                     "re-proves what a file claims, from the file alone: weights, diagrams, "
                                     "polynomial maps, kernels, irreps, character tables");
  const auto file = std::make_shared<std::string>();
  add_argument(*command, "FILE", *file,
               "a .safetensors, .npz or .json table, or the .json of polynomials, kernels, irreps or "
               "chartable --proof");
  command->footer(
      "Exit status 4 if a claim fails, 2 if the file is damaged or cannot be read.\nExamples:\n  intertwine "
      "verify graph.safetensors\n  intertwine verify cubic.json");
  command->callback([file, &context] { run(*file, context); });
}

}  // namespace intertwine::app
