// Files of representations, and representations in the metadata of tables.
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "io/representations.hpp"
#include "support/groups.hpp"

using namespace intertwine;
using test_groups::group;
using test_groups::symmetric;
using test_io::from_file;
using test_io::same;

TEST_CASE("representation files", "[io][quick]") {
  const FiniteGroup G = symmetric(3);
  const Representation perm = natural_permutation_representation(G);
  const Representation read = from_file(G, R"({"type": "permutation", "degree": 3, "images": [[1,2,0],[1,0,2]]})");
  REQUIRE(same(read, perm));
  REQUIRE(same(parse_representation(G, read.to_string()), perm));
  REQUIRE(same(from_file(G, R"({"type": "signed", "degree": 1, "images": [[1],[-1]], "note": 1})"),
               sign_representation(G)));
  REQUIRE(from_file(group(2, {}), R"({"type": "signed", "degree": 5, "images": []})").dimension() == 5);
  REQUIRE_THROWS_AS(from_file(G, R"({"type": "signed", "degree": 1, "images": [[-1],[1]]})"), DomainError);
  std::string nested(100000, '[');
  for (const std::string& bad : std::vector<std::string>{
           "",
           "{",
           "[]",
           "3",
           R"({"type": "permutation"})",
           R"({"type": "permutation", "degree": 3})",
           R"({"type": "permutation", "degree": 3, "images": [[1,2,0]]})",
           R"({"type": "permutation", "degree": 3, "images": [[1,2,0],[1,0]]})",
           R"({"type": "permutation", "degree": 3, "images": [[1,2,0],[1,0,3]]})",
           R"({"type": "permutation", "degree": 3, "images": [[1,2,0],[1,0,-1]]})",
           R"({"type": "permutation", "degree": 3, "images": [[1,2,0],[1,0,0]]})",
           R"({"type": "permutation", "degree": 3, "images": [[1,2,0],[1,0,2.0]]})",
           R"({"type": "permutation", "degree": 3, "images": [[1,2,0],[1,0,18446744073709551615]]})",
           R"({"type": "permutation", "degree": 3, "images": [[1,2,0],[1,0,1e400]]})",
           R"({"type": "signed", "degree": 3, "images": [[1,2,3],[0,1,2]]})",
           R"({"type": "signed", "degree": 3, "images": [[1,2,3],[-9223372036854775808,1,2]]})",
           R"({"type": "signed", "degree": -3, "images": []})",
           R"({"type": "signed", "degree": 99999999999, "images": []})",
           R"({"type": "matrix"})",
           R"({"type": "matrix", "dimension": -1, "images": [[["1"]],[["1"]]]})",
           R"({"type": "matrix", "dimension": 99999999999, "images": [[["1"]],[["1"]]]})",
           R"({"type": "matrix", "dimension": 2, "images": [[["1"]],[["1"]]]})",
           R"({"type": "matrix", "dimension": 1, "images": [[["1"]]]})",
           R"({"type": "matrix", "dimension": 1, "images": [[["1","0"]],[["1"]]]})",
           R"({"type": "matrix", "dimension": 1, "images": [["1"],[["1"]]]})",
           R"({"type": "matrix", "dimension": 1, "images": [[["1/0"]],[["1"]]]})",
           R"({"type": "matrix", "dimension": 1, "images": [[["x"]],[["1"]]]})",
           R"({"type": "matrix", "dimension": 1, "images": [[[1.0]],[["1"]]]})",
           R"({"type": "matrix", "dimension": 1, "images": [[[null]],[["1"]]]})",
           R"({"type": "matrix", "dimension": 1, "images": [[[{"n": 5}]],[["1"]]]})",
           R"({"type": 3, "degree": 3, "images": []})",
           R"({"type": "signed", "type": "signed", "degree": 1, "images": [[1],[-1]]})",
           R"({"type": "signed", "degree": 1, "images": [[1],[-1]]})" + std::string(1, '\0'),
           nested,
           "{\"type\": " + nested}) {
    CAPTURE(bad.substr(0, 200));
    REQUIRE_THROWS_AS(from_file(G, bad), FileError);
  }
  REQUIRE_THROWS_AS(parse_representation(G, "rep(@no_such_file.json)"), FileError);
}

TEST_CASE("representation files with matrices", "[io][quick]") {
  const FiniteGroup C3 = test_groups::cyclic(3);
  const Representation V = from_file(C3, R"({"type": "matrix", "dimension": 2, "images": [[["0","-1"],[1,"-2/2"]]]})");
  REQUIRE(V.generator_matrices() == std::vector<RationalMatrix>{IntegerMatrix{{0, -1}, {1, -1}}});
  REQUIRE(parse_representation(C3, V.to_string()).generator_matrices() == V.generator_matrices());
  REQUIRE(from_file(group(2, {}), R"({"type": "matrix", "dimension": 5, "images": []})").dimension() == 5);
  REQUIRE_THROWS_WITH(from_file(C3, R"({"type": "matrix", "dimension": 1, "images": [[["0"]]]})"),
                      Catch::Contains("singular"));
  REQUIRE_THROWS_WITH(from_file(C3, R"({"type": "matrix", "dimension": 1, "images": [[["-1"]]]})"),
                      Catch::Contains("a^3 = 1"));
  // Denominators whose common multiple would fill the memory.
  std::string rows = "[";
  for (int i = 0; i < 60; ++i) {
    rows += i == 0 ? "[" : ",[";
    for (int j = 0; j < 60; ++j)
      rows += (j == 0 ? "\"1/1" : ",\"1/1") + std::string(300, static_cast<char>('1' + (i + j) % 9)) +
              std::to_string(i * 60 + j) + "\"";
    rows += "]";
  }
  REQUIRE_THROWS_AS(from_file(C3, R"({"type": "matrix", "dimension": 60, "images": [)" + rows + "]]}"), LimitError);
}

TEST_CASE("an irreducible representation in a file says its character", "[io][quick]") {
  const FiniteGroup G = parse_finite_group("D5");
  const Representation V = parse_representation(G, "2*irrep(3) + sym(2, irrep(4))");
  REQUIRE(V.to_string() == "2*irrep(3) + sym(2, irrep(4))");
  const std::string checked = V.to_string(TextForm::checked);
  REQUIRE_THAT(checked, Catch::StartsWith("2*irrep(3, [2,0,"));
  const Representation again = parse_representation(G, checked);
  for (const Permutation& g : G.generators()) REQUIRE(again.field_matrix(g) == V.field_matrix(g));
  REQUIRE(again.to_string() == V.to_string());
  // The numbers 3 and 4 exchanged, as by a version that orders the rows in another way.
  std::string exchanged = checked;
  exchanged[exchanged.find("irrep(3") + 6] = '4';
  REQUIRE_THROWS_WITH(parse_representation(G, exchanged),
                      Catch::Contains("irrep(4) of D5 is another representation than the one meant"));
  REQUIRE_THROWS_WITH(parse_representation(G, "irrep(1, [1,1,1])"),
                      Catch::Contains("there are 3 values for the 4 classes"));
  REQUIRE_THROWS_WITH(parse_representation(G, "irrep(1, [1,1,1,1,1])"),
                      Catch::Contains("more values than the 4 classes"));
  REQUIRE_THROWS_AS(parse_representation(G, "irrep(1, [1,1,1,x])"), ParseError);
}
