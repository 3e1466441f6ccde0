#include <algorithm>

#include "chain_state.hpp"
#include "intertwine/groups/blocks.hpp"
#include "intertwine/groups/orbits.hpp"

namespace intertwine {

namespace {

Integer transitive_bound(std::size_t degree, std::span<const Permutation> generators) {
  // Points tried as block mates of 0: a few suffice to find the blocks of a wreath product; a miss only
  // loosens the bound.
  for (Point x = 1; x < degree && x <= 64; ++x) {
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
  for (const std::vector<Point>& orbit : orbits(degree, generators)) {
    if (orbit.size() == 1) continue;
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
