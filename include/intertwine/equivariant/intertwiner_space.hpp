// A basis of Hom_G(V, U) for representations given by matrices: sparse integral matrices.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/exact/sparse_matrix.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Independent sparse m x n matrices with integral entries: each primitive (its entries have no common
/// factor) with first non-zero entry positive, sorted by the place of their first non-zero entry in row-major
/// order and then by the entries that follow. Immutable.
class IntertwinerSpace {
 public:
  /// \param elements  each with one row of m * n integers, in row-major order; made primitive and sorted here.
  ///                  \throws DomainError if one is zero or has another size.
  IntertwinerSpace(std::uint64_t rows, std::uint64_t cols, const std::vector<IntegerMatrix>& elements);

  /// The label classes of a pattern. \throws LimitError through `task`: 16 bytes an entry.
  explicit IntertwinerSpace(const OrbitalPattern& pattern, const Task& task = {});

  std::uint64_t rows() const { return rows_; }
  std::uint64_t cols() const { return cols_; }
  std::uint64_t params() const { return start_.size() - 1; }
  /// Element k. \throws DomainError if k >= params().
  SparseMatrix operator[](std::uint64_t k) const;
  /// The same as one row of m * n integers.
  IntegerMatrix flat(std::uint64_t k) const;
  /// [params() + 1] where the entries of each element start; [nonzeros] their rows, columns and (1 x nonzeros)
  /// values, each element in row-major order.
  std::span<const std::uint64_t> start() const { return start_; }
  std::span<const std::uint32_t> row() const { return row_; }
  std::span<const std::uint32_t> col() const { return col_; }
  const IntegerMatrix& values() const { return values_; }
  std::uint64_t nonzeros() const { return row_.size(); }
  /// nonzeros / (params m n); 0 for the zero space.
  double density() const;
  /// max |entry|.
  Integer height() const { return values_.height(); }

 private:
  std::uint64_t rows_, cols_;
  std::vector<std::uint64_t> start_;
  std::vector<std::uint32_t> row_, col_;
  IntegerMatrix values_;
};

/// What an element of Hom between sums is put together from.
struct IntertwinerOptions {
  /// Bases with more entries than this (elements times m n) are left as they are found, not sparsified.
  std::uint64_t max_sparsified = 3'000'000;
};

/// A basis of Hom_G(V, U). Direct sums are solved block by block; monomial blocks by orbits; the rest by
/// splitting the smaller of V and U into cyclic modules and finding their homomorphisms by the images of their
/// seeds. Every element is verified to commute with every generator, and their independence modulo a prime;
/// that there are no more is for the caller to prove (equivariant_basis compares with characters).
///
/// \throws DomainError if the groups differ; LimitError for sides above 2^31 - 1, or through `task`.
/// \par Cost  for irreducible V of dimension d and m = dim U: a kernel in dimension m, and a kernel of about d
///            equations for each generator in as many unknowns as U has vectors of V's kind.
IntertwinerSpace intertwiner_space(const Representation& V, const Representation& U, const Task& task = {},
                                   const IntertwinerOptions& options = {});

}  // namespace intertwine
