#include "intertwine/io/lean_text.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/records.hpp"

using namespace intertwine;

namespace {

using Json = nlohmann::json;

/// The list that a definition of the file has.
Json list_in(const std::string& text, const std::string& name) {
  const std::size_t at = text.find("def " + name + " :");
  REQUIRE(at != std::string::npos);
  const std::size_t from = text.find(":= ", at) + 3;
  return Json::parse(text.substr(from, text.find("\n\n", from) - from));
}

/// A list of terms [c, e], which stands for the sum of c zeta^e.
Cyclotomic number_in(const Json& terms, std::uint32_t n) {
  Cyclotomic sum;
  for (const Json& term : terms) {
    REQUIRE(term[0].get<int>() > 0);
    REQUIRE(term[1].get<std::uint32_t>() < n);
    sum += Cyclotomic(term[0].get<int>()) * Cyclotomic::root_of_unity(n, term[1].get<int>());
  }
  return sum;
}

std::string lean_of(const std::string& group) { return to_lean(character_table(parse_finite_group(group))); }

/// Reads a file and computes from its text alone the propositions that Lean's kernel computes.
void check_file(const CharacterTable& table) {
  const std::string text = to_lean(table);
  CAPTURE(table.group().name());
  const Json elements = list_in(text, "elements"), characters = list_in(text, "characters"),
             times = list_in(text, "times"), generators = list_in(text, "generators"),
             class_of = list_in(text, "class_of"), conjugators = list_in(text, "conjugators"),
             representatives = list_in(text, "representatives");
  const auto n = list_in(text, "order_of_root").get<std::uint32_t>();
  REQUIRE(table.group().order() == elements.size());
  REQUIRE(characters.size() == table.size());
  const auto product = [&](std::size_t a, std::size_t b) {
    Json c = Json::array();
    for (const auto& x : elements[b]) c.push_back(elements[a][x.get<std::size_t>()]);
    return c;
  };
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const std::size_t x = conjugators[k], r = representatives[class_of[k].get<std::size_t>()].get<std::size_t>();
    CHECK(product(x, k) == product(r, x));
    for (std::size_t s = 0; s < generators.size(); ++s)
      CHECK(elements[times[k][s].get<std::size_t>()] == product(k, generators[s].get<std::size_t>()));
  }
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (std::size_t c = 0; c < table.size(); ++c) CHECK(number_in(characters[i][c], n) == table(i, c));
    const Json matrices = list_in(text, "matrices_" + std::to_string(i));
    const Cyclotomic divisor = list_in(text, "divisor_" + std::to_string(i)).get<int>();
    REQUIRE(matrices.size() == elements.size());
    const std::size_t d = matrices[0].size();
    const auto entry = [&](std::size_t k, std::size_t row, std::size_t col) {
      return number_in(matrices[k][row][col], n);
    };
    for (std::size_t k = 0; k < elements.size(); k += 5)
      for (std::size_t s = 0; s < generators.size(); ++s)
        for (std::size_t row = 0; row < d; ++row)
          for (std::size_t col = 0; col < d; ++col) {
            Cyclotomic sum;
            for (std::size_t j = 0; j < d; ++j) sum += entry(k, row, j) * entry(generators[s], j, col);
            CHECK(sum == divisor * entry(times[k][s], row, col));
          }
  }
}

}  // namespace

TEST_CASE("the table of S3 for Lean", "[io][quick]") {
  const std::string text = lean_of("S3");
  CHECK(text.starts_with("/-\nThe character table of S3, proved by its irreducible representations.\n\nLean's kernel"));
  CHECK(text.find("def elements : List (List Nat) := [\n  [0, 1, 2],\n  [0, 2, 1],\n") != std::string::npos);
  CHECK(text.find("/-- Numbers of elements: (1,2,3), (1,2). -/\ndef generators : List Nat := [3, 2]\n") !=
        std::string::npos);
  // The rows as terms [c, e] for c zeta^e: zeta = -1 has order 2.
  CHECK(text.find("def characters : List (List (List (List Nat))) := [\n"
                  "  [[[1, 0]], [[1, 0]], [[1, 0]]],\n"
                  "  [[[1, 0]], [[1, 1]], [[1, 0]]],\n"
                  "  [[[2, 0]], [], [[1, 1]]]]\n") != std::string::npos);
  CHECK(text.find("{{") == std::string::npos);
  CHECK(text.ends_with("Eq.refl Bool.true\n\n\nend CharacterTable\n"));
}

TEST_CASE("files for Lean hold the group, its classes and representations", "[io][quick]") {
  for (const char* group : {"C1", "C2", "C15", "Q8", "A4", "SL(2,3)", "SmallGroup(20,3)", "C3 x S3"})
    check_file(character_table(parse_finite_group(group)));
}

TEST_CASE("files for Lean of all groups of order at most 60", "[io][slow][.]") {
  constexpr int counts[] = {1, 1, 1, 2,  1, 2, 1, 5,  2, 2, 1, 5,  1, 2,  1, 14, 1, 5, 1, 5,
                            2, 2, 1, 15, 2, 2, 5, 4,  1, 4, 1, 51, 1, 2,  1, 14, 1, 2, 2, 14,
                            1, 6, 1, 4,  2, 2, 1, 52, 2, 5, 1, 5,  1, 15, 2, 13, 2, 2, 1, 13};
  for (int n = 1; n <= 60; ++n)
    for (int k = 1; k <= counts[n - 1]; ++k)
      check_file(
          character_table(parse_finite_group("SmallGroup(" + std::to_string(n) + "," + std::to_string(k) + ")")));
}

TEST_CASE("what is not written for Lean is said", "[io][quick]") {
  const auto refused = [](const std::string& group, const char* says) {
    CHECK_THROWS_AS(lean_of(group), LimitError);
    CHECK_THROWS_WITH(lean_of(group), Catch::Contains(says));
  };
  refused("A6", "groups of at most 120 elements, and A6 has 360");
  refused("C121", "has 121");
  CHECK_THROWS_AS(require_fits_lean(parse_finite_group("M24")), LimitError);
  const FiniteGroup wide(70'000, {}, "C1");
  CHECK_THROWS_WITH(require_fits_lean(wide), Catch::Contains("70000 points"));
  const CharacterTable table = character_table(parse_finite_group("S4"));
  CHECK_THROWS_WITH(to_lean(irreducible_forms(table, BaseField::real)), Catch::Contains("over the complex numbers"));
  CHECK_THROWS_WITH(to_lean(irreducible_form(table, 2, BaseField::complex)), Catch::Contains("all 5 rows, and not 1"));
  Task stopped(0, 0, {});
  stopped.cancel();
  CHECK_THROWS_AS(to_lean(table, stopped), Interrupted);
  CHECK_THROWS_AS(to_lean(table, Task(1000, 0, {})), LimitError);
}

TEST_CASE("a name ends no comment of Lean", "[io][quick]") {
  const FiniteGroup named(3, parse_finite_group("S3").generators(), "a-/b/-c\nd-//-e");
  const std::string text = to_lean(character_table(named));
  const std::string title = text.substr(3, text.find('\n', 3) - 3);
  CHECK(title.find("-/") == std::string::npos);
  CHECK(title.find("/-") == std::string::npos);
  CHECK(title.find("proved by") != std::string::npos);
}
