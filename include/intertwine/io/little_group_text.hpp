// Representations at a wave vector as text, JSON, LaTeX.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "intertwine/physics/little_group.hpp"

namespace intertwine {

/// Three rational numbers, "1/2,0,0". \throws DomainError naming the coordinate that is none
std::array<Rational, 3> parse_wave_vector(std::string_view text);

/// The co-group by Schoenflies, the star, the degeneracies with time reversal, and characters, a line for every
/// operation.
std::string to_text(const LittleGroup& little);
/// A JSON object with the key `space_group` where it is one, and `k` with the coordinates, the star, operations,
/// `irreps` and `levels`.
std::string to_json(const LittleGroup& little);
/// A table in LaTeX: operations as rows, representations as columns.
std::string to_latex(const LittleGroup& little);

}  // namespace intertwine
