// Permutations: arithmetic, cycles and text.
#include "intertwine/combinatorics/permutation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "intertwine/error.hpp"
#include "text_cursor.hpp"

namespace intertwine {

namespace {

/// Calls f(length) for every cycle, fixed points included.
template <class F>
void for_each_cycle_length(std::span<const Point> images, F f) {
  std::vector<char> seen(images.size(), 0);
  for (Point start = 0; start < images.size(); ++start) {
    if (seen[start]) continue;
    std::uint64_t length = 0;
    for (Point x = start; !seen[x]; x = images[x], ++length) seen[x] = 1;
    f(length);
  }
}

/// Calls f(cycle) for every cycle, fixed points included; a cycle is listed along g from its least point.
template <class F>
void for_each_cycle(std::span<const Point> images, F f) {
  std::vector<char> seen(images.size(), 0);
  std::vector<Point> cycle;
  for (Point start = 0; start < images.size(); ++start) {
    if (seen[start]) continue;
    cycle.clear();
    for (Point x = start; !seen[x]; x = images[x]) {
      seen[x] = 1;
      cycle.push_back(x);
    }
    f(std::as_const(cycle));
  }
}

}  // namespace

Permutation::Permutation(std::vector<Point> images) : images_(std::move(images)) {
  if (images_.size() > max_degree)
    throw DomainError(fmt::format("Permutation: the degree {} exceeds 2^31 - 1", images_.size()));
  std::vector<char> seen(images_.size(), 0);
  for (std::size_t i = 0; i < images_.size(); ++i) {
    const Point y = images_[i];
    if (y >= images_.size())
      throw DomainError(fmt::format("Permutation: the image {} of point {} is out of range 0..{} (arrays are 0-based)",
                                    y, i, images_.size() - 1));
    if (seen[y])
      throw DomainError(fmt::format("Permutation: {} is the image of two points, the second one {} (0-based)", y, i));
    seen[y] = 1;
  }
}

Permutation Permutation::identity(std::size_t degree) {
  if (degree > max_degree) throw DomainError(fmt::format("Permutation: the degree {} exceeds 2^31 - 1", degree));
  std::vector<Point> images(degree);
  std::iota(images.begin(), images.end(), Point{0});
  return unchecked(std::move(images));
}

Permutation Permutation::unchecked(std::vector<Point> images) {
  Permutation g;
  g.images_ = std::move(images);
  return g;
}

bool Permutation::is_identity() const {
  for (Point i = 0; i < images_.size(); ++i)
    if (images_[i] != i) return false;
  return true;
}

bool Permutation::is_even() const {
  std::size_t cycles = 0;
  for_each_cycle_length(images_, [&](std::uint64_t) { ++cycles; });
  return (images_.size() - cycles) % 2 == 0;
}

Integer Permutation::order() const {
  constexpr std::uint64_t half = std::uint64_t{1} << 32;
  Integer large = 1;
  std::uint64_t small = 1;  // the order is lcm(large, small)
  for_each_cycle_length(images_, [&](std::uint64_t length) {
    if (length == 1 || small % length == 0) return;
    if (small >= half) large = lcm(large, Integer(small)), small = 1;
    small = std::lcm(small, length);
  });
  return large == 1 ? Integer(small) : Integer(lcm(large, Integer(small)));
}

std::vector<Point> Permutation::cycle_type() const {
  std::vector<Point> lengths;
  for_each_cycle_length(images_, [&](std::uint64_t length) { lengths.push_back(static_cast<Point>(length)); });
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  return lengths;
}

std::size_t Permutation::number_of_fixed_points() const {
  std::size_t count = 0;
  for (Point i = 0; i < images_.size(); ++i) count += images_[i] == i;
  return count;
}

Permutation Permutation::inverse() const {
  std::vector<Point> result(images_.size());
  for (Point i = 0; i < images_.size(); ++i) result[images_[i]] = i;
  return unchecked(std::move(result));
}

Permutation Permutation::power(const Integer& k) const {
  constexpr int few = 8;  // products are faster than a walk along the cycles
  if (k == -1) return inverse();
  if (k >= 0 && k <= few) {
    if (k == 0) return identity(degree());
    const int times = k.convert_to<int>();
    std::vector<Point> result = images_;
    for (int done = 1; done < times; ++done)
      for (Point& x : result) x = images_[x];
    return unchecked(std::move(result));
  }
  std::vector<Point> result(images_.size());
  for_each_cycle(images_, [&](const auto& cycle) {
    const std::size_t s = mpz_fdiv_ui(k.backend().data(), cycle.size());  // rounds down: also right for k < 0
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const std::size_t target = i + s;
      result[cycle[i]] = cycle[target < cycle.size() ? target : target - cycle.size()];
    }
  });
  return unchecked(std::move(result));
}

