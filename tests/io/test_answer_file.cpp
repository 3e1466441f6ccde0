#include "intertwine/io/answer_file.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/kernels_file.hpp"
#include "intertwine/io/polynomial_maps_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/representations/actions.hpp"
#include "tables.hpp"

using namespace intertwine;
using Catch::Contains;

namespace {

using Json = nlohmann::ordered_json;

std::string irreps(const char* group, BaseField over) {
  return to_json(record(irreducible_forms(character_table(parse_finite_group(group)), over)));
}

/// What `proof` says of a file; damaged files are refused before they are proved.
void require_refused(const std::function<void()>& proof, const std::string& says, bool damaged) {
  CAPTURE(says);
  REQUIRE_THROWS_WITH(proof(), Contains(says));
  if (damaged)
    REQUIRE_THROWS_AS(proof(), FileError);
  else
    REQUIRE_THROWS_AS(proof(), VerificationError);
}

/// What is said of the irreducible representations of A5 once `change` has been at their JSON.
void require_says(const std::string& says, bool damaged, const std::function<void(Json&)>& change,
                  BaseField over = BaseField::complex) {
  Json json = Json::parse(irreps("A5", over));
  change(json);
  require_refused([&] { verify(parse_irreducible_forms(json.dump(), "a.json")); }, says, damaged);
}

}  // namespace

TEST_CASE("irreducible representations survive their JSON and are proved from it", "[io][quick]") {
  for (const char* group : {"C1", "C5", "S4", "SL(2,3)", "Q8", "A5", "<(1,2,3,4,5,6,7),(2,3,5)(4,7,6)>"})
    for (const BaseField over : {BaseField::complex, BaseField::real, BaseField::rational}) {
      CAPTURE(group, to_string(over));
      const std::string text = irreps(group, over);
      const IrreducibleForms forms = parse_irreducible_forms(text, "written");
      REQUIRE_NOTHROW(verify(forms));
      const auto again = Json::parse(to_json(record(forms))), before = Json::parse(text);
      REQUIRE(again["irreps"].size() == before["irreps"].size());
      for (std::size_t k = 0; k < again["irreps"].size(); ++k)
        for (const char* key : {"irrep", "rows", "multiplicity", "degree", "matrices", "seed", "construction"})
          REQUIRE(again["irreps"][k][key] == before["irreps"][k][key]);
    }
}

TEST_CASE("matrices that are not those of the row are found out", "[io][quick]") {
  require_says("do not extend", false, [](Json& j) { j["irreps"][3]["matrices"][0][0][0] = "7"; });
  require_says("is not the degree", false,
               [](Json& j) { j["irreps"][3]["irrep"] = 4, j["irreps"][3]["rows"] = {4}, j["irreps"].erase(4); });
  require_says("is not the value", false,
               [](Json& j) { j["irreps"][1]["irrep"] = 2, j["irreps"][1]["rows"] = {2}, j["irreps"].erase(2); });
  // What an entry says of its rows and its field.
  require_says("is not the first of its", false, [](Json& j) { j["irreps"][3]["irrep"] = 4; });
  require_says("is not the first of its", false, [](Json& j) { j["irreps"][3]["multiplicity"] = 2; });
  require_says("two representations have row 1", false, [](Json& j) { j["irreps"].push_back(j["irreps"][1]); });
  require_says("names no row", false, [](Json& j) { j["irreps"][3]["rows"] = Json::array(); });
  require_says("\"indicator\" says -1, but what holds is 1", false, [](Json& j) { j["irreps"][3]["indicator"] = -1; });
  require_says("\"order\" says", false, [](Json& j) { j["order"] = "120"; });
  require_says("\"name\" says", false, [](Json& j) { j["irreps"][1]["field"]["name"] = "Q"; });
  require_says("does not multiply the seed", false, [](Json& j) { j["irreps"][3]["seed"]["values"][0] = "-1"; });
  require_says(
      "of the rows stated", false,
      [](Json& j) { j["irreps"][1]["irrep"] = 2, j["irreps"][1]["rows"] = {2}, j["irreps"].erase(2); },
      BaseField::real);
  require_says(
      "of the rows stated", false, [](Json& j) { j["irreps"][1]["multiplicity"] = 2; }, BaseField::rational);
  require_says("complex, real or rational", true, [](Json& j) { j["over"] = "rational numbers"; });
  require_says(
      "is no field of rational numbers", false, [](Json& j) { j["over"] = "rational"; }, BaseField::real);
}

