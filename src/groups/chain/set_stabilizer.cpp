// Set stabilizers by a search for generators, level by level from the bottom of a chain whose base begins
// with the set.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "giant.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

namespace {

Permutation cycle_of(std::size_t degree, std::span<const Point> points) {
  std::vector<Point> images(degree);
  std::iota(images.begin(), images.end(), Point{0});
  for (std::size_t i = 0; i < points.size(); ++i) images[points[i]] = points[(i + 1) % points.size()];
  return Permutation::unchecked(std::move(images));
}

/// (Sym(set) x Sym(rest)), or its even half, in a group that is Sym(n) or Alt(n).
FiniteGroup set_stabilizer_in_giant(const StabilizerChain& chain, std::span<const Point> set,
                                    std::span<const Point> rest) {
  const std::size_t n = chain.degree();
  Integer order = factorial(set.size()) * factorial(rest.size());
  std::vector<Permutation> generators;
  if (chain.order() == factorial(n)) {
    for (const auto part : {set, rest})
      if (part.size() >= 2) {
        generators.push_back(cycle_of(n, part));
        if (part.size() >= 3) generators.push_back(cycle_of(n, part.first(2)));
      }
  } else {
    if (set.size() >= 2 || rest.size() >= 2) order /= 2;
    for (const auto part : {set, rest})
      if (part.size() >= 3) {
        generators.push_back(cycle_of(n, part.first(3)));
        if (part.size() >= 4) generators.push_back(cycle_of(n, part.subspan(part.size() % 2 == 0)));
      }
    if (set.size() >= 2 && rest.size() >= 2)
      generators.push_back(cycle_of(n, set.first(2)) * cycle_of(n, rest.first(2)));
  }
  return FiniteGroup::with_known_order(n, std::move(generators), {}, order);
}

class SetStabilizerSearch {
 public:
  /// The base of the chain begins with the points of the set.
  SetStabilizerSearch(const StabilizerChain& chain, std::span<const Point> set, const Task& task)
      : chain_(chain), depth_(set.size()), in_set_(chain.degree(), 0), task_(task) {
    for (const Point x : set) in_set_[x] = 1;
    for (std::size_t level = 0; level <= depth_; ++level) {
      cell_.push_back(orbit_minima(chain.degree(), generators_of(level)));
      count_.push_back(counts(cell_.back(), Permutation::identity(chain.degree())));
    }
  }

  /// Generators and order of the stabilizer of the set.
  std::pair<std::vector<Permutation>, Integer> run() {
    found_ = generators_of(depth_);
    Integer order = chain_.order();
    for (std::size_t level = 0; level < depth_; ++level) order /= chain_.orbit(level).size();
    for (std::size_t level = depth_; level-- > 0;) order *= complete_level(level);
    return {found_, order};
  }

 private:
  std::vector<Permutation> generators_of(std::size_t level) const {
    return level < chain_.length() ? chain_.stabilizer_generators(level) : std::vector<Permutation>{};
  }

  std::vector<Point> counts(const std::vector<Point>& cell, const Permutation& t) const {
    std::vector<Point> result(cell.size(), 0);
    for (Point x = 0; x < cell.size(); ++x) result[cell[x]] += in_set_[t(x)];
    return result;
  }

  /// Makes found_ generate the part of the stabilizer that fixes the base points before this level, given the
  /// part that fixes also this one; returns its index.
  std::size_t complete_level(std::size_t level) {
    const std::size_t n = chain_.degree();
    const Point base_point = chain_.base_point(level);
    if (chain_.orbit(level).size() == 1) return 1;
    std::vector<char> refused(n, 0);
    std::vector<Point> orbit = orbit_tree(base_point, n, found_).points;
    std::vector<char> reached(n, 0);
    for (const Point x : orbit) reached[x] = 1;
    for (const Point y : chain_.orbit(level)) {
      if (!in_set_[y] || reached[y] || refused[y]) continue;
      const Permutation t = chain_.transversal(level, y);
      if (fits(level + 1, t) && extend(level + 1, t)) {
        orbit = orbit_tree(base_point, n, found_).points;
        for (const Point x : orbit) reached[x] = 1;
      } else {
        // No element takes the base point to y, so none takes it to an image of y under what was found.
        for (const Point x : orbit_tree(y, n, found_).points) refused[x] = 1;
      }
    }
    return orbit.size();
  }

  /// A necessary condition for a product t * h with h fixing `level` base points to preserve the set: h
  /// preserves the orbits of their stabilizer, so each of them meets the set as often as its image under t
  /// does.
  bool fits(std::size_t level, const Permutation& t) const { return counts(cell_[level], t) == count_[level]; }

  /// Looks for an element of the stabilizer in the coset of t that has the same images of the first `level`
  /// base points.
  bool extend(std::size_t level, const Permutation& t) {
    task_.poll();
    if (level == depth_) {
      found_.push_back(t);
      return true;
    }
    for (const Point x : chain_.orbit(level)) {
      if (!in_set_[t(x)]) continue;
      if (chain_.orbit(level).size() == 1) return extend(level + 1, t);
      const Permutation next = t * chain_.transversal(level, x);
      if (fits(level + 1, next) && extend(level + 1, next)) return true;
    }
    return false;
  }

  const StabilizerChain& chain_;
  std::size_t depth_;
  std::vector<Point> in_set_;
  const Task& task_;
  std::vector<std::vector<Point>> cell_;   // by level: the least point of every point's orbit under the level's group
  std::vector<std::vector<Point>> count_;  // by level: how many points of the set each orbit has, at its least point
  std::vector<Permutation> found_;
};

}  // namespace

FiniteGroup set_stabilizer(const FiniteGroup& G, const std::vector<Point>& set, const Task& task) {
  const std::size_t n = G.degree();
  std::vector<char> member(n, 0);
  for (const Point x : set) {
    if (x >= n) throw DomainError(fmt::format("set_stabilizer: point {} must be below the degree {} (0-based)", x, n));
    member[x] = 1;
  }
  std::vector<Point> inside, outside;
  for (Point x = 0; x < n; ++x) (member[x] ? inside : outside).push_back(x);
  if (inside.empty() || outside.empty()) return G;
  const StabilizerChain& chain = G.chain(task);
  if (is_symmetric(chain) || is_alternating(chain)) return set_stabilizer_in_giant(chain, inside, outside);
  // The complement has the same stabilizer; points that G fixes do not matter.
  std::vector<Point>& smaller = inside.size() <= outside.size() ? inside : outside;
  std::erase_if(smaller, [&](Point x) {
    return std::all_of(G.generators().begin(), G.generators().end(), [x](const Permutation& g) { return g(x) == x; });
  });
  if (smaller.empty()) return G;
  const StabilizerChain adapted =
      StabilizerChain::with_known_order(n, chain.strong_generators(), chain.order(), smaller, task);
  auto [generators, order] = SetStabilizerSearch(adapted, smaller, task).run();
  return FiniteGroup::with_known_order(n, std::move(generators), {}, order);
}

}  // namespace intertwine
