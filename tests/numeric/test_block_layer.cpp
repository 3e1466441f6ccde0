// The layer: every form against Eigen and against the others, gradients against differences, equivariance.
#include <Eigen/Dense>
#include <catch2/catch.hpp>
#include <limits>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/representations/actions.hpp"
#include "numeric/patterns.hpp"
#include "numeric/require_laws.hpp"

using namespace intertwine;
using namespace test_patterns;

namespace {

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

const std::vector<Shape> layer_shapes = {{1, 1, 1},     {3, 4, 0},     {5, 5, 2},     {7, 13, 3},    {33, 31, 4},
                                         {40, 65, 5},   {66, 70, 15},  {129, 50, 16}, {50, 300, 31}, {31, 9, 60},
                                         {36, 40, 100}, {64, 33, 200}, {30, 30, 800}};

template <class T>
BlockLayer<T> random_layer(const Shape& shape, Multiplicity c, Kind kind, bool integers, Rng& rng) {
  const std::uint64_t Q = std::min<std::uint64_t>(2, shape.rows);
  const BlockLayer<T> empty(random_pattern(shape, kind, rng), random_pattern({shape.rows, 1, Q}, Kind::dense, rng), c);
  const auto numbers = [&](std::uint64_t count) {
    return integers ? random_integers<T>(count, rng) : random_numbers<T>(count, rng);
  };
  return empty.with_parameters(numbers(shape.params * c.out * c.in), numbers(Q * c.out));
}

template <class T>
std::vector<T> run(const BlockLayer<T>& layer, std::uint64_t batch, const std::vector<T>& x, LayerMode mode,
                   unsigned threads = 1) {
  std::vector<T> y(batch * layer.outputs(), T(99));
  const LayerForm form = layer.forward(batch, x, y, {mode, threads, 1});
  if (mode == LayerMode::dense) REQUIRE(form == LayerForm::dense);
  if (mode == LayerMode::lookup) REQUIRE(form == LayerForm::lookup);
  if (mode == LayerMode::implicit) REQUIRE(form == LayerForm::implicit);
  if (mode == LayerMode::automatic) REQUIRE(form != LayerForm::implicit);
  return y;
}

// y by Eigen, from the reference weights.
template <class T>
std::vector<T> eigen_forward(const BlockLayer<T>& layer, std::uint64_t batch, const std::vector<T>& x) {
  const std::vector<T> theta(layer.theta().begin(), layer.theta().end());
  const std::vector<T> bias(layer.bias_parameters().begin(), layer.bias_parameters().end());
  const auto W = reference_weights(layer.weights().tied(), layer.channels(), theta);
  const auto b = reference_weights(layer.bias().tied(), {layer.channels().out, 1}, bias);
  const auto R = static_cast<Eigen::Index>(layer.outputs()), K = static_cast<Eigen::Index>(layer.inputs());
  const auto B = static_cast<Eigen::Index>(batch);
  RowMajor<T> y =
      Eigen::Map<const RowMajor<T>>(x.data(), B, K) * Eigen::Map<const RowMajor<T>>(W.data(), R, K).transpose();
  y.rowwise() += Eigen::Map<const Eigen::Matrix<T, 1, Eigen::Dynamic>>(b.data(), R);
  return {y.data(), y.data() + y.size()};
}

template <class T>
double greatest_difference(const std::vector<T>& a, const std::vector<T>& b) {
  double out = a.size() == b.size() ? 0 : 1e300;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    out = std::max(out, std::abs(static_cast<double>(a[k]) - static_cast<double>(b[k])));
  return out;
}

template <class T>
void forms_agree(Rng& rng) {
  for (const Shape& shape : layer_shapes)
    for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{3, 2}, Multiplicity{1, 4}})
      for (const std::uint64_t batch : {1, 2, 5, 14}) {
        const auto layer = random_layer<T>(shape, c, Kind::dense, false, rng);
        const auto x = random_numbers<T>(batch * layer.inputs(), rng);
        const auto expected = eigen_forward(layer, batch, x);
        const double bound = 20 * std::numeric_limits<T>::epsilon() * static_cast<double>(layer.inputs() + 1);
        std::vector<T> bits, implicit_bits;
        CAPTURE(shape.rows, shape.cols, shape.params, c.out, c.in, batch);
        for (const InstructionSet level : levels()) {
          const Level forced(level);
          CAPTURE(to_string(level));
          for (const unsigned threads : {1U, 2U}) {
            for (const LayerMode mode : {LayerMode::dense, LayerMode::lookup}) {
              const auto y = run(layer, batch, x, mode, threads);
              if (bits.empty()) bits = y;
              REQUIRE(greatest_difference(y, expected) <= bound);
              REQUIRE(same_bits(y, bits));
            }
            const auto y = run(layer, batch, x, LayerMode::implicit, threads);
            if (implicit_bits.empty()) implicit_bits = y;
            REQUIRE(greatest_difference(y, expected) <= bound);
            REQUIRE(same_bits(y, implicit_bits));
          }
        }
      }
}

}  // namespace

