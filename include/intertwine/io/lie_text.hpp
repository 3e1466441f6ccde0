// Characters of reductive groups and their restrictions as text, JSON and LaTeX. JSON is one object without a newline at the
// end; integers that may be large are strings in it, weights are lists of numbers.
#pragma once
#include <string>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/reductive/lie_branching.hpp"

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

/// A representation restricted to a subgroup.
struct LieRestricted {
  LieRestriction restriction;
  std::string rep;
  LieCharacter character;  ///< the character of the group
  LieCharacter result;     ///< the character of the subgroup
};
/// {"from", "to", "rep", "dimension", "embedding", "matrix", "denominator", "terms": [{"weight", "degree", "multiplicity",
/// "indicator", "name"}]}.
std::string to_json(const LieRestricted& r);
std::string to_text(const LieRestricted& r, unsigned width = 80);
std::string to_latex(const LieRestricted& r);

/// A representation restricted to a finite subgroup.
struct FiniteRestricted {
  std::string from, rep;
  std::string how;  ///< "vector = T1"
  ClassFunction character;
};
/// {"from", "to", "rep", "dimension", "embedding", "terms": [{"irrep", "degree", "multiplicity", "indicator", "name"}]}: irreps from 0, as
/// in the character table.
std::string to_json(const FiniteRestricted& r);
std::string to_text(const FiniteRestricted& r, unsigned width = 80);
std::string to_latex(const FiniteRestricted& r);

}  // namespace intertwine
