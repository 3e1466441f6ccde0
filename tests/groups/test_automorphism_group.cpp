// Automorphism groups of graphs: known orders, brute force, and graphs whose groups are known by construction.
#include "intertwine/groups/automorphism_group.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

struct Graph {
  explicit Graph(std::size_t vertices) : n(vertices), labels(n * n) {}
  std::uint32_t& at(std::size_t i, std::size_t j) { return labels[i * n + j]; }
  void join(std::size_t i, std::size_t j) { at(i, j) = at(j, i) = 1; }
  bool keeps(const std::vector<Point>& g) const {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (labels[g[i] * n + g[j]] != labels[i * n + j]) return false;
    return true;
  }
  FiniteGroup group(const Task& task = {}) const {
    return automorphism_group(LabelledGraph::from_labels(n, labels, task), task);
  }

  std::size_t n;
  std::vector<std::uint32_t> labels;
};

std::vector<Point> points(std::size_t n) {
  std::vector<Point> p(n);
  std::iota(p.begin(), p.end(), Point{0});
  return p;
}

/// The same graph with its vertices in another order.
Graph renumbered(Graph graph, Rng& rng) {
  std::vector<Point> order = points(graph.n);
  for (std::size_t k = graph.n; k > 1; --k) std::swap(order[k - 1], order[rng.below(k)]);
  Graph other(graph.n);
  for (std::size_t i = 0; i < graph.n; ++i)
    for (std::size_t j = 0; j < graph.n; ++j) other.at(order[i], order[j]) = graph.at(i, j);
  return other;
}

void require_group(const Graph& graph, const Integer& order) {
  const FiniteGroup G = graph.group();
  REQUIRE(G.degree() == graph.n);
  REQUIRE(G.order() == order);
  // The stated order is that of the generators.
  REQUIRE(FiniteGroup(G.degree(), G.generators()).order() == order);
  for (const Permutation& g : G.generators()) {
    std::vector<Point> images = points(graph.n);
    for (Point& p : images) p = g(p);
    REQUIRE(graph.keeps(images));
  }
}

/// Vertices are pairs; two are joined if they meet (the line graph of K_n) or not.
Graph pairs_graph(std::size_t n, bool meet) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) pairs.emplace_back(i, j);
  Graph graph(pairs.size());
  for (std::size_t a = 0; a < pairs.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const auto [i, j] = pairs[a];
      const auto [k, l] = pairs[b];
      if ((i == k || i == l || j == k || j == l) == meet) graph.join(a, b);
    }
  return graph;
}

}  // namespace

TEST_CASE("graphs with known groups, in any order of their vertices", "[automorphism_group][quick]") {
  Rng rng = test_rng();
  Graph heawood(14);  // points and lines of the plane of order 2
  for (std::size_t i = 0; i < 14; ++i) heawood.join(i, (i + 1) % 14);
  for (std::size_t i = 0; i < 14; i += 2) heawood.join(i, (i + 5) % 14);
  Graph directed(9), path(6), complete(12), cube(16), paley(29);
  for (std::size_t i = 0; i < 9; ++i) directed.at(i, (i + 1) % 9) = 1;
  for (std::size_t i = 0; i + 1 < 6; ++i) path.join(i, i + 1);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < i; ++j) complete.join(i, j);
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t bit = 1; bit < 16; bit *= 2) cube.join(i, i ^ bit);
  for (std::size_t i = 0; i < 29; ++i)
    for (std::size_t x = 1; x < 29; ++x) paley.at(i, (i + x * x) % 29) = 1;
  // Orders as in every book: [Godsil, Royle 2001, Algebraic Graph Theory].
  const std::vector<std::pair<Graph, int>> known{{pairs_graph(5, false), 120},
                                                 {heawood, 336},
                                                 {directed, 9},
                                                 {path, 2},
                                                 {complete, 479001600},
                                                 {cube, 384},
                                                 {paley, 29 * 14},
                                                 {pairs_graph(8, true), 40320},
                                                 {Graph(1), 1}};
  for (const auto& [graph, order] : known) {
    require_group(graph, order);
    require_group(renumbered(graph, rng), order);
  }
}

