// Coefficients in machine words with overflow detection; the caller repeats the work with Integer when a word
// overflows.
#pragma once
#include <cstdint>

#include "intertwine/exact/integer.hpp"

namespace intertwine::detail {

/// Thrown inside when a coefficient leaves 64 bits.
struct MultiplicityOverflow {};

inline void add_to(std::int64_t& sum, std::int64_t term) {
  if (__builtin_add_overflow(sum, term, &sum)) throw MultiplicityOverflow{};
}
inline void add_to(Integer& sum, const Integer& term) { sum += term; }

inline std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) throw MultiplicityOverflow{};
  return product;
}
inline Integer times(const Integer& a, const Integer& b) { return a * b; }

}  // namespace intertwine::detail
