// Products along edges, beside their definition in long doubles.
#include "intertwine/numeric/edge_product.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/numeric/instruction_set.hpp"
#include "numeric/patterns.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

using Indices = std::vector<std::int64_t>;

/// Edges by chance; some nodes are isolated. Loops and edges that occur twice are kept.
struct RandomEdges {
  Indices source, target, target_first, by_target, source_first, by_source;
  EdgeGraph graph;

  RandomEdges(Rng& random, std::int64_t nodes, std::int64_t edges) {
    for (std::int64_t e = 0; e < edges; ++e) {
      source.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(nodes)));
      target.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>((nodes + 1) / 2)));
    }
    sort(nodes, target, target_first, by_target);
    sort(nodes, source, source_first, by_source);
    graph = {static_cast<std::uint64_t>(nodes), source, target, target_first, by_target, source_first, by_source};
  }

  static void sort(std::int64_t nodes, const Indices& ends, Indices& first, Indices& order) {
    first.push_back(0);
    for (std::int64_t n = 0; n < nodes; ++n) {
      for (std::size_t e = 0; e < ends.size(); ++e)
        if (ends[e] == n) order.push_back(static_cast<std::int64_t>(e));
      first.push_back(static_cast<std::int64_t>(order.size()));
    }
  }
};

/// Paths of all widths, some of them empty, over overlapping components; one path is a multiple of the identity.
struct RandomTable {
  EdgeSizes sizes{24, 9, 26};
  std::vector<EdgePath> paths;
  std::vector<EdgeCoupling> couplings;

  explicit RandomTable(Rng& random) {
    for (std::uint64_t d = 1; d <= 12; ++d) paths.push_back({d % 3, 1 + d * 5 % 11, d % 4, 1 + d % 5, d % 7, d});
    paths.push_back({2, 5, 3, 1, 4, 5});
    for (std::uint64_t i = 0; i < 5; ++i) couplings.push_back({12, i, 0, i, -0.75});
    paths.push_back({0, 3, 0, 3, 0, 19});  // more components than one tile has, and few couplings
    paths.push_back({0, 3, 0, 3, 0, 3});   // without couplings
    for (std::uint64_t p = 0; p < 14; ++p)
      for (std::uint64_t i = 0; p != 12 && i < paths[p].in_dim; ++i)
        for (std::uint64_t j = 0; j < paths[p].edge_dim; ++j)
          for (std::uint64_t k = 0; k < paths[p].out_dim; ++k)
            if (random() % 3 == 0) couplings.push_back({p, i, j, k, static_cast<double>(random() % 2001) / 1000 - 1});
  }
};

template <class T>
std::vector<T> numbers(Rng& random, std::uint64_t count) {
  std::vector<T> list(count);
  for (T& x : list) x = static_cast<T>(static_cast<double>(random() % 20001) / 10000 - 1);
  return list;
}

template <class T>
struct Values {
  std::vector<T> x, y, w;
  EdgeOperands<T> view() const { return {x, y, w}; }
};

template <class T>
Values<T> values(Rng& random, const RandomTable& t, const RandomEdges& e, std::uint64_t channels) {
  const std::uint64_t edges = e.source.size();
  return {numbers<T>(random, e.graph.nodes * t.sizes.in * channels), numbers<T>(random, edges * t.sizes.edge),
          numbers<T>(random, edges * t.paths.size() * channels)};
}

/// By the definition: adds the product, and the gradients in x, y and w.
template <class T>
struct Defined {
  std::vector<long double> out, x, y, w;

  Defined(const RandomTable& t, const RandomEdges& e, std::uint64_t C, const Values<T>& v)
      : out(e.graph.nodes * t.sizes.out * C), x(v.x.size()), y(v.y.size()), w(v.w.size()) {}

