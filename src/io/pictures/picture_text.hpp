// Words on pictures.
#pragma once
#include <string>
#include <string_view>

namespace intertwine {

/// Text for XML and HTML: the five special characters escaped, and U+FFFD for what XML 1.0 does not allow.
std::string escaped_markup(std::string_view text);

}  // namespace intertwine
