// Coordinates of numbers in the powers of the generator of a field.
#include "exact/field_coordinates.hpp"

#include <flint/fmpz.h>
#include <flint/nmod.h>
#include <flint/nmod_vec.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "exact/double_elimination.hpp"
#include "exact/flint_matrix.hpp"
#include "exact/row_reduction.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/field_traces.hpp"

namespace intertwine {

namespace {

/// x a, in place.
void times_generator(const AbelianField& K, std::vector<Rational>& x) {
  const std::vector<Integer>& f = K.minimal_polynomial();
  const Rational high = std::move(x.back());
  for (std::size_t i = x.size(); --i > 0;) x[i] = std::move(x[i - 1]);
  x[0] = 0;
  if (high == 0) return;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (f[i] != 0) x[i] -= high * f[i];
}

/// Multiplies rows of numbers by a, the coordinates at a^l in columns l n, ..., l n + n - 1.
class RowMultiplication {
 public:
  explicit RowMultiplication(const AbelianField& K) {
    for (std::size_t l = 0; l < K.degree(); ++l) minimal_.emplace_back(K.minimal_polynomial()[l]);
  }

  /// Row k of `to`, which is still 0, from row i of `from`; they may be one matrix.
  void operator()(const FlintMatrix& from, std::size_t i, FlintMatrix& to, std::size_t k) const {
    const std::size_t m = minimal_.size(), n = from.cols() / m;
    for (std::size_t j = 0; j < (m - 1) * n; ++j) copy_fresh(to.entry(k, n + j), from.entry(i, j));
    for (std::size_t j = 0; j < n; ++j) {
      const fmpz* top = from.entry(i, (m - 1) * n + j);
      if (fmpz_is_zero(top)) continue;
      for (std::size_t l = 0; l < m; ++l) fmpz_submul(to.entry(k, l * n + j), minimal_[l], top);
    }
  }

 private:
  std::vector<FlintInteger> minimal_;  ///< the coefficients of the minimal polynomial of a, without the leading 1
};

std::vector<Rational> multiplication_rows(const AbelianField& K, std::span<const Rational> c) {
  std::vector<Rational> row(c.begin(), c.end()), rows;
  for (std::size_t t = 0; t < K.degree(); ++t, times_generator(K, row)) rows.insert(rows.end(), row.begin(), row.end());
  return rows;
}

}  // namespace

RationalMatrix multiplication(const AbelianField& K, std::span<const Rational> c) {
  return {K.degree(), K.degree(), multiplication_rows(K, c)};
}

RationalMatrix powers(const AbelianField& K, std::span<const Rational> b, std::size_t count) {
  const std::size_t m = K.degree();
  const std::vector<Rational> by_b = count > 1 ? multiplication_rows(K, b) : std::vector<Rational>();
  std::vector<Rational> rows(count * m);
  if (count > 0) rows[0] = 1;
  for (std::size_t k = 1; k < count; ++k)
    for (std::size_t t = 0; t < m; ++t) {
      const Rational& x = rows[(k - 1) * m + t];
      if (x == 0) continue;
      for (std::size_t u = 0; u < m; ++u)
        if (by_b[t * m + u] != 0) rows[k * m + u] += x * by_b[t * m + u];
    }
  return {count, m, rows};
}

RationalMatrix entry_coordinates(const FieldMatrix& A) {
  const std::size_t m = A.field().degree(), cols = A.cols();
  const FlintMatrix& from = A.coefficients().numerator().flint();
  IntegerMatrix result(A.rows() * cols, m);
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t t = 0; t < m; ++t)
      for (std::size_t j = 0; j < cols; ++j)
        copy_fresh(result.flint().entry(i * cols + j, t), from.entry(i, t * cols + j));
  return {std::move(result), A.coefficients().denominator()};
}

FieldMatrix from_entry_coordinates(const AbelianField& K, const RationalMatrix& E, std::size_t rows, std::size_t cols) {
  const std::size_t m = K.degree();
  IntegerMatrix result(rows, m * cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t t = 0; t < m; ++t)
      for (std::size_t j = 0; j < cols; ++j)
        copy_fresh(result.flint().entry(i, t * cols + j), E.numerator().flint().entry(i * cols + j, t));
  return {K, RationalMatrix(std::move(result), E.denominator()), cols};
}

FieldMatrix transformed(const FieldMatrix& A, const AbelianField& K, const RationalMatrix& T) {
  return from_entry_coordinates(K, entry_coordinates(A) * T, A.rows(), A.cols());
}

AbelianField::SplitPrime elimination_prime(const AbelianField& K, std::size_t k, std::size_t rows, std::size_t cols) {
  if (pays_in_doubles(double_prime(0), rows, std::min(rows, cols), cols))
    if (auto small = K.small_split_prime(k)) return std::move(*small);
  return K.split_prime(k);
}

std::vector<std::size_t> independent_columns(const FieldMatrix& A) {
  for (std::size_t k = 0;; ++k)  // few primes divide a denominator
    if (const auto residues = A.reduce(elimination_prime(A.field(), k, A.rows(), A.cols()), 0))
      return rank_profile(*residues).cols;
}

