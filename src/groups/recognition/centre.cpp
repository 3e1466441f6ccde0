// The centre, without a search: what commutes with a transitive group is known from the image of one point.
#include <algorithm>
#include <numeric>

#include "groups/chain/giant.hpp"
#include "intertwine/groups/blocks.hpp"
#include "intertwine/groups/fewer_points.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

namespace {

/// The permutation that commutes with the generators of a transitive group and takes the root of the tree to
/// `image`, if there is one: z(g x) = g z(x) fixes it along the tree, and every other edge is a condition.
std::optional<Permutation> commuting(const OrbitTree& tree, std::span<const Permutation> generators, Point image) {
  std::vector<Point> z(tree.generator.size());
  for (const Point x : tree.points)
    z[x] = tree.generator[x] == -1 ? image : generators[static_cast<std::size_t>(tree.generator[x])](z[tree.parent[x]]);
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
std::vector<Permutation> intersection_with_commuting(const FiniteGroup& G, const FiniteGroup& A, const Task& task) {
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

/// Elements of the centres of what G does on its orbits, one orbit at a time.
struct Candidates {
  std::vector<Permutation> central;  ///< generators of the factors that lie in G
  std::vector<Permutation> others;   ///< generators of the factors that do not lie in G
};

Candidates candidates_on_orbits(const FiniteGroup& G, const Task& task) {
  const StabilizerChain& chain = G.chain(task);
  Candidates found;
  for (const std::vector<Point>& orbit : orbits(G.degree(), G.generators())) {
    if (orbit.size() < 2) continue;
    std::vector<Permutation> factor;
    for (const Permutation& z : centre_of_transitive(restriction(G, orbit), task)) {
      std::vector<Point> images(G.degree());
      std::iota(images.begin(), images.end(), Point{0});
      for (std::size_t i = 0; i < orbit.size(); ++i) images[orbit[i]] = orbit[z(static_cast<Point>(i))];
      factor.push_back(Permutation::unchecked(std::move(images)));
    }
    const bool inside = std::ranges::all_of(factor, [&](const Permutation& z) {
      task.poll();
      return chain.contains(z);
    });
    auto& list = inside ? found.central : found.others;
    list.insert(list.end(), factor.begin(), factor.end());
  }
  return found;
}

}  // namespace

FiniteGroup centre(const FiniteGroup& G, const Task& task) {
  if (!G.direct_factors().empty()) {
    std::vector<FiniteGroup> parts;
    for (const FiniteGroup::Factor& factor : G.direct_factors()) parts.push_back(centre(factor.group, task));
    return direct_product(parts);
  }
  if (is_abelian(G, task)) return G;
  // A central element of G restricts to one on every orbit: the centre is the intersection of G with the product of these
  // centres, and factors that lie in G are factors of it.
  Candidates found = candidates_on_orbits(G, task);
  if (found.others.empty()) return FiniteGroup(G.degree(), std::move(found.central));
  const FewerPoints few(G,
                        task);  // orbits that others determine are the usual reason why a factor is not in G
  if (few.group().degree() < G.degree()) found = candidates_on_orbits(few.group(), task);
  std::vector<Permutation>& central = found.central;
  if (!found.others.empty()) {
    const FiniteGroup product(few.group().degree(), std::move(found.others));
    for (Permutation& z : intersection_with_commuting(few.group(), product, task)) central.push_back(std::move(z));
  }
  for (Permutation& z : central) z = few.lifted(z);
  return FiniteGroup(G.degree(), std::move(central));
}

}  // namespace intertwine
