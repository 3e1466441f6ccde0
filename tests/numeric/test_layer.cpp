// Tables of blocks: what their layers make is what the single table of the same representations makes.
#include "intertwine/numeric/layer.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/numeric/prepared_table.hpp"
#include "intertwine/representations/representation.hpp"
#include "numeric/require_laws.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

struct Case {
  const char *in, *out;
};
/// Multiplicities differ on one side or on both, entries are tied or not, and no two have a common divisor.
const Case cases[] = {{"3*perm + 2*trivial", "2*perm"},
                      {"2*perm + 3*sign + trivial", "perm + trivial + 2*std"},
                      {"2*perm + 2*trivial + sign", "trivial"},
                      {"perm", "3*trivial + 2*perm"}};

std::pair<Representation, Representation> sides(const Case& c) {
  const FiniteGroup S4 = symmetric_group(4);
  return {parse_representation(S4, c.in), parse_representation(S4, c.out)};
}

std::vector<double> numbers(std::uint64_t count, Rng& rng) {
  std::vector<double> out(count);
  for (double& v : out) v = (static_cast<double>(rng.below(129)) - 64) / 64;
  return out;
}

/// W [outputs, inputs] of a layer.
std::vector<double> matrix_of(const Layer<double>& layer) {
  const std::uint64_t N = layer.inputs(), M = layer.outputs();
  std::vector<double> units(N * N), columns(N * M), W(M * N);
  for (std::uint64_t j = 0; j < N; ++j) units[j * N + j] = 1;
  layer.forward(N, units, columns);
  for (std::uint64_t j = 0; j < N; ++j)
    for (std::uint64_t i = 0; i < M; ++i) W[i * N + j] = columns[j * M + i];
  return W;
}

/// The places of the features of V in x: neighbours with m copies lie copy by copy there, and one after the other in V.
std::vector<std::uint64_t> places(const Representation& V) {
  std::vector<std::uint64_t> out;
  const auto summands = V.summands();
  for (std::size_t k = 0; k < summands.size();) {
    std::uint64_t dimension = 0, end = k;
    for (; end < summands.size() && summands[end].multiplicity == summands[k].multiplicity; ++end)
      dimension += summands[end].representation.dimension();
    const std::uint64_t start = out.size();
    std::uint64_t before = 0;
    for (; k < end; ++k) {
      const std::uint64_t d = summands[k].representation.dimension();
      for (std::uint64_t c = 0; c < summands[k].multiplicity; ++c)
        for (std::uint64_t i = 0; i < d; ++i) out.push_back(start + c * dimension + before + i);
      before += d;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("a layer of blocks obeys the laws of layers", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Case& c : cases) {
    CAPTURE(c.in, c.out);
    const auto [V, U] = sides(c);
    const WeightTable table = hom::equivariant_basis(V, U).table();
    laws::require_laws(Layer<double>(table), 1e-12, rng);
    laws::require_laws(Layer<float>(table), 1e-4, rng);
  }
}

TEST_CASE("blocks make the matrices of the single table", "[numeric][quick]") {
  auto rng = test_rng();
  for (const Case& c : cases) {
    CAPTURE(c.in, c.out);
    const auto [V, U] = sides(c);
    const hom::Basis basis = hom::equivariant_basis(V, U);
    const WeightTable table = basis.table();
    const Layer<double> empty(table);
    REQUIRE(empty.inputs() == V.dimension());
    REQUIRE(empty.outputs() == U.dimension());
    REQUIRE(Integer(table.theta_size()) == hom_dimension(V, U).dimension);
    REQUIRE(Integer(table.bias_size()) == basis.bias_dimension());
    const WeightBlock single = basis.single().table().block();
    REQUIRE(single.channels.in == 1);  // so that its columns are the coordinates of V
    REQUIRE(single.weights.params * single.channels.out == table.theta_size());
    const PreparedPattern pattern = PreparedTable(single).weights();
    const auto x = places(V), y = places(U);
    const std::uint64_t N = empty.inputs(), M = empty.outputs();
    const auto in_order = [&](const std::vector<double>& W) {
      std::vector<double> out(W.size());
      for (std::uint64_t i = 0; i < M; ++i)
        for (std::uint64_t j = 0; j < N; ++j) out[i * N + j] = W[y[i] * N + x[j]];
      return out;
    };
    const auto theta = numbers(table.theta_size(), rng);
    const auto W = in_order(matrix_of(empty.with_parameters(theta)));
    const Projection there = project_weights<double>(pattern, single.channels, W, 1);
    REQUIRE(there.residual <= 1e-12);
    // Each number of theta is one of them: as many columns of the single table, all different.
    std::set<std::vector<double>> images;
    for (std::uint64_t k = 0; k < theta.size(); ++k) {
      std::vector<double> unit(theta.size());
      unit[k] = 1;
      images.insert(
          project_weights<double>(pattern, single.channels, in_order(matrix_of(empty.with_parameters(unit))), 1).theta);
    }
    REQUIRE(images.size() == theta.size());
    // It commutes with the group.
    for (const Permutation& g : V.group().generators()) {
      const RationalMatrix A = V.matrix(g), B = U.matrix(g);
      for (std::uint64_t i = 0; i < M; ++i)
        for (std::uint64_t j = 0; j < N; ++j) {
          double left = 0, right = 0;
          for (std::uint64_t k = 0; k < N; ++k) left += W[i * N + k] * Rational(A(k, j)).convert_to<double>();
          for (std::uint64_t k = 0; k < M; ++k) right += Rational(B(i, k)).convert_to<double>() * W[k * N + j];
          REQUIRE(left == Approx(right).margin(1e-12));
        }
    }
  }
}

TEST_CASE("parameters of blocks begin as those of the single table", "[numeric][quick]") {
  const auto [V, U] = sides(cases[0]);
  const hom::Basis basis = hom::equivariant_basis(V, U);
  const WeightTable table = basis.table();
  const Layer<double> blocks(table);
  // One part of y: the same variances, in another order.
  const WeightBlock single = basis.single().table().block();
  auto of_blocks = initial_variance(table, 2.0);
  std::vector<double> of_single;
  for (const double v : initial_variance(PreparedTable(single).weights(), single.channels, 2.0))
    of_single.insert(of_single.end(), single.channels.out, v);
  REQUIRE(of_blocks.size() == of_single.size());
  std::sort(of_blocks.begin(), of_blocks.end());
  std::sort(of_single.begin(), of_single.end());
  for (std::size_t k = 0; k < of_blocks.size(); ++k) REQUIRE(of_blocks[k] == Approx(of_single[k]));
  REQUIRE(random_theta(blocks, 3) == random_theta(blocks, 3));
  REQUIRE(random_theta(blocks, 3) != random_theta(blocks, 4));
  REQUIRE_THROWS_AS(blocks.with_parameters(std::vector<double>(3)), DomainError);
  REQUIRE_THROWS_AS(blocks.with_parameters(std::vector<double>(blocks.theta().size()), std::vector<double>(1)),
                    DomainError);
  std::vector<double> y(blocks.outputs());
  REQUIRE_THROWS_AS(blocks.forward(1, std::vector<double>(2), y), DomainError);
  REQUIRE_THROWS_AS(blocks.forward(1, std::vector<double>(blocks.inputs()), y, {LayerMode::diagram, 1, 1}),
                    DomainError);
}
