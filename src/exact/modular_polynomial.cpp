#include "intertwine/exact/modular_polynomial.hpp"

#include <flint/nmod_poly.h>
#include <flint/nmod_poly_factor.h>

#include <algorithm>

namespace intertwine {

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
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace intertwine
