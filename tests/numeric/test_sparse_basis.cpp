// General sparse bases against dense sums, and against tied patterns where the basis is one.
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "numeric/patterns.hpp"
#include "numeric/sparse_basis.hpp"

using namespace intertwine;
using namespace test_patterns;

namespace {

struct Arrays {
  std::vector<std::int64_t> ptr = {0};
  std::vector<std::int32_t> row, col;
  std::vector<double> val;
  SparseBasis basis(std::uint64_t rows, std::uint64_t cols) const { return {rows, cols, ptr, row, col, val}; }
};

Arrays random_arrays(const Shape& shape, Rng& rng) {
  Arrays out;
  for (std::uint64_t k = 0; k < shape.params; ++k) {
    for (std::uint64_t e = rng.below(2 * shape.cols + 1); shape.rows * shape.cols > 0 && e > 0; --e) {
      out.row.push_back(static_cast<std::int32_t>(rng.below(shape.rows)));
      out.col.push_back(static_cast<std::int32_t>(rng.below(shape.cols)));
      out.val.push_back(static_cast<double>(rng.below(9)) - 4);
    }
    out.ptr.push_back(static_cast<std::int64_t>(out.val.size()));
  }
  return out;
}

}  // namespace

TEST_CASE("sparse bases are summed exactly on integers, and their maps are adjoint", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Shape& shape : {Shape{0, 0, 2}, Shape{3, 4, 0}, Shape{5, 7, 4}, Shape{40, 30, 25}})
    for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{2, 3}}) {
      const Arrays arrays = random_arrays(shape, rng);
      const SparseBasis basis = arrays.basis(shape.rows, shape.cols);
      REQUIRE(basis.params() == shape.params);
      const auto theta = random_integers<double>(shape.params * c.out * c.in, rng);
      const auto dW = random_integers<double>(c.out * shape.rows * c.in * shape.cols, rng);
      std::vector<double> expected(dW.size(), 0.0), gradient(theta.size(), 0.0);
      for (std::uint64_t k = 0; k < shape.params; ++k)
        for (auto e = static_cast<std::size_t>(arrays.ptr[k]); e < static_cast<std::size_t>(arrays.ptr[k + 1]); ++e)
          for (std::uint64_t co = 0; co < c.out; ++co)
            for (std::uint64_t ci = 0; ci < c.in; ++ci) {
              const std::size_t at =
                  ((co * shape.rows + static_cast<std::size_t>(arrays.row[e])) * c.in + ci) * shape.cols +
                  static_cast<std::size_t>(arrays.col[e]);
              const std::size_t p = (k * c.out + co) * c.in + ci;
              expected[at] += arrays.val[e] * theta[p];
              gradient[p] += arrays.val[e] * dW[at];
            }
      for (const unsigned threads : {1U, 2U}) {
        std::vector<double> W(dW.size(), 5), dtheta(theta.size(), 5);
        materialise<double>(basis, c, theta, W, 0, threads);
        reduce_gradient<double>(basis, c, dW, dtheta, 0, threads);
        REQUIRE(W == expected);
        REQUIRE(dtheta == gradient);
      }
      // With gaps between the rows, which stay as they are; small integers are exact in bfloat16.
      const std::uint64_t width = c.in * shape.cols, stride = width + 3;
      std::vector<Bf16> theta16(theta.size()), W16(c.out * shape.rows * stride, Bf16{7});
      std::transform(theta.begin(), theta.end(), theta16.begin(),
                     [](double t) { return to_bf16(static_cast<float>(t)); });
      materialise<Bf16>(basis, c, theta16, W16, stride);
      for (std::uint64_t at = 0; at < W16.size(); ++at) {
        const std::uint64_t row = at / stride, col = at % stride;
        const Bf16 wanted = col < width ? to_bf16(static_cast<float>(expected[row * width + col])) : Bf16{7};
        REQUIRE(W16[at] == wanted);
      }
      std::vector<float> sums16(theta.size());
      reduce_gradient<Bf16>(basis, c, W16, sums16, stride);
      const std::vector<float> narrow(theta.begin(), theta.end());
      std::vector<float> W(dW.size());
      materialise<float>(basis, c, narrow, W);
      REQUIRE(std::equal(W.begin(), W.end(), expected.begin(),
                         [](float a, double b) { return static_cast<double>(a) == b; }));
    }
}

TEST_CASE("a tied pattern written as a sparse basis gives the same weights", "[numeric][quick]") {
  auto rng = test_rng();
  const TiedPattern pattern = random_pattern({20, 30, 12}, Kind::dense, rng);
  Arrays arrays;
  for (std::uint32_t k = 1; k <= 12; ++k) {
    for (std::uint64_t i = 0; i < 20; ++i)
      for (std::uint64_t j = 0; j < 30; ++j)
        if (const auto code = pattern.code(i, j); code == k || code == k + 12) {
          arrays.row.push_back(static_cast<std::int32_t>(i));
          arrays.col.push_back(static_cast<std::int32_t>(j));
          arrays.val.push_back(code == k ? 1 : -1);
        }
    arrays.ptr.push_back(static_cast<std::int64_t>(arrays.val.size()));
  }
  const auto theta = random_numbers<float>(12 * 6, rng);
  std::vector<float> a(600 * 6), b(600 * 6);
  materialise<float>(pattern, {2, 3}, theta, a);
  materialise<float>(arrays.basis(20, 30), {2, 3}, theta, b);
  REQUIRE(a == b);
}

TEST_CASE("sparse bases that make no sense are refused", "[numeric][quick]") {
  const Arrays good{{0, 2}, {0, 1}, {1, 0}, {1, -2}};
  REQUIRE(good.basis(2, 2).entries() == 2);
  for (const Arrays& bad : {Arrays{{}, {0, 1}, {1, 0}, {1, 2}}, Arrays{{1, 2}, {0, 1}, {1, 0}, {1, 2}},
                            Arrays{{0, 1}, {0, 1}, {1, 0}, {1, 2}}, Arrays{{0, 2, 1, 2}, {0, 1}, {1, 0}, {1, 2}},
                            Arrays{{0, 2}, {0, 2}, {1, 0}, {1, 2}}, Arrays{{0, 2}, {0, 1}, {-1, 0}, {1, 2}},
                            Arrays{{0, 2}, {0}, {1, 0}, {1, 2}}, Arrays{{0, -5, 2}, {0, 1}, {1, 0}, {1, 2}}})
    REQUIRE_THROWS_AS(bad.basis(2, 2), DomainError);
  std::vector<double> W(4), theta(2);
  REQUIRE_THROWS_AS(materialise<double>(good.basis(2, 2), {1, 1}, theta, W), DomainError);
  REQUIRE_THROWS_AS(reduce_gradient<double>(good.basis(2, 2), {1, 1}, theta, theta), DomainError);
}
