// Class functions by the names of classes and in the orders of tables.
#include "intertwine/physics/printed_classes.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/physics/point_group_table.hpp"
#include "intertwine/representations/decomposition.hpp"

using namespace intertwine;
using Catch::Contains;

namespace {

std::vector<Integer> occurring(const ClassFunction& f) { return multiplicities(f); }
std::vector<Cyclotomic> numbers_of(std::initializer_list<long> list) { return {list.begin(), list.end()}; }

}  // namespace

TEST_CASE("water's displacements by name and in printed order", "[physics][quick]") {
  // Chemists' textbooks: 3N of water in C2v is 9 -1 1 3 for E, C2, σv(xz), σv'(yz), which is 3 A1 + A2 + 2 B1 + 3 B2 [Cotton 1990].
  const CharacterTable table = character_table(point_group("C2v"));
  std::vector<Integer> expected(4);
  for (std::size_t row = 0; row < 4; ++row)
    expected[row] = table.name(row) == "A1" ? 3 : table.name(row) == "A2" ? 1 : table.name(row) == "B1" ? 2 : 3;
  for (const char* text : {"9 -1 1 3", "9,-1,1,3", "E:9 C2:-1 σv(xz):1 σv'(yz):3", "sv'(yz):3 C2:-1 E:9 sv(xz):1",
                           "E:9 C2:-1 sv(xz):1 sv(yz):3", "E:9; C2:-1; sigma_v:1; sigma_v':3", "1a:9 2a:1 2b:3 2c:-1",
                           "[9, -1, 1, 3]", "9 −1 1 3", "{\"E\": 9, \"C2\": -1, \"sv(xz)\": 1, \"sv'(yz)\": 3}",
                           "E=9 C2=-1 sv=1 sv'=3", " E: 9, C2 : -1, sv: 1, sv': 3 "}) {
    CAPTURE(text);
    CHECK(occurring(parse_class_function(table, text)) == expected);
  }
  CHECK(values_by_name(parse_class_function(table, "9 -1 1 3")) == "E:9 C2:-1 σv(xz):1 σv'(yz):3");
  CHECK_THROWS_WITH(class_function(table, numbers_of({9, -1, 1, 3}), {}),
                    Contains("E, C2, σv(xz), σv'(yz) in printed tables") && Contains("order='printed'"));
  CHECK(occurring(class_function(table, numbers_of({9, -1, 1, 3}), ClassOrder::printed)) == expected);
  CHECK(occurring(class_function(table, numbers_of({9, 1, 3, -1}), ClassOrder::classes)) == expected);
  // Where both orders give the same values, or are the same, none has to be said.
  CHECK(class_function(table, numbers_of({2, 0, 0, 0}), {}).values() == numbers_of({2, 0, 0, 0}));
  const CharacterTable s4 = character_table(symmetric_group(4));
  CHECK(class_function(s4, numbers_of({1, 2, 3, 4, 5}), {}).values() == numbers_of({1, 2, 3, 4, 5}));
}

