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
        cuda::emulate_gather(pattern.data(), shape_of(pattern, c), theta.data(), W.data());
        REQUIRE(same_bits(W, expected));
      };
      run(float{});
      run(double{});
      run(Bf16{});
      run(Half{});
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
        std::vector<Bf16> brain;
        std::vector<Half> half;
        for (const float x : narrow) {
          brain.push_back(to_bf16(x));
          half.push_back(to_half(x));
        }
        const auto equal = [&](const auto& values) {
          return std::equal(values.begin(), values.end(), expected.begin(), expected.end(),
                            [](auto a, double b) { return static_cast<double>(a) == b; });
        };
        CAPTURE(shape.rows, shape.cols, shape.params, c.out, c.in);
        const cuda::Shape there = shape_of(pattern, c);
        cuda::emulate_tiles(pattern.data(), there, dW.data(), got.data());
        REQUIRE(equal(got));
        cuda::emulate_tiles(pattern.data(), there, half.data(), halves.data());
        REQUIRE(equal(halves));
        if (!cuda::uses_bins(pattern.data())) continue;
        cuda::emulate_bins(pattern.data(), there, narrow.data(), single.data());
        REQUIRE(equal(single));
        cuda::emulate_bins(pattern.data(), there, brain.data(), halves.data());
        REQUIRE(equal(halves));
        cuda::emulate_bins(pattern.data(), there, half.data(), halves.data());
        REQUIRE(equal(halves));
      }
}

TEST_CASE("the CUDA reduction of a large array goes through many pieces", "[numeric][quick]") {
  auto rng = test_rng();
  for (const std::uint64_t params : {1, 127, 300}) {
    const TiedPattern pattern = random_pattern({1024, 700, params}, Kind::dense, rng);
    const auto dW = random_integers<float>(1024 * 700, rng);
    const auto expected = reference_reduction(pattern, {1, 1}, {dW.begin(), dW.end()}).first;
    std::vector<float> got(params);
    const cuda::Shape shape = shape_of(pattern, {1, 1});
    if (cuda::uses_bins(pattern.data())) {
      REQUIRE(cuda::bins_plan(shape).pieces > 16);
      cuda::emulate_bins(pattern.data(), shape, dW.data(), got.data());
    } else {
      cuda::emulate_tiles(pattern.data(), shape, dW.data(), got.data());
    }
    REQUIRE(std::equal(got.begin(), got.end(), expected.begin(),
                       [](float a, double b) { return static_cast<double>(a) == b; }));
  }
}

TEST_CASE("CUDA tiles cover every entry once, by parameter", "[numeric][quick]") {
  auto rng = test_rng();
  const TiedPattern pattern = random_pattern({150, 140, 3}, Kind::dense, rng);
  const cuda::TileTables tables = cuda::tile_tables(pattern.data());
  const std::uint64_t size = cuda::tile_size(150 * 140);
  REQUIRE(tables.tiles() == 6);
  std::vector<int> seen(150 * 140, 0), slots(tables.slots(), 0);
  for (std::uint64_t tile = 0; tile < tables.tiles(); ++tile)
    for (std::uint32_t r = tables.run_ptr[tile]; r < tables.run_ptr[tile + 1]; ++r) {
      const std::uint32_t begin = tables.runs[r].begin, end = tables.runs[r + 1].begin, slot = tables.runs[r].slot;
      REQUIRE((end > begin && end - begin <= cuda::run_limit));
      ++slots.at(slot);
      std::uint64_t k = 0;
      while (tables.slot_ptr[k + 1] <= slot) ++k;
      for (std::uint32_t e = begin; e < end; ++e) {
        const bool minus = (tables.places[e] & cuda::minus_mark) != 0;
        const std::uint64_t at = tile * size + (tables.places[e] & 0x7fffU);
        ++seen.at(at);
        REQUIRE(pattern.code(at / 140, at % 140) == 1 + k + (minus ? 3 : 0));
      }
    }
  REQUIRE(std::all_of(slots.begin(), slots.end(), [](int n) { return n == 1; }));
  for (std::uint64_t at = 0; at < seen.size(); ++at)
    REQUIRE(seen[at] == (pattern.code(at / 140, at % 140) == 0 ? 0 : 1));
}

TEST_CASE("the CUDA look-up product is exact on integers", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Shape& shape : {Shape{1, 1, 1}, Shape{130, 200, 15}, Shape{40, 70, 127}, Shape{5, 5, 2}, Shape{7, 3, 0}})
    for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{2, 3}}) {
      const TiedPattern pattern = random_pattern(shape, Kind::dense, rng);
      const TiedPattern bias(shape.rows, 1, 0, std::vector<std::uint8_t>(shape.rows, 0));
      const auto theta = random_integers<float>(shape.params * c.out * c.in, rng);
      const auto x = random_integers<float>(3 * c.in * shape.cols, rng);
      std::vector<float> expected(3 * c.out * shape.rows), y(expected.size());
      BlockLayer<float>(pattern, bias, c).with_parameters(theta).forward(3, x, expected);
      cuda::emulate_lookup<float>(pattern.data(), shape_of(pattern, c), 3, theta.data(), x.data(), y.data());
      REQUIRE(y == expected);
      std::vector<Half> narrow_theta, narrow_x, narrow_y(y.size());
      for (const float v : theta) narrow_theta.push_back(to_half(v));
      for (const float v : x) narrow_x.push_back(to_half(v));
      cuda::emulate_lookup<float>(pattern.data(), shape_of(pattern, c), 3, narrow_theta.data(), narrow_x.data(),
                                  narrow_y.data());
      for (std::size_t at = 0; at < y.size(); ++at) REQUIRE(narrow_y[at] == to_half(expected[at]));
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
