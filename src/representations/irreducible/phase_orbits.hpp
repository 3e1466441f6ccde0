// Orbits of monomial matrices on the lines of the basis vectors.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "intertwine/characters/monomial_representations.hpp"

namespace intertwine {

/// The vectors that monomial matrices, their entries powers of zeta of this order, multiply by zeta^steps[k]: on every
/// orbit of basis vectors at most one up to a factor, sum of zeta^exponent[i] e_i.
struct PhaseOrbits {
  std::vector<std::uint32_t> orbit, exponent;  ///< the orbit and exponent of every basis vector
  /// The beginning and length of every orbit: its first basis vector, and how many.
  std::vector<std::size_t> start, length;
  std::vector<char> consistent;  ///< there is such a vector on the orbit

  /// \param images  [k][i]: the image of e_i under matrix k.
  PhaseOrbits(std::span<const std::vector<MonomialEntry>> images, std::span<const std::uint32_t> steps,
              std::uint32_t order, std::size_t dimension);
};

}  // namespace intertwine
