// G2(q), 3D4(q) and Ree's groups, from automorphisms of octonions and from triality.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "groups/named/field_action.hpp"
#include "groups/named/named_sporadic_large.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine {

namespace {

using named::FieldSquare;
using Element = named::FieldElement;
using Octonion = std::vector<Element>;

/// The split octonions as Zorn's vector matrices: (a, u; v, b) has the coordinates a, u_1, u_2, u_3, v_1, v_2, v_3, b, and
/// (a, u; v, b) (a', u'; v', b') = (aa' + u.v', au' + b'u - v x v'; a'v + bv' + u x u', bb' + v.u').
class SplitOctonions {
 public:
  explicit SplitOctonions(const GaloisField& field) : field_(field) {}

  Octonion product(const Octonion& x, const Octonion& y) const {
    Octonion z(8, 0);
    const auto add = [&](unsigned at, unsigned i, unsigned j, bool minus) {
      const Element t = field_.multiply(x[i], y[j]);
      z[at] = field_.add(z[at], minus ? field_.negative(t) : t);
    };
    add(0, 0, 0, false);
    add(7, 7, 7, false);
    for (unsigned i = 1; i <= 3; ++i) {
      const unsigned j = i % 3 + 1, k = j % 3 + 1;
      add(0, i, i + 3, false);
      add(7, i + 3, i, false);
      add(i, 0, i, false);
      add(i, i, 7, false);
      add(i, j + 3, k + 3, true);
      add(i, k + 3, j + 3, false);
      add(i + 3, i + 3, 0, false);
      add(i + 3, 7, i + 3, false);
      add(i + 3, j, k, false);
      add(i + 3, k, j, true);
    }
    return z;
  }

  /// \throws InternalError unless A(xy) = A(x) A(y)
  void require_automorphism(const FieldSquare& A) const {
    const FieldSquare rows = A.transpose();
    const auto unit = [](unsigned i) {
      Octonion e(8, 0);
      e[i] = 1;
      return e;
    };
    const auto image = [&](unsigned i) {
      Octonion column(8);
      for (unsigned k = 0; k < 8; ++k) column[k] = rows(i, k);
      return column;
    };
    Octonion whole(8);
    for (unsigned i = 0; i < 8; ++i)
      for (unsigned j = 0; j < 8; ++j) {
        A.apply(field_, product(unit(i), unit(j)), whole);
        if (whole != product(image(i), image(j))) throw InternalError("a matrix is no automorphism of the octonions");
      }
  }

 private:
  const GaloisField& field_;
};

/// (a, u; v, b) -> (b, -v; -u, a).
FieldSquare octonion_turn(const GaloisField& field) {
  FieldSquare A(8);
  for (unsigned i = 0; i < 8; ++i) A(i, i) = 0;
  A(0, 7) = A(7, 0) = 1;
  for (unsigned i = 1; i <= 3; ++i) A(i, i + 3) = A(i + 3, i) = field.negative(1);
  return A;
}

/// The root elements of G2 for the short root that is the weight of u_1, the long root that takes u_1 to u_2, and their negatives: simple roots.
std::vector<FieldSquare> g2_root_elements(const GaloisField& field) {
  const FieldSquare turn = octonion_turn(field);
  std::vector<FieldSquare> list;
  for (const Element t : named::additive_basis(field, field.size())) {
    const Element minus = field.negative(t);
    FieldSquare brief(8), extended(8);
    brief(1, 0) = brief(7, 4) = brief(6, 2) = t;
    brief(1, 7) = brief(0, 4) = brief(5, 3) = minus;
    brief(1, 4) = field.multiply(t, minus);
    extended(2, 1) = t;
    extended(4, 5) = minus;
    list.push_back(named::product(field, turn, named::product(field, brief, turn)));
    list.push_back(std::move(brief));
    list.push_back(extended.transpose());
    list.push_back(std::move(extended));
  }
  return list;
}

FiniteGroup on_octonions(const GaloisField& field, const std::vector<FieldSquare>& maps, const std::string& name,
                         const Integer& points, const Task& task) {
  const SplitOctonions octonions(field);
  for (const FieldSquare& A : maps) octonions.require_automorphism(A);
  return named::on_orbit(field, maps, {0, 1, 0, 0, 0, 0, 0, 0}, true, structure::Generators{name}, points, task);
}

}  // namespace

