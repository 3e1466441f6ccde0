// Stabilizer chains of Sym(n) and Alt(n).
#include <algorithm>
#include <numeric>

#include "chain_state.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/random_words.hpp"

namespace intertwine {

namespace {

class GiantState final : public StabilizerChain::State {
 public:
  GiantState(std::size_t n, bool symmetric, std::span<const Point> first) : symmetric_(symmetric), place_(n, n) {
    degree = n;
    giant = true;
    order = factorial(n);
    if (!symmetric) order /= 2;
    for (const Point x : first)
      if (place_[x] == n) {
        place_[x] = points_.size();
        points_.push_back(x);
      }
    for (Point x = 0; x < n; ++x)
      if (place_[x] == n) {
        place_[x] = points_.size();
        points_.push_back(x);
      }
  }

  std::size_t length() const override { return degree - (symmetric_ ? 1 : 2); }
  Point base_point(std::size_t level) const override { return points_[level]; }
  std::span<const Point> orbit(std::size_t level) const override { return std::span(points_).subspan(level); }
  std::int64_t position(std::size_t level, Point x) const override {
    return place_[x] < level ? -1 : static_cast<std::int64_t>(place_[x] - level);
  }

  Permutation transversal(std::size_t level, Point x) const override {
    std::vector<Point> g(degree);
    std::iota(g.begin(), g.end(), Point{0});
    multiply_left(level, x, g);
    return Permutation::unchecked(std::move(g));
  }

  std::vector<Permutation> stabilizer_generators(std::size_t level) const override {
    if (level >= length()) return {};
    // A full cycle and a transposition; or the longest cycle of odd length and a 3-cycle that overlap in what
    // is needed.
    const std::size_t m = degree - level;
    const auto cycle = [&](std::size_t from, std::size_t count) {
      std::vector<Point> g(degree);
      std::iota(g.begin(), g.end(), Point{0});
      for (std::size_t i = 0; i < count; ++i) g[points_[from + i]] = points_[from + (i + 1) % count];
      return Permutation::unchecked(std::move(g));
    };
    if (symmetric_) {
      if (m == 2) return {cycle(level, 2)};
      return {cycle(level, m), cycle(level, 2)};
    }
    if (m == 3) return {cycle(level, 3)};
    return {cycle(level, 3), m % 2 == 1 ? cycle(level, m) : cycle(level + 1, m - 1)};
  }

  std::vector<Point> sift(std::vector<Point> g, std::vector<std::size_t>* positions) const override {
    std::vector<Point> where(degree);  // the inverse of g, so that a transposition of values costs O(1)
    for (Point i = 0; i < degree; ++i) where[g[i]] = i;
    for (std::size_t level = 0; level < length(); ++level) {
      const Point x = g[points_[level]];
      if (positions) positions->push_back(place_[x] - level);
      divide_left(level, x, g, where);
    }
    return g;
  }

  std::vector<Point> product(std::span<const std::size_t> positions) const override {
    std::vector<Point> g(degree), where(degree);
    std::iota(g.begin(), g.end(), Point{0});
    std::iota(where.begin(), where.end(), Point{0});
    for (std::size_t level = length(); level-- > 0;) {
      const Point b = points_[level], x = points_[level + positions[level]];
      if (x == b) continue;
      if (symmetric_) {
        swap_values(b, x, g, where);
      } else {
        const Point y = third(level, x);  // b -> x -> y -> b
        swap_values(b, x, g, where);
        swap_values(b, y, g, where);
      }
    }
    return g;
  }

 private:
  /// A point of a later level other than x.
  Point third(std::size_t level, Point x) const {
    return points_[level + 1] == x ? points_[level + 2] : points_[level + 1];
  }

  static void swap_values(Point a, Point b, std::vector<Point>& g, std::vector<Point>& where) {
    std::swap(g[where[a]], g[where[b]]);
    std::swap(where[a], where[b]);
  }

