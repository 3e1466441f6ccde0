// Weight tables.
#include "intertwine/tables/weight_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/tables/data_section.hpp"
#include "intertwine/tables/sha256.hpp"

namespace intertwine {
namespace {

constexpr std::uint64_t max_numbers = std::uint64_t{1} << 62;

void add_part(std::vector<FeaturePart>& parts, std::uint64_t channels, std::uint64_t dimension) {
  const std::uint64_t start = parts.empty() ? 0 : parts.back().start + parts.back().channels * parts.back().dimension;
  parts.push_back({channels, dimension, start});
}

std::string entry(const WeightBlock& table, const char* key) {
  const auto found = table.metadata.find(key);
  return found == table.metadata.end() ? "" : found->second;
}

void require_same(const WeightBlock& a, const WeightBlock& b, std::size_t i, std::size_t j, bool row) {
  const auto refuse = [&](const std::string& what) {
    throw DomainError(
        fmt::format("block ({}, {}) has another {} than the first one of its {}", i, j, what, row ? "row" : "column"));
  };
  if (row && a.weights.rows != b.weights.rows) refuse("number of rows");
  if (!row && a.weights.cols != b.weights.cols) refuse("number of columns");
  if (row ? a.channels.out != b.channels.out : a.channels.in != b.channels.in) refuse("number of channels");
  if (row && a.bias.params != b.bias.params) refuse("number of bias parameters");
  if (entry(a, "group") != entry(b, "group")) refuse("group");
  const char* side = row ? "rep_out" : "rep_in";
  if (entry(a, side) != entry(b, side)) refuse(side);
}

}  // namespace

WeightTable::WeightTable(WeightBlock block) {
  blocks.emplace_back();
  blocks.back().push_back(std::move(block));
}

const WeightBlock& WeightTable::block() const& {
  if (!is_single())
    throw DomainError(fmt::format("the table has {} x {} blocks, and what is asked for takes one", blocks.size(),
                                  blocks.empty() ? 0 : blocks.front().size()));
  return blocks.front().front();
}

WeightBlock WeightTable::block() && {
  std::as_const(*this).block();
  return std::move(blocks.front().front());
}

std::vector<FeaturePart> WeightTable::inputs() const {
  std::vector<FeaturePart> parts;
  for (const WeightBlock& block : blocks.front()) add_part(parts, block.channels.in, block.weights.cols);
  return parts;
}

std::vector<FeaturePart> WeightTable::outputs() const {
  std::vector<FeaturePart> parts;
  for (const auto& row : blocks) add_part(parts, row.front().channels.out, row.front().weights.rows);
  return parts;
}

std::uint64_t WeightTable::theta_size() const {
  std::uint64_t size = 0;
  for (const auto& row : blocks)
    for (const WeightBlock& block : row) size += block.weights.params * block.channels.out * block.channels.in;
  return size;
}

std::uint64_t WeightTable::bias_size() const {
  std::uint64_t size = 0;
  for (const auto& row : blocks) size += row.front().bias.params * row.front().channels.out;
  return size;
}

std::string block_prefix(std::size_t i, std::size_t j) { return fmt::format("block.{}.{}.", i, j); }

void require_fitting(const WeightTable& table) {
  if (table.blocks.empty() || table.blocks.front().empty())
    throw DomainError("there are no blocks; a table has at least one");
  // Every number that is asked for below is at most the sum of these.
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < table.blocks.size(); ++i) {
    const auto& row = table.blocks[i];
    if (row.size() != table.blocks.front().size())
      throw DomainError(fmt::format("part {} of the output has {} blocks and part 0 has {}", i, row.size(),
                                    table.blocks.front().size()));
    for (std::size_t j = 0; j < row.size(); ++j) {
      require_same(row[j], row.front(), i, j, true);
      require_same(row[j], table.blocks.front()[j], i, j, false);
      const std::uint64_t in = saturated_product(row[j].channels.in,
                                                 std::max(row[j].weights.cols, row[j].weights.params + 1)),
                          out = saturated_product(row[j].channels.out,
                                                  std::max(row[j].weights.rows, row[j].bias.params + 1)),
                          all = saturated_product(in, out);
      if (all > max_numbers - total) throw LimitError("the blocks have more than 2^62 numbers, which nothing can hold");
      total += all;
    }
  }
}

std::string digest(const WeightTable& table, std::span<const std::string> digests, const Task& task) {
  std::vector<std::string> computed;
  if (digests.empty()) {
    for (const auto& row : table.blocks)
      for (const WeightBlock& block : row) computed.push_back(digest(block, task));
    digests = computed;
  }
  return table.is_single() ? digests.front() : detail::digest_of_lines(table, digests);
}

std::string detail::digest_of_lines(const WeightTable& table, std::span<const std::string> digests) {
  Sha256 sha256;
  std::size_t k = 0;
  for (std::size_t i = 0; i < table.blocks.size(); ++i)
    for (std::size_t j = 0; j < table.blocks[i].size(); ++j, ++k) {
      const WeightBlock& block = table.blocks[i][j];
      const std::string line = fmt::format("{} {} {} {} {} {} {}\n", i, j, block.channels.out, block.channels.in,
                                           block.weights.rows, block.weights.cols, digests[k]);
      sha256.add(std::as_bytes(std::span(line)));
    }
  return sha256.hex();
}

}  // namespace intertwine
