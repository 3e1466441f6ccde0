// Words about Schur indices and division algebras.
#pragma once
#include <optional>
#include <string>

#include "intertwine/characters/schur_index.hpp"

namespace intertwine {

/// "1", "2 (at 2, 3)", "2 (at inf, 3)".
std::string to_text(const SchurIndex& index);
/// "dim 4, 24 over Q"; "dim 4" where the centre is Q; "undecided".
std::string to_text(const std::optional<DivisionAlgebra>& algebra);

}  // namespace intertwine
