#pragma once

#include <vector>

#include "intertwine/exact/integer.hpp"

namespace intertwine {

/// The coefficients of the product of two polynomials modulo x^n - 1, n the number of coefficients of each.
/// Cost: that of FLINT's product, near-linear.
std::vector<Integer> cyclic_product(const std::vector<Integer>& a, const std::vector<Integer>& b);

}  // namespace intertwine
