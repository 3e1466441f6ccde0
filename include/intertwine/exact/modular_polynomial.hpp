// Polynomials over prime fields of word size.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace intertwine {

/// The distinct roots in Z/p, increasing, of the non-zero polynomial with these coefficients (constant term first,
/// reduced). p is trusted to be prime.
std::vector<std::uint64_t> modular_roots(std::uint64_t p, std::span<const std::uint64_t> coefficients);

}  // namespace intertwine
