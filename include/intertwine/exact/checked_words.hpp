// Sums and products in machine words that notice an overflow, and the same of Integers under the same names.
//
// Code over a number type is run with words first. Where it throws checked::Overflow, its caller runs it again with
// Integer.
#pragma once
#include <cstdint>

#include "intertwine/exact/integer.hpp"

namespace intertwine::checked {

/// Thrown when a number leaves 64 bits; whoever runs code in words catches it.
struct Overflow {};

/// sum += term. \throws Overflow
inline void add_to(std::int64_t& sum, std::int64_t term) {
  if (__builtin_add_overflow(sum, term, &sum)) throw Overflow{};
}
inline void add_to(Integer& sum, const Integer& term) { sum += term; }

/// a b. \throws Overflow
inline std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) throw Overflow{};
  return product;
}
inline Integer times(const Integer& a, const Integer& b) { return a * b; }

}  // namespace intertwine::checked
