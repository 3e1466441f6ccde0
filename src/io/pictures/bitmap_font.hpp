// Small letters made of dots, for captions of PNG pictures.
#pragma once
#include <array>
#include <cstdint>

namespace intertwine {

/// Eight rows from the top, five dots each; bit 4 is the leftmost. The last row is for descenders.
using Glyph = std::array<std::uint8_t, 8>;
inline constexpr unsigned glyph_width = 5, glyph_height = 8, glyph_advance = 6;

/// The letter of a Unicode code point: ASCII and a few signs of mathematics; others look like a question
/// mark.
const Glyph& glyph_of(char32_t point);

}  // namespace intertwine
