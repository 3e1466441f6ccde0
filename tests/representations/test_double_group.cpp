#include "intertwine/representations/double_group.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/identification.hpp"
#include "intertwine/groups/named_groups.hpp"

using namespace intertwine;

namespace {

/// The turn by 2 pi, which exchanges the two points of every element.
Permutation whole_turn(const FiniteGroup& G) {
  std::vector<Point> images(G.degree());
  for (std::size_t i = 0; i < images.size(); ++i) images[i] = static_cast<Point>(i ^ 1U);
  return Permutation(std::move(images));
}

/// The degrees of the rows that the turn by 2 pi negates, increasing.
std::vector<unsigned> spinor_degrees(const std::string& symbol) {
  const CharacterTable table = character_table(double_group(symbol));
  const std::size_t turn = table.classes().index_of_element(whole_turn(table.group()));
  std::vector<unsigned> degrees;
  for (std::size_t row = 0; row < table.size(); ++row)
    if (table(row, turn) != table(row, 0))
      degrees.push_back(table(row, 0).to_integer().convert_to<unsigned>());
  return degrees;
}

}  // namespace

TEST_CASE("double groups are the binary groups", "[representations][quick]") {
  const std::vector<std::pair<std::string, unsigned>> known{
      {"C1", 1}, {"Cs", 1},  {"C2", 1},  {"D2", 4},  {"C2v", 4}, {"D3", 1}, {"T", 3},
      {"O", 28}, {"Td", 28}, {"Th", 32}, {"D3h", 4}, {"I", 5},   {"D4", 9}, {"Ci", 2}};
  for (const auto& [symbol, number] : known) {
    CAPTURE(symbol);
    const FiniteGroup G = double_group(symbol);
    CHECK(G.order() == 2 * point_group(symbol).order());
    CHECK(identify(G)->number == number);
    CHECK(G.name() == "double(" + symbol + ")");
    const Permutation z = whole_turn(G);
    CHECK(G.contains(z));
    for (const Permutation& g : G.generators()) CHECK(g * z == z * g);
  }
  REQUIRE_THROWS_AS(double_group("X5"), DomainError);
  REQUIRE_THROWS_AS(double_group("C2001"), LimitError);
}

// Bethe 1929; Koster et al. 1963; Altmann & Herzig 1994. The squares of the degrees add up to the order of the point group.
TEST_CASE("the spinors of the 32 crystallographic point groups, of I and of Ih have the known degrees",
          "[representations]") {
  struct Known {
    std::vector<std::string> groups;
    std::vector<unsigned> degrees;
  };
  const std::vector<Known> all{{{"C1"}, {1}},
                               {{"Ci", "C2", "Cs"}, {1, 1}},
                               {{"C2h", "C4", "S4"}, {1, 1, 1, 1}},
                               {{"D2", "C2v"}, {2}},
                               {{"D2h", "D4", "C4v", "D2d"}, {2, 2}},
                               {{"C3"}, {1, 1, 1}},
                               {{"S6", "C6", "C3h"}, {1, 1, 1, 1, 1, 1}},
                               {{"D3", "C3v"}, {1, 1, 2}},
                               {{"D3d"}, {1, 1, 1, 1, 2, 2}},
                               {{"C4h"}, {1, 1, 1, 1, 1, 1, 1, 1}},
                               {{"D4h"}, {2, 2, 2, 2}},
                               {{"C6h"}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
                               {{"D6", "C6v", "D3h", "T"}, {2, 2, 2}},
                               {{"D6h", "Th"}, {2, 2, 2, 2, 2, 2}},
                               {{"O", "Td"}, {2, 2, 4}},
                               {{"Oh"}, {2, 2, 2, 2, 4, 4}},
                               {{"I"}, {2, 2, 4, 6}},
                               {{"Ih"}, {2, 2, 2, 2, 4, 4, 6, 6}}};
  std::size_t count = 0;
  for (const Known& known : all)
    for (const std::string& symbol : known.groups) {
      CAPTURE(symbol);
      CHECK(spinor_degrees(symbol) == known.degrees);
      ++count;
    }
  CHECK(count == 34);
}
