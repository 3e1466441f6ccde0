// Left cosets with a breadth-first transversal.
#include "intertwine/groups/coset_space.hpp"

#include <fmt/format.h>

#include "intertwine/error.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

namespace {

/// The length of the base of G, which H is a subgroup of.
std::size_t base_length(const FiniteGroup& G, const FiniteGroup& H, const Task& task) {
  if (H.degree() != G.degree())
    throw DomainError(
        fmt::format("cosets: {} permutes {} points and {} permutes {}, so that one is no subgroup of the other",
                    H.name(), H.degree(), G.name(), G.degree()));
  require_subgroup(H, G, task);
  return G.chain(task).length();
}

}  // namespace

CosetSpace::CosetSpace(const FiniteGroup& G, const FiniteGroup& H, const Task& task)
    : H_(H), keys_(base_length(G, H, task)) {
  const StabilizerChain& chain_of_G = G.chain(task);
  const StabilizerChain& chain_of_H = H.chain(task);
  const Integer index = chain_of_G.order() / chain_of_H.order();
  if (index > max_degree)
    throw LimitError(
        fmt::format("cosets: {} has {} cosets in {}, more than 2^31 - 1", H.name(), index.str(), G.name()));
  const std::size_t degree = G.degree();
  task.require_memory(static_cast<std::uint64_t>(index) * (sizeof(Point) * (degree + chain_of_G.length() + 4) + 32),
                      "the coset representatives");
  for (std::size_t l = 0; l < chain_of_G.length(); ++l) base_.push_back(chain_of_G.base_point(l));
  constexpr std::size_t kept_points = 1U << 24;
  std::size_t points = 0;
  for (std::size_t l = 0; l < chain_of_H.length(); ++l) {
    const auto orbit = chain_of_H.orbit(l);
    if (orbit.size() == 1) continue;
    Level level;
    level.base = chain_of_H.base_point(l);
    level.number = l;
    level.orbit.assign(orbit.begin(), orbit.end());
    points += orbit.size() * degree;
    if (points <= kept_points)
      for (const Point x : orbit) level.transversal.push_back(chain_of_H.transversal(l, x));
    levels_.push_back(std::move(level));
  }
  std::vector<Point> key;
  representatives_.push_back(Permutation::identity(degree));
  write_key(representatives_[0], key);
  keys_.insert(key);
  for (std::size_t i = 0; i < representatives_.size(); ++i) {
    task.progress("cosets", i, static_cast<std::uint64_t>(index));
    for (const Permutation& s : G.generators()) {
      Permutation g = s * representatives_[i];
      write_key(g, key);
      if (keys_.insert(key) == representatives_.size()) representatives_.push_back(std::move(g));
    }
  }
  if (representatives_.size() != index)
    throw InternalError(
        fmt::format("cosets: {} were found, but the index is {}", representatives_.size(), index.str()));
}

void CosetSpace::write_key(const Permutation& g, std::vector<Point>& key) const {
  std::vector<Point> image(g.images().begin(), g.images().end()), next(image.size());
  for (const Level& level : levels_) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < level.orbit.size(); ++i)
      if (image[level.orbit[i]] < image[level.orbit[best]]) best = i;
    if (level.orbit[best] == level.base) continue;
    const auto multiply = [&](const Permutation& t) {
      for (Point x = 0; x < next.size(); ++x) next[x] = image[t(x)];
    };
    if (level.transversal.empty())
      multiply(H_.chain().transversal(level.number, level.orbit[best]));
    else
      multiply(level.transversal[best]);
    image.swap(next);
  }
  key.clear();
  for (const Point b : base_) key.push_back(image[b]);
}

Point CosetSpace::coset_of(const Permutation& g) const {
  std::vector<Point> key;
  write_key(g, key);
  const Point i = keys_.find(key);
  if (i == FlatIndex<Point>::none)
    throw DomainError(fmt::format("cosets: {} is no element of the group", g.to_string()));
  return i;
}

}  // namespace intertwine