TEST_CASE("colours, directions and weights count", "[automorphism_group][quick]") {
  Graph cycle(12);
  for (std::size_t i = 0; i < 12; ++i) cycle.join(i, (i + 1) % 12);
  require_group(cycle, 24);
  Graph coloured = cycle;
  coloured.at(0, 0) = 7;
  require_group(coloured, 2);  // the reflection that fixes vertex 0
  Graph weighted = cycle;
  for (std::size_t i = 0; i < 12; i += 2) weighted.at(i, i + 1) = weighted.at(i + 1, i) = 5;
  require_group(weighted, 12);
  Graph turning = weighted;
  for (std::size_t i = 0; i < 12; ++i) turning.at((i + 1) % 12, i) = 9;
  require_group(turning, 6);
}

// Few edges: the search goes through lists of them.
TEST_CASE("graphs with few edges", "[automorphism_group][quick]") {
  Rng rng = test_rng();
  Graph cube(64), cycle(60), pentagons(60), arrows(60);
  for (std::size_t i = 0; i < 64; ++i)
    for (std::size_t bit = 1; bit < 64; bit *= 2) cube.join(i, i ^ bit);
  for (std::size_t i = 0; i < 60; ++i) {
    const std::size_t in_pentagon = i / 5 * 5 + (i + 1) % 5;
    cycle.join(i, (i + 1) % 60);
    pentagons.join(i, in_pentagon);
    arrows.at(i, in_pentagon) = 3;
  }
  Graph chord = cycle, coloured = pentagons, weighted = cycle;
  chord.join(0, 30);
  coloured.at(7, 7) = 4;
  for (std::size_t i = 0; i < 60; i += 3) weighted.at(i, i + 1) = weighted.at(i + 1, i) = 5;
  Integer turns = factorial(12), copies = factorial(12);
  for (int k = 0; k < 12; ++k) turns *= 5, copies *= 10;
  for (const auto& [graph, order] : std::vector<std::pair<Graph, Integer>>{{cube, 46080},
                                                                           {cycle, 120},
                                                                           {chord, 4},
                                                                           {weighted, 40},
                                                                           {pentagons, copies},
                                                                           {coloured, copies / 60},
                                                                           {arrows, turns},
                                                                           {pairs_graph(32, true), factorial(32)}}) {
    require_group(graph, order);
    require_group(renumbered(graph, rng), order);
  }
}

TEST_CASE("all permutations of small random graphs, by brute force", "[automorphism_group][quick]") {
  Rng rng = test_rng();
  for (int trial = 0; trial < 60 * test_multiplier(); ++trial) {
    const std::size_t n = 1 + rng.below(6);
    Graph graph(n);
    const std::uint64_t labels = 1 + rng.below(3);
    const bool directed = rng.below(2) == 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        graph.at(i, j) = static_cast<std::uint32_t>(rng.below(labels));
        graph.at(j, i) = directed ? static_cast<std::uint32_t>(rng.below(labels)) : graph.at(i, j);
      }
    std::vector<Point> g = points(n);
    int order = 0;
    do order += graph.keeps(g) ? 1 : 0;
    while (std::ranges::next_permutation(g).found);
    require_group(graph, order);
  }
}

// Neighbours alone are counted where there is one label, labels are summed up where there are two: the same groups.
TEST_CASE("pairs that are not joined may have a label", "[automorphism_group][quick]") {
  Rng rng = test_rng();
  const auto check = [&](const Graph& graph) {
    const Integer order = graph.group().order();
    Graph labelled = graph;
    for (std::size_t i = 0; i < graph.n; ++i)
      for (std::size_t j = 0; j < graph.n; ++j)
        if (i != j && graph.labels[i * graph.n + j] == 0) labelled.at(i, j) = 2;
    require_group(labelled, order);
    require_group(renumbered(graph, rng), order);
  };
  check(pairs_graph(9, true));
  for (int trial = 0; trial < 40 * test_multiplier(); ++trial) {
    const std::size_t n = 12 + rng.below(30), steps = 1 + rng.below(4);
    Graph circulant(n), forest(n), sparse(n);
    for (std::size_t k = 0; k < steps; ++k)
      for (std::size_t i = 0, step = 1 + rng.below(n - 1); i < n; ++i) circulant.join(i, (i + step) % n);
    for (std::size_t i = 1; i < n; ++i) forest.join(i, rng.below(std::min<std::size_t>(i, 5)));
    for (std::size_t k = 0; k < 2 * n; ++k)
      if (const std::size_t i = rng.below(n), j = rng.below(n); i != j) sparse.join(i, j);
    check(circulant);
    check(forest);
    check(sparse);
  }
}

