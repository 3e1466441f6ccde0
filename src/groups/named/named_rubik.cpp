// Rubik's cube, from its geometry.
#include <fmt/format.h>

#include <array>
#include <map>

#include "groups/named/named_support.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine {

namespace {

using Direction = std::array<int, 3>;  // x to the right, y up, z to the viewer

int dot(const Direction& v, const Direction& w) { return v[0] * w[0] + v[1] * w[1] + v[2] * w[2]; }
Direction combination(int a, const Direction& u, int b, const Direction& v, int c, const Direction& w) {
  return {a * u[0] + b * v[0] + c * w[0], a * u[1] + b * v[1] + c * w[1], a * u[2] + b * v[2] + c * w[2]};
}
Direction cross(const Direction& v, const Direction& w) {
  return {v[1] * w[2] - v[2] * w[1], v[2] * w[0] - v[0] * w[2], v[0] * w[1] - v[1] * w[0]};
}

/// A face of the net: its outward normal, and the directions of its rows and of its columns when read.
struct Face {
  Direction normal, right, down;
};
constexpr std::array<Face, 6> faces{{
    {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},     // U
    {{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}},   // L
    {{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},    // F
    {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}},   // R
    {{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}},  // B
    {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}},   // D
}};

}  // namespace

FiniteGroup rubik_group(unsigned size) {
  if (size != 2 && size != 3)
    throw DomainError(fmt::format("rubik_group: Rubik({}) is not available; there are Rubik(2) and Rubik(3)", size));
  const int n = static_cast<int>(size);
  // A facelet is the point where its normal meets the cube [-n, n]^3; little cubes have side 2.
  std::vector<Direction> facelets;
  std::map<Direction, Point> index;
  for (const Face& face : faces)
    for (int r = 1 - n; r < n; r += 2)
      for (int c = 1 - n; c < n; c += 2) {
        if (r == 0 && c == 0) continue;  // the centre does not move
        facelets.push_back(combination(n, face.normal, c, face.right, r, face.down));
        index.emplace(facelets.back(), static_cast<Point>(index.size()));
      }
  std::vector<Permutation> generators;
  for (const Face& face : faces)
    generators.push_back(named::permutation_by(facelets.size(), [&](std::size_t i) {
      const Direction& v = facelets[i];
      const int height = dot(v, face.normal);
      if (height < n - 1) return static_cast<Point>(i);
      // Clockwise for who looks at the face: by -90 degrees about its normal u, v -> (v.u) u - u x v.
      return index.at(combination(height, face.normal, -1, cross(face.normal, v), 0, v));
    }));
  return FiniteGroup::built_as(structure::Rubik{size}, facelets.size(), std::move(generators));
}

}  // namespace intertwine