FiniteGroup g2_group(unsigned q, const Task& task) {
  const std::string name = fmt::format("G2({})", q);
  if (q == 4) return FiniteGroup::built_as(structure::Sporadic{name}, 416, named::suzuki_chain_generators(name, task));
  named::require_field(name, q);
  const Integer points = (named::bounded_power(q, 6) - 1) / (q - 1);
  named::require_points(name, points);
  const GaloisField field(q);
  return on_octonions(field, g2_root_elements(field), name, points, task);
}

FiniteGroup ree_group(unsigned q, const Task& task) {
  const std::string name = fmt::format("Ree({})", q);
  unsigned half = 3, power = 27;  // 3^m for q = 3^(2m + 1)
  while (power < q && power < (1U << 28)) half *= 3, power *= 9;
  if (power != q) throw DomainError(name + ": Ree's groups are Ree(27), Ree(243), ...: an odd power of 3 from 27 on");
  const Integer points = named::bounded_power(q, 3) + 1;
  named::require_points(name, points);
  const GaloisField field(q);
  // The images of the coordinates' units under the Sylow subgroup, in characteristic 3.
  constexpr std::array<std::array<int, 8>, 8> images{{{1, 0, -1, 0, 0, 0, 0, 0},
                                                      {0, 1, -1, -1, 1, 0, 1, 0},
                                                      {0, 0, 1, -1, 1, 0, 0, 0},
                                                      {0, 0, 0, 1, -1, 0, 0, 0},
                                                      {0, 0, 0, 0, 1, 0, 0, 0},
                                                      {1, 0, -1, 0, 1, 1, 0, -1},
                                                      {1, 0, -1, 0, -1, 1, 1, -1},
                                                      {0, 0, 1, 0, 0, 0, 0, 1}}};
  FieldSquare unipotent(8), torus(8);
  for (unsigned i = 0; i < 8; ++i)
    for (unsigned j = 0; j < 8; ++j)
      unipotent(j, i) = images[i][j] < 0 ? field.negative(1) : static_cast<Element>(images[i][j]);
  const std::array<Element, 3> weights{field.power(half), field.inverse(field.power(2 * half - 1)),
                                       field.power(half - 1)};
  for (unsigned i = 1; i <= 3; ++i) {
    torus(i, i) = weights[i - 1];
    torus(i + 3, i + 3) = field.inverse(weights[i - 1]);
  }
  return on_octonions(field, {unipotent, torus, octonion_turn(field)}, name, points, task);
}

FiniteGroup triality_group(unsigned q, const Task& task) {
  const std::string name = fmt::format("3D4({})", q);
  named::require_field(name, q);
  const Integer points = (named::bounded_power(q, 8) + named::bounded_power(q, 4) + 1) * (Integer(q) + 1);
  named::require_points(name, points);
  const GaloisField field(q * q * q);
  // Coordinates e_1, ..., e_4, f_4, ..., f_1 of the form sum x_i y_i. The root e_i - e_j takes e_j to e_i, f_i to f_j with a sign;
  // negative roots are the transposes.
  const auto root_element = [&](unsigned i, unsigned j, Element t) {
    FieldSquare x(8);
    x(i, j) = t;
    x(7 - j, 7 - i) = field.negative(t);
    return x;
  };
  std::vector<FieldSquare> maps;
  const auto keep = [&](FieldSquare x) {
    maps.push_back(x.transpose());
    maps.push_back(std::move(x));
  };
  for (const Element t : named::additive_basis(field, q)) keep(root_element(1, 2, t));
  for (const Element t : named::additive_basis(field, q * q * q)) {
    const Element t1 = field.power(t, q), t2 = field.power(t1, q);
    keep(named::product(field, root_element(0, 1, t),
                        named::product(field, root_element(2, 3, t1), root_element(2, 4, t2))));
  }
  std::vector<Element> line(16, 0);
  line[0] = line[9] = 1;
  return named::on_orbit(field, maps, std::move(line), true, structure::Generators{name}, points, task);
}

}  // namespace intertwine