TEST_CASE("forms agree with Eigen, and dense and lookup bit by bit at every level", "[numeric][quick]") {
  auto rng = test_rng();
  forms_agree<float>(rng);
  forms_agree<double>(rng);
}

TEST_CASE("on integers every form is exact", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Shape& shape : layer_shapes)
    for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{2, 3}}) {
      const auto layer = random_layer<float>(shape, c, Kind::dense, true, rng);
      const auto x = random_integers<float>(7 * layer.inputs(), rng);
      const auto expected = eigen_forward(layer, 7, x);
      for (const LayerMode mode :
           {LayerMode::dense, LayerMode::lookup, LayerMode::implicit, LayerMode::automatic, LayerMode::fastest})
        REQUIRE(run(layer, 7, x, mode) == expected);
    }
}

TEST_CASE("a batch larger than a block, and many panels", "[numeric][quick]") {
  auto rng = test_rng();
  const auto layer = random_layer<float>({150, 300, 15}, {2, 1}, Kind::dense, true, rng);
  const auto x = random_integers<float>(500 * layer.inputs(), rng);
  const auto expected = eigen_forward(layer, 500, x);
  for (const unsigned threads : {1U, 2U, 3U})
    for (const LayerMode mode : {LayerMode::dense, LayerMode::lookup, LayerMode::implicit})
      REQUIRE(run(layer, 500, x, mode, threads) == expected);
}

TEST_CASE("tied layers obey the laws of layers", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Shape& shape : {Shape{6, 5, 3}, Shape{5, 8, 20}, Shape{4, 4, 0}, Shape{40, 33, 9}, Shape{30, 70, 200}})
    for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{2, 3}}) {
      CAPTURE(shape.rows, shape.cols, shape.params, c.out, c.in);
      laws::require_laws(random_layer<double>(shape, c, Kind::dense, false, rng), 1e-13, rng);
      laws::require_laws(random_layer<float>(shape, c, Kind::sparse, false, rng), 1e-4, rng);
    }
}

TEST_CASE("a table is a layer, of tied entries and of sparse elements", "[numeric][quick]") {
  auto rng = test_rng();
  // W = [[t, -u], [u, t]] both ways, and a bias on the first row.
  const auto tied = [](std::uint64_t rows, std::uint64_t cols, std::uint64_t params, std::vector<std::uint8_t> codes,
                       std::vector<std::int64_t> orbit_size) {
    return WeightPattern{rows, cols, params,
                         TiedEntries{std::move(orbit_size), code_rows(rows, cols, std::move(codes))}};
  };
  const WeightBlock table{tied(2, 2, 2, {1, 4, 2, 1}, {2, 2}), tied(2, 1, 1, {1, 0}, {1}), {1, 1}, {}, {}, {}};
  const WeightBlock sparse{{2, 2, 2, SparseElements{{0, 2, 4}, {0, 1, 0, 1}, {0, 1, 1, 0}, {1, 1, -1, 1}, {}}},
                           {2, 1, 1, SparseElements{{0, 1}, {0}, {0}, {1}, {}}},
                           {1, 1},
                           {},
                           {},
                           {}};
  const std::vector<float> theta = {3, 5}, bias = {100}, x = {1, 2};
  for (const WeightBlock& either : {table, sparse}) {
    std::vector<float> y(2);
    BlockLayer(either).with_parameters(theta, bias).forward(1, x, y);
    REQUIRE(y == std::vector<float>{93, 11});
    REQUIRE(BlockLayer<double>(either).weights().is_tied() == either.is_tied());
    // With the blocks the table's layer has the isotypic form: one complex number.
    WeightBlock with_blocks = either;
    with_blocks.isotypic = IsotypicBlocks{{{2, 2, 1, 1}}, {1, 0, 0, 1}, {1, 0, 0, 1}};
    const BlockLayer layer(with_blocks);
    REQUIRE(layer.forms().back() == LayerForm::isotypic);
    laws::require_laws(layer, 1e-5, rng);
    with_blocks.isotypic->blocks = {{1, 2, 1, 1}};  // these would be multiples of 1
    REQUIRE_THROWS_AS(BlockLayer(with_blocks), DomainError);
  }
  WeightBlock wrong = table;
  wrong.weights.rows = 3;
  REQUIRE_THROWS_AS(BlockLayer(wrong), DomainError);
  wrong = sparse;
  wrong.weights.params = 3;
  REQUIRE_THROWS_AS(BlockLayer(wrong), DomainError);
}

