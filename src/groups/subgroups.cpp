#include "intertwine/groups/subgroups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "giant.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

namespace {

Permutation conjugate(const Permutation& g, const Permutation& h) { return g * h * g.inverse(); }

Permutation commutator(const Permutation& g, const Permutation& h) { return g * h * (h * g).inverse(); }

FiniteGroup of_order(std::size_t degree, std::vector<Permutation> generators, const Integer& order) {
  return FiniteGroup::with_known_order(degree, std::move(generators), {}, order);
}

FiniteGroup trivial_group(std::size_t degree) { return FiniteGroup(degree, {}); }

void require_degree(const FiniteGroup& G, const Permutation& g, const char* where) {
  if (g.degree() != G.degree())
    throw DomainError(fmt::format("{}: an element permutes {} points, the group {}", where, g.degree(), G.degree()));
}

void require_points(const FiniteGroup& G, const std::vector<Point>& points, const char* where) {
  for (const Point x : points)
    if (x >= G.degree())
      throw DomainError(fmt::format("{}: point {} must be below the degree {} (0-based)", where, x, G.degree()));
}

std::vector<Permutation> commutators_of(const FiniteGroup& G) {
  std::vector<Permutation> result;
  for (std::size_t i = 0; i < G.generators().size(); ++i)
    for (std::size_t j = 0; j < i; ++j) result.push_back(commutator(G.generators()[i], G.generators()[j]));
  return result;
}

/// A product of generators, each taken or left at random: with positive probability outside any given proper subgroup.
Permutation random_subproduct(const std::vector<Permutation>& generators, std::size_t degree, Rng& rng) {
  Permutation g = Permutation::identity(degree);
  for (const Permutation& h : generators)
    if (rng() & 1) g = g * h;
  return g;
}

/// A_n on all points, n >= 3: (1,2,3) and an n-cycle or an (n-1)-cycle fixing the first point, whichever is even.
FiniteGroup alternating_on_all_points(std::size_t n) {
  std::vector<Point> three(n), cycle(n);
  std::iota(three.begin(), three.end(), Point{0});
  cycle = three;
  three[0] = 1, three[1] = 2, three[2] = 0;
  const std::size_t first = n % 2 == 1 ? 0 : 1;
  for (std::size_t i = first; i < n; ++i) cycle[i] = static_cast<Point>(i + 1 == n ? first : i + 1);
  std::vector<Permutation> generators{Permutation::unchecked(std::move(three)), Permutation::unchecked(std::move(cycle))};
  return of_order(n, std::move(generators), factorial(n) / 2);
}

/// One factor of a direct product, replaced by a subgroup, acting on the points of the product.
template <class F>
FiniteGroup product_of_factors(const FiniteGroup& G, F subgroup_of) {
  std::vector<FiniteGroup> parts;
  for (const FiniteGroup::Factor& factor : G.direct_factors()) parts.push_back(subgroup_of(factor.group));
  return direct_product(parts);
}

}  // namespace

FiniteGroup pointwise_stabilizer(const FiniteGroup& G, const std::vector<Point>& points, const Task& task) {
  require_points(G, points, "pointwise_stabilizer");
  // A point fixed by the whole stabilizer of those before it would only lengthen the chain.
  std::vector<Point> distinct = points;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::erase_if(distinct, [&](Point x) {
    return std::all_of(G.generators().begin(), G.generators().end(), [x](const Permutation& g) { return g(x) == x; });
  });
  const Integer order = G.chain(task).order();
  const StabilizerChain chain =
      StabilizerChain::with_known_order(G.degree(), G.chain(task).strong_generators(), order, distinct, task);
  const std::size_t depth = std::min(distinct.size(), chain.length());  // Sym(n) needs n - 1 base points only
  Integer index = 1;
  for (std::size_t level = 0; level < depth; ++level) index *= chain.orbit(level).size();
  return of_order(G.degree(), chain.stabilizer_generators(depth), order / index);
}

FiniteGroup stabilizer(const FiniteGroup& G, Point x, const Task& task) { return pointwise_stabilizer(G, {x}, task); }

FiniteGroup normal_closure(const FiniteGroup& G, const std::vector<Permutation>& elements, const Task& task) {
  std::vector<Permutation> generators;
  for (const Permutation& h : elements) {
    require_degree(G, h, "normal_closure");
    if (!G.contains(h))
      throw DomainError(fmt::format("normal_closure: {} is no element of the group", h.to_string()));
    if (!h.is_identity() && std::find(generators.begin(), generators.end(), h) == generators.end()) generators.push_back(h);
  }
  if (generators.empty()) return trivial_group(G.degree());
  Rng rng;
  // Random conjugates reach the closure fast; the check below is what proves it.
  for (std::size_t added = 4;; added += 4) {
    for (std::size_t k = 0; k < added; ++k) {
      const Permutation h = random_subproduct(generators, G.degree(), rng);
      const Permutation c = conjugate(G.random_element(rng), h.is_identity() ? generators[k % generators.size()] : h);
      if (std::find(generators.begin(), generators.end(), c) == generators.end()) generators.push_back(c);
    }
    task.poll();
    const FiniteGroup N(G.degree(), generators);
    const StabilizerChain& chain = N.chain(task);
    if (chain.order() == G.order()) return N;
    bool closed = true;
    const std::size_t known = generators.size();
    for (std::size_t k = 0; k < known && closed; ++k)
      for (const Permutation& g : G.generators()) {
        Permutation c = conjugate(g, generators[k]);
        if (chain.contains(c)) continue;
        generators.push_back(std::move(c));
        closed = false;
        break;
      }
    if (closed) return N;
  }
}

