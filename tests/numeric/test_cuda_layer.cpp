// Layers on GPUs: the cost model by numbers, what the layer does beside products, and what is said without a device.
#include <catch2/catch.hpp>
#include <cmath>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/numeric/cuda_layer.hpp"
#include "numeric/cuda/isotypic_emulation.hpp"
#include "numeric/cuda/products.hpp"
#include "numeric/irreducibles.hpp"
#include "numeric/patterns.hpp"
#include "numeric/require_laws.hpp"

using namespace intertwine;
using namespace test_patterns;
namespace cuda = numeric_detail::cuda;

namespace {

// Round numbers: 1 TB/s, 10 Tflop/s, look-ups of 1e12 weights a second and 4e12 with rows, 1 us a launch.
const CudaRates rates{1e12, 1e13, 1e12, 4e12, 1e-6};

}  // namespace

TEST_CASE("the cost model of the GPU is the roofline", "[numeric][quick]") {
  const CudaLayerSize size{1000, 2000, 15, {3, 2}, 4, 1};
  const double weights = 1000.0 * 2000 * 6;
  // One row: the weights are read once, and made once: written in 4 bytes, codes read in 1.
  const double read = 4 * (weights + 3000 + 4000) / 1e12 + 1e-6, made = 5 * weights / 1e12 + 1e-6;
  REQUIRE(cuda_expected_seconds(LayerForm::dense, size, 1, 1, rates) == Approx(read + made));
  REQUIRE(cuda_expected_seconds(LayerForm::dense, size, 1, 10, rates) == Approx(read + made / 10));
  // Many rows: arithmetic.
  REQUIRE(cuda_expected_seconds(LayerForm::dense, size, 4096, 1e12, rates) == Approx(2 * weights * 4096 / 1e13 + 1e-6));
  REQUIRE(cuda_expected_seconds(LayerForm::lookup, size, 1, 1, rates) == Approx(weights / 1e12 + 2e-6));
  REQUIRE(cuda_expected_seconds(LayerForm::lookup, size, 8, 1, rates) == Approx(8 * weights / 4e12 + 2e-6));
  REQUIRE(cuda_expected_seconds(LayerForm::lookup, size, 18, 1, rates) ==
          Approx(2 * (8 * weights / 4e12 + 2e-6) + weights / 1e12 + 2e-6));
  REQUIRE_THROWS_AS(cuda_expected_seconds(LayerForm::implicit, size, 1, 1, rates), DomainError);
}

TEST_CASE("the cost model knows what isotypic blocks save", "[numeric][quick]") {
  // The sizes of the regular representation of S_5: 120^2 numbers become 596.
  std::vector<IsotypicBlock> blocks;
  for (const std::uint64_t d : {1, 4, 5, 6, 5, 4, 1}) blocks.push_back({1, d, d, d});
  std::vector<double> one(120 * 120, 0);
  for (std::size_t i = 0; i < 120; ++i) one[i * 121] = 1;
  const IsotypicDecomposition d({blocks, one, one});
  const CudaRates endless{1e18, 1e13, 1, 1, 0};  // arithmetic alone
  const double batch = 1024, pairs = 64 * 64;
  REQUIRE(cuda_expected_seconds(d, {64, 64}, 4, 1024, endless) ==
          Approx(2 * batch * (596 * pairs + 2 * 64 * 120 * 120) / 1e13));
  const CudaLayerSize size{120, 120, 120, {64, 64}, 4, 1};
  REQUIRE(cuda_expected_seconds(LayerForm::dense, size, 1024, 1e12, endless) >
          10 * cuda_expected_seconds(d, {64, 64}, 4, 1024, endless));
  // Few channels and rows: the launches cost more than the product.
  REQUIRE(cuda_expected_seconds(d, {1, 1}, 4, 1, rates) >
          cuda_expected_seconds(LayerForm::dense, {120, 120, 120, {1, 1}, 4, 1}, 1, 1, rates));
}

