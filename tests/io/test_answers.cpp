// Answers of the library as text, JSON, CSV and arrays. (What they say is tested where they are computed; the golden pages of
// the program show most of them whole.)
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "intertwine/characters/class_report.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_report.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/answer_file.hpp"
#include "intertwine/io/character_table_text.hpp"
#include "intertwine/io/npy.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/representations/actions.hpp"

using namespace intertwine;
using Json = nlohmann::json;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("a group report as JSON and text", "[io][quick]") {
  const GroupReport report = group_report(cyclic_group(1500));
  const Json json = Json::parse(to_json(record(report)));
  REQUIRE(json["order"] == "1500");
  REQUIRE(json["solvable"].is_null());
  REQUIRE(json["generators"].size() == 1);
  REQUIRE_FALSE(json.contains("classes_description"));
  REQUIRE(to_text(record(report)).find("  solvable    not computed (--full)\n") != std::string::npos);
  REQUIRE(to_text(record(group_report(symmetric_group(1)))).ends_with("  generators  none\n"));
}

TEST_CASE("classes as comma-separated values", "[io][quick]") {
  const auto lines = lines_of(in_format(record(class_report(symmetric_group(4))), Format::csv));
  REQUIRE(lines.size() == 6);
  REQUIRE(lines[0] == "class,element_order,size,centralizer_order,representative");
  REQUIRE(lines[1] == "1,1,1,24,()");
  REQUIRE(lines[5].starts_with("5,4,6,4,\"("));  // cycles hold commas
  REQUIRE_THROWS_AS(record(class_report(symmetric_group(100))).sheets({}), DomainError);
}

TEST_CASE("a character table as comma-separated values", "[io][quick]") {
  const auto lines = lines_of(in_format(record(character_table(cyclic_group(3))), Format::csv));
  REQUIRE(lines.size() == 4);
  REQUIRE(lines[0] == ",1a,3a,3b");
  REQUIRE(lines[1] == "X.1,1,1,1");
  REQUIRE(lines[2].find("E(3)") != std::string::npos);
  REQUIRE(lines_of(in_format(record(character_table(symmetric_group(3))), Format::csv))[2].starts_with("\"[1,1,1]\","));
}

TEST_CASE("the memory of a JSON document is asked for", "[io][quick]") {
  const ClassReport report = class_report(symmetric_group(20));
  REQUIRE(Json::parse(to_json(record(report)))["classes"].size() == 627);
}

TEST_CASE("a change of basis as an array", "[io][quick]") {
  const FiniteGroup G = symmetric_group(4);
  const CharacterTable table = character_table(G);
  const Representation V = natural_permutation_representation(G);
  Decomposition d{"perm", V.dimension(), table, BaseField::complex, decompose(V, table, BaseField::complex), {}};
  REQUIRE_THROWS_AS(to_npy(d), DomainError);
  REQUIRE_FALSE(Json::parse(to_json(record(d))).contains("components"));
  d.components = isotypic_decomposition(V, table, BaseField::complex);
  REQUIRE(Json::parse(to_json(record(d)))["components"].size() == 2);
  const std::string bytes = to_npy(d);
  REQUIRE(bytes.size() == 128 + 16 * sizeof(double));
  REQUIRE(bytes.starts_with("\x93NUMPY"));
  REQUIRE(to_text(record(d, true)).find("change of basis") != std::string::npos);
  REQUIRE(to_text(record(d, false)).find("change of basis") == std::string::npos);
}

TEST_CASE("irreducible representations over the real numbers", "[io][quick]") {
  const CharacterTable table = character_table(cyclic_group(3));
  const IrreducibleForms real = irreducible_forms(table, BaseField::real);
  REQUIRE(real.entries.size() == 2);  // the trivial one, and the turn by 120 degrees
  const Json json = Json::parse(to_json(record(real)));
  REQUIRE(json["over"] == "real");
  REQUIRE(json["irreps"][1]["rows"] == std::vector<int>{1, 2});
  REQUIRE(json["irreps"][1]["degree"] == "2");
  REQUIRE(irreducible_forms(table, BaseField::complex).entries.size() == 3);
  REQUIRE(irreducible_form(table, 2, BaseField::rational).entries[0].form.rows == std::vector<std::size_t>{1, 2});
  REQUIRE_THROWS_AS(irreducible_form(table, 3, BaseField::complex), DomainError);
  REQUIRE(base_field("rational") == BaseField::rational);
  REQUIRE_THROWS_AS(base_field("quaternions"), DomainError);
}

TEST_CASE("rows without matrices are listed beside the others", "[io][quick]") {
  IrreducibleForms forms = irreducible_forms(character_table(cyclic_group(3)), BaseField::complex);
  REQUIRE(forms.missing.empty());
  REQUIRE_FALSE(Json::parse(to_json(record(forms))).contains("missing"));
  forms.entries.pop_back();
  forms.missing.push_back({2, "no subgroup was found"});
  const Json json = Json::parse(to_json(record(forms)));
  REQUIRE(json["irreps"].size() == 2);
  REQUIRE(json["missing"].size() == 1);
  REQUIRE(json["missing"][0]["irrep"] == 2);
  REQUIRE(json["missing"][0]["name"] == forms.table.name(2));
  REQUIRE(json["missing"][0]["reason"] == "no subgroup was found");
  REQUIRE(to_text(record(forms), 0).find(forms.table.name(2) + ": missing\n  no subgroup was found") !=
          std::string::npos);
  REQUIRE(to_latex(record(forms)).find("missing: no subgroup was found") != std::string::npos);
  REQUIRE(
      to_system(Format::gap, record(forms)).find("# " + forms.table.name(2) + ": missing: no subgroup was found\n]") !=
      std::string::npos);
  REQUIRE(parse_irreducible_forms(to_json(record(forms)), "forms").entries.size() == 2);
}
