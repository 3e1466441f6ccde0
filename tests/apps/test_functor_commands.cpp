// branch, polynomials, expand, and cauchy on finite groups, run as a user runs them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "apps/program.hpp"

using namespace test_apps;
using Json = nlohmann::json;

namespace {

Json json_of(std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const Run r = run(arguments);
  CAPTURE(r.out, r.err);
  REQUIRE(r.status == 0);
  return Json::parse(r.out);
}

std::string text_of(const std::vector<std::string>& arguments) {
  const Run r = run(arguments);
  CAPTURE(r.err);
  REQUIRE(r.status == 0);
  return r.out;
}

}  // namespace

TEST_CASE("branch in JSON", "[apps][quick]") {
  const Json orthogonal = json_of({"branch", "--functor", "[2,2]", "--from", "GL(4)", "--to", "O4"});
  REQUIRE(orthogonal["command"] == "branch");
  REQUIRE(orthogonal["kind"] == "orthogonal");
  REQUIRE(orthogonal["n"] == 4);
  REQUIRE(orthogonal["dimension"] == "20");
  REQUIRE(orthogonal["constituents"][2] == Json::parse(R"({"label": [2, 2], "multiplicity": "1", "dimension": "10"})"));
  const Json symmetric = json_of({"branch", "--functor", "[2]", "--to", "S3"});
  REQUIRE(symmetric["rep"] == "perm");
  REQUIRE(symmetric["constituents"][1]["label"] == Json::parse("[2, 1]"));
  REQUIRE(symmetric["constituents"][1]["multiplicity"] == "2");
  // The same group by its character table.
  const Json finite = json_of({"branch", "--functor", "[2]", "--to", "S3", "--rep", "perm"});
  REQUIRE(finite["kind"] == "finite");
  for (const Json& part : finite["constituents"]) REQUIRE(part["multiplicity"] == "2");
  REQUIRE(json_of({"branch", "--functor", "[4]", "--to", "Oh"})["constituents"][0]["multiplicity"] == "2");
  REQUIRE(json_of({"branch", "--functor", "[1,1]", "--to", "Sp(4)"})["constituents"].size() == 2);
}

TEST_CASE("cauchy on finite groups in JSON", "[apps][quick]") {
  const Json json = json_of({"cauchy", "--rows", "3", "--cols", "3", "--degree", "2", "--left-group", "S3",
                             "--right-group", "S3", "--pair", "1,1", "--by-term", "--check"});
  REQUIRE(json["checked"] == true);
  REQUIRE(json["left_group"] == Json::parse(R"({"group": "S3", "rep": "perm"})"));
  // Invariants of S_3 x S_3 on quadratic forms in nine variables: the orbits of unordered pairs of cells.
  REQUIRE(json["constituents"][0]["multiplicity"] == "4");
  REQUIRE(json["pair"]["multiplicity"] == "4");
  REQUIRE(json["pair"]["terms"][0]["left"] == Json::parse("[2]"));
  REQUIRE(json["terms"][0]["constituents"].size() > 0);
  REQUIRE(json["dimension"] == "45");
}

TEST_CASE("polynomials in JSON and files", "[apps][quick]") {
  const Folder folder;
  const Run r = run({"polynomials", "S3", "--degree", "2", "-o", "maps.json"}, folder.path());
  REQUIRE(r.status == 0);
  const Json json = Json::parse(contents(folder.path() / "maps.json"));
  REQUIRE(json["dimension"] == 4);
  REQUIRE(json["certificate"]["character_dimension"] == "4");
  REQUIRE(json["monomials"][0] == Json::parse("[[0, 2]]"));
  REQUIRE(json["maps"][0] == Json::parse(R"([[0, 0, "1"], [1, 3, "1"], [2, 5, "1"]])"));
  const Json invariants = json_of({"polynomials", "W(A2)", "--in", "coordinates", "--out", "trivial", "--degree", "2"});
  REQUIRE(invariants["maps"] == Json::parse(R"([[[0, 0, "1"], [0, 1, "-1"], [0, 2, "1"]]])"));
}