TEST_CASE("damaged JSON of irreducible representations is refused", "[io][quick]") {
  require_says("there is no \"group\"", true, [](Json& j) { j.erase("group"); });
  require_says("refers to another file", true, [](Json& j) { j["group"] = "@g.json"; });
  require_says("are not those of \"group\"", false, [](Json& j) { j["generators"][0] = "(1,2)"; });
  require_says("no list of 3 rows", true, [](Json& j) { j["irreps"][3]["degree"] = "3"; });
  require_says("\"degree\"", true, [](Json& j) { j["irreps"][3]["degree"] = "1/2"; });
  require_says("there are 1 matrices", true, [](Json& j) { j["irreps"][3]["matrices"].erase(0); });
  require_says("no whole number from 0 to 4", true, [](Json& j) { j["irreps"][3]["rows"] = {5}; });
  require_says("is no exact number", true, [](Json& j) { j["irreps"][3]["seed"]["vector"][0] = "x"; });
  require_says("no string of cycles", true, [](Json& j) { j["irreps"][3]["seed"]["generators"][0] = 3; });
  require_says("\"irreps\" is no list", true, [](Json& j) { j["irreps"] = 3; });
}

TEST_CASE("a file is read as what it says it is", "[io][quick]") {
  const test_tables::Folder folder;
  const auto written = [&](const char* command, const std::string& answer) {
    Json json{{"command", command}};
    json.update(Json::parse(answer));
    write_file(folder / "x.json", json.dump());
    return read_provable(folder / "x.json");
  };
  REQUIRE(std::holds_alternative<IrreducibleForms>(written("irreps", irreps("S3", BaseField::complex))));
  const FiniteGroup G = parse_finite_group("S3");
  const Representation V = natural_permutation_representation(G);
  REQUIRE(std::holds_alternative<PolynomialMaps>(written("polynomials", to_json(record(polynomial_maps(V, V, 2))))));
  REQUIRE_THROWS_AS(written("classes", "{}"), FileError);
  write_table(folder / "t.json", hom::equivariant_basis(V, V).single().table().block());
  REQUIRE(std::holds_alternative<WeightTable>(read_provable(folder / "t.json")));
}

namespace {

std::string kernels_json(const char* group, const char* in, const char* out) {
  if (names_orthogonal_action(group)) {
    const OrthogonalAction G = parse_orthogonal_action(group);
    return to_json(
        record(point_kernels(G, parse_representation(G.group(), in), parse_representation(G.group(), out), 3)));
  }
  const EuclideanGroup G = parse_euclidean_group(group);
  return to_json(record(
      steerable_kernels(G, parse_representation(G.point_group(), in), parse_representation(G.point_group(), out))));
}

/// What is said of kernels once `change` has been at their JSON.
void require_kernels_say(const char* group, const std::string& says, bool damaged,
                         const std::function<void(Json&)>& change) {
  Json json = Json::parse(kernels_json(group, "cartesian", "cartesian"));
  change(json);
  CAPTURE(group);
  const auto proof = [&] {
    std::visit([](const auto& kernels) { verify(kernels); }, parse_space_kernels(json.dump(), "k.json"));
  };
  require_refused(proof, says, damaged);
}

}  // namespace

TEST_CASE("kernels on R^n survive their JSON and are proved from it", "[io][quick]") {
  struct Question {
    const char *group, *in, *out;
  };
  for (const Question& q :
       {Question{"SE(3)", "vector", "2*harmonic(2)"}, Question{"E(2)", "vector", "det"},
        Question{"S3 x SE(2)", "perm # vector", "trivial # vector"},
        Question{"R^2 : C3", "3*cartesian", "irrep(2) + trivial"}, Question{"R^2 : S3 by std", "std", "perm"},
        Question{"R^3 : Oh", "T1u", "T2g"}, Question{"R^2 : C2", "V", "trivial"}}) {
    CAPTURE(q.group, q.in);
    const std::string text = kernels_json(q.group, q.in, q.out);
    std::visit(
        [&](const auto& kernels) {
          REQUIRE_NOTHROW(verify(kernels));
          REQUIRE(to_json(record(kernels)) == text);
        },
        parse_space_kernels(text, "written"));
  }
}

