#pragma once
#include "table_drawing.hpp"

namespace intertwine {

/// The cells of a PNG with at most so many pixels for either side of the matrix.
PictureGrid png_grid(const WeightPattern& weights, unsigned max_side);

}  // namespace intertwine
