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

std::vector<PrimeField::Element> roots(const PrimeField& field, const std::vector<PrimeField::Element>& f) {
  std::vector<PrimeField::Element> result;
  if (f.size() == 2) {
    result.push_back(field.multiply(field.negative(f[0]), field.inverse(f[1])));
    return result;
  }
  if (field.p() <= 4000) {
    PrimeField::Element x = 0;
    for (std::uint64_t k = 0; k < field.p() && result.size() + 1 < f.size();
         ++k, x = field.add(x, field.one())) {
      PrimeField::Element value = 0;
      for (std::size_t i = f.size(); i-- > 0;) value = field.add(field.multiply(value, x), f[i]);
      if (value == 0) result.push_back(x);
    }
    return result;
  }
  if (f.size() == 3) {  // a x^2 + b x + c: (-b +- sqrt(b^2 - 4 a c)) / 2 a
    const PrimeField::Element four_a = field.multiply(field.from(4), f[2]);
    const PrimeField::Element square =
        field.subtract(field.multiply(f[1], f[1]), field.multiply(four_a, f[0]));
    const PrimeField::Element root = field.from(
        static_cast<std::int64_t>(n_sqrtmod(static_cast<mp_limb_t>(field.residue(square)), field.p())));
    if (field.multiply(root, root) != square) return result;  // no root
    const PrimeField::Element inverse = field.inverse(field.add(f[2], f[2]));
    for (const PrimeField::Element r : {root, field.negative(root)})
      if (result.empty() || root != 0) result.push_back(field.multiply(field.subtract(r, f[1]), inverse));
    if (result.size() == 2 && field.residue(result[0]) > field.residue(result[1]))
      std::swap(result[0], result[1]);
    return result;
  }
  std::vector<std::uint64_t> coefficients;
  for (const auto c : f) coefficients.push_back(field.residue(c));
  for (const std::uint64_t r : modular_roots(field.p(), coefficients))
    result.push_back(field.from(static_cast<std::int64_t>(r)));
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
