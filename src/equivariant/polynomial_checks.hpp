// Checks of a basis of polynomial maps, in whatever way its group is given. All throw VerificationError.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/equivariant/polynomial_maps.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A row or column of a matrix: places and values.
using MatrixLine = std::vector<std::pair<std::uint32_t, Cyclotomic>>;

/// A generator of a group, or of a Lie algebra.
struct GeneratorLines {
  std::string name;
  bool algebra;
  std::vector<MatrixLine> rows_in, columns_out;  ///< the lines of its matrices on V and on W
};

/// F(g x) = g F(x) or, of a Lie algebra, F'(x) X x = X F(x), for every map.
void require_equivariant(const PolynomialBasis& F, const GeneratorLines& generator, const Task& task);
void require_independent(const PolynomialBasis& F, const Task& task);
void require_count(const PolynomialBasis& F, const Integer& count);

}  // namespace intertwine
