// The matrices of generators of continuous groups, line by line, in the numbers that a computation works with.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "intertwine/exact/abelian_field.hpp"
#include "intertwine/exact/sparse_matrix.hpp"

namespace intertwine {

/// A number as Rational, if it is one, as double, if it is real, or as it is.
template <class Number>
Number number_as(const Cyclotomic& c) {
  if constexpr (std::is_same_v<Number, Rational>)
    return c.to_rational();
  else if constexpr (std::is_same_v<Number, double>)
    return c.to_complex().real();
  else
    return c;
}

/// The rows, or the columns, of generator g: of the sum over t < m of coefficients[g m + t] a^t, K = Q(a) of degree m.
template <class Number, class Index = std::uint64_t>
std::vector<std::vector<std::pair<Index, Number>>> generator_lines(std::span<const SparseMatrix> coefficients,
                                                                   std::size_t g, const AbelianField& K, bool columns) {
  const auto own = coefficients.subspan(g * K.degree(), K.degree());
  std::vector<std::map<Index, Number>> sums(own.front().rows());
  Cyclotomic power(1);
  for (const SparseMatrix& A : own) {
    const auto scale = number_as<Number>(power);
    for (const auto& e : A.entries())
      sums[columns ? e.col : e.row][static_cast<Index>(columns ? e.row : e.col)] +=
          static_cast<Number>(e.value) * scale;
    power *= K.generator();
  }
  std::vector<std::vector<std::pair<Index, Number>>> lines;
  for (auto& sum : sums) lines.emplace_back(sum.begin(), sum.end());
  return lines;
}

}  // namespace intertwine
