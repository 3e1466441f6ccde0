// The table kind `diagram`: all equivariant linear maps between tensors, for every size of a group at once, with one set of
// parameters (docs/nn_sizes.md).
//
// A word has a letter for every axis: "aa" are matrices over one set, "ui" those of users and items; a letter stands for a space,
// on which a group of a series acts. A star marks a dual axis (GL, SL, U, SU), a plus an axis of B(n) on which signs do not act.
// A diagram is a partition of the axes, those of the output first, into blocks of one letter each. As a matrix it has ones where the
// indices within every block agree; where Sp(n) pairs two axes of one side it has the symplectic form (positions first, then
// momenta), and on the blocks of the determinant (SO, SL, SU) its tensor.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/tables/weight_block.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A series of groups, or one group of it. Its diagrams: of S(n) all partitions [Jones 1994], of B(n) those with an even number of
/// signed axes in every block, of O(n) and Sp(n) pairs [Brauer 1937a], of GL(n) and U(n) pairs of a vector and a dual, axes of the input
/// counted as their duals [Turaev 1989; Koike 1989]; SO(n) has beside the pairs of O(n) those with one block of n axes, the determinant,
/// SL(n) and SU(n) as many such blocks, of vectors or of duals, as pairs leave axes over [Weyl 1946].
struct DiagramGroup {
  enum class Series : std::uint8_t { S, B, O, Sp, GL, U, SO, SL, SU };
  Series series = Series::S;
  std::uint64_t size = 0;  ///< 0: every size. The groups with determinants have one.

  bool has_duals() const;
  bool has_determinant() const { return series >= Series::SO; }
  bool has_pairs() const { return series >= Series::O; }
  friend bool operator==(const DiagramGroup&, const DiagramGroup&) = default;
};
/// "S(n)", "O(3)".
std::string to_string(const DiagramGroup& group);
/// The group of "S(n)", "O(3)" and their kin, also without parentheses ("Sn", "B4") and with another letter ("S(m)"):
/// each letter of a word has a size of its own. \throws DomainError naming the series, and for sizes that they have not
DiagramGroup parse_diagram_group(std::string_view text);

/// An axis of a word.
struct DiagramAxis {
  std::size_t letter;  ///< its place among the letters
  bool marked;         ///< dual, or without signs
  bool output;
};

/// theta has the shape [params, out, in], the bias [bias_params, out]; x [batch, in, n, ..., n] has as many axes as axes_in, y as
/// axes_out.
struct DiagramTable {
  std::string axes_out, axes_in;
  std::vector<DiagramGroup>
      groups;        ///< the group of every letter, in the order in which they first occur, outputs first
  bool mean = true;  ///< sums over points are divided by how many there are
  Multiplicity channels;
  std::uint64_t params = 0, bias_params = 0;
  /// [params, axes of both]: the number of the block of every axis, outputs first. The blocks of every letter are counted from 0 in
  /// the order in which they first occur, those of the determinant -1, -2, ... likewise.
  std::vector<std::int32_t> diagrams;
  std::vector<std::int32_t> bias_diagrams;  ///< [bias_params, axes of the output]
  std::map<std::string, std::string> metadata;

  /// The axes, those of the output first. \throws DomainError for words that are none
  std::vector<DiagramAxis> axes() const;
  /// The letters in order.
  std::string letters() const;
  std::span<const std::int32_t> diagram(std::uint64_t p) const;
  std::span<const std::int32_t> bias_diagram(std::uint64_t q) const;
};

/// All diagrams between these axes, in lexicographic order, and those of a bias. groups: of every letter, or one for all.
/// \throws DomainError for words and groups that are none, as require_consistent; LimitError for more than 64 axes of one letter or 200000 diagrams
DiagramTable diagram_table(std::string axes_out, std::string axes_in, std::vector<DiagramGroup> groups = {{}},
                           bool mean = true, Multiplicity channels = {}, const Task& task = {});

/// \throws DomainError naming what is wrong: words, groups, the lengths of arrays, a diagram that the groups have not or that is
/// there twice; LimitError for more than 200000 diagrams
void require_consistent(const DiagramTable& table, const Task& task = {});

/// The sizes of all letters: those of the groups that have one, the others in order from `sizes`, which has one number for every letter.
/// \throws DomainError for sizes of another number, that a group has not (Sp(n) has even ones), or that are another than the group's
void require_sizes(const DiagramTable& table, std::span<const std::uint64_t> sizes);

/// The sizes where every letter that has no size of its own has n, or n + 1 where only even sizes are and n is odd.
std::vector<std::uint64_t> sizes_at(const DiagramTable& table, std::uint64_t n);

/// The text under the key "selection" in the metadata of a table with some of all diagrams. Without it a table has all,
/// and verify() refuses one that lacks any.
inline constexpr const char* diagram_selection = "some of the diagrams";

/// The table with the diagrams of these places, in this order; where some are left out, its metadata say so (diagram_selection). \throws DomainError for places that are not there, or are there twice
DiagramTable selected_diagrams(const DiagramTable& table, std::span<const std::uint64_t> weights,
                               std::span<const std::uint64_t> biases);

/// How many independent equivariant maps, and invariants of the output, there are.
struct DiagramDimensions {
  std::uint64_t weights = 0, bias = 0;
  friend bool operator==(const DiagramDimensions&, const DiagramDimensions&) = default;
};
/// At these sizes, counted by characters and without any diagram: for S(n) and B(n) the orbits on the indices, for the others walks from the trivial
/// representation to itself or a power of the determinant, each step a tensor product with V or its dual, which adds or takes away a box of a Young
/// diagram [Weyl 1946; Koike 1989].
/// \throws DomainError as require_sizes; LimitError for more than 2^62
DiagramDimensions dimensions(const DiagramTable& table, std::span<const std::uint64_t> sizes, const Task& task = {});

/// The facts proved of a table of diagrams. All of them hold when verify() returns.
struct DiagramProof {
  DiagramTable table;
  std::uint64_t diagrams,
      bias_diagrams;  ///< how many there are for these groups; the table's are some of them, or all
  /// The other statements of the metadata, which nothing here checks: the writer's word ("producer").
  std::vector<std::string> claims;
  /// For n = 1, 2, ... the sizes of all letters and the dimensions there, until all diagrams are independent; one entry if no size is free.
  std::vector<std::pair<std::vector<std::uint64_t>, DiagramDimensions>> dimensions;

  bool is_complete() const { return diagrams == table.params && bias_diagrams == table.bias_params; }
};
/// Lists the diagrams again, of which the table's are different ones, and compares how many there are with the characters at growing n.
/// \throws as require_consistent and diagram_table; VerificationError where both routes differ, where diagrams are missing and the metadata do not say
/// that the table is a selection, or say so of one that has all
DiagramProof verify(DiagramTable table, const Task& task = {});

}  // namespace intertwine
