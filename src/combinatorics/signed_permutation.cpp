// Signed permutations: arithmetic and checks.
#include "intertwine/combinatorics/signed_permutation.hpp"

#include <fmt/format.h>

#include <utility>

#include "intertwine/error.hpp"

namespace intertwine {

SignedPermutation::SignedPermutation(std::vector<SignedPoint> images) : images_(std::move(images)) {
  std::vector<Point> points;
  points.reserve(images_.size());
  for (const SignedPoint x : images_) points.push_back(x.point());
  static_cast<void>(Permutation(std::move(points)));
}

SignedPermutation::SignedPermutation(const Permutation& g) {
  images_.reserve(g.degree());
  for (const Point x : g.images()) images_.emplace_back(x);
}

SignedPermutation SignedPermutation::identity(std::size_t degree) {
  if (degree > max_degree) throw DomainError(fmt::format("SignedPermutation: the degree {} exceeds 2^31 - 1", degree));
  std::vector<SignedPoint> images(degree);
  for (std::size_t i = 0; i < degree; ++i) images[i] = SignedPoint(static_cast<Point>(i));
  return unchecked(std::move(images));
}

SignedPermutation SignedPermutation::unchecked(std::vector<SignedPoint> images) {
  SignedPermutation g;
  g.images_ = std::move(images);
  return g;
}

bool SignedPermutation::is_identity() const {
  for (Point i = 0; i < images_.size(); ++i)
    if (images_[i] != SignedPoint(i)) return false;
  return true;
}

bool SignedPermutation::is_unsigned() const {
  for (const SignedPoint x : images_)
    if (x.negative()) return false;
  return true;
}

Permutation SignedPermutation::permutation() const {
  std::vector<Point> images;
  images.reserve(images_.size());
  for (const SignedPoint x : images_) images.push_back(x.point());
  return Permutation::unchecked(std::move(images));
}

std::int64_t SignedPermutation::trace() const {
  std::int64_t sum = 0;
  for (Point i = 0; i < images_.size(); ++i)
    if (images_[i].point() == i) sum += images_[i].sign();
  return sum;
}

SignedPermutation SignedPermutation::inverse() const {
  std::vector<SignedPoint> result(images_.size());
  for (Point i = 0; i < images_.size(); ++i) result[images_[i].point()] = SignedPoint(i, images_[i].negative());
  return unchecked(std::move(result));
}

std::string SignedPermutation::to_string() const {
  std::string text;
  std::vector<char> seen(images_.size(), 0);
  for (Point start = 0; start < images_.size(); ++start) {
    if (seen[start] || images_[start] == SignedPoint(start)) continue;
    std::string cycle;
    Point x = start;
    bool negative = false;
    do {
      seen[x] = 1;
      cycle += (cycle.empty() ? "(" : ",") + std::string(negative ? "-" : "") + std::to_string(x + 1);
      negative = images_[x].negative();
      x = images_[x].point();
    } while (x != start);
    if (negative) cycle += ",-" + std::to_string(start + 1);
    text += cycle + ")";
  }
  return text.empty() ? "()" : text;
}

SignedPermutation operator*(const SignedPermutation& g, const SignedPermutation& h) {
  if (g.degree() != h.degree())
    throw DomainError(
        fmt::format("product of signed permutations of different degrees, {} and {}", g.degree(), h.degree()));
  std::vector<SignedPoint> result(g.degree());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = g(h.images_[i]);
  return SignedPermutation::unchecked(std::move(result));
}

}  // namespace intertwine