std::string Permutation::to_string() const {
  std::string text;
  for_each_cycle(images_, [&](const auto& cycle) {
    if (cycle.size() == 1) return;
    for (std::size_t i = 0; i < cycle.size(); ++i) text += (i == 0 ? "(" : ",") + std::to_string(cycle[i] + 1);
    text += ')';
  });
  return text.empty() ? "()" : text;
}

Permutation operator*(const Permutation& g, const Permutation& h) {
  if (g.degree() != h.degree())
    throw DomainError(fmt::format("product of permutations of different degrees, {} and {}", g.degree(), h.degree()));
  std::vector<Point> result(g.degree());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = g.images_[h.images_[i]];
  return Permutation::unchecked(std::move(result));
}

namespace {

/// Reads disjoint cycles; the points are checked to be distinct and in range as they come.
class CycleReader : TextCursor {
 public:
  CycleReader(std::string_view text, std::size_t degree) : TextCursor(text), degree_(degree) {}

  std::vector<std::vector<Point>> read() {
    std::vector<std::vector<Point>> cycles;
    if (at_end()) fail("expected a permutation in cycles like (1,2,3)(4,5)", at_);
    while (!at_end()) cycles.push_back(read_cycle());
    return cycles;
  }
  /// The largest point read, 1-based.
  std::size_t largest() const { return largest_; }

 private:
  std::vector<Point> read_cycle() {
    expect('(', "expected '(' to begin a cycle");
    std::vector<Point> cycle;
    while (!accept(')')) {
      if (at_end()) fail("the cycle is not closed with ')'", at_);
      if (!cycle.empty() && !accept(',') && !peek_digit()) fail("expected ',' or ')' in a cycle", at_);
      cycle.push_back(read_point());
    }
    return cycle;
  }

  Point read_point() {
    skip();
    const std::size_t start = at_;
    const std::size_t bound = degree_ != 0 ? degree_ : max_inferred_degree;
    const std::size_t value = number(max_degree).value_or(max_degree + 1);
    if (at_ == start) fail("expected a point (a positive integer)", at_);
    if (value == 0) fail("points are numbered from 1", start);
    if (value > bound) fail(too_large(text_.substr(start, at_ - start)), start);
    if (!seen_.insert(static_cast<Point>(value)).second)
      fail(fmt::format("point {} occurs twice; cycles must be disjoint", value), start);
    largest_ = std::max(largest_, value);
    return static_cast<Point>(value - 1);
  }

  std::string too_large(std::string_view digits) const {
    if (degree_ == 0)
      return fmt::format("the point is too large: without a degree, points go up to {}", max_inferred_degree);
    return digits.size() > 20 ? fmt::format("the point exceeds the degree {}", degree_)
                              : fmt::format("point {} exceeds the degree {}", digits, degree_);
  }

  std::size_t degree_;
  std::size_t largest_ = 0;
  std::unordered_set<Point> seen_;
};

}  // namespace

Permutation parse_permutation(std::string_view text, std::size_t degree) {
  if (degree > max_degree) throw DomainError(fmt::format("parse_permutation: the degree {} exceeds 2^31 - 1", degree));
  CycleReader reader(text, degree);
  const auto cycles = reader.read();
  std::vector<Point> images(degree != 0 ? degree : reader.largest());
  std::iota(images.begin(), images.end(), Point{0});
  for (const auto& cycle : cycles)
    for (std::size_t i = 0; i < cycle.size(); ++i) images[cycle[i]] = cycle[i + 1 == cycle.size() ? 0 : i + 1];
  return Permutation::unchecked(std::move(images));
}

Permutation random_permutation(std::size_t degree, Rng& rng) {
  std::vector<Point> images(degree);
  std::iota(images.begin(), images.end(), Point{0});
  for (std::size_t i = degree; i > 1; --i) std::swap(images[i - 1], images[rng.below(i)]);
  return Permutation::unchecked(std::move(images));
}

}  // namespace intertwine
