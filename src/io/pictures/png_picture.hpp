// Where everything of a PNG picture lies.
#pragma once
#include <cstdint>
#include "intertwine/io/picture.hpp"
#include "palette.hpp"

namespace intertwine {

struct PngGeometry {
  std::uint64_t rows = 0, cols = 0;          ///< cells drawn; fewer than the table's when it is sampled
  unsigned cell_width = 1, cell_height = 1;  ///< pixels a cell, its grid line included
  bool grid = false;                         ///< a line of one pixel at the right and lower edge of each cell
  bool signs = false;                        ///< negative cells get a bar; otherwise a darker shade
  unsigned bias_width = 1;
};

PngGeometry png_geometry(const WeightPattern& weights, unsigned max_side);

/// The pixels at which the matrix and the bias begin.
struct PagePlaces {
  unsigned matrix_left = 0, matrix_top = 0, bias_left = 0;
};
PagePlaces page_places(const WeightTable& table, const PictureText& text, unsigned max_side);

}  // namespace intertwine
