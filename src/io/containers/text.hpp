// Strings from paths and hostile files, made fit for a one-line message; tables of cells.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace intertwine {

/// `text` with control characters and bytes above 126 replaced by '?', cut to `limit` bytes. For error
/// messages.
std::string shown(std::string_view text, std::size_t limit = 80);

/// A path for an error message: control characters replaced, never cut.
std::string shown_path(const std::filesystem::path& path);

/// True if `text` is well-formed UTF-8: no overlong forms, surrogates or values above U+10FFFF.
bool is_utf8(std::string_view text);

/// The next code point of UTF-8 text at `position`, which is advanced; malformed bytes give U+FFFD, one at a
/// time.
char32_t next_code_point(std::string_view text, std::size_t& position);

/// Rows of cells as aligned columns after two blanks, the first column to the left, the others to the right.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

}  // namespace intertwine
