// Words on pictures.
#pragma once
#include <string>
#include <string_view>

namespace intertwine {

/// At most `most` bytes, "..." at the end of what was longer, cut between characters: names of groups and representations
/// given by lists can be as long as their files.
std::string shortened(const std::string& name, std::size_t most);

/// Text for XML and HTML: the five special characters escaped, and U+FFFD for what XML 1.0 does not allow.
std::string escaped_markup(std::string_view text);

}  // namespace intertwine
