// The isotypic form: against the dense one, the map of parameters both ways, gradients, all three rings.
#include <array>
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/numeric/block_layer.hpp"
#include "intertwine/representations/actions.hpp"
#include "numeric/irreducibles.hpp"
#include "numeric/patterns.hpp"
#include "numeric/require_laws.hpp"

using namespace intertwine;
using namespace test_patterns;
using namespace test_irreducibles;

namespace {

template <class A, class B>
double greatest_difference(const std::vector<A>& a, const std::vector<B>& b) {
  double out = a.size() == b.size() ? 0 : 1e300;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    out = std::max(out, std::abs(static_cast<double>(a[k]) - static_cast<double>(b[k])));
  return out;
}

struct Case {
  std::string name;
  PreparedPattern weights, bias;
  IsotypicDecomposition decomposition;
};

Case symmetric_case(unsigned n) {
  const FiniteGroup G = symmetric_group(n);
  const Change change = regular_symmetric_group(G, n);
  const auto basis = hom::equivariant_basis(regular_representation(G), regular_representation(G));
  const WeightBlock table = basis.table().block();
  return {"S" + std::to_string(n), PreparedPattern(table.weights), PreparedPattern(table.bias),
          IsotypicDecomposition({change.blocks, change.matrix, change.matrix})};
}

Case cyclic_case(std::uint64_t n) {
  auto rng = test_rng();
  const Change change = regular_cyclic_group(n);
  return {"C" + std::to_string(n), circulant(n, 1, false, false, rng),
          TiedPattern(n, 1, 1, std::vector<std::uint8_t>(n, 1)),
          IsotypicDecomposition({change.blocks, change.matrix, change.matrix})};
}

// The eight quaternions +-1, +-i, +-j, +-k: e = 2 * unit + (negative).
unsigned product(unsigned a, unsigned b) {
  static constexpr int table[4][4] = {{0, 1, 2, 3}, {1, -8, 3, -2}, {2, -3, -8, 1}, {3, 2, -1, -8}};
  const int p = table[a / 2][b / 2];
  const bool negative = (p < 0) != (a % 2 != b % 2);
  const auto unit = static_cast<unsigned>(p == -8 ? 0 : std::abs(p));
  return 2 * unit + (negative ? 1 : 0);
}

// The regular representation of the quaternion group: four characters of degree 1 and the quaternions themselves.
Case quaternion_case() {
  std::vector<std::uint8_t> codes;
  for (unsigned g = 0; g < 8; ++g)
    for (unsigned h = 0; h < 8; ++h)
      for (unsigned k = 0; k < 8; ++k)
        if (product(g, k) == h) codes.push_back(static_cast<std::uint8_t>(1 + k));  // W_gh = theta_(g^-1 h)
  Change change;
  for (const auto& [si, sj] : {std::pair(1, 1), std::pair(1, -1), std::pair(-1, 1), std::pair(-1, -1)})
    add_irreducible(change, 8, 1, 1, 1, [&, i = si, j = sj](auto g, auto, auto) {
      const unsigned unit = static_cast<unsigned>(g) / 2;
      return unit == 0 ? 1.0 : unit == 1 ? i : unit == 2 ? j : i * j;
    });
  add_irreducible(change, 8, 4, 4, 1,
                  [](auto g, auto part, auto) { return g / 2 == part ? (g % 2 == 0 ? 1.0 : -1.0) : 0.0; });
  return {"Q8", TiedPattern(8, 8, 8, codes), TiedPattern(8, 1, 1, std::vector<std::uint8_t>(8, 1)),
          IsotypicDecomposition({change.blocks, change.matrix, change.matrix})};
}

std::vector<Case> cases() {
  return {symmetric_case(3), symmetric_case(4), cyclic_case(7), cyclic_case(12), quaternion_case()};
}

template <class T>
BlockLayer<T> layer_of(const Case& c, Multiplicity channels, Rng& rng) {
  const BlockLayer<T> empty(c.weights, c.bias, channels);
  return empty.with_decomposition(IsotypicMap(c.weights, c.decomposition))
      .with_parameters(random_numbers<T>(empty.theta().size(), rng),
                       random_numbers<T>(empty.bias_parameters().size(), rng));
}

}  // namespace

