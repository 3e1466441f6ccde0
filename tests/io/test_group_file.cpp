// Groups from files: @file.json.
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "intertwine/error.hpp"
#include "intertwine/groups/matrix_group.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "support/paths.hpp"

using namespace intertwine;

namespace {

/// A directory that is removed at the end.
struct TemporaryDirectory {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() /
      ("intertwine-" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
  TemporaryDirectory() { std::filesystem::create_directories(path); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
  }
};

}  // namespace

TEST_CASE("groups in files", "[io][quick]") {
  const TemporaryDirectory folder;
  folder.write("good.json",
               R"json({"degree": 5, "generators": ["(1,2,3,4,5)", [1,0,2,3,4]], "comment": {"x": [1]}})json");
  folder.write("a b.json", R"json({"degree": 4, "generators": ["(1,2)"]})json");
  folder.write("trivial.json", R"json({"degree": 3, "generators": []})json");
  const FiniteGroup G = parse_finite_group(among_files("@good.json", folder.path));
  REQUIRE(G.order() == 120);
  REQUIRE(G.degree() == 5);
  REQUIRE(G.name() == "<(1,2,3,4,5),(1,2)>");
  REQUIRE(parse_finite_group(G.name()) == G);
  REQUIRE(parse_finite_group(among_files("C2 x @good.json wr S2", folder.path)).degree() == 12);
  const FiniteGroup H = parse_finite_group(among_files("@\"a b.json\"", folder.path));
  REQUIRE(H.degree() == 4);
  REQUIRE(parse_finite_group(H.name()) == H);
  const FiniteGroup trivial = parse_finite_group(among_files("@trivial.json", folder.path));
  REQUIRE(trivial.generators().empty());
  REQUIRE(parse_finite_group(trivial.name()).degree() == 3);
  REQUIRE(parse_finite_group("@" + (folder.path / "good.json").string()).order() == 120);
}

TEST_CASE("generators in files of GAP", "[io][quick]") {
  const TemporaryDirectory folder;
  const auto group = [&](const std::string& text) {
    folder.write("g.g", text);
    return parse_finite_group(among_files("@g.g", folder.path));
  };
  CHECK(group("G := Group((1,2,3,4,5), (1,2));\n").name() == "<(1,2,3,4,5),(1,2)>");
  CHECK(group("# S3\n[ (1,2,3), (1,2) ];").name() == "<(1,2,3),(1,2)>");
  CHECK(group("gens := [(1,2,3,4)(5,6),\n (1,3)];;\nG := Group(gens);\nG;\n").order() == 8);
  CHECK(group("return Group( [ (1,2)(3,\\\n4), () ], () )").order() == 2);
  CHECK(group("a := (1,2,3);; b := (1,2);; S3 := GroupWithGenerators([a, b]);").order() == 6);
  CHECK(group("Group(())").order() == 1);
  const FiniteGroup square = group("Group([[0,1],[1,0]], [[0,-1],[1,0]]);");
  CHECK((square.order() == 8 && square.coordinates().matrices));
  CHECK(group("Group([ [[E(4),0],[0,-E(4)]], [[0,1],[-1,0]] ]);").order() == 8);
  CHECK(group("Group([[[1/2, 3/4], [1, -1/2]]]);").order() == 2);
}

TEST_CASE("files of GAP that say something else are refused with the line", "[io][quick]") {
  const TemporaryDirectory folder;
  for (const auto& [text, what] : {
           std::pair{"G := Group((1,2));\nH := Group((1,2,3));", "makes 2 groups"},
           {"a := [(1,2)];; b := [(1,2,3)];;", "makes 2 lists of generators"},
           {"a := (1,2,3);\nb := (1,2)*a;", "line 2: products and powers"},
           {"G := SymmetricGroup(5);", "line 1: 'SymmetricGroup(5)'"},
           {"G := Group((1,2,3), (1,2)", "expected ',' or ')'"},
           {"\nG := Group((0,2));", "line 2: points are numbered from 1"},
           {"G := Group(a, b);", "a has no value"},
           {"G := Group((1,2), [[0,1],[1,0]]);", "Group takes permutations"},
           {"G := Group([[Z(2)^0]]);", "finite fields are read from JSON"},
           {"Group((1,2)) Group((1,3));", "expected ';'"},
           {"G := Group((1,2,1));", "g.g: generators[0]"},
           {"G := Group([[1,1],[0,1]]);", "infinite"},
           {"(1,2,3);", "no list of generators"},
           {"[[[[[[[[[[[(1,2)]]]]]]]]]]];", "too deeply"},
       }) {
    CAPTURE(text);
    folder.write("g.g", text);
    CHECK_THROWS_WITH(parse_finite_group(among_files("@g.g", folder.path)), Catch::Contains(what));
  }
}

TEST_CASE("matrix groups in files", "[io][quick]") {
  const TemporaryDirectory folder;
  folder.write("quarter.json",
               R"json({"field": "Q", "dimension": 2, "generators": [[["0","-1"],["1","0"]], [[1,0],[0,-1]]]})json");
  const FiniteGroup G = parse_finite_group(among_files("@quarter.json", folder.path));
  REQUIRE(G.order() == 8);
  REQUIRE(permute_alike(parse_finite_group(G.name()), G));
  REQUIRE_FALSE(parse_finite_group(G.name()) == G);  // the name leads to no matrices
  const Representation V = parse_representation(G, "coordinates");
  REQUIRE(V.generator_matrices()[0] == RationalMatrix(IntegerMatrix{{0, -1}, {1, 0}}));
  // What the name leads to has no coordinates: the text does without.
  REQUIRE(parse_representation(parse_finite_group(G.name()), V.to_string()).generator_matrices() ==
          V.generator_matrices());
  folder.write("hexagon.json", R"json({"field": "Q", "generators": [[["1/2","-3/4"],["1","1/2"]]]})json");
  REQUIRE(parse_finite_group(among_files("C2 x @hexagon.json", folder.path)).order() == 12);
  folder.write("field.json",
               R"json({"field": "GF(4)", "generators": [[[2,0],[0,1]], [[1,1],[0,1]], [[0,1],[1,0]]]})json");
  const FiniteGroup F = parse_finite_group(among_files("@field.json", folder.path));
  REQUIRE(F.order() == 180);
  REQUIRE(parse_finite_group(F.name()) == F);
  REQUIRE_THROWS_WITH(parse_representation(F, "coordinates"), Catch::Contains("GF(4)"));
  folder.write("unit_quaternions.json",
               R"json({"field": "cyclotomic", "generators": [[["E(4)",0],[0,"-E(4)"]], [[0,-1],[1,0]]]})json");
  REQUIRE(parse_finite_group(among_files("@unit_quaternions.json", folder.path)).order() == 8);
  folder.write("infinite.json", R"json({"field": "Q", "generators": [[[1,1],[0,1]]]})json");
  REQUIRE_THROWS_WITH(parse_finite_group(among_files("@infinite.json", folder.path)),
                      Catch::Contains("a has infinite order"));
}

TEST_CASE("hostile group files are refused with the file and the entry", "[io][quick]") {
  const TemporaryDirectory folder;
  const auto message = [&](const std::string& content) -> std::string {
    folder.write("bad.json", content);
    try {
      parse_finite_group(among_files("@bad.json", folder.path));
    } catch (const FileError& e) {
      return e.what();
    } catch (const LimitError& e) {
      return e.what();
    }
    return "accepted";
  };
  const auto [content, part] = GENERATE(table<const char*, const char*>({
      {"", "not valid JSON"},
      {"[1,2", "not valid JSON"},
      {"{\"degree\": 1e999, \"generators\": []}", "not valid JSON"},
      {"\xff\xfe", "not valid JSON"},
      {R"json({"degree": 3, "degree": 4, "generators": []})json", "\"degree\" occurs twice"},
      {"[]", "object"},
      {"{}", "\"degree\" is missing"},
      {R"json({"degree": 3})json", "\"generators\" is missing"},
      {R"json({"degree": "3", "generators": []})json", "\"degree\" must be"},
      {R"json({"degree": -3, "generators": []})json", "\"degree\" must be"},
      {R"json({"degree": 0, "generators": []})json", "\"degree\" must be"},
      {R"json({"degree": 3.0, "generators": []})json", "\"degree\" must be"},
      {R"json({"degree": 2000000000, "generators": []})json", "\"degree\" is 2000000000"},
      {R"json({"degree": 10000000, "generators": ["","","","","","","","","","","",""]})json", "12 generators"},
      {R"json({"degree": 3, "generators": "(1,2)"})json", "\"generators\" must be"},
      {R"json({"degree": 3, "generators": [7]})json", "generators[0] must be"},
      {R"json({"degree": 3, "generators": ["(1,2)", null]})json", "generators[1] must be"},
      {R"json({"degree": 3, "generators": ["(1,4)"]})json", "generators[0] is no permutation of 3 points"},
      {R"json({"degree": 3, "generators": [""]})json", "generators[0] is no permutation"},
      {R"json({"degree": 3, "generators": [[0,1]]})json", "generators[0] has 2 images"},
      {R"json({"degree": 3, "generators": [[0,1,3]]})json", "generators[0][2] must be"},
      {R"json({"degree": 3, "generators": [[0,1,-1]]})json", "generators[0][2] must be"},
      {R"json({"degree": 3, "generators": [[0,1,"2"]]})json", "generators[0][2] must be"},
      {R"json({"degree": 3, "generators": [[0,1,1]]})json", "generators[0] is no bijection"},
      {R"json({"field": "R", "generators": [[[1]]]})json", "\"field\" must be"},
      {R"json({"field": 4, "generators": [[[1]]]})json", "\"field\" must be"},
      {R"json({"field": "GF()", "generators": [[[1]]]})json", "\"field\" must be"},
      {R"json({"field": "GF(4", "generators": [[[1]]]})json", "\"field\" must be"},
      {R"json({"field": "GF(99999999999)", "generators": [[[1]]]})json", "\"field\" must be"},
      {R"json({"field": "Q"})json", "\"generators\" is missing"},
      {R"json({"field": "Q", "generators": []})json", "one or more"},
      {R"json({"field": "Q", "generators": [[]]})json", "generators[0] must be a square matrix"},
      {R"json({"field": "Q", "generators": [7]})json", "generators[0] must be a square matrix"},
      {R"json({"field": "Q", "generators": [[1]]})json", "generators[0] row 1 is no list of 1 entries"},
      {R"json({"field": "Q", "dimension": 2, "generators": [[["1"]]]})json", "\"dimension\""},
      {R"json({"field": "Q", "generators": [[["1"]], [["1", "0"], ["0", "1"]]]})json", "generators[1] is no list"},
      {R"json({"field": "Q", "generators": [[["1/0"]]]})json", "no exact number"},
      {R"json({"field": "Q", "generators": [[[0.5]]]})json", "no exact number"},
      {R"json({"field": "Q", "generators": [[["\u00e9\n"]]]})json", "no exact number"},
      {R"json({"field": "GF(4)", "generators": [[[4]]]})json", "no whole number from 0 to 3"},
      {R"json({"field": "GF(4)", "generators": [[["1"]]]})json", "no whole number"},
      {R"json({"field": "GF(4)", "generators": [[[1]], [[1,0],[0,1]]]})json", "generators[1] is no list"},
      {R"json({"degree": 3, "generators": [[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]})json", "nested deeper"},
  }));
  const std::string found = message(content);
  CAPTURE(content, found);
  REQUIRE_THAT(found, Catch::Contains(part));
  REQUIRE_THAT(found, Catch::Contains("bad.json"));
  REQUIRE(found.find('\n') == std::string::npos);
}

TEST_CASE("a group file ends with its document", "[io][quick]") {
  const TemporaryDirectory folder;
  const std::string good = R"json({"degree": 3, "generators": ["(1,2,3)"]})json";
  folder.write("good.json", good + "\n");
  REQUIRE(parse_finite_group(among_files("@good.json", folder.path)).order() == 3);
  folder.write("nul.json", good + std::string(3, '\0'));
  REQUIRE_THROWS_WITH(parse_finite_group(among_files("@nul.json", folder.path)),
                      Catch::Contains("not valid JSON at byte 41"));
  folder.write("more.json", good + std::string("\0{", 2));
  REQUIRE_THROWS_AS(parse_finite_group(among_files("@more.json", folder.path)), FileError);
}

TEST_CASE("missing and special files", "[io][quick]") {
  const TemporaryDirectory folder;
  REQUIRE_THROWS_AS(parse_finite_group(among_files("@missing.json", folder.path)), FileError);
  REQUIRE_THROWS_AS(parse_finite_group(among_files("@.", folder.path)), FileError);
  REQUIRE_THROWS_AS(parse_finite_group("@/dev/zero"), FileError);
  folder.write("deep.json", std::string(1'000'000, '['));
  REQUIRE_THROWS_AS(parse_finite_group(among_files("@deep.json", folder.path)), FileError);
  folder.write("large.json", std::string((32U << 20U) + 1, ' '));
  REQUIRE_THROWS_AS(parse_finite_group(among_files("@large.json", folder.path)), LimitError);
}
