// Block systems of permutation groups.
#include "intertwine/groups/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "block_tower.hpp"
#include "giant.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

namespace {

constexpr Point none = ~Point{0};

Point find_root(std::vector<Point>& parent, Point x) {
  while (parent[x] != x) {
    parent[x] = parent[parent[x]];
    x = parent[x];
  }
  return x;
}

std::size_t number_of_blocks(std::span<const Point> block) {
  return block.empty() ? 0 : std::size_t{*std::max_element(block.begin(), block.end())} + 1;
}

/// A block system that is not trivial, or the trivial one of single points where G is primitive. The blocks that contain
/// point r correspond to the groups above the stabilizer of r, so one partner of r from every orbit of the
/// stabilizer will do. The blocks of the first partner that has proper ones may have blocks in turn.
std::vector<Point> proper_block_system(const FiniteGroup& G, const Task& task) {
  const std::size_t n = G.degree();
  std::vector<Point> single(n);
  std::iota(single.begin(), single.end(), Point{0});
  if (n != 0 && orbits(n, G.generators()).size() != 1)
    throw DomainError(
        fmt::format("block systems are defined for transitive groups, and {} is not transitive", G.name()));
  if (n <= 3) return single;
  const StabilizerChain& chain = G.chain(task);
  if (is_symmetric(chain) || is_alternating(chain)) return single;
  const Point fixed = chain.base_point(0);
  const std::vector<Permutation> fixing = chain.stabilizer_generators(1);
  for (const std::vector<Point>& orbit : orbits(n, fixing)) {
    task.poll();
    if (orbit.front() == fixed) continue;
    std::vector<Point> block = block_system(n, G.generators(), fixed, orbit.front());
    if (number_of_blocks(block) > 1) return block;
  }
  return single;
}

}  // namespace

std::vector<Point> block_system(std::size_t degree, std::span<const Permutation> generators, Point x, Point y) {
  if (x >= degree || y >= degree)
    throw DomainError(fmt::format("block_system: points {} and {} must be below the degree {}", x, y, degree));
  std::vector<Point> parent(degree);
  std::iota(parent.begin(), parent.end(), Point{0});
  // Every pair in the queue has been joined, and its images have to be.
  std::vector<std::pair<Point, Point>> queue{{x, y}};
  parent[std::max(x, y)] = std::min(x, y);
  while (!queue.empty()) {
    const auto [a, b] = queue.back();
    queue.pop_back();
    for (const Permutation& g : generators) {
      const Point p = find_root(parent, g(a));
      const Point q = find_root(parent, g(b));
      if (p == q) continue;
      parent[std::max(p, q)] = std::min(p, q);
      queue.emplace_back(p, q);
    }
  }
  std::vector<Point> number(degree, none);
  std::vector<Point> block(degree);
  Point next = 0;
  for (Point z = 0; z < degree; ++z) {
    const Point root = find_root(parent, z);
    if (number[root] == none) number[root] = next++;
    block[z] = number[root];
  }
  return block;
}

std::vector<BlockLevel> block_tower(const FiniteGroup& G, const Task& task) {
  std::vector<BlockLevel> tower;
  for (FiniteGroup current = G;;) {
    std::vector<Point> block = proper_block_system(current, task);
    if (number_of_blocks(block) == current.degree()) {
      tower.push_back({std::move(current), {}});
      return tower;
    }
    FiniteGroup next = action_on_blocks(current, block);
    tower.push_back({std::move(current), std::move(block)});
    current = std::move(next);
  }
}

std::vector<Point> maximal_block_system(const FiniteGroup& G, const Task& task) {
  std::vector<Point> total(G.degree());
  std::iota(total.begin(), total.end(), Point{0});
  for (const BlockLevel& level : block_tower(G, task))
    if (!level.block.empty())
      for (Point& part : total) part = level.block[part];
  return total;
}

std::vector<Point> carried_points(const FiniteGroup& G, std::span<const Point> block,
                                  std::span<const Permutation> carriers) {
  const std::size_t n = number_of_blocks(block), d = G.degree() / n;
  std::vector<Point> points(G.degree());
  std::size_t filled = 0;
  for (Point x = 0; x < block.size(); ++x)
    if (block[x] == 0) points[filled++] = x;
  std::vector<char> reached(n, 0);
  reached[0] = 1;
  for (std::size_t at = 0, end = 1; at < end; ++at)
    for (const Permutation& g : carriers) {
      const Point next = block[g(points[at * d])];
      if (reached[next]) continue;
      reached[next] = 1;
      for (std::size_t i = 0; i < d; ++i) points[end * d + i] = g(points[at * d + i]);
      ++end;
    }
  return points;
}

FiniteGroup action_on_one_block(const FiniteGroup& G, std::span<const Point> points, std::size_t d) {
  std::vector<Point> place(G.degree());
  for (std::size_t i = 0; i < points.size(); ++i) place[points[i]] = static_cast<Point>(i % d);
  std::set<Permutation> components;
  for (const Permutation& g : G.generators())
    for (std::size_t first = 0; first < points.size(); first += d) {
      std::vector<Point> images(d);
      for (std::size_t i = 0; i < d; ++i) images[i] = place[g(points[first + i])];
      components.insert(Permutation::unchecked(std::move(images)));
    }
  components.erase(Permutation::identity(d));
  return FiniteGroup(d, std::vector<Permutation>(components.begin(), components.end()));
}

bool is_primitive(const FiniteGroup& G, const Task& task) {
  if (G.degree() < 2 || orbits(G.degree(), G.generators()).size() != 1) return false;
  return number_of_blocks(proper_block_system(G, task)) == G.degree();
}

FiniteGroup action_on_blocks(const FiniteGroup& G, std::span<const Point> block) {
  if (block.size() != G.degree())
    throw DomainError(fmt::format("action_on_blocks: {} block numbers for {} points", block.size(), G.degree()));
  const std::size_t count = number_of_blocks(block);
  std::vector<Permutation> generators;
  for (const Permutation& g : G.generators()) {
    std::vector<Point> images(count, none);
    for (Point x = 0; x < block.size(); ++x) {
      Point& image = images[block[x]];
      if (image != none && image != block[g(x)])
        throw DomainError(fmt::format("action_on_blocks: the part of point {} is not mapped to a part", x));
      image = block[g(x)];
    }
    generators.emplace_back(std::move(images));
  }
  return FiniteGroup(count, std::move(generators));
}

FiniteGroup restriction(const FiniteGroup& G, std::span<const Point> points) {
  std::vector<Point> place(G.degree(), none);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i] >= G.degree() || place[points[i]] != none)
      throw DomainError(
          fmt::format("restriction: point {} is repeated or not below the degree {}", points[i], G.degree()));
    place[points[i]] = static_cast<Point>(i);
  }
  std::vector<Permutation> generators;
  for (const Permutation& g : G.generators()) {
    std::vector<Point> images(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      images[i] = place[g(points[i])];
      if (images[i] == none)
        throw DomainError(fmt::format("restriction: a generator takes point {} out of the given points", points[i]));
    }
    generators.push_back(Permutation::unchecked(std::move(images)));
  }
  return FiniteGroup(points.size(), std::move(generators));
}

}  // namespace intertwine