TEST_CASE("orbits of the automorphisms, and what is refused", "[automorphism_group][quick]") {
  // A star: the centre is fixed, the leaves are one orbit.
  Graph star(8);
  for (std::size_t i = 1; i < 8; ++i) star.join(0, i);
  REQUIRE(orbits(8, star.group().generators()).size() == 2);
  REQUIRE_THROWS_AS(automorphism_group({}), DomainError);
  REQUIRE_THROWS_AS(LabelledGraph::from_labels(3, std::vector<std::uint32_t>(8)), DomainError);
  REQUIRE_THROWS_AS(star.group(Task(100, 0, {})), LimitError);
  const auto refused = [](LabelledGraph graph, const char* why) {
    REQUIRE_THROWS_WITH(automorphism_group(graph), Catch::Matchers::Contains(why));
  };
  refused({3, false, {{0, 3, 1}}, {}}, "from 0 to 3");
  refused({3, false, {{2, 2, 1}}, {}}, "loop at the vertex 2");
  refused({3, false, {{0, 1, 1}, {1, 0, 1}}, {}}, "given twice");
  refused({3, true, {{0, 1, 1}, {0, 1, 2}}, {}}, "given twice");
  refused({3, false, {}, {1, 2}}, "2 colours");
  REQUIRE(automorphism_group({3, true, {{0, 1, 1}, {1, 0, 1}}, {}}).order() == 2);
}

// Vertices with the same neighbours are merged before the search.
TEST_CASE("graphs of vertices alike", "[automorphism_group][quick]") {
  Rng rng = test_rng();
  Graph multipartite(12), cliques(12), labelled(10), arrows(9), nested(14);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < i; ++j) i % 3 == j % 3 ? cliques.join(i, j) : multipartite.join(i, j);
  for (std::size_t i = 0; i < 10; ++i)  // K_10 whose first five vertices are joined by another label
    for (std::size_t j = 0; j < 10; ++j) labelled.at(i, j) = i < 5 && j < 5 ? 7 : 2;
  for (std::size_t i = 0; i < 9; ++i)  // all of a third to all of the next
    for (std::size_t j = 0; j < 9; ++j) arrows.at(i, j) = (i / 3 + 1) % 3 == j / 3 ? 1 : 0;
  for (std::size_t i = 0; i < 14; ++i)  // two stars whose centres are joined; leaves of one colour on each side
    if (i > 1) nested.join(i % 2, i);
  nested.join(0, 1);
  Integer thirds = factorial(4);
  thirds *= thirds * thirds * 6;
  const std::vector<std::pair<Graph, Integer>> known{{multipartite, thirds},
                                                     {cliques, thirds},
                                                     {labelled, factorial(5) * factorial(5)},
                                                     {arrows, 6 * 6 * 6 * 3},
                                                     {nested, factorial(6) * factorial(6) * 2}};
  for (const auto& [graph, order] : known) {
    require_group(graph, order);
    require_group(renumbered(graph, rng), order);
  }
}

