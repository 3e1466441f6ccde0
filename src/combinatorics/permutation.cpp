#include "intertwine/combinatorics/permutation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

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
  if (images_.size() > max_degree) throw DomainError("Permutation: the degree exceeds 2^31 - 1");
  std::vector<char> seen(images_.size(), 0);
  for (std::size_t i = 0; i < images_.size(); ++i) {
    const Point y = images_[i];
    if (y >= images_.size())
      throw DomainError(
          fmt::format("Permutation: the image {} of point {} is out of range 0..{} (arrays are 0-based)", y,
                      i, images_.size() - 1));
    if (seen[y])
      throw DomainError(
          fmt::format("Permutation: {} is the image of two points, the second one {} (0-based)", y, i));
    seen[y] = 1;
  }
}

Permutation Permutation::identity(std::size_t degree) {
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
  for_each_cycle(images_, [&](const auto&) { ++cycles; });
  return (images_.size() - cycles) % 2 == 0;
}

Integer Permutation::order() const {
  std::map<std::size_t, bool> lengths;
  for_each_cycle(images_, [&](const auto& cycle) { lengths[cycle.size()] = true; });
  Integer result = 1;
  for (const auto& [length, present] : lengths) result = lcm(result, Integer(length));
  return result;
}

std::vector<Point> Permutation::cycle_type() const {
  std::vector<Point> lengths;
  for_each_cycle(images_, [&](const auto& cycle) { lengths.push_back(static_cast<Point>(cycle.size())); });
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
  std::vector<Point> result(images_.size());
  for_each_cycle(images_, [&](const auto& cycle) {
    const Integer length(cycle.size());
    Integer shift = k % length;
    if (shift < 0) shift += length;
    const auto s = static_cast<std::size_t>(shift);
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
    for (std::size_t i = 0; i < cycle.size(); ++i)
      text += (i == 0 ? "(" : ",") + std::to_string(cycle[i] + 1);
    text += ')';
  });
  return text.empty() ? "()" : text;
}

Permutation operator*(const Permutation& g, const Permutation& h) {
  if (g.degree() != h.degree())
    throw DomainError(
        fmt::format("product of permutations of different degrees, {} and {}", g.degree(), h.degree()));
  std::vector<Point> result(g.degree());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = g.images_[h.images_[i]];
  return Permutation::unchecked(std::move(result));
}

Permutation parse_permutation(std::string_view text, std::size_t degree) {
  const std::string whole(text);
  const auto fail = [&](const std::string& message, std::size_t at) { throw ParseError(message, whole, at); };
  std::size_t at = 0;
  const auto skip = [&] {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
  };
  std::vector<std::vector<Point>> cycles;
  std::map<std::uint64_t, std::size_t> seen;
  std::uint64_t largest = 0;
  skip();
  if (at == text.size()) fail("expected a permutation in cycles like (1,2,3)(4,5)", at);
  while (at < text.size()) {
    if (text[at] != '(') fail("expected '(' to begin a cycle", at);
    ++at;
    std::vector<Point> cycle;
    skip();
    while (at < text.size() && text[at] != ')') {
      if (!cycle.empty()) {
        if (text[at] != ',') fail("expected ',' or ')' in a cycle", at);
        ++at;
        skip();
      }
      const std::size_t start = at;
      std::uint64_t value = 0;
      while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]))) {
        value = value * 10 + static_cast<std::uint64_t>(text[at++] - '0');
        if (value > max_degree) fail("the point is too large", start);
      }
      if (at == start) fail("expected a point (a positive integer)", at);
      if (value == 0) fail("points are numbered from 1", start);
      if (degree != 0 && value > degree)
        fail(fmt::format("point {} exceeds the degree {}", value, degree), start);
      if (!seen.emplace(value, start).second)
        fail(fmt::format("point {} occurs twice; cycles must be disjoint", value), start);
      largest = std::max(largest, value);
      cycle.push_back(static_cast<Point>(value - 1));
      skip();
    }
    if (at == text.size()) fail("the cycle is not closed with ')'", at);
    ++at;
    skip();
    cycles.push_back(std::move(cycle));
  }
  std::vector<Point> images(degree != 0 ? degree : largest);
  std::iota(images.begin(), images.end(), Point{0});
  for (const auto& cycle : cycles)
    for (std::size_t i = 0; i < cycle.size(); ++i) images[cycle[i]] = cycle[(i + 1) % cycle.size()];
  return Permutation::unchecked(std::move(images));
}

Permutation random_permutation(std::size_t degree, Rng& rng) {
  std::vector<Point> images(degree);
  std::iota(images.begin(), images.end(), Point{0});
  for (std::size_t i = degree; i > 1; --i) std::swap(images[i - 1], images[rng.below(i)]);
  return Permutation::unchecked(std::move(images));
}

}  // namespace intertwine
