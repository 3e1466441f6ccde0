#include "intertwine/io/polynomial_maps_text.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "intertwine/error.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"

using namespace intertwine;

namespace {

PolynomialMaps maps(const char* group, const char* in, const char* out, unsigned degree) {
  const FiniteGroup G = parse_finite_group(group);
  return polynomial_maps(parse_representation(G, in), parse_representation(G, out), degree);
}

}  // namespace

TEST_CASE("polynomial maps survive their JSON", "[io][quick]") {
  for (const PolynomialMaps& F : {maps("S3", "perm", "perm", 2), maps("D5", "coordinates", "coordinates", 4),
                                  maps("C3", "irrep(2)", "trivial", 3), maps("I", "coordinates", "trivial", 2),
                                  maps("C4", "irrep(3)", "irrep(2)", 3), maps("S3", "perm", "perm", 0),
                                  maps("S4", "std", "sign", 2), maps("S3", "2*std", "perm + sign", 2)}) {
    const auto again = std::get<PolynomialMaps>(parse_polynomial_maps(to_json(record(F)), "written"));
    CAPTURE(to_text(record(F)));
    REQUIRE(again.monomials == F.monomials);
    REQUIRE(again.maps == F.maps);
    REQUIRE(again.route == F.route);
    REQUIRE_NOTHROW(verify(again));
    REQUIRE(to_json(record(again)) == to_json(record(F)));
  }
}

TEST_CASE("polynomial maps over a field are written with its numbers", "[io][quick]") {
  const PolynomialMaps cube = maps("C3", "irrep(2)", "trivial", 3);
  REQUIRE(to_text(record(cube, "1 s")) ==
          "C3: equivariant polynomial maps irrep(2) -> trivial of degree 3\n"
          "  maps         1 in 1 variables, 1 outputs; 1 terms, 1 monomials\n"
          "  complete     yes: <Sym^3 in, out> = 1, counted independently (burnside-elements)\n"
          "  field        Q(E(3))\n"
          "  time         1 s\n"
          "F1:\n"
          "  y1 = x1^3\n");
  REQUIRE(to_latex(record(cube)) == "\\[\nF_{1}(x) = \\begin{pmatrix} x_{1}^{3} \\end{pmatrix}\n\\]\n");
  REQUIRE(to_latex(record(maps("S3", "perm", "sign", 1))) == "\\[\nF(x) = 0\n\\]\n");
  const auto json = nlohmann::json::parse(to_json(record(maps("D5", "coordinates", "trivial", 5))));
  REQUIRE(json["field"] == "Q(sqrt(5))");
  REQUIRE_FALSE(nlohmann::json::parse(to_json(record(maps("S3", "perm", "perm", 2)))).contains("field"));
}

TEST_CASE("files of polynomial maps that are wrong are refused", "[io][quick]") {
  const auto good = nlohmann::ordered_json::parse(to_json(record(maps("S3", "perm", "perm", 2))));
  const auto refused = [&](const std::string& says, const auto& change) {
    auto json = good;
    change(json);
    CAPTURE(says, json.dump());
    REQUIRE_THROWS_WITH(parse_polynomial_maps(json.dump(), "m.json"),
                        Catch::Contains("m.json: ") && Catch::Contains(says));
    REQUIRE_THROWS_AS(parse_polynomial_maps(json.dump(), "m.json"), FileError);
  };
  using J = nlohmann::ordered_json;
  refused("there is no \"group\"", [](J& j) { j.erase("group"); });
  refused("\"in\" is no string", [](J& j) { j["in"] = 3; });
  refused("refers to another file", [](J& j) { j["out"] = "rep(@x.json)"; });
  refused("convention", [](J& j) { j["convention"] = "F(x) = x"; });
  refused("", [](J& j) { j["group"] = "S0!"; });
  refused("\"variables\" is not 3", [](J& j) { j["variables"] = 4; });
  refused("\"outputs\" is not 3", [](J& j) { j["outputs"] = 2; });
  refused("no whole number", [](J& j) { j["outputs"] = -3; });
  refused("\"dimension\" is not 4", [](J& j) { j["dimension"] = 5; });
  refused("\"dimension\" is not 3", [](J& j) { j["maps"].erase(1); });
  refused("character_dimension", [](J& j) { j["certificate"]["character_dimension"] = "5"; });
  refused("\"degree\"", [](J& j) { j["degree"] = 10'001; });
  refused("has degree 2, not 3", [](J& j) { j["degree"] = 3; });
  refused("no increasing list", [](J& j) { j["monomials"][0][0][0] = 3; });
  refused("is no list of 2", [](J& j) { j["monomials"][0][0].push_back(1); });
  refused("no whole number", [](J& j) { j["monomials"][0][0][1] = 4294967296; });
  refused("are not in order", [](J& j) { std::swap(j["monomials"][0], j["monomials"][1]); });
  refused("does not exist", [](J& j) { j["maps"][0][0][1] = 6; });
  refused("does not exist", [](J& j) { j["maps"][0][0][0] = 3; });
  refused("no whole number", [](J& j) { j["maps"][0][0][0] = -1; });
  refused("is no exact number", [](J& j) { j["maps"][0][0][2] = "x"; });
  refused("is no exact number", [](J& j) { j["maps"][0][0][2] = 0.5; });
  refused("outside Q", [](J& j) { j["maps"][0][0][2] = "E(5)"; });
  refused("is 0", [](J& j) { j["maps"][0][0][2] = "0"; });
  refused("not scaled", [](J& j) {
    for (auto& term : j["maps"][0]) term[2] = "2";
  });
  refused("is no list of 3", [](J& j) { j["maps"][0][0] = 7; });
  refused("map 1 is zero", [](J& j) { j["maps"][0] = J::array(); });
  const std::string text = good.dump();
  const auto raw = [](const std::string& changed) {
    return std::get<PolynomialMaps>(parse_polynomial_maps(changed, "m.json"));
  };
  REQUIRE_THROWS_AS(raw(text + '\0'), FileError);
  REQUIRE_THROWS_AS(raw(text + " {}"), FileError);
  REQUIRE_THROWS_AS(raw("[]"), FileError);
  REQUIRE_THROWS_AS(raw(text.substr(0, text.size() - 1)), FileError);
  REQUIRE_THROWS_WITH(raw("{\"degree\": 2, " + text.substr(1)), Catch::Contains("occurs twice"));
  // Well-formed, but not equivariant: reading does not say so, verify does.
  auto json = good;
  json["maps"][3][0][1] = 5;
  REQUIRE_THROWS_AS(verify(raw(json.dump())), Error);
}
