// Parts that the reports on molecules and crystals share: sums of species, formulas, names in LaTeX.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "intertwine/physics/molecular_motions.hpp"

namespace intertwine {

/// "3 A1 + A2 + 2 B1"; 0 if there is nothing.
std::string sum_of_species(const std::vector<Species>& species, std::uint64_t Species::*part);
/// Hill's order: C, H, then the others by their letters.
/// \param reduced  numbers without a common factor
std::string formula(const std::vector<Atom>& atoms, bool reduced = false);
/// Without a negative zero, which is noise.
double cleaned(double x);
Vector3 cleaned(const Vector3& v);
/// A_{1g}, \Sigma_{g}^{+}, E''.
std::string latex_species(const std::string& name);
/// D_{4h}, C_{\infty v}.
std::string latex_symbol(const std::string& schoenflies);

}  // namespace intertwine