TEST_CASE("the isotypic form agrees with the dense one, with the same bits at every level", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Case& c : cases())
    for (const Multiplicity channels : {Multiplicity{1, 1}, Multiplicity{3, 2}})
      for (const std::uint64_t batch : {1, 6}) {
        CAPTURE(c.name, channels.out, channels.in, batch);
        const auto layer = layer_of<double>(c, channels, rng);
        const auto x = random_numbers<double>(batch * layer.inputs(), rng);
        const auto dy = random_numbers<double>(batch * layer.outputs(), rng);
        const auto all = [&](const auto& l, const auto& in, const auto& out, LayerMode mode, unsigned threads) {
          using T = typename std::decay_t<decltype(in)>::value_type;
          std::vector<T> y(out.size()), dx(in.size()), dtheta(l.theta().size()), dbias(l.bias_parameters().size());
          REQUIRE(to_string(l.forward(batch, in, y, {mode, threads, 1})) ==
                  (mode == LayerMode::dense ? "dense" : "isotypic"));
          l.backward(batch, in, out, dx, dtheta, dbias, {mode, threads, 1});
          y.insert(y.end(), dx.begin(), dx.end());
          y.insert(y.end(), dtheta.begin(), dtheta.end());
          y.insert(y.end(), dbias.begin(), dbias.end());
          return y;
        };
        const auto expected = all(layer, x, dy, LayerMode::dense, 1);
        REQUIRE(greatest_difference(all(layer, x, dy, LayerMode::isotypic, 1), expected) < 1e-11);
        const auto narrow = layer_of<float>(c, channels, rng);
        const std::vector<float> fx(x.begin(), x.end()), fdy(dy.begin(), dy.end());
        std::vector<float> bits;
        for (const InstructionSet level : levels()) {
          const Level forced(level);
          for (const unsigned threads : {1U, 2U}) {
            const auto y = all(narrow, fx, fdy, LayerMode::isotypic, threads);
            if (bits.empty()) bits = y;
            REQUIRE(same_bits(y, bits));
          }
        }
        REQUIRE(greatest_difference(bits, all(narrow, fx, fdy, LayerMode::dense, 1)) < 2e-3);
      }
}

TEST_CASE("parameters go to the blocks and back", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    const IsotypicMap map(c.weights, c.decomposition);
    REQUIRE(c.decomposition.params() == c.weights.params());  // both are bases of Hom
    const Multiplicity channels{2, 3};
    const auto theta = random_numbers<double>(c.weights.params() * 6, rng);
    const auto blocks = map.to_blocks(theta, channels);
    REQUIRE(greatest_difference(map.to_basis(blocks, channels), theta) < 1e-12);
    // The layer of the blocks is the layer of theta.
    const auto layer = BlockLayer<double>(c.weights, c.bias, channels).with_parameters(theta);
    const auto isotypic = IsotypicLinear<double>(c.decomposition, c.bias, channels).with_parameters(blocks);
    const auto x = random_numbers<double>(4 * layer.inputs(), rng);
    std::vector<double> a(4 * layer.outputs()), b(a.size());
    layer.forward(4, x, a);
    isotypic.forward(4, x, b);
    REQUIRE(greatest_difference(a, b) < 1e-12 * 100);
    REQUIRE_THROWS_AS(map.to_blocks(blocks, {1, 1}), DomainError);
  }
}

TEST_CASE("isotypic layers obey the laws of layers", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    const Multiplicity channels{2, 3};
    laws::require_laws(IsotypicLinear<double>(c.decomposition, c.bias, channels), 1e-12, rng);
    laws::require_laws(layer_of<double>(c, channels, rng), 1e-12, rng);
    laws::require_laws(layer_of<float>(c, channels, rng), 2e-4, rng);
  }
}

TEST_CASE("isotypic layers commute with the group", "[numeric][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = symmetric_group(4);
  const auto regular = regular_representation(G);
  const auto layer = layer_of<double>(symmetric_case(4), {2, 2}, rng);
  const auto x = random_numbers<double>(layer.inputs(), rng);
  const auto apply = [&](const std::vector<double>& v) {
    std::vector<double> y(layer.outputs());
    layer.forward(1, v, y, {LayerMode::isotypic, 1, 1});
    return y;
  };
  for (const Permutation& g : G.generators()) {
    const SignedPermutation image = regular.image(g);
    const auto act = [&](const std::vector<double>& v) {
      std::vector<double> moved(v.size());
      for (std::size_t k = 0; k < v.size(); ++k) moved[k / 24 * 24 + image(static_cast<Point>(k % 24)).point()] = v[k];
      return moved;
    };
    REQUIRE(greatest_difference(act(apply(x)), apply(act(x))) <= 1e-12);
  }
}

