// Every row of a table is the stated combination of induced linear characters, induced here by another route.
#include "intertwine/characters/character_proof.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "intertwine/characters/character_details.hpp"
#include "intertwine/characters/class_function.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "intertwine/io/character_table_text.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/records.hpp"

using namespace intertwine;

namespace {

/// The linear character of the proof among the rows of the subgroup's table, induced.
ClassFunction induced(const CharacterTable& G, const CharacterProof& proof, const CharacterProof::Linear& lambda) {
  const auto& generators = proof.subgroups.at(lambda.subgroup);
  const CharacterTable H = character_table(subgroup(G.group(), generators));
  for (std::size_t i = 0; i < H.size(); ++i) {
    bool same = H.degree(i) == 1;
    for (std::size_t k = 0; same && k < generators.size(); ++k)
      same =
          H(i, H.classes().index_of(generators[k])) == Cyclotomic::root_of_unity(lambda.order, lambda.exponents.at(k));
    if (same) return induction(ClassFunction::irreducible(H, i), G);
  }
  throw VerificationError("no linear character of the subgroup has these values");
}

}  // namespace

TEST_CASE("rows are the combinations of induced characters that their proof states", "[characters][quick]") {
  for (const char* name :
       {"C1", "C6", "S4", "A5", "SL(2,3)", "Q8", "M11", "C3 wr C3", "C2 wr A5", "S3 x S3", "PSL(2,11)"}) {
    INFO(name);
    const CharacterTable table = character_table(parse_finite_group(name));
    const CharacterProof proof = character_proof(table);
    REQUIRE(proof.combinations.size() == table.size());
    std::vector<ClassFunction> all;
    for (const auto& lambda : proof.linear) all.push_back(induced(table, proof, lambda));
    std::set<std::size_t> used;
    for (std::size_t i = 0; i < table.size(); ++i) {
      ClassFunction sum = ClassFunction::constant(table, 0);
      for (const auto& [k, c] : proof.combinations[i]) {
        CHECK(c != 0);
        sum = sum + Cyclotomic(c) * all.at(k);
        used.insert(k);
      }
      CHECK(sum == ClassFunction::irreducible(table, i));
    }
    CHECK(used.size() == proof.linear.size());
  }
}

TEST_CASE("the JSON of a table has a proof where one was asked for", "[characters][quick]") {
  const CharacterTable table = character_table(parse_finite_group("S3"));
  CharacterTableReport report{table.group(), {table, table.classes(), {}, {}, {}}, {}, {}, {}};
  const std::string bare = to_json(record(report));
  CHECK(bare.find("\"proof\"") == std::string::npos);
  report.proof = character_proof(table);
  CHECK(to_json(record(report)).find("\"form\": \"characters\"") != std::string::npos);
}

TEST_CASE("a character proof keeps to the limits of its task", "[characters][quick]") {
  const CharacterTable table = character_table(parse_finite_group("M11"));
  const Task task(Task().memory(), 1000, {});
  task.exhaust();
  CHECK_THROWS_AS(character_proof(table, task), LimitError);
}
