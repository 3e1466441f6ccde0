// Homogeneous linear equations with small integral coefficients, solved exactly for as many unknowns as they determine.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "intertwine/task.hpp"

namespace intertwine {

struct IntegralEquation {
  std::vector<std::pair<std::uint32_t, std::int64_t>> terms;  ///< unknown and coefficient, by increasing unknowns
};

/// Unknowns as combinations of those that stay free.
struct SolvedEquations {
  struct Term {
    std::uint32_t unknown;
    std::int64_t numerator, denominator;
  };
  std::vector<std::uint32_t> free;  ///< increasing
  /// Every other unknown with the sum of free unknowns that it is.
  std::vector<std::pair<std::uint32_t, std::vector<Term>>> determined;
};

/// \par Method  Gauss's elimination modulo a prime near 2^61, pivots being the unknowns in the fewest equations; entries
///              lifted to rational numbers n / d. The lifted solutions solve the equations modulo the prime. Their sums,
///              over common denominators, are smaller than it, and therefore 0: they solve them over Q. A rank modulo a prime
///              is at most that over Q; so these are all.
/// \throws LimitError
SolvedEquations solve_equations(std::vector<IntegralEquation> equations, std::size_t unknowns, const Task& task);

}  // namespace intertwine
