// Parts of integers that are squares.
#pragma once
#include <cstdint>
#include <optional>

#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

/// square_part(n) of n != 0 by at most `most` divisions; nothing if the size of its squarefree part exceeds `most`.
std::optional<SquarePart> square_part(const Integer& n, std::uint64_t most);

}  // namespace intertwine
