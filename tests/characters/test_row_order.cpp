// irrep(k) means the same character for ever: what the rows and columns of a hundred tables mean, as it was when the order
// was fixed (tests/data/irrep_order.json).
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "characters/table_meaning.hpp"
#include "intertwine/characters/character_table.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/tables/sha256.hpp"
#include "support/paths.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

std::string meaning(const CharacterTable& table) {
  const std::string text = table_meaning(table);
  Sha256 digest;
  digest.add(std::as_bytes(std::span(text)));
  return digest.hex();
}

/// Other generators of the same set of permutations.
FiniteGroup regenerated(const FiniteGroup& G, Rng& rng) {
  std::vector<Permutation> generators;
  do generators.push_back(G.random_element(rng));
  while (FiniteGroup(G.degree(), generators).order() != G.order());
  return FiniteGroup(G.degree(), generators);
}

}  // namespace

TEST_CASE("the rows of a hundred tables mean what they meant", "[characters][quick]") {
  const std::string path = test_data() + "/irrep_order.json";
  auto pinned = nlohmann::ordered_json::parse(std::ifstream(path));
  REQUIRE(pinned.size() == 100);
  auto rng = test_rng();
  const bool write =
      std::getenv("INTERTWINE_WRITE_IRREP_ORDER") != nullptr;  // once, for groups that are new in the list
  for (auto& entry : pinned) {
    const FiniteGroup G = parse_finite_group(entry["group"].get<std::string>());
    CAPTURE(G.name());
    const std::string found = meaning(character_table(G));
    if (write && entry["sha256"] == "") entry["sha256"] = found;
    REQUIRE(found == entry["sha256"]);
    REQUIRE(meaning(character_table(regenerated(G, rng))) == found);
    if (G.order() <= 400) {
      REQUIRE(meaning(character_table_by_class_matrices(regenerated(G, rng))) == found);
      REQUIRE(meaning(character_table_by_induction(regenerated(G, rng))) == found);
      std::string monomial = found;
      try {
        monomial = meaning(character_table_by_monomial_representations(regenerated(G, rng)));
      } catch (const DomainError&) {  // not supersolvable
      }
      REQUIRE(monomial == found);
    }
  }
  if (write) std::ofstream(path) << pinned.dump(1) << "\n";
}
