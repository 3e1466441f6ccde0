// The centre, without a search: what commutes with a transitive group is known from the image of one point.
#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "groups/chain/giant.hpp"
#include "intertwine/groups/blocks.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

namespace {

constexpr Point none = ~Point{0};

/// The map f of the root's orbit with f(root) = image and f(g x) = g f(x) for the generators, if there is one: written into
/// `f`, which holds none and does so again if there is none. What comes back is the orbit, or empty.
std::vector<Point> equivariant_map(Point root, Point image, std::span<const Permutation> generators,
                                   std::vector<Point>& f) {
  std::vector<Point> orbit{root};
  f[root] = image;
  for (std::size_t i = 0; i < orbit.size(); ++i)
    for (const Permutation& g : generators) {
      const Point x = g(orbit[i]), y = g(f[orbit[i]]);
      if (f[x] == y) continue;
      if (f[x] != none) {
        for (const Point z : orbit) f[z] = none;
        return {};
      }
      f[x] = y;
      orbit.push_back(x);
    }
  return orbit;
}

/// Generators of the centre of a transitive group. A central element takes the root to a point that the
/// root's stabilizer fixes, and is determined by it, so there are at most as many candidates as such points.
std::vector<Permutation> centre_of_transitive(const FiniteGroup& G, const Task& task) {
  const std::size_t n = G.degree();
  const StabilizerChain& chain = G.chain(task);
  std::vector<Permutation> result;
  if (n < 2 || is_symmetric(chain) || (n > 3 && is_alternating(chain))) return result;
  const std::vector<Permutation> fixing = chain.stabilizer_generators(1);
  const Point root = chain.base_point(0);
  std::vector<char> reached(n, 0);
  reached[root] = 1;
  for (Point y = 0; y < n; ++y) {
    task.poll();
    if (reached[y]) continue;
    if (!std::all_of(fixing.begin(), fixing.end(), [y](const Permutation& h) { return h(y) == y; })) continue;
    std::vector<Point> images(n, none);
    if (equivariant_map(root, y, G.generators(), images).empty()) continue;
    Permutation z =
        Permutation::unchecked(std::move(images));  // commutes with a transitive group: it is onto
    if (!chain.contains(z)) continue;
    result.push_back(std::move(z));
    for (const Point x : orbit_tree(root, n, result).points) reached[x] = 1;
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

/// An orbit on which the group has central elements other than 1, and these, which fix all other points.
struct CentralPart {
  std::vector<Point> orbit;
  std::vector<Permutation> elements;
  std::vector<Point> representatives;  ///< of their orbits on this one
  /// Maps f onto other orbits that commute with the group, as pairs (x, f(x)): a central element z does f(x) -> f(z x) there.
  std::vector<std::vector<std::pair<Point, Point>>> maps;
};

std::vector<CentralPart> central_parts(const FiniteGroup& G, const Task& task) {
  const std::size_t n = G.degree();
  std::vector<CentralPart> parts;
  for (std::vector<Point>& orbit : orbits(n, G.generators())) {
    if (orbit.size() < 2) continue;
    const std::vector<Permutation> central = centre_of_transitive(restriction(G, orbit), task);
    if (central.empty()) continue;
    CentralPart part;
    for (const Permutation& z : central) {
      std::vector<Point> images(n);
      std::iota(images.begin(), images.end(), Point{0});
      for (std::size_t i = 0; i < orbit.size(); ++i) images[orbit[i]] = orbit[z(static_cast<Point>(i))];
      part.elements.push_back(Permutation::unchecked(std::move(images)));
    }
    for (const std::vector<Point>& block : orbits(orbit.size(), central))
      part.representatives.push_back(orbit[block.front()]);
    part.orbit = std::move(orbit);
    parts.push_back(std::move(part));
  }
  return parts;
}

/// Leaves out parts that another one determines, by a map from it.
void join_parts(std::vector<CentralPart>& parts, const FiniteGroup& G, const Task& task) {
  std::ranges::stable_sort(parts, std::ranges::greater(),
                           [](const CentralPart& p) { return p.orbit.size(); });
  std::vector<Point> f(G.degree(), none);
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = parts.size(); j-- > i + 1;) {
      task.poll();
      if (parts[i].orbit.size() % parts[j].orbit.size() != 0) continue;
      std::vector<Point> source;
      // A map followed by a central element is another one.
      for (const Point y : parts[j].representatives) {
        task.poll();
        source = equivariant_map(parts[i].orbit[0], y, G.generators(), f);
        if (!source.empty()) break;
      }
      if (source.empty()) continue;
      auto& map = parts[i].maps.emplace_back();
      for (const Point x : source) map.emplace_back(x, std::exchange(f[x], none));
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(j));
    }
}

/// An element that is known on the orbits of the parts, on the others too.
Permutation carried(const Permutation& z, std::span<const CentralPart> parts) {
  std::vector<Point> images(z.images().begin(), z.images().end()), f(z.degree(), none);
  for (const CentralPart& part : parts)
    for (const auto& map : part.maps) {
      for (const auto& [x, y] : map) f[x] = y;
      for (const auto& [x, y] : map) images[y] = f[z(x)];
    }
  return Permutation::unchecked(std::move(images));
}

/// Moves the elements of parts that lie in G to `central`.
void split_off(std::vector<CentralPart>& parts, const FiniteGroup& G, std::vector<Permutation>& central,
               const Task& task) {
  const StabilizerChain& chain = G.chain(task);
  std::erase_if(parts, [&](const CentralPart& part) {
    std::vector<Permutation> elements;
    for (const Permutation& z : part.elements) {
      task.poll();
      elements.push_back(part.maps.empty() ? z : carried(z, {&part, 1}));
      if (!chain.contains(elements.back())) return false;
    }
    central.insert(central.end(), elements.begin(), elements.end());
    return true;
  });
}

/// Generators of the elements of G that are products of elements of the parts.
std::vector<Permutation> inside(const std::vector<CentralPart>& parts, std::span<const CentralPart> all,
                                const FiniteGroup& G, const Task& task) {
  // What is trivial on an orbit is so on its images under maps: G acts faithfully without these.
  std::vector<char> left_out(G.degree(), 0);
  for (const CentralPart& part : all)
    for (const auto& map : part.maps)
      for (const auto& [x, y] : map) left_out[y] = 1;
  std::vector<Point> kept, place(G.degree(), none);
  for (Point x = 0; x < G.degree(); ++x)
    if (left_out[x] == 0) place[x] = static_cast<Point>(kept.size()), kept.push_back(x);
  std::vector<Permutation> elements;
  for (const CentralPart& part : parts)
    for (const Permutation& z : part.elements) {
      std::vector<Point> images;
      for (const Point x : kept) images.push_back(place[z(x)]);
      elements.push_back(Permutation::unchecked(std::move(images)));
    }
  std::vector<Permutation> result;
  for (const Permutation& z : intersection_with_commuting(
           restriction(G, kept), FiniteGroup(kept.size(), std::move(elements)), task)) {
    std::vector<Point> images(G.degree());
    std::iota(images.begin(), images.end(), Point{0});
    for (std::size_t i = 0; i < kept.size(); ++i) images[kept[i]] = kept[z(static_cast<Point>(i))];
    result.push_back(carried(Permutation::unchecked(std::move(images)), parts));
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
  // A central element of G restricts to a central element on every orbit: the centre is the intersection of G with the
  // product of these groups. Factors that lie in G are factors of the centre.
  std::vector<CentralPart> parts = central_parts(G, task);
  std::vector<Permutation> central;
  split_off(parts, G, central, task);
  join_parts(parts, G, task);
  const std::vector<CentralPart> joined = parts;
  split_off(parts, G, central, task);
  if (!parts.empty())
    for (Permutation& z : inside(parts, joined, G, task)) central.push_back(std::move(z));
  return FiniteGroup(G.degree(), std::move(central));
}

}  // namespace intertwine
