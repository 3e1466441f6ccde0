// Extraspecial groups, as permutations.
#include <fmt/format.h>

#include <algorithm>

#include "groups/named/named_support.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine {

// The first pair of generators and the centre act on the digits below `block`: on (s, v) = s p + v for a plus and for odd p, by left multiplication on Q8 otherwise.
// A further digit v is turned by its x, and y is the power v of the generator of the centre.
FiniteGroup extraspecial_group(unsigned p, unsigned n, bool plus) {
  if (!is_prime(p) || n == 0)
    throw DomainError(
        fmt::format("{}^(1+{}) is no extraspecial group: these have the order p^(1+2n), p a prime and n > 0", p,
                    2 * std::uint64_t{n}));
  const std::string name = fmt::format("{}^(1+{}){}", p, 2 * std::uint64_t{n}, plus ? '+' : '-');
  const bool quaternion = p == 2 && !plus;
  constexpr unsigned most = 32;  // of factors: 2^33 points are too many in any case
  const Integer points = pow(Integer(p), std::min(n, most) + 1) * (quaternion ? 2 : 1);
  named::require_size(name, points, 2 * std::uint64_t{n});
  const auto degree = points.convert_to<std::size_t>();
  const std::size_t block = quaternion ? 8 : std::size_t{p} * p;
  std::vector<Permutation> generators;
  const auto within_block = [&](const Permutation& g) {
    generators.push_back(
        named::permutation_by(degree, [&](std::size_t i) { return i - i % block + g(static_cast<Point>(i % block)); }));
  };
  Permutation centre = named::permutation_by(block, [&](std::size_t i) { return (i + p) % block; });
  if (quaternion) {
    const FiniteGroup Q = dicyclic_group(2);
    for (const Permutation& g : Q.generators()) within_block(g);
    centre = Q.generators()[0] * Q.generators()[0];
  } else {
    // x turns v, and carries into s for exponent p^2.
    within_block(named::permutation_by(block, [&](std::size_t i) {
      if (i % p + 1 < p) return i + 1;
      return plus ? i + 1 - p : (i + 1) % block;
    }));
    within_block(named::permutation_by(block, [&](std::size_t i) { return (i + i % p * p) % block; }));
  }
  for (std::size_t digit = block; digit < degree; digit *= p) {
    generators.push_back(named::permutation_by(
        degree, [&](std::size_t i) { return i / digit % p + 1 < p ? i + digit : i - (p - 1) * digit; }));
    generators.push_back(named::permutation_by(degree, [&](std::size_t i) {
      std::size_t inside = i % block;
      for (std::size_t v = i / digit % p; v > 0; --v) inside = centre(static_cast<Point>(inside));
      return i - i % block + inside;
    }));
  }
  return FiniteGroup::with_known_order(degree, std::move(generators), name, pow(Integer(p), 2 * n + 1));
}

}  // namespace intertwine
