// Irreducible matrices over least fields: dimensions, fields, proofs, what cannot be brought down.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "intertwine/characters/schur_index.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/isotypic_decomposition.hpp"
#include "representations/irreducible/field_descent.hpp"

using namespace intertwine;

namespace {

struct Example {
  const char* name;
  std::size_t degree;
  std::vector<const char*> generators;
};

/// From GAP's library of small groups.
const std::vector<Example> examples = {
    {"SmallGroup(24,1)", 11, {"(2,3)(4,5,6,8,7,9,10,11)", "(1,2,3)"}},
    {"Q8 x C3", 11, {"(4,5,7,9)(6,11,10,8)", "(4,6,7,10)(5,8,9,11)", "(1,2,3)"}},
    {"C5 : C8", 13, {"(2,3,5,4)(6,7,8,10,9,11,12,13)", "(1,2,3,4,5)"}},
    {"SmallGroup(48,41)",
     20,
     {"(1,2)(3,5)(4,6)(7,9)(8,10)(11,12)(13,14,16,18)(15,20,19,17)",
      "(1,3)(2,5)(4,7)(6,9)(8,11)(10,12)(13,15,16,19)(14,17,18,20)", "(1,4,8)(2,6,10)(3,7,11)(5,9,12)",
      "(4,8)(6,10)(7,11)(9,12)(15,19)(17,20)"}},
    {"C7 : C9", 16, {"(2,3,5)(4,7,6)(8,9,11,10,12,14,13,15,16)", "(1,2,3,4,5,6,7)"}},
    {"SmallGroup(104,3)",
     21,
     {"(1,2,3,4,5,6,7,8,9,10,11,12,13)", "(2,9,13,6)(3,4,12,11)(5,7,10,8)(14,15,16,18,17,19,20,21)"}},
    {"SmallGroup(171,1)",
     28,
     {"(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19)",
      "(2,8,12)(3,15,4)(5,10,7)(6,17,18)(9,19,13)(11,14,16)(20,21,22,23,24,25,26,27,28)"}},
};

CharacterTable table_of(const Example& example) {
  std::vector<Permutation> generators;
  for (const char* text : example.generators) generators.push_back(parse_permutation(text, example.degree));
  return character_table(FiniteGroup(example.degree, std::move(generators)));
}

const Example& named(const std::string& name) {
  for (const Example& example : examples)
    if (example.name == name) return example;
  FAIL(name);
  return examples.front();
}

}  // namespace

namespace {

void check_all_rows(const Example& example) {
  const CharacterTable table = table_of(example);
  const auto indices = schur_indices(table);
  const IrreducibleForms complex = irreducible_forms(table, BaseField::complex);
  REQUIRE(complex.missing.empty());
  REQUIRE(complex.entries.size() == table.size());
  for (const auto& [R, form] : complex.entries) {
    CAPTURE(R.row);
    const AbelianField K = R.representation.field(), F = AbelianField::generated_by(table.row(R.row));
    REQUIRE(K.contains(F));
    REQUIRE(K.degree() == F.degree() * indices[R.row].index);
    REQUIRE(K.is_real() == (F.is_real() && table.indicator(R.row) == 1));
    REQUIRE(R.over_character_field == (indices[R.row].index == 1));
  }
  verify(complex);
  for (const BaseField over : {BaseField::real, BaseField::rational}) {
    const IrreducibleForms forms = irreducible_forms(table, over);
    REQUIRE(forms.missing.empty());
    verify(forms);
  }
}

}  // namespace

TEST_CASE("all irreducible matrices are over fields of the degree that the Schur index says",
          "[field_descent][quick]") {
  const std::string name =
      GENERATE(as<std::string>{}, "SmallGroup(24,1)", "Q8 x C3", "C5 : C8", "SmallGroup(48,41)", "C7 : C9");
  CAPTURE(name);
  check_all_rows(named(name));
}

TEST_CASE("fields of degrees 6 and 12", "[field_descent][slow][.]") {
  const std::string name = GENERATE(as<std::string>{}, "SmallGroup(104,3)", "SmallGroup(171,1)");
  CAPTURE(name);
  check_all_rows(named(name));
}

TEST_CASE("dimensions over Q follow from degree, index and field", "[field_descent][quick]") {
  // A character of degree d and index m whose field has degree f belongs to an irreducible representation over Q of
  // dimension d m f; the largest of each group.
  const auto [name, dimension] = GENERATE(table<std::string, std::uint64_t>(
      {{"Q8 x C3", 4}, {"C5 : C8", 8}, {"SmallGroup(48,41)", 8}, {"C7 : C9", 36}, {"SmallGroup(171,1)", 36}}));
  CAPTURE(name);
  const CharacterTable table = table_of(named(name));
  std::uint64_t largest = 0;
  for (const auto& entry : irreducible_forms(table, BaseField::rational).entries)
    largest = std::max(largest, entry.form.representation.dimension());
  REQUIRE(largest == dimension);
}

TEST_CASE("one row alone is the same as among all after a descent", "[field_descent][quick]") {
  const CharacterTable table = table_of(named("SmallGroup(24,1)"));
  const auto list = irreducible_representations(table);
  for (std::size_t k = 0; k < table.size(); ++k)
    for (const Permutation& s : table.group().generators())
      REQUIRE(irreducible_representation(table, k).representation.field_matrix(s) ==
              list[k].representation.field_matrix(s));
}

TEST_CASE("what has no form over the field is not brought there", "[field_descent][quick]") {
  // Were the index 1, the norm equations would have solutions: for Hamilton's quaternions, and an algebra of index 3 at 7.
  for (const char* name : {"Q8", "C7 : C9"}) {
    CAPTURE(name);
    const CharacterTable table = std::string(name) == "Q8"
                                     ? character_table(FiniteGroup(8, {parse_permutation("(1,2,4,6)(3,8,7,5)", 8),
                                                                       parse_permutation("(1,3,4,7)(2,5,6,8)", 8)}))
                                     : table_of(named(name));
    bool seen = false;
    for (std::size_t row = 0; row < table.size(); ++row) {
      const SchurIndex index = schur_index(table, row);
      if (index.index == 1) continue;
      seen = true;
      const auto R = irreducible_representation(table, row);
      REQUIRE_FALSE(R.over_character_field);
      REQUIRE(is_over_least_field(R, table, index));
      REQUIRE_FALSE(is_over_least_field(R, table, SchurIndex{}));
      REQUIRE_FALSE(descent_to_least_field(R, table, SchurIndex{}, {}));
      REQUIRE(rational_form(R, table).multiplicity == index.index);
      if (table.indicator(row) == -1) REQUIRE(real_form(R, table).multiplicity == 2);
    }
    REQUIRE(seen);
  }
}

TEST_CASE("forms whose seeds are over larger fields split representations over Q", "[field_descent][quick]") {
  const std::string name = GENERATE(as<std::string>{}, "Q8 x C3", "SmallGroup(24,1)", "C5 : C8");
  CAPTURE(name);
  const CharacterTable table = table_of(named(name));
  const Representation V = regular_representation(table.group());
  for (const BaseField over : {BaseField::complex, BaseField::real, BaseField::rational}) {
    const auto parts = isotypic_decomposition(V, table, over);
    verify(parts, V, table);
    const auto constituents = decompose(V, table, over);
    REQUIRE(parts.size() == constituents.size());
    for (std::size_t k = 0; k < parts.size(); ++k) {
      REQUIRE(parts[k].multiplicity == constituents[k].multiplicity);
      REQUIRE(parts[k].degree == constituents[k].degree);
    }
  }
}
