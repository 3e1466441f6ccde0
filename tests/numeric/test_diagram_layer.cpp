#include "intertwine/numeric/diagram_layer.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <numeric>

#include "intertwine/error.hpp"
#include "intertwine/numeric/layer.hpp"
#include "require_laws.hpp"
#include "support/dense_diagram.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

struct Case {
  const char *out, *in;
  std::vector<const char*> groups;
  std::vector<std::vector<std::uint64_t>> sizes;
};
// Sizes below the number of axes have relations, and 1 has everything in one place.
const std::vector<Case> cases = {
    {"aa", "aa", {"S(n)"}, {{1}, {2}, {3}, {5}, {8}}},
    {"a", "a", {"S(n)"}, {{1}, {4}, {8}}},
    {"aaa", "a", {"S(n)"}, {{3}}},
    {"a", "aaa", {"S(n)"}, {{4}}},
    {"", "aa", {"S(n)"}, {{6}}},
    {"aa", "", {"S(n)"}, {{6}}},
    {"ab", "ba", {"S(n)", "S(n)"}, {{3, 5}}},
    {"aa", "aa", {"B(n)"}, {{4}}},
    {"aa+", "aa+", {"B(n)"}, {{4}}},
    {"aa", "aa", {"O(n)"}, {{2}, {5}}},
    {"aaa", "a", {"O(n)"}, {{3}}},
    {"aa", "aa", {"Sp(n)"}, {{2}, {6}}},
    {"a", "aaa", {"Sp(n)"}, {{4}}},
    {"aa*", "aa*", {"GL(n)"}, {{4}}},
    {"aa", "aa", {"SO(2)"}, {{2}}},
    {"aa", "a", {"SO(3)"}, {{3}}},
    {"a", "aaaa", {"SO(3)"}, {{3}}},
    {"aa", "aa", {"SO(4)"}, {{4}}},
    {"a", "a*a*", {"SL(3)"}, {{3}}},
    {"aaa", "a*", {"SL(2)"}, {{2}}},
    {"a*", "aa", {"SL(3)"}, {{3}}},
    {"aa", "a*a*", {"SL(2)"}, {{2}}},
    {"av", "aav", {"S(n)", "O(3)"}, {{4, 3}}},
    {"vav", "a", {"SO(2)", "S(n)"}, {{2, 5}}},
};

DiagramTable table_of(const Case& c, bool mean, Multiplicity channels) {
  std::vector<DiagramGroup> groups;
  for (const char* name : c.groups) groups.push_back(parse_diagram_group(name));
  return diagram_table(c.out, c.in, groups, mean, channels);
}

template <class T>
std::vector<T> small_integers(Rng& rng, std::size_t count) {
  std::vector<T> out(count);
  for (T& v : out) v = static_cast<T>(static_cast<int>(rng.below(7)) - 3);
  return out;
}

}  // namespace

