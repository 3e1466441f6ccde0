// Young's natural form: the adjacent transpositions on standard polytabloids.
#pragma once
#include <cstdint>
#include <vector>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The matrices of (1,2), (2,3), ..., (n-1,n) on the polytabloids e_t, t standard in the order of standard_tableaux.
///
/// (i,i+1) e_t is -e_t if i and i+1 are in one column, and e_{(i,i+1) t} if that is standard. Otherwise they are in
/// one row; then e_{(i,i+1) t} is found from its coefficients at the standard tabloids, where the matrix of the
/// standard polytabloids is unitriangular: the largest tabloid of e_t is that of t, in the order by the row of the
/// largest entry, then of the next. [James 1978, Lecture Notes in Mathematics 682, sections 3, 4 and 8]
class SpechtAction {
 public:
  /// Dimensions above this are refused: the cost is about n dimension^2 / 3 coefficients.
  static constexpr std::uint64_t largest_dimension = 20'000;

  /// \throws LimitError above largest_dimension, or through `task`.
  SpechtAction(const Partition& shape, const Task& task);

  std::size_t dimension() const { return dimension_; }
  /// rho(g) X or rho(g)^T X: one sparse product for each inversion of g, in 64 bits as long as they suffice.
  RationalMatrix apply(const Permutation& g, const RationalMatrix& X, bool transposed) const;

 private:
  struct Entry {
    std::uint32_t row, col;
    std::int64_t value;
  };
  struct Transposition {
    std::vector<Entry> entries;
    std::uint64_t row_sum, col_sum;  ///< the largest sums of absolute values
  };
  static void by_rows(std::vector<Entry>& entries, std::size_t rows, const Task& task);
  template <class Scalar>
  std::vector<Scalar> product(const Transposition& s, const std::vector<Scalar>& X, std::size_t cols,
                              bool transposed) const;

  std::size_t dimension_;
  std::vector<Transposition> transpositions_;
};

/// Builds the matrices of a Specht module now, within the limits of this task; later they are built when they are first needed, and nobody is asked.
/// Nothing for other representations.
void build_specht_matrices(const Representation& V, const Task& task);

/// Basis vector k of a Specht module, d x 1.
RationalMatrix unit_vector(std::size_t d, std::size_t k);
/// The seeds of Specht modules are unit vectors, and those of Sym(20) longer than any memory: they are asked for before the first.
/// \param degrees  the sum of the dimensions \throws LimitError
void require_seeds(const Integer& degrees, const FiniteGroup& G, const Task& task);

}  // namespace intertwine
