// Characters of reductive groups and their restrictions as text, JSON and LaTeX. JSON is one object without a newline at the
// end; integers that may be large are strings in it, weights are lists of numbers.
#pragma once
#include <string>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/reductive/axial_character.hpp"
#include "intertwine/reductive/lie_branching.hpp"

namespace intertwine {

/// A representation of a reductive group and its constituents.
struct LieDecomposition {
  LieGroup group;
  std::string rep;  ///< the representation as it was written
  LieCharacter character;
};
/// {"group", "type", "rep", "dimension", "over", "constituents": [{"weight", "degree", "multiplicity", "indicator", "name"}]}, the largest
/// first.
std::string to_json(const LieDecomposition& d);
/// "27 + 10 + 10* + 2*8 + 1", and a line for every constituent.
std::string to_text(const LieDecomposition& d, unsigned width = 80);

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

/// A representation of C∞v or D∞h and its constituents.
struct AxialDecomposition {
  std::string from;  ///< "O(3)" where a representation of that is restricted, else ""
  std::string rep;   ///< the representation as it was written
  AxialCharacter character;
};
/// {"group" or "from" and "to", "rep", "dimension", "over", "constituents" or "terms": [{"name", "lambda", "degree", "multiplicity", "indicator"}]}
std::string to_json(const AxialDecomposition& d);
/// "Σg+ + Σg- + Δg", and a line for every constituent.
std::string to_text(const AxialDecomposition& d, unsigned width = 80);
/// "\\Sigma_{g}^{+}"
std::string to_latex(const AxialIrrep& irrep);

}  // namespace intertwine
