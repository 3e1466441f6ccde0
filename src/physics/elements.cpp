// The chemical elements.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "intertwine/error.hpp"
#include "intertwine/physics/molecule.hpp"

namespace intertwine {

namespace {

constexpr std::array<std::string_view, 118> elements{
    "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si", "P",  "S",  "Cl",
    "Ar", "K",  "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As", "Se",
    "Br", "Kr", "Rb", "Sr", "Y",  "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb",
    "Te", "I",  "Xe", "Cs", "Ba", "La", "Ce", "Pr", "Nd", "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er",
    "Tm", "Yb", "Lu", "Hf", "Ta", "W",  "Re", "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po", "At",
    "Rn", "Fr", "Ra", "Ac", "Th", "Pa", "U",  "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm", "Md", "No",
    "Lr", "Rf", "Db", "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og"};

}  // namespace

unsigned atomic_number(std::string_view symbol) {
  if (symbol == "D" || symbol == "T") return 1;
  const auto at = std::find(elements.begin(), elements.end(), symbol);
  return at == elements.end() ? 0 : static_cast<unsigned>(at - elements.begin()) + 1;
}

std::string element_symbol(unsigned number) {
  if (number == 0 || number > elements.size())
    throw DomainError(
        fmt::format("element_symbol: elements have the numbers 1 to {}, not {}", elements.size(), number));
  return std::string(elements[number - 1]);
}

}  // namespace intertwine
