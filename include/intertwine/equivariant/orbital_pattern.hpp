// Orbits of a group on the entries of a matrix, with signs: the one computation behind tied bases, biases and
// tables.
//
// A group acts on the m rows and the n columns by signed permutations. Its orbits on the m n entries (the
// orbitals of the pair of actions) are the parameters of an equivariant matrix; an orbit on which some
// element fixes an entry and negates it carries no parameter and is a structural zero.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "intertwine/combinatorics/signed_permutation.hpp"
#include "intertwine/equivariant/tied_table.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

class ParityUnion;

/// An entry (row, column), 0-based.
struct MatrixEntry {
  std::uint64_t row, col;
  friend bool operator==(const MatrixEntry&, const MatrixEntry&) = default;
};

/// The pattern of all equivariant matrices, held implicitly: one row of labels for every orbit of rows, and
/// for every other row the generator that carries a row to it. Memory: 4 bytes a column for every row orbit,
/// 12 bytes a row.
///
/// Labels: 0 for a structural zero, +(k+1) or -(k+1) for plus or minus the parameter theta_k. Parameters are
/// numbered by their smallest entry in row-major order, which is +.
///
/// Method. Rows are taken orbit by orbit. The columns are joined (with signs) by elements of the stabilizer
/// of the first row r of the orbit, obtained by Schreier's lemma from random words; a transversal carries the
/// labels to the other rows (streamed, see for_each_row). Joining uses true group elements only, so that a
/// label class never exceeds an orbit; that it is a whole orbit is proved by check() or by an independent
/// count of the orbits.
class OrbitalPattern {
 public:
  /// \param row_images, col_images  the images of the same generators, in the same order, of degrees m and n.
  /// \param group_order             |G| if known (saves work where stabilizers are trivial), else 0. Decides
  /// nothing. \throws DomainError if the numbers of images differ; LimitError for tables of more than 2^62
  /// entries or if more than
  ///         2^30 parameters appear, or through `task`.
  /// \par Cost   O(n) for every row orbit and random element used, O((m + n) s) for s generators.
  OrbitalPattern(std::uint64_t rows, std::uint64_t cols, std::vector<SignedPermutation> row_images,
                 std::vector<SignedPermutation> col_images, const Integer& group_order = 0,
                 const Task& task = {}, unsigned patience = 16);

  std::uint64_t rows() const { return rows_; }
  std::uint64_t cols() const { return cols_; }
  /// P, the number of label classes that are not zero.
  std::uint64_t params() const { return params_; }
  /// [P] the number of entries of each class.
  std::vector<std::int64_t> orbit_size() const;
  /// [P] the smallest entry of each class.
  std::vector<MatrixEntry> smallest_entries() const;
  /// The smallest entry of every orbit that carries no parameter.
  const std::vector<MatrixEntry>& vanishing_orbits() const { return vanishing_; }
  /// The label of entry (i, j). O(depth of the row's orbit tree).
  std::int64_t label(std::uint64_t i, std::uint64_t j) const;

  /// Every row of codes (code_bytes(params()) a code), in an order that follows the orbit trees, into `sink`.
  /// O(m n), one pass, memory O(n log m).
  void for_each_row(const RowSink& sink, const Task& task = {}) const;
  /// All codes in memory, row-major. \throws LimitError through `task`.
  Codes codes(const Task& task = {}) const;
  /// The same into a buffer of rows * cols * code_bytes(params()) bytes.
  void fill(std::span<std::byte> buffer, const Task& task = {}) const;

  /// Rows on demand, each carried down its path from the first row of its orbit: O(n depth) a row. The
  /// pattern must outlive the view.
  std::unique_ptr<CodeRows> view() const;

  /// Decides whether rows of codes are equivariant under generators given by their images: W[g i, g j] =
  /// +-W[i, j] for every generator g and entry. O(m n s). On failure `witness` (if given) receives an entry
  /// and `generator` its generator.
  static bool commutes(const CodeRows& table, std::uint64_t params,
                       std::span<const SignedPermutation> row_images,
                       std::span<const SignedPermutation> col_images, const Task& task = {},
                       MatrixEntry* witness = nullptr, std::size_t* generator = nullptr);
  /// The same for this pattern and its own generators; true is a proof that every label class is a whole
  /// orbit. One orbit of rows is in memory at a time.
  bool check(const Task& task = {}) const;

 private:
  struct Step {
    std::uint32_t parent;    ///< row it is carried from
    std::int32_t generator;  ///< 2k: generator k, 2k+1: its inverse, -1: first row of its orbit
  };
  void build_row_tree();
  void label_orbits(const Integer& group_order, unsigned patience, const Task& task);
  void number_labels(std::uint32_t orbit, ParityUnion* joined);
  template <class Code>
  bool check_orbits(const Task& task) const;
  template <class Code>
  class Filler;
  class View;

  std::uint64_t rows_, cols_;
  std::vector<SignedPermutation> row_images_, col_images_;
  std::vector<SignedPermutation> row_inverses_, col_inverses_;
  std::vector<Step> steps_;                  ///< [m]
  std::vector<std::uint32_t> orbit_of_row_;  ///< [m] number of the row's orbit
  std::vector<std::uint32_t> first_row_;     ///< by orbit: its least row
  std::vector<std::uint32_t> orbit_length_;  ///< by orbit
  std::vector<std::uint32_t> order_;         ///< the rows in preorder, children with large subtrees last
  std::vector<std::uint32_t> place_;         ///< [m] position in order_
  std::vector<std::uint32_t> subtree_;       ///< [m] rows in the subtree
  std::vector<std::vector<std::int32_t>> labels_;  ///< by orbit: the labels of its first row
  std::uint64_t params_ = 0;
  std::vector<MatrixEntry> vanishing_;
};

}  // namespace intertwine
