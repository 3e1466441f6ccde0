#include <fmt/format.h>

#include <iostream>
#include <optional>

#include "intertwine/equivariant/closure.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/table_file.hpp"
#include "layer.hpp"

namespace intertwine::app {

namespace {

struct TieOptions : LayerOptions {
  bool no_closure = false;
};

/// What is spent at most on the largest group.
constexpr std::uint64_t max_closure_entries = 4'000'000;
constexpr double max_closure_seconds = 1;

struct LargestGroup {
  Integer order;
  std::optional<Integer> index;  ///< of the group's image in it
};

/// The largest group that the table is equivariant to, where it is found quickly.
std::optional<LargestGroup> largest_group(const EquivariantBasis& basis, const Context& context) {
  const OrbitalPattern& pattern = basis.pattern();
  if (pattern.rows() > max_closure_entries || pattern.cols() > max_closure_entries ||
      pattern.rows() * pattern.cols() > max_closure_entries)
    return std::nullopt;
  const auto& block = basis.blocks().front();
  ClosureOptions options;
  options.row_images = block.target.generator_images();
  options.col_images = block.source.generator_images();
  options.with_signs = !block.target.is_permutation() || !block.source.is_permutation();
  const Task brief(context.task.memory(), max_closure_seconds, {});
  const auto closure = table_closure(*code_rows(basis, context), pattern.params(), options, brief);
  context.task.poll();
  if (!closure) return std::nullopt;
  LargestGroup largest{closure->order, std::nullopt};
  try {
    largest.index =
        closure->order / paired_order(pattern.rows(), pattern.cols(), options.row_images, options.col_images,
                                      closure->has_signs, basis.source().group().order(), brief);
  } catch (const LimitError&) {
    // The order stands without it.
  }
  return largest;
}

std::string describe(const LargestGroup& largest) {
  std::string text = "  symmetry     the largest group of the table has order " + largest.order.str();
  if (largest.index)
    text += *largest.index == 1 ? ", the image of G itself"
                                : fmt::format(", {} times that of G's image", largest.index->str());
  return text + "\n";
}

void run(const TieOptions& options, Context& context) {
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
    for (const std::string& file : pictures) write_picture(file, layer, header, *rows);
  }
  std::optional<LargestGroup> largest;
  if (!options.no_closure) largest = largest_group(layer.basis, context);
  json["closure_order"] = largest ? Json(largest->order.str()) : Json(nullptr);
  json["closure_index"] = largest && largest->index ? Json(largest->index->str()) : Json(nullptr);
  json["sha256"] = digests.empty() ? Json(nullptr) : Json(digests.front());
  context.finish_progress();
  if (context.json) return print(json);
  std::cout << describe(layer, context);
  if (largest) std::cout << describe(*largest);
  for (std::size_t k = 0; k < tables.size(); ++k)
    std::cout << fmt::format("  wrote        {} ({}), sha256 {}\n", tables[k],
                             format_bytes(std::filesystem::file_size(tables[k])), digests[k]);
  for (const std::string& file : pictures) std::cout << "  drew         " << file << '\n';
}

}  // namespace

void add_tie(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("tie", "the weight-tying table, written for numeric layers");
  const auto options = std::make_shared<TieOptions>();
  add_layer_options(*command, *options);
  command->add_flag("--no-closure", options->no_closure,
                    "do not look for the largest group that the table is equivariant to");
  command->footer(
      "Representations:\n" + indented(known_representations()) +
      "\n--output takes .safetensors, .npz, .json, .hpp (C++ header) and the pictures .svg, "
      ".png; repeat it for several.\n"
      "Example:\n  intertwine tie S4 --in '8*perm^2' --out '16*perm^2' --output graph.safetensors "
      "--output graph.svg");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
