// Layers of general sparse bases: against dense sums, differences, projections, and equivariance.
#include <catch2/catch.hpp>
#include <limits>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/numeric/block_layer.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "numeric/patterns.hpp"
#include "numeric/require_laws.hpp"

using namespace intertwine;
using namespace test_patterns;

namespace {

SparseBasis random_basis(const Shape& shape, Rng& rng) {
  std::vector<std::int64_t> ptr = {0};
  std::vector<std::int32_t> row, col;
  std::vector<double> val;
  for (std::uint64_t k = 0; k < shape.params; ++k) {
    for (std::uint64_t e = 1 + rng.below(2 * shape.cols + 1); shape.rows * shape.cols > 0 && e > 0; --e) {
      row.push_back(static_cast<std::int32_t>(rng.below(shape.rows)));
      col.push_back(static_cast<std::int32_t>(rng.below(shape.cols)));
      val.push_back(static_cast<double>(rng.below(9)) - 4);
    }
    ptr.push_back(static_cast<std::int64_t>(val.size()));
  }
  return {shape.rows, shape.cols, ptr, row, col, val};
}

template <class T>
BlockLayer<T> random_layer(const Shape& shape, Multiplicity c, bool integers, Rng& rng) {
  const std::uint64_t Q = std::min<std::uint64_t>(2, shape.rows);
  const BlockLayer<T> empty(random_basis(shape, rng), random_basis({shape.rows, 1, Q}, rng), c);
  const auto numbers = [&](std::uint64_t count) {
    return integers ? random_integers<T>(count, rng) : random_numbers<T>(count, rng);
  };
  return empty.with_parameters(numbers(empty.theta().size()), numbers(empty.bias_parameters().size()));
}

// y from the materialised weights, term by term in double.
template <class T>
std::vector<double> plain_forward(const BlockLayer<T>& layer, std::uint64_t batch, const std::vector<T>& x) {
  const std::uint64_t R = layer.outputs(), K = layer.inputs();
  std::vector<double> W(R * K), b(R), y(batch * R);
  materialise<double>(layer.weights(), layer.channels(),
                      std::vector<double>(layer.theta().begin(), layer.theta().end()), W);
  materialise<double>(layer.bias(), {layer.channels().out, 1},
                      std::vector<double>(layer.bias_parameters().begin(), layer.bias_parameters().end()), b);
  for (std::uint64_t n = 0; n < batch; ++n)
    for (std::uint64_t r = 0; r < R; ++r) {
      y[n * R + r] = b[r];
      for (std::uint64_t k = 0; k < K; ++k) y[n * R + r] += W[r * K + k] * static_cast<double>(x[n * K + k]);
    }
  return y;
}

template <class A, class B>
double greatest_difference(const std::vector<A>& a, const std::vector<B>& b) {
  double out = a.size() == b.size() ? 0 : 1e300;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    out = std::max(out, std::abs(static_cast<double>(a[k]) - static_cast<double>(b[k])));
  return out;
}

const std::vector<Shape> layer_shapes = {{1, 1, 1}, {3, 4, 0}, {7, 13, 3}, {33, 31, 9}, {66, 70, 40}, {5, 90, 200}};

template <class T>
void forms_agree(bool integers, Rng& rng) {
  for (const Shape& shape : layer_shapes)
    for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{3, 2}, Multiplicity{1, 4}})
      for (const std::uint64_t batch : {1, 5}) {
        const auto layer = random_layer<T>(shape, c, integers, rng);
        const auto x =
            integers ? random_integers<T>(batch * layer.inputs(), rng) : random_numbers<T>(batch * layer.inputs(), rng);
        const auto expected = plain_forward(layer, batch, x);
        double size = 1;
        for (const double v : expected) size = std::max(size, std::abs(v));
        const double bound = integers ? 0 : 200 * std::numeric_limits<T>::epsilon() * size;
        CAPTURE(shape.rows, shape.cols, shape.params, c.out, c.in, batch, integers);
        for (const LayerMode mode : {LayerMode::dense, LayerMode::implicit}) {
          std::vector<T> bits;
          for (const InstructionSet level : levels()) {
            const Level forced(level);
            for (const unsigned threads : {1U, 2U}) {
              std::vector<T> y(batch * layer.outputs(), T(99));
              layer.forward(batch, x, y, {mode, threads, 1});
              if (bits.empty()) bits = y;
              REQUIRE(same_bits(y, bits));
              REQUIRE(greatest_difference(y, expected) <= bound);
            }
          }
        }
      }
}

}  // namespace

TEST_CASE("layers of sparse bases agree with dense sums, with the same bits at every level", "[numeric][quick]") {
  auto rng = test_rng();
  forms_agree<float>(false, rng);
  forms_agree<double>(false, rng);
  forms_agree<float>(true, rng);
}

TEST_CASE("sparse layers obey the laws of layers", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Shape& shape : {Shape{6, 5, 3}, Shape{5, 8, 20}, Shape{33, 20, 9}})
    for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{2, 3}}) {
      laws::require_laws(random_layer<double>(shape, c, false, rng), 1e-13, rng);
      laws::require_laws(random_layer<float>(shape, c, false, rng), 1e-4, rng);
    }
}