ModularMatrix evaluated(const ModularMatrix& coefficients, std::size_t cols, const AbelianField::SplitPrime& prime,
                        std::size_t embedding) {
  const std::size_t m = prime.roots.size();
  ModularMatrix result(prime.p, coefficients.rows(), cols);
  if (cols == 0) return result;
  nmod_t mod;
  nmod_init(&mod, prime.p);
  for (std::size_t i = 0; i < coefficients.rows(); ++i) {
    std::uint64_t power = 1;
    for (std::size_t t = 0; t < m; ++t, power = nmod_mul(power, prime.roots[embedding], mod))
      _nmod_vec_scalar_addmul_nmod(result.row(i).data(), coefficients.row(i).data() + t * cols,
                                   static_cast<slong>(cols), power, mod);
  }
  return result;
}

std::optional<std::vector<ModularMatrix>> FieldMatrix::reduce(const AbelianField::SplitPrime& prime) const {
  const std::optional<ModularMatrix> all = ModularMatrix::reduce(prime.p, coefficients_);
  if (!all) return std::nullopt;
  std::vector<ModularMatrix> result;
  for (std::size_t e = 0; e < prime.roots.size(); ++e) result.push_back(evaluated(*all, cols_, prime, e));
  return result;
}

std::vector<FieldMatrix> traces_of_multiples(const FieldMatrix& A, const AbelianField& F) {
  const AbelianField& K = A.field();
  if (!K.contains(F))
    throw DomainError(fmt::format("traces_of_multiples: {} is not a subfield of {}", F.to_string(), K.to_string()));
  if (K == F) return {A};
  const std::size_t m = K.degree(), d = F.degree(), r = m / d;
  std::vector<std::vector<Rational>> traces;  // of the powers of a
  Cyclotomic power = 1;
  for (; traces.size() + 1 < m + r; power *= K.generator()) {
    Cyclotomic trace;
    for (const std::uint32_t k : K.automorphisms())
      if (F.generator().galois_conjugate(k) == F.generator()) trace += power.galois_conjugate(k);
    traces.push_back(F.coordinates(trace));
  }
  std::vector<Rational> T;  // row u: the traces of a^u, a^(u + 1), ...
  for (std::size_t u = 0; u < m; ++u)
    for (std::size_t t = 0; t < r; ++t) T.insert(T.end(), traces[u + t].begin(), traces[u + t].end());
  const RationalMatrix all = entry_coordinates(A) * RationalMatrix(m, r * d, T);
  std::vector<FieldMatrix> result;
  for (std::size_t t = 0; t < r; ++t)
    result.push_back(from_entry_coordinates(F, all.block(0, t * d, all.rows(), d), A.rows(), A.cols()));
  return result;
}

FieldMatrix restrict_scalars(const FieldMatrix& A, const AbelianField& F) {
  const AbelianField& K = A.field();
  if (!K.contains(F))
    throw DomainError(fmt::format("restrict_scalars: {} is not a subfield of {}", F.to_string(), K.to_string()));
  if (K == F) return A;
  const std::size_t m = K.degree(), d = F.degree(), r = m / d, cols = A.cols();
  // Row i d + u: the coordinates in K of f^u a^i, f the generator of F; its inverse takes coordinates in K to those
  // over F in the basis 1, a, ..., a^(r-1).
  std::vector<RationalMatrix> shifted;
  const RationalMatrix of_f =
      F.is_rational() ? powers(K, std::vector<Rational>(m), 1) : powers(K, K.coordinates(F.generator()), d);
  std::vector<Rational> a(m);
  a[1] = 1;
  const RationalMatrix by_a = multiplication(K, a);
  for (std::size_t i = 0; i < r; ++i) shifted.push_back(i == 0 ? of_f : shifted.back() * by_a);
  const RationalMatrix to_basis = inverse(vertical_stack(shifted));
  // Multiplication by x = sum x_t a^t has in column j the coordinates of x a^j.
  const RationalMatrix E = entry_coordinates(A);
  IntegerMatrix result(r * A.rows(), d * r * cols);
  std::vector<RationalMatrix> columns;
  RationalMatrix at = E;
  for (std::size_t j = 0; j < r; ++j) {
    columns.push_back(at * to_basis);
    if (j + 1 < r) at = at * by_a;
  }
  const RationalMatrix all = horizontal_stack(columns);
  const FlintMatrix& from = all.numerator().flint();
  for (std::size_t k = 0; k < A.rows(); ++k)
    for (std::size_t l = 0; l < cols; ++l)
      for (std::size_t j = 0; j < r; ++j)
        for (std::size_t i = 0; i < r; ++i)
          for (std::size_t u = 0; u < d; ++u)
            copy_fresh(result.flint().entry(k * r + i, u * r * cols + l * r + j),
                       from.entry(k * cols + l, j * m + i * d + u));
  return {F, RationalMatrix(std::move(result), all.denominator()), r * cols};
}

IntegerMatrix times_generator(const IntegerMatrix& rows, const AbelianField& K) {
  IntegerMatrix result(rows.rows(), rows.cols());
  const RowMultiplication by_a(K);
  for (std::size_t i = 0; i < rows.rows(); ++i) by_a(rows.flint(), i, result.flint(), i);
  return result;
}

IntegerMatrix times_powers(const IntegerMatrix& rows, const AbelianField& K) {
  const std::size_t r = rows.rows();
  IntegerMatrix result(K.degree() * r, rows.cols());
  const RowMultiplication by_a(K);
  for (std::size_t k = 0; k < result.rows(); ++k) {
    if (k >= r) {
      by_a(std::as_const(result).flint(), k - r, result.flint(), k);
      continue;
    }
    for (std::size_t j = 0; j < rows.cols(); ++j) copy_fresh(result.flint().entry(k, j), rows.flint().entry(k, j));
  }
  return result;
}

}  // namespace intertwine
