// Rows of character tables as people call them.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "intertwine/characters/character_table.hpp"

namespace intertwine {

/// The row that is called so in `chartable`: "T1u", "[3,1]", also without brackets, "1E", "X.4". Letters in either case where only
/// one row is meant (t1u), E" for E''. Nothing if there is none.
std::optional<std::size_t> row_named(const CharacterTable& table, std::string_view name);
/// "A1g, A1u, A2g, ...": the first dozen names, for messages.
std::string names_of_rows(const CharacterTable& table);

}  // namespace intertwine
