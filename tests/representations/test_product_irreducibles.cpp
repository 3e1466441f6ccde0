// Irreducible characters that are products and powers of smaller ones, and their matrices.
#include <catch2/catch.hpp>

#include "groups/reference_groups.hpp"
#include "intertwine/io/group_expression.hpp"
#include "representations/irreducible/product_irreducibles.hpp"

using namespace intertwine;

namespace {

using Kind = ProductOfRows::Kind;

std::size_t row_of_degree(const CharacterTable& table, unsigned degree) {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table.degree(i) == degree) return i;
  FAIL("there is no row of degree " << degree);
  return 0;
}

IrreducibleRepresentation from_factors(const CharacterTable& table, std::size_t row, const ProductOfRows& form) {
  const GaloisTable galois(table);
  REQUIRE(galois.member(row).source == row);
  const auto pairs = multiplicity_one_pairs(galois, {row}, {});
  REQUIRE(pairs.at(0).once);
  const auto R = product_irreducible(galois, row, form, irreducible_representation(table, form.first),
                                     irreducible_representation(table, form.second), *pairs[0].once, 1, {});
  REQUIRE(R);
  return *R;
}

/// The seed: what its subgroup does to it, without the matrices of the subgroup.
void check_seed(const IrreducibleRepresentation& R) {
  const MultiplicityOneSeed& seed = R.seed;
  REQUIRE_FALSE(seed.vector.is_zero());
  for (std::size_t k = 0; k < seed.generators.size(); ++k)
    REQUIRE(R.representation.apply(seed.generators[k], seed.vector) == seed.values[k] * seed.vector);
}

}  // namespace

TEST_CASE("rows that are products of smaller rows are recognized", "[product_irreducibles][quick]") {
  // M24, of the ATLAS: 45 and its square's exterior half 990, 23 x 45 = 1035, the exterior cube of 23 is 1771.
  const CharacterTable table = character_table(reference_group("M24").group);
  const GaloisTable galois(table);
  std::map<Integer, int> found;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto form = product_of_rows(galois, i);
    if (!form) continue;
    ++found[table.degree(i)];
    for (const std::size_t k : {form->first, form->second}) REQUIRE(table.degree(k) < table.degree(i));
    if (form->kind != Kind::tensor) continue;
    for (std::size_t c = 0; c < table.size(); ++c)
      REQUIRE(table(form->first, c) * table(form->second, c) == table(i, c));
  }
  REQUIRE(found == std::map<Integer, int>{{253, 1}, {990, 2}, {1035, 2}, {1771, 1}});
  // The symmetric square of 45 is the rational 1035, and its field is too large for that.
  const auto cube = product_of_rows(galois, row_of_degree(table, 1771));
  REQUIRE((cube->kind == Kind::exterior && cube->power == 3 && cube->first == 1));
  // A5 has none: 3 x 3' = 4 + 5.
  const CharacterTable small = character_table(reference_group("A5").group);
  const GaloisTable of_small(small);
  for (std::size_t i = 0; i < small.size(); ++i) REQUIRE_FALSE(product_of_rows(of_small, i));
}

TEST_CASE("representations from those of factors are proved", "[product_irreducibles][quick]") {
  // M11: 45 is the exterior square of 10. Sp(4,3): 20 is the symmetric cube of 4, a Weil representation. A5 x S3: 3 x 2.
  const auto [name, degree, kind] = GENERATE(table<std::string, unsigned, Kind>(
      {{"M11", 45, Kind::exterior}, {"Sp(4,3)", 20, Kind::symmetric}, {"A5 x S3", 6, Kind::tensor}}));
  CAPTURE(name, degree);
  const CharacterTable table = character_table(parse_finite_group(name));
  const GaloisTable galois(table);
  std::optional<ProductOfRows> form;
  std::size_t row = 0;
  for (std::size_t i = 0; i < table.size() && !form; ++i)
    if (table.degree(i) == degree && galois.member(i).source == i) form = product_of_rows(galois, row = i);
  REQUIRE(form);
  REQUIRE(form->kind == kind);
  IrreducibleRepresentation R = from_factors(table, row, *form);
  check_seed(R);
  verify(R, table);
  // Another vector is no seed.
  std::vector<Cyclotomic> other;
  for (unsigned i = 0; i < degree; ++i) other.emplace_back(static_cast<long long>(i + 1));
  R.seed.vector = FieldMatrix(degree, 1, other).over(R.seed.vector.field());
  REQUIRE_THROWS_AS(verify(R, table), VerificationError);
}

TEST_CASE("powers act on vectors as by their matrices", "[product_irreducibles][quick]") {
  // By tensors, and by the matrices of powers: over Q(sqrt(-7)) and over Q.
  const auto [name, row] = GENERATE(table<std::string, std::size_t>({{"PSL(2,7)", 1}, {"PSL(2,7)", 3}}));
  const CharacterTable table = character_table(reference_group(name).group);
  const Representation V = irreducible_representation(table, row).representation;
  for (const Permutation& g : table.group().generators())
    for (const unsigned k : {2U, 3U})
      for (const Representation& P : {sym(k, V), alt(k, V)}) {
        const FieldMatrix A = P.field_matrix(g), X = P.field_matrix(table.group().generators()[0]);
        REQUIRE(P.apply(g, X) == A * X);
        REQUIRE(dual(P).apply(g.inverse(), X) == A.transpose() * X);
      }
}

TEST_CASE("rows whose lattice would be too large come from their factors", "[product_irreducibles]") {
  // M23 in degree 990 over Q(sqrt(-7)), M24 in degree 1771 over Q [ATLAS].
  const auto [name, degree, construction] = GENERATE(table<std::string, unsigned, std::string>(
      {{"M23", 990, "irreducible as alt(2, irrep(4))"}, {"M24", 1771, "irreducible as alt(3, irrep(2))"}}));
  CAPTURE(name);
  const CharacterTable table = character_table(reference_group(name).group);
  const std::size_t row = row_of_degree(table, degree);
  const auto R = irreducible_representation(table, row);
  REQUIRE(R.construction == construction);
  REQUIRE(R.over_character_field);
  REQUIRE(R.representation.dimension() == degree);
  check_seed(R);
  const Permutation& s = table.group().generators()[0];
  const FieldMatrix A = R.representation.field_matrix(s);
  REQUIRE(A.trace() == table(row, table.classes().index_of_element(s)));
  REQUIRE(A.coefficients().is_integral());
  REQUIRE(A * R.seed.vector == R.representation.apply(s, R.seed.vector));
}
