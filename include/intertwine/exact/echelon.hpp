// Linear algebra one vector at a time: spinning, splitting, choosing independent vectors.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace intertwine {

/// Independent vectors over a field in echelon form, to which one is added at a time: row k is normed to 1 at its pivot,
/// its first entry that is not 0, and is 0 at the pivots of the rows before it.
///
/// Only the first `width` entries are looked at. A vector may be longer: what follows is carried along, so that unit
/// vectors put there give coordinates in the vectors inserted. A row must not be longer than the vectors after it.
/// \tparam Field  PrimeField, GaloisField, or what has their Element, add, negative, multiply and inverse; 0 is Element{}.
///                The field has to outlive the rows.
template <class Field>
class IncrementalEchelon {
 public:
  using Element = typename Field::Element;
  using Vector = std::vector<Element>;

  IncrementalEchelon(const Field& field, std::size_t width) : field_(&field), width_(width) {}

  std::size_t width() const { return width_; }
  std::size_t rank() const { return rows_.size(); }
  const std::vector<Vector>& rows() const { return rows_; }
  const std::vector<std::size_t>& pivots() const { return pivots_; }

  /// Subtracts the combination of the rows that leaves 0 at all pivots. \return the place of the first entry below
  /// `width` that is left, or `width`. O(rank * width).
  std::size_t reduce(Vector& v) const {
    for (std::size_t k = 0; k < rows_.size(); ++k) subtract(v, k);
    std::size_t at = 0;
    while (at < width_ && v[at] == Element{}) ++at;
    return at;
  }
  bool contains(Vector v) const { return reduce(v) == width_; }
  /// False, and nothing changes, if v depends on the rows.
  bool insert(Vector v) {
    const std::size_t pivot = reduce(v);
    return pivot < width_ && (append(std::move(v), pivot), true);
  }
  /// Appends a vector that reduce has left with its first entry at `pivot`.
  void append(Vector v, std::size_t pivot) {
    const Element scale = field_->inverse(v[pivot]);
    for (Element& x : v) x = field_->multiply(scale, x);
    rows_.push_back(std::move(v));
    pivots_.push_back(pivot);
  }
  /// Makes every row 0 at the pivots of all others: a reduced echelon form but for the order of its rows, which must all
  /// be of one length.
  void reduce_rows() {
    for (std::size_t k = rows_.size(); k-- > 0;)
      for (std::size_t i = 0; i < k; ++i) subtract(rows_[i], k);
  }
  /// Forgets all rows but the first `rank`.
  void truncate(std::size_t rank) {
    rows_.resize(rank);
    pivots_.resize(rank);
  }

 private:
  void subtract(Vector& v, std::size_t k) const {
    const Element c = v[pivots_[k]];
    if (c == Element{}) return;
    const Element minus = field_->negative(c);
    const Vector& row = rows_[k];
    for (std::size_t j = pivots_[k]; j < row.size(); ++j)
      if (row[j] != Element{}) v[j] = field_->add(v[j], field_->multiply(minus, row[j]));
  }

  const Field* field_;
  std::size_t width_;
  std::vector<Vector> rows_;
  std::vector<std::size_t> pivots_;
};

}  // namespace intertwine
