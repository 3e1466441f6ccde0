// Orbits and transversals of permutation groups.
#include "intertwine/groups/orbits.hpp"

#include <fmt/format.h>

#include <string_view>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

void require_degree(std::string_view function, std::size_t degree, std::span<const Permutation> generators) {
  if (degree > max_degree) throw DomainError(fmt::format("{}: the degree {} exceeds 2^31 - 1", function, degree));
  for (std::size_t k = 0; k < generators.size(); ++k)
    if (generators[k].degree() != degree)
      throw DomainError(
          fmt::format("{}: generator {} permutes {} points, not {}", function, k + 1, generators[k].degree(), degree));
}

}  // namespace

OrbitTree orbit_tree(Point root, std::size_t degree, std::span<const Permutation> generators) {
  require_degree("orbit_tree", degree, generators);
  if (root >= degree)
    throw DomainError(fmt::format("orbit_tree: the root {} is not below the degree {}", root, degree));
  OrbitTree tree;
  tree.generator.assign(degree, -2);
  tree.parent.assign(degree, 0);
  tree.generator[root] = -1;
  tree.parent[root] = root;
  tree.points.push_back(root);
  for (std::size_t next = 0; next < tree.points.size(); ++next) {
    const Point x = tree.points[next];
    for (std::size_t k = 0; k < generators.size(); ++k) {
      const Point y = generators[k](x);
      if (tree.generator[y] != -2) continue;
      tree.generator[y] = static_cast<std::int32_t>(k);
      tree.parent[y] = x;
      tree.points.push_back(y);
    }
  }
  return tree;
}

std::vector<Point> orbit_minima(std::size_t degree, std::span<const Permutation> generators) {
  require_degree("orbits", degree, generators);
  constexpr Point none = ~Point{0};
  std::vector<Point> minimum(degree, none);
  std::vector<Point> stack;
  for (Point start = 0; start < degree; ++start) {
    if (minimum[start] != none) continue;
    minimum[start] = start;
    stack.push_back(start);
    while (!stack.empty()) {
      const Point x = stack.back();
      stack.pop_back();
      for (const Permutation& g : generators) {
        const Point y = g(x);
        if (minimum[y] != none) continue;
        minimum[y] = start;
        stack.push_back(y);
      }
    }
  }
  return minimum;
}

std::vector<std::vector<Point>> orbits(std::size_t degree, std::span<const Permutation> generators) {
  const std::vector<Point> minimum = orbit_minima(degree, generators);
  std::vector<std::size_t> index(degree, 0);
  std::vector<std::vector<Point>> result;
  for (Point x = 0; x < degree; ++x) {
    if (minimum[x] == x) {
      index[x] = result.size();
      result.emplace_back();
    }
    result[index[minimum[x]]].push_back(x);
  }
  return result;
}

Permutation transversal_element(const OrbitTree& tree, Point x, std::span<const Permutation> generators) {
  require_degree("transversal_element", tree.generator.size(), generators);
  if (x >= tree.generator.size() || !tree.contains(x))
    throw DomainError(fmt::format("transversal_element: point {} is not in the orbit", x));
  Permutation t = Permutation::identity(tree.generator.size());
  while (tree.generator[x] != -1) {
    t = t * generators[static_cast<std::size_t>(tree.generator[x])];
    x = tree.parent[x];
  }
  return t;
}

}  // namespace intertwine
