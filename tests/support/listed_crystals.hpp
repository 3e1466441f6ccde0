// The crystals of tests/data/crystals/modes.txt.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "intertwine/physics/crystal.hpp"
#include "support/paths.hpp"

namespace intertwine {

/// A structure by one atom of every site, in the usual setting of a space group.
struct ListedCrystal {
  std::string name;
  unsigned number = 0;
  CrystalStructure structure;
  std::size_t sites = 0;
  std::string optical;
};

inline std::vector<std::string> pieces(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

inline double fraction(const std::string& text) {
  const auto slash = text.find('/');
  return slash == std::string::npos ? std::stod(text)
                                    : std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
}

inline Matrix3 cell_of(const std::string& text) {
  std::istringstream in(text);
  double a = 0, b = 0, c = 0, alpha = 0, beta = 0, gamma = 0;
  in >> a >> b >> c >> alpha >> beta >> gamma;
  const double degree = std::numbers::pi / 180;
  const double x = std::cos(beta * degree),
               y = (std::cos(alpha * degree) - x * std::cos(gamma * degree)) / std::sin(gamma * degree);
  return {{{a, 0, 0},
           {b * std::cos(gamma * degree), b * std::sin(gamma * degree), 0},
           {c * x, c * y, c * std::sqrt(1 - x * x - y * y)}}};
}

/// Is x - y a vector of integers?
inline bool same_place(const Vector3& x, const Vector3& y) {
  for (std::size_t i = 0; i < 3; ++i)
    if (const double d = x[i] - y[i]; std::abs(d - std::round(d)) > 1e-6) return false;
  return true;
}

/// All atoms of the conventional cell.
inline std::vector<Atom> expanded(const SpaceGroup& G, const std::string& element, const Vector3& x) {
  std::vector<Atom> atoms;
  for (const SpaceOperation& g : G.operations())
    for (const auto& t : G.centring()) {
      Vector3 y;
      for (std::size_t i = 0; i < 3; ++i) {
        y[i] = (g.w[i] + t[i]) / 12.0;
        for (std::size_t j = 0; j < 3; ++j) y[i] += g.W[i][j] * x[j];
      }
      if (std::none_of(atoms.begin(), atoms.end(), [&](const Atom& a) { return same_place(a.position, y); }))
        atoms.push_back({element, y});
    }
  return atoms;
}

inline const std::vector<ListedCrystal>& listed_crystals() {
  static const std::vector<ListedCrystal> list = [] {
    std::vector<ListedCrystal> result;
    std::ifstream in(test_data() + "/crystals/modes.txt");
    for (std::string line; std::getline(in, line);) {
      const auto part = pieces(line, '|');
      ListedCrystal one{
          part.at(0), static_cast<unsigned>(std::stoul(part.at(1))), {cell_of(part.at(2)), {}}, 0, part.at(4)};
      const SpaceGroup G = SpaceGroup::numbered(one.number);
      for (const std::string& site : pieces(part.at(3), ';')) {
        const auto word = pieces(site, ' ');
        const auto atoms = expanded(G, word.at(0), {fraction(word.at(1)), fraction(word.at(2)), fraction(word.at(3))});
        one.structure.atoms.insert(one.structure.atoms.end(), atoms.begin(), atoms.end());
        ++one.sites;
      }
      result.push_back(std::move(one));
    }
    return result;
  }();
  return list;
}

}  // namespace intertwine