TEST_CASE("large graphs with few edges take the memory of their edges", "[automorphism_group][quick]") {
  constexpr std::uint32_t n = 60;
  LabelledGraph torus{n * n, false, {}, {}};
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j) {
      torus.edges.push_back({i * n + j, i * n + (j + 1) % n, 1});
      torus.edges.push_back({i * n + j, (i + 1) % n * n + j, 1});
    }
  const Task little(4'000'000, 0, {});  // its adjacency matrix has 13 million entries
  const FiniteGroup G = automorphism_group(torus, little);
  REQUIRE(G.order() == 8 * n * n);
  REQUIRE(FiniteGroup(G.degree(), G.generators()).order() == 8 * n * n);
  LabelledGraph empty{300, false, {{0, 1, 1}}, {}};
  REQUIRE(automorphism_group(empty).order() == 2 * factorial(298));
  LabelledGraph pairs{100'000, false, {}, {}};  // 50 000 classes of two: as many generators of 100 000 points
  for (std::uint32_t i = 0; i < 50'000; ++i) pairs.edges.push_back({2 * i, 2 * i + 1, i});
  REQUIRE_THROWS_AS(automorphism_group(pairs, Task(std::uint64_t{1} << 30, 0, {})), LimitError);
}

namespace {

/// A tree by the parents of 1, 2, ... and the order of its group: codes of rooted trees from the centre, n! for n equal
/// ones below a vertex.
struct Tree {
  LabelledGraph graph;
  std::vector<std::vector<std::uint32_t>> next;

  explicit Tree(std::uint32_t n, Rng& rng) : graph{n, false, {}, {}}, next(n) {
    for (std::uint32_t v = 1; v < n; ++v) {
      const auto u = static_cast<std::uint32_t>(rng.below(v));
      graph.edges.push_back({u, v, 1});
      next[u].push_back(v);
      next[v].push_back(u);
    }
  }

  std::vector<std::uint32_t> centre() const {
    std::vector<std::size_t> degree;
    std::vector<std::uint32_t> leaves;
    for (std::uint32_t v = 0; v < next.size(); ++v) {
      degree.push_back(next[v].size());
      if (degree[v] == 1) leaves.push_back(v);
    }
    for (std::size_t left = next.size(); left > 2;) {
      left -= leaves.size();
      std::vector<std::uint32_t> inner;
      for (const std::uint32_t v : leaves)
        for (const std::uint32_t u : next[v])
          if (--degree[u] == 1) inner.push_back(u);
      leaves = inner;
    }
    return leaves;
  }

  /// Of the rooted trees below vertices.
  struct Codes {
    std::vector<std::size_t> of;  ///< by vertex
    Integer order = 1;
    std::map<std::vector<std::size_t>, std::size_t> known = {};
  };

  /// The number of the class of the tree below v.
  std::size_t code(std::uint32_t v, std::uint32_t above, Codes& codes) const {
    std::vector<std::size_t> below;
    for (const std::uint32_t u : next[v])
      if (u != above) below.push_back(code(u, v, codes));
    std::ranges::sort(below);
    for (std::size_t i = 0, same = 1; i + 1 < below.size(); ++i) {
      same = below[i + 1] == below[i] ? same + 1 : 1;
      codes.order *= same;
    }
    return codes.of[v] = codes.known.try_emplace(std::move(below), codes.known.size()).first->second;
  }

  /// The order, and the number of orbits: those of vertices with the same code below vertices of one orbit.
  std::pair<Integer, std::size_t> order_and_orbits() const {
    Codes codes{std::vector<std::size_t>(next.size())};
    const auto middle = centre();
    const bool two = middle.size() == 2;
    const std::size_t half = code(middle[0], middle[two ? 1 : 0], codes);
    if (two && code(middle[1], middle[0], codes) == half) codes.order *= 2;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> known;  // by the orbit above and the code
    struct Place {
      std::uint32_t v, above;
      std::size_t orbit_above;
    };
    std::vector<Place> places;
    for (const std::uint32_t v : middle) places.push_back({v, two ? middle[0] ^ middle[1] ^ v : v, next.size()});
    while (!places.empty()) {
      const auto [v, above, orbit_above] = places.back();
      places.pop_back();
      const std::size_t orbit = known.try_emplace({orbit_above, codes.of[v]}, known.size()).first->second;
      for (const std::uint32_t u : next[v])
        if (u != above) places.push_back({u, v, orbit});
    }
    return {codes.order, known.size()};
  }

  Integer order() const { return order_and_orbits().first; }
};

/// Does every generator take the edges at the vertices that it moves, each given once, to edges?
bool keep_edges(const Automorphisms& found, const LabelledGraph& graph) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::vector<std::vector<std::uint32_t>> next(graph.vertices);
  for (const auto& e : graph.edges) {
    edges.insert(std::minmax(e.from, e.to));
    next[e.from].push_back(e.to);
    next[e.to].push_back(e.from);
  }
  return std::ranges::all_of(found.generators, [&](const MovedPoints& g) {
    const std::map<Point, Point> images(g.begin(), g.end());
    const auto image = [&](Point x) { return images.contains(x) ? images.at(x) : x; };
    std::set<Point> hit;
    for (const auto& [x, y] : g) {
      if (x == y || !images.contains(y) || !hit.insert(y).second) return false;
      for (const std::uint32_t u : next[x])
        if (!edges.contains(std::minmax(y, image(u)))) return false;
    }
    return !g.empty();
  });
}

/// A spine of vertices, each with so many leaves.
LabelledGraph caterpillar(std::uint32_t spine, std::uint32_t leaves) {
  LabelledGraph graph{std::size_t{spine} * (1 + leaves), false, {}, {}};
  for (std::uint32_t v = 0; v < spine; ++v) {
    if (v > 0) graph.edges.push_back({v - 1, v, 1});
    for (std::uint32_t k = 0; k < leaves; ++k) graph.edges.push_back({v, spine + leaves * v + k, 1});
  }
  return graph;
}

}  // namespace

