#include "intertwine/representations/basis_layout.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"

using namespace intertwine;

TEST_CASE("the axes of a basis", "[representations][quick]") {
  using Axes = std::vector<std::uint64_t>;
  for (const auto& [group, text, axes] : {std::tuple("S4", "perm", Axes{4}),
                                          {"S4", "perm^2", Axes{4, 4}},
                                          {"S4", "tuples(3)", Axes{4, 4, 4}},
                                          {"S4", "perm * sign", Axes{4}},
                                          {"S4", "perm * alt(2, perm)", Axes{4, 6}},
                                          {"S4", "sign^9", Axes{1}},
                                          {"S4", "subsets(2)", Axes{6}},
                                          {"p4m(8,8)", "perm", Axes{8, 8}},
                                          {"p2(4,6)", "perm^2", Axes{4, 6, 4, 6}},
                                          {"S3 x C2", "perm # perm", Axes{3, 2}},
                                          {"S4", "restricted(<(1,2,3,4),(1,2)>, perm^2)", Axes{4, 4}}}) {
    CAPTURE(group, text);
    const FiniteGroup G = parse_finite_group(group);
    const std::vector<BasisBlock> blocks = basis_layout(parse_representation(G, text));
    REQUIRE(blocks.size() == 1);
    REQUIRE(blocks[0].start == 0);
    REQUIRE(blocks[0].axes == axes);
  }
}

TEST_CASE("the blocks of a basis, copies one by one", "[representations][quick]") {
  const FiniteGroup G = parse_finite_group("S3");
  const auto blocks = basis_layout(parse_representation(G, "2*(perm^2 + sign) + 0*perm + perm"));
  std::vector<std::uint64_t> starts, sizes;
  for (const BasisBlock& block : blocks) {
    starts.push_back(block.start);
    sizes.push_back(block.representation.dimension());
  }
  REQUIRE(starts == std::vector<std::uint64_t>{0, 9, 10, 19, 20});
  REQUIRE(sizes == std::vector<std::uint64_t>{9, 1, 9, 1, 3});
  REQUIRE(basis_layout(parse_representation(G, "0*perm")).empty());
  REQUIRE_THROWS_AS(basis_layout(parse_representation(G, "70000*perm")), LimitError);
}
