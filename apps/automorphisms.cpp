// automorphisms: all permutations that keep a graph, a hypergraph or a matrix in a file.
#include <memory>

#include "context.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/graph_file.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/systems_text.hpp"

namespace intertwine::app {

namespace {

struct AutomorphismsOptions {
  std::string file;
  bool rows = false, signs = false;
};

void run_automorphisms(const AutomorphismsOptions& options, Context& context) {
  context.require_formats("automorphisms", {Format::text, Format::json, Format::gap, Format::sage, Format::magma});
  if (options.signs && !options.rows)
    throw DomainError("--signs is of rows and columns that are permuted apart: say --rows too");
  const std::string path = options.file.substr(options.file.starts_with('@') ? 1 : 0);  // as groups name files
  const GraphFile file =
      options.rows ? read_matrix_graph(path, options.signs, context.task) : read_graph_file(path, context.task);
  const Automorphisms found = file_automorphisms(file, context.task);
  context.deliver([&](Format format, unsigned width) {
    return answer_in(format, width, Document("automorphisms").add("file", context.streams.shown(options.file)),
                     record(found), context.task);
  });
}

}  // namespace

void add_automorphisms(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand(
      "automorphisms", "the automorphisms of a graph, a hypergraph or a matrix: their order, orbits and generators");
  const auto options = std::make_shared<AutomorphismsOptions>();
  add_argument(*command, "FILE", options->file,
               "a graph (.g6 .s6 .edges .edgelist .txt .col .dimacs .json .gml .graphml) or a matrix (.npy .mtx); "
               "- is standard input");
  command->add_flag("--rows", options->rows, "permute the rows and the columns of a matrix apart");
  command->add_flag("--signs", options->signs, "with --rows: and change their signs");
  command->footer(
      "The order is proved. Generators take the memory of the points that they move, so that graphs may have "
      "a million vertices;\n"
      "as a group, for all other commands, the same is written 'aut(@FILE)', 'aut(@m.npy, rows)', "
      "'aut(@m.npy, rows, signs)'.\n"
      "The vertices of a list of edges are the whole numbers or the names that occur, and cycles in text "
      "name them so;\n"
      "of other files cycles count from 1. With --json `labels` are the names of the vertices where they are "
      "not 0, 1, ...;\n"
      "the points of orbits count from 0 and those of cycles from 1, and the file is a group file, '@aut.json'.\n"
      "\nExamples:\n  intertwine automorphisms petersen.g6\n"
      "  intertwine automorphisms tree.edges --output aut.json --output aut.g\n"
      "  intertwine automorphisms m.npy --rows --signs");
  command->callback([options, &context] { run_automorphisms(*options, context); });
}

}  // namespace intertwine::app
