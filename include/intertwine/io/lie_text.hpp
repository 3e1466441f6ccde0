// Weights of representations of reductive groups as text and JSON. JSON is one object without a newline at the end;
// integers that may be large are strings in it, weights are lists of numbers.
#pragma once
#include <string>

#include "intertwine/reductive/lie_group.hpp"

namespace intertwine {

/// The weights of a representation of a reductive group: of each orbit of the Weyl group the dominant one.
struct LieWeights {
  LieGroup group;
  std::string rep;  ///< the representation as it was written
  DominantCharacter weights;
};
/// {"group", "type", "rep", "dimension", "weights": [{"weight", "multiplicity", "orbit"}]}: each weight of an orbit of so many has this multiplicity.
std::string to_json(const LieWeights& d);
std::string to_text(const LieWeights& d, unsigned width = 80);

}  // namespace intertwine
