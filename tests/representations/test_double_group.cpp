#include "intertwine/representations/double_group.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/identification.hpp"
#include "intertwine/groups/named_groups.hpp"

using namespace intertwine;

namespace {

using Names = std::multiset<std::string>;

const structure::DoubleGroup::Lifts& lifts_of(const FiniteGroup& G) {
  return *G.structure().as<structure::DoubleGroup>()->lifts;
}

/// The names of the rows that the turn by 2 pi negates.
Names spinors(const std::string& symbol) {
  const CharacterTable table = character_table(double_group(symbol));
  const std::size_t n = table.group().degree();
  std::vector<Point> turn(n);
  for (std::size_t i = 0; i < n; ++i) turn[i] = static_cast<Point>(i ^ 1U);
  const std::size_t c = table.classes().index_of_element(Permutation(turn));
  Names names;
  for (std::size_t row = 0; row < table.size(); ++row)
    if (table(row, c) != table(row, 0)) names.insert(table.name(row));
  return names;
}

/// sin((2j+1) phi/2) / sin(phi/2) on the classes, with the sign of the lift, from the character of spin 1/2.
std::vector<Cyclotomic> spin(const CharacterTable& table, unsigned twice_j) {
  std::vector<Cyclotomic> out;
  for (std::size_t c = 0; c < table.size(); ++c) {
    const Point lift = table.classes()[c].representative(0);
    const Cyclotomic half = Cyclotomic(lift % 2 == 0 ? 1 : -1) * lifts_of(table.group()).traces[lift / 2];
    Cyclotomic before(0), value(1);
    for (unsigned k = 0; k < twice_j; ++k) before = std::exchange(value, half * value - before);
    out.push_back(value);
  }
  return out;
}

Names constituents(const std::string& symbol, unsigned twice_j) {
  const CharacterTable table = character_table(double_group(symbol));
  const std::vector<Cyclotomic> chi = spin(table, twice_j);
  Names names;
  for (std::size_t row = 0; row < table.size(); ++row) {
    Cyclotomic sum;
    for (std::size_t c = 0; c < table.size(); ++c)
      sum += Cyclotomic(Rational(table.classes()[c].size)) * table(row, c).conjugate() * chi[c];
    const Rational multiplicity = sum.to_rational() / Rational(table.group().order());
    for (Rational k(0); k < multiplicity; k += 1) names.insert(table.name(row));
  }
  return names;
}

}  // namespace

// Altmann & Herzig 1994: the 32 crystallographic point groups, and I and Ih.
TEST_CASE("the spinor rows of the point groups have their names", "[representations]") {
  struct Known {
    std::vector<std::string> groups;
    std::vector<std::string> rows;
    bool centred = false;  ///< each with g and u
  };
  const std::vector<Known> all{{{"C1"}, {"A1/2"}},
                               {{"Ci"}, {"A1/2"}, true},
                               {{"C2", "Cs"}, {"1E1/2", "2E1/2"}},
                               {{"C2h"}, {"1E1/2", "2E1/2"}, true},
                               {{"D2", "C2v"}, {"E1/2"}},
                               {{"D2h"}, {"E1/2"}, true},
                               {{"C3"}, {"1E1/2", "2E1/2", "A3/2"}},
                               {{"S6"}, {"1E1/2", "2E1/2", "A3/2"}, true},
                               {{"D3", "C3v"}, {"E1/2", "1E3/2", "2E3/2"}},
                               {{"D3d"}, {"E1/2", "1E3/2", "2E3/2"}, true},
                               {{"C4", "S4"}, {"1E1/2", "2E1/2", "1E3/2", "2E3/2"}},
                               {{"C4h"}, {"1E1/2", "2E1/2", "1E3/2", "2E3/2"}, true},
                               {{"D4", "C4v", "D2d"}, {"E1/2", "E3/2"}},
                               {{"D4h"}, {"E1/2", "E3/2"}, true},
                               {{"C6", "C3h"}, {"1E1/2", "2E1/2", "1E3/2", "2E3/2", "1E5/2", "2E5/2"}},
                               {{"C6h"}, {"1E1/2", "2E1/2", "1E3/2", "2E3/2", "1E5/2", "2E5/2"}, true},
                               {{"D6", "C6v", "D3h"}, {"E1/2", "E3/2", "E5/2"}},
                               {{"D6h"}, {"E1/2", "E3/2", "E5/2"}, true},
                               {{"T"}, {"E1/2", "1F3/2", "2F3/2"}},
                               {{"Th"}, {"E1/2", "1F3/2", "2F3/2"}, true},
                               {{"O", "Td"}, {"E1/2", "E5/2", "F3/2"}},
                               {{"Oh"}, {"E1/2", "E5/2", "F3/2"}, true},
                               {{"I"}, {"E1/2", "E7/2", "F3/2", "I5/2"}},
                               {{"Ih"}, {"E1/2", "E7/2", "F3/2", "I5/2"}, true}};
  std::size_t count = 0;
  for (const Known& known : all)
    for (const std::string& symbol : known.groups) {
      CAPTURE(symbol);
      Names rows;
      for (const std::string& row : known.rows)
        for (const char* parity : {"g", "u"}) {
          if (known.centred)
            rows.insert(row + parity);
          else if (*parity == 'g')
            rows.insert(row);
        }
      CHECK(spinors(symbol) == rows);
      ++count;
    }
  CHECK(count == 34);
}

