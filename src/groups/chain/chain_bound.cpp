#include <algorithm>

#include "chain_state.hpp"
#include "intertwine/groups/blocks.hpp"
#include "intertwine/groups/orbits.hpp"
#include "random_words.hpp"

namespace intertwine {

namespace {

/// A few elements that fix a point.
std::vector<Permutation> fixing_elements(Point x, std::size_t degree,
                                         std::span<const Permutation> generators) {
  constexpr int elements = 8;
  RandomElements random(std::vector<Permutation>(generators.begin(), generators.end()), degree);
  const OrbitTree tree = orbit_tree(x, degree, generators);
  std::vector<Permutation> fixing;
  for (int k = 0; k < elements; ++k) {
    const Permutation g = random.next();
    fixing.push_back(transversal_element(tree, g(x), generators).inverse() * g);
  }
  return fixing;
}

/// Points to be tried as block mates of 0, one from every orbit of a few elements that fix 0: these find the blocks of a
/// wreath product; a miss only loosens the bound.
std::vector<Point> possible_mates(std::size_t degree, std::span<const Permutation> generators) {
  constexpr std::size_t most = 64;
  std::vector<Point> mates;
  for (const std::vector<Point>& orbit : orbits(degree, fixing_elements(0, degree, generators)))
    if (orbit.front() != 0 && mates.size() < most) mates.push_back(orbit.front());
  return mates;
}

/// Is there a map of the orbit of `from` to the orbit of `to` that commutes with the generators and takes `from` to `to`?
/// What acts on the second orbit is then known from the first.
bool has_equivariant_map(Point from, Point to, std::size_t degree, std::span<const Permutation> generators) {
  const auto outside = static_cast<Point>(degree);
  std::vector<Point> image(degree, outside), reached{from};
  image[from] = to;
  for (std::size_t at = 0; at < reached.size(); ++at)
    for (const Permutation& g : generators) {
      const Point y = g(reached[at]), z = g(image[reached[at]]);
      if (image[y] == outside) {
        image[y] = z;
        reached.push_back(y);
      } else if (image[y] != z) {
        return false;
      }
    }
  return true;
}

/// Orbits that the bound is a product over: those that a longer one determines are left out, where a few elements that fix
/// a point of that one tell; one too many only loosens the bound.
std::vector<std::vector<Point>> determining_orbits(std::size_t degree,
                                                   std::span<const Permutation> generators) {
  constexpr std::size_t tried = 4, most_determining = 32;
  std::vector<std::vector<Point>> all = orbits(degree, generators), kept;
  std::erase_if(all, [](const std::vector<Point>& orbit) { return orbit.size() == 1; });
  std::ranges::stable_sort(all, std::ranges::greater{}, &std::vector<Point>::size);
  std::vector<std::vector<Permutation>> fixing;  // the first point of every kept orbit
  for (std::vector<Point>& orbit : all) {
    const auto determines = [&](std::size_t k) {
      if (kept[k].size() % orbit.size() != 0) return false;
      std::size_t candidates = 0;
      for (const Point y : orbit) {
        if (std::ranges::any_of(fixing[k], [y](const Permutation& g) { return g(y) != y; })) continue;
        if (has_equivariant_map(kept[k].front(), y, degree, generators)) return true;
        if (++candidates == tried) break;
      }
      return false;
    };
    std::size_t k = 0;
    while (k < fixing.size() && !determines(k)) ++k;
    if (k < fixing.size()) continue;
    if (fixing.size() < most_determining)
      fixing.push_back(fixing_elements(orbit.front(), degree, generators));
    kept.push_back(std::move(orbit));
  }
  return kept;
}

Integer transitive_bound(std::size_t degree, std::span<const Permutation> generators) {
  if (degree == 1) return 1;
  for (const Point x : possible_mates(degree, generators)) {
    const std::vector<Point> block = block_system(degree, generators, 0, x);
    const Point count = *std::max_element(block.begin(), block.end()) + 1;
    if (count == 1) continue;
    std::vector<Permutation> on_blocks;
    for (const Permutation& g : generators) {
      std::vector<Point> images(count);
      for (Point i = 0; i < degree; ++i) images[block[i]] = block[g(i)];
      on_blocks.push_back(Permutation::unchecked(std::move(images)));
    }
    Integer bound = transitive_bound(count, on_blocks);
    for (Point i = 0; i < count; ++i) bound *= factorial(degree / count);
    return bound;
  }
  bool even = true;
  for (const Permutation& g : generators) even = even && g.is_even();
  return even && degree > 1 ? Integer(factorial(degree) / 2) : factorial(degree);
}

}  // namespace

Integer order_upper_bound(std::size_t degree, std::span<const Permutation> generators) {
  Integer bound = 1;
  for (const std::vector<Point>& orbit : determining_orbits(degree, generators)) {
    std::vector<Point> number(degree, 0);
    for (std::size_t i = 0; i < orbit.size(); ++i) number[orbit[i]] = static_cast<Point>(i);
    std::vector<Permutation> restricted;
    for (const Permutation& g : generators) {
      std::vector<Point> images;
      images.reserve(orbit.size());
      for (const Point x : orbit) images.push_back(number[g(x)]);
      restricted.push_back(Permutation::unchecked(std::move(images)));
    }
    bound *= transitive_bound(orbit.size(), restricted);
  }
  return bound;
}

}  // namespace intertwine
