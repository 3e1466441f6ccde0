// All irreducible representations of a group that are found.
#pragma once
#include <optional>
#include <vector>

#include "intertwine/representations/irreducible.hpp"

namespace intertwine {

struct FoundIrreducibles {
  std::vector<std::optional<IrreducibleRepresentation>> rows;  ///< the rows of the table
  std::vector<MissingForm> missing;                            ///< rows increasing
};
/// irreducible_representations() without those that it does not find.
FoundIrreducibles found_irreducibles(const CharacterTable& table, const Task& task);

}  // namespace intertwine