  void add(const RandomTable& t, const RandomEdges& edges, std::uint64_t C, const std::vector<T>& vx,
           const std::vector<T>& vy, const std::vector<T>& vw, const std::vector<T>& g, int left_out) {
    for (std::size_t e = 0; e < edges.source.size(); ++e)
      for (const EdgeCoupling& c : t.couplings)
        for (std::uint64_t ch = 0; ch < C; ++ch) {
          const EdgePath& p = t.paths[c.path];
          const std::size_t ax = (edges.source[e] * t.sizes.in + p.in + c.i) * C + ch,
                            ay = e * t.sizes.edge + p.edge + c.j, aw = (e * t.paths.size() + c.path) * C + ch,
                            ag = (edges.target[e] * t.sizes.out + p.out + c.k) * C + ch;
          const long double value = c.value;
          out[ag] += value * vx[ax] * vy[ay] * vw[aw];
          if (left_out != 0) x[ax] += value * vy[ay] * vw[aw] * g[ag];
          if (left_out != 1) y[ay] += value * vx[ax] * vw[aw] * g[ag];
          if (left_out != 2) w[aw] += value * vx[ax] * vy[ay] * g[ag];
        }
  }
};

template <class T>
void require_near(const std::vector<T>& found, const std::vector<long double>& wanted) {
  const double tolerance = sizeof(T) == 4 ? 3e-5 : 1e-13;
  REQUIRE(found.size() == wanted.size());
  double worst = 0;
  for (std::size_t k = 0; k < found.size(); ++k)
    worst = std::max(
        worst, std::abs(static_cast<double>(found[k] - wanted[k])) / (1 + std::abs(static_cast<double>(wanted[k]))));
  REQUIRE(worst < tolerance);
}

/// The results of the four operations, in one list each.
template <class T>
struct All {
  std::vector<T> out, x, y, w, out_along, x_along, y_along, w_along;
  bool operator==(const All&) const = default;
};

template <class T>
All<T> all(const EdgeProduct& product, const EdgeGraph& graph, std::uint64_t C, const Values<T>& v,
           const Values<T>& along, const std::vector<T>& g, unsigned threads) {
  const std::size_t outs = graph.nodes * product.sizes().out * C;
  const auto none = std::nan("");
  const auto fresh = [&](std::size_t n) { return std::vector<T>(n, static_cast<T>(none)); };
  All<T> a{fresh(outs), fresh(v.x.size()), fresh(v.y.size()), fresh(v.w.size()),
           fresh(outs), fresh(v.x.size()), fresh(v.y.size()), fresh(v.w.size())};
  product.apply<T>(graph, C, v.view(), a.out, threads);
  product.gradients<T>(graph, C, v.view(), g, {a.x, a.y, a.w}, threads);
  product.apply_along<T>(graph, C, v.view(), along.view(), a.out_along, threads);
  product.gradients_along<T>(graph, C, v.view(), g, along.view(), {a.x_along, a.y_along, a.w_along}, threads);
  return a;
}

template <class T>
void require_definition(Rng& random, std::uint64_t C) {
  const RandomTable table(random);
  const RandomEdges edges(random, 9, 40);
  const EdgeProduct product(table.sizes, table.paths, table.couplings);
  const Values<T> v = values<T>(random, table, edges, C), along = values<T>(random, table, edges, C);
  const std::vector<T> g = numbers<T>(random, edges.graph.nodes * table.sizes.out * C);
  const All<T> found = all(product, edges.graph, C, v, along, g, 1);
  Defined<T> first(table, edges, C, v), second(table, edges, C, v);
  first.add(table, edges, C, v.x, v.y, v.w, g, -1);
  second.add(table, edges, C, along.x, v.y, v.w, g, 0);
  second.add(table, edges, C, v.x, along.y, v.w, g, 1);
  second.add(table, edges, C, v.x, v.y, along.w, g, 2);
  require_near(found.out, first.out);
  require_near(found.x, first.x);
  require_near(found.y, first.y);
  require_near(found.w, first.w);
  require_near(found.out_along, second.out);
  require_near(found.x_along, second.x);
  require_near(found.y_along, second.y);
  require_near(found.w_along, second.w);
}

template <class T>
void require_same_bits(Rng& random, std::uint64_t C) {
  const RandomTable table(random);
  const RandomEdges edges(random, 60, 1500);
  const EdgeProduct product(table.sizes, table.paths, table.couplings);
  const Values<T> v = values<T>(random, table, edges, C), along = values<T>(random, table, edges, C);
  const std::vector<T> g = numbers<T>(random, edges.graph.nodes * table.sizes.out * C);
  const All<T> wanted = all(product, edges.graph, C, v, along, g, 1);
  for (unsigned threads = 2; threads <= 3; ++threads)
    REQUIRE(all(product, edges.graph, C, v, along, g, threads) == wanted);
  for (const auto level : {InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512}) {
    if (level > best_instruction_set()) continue;
    force_instruction_set(level);
    const bool same = all(product, edges.graph, C, v, along, g, 1) == wanted;
    force_instruction_set(std::nullopt);
    CAPTURE(to_string(level), C);
    REQUIRE(same);
  }
}

}  // namespace

