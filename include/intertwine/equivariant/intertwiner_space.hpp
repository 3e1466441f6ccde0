// A basis of Hom_G(V, U) for representations given by matrices: sparse matrices with integral entries.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/exact/sparse_matrix.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Independent sparse m x n matrices over a field F = Q(a), their entries integral combinations of 1, a, ..., a^(f-1):
/// over Q integers. Each is primitive (the coordinates of its entries have no common factor); its first non-zero entry
/// is positive (if F is not real, the first non-zero coordinate of that entry). They are sorted by the place of their
/// first non-zero entry in row-major order and then by the entries that follow. Immutable.
class IntertwinerSpace {
 public:
  /// A matrix by its entries: places row * cols + col, increasing, and the coordinates of their values,
  /// f x places.size().
  struct Element {
    std::vector<std::uint64_t> place;
    IntegerMatrix value;
    /// The entries of W that are not 0, times the common denominator of their coordinates.
    static Element of(const FieldMatrix& W);
  };
  /// Elements are made primitive and sorted here. \throws DomainError if one is zero, its places are not
  /// increasing or beyond rows * cols, or a value is zero; LimitError for sides above 2^31 - 1.
  IntertwinerSpace(std::uint64_t rows, std::uint64_t cols, std::vector<Element> elements, AbelianField field = {});
  /// The label classes of a pattern. \throws LimitError through `task`: 16 bytes an entry.
  explicit IntertwinerSpace(const OrbitalPattern& pattern, const Task& task = {});

  std::uint64_t rows() const { return rows_; }
  std::uint64_t cols() const { return cols_; }
  std::uint64_t params() const { return start_.size() - 1; }
  const AbelianField& field() const { return field_; }
  /// Element k. \throws DomainError if k >= params(), or the field is not Q.
  SparseMatrix operator[](std::uint64_t k) const;
  /// These elements over a larger field, scaled so that their coordinates are integers there. \throws DomainError
  IntertwinerSpace over(const AbelianField& K) const;
  /// The value of entry e < nonzeros(), unchecked.
  Cyclotomic value(std::uint64_t e) const;
  Element element(std::uint64_t k) const;
  std::vector<Element> elements() const;
  /// [params() + 1] where the entries of each element start; [nonzeros] their rows, columns and (f x nonzeros) the
  /// coordinates of their values, each element in row-major order.
  std::span<const std::uint64_t> start() const { return start_; }
  std::span<const std::uint32_t> row() const { return row_; }
  std::span<const std::uint32_t> col() const { return col_; }
  const IntegerMatrix& values() const { return values_; }
  std::uint64_t nonzeros() const { return row_.size(); }
  /// nonzeros / (params m n); 0 for the zero space.
  double density() const;
  /// max |coordinate of an entry|.
  Integer height() const { return values_.height(); }

 private:
  std::uint64_t rows_, cols_;
  AbelianField field_;
  std::vector<std::uint64_t> start_;
  std::vector<std::uint32_t> row_, col_;
  IntegerMatrix values_;
};

/// The number of the first element with rho_U(g) W != W rho_V(g) for some generator g; nothing if all commute.
/// Exact. Cost: the entries of W times the entries in a row or column of rho(g), or a dense product where that is
/// less. \throws DomainError if the dimensions do not fit; LimitError through `task`.
std::optional<std::uint64_t> first_that_does_not_commute(const IntertwinerSpace& space, const Representation& V,
                                                         const Representation& U, const Task& task = {});

/// Are the elements linearly independent? True is a proof (modulo a prime); false is one too (rank over Q).
bool are_independent(const IntertwinerSpace& space, const Task& task = {});

struct IntertwinerOptions {
  /// Bases with more entries than this (elements times m n) are left as they are found, not sparsified.
  std::uint64_t max_sparsified = 3'000'000;
};

/// A basis of Hom_G(V, U). Direct sums are solved block by block, each by the method that basis_method names
/// (basis_methods.hpp says what each verifies and costs). That there are no more elements is for the caller to prove
/// (equivariant_basis compares with characters).
///
/// \throws DomainError if the groups differ; LimitError for sides above 2^31 - 1, or through `task`.
IntertwinerSpace intertwiner_space(const Representation& V, const Representation& U, const Task& task = {},
                                   const IntertwinerOptions& options = {});

}  // namespace intertwine
