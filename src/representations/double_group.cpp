// Makes double groups of point groups from quaternions.
#include "intertwine/representations/double_group.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"

namespace intertwine {

namespace {

using Quaternion = std::array<Cyclotomic, 4>;

Quaternion product(const Quaternion& p, const Quaternion& q) {
  return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
          p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}

Cyclotomic determinant(const FieldMatrix& A) {
  Cyclotomic sum;
  for (std::size_t k = 0; k < 3; ++k)
    sum += A(0, k) * (A(1, (k + 1) % 3) * A(2, (k + 2) % 3) - A(1, (k + 2) % 3) * A(2, (k + 1) % 3));
  return sum;
}

/// A positive multiple of a quaternion over the rotation R, its real part not negative.
Quaternion over(const FieldMatrix& R) {
  const Cyclotomic real = Cyclotomic(1) + R.trace();
  if (real != 0) return {real, R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)};
  for (std::size_t j = 0; j < 3; ++j) {  // a half turn: the columns of R + 1 lie on its axis
    Quaternion q{0, R(0, j), R(1, j), R(2, j)};
    q[j + 1] += Cyclotomic(1);
    if (q[1] != 0 || q[2] != 0 || q[3] != 0) return q;
  }
  throw InternalError("double_group: a half turn has no axis");
}

/// The sign of c in p = c q, for two quaternions over the same rotation.
int sign_of_quotient(const Quaternion& p, const Quaternion& q) {
  for (std::size_t i = 0; i < 4; ++i)
    if (q[i] != 0) return p[i].sign() * q[i].sign();
  throw InternalError("double_group: a quaternion is 0");
}

/// 2 cos(phi / 2) for the rotation of trace 1 + 2 cos(phi), 0 <= phi <= pi, whose order divides m.
Cyclotomic half_trace(const Cyclotomic& trace, std::uint32_t m) {
  for (std::int64_t k = 0; 2 * k <= m; ++k)
    if (Cyclotomic(1) + Cyclotomic::root_of_unity(m, k) + Cyclotomic::root_of_unity(m, -k) == trace)
      return Cyclotomic::root_of_unity(2 * m, k) + Cyclotomic::root_of_unity(2 * m, -k);
  throw InternalError("double_group: a rotation has no angle");
}

}  // namespace

FiniteGroup double_group(std::string_view schoenflies, const Task& task) {
  const FiniteGroup G = point_group(schoenflies);
  const auto& symbol = *G.structure().as<structure::PointGroup>();
  if (G.order() > max_doubled_order)
    throw LimitError(fmt::format("the double group of {} acts on its {} elements; up to {} are taken", schoenflies,
                                 Integer(G.order() * 2).str(), 2 * max_doubled_order));
  const Representation V = cartesian_representation(G, task);
  structure::DoubleGroup::Lifts lifts;
  std::vector<Quaternion> quaternions;
  std::map<Permutation, std::size_t> places;
  std::vector<FieldMatrix> rotations;
  const auto add = [&](const Permutation& g, FieldMatrix R, int sign) {
    places.emplace(g, lifts.elements.size());
    lifts.elements.push_back(g);
    lifts.determinants.push_back(sign);
    quaternions.push_back(over(R));
    lifts.traces.push_back(
        half_trace(R.trace(), static_cast<std::uint32_t>(2 * g.order().convert_to<std::uint64_t>())));
    rotations.push_back(std::move(R));
  };
  std::vector<std::pair<FieldMatrix, int>> steps;  // of the generators: det(g) g and det(g)
  for (const Permutation& g : G.generators()) {
    const FieldMatrix M = V.field_matrix(g);
    const int sign = determinant(M).sign();
    steps.emplace_back(Cyclotomic(sign) * M, sign);
  }
  add(Permutation::identity(G.degree()), FieldMatrix::identity(AbelianField(), 3), 1);
  for (std::size_t k = 0; k < lifts.elements.size(); ++k)
    for (std::size_t i = 0; i < steps.size(); ++i) {
      task.poll();
      const Permutation g = G.generators()[i] * lifts.elements[k];
      if (!places.contains(g)) add(g, steps[i].first * rotations[k], steps[i].second * lifts.determinants[k]);
    }
  const std::size_t degree = 2 * lifts.elements.size();
  std::vector<Permutation> generators;
  for (const Permutation& x : G.generators()) {
    const Quaternion& q = quaternions[places.at(x)];
    std::vector<Point> images(degree);
    for (std::size_t k = 0; k < lifts.elements.size(); ++k) {
      task.poll();
      const std::size_t to = places.at(x * lifts.elements[k]);
      const bool changed = sign_of_quotient(product(q, quaternions[k]), quaternions[to]) < 0;
      for (std::size_t s = 0; s < 2; ++s) images[2 * k + s] = static_cast<Point>(2 * to + (changed ? 1 - s : s));
    }
    generators.emplace_back(std::move(images));
  }
  std::vector<Point> turn(degree);
  for (std::size_t i = 0; i < degree; ++i) turn[i] = static_cast<Point>(i ^ 1U);
  if (FiniteGroup(degree, generators).order(task) != degree) generators.emplace_back(std::move(turn));
  const structure::DoubleGroup structure{symbol,
                                         std::make_shared<const structure::DoubleGroup::Lifts>(std::move(lifts))};
  return FiniteGroup::built_as(structure, degree, std::move(generators));
}

}  // namespace intertwine
