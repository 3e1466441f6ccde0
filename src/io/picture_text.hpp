// Words on pictures.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace intertwine {

/// Text for XML and HTML: the five special characters escaped, and U+FFFD for what XML 1.0 does not allow.
std::string escaped_markup(std::string_view text);

/// The metadata entry "kernel" of a table with so many columns, "[3,3]", as sizes. \throws FileError for anything else, or if
/// the columns are not whole kernels.
std::vector<std::uint64_t> kernel_sizes_of(const std::string& text, std::uint64_t cols);

}  // namespace intertwine
