// Files with proofs of characters and representations, read and checked from what they hold. tests/checkers/test_characters.py has the long list of false ones.
#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>

#include "intertwine/characters/character_details.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/answer_file.hpp"
#include "intertwine/io/character_table_text.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/representations/representation_proof.hpp"
#include "tables.hpp"

using namespace intertwine;
using Catch::Contains;

namespace {

using Json = nlohmann::ordered_json;

std::string proved_table(const char* group) {
  const CharacterTable table = character_table(parse_finite_group(group));
  CharacterTableReport report{table.group(), {table, table.classes(), {}, {}, {}}, {}, {}, {}};
  report.proof = character_proof(table);
  return to_json(record(report));
}

std::string proved_irreps(const char* group) {
  const IrreducibleForms forms = irreducible_forms(character_table(parse_finite_group(group)), BaseField::complex);
  return to_json(record(ProvedForms{forms, order_proof(forms.table.group())}));
}

ProvedCharacters proved(const std::string& text) { return verify(parse_proof_file(text, "a.json")); }

using Change = std::function<void(Json&)>;

/// What is said of a document once `change` has been at it.
template <class E>
void require_refused(const std::string& text, const std::string& says, const Change& change) {
  Json json = Json::parse(text);
  change(json);
  CAPTURE(says);
  REQUIRE_THROWS_WITH(proved(json.dump()), Contains(says));
  REQUIRE_THROWS_AS(proved(json.dump()), E);
}

}  // namespace

TEST_CASE("tables and representations are proved from the proofs in their files", "[io][quick]") {
  for (const char* group :
       {"C1", "C12", "S4", "Q8", "SL(2,3)", "A5", "M11", "C3 wr C3", "S3 x S3", "<(1,2,3,4,5,6,7),(2,3,5)(4,7,6)>"}) {
    CAPTURE(group);
    const FiniteGroup G = parse_finite_group(group);
    const ProvedCharacters table = proved(proved_table(group));
    REQUIRE(table.order == G.order());
    REQUIRE(table.characters == table.classes);
    REQUIRE_FALSE(table.matrices);
    REQUIRE(table.claims == std::vector<std::string>{"class_names", "names"});
    if (G.order() > 100) continue;
    const ProvedCharacters forms = proved(proved_irreps(group));
    REQUIRE(forms.matrices);
    REQUIRE(forms.characters == table.classes);
  }
}

TEST_CASE("the name of the group is checked, or is the writer's word", "[io][quick]") {
  const std::string text = proved_table("S4");
  const auto named = [&](const char* name) {
    Json json = Json::parse(text);
    json["group"] = name;
    return json.dump();
  };
  REQUIRE_THROWS_WITH(proved(named("M11")), Contains("calls its group M11, which has order 7920"));
  REQUIRE_THROWS_AS(proved(named("M11")), VerificationError);
  const auto claims = proved(named("@group.json")).claims;
  REQUIRE(claims.back() == "group \"@group.json\": it refers to a file");
  REQUIRE(proved(named("Monster")).claims.size() == 3);
  REQUIRE(proved(named("<(1,2,3,4),(1,2)>")).claims.size() == 2);
}

TEST_CASE("false proofs of tables are refused by one sentence", "[io][quick]") {
  const std::string text = proved_table("A5");
  const auto refused = [&](const std::string& says, const Change& change) {
    require_refused<VerificationError>(text, says, change);
  };
  refused("the order of the group is 60, not 120", [](Json& j) { j["order"] = "120"; });
  refused("not its combination of induced characters on class 0", [](Json& j) { j["irreducibles"][1][0] = "4"; });
  refused("row 0 is not its combination", [](Json& j) { std::swap(j["irreducibles"][0], j["irreducibles"][1]); });
  refused("has another indicator than 0", [](Json& j) { j["indicators"][2] = 0; });
  refused("power map for 2 is not that of class 1", [](Json& j) { j["power_maps"]["2"][1] = 2; });
  refused("there are not as many characters", [](Json& j) { j["irreducibles"].erase(0); });
  refused("has not as many values as there are classes", [](Json& j) { j["irreducibles"][0].push_back("1"); });
  refused("of a subgroup that is not there", [](Json& j) { j["proof"]["linear_characters"][0]["subgroup"] = 99; });
  refused("has values of order 0", [](Json& j) { j["proof"]["linear_characters"][0]["order"] = 0; });
  refused("not as many values as its subgroup",
          [](Json& j) { j["proof"]["linear_characters"][0]["exponents"].push_back(0); });
  refused("a linear character that is not there", [](Json& j) { j["proof"]["combinations"][0][0][0] = 999; });
  refused("no element of the group", [](Json& j) { j["proof"]["subgroups"][0][0] = "(1,2)"; });
  refused("no element before it", [](Json& j) { j["proof"]["words"][0] = {1, 99}; });
  refused("no element before it", [](Json& j) { j["proof"]["words"][0] = {0}; });
  refused("no element 9999 to be strong", [](Json& j) { j["proof"]["strong_generators"].push_back(9999); });
  refused("no point that the base can have", [](Json& j) { j["proof"]["base"].push_back(j["proof"]["base"][0]); });
  refused("fixes the base and is not the identity", [](Json& j) { j["proof"]["base"] = Json::array({0}); });
  refused("is not that of the identity", [](Json& j) { std::swap(j["classes"][0], j["classes"][1]); });
  refused("add up to", [](Json& j) { j["classes"].erase(4); });
}