// As a group each would need more than 10^8 images of generators.
TEST_CASE("generators of large trees hold what they move", "[automorphism_group][quick]") {
  const LabelledGraph leaves = caterpillar(2000, 50);
  const Automorphisms found = automorphisms(leaves);
  CHECK(found.degree == 102'000);
  CHECK(found.order == 2 * pow(factorial(50), 2000));
  CHECK(found.orbits().size() == 2000);  // those of the spine's halves, and of their leaves
  CHECK(found.generators.size() == 4001);
  CHECK(found.moved() == 2000 * (2 + 50) + 102'000);
  CHECK(keep_edges(found, leaves));
  CHECK_FALSE(keep_edges({found.degree, {{{0, 1}, {1, 0}}}, 2}, leaves));
  CHECK_THROWS_WITH(found.group("G"), Catch::Matchers::Contains("4001 generators on 102000 vertices"));
  CHECK_THROWS_AS(automorphism_group(leaves), LimitError);
  CHECK_THROWS_AS(automorphisms(leaves, Task(16'000'000, 0, {})), LimitError);
  CHECK_THROWS_AS(automorphisms(leaves, Task(0, 1e-9, {})), LimitError);
  Rng rng(11);
  const Tree tree(100'000, rng);
  const auto [order, orbits] = tree.order_and_orbits();
  const Automorphisms large = automorphisms(tree.graph);
  CHECK(large.order == order);
  CHECK(large.orbits().size() == orbits);
  CHECK(keep_edges(large, tree.graph));
  // A swap at each inner vertex, whose two parts are told apart vertex by vertex: none of these nodes leads nowhere.
  LabelledGraph binary{(1U << 15) - 1, false, {}, {}};
  for (std::uint32_t v = 1; v < binary.vertices; ++v) binary.edges.push_back({(v - 1) / 2, v, 1});
  CHECK(automorphisms(binary).order == Integer(1) << ((1U << 14) - 1));
  LabelledGraph pairs{100'000, false, {}, {}};
  for (std::uint32_t i = 0; i < 50'000; ++i) pairs.edges.push_back({2 * i, 2 * i + 1, 1});
  const Automorphisms swaps = automorphisms(pairs);  // of 50 000 levels
  CHECK(swaps.order == factorial(50'000) << 50'000);
  CHECK(swaps.orbits().size() == 1);
}

TEST_CASE("automorphisms on the first points, and as a group", "[automorphism_group][quick]") {
  const Automorphisms swap{4, {{{0, 1}, {1, 0}, {2, 3}, {3, 2}}}, 2};
  CHECK(Automorphisms(swap).restricted(2) == Automorphisms{2, {{{0, 1}, {1, 0}}}, 2});
  CHECK_THROWS_WITH(Automorphisms(swap).restricted(3), Catch::Matchers::Contains("takes vertex 2 to 3"));
  CHECK_THROWS_WITH((Automorphisms{4, {{{2, 3}, {3, 2}}}, 2}.restricted(2)),
                    Catch::Matchers::Contains("fixes the first 2 vertices"));
  CHECK(swap.group("G").generators() == std::vector{parse_permutation("(1,2)(3,4)")});
  CHECK(swap.moved() == 4);
  CHECK_THROWS_AS(swap.group("G", Automorphisms::most_images, Task(8, 0, {})), LimitError);
  LabelledGraph trivial{3, false, {{0, 1, 1}}, {1, 2, 3}};
  const Automorphisms none = automorphisms(trivial);
  CHECK((none.order == 1 && none.generators.empty() && none.orbits().size() == 3));
}

TEST_CASE("the orders of groups of trees", "[automorphism_group][quick]") {
  Rng rng(5);
  for (const std::uint32_t n : {2U, 3U, 4U, 5U, 6U, 9U, 14U, 30U, 31U, 80U, 200U}) {
    const Tree tree(n, rng);
    const FiniteGroup G = automorphism_group(tree.graph);
    CAPTURE(n);
    CHECK(G.order() == tree.order());
    CHECK(G.chain().order() == tree.order());
    CHECK(orbits(n, G.generators()).size() == tree.order_and_orbits().second);
  }
  // With a chain of a thousand levels this would take minutes.
  const Tree large(4000, rng);
  const FiniteGroup G = automorphism_group(large.graph);
  CHECK(G.order() == large.order());
  CHECK_FALSE(is_abelian(G));
  LabelledGraph pairs{2000, false, {}, {}};
  for (std::uint32_t i = 0; i < 1000; ++i) pairs.edges.push_back({2 * i, 2 * i + 1, i});
  const FiniteGroup A = automorphism_group(pairs);
  CHECK(A.order() == (Integer(1) << 1000));
  CHECK(is_abelian(A));
  CHECK(exponent(A) == Integer(2));
}

namespace {

/// Cai, Fürer and Immerman's graph of a cubic graph: a pair of vertices at each end of an edge, and at each vertex the even subsets of its edges.
LabelledGraph cai_furer_immerman(std::uint32_t n, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges) {
  LabelledGraph graph{10 * std::size_t{n}, false, {}, {}};
  std::vector<std::vector<std::uint32_t>> ends(n);  // the first of each pair
  std::uint32_t next = 0;
  for (const auto& [a, b] : edges) {
    for (const std::uint32_t v : {a, b}) {
      ends[v].push_back(next);
      next += 2;
    }
    for (std::uint32_t side = 0; side < 2; ++side)
      graph.edges.push_back({ends[a].back() + side, ends[b].back() + side, 1});
  }
  for (const auto& pairs : ends)
    for (const unsigned even : {0U, 3U, 5U, 6U}) {
      for (std::uint32_t k = 0; k < 3; ++k) graph.edges.push_back({next, pairs[k] + (even >> k & 1U), 1});
      ++next;
    }
  return graph;
}

}  // namespace

// An even set of edges at every vertex can be flipped: 2^(edges - vertices + 1) automorphisms above each of the cubic graph [Cai & Furer & Immerman 1992].
TEST_CASE("graphs of Cai, Fuerer and Immerman", "[automorphism_group][quick]") {
  const FiniteGroup of_k4 = automorphism_group(cai_furer_immerman(4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
  CHECK(of_k4.order() == 24 * 8);
  CHECK(of_k4.chain().order() == 24 * 8);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> prism;
  constexpr std::uint32_t n = 50;
  for (std::uint32_t i = 0; i < n; ++i) {
    prism.emplace_back(i, (i + 1) % n);
    prism.emplace_back(n + i, n + (i + 1) % n);
    prism.emplace_back(i, n + i);
  }
  CHECK(automorphism_group(cai_furer_immerman(2 * n, prism)).order() == Integer(4 * n) << (n + 1));
}

// On a line of a plane as many points fix nothing beyond as there are: the points that are individualized must not be collinear. PGL(3,p) and the dualities.
TEST_CASE("projective planes", "[automorphism_group][quick]") {
  Rng rng(77);
  for (const std::uint32_t p : {2U, 3U, 5U, 31U}) {
    std::vector<std::array<std::uint32_t, 3>> coordinates;
    for (std::uint32_t a = 0; a < p; ++a) {
      for (std::uint32_t b = 0; b < p; ++b) coordinates.push_back({1, a, b});
      coordinates.push_back({0, 1, a});
    }
    coordinates.push_back({0, 0, 1});
    const auto n = static_cast<std::uint32_t>(coordinates.size());
    std::vector<Point> order = points(2 * std::size_t{n});
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[rng.below(k)]);
    LabelledGraph plane{order.size(), false, {}, {}};
    for (std::uint32_t x = 0; x < n; ++x)
      for (std::uint32_t y = 0; y < n; ++y) {
        const auto &u = coordinates[x], &v = coordinates[y];
        if ((u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) % p == 0) plane.edges.push_back({order[x], order[n + y], 1});
      }
    const FiniteGroup G = automorphism_group(plane);
    CHECK(G.order() == 2 * Integer(p * p * p) * (p * p * p - 1) * (p * p - 1));
    CHECK(FiniteGroup(G.degree(), G.generators()).order() == G.order());
    plane.edges.pop_back();  // the group fixes a flag: p^3 (p - 1)^2, and a duality
    CHECK(automorphism_group(plane).order() == 2 * Integer(p * p * p) * (p - 1) * (p - 1));
  }
}

// A node of the search for each of two parts that change places, not one for every part between.
TEST_CASE("many connected parts that are alike", "[automorphism_group][quick]") {
  const auto cycles = [](std::uint32_t count, std::uint32_t length) {
    LabelledGraph graph{std::size_t{count} * length, false, {}, {}};
    for (std::uint32_t k = 0; k < count; ++k)
      for (std::uint32_t i = 0; i < length; ++i)
        graph.edges.push_back({length * k + i, length * k + (i + 1) % length, 1});
    return graph;
  };
  CHECK(automorphism_group(cycles(300, 3)).order() == factorial(300) * pow(Integer(6), 300));
  CHECK(automorphism_group(cycles(1500, 5)).order() == factorial(1500) * pow(Integer(10), 1500));
  const FiniteGroup G = automorphism_group(cycles(12, 7));
  CHECK(G.order() == factorial(12) * pow(Integer(14), 12));
  CHECK(FiniteGroup(G.degree(), G.generators()).order() == G.order());
  // Parts whose base has more points than the three at which exchanges were tried: Petersen's graph, 1000 times.
  LabelledGraph petersen{10'000, false, {}, {}};
  for (std::uint32_t k = 0; k < 10'000; k += 10)
    for (std::uint32_t i = 0; i < 5; ++i) {
      petersen.edges.push_back({k + i, k + (i + 1) % 5, 1});
      petersen.edges.push_back({k + i, k + i + 5, 1});
      petersen.edges.push_back({k + 5 + i, k + 5 + (i + 2) % 5, 1});
    }
  CHECK(automorphisms(petersen).order == factorial(1000) * pow(Integer(120), 1000));
  LabelledGraph other = cycles(12, 7);
  other.edges.push_back({0, 2, 1});  // one part is different
  CHECK(automorphism_group(other).order() == 2 * factorial(11) * pow(Integer(14), 11));
}

TEST_CASE("long searches on many vertices", "[automorphism_group][quick]") {
  LabelledGraph path{20'000, false, {}, {}};  // and 250 vertices without edges
  for (std::uint32_t v = 0; v + 251 < 20'000; ++v) path.edges.push_back({v, v + 1, 1});
  const FiniteGroup G = automorphism_group(path);
  CHECK(G.order() == 2 * factorial(250));
  LabelledGraph star{20'001, false, {}, {}};
  for (std::uint32_t v = 1; v <= 20'000; ++v) star.edges.push_back({0, v, 1});
  const FiniteGroup S = automorphism_group(star);
  CHECK(S.order() == factorial(20'000));
  CHECK(exponent(S).has_value());  // of Sym(20000), which moves all but one
  // A binary tree: a swap at each of 1023 inner vertices, a level of the search for each that is not next to the leaves.
  LabelledGraph tree{2047, false, {}, {}};
  for (std::uint32_t v = 1; v < 2047; ++v) tree.edges.push_back({(v - 1) / 2, v, 1});
  CHECK(automorphism_group(tree).order() == Integer(1) << 1023);
  // The same with three children: cells of three are taken where the last cut was, too.
  LabelledGraph ternary{9841, false, {}, {}};
  for (std::uint32_t v = 1; v < 9841; ++v) ternary.edges.push_back({(v - 1) / 3, v, 1});
  CHECK(automorphisms(ternary).order == pow(Integer(6), 3280));
}
