// The weights of a representation of a reductive group, as an answer.
#pragma once
#include <string>

#include "intertwine/reductive/lie_group.hpp"
#include "intertwine/reductive/weight_character.hpp"

namespace intertwine {

/// The weights of a representation of a reductive group: of each orbit of the Weyl group the dominant one.
struct LieWeights {
  LieGroup group;
  std::string rep;  ///< the representation as it was written
  DominantCharacter weights;
};

}  // namespace intertwine