TEST_CASE("products along edges and their derivatives are those of the definition", "[numeric][quick]") {
  Rng random = test_rng();
  for (const std::uint64_t C : {1, 2, 7, 15, 16, 17, 33, 50}) {
    CAPTURE(C);
    require_definition<float>(random, C);
    require_definition<double>(random, C);
  }
}

TEST_CASE("threads and instruction sets change no bit of products along edges", "[numeric][quick]") {
  Rng random = test_rng();
  for (const std::uint64_t C : {3, 21}) {
    require_same_bits<float>(random, C);
    require_same_bits<double>(random, C);
  }
}

TEST_CASE("graphs without edges, nodes or channels give zeros", "[numeric][quick]") {
  Rng random = test_rng();
  const RandomTable table(random);
  const EdgeProduct product(table.sizes, table.paths, table.couplings);
  const RandomEdges edges(random, 4, 0);
  const Values<double> v = values<double>(random, table, edges, 5);
  const std::vector<double> g(4 * table.sizes.out * 5, 1.0);
  const All<double> found = all(product, edges.graph, 5, v, v, g, 2);
  REQUIRE(found.out == std::vector<double>(g.size()));
  REQUIRE(found.x == std::vector<double>(v.x.size()));
  const RandomEdges none(random, 1, 0);
  EdgeGraph empty = none.graph;
  empty.nodes = 0;
  const Indices zero{0};
  empty.target_first = empty.source_first = zero;
  REQUIRE(all<double>(product, empty, 5, {}, {}, {}, 1).out.empty());
  const RandomEdges some(random, 4, 9);
  const Values<double> narrow = values<double>(random, table, some, 0);
  const All<double> nothing = all(product, some.graph, 0, narrow, narrow, {}, 1);
  REQUIRE(nothing.y == std::vector<double>(narrow.y.size()));
}

TEST_CASE("tables and graphs of edge products that are none are refused", "[numeric][quick]") {
  using Catch::Contains;
  const std::vector<EdgePath> paths{{0, 2, 0, 1, 0, 2}};
  const std::vector<EdgeCoupling> one{{0, 1, 0, 1, 2.0}}, outside{{0, 2, 0, 0, 1.0}}, twice{one[0], one[0]};
  REQUIRE_THROWS_WITH(EdgeProduct({1, 1, 2}, paths, one), Contains("path 0 takes the components 0 to 2 of x"));
  REQUIRE_THROWS_WITH(EdgeProduct({2, 1, 2}, paths, outside), Contains("lies outside of path 0"));
  REQUIRE_THROWS_WITH(EdgeProduct({2, 1, 2}, paths, twice), Contains("is given twice"));
  const EdgeProduct product({2, 1, 2}, paths, one);
  const std::vector<double> x(6), y(2), w(2);
  std::vector<double> out(6);
  const EdgeOperands<double> at{x, y, w};
  const Indices source{0, 2}, target{1, 1}, first{0, 0, 2, 2}, order{0, 1}, source_first{0, 1, 1, 2};
  const EdgeGraph good{3, source, target, first, order, source_first, order};
  product.apply<double>(good, 1, at, out);
  const Indices far{0, 3}, back{1, 0};
  EdgeGraph bad = good;
  bad.source = far;
  REQUIRE_THROWS_WITH(product.apply<double>(bad, 1, at, out), Contains("source has the number 3"));
  bad = good;
  bad.by_target = back;
  REQUIRE_THROWS_WITH(product.apply<double>(bad, 1, at, out), Contains("by_target does not list the edges"));
  bad = good;
  bad.target_first = source_first;
  REQUIRE_THROWS_AS(product.apply<double>(bad, 1, at, out), DomainError);
  REQUIRE_THROWS_WITH(product.apply<double>(good, 2, at, out), Contains("x has 6 numbers, and its shape has 12"));
  REQUIRE_THROWS_WITH(product.apply<double>(good, 1, at, std::span(out).first(5)), Contains("the product has 5"));
}