// Koster et al. 1963; on C5 of I the golden ratio.
TEST_CASE("the characters of spinors are the published ones", "[representations][quick]") {
  const CharacterTable O = character_table(double_group("O"));
  const auto value = [&](const std::string& name, unsigned order) {
    for (std::size_t row = 0; row < O.size(); ++row)
      if (O.name(row) == name)
        for (std::size_t c = 0; c < O.size(); ++c) {  // the class over a turn by 2 pi / order, of trace >= 0
          const Point lift = O.classes()[c].representative(0);
          const Cyclotomic half = lifts_of(O.group()).traces[lift / 2];
          const Cyclotomic expected = Cyclotomic::root_of_unity(2 * order) + Cyclotomic::root_of_unity(2 * order, -1);
          if (lift % 2 == 0 && half == expected && half != 0) return O(row, c);
        }
    throw InternalError("no such value");
  };
  const Cyclotomic root2 = Cyclotomic::root_of_unity(8) + Cyclotomic::root_of_unity(8, -1);
  CHECK((value("E1/2", 3) == 1 && value("E1/2", 4) == root2));
  CHECK((value("E5/2", 3) == 1 && value("E5/2", 4) == Cyclotomic(-1) * root2));
  CHECK((value("F3/2", 3) == -1 && value("F3/2", 4) == 0));
}

// Bethe 1929: Gamma_6, Gamma_7 and Gamma_8 of O are E1/2, E5/2 and F3/2.
TEST_CASE("half-integral spins split in a cubic field as Bethe found", "[representations][quick]") {
  CHECK(constituents("O", 1) == Names{"E1/2"});
  CHECK(constituents("O", 3) == Names{"F3/2"});
  CHECK(constituents("O", 5) == Names{"E5/2", "F3/2"});
  CHECK(constituents("O", 7) == Names{"E1/2", "E5/2", "F3/2"});
  CHECK(constituents("O", 9) == Names{"E1/2", "F3/2", "F3/2"});
  CHECK(constituents("O", 2) == Names{"T1"});  // spin 1 is a vector
  CHECK(constituents("Oh", 5) == Names{"E5/2g", "F3/2g"});
  CHECK(constituents("D3h", 3) == Names{"E1/2", "E3/2"});
  CHECK(constituents("I", 7) == Names{"E7/2", "I5/2"});
}

TEST_CASE("double groups are the binary groups", "[representations][quick]") {
  const std::vector<std::pair<std::string, unsigned>> known{{"C1", 1},  {"Cs", 1}, {"C2", 1}, {"D2", 4},  {"C2v", 4},
                                                            {"D3", 1},  {"T", 3},  {"O", 28}, {"Td", 28}, {"Th", 32},
                                                            {"D3h", 4}, {"I", 5},  {"D4", 9}, {"Ci", 2}};
  for (const auto& [symbol, number] : known) {
    CAPTURE(symbol);
    const FiniteGroup G = double_group(symbol);
    CHECK(G.order() == 2 * point_group(symbol).order());
    CHECK(identify(G)->number == number);
    CHECK(G.name() == "double(" + symbol + ")");
  }
  REQUIRE_THROWS_AS(double_group("X5"), DomainError);
  REQUIRE_THROWS_AS(double_group("C2001"), LimitError);
}
