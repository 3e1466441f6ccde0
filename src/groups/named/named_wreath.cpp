// Wreath products in their two natural actions.
#include <fmt/format.h>

#include <utility>

#include "groups/named/named_support.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/orbits.hpp"

namespace intertwine {

namespace {

/// The least point of every orbit of H.
std::vector<std::size_t> orbit_representatives(const FiniteGroup& H) {
  const std::vector<Point> minimum = orbit_minima(H.degree(), H.generators());
  std::vector<std::size_t> representatives;
  for (std::size_t b = 0; b < minimum.size(); ++b)
    if (minimum[b] == b) representatives.push_back(b);
  return representatives;
}

std::uint64_t number_of_generators(const FiniteGroup& G, const FiniteGroup& H, std::size_t orbits) {
  return std::uint64_t{G.generators().size()} * orbits + H.generators().size();
}

}  // namespace

FiniteGroup wreath_product(const FiniteGroup& G, const FiniteGroup& H) {
  const GroupStructure structure = structure::Wreath{G, H};
  const std::vector<std::size_t> copies = orbit_representatives(H);
  const Integer points = Integer(G.degree()) * Integer(H.degree());
  named::require_size(to_string(structure), points, number_of_generators(G, H, copies.size()));
  const std::size_t d = G.degree();
  const auto degree = static_cast<std::size_t>(points);
  std::vector<Permutation> generators;
  for (const std::size_t b : copies)
    for (const Permutation& g : G.generators())
      generators.push_back(named::permutation_by(
          degree, [&](std::size_t i) { return i / d == b ? b * d + g(static_cast<Point>(i % d)) : i; }));
  for (const Permutation& h : H.generators())
    generators.push_back(
        named::permutation_by(degree, [&](std::size_t i) { return h(static_cast<Point>(i / d)) * d + i % d; }));
  return FiniteGroup::built_as(structure, degree, std::move(generators));
}

FiniteGroup wreath_product_in_product_action(const FiniteGroup& G, const FiniteGroup& H) {
  const GroupStructure structure = structure::ProductAction{G, H};
  const std::size_t d = G.degree();
  const std::size_t m = H.degree();
  const std::vector<std::size_t> coordinates = orbit_representatives(H);
  Integer points = 1;
  if (d == 0 && m > 0) points = 0;
  for (std::size_t b = 0; d > 1 && b < m && points <= Integer(max_named_degree); ++b) points *= Integer(d);
  named::require_size(to_string(structure), points, number_of_generators(G, H, coordinates.size()));
  const auto degree = static_cast<std::size_t>(points);

  std::vector<std::size_t> place(m);  // place[b] = d^(m-1-b), the weight of coordinate b
  std::size_t weight = 1;
  for (std::size_t b = m; b-- > 0; weight *= d) place[b] = weight;
  std::vector<Permutation> generators;
  for (const std::size_t b : coordinates)
    for (const Permutation& g : G.generators())
      generators.push_back(named::permutation_by(degree, [&](std::size_t f) {
        const std::size_t value = f / place[b] % d;
        return f - value * place[b] + g(static_cast<Point>(value)) * place[b];
      }));
  for (const Permutation& h : H.generators())
    generators.push_back(named::permutation_by(degree, [&](std::size_t f) {
      std::size_t image = 0;
      for (std::size_t b = 0; b < m; ++b) image += f / place[b] % d * place[h(static_cast<Point>(b))];
      return image;
    }));
  const FiniteGroup product = FiniteGroup::built_as(structure, degree, std::move(generators));
  // Points on which the model needs more room than the product action are not worth it; with a trivial base the
  // product action is that on one function.
  const bool faithful = d > 1 && m > 0;
  const bool small = Integer(d) * Integer(m) <= Integer(max_named_degree);
  return faithful && small ? product.with_model(wreath_product(G, H)) : product;
}

}  // namespace intertwine
