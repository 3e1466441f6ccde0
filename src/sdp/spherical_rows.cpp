// Spherical functions from character tables.
#include "sdp/spherical_rows.hpp"

#include <cstdint>
#include <utility>

#include "intertwine/error.hpp"

namespace intertwine::sdp {

namespace {

/// Transitive on the basis, and every orbit of pairs is its own transpose.
bool has_symmetric_orbitals(const Representation& V, const OrbitalPattern& pattern) {
  if (!V.is_permutation()) return false;
  for (std::uint64_t i = 1; i < V.dimension(); ++i)
    if (pattern.label(i, i) != pattern.label(0, 0)) return false;
  for (const MatrixEntry& e : pattern.smallest_entries())
    if (pattern.label(e.col, e.row) != pattern.label(e.row, e.col)) return false;
  return true;
}

}  // namespace

std::optional<std::vector<FirstRows>> spherical_rows(const Representation& V, const CharacterTable& table,
                                                     const OrbitalPattern& pattern, const Task& task) {
  if (!has_symmetric_orbitals(V, pattern)) return std::nullopt;
  const std::uint64_t n = V.dimension(), orbits = pattern.params();
  IntegerMatrix pairs(table.size(), orbits);  // the points x with (x, g x) in an orbit
  std::vector<Rational> fixed;                // their numbers on the diagonal, times the size of the class
  const auto diagonal = static_cast<std::size_t>(pattern.label(0, 0) - 1);
  for (std::size_t c = 0; c < table.size(); ++c) {
    task.progress("points that classes move", c, table.size());
    const ConjugacyClass& C = table.classes()[c];
    const SignedPermutation g = V.image(C.representative);
    std::vector<std::int64_t> count(orbits, 0);
    for (std::uint32_t x = 0; x < n; ++x) ++count[static_cast<std::size_t>(pattern.label(x, g(x).point()) - 1)];
    for (std::size_t o = 0; o < orbits; ++o) pairs.set(c, o, count[o]);
    fixed.emplace_back(C.size * count[diagonal]);
  }
  const FieldMatrix equations{RationalMatrix(std::move(pairs))};
  std::vector<FirstRows> result;
  std::uint64_t degrees = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    task.poll();
    Cyclotomic sum;
    for (std::size_t c = 0; c < table.size(); ++c)
      if (fixed[c] != 0) sum += Cyclotomic(fixed[c]) * table(i, c);
    if (sum.is_zero()) continue;
    std::vector<Cyclotomic> values;
    const Cyclotomic scale{Rational(Integer(n), table.degree(i))};
    for (std::size_t c = 0; c < table.size(); ++c) values.push_back(scale * table(i, c));
    const auto function = linear_solve(equations, FieldMatrix(table.size(), 1, values), task);
    if (sum != Cyclotomic(Rational(table.group().order(task))) || !function || table.indicator(i) != 1)
      throw InternalError("sdp: a constituent has no spherical function");
    FirstRows part{{i}, table.degree(i).convert_to<std::size_t>(), 1, 1, {}, {0}};
    part.basis.field = function->field();
    part.basis.rows = n;
    const Cyclotomic denominator{Rational(function->coefficients().denominator())};
    std::vector<Cyclotomic> of_orbit;
    for (std::size_t o = 0; o < orbits; ++o) of_orbit.push_back(denominator * (*function)(o, 0));
    for (std::uint32_t x = 0; x < n; ++x) {
      const Cyclotomic& value = of_orbit[static_cast<std::size_t>(pattern.label(0, x) - 1)];
      if (value.is_zero()) continue;
      part.basis.row.push_back(x);
      part.basis.value.push_back(value);
    }
    part.basis.starts.push_back(part.basis.row.size());
    degrees += part.degree;
    result.push_back(std::move(part));
  }
  if (result.size() != orbits || degrees != n)
    throw InternalError("sdp: the constituents of points are not as many as the orbits of pairs");
  return result;
}

}  // namespace intertwine::sdp