TEST_CASE("kernels that were tampered with are refused", "[io][quick]") {
  const char* group = "R^2 : D4";
  require_kernels_say(group, "not equivariant", false, [](Json& j) { j["degrees"][1]["kernels"][0][0][3] = "5"; });
  require_kernels_say(group, "\"params\"", false, [](Json& j) { j["degrees"].erase(1); });
  require_kernels_say(group, "characters count", false, [](Json& j) { j["up_to_degree"] = 9; });
  require_kernels_say(group, "characters count", false, [](Json& j) {
    j["degrees"].erase(1), j["certificate"]["by_characters"].erase(1);
    j["params"] = 1, j["dimension"] = "1";
  });
  require_kernels_say(group, "dependent", false,
                      [](Json& j) { j["degrees"][1]["kernels"][0] = j["degrees"][1]["kernels"][1]; });
  require_kernels_say(group, "\"matrices\" are not those", false, [](Json& j) { j["matrices"][0][0][0] = "1"; });
  require_kernels_say(group, "\"dimension\"", false, [](Json& j) { j["in"]["channels"] = 2; });
  require_kernels_say(group, "at all monomials", false,
                      [](Json& j) { j["degrees"][1]["monomials"][0] = j["degrees"][1]["monomials"][1]; });
  require_kernels_say(group, "\"generators\"", false, [](Json& j) {
    j["group"] = "R^2 : C4";
    j["point_group"] = "C4";
  });
  require_kernels_say(group, "not in their order", true, [](Json& j) {
    auto& kernel = j["degrees"][1]["kernels"][0];
    std::swap(kernel[0], kernel[1]);
  });
  require_kernels_say(group, "no exact number", true, [](Json& j) { j["degrees"][1]["kernels"][0][0][3] = "x"; });
  require_kernels_say(group, "no whole number", true, [](Json& j) { j["degrees"][1]["kernels"][0][0][1] = 2; });
  require_kernels_say(group, "is not in Q", true, [](Json& j) { j["degrees"][1]["kernels"][0][0][3] = "E(4)"; });
  require_kernels_say(group, "refers to another file", true, [](Json& j) { j["in"]["rep"] = "rep(@x.json)"; });
  require_kernels_say(group, "\"order\" is not \"8\"", true, [](Json& j) { j["order"] = "4"; });
  require_kernels_say(group, "\"field\" is not \"Q\"", true, [](Json& j) { j["field"] = "Q(i)"; });
  require_kernels_say(group, "counted again", false,
                      [](Json& j) { j["certificate"]["by_characters"][0]["dimension"] = "7"; });
  require_kernels_say(group, "counted again", false, [](Json& j) { j["certificate"]["by_characters"].erase(0); });
  require_kernels_say(group, "there is no \"by_characters\"", true, [](Json& j) { j["certificate"] = 1; });
  require_kernels_say(group, "\"convention\"", true, [](Json& j) { j["convention"] = "transposed"; });
  require_kernels_say(group, "there is no \"degrees\"", true, [](Json& j) { j.erase("degrees"); });
  const auto lie = [](const std::string& says, const std::function<void(Json&)>& change) {
    Json json = Json::parse(kernels_json("SE(3)", "vector", "vector"));
    change(json);
    CAPTURE(says);
    REQUIRE_THROWS_WITH(
        std::visit([](const auto& kernels) { verify(kernels); }, parse_space_kernels(json.dump(), "k.json")),
        Contains(says));
  };
  lie("not equivariant", [](Json& j) { j["degrees"][1]["kernels"][0][0][3] = "5"; });
  lie("stabilizer_dimension", [](Json& j) { j["certificate"]["stabilizer_dimension"] = "4"; });
  lie("stabilizer of a point counts 3", [](Json& j) {
    j["degrees"].erase(1);
    j["params"] = 2, j["dimension"] = "2";
  });
  lie("at all monomials", [](Json& j) { j["degrees"][2]["degree"] = 1000; });
  lie("rational", [](Json& j) { j["degrees"][1]["kernels"][0][0][3] = "E(4)"; });
  Json many = Json::parse(kernels_json("SE(12)", "trivial", "trivial"));  // monomials are counted, not listed
  many["degrees"][0]["degree"] = 1000;
  REQUIRE_THROWS_WITH(
      std::visit([](const auto& kernels) { verify(kernels); }, parse_space_kernels(many.dump(), "k.json")),
      Contains("at all monomials"));
  // r^2 times the identity in the place of the kernel of degree 2 is equivariant, too.
  lie("not harmonic", [](Json& j) {
    Json kernel = Json::array();
    for (const int monomial : {0, 3, 5})
      for (int i = 0; i < 3; ++i) kernel.push_back({monomial, i, i, "1"});
    j["degrees"][2]["kernels"][0] = kernel;
  });
}

