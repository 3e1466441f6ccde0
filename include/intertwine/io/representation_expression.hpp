// Representation expressions: "perm", "16*perm + 4*sign", "perm^2", "2*sym(2, perm)", "orbit({1,2,5})",
// "rep(@file.json)".
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "intertwine/representations/representation.hpp"

namespace intertwine {

/// The representation of G that an expression names. `^` binds strongest (right operand an integer), then
/// `*`, then `+`; a leading integer is a multiplicity. Over a direct product of groups `V # W` is the
/// external tensor product of representations of the factors.
///
/// \throws ParseError with the position; DomainError and FileError as the constructors of
/// representations/actions.hpp do.
Representation parse_representation(const FiniteGroup& G, std::string_view text,
                                    const std::filesystem::path& directory = {}, const Task& task = {});

/// Forms of names for --help.
std::string known_representations();

}  // namespace intertwine
