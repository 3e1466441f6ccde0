// Prime fields and the roots of polynomials over them.
#include "intertwine/exact/prime_field.hpp"

#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>
#include <flint/nmod_poly.h>
#include <flint/nmod_poly_factor.h>
#include <flint/ulong_extras.h>

#include <algorithm>

#include "exact/flint_matrix.hpp"
#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

std::vector<PrimeField::Element> PrimeField::column(const ModularMatrix& A, std::size_t j) const {
  std::vector<Element> result(A.rows());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = multiply(A(i, j), square_);
  return result;
}

PrimeField::Element PrimeField::root_of_unity(std::uint64_t e) const {
  const std::vector<std::uint64_t> primes = prime_divisors(e);
  for (std::int64_t a = 2;; ++a) {
    const Element z = power(from(a), (p_ - 1) / e);
    const auto is_trivial = [&](std::uint64_t q) { return power(z, e / q) == one_; };
    if (z != 0 && std::ranges::none_of(primes, is_trivial)) return z;
  }
}

std::vector<PrimeField::Element> PrimeField::roots_of_unity(std::uint64_t e) const {
  std::vector<Element> result(e, one_);
  if (e == 1) return result;
  result[1] = root_of_unity(e);
  for (std::size_t k = 2; k < e; ++k) result[k] = multiply(result[k - 1], result[1]);
  return result;
}

namespace {

using Element = PrimeField::Element;

/// The roots among the integers of at most `most` in size, for which f is divided by x - root as often as it can be.
std::vector<Element> take_small_roots(const PrimeField& field, std::vector<Element>& f, std::int64_t most) {
  std::vector<Element> result;
  Element x = field.from(-most);
  for (std::int64_t k = -most; k <= most && f.size() > 3; ++k, x = field.add(x, field.one())) {
    const auto value = [&] {
      Element sum = 0;
      for (std::size_t i = f.size(); i-- > 0;) sum = field.add(field.multiply(sum, x), f[i]);
      return sum;
    };
    while (f.size() > 1 && value() == 0) {
      if (result.empty() || result.back() != x) result.push_back(x);
      for (std::size_t i = f.size() - 1; i-- > 0;) f[i] = field.add(f[i], field.multiply(x, f[i + 1]));
      f.erase(f.begin());
    }
  }
  return result;
}

/// The roots of a x^2 + b x + c: (-b +- sqrt(b^2 - 4 a c)) / 2 a.
void add_quadratic_roots(const PrimeField& field, const std::vector<Element>& f, std::vector<Element>& result) {
  const Element square =
      field.subtract(field.multiply(f[1], f[1]), field.multiply(field.from(4), field.multiply(f[2], f[0])));
  const auto root = field.from(static_cast<std::int64_t>(n_sqrtmod(field.residue(square), field.p())));
  if (field.multiply(root, root) != square) return;  // no root
  const Element inverse = field.inverse(field.add(f[2], f[2]));
  result.push_back(field.multiply(field.subtract(root, f[1]), inverse));
  if (root != 0) result.push_back(field.multiply(field.subtract(field.negative(root), f[1]), inverse));
}

}  // namespace

