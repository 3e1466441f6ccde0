// The isotypic form of the GPU, its products emulated on the processor, against the processor's own: every offset, leading
// dimension and transposition that cuBLAS would get.
#include <catch2/catch.hpp>
#include <cmath>

#include "intertwine/error.hpp"
#include "intertwine/numeric/cuda_isotypic.hpp"
#include "numeric/cuda/isotypic_emulation.hpp"
#include "numeric/patterns.hpp"

using namespace intertwine;
using namespace test_patterns;
namespace cuda = numeric_detail::cuda;

namespace {

std::vector<double> random_matrix(std::uint64_t n, Rng& rng) {
  std::vector<double> out = random_numbers<double>(n * n, rng);
  for (std::uint64_t i = 0; i < n; ++i) out[i * n + i] += 3 * std::sqrt(static_cast<double>(n));  // far from singular
  return out;
}

IsotypicDecomposition random_decomposition(const std::vector<IsotypicBlock>& blocks, Rng& rng) {
  std::uint64_t rows = 0, cols = 0;
  for (const IsotypicBlock& b : blocks) {
    rows += b.copies_out * b.degree;
    cols += b.copies_in * b.degree;
  }
  return IsotypicDecomposition({blocks, random_matrix(rows, rng), random_matrix(cols, rng)});
}

const std::vector<std::vector<IsotypicBlock>>& decompositions() {
  static const std::vector<std::vector<IsotypicBlock>> all = {{{1, 1, 1, 1}},
                                                              {{1, 3, 2, 4}, {1, 1, 1, 2}},
                                                              {{2, 2, 3, 1}, {2, 4, 1, 2}},
                                                              {{4, 4, 2, 1}, {4, 8, 1, 2}},
                                                              {{1, 2, 0, 2}, {2, 2, 2, 2}, {1, 3, 2, 0}, {4, 4, 1, 1}},
                                                              {{1, 2, 0, 2}, {1, 1, 3, 0}}};
  return all;
}

template <class T>
void require_close(const std::vector<T>& got, const std::vector<double>& expected, double bound) {
  REQUIRE(got.size() == expected.size());
  double scale = 1;
  for (const double x : expected) scale = std::max(scale, std::abs(x));
  for (std::size_t k = 0; k < got.size(); ++k)
    REQUIRE(std::abs(static_cast<double>(to_number(got[k])) - expected[k]) <= bound * scale);
}

template <class T>
std::vector<T> stored_as(const std::vector<double>& from) {
  std::vector<T> out;
  for (const double x : from) out.push_back(from_number<T>(x));
  return out;
}

template <class T>
void compare(const std::vector<IsotypicBlock>& blocks, Multiplicity c, std::uint64_t batch, double bound, Rng& rng) {
  CAPTURE(blocks.size(), c.out, c.in, batch, sizeof(T));
  const IsotypicDecomposition d = random_decomposition(blocks, rng);
  const TiedPattern none(d.rows(), 1, 0, std::vector<std::uint8_t>(d.rows(), 0));
  const auto theta = random_numbers<double>(d.params() * c.out * c.in, rng);
  const auto x = random_numbers<double>(batch * c.in * d.cols(), rng);
  const auto dy = random_numbers<double>(batch * c.out * d.rows(), rng);
  const auto layer = IsotypicLinear<double>(d, none, c).with_parameters(theta);
  std::vector<double> y(dy.size()), dx(x.size()), dtheta(theta.size());
  layer.forward(batch, x, y);
  layer.backward(batch, x, dy, dx, dtheta, {});
  cuda::IsotypicEmulation<T, SumOf<T>> emulation(d, c, batch);
  const auto narrow_x = stored_as<T>(x), narrow_dy = stored_as<T>(dy);
  require_close(emulation.forward(stored_as<T>(theta), narrow_x), y, bound);
  const auto [got_dx, got_dtheta] = emulation.backward(narrow_x, narrow_dy);
  require_close(got_dx, dx, bound);
  require_close(got_dtheta, dtheta, bound);
  const auto twice = emulation.backward(narrow_x, narrow_dy, true).second;  // a second piece of a batch is added
  for (double& value : dtheta) value *= 2;
  require_close(twice, dtheta, 2 * bound);
}

}  // namespace

TEST_CASE("the GPU's isotypic form agrees with the processor's", "[numeric][quick]") {
  auto rng = test_rng();
  for (const auto& blocks : decompositions())
    for (const Multiplicity c : {Multiplicity{1, 1}, {2, 3}, {1, 4}, {5, 1}})
      for (const std::uint64_t batch : {1, 7}) {
        compare<double>(blocks, c, batch, 1e-12, rng);
        compare<float>(blocks, c, batch, 1e-4, rng);
        compare<Bf16>(blocks, c, batch, 0.2, rng);
        compare<Half>(blocks, c, batch, 0.03, rng);
      }
}

TEST_CASE("numbers of a ring multiply on the GPU as they do on the processor", "[numeric][quick]") {
  for (const std::uint64_t ring : {1, 2, 4}) {
    const auto e = static_cast<std::uint64_t>(ring);
    std::vector<double> one(e * e, 0);
    for (std::uint64_t i = 0; i < e; ++i) one[i * e + i] = 1;
    const IsotypicDecomposition d({{{ring, ring, 1, 1}}, one, one});
    const TiedPattern& pattern = d.data().patterns[0];
    for (std::uint32_t s = 0; s < e; ++s)
      for (std::uint32_t t = 0; t < e; ++t) {
        const int part = cuda::ring_part(static_cast<std::uint32_t>(e), s, t);
        REQUIRE(pattern.code(s, t) == static_cast<std::uint32_t>(part > 0 ? part : static_cast<int>(e) - part));
      }
  }
}

TEST_CASE("products of the plan stay in their arrays, and a wrong one is noticed", "[numeric][quick]") {
  cuda::Gemm g{false, false, 3, 2, 4, {0, 0, 3, 0}, {1, 0, 4, 0}, {2, 0, 3, 0}};
  REQUIRE(cuda::within(g, 12, 8, 6));
  REQUIRE_FALSE(cuda::within(g, 11, 8, 6));
  REQUIRE_FALSE(cuda::within(g, 12, 7, 6));
  REQUIRE_FALSE(cuda::within(g, 12, 8, 5));
  g.c.ld = 2;
  REQUIRE_FALSE(cuda::within(g, 12, 8, 6));
}

TEST_CASE("without a device or cuBLAS the isotypic form says so", "[numeric][quick]") {
  REQUIRE_THROWS_AS(CudaProducts(cuda_devices()), DomainError);
  if (cuda_devices() == 0) REQUIRE_THROWS_WITH(CudaProducts(0), Catch::Contains("CUDA"));
}