TEST_CASE("false proofs of representations are refused by one sentence", "[io][quick]") {
  const std::string text = proved_irreps("A5");
  const auto refused = [&](const std::string& says, const Change& change) {
    require_refused<VerificationError>(text, says, change);
  };
  refused("another order than the generator", [](Json& j) { j["irreps"][3]["matrices"][0][0][0] = "7"; });
  refused("is equivalent to irrep 1", [](Json& j) { j["irreps"][2] = j["irreps"][1]; });
  refused("generator 1 of the proof is not the one", [](Json& j) { j["generators"][1] = "()"; });
  refused("irrep 0 has 1 matrices", [](Json& j) { j["irreps"][0]["matrices"].erase(0); });
  refused("no representation: a relation of the group",
          [](Json& j) { j["irreps"][1]["matrices"][1] = j["irreps"][2]["matrices"][1]; });
  // Beyond the proof: the row and the seed, which need the table.
  refused("is not the value", [](Json& j) {
    j["irreps"][1]["irrep"] = 2, j["irreps"][1]["rows"] = {2};
    j["irreps"].erase(2);
  });
  refused("does not multiply the seed", [](Json& j) { j["irreps"][3]["seed"]["values"][0] = "-1"; });
}

TEST_CASE("damaged files with proofs are refused", "[io][quick]") {
  const std::string table = proved_table("S3"), forms = proved_irreps("S3");
  const auto refused = [&](const std::string& says, const Change& change) {
    require_refused<FileError>(table, says, change);
  };
  refused("it has no proof: write it with one", [](Json& j) { j.erase("proof"); });
  refused("is no form of a proof", [](Json& j) { j["proof"]["form"] = "oath"; });
  refused("there is no \"base\"", [](Json& j) { j["proof"].erase("base"); });
  refused("the degree is 2147483647", [](Json& j) { j["proof"]["degree"] = 2147483647; });
  refused("no whole number", [](Json& j) { j["order"] = "6/5"; });
  refused("\"words\": 99999999999 is no letter", [](Json& j) { j["proof"]["words"][0][0] = 99999999999; });
  refused("is no string of cycles", [](Json& j) { j["proof"]["generators"][0] = 3; });
  refused("an indicator is 2", [](Json& j) { j["indicators"][0] = 2; });
  refused("\"classes\" is empty", [](Json& j) { j["classes"] = Json::array(); });
  refused("is no exact number", [](Json& j) { j["irreducibles"][0][0] = "x"; });
  refused("is no list of 2", [](Json& j) { j["proof"]["combinations"][0][0] = {1}; });
  refused("\"power_maps\": 0 is no exponent", [](Json& j) { j["power_maps"]["0"] = {0, 0, 0}; });
  require_refused<FileError>(forms, "no list of 3 rows", [](Json& j) { j["irreps"][0]["degree"] = "3"; });
  require_refused<FileError>(forms, "from 1 to 65536", [](Json& j) { j["irreps"][0]["degree"] = "0"; });
}

TEST_CASE("files with proofs are known by their keys, and bound by limits", "[io][quick]") {
  const test_tables::Folder folder;
  for (const std::string& text : {proved_table("S3"), proved_irreps("S3")}) {
    write_file(folder / "x.json", text);
    REQUIRE(std::holds_alternative<ProofFile>(read_provable(folder / "x.json")));
    REQUIRE(std::holds_alternative<ProvedCharacters>(verify_file(folder / "x.json")));
    REQUIRE_THROWS_AS(verify_file(folder / "x.json", Task(1000, 0, {})), LimitError);
  }
  const ProvedCharacters found = proved(proved_table("S3"));
  REQUIRE_THAT(to_text(proof_record(found)), Contains("3 irreducible characters, all there are"));
  REQUIRE(Json::parse(to_json(proof_record(found)))["characters"] == 3);
}