FiniteGroup derived_subgroup(const FiniteGroup& G, const Task& task) {
  if (!G.direct_factors().empty())
    return product_of_factors(G, [&](const FiniteGroup& H) { return derived_subgroup(H, task); });
  if (is_abelian(G)) return trivial_group(G.degree());
  const StabilizerChain& chain = G.chain(task);
  if (is_alternating(chain)) return G.degree() == 4 ? normal_closure(G, commutators_of(G), task) : G;
  if (is_symmetric(chain)) return alternating_on_all_points(G.degree());
  const FiniteGroup D = normal_closure(G, commutators_of(G), task);
  return D.order() == G.order() ? G : D;
}

std::vector<FiniteGroup> derived_series(const FiniteGroup& G, const Task& task) {
  std::vector<FiniteGroup> series{G};
  while (true) {
    const FiniteGroup next = derived_subgroup(series.back(), task);
    if (next.chain(task).order() == series.back().chain(task).order()) return series;
    series.push_back(next);
  }
}

FiniteGroup subgroup(const FiniteGroup& G, std::vector<Permutation> generators, std::string name) {
  for (const Permutation& g : generators) {
    require_degree(G, g, "subgroup");
    if (!G.contains(g)) throw DomainError(fmt::format("subgroup: {} is no element of {}", g.to_string(), G.name()));
  }
  return FiniteGroup(G.degree(), std::move(generators), std::move(name));
}

bool is_subgroup(const FiniteGroup& H, const FiniteGroup& G) {
  return H.degree() == G.degree() && std::all_of(H.generators().begin(), H.generators().end(),
                                                 [&](const Permutation& h) { return G.contains(h); });
}

bool is_abelian(const FiniteGroup& G) {
  const std::vector<Permutation>& generators = G.generators();
  for (std::size_t i = 0; i < generators.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (Point x = 0; x < G.degree(); ++x)
        if (generators[i](generators[j](x)) != generators[j](generators[i](x))) return false;
  return true;
}

bool is_solvable(const FiniteGroup& G, const Task& task) {
  for (const FiniteGroup::Factor& factor : G.direct_factors())
    if (!is_solvable(factor.group, task)) return false;
  if (!G.direct_factors().empty() || is_abelian(G)) return true;
  Integer odd = G.chain(task).order();
  if (odd % 2 != 0 || odd % 4 != 0) return true;  // Feit-Thompson; and a normal subgroup of index 2 with odd order
  while (odd % 2 == 0) odd /= 2;
  if (odd == 1) return true;
  return derived_series(G, task).back().order() == 1;
}

bool is_perfect(const FiniteGroup& G, const Task& task) {
  return derived_subgroup(G, task).chain(task).order() == G.chain(task).order();
}

bool is_transitive(const FiniteGroup& G) {
  return G.degree() <= 1 || orbits(G.degree(), G.generators()).size() == 1;
}

namespace {

/// The largest power of p that is at most n.
Integer power_below(std::size_t p, std::size_t n) {
  Integer q = 1;
  while (q * p <= n) q *= p;
  return q;
}

bool is_prime_number(std::size_t p) {
  for (std::size_t d = 2; d * d <= p; ++d)
    if (p % d == 0) return false;
  return p >= 2;
}

/// A multiple of the exponent: an element of order p^k has a cycle of length p^k, and p^k divides the group order.
Integer exponent_bound(const FiniteGroup& G) {
  std::size_t longest = 1;
  for (const auto& orbit : orbits(G.degree(), G.generators())) longest = std::max(longest, orbit.size());
  Integer bound = 1;
  for (std::size_t p = 2; p <= longest; ++p) {
    if (!is_prime_number(p) || G.order() % p != 0) continue;
    Integer part = p;
    while (G.order() % (part * p) == 0 && part * p <= longest) part *= p;
    bound *= part;
  }
  return bound;
}

Integer giant_exponent(const StabilizerChain& chain) {
  const std::size_t n = chain.degree();
  const bool alternating = is_alternating(chain);
  Integer result = 1;
  for (std::size_t p = 2; p <= n; ++p)
    // A cycle of even length needs a transposition beside it to be even.
    if (is_prime_number(p)) result *= power_below(p, alternating && p == 2 ? n - 2 : n);
  return result;
}

}  // namespace

std::optional<Integer> exponent(const FiniteGroup& G, const Task& task) {
  constexpr unsigned long enumerable = 200'000;
  if (!G.direct_factors().empty()) {
    Integer result = 1;
    for (const FiniteGroup::Factor& factor : G.direct_factors()) {
      const std::optional<Integer> e = exponent(factor.group, task);
      if (!e) return std::nullopt;
      result = lcm(result, *e);
    }
    return result;
  }
  Integer result = 1;
  if (is_abelian(G)) {
    for (const Permutation& g : G.generators()) result = lcm(result, g.order());
    return result;
  }
  const StabilizerChain& chain = G.chain(task);
  if (is_symmetric(chain) || is_alternating(chain)) return giant_exponent(chain);
  const Integer bound = exponent_bound(G);
  Rng rng;
  for (int trial = 0; trial < 200 && result != bound; ++trial) result = lcm(result, chain.random_element(rng).order());
  if (result == bound) return result;
  if (chain.order() > enumerable) return std::nullopt;
  chain.for_each_element(
      [&](const Permutation& g) {
        result = lcm(result, g.order());
        return result != bound;
      },
      task);
  return result;
}

}  // namespace intertwine
