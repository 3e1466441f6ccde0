// Characteristic and minimal polynomials of matrices.
#include <flint/fmpz.h>
#include <flint/fmpz_mat.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "exact/flint_matrix.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/prime_images.hpp"

namespace intertwine {

namespace {

void require_square(const RationalMatrix& A, const char* what) {
  if (A.rows() != A.cols()) throw DomainError(fmt::format("{} of a {} x {} matrix", what, A.rows(), A.cols()));
}

/// A bound on the coefficients of det(x - A). The coefficient of x^(n-k) is a sum of the principal minors of size
/// k; by Hadamard each is at most the product of the norms of its rows, so all of them together are at most
/// the product over all rows of 1 + norm.
Integer charpoly_bound(const IntegerMatrix& A) {
  Integer bound = 1;
  FlintInteger squares;
  for (std::size_t i = 0; i < A.rows(); ++i) {
    fmpz_zero(squares);
    for (std::size_t j = 0; j < A.cols(); ++j) fmpz_addmul(squares, A.flint().entry(i, j), A.flint().entry(i, j));
    fmpz_sqrt(squares, squares);
    bound *= integer_from(squares) + 2;
  }
  return bound;
}

ModularMatrix as_row(std::uint64_t p, const std::vector<std::uint64_t>& coefficients) {
  ModularMatrix row(p, 1, coefficients.size());
  std::ranges::copy(coefficients, row.row(0).begin());
  return row;
}

/// The monic polynomial of A = N/d from that of N: f(d x) / d^n.
Polynomial unscaled(const IntegerMatrix& coefficients, const Integer& d) {
  const std::size_t degree = coefficients.cols() - 1;
  Polynomial f(degree + 1);
  Integer power = 1;
  for (std::size_t k = degree + 1; k-- > 0; power *= d) f[k] = Rational(coefficients(0, k), power);
  return f;
}

/// The entries sum_k c_k N^k for integers c_k, by blocks of about sqrt(degree) powers (Paterson & Stockmeyer
/// 1973): 2 sqrt(degree) products.
IntegerMatrix evaluate_integral(const std::vector<Integer>& c, const IntegerMatrix& N) {
  std::size_t block = 1;
  while (block * block < c.size()) ++block;
  std::vector<IntegerMatrix> powers = {IntegerMatrix::identity(N.rows())};
  while (powers.size() <= block) powers.push_back(powers.back() * N);
  IntegerMatrix result(N.rows(), N.rows());
  for (std::size_t start = (c.size() - 1) / block * block;; start -= block) {
    result = result * powers[block];
    for (std::size_t k = start; k < std::min(start + block, c.size()); ++k) {
      const FlintInteger factor(c[k]);
      fmpz_mat_scalar_addmul_fmpz(result.flint().m, powers[k - start].flint().m, factor);
    }
    if (start == 0) return result;
  }
}

class FlintFactors {
 public:
  FlintFactors() { fmpz_poly_factor_init(f); }
  FlintFactors(const FlintFactors&) = delete;
  FlintFactors& operator=(const FlintFactors&) = delete;
  ~FlintFactors() { fmpz_poly_factor_clear(f); }
  fmpz_poly_factor_t f;
};

Polynomial monic(const fmpz_poly_struct* f) {
  const slong degree = fmpz_poly_degree(f);
  FlintInteger coefficient;
  fmpz_poly_get_coeff_fmpz(coefficient, f, degree);
  const Integer lead = integer_from(coefficient);
  Polynomial result;
  for (slong k = 0; k <= degree; ++k) {
    fmpz_poly_get_coeff_fmpz(coefficient, f, k);
    result.emplace_back(integer_from(coefficient), lead);
  }
  return result;
}

}  // namespace

Polynomial characteristic_polynomial(const RationalMatrix& A, const Task& task) {
  require_square(A, "characteristic_polynomial");
  const IntegerMatrix& N = A.numerator();
  // |c| <= bound, and the transposed matrix has the same polynomial.
  const Integer bound = 2 * std::min(charpoly_bound(N), charpoly_bound(N.transpose()));
  IntegerMatrix coefficients(1, N.rows() + 1);
  Integer modulus = 1;
  take_prime_images(
      [&](std::size_t k) { return as_row(word_prime(k), ModularMatrix(word_prime(k), N).characteristic_polynomial()); },
      [&](const ModularMatrix& image) {
        if (modulus == 1) {
          fmpz_mat_set_nmod_mat(coefficients.flint().m, image.flint().m);
        } else {
          const FlintInteger so_far(modulus);
          fmpz_mat_CRT_ui(coefficients.flint().m, coefficients.flint().m, so_far, image.flint().m, 1);
        }
        modulus *= image.prime();
        return modulus > bound;
      },
      task);
  return unscaled(coefficients, A.denominator());
}

// For an integral matrix N the minimal polynomial f is integral (Gauss), and its image modulo p annihilates N
// modulo p; so no prime finds a larger degree than deg f. A monic polynomial of the degree found by a prime
// that annihilates N over Z is therefore f.
Polynomial minimal_polynomial(const RationalMatrix& A, const Task& task) {
  require_square(A, "minimal_polynomial");
  if (A.rows() == 0) return {1};
  const IntegerMatrix& N = A.numerator();
  RationalLift lift;
  std::size_t length = 0;
  Polynomial result;
  take_prime_images(
      [&](std::size_t k) { return as_row(word_prime(k), ModularMatrix(word_prime(k), N).minimal_polynomial()); },
      [&](const ModularMatrix& image) {
        if (image.cols() < length) return false;
        if (image.cols() > length) lift.clear();
        length = image.cols();
        lift.add(image);
        const std::optional<RationalMatrix> candidate = lift.candidate();
        if (!candidate || !candidate->is_integral()) return false;
        std::vector<Integer> coefficients;
        for (std::size_t i = 0; i < length; ++i) coefficients.push_back(candidate->numerator()(0, i));
        if (!evaluate_integral(coefficients, N).is_zero()) return false;
        result = unscaled(candidate->numerator(), A.denominator());
        return true;
      },
      task);
  return result;
}

RationalMatrix evaluate(const Polynomial& f, const RationalMatrix& A) {
  require_square(A, "evaluate");
  if (f.empty()) return {A.rows(), A.rows()};
  // f(N/d) = sum_k f_k d^(degree-k) N^k / d^degree.
  Integer common = 1;
  for (const Rational& c : f) common = lcm(common, denominator(c));
  std::vector<Integer> c(f.size());
  Integer power = 1;
  for (std::size_t k = f.size(); k-- > 0;) {
    c[k] = numerator(f[k]) * (common / denominator(f[k])) * power;
    if (k > 0) power *= A.denominator();
  }
  return {evaluate_integral(c, A.numerator()), common * power};
}

std::vector<std::pair<Polynomial, unsigned>> irreducible_factors(const Polynomial& f) {
  if (std::ranges::all_of(f, [](const Rational& c) { return c == 0; }))
    throw DomainError("factor: the polynomial is zero");
  Integer common = 1;
  for (const Rational& c : f) common = lcm(common, denominator(c));
  FlintPolynomial integral;
  for (std::size_t k = 0; k < f.size(); ++k) {
    const FlintInteger coefficient(Integer(numerator(f[k]) * (common / denominator(f[k]))));
    fmpz_poly_set_coeff_fmpz(integral.f, static_cast<slong>(k), coefficient);
  }
  FlintFactors factors;
  fmpz_poly_factor(factors.f, integral.f);
  std::vector<std::pair<Polynomial, unsigned>> result;
  for (slong i = 0; i < factors.f->num; ++i)
    result.emplace_back(monic(factors.f->p + i), static_cast<unsigned>(factors.f->exp[i]));
  std::ranges::sort(result, [](const auto& a, const auto& b) {
    if (a.first.size() != b.first.size()) return a.first.size() < b.first.size();
    return std::ranges::lexicographical_compare(a.first, b.first);
  });
  return result;
}

}  // namespace intertwine