TEST_CASE("codes that do not lie in memory make the same layer", "[numeric][quick]") {
  struct Rows final : CodeRows {
    std::uint64_t rows() const override { return 300; }
    std::uint64_t cols() const override { return 40; }
    void row(std::uint64_t i, std::span<std::int32_t> out) const override {
      for (std::size_t j = 0; j < out.size(); ++j) out[j] = static_cast<std::int32_t>((i * 7 + j * j) % 401);
    }
  };
  const WeightPattern pattern{300, 40, 200, TiedEntries{{}, std::make_shared<Rows>()}};
  const PreparedPattern prepared(pattern);
  std::vector<std::int32_t> row(40);
  for (std::uint64_t i = 0; i < 300; ++i) {
    Rows().row(i, row);
    for (std::uint64_t j = 0; j < 40; ++j) REQUIRE(prepared.tied().code(i, j) == static_cast<std::uint32_t>(row[j]));
  }
}

TEST_CASE("random parameters are fixed by the seed, whatever compiles them", "[numeric][quick]") {
  const TiedPattern weights(2, 2, 2, std::vector<std::uint8_t>{1, 2, 2, 1}),
      bias(2, 1, 0, std::vector<std::uint8_t>{0, 0});
  const auto theta = random_theta(BlockLayer<double>(weights, bias, {1, 2}), 7);
  // The first four normal numbers of xoshiro256** by Box and Muller, the radius drawn before the angle, times the deviation.
  const std::vector<double> expected = {-0.07578637273855696, 0.2935497903562901, 0.04723593053246905,
                                        0.9376486960797398};
  REQUIRE(theta.size() == 4);
  for (std::size_t k = 0; k < 4; ++k) REQUIRE(theta[k] == Approx(expected[k]).epsilon(1e-12));
}

TEST_CASE("gradients are the same bits in every form, at every level, on 1 and 2 threads", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Shape& shape : layer_shapes)
    for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{3, 2}})
      for (const std::uint64_t batch : {1, 9}) {
        const auto layer = random_layer<float>(shape, c, Kind::dense, false, rng);
        const auto x = random_numbers<float>(batch * layer.inputs(), rng);
        const auto dy = random_numbers<float>(batch * layer.outputs(), rng);
        std::vector<float> first;
        for (const InstructionSet level : levels()) {
          const Level forced(level);
          for (const unsigned threads : {1U, 2U})
            for (const LayerMode mode : {LayerMode::dense, LayerMode::lookup}) {
              std::vector<float> dx(x.size(), 9), dtheta(layer.theta().size(), 9),
                  dbias(layer.bias_parameters().size(), 9);
              layer.backward(batch, x, dy, dx, dtheta, dbias, {mode, threads, 1});
              dx.insert(dx.end(), dtheta.begin(), dtheta.end());
              dx.insert(dx.end(), dbias.begin(), dbias.end());
              if (first.empty()) first = dx;
              CAPTURE(shape.rows, shape.cols, shape.params, batch, to_string(level), threads);
              REQUIRE(same_bits(dx, first));
            }
        }
        // And they are right: dW = dy^T x by Eigen, then the plain sums.
        const auto R = static_cast<Eigen::Index>(layer.outputs()), K = static_cast<Eigen::Index>(layer.inputs());
        const auto B = static_cast<Eigen::Index>(batch);
        const RowMajor<double> dW = Eigen::Map<const RowMajor<float>>(dy.data(), B, R).cast<double>().transpose() *
                                    Eigen::Map<const RowMajor<float>>(x.data(), B, K).cast<double>();
        const auto [expected, size] =
            reference_reduction(layer.weights().tied(), c, {dW.data(), dW.data() + dW.size()});
        for (std::size_t k = 0; k < expected.size(); ++k)
          REQUIRE(std::abs(static_cast<double>(first[x.size() + k]) - expected[k]) <= 1e-5 * (size[k] + 1));
      }
}

