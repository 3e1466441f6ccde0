#include <catch2/catch.hpp>
#include <numeric>
#include <set>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "intertwine/io/group_expression.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

ClassFunction natural(const CharacterTable& table) {
  std::vector<Cyclotomic> values;
  for (std::size_t c = 0; c < table.size(); ++c)
    values.emplace_back(static_cast<long>(table.classes()[c].representative.number_of_fixed_points()));
  return {table, values};
}

ClassFunction random_character(const CharacterTable& table, Rng& rng) {
  ClassFunction f = ClassFunction::constant(table, 0);
  for (int k = 0; k < 2; ++k) f = f + ClassFunction::irreducible(table, rng.below(table.size()));
  return f;
}

}  // namespace

TEST_CASE("laws of class functions", "[characters][quick]") {
  auto rng = test_rng();
  for (const auto& G : {symmetric_group(4), special_linear_group(2, 3), dihedral_group(5), alternating_group(5),
                        dicyclic_group(3), affine_general_linear_group(1, 7)}) {
    const CharacterTable table = character_table(G);
    CAPTURE(G.name());
    for (int trial = 0; trial < 5; ++trial) {
      const ClassFunction f = random_character(table, rng), g = random_character(table, rng);
      REQUIRE(f * f == symmetric_power(2, f) + exterior_power(2, f));
      REQUIRE(schur_power(Partition{3}, f) == symmetric_power(3, f));
      REQUIRE(schur_power(Partition{1, 1, 1}, f) == exterior_power(3, f));
      REQUIRE(f * f * f == symmetric_power(3, f) + exterior_power(3, f) + Cyclotomic(2) * schur_power({2, 1}, f));
      REQUIRE(symmetric_power(2, f + g) == symmetric_power(2, f) + f * g + symmetric_power(2, g));
      REQUIRE(inner_product(f, g) == inner_product(g, f).conjugate());
      REQUIRE(inner_product(f * g, ClassFunction::constant(table, 1)) == inner_product(f, g.conjugate()));
      const auto m = multiplicities(f * g);
      ClassFunction sum = ClassFunction::constant(table, 0);
      for (std::size_t i = 0; i < m.size(); ++i) sum = sum + Cyclotomic(m[i]) * ClassFunction::irreducible(table, i);
      REQUIRE(sum == f * g);
      REQUIRE(inner_product(determinant(f), determinant(f)) == Cyclotomic(1));
    }
    for (std::size_t i = 0; i < table.size(); ++i) {
      const ClassFunction chi = ClassFunction::irreducible(table, i);
      const ClassFunction one = ClassFunction::constant(table, 1);
      const Cyclotomic nu = inner_product(symmetric_power(2, chi), one) - inner_product(exterior_power(2, chi), one);
      REQUIRE(nu == Cyclotomic(table.indicator(i)));
    }
  }
}

TEST_CASE("Frobenius reciprocity", "[characters][quick]") {
  const CharacterTable G = character_table(symmetric_group(5));
  for (const auto& H :
       {alternating_group(5), FiniteGroup(5, {parse_permutation("(1,2,3)", 5), parse_permutation("(4,5)", 5)}),
        FiniteGroup(5, {parse_permutation("(1,2,3,4,5)", 5), parse_permutation("(2,3,5,4)", 5)})}) {
    const CharacterTable small = character_table(H);
    for (std::size_t i = 0; i < small.size(); ++i)
      for (std::size_t j = 0; j < G.size(); ++j) {
        const auto psi = ClassFunction::irreducible(small, i), chi = ClassFunction::irreducible(G, j);
        REQUIRE(inner_product(induction(psi, G), chi) == inner_product(psi, restriction(chi, small)));
      }
  }
  CHECK_THROWS_AS(restriction(ClassFunction::irreducible(character_table(alternating_group(5)), 0), G), DomainError);
}

