// The coordinates of named groups of the plane and of space.
#include "groups/named/named_coordinates.hpp"

#include <fmt/format.h>

#include <utility>

#include "intertwine/exact/cyclotomic.hpp"

namespace intertwine::named {

namespace {

/// 2 cos(2 pi / n).
Cyclotomic twice_cosine(std::size_t n) {
  const auto order = static_cast<std::uint32_t>(n);
  return Cyclotomic::root_of_unity(order) + Cyclotomic::root_of_unity(order, -1);
}

/// On the first two corners a and b. The turn takes a to b and b to 2 cos(2 pi / n) b - a; the reflection takes b to
/// 2 cos(2 pi / n) a - b.
FieldMatrix on_plane(const Cyclotomic& c, const AxialMap& map) {
  if (!map.turn && !map.reflect) return RationalMatrix::identity(2);
  const std::vector<Cyclotomic> entries =
      map.turn ? std::vector<Cyclotomic>{0, -1, 1, c} : std::vector<Cyclotomic>{1, c, 0, -1};
  return {2, 2, entries};
}

/// Why there are no coordinates; empty if there are.
std::string obstacle(std::size_t n) {
  if (n < 3) return fmt::format("two corners of a {}-gon are no basis of the plane", n);
  if (n <= Cyclotomic::max_conductor) return {};
  return fmt::format("the symmetries of the {}-gon need 2 cos(2 pi / {}), and numbers up to E({}) can be written", n, n,
                     Cyclotomic::max_conductor);
}

}  // namespace

FiniteGroup::Coordinates planar_coordinates(std::size_t n, const std::vector<AxialMap>& maps) {
  if (std::string why = obstacle(n); !why.empty()) return {0, {}, std::move(why)};
  return {2,
          [n, maps] {
            const Cyclotomic c = twice_cosine(n);
            std::vector<FieldMatrix> matrices;
            for (const AxialMap& map : maps) matrices.push_back(on_plane(c, map));
            return matrices;
          },
          {}};
}

FiniteGroup::Coordinates axial_coordinates(std::size_t n, const std::vector<AxialMap>& maps) {
  if (std::string why = obstacle(n); !why.empty()) return {0, {}, std::move(why)};
  return {3,
          [n, maps] {
            const Cyclotomic c = twice_cosine(n);
            std::vector<FieldMatrix> matrices;
            for (const AxialMap& map : maps) {
              const FieldMatrix parts[] = {on_plane(c, map), RationalMatrix(IntegerMatrix{{map.flip ? -1 : 1}})};
              matrices.push_back(direct_sum(parts));
            }
            return matrices;
          },
          {}};
}

FiniteGroup::Coordinates given_coordinates(std::size_t dimension, const std::vector<IntegerMatrix>& matrices) {
  return {dimension,
          [matrices] {
            std::vector<FieldMatrix> list;
            for (const IntegerMatrix& A : matrices) list.emplace_back(RationalMatrix(A));
            return list;
          },
          {}};
}

}  // namespace intertwine::named
