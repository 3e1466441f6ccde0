// decompose and branch for reductive groups, run as a user runs them.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "apps/program.hpp"

using namespace test_apps;
using Json = nlohmann::json;

namespace {

Json lie_json(std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const Run r = run(arguments);
  INFO(r.err);
  REQUIRE(r.status == 0);
  return Json::parse(r.out);
}

}  // namespace

TEST_CASE("decompose in JSON for a reductive group", "[apps][quick]") {
  const Json answer = lie_json({"decompose", "SU(3)", "--rep", "irrep([1,1])^2"});
  REQUIRE(answer["command"] == "decompose");
  REQUIRE(answer["dimension"] == "64");
  const Json& parts = answer["constituents"];
  REQUIRE(parts.size() == 5);
  REQUIRE(parts[0] ==
          Json{{"weight", {2, 2}}, {"degree", "27"}, {"multiplicity", "1"}, {"indicator", 1}, {"name", "27"}});
  REQUIRE(parts[2] ==
          Json{{"weight", {0, 3}}, {"degree", "10"}, {"multiplicity", "1"}, {"indicator", 0}, {"name", "10*"}});
  REQUIRE(parts[3]["multiplicity"] == "2");
  REQUIRE(lie_json({"decompose", "A5", "--rep", "perm"})["constituents"].size() == 2);  // the alternating group
}

TEST_CASE("decompose in JSON for O(n) and products with finite groups", "[apps][quick]") {
  const Json orthogonal = lie_json({"decompose", "O(3)", "harmonic(2)*vector"});
  REQUIRE(orthogonal["group"] == "O(3)");
  REQUIRE(orthogonal["dimension"] == "15");
  REQUIRE(orthogonal["constituents"][1] == Json{{"partition", {2, 1}},
                                                {"degree", "5"},
                                                {"multiplicity", "1"},
                                                {"indicator", 1},
                                                {"name", "harmonic(2)*det"}});
  const Json product = lie_json({"decompose", "S3 x SO(3)", "perm # vector^2"});
  REQUIRE(product["constituents"].size() == 6);
  REQUIRE(product["constituents"][0] == Json{{"factors",
                                              {{{"irrep", 2}, {"degree", "2"}, {"indicator", 1}, {"name", "[2,1]"}},
                                               {{"weight", {4}}, {"degree", "5"}, {"indicator", 1}, {"name", "5"}}}},
                                             {"degree", "10"},
                                             {"multiplicity", "1"},
                                             {"indicator", 1},
                                             {"name", "[2,1] # 5"}});
  const Json lorentz = lie_json({"decompose", "SO+(1,3)", "vector"});
  REQUIRE(lorentz["constituents"][0]["weight"] == Json{1, 1});
  const Run sheet = run({"decompose", "O(3)", "vector^2", "--format", "csv"});
  REQUIRE(sheet.status == 0);
  REQUIRE(sheet.out.find("harmonic(2)") != std::string::npos);
  const Run real = run({"decompose", "O(3)", "vector", "--over", "real"});
  REQUIRE(real.status == 2);
  REQUIRE(real.err.find("over the complex numbers") != std::string::npos);
}

TEST_CASE("weights with multiplicities, maximal subgroups and real representations", "[apps][quick]") {
  const Json weights = lie_json({"decompose", "SU(3)", "irrep([1,1])", "--weights"});
  REQUIRE(weights["dimension"] == "8");
  REQUIRE(weights["weights"] == Json{{{"weight", {1, 1}}, {"multiplicity", "1"}, {"orbit", "6"}},
                                     {{"weight", {0, 0}}, {"multiplicity", "2"}, {"orbit", "1"}}});
  const Run sheet = run({"decompose", "SU(3)", "irrep([1,1])", "--weights", "--format", "csv"});
  REQUIRE(sheet.status == 0);
  REQUIRE(sheet.out.find("multiplicity") != std::string::npos);
  REQUIRE(lie_json({"branch", "--from", "E7", "--to", "SU(3)", "--maximal", "--rep", "vector"})["terms"].size() == 2);
  const Json quaternions = lie_json({"basis", "SU(2)", "real(vector)", "real(vector)"});
  REQUIRE(quaternions["dimension"] == "4");
  REQUIRE(quaternions["scalars"] == "real");
  REQUIRE(lie_json({"basis", "SU(2)", "vector", "vector"})["scalars"] == "complex");
  REQUIRE(lie_json({"decompose", "SU(3)", "real(vector)"})["constituents"].size() == 2);
  REQUIRE(lie_json({"decompose", "SU(3)", "realform(adjoint)"})["dimension"] == "8");
  REQUIRE(lie_json({"basis", "S5 x O(3)", "sym(2, perm # vector)", "trivial"})["dimension"] == "2");
  REQUIRE(lie_json({"polynomials", "S3 x O(3)", "perm # vector", "trivial", "4"})["dimension"] == 6);
}

