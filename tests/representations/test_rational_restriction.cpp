// Constituents in bases in which a subgroup acts over Q.
#include <catch2/catch.hpp>

#include "groups/reference_groups.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "representations/rational_restriction.hpp"
#include "representations/sampled_constituent.hpp"

using namespace intertwine;

namespace {

AbelianField field_of(const CharacterTable& table, std::size_t row, const Cyclotomic& more) {
  std::vector<Cyclotomic> values = table.row(row);
  values.push_back(more);
  return AbelianField::generated_by(values);
}

/// The constituent of the module of this pair in a basis in which the subgroup acts over Q.
void check(const GaloisTable& galois, std::size_t row, const LinearPair& pair,
           const RationalRestriction& restriction) {
  const CharacterTable& table = galois.table();
  const MonomialModule M(table.group(), pair, {});
  const SphericalVector v(M, galois, row, {});
  const SampledConstituent V(v, table.degree(row).convert_to<std::size_t>(), field_of(table, row, M.root(1)),
                             {}, &restriction);
  for (const Permutation& h : restriction.subgroup.generators()) REQUIRE(V.matrix(h).is_rational());
  bool all_rational = true;
  for (const Permutation& s : table.group().generators()) {
    all_rational &= V.matrix(s).is_rational();
    for (const Permutation& t : table.group().generators())
      REQUIRE(V.matrix(s) * V.matrix(t) == V.matrix(s * t));
  }
  REQUIRE_FALSE(all_rational);
  for (std::size_t c = 0; c < table.size(); ++c)
    REQUIRE(V.matrix(table.classes()[c].representative).trace() == table(row, c));
}

}  // namespace

TEST_CASE("a subgroup on which a character is rational acts by rational matrices",
          "[rational_restriction][quick]") {
  // Restrictions from the ATLAS: J2 in degree 14 to U3(3), A5 in degree 3 to A4, PSL(2,7) in degree 3 to A4 and S4, PSL(2,8) in degree 7 over a cubic field
  // to 2^3:7.
  const auto [name, row, least] = GENERATE(table<std::string, std::size_t, unsigned>(
      {{"J2", 1, 6048}, {"A5", 1, 12}, {"PSL(2,7)", 1, 12}, {"PSL(2,8)", 2, 56}}));
  CAPTURE(name, row);
  const CharacterTable table = character_table(reference_group(name).group);
  const GaloisTable galois(table);
  const auto restriction = RationalRestriction::find(galois, row, {});
  REQUIRE(restriction);
  REQUIRE(restriction->subgroup.order() >= least);
  REQUIRE(restriction->subgroup.order() < table.group().order());
  const auto pairs = multiplicity_one_pairs(galois, {row}, {});
  REQUIRE(pairs[0].once);
  check(galois, row, *pairs[0].once, *restriction);
}

TEST_CASE("vectors of modules with roots of unity have rational images, too",
          "[rational_restriction][quick]") {
  // In degree 3 elements of order 3 of PSL(2,7) and of order 5 of A5 have all cube roots of 1, and 1, E(5), E(5)^4 or their squares [ATLAS].
  const auto [name, order, generator] = GENERATE(
      table<std::string, std::uint32_t, std::size_t>({{"PSL(2,7)", 3, 2}, {"A5", 5, 3}, {"A5", 5, 4}}));
  CAPTURE(name, order, generator);
  const CharacterTable table = character_table(reference_group(name).group);
  const GaloisTable galois(table);
  const Permutation x = table.classes()[generator].representative;
  REQUIRE(x.order() == order);
  const FiniteGroup S(x.degree(), {x});
  const auto linear = std::make_shared<const LinearCharacters>(S, Task{});
  const auto restriction = RationalRestriction::find(galois, 1, {});
  REQUIRE(restriction);
  int served = 0;
  for (std::size_t k = 1; k < linear->size(); ++k) {
    const std::vector<std::uint32_t> exponents = linear->character(k);
    Cyclotomic sum;
    for (std::size_t t = 0; t < linear->size(); ++t)
      sum += table(1, table.classes().index_of_element(linear->representative(t))) *
             Cyclotomic::root_of_unity(order, -static_cast<std::int64_t>(exponents[t]));
    if (sum != Cyclotomic(static_cast<long>(order))) continue;  // l does not occur once
    const auto index = (table.group().order() / order).convert_to<std::uint64_t>();
    check(galois, 1, {linear, order, exponents, index, 1}, *restriction);
    ++served;
  }
  REQUIRE(served == 2);
}

TEST_CASE("no subgroup with a form over Q, none said", "[rational_restriction][quick]") {
  // 7:3 has no proper subgroup of more than 9 elements; SL(2,3) in degree 2 over Q(E(3)) is rational on Q8, but of Schur index 2 there.
  for (const std::string name : {"F21", "SL(2,3)"}) {
    CAPTURE(name);
    const CharacterTable table = character_table(reference_group(name).group);
    const GaloisTable galois(table);
    int tried = 0;
    for (std::size_t row = 0; row < table.size(); ++row) {
      if (table.degree(row) == 1 || table.indicator(row) == 1) continue;
      REQUIRE_FALSE(RationalRestriction::find(galois, row, {}));
      ++tried;
    }
    REQUIRE(tried >= 2);
  }
}

TEST_CASE("a lattice over the integers of a field that has no short basis",
          "[rational_restriction][slow][.]") {
  // M23 in degree 231 over Q(sqrt(-15)), irreducible on M22, and there over Q [ATLAS]: of rank 462 over Z.
  const CharacterTable table = character_table(reference_group("M23").group);
  const auto R = irreducible_representation(table, 5);
  REQUIRE(R.representation.dimension() == 231);
  REQUIRE(R.representation.field().to_string() == "Q(sqrt(-15))");
  for (const Permutation& s : table.group().generators()) {
    const FieldMatrix A = R.representation.field_matrix(s);
    REQUIRE(A.height() < 10'000);
    REQUIRE(A.coefficients().denominator() < 1000);
  }
  const auto restriction = RationalRestriction::find(GaloisTable(table), 5, {});
  REQUIRE(restriction);
  REQUIRE(restriction->subgroup.order() == 443520);
  for (const Permutation& h : restriction->subgroup.generators())
    REQUIRE(R.representation.field_matrix(h).is_rational());
}
