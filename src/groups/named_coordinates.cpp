#include "groups/named_coordinates.hpp"

#include <fmt/format.h>

namespace intertwine::named {

namespace {

std::string field_of_polygon(std::size_t n) {
  const std::string number = n == 5 || n == 10 ? "sqrt(5)"
                             : n == 8          ? "sqrt(2)"
                             : n == 12         ? "sqrt(3)"
                                               : fmt::format("2 cos(2 pi / {})", n);
  return fmt::format("the symmetries of the {}-gon need {}, which lies in the cyclotomic field Q(E({}))", n,
                     number, n == 10 ? 5 : n);
}

/// On the first two corners a and b. The turn takes a to b and b to 2 cos(2 pi / n) b - a; the reflection takes b to
/// 2 cos(2 pi / n) a - b.
IntegerMatrix on_plane(long twice_cosine, const AxialMap& map) {
  if (map.turn) return {{0, -1}, {1, twice_cosine}};
  if (map.reflect) return {{1, twice_cosine}, {0, -1}};
  return IntegerMatrix::identity(2);
}

}  // namespace

FiniteGroup::Coordinates planar_coordinates(std::size_t n, const std::vector<AxialMap>& maps) {
  if (n != 3 && n != 4 && n != 6) return {0, {}, field_of_polygon(n)};
  const long twice_cosine = n == 3 ? -1 : n == 4 ? 0 : 1;
  std::vector<IntegerMatrix> matrices;
  for (const AxialMap& map : maps) matrices.push_back(on_plane(twice_cosine, map));
  return given_coordinates(2, matrices);
}

FiniteGroup::Coordinates axial_coordinates(std::size_t n, const std::vector<AxialMap>& maps) {
  if (n != 3 && n != 4 && n != 6) return {0, {}, field_of_polygon(n)};
  const long twice_cosine = n == 3 ? -1 : n == 4 ? 0 : 1;
  std::vector<IntegerMatrix> matrices;
  for (const AxialMap& map : maps) {
    const IntegerMatrix plane = on_plane(twice_cosine, map);
    IntegerMatrix A(3, 3);
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) A.set(i, j, plane(i, j));
    A.set(2, 2, map.flip ? -1L : 1L);
    matrices.push_back(std::move(A));
  }
  return given_coordinates(3, matrices);
}

FiniteGroup::Coordinates given_coordinates(std::size_t dimension,
                                           const std::vector<IntegerMatrix>& matrices) {
  return {
      dimension, [list = std::vector<RationalMatrix>(matrices.begin(), matrices.end())] { return list; }, {}};
}

}  // namespace intertwine::named