TEST_CASE("projection onto a sparse basis is the nearest point", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Multiplicity c : {Multiplicity{1, 1}, Multiplicity{2, 3}}) {
    // Overlapping, not orthogonal: the elements of the standard representation of S_5.
    const FiniteGroup G = symmetric_group(5);
    const auto V = standard_representation(G) * natural_permutation_representation(G);
    const PreparedPattern prepared(hom::equivariant_basis(V, V).single().table().block().weights);
    const SparseBasis& basis = prepared.sparse();
    const auto theta = random_numbers<double>(basis.params() * c.out * c.in, rng);
    std::vector<double> W(c.out * basis.rows() * c.in * basis.cols());
    materialise<double>(basis, c, theta, W);
    const Projection same = project_weights<double>(basis, c, W);
    REQUIRE(greatest_difference(same.theta, theta) < 1e-10);
    REQUIRE(same.residual < 1e-10 * same.norm);
    // What is left over of any W is orthogonal to every element.
    for (double& w : W) w += uniform(rng);
    const Projection nearest = project_weights<double>(basis, c, W, 2);
    std::vector<double> projected(W.size()), left(theta.size());
    materialise<double>(basis, c, nearest.theta, projected);
    double residual = 0;
    for (std::size_t k = 0; k < W.size(); ++k) {
      W[k] -= projected[k];
      residual += W[k] * W[k];
    }
    REQUIRE(nearest.residual == Approx(std::sqrt(residual)));
    reduce_gradient<double>(basis, c, W, left);
    for (const double inner : left) REQUIRE(std::abs(inner) < 1e-9);
  }
  const SparseBasis dependent(1, 2, std::vector<std::int64_t>{0, 1, 2}, std::vector<std::int32_t>{0, 0},
                              std::vector<std::int32_t>{1, 1}, std::vector<double>{1, -3});
  REQUIRE_THROWS_WITH(project_weights<float>(dependent, {1, 1}, std::vector<float>(2)), Catch::Contains("dependent"));
}

TEST_CASE("the variance of sparse layers is kept", "[numeric][quick]") {
  auto rng = test_rng();
  const SparseBasis basis = random_basis({12, 15, 6}, rng);
  for (const auto kind : {InitialVariance::by_orbit, InitialVariance::uniform}) {
    const auto variance = initial_variance(basis, {3, 4}, 2, kind);
    // Var y_i summed over rows: sum_k sigma_k^2 |B_k|^2 in.
    double sum = 0;
    for (std::size_t k = 0; k < variance.size(); ++k) sum += variance[k] * basis.squared_norms()[k] * 4;
    REQUIRE(sum / 12 == Approx(4));
  }
}

TEST_CASE("sparse layers of a group commute with it", "[numeric][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = symmetric_group(4);
  const auto perm = natural_permutation_representation(G);
  const auto standard = standard_representation(G), specht = specht_module(G, Partition({2, 2}));
  for (const auto& [in, out] : {std::pair(perm * perm, standard), std::pair(specht * standard, perm * standard)}) {
    const BlockLayer<double> empty(hom::equivariant_basis(2 * in, 3 * out).single().table().block());
    REQUIRE(empty.theta().size() > 0);
    for (const bool integers : {false, true})
      for (const LayerMode mode : {LayerMode::dense, LayerMode::implicit, LayerMode::automatic}) {
        const auto numbers = [&](std::uint64_t count) {
          return integers ? random_integers<double>(count, rng) : random_numbers<double>(count, rng);
        };
        const auto layer =
            empty.with_parameters(numbers(empty.theta().size()), numbers(empty.bias_parameters().size()));
        const auto x = numbers(layer.inputs());
        const auto apply = [&](const std::vector<double>& v) {
          std::vector<double> y(layer.outputs());
          layer.forward(1, v, y, {mode, 1, 1});
          return y;
        };
        for (const Permutation& g : G.generators()) {
          const auto act = [&](const Representation& R, const std::vector<double>& v) {
            const RationalMatrix matrix = R.matrix(g);
            const std::size_t d = matrix.rows();
            std::vector<double> moved(v.size(), 0.0);
            for (std::size_t k = 0; k < v.size(); ++k)
              for (std::size_t i = 0; i < d; ++i) moved[k / d * d + i] += matrix(i, k % d).convert_to<double>() * v[k];
            return moved;
          };
          REQUIRE(greatest_difference(act(out, apply(x)), apply(act(in, x))) <= (integers ? 0 : 1e-12));
        }
      }
  }
}

TEST_CASE("sparse layers have no look-up, and say so", "[numeric][quick]") {
  auto rng = test_rng();
  const auto layer = random_layer<float>({6, 5, 3}, {1, 1}, false, rng);
  std::vector<float> x(5), y(6);
  REQUIRE_THROWS_WITH(layer.forward(1, x, y, {LayerMode::lookup, 1, 1}), Catch::Contains("tied entries"));
  REQUIRE(layer.forward(1, x, y) == LayerForm::dense);
  REQUIRE_THROWS_AS(layer.weights().tied(), DomainError);
  REQUIRE_THROWS_AS(layer.backward(1, x, x, x, {}, {}), DomainError);
}
