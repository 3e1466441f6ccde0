// The symbols of Opechowski and Guccione of magnetic space groups in which a translation reverses time.
#pragma once
#include <string>
#include <string_view>

namespace intertwine {

/// The symbol of the group with this UNI number, "P_2cmm'2'"; empty for groups of other types.
std::string_view og_symbol(unsigned uni);

/// A symbol without blanks, underscores and brackets.
std::string tight_symbol(std::string_view text);

}  // namespace intertwine
