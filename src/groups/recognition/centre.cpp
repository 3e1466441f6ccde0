// The centre, without a search: what commutes with a transitive group is known from the image of one point.
#include <algorithm>
#include <numeric>

#include "groups/chain/giant.hpp"
#include "intertwine/groups/blocks.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

namespace {

/// The permutation that commutes with the generators of a transitive group and takes the root of the tree to
/// `image`, if there is one: z(g x) = g z(x) fixes it along the tree, and every other edge is a condition.
std::optional<Permutation> commuting(const OrbitTree& tree, std::span<const Permutation> generators,
                                     Point image) {
  std::vector<Point> z(tree.generator.size());
  for (const Point x : tree.points)
    z[x] = tree.generator[x] == -1
               ? image
               : generators[static_cast<std::size_t>(tree.generator[x])](z[tree.parent[x]]);
  for (const Permutation& g : generators)
    for (const Point x : tree.points)
      if (z[g(x)] != g(z[x])) return std::nullopt;
  return Permutation::unchecked(std::move(z));  // commutes with a transitive group, so it is onto
}

/// Generators of the centre of a transitive group. A central element takes the root to a point that the
/// root's stabilizer fixes, and is determined by it, so there are at most as many candidates as such points.
std::vector<Permutation> centre_of_transitive(const FiniteGroup& G, const Task& task) {
  const std::size_t n = G.degree();
  const StabilizerChain& chain = G.chain(task);
  std::vector<Permutation> result;
  if (n < 2 || is_symmetric(chain) || (n > 3 && is_alternating(chain))) return result;
  const std::vector<Permutation> fixing = chain.stabilizer_generators(1);
  const OrbitTree tree = orbit_tree(chain.base_point(0), n, G.generators());
  std::vector<char> reached(n, 0);
  reached[tree.points.front()] = 1;
  for (Point y = 0; y < n; ++y) {
    task.poll();
    if (reached[y]) continue;
    if (!std::all_of(fixing.begin(), fixing.end(), [y](const Permutation& h) { return h(y) == y; })) continue;
    const std::optional<Permutation> z = commuting(tree, G.generators(), y);
    if (!z || !chain.contains(*z)) continue;
    result.push_back(*z);
    for (const Point x : orbit_tree(tree.points.front(), n, result).points) reached[x] = 1;
  }
  return result;
}

/// The pairs (first on the points, second on a copy of them) as one permutation.
Permutation side_by_side(const Permutation& first, const Permutation& second) {
  const std::size_t n = first.degree();
  std::vector<Point> images(n + second.degree());
  for (Point x = 0; x < n; ++x) images[x] = first(x);
  for (Point x = 0; x < second.degree(); ++x) images[n + x] = static_cast<Point>(n + second(x));
  return Permutation::unchecked(std::move(images));
}

/// Generators of the intersection of G with an abelian group A that commutes with it. The pairs (g a, a) form
/// a group of order |G| |A|, and where the first entry is 1 the second one runs through the intersection.
std::vector<Permutation> intersection_with_commuting(const FiniteGroup& G, const FiniteGroup& A,
                                                     const Task& task) {
  const std::size_t n = G.degree();
  std::vector<Permutation> both = G.generators();
  both.insert(both.end(), A.generators().begin(), A.generators().end());
  const StabilizerChain product(n, both, {}, task);
  std::vector<Point> base;
  for (std::size_t level = 0; level < product.length(); ++level) base.push_back(product.base_point(level));
  std::vector<Permutation> pairs;
  for (const Permutation& g : G.generators()) pairs.push_back(side_by_side(g, Permutation::identity(n)));
  for (const Permutation& a : A.generators()) pairs.push_back(side_by_side(a, a));
  const StabilizerChain chain =
      StabilizerChain::with_known_order(2 * n, pairs, G.order(task) * A.order(task), base, task);
  std::vector<Permutation> result;
  if (base.size() >= chain.length()) return result;
  for (const Permutation& pair : chain.stabilizer_generators(base.size())) {
    std::vector<Point> images(n);
    for (Point x = 0; x < n; ++x) images[x] = static_cast<Point>(pair(static_cast<Point>(n + x)) - n);
    result.push_back(Permutation::unchecked(std::move(images)));
  }
  return result;
}

}  // namespace

FiniteGroup centre(const FiniteGroup& G, const Task& task) {
  if (!G.direct_factors().empty()) {
    std::vector<FiniteGroup> parts;
    for (const FiniteGroup::Factor& factor : G.direct_factors()) parts.push_back(centre(factor.group, task));
    return direct_product(parts);
  }
  if (is_abelian(G, task)) return G;
  const std::size_t n = G.degree();
  // A central element of G restricts to a central element on every orbit.
  std::vector<Permutation> candidates;
  for (const std::vector<Point>& orbit : orbits(n, G.generators())) {
    if (orbit.size() < 2) continue;
    for (const Permutation& z : centre_of_transitive(restriction(G, orbit), task)) {
      std::vector<Point> images(n);
      std::iota(images.begin(), images.end(), Point{0});
      for (std::size_t i = 0; i < orbit.size(); ++i) images[orbit[i]] = orbit[z(static_cast<Point>(i))];
      candidates.push_back(Permutation::unchecked(std::move(images)));
    }
  }
  if (std::all_of(candidates.begin(), candidates.end(), [&](const Permutation& z) { return G.contains(z); }))
    return FiniteGroup(n, std::move(candidates));
  return FiniteGroup(n, intersection_with_commuting(G, FiniteGroup(n, std::move(candidates)), task));
}

}  // namespace intertwine