TEST_CASE("kernels between homogeneous spaces survive their JSON and are proved from it", "[io][quick]") {
  struct Question {
    const char *group, *from, *sigma, *to, *rho;
  };
  const auto kernels_of = [](const Question& q) {
    const FiniteGroup G = parse_finite_group(q.group), K = on_points_of(G, parse_finite_group(q.from)),
                      H = on_points_of(G, parse_finite_group(q.to));
    return to_json(record(mackey_basis(G, H, K, parse_representation(H, q.rho), parse_representation(K, q.sigma))));
  };
  for (const Question& q :
       {Question{"S4", "S3", "irrep(3)", "S3", "irrep(3)"}, Question{"S4", "A4", "irrep(2)", "<(1,2,3,4)>", "perm"},
        Question{"A5", "A4", "irrep(2) + perm", "<(1,2,3,4,5)>", "irrep(3)"},
        Question{"S3", "C1", "trivial", "C1", "trivial"}, Question{"Oh", "Oh", "T1u", "Oh", "perm"}}) {
    CAPTURE(q.group, q.from, q.to);
    const std::string text = kernels_of(q);
    const KernelSpace read = std::get<KernelSpace>(parse_space_kernels(text, "written"));
    REQUIRE_NOTHROW(verify(read));
    REQUIRE(to_json(record(read)) == text);
  }
  const auto says = [&](const std::string& what, bool damaged, const std::function<void(Json&)>& change) {
    Json json = Json::parse(kernels_of({"S4", "S3", "irrep(3)", "S3", "irrep(3)"}));
    change(json);
    require_refused(
        [&] { std::visit([](const auto& kernels) { verify(kernels); }, parse_space_kernels(json.dump(), "k.json")); },
        what, damaged);
  };
  const auto drop = [](Json& j, std::size_t kernels, std::size_t dimension) {
    j["double_cosets"][1]["values"].erase(0);
    j["double_cosets"][1]["kernels"] = kernels;
    j["dimension"] = j["certificate"]["mackey_dimension"] = dimension;
  };
  const std::size_t second =
      Json::parse(kernels_of({"S4", "S3", "irrep(3)", "S3", "irrep(3)"}))["double_cosets"][1]["kernels"];
  REQUIRE(second == 2);
  says("double coset of ()", false, [](Json& j) { j["double_cosets"][0]["values"][0][0][0] = "5"; });
  says("\"kernels\" of a double coset", false, [](Json& j) { j["double_cosets"][1]["values"].erase(0); });
  says("\"dimension\" is 2", false, [](Json& j) {
    j["double_cosets"][1]["values"].erase(0);
    j["double_cosets"][1]["kernels"] = 1;
  });
  says("double coset of ", false, [&](Json& j) { drop(j, 1, 2); });
  says("double coset of ", false,
       [](Json& j) { j["double_cosets"][1]["values"][0] = j["double_cosets"][1]["values"][1]; });
  says("\"mackey_dimension\" is 3", false, [](Json& j) { j["certificate"]["mackey_dimension"] = 4; });
  says("\"character_dimension\" is 3", false, [](Json& j) { j["certificate"]["character_dimension"] = "4"; });
  says("2 double cosets, and kernels on 1", false, [](Json& j) { j["double_cosets"].erase(1); });
  says("18 elements, not 12", false, [](Json& j) { j["double_cosets"][1]["size"] = "12"; });
  says("\"stabilizer_order\" is 2", false, [](Json& j) { j["double_cosets"][1]["stabilizer_order"] = "1"; });
  says("is no subgroup", true, [](Json& j) { j["group"] = "A4"; });
  says("double coset", false, [](Json& j) { j["group"] = "S5"; });
  says("\"order\" of \"to\"", true, [](Json& j) { j["to"]["order"] = "3"; });
  says("\"dimension\" of \"from\"", true, [](Json& j) { j["from"]["rep"] = "trivial"; });
  says("refers to another file", true, [](Json& j) { j["from"]["subgroup"] = "@s3.json"; });
  says("no exact number in Q", true, [](Json& j) { j["double_cosets"][0]["values"][0][0][0] = "E(4)"; });
  says("has 1 rows, not 2", true, [](Json& j) { j["double_cosets"][0]["values"][0].erase(0); });
  says("a kernel is 0", false,
       [](Json& j) { j["double_cosets"][0]["values"][0] = Json::parse(R"([["0","0"],["0","0"]])"); });
  says("\"field\" is not", true, [](Json& j) { j["field"] = "Q(i)"; });
  says("\"convention\"", true, [](Json& j) { j["convention"] = "transposed"; });
}