TEMPLATE_TEST_CASE("layers of diagrams are their dense matrices, on every diagram", "[numeric][quick]", float, double) {
  using T = TestType;
  Rng rng = test_rng();
  for (const Case& c : cases)
    for (const auto& sizes : c.sizes) {
      const Multiplicity channels{2, 3};
      const DiagramLayer<T> zero(table_of(c, false, channels), sizes);
      const DiagramTable& table = zero.table();
      CAPTURE(c.out, c.in, c.groups[0], sizes, table.params);
      const std::uint64_t N = zero.inputs() / channels.in, M = zero.outputs() / channels.out, batch = 2;
      const auto theta = small_integers<T>(rng, zero.theta().size()),
                 bias = small_integers<T>(rng, zero.bias_parameters().size());
      const DiagramLayer<T> layer = zero.with_parameters(theta, bias);
      std::vector<std::vector<int>> W, b;
      for (std::uint64_t p = 0; p < table.params; ++p) W.push_back(dense_diagram(table, table.diagram(p), sizes));
      for (std::uint64_t q = 0; q < table.bias_params; ++q)
        b.push_back(dense_diagram(table, table.bias_diagram(q), sizes));
      const auto x = small_integers<T>(rng, batch * zero.inputs()), dy = small_integers<T>(rng, batch * zero.outputs());
      std::vector<T> y(dy.size(), 0), dx(x.size(), 0), dtheta(theta.size(), 0), dbias(bias.size(), 0);
      for (std::uint64_t e = 0; e < batch; ++e)
        for (std::uint64_t o = 0; o < channels.out; ++o)
          for (std::uint64_t r = 0; r < M; ++r) {
            const std::uint64_t row = (e * channels.out + o) * M + r;
            for (std::uint64_t q = 0; q < table.bias_params; ++q) {
              y[row] += bias[q * channels.out + o] * static_cast<T>(b[q][r]);
              dbias[q * channels.out + o] += dy[row] * static_cast<T>(b[q][r]);
            }
            for (std::uint64_t p = 0; p < table.params; ++p)
              for (std::uint64_t i = 0; i < channels.in; ++i)
                for (std::uint64_t s = 0; s < N; ++s) {
                  const std::uint64_t t = (p * channels.out + o) * channels.in + i, col = (e * channels.in + i) * N + s;
                  const T w = static_cast<T>(W[p][r * N + s]);
                  y[row] += theta[t] * w * x[col];
                  dx[col] += theta[t] * w * dy[row];
                  dtheta[t] += w * x[col] * dy[row];
                }
          }
      std::vector<T> y2(y.size(), 9), dx2(x.size(), 9), dtheta2(theta.size(), 9), dbias2(bias.size(), 9);
      CHECK(layer.forward(batch, x, y2) == LayerForm::diagram);
      CHECK(y2 == y);  // integers: exact
      layer.backward(batch, x, dy, dx2, dtheta2, dbias2);
      CHECK(dx2 == dx);
      CHECK(dtheta2 == dtheta);
      CHECK(dbias2 == dbias);
    }
}

// Inputs that are zero but at a few of many points: there the layer does what it does where only these are, wherever they lie.
TEMPLATE_TEST_CASE("layers of diagrams on many points are those on few", "[numeric][quick]", float, double) {
  using T = TestType;
  Rng rng = test_rng();
  struct Sizes {
    const char *out, *in;
    std::uint64_t few, many;
  };
  for (const Sizes& c : {Sizes{"aa", "aa", 5, 64}, {"aa", "aa", 7, 131}, {"aaa", "aa", 4, 66}, {"aa", "aaa", 4, 66}}) {
    const Multiplicity channels{5, 3};
    const DiagramLayer<T> zero(diagram_table(c.out, c.in, {parse_diagram_group("S(n)")}, false, channels), {c.few});
    const DiagramLayer<T> few = zero.with_parameters(small_integers<T>(rng, zero.theta().size()),
                                                     small_integers<T>(rng, zero.bias_parameters().size())),
                          many = few.at({c.many});
    CAPTURE(c.out, c.in, c.many);
    std::vector<std::uint64_t> points(c.many);
    std::iota(points.begin(), points.end(), 0U);
    for (std::uint64_t i = 0; i < c.few; ++i) std::swap(points[i], points[i + rng.below(c.many - i)]);
    // Where entry k of an array on few points lies among those on many.
    const auto place = [&](std::uint64_t k, std::size_t axes) {
      std::uint64_t at = 0, weight = 1;
      for (std::size_t a = 0; a < axes; ++a, k /= c.few, weight *= c.many) at += points[k % c.few] * weight;
      return at + k * weight;
    };
    const std::size_t out = std::string(c.out).size(), in = std::string(c.in).size();
    const auto x = small_integers<T>(rng, few.inputs()), dy = small_integers<T>(rng, few.outputs());
    std::vector<T> y(dy.size()), dx(x.size()), dtheta(few.theta().size()), dbias(few.bias_parameters().size());
    std::vector<T> far_x(many.inputs(), 0), far_dy(many.outputs(), 0), far_y(far_dy.size(), 9), far_dx(far_x.size(), 9),
        far_dtheta(dtheta.size(), 9), far_dbias(dbias.size(), 9);
    for (std::size_t k = 0; k < x.size(); ++k) far_x[place(k, in)] = x[k];
    for (std::size_t k = 0; k < dy.size(); ++k) far_dy[place(k, out)] = dy[k];
    few.forward(1, x, y);
    few.backward(1, x, dy, dx, dtheta, dbias);
    many.forward(1, far_x, far_y);
    many.backward(1, far_x, far_dy, far_dx, far_dtheta, far_dbias);
    for (std::size_t k = 0; k < y.size(); ++k) REQUIRE(far_y[place(k, out)] == y[k]);
    for (std::size_t k = 0; k < dx.size(); ++k) REQUIRE(far_dx[place(k, in)] == dx[k]);
    CHECK(far_dtheta == dtheta);
    CHECK(far_dbias == dbias);
  }
}

