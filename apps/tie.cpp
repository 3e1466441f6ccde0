#include <fmt/format.h>

#include <iostream>

#include "intertwine/error.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "layer.hpp"

namespace intertwine::app {

namespace {

void run(const LayerOptions& options, Context& context) {
  if (context.outputs.empty())
    throw DomainError(
        "tie needs a file to write: --output layer.safetensors (or .npz, .json, .hpp; .svg and .png draw "
        "it)");
  std::vector<TableFormat> formats;
  std::vector<std::string> tables, pictures;
  for (const std::string& file : context.outputs) {
    const auto type = std::filesystem::path(file).extension();
    if (type == ".svg" || type == ".png") {
      pictures.push_back(file);
    } else {
      formats.push_back(table_format(file));  // a wrong extension is refused before the work
      tables.push_back(file);
    }
  }
  const Layer layer = make_layer(options, context, true);
  if (layer.basis.blocks().empty())
    throw DomainError("tie: one of the representations has dimension 0, there is nothing to tie");
  const TableHeader header = layer.basis.table_header();
  Json json = answer("tie");
  describe(layer, json);
  json["multiplicity_in"] = header.multiplicity_in;
  json["multiplicity_out"] = header.multiplicity_out;
  json["files"] = context.outputs;
  std::vector<std::string> digests;
  for (std::size_t k = 0; k < tables.size(); ++k) {
    const auto writer = open_table_writer(tables[k], formats[k], header, context.task);
    layer.basis.pattern().for_each_row(
        [&](std::uint64_t row, std::span<const std::byte> codes) { writer->write_row(row, codes); },
        context.task);
    digests.push_back(writer->finish());
  }
  if (!pictures.empty()) {
    const auto rows = code_rows(layer.basis, context);
    for (const std::string& file : pictures) write_picture(file, layer.basis, header, *rows);
  }
  json["sha256"] = digests.empty() ? Json(nullptr) : Json(digests.front());
  context.finish_progress();
  if (context.json) return print(json);
  std::cout << describe(layer, context);
  for (std::size_t k = 0; k < tables.size(); ++k)
    std::cout << fmt::format("  wrote        {} ({}), sha256 {}\n", tables[k],
                             format_bytes(std::filesystem::file_size(tables[k])), digests[k]);
  for (const std::string& file : pictures) std::cout << "  drew         " << file << '\n';
}

}  // namespace

void add_tie(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("tie", "the weight-tying table, written for numeric layers");
  const auto options = std::make_shared<LayerOptions>();
  add_layer_options(*command, *options);
  command->footer("Representations: " + known_representations() +
                  "\n--output takes .safetensors, .npz, .json, .hpp (C++ header) and the pictures .svg, "
                  ".png; repeat it for several.\n"
                  "Example:\n  intertwine tie S4 --in 8*perm^2 --out 16*perm^2 --output graph.safetensors "
                  "--output graph.svg");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