TEST_CASE("expand and schur-functor --at", "[apps][quick]") {
  REQUIRE(text_of({"expand", "h[2][s[2]]"}) == "s[4] + s[2,2]\n");
  REQUIRE(text_of({"expand", "s[2,1]", "--basis", "p"}) == "-1/3*p[3] + 1/3*p[1,1,1]\n");
  REQUIRE(text_of({"expand", "e[2]", "--basis", "f"}) == "f[2] + f[1,1]\n");
  const Json json = json_of({"expand", "s[1]^3", "--rows", "2"});
  REQUIRE(json["dimension"] == "8");
  REQUIRE(json["terms"].size() == 2);
  REQUIRE(text_of({"schur-functor", "[2,1]", "--at", "1,1,1"}) == "s[2,1](1, 1, 1) = 8\n");
  const Folder folder;
  write(folder.path() / "f.json", "[[0, 1], [1, 1]]");
  REQUIRE(run({"schur-functor", "[10]", "--matrix", "f.json", "--trace"}, folder.path()).out ==
          "trace of S_[10](A) for the 2 x 2 matrix of f.json: 89\n");
}

TEST_CASE("LaTeX of the commands on functors and coordinate rings", "[apps][quick]") {
  const auto latex = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--format", "latex"});
    return text_of(arguments);
  };
  REQUIRE(latex({"lr", "[2,1]", "[1]", "--rows", "2"}) == "\\[\ns_{3,1} + s_{2,2}\n\\]\n");
  REQUIRE(latex({"expand", "s[1,1]", "--basis", "p"}) == "\\[\n-\\frac{1}{2} p_{2} + \\frac{1}{2} p_{1,1}\n\\]\n");
  REQUIRE(latex({"branch", "--functor", "[2]", "--to", "O(3)"}) ==
          "\\[\nS_{2}(\\mathbb{C}^{3}) = o_{\\emptyset} + o_{2}\n\\]\n");
  REQUIRE(latex({"straighten", "--rows", "2", "--cols", "2", "[1|2][2|1]"}) ==
          "\\[\n(1 \\mid 2)(2 \\mid 1) = (1 \\mid 1)(2 \\mid 2) - (1,2 \\mid 1,2)\n\\]\n");
  REQUIRE(latex({"straighten", "[2,1|1,2][1|2]", "2", "2", "--graded"}) ==
          "\\[\n-\\overline{(1,2 \\mid 1,2)(1 \\mid 2)} = -\\overline{(1,2 \\mid 1,2)(1 \\mid 2)}\n\\]\n");
  REQUIRE(latex({"determinantal", "--rows", "3", "--cols", "3", "--minors", "2", "--power", "2", "--primary"}) ==
          "\\[\nI_{2}^{2} = I_{1}^{(4)} \\cap I_{2}^{(2)}\n\\]\n");
  REQUIRE(latex({"coordinate-ring", "--rows", "1", "--cols", "2", "--degree", "1"}) ==
          "\\[\n\\begin{array}{l|rrr}\n\\lambda & \\dim & \\dim S_\\lambda W^* & \\dim S_\\lambda V \\\\ "
          "\\hline\n"
          "(1) & 2 & 1 & 2 \\\\\n\\end{array}\n\\]\n");
  REQUIRE(latex({"polynomials", "S2", "--degree", "1", "--out", "trivial"}) ==
          "\\[\nF_{1}(x) = \\begin{pmatrix} x_{1} + x_{2} \\end{pmatrix}\n\\]\n");
  REQUIRE(latex({"lr", "[1]", "[1]", "--rows", "1", "--cols", "1", "--quantum"}) == "\\[\nq^{1} s_{\\emptyset}\n\\]\n");
}