TEST_CASE("branch of partitions to reductive subgroups, and along representations", "[apps][quick]") {
  const Json plain = lie_json({"branch", "[2,1]", "--from", "GL(4)", "--to", "GL(3)"});
  REQUIRE(plain["terms"].size() == 4);
  REQUIRE(plain["terms"][0]["weight"] == Json{1, 1, 3});
  const Json special = lie_json({"branch", "[2,1]", "--from", "GL(4)", "--to", "GL(3)", "--sl"});
  REQUIRE(special["from"] == "SL(4)");
  REQUIRE(special["terms"][0]["weight"] == Json{1, 1});
  const Json shell =
      lie_json({"branch", "--from", "GL(5)", "--to", "O(3)", "--vector", "harmonic(2)", "--rep", "sym(2, vector)"});
  REQUIRE(shell["embedding"] == "vector = harmonic(2)");
  REQUIRE(shell["terms"][0]["partition"] == Json{4});
  REQUIRE(lie_json({"branch", "--from", "GL(6)", "--to", "S3 x SO(2)", "--vector", "perm # vector", "--rep",
                    "vector"})["terms"]
              .size() == 4);
  const struct {
    std::vector<std::string> arguments;
    const char* message;
  } refused[] = {{{"branch", "[2,1]", "--to", "GL(3)"}, "lies in is missing, for example GL(4)"},
                 {{"branch", "--from", "GL(5)", "--to", "O(3)", "--rep", "vector"}, "is said by vector"},
                 {{"branch", "--from", "E6", "--to", "O(3)", "--vector", "vector", "--rep", "vector"}, "and not E6"},
                 {{"branch", "--from", "SO(5)", "--to", "SO(3)", "--sl", "--rep", "vector"}, "is taken as SL(n)"}};
  for (const auto& r : refused) {
    const Run failed = run(r.arguments);
    INFO(failed.err);
    REQUIRE(failed.status == 2);
    REQUIRE(failed.err.find(r.message) != std::string::npos);
  }
}

TEST_CASE("products of reductive groups that are too large are refused beforehand", "[apps][quick]") {
  for (const char* rep : {"irrep([9,9,9,9,9,9,9,9])^9", "irrep([9,9,9,9,9,9,9,9])*irrep([5,5,5,5,5,5,5,5])"}) {
    const Run r = run({"decompose", "E8", rep});
    INFO(r.err);
    REQUIRE(r.status == 3);
    REQUIRE(r.err.find("dominant weights") != std::string::npos);
  }
}

TEST_CASE("branch between reductive groups in JSON, with matrices and in LaTeX", "[apps][quick]") {
  const Json answer = lie_json({"branch", "--from", "Lie(E8)", "--to", "Lie(D8)", "--rep", "irrep([1,0,0,0,0,0,0,1])"});
  REQUIRE(answer["dimension"] == "779247");
  REQUIRE(answer["terms"].size() == 15);
  REQUIRE(answer["terms"][0]["degree"] == "162162");
  const Folder folder;
  write(folder.file("good.json"), "[[2,2]]");
  write(folder.file("bad.json"), "[[2,1]]");
  write(folder.file("half.json"), "[[\"1/2\",1]]");
  const auto with = [&](const std::string& matrix) {
    return std::vector<std::string>{"branch",   "--from",           "SU(3)", "--to", "SU(2)", "--rep", "adjoint",
                                    "--matrix", folder.file(matrix)};
  };
  REQUIRE(lie_json(with("good.json"))["terms"][0]["degree"] == "5");
  REQUIRE(lie_json(with("good.json"))["matrix"] == Json{{2, 2}});
  REQUIRE(run(with("bad.json")).err.find("no restriction from SU(3) to SU(2)") != std::string::npos);
  REQUIRE(run(with("half.json")).err.find("entry (0, 0) is 1/2") != std::string::npos);
  const Run latex = run({"branch", "--from", "SU(3)", "--to", "SO(3)", "--rep", "vector", "--latex"});
  REQUIRE(latex.out == "\\[\n\\mathbf{3} \\downarrow SO(3) = \\mathbf{3}\n\\]\n");
}

TEST_CASE("branch to finite groups in JSON, by a file of matrices and in LaTeX", "[apps][quick]") {
  const Json crystal = lie_json({"branch", "--from", "SO(3)", "--to", "O", "--rep", "irrep([4])"});
  REQUIRE(crystal["embedding"] == "vector = T1");
  REQUIRE(crystal["terms"][0] ==
          Json{{"irrep", 2}, {"degree", "2"}, {"multiplicity", "1"}, {"indicator", 1}, {"name", "E"}});
  REQUIRE(crystal["terms"][1]["name"] == "T2");
  // Q8 by i, j in SU(2), from a file: j = 3/2 is twice the spinor.
  const Folder folder;
  write(
      folder.file("q8.json"),
      R"json({"type": "matrix", "dimension": 2, "images": [[["E(4)","0"],["0","-E(4)"]], [["0","-1"],["1","0"]]]})json");
  const Json spinor = lie_json({"branch", "--from", "SU(2)", "--to", "Q8", "--rep", "irrep([3])", "--embedding",
                                "rep(@" + folder.file("q8.json") + ")"});
  REQUIRE(spinor["terms"].size() == 1);
  REQUIRE(spinor["terms"][0]["multiplicity"] == "2");
  REQUIRE(spinor["terms"][0]["indicator"] == -1);
  REQUIRE(lie_json({"branch", "--from", "O(3)", "--to", "Td", "--rep", "harmonic(3)"})["terms"].size() == 3);
  const Run latex = run({"branch", "--from", "SO(3)", "--to", "O", "--rep", "harmonic(2)", "--latex"});
  REQUIRE(latex.out == "\\[\n\\text{harmonic(2)} \\downarrow \\text{O} = E + T_{2}\n\\]\n");
}

