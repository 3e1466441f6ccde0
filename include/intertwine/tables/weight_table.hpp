// The weight table: the one value between theory and layers. `equivariant` and `classical` make it, `io` stores it, `numeric` runs it.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "intertwine/tables/weight_block.hpp"

namespace intertwine {

/// A part of the features: [channels, dimension] numbers from `start` on.
struct FeaturePart {
  std::uint64_t channels, dimension, start;
  friend bool operator==(const FeaturePart&, const FeaturePart&) = default;
};

/// The equivariant maps between features of one kind, or of several, 16*perm + 33*trivial: a block for each pair of parts, where one
/// pattern for all would repeat itself for every copy.
///
/// x and y are the parts one after the other, each [channels, dimension], row-major. theta is a flat list: for every part of y and within it
/// every part of x the [P, out, in] of their block; the bias likewise, for every part of y the [Q, out] of its first block. The biases of
/// the other blocks are there so that each stands by itself; they say the same.
struct WeightTable {
  std::vector<std::vector<WeightBlock>> blocks;  ///< [part of y][part of x]

  WeightTable() = default;
  WeightTable(WeightBlock block);
  explicit WeightTable(std::vector<std::vector<WeightBlock>> all) : blocks(std::move(all)) {}

  /// Is there one block, the table of features of one kind?
  bool is_single() const { return blocks.size() == 1 && blocks.front().size() == 1; }
  /// The only block. \throws DomainError for several
  const WeightBlock& block() const&;
  WeightBlock block() &&;

  std::vector<FeaturePart> inputs() const;
  std::vector<FeaturePart> outputs() const;
  std::uint64_t theta_size() const;
  std::uint64_t bias_size() const;
};

/// "block.0.1." before the names of the arrays and the metadata of block (i, j) in files.
std::string block_prefix(std::size_t i, std::size_t j);

/// Checks that the blocks fit each other: channels and dimensions along every row and column, groups, representations
/// and how many biases. Each block by itself is left to require_consistent(). \throws DomainError naming
/// what disagrees; LimitError for more than 2^62 parameters
void require_fitting(const WeightTable& table);

/// The digest of the only block, or digest_of_lines() of several. \param digests  those of the blocks; computed if empty
std::string digest(const WeightTable& table, std::span<const std::string> digests = {}, const Task& task = {});

namespace detail {
/// The SHA-256 of a line for each block, those of the first part of y first: "i j out in rows cols sha256", the numbers of the
/// parts from 0, the channels, the sizes of the pattern and the digest of the block. \param digests  those of the blocks
std::string digest_of_lines(const WeightTable& table, std::span<const std::string> digests);
}  // namespace detail

}  // namespace intertwine
