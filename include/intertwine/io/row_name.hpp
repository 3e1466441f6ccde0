// Rows of character tables as people call them.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The row that is called so in `chartable`: "T1u", "[3,1]", also without brackets, "1E", "X.4". Letters in either case where only
/// one row is meant (t1u), E" for E''. Point groups and double groups have also Bethe's Γ6 (Γ_6, Gamma6, G6) and Γ6+ as
/// [Koster et al. 1963] number them, where that is the same in all printed tables: all of O, Td, Oh, D4 and its like
/// and D3h, not the B1 and B2 of D6, nor what is one of a conjugate pair. Nothing if there is none.
std::optional<std::size_t> row_named(const CharacterTable& table, std::string_view name);
/// The rows that a name of the printed table of a point group means, "E" of C4 and "E'" of C3h two of them, conjugate; likewise for
/// C<n> and D<n> on their polygon, whose names are those of rotations. Letters in either case. Empty if there is none.
std::vector<std::size_t> rows_of_species(const CharacterTable& table, std::string_view name, const Task& task = {});
/// The row of a number from 1, or of a name as row_named takes it. \throws DomainError, naming rows, if there is none
std::size_t irreducible_row(const CharacterTable& table, std::size_t k);
std::size_t irreducible_row(const CharacterTable& table, const std::string& number_or_name);
/// "A1g, A1u, A2g, ...": the first dozen names, for messages.
std::string names_of_rows(const CharacterTable& table);

}  // namespace intertwine