TEST_CASE("where a table has no signs its layer has the bits of the wider codes", "[numeric][quick]") {
  auto rng = test_rng();
  const std::uint64_t M = 70, N = 67;
  for (const std::uint64_t params : {60, 200, 300}) {
    // The same codes, and in front of them a row with a sign that gets no gradient.
    std::vector<std::int32_t> codes(M * N), more(N, 0);
    for (auto& code : codes) code = static_cast<std::int32_t>(rng.below(params + 1));
    more[5] = static_cast<std::int32_t>(2 * params);
    more.insert(more.end(), codes.begin(), codes.end());
    const auto made = [&](std::uint64_t rows, const std::vector<std::int32_t>& of) {
      Codes all = of;
      if (code_bytes(params) == 1) all = std::vector<std::uint8_t>(of.begin(), of.end());
      return LayerPlan<float>(TiedPattern(rows, N, params, all),
                              TiedPattern(rows, 1, 0, std::vector<std::uint8_t>(rows, 0)), {1, 1});
    };
    const LayerPlan<float> plain = made(M, codes), wide = made(M + 1, more);
    REQUIRE((plain.weights().stored_bytes() / M < wide.weights().stored_bytes() / (M + 1)) == (params == 200));
    const auto theta = random_numbers<float>(params, rng);
    for (const std::uint64_t batch : {1, 3, 9}) {
      const auto x = random_numbers<float>(batch * N, rng), dy = random_numbers<float>(batch * M, rng);
      std::vector<float> wide_dy(batch * (M + 1), 0), first;
      for (std::uint64_t b = 0; b < batch; ++b)
        std::copy_n(dy.begin() + static_cast<std::ptrdiff_t>(b * M), M,
                    wide_dy.begin() + static_cast<std::ptrdiff_t>(b * (M + 1) + 1));
      for (const InstructionSet level : levels()) {
        const Level forced(level);
        for (const LayerMode mode : {LayerMode::dense, LayerMode::lookup, LayerMode::automatic}) {
          const auto all = [&](const LayerPlan<float>& plan, std::uint64_t skipped, const std::vector<float>& g) {
            std::vector<float> y(batch * plan.outputs()), dx(x.size()), out;
            out.resize(params);
            plan.apply(batch, x, theta, {}, y, {mode, 1, 1});
            plan.gradients(batch, x, g, theta, dx, out, {}, {mode, 1, 1});
            out.insert(out.end(), dx.begin(), dx.end());
            for (std::uint64_t b = 0; b < batch; ++b)
              out.insert(out.end(), y.begin() + static_cast<std::ptrdiff_t>(b * plan.outputs() + skipped),
                         y.begin() + static_cast<std::ptrdiff_t>((b + 1) * plan.outputs()));
            return out;
          };
          const auto a = all(plain, 0, dy);
          if (first.empty()) first = a;
          CAPTURE(params, batch, to_string(level), static_cast<int>(mode));
          REQUIRE(same_bits(a, first));
          REQUIRE(same_bits(all(wide, 1, wide_dy), first));
        }
      }
    }
  }
}

