// Upper bounds of group orders without a chain.
#include <algorithm>

#include "chain_state.hpp"
#include "intertwine/groups/blocks.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/random_words.hpp"

namespace intertwine {

namespace {

/// A few elements that fix a point.
std::vector<Permutation> fixing_elements(Point x, std::size_t degree, std::span<const Permutation> generators) {
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

/// The product over the orbits, the largest first. An action on blocks counts once: a map from an orbit seen before
/// that commutes with G tells that what fixes the points there fixes these blocks. A map not found only loosens the
/// bound.
class OrderBound {
 public:
  OrderBound(std::size_t degree, std::span<const Permutation> generators) : degree_(degree), generators_(generators) {}

  Integer value() {
    std::vector<std::vector<Point>> all = orbits(degree_, generators_);
    std::erase_if(all, [](const std::vector<Point>& orbit) { return orbit.size() == 1; });
    std::ranges::stable_sort(all, std::ranges::greater{}, &std::vector<Point>::size);
    Integer bound = 1;
    for (const std::vector<Point>& orbit : all) {
      std::vector<Point> part(degree_, outside);
      for (std::size_t i = 0; i < orbit.size(); ++i) part[orbit[i]] = static_cast<Point>(i);
      bound *= on_parts(part, orbit.size());
      if (seen_.size() == most_seen) continue;
      seen_.push_back({orbit.front(), orbit.size(), {}});
      if (orbit.size() > most_tried && seen_.size() <= most_with_elements)
        seen_.back().fixing = fixing_elements(orbit.front(), degree_, generators_);
    }
    return bound;
  }

 private:
  struct Seen {
    Point point;
    std::size_t size;                 ///< the size of its orbit
    std::vector<Permutation> fixing;  ///< a few elements that fix the point, or none
  };
  static constexpr Point outside = ~Point{0};
  static constexpr std::size_t most_seen = 256, most_with_elements = 16, most_tried = 4;

  /// How many ways what is not seen yet may act on the parts of an orbit: part[x] < count, or outside.
  Integer on_parts(const std::vector<Point>& part, std::size_t count) const {
    if (count == 1) return 1;
    const std::vector<Permutation> acting = action(part, count);
    if (is_seen(part, acting)) return 1;
    for (const Point x : possible_mates(count, acting)) {
      const std::vector<Point> block = block_system(count, acting, 0, x);
      const std::size_t blocks = *std::ranges::max_element(block) + std::size_t{1};
      if (blocks == 1) continue;
      std::vector<Point> coarser = part;
      for (Point& y : coarser)
        if (y != outside) y = block[y];
      Integer bound = on_parts(coarser, blocks);
      for (std::size_t i = 0; i < blocks; ++i) bound *= factorial(count / blocks);
      return bound;
    }
    const bool even = std::ranges::all_of(acting, [](const Permutation& g) { return g.is_even(); });
    return even ? Integer(factorial(count) / 2) : factorial(count);
  }

  std::vector<Permutation> action(const std::vector<Point>& part, std::size_t count) const {
    std::vector<Permutation> acting;
    for (const Permutation& g : generators_) {
      std::vector<Point> images(count);
      for (Point x = 0; x < degree_; ++x)
        if (part[x] != outside) images[part[x]] = part[g(x)];
      acting.push_back(Permutation::unchecked(std::move(images)));
    }
    return acting;
  }

  bool is_seen(const std::vector<Point>& part, const std::vector<Permutation>& acting) const {
    const std::size_t count = acting.front().degree();
    return std::ranges::any_of(seen_, [&](const Seen& seen) {
      if (seen.size % count != 0) return false;
      std::vector<char> tried(count, 0);
      std::size_t trials = 0;
      for (Point x = 0; x < degree_ && trials < most_tried; ++x) {
        if (part[x] == outside || tried[part[x]] != 0) continue;
        tried[part[x]] = 1;
        if (std::ranges::any_of(seen.fixing, [&](const Permutation& g) { return part[g(x)] != part[x]; })) continue;
        if (has_map(seen.point, part[x], acting)) return true;
        ++trials;
      }
      return false;
    });
  }

  /// Is there a map of the orbit of a point to the parts that commutes with the generators and takes the point to this one?
  bool has_map(Point point, Point to, const std::vector<Permutation>& acting) const {
    std::vector<Point> image(degree_, outside), reached{point};
    image[point] = to;
    for (std::size_t at = 0; at < reached.size(); ++at)
      for (std::size_t k = 0; k < acting.size(); ++k) {
        const Point y = generators_[k](reached[at]), z = acting[k](image[reached[at]]);
        if (image[y] == outside) {
          image[y] = z;
          reached.push_back(y);
        } else if (image[y] != z) {
          return false;
        }
      }
    return true;
  }

  std::size_t degree_;
  std::span<const Permutation> generators_;
  std::vector<Seen> seen_;
};

}  // namespace

Integer order_upper_bound(std::size_t degree, std::span<const Permutation> generators) {
  return OrderBound(degree, generators).value();
}

}  // namespace intertwine