TEST_CASE("row-major products are described to BLAS as they should be", "[numeric][quick]") {
  auto rng = test_rng();
  const std::uint64_t batch = 3, rows = 5, cols = 4;
  const auto W = random_integers<double>(rows * cols, rng), x = random_integers<double>(batch * cols, rng),
             dy = random_integers<double>(batch * rows, rng);
  std::vector<double> y(batch * rows, 0), dx(batch * cols, 0), dW(rows * cols, 0), got_y(y), got_dx(dx), got_dW(dW);
  for (std::uint64_t b = 0; b < batch; ++b)
    for (std::uint64_t i = 0; i < rows; ++i)
      for (std::uint64_t j = 0; j < cols; ++j) {
        y[b * rows + i] += W[i * cols + j] * x[b * cols + j];
        dx[b * cols + j] += W[i * cols + j] * dy[b * rows + i];
        dW[i * cols + j] += dy[b * rows + i] * x[b * cols + j];
      }
  const auto run = [](const cuda::Gemm& g, const auto& a, const auto& b, auto& c) {
    REQUIRE(cuda::within(g, a.size(), b.size(), c.size()));
    cuda::emulate_gemm<double, double, double>(g, a.data(), b.data(), c.data());
  };
  run(cuda::row_major_forward(batch, rows, cols), W, x, got_y);
  run(cuda::row_major_to_inputs(batch, rows, cols), W, dy, got_dx);
  run(cuda::row_major_to_weights(batch, rows, cols), x, dy, got_dW);
  REQUIRE(got_y == y);
  REQUIRE(got_dx == dx);
  REQUIRE(got_dW == dW);
  // A map of columns: out = W z, z [cols, batch], and its adjoint.
  std::vector<double> z(cols * batch), u(rows * batch), expected_u(rows * batch, 0), expected_z(cols * batch, 0);
  for (std::uint64_t k = 0; k < z.size(); ++k) z[k] = static_cast<double>(k);
  run(cuda::row_major_map(rows, cols, batch), z, W, u);
  std::vector<double> back(cols * batch);
  run(cuda::row_major_map_adjoint(rows, cols, batch), u, W, back);
  for (std::uint64_t i = 0; i < rows; ++i)
    for (std::uint64_t j = 0; j < cols; ++j)
      for (std::uint64_t b = 0; b < batch; ++b) expected_u[i * batch + b] += W[i * cols + j] * z[j * batch + b];
  for (std::uint64_t i = 0; i < rows; ++i)
    for (std::uint64_t j = 0; j < cols; ++j)
      for (std::uint64_t b = 0; b < batch; ++b) expected_z[j * batch + b] += W[i * cols + j] * u[i * batch + b];
  REQUIRE(u == expected_u);
  REQUIRE(back == expected_z);
}

TEST_CASE("the bias and its gradient on the GPU", "[numeric][quick]") {
  auto rng = test_rng();
  for (const std::uint64_t rows : {0, 1, 7, 8, 100}) {
    const std::uint64_t cols = 37;
    const auto dy = random_integers<float>(rows * cols, rng), bias = random_integers<float>(cols, rng);
    std::vector<float> sums(cols, 5), expected(cols, 0), y = dy;
    for (std::uint64_t k = 0; k < dy.size(); ++k) expected[k % cols] += dy[k];
    cuda::emulate_column_sums(rows, cols, dy.data(), sums.data());
    REQUIRE(sums == expected);
    cuda::emulate_add_bias(rows, cols, bias.data(), y.data());
    for (std::uint64_t k = 0; k < y.size(); ++k) REQUIRE(y[k] == dy[k] + bias[k % cols]);
  }
}

TEST_CASE("tiles of the CUDA materialise write every entry of every shape once", "[numeric][quick]") {
  for (const Multiplicity c : {Multiplicity{1, 1}, {3, 1}, {1, 3}})
    for (const std::uint64_t rows : {1, 3, 64, 1000})
      for (const std::uint64_t cols : {1, 4, 31, 1024, 5000}) {
        const cuda::Shape shape{rows, cols, 3, c.out, c.in, c.in * cols};
        const cuda::GatherPlan plan = cuda::gather_plan(shape);
        CAPTURE(rows, cols, c.out, c.in);
        REQUIRE((1U << (plan.x_bits + plan.y_bits)) == cuda::block_threads);
        REQUIRE(plan.blocks * plan.per_block >= plan.tasks);
        const std::vector<std::uint8_t> codes(rows * cols, 1);
        std::vector<float> seen(rows * cols * c.out * c.in, 0);
        std::uint64_t writes = 0;
        for (std::uint64_t task = 0; task < plan.tasks; ++task)
          for (std::uint32_t thread = 0; thread < cuda::block_threads; ++thread) {
            std::uint64_t looked_up = 0;
            cuda::gather(shape, plan, static_cast<std::uint32_t>(task % plan.tiles), thread, false, codes.data(),
                         seen.data() + shape.block(task / plan.tiles), [&](auto) {
                           ++looked_up;
                           return 1.0F;
                         });
            writes += looked_up;
          }
        REQUIRE(writes == seen.size());  // as many as entries, and none left out
        REQUIRE(std::all_of(seen.begin(), seen.end(), [](float x) { return x == 1; }));
      }
}

