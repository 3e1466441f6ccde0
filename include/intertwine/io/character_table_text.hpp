// Character tables as text for people, LaTeX and GAP.
#pragma once
#include <string>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/io/irrationalities.hpp"

namespace intertwine {

/// Like GAP's Display: centralizer orders in factored form, class names, power maps, characters; irrational values as
/// letters with a legend below (short ones in the notation of the ATLAS stand in the table), 0 as a dot. Broken into blocks of columns that fit the width; a width of 0: never broken.
std::string to_text(const CharacterTable& table, unsigned width = 80, Notation notation = Notation::gap);
/// Rows of cells in aligned columns, broken into blocks of columns that fit the width (0: never), each with the first
/// column in front; an empty line after `head` rows. All rows have as many cells.
std::string in_blocks(const std::vector<std::vector<std::string>>& cells, std::size_t head, unsigned width);
/// For a displayed formula in LaTeX: an array with class names, class sizes and characters, in several arrays one below the
/// other if it is wide; long irrational values are letters explained below.
std::string to_latex(const CharacterTable& table, Notation notation = Notation::gap);
/// A GAP expression for the table, with power maps, as the `irr` of a table record: `ConvertToCharacterTable(rec(...));`.
std::string to_gap(const CharacterTable& table);

}  // namespace intertwine
