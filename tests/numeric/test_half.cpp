// fp16: every pattern of bits, and rounding against a search among all values.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "numeric/patterns.hpp"
#include "numeric/sparse_basis.hpp"

using namespace intertwine;
using namespace test_patterns;

namespace {

// The value of a half from its definition.
double value_of(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31U), digits = static_cast<int>(bits & 1023U);
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  if (exponent == 31)
    return digits == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  return sign * (exponent == 0 ? std::ldexp(digits, -24) : std::ldexp(1024 + digits, exponent - 25));
}

Half half(unsigned bits) { return {static_cast<std::uint16_t>(bits)}; }

}  // namespace

TEST_CASE("every fp16 has its value, and comes back from it", "[numeric][quick]") {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const float x = to_float(half(bits));
    const double expected = value_of(bits);
    if (std::isnan(expected)) {
      REQUIRE(std::isnan(x));
      REQUIRE(std::isnan(to_float(to_half(x))));
      continue;
    }
    REQUIRE(static_cast<double>(x) == expected);
    REQUIRE(to_half(x) == half(bits));
    REQUIRE(to_float(-half(bits)) == -x);
  }
}

TEST_CASE("fp16 is rounded to nearest, ties to even", "[numeric][quick]") {
  // Halfway between neighbours, and just beside it; the last neighbour is 65536, which is infinity.
  for (unsigned bits = 0; bits < 0x7c00U; ++bits) {
    const double low = value_of(bits), high = bits == 0x7bffU ? 65536.0 : value_of(bits + 1);
    const auto middle = static_cast<float>((low + high) / 2);
    REQUIRE(static_cast<double>(middle) == (low + high) / 2);
    const Half even = half(bits % 2 == 0 ? bits : bits + 1);
    REQUIRE(to_half(middle) == even);
    REQUIRE(to_half(-middle) == -even);
    REQUIRE(to_half(std::nextafter(middle, 0.0F)) == half(bits));
    REQUIRE(to_half(std::nextafter(middle, 1e9F)) == half(bits + 1));
  }
  REQUIRE(to_half(1e9F) == half(0x7c00U));
  REQUIRE(to_half(-std::numeric_limits<float>::infinity()) == half(0xfc00U));
  REQUIRE(to_half(std::numeric_limits<float>::denorm_min()) == half(0));
  REQUIRE(to_half(-0.0F) == half(0x8000U));
  REQUIRE(std::isnan(to_float(to_half(std::numeric_limits<float>::signaling_NaN()))));
}

TEST_CASE("the sums of fp16 are those of floats, bit by bit", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Shape& shape : shapes())
    for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{2, 3}}) {
      const TiedPattern pattern = random_pattern(shape, Kind::dense, rng);
      const auto dW = random_numbers<Half>(shape.rows * shape.cols * c.out * c.in, rng);
      std::vector<float> wide;
      for (const Half x : dW) wide.push_back(to_float(x));
      std::vector<float> got(shape.params * c.out * c.in, 3), expected(got);
      reduce_gradient<Half>(pattern, c, dW, got, 0, 2);
      reduce_gradient<float>(pattern, c, wide, expected);
      REQUIRE(same_bits(got, expected));
    }
}

TEST_CASE("fp16 weights of a general basis", "[numeric][quick]") {
  const std::vector<std::int64_t> ptr = {0, 2, 3};
  const std::vector<std::int32_t> row = {0, 1, 0}, col = {1, 0, 1};
  const std::vector<double> val = {2, -1, 1};
  const SparseBasis basis(2, 2, ptr, row, col, val);
  const std::vector<Half> theta = {to_half(5), to_half(7)};
  std::vector<Half> W(4);
  materialise<Half>(basis, {1, 1}, theta, W);
  REQUIRE(W == std::vector<Half>{to_half(0), to_half(17), to_half(-5), to_half(0)});
  std::vector<float> sums(2);
  reduce_gradient<Half>(basis, {1, 1}, W, sums);
  REQUIRE(sums == std::vector<float>{39, 17});
}