TEST_CASE("aligned and unaligned arrays are read alike", "[numeric][quick]") {
  auto rng = test_rng();
  const TiedPattern pattern = random_pattern({64, 96, 20}, Kind::dense, rng);
  const auto dW = random_numbers<float>(64 * 96, rng);
  const cuda::Shape shape{64, 96, 20, 1, 1, 96};
  REQUIRE(shape.in_fours());
  const auto& codes = std::get<std::span<const std::uint8_t>>(pattern.data().codes);
  const cuda::BinsPlan plan = cuda::bins_plan(shape);
  for (std::uint32_t lane = 0; lane < cuda::lanes; ++lane) {
    std::vector<float> fours(21 * cuda::lanes), ones(21 * cuda::lanes);
    cuda::bins_add(shape, plan, 0, 0, lane, true, codes.data(), dW.data(), fours.data());
    cuda::bins_add(shape, plan, 0, 0, lane, false, codes.data(), dW.data(), ones.data());
    REQUIRE(same_bits(fours, ones));
  }
}

namespace {

/// What CudaLayer does on a device, with the emulated kernels and products in loops.
template <class T>
struct Emulated {
  TiedPattern weights, bias;
  Multiplicity channels;
  std::optional<IsotypicMap> map;

  static cuda::Shape shape_of(const TiedPattern& p, Multiplicity c) {
    return {p.rows(), p.cols(), p.params(), c.out, c.in, c.in * p.cols()};
  }
  std::uint64_t params() const { return weights.params() * channels.out * channels.in; }
  std::uint64_t biases() const { return bias.params() * channels.out; }
  std::uint64_t inputs() const { return channels.in * weights.cols(); }
  std::uint64_t outputs() const { return channels.out * weights.rows(); }
  std::vector<LayerForm> forms() const {
    std::vector<LayerForm> out{LayerForm::dense};
    if (cuda::uses_bins(weights.data())) out.push_back(LayerForm::lookup);
    if (map) out.push_back(LayerForm::isotypic);
    return out;
  }
  static std::vector<T> materialised(const TiedPattern& p, Multiplicity c, const laws::Numbers& theta) {
    std::vector<T> W(p.rows() * c.out * p.cols() * c.in);
    const auto numbers = laws::stored<T>(theta);
    cuda::emulate_gather(p.data(), shape_of(p, c), numbers.data(), W.data());
    return W;
  }
  static laws::Numbers reduced(const TiedPattern& p, Multiplicity c, const std::vector<T>& dW) {
    std::vector<T> out(p.params() * c.out * c.in);
    if (cuda::uses_bins(p.data()))
      cuda::emulate_bins(p.data(), shape_of(p, c), dW.data(), out.data());
    else
      cuda::emulate_tiles(p.data(), shape_of(p, c), dW.data(), out.data());
    return laws::widened(out);
  }
  laws::Numbers forward(const laws::Parameters& p, std::uint64_t batch, const laws::Numbers& x, LayerMode mode,
                        unsigned) const {
    const std::vector<T> theta = laws::stored<T>(p.theta), from = laws::stored<T>(x),
                         b = materialised(bias, {channels.out, 1}, p.bias);
    std::vector<T> y(batch * outputs(), T{0});
    if (mode == LayerMode::lookup) {
      if (!cuda::uses_bins(weights.data())) throw DomainError("no look-up");
      cuda::emulate_lookup<T>(weights.data(), shape_of(weights, channels), batch, theta.data(), from.data(), y.data());
    } else if (mode == LayerMode::isotypic) {
      if (!map) throw DomainError("no decomposition");
      cuda::IsotypicEmulation<T, T> emulation(map->decomposition(), channels, batch);
      y = emulation.forward(laws::stored<T>(map->to_blocks(p.theta, channels)), from);
    } else if (mode == LayerMode::dense) {
      const auto W = materialised(weights, channels, p.theta);
      for (std::size_t at = 0; at < y.size(); ++at)
        for (std::uint64_t k = 0; k < inputs(); ++k)
          y[at] += W[at % outputs() * inputs() + k] * from[at / outputs() * inputs() + k];
    } else {
      throw DomainError("no such form");
    }
    for (std::size_t at = 0; at < y.size(); ++at) y[at] += b[at % outputs()];
    return laws::widened(y);
  }
  laws::Gradients backward(const laws::Parameters& p, std::uint64_t batch, const laws::Numbers& x,
                           const laws::Numbers& dy, LayerMode mode, unsigned, laws::Wanted) const {
    const std::vector<T> from = laws::stored<T>(x), gradient = laws::stored<T>(dy),
                         W = materialised(weights, channels, p.theta);
    std::vector<T> dx(x.size(), T{0}), dW(W.size(), T{0}), columns(outputs(), T{0});
    for (std::size_t at = 0; at < gradient.size(); ++at) {
      const std::uint64_t b = at / outputs(), r = at % outputs();
      columns[r] += gradient[at];
      for (std::uint64_t k = 0; k < inputs(); ++k) {
        dx[b * inputs() + k] += W[r * inputs() + k] * gradient[at];
        dW[r * inputs() + k] += gradient[at] * from[b * inputs() + k];
      }
    }
    laws::Gradients out{laws::widened(dx), reduced(weights, channels, dW), reduced(bias, {channels.out, 1}, columns)};
    if (mode != LayerMode::isotypic) return out;
    cuda::IsotypicEmulation<T, T> emulation(map->decomposition(), channels, batch);
    emulation.forward(laws::stored<T>(map->to_blocks(p.theta, channels)), from);
    const auto [back, blocks] = emulation.backward(from, gradient);
    out.dx = laws::widened(back);
    // The adjoint of the map to the blocks.
    const std::uint64_t pairs = channels.out * channels.in, P = weights.params();
    out.dtheta.assign(P * pairs, 0);
    for (std::size_t at = 0; at < map->matrix().size(); ++at)
      for (std::uint64_t c = 0; c < pairs; ++c)
        out.dtheta[at % P * pairs + c] += map->matrix()[at] * static_cast<double>(blocks[at / P * pairs + c]);
    return out;
  }
};

template <class T>
void require_emulated_laws(double bound, Rng& rng) {
  for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{2, 3}}) {
    for (const Shape& shape : {Shape{6, 5, 3}, Shape{40, 33, 60}, Shape{30, 41, 200}})
      laws::require_laws_of(
          Emulated<T>{
              random_pattern(shape, Kind::dense, rng), random_pattern({shape.rows, 1, 2}, Kind::dense, rng), c, {}},
          bound, rng);
    const auto change = test_irreducibles::regular_cyclic_group(12);
    const TiedPattern weights = circulant(12, 1, false, false, rng);
    const IsotypicMap map(weights, IsotypicDecomposition({change.blocks, change.matrix, change.matrix}));
    laws::require_laws_of(Emulated<T>{weights, TiedPattern(12, 1, 1, std::vector<std::uint8_t>(12, 1)), c, map}, bound,
                          rng);
  }
}

}  // namespace

TEST_CASE("emulated layers of a device obey the laws of layers", "[numeric][quick]") {
  auto rng = test_rng();
  require_emulated_laws<double>(1e-12, rng);
  require_emulated_laws<float>(2e-4, rng);
}

TEST_CASE("without a device layers, streams and graphs say so", "[numeric][quick]") {
  if (cuda_devices() > 0) return;
  REQUIRE_THROWS_AS(CudaStream(), DomainError);
  REQUIRE_THROWS_AS(CudaProducts(), DomainError);
  REQUIRE_THROWS_WITH(CudaStream(), Catch::Contains(built_with_cuda() ? "driver" : "INTERTWINE_CUDA"));
}