  void divide_left(std::size_t level, Point x, std::vector<Point>& g, std::vector<Point>& where) const {
    const Point b = points_[level];
    if (x == b) return;
    if (symmetric_) {
      swap_values(b, x, g, where);
    } else {
      swap_values(b, third(level, x), g, where);
      swap_values(b, x, g, where);
    }
  }

  void multiply_left(std::size_t level, Point x, std::vector<Point>& identity) const {
    const Point b = points_[level];
    if (x == b) return;
    if (symmetric_) {
      std::swap(identity[b], identity[x]);
    } else {
      const Point y = third(level, x);
      identity[b] = x;
      identity[x] = y;
      identity[y] = b;
    }
  }

  bool symmetric_;
  std::vector<Point> points_;
  std::vector<std::size_t> place_;
};

/// A cycle of prime length p with n/2 < p < n-2: its other cycles are shorter, so a power is a p-cycle.
bool has_jordan_cycle(std::span<const Point> g) {
  const std::size_t n = g.size();
  std::vector<char> seen(n, 0);
  for (Point start = 0; start < n; ++start) {
    std::size_t length = 0;
    for (Point x = start; !seen[x]; x = g[x]) {
      seen[x] = 1;
      ++length;
    }
    if (2 * length > n) return length + 2 < n && is_prime(length);
  }
  return false;
}

}  // namespace

std::shared_ptr<const StabilizerChain::State> giant_chain_state(std::size_t degree, bool symmetric,
                                                                std::span<const Point> first) {
  return std::make_shared<GiantState>(degree, symmetric, first);
}

int recognize_giant(std::size_t degree, std::span<const Permutation> generators, Rng& rng, const Task& task) {
  if (degree < 8 || generators.size() < 2) return 0;
  if (orbit_tree(0, degree, generators).points.size() != degree) return 0;
  // The proportion of such elements in a giant is about log 2 / log n; 7 log n / log 2 trials miss with
  // probability e^-7.
  std::size_t trials = 14;
  for (std::size_t m = degree; m > 1; m /= 2) trials += 7;
  auto words = random_images<Point>(degree, generators);
  bool found = false;
  for (std::size_t trial = 0; trial < trials && !found; ++trial) {
    task.poll();
    found = has_jordan_cycle(words.next(rng));
  }
  if (!found) return 0;
  for (const Permutation& g : generators)
    if (!g.is_even()) return 2;
  return 1;
}

Integer order_with_giant_orbit(std::size_t degree, std::span<const Permutation> generators, Rng& rng) {
  const auto all = orbits(degree, generators);
  if (all.empty()) return 0;
  const auto longest =
      std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  std::vector<Point> number(degree), others;
  for (std::size_t i = 0; i < longest->size(); ++i) number[(*longest)[i]] = static_cast<Point>(i);
  for (const auto& orbit : all)
    if (&orbit != &*longest && orbit.size() > 1)
      for (const Point x : orbit) {
        number[x] = static_cast<Point>(others.size());
        others.push_back(x);
      }
  if (others.size() >= longest->size()) return 0;
  const auto r = static_cast<Point>(others.size());
  std::vector<Permutation> on_longest, on_others;
  for (const Permutation& g : generators) {
    std::vector<Point> a, b;
    for (const Point x : *longest) a.push_back(number[g(x)]);
    for (const Point x : others) b.push_back(number[g(x)]);
    on_longest.push_back(Permutation::unchecked(std::move(a)));
    const bool even = on_longest.back().is_even();
    b.push_back(even ? r : r + 1);
    b.push_back(even ? r + 1 : r);
    on_others.push_back(Permutation::unchecked(std::move(b)));
  }
  if (recognize_giant(longest->size(), on_longest, rng) == 0) return 0;
  return factorial(longest->size()) / 2 * StabilizerChain(r + 2, on_others).order();
}

}  // namespace intertwine