TEST_CASE("layers of diagrams obey the laws of layers, also where sums are means", "[numeric][quick]") {
  Rng rng = test_rng();
  for (const Case& c : cases)
    for (const bool mean : {false, true}) {
      CAPTURE(c.out, c.in, c.groups[0], mean);
      const DiagramLayer<double> layer(table_of(c, mean, {3, 2}), c.sizes.back());
      laws::require_laws(layer, 1e-12, rng);
    }
}

TEST_CASE("the same parameters serve every size, and means do not see copies of points", "[numeric][quick]") {
  Rng rng = test_rng();
  DiagramLayer<double> layer(diagram_table("aa", "aa", {{}}, true, {2, 2}), {3});
  std::vector<double> theta = small_integers<double>(rng, layer.theta().size());
  // Only diagrams whose output indices may differ commute with doubling every point: drop those on the diagonal.
  for (std::uint64_t p = 0; p < layer.table().params; ++p)
    if (layer.table().diagram(p)[0] == layer.table().diagram(p)[1])
      std::fill_n(theta.begin() + static_cast<std::ptrdiff_t>(4 * p), 4, 0.0);
  layer = layer.with_parameters(theta, small_integers<double>(rng, 0));
  const DiagramLayer<double> twice = layer.at({6});
  const auto x = small_integers<double>(rng, layer.inputs());
  std::vector<double> copies(twice.inputs()), y(layer.outputs()), z(twice.outputs());
  const auto entry = [](std::uint64_t c, std::uint64_t i, std::uint64_t j, std::uint64_t n) {
    return (c * n + i) * n + j;
  };
  for (std::uint64_t c = 0; c < 2; ++c)
    for (std::uint64_t i = 0; i < 6; ++i)
      for (std::uint64_t j = 0; j < 6; ++j) copies[entry(c, i, j, 6)] = x[entry(c, i / 2, j / 2, 3)];
  layer.forward(1, x, y);
  twice.forward(1, copies, z);
  for (std::uint64_t c = 0; c < 2; ++c)
    for (std::uint64_t i = 0; i < 6; ++i)
      for (std::uint64_t j = 0; j < 6; ++j) CHECK(z[entry(c, i, j, 6)] == Approx(y[entry(c, i / 2, j / 2, 3)]));
}

