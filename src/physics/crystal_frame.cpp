// Finds the axes in which a named point group is that of a space group.
#include "physics/crystal_frame.hpp"

#include <array>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"

namespace intertwine {

namespace {

/// cos and sin of k turns / n.
Cyclotomic cosine(std::uint32_t n, std::int64_t k) {
  return (Cyclotomic::root_of_unity(n, k) + Cyclotomic::root_of_unity(n, -k)) * Cyclotomic(Rational(1, 2));
}
Cyclotomic sine(std::uint32_t n, std::int64_t k) {
  return (Cyclotomic::root_of_unity(n, k) - Cyclotomic::root_of_unity(n, -k)) * Cyclotomic::root_of_unity(4, -1) *
         Cyclotomic(Rational(1, 2));
}

FieldMatrix three_by_three(const std::array<Cyclotomic, 9>& entries) { return FieldMatrix(3, 3, entries); }

FieldMatrix turn_about_z(std::uint32_t n) {
  const Cyclotomic c = cosine(n, 1), s = sine(n, 1);
  return three_by_three({c, -s, 0, s, c, 0, 0, 0, 1});
}

/// Frames to try: their columns are the edges of the cell, as far as operations tell their lengths and angles. In groups with
/// an axis of order 6 both of the first two fit, and exchange B1 and B2: papers on high quartz have x along a, those on
/// graphite, MoS2 and wurtzite across it.
std::vector<FieldMatrix> frames(bool hexagonal, bool across) {
  const FieldMatrix cell = hexagonal ? three_by_three({1, Cyclotomic(Rational(-1, 2)), 0, 0, sine(3, 1), 0, 0, 0, 1})
                                     : three_by_three({1, 0, 0, 0, 1, 0, 0, 0, 1});
  const FieldMatrix turned = turn_about_z(hexagonal ? 12 : 8) * cell;
  return {across ? turned : cell, across ? cell : turned, three_by_three({0, 0, 1, 1, 0, 0, 0, 1, 0}) * cell,
          three_by_three({0, 1, 0, 0, 0, 1, 1, 0, 0}) * cell};
}

FieldMatrix rotation_part(const SpaceOperation& g) {
  std::array<Cyclotomic, 9> entries;
  for (std::size_t k = 0; k < 9; ++k) entries[k] = g.W[k / 3][k % 3];
  return three_by_three(entries);
}

}  // namespace

std::vector<std::size_t> operations_of_generators(const FiniteGroup& point_group, const SpaceGroup& group,
                                                  bool hexagonal, const Task& task) {
  const Representation cartesian = cartesian_representation(point_group, task);
  std::vector<FieldMatrix> rotations;
  for (const SpaceOperation& g : group.operations()) rotations.push_back(rotation_part(g));
  const std::string symbol = point_group_symbol(group);
  for (const FieldMatrix& frame : frames(hexagonal, symbol == "D6h" || symbol == "C6v")) {
    std::vector<std::size_t> found;
    for (const Permutation& s : point_group.generators()) {
      const FieldMatrix wanted = cartesian.field_matrix(s) * frame;
      std::size_t k = 0;
      while (k < rotations.size() && !(frame * rotations[k] == wanted)) ++k;
      if (k == rotations.size()) break;
      found.push_back(k);
    }
    if (found.size() == point_group.generators().size()) return found;
  }
  throw DomainError("crystal_symmetry: " + point_group.name() + " does not stand in the axes of the setting " +
                    group.hall() + "; take the usual one");
}

}  // namespace intertwine
