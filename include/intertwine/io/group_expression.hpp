// Group expressions: "S5", "C2 x C3 wr S4", "PSL(2,7)", "p4m(8,8)", "<(1,2,3),(1,2)>",
// "Group((1,2,3),(1,2))", "@file.json".
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "intertwine/groups/finite_group.hpp"

namespace intertwine {

/// The group an expression names. `x` binds weaker than `wr`; both associate to the left; parentheses group.
///
/// \throws ParseError with the position of the trouble: an unknown name (the nearest known one is offered), a
/// bad
///         parameter, `Dih(8)` (ambiguous: both readings are named), malformed cycles, unbalanced brackets.
/// \throws FileError for an unreadable @file.json. Relative names are relative to `directory`.
FiniteGroup parse_group(std::string_view text, const std::filesystem::path& directory = {});

/// Forms of names for --help: "S<n>", "PSL(n,q)", ...
std::string known_groups();

}  // namespace intertwine
