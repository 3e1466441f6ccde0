// Orthogonal groups of quadratic forms over finite fields, on singular vectors or points.
#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "groups/named/field_action.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine {

namespace {

using named::FieldSquare;
using FieldVector = std::vector<named::FieldElement>;

/// Q(v) = v_1 v_n + v_2 v_(n-1) + ... (m terms) + what is anisotropic in the n - 2m coordinates between: x^2, or x^2 + xy + c y^2 with
/// the least c for which t^2 + t + c has no root.
class QuadraticForm {
 public:
  using Element = named::FieldElement;
  QuadraticForm(const GaloisField& field, unsigned n, unsigned m) : field_(field), n_(n), m_(m) {
    const auto has_root = [&] {
      for (Element t = 0; t < field.size(); ++t)
        if (field.add(field.add(field.multiply(t, t), t), c_) == 0) return true;
      return false;
    };
    while (n - 2 * m == 2 && has_root()) ++c_;
  }

  Element operator()(const FieldVector& v) const {
    Element sum = 0;
    const auto add = [&](Element a, Element b) { sum = field_.add(sum, field_.multiply(a, b)); };
    for (unsigned i = 0; i < m_; ++i) add(v[i], v[n_ - 1 - i]);
    if (n_ > 2 * m_) add(v[m_], v[m_]);
    if (n_ == 2 * m_ + 2) {
      add(v[m_], v[m_ + 1]);
      add(c_, field_.multiply(v[m_ + 1], v[m_ + 1]));
    }
    return sum;
  }
  /// B(v, w) = Q(v + w) - Q(v) - Q(w).
  Element polar(const FieldVector& v, const FieldVector& w) const {
    FieldVector sum(n_);
    for (unsigned i = 0; i < n_; ++i) sum[i] = field_.add(v[i], w[i]);
    return field_.add((*this)(sum), field_.negative(field_.add((*this)(v), (*this)(w))));
  }
  /// Siegel's transformation v -> v + B(v,u) w - B(v,w) u - Q(w) B(v,u) u for singular u and w orthogonal to it.
  FieldSquare siegel(const FieldVector& u, const FieldVector& w) const {
    FieldSquare A(n_);
    for (unsigned j = 0; j < n_; ++j) {
      const FieldVector v = unit(j, 1);
      const Element a = polar(v, u), b = field_.negative(field_.add(polar(v, w), field_.multiply((*this)(w), a)));
      for (unsigned i = 0; i < n_; ++i)
        A(i, j) = field_.add(v[i], field_.add(field_.multiply(a, w[i]), field_.multiply(b, u[i])));
    }
    return A;
  }
  FieldVector unit(unsigned i, Element t) const {
    FieldVector v(n_, 0);
    v[i] = t;
    return v;
  }

 private:
  const GaloisField& field_;
  unsigned n_, m_;
  Element c_ = 0;
};

/// Omega: the root elements of simple roots and their negatives are Siegel's transformations, which generate the image of the spin
/// group [Steinberg 1968]. n >= 3, Witt index m >= 1.
std::vector<FieldSquare> omega_generators(const GaloisField& field, unsigned n, unsigned m) {
  const QuadraticForm Q(field, n, m);
  std::vector<FieldSquare> list;
  const auto keep = [&](unsigned i, unsigned j, named::FieldElement t) {
    list.push_back(Q.siegel(Q.unit(i, 1), Q.unit(j, t)));
  };
  for (const named::FieldElement t : named::additive_basis(field, field.size())) {
    for (unsigned i = 0; i + 1 < m; ++i) {
      keep(i, n - 2 - i, t);
      keep(n - 1 - i, i + 1, t);
    }
    if (n == 2 * m) {
      keep(m - 2, m - 1, t);
      keep(m + 1, m, t);
    }
    for (unsigned j = m; j < n - m; ++j) {
      keep(m - 1, j, t);
      keep(n - m, j, t);
    }
  }
  return list;
}

/// GO(+-1,2,q) turns and reflects a polygon of q -+ 1 corners; the others are in it, or modulo -1.
FiniteGroup on_polygon(const structure::Linear& structure, bool turns, unsigned corners) {
  const FiniteGroup G = turns ? cyclic_group(corners) : dihedral_group(corners);
  return FiniteGroup::built_as(structure, G.degree(), G.generators());
}

}  // namespace

FiniteGroup orthogonal_group(std::string_view family, int sign, unsigned n, unsigned q, const Task& task) {
  const bool projective = family.starts_with('P');
  const std::string_view kind = family.substr(projective ? 1 : 0);
  const bool special = kind == "SO", omega = kind == "Omega";
  if ((!special && !omega && kind != "GO") || sign < -1 || sign > 1)
    throw DomainError(
        fmt::format("orthogonal_group: no family '{}' of sign {}; there are GO, SO, Omega, PGO, "
                    "PSO and POmega, of sign 1, 0 or -1",
                    family.substr(0, 40), sign));
  const structure::Linear structure{fmt::format("{}{}", family, sign == 0 ? "" : sign > 0 ? "+" : "-"), n, q};
  const std::string name = to_string(GroupStructure(structure));
  if (n < 2) throw DomainError(fmt::format("{}: the dimension must be at least 2", name));
  if (n % 2 == 0 && sign == 0)
    throw DomainError(fmt::format("{0}: in even dimension there are two forms, write {1}(1,{2},{3}) or {1}(-1,{2},{3})",
                                  name, family, n, q));
  if (n % 2 == 1 && sign != 0)
    throw DomainError(
        fmt::format("{}: in odd dimension there is one form, without a sign: {}(0,{},{})", name, family, n, q));
  named::require_field(name, q);
  const bool odd = q % 2 == 1;
  const unsigned m = (n - (sign < 0 ? 1 : 0)) / 2;
  const Integer power = named::bounded_power(q, n / 2);
  // -1 is in Omega if its spinor norm, the discriminant, is a square.
  const bool has_minus_one = odd && (kind == "GO" || (n % 2 == 0 && (special || (power - sign) % 4 == 0)));
  const bool on_points = projective || !has_minus_one;
  if (n == 2) {
    const unsigned all = sign > 0 ? q - 1 : q + 1, index = omega ? (odd ? 2 : 1) : 1;
    return on_polygon(structure, omega || (special && odd), all / index / (projective && has_minus_one ? 2 : 1));
  }
  const Integer singular = sign == 0 ? Integer(named::bounded_power(q, n - 1) - 1)
                                     : Integer((power - sign) * (named::bounded_power(q, n / 2 - 1) + sign)),
                points = on_points ? Integer(singular / (q - 1)) : singular;
  named::require_points(name, points);
  const GaloisField field(q);
  std::vector<FieldSquare> maps = omega_generators(field, n, m);
  if (!omega && odd) {  // of spinor norm w
    FieldSquare torus(n);
    torus(0, 0) = field.primitive_element();
    torus(n - 1, n - 1) = field.inverse(torus(0, 0));
    maps.push_back(std::move(torus));
  }
  // In characteristic 2 the determinant of a reflection is 1, and in odd dimension it is in Omega.
  if (odd ? kind == "GO" : !omega && n % 2 == 0) {
    FieldSquare reflection(n);
    reflection(0, 0) = reflection(n - 1, n - 1) = 0;
    reflection(0, n - 1) = reflection(n - 1, 0) = 1;
    maps.push_back(std::move(reflection));
  }
  FieldVector start(n, 0);
  start[0] = 1;
  return named::on_orbit(field, maps, std::move(start), on_points, structure, points, task);
}

}  // namespace intertwine
