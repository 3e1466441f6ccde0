// The CUDA kernels without a device: their bodies, run on the processor, against the plain reference. On a device the same
// comparison is made bit by bit by gpu_check.cpp.
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/numeric/cuda.hpp"
#include "numeric/cuda/emulation.hpp"
#include "numeric/patterns.hpp"

using namespace intertwine;
using namespace test_patterns;
namespace cuda = numeric_detail::cuda;

namespace {

cuda::Shape shape_of(const TiedPattern& p, Multiplicity c) {
  return {p.rows(), p.cols(), p.params(), c.out, c.in, c.in * p.cols()};
}

}  // namespace

TEST_CASE("the CUDA materialise copies parameters bit by bit", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Shape& shape : shapes())
    for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{2, 3}}) {
      const TiedPattern pattern = random_pattern(shape, Kind::dense, rng);
      const auto run = [&]<class T>(T) {
        const auto theta = random_numbers<T>(shape.params * c.out * c.in, rng);
        const auto expected = reference_weights(pattern, c, theta);
        std::vector<T> W(expected.size());
        if constexpr (std::is_same_v<T, Bf16>)
          cuda::emulate_gather(pattern.data(), shape_of(pattern, c),
                               reinterpret_cast<const std::uint16_t*>(theta.data()),
                               reinterpret_cast<std::uint16_t*>(W.data()));
        else
          cuda::emulate_gather(pattern.data(), shape_of(pattern, c), theta.data(), W.data());
        REQUIRE(same_bits(W, expected));
      };
      run(float{});
      run(double{});
      run(Bf16{});
    }
}

TEST_CASE("the CUDA reductions sum each orbit, exactly on integers", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Shape& shape : shapes())
    for (const Kind kind : {Kind::dense, Kind::sparse, Kind::none})
      for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{2, 3}}) {
        const TiedPattern pattern = random_pattern(shape, kind, rng);
        const auto dW = random_integers<double>(shape.rows * shape.cols * c.out * c.in, rng);
        const auto expected = reference_reduction(pattern, c, dW).first;
        const std::vector<float> narrow(dW.begin(), dW.end());
        std::vector<double> got(expected.size(), 9);
        std::vector<float> single(expected.size(), 9), halves(expected.size(), 9);
        std::vector<std::uint16_t> half;
        for (const float x : narrow) half.push_back(to_bf16(x).bits);
        const auto equal = [&](const auto& values) {
          return std::equal(values.begin(), values.end(), expected.begin(), expected.end(),
                            [](auto a, double b) { return static_cast<double>(a) == b; });
        };
        cuda::emulate_segments(pattern.data(), shape_of(pattern, c), dW.data(), got.data());
        REQUIRE(equal(got));
        cuda::emulate_segments(pattern.data(), shape_of(pattern, c), half.data(), halves.data());
        REQUIRE(equal(halves));
        if (!cuda::uses_bins(pattern.data())) continue;
        cuda::emulate_bins(pattern.data(), shape_of(pattern, c), narrow.data(), single.data());
        REQUIRE(equal(single));
        cuda::emulate_bins(pattern.data(), shape_of(pattern, c), half.data(), halves.data());
        REQUIRE(equal(halves));
      }
}

TEST_CASE("CUDA pieces cover every entry once, and none crosses two parameters", "[numeric][quick]") {
  auto rng = test_rng();
  const TiedPattern pattern = random_pattern({150, 140, 3}, Kind::dense, rng);
  const cuda::SegmentTables tables = cuda::segment_tables(pattern.data());
  std::vector<int> seen(150 * 140, 0);
  for (std::uint64_t k = 0; k < 3; ++k)
    for (std::uint64_t p = tables.piece_ptr[k]; p < tables.piece_ptr[k + 1]; ++p) {
      REQUIRE(tables.pieces[p].end - tables.pieces[p].begin <= cuda::segment_piece);
      for (std::uint32_t e = tables.pieces[p].begin; e < tables.pieces[p].end; ++e) {
        const std::uint32_t at = tables.entries[e] & ~cuda::minus_bit;
        ++seen[at];
        REQUIRE(pattern.code(at / 140, at % 140) ==
                1 + k + ((tables.entries[e] & cuda::minus_bit) != 0 ? 3 : 0));
      }
    }
  for (std::uint64_t at = 0; at < seen.size(); ++at)
    REQUIRE(seen[at] == (pattern.code(at / 140, at % 140) == 0 ? 0 : 1));
}

TEST_CASE("the CUDA look-up product is exact on integers", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Shape& shape :
       {Shape{1, 1, 1}, Shape{130, 200, 15}, Shape{40, 70, 127}, Shape{5, 5, 2}, Shape{7, 3, 0}})
    for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{2, 3}}) {
      const TiedPattern pattern = random_pattern(shape, Kind::dense, rng);
      const TiedPattern bias(shape.rows, 1, 0, std::vector<std::uint8_t>(shape.rows, 0));
      const auto theta = random_integers<float>(shape.params * c.out * c.in, rng);
      const auto x = random_integers<float>(3 * c.in * shape.cols, rng);
      std::vector<float> expected(3 * c.out * shape.rows), y(expected.size());
      EquivariantLinear<float>(pattern, bias, c).with_parameters(theta).forward(3, x, expected);
      cuda::emulate_lookup(pattern.data(), shape_of(pattern, c), 3, theta.data(), x.data(), y.data());
      REQUIRE(y == expected);
    }
}

TEST_CASE("without a device everything says so", "[numeric][quick]") {
  auto rng = test_rng();
  const TiedPattern pattern = random_pattern({4, 4, 2}, Kind::dense, rng);
  REQUIRE_THROWS_AS(CudaMemory(cuda_devices(), 16), DomainError);
  REQUIRE_THROWS_AS(CudaPattern(pattern, {1, 1}, -1), DomainError);
  REQUIRE_THROWS_AS(cuda_device_name(1000), DomainError);
  if (!built_with_cuda()) {
    REQUIRE(cuda_devices() == 0);
    REQUIRE_THROWS_WITH(CudaMemory(0, 16), Catch::Contains("INTERTWINE_CUDA"));
  }
}
