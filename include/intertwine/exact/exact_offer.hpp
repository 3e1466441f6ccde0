// The exact number that a decimal may stand for: offered in errors, never taken by itself.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace intertwine {

/// The decimal number that a text begins with, "1.618", ".5", "-3e-2", without what follows it; nothing where no
/// decimal point and no exponent stands, or where a letter goes on.
std::optional<std::string_view> leading_decimal(std::string_view text);

/// The exact number to write for a decimal: the shortest of "9", "1/3", "sqrt(3)/2", "(1+sqrt(5))/2" and "cos(2*pi/7)"
/// that agree with it to as many digits as it is written with, and where there is none the decimal itself as a
/// quotient. Doubles find it, since it is a question to the user and decides nothing.
/// \param decimal  as leading_decimal gives it, of at most 1000 characters, or an integer
std::string exact_offer(std::string_view decimal);

/// "the number 1.618 is a decimal, and only exact ones are taken here; write 809/500 if that is meant"
std::string decimal_refusal(std::string_view decimal);

}  // namespace intertwine
