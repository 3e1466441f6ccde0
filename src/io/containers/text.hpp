// Strings from paths and hostile files, made fit for a one-line message; tables of cells.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace intertwine {

/// `text` with control characters and bytes above 126 replaced by '?', cut to `limit` bytes. For error
/// messages.
std::string shown(std::string_view text, std::size_t limit = 80);

/// At most `most` bytes, "..." at the end of what was longer, cut between characters: names of groups and representations
/// given by lists can be as long as their files.
std::string shortened(const std::string& name, std::size_t most = 60);

/// The name of a group or a representation as titles show it: files by their last name, "@s3.json" for "@/tmp/a/s3.json", and
/// shortened.
std::string title_name(const std::string& expression);

/// A path for an error message: control characters replaced, never cut.
std::string shown_path(const std::filesystem::path& path);

/// True if `text` is well-formed UTF-8: no overlong forms, surrogates or values above U+10FFFF.
bool is_utf8(std::string_view text);

/// The next code point of UTF-8 text at `position`, which is advanced; malformed bytes give U+FFFD, one at a
/// time.
char32_t next_code_point(std::string_view text, std::size_t& position);

using Cells = std::vector<std::vector<std::string>>;  ///< rows

/// Rows of cells as aligned columns after two blanks, the first column to the left, the others to the right.
std::string aligned(const Cells& rows);
/// Rows that may be wide as aligned columns: columns `gap` blanks apart, in blocks that fit the width (0: one block),
/// each with the first column in front; an empty line after `head` rows. All rows have as many cells. `alignment` has l
/// or r for the columns from the left; those after its last letter are as this.
std::string in_blocks(const Cells& rows, std::size_t head, unsigned width, const std::string& alignment = "lr",
                      std::size_t gap = 1);
/// Comma-separated values [RFC 4180], but with a new line after every row.
std::string to_csv(const Cells& rows);

/// "a, b or c", `last` being " or ".
std::string listed(std::span<const std::string> words, std::string_view last);
/// "1 class", "15 classes", "0 classes".
std::string counted(const std::string& number, const std::string& one, const std::string& many);

}  // namespace intertwine
