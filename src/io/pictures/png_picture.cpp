// Pictures as PNG.
#include "io/pictures/png_picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "intertwine/error.hpp"
#include "intertwine/io/picture.hpp"
#include "io/pictures/raster.hpp"

namespace intertwine {

PictureGrid png_grid(const WeightPattern& weights, unsigned max_side) {
  constexpr std::uint64_t target = 640 * Raster::scale, most_cell = 28 * Raster::scale, least_square = 8;
  constexpr std::uint64_t least_side =
      96 * Raster::scale;  // a side of few cells is widened, or nothing would be seen of it
  PictureGrid out;
  out.rows = std::min<std::uint64_t>(weights.rows, max_side);
  out.cols = std::min<std::uint64_t>(weights.cols, max_side);
  const std::uint64_t most = std::max(out.rows, out.cols);
  const std::uint64_t cell = std::clamp<std::uint64_t>(std::min<std::uint64_t>(target, max_side) / most, 1, most_cell);
  out.squares = cell >= least_square && out.rows == weights.rows && out.cols == weights.cols;
  const auto units = [&](std::uint64_t count) {
    const std::uint64_t pixels =
        out.squares ? cell : std::max(cell, std::min<std::uint64_t>(most_cell, least_side / count));
    return static_cast<double>(pixels) / Raster::scale;
  };
  out.cell_width = units(out.cols);
  out.cell_height = units(out.rows);
  out.bias_width = std::max(out.cell_width, 10.0);
  return out;
}

void write_png_picture(const std::filesystem::path& path, const WeightBlock& table, const PictureText& text,
                       unsigned max_side, const Task& task) {
  constexpr unsigned largest = 16384;
  if (max_side == 0 || max_side > largest)
    throw DomainError(fmt::format("a PNG picture of at most {} pixels a side: give 1 to {}", max_side, largest));
  const TableDrawing drawing(table, text, png_grid(table.weights, max_side), task);
  Raster raster(drawing.width(), drawing.height(), task);
  drawing.draw(raster);
  raster.write(path);
}

}  // namespace intertwine
