// Pictures as SVG.
#include <fmt/format.h>

#include <algorithm>

#include "intertwine/error.hpp"
#include "intertwine/io/picture.hpp"
#include "io/pictures/svg_surface.hpp"
#include "io/pictures/table_drawing.hpp"

namespace intertwine {

std::string svg_picture(const WeightBlock& table, const PictureText& text, const Task& task) {
  constexpr std::uint64_t max_squares = 65536;
  const std::uint64_t rows = table.weights.rows, cols = table.weights.cols;
  if (rows > max_squares || cols > max_squares || rows * cols > max_squares)
    throw LimitError(fmt::format("an SVG picture holds at most {} entries, and the table has {} x {}; write a PNG",
                                 max_squares, rows, cols));
  const double cell = std::clamp(640 / static_cast<double>(std::max(rows, cols)), 2.5, 28.0);
  const TableDrawing drawing(table, text, {rows, cols, cell, cell, std::max(cell, 10.0), true}, task);
  SvgSurface surface;
  drawing.draw(surface);
  return surface.document(drawing.width(), drawing.height(), text.title.empty() ? "weight-tying table" : text.title);
}

}  // namespace intertwine
