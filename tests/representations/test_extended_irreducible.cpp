// Irreducible representations from those of a point's stabilizer.
#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <random>

#include "groups/reference_groups.hpp"
#include "intertwine/io/group_expression.hpp"
#include "representations/irreducible/extended_irreducible.hpp"

using namespace intertwine;

namespace {

std::vector<std::size_t> rows_of_degree(const CharacterTable& table, unsigned degree) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table.degree(i) == degree) rows.push_back(i);
  return rows;
}

/// Products with a generator, and traces, at all classes.
void check_homomorphism(const IrreducibleRepresentation& R, const CharacterTable& table) {
  const Permutation& s = table.group().generators()[0];
  const FieldMatrix S = R.representation.field_matrix(s);
  for (std::size_t c = 0; c < table.size(); ++c) {
    const Permutation& g = table.classes()[c].representative;
    const FieldMatrix A = R.representation.field_matrix(g);
    REQUIRE(A.trace() == table(R.row, c));
    REQUIRE(R.representation.field_matrix(s * g) == S * A);
  }
}

}  // namespace

TEST_CASE("rows that stay irreducible on the stabilizer of two points are extended from that of one",
          "[extended_irreducible][quick]") {
  // M12 in degree 16 on M11 and M10 [ATLAS]. The 3 of A5 on the square's corners: what takes a corner to the opposite
  // one does not generate D4 with its stabilizer, and what takes it to the next one does in words of two.
  const auto [name, degree, count] = GENERATE(table<std::string, unsigned, std::size_t>(
      {{"M12", 16, 2}, {"A5 x D4", 3, 8}, {"A5 x D4", 5, 4}, {"C3 x A4", 3, 3}}));
  CAPTURE(name, degree);
  const CharacterTable table = character_table(parse_finite_group(name));
  const auto rows = rows_of_degree(table, degree);
  REQUIRE(rows.size() == count);
  for (const std::size_t row : rows) {
    const auto R = extended_irreducible(table, row, {});
    REQUIRE(R);
    REQUIRE(R->construction.starts_with("extended from the stabilizer of a point: "));
    REQUIRE(R->over_character_field);
    verify(*R, table);
    check_homomorphism(*R, table);
    for (const Permutation& g : table.group().generators())
      REQUIRE(R->representation.field_matrix(g).coefficients().is_integral());
  }
}

TEST_CASE("the rows of degree 45 of M24 extend those of M23", "[extended_irreducible]") {
  // They stay irreducible on M22 [ATLAS].
  const CharacterTable table = character_table(reference_group("M24").group);
  const std::size_t row = rows_of_degree(table, 45).at(0);
  const auto R = extended_irreducible(table, row, {});
  REQUIRE(R);
  REQUIRE(R->over_character_field);
  check_homomorphism(*R, table);
}

TEST_CASE("rows that do not stay irreducible are not extended", "[extended_irreducible][quick]") {
  // M11 in degree 10 is irreducible on M10 and not on M9; A5 in degree 3 is not on A4's subgroup of three elements.
  const auto [name, degree] =
      GENERATE(table<std::string, unsigned>({{"M11", 10}, {"A5", 3}, {"A5", 5}, {"A5 x D4", 6}}));
  CAPTURE(name, degree);
  const CharacterTable table = character_table(parse_finite_group(name));
  for (const std::size_t row : rows_of_degree(table, degree)) REQUIRE_FALSE(extended_irreducible(table, row, {}));
}

TEST_CASE("matrices that are self-adjoint for an alternating form are compared by longer words",
          "[extended_irreducible][quick]") {
  // The extraspecial group of order 128 by translations and characters of F_2^3, times C3, with the points renamed: in the row of degree 8 all
  // combinations of generators and of one product have eigenspaces of even dimension, depending on which generators are drawn.
  const unsigned seed = GENERATE(1U, 5U, 9U);
  constexpr Point half = 8, moved = 16, degree = 19;
  std::vector<Point> names(degree);
  std::iota(names.begin(), names.end(), Point{0});
  std::mt19937 random(seed);
  std::shuffle(names.begin(), names.end(), random);
  std::vector<Permutation> generators;
  const auto add = [&](const auto& image) {
    std::vector<Point> images(degree);
    for (Point x = 0; x < degree; ++x) images[names[x]] = names[image(x)];
    generators.emplace_back(std::move(images));
  };
  for (unsigned i = 0; i < 3; ++i) {
    add([i](Point x) { return x < moved ? x ^ (1U << i) : x; });
    add([i](Point x) { return x < moved && (x >> i & 1U) != 0 ? x ^ half : x; });
  }
  add([](Point x) { return x < moved ? x : moved + (x - moved + 1) % 3; });
  const CharacterTable table = character_table(FiniteGroup(degree, std::move(generators)));
  const auto rows = rows_of_degree(table, 8);
  REQUIRE(rows.size() == 3);
  for (const std::size_t row : rows) {
    const auto R = extended_irreducible(table, row, {});
    REQUIRE(R);
    check_homomorphism(*R, table);
  }
}
