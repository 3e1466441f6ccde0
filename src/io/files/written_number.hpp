// Numbers of files and the decimals that write them, exactly.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "intertwine/exact/integer.hpp"

namespace intertwine {

/// A number that a file writes, exactly: a decimal with or without an exponent, or p/q; nothing if it is none.
std::optional<Rational> written_number(std::string_view text);

/// The number itself where it is a short decimal, otherwise 17 digits. \throws DomainError for one that no double is
/// near
std::string decimal_text(const Rational& value);

}  // namespace intertwine
