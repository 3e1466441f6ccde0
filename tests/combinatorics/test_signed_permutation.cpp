#include "intertwine/combinatorics/signed_permutation.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "intertwine/error.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

using Matrix = std::vector<std::vector<int>>;

/// Column i holds the image of e_i.
Matrix matrix(const SignedPermutation& g) {
  Matrix m(g.degree(), std::vector<int>(g.degree(), 0));
  for (Point i = 0; i < g.degree(); ++i) m[g(i).point()][i] = g(i).sign();
  return m;
}

Matrix product(const Matrix& a, const Matrix& b) {
  const std::size_t n = a.size();
  Matrix c(n, std::vector<int>(n, 0));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}

Matrix transposed(const Matrix& a) {
  Matrix t = a;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j) t[j][i] = a[i][j];
  return t;
}

/// 1-based images with a sign, as people write them.
SignedPermutation S(const std::vector<int>& images) {
  std::vector<SignedPoint> points;
  for (const int x : images) points.emplace_back(static_cast<Point>((x < 0 ? -x : x) - 1), x < 0);
  return SignedPermutation(points);
}

SignedPermutation some_signed_permutation(std::size_t degree, Rng& rng) {
  const Permutation g = random_permutation(degree, rng);
  std::vector<SignedPoint> images;
  for (const Point x : g.images()) images.emplace_back(x, rng.below(2) == 1);
  return SignedPermutation(images);
}

}  // namespace

TEST_CASE("a signed point packs a point and a sign", "[combinatorics][quick]") {
  const SignedPoint x(5, true);
  REQUIRE(x.point() == 5);
  REQUIRE(x.negative());
  REQUIRE(x.sign() == -1);
  REQUIRE(x.code() == 11);
  REQUIRE(SignedPoint::from_code(11) == x);
  REQUIRE(x.flipped(true) == SignedPoint(5));
  REQUIRE(x.flipped(false) == x);
  const SignedPoint last(static_cast<Point>(max_degree), true);
  REQUIRE(last.point() == max_degree);
  REQUIRE(last.negative());
}

TEST_CASE("signed permutations multiply as their matrices do", "[combinatorics][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 200 * test_multiplier(); ++trial) {
    const std::size_t n = rng.below(7);
    const SignedPermutation g = some_signed_permutation(n, rng);
    const SignedPermutation h = some_signed_permutation(n, rng);
    CAPTURE(trial, g.to_string(), h.to_string());
    REQUIRE(matrix(g * h) == product(matrix(g), matrix(h)));
    REQUIRE(matrix(g.inverse()) == transposed(matrix(g)));  // orthogonal
    REQUIRE((g * g.inverse()).is_identity());
    REQUIRE((g * h).permutation() == g.permutation() * h.permutation());
    int trace = 0;
    for (std::size_t i = 0; i < n; ++i) trace += matrix(g)[i][i];
    REQUIRE(g.trace() == trace);
    for (Point i = 0; i < n; ++i) {
      REQUIRE(g(SignedPoint(i)) == g(i));
      REQUIRE(g(SignedPoint(i, true)) == g(i).flipped(true));
      REQUIRE((g * h)(i) == g(h(i)));
    }
  }
}

TEST_CASE("unsigned ones are the permutations", "[combinatorics][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 50 * test_multiplier(); ++trial) {
    const Permutation g = random_permutation(rng.below(9), rng);
    const SignedPermutation s(g);
    REQUIRE(s.is_unsigned());
    REQUIRE(s.permutation() == g);
    REQUIRE(s.to_string() == g.to_string());
    REQUIRE(s.is_identity() == g.is_identity());
    REQUIRE(s.trace() == static_cast<std::int64_t>(g.number_of_fixed_points()));
  }
  REQUIRE(SignedPermutation::identity(4) == SignedPermutation(Permutation::identity(4)));
  REQUIRE_FALSE(S({1, -2}).is_unsigned());
  REQUIRE_FALSE(S({1, -2}).is_identity());
}

TEST_CASE("the text shows every sign", "[combinatorics][quick]") {
  REQUIRE(S({1, 2}).to_string() == "()");
  REQUIRE(S({-1, 2}).to_string() == "(1,-1)");
  REQUIRE(S({-2, 1}).to_string() == "(1,-2)");
  REQUIRE(S({2, -1}).to_string() == "(1,2,-1)");
  REQUIRE(S({-2, -1}).to_string() == "(1,-2,-1)");
  REQUIRE(S({2, 3, 1, -4}).to_string() == "(1,2,3)(4,-4)");
  REQUIRE(SignedPermutation().to_string() == "()");
}

TEST_CASE("what is no signed permutation is refused", "[combinatorics][quick]") {
  using Catch::Matchers::Contains;
  REQUIRE_THROWS_WITH(S({1, -1}), Contains("0 is the image of two points"));
  REQUIRE_THROWS_WITH(S({1, 3}), Contains("image 2 of point 1"));
  REQUIRE_THROWS_AS(S({1, 3}), DomainError);
  REQUIRE_THROWS_AS(S({1, 2}) * S({1}), DomainError);
  REQUIRE_THROWS_AS(SignedPermutation::identity(max_degree + 1), DomainError);
}
