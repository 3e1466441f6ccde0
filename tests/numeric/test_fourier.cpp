// The Fourier form of block-circulant tables against the dense one; which tables have it.
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/numeric/block_layer.hpp"
#include "intertwine/representations/actions.hpp"
#include "numeric/fourier.hpp"
#include "numeric/patterns.hpp"
#include "numeric/require_laws.hpp"

using namespace intertwine;
using namespace test_patterns;

namespace {

template <class T>
double greatest_difference(const std::vector<T>& a, const std::vector<T>& b) {
  double out = a.size() == b.size() ? 0 : 1e300;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    out = std::max(out, std::abs(static_cast<double>(a[k]) - static_cast<double>(b[k])));
  return out;
}

/// Random codes that are the same along every translation, in blocks_out x blocks_in blocks.
TiedPattern torus_pattern(const std::vector<std::uint64_t>& sides, std::uint64_t blocks_out, std::uint64_t blocks_in,
                          std::uint64_t params, Rng& rng) {
  std::uint64_t n = 1;
  for (const std::uint64_t side : sides) n *= side;
  const auto difference = [&](std::uint64_t h, std::uint64_t g) {
    std::uint64_t out = 0, inner = n;
    for (const std::uint64_t side : sides) {
      inner /= side;
      out += (h / inner % side + side - g / inner % side) % side * inner;
    }
    return out;
  };
  std::vector<std::int32_t> first(blocks_out * blocks_in * n), codes;
  for (auto& code : first) code = static_cast<std::int32_t>(rng.below(2 * params + 1));
  for (std::uint64_t i = 0; i < blocks_out * n; ++i)
    for (std::uint64_t j = 0; j < blocks_in * n; ++j)
      codes.push_back(first[(i / n * blocks_in + j / n) * n + difference(j % n, i % n)]);
  if (code_bytes(params) == 4) return TiedPattern(blocks_out * n, blocks_in * n, params, codes);
  return TiedPattern(blocks_out * n, blocks_in * n, params, std::vector<std::uint8_t>(codes.begin(), codes.end()));
}

template <class T>
std::vector<T> everything(const BlockLayer<T>& layer, std::uint64_t batch, const std::vector<T>& x,
                          const std::vector<T>& dy, LayerMode mode, unsigned threads) {
  std::vector<T> y(dy.size()), dx(x.size()), dtheta(layer.theta().size());
  layer.forward(batch, x, y, {mode, threads, 1});
  layer.backward(batch, x, dy, dx, dtheta, {}, {mode, threads, 1});
  y.insert(y.end(), dx.begin(), dx.end());
  y.insert(y.end(), dtheta.begin(), dtheta.end());
  return y;
}

template <class T>
void agrees(const TiedPattern& pattern, Multiplicity channels, std::uint64_t batch, double bound, Rng& rng) {
  const BlockLayer<T> empty(pattern, TiedPattern(pattern.rows(), 1, 0, std::vector<std::uint8_t>(pattern.rows(), 0)),
                            channels);
  const auto layer = empty.with_parameters(random_numbers<T>(empty.theta().size(), rng));
  const auto x = random_numbers<T>(batch * layer.inputs(), rng), dy = random_numbers<T>(batch * layer.outputs(), rng);
  const auto expected = everything(layer, batch, x, dy, LayerMode::dense, 1);
  double size = 1;
  for (const T value : expected) size = std::max(size, std::abs(static_cast<double>(value)));
  std::vector<T> bits;
  for (const InstructionSet level : levels()) {
    const Level forced(level);
    for (const unsigned threads : {1U, 2U}) {
      const auto y = everything(empty.with_parameters(layer.theta()), batch, x, dy, LayerMode::fft, threads);
      if (bits.empty()) bits = y;
      REQUIRE(same_bits(y, bits));
    }
  }
  REQUIRE(greatest_difference(bits, expected) <= bound * size);
}

}  // namespace

TEST_CASE("the Fourier form agrees with the dense one, with the same bits at every level", "[numeric][quick]") {
  auto rng = test_rng();
  const std::vector<std::vector<std::uint64_t>> tori = {{4},  {5},    {8},    {12},      {30},      {49},        {37},
                                                        {64}, {3, 4}, {6, 5}, {2, 2, 2}, {4, 3, 5}, {2, 3, 2, 3}};
  for (const auto& sides : tori)
    for (const auto& [out, in] : {std::pair(1, 1), std::pair(2, 3)})
      for (const Multiplicity channels : {Multiplicity{1, 1}, Multiplicity{3, 2}})
        for (const std::uint64_t batch : {1, 7}) {
          const TiedPattern pattern =
              torus_pattern(sides, static_cast<std::uint64_t>(out), static_cast<std::uint64_t>(in), 20, rng);
          CAPTURE(sides, out, in, channels.out, batch);
          agrees<double>(pattern, channels, batch, 1e-13, rng);
          agrees<float>(pattern, channels, batch, 1e-5, rng);
        }
  agrees<double>(torus_pattern({16, 8}, 1, 1, 128, rng), {20, 20}, 3, 1e-13, rng);
}

