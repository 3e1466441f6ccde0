// Theta of graphs: the problem and its group.
#include <catch2/catch.hpp>

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
  const Representation alone = parse_representation(parse_group("C1"), "5*trivial");
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
    const Representation V = parse_representation(parse_group(group), action);
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
