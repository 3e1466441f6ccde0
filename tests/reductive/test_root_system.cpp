#include "intertwine/reductive/root_system.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "intertwine/error.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

const std::vector<LieType> simple_types = {{'A', 1}, {'A', 2}, {'A', 5}, {'B', 2}, {'B', 4}, {'C', 3}, {'C', 4},
                                           {'D', 4}, {'D', 5}, {'E', 6}, {'E', 7}, {'E', 8}, {'F', 4}, {'G', 2}};

}  // namespace

TEST_CASE("positive roots, Weyl groups and adjoint dimensions are those of Bourbaki's planches", "[reductive][quick]") {
  struct Row {
    LieType type;
    int roots;
    const char* order;
  };
  for (const Row& row : {Row{{'A', 4}, 10, "120"}, Row{{'B', 3}, 9, "48"}, Row{{'C', 5}, 25, "3840"},
                         Row{{'D', 6}, 30, "23040"}, Row{{'E', 6}, 36, "51840"}, Row{{'E', 7}, 63, "2903040"},
                         Row{{'E', 8}, 120, "696729600"}, Row{{'F', 4}, 24, "1152"}, Row{{'G', 2}, 6, "12"}}) {
    const RootSystem R({row.type});
    CAPTURE(R.name());
    CHECK(R.positive_roots().size() == static_cast<std::size_t>(row.roots));
    CHECK(to_string(R.weyl_group_order()) == row.order);
    CHECK(R.dimension(R.highest_roots()[0]) == 2 * row.roots + row.type.rank);
  }
  CHECK(RootSystem('E', 8).highest_roots()[0] == Weight{0, 0, 0, 0, 0, 0, 0, 1});
  CHECK(RootSystem('C', 3).highest_roots()[0] == Weight{2, 0, 0});
  CHECK(RootSystem('F', 4).highest_roots()[0] == Weight{1, 0, 0, 0});
  CHECK(RootSystem('G', 2).highest_roots()[0] == Weight{0, 1});
}

TEST_CASE("dimensions of fundamental representations", "[reductive][quick]") {
  // [McKay & Patera 1981]
  const auto fundamental = [](const RootSystem& R) {
    std::vector<std::string> result;
    for (int i = 0; i < R.rank(); ++i) {
      Weight w(R.rank(), 0);
      w[i] = 1;
      result.push_back(to_string(R.dimension(w)));
    }
    return result;
  };
  using Strings = std::vector<std::string>;
  CHECK(fundamental(RootSystem('E', 8)) ==
        Strings{"3875", "147250", "6696000", "6899079264", "146325270", "2450240", "30380", "248"});
  CHECK(fundamental(RootSystem('E', 7)) == Strings{"133", "912", "8645", "365750", "27664", "1539", "56"});
  CHECK(fundamental(RootSystem('E', 6)) == Strings{"27", "78", "351", "2925", "351", "27"});
  CHECK(fundamental(RootSystem('F', 4)) == Strings{"52", "1274", "273", "26"});
  CHECK(fundamental(RootSystem('G', 2)) == Strings{"7", "14"});
  CHECK(fundamental(RootSystem('B', 3)) == Strings{"7", "21", "8"});
  CHECK(fundamental(RootSystem('C', 3)) == Strings{"6", "14", "14"});
  CHECK(fundamental(RootSystem('D', 4)) == Strings{"8", "28", "8", "8"});
  // rho has the dimension 2^(number of positive roots).
  CHECK(RootSystem('E', 8).dimension(Weight(8, 1)) == Integer(1) << 120);
}

TEST_CASE("reflections, dominant weights and orbits", "[reductive][quick]") {
  Rng rng = test_rng();
  for (const LieType& type : simple_types) {
    const RootSystem R({type});
    CAPTURE(R.name());
    for (int i = 0; i < R.rank(); ++i)
      for (int j = 0; j < R.rank(); ++j) CHECK(R.cartan(i, j) * R.half_norm(j) == R.cartan(j, i) * R.half_norm(i));
    for (int trial = 0; trial < 5 * test_multiplier(); ++trial) {
      Weight w(R.rank());
      for (int& label : w) label = static_cast<int>(rng.below(7)) - 3;
      const int i = static_cast<int>(rng.below(R.rank()));
      CHECK(R.reflect(R.reflect(w, i), i) == w);
      CHECK(R.dominant(R.reflect(w, i)) == R.dominant(w));
      CHECK(R.is_dominant(R.dominant(w)));
      Weight minus = w;
      for (int& label : minus) label = -label;
      CHECK(R.dual(R.dominant(w)) == R.dominant(minus));  // -w_0
      if (R.orbit_size(w) > 3000) continue;
      const std::vector<Weight> orbit = R.orbit(w);
      const std::set<Weight> different(orbit.begin(), orbit.end());
      CHECK(orbit.size() == different.size());
      CHECK(R.orbit_size(w) == orbit.size());
      CHECK(different.contains(w));
    }
  }
}

