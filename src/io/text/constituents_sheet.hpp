// The irreducible constituents of a character of a reductive group as a sheet.
#pragma once
#include <string>

#include "intertwine/io/sheet.hpp"
#include "intertwine/reductive/weight_character.hpp"

namespace intertwine {

/// A line for every constituent, the larger weights first.
Sheet constituents_sheet(std::string title, const LieCharacter& chi);

}  // namespace intertwine
