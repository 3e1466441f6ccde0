// clebsch-gordan, run as a user runs it; and kernels on R^n.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/program.hpp"

using namespace test_apps;
using Json = nlohmann::json;

TEST_CASE("all tables of spins up to 10 are written in JSON and CSV", "[apps][quick]") {
  const Folder folder;
  const Run r =
      run({"clebsch-gordan", "SO(3)", "--up-to", "10", "--basis", "real", "-o", "table.json", "-o", "table.csv", "-q"},
          folder.path());
  CAPTURE(r.err);
  REQUIRE(r.status == 0);
  const Json table = Json::parse(contents(folder.path() / "table.json"));
  CHECK(table["basis"] == "real");
  std::size_t couplings = 0, entries = 0;
  for (int j1 = 0; j1 <= 10; ++j1)
    for (int j2 = 0; j2 <= 10; ++j2) couplings += static_cast<std::size_t>(2 * std::min(j1, j2) + 1);
  CHECK(table["couplings"].size() == couplings);
  for (const Json& coupling : table["couplings"]) entries += coupling["entries"].size();
  std::istringstream lines(contents(folder.path() / "table.csv"));
  std::string line;
  std::getline(lines, line);
  CHECK(line == "j1,j2,j,m1,m2,m,sign,square,value");
  std::size_t count = 0;
  while (std::getline(lines, line)) ++count;
  CHECK(count == entries);
}

TEST_CASE("coefficients of finite groups in JSON", "[apps][quick]") {
  const Run r = run({"clebsch-gordan", "A5", "5", "5", "--json"});
  REQUIRE(r.status == 0);
  const Json answer = Json::parse(r.out);
  CHECK(answer["left"]["degree"] == 5);
  REQUIRE(answer["constituents"].size() == 5);
  CHECK(answer["constituents"][3]["multiplicity"] == 2);
  CHECK(answer["constituents"][3]["symmetries"] == Json::parse("[1, -1]"));
  CHECK(answer["constituents"][3]["maps"][0].size() == 25);
}

TEST_CASE("representations of SU(3) by their names", "[apps][quick]") {
  const auto json = [](const char* left, const char* right) {
    const Run r = run({"clebsch-gordan", "SU(3)", left, right, "--json"});
    INFO(r.err);
    REQUIRE(r.status == 0);
    return r.out;
  };
  CHECK(json("vector", "trivial") == json("[1]", "[]"));
  CHECK(json("vector", "dual(vector)") == json("[1]", "[1,1]"));
  CHECK(json("irrep([1,0])", "irrep([2,0])") == json("[1]", "[2]"));
  CHECK(json("vector", "adjoint") == json("[1]", "[2,1]"));
  // A sum is refused.
  CHECK(run({"clebsch-gordan", "SU(3)", "2*vector", "vector"}).err.find("irreducible representations of SU(n)") !=
        std::string::npos);
}

TEST_CASE("couplings of the Lorentz group are products", "[apps][quick]") {
  const Run r = run({"clebsch-gordan", "SO(1,3)", "(1/2,1/2)", "(1/2,1/2)", "--format", "csv"});
  REQUIRE(r.status == 0);
  CHECK(r.out.find("\"(1/2,1/2)\",\"(1/2,1/2)\",\"(0,0)\",\"(-1/2,1/2)\",\"(1/2,-1/2)\",\"(0,0)\",-1,1/4,-0.5") !=
        std::string::npos);
}

TEST_CASE("wrong input to clebsch-gordan is one line and status 2", "[apps][quick]") {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"clebsch-gordan"},
                                             {"clebsch-gordan", "SO(3)"},
                                             {"clebsch-gordan", "SO(3)", "-1", "1"},
                                             {"clebsch-gordan", "SO(3)", "1", "1", "--basis", "e3nn"},
                                             {"clebsch-gordan", "SO(3)", "--up-to", "-3"},
                                             {"clebsch-gordan", "O(3)", "1", "1"},
                                             {"clebsch-gordan", "SO+(1,3)", "(1/2,0)", "(0,1/2)"},
                                             {"clebsch-gordan", "SO(1,3)", "vectors", "vector"},
                                             {"clebsch-gordan", "SL(2,C)", "(1,0)", "(1,0)", "--index", "(0,1)"},
                                             {"clebsch-gordan", "SL(2,C)", "(1,0)", "(1,0)", "--3j"},
                                             {"clebsch-gordan", "SU(3)", "[1]", "[1]", "--basis", "real"},
                                             {"clebsch-gordan", "S3", "9", "1"},
                                             {"clebsch-gordan", "S3", "--up-to", "3"},
                                             {"clebsch-gordan", "S3", "1", "1", "-o", "x.svg"}}) {
    const Run r = run(arguments);
    CAPTURE(r.err, arguments);
    CHECK(r.status == 2);
    CHECK(r.out.empty());
    CHECK(r.err.rfind("intertwine: error: ", 0) == 0);
  }
}

TEST_CASE("steerable kernels in JSON", "[apps][quick]") {
  const Run r = run({"kernels", "SE(3)", "--in", "harmonic(1)", "--out", "harmonic(2)", "--json"});
  REQUIRE(r.status == 0);
  const Json answer = Json::parse(r.out);
  CHECK(answer["params"] == 3);
  CHECK(answer["certificate"]["stabilizer"] == "SO(2)");
  REQUIRE(answer["degrees"].size() == 3);
  CHECK(answer["degrees"][2]["degree"] == 3);
  CHECK(answer["degrees"][2]["monomials"].size() == 10);
  CHECK(run({"kernels", "SE(3)", "--from", "harmonic(1)", "--to", "harmonic(2)", "--json"}).out == r.out);
}

TEST_CASE("kernels under point groups, written and verified", "[apps][quick]") {
  const Run r = run({"kernels", "R^3 : Oh", "--in", "trivial", "--out", "cartesian", "--degree", "5", "--json"});
  REQUIRE(r.status == 0);
  const Json answer = Json::parse(r.out);
  CHECK((answer["params"] == 4 && answer["up_to_degree"] == 5 && answer["group"] == "R^3 : Oh"));
  CHECK(answer["certificate"]["by_characters"][2]["dimension"] == "2");
  const Folder folder;
  const std::string file = (folder.path() / "kernels.json").string();
  REQUIRE(run({"kernels", "R^2 : D6", "cartesian", "-o", file, "--degree", "2"}).status == 0);
  const Run verified = run({"verify", file});
  CHECK(verified.status == 0);
  CHECK(verified.out.find("2 counted again by characters") != std::string::npos);
  for (const char* format : {"latex", "csv", "gap", "sage", "magma", "markdown", "html"}) {
    CAPTURE(format);
    CHECK(run({"kernels", "R^2 : D6", "cartesian", "--format", format}).status == 0);
  }
  CHECK(run({"kernels", "R^2 : D6", "cartesian", "-o", (folder.path() / "k.npz").string(), "-o",
             (folder.path() / "k.svg").string()})
            .status == 0);
  CHECK(run({"kernels", "SE(2)", "vector", "--degree", "3"}).status == 2);
  CHECK(run({"kernels", "R^2 : D6", "cartesian", "--from-subgroup", "C2"}).status == 2);
  CHECK(run({"kernels", "R^2 : D6", "cartesian", "--degree", "1001"}).status == 2);
}
