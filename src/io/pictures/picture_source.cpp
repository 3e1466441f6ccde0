// The group and the representations behind a picture.
#include "io/pictures/picture_source.hpp"

#include <fmt/format.h>

#include "intertwine/error.hpp"
#include "intertwine/representations/basis_layout.hpp"
#include "io/containers/strict_json.hpp"
#include "io/containers/text.hpp"
#include "io/pictures/picture_text.hpp"

namespace intertwine {
namespace {

constexpr std::size_t max_name = 80;

}  // namespace

std::optional<TableClaim> picture_source(const WeightBlock& table, const Task& task) {
  for (const char* key : {"group", "rep_in", "rep_out"})
    if (table.metadata.count(key) == 0) return std::nullopt;
  const auto group = parse_strict_json(table.metadata.at("group"), "the metadata entry intertwine.group");
  if (group.is_object() && group.contains("continuous") && group["continuous"] == true) return std::nullopt;
  return read_table_claim(table, task);
}

std::vector<PictureBlock> picture_blocks(const Representation& V) {
  std::vector<PictureBlock> blocks;
  for (const BasisBlock& block : basis_layout(V))
    blocks.push_back(
        {shortened(block.representation.to_string(), max_name), block.start, block.representation.dimension()});
  return blocks;
}

std::vector<PictureBlock> input_blocks(const PictureText& text, const std::optional<TableClaim>& source) {
  return !text.input_blocks.empty() || !source ? text.input_blocks : picture_blocks(source->in);
}

std::vector<PictureBlock> output_blocks(const PictureText& text, const std::optional<TableClaim>& source) {
  return !text.output_blocks.empty() || !source ? text.output_blocks : picture_blocks(source->out);
}

std::vector<std::uint64_t> kernel_sizes(const WeightBlock& table) {
  const std::string& text = table.metadata.at("kernel");
  const std::uint64_t cols = table.weights.cols;
  const auto json = parse_strict_json(text, "the metadata entry intertwine.kernel");
  std::vector<std::uint64_t> sizes;
  std::uint64_t sites = 1;
  bool right = json.is_array() && !json.empty();
  for (std::size_t k = 0; right && k < json.size(); ++k) {
    right = json[k].is_number_unsigned() && json[k] != 0 && json[k].get<std::uint64_t>() <= cols / sites;
    if (!right) break;
    sizes.push_back(json[k].get<std::uint64_t>());
    sites *= sizes.back();
  }
  if (!right || cols % sites != 0)
    throw FileError(
        fmt::format("the metadata entry intertwine.kernel is \"{}\", not the sizes of a kernel that {} columns "
                    "are made of, such as [3,3]",
                    shown(text), cols));
  return sizes;
}

std::vector<PictureStamp> picture_stamps(const WeightBlock& table, const std::optional<TableClaim>& source) {
  std::vector<PictureStamp> stamps;
  const auto add = [&](const std::string& name, std::uint64_t start, const std::vector<std::uint64_t>& axes) {
    if (axes.size() < 2) return;
    const std::uint64_t rows = axes[axes.size() - 2], cols = axes.back();
    std::uint64_t planes = 1;
    for (std::size_t k = 0; k + 2 < axes.size(); ++k) planes *= axes[k];
    for (std::uint64_t p = 0; p < planes; ++p)
      stamps.push_back({planes == 1 ? name : fmt::format("{} [{}]", name, p), start + p * rows * cols, rows, cols});
  };
  if (table.metadata.contains("kernel")) {
    const std::vector<std::uint64_t> sizes = kernel_sizes(table);
    std::uint64_t sites = 1;
    for (const std::uint64_t size : sizes) sites *= size;
    for (std::uint64_t input = 0; input < table.weights.cols / sites; ++input)
      add(fmt::format("input {}", input), input * sites, sizes);
  } else if (source) {
    for (const BasisBlock& block : basis_layout(source->in))
      add(shortened(block.representation.to_string(), max_name), block.start, block.axes);
  }
  return stamps;
}

std::uint64_t stamp_row(const WeightBlock& table, const std::vector<PictureStamp>& stamps) {
  if (stamps.empty() || table.weights.rows != stamps[0].rows * stamps[0].cols) return 0;
  return stamps[0].rows / 2 * stamps[0].cols + stamps[0].cols / 2;
}

}  // namespace intertwine