TEST_CASE("layers of a group commute with it", "[numeric][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = symmetric_group(4);
  const auto V = natural_permutation_representation(G);
  const auto sign = sign_representation(G);
  for (const auto& [in, out] : {std::pair(V * V, V), std::pair(V, V * V), std::pair(V * V, V * V),
                                std::pair(sign * V, V * V), std::pair(alt(2, V), V * V)}) {
    const auto basis = hom::equivariant_basis(2 * in, 3 * out);
    const BlockLayer<double> empty(basis.table().block());
    const auto theta = random_numbers<double>(empty.theta().size(), rng);
    const auto whole = random_integers<double>(empty.theta().size(), rng);
    const auto bias = random_integers<double>(empty.bias_parameters().size(), rng);
    for (const bool integers : {false, true})
      for (const LayerMode mode : {LayerMode::dense, LayerMode::lookup, LayerMode::implicit}) {
        const auto layer = empty.with_parameters(integers ? whole : theta, bias);
        const auto x =
            integers ? random_integers<double>(layer.inputs(), rng) : random_numbers<double>(layer.inputs(), rng);
        for (std::size_t g = 0; g < G.generators().size(); ++g) {
          // rho(g) e_i = e_g(i), in every channel.
          const auto act = [&](const Representation& R, const std::vector<double>& v) {
            const SignedPermutation image = R.image(G.generators()[g]);
            const std::size_t d = image.degree();
            std::vector<double> moved(v.size());
            for (std::size_t k = 0; k < v.size(); ++k) {
              const SignedPoint to = image(static_cast<Point>(k % d));
              moved[k / d * d + to.point()] = to.sign() * v[k];
            }
            return moved;
          };
          const auto left = act(out, run(layer, 1, x, mode));
          const auto right = run(layer, 1, act(in, x), mode);
          REQUIRE(greatest_difference(left, right) <= (integers ? 0 : 1e-12));
        }
      }
  }
}

TEST_CASE("NaN and infinities pass through the layer", "[numeric][quick]") {
  auto rng = test_rng();
  const float inf = std::numeric_limits<float>::infinity();
  for (const std::uint64_t params : {3, 40}) {
    const auto layer = random_layer<float>({40, 40, params}, {1, 1}, Kind::plus, false, rng);
    std::vector<float> x(2 * 40, 0.5F);
    x[7] = inf;
    std::vector<float> bits;
    for (const InstructionSet level : levels()) {
      const Level forced(level);
      for (const LayerMode mode : {LayerMode::dense, LayerMode::lookup}) {
        const auto y = run(layer, 2, x, mode);
        for (std::uint64_t i = 0; i < 40; ++i) {
          const bool zero = layer.weights().tied().code(i, 7) == 0;  // 0 * infinity
          REQUIRE((zero ? std::isnan(y[i]) : std::isinf(y[i])));
          REQUIRE(std::isfinite(y[40 + i]));
        }
      }
    }
  }
}

TEST_CASE("the cost model picks, modes force", "[numeric][quick]") {
  auto rng = test_rng();
  const auto layer = random_layer<float>({64, 64, 3}, {4, 4}, Kind::dense, false, rng);
  for (const LayerForm form : {LayerForm::dense, LayerForm::lookup, LayerForm::implicit}) {
    REQUIRE(layer.expected_seconds(form, 8) > 0);
    REQUIRE(layer.expected_seconds(form, 4096) > layer.expected_seconds(form, 8));
    REQUIRE(layer.pick(8, {parse_layer_mode(to_string(form)), 1, 1}) == form);
  }
  REQUIRE(layer.pick(1, {LayerMode::automatic, 1, 1}) == LayerForm::lookup);
  REQUIRE_THROWS_WITH(parse_layer_mode("gpu"), Catch::Contains("implicit"));
}

TEST_CASE("layers refuse arrays of other sizes", "[numeric][quick]") {
  auto rng = test_rng();
  const auto layer = random_layer<double>({4, 3, 2}, {2, 2}, Kind::dense, false, rng);
  std::vector<double> x(6), y(8), six(6), nothing;
  REQUIRE_NOTHROW(layer.forward(1, x, y));
  REQUIRE_NOTHROW(layer.forward(0, nothing, nothing));
  REQUIRE_THROWS_WITH(layer.forward(2, x, y), Catch::Contains("x has 6 entries; a batch of 2 needs 2 x 6"));
  REQUIRE_THROWS_AS(layer.forward(1, x, six), DomainError);
  REQUIRE_THROWS_AS(layer.backward(1, x, six, six, {}, {}), DomainError);
  REQUIRE_THROWS_AS(layer.backward(1, nothing, y, six, y, {}), DomainError);
  REQUIRE_THROWS_AS(layer.with_parameters(six), DomainError);
  REQUIRE_THROWS_AS(layer.with_parameters(y, y), DomainError);
  REQUIRE_THROWS_AS(BlockLayer<double>(layer.weights(), layer.weights(), {1, 1}), DomainError);
}