TEST_CASE("values that do not fit the classes", "[physics][quick]") {
  const CharacterTable table = character_table(point_group("C2v"));
  const auto wrong = [&](const char* text, const char* why) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parse_class_function(table, text), Contains("E, C2, σv(xz), σv'(yz)") && Contains(why));
  };
  wrong("9 -1 1", "there are 3 values");
  wrong("", "there are 0 values");
  wrong("E:9 C2:-1 sv:1", "σv'(yz) has none");
  wrong("E:9 C2:-1 sv:1 sd:3", "'sd' is none of them");
  wrong("E:9 C2:-1 C2:1 sv:1 sv':3", "C2 has two");
  CHECK_THROWS_WITH(parse_class_function(table, "E:9 3 C2:1"), Contains("'3' has no name"));
  CHECK_THROWS_AS(parse_class_function(table, "9 x 1 3"), ParseError);
  CHECK_THROWS_AS(parse_class_function(table, "{\"E\": 9"), DomainError);
  CHECK_THROWS_WITH(parse_class_function(table, "9.0 -1 1 3"), Contains("write 9 if that is meant"));
  CHECK_THROWS_WITH(parse_class_function(table, "E:9 C2:-1.5 sv:1 sv':3"),
                    Contains("1.5 is a decimal") && Contains("write 3/2"));
  // Two primes stay two primes where no braces make quotation marks of them.
  const CharacterTable d4h = character_table(point_group("D4h"));
  CHECK(parse_class_function(d4h, "E:1 C4:1 C2:1 C2':1 C2\":1 i:1 S4:1 sh:1 sv:1 sd:1").degree() == Cyclotomic(1));
  CHECK_THROWS_WITH(multiplicities(parse_class_function(table, "9 -1 1 2")),
                    Contains("no representation of C2v has this character: A1 would occur 11/4 times"));
  CHECK_THROWS_WITH(multiplicities(parse_class_function(table, "0 2 0 2")), Contains("B1 would occur -1 times"));
  CHECK_THROWS_WITH(class_order("alphabetic"), Contains("'printed'"));
  // C2 of D2 may be one of three.
  CHECK_THROWS_WITH(parse_class_function(character_table(point_group("D2")), "E:3 C2:-1 C2(y):-1 C2(x):-1"),
                    Contains("may be several"));
  CHECK_THROWS_WITH(decompose(parse_class_function(table, "1 1 1 3"), BaseField::complex), Contains("A"));
  const CharacterTable c3 = character_table(point_group("C3"));
  CHECK_THROWS_WITH(decompose(parse_class_function(c3, "1 E(3) E(3)^2"), BaseField::real), Contains("conjugate"));
  CHECK(decompose(parse_class_function(c3, "1 E(3) E(3)^2"), BaseField::complex).size() == 1);
}

TEST_CASE("a list of values is refused where a point group has the name of the group", "[physics][quick]") {
  const CharacterTable d4 = character_table(dihedral_group(4)), c4 = character_table(cyclic_group(4)),
                       c3 = character_table(cyclic_group(3));
  for (const std::optional<ClassOrder> order : {std::optional<ClassOrder>(), std::optional(ClassOrder::printed)})
    CHECK_THROWS_WITH(class_function(d4, numbers_of({1, 1, 1, -1, -1}), order),
                      Contains("take the point group, point(D4)"));
  CHECK_THROWS_WITH(parse_class_function(c4, "1 1 -1 -1"), Contains("point(C4)"));
  CHECK(class_function(d4, numbers_of({1, 1, 1, -1, -1}), ClassOrder::classes).values() ==
        numbers_of({1, 1, 1, -1, -1}));
  CHECK(class_function(d4, numbers_of({8, 0, 0, 0, 0}), {}).values() == numbers_of({8, 0, 0, 0, 0}));
  CHECK(parse_class_function(c3, "3 0 0").values() == numbers_of({3, 0, 0}));
  CHECK(parse_class_function(c3, "1 E(3) E(3)^2").values().size() == 3);
}

TEST_CASE("every way to write a character of a point group gives the same one", "[physics][quick]") {
  for (const char* name :
       {"C2v", "C3v", "D2d", "D6h", "Td", "Oh", "Ih", "D5h", "S4", "C6", "D4h", "S8", "C2", "Cs", "Ci"}) {
    CAPTURE(name);
    const CharacterTable table = character_table(point_group(name));
    const PrintedClasses printed = printed_classes(table);
    const PointGroupTable chemists = point_group_table(point_group(name));
    for (std::size_t k = 0; k < table.size(); ++k) {
      CHECK(printed.numbers[k] == chemists.columns[k].number);
      CHECK(printed.names[k] == to_string(chemists.columns[k].label));
    }
    for (std::size_t row = 0; row < table.size(); ++row) {
      const ClassFunction f = ClassFunction::irreducible(table, row);
      CHECK(parse_class_function(table, values_by_name(f)).values() == f.values());
      std::string list;
      std::vector<std::pair<std::string, Cyclotomic>> named;
      for (std::size_t k = 0; k < table.size(); ++k) {
        list += (k == 0 ? "" : " ") + to_string(f[printed.numbers[k]]);
        named.emplace_back(table.class_names()[k], f[k]);
      }
      std::reverse(named.begin(), named.end());
      CHECK(parse_class_function(table, list).values() == f.values());
      CHECK(class_function(table, named).values() == f.values());
      if (!order_matters(f)) CHECK(class_function(table, f.values(), {}).values() == f.values());
      if (order_matters(f)) CHECK_THROWS_AS(class_function(table, f.values(), {}), DomainError);
    }
  }
}
