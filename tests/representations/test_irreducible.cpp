// Irreducible matrices: laws for small groups of every kind, Schur indices, heights, seeds.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "intertwine/error.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

FiniteGroup reference_group(const std::string& name) {
  static const auto groups = nlohmann::json::parse(std::ifstream(INTERTWINE_TEST_DATA "/groups.json"));
  for (const auto& g : groups) {
    if (g["name"] != name) continue;
    std::vector<Permutation> generators;
    for (const auto& text : g["generators"])
      generators.push_back(parse_permutation(text.get<std::string>(), g["degree"]));
    return FiniteGroup(g["degree"], generators, name);
  }
  throw DomainError("no reference group " + name);
}

/// Homomorphism, traces, seed.
void check_laws(const IrreducibleRepresentation& R, const CharacterTable& table, Rng& rng) {
  const FiniteGroup& G = table.group();
  const Representation& V = R.representation;
  REQUIRE(V.dimension() == table.degree(R.row));
  for (std::size_t c = 0; c < table.size(); ++c) {
    const Permutation& g = table.classes()[c].representative;
    REQUIRE(V.field_matrix(g).trace() == table(R.row, c));
    REQUIRE(V.character(g) == table(R.row, c));
  }
  const Permutation g = G.random_element(rng), h = G.random_element(rng);
  REQUIRE(V.field_matrix(g) * V.field_matrix(h) == V.field_matrix(g * h));
  const FieldMatrix& w = R.seed.vector;
  REQUIRE(w.cols() == 1);
  REQUIRE_FALSE(w.is_zero());
  std::vector<FieldMatrix> equations{FieldMatrix(V.field(), 1, w.rows())};
  for (std::size_t k = 0; k < R.seed.generators.size(); ++k) {
    const FieldMatrix A = V.field_matrix(R.seed.generators[k]);
    REQUIRE(A * w == R.seed.values[k] * w);
    equations.push_back(A - R.seed.values[k] * FieldMatrix::identity(V.field(), w.rows()));
  }
  REQUIRE(kernel(vertical_stack(equations)).rows() == 1);
}

/// The largest numerator or denominator in the images of the generators of all of them.
Integer height(const std::vector<IrreducibleRepresentation>& list, const FiniteGroup& G) {
  Integer result = 0;
  for (const auto& R : list)
    for (const Permutation& s : G.generators())
      result = std::max(result, R.representation.field_matrix(s).height());
  return result;
}

}  // namespace

TEST_CASE("irreducible matrices of small groups are representations with the characters of the table",
          "[irreducible][quick]") {
  const std::string name = GENERATE(
      as<std::string>{}, "C1", "C2", "C6", "C2xC2xC3xC9", "S3", "D4", "D5", "D12", "Q8", "Q16", "A4", "S4", "A5",
      "SL(2,3)", "GL(2,3)", "BinOct48", "SL(2,5)", "F21", "AGL(1,8)", "AGL(1,9)", "3^(1+2)+", "3^(1+2)-",
      "2^(1+4)+", "2^(1+4)-", "SmallGroup(24,8)", "SmallGroup(72,41)", "SmallGroup(48,33)", "A6", "S5",
      "PSL(2,7)", "PSL(2,8)", "B3", "W(H3)", "Syl2(S8)", "S3wrS2");
  CAPTURE(name);
  auto rng = test_rng();
  const FiniteGroup G = reference_group(name);
  const CharacterTable table = character_table(G);
  const auto list = irreducible_representations(table);
  REQUIRE(list.size() == table.size());
  for (std::size_t k = 0; k < list.size(); ++k) {
    CAPTURE(k);
    REQUIRE(list[k].row == k);
    check_laws(list[k], table, rng);
    // The Schur index of these groups is 2 exactly for the quaternionic characters.
    REQUIRE(list[k].over_character_field == (table.indicator(k) != -1));
  }
}

TEST_CASE("one irreducible representation alone is the same as among all", "[irreducible][quick]") {
  const std::string name = GENERATE(as<std::string>{}, "A5", "SL(2,3)", "F21", "S4");
  const FiniteGroup G = reference_group(name);
  const CharacterTable table = character_table(G);
  const auto list = irreducible_representations(table);
  for (std::size_t k = 0; k < table.size(); ++k) {
    const auto R = irreducible_representation(table, k);
    for (const Permutation& s : G.generators())
      REQUIRE(R.representation.field_matrix(s) == list[k].representation.field_matrix(s));
    REQUIRE(R.seed.vector == list[k].seed.vector);
  }
}
