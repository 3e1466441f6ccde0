// Products of minors of the first rows of a generic matrix: the model of S_lambda that SchurFunctor has, as
// polynomials.
#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "intertwine/task.hpp"

namespace intertwine {

/// The rows of a filling of a diagram with numbers, or a monomial: row i holds the columns of its variables x_ij,
/// increasing.
using RowWords = std::vector<std::vector<int>>;
template <class Number>
using RowWordSum = std::map<RowWords, Number>;

/// The product over the columns of a filling of the minors of the first rows of X with these columns, which may stand
/// in any order and be equal: prod_j det X[{0 ... k_j - 1}, column j].
RowWordSum<std::int64_t> product_of_column_minors(const RowWords& filling, const Task& task);

/// Rows weakly, columns strictly increasing.
bool is_semistandard_filling(const RowWords& filling);

/// An element of S_lambda, a polynomial, in the basis of the products of semistandard fillings. The coefficients at
/// their diagonal monomials are enough: the product of T has 1 at its own, and at others only if they come later.
template <class Number>
RowWordSum<Number> semistandard_coordinates(RowWordSum<Number> polynomial, const Task& task) {
  RowWordSum<Number> out;
  while (!polynomial.empty()) {
    task.poll();
    auto first = polynomial.extract(polynomial.begin());
    if (first.mapped() == 0 || !is_semistandard_filling(first.key())) continue;
    for (const auto& [monomial, c] : product_of_column_minors(first.key(), task))
      if (monomial > first.key()) polynomial[monomial] -= c * first.mapped();
    out.insert(std::move(first));
  }
  return out;
}

}  // namespace intertwine
