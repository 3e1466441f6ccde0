// The letters of pictures, DejaVu Sans (src/io/pictures/fonts), and shapes as pixels.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace intertwine {

/// For documents: the font of this library, and what is like it.
inline constexpr std::string_view font_family = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif";

/// How wide a line of text is. A sign that the font lacks is a box.
double text_width(std::string_view text, double size, bool bold = false);

/// Text broken at spaces (or anywhere, if a word is too long) into lines at most so wide; at most three.
std::vector<std::string> wrapped_text(std::string_view text, double size, bool bold, double width);

struct ShapePoint {
  double x = 0, y = 0;
  double via_x = 0, via_y = 0;  ///< the point where the tangents of a curve meet
  enum { begin, line, curve } kind = line;
};
/// Closed curves, made of lines and parabolas; each begins with a point of its own. Inside is what they go around.
using Shape = std::vector<ShapePoint>;

/// The letters of a line of text that begins at the origin, one by one.
std::vector<Shape> letter_shapes(std::string_view text, double size, bool bold);

/// How much of the pixels from (left, top) a shape covers: 255 is all.
struct Coverage {
  int left = 0, top = 0, width = 0, height = 0;
  std::vector<std::uint8_t> share;  ///< row-major
};
Coverage coverage_of(const Shape& shape);

}  // namespace intertwine
