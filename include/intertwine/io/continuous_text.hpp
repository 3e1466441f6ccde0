// Constituents over classical groups and their products with finite ones as text and JSON. JSON is one object without a newline at the end; integers that may be large are
// strings in it.
#pragma once
#include <string>
#include <vector>

#include "intertwine/classical/continuous_decomposition.hpp"

namespace intertwine {

/// "harmonic(2)*det"; over a product "E # 5", one name for each factor.
std::string constituent_name(const ContinuousConstituent& part);
/// A head and a row for every constituent: the label over every factor, the degree, the multiplicity, the indicator and the name.
std::vector<std::vector<std::string>> constituent_cells(const ContinuousDecomposition& d);

/// {"group", "rep", "dimension", "over", "constituents": [{"weight", "partition" or "factors", "degree", "multiplicity", "indicator", "name"}]}, the largest first; over a product "factors" is a
/// list of {"weight", "partition" or "irrep", "degree", "indicator", "name"}.
std::string to_json(const ContinuousDecomposition& d);
/// "harmonic(3) + harmonic(2)*det + vector", and a line for every constituent.
std::string to_text(const ContinuousDecomposition& d, unsigned width = 80);

/// A representation of a group restricted along what its vector representation becomes.
struct ContinuousRestricted {
  std::string from, rep;
  std::string how;  ///< "vector = harmonic(2)"
  ContinuousDecomposition result;
};
/// {"from", "to", "rep", "dimension", "embedding", "terms"}, the terms as constituents above.
std::string to_json(const ContinuousRestricted& r);
std::string to_text(const ContinuousRestricted& r, unsigned width = 80);

}  // namespace intertwine