TEST_CASE("sequences transformed one by one and many at once have the same bits", "[numeric][quick]") {
  auto rng = test_rng();
  const std::vector<std::vector<std::uint64_t>> tori = {{4}, {7}, {25}, {64}, {90}, {512}, {3, 4}, {2, 3, 22}};
  constexpr std::uint64_t batch = 33;
  for (const auto& sides : tori) {
    const TiedPattern pattern = torus_pattern(sides, 1, 1, 20, rng);
    const std::uint64_t n = pattern.rows();
    const BlockLayer<float> empty(pattern, TiedPattern(n, 1, 0, std::vector<std::uint8_t>(n, 0)), {1, 1});
    const auto layer = empty.with_parameters(random_numbers<float>(empty.theta().size(), rng));
    const auto x = random_numbers<float>(batch * n, rng);
    for (const InstructionSet level : levels()) {
      const Level forced(level);
      std::vector<float> whole(batch * n), pieces(batch * n);
      layer.forward(batch, x, whole, {LayerMode::fft, 1, 1});
      for (std::uint64_t b = 0; b < batch; b += 2) {  // two real sequences are one complex one
        const std::uint64_t count = std::min<std::uint64_t>(2, batch - b);
        layer.forward(count, std::span(x).subspan(b * n, count * n), std::span(pieces).subspan(b * n, count * n),
                      {LayerMode::fft, 1, 1});
      }
      CAPTURE(sides);
      REQUIRE(same_bits(whole, pieces));
    }
  }
}

TEST_CASE("sequences are transformed one by one only where they fill vectors", "[numeric][quick]") {
  const auto transform = [](std::vector<std::uint64_t> sides, std::uint64_t points) {
    return numeric_detail::TorusTransform<float>(numeric_detail::Torus{std::move(sides), points});
  };
  // 509 is a prime, and short last sides leave one, two and four numbers side by side: 32 rows take the way of 33.
  for (const auto& [sides, points] : {std::pair(std::vector<std::uint64_t>{1018}, std::uint64_t{1018}),
                                      {{31, 31}, 961},
                                      {{64, 2, 2, 2}, 512},
                                      {{128, 4}, 512}}) {
    CAPTURE(points);
    const auto t = transform(sides, points);
    CHECK(t.seconds(32, 1e9) <= 1.5 * t.seconds(33, 1e9));
  }
  const auto whole = transform({512}, 512);
  CHECK(whole.seconds(1, 1e9) < whole.seconds(33, 1e9) / 6);
}

TEST_CASE("tori are found in the codes, and only where they are", "[numeric][quick]") {
  auto rng = test_rng();
  const auto sides_of = [](const TiedPattern& pattern) {
    const auto& torus = pattern.data().torus();
    return torus ? torus->sides : std::vector<std::uint64_t>{};
  };
  using Sides = std::vector<std::uint64_t>;
  REQUIRE(sides_of(torus_pattern({12}, 1, 1, 12, rng)) == Sides{12});
  REQUIRE(sides_of(torus_pattern({8, 9}, 2, 1, 100, rng)) == Sides{8, 9});
  REQUIRE(sides_of(torus_pattern({4, 3, 5}, 1, 2, 60, rng)) == Sides{4, 3, 5});
  REQUIRE(sides_of(random_pattern({24, 24, 5}, Kind::dense, rng)).empty());
  REQUIRE(sides_of(random_pattern({0, 0, 0}, Kind::dense, rng)).empty());
  REQUIRE(sides_of(random_pattern({5, 7, 3}, Kind::plus, rng)).empty());
  // The tables of groups: translations of a torus, and the regular representation of a product of cyclic groups.
  const auto pattern_of = [](const Representation& V) {
    return PreparedPattern(hom::equivariant_basis(V, V).single().table().block().weights).tied();
  };
  REQUIRE(sides_of(pattern_of(regular_representation(cyclic_group(12)))).size() >= 1);
  REQUIRE(sides_of(pattern_of(regular_representation(direct_product({cyclic_group(4), cyclic_group(6)})))).size() >= 1);
  REQUIRE(sides_of(pattern_of(regular_representation(symmetric_group(4)))).size() <= 1);
  const BlockLayer<float> layer(random_pattern({6, 6, 2}, Kind::dense, rng),
                                TiedPattern(6, 1, 0, std::vector<std::uint8_t>(6, 0)), {1, 1});
  std::vector<float> x(6), y(6);
  REQUIRE_THROWS_WITH(layer.forward(1, x, y, {LayerMode::fft, 1, 1}), Catch::Contains("torus"));
}

TEST_CASE("layers on a torus obey the laws of layers", "[numeric][quick]") {
  auto rng = test_rng();
  const TiedPattern pattern = torus_pattern({4, 5}, 2, 1, 9, rng);
  const BlockLayer<double> layer(pattern, random_pattern({40, 1, 3}, Kind::dense, rng), {2, 3});
  REQUIRE(layer.forms().back() == LayerForm::fft);
  laws::require_laws(layer, 1e-13, rng);
}