TEST_CASE("restriction multiplicities are restrictions and inductions", "[characters][quick]") {
  const CharacterTable G = character_table(symmetric_group(5)), H = character_table(symmetric_group(4));
  const auto m = restriction_multiplicities(G, H);  // the branching rule: at most once each
  for (std::size_t i = 0; i < G.size(); ++i) {
    Integer degree = 0;
    for (std::size_t j = 0; j < H.size(); ++j) {
      REQUIRE((m[i][j] == 0 || m[i][j] == 1));
      degree += m[i][j] * H.degree(j);
    }
    REQUIRE(degree == G.degree(i));
    REQUIRE(m[i] == multiplicities(restriction(ClassFunction::irreducible(G, i), H)));
  }
  for (std::size_t j = 0; j < H.size(); ++j) {
    const auto induced = multiplicities(induction(ClassFunction::irreducible(H, j), G));
    for (std::size_t i = 0; i < G.size(); ++i) REQUIRE(induced[i] == m[i][j]);
  }
}

TEST_CASE("fusion of classes", "[characters][quick]") {
  const ConjugacyClasses M12 = conjugacy_classes(sporadic_group("M12")), M11 = conjugacy_classes(sporadic_group("M11"));
  const ConjugacyClasses point = conjugacy_classes(stabilizer(sporadic_group("M12"), 0));
  REQUIRE(point.size() == M11.size());
  const auto into = fusion(point, M12);
  for (std::size_t c = 0; c < point.size(); ++c) {
    REQUIRE(M12[into[c]].element_order == point[c].element_order);
    REQUIRE(M12[into[c]].representative.cycle_type() == point[c].representative.cycle_type());
  }
  CHECK_THROWS_WITH(fusion(conjugacy_classes(symmetric_group(3)), conjugacy_classes(alternating_group(4))),
                    Catch::Contains("is no element"));
  CHECK_THROWS_AS(fusion(M12, M11), DomainError);
}

TEST_CASE("determinants of any degree", "[characters][quick]") {
  for (const auto& G : {general_linear_group(2, 3), dihedral_group(6), cyclic_group(7), dicyclic_group(5),
                        wreath_product(cyclic_group(3), cyclic_group(3))}) {
    const CharacterTable table = character_table(G);
    CAPTURE(G.name());
    for (std::size_t i = 0; i < table.size(); ++i) {
      const auto chi = ClassFunction::irreducible(table, i);
      REQUIRE(determinant(chi) == exterior_power(table.degree(i).convert_to<unsigned>(), chi));
      REQUIRE(determinant(chi + chi) == determinant(chi) * determinant(chi));
    }
  }
  const CharacterTable S8 = character_table(symmetric_group(8));
  ClassFunction regular = ClassFunction::constant(S8, 0);
  for (std::size_t i = 0; i < S8.size(); ++i)
    regular = regular + Cyclotomic(S8.degree(i)) * ClassFunction::irreducible(S8, i);
  REQUIRE(regular.degree() == Cyclotomic(40320));
  REQUIRE(determinant(regular) == ClassFunction::constant(S8, 1));  // even permutations of the 8! elements
  ClassFunction half = ClassFunction::constant(S8, 2);
  half = ClassFunction(S8, [&] {
    auto values = half.values();
    values[1] = Cyclotomic(1);
    return values;
  }());
  CHECK_THROWS_AS(determinant(half), DomainError);
}

TEST_CASE("families of conjugate characters", "[characters][quick]") {
  const CharacterTable A5 = character_table(alternating_group(5));
  REQUIRE(galois_families(A5) == std::vector<std::size_t>{0, 1, 1, 3, 4});
  const CharacterTable C12 = character_table(cyclic_group(12));
  const auto families = galois_families(C12);
  REQUIRE(std::set<std::size_t>(families.begin(), families.end()).size() == 6);  // one for every divisor of 12
  REQUIRE(families[0] == 0);
  // By the definition: the least row among the images under all of the Galois group.
  for (const char* name : {"C15", "SL(2,5)", "M11", "AGL(1,7)", "D9"}) {
    CAPTURE(name);
    const CharacterTable table = character_table(parse_finite_group(name));
    std::uint64_t n = 1;
    for (std::size_t c = 0; c < table.size(); ++c) n = std::lcm(n, table.classes()[c].element_order);
    const auto found = galois_families(table);
    for (std::size_t i = 0; i < table.size(); ++i) {
      std::size_t least = i;
      for (std::uint64_t k = 1; k <= n; ++k) {
        if (std::gcd(k, n) != 1) continue;
        std::vector<Cyclotomic> image;
        for (const Cyclotomic& value : table.row(i))
          image.push_back(value.galois_conjugate(static_cast<std::int64_t>(k)));
        for (std::size_t j = 0; j < least; ++j)
          if (table.row(j) == image) least = j;
      }
      REQUIRE(found[i] == least);
    }
  }
  REQUIRE_THROWS_AS(galois_families(C12, Task(0, 1e-9, {})), LimitError);
}

