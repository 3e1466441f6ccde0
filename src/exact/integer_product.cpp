// Products of many integers, in pairs.
#include "intertwine/exact/integer_product.hpp"

#include <cstddef>
#include <utility>

namespace intertwine {

Integer product_of(std::vector<Integer> factors) {
  if (factors.empty()) return 1;
  while (factors.size() > 1) {
    const std::size_t half = (factors.size() + 1) / 2;
    for (std::size_t k = half; k < factors.size(); ++k) factors[k - half] *= factors[k];
    factors.resize(half);
  }
  return std::move(factors.front());
}

}  // namespace intertwine