TEST_CASE("tables of the commands on functors and coordinate rings", "[apps][quick]") {
  const auto csv = [](const std::string& line) { return run_line("intertwine " + line + " --format csv", {}).out; };
  CHECK(csv("cauchy 2 2 2") == "left,right,multiplicity,dimension\n[2],[2],1,9\n\"[1,1]\",\"[1,1]\",1,1\n");
  CHECK(csv("cauchy 2 2 2 --left-group S2 --right-group S2").starts_with("left,right,multiplicity\n[2],[2],4\n"));
  CHECK(csv("coordinate-ring 1 2 1 --highest-weight --hilbert 2") ==
        "shape,dimension,left,right\n[1],2,1,2\n\nshape,kind,element\n[1],highest-weight vector,[1|1]\n\n"
        "degree,dimension\n0,1\n1,2\n2,3\n");
  CHECK(csv("straighten '[1|2][2|1]' 2 2") == "coefficient,bitableau\n1,[1|1][2|2]\n-1,\"[1,2|1,2]\"\n");
  CHECK(csv("determinantal 3 3 2 --hilbert 1 --primary --member '[1,2|1,2]'") ==
        "degree,dimension\n0,1\n1,9\n\nproduct,member\n\"[1,2|1,2]\",yes\n\nminors,symbolic power\n2,1\n");
  CHECK(csv("polynomials S2 perm trivial 1") == "map,output,polynomial\n1,1,x1 + x2\n");
}

TEST_CASE("products of ideals of minors", "[apps][quick]") {
  const Json json =
      json_of({"determinantal", "--rows", "3", "--cols", "3", "--minors", "2,1", "--hilbert", "3", "--pieces", "3"});
  // I_2 I_1 has no quadrics, and in degree 3 everything but Sym^3 (x) Sym^3.
  REQUIRE(json["hilbert_function"] == Json::parse(R"(["1", "9", "45", "100"])"));
  REQUIRE(json["pieces"] == Json::parse("[[2, 1], [1, 1, 1]]"));
  REQUIRE(json["minors"] == Json::parse("[2, 1]"));
}

TEST_CASE("wrong input to the commands on functors is one line and status 2", "[apps][quick]") {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"branch", "--functor", "[1,2]", "--to", "S4"},
           {"branch", "--functor", "[2]", "--to", "Sp(3)"},
           {"branch", "--functor", "[2]", "--to", "O(0)"},
           {"branch", "--functor", "[2]", "--from", "GL(3)", "--to", "O(4)"},
           {"branch", "--functor", "[2]", "--to", "A5", "--irrep", "9"},
           {"branch", "--functor", "[2]"},
           {"cauchy", "--rows", "2", "--cols", "2", "--degree", "2", "--left-group", "S3"},
           {"cauchy", "--rows", "2", "--cols", "2", "--degree", "2", "--check"},
           {"cauchy", "--rows", "2", "--cols", "2", "--degree", "2", "--left-rep", "perm"},
           {"cauchy", "--rows", "2", "--cols", "2", "--degree", "2", "--left-group", "S2", "--pair", "5,1"},
           {"polynomials", "S3", "--degree", "-1"},
           {"polynomials", "S3", "-o", "maps.npz"},
           {"expand", "s[1"},
           {"expand", "s[1]", "--basis", "q"},
           {"schur-functor", "[1]", "--at", "1,x"},
           {"schur-functor", "[1]", "--at", "1", "--trace"},
           {"determinantal", "--rows", "3", "--cols", "3", "--minors", "2,1", "--symbolic", "--primary"},
           {"determinantal", "--rows", "3", "--cols", "3", "--minors", "0", "--primary"}}) {
    const Run r = run(arguments);
    CAPTURE(arguments, r.out, r.err);
    REQUIRE(r.status == 2);
    REQUIRE(r.out.empty());
    REQUIRE(r.err.starts_with("intertwine: error: "));
  }
  REQUIRE(run({"branch", "--functor", "[300]", "--to", "A4"}).status == 3);
  REQUIRE(run({"polynomials", "S40", "--degree", "8"}).status == 3);
}
