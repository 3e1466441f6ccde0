// Representation expressions: "perm", "16*perm + 4*sign", "perm^2", "2*sym(2, perm)", "orbit({1,2,5})",
// "rep(@file.json)".
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/representations/representation.hpp"

namespace intertwine {

/// The representation of G that an expression names. `^` binds strongest (right operand an integer), then
/// `*`, then `+`; a leading integer is a multiplicity. Over a direct product of groups `V # W` is the
/// external tensor product of representations of the factors.
///
/// \throws ParseError with the position; DomainError and FileError as the constructors of
/// representations/actions.hpp do.
Representation parse_representation(const FiniteGroup& G, std::string_view text, const Task& task = {});

/// Forms of names for --help, one a line, with what they mean.
std::string known_representations();
/// Expressions to begin with, for the completion of shells: "perm", "irrep(k)", ...
std::vector<std::string> representation_name_examples();

}  // namespace intertwine