TEST_CASE("roots of unity of large order: partitions from the exponent of S14", "[characters][quick]") {
  // 360360 roots are not listed. Symmetric polynomials of degree k in 14 variables: the partitions of k [OEIS A000041].
  const CharacterTable table = character_table(symmetric_group(14));
  const auto series = molien_series(natural(table), ClassFunction::constant(table, 1), 15);
  const std::vector<long> partitions = {1, 1, 2, 3, 5, 7, 11, 15, 22, 30, 42, 56, 77, 101, 135};
  for (std::size_t k = 0; k < partitions.size(); ++k) REQUIRE(series.coefficients[k] == partitions[k]);
}

TEST_CASE("kernels and centres", "[characters][quick]") {
  const CharacterTable table = character_table(symmetric_group(4));
  for (std::size_t i = 0; i < table.size(); ++i) {
    Integer size = 0;
    for (const auto c : kernel_classes(ClassFunction::irreducible(table, i))) size += table.classes()[c].size;
    CHECK(size == (table.name(i) == "[4]" ? 24 : table.name(i) == "[1,1,1,1]" ? 12 : table.name(i) == "[2,2]" ? 4 : 1));
  }
  const CharacterTable q8 = character_table(dicyclic_group(2));
  CHECK(centre_classes(ClassFunction::irreducible(q8, 4)).size() == 2);
}

// The regular representation of S7, of dimension 5040: a closed form would take tens of thousands of coefficients.
TEST_CASE("few coefficients of a large representation come without its closed form", "[characters][quick]") {
  const CharacterTable s7 = character_table(symmetric_group(7));
  ClassFunction regular = Cyclotomic(0) * ClassFunction::constant(s7, 1);
  for (std::size_t i = 0; i < s7.size(); ++i)
    regular = regular + ClassFunction::irreducible(s7, i).degree() * ClassFunction::irreducible(s7, i);
  const ClassFunction one = ClassFunction::constant(s7, 1);
  const MolienSeries m = molien_series(regular, one, 5);
  CHECK(m.numerator.empty());
  REQUIRE(m.coefficients.size() == 5);
  for (unsigned k = 0; k < 5; ++k)
    CHECK(Cyclotomic(m.coefficients[k]) == inner_product(symmetric_power(k, regular), one));
}

