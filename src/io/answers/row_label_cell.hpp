// The names of rows of character tables in cells.
#pragma once
#include "intertwine/characters/row_label.hpp"
#include "intertwine/io/sheet.hpp"

namespace intertwine {

/// A_{1u} and {}^{1}E_{g} for Mulliken's symbols, chi with a partition above or a number below.
Cell label_cell(const RowLabel& label);

}  // namespace intertwine
