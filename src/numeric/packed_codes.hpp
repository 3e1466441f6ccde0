// Codes in the narrowest width, row-major or in panels.
#pragma once
#include <cstdint>
#include <variant>
#include <vector>

namespace intertwine::numeric_detail {

using CodeArray =
    std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>;

/// Rows in panels of kernels::panel: the codes of column j of panel p begin at (p * cols + j) * panel. The last panel is
/// filled up with code 0.
struct PackedCodes {
  std::uint64_t rows = 0, cols = 0, panels = 0;
  CodeArray codes;
};

/// Of the row-major array, or of its transpose.
PackedCodes pack_codes(const CodeArray& codes, std::uint64_t rows, std::uint64_t cols, bool transpose);

}  // namespace intertwine::numeric_detail