// The invariants of S_n on its points: elementary symmetric polynomials. Those of the icosahedral group H3 as a
// reflection group have degrees 2, 6, 10; of its rotations also one of degree 15 [Humphreys 1990, 3.7].
TEST_CASE("Molien series", "[characters][quick]") {
  const CharacterTable s4 = character_table(symmetric_group(4));
  const auto perm = natural(s4), one = ClassFunction::constant(s4, 1);
  const MolienSeries m = molien_series(perm, one, 9);
  CHECK(m.coefficients == std::vector<Integer>{1, 1, 2, 3, 5, 6, 9, 11, 15});
  // The closed form gives the same series.
  std::vector<Integer> check(9, 0);
  for (std::size_t k = 0; k < 9 && k < m.numerator.size(); ++k) check[k] = m.numerator[k];
  for (const auto d : m.degrees)
    for (std::size_t k = d; k < 9; ++k) check[k] += check[k - d];
  CHECK(check == m.coefficients);
  for (unsigned k = 0; k < 7; ++k)
    for (std::size_t i = 0; i < s4.size(); ++i) {
      const auto chi = ClassFunction::irreducible(s4, i);
      CHECK(Cyclotomic(molien_series(perm, chi, 7).coefficients[k]) == inner_product(symmetric_power(k, perm), chi));
    }
  const CharacterTable a5 = character_table(alternating_group(5));
  const auto icosahedral = molien_series(ClassFunction::irreducible(a5, 1), ClassFunction::constant(a5, 1), 31);
  CHECK(icosahedral.degrees == std::vector<std::uint64_t>{2, 6, 10});
  std::vector<Integer> numerator(16, 0);
  numerator[0] = numerator[15] = 1;
  CHECK(icosahedral.numerator == numerator);
  const CharacterTable c7 = character_table(cyclic_group(7));
  const auto chi = ClassFunction::irreducible(c7, 3) + ClassFunction::irreducible(c7, 4);
  const auto series = molien_series(chi, ClassFunction::irreducible(c7, 2), 20);
  for (unsigned k = 0; k < 20; ++k)
    CHECK(Cyclotomic(series.coefficients[k]) ==
          inner_product(symmetric_power(k, chi), ClassFunction::irreducible(c7, 2)));
}

TEST_CASE("class functions that are no characters", "[characters][quick]") {
  const CharacterTable table = character_table(symmetric_group(3));
  const auto f = ClassFunction::irreducible(table, 1) - ClassFunction::irreducible(table, 2);
  CHECK_THROWS_AS(multiplicities(f), DomainError);
  CHECK_THROWS_AS(molien_series(f, f, 3), DomainError);
  CHECK_THROWS_AS(ClassFunction(table, {1, 2}), DomainError);
  CHECK_THROWS_AS(ClassFunction::irreducible(table, 3), DomainError);
  CHECK_THROWS_AS(symmetric_power(1000, f), LimitError);
  CHECK_THROWS_AS(f + ClassFunction::irreducible(character_table(symmetric_group(4)), 0), DomainError);
}

TEST_CASE("inflation from a quotient and from a factor", "[characters][quick]") {
  // S4 -> S3 by its action on the three ways to pair four points: generators (1,2,3,4), (1,2).
  const FiniteGroup S4 = symmetric_group(4), S3 = symmetric_group(3);
  REQUIRE(S4.generators() == std::vector<Permutation>{parse_permutation("(1,2,3,4)"), parse_permutation("(1,2)", 4)});
  const auto table = character_table(S4), small = character_table(S3);
  // Pairings 12|34, 13|24, 14|23: the 4-cycle exchanges the first and the last, (1,2) the other two.
  const std::vector<Permutation> images{parse_permutation("(1,3)", 3), parse_permutation("(2,3)", 3)};
  for (std::size_t row = 0; row < 3; ++row) {
    const auto f = inflation(ClassFunction::irreducible(small, row), table, images);
    CHECK(inner_product(f, f) == Cyclotomic(1));
    CHECK(kernel_classes(f).size() >= 2);  // the normal subgroup of order 4
  }
  CHECK_THROWS_AS(inflation(ClassFunction::constant(small, 1), table, {images[0], images[0]}), DomainError);
  CHECK_THROWS_AS(inflation(ClassFunction::constant(small, 1), table,
                            {parse_permutation("(1,2,3)"), parse_permutation("(1,2)", 3)}),
                  DomainError);
  const auto product = character_table(direct_product({S3, cyclic_group(5)}));
  const auto five = character_table(cyclic_group(5));
  const auto a = inflation(ClassFunction::irreducible(small, 2), product, 0),
             b = inflation(ClassFunction::irreducible(five, 3), product, 1);
  CHECK(a.degree() == Cyclotomic(2));
  CHECK(inner_product(a * b, a * b) == Cyclotomic(1));
  CHECK_THROWS_AS(inflation(ClassFunction::irreducible(five, 3), product, 0), DomainError);
}
