// Tools that the readers of atoms share: words of a line, elements and coordinates.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace intertwine {

/// The words of a line, between blanks and tabulators.
std::vector<std::string_view> words_of_line(std::string_view line);
/// "CL", "cl", "Cl12" and "17" as "Cl"; empty if it is no element.
std::string element_named(std::string_view word);
/// A finite decimal number, with a sign or not, perhaps with the exponents D and d of Fortran; nothing for other text.
std::optional<double> decimal_number(std::string_view word);

}  // namespace intertwine
