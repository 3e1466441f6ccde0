// Products of polynomials modulo x^n - 1.
#include "cyclic_product.hpp"

#include "flint_matrix.hpp"

namespace intertwine {

namespace {

void set(FlintPolynomial& to, const std::vector<Integer>& coefficients) {
  for (std::size_t i = coefficients.size(); i-- > 0;)
    if (coefficients[i] != 0) {
      const FlintInteger c(coefficients[i]);
      fmpz_poly_set_coeff_fmpz(to.f, static_cast<slong>(i), c);
    }
}

}  // namespace

std::vector<Integer> cyclic_product(const std::vector<Integer>& a, const std::vector<Integer>& b) {
  FlintPolynomial left, right, both;
  set(left, a);
  set(right, b);
  fmpz_poly_mul(both.f, left.f, right.f);
  std::vector<Integer> result(a.size());
  FlintInteger c;
  for (slong i = 0; i < fmpz_poly_length(both.f); ++i) {
    fmpz_poly_get_coeff_fmpz(c, both.f, i);
    result[static_cast<std::size_t>(i) % a.size()] += integer_from(c);
  }
  return result;
}

}  // namespace intertwine