TEST_CASE("blocks that only one side has, and bases that do not span Hom", "[numeric][quick]") {
  // perm of S_3 = trivial + std on the input, trivial + sign on the output: only the trivial one is shared.
  const std::vector<IsotypicBlock> blocks = {{1, 1, 1, 1}, {1, 2, 0, 1}, {1, 1, 1, 0}};
  const std::vector<double> in = {1, 1, 1, 1, -1, 0, 0, 1, -1}, out = {1, 0, 0, 1};
  const IsotypicDecomposition decomposition({blocks, out, in});
  REQUIRE(decomposition.params() == 1);
  const TiedPattern weights(2, 3, 1, std::vector<std::uint8_t>{1, 1, 1, 0, 0, 0});
  const IsotypicMap map(weights, decomposition);
  REQUIRE(map.to_blocks(std::vector<double>{2}, {1, 1})[0] == Approx(2));
  const auto layer = BlockLayer<double>(weights, TiedPattern(2, 1, 0, std::vector<std::uint8_t>(2, 0)), {1, 1})
                         .with_decomposition(map)
                         .with_parameters(std::vector<double>{2});
  std::vector<double> y(2), dx(3), dtheta(1);
  layer.forward(1, std::vector<double>{1, 2, 4}, y, {LayerMode::isotypic, 1, 1});
  REQUIRE(y[0] == Approx(14));
  REQUIRE(y[1] == Approx(0).margin(1e-14));
  layer.backward(1, std::vector<double>{1, 2, 4}, std::vector<double>{1, 5}, dx, dtheta, {},
                 {LayerMode::isotypic, 1, 1});
  REQUIRE(dtheta[0] == Approx(7));
  for (const double d : dx) REQUIRE(d == Approx(2));
  // The bias of a layer of constants: to_basis finds the nearest.
  const SparseBasis half(2, 3, std::vector<std::int64_t>{0, 3}, std::vector<std::int32_t>{0, 0, 0},
                         std::vector<std::int32_t>{0, 1, 2}, std::vector<double>{0.5, 0.5, 0.5});
  REQUIRE(IsotypicMap(half, decomposition).to_basis(std::vector<double>{3}, {1, 1})[0] == Approx(6));
}

TEST_CASE("decompositions that make no sense are refused", "[numeric][quick]") {
  const std::vector<IsotypicBlock> two = {{1, 2, 1, 1}};
  const std::vector<double> one = {1, 0, 0, 1}, singular = {1, 2, 2, 4}, wrong = {1, 1, 0, 1},
                            infinite = {1, 0, 0, std::numeric_limits<double>::infinity()};
  REQUIRE_NOTHROW(IsotypicDecomposition({two, one, one}));
  REQUIRE_THROWS_WITH(IsotypicDecomposition({two, one, singular}), Catch::Contains("singular"));
  REQUIRE_THROWS_WITH(IsotypicDecomposition({two, infinite, one}), Catch::Contains("finite"));
  REQUIRE_THROWS_AS(IsotypicDecomposition({two, one, {1}}), DomainError);
  REQUIRE_THROWS_WITH(IsotypicDecomposition({{{2, 3, 1, 1}}, one, one}), Catch::Contains("degree 3"));
  // Weights that do not commute: theta on the diagonal only is a multiple of 1 on no two different coordinates.
  const TiedPattern weights(2, 2, 2, std::vector<std::uint8_t>{1, 0, 0, 2});
  REQUIRE_THROWS_WITH(IsotypicMap(weights, IsotypicDecomposition({two, one, wrong})), Catch::Contains("not made of"));
  const BlockLayer<double> layer(weights, TiedPattern(2, 1, 0, std::vector<std::uint8_t>(2, 0)), {1, 1});
  std::vector<double> x(2), y(2);
  REQUIRE_THROWS_WITH(layer.forward(1, x, y, {LayerMode::isotypic, 1, 1}), Catch::Contains("decomposition"));
}
