// Theta of graphs: the problem and its group.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/sdp/graph_bounds.hpp"
#include "intertwine/sdp/symmetry_reduction.hpp"

using namespace intertwine;
using Catch::Matchers::Contains;

namespace {

LabelledGraph cycle(std::uint32_t n) {
  LabelledGraph graph;
  graph.vertices = n;
  for (std::uint32_t i = 0; i < n; ++i) graph.edges.push_back({i, (i + 1) % n, 7});
  return graph;
}

}  // namespace

TEST_CASE("the problem of theta has an equation for every orbit of edges", "[sdp][quick]") {
  const LabelledGraph pentagon = cycle(5);
  const Representation V = sdp::vertex_symmetries(pentagon);
  REQUIRE(V.group().order() == 10);
  const sdp::ThetaProblem theta = theta_problem(pentagon, V, sdp::ThetaVariant::lovasz);
  REQUIRE(theta.problem.constraints().size() == 2);
  REQUIRE(theta.problem.constraints()[1] ==
          sdp::SymmetricMatrix{{0, 1, 1}, {0, 4, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}});
  REQUIRE(theta.problem.right_sides() == std::vector<Rational>{1, 0});
  REQUIRE(theta.problem.objective().size() == 15);
  REQUIRE(reduce(theta.problem, theta.rows).variables_after() == 3);
  // Without symmetry every edge has its own.
  const Representation alone = parse_representation(parse_finite_group("C1"), "5*trivial");
  REQUIRE(theta_problem(pentagon, alone, sdp::ThetaVariant::lovasz).problem.constraints().size() == 6);
}

TEST_CASE("variants have a nonnegative row for each orbit of pairs with a sign", "[sdp][quick]") {
  const LabelledGraph pentagon = cycle(5);
  const Representation V = sdp::vertex_symmetries(pentagon);
  const auto lesser = theta_problem(pentagon, V, sdp::ThetaVariant::schrijver);
  REQUIRE(lesser.problem.blocks() == std::vector<sdp::Block>{{5, false}, {1, true}});
  REQUIRE(lesser.rows.dimension() == 6);
  REQUIRE(lesser.problem.constraints().size() == 3);
  REQUIRE(lesser.problem.constraints()[2].back() == sdp::SymmetricEntry{5, 5, -1});
  const auto greater = theta_problem(pentagon, V, sdp::ThetaVariant::szegedy);
  REQUIRE(greater.problem.constraints().size() == 2);
  REQUIRE(greater.problem.constraints()[1].back() == sdp::SymmetricEntry{5, 5, 1});
}

TEST_CASE("a group that does not fix the graph is refused", "[sdp][quick]") {
  const LabelledGraph pentagon = cycle(5);
  const auto refused = [&](const char* group, const char* action, const char* why) {
    CAPTURE(group, action);
    const Representation V = parse_representation(parse_finite_group(group), action);
    REQUIRE_THROWS_WITH(theta_problem(pentagon, V, sdp::ThetaVariant::lovasz), Contains(why));
  };
  refused("S5", "perm", "does not fix the graph");
  refused("S4", "perm", "acts on 4 vertices, and the graph has 5");
  refused("S5", "sign*perm", "permutes the vertices");
  LabelledGraph directed = pentagon;
  directed.directed = true;
  REQUIRE_THROWS_WITH(theta_problem(directed, sdp::vertex_symmetries(pentagon), sdp::ThetaVariant::lovasz),
                      Contains("without directions"));
  REQUIRE_THROWS_WITH(sdp::theta_variant("delsarte"), Contains("none of lovasz, schrijver, szegedy"));
}

// A large group of small orbits: few random elements leave pairs apart that belong together.
TEST_CASE("theta of a graph with many twins takes whole orbits of pairs", "[sdp][quick]") {
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t i = 0; i < 210; ++i)
    if (const std::uint32_t j = (i * i + 1) % 211; i != j) edges.emplace(std::min(i, j), std::max(i, j));
  LabelledGraph graph;
  graph.vertices = 211;
  for (const auto& [i, j] : edges) graph.edges.push_back({i, j, 1});
  const sdp::ThetaProblem found = theta_problem(graph, sdp::vertex_symmetries(graph), sdp::ThetaVariant::lovasz);
  std::size_t pairs = 0;
  for (std::size_t k = 1; k < found.problem.constraints().size(); ++k) pairs += found.problem.constraints()[k].size();
  CHECK(pairs == edges.size());
  CHECK(found.problem.constraints().size() - 1 < edges.size());
}
