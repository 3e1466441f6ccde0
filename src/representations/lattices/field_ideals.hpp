// Ideals of the integers of number fields.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The coordinates at 1, a, a^2, ... of a basis of the integers of K = Q(a), as rows: of 1, a, a^2, ... themselves where these are one.
RationalMatrix basis_of_integers(const AbelianField& K, const Task& task);

/// The products by which numbers of K are short: inner products of vectors over K, rows with the coordinates at a^l in
/// columns l n, ..., l n + n - 1. Traces to Q of Hermitian products, but those of coordinates over imaginary quadratic
/// fields, where one embedding tells the size.
IntegerMatrix inner_products(const IntegerMatrix& rows, const AbelianField& K);

/// Ideals of Z[a] are m x m matrices here, m = [K : Q]: the rows are a basis over Z, short, in coordinates at 1, a, a^2, ...
IntegerMatrix ideal_product(const IntegerMatrix& I, const IntegerMatrix& J, const AbelianField& K);
/// Nothing if the ideal is not principal, or no short combination of its basis generates it. Z[a] are the integers of K.
std::optional<Cyclotomic> principal_generator(const IntegerMatrix& I, const AbelianField& K, const Task& task);

/// A prime ideal P of Z[a], the integers of K: that of p and g(a).
struct PrimeIdeal {
  std::uint64_t p;
  std::vector<std::uint64_t> polynomial;  ///< g modulo p, monic, constant term first
  unsigned ramification;                  ///< the power of P in p
  IntegerMatrix basis;

  std::size_t degree() const { return polynomial.size() - 1; }
};
/// The prime ideals that divide the prime p.
std::vector<PrimeIdeal> prime_ideals(std::uint64_t p, const AbelianField& K);

}  // namespace intertwine