std::vector<PrimeField::Element> roots(const PrimeField& field, const std::vector<PrimeField::Element>& f) {
  // Eigenvalues are often small integers; each of these is tried in the time of a few products.
  const std::uint64_t most = std::min<std::uint64_t>(field.p() <= 4000 ? field.p() / 2 : 32, field.p() / 2);
  std::vector<Element> rest = f, result;
  if (f.size() > 3) result = take_small_roots(field, rest, static_cast<std::int64_t>(most));
  if (rest.size() == 2) {
    result.push_back(field.multiply(field.negative(rest[0]), field.inverse(rest[1])));
  } else if (rest.size() == 3) {
    add_quadratic_roots(field, rest, result);
  } else if (rest.size() > 3) {
    std::vector<std::uint64_t> coefficients;
    for (const Element c : rest) coefficients.push_back(field.residue(c));
    for (const std::uint64_t r : modular_roots(field.p(), coefficients))
      result.push_back(field.from(static_cast<std::int64_t>(r)));
  }
  std::ranges::sort(result, {}, [&](Element x) { return field.residue(x); });
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

namespace {

using Factors = std::vector<std::pair<std::vector<std::uint64_t>, unsigned>>;

/// The factors that one of FLINT's functions finds.
Factors factors_by(const auto& find, std::uint64_t p, std::span<const std::uint64_t> coefficients) {
  nmod_poly_t f;
  nmod_poly_init(f, p);
  for (std::size_t k = 0; k < coefficients.size(); ++k)
    nmod_poly_set_coeff_ui(f, static_cast<slong>(k), coefficients[k]);
  nmod_poly_factor_t factors;
  nmod_poly_factor_init(factors);
  find(factors, f);
  Factors result;
  for (slong k = 0; k < factors->num; ++k) {
    auto& [factor, multiplicity] = result.emplace_back();
    for (slong l = 0; l <= nmod_poly_degree(factors->p + k); ++l)
      factor.push_back(nmod_poly_get_coeff_ui(factors->p + k, l));
    multiplicity = static_cast<unsigned>(factors->exp[k]);
  }
  nmod_poly_factor_clear(factors);
  nmod_poly_clear(f);
  return result;
}

}  // namespace

std::vector<std::uint64_t> modular_roots(std::uint64_t p, std::span<const std::uint64_t> coefficients) {
  std::vector<std::uint64_t> result;
  const auto find = [](nmod_poly_factor_t found, const nmod_poly_t f) { nmod_poly_roots(found, f, 0); };
  for (const auto& [factor, multiplicity] : factors_by(find, p, coefficients))  // every factor is x - root
    result.push_back((p - factor[0]) % p);
  std::ranges::sort(result);
  return result;
}

std::vector<std::uint64_t> lifted_factor(std::span<const Integer> f, std::uint64_t p,
                                         std::span<const std::uint64_t> factor, unsigned multiplicity, unsigned k) {
  FlintPolynomial whole;
  for (std::size_t i = 0; i < f.size(); ++i)
    fmpz_poly_set_coeff_fmpz(whole.f, static_cast<slong>(i), FlintInteger(f[i]));
  nmod_poly_t left, right, product;
  for (auto* polynomial : {left, right, product}) nmod_poly_init(polynomial, p);
  for (std::size_t i = 0; i < factor.size(); ++i) nmod_poly_set_coeff_ui(left, static_cast<slong>(i), factor[i]);
  nmod_poly_pow(left, left, multiplicity);
  fmpz_poly_get_nmod_poly(product, whole.f);
  nmod_poly_div(right, product, left);
  const bool is_all = nmod_poly_degree(right) == 0;
  nmod_poly_factor_t factors;
  nmod_poly_factor_init(factors);
  nmod_poly_factor_insert(factors, left, 1);
  nmod_poly_factor_insert(factors, right, 1);
  fmpz_poly_factor_t lifted;
  fmpz_poly_factor_init(lifted);
  if (!is_all) fmpz_poly_hensel_lift_once(lifted, whole.f, factors, static_cast<slong>(k));
  const fmpz_poly_struct* found = is_all ? whole.f : lifted->p;
  std::vector<std::uint64_t> result;
  const std::uint64_t modulus = n_pow(p, k);
  FlintInteger c;
  for (slong i = 0; i <= fmpz_poly_degree(found); ++i) {
    fmpz_poly_get_coeff_fmpz(c, found, i);
    result.push_back(fmpz_fdiv_ui(c, modulus));
  }
  fmpz_poly_factor_clear(lifted);
  nmod_poly_factor_clear(factors);
  for (auto* polynomial : {left, right, product}) nmod_poly_clear(polynomial);
  return result;
}

Factors modular_factors(std::uint64_t p, std::span<const std::uint64_t> coefficients) {
  Factors result =
      factors_by([](nmod_poly_factor_t found, const nmod_poly_t f) { nmod_poly_factor(found, f); }, p, coefficients);
  std::ranges::sort(result, [](const auto& x, const auto& y) {
    return std::pair(x.first.size(), x.first) < std::pair(y.first.size(), y.first);
  });
  return result;
}

}  // namespace intertwine
