// Symplectic and unitary groups and Suzuki's, on vectors or points over finite fields.
#include <fmt/format.h>

#include "groups/named/field_action.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine {

namespace {

using named::additive_basis;
using named::bounded_power;
using named::FieldSquare;
using named::on_orbit;
using named::require_field;
using named::require_points;
using Element = named::FieldElement;

/// Sp(2m, q) for the form with <e_i, e_(2m+1-i)> = 1, i <= m: the root subgroups of the simple roots and their negatives generate it
/// [Steinberg 1968].
std::vector<FieldSquare> symplectic_generators(const GaloisField& field, unsigned n) {
  std::vector<FieldSquare> list;
  const unsigned m = n / 2;
  for (unsigned i = 0; i < m; ++i)
    for (const Element t : additive_basis(field, field.size())) {
      FieldSquare x(n);
      x(i, i + 1) = t;
      if (i + 1 < m) x(n - 2 - i, n - 1 - i) = field.negative(t);
      list.push_back(x.transpose());
      list.push_back(std::move(x));
    }
  return list;
}

/// SU(n, q) for the Hermitian form sum u_i conj(v_(n+1-i)), by root subgroups in the same way.
std::vector<FieldSquare> unitary_generators(const GaloisField& field, unsigned n, std::uint32_t q) {
  const auto conj = [&](Element a) { return field.power(a, q); };
  std::vector<FieldSquare> list;
  const auto keep = [&](const FieldSquare& x) {
    list.push_back(x);
    list.push_back(x.transpose());
  };
  const unsigned m = n / 2;
  for (unsigned i = 0; i + 1 < m; ++i)
    for (const Element t : additive_basis(field, field.size())) {
      FieldSquare x(n);
      x(i, i + 1) = t;
      x(n - 2 - i, n - 1 - i) = field.negative(conj(t));
      keep(x);
    }
  // A vector with a^q = -a, and those times GF(q): long root elements.
  Element a = 1;
  while (field.add(a, conj(a)) != 0) ++a;
  for (const Element t : additive_basis(field, q)) {
    FieldSquare x(n);
    x(m - 1, n - m) = field.multiply(a, t);
    keep(x);
  }
  if (n % 2 == 1)
    for (const Element t : additive_basis(field, field.size())) {
      FieldSquare x(n);
      x(m - 1, m) = t;
      x(m, m + 1) = field.negative(conj(t));
      const Element norm = field.multiply(t, conj(t));
      Element s = 0;
      while (field.add(field.add(s, conj(s)), norm) != 0) ++s;
      x(m - 1, m + 1) = s;
      keep(x);
    }
  return list;
}

/// k for q = 2^k.
unsigned power_of_two(unsigned q) {
  unsigned k = 0;
  while (q >> (k + 1)) ++k;
  return k;
}

FiniteGroup symplectic(const char* family, unsigned n, unsigned q, bool projective, const Task& task) {
  const GroupStructure structure = structure::Linear{family, n, q};
  const std::string name = to_string(structure);
  if (n == 0 || n % 2 == 1)
    throw DomainError(fmt::format("{}: a symplectic group has an even dimension, at least 2", name));
  require_field(name, q);
  const Integer vectors = bounded_power(q, n) - 1, points = projective ? Integer(vectors / (q - 1)) : vectors;
  require_points(name, points);
  const GaloisField field(q);
  std::vector<Element> start(n, 0);
  start[0] = 1;
  return on_orbit(field, symplectic_generators(field, n), std::move(start), projective, structure, points, task);
}

FiniteGroup unitary(const char* family, unsigned n, unsigned q, bool projective, bool general, const Task& task) {
  const GroupStructure structure = structure::Linear{family, n, q};
  const std::string name = to_string(structure);
  if (n < 2) throw DomainError(fmt::format("{}: the dimension must be at least 2", name));
  require_field(name, q);
  const int sign = n % 2 == 0 ? 1 : -1;
  // SU(2,q) = SL(2,q) moves a vector to its multiples by GF(q) only.
  const Integer vectors = n == 2 && !general && !projective
                              ? Integer(Integer(q) * q - 1)
                              : Integer((bounded_power(q, n) - sign) * (bounded_power(q, n - 1) + sign));
  const Integer points = projective ? Integer(vectors / (Integer(q) * q - 1)) : vectors;
  require_points(name, points);
  const GaloisField field(q * q);
  std::vector<FieldSquare> maps = unitary_generators(field, n, q);
  if (general) {
    const Element w = field.primitive_element();
    FieldSquare diagonal(n);
    diagonal(0, 0) = w;
    diagonal(n - 1, n - 1) = field.inverse(field.power(w, q));
    maps.push_back(std::move(diagonal));
  }
  std::vector<Element> start(n, 0);
  start[0] = 1;
  return on_orbit(field, maps, std::move(start), projective, structure, points, task);
}

}  // namespace

FiniteGroup symplectic_group(unsigned n, unsigned q, const Task& task) { return symplectic("Sp", n, q, false, task); }
FiniteGroup projective_symplectic_group(unsigned n, unsigned q, const Task& task) {
  return symplectic("PSp", n, q, true, task);
}
FiniteGroup general_unitary_group(unsigned n, unsigned q, const Task& task) {
  return unitary("GU", n, q, false, true, task);
}
FiniteGroup special_unitary_group(unsigned n, unsigned q, const Task& task) {
  return unitary("SU", n, q, false, false, task);
}
FiniteGroup projective_general_unitary_group(unsigned n, unsigned q, const Task& task) {
  return unitary("PGU", n, q, true, true, task);
}
FiniteGroup projective_special_unitary_group(unsigned n, unsigned q, const Task& task) {
  return unitary("PSU", n, q, true, false, task);
}

FiniteGroup suzuki_group(unsigned q, const Task& task) {
  const std::string name = fmt::format("Sz({})", q);
  if ((q & (q - 1)) != 0 || q < 8 || power_of_two(q) % 2 == 0)
    throw DomainError(name + ": Suzuki's groups are Sz(8), Sz(32), Sz(128), ...: an odd power of 2 from 8 on");
  const Integer points = Integer(q) * q + 1;
  require_points(name, points);
  const GaloisField field(q);
  const unsigned m = power_of_two(q) / 2;
  // theta: t -> t^(2^(m+1)), whose square is t -> t^2. [Suzuki 1962]
  const std::uint64_t half = std::uint64_t{1} << m;
  FieldSquare lower(4), torus(4), turn(4);
  // S(1, 0): the entries are a, a^theta, a^(2 + theta), a^(1 + theta) with a = 1.
  lower(1, 0) = lower(2, 1) = lower(3, 0) = lower(3, 1) = lower(3, 2) = 1;
  torus(0, 0) = field.power(1 + half);
  torus(1, 1) = field.power(half);
  torus(2, 2) = field.inverse(torus(1, 1));
  torus(3, 3) = field.inverse(torus(0, 0));
  for (unsigned i = 0; i < 4; ++i) {
    turn(i, i) = 0;
    turn(i, 3 - i) = 1;
  }
  return on_orbit(field, {lower, torus, turn}, {0, 0, 0, 1}, true, structure::Generators{name}, points, task);
}

}  // namespace intertwine