TEST_CASE("what layers of diagrams refuse", "[numeric][quick]") {
  const DiagramTable graphs = diagram_table("aa", "aa");
  CHECK_THROWS_AS(DiagramLayer<float>(graphs, {}), DomainError);
  CHECK_THROWS_AS(DiagramLayer<float>(graphs, {3, 4}), DomainError);
  CHECK_THROWS_AS(DiagramLayer<float>(graphs, {std::uint64_t{1} << 40}), DomainError);
  CHECK_THROWS_AS(DiagramLayer<float>(diagram_table("a", "a", {parse_diagram_group("Sp(n)")}), {3}), DomainError);
  CHECK_THROWS_AS(DiagramLayer<float>(diagram_table("a", "a", {parse_diagram_group("O(3)")}), {4}), DomainError);
  CHECK_THROWS_AS(DiagramLayer<float>(diagram_table("a", "a", {parse_diagram_group("U(n)")}), {3}), DomainError);
  const DiagramLayer<float> layer(graphs, {3});
  std::vector<float> x(9), y(8);
  CHECK_THROWS_AS(layer.forward(1, x, y), DomainError);
  y.resize(9);
  CHECK_THROWS_AS(layer.forward(2, x, y), DomainError);
  CHECK_THROWS_AS(layer.forward(1, x, y, {LayerMode::dense, 1, 1}), DomainError);
  CHECK_THROWS_AS(layer.with_parameters(y), DomainError);
  CHECK_THROWS_AS(layer.expected_seconds(LayerForm::dense, 1), DomainError);
  CHECK(layer.pick(1) == LayerForm::diagram);
  CHECK(layer.expected_seconds(LayerForm::diagram, 1) > 0);
}

// What the variances promise, from the matrices.
TEST_CASE("diagrams begin with parameters that keep the variance of outputs", "[numeric][quick]") {
  for (const Case& c : cases)
    for (const auto& sizes : c.sizes)
      for (const bool mean : {false, true}) {
        const DiagramTable table = table_of(c, mean, {1, 3});
        CAPTURE(c.out, c.in, c.groups[0], sizes, mean);
        const std::vector<double> variance = initial_variance(table, sizes, 2);
        REQUIRE(variance.size() == table.params);
        const std::vector<DiagramAxis> axes = table.axes();
        const bool sets = std::string(c.groups[0]) == "S(n)" && c.groups.back() == c.groups[0];
        std::uint64_t rows = 1, columns = 1, row = 0;
        std::map<std::size_t, std::uint64_t> next;  // of every letter: indices that differ
        for (const DiagramAxis& axis : axes) {
          const std::uint64_t n = sizes[axis.letter];
          (axis.output ? rows : columns) *= n;
          if (axis.output) row = row * n + next[axis.letter]++ % n;
        }
        const bool distinct =
            std::all_of(next.begin(), next.end(), [&](const auto& used) { return used.second <= sizes[used.first]; });
        if (sets && !distinct) continue;
        double found = 0;
        for (std::uint64_t p = 0; p < table.params; ++p) {
          double points = 1;
          for (std::size_t a = 0; a < axes.size() && mean; ++a) {
            const auto word = table.diagram(p);
            bool first = word[a] >= 0;
            for (std::size_t b = 0; b < axes.size(); ++b)
              first = first && (axes[b].letter != axes[a].letter || word[b] != word[a] || (b >= a && !axes[b].output));
            if (first) points *= static_cast<double>(sizes[axes[a].letter]);
          }
          const auto W = dense_diagram(table, table.diagram(p), sizes);
          double squares = 0;
          if (sets) {
            double sum = 0;
            for (std::uint64_t j = 0; j < columns; ++j) sum += W[row * columns + j];
            squares = sum * sum;
          } else {
            for (const int w : W) squares += w * w / static_cast<double>(rows);
          }
          found += 3 * variance[p] * squares / (points * points);
        }
        if (table.params > 0) CHECK(found == Approx(4));
      }
  const DiagramTable graphs = diagram_table("aa", "aa", {{}}, true, {2, 3});
  const auto theta = random_theta<float>(graphs, std::vector<std::uint64_t>{4}, 7);
  CHECK(theta.size() == 15 * 6);
  CHECK(theta == random_theta<float>(graphs, std::vector<std::uint64_t>{9}, 7));  // means: for every size
  CHECK(theta != random_theta<float>(graphs, std::vector<std::uint64_t>{4}, 8));
  CHECK_THROWS_AS(initial_variance(graphs, std::vector<std::uint64_t>{1, 2}), DomainError);
}