TEST_CASE("products and tori", "[reductive][quick]") {
  const RootSystem R = parse_root_system("A2 x T1xB2");
  CHECK(R.name() == "A2 x B2 x T1");
  CHECK(R.rank() == 5);
  CHECK(R.torus_rank() == 1);
  CHECK(R.dimension({1, 1, 0, 1, -7}) == 8 * 4);
  CHECK(R.dual({1, 0, 0, 1, -7}) == Weight{0, 1, 0, 1, 7});
  CHECK(R.weyl_group_order() == 6 * 8);
  CHECK(R.orbit_size({1, 0, 1, 0, 5}) == 3 * 4);
  CHECK(R.indicator({1, 1, 0, 0, 0}) == 1);
  CHECK(R.indicator({0, 0, 0, 1, 0}) == -1);
  CHECK(R.indicator({0, 0, 0, 1, 1}) == 0);
  CHECK(RootSystem({}).name() == "T0");
  CHECK(RootSystem({}).dimension({}) == 1);
}

TEST_CASE("real, complex and quaternionic representations", "[reductive][quick]") {
  // [Bourbaki 1975, VIII, table 1]
  CHECK(RootSystem('A', 1).indicator({1}) == -1);
  CHECK(RootSystem('A', 1).indicator({2}) == 1);
  CHECK(RootSystem('A', 2).indicator({1, 0}) == 0);
  CHECK(RootSystem('A', 5).indicator({0, 0, 1, 0, 0}) == -1);
  CHECK(RootSystem('E', 7).indicator({0, 0, 0, 0, 0, 0, 1}) == -1);
  CHECK(RootSystem('E', 7).indicator({1, 0, 0, 0, 0, 0, 0}) == 1);
  CHECK(RootSystem('E', 6).indicator({1, 0, 0, 0, 0, 0}) == 0);
  for (int n = 1; n <= 8; ++n) {
    Weight spinor(n, 0);
    spinor.back() = 1;
    CHECK(RootSystem('B', n).indicator(spinor) == (n % 4 == 0 || n % 4 == 3 ? 1 : -1));
  }
}

TEST_CASE("types and weights that do not exist are refused", "[reductive][quick]") {
  CHECK_THROWS_WITH(RootSystem('E', 5), Catch::Contains("there is no type E5"));
  CHECK_THROWS_AS(RootSystem('F', 3), DomainError);
  CHECK_THROWS_AS(RootSystem('D', 1), DomainError);
  CHECK_THROWS_AS(RootSystem('A', 257), LimitError);
  CHECK_THROWS_AS(RootSystem({{'A', 200}, {'B', 57}}), LimitError);
  const RootSystem R('A', 2);
  CHECK_THROWS_WITH(R.dimension({1}), Catch::Contains("[1] has 1 labels, but a weight of A2 has 2"));
  CHECK_THROWS_WITH(R.dimension({1, -1}), Catch::Contains("label 2 is -1"));
  CHECK_THROWS_AS(R.cartan(2, 0), DomainError);
  CHECK_THROWS_AS(R.reflect({1, 1}, 2), DomainError);
  CHECK_THROWS_AS(RootSystem('E', 8).orbit(Weight(8, 1), 1000), LimitError);
  CHECK_THROWS_AS(R.reflect({2'000'000'000, 2'000'000'000}, 0), LimitError);
  for (const auto& [text, position] : {std::pair{"", 0}, {"H3", 0}, {"A", 1}, {"A2 x", 4}, {"A2 B2", 3}, {"E8)", 2}}) {
    CAPTURE(text);
    try {
      parse_root_system(text);
      FAIL("parsed");
    } catch (const ParseError& e) {
      CHECK(e.position() == static_cast<std::size_t>(position));
    }
  }
  CHECK_THROWS_AS(parse_root_system("A99999999999"), LimitError);
}