TEST_CASE("questions about reductive groups that have no answer", "[apps][quick]") {
  for (const auto& [arguments, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"decompose", "SO", "--rep", "vector"}, "SO takes the dimension that it acts on, as in SO(3)"},
           {{"decompose", "SU(3)", "--rep", "irrep([1])"}, "but a weight of SU(3) has 2"},
           {{"decompose", "SU(3)", "--rep", "irrep([1,-1])"}, "not dominant"},
           {{"decompose", "SU(3)", "--rep", "vector", "--basis"}, "for finite groups"},
           {{"decompose", "SU(3)", "--rep", "vector", "--over", "real"}, "over the complex numbers"},
           {{"decompose", "SU(3)", "--rep", "vector", "--output", "a.npy"}, ".npy files"},
           {{"branch", "--from", "SU(3)", "--to", "SO(3)"}, "a representation of SU(3) is missing"},
           {{"branch", "--to", "S4"}, "a partition such as [3,1] is missing"},
           {{"branch", "--functor", "[2]", "--to", "S4", "--principal"}, "for a reductive group, such as SU(4)"},
           {{"branch", "--from", "E6", "--to", "Lie(B3)", "--rep", "adjoint"}, "--matrix"},
           {{"branch", "--from", "E7", "--to", "Lie(B3)", "--rep", "adjoint", "--maximal"}, "G2 x C3"},
           {{"branch", "--from", "SU(3)", "--to", "SU(2)", "--rep", "adjoint", "--maximal"}, "not of SU(3)"},
           {{"branch", "--from", "E7", "--to", "SU(3)", "--rep", "adjoint", "--maximal", "--principal"},
            "give one of them"},
           {{"decompose", "O(3)", "vector", "--weights"}, "--weights is for connected groups"},
           {{"decompose", "S4", "perm", "--weights"}, "--weights is for connected groups"},
           {{"decompose", "E6", "real(vector)"}, "known by its type alone"},
           {{"decompose", "SU(2)", "realform(vector)"}, "of indicator +"},
           {{"basis", "SU(3)", "real(vector)", "vector"}, "is complex: write real(vector)"},
           {{"basis", "SO(3)", "rep([[[0,-1],[1,0]]])", "vector"}, "1 matrices are given"},
           {{"branch", "--from", "SU(2)", "--to", "S4", "--rep", "adjoint"}, "S4 is not seen to lie in SU(2)"},
           {{"branch", "--from", "SU(3)", "--to", "S4", "--rep", "adjoint", "--principal"}, "is said by embedding"},
           {{"branch", "--from", "SO(3)", "--to", "O(2)", "--rep", "adjoint"}, "and not SO(3)"},
           {{"branch", "--from", "SO(3)", "--to", "Td", "--rep", "vector"}, "its determinant is not 1; take O(3)"},
           {{"branch", "--from", "O(3)", "--to", "SO(2)", "--rep", "vector"}, "take SO(n) in its place"},
           {{"branch", "--from", "O(3)", "--to", "Oh", "--rep", "irrep([2])"}, "irrep([2] as partition)"},
           {{"branch", "--from", "O(4)", "--to", "Oh", "--rep", "vector", "--embedding", "vector"}, "acts on R^4"},
           {{"branch", "--from", "O(3)", "--to", "Oh"}, "a representation of O(3) is missing"},
           {{"branch", "--from", "SU(3)", "--to", "SU(2)", "--rep", "adjoint", "--irrep", "2"}, "for finite subgroups"},
           {{"branch", "--from", "SU(2)", "--to", "Q8", "--rep", "vector", "--irrep", "5", "--embedding", "perm"},
            "give one of them"},
           {{"branch", "--functor", "[2]", "--to", "S4", "--embedding", "perm"},
            "for a reductive group, such as SU(4)"},
           {{"branch", "--from", "SU(3)", "--to", "SU(2)", "--rep", "adjoint", "--principal", "--vector", "vector"},
            "give one of them"}}) {
    const Run r = run(arguments);
    CAPTURE(r.err, message);
    CHECK(r.status == 2);
    CHECK(r.out.empty());
    CHECK(r.err.find(message) != std::string::npos);
  }
  CHECK(run({"decompose", "SU(300)", "--rep", "vector"}).status == 3);
  CHECK(run({"decompose", "E8", "--rep", "irrep([1,1,1,1,1,1,1,1])^2", "--max-memory", "50M"}).status == 3);
}
