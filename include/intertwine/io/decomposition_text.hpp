// The species of linear molecules in LaTeX.
#pragma once
#include <string>

#include "intertwine/reductive/axial_character.hpp"

namespace intertwine {

/// "\\Sigma_{g}^{+}"
std::string to_latex(const AxialIrrep& irrep);

}  // namespace intertwine
