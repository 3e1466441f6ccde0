// A table in its isotypic coordinates: by Schur's lemma the entries of W are tied there in a way that can be written down.
#include <fmt/format.h>

#include <array>

#include "intertwine/error.hpp"
#include "intertwine/io/picture.hpp"

namespace intertwine {
namespace {

/// x q for x = 1, i, j, k (the columns) and q = q_0 + q_1 i + q_2 j + q_3 k: row p, column x has the sign of
/// quaternion[p][x] and the part |quaternion[p][x]| - 1 of q. The upper left corners are the same for C and R.
constexpr std::array<std::array<int, 4>, 4> quaternion{{{1, -2, -3, -4}, {2, 1, 4, -3}, {3, -4, 1, 2}, {4, 3, -2, 1}}};

std::string block_name(const IsotypicBlocks::Block& block) {
  constexpr std::array<std::string_view, 5> ring{"", "", ", complex", "", ", quaternionic"};
  return fmt::format("{} × {} of degree {}{}", block.copies_out, block.copies_in, block.degree,
                     ring.at(block.division));
}

}  // namespace

IsotypicPicture isotypic_picture(const WeightBlock& table) {
  if (!table.isotypic)
    throw DomainError("the picture of isotypic blocks: the table has no isotypic form; with_isotypic_form adds it");
  const std::vector<IsotypicBlocks::Block>& blocks = table.isotypic->blocks;
  const std::uint64_t rows = table.weights.rows, cols = table.weights.cols;
  constexpr std::uint64_t most = 16'777'216;
  if (rows != 0 && cols > most / rows)
    throw LimitError(fmt::format("the picture of isotypic blocks holds at most {} entries, and the table has {} x {}",
                                 most, rows, cols));
  std::uint64_t params = 0, all_rows = 0, all_cols = 0;
  for (const auto& block : blocks) {
    params += block.copies_out * block.copies_in * block.division;
    all_rows += block.copies_out * block.degree;
    all_cols += block.copies_in * block.degree;
    if ((block.division != 1 && block.division != 2 && block.division != 4) || block.degree % block.division != 0)
      throw DomainError(
          fmt::format("the picture of isotypic blocks: a block of degree {} has endomorphisms of dimension {}",
                      block.degree, block.division));
  }
  if (all_rows != rows || all_cols != cols)
    throw DomainError(
        fmt::format("the picture of isotypic blocks: they have {} rows and {} columns, and the table is {} x {}",
                    all_rows, all_cols, rows, cols));
  IsotypicPicture out;
  std::vector<std::int32_t> codes(rows * cols, 0), bias(rows, 0);
  std::uint64_t first = 0, top = 0, left = 0;
  for (const auto& [division, degree, copies_out, copies_in] : blocks) {
    const std::string name = block_name({division, degree, copies_out, copies_in});
    if (copies_out > 0) out.text.output_blocks.push_back({name, top, copies_out * degree});
    if (copies_in > 0) out.text.input_blocks.push_back({name, left, copies_in * degree});
    for (std::uint64_t r = 0; r < copies_out; ++r)
      for (std::uint64_t c = 0; c < copies_in; ++c)
        for (std::uint64_t at = 0; at < degree; ++at)
          for (std::uint64_t x = 0; x < division; ++x) {
            const int part = quaternion[at % division][x];
            const std::uint64_t k =
                first + (r * copies_in + c) * division + static_cast<std::uint64_t>(std::abs(part)) - 1;
            const std::uint64_t i = top + r * degree + at, j = left + c * degree + at - at % division + x;
            codes[i * cols + j] = static_cast<std::int32_t>(1 + k + (part < 0 ? params : 0));
          }
    first += copies_out * copies_in * division;
    top += copies_out * degree;
    left += copies_in * degree;
  }
  // The trivial representation is the first of every character table: invariants are the copies of the first block.
  const std::uint64_t invariants = table.bias.params;
  if (invariants > 0 && (blocks[0].degree != 1 || blocks[0].copies_out != invariants))
    throw DomainError(
        fmt::format("the picture of isotypic blocks: the bias has {} parameters, and the first block is no block of "
                    "invariants with as many copies",
                    invariants));
  for (std::uint64_t i = 0; i < invariants; ++i) bias[i] = static_cast<std::int32_t>(1 + i);
  const auto pattern = [](std::uint64_t m, std::uint64_t n, std::uint64_t p, const std::vector<std::int32_t>& list) {
    Codes narrow = code_bytes(p) == 1 ? Codes(std::vector<std::uint8_t>(list.begin(), list.end())) : Codes(list);
    return WeightPattern{m, n, p, tied_entries(code_rows(m, n, std::move(narrow)), p)};
  };
  out.table.weights = pattern(rows, cols, params, codes);
  out.table.bias = pattern(rows, 1, invariants, bias);
  out.table.channels = table.channels;
  const PictureText text = picture_text(table);
  out.text.title = text.title;
  out.text.input = "isotypic coordinates of " + (text.input.empty() ? "the input" : text.input);
  out.text.output = "isotypic coordinates of " + (text.output.empty() ? "the output" : text.output);
  out.text.subtitle =
      fmt::format("{} × {} in isotypic coordinates, {} {} in {} {}", rows, cols, params,
                  params == 1 ? "parameter" : "parameters", blocks.size(), blocks.size() == 1 ? "block" : "blocks");
  return out;
}

}  // namespace intertwine
