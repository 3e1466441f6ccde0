// How the basis of a representation lies: its summands one after the other, each on an array of its own.
#pragma once
#include <cstdint>
#include <vector>

#include "intertwine/representations/representation.hpp"

namespace intertwine {

/// One summand, copies repeated, neither a sum nor a multiple.
struct BasisBlock {
  std::uint64_t start;  ///< its first basis vector, 0-based
  Representation representation;
  /// The lengths of the axes of the array that its basis vectors fill in row-major order: [h, w] for the pixels of a grid
  /// group, one part for each factor of a tensor product, [dimension] where nothing else is known. Their product is the
  /// dimension.
  std::vector<std::uint64_t> axes;
};

/// The blocks of V in the order of its basis: none if V has dimension 0. \throws LimitError for more than 65536 blocks.
std::vector<BasisBlock> basis_layout(const Representation& V);

}  // namespace intertwine
