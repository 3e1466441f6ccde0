#include "intertwine/exact/prime_field.hpp"

#include <flint/nmod_poly.h>
#include <flint/nmod_poly_factor.h>
#include <flint/ulong_extras.h>

#include <algorithm>

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

/// Those of a x^2 + b x + c: (-b +- sqrt(b^2 - 4 a c)) / 2 a.
void add_quadratic_roots(const PrimeField& field, const std::vector<Element>& f,
                         std::vector<Element>& result) {
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

std::vector<std::uint64_t> modular_roots(std::uint64_t p, std::span<const std::uint64_t> coefficients) {
  nmod_poly_t f;
  nmod_poly_init(f, p);
  for (std::size_t k = 0; k < coefficients.size(); ++k)
    nmod_poly_set_coeff_ui(f, static_cast<slong>(k), coefficients[k]);
  nmod_poly_factor_t factors;
  nmod_poly_factor_init(factors);
  nmod_poly_roots(factors, f, 0);
  std::vector<std::uint64_t> result;
  for (slong k = 0; k < factors->num; ++k)  // every factor is x - root
    result.push_back((p - nmod_poly_get_coeff_ui(factors->p + k, 0)) % p);
  nmod_poly_factor_clear(factors);
  nmod_poly_clear(f);
  std::ranges::sort(result);
  return result;
}

}  // namespace intertwine
