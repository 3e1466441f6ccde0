// Writes the labels of rows of character tables.
#include "intertwine/characters/row_label.hpp"

#include <fmt/format.h>

namespace intertwine {

namespace {

std::string sign_text(int sign) { return sign > 0 ? "+" : sign < 0 ? "-" : ""; }

std::string text(const NumberLabel& label) { return fmt::format("X.{}", label.k); }
std::string text(const ShapeLabel& label) { return to_string(label.shape); }
std::string text(const HalfShapeLabel& label) { return to_string(label.shape) + sign_text(label.sign); }

std::string text(const ShapesLabel& label) {
  if (label.rows == 2) {
    Partition of_row[2];
    for (const auto& [shape, row] : label.parts) of_row[row] = shape;
    return "(" + to_string(of_row[0]) + "," + to_string(of_row[1]) + ")";
  }
  std::string name;
  for (const auto& [shape, row] : label.parts)
    name += fmt::format("{}{}_{}", name.empty() ? "" : " ", to_string(shape), row + 1);
  return name;
}

std::string text(const ShapePairLabel& label) {
  return "{" + to_string(label.first) + "," + to_string(label.second) + "}" + sign_text(label.sign);
}

std::string text(const MullikenLabel& label) {
  std::string name = label.member == 0 ? "" : std::to_string(label.member);
  name += label.letter;
  if (label.twice_spin != 0) name += std::to_string(label.twice_spin) + "/2";
  if (label.index != 0) name += std::to_string(label.index);
  if (label.parity != 0) name += label.parity;
  return name + std::string(label.primes, '\'');
}

}  // namespace

std::string to_string(const RowLabel& label) {
  return std::visit([](const auto& kind) { return text(kind); }, label);
}

}  // namespace intertwine
