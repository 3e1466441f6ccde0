// Orbits of a group on the entries of a matrix, with signs: the one computation behind tied bases, biases and
// tables.
//
// A group acts on the m rows and the n columns by signed permutations. Its orbits on the m n entries (the
// orbitals of the pair of actions) are the parameters of an equivariant matrix; an orbit on which some
// element fixes an entry and negates it carries no parameter and is a structural zero.
#pragma once
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "intertwine/combinatorics/signed_permutation.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/tables/weight_block.hpp"
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
/// 24 bytes a row, 16 bytes a row or column for every generator. Immutable and safe to read from many threads.
///
/// Labels: 0 for a structural zero, +(k+1) or -(k+1) for plus or minus the parameter theta_k. Parameters are
/// numbered by their smallest entry in row-major order, which is +.
///
/// Method. Rows are taken orbit by orbit. The columns are joined (with signs) by elements of the stabilizer
/// of the first row r of the orbit, obtained by Schreier's lemma from random words; a transversal carries the
/// labels to the other rows (streamed, see for_each_row). Joining uses true group elements only, so that a
/// label class never exceeds an orbit and a zero is always right; that every class is a whole orbit is proved
/// by check(), and for the parameters also by an independent count of the orbits.
class OrbitalPattern {
 public:
  /// \param row_images, col_images  the images of the same generators, in the same order, of degrees m and n.
  /// \param group_order             |G| if known (saves work where stabilizers are trivial), else 0. Decides
  /// nothing: what it gets wrong, check() finds.
  /// \param patience                how many elements in a row must join nothing new before the joining stops
  /// (all Schreier generators are used where they are as few). \throws DomainError if the numbers or degrees of
  /// the images do not fit; LimitError for more than 2^31 - 1 rows or columns, if more than 2^30 - 1 parameters
  /// appear, or through `task`.
  /// \par Cost   O(n) for every row orbit and random element used, O((m + n) s) for s generators.
  OrbitalPattern(std::uint64_t rows, std::uint64_t cols, std::vector<SignedPermutation> row_images,
                 std::vector<SignedPermutation> col_images, const Integer& group_order = 0, unsigned patience = 16,
                 const Task& task = {});

  std::uint64_t rows() const { return rows_; }
  std::uint64_t cols() const { return cols_; }
  /// P, the number of label classes that are not zero.
  std::uint64_t params() const { return params_; }
  /// The images of the generators on rows and on columns.
  std::span<const SignedPermutation> row_images() const { return row_images_; }
  std::span<const SignedPermutation> col_images() const { return col_images_; }
  /// [P] the number of entries of each class.
  std::vector<std::int64_t> orbit_size(const Task& task = {}) const;
  /// [P] the smallest entry of each class.
  std::vector<MatrixEntry> smallest_entries() const;
  /// The smallest entry of every class that carries no parameter, in row-major order. The classes are whole
  /// orbits if check() holds; the number of parameters says nothing about them.
  const std::vector<MatrixEntry>& vanishing_orbits() const { return vanishing_; }
  /// The label of entry (i, j). O(depth of the row's orbit tree).
  std::int64_t label(std::uint64_t i, std::uint64_t j) const;

  /// Every parameter occurs, and they are numbered by their smallest entries, which are +: what the constructor
  /// promises, looked at again. O(n) an orbit of rows.
  bool is_canonical() const;

  /// Every row of codes of `width` bytes, code_bytes(params()) or 2 in place of 4, into `sink`, O(m n): in order where all take at most
  /// 128 MiB and a quarter of the task's memory; otherwise in one pass, in an order that follows the orbit trees, with memory O(n log m).
  /// \throws DomainError for another width, or 2 with more than 32767 parameters
  void for_each_row(unsigned width, const RowSink& sink, const Task& task = {}) const;
  /// All codes in memory, row-major. \throws LimitError through `task`.
  Codes codes(const Task& task = {}) const;
  /// Writes all codes, row-major, into a buffer of rows * cols * code_bytes(params()) bytes.
  void fill(std::span<std::byte> buffer, const Task& task = {}) const;

  /// Rows on demand, each carried down its path from the first row of its orbit: O(n depth) a row. The
  /// pattern must outlive the view. Safe to read from many threads.
  std::shared_ptr<const CodeRows> view() const;

  /// Decides whether rows of codes are equivariant under generators given by their images: W[g i, g j] =
  /// +-W[i, j] for every generator g and entry. O(m n s). On failure `witness` (if given) receives the entry
  /// (i, j) and `generator` the number of g. \throws DomainError if the images do not fit the table.
  static bool commutes(const CodeRows& table, std::uint64_t params, std::span<const SignedPermutation> row_images,
                       std::span<const SignedPermutation> col_images, const Task& task = {},
                       MatrixEntry* witness = nullptr, std::size_t* generator = nullptr);
  /// Decides whether this pattern commutes with its own generators, the classes of vanishing_orbits() told apart; true
  /// is a proof that every class is a whole orbit. One orbit of rows is in memory at a time, one to four bytes an
  /// entry. \throws LimitError through `task`.
  bool check(const Task& task = {}) const;

 private:
  struct Step {
    std::uint32_t parent;    ///< row it is carried from
    std::int32_t generator;  ///< 2k: generator k, 2k+1: its inverse, -1: first row of its orbit
  };
  std::span<const std::int32_t> labels_of_orbit(std::size_t orbit) const {
    return {labels_.data() + orbit * cols_, static_cast<std::size_t>(cols_)};
  }
  void build_row_tree();
  void label_orbits(const Integer& group_order, unsigned patience, const Task& task);
  void number_labels(std::uint32_t orbit, ParityUnion* joined);
  class Carrier;
  class Rows;
  struct LocalLabels;
  template <class Code>
  bool check_orbit(const Carrier& carrier, std::uint32_t orbit, const LocalLabels& local, const Task& task) const;

  friend std::shared_ptr<const CodeRows> code_rows(std::shared_ptr<const OrbitalPattern> pattern, const Task& task);

  static constexpr std::uint64_t max_params = (std::uint64_t{1} << 30) - 1;  ///< 2P is an int32
  /// In labels_ an entry of vanishing_[k] has the label -2^31 + k.
  static bool vanishes(std::int32_t label) { return label < -static_cast<std::int32_t>(max_params); }
  static std::int32_t vanishing_number(std::int32_t label) { return label - std::numeric_limits<std::int32_t>::min(); }

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
  std::vector<std::int32_t> labels_;  ///< [orbits, n] the labels of their first rows; one array, which goes back whole
  std::uint64_t params_ = 0;
  std::vector<MatrixEntry> vanishing_;
};

/// Rows on demand as in OrbitalPattern::view(); the answer keeps the pattern alive. All rows together are streamed
/// (for_each_row), and some of them (for_rows) where their paths have more steps than there are rows. Where one is
/// asked for by itself, all codes are made and kept in memory if they take at most 256 MiB and a quarter of the task's
/// memory.
std::shared_ptr<const CodeRows> code_rows(std::shared_ptr<const OrbitalPattern> pattern, const Task& task = {});

}  // namespace intertwine
