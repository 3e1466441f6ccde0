// Intransitive groups on some of their orbits.
#include "intertwine/groups/fewer_points.hpp"

#include <algorithm>

#include "intertwine/groups/orbits.hpp"

namespace intertwine {

FewerPoints::FewerPoints(const FiniteGroup& G, const Task& task) : group_(G), number_(G.degree(), 0) {
  const Integer& order = G.order(task);
  auto all = orbits(G.degree(), G.generators());
  std::ranges::stable_sort(all, {}, &std::vector<Point>::size);
  FiniteGroup on_these(0, {});
  for (const std::vector<Point>& orbit : all) {
    if (on_these.order() == order) break;
    task.poll();
    const std::size_t before = points_.size();
    for (const Point x : orbit) {
      number_[x] = static_cast<Point>(points_.size());
      points_.push_back(x);
    }
    std::vector<Permutation> generators;
    for (const Permutation& g : G.generators()) generators.push_back(restricted(g));
    FiniteGroup larger(points_.size(), std::move(generators));
    if (larger.order(task) == on_these.order())
      points_.resize(before);  // nothing is moved here that was not told apart before
    else
      on_these = std::move(larger);
  }
  if (points_.size() == G.degree()) return;
  group_ = FiniteGroup::with_known_order(on_these.degree(), on_these.generators(), {}, order);
  std::vector<Point> base;
  const StabilizerChain& chain = on_these.chain(task);
  for (std::size_t l = 0; l < chain.length(); ++l) base.push_back(points_[chain.base_point(l)]);
  of_.push_back(StabilizerChain::with_known_order(G.degree(), G.generators(), order, base, task));
}

Permutation FewerPoints::restricted(const Permutation& g) const {
  std::vector<Point> images;
  for (const Point x : points_) images.push_back(number_[g(x)]);
  return Permutation::unchecked(std::move(images));
}

Permutation FewerPoints::lifted(const Permutation& r) const {
  if (of_.empty()) return r;
  const StabilizerChain& chain = of_.front();
  Permutation result = Permutation::identity(chain.degree()), rest = r;
  for (std::size_t l = 0; l < chain.length(); ++l) {
    const Permutation u = chain.transversal(l, points_[rest(number_[chain.base_point(l)])]);
    result = result * u;
    rest = restricted(u).inverse() * rest;
  }
  return result;
}

}  // namespace intertwine
