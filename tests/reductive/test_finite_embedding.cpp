#include "intertwine/reductive/finite_embedding.hpp"

#include <catch2/catch.hpp>

#include <functional>

#include "intertwine/error.hpp"
#include "intertwine/gl/branching.hpp"
#include "intertwine/groups/matrix_group.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/lie_expression.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

CharacterTable table_of(const std::string& group) { return character_table(parse_finite_group(group)); }

/// "A1 + 2*E": names and multiplicities.
std::string embedded_parts(const ClassFunction& f) {
  std::string text;
  const std::vector<Integer> parts = multiplicities(f);
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i] != 0)
      text += (text.empty() ? "" : " ") + (parts[i] == 1 ? "" : to_string(parts[i]) + "*") + f.table().name(i);
  return text;
}

/// A random character of degree 1 to `degree`.
ClassFunction random_character(const CharacterTable& table, int degree, Rng& rng) {
  ClassFunction f = ClassFunction::constant(table, 0);
  while (f.degree() == Cyclotomic(0))
    for (int tries = 0; tries < 8; ++tries) {
      const ClassFunction chi = ClassFunction::irreducible(table, rng.below(table.size()));
      if ((f + chi).degree().to_integer() <= degree) f = f + chi;
    }
  return f;
}

/// [mu] of O(n) restricted to SO(n).
LieCharacter special(const LieGroup& SO, std::vector<int> mu) {
  LieCharacter chi = SO.irrep(SO.weight_of_partition(mu));
  if (SO.degree() % 2 == 0 && static_cast<int>(mu.size()) == SO.degree() / 2) {
    mu.back() = -mu.back();
    chi = chi + SO.irrep(SO.weight_of_partition(mu));
  }
  return chi;
}

std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const DomainError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("crystal fields: the levels l and j in cubic and icosahedral surroundings", "[reductive][quick]") {
  // [Bethe 1929], for O and its double group; I as the harmonic polynomials by matrices say.
  const LieGroup SO3 = LieGroup::classical("SO", 3), SU2 = LieGroup::classical("SU", 2);
  const FiniteEmbedding O = usual_embedding(SO3, table_of("O")), I = usual_embedding(SO3, table_of("I"));
  const std::vector<std::string> cubic{"A1", "T1", "E T2", "A2 T1 T2", "A1 E T1 T2", "E 2*T1 T2", "A1 A2 E T1 2*T2"};
  for (int l = 0; l < 7; ++l) CHECK(embedded_parts(O.restrict(SO3.irrep({2 * l}))) == cubic[l]);
  for (unsigned l = 0; l < 8; ++l)
    CHECK(I.restrict(SO3.irrep({static_cast<int>(2 * l)})) ==
          character_of(harmonic_representation(I.table().group(), l), I.table()));
  CHECK(embedded_parts(I.restrict(SO3.irrep({6}))) == "T2 G");
  // Gamma6; Gamma8; Gamma7 + Gamma8; Gamma6 + Gamma7 + Gamma8; Gamma6 + 2 Gamma8.
  const CharacterTable doubled = table_of("SmallGroup(48,28)");
  const FiniteEmbedding spin = usual_embedding(SU2, doubled);
  std::vector<std::size_t> six, seven, eight;
  for (std::size_t i = 0; i < doubled.size(); ++i)
    if (doubled.indicator(i) == -1) {
      const bool own = spin.vectors()[0] == ClassFunction::irreducible(doubled, i);
      (doubled.degree(i) == 4 ? eight : own ? six : seven).push_back(i);
    }
  REQUIRE((six.size() == 1 && seven.size() == 1 && eight.size() == 1));
  const int expected[5][3] = {{1, 0, 0}, {0, 0, 1}, {0, 1, 1}, {1, 1, 1}, {1, 0, 2}};
  for (int k = 0; k < 5; ++k) {
    const std::vector<Integer> parts = multiplicities(spin.restrict(SU2.irrep({2 * k + 1})));
    CHECK(parts[six[0]] == expected[k][0]);
    CHECK(parts[seven[0]] == expected[k][1]);
    CHECK(parts[eight[0]] == expected[k][2]);
  }
  // A level of the double icosahedral group splits first at j = 7/2.
  const FiniteEmbedding icosians = usual_embedding(SU2, table_of("SL(2,5)"));
  for (int k = 0; k < 4; ++k) {
    Integer number = 0;
    for (const Integer& m : multiplicities(icosians.restrict(SU2.irrep({2 * k + 1})))) number += m;
    CHECK(number == (k < 3 ? 1 : 2));
  }
}

TEST_CASE("flavour symmetries: SU(3) on A5 and PSL(2,7)", "[reductive][quick]") {
  const LieGroup SU3 = LieGroup::classical("SU", 3);
  const auto degrees = [](const ClassFunction& f) {
    std::string text;
    const std::vector<Integer> parts = multiplicities(f);
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (Integer k = 0; k < parts[i]; ++k) text += (text.empty() ? "" : " ") + to_string(f.table().degree(i));
    return text;
  };
  // [Luhn, Nasri & Ramond 2007]
  const FiniteEmbedding klein = usual_embedding(SU3, table_of("PSL(2,7)"));
  CHECK(degrees(klein.restrict(SU3.irrep({2, 0}))) == "6");
  CHECK(degrees(klein.restrict(SU3.irrep({1, 1}))) == "8");
  CHECK(degrees(klein.restrict(SU3.irrep({3, 0}))) == "3 7");
  CHECK(degrees(klein.restrict(SU3.irrep({2, 1}))) == "7 8");
  CHECK(degrees(klein.restrict(SU3.irrep({2, 2}))) == "6 6 7 8");
  // Of invariants under Klein's group the first polynomial has degree 4, and there is one.
  CHECK(multiplicities(klein.restrict(SU3.irrep({4, 0})))[0] == 1);
  const FiniteEmbedding A5 = usual_embedding(SU3, table_of("A5"));
  CHECK(A5.restrict(SU3.irrep({1, 1})) == A5.vectors()[0] * A5.vectors()[0] - ClassFunction::constant(A5.table(), 1));
  CHECK(degrees(A5.restrict(SU3.irrep({2, 2}))) == "1 3 4 4 5 5 5");
}

TEST_CASE("restrictions to finite groups agree with Jacobi-Trudi and Littlewood", "[reductive][quick]") {
  // Two ways: weights at elements of the torus; Schur functions of power sums with the branching of GL(n) to O(n) and Sp(n).
  Rng rng = test_rng();
  const auto orthogonal_agrees = [](const ClassFunction& g) {
    const int n = static_cast<int>(g.degree().to_integer());
    const OrthogonalEmbedding f(g);
    CAPTURE(g.table().group().name(), n);
    for (const Partition& lambda :
         {Partition{1}, Partition{2}, Partition{3, 1}, Partition{2, 1}, Partition{1, 1, 1}, Partition{2, 2, 1}}) {
      ClassFunction sum = ClassFunction::constant(g.table(), 0);
      for (const auto& [mu, count] : restrict_to_orthogonal(SchurSum(lambda), n))
        sum = sum + Cyclotomic(count) * f.irrep(mu);
      CAPTURE(to_string(lambda));
      CHECK(sum == schur_power(lambda, g));
    }
  };
  for (const char* group : {"Oh", "Td", "C3v", "Ih", "S5", "D5", "B4", "Cs", "S3 x C2"}) {
    const CharacterTable table = table_of(group);
    for (int trial = 0; trial < 4 * test_multiplier(); ++trial) {
      ClassFunction f = random_character(table, 6, rng);
      if (f == f.conjugate() && kernel_classes(f).size() == 1) orthogonal_agrees(f);
    }
  }
  for (const char* group : {"S4", "Q8", "SL(2,3)", "C7", "D5", "A5", "Dic3"}) {
    const CharacterTable table = table_of(group);
    for (int trial = 0; trial < 3 * test_multiplier(); ++trial) {
      const ClassFunction f = random_character(table, 4, rng);
      if (kernel_classes(f).size() > 1) continue;
      const int n = static_cast<int>(f.degree().to_integer());
      const LieGroup U = LieGroup::classical("U", n), SO = LieGroup::classical("SO", 2 * n),
                     Sp = LieGroup::classical("Sp", 2 * n);
      const FiniteEmbedding unitary(U, {f});
      CAPTURE(group, n);
      for (const Partition& lambda : {Partition{1}, Partition{2, 1}, Partition{3}, Partition{2, 2}, Partition{1, 1}})
        if (lambda.length() <= n)
          CHECK(unitary.restrict(U.irrep(U.weight_of_partition({lambda.begin(), lambda.end()}))) ==
                schur_power(lambda, f));
      // The sum with the dual is orthogonal and symplectic.
      const ClassFunction twice = f + f.conjugate();
      orthogonal_agrees(twice);
      orthogonal_agrees(twice + ClassFunction::constant(table, 1));
      CHECK(FiniteEmbedding(SO, {twice}).restrict(special(SO, {2})) == OrthogonalEmbedding(twice).irrep({2}));
      const FiniteEmbedding symplectic(Sp, {twice});
      for (const Partition& lambda : {Partition{2}, Partition{2, 1}, Partition{3}}) {
        ClassFunction sum = ClassFunction::constant(table, 0);
        for (const auto& [mu, count] : restrict_to_symplectic(SchurSum(lambda), 2 * n))
          sum = sum + Cyclotomic(count) * symplectic.restrict(Sp.irrep(Sp.weight_of_partition({mu.begin(), mu.end()})));
        CHECK(sum == schur_power(lambda, twice));
      }
    }
  }
}

TEST_CASE("elements of O(3) and their parity", "[reductive][quick]") {
  const CharacterTable Oh = table_of("Oh");
  const OrthogonalEmbedding f = usual_orthogonal_embedding(3, Oh);
  CHECK(f.how() == "vector = T1u");
  const auto rep = [&](const char* text) { return embedded_parts(parse_orthogonal_representation(f, text)); };
  CHECK(rep("harmonic(2)") == "Eg T2g");
  CHECK(rep("harmonic(3)") == "A2u T2u T1u");
  CHECK(rep("harmonic(2)*parity") == "Eu T2u");
  CHECK(rep("irrep([1,1] as partition)") == "T1g");
  CHECK(rep("irrep([1,1,1] as partition)") == "A1u");
  CHECK(rep("sym(2, vector) + 2*trivial") == "3*A1g Eg T2g");
  CHECK(rep("dual(vector)^2") == "A1g Eg T1g T2g");
  const OrthogonalEmbedding ammonia = usual_orthogonal_embedding(3, table_of("C3v"));
  CHECK(embedded_parts(parse_orthogonal_representation(ammonia, "vector")) == "A1 E");
  CHECK(embedded_parts(parse_orthogonal_representation(ammonia, "adjoint")) == "A2 E");
  const OrthogonalEmbedding tetrahedral = usual_orthogonal_embedding(3, table_of("Td"));
  CHECK(embedded_parts(parse_orthogonal_representation(tetrahedral, "harmonic(2)")) == "E T2");
  CHECK(embedded_parts(parse_orthogonal_representation(tetrahedral, "harmonic(3)")) == "A1 T1 T2");
}

TEST_CASE("subgroups of SO(2k) that lie in U(k), and others", "[reductive][quick]") {
  const CharacterTable C5 = table_of("C5"), A5 = table_of("A5");
  const LieGroup SO4 = LieGroup::classical("SO", 4), SO2 = LieGroup::classical("SO", 2);
  // diag(z, z^2) in U(2): the self-dual forms are 1 + z^3 + z^-3, the others 1 + z + z^-1.
  const auto z = [&](std::size_t k) { return ClassFunction::irreducible(C5, k); };
  const ClassFunction one = z(0);
  const ClassFunction f = z(1) + z(1).conjugate() + z(1).adams(2) + z(1).adams(2).conjugate();
  const FiniteEmbedding g(SO4, {f});
  const ClassFunction a = g.restrict(SO4.irrep({2, 0})), b = g.restrict(SO4.irrep({0, 2}));
  CHECK(a + b == exterior_power(2, f));
  CHECK_FALSE(a == b);
  CHECK((a - one == z(1) + z(1).conjugate() || b - one == z(1) + z(1).conjugate()));
  const FiniteEmbedding circle(SO2, {z(1) + z(1).conjugate()});
  CHECK(circle.restrict(SO2.irrep({3})) == circle.restrict(SO2.irrep({1})).adams(3));
  // The 4-dimensional representation of A5 is no such sum; what a reflection fixes is restricted all the same.
  const FiniteEmbedding icosahedral = usual_embedding(SO4, A5);
  CHECK(embedded_parts(icosahedral.restrict(SO4.adjoint())) == "[3,1,1]- [3,1,1]+");
  CHECK(refusal([&] { icosahedral.restrict(SO4.irrep({2, 0})); }).find("up to a reflection only") != std::string::npos);
  // A product: SU(2) x SU(2) by two representations gives it.
  const CharacterTable icosians = table_of("SL(2,5)");
  const LieGroup spin4 = parse_lie_group("SU(2) x SU(2)");
  const FiniteEmbedding both(spin4, {ClassFunction::irreducible(icosians, 1), ClassFunction::irreducible(icosians, 2)});
  CHECK(both.restrict(spin4.irrep({1, 1})) == both.vectors()[0] * both.vectors()[1]);
  CHECK(both.how() == "vector = X.2, X.3");
}

TEST_CASE("a group of matrices lies where its matrices are", "[reductive][quick]") {
  // Q8 by i and j in SU(2), not by another representation; with the scalar matrix i it is in U(2) only.
  const auto i = Cyclotomic::root_of_unity(4);
  const auto matrix = [](std::vector<Cyclotomic> entries) { return FieldMatrix(2, 2, entries); };
  const FieldMatrix I = matrix({i, 0, 0, -i}), J = matrix({0, -1, 1, 0}), scalar = matrix({i, 0, 0, i});
  const CharacterTable Q8 = character_table(matrix_group({I, J})),
                       pauli = character_table(matrix_group({I, J, scalar}));
  CHECK(usual_embedding(LieGroup::classical("SU", 2), Q8).vectors()[0][1] == Cyclotomic(-2));
  const LieGroup U2 = LieGroup::classical("U", 2);
  CHECK(usual_embedding(U2, pauli).restrict(U2.vector()).degree() == Cyclotomic(2));
  CHECK(refusal([&] {
          usual_embedding(LieGroup::classical("SU", 2), pauli);
        }).find("by its coordinates: its determinant is not 1") != std::string::npos);
}

TEST_CASE("what does not embed is refused with the reason", "[reductive][quick]") {
  const auto usual = [](const char* from, const char* to) {
    return refusal([&] { usual_embedding(parse_lie_group(from), table_of(to)); });
  };
  const auto by = [](const char* from, const char* to, std::size_t row) {
    return refusal([&] {
      const CharacterTable table = table_of(to);
      FiniteEmbedding(parse_lie_group(from), {ClassFunction::irreducible(table, row)});
    });
  };
  CHECK(by("SO(3)", "S4", 3).empty());
  CHECK(by("SO(3)", "S4", 4) == "S4 does not embed into SO(3) by [3,1]: its determinant is not 1");
  CHECK(by("SU(2)", "S4", 3) == "S4 does not embed into SU(2) by [2,1,1]: it has dimension 3, not 2");
  CHECK(by("SU(2)", "S4", 2) == "S4 does not embed into SU(2) by [2,2]: its determinant is not 1");
  CHECK(by("U(2)", "S4", 2) ==
        "S4 does not embed into U(2) by [2,2]: it is not faithful, (1,2)(3,4) acts as the identity");
  CHECK(by("Sp(4)", "A5", 3) == "A5 does not embed into Sp(4) by [4,1]: it is not symplectic");
  CHECK(by("SO(3)", "PSL(2,7)", 1) == "PSL(2,7) does not embed into SO(3) by X.2: it is not orthogonal");
  CHECK(usual("SO(3)", "Td").find("take O(3)") != std::string::npos);
  CHECK(usual("SU(2)", "A5").find("is not seen to lie in SU(2)") != std::string::npos);
  CHECK(usual("Spin(7)", "A5").find("Spin(3) is SU(2)") != std::string::npos);
  CHECK(usual("E8", "A5").find("those of SU(n)") != std::string::npos);
  CHECK(usual("SU(2) x SU(2)", "A5").find("2 factors") != std::string::npos);
  const CharacterTable A5 = table_of("A5"), S4 = table_of("S4");
  CHECK(refusal([&] { FiniteEmbedding(LieGroup::classical("SO", 3), {}); }).find("not 0") != std::string::npos);
  CHECK(refusal([&] {
          FiniteEmbedding(LieGroup::classical("SO", 3), {ClassFunction::constant(A5, -1)});
        }).find("has this character") != std::string::npos);
  CHECK(refusal([&] { OrthogonalEmbedding(ClassFunction::irreducible(table_of("C3"), 1)); }) ==
        "C3 does not embed into O(1) by X.2: it is not orthogonal");
  const OrthogonalEmbedding f = usual_orthogonal_embedding(3, S4);
  CHECK(refusal([&] { f.irrep({1, 1, 1, 1}); }).find("its first two columns have 4 cells") != std::string::npos);
  CHECK(refusal([&] { f.irrep({2, 2}); }).find("at most 3") != std::string::npos);
  CHECK_THROWS_AS(parse_orthogonal_representation(f, "irrep([2])"), ParseError);
  CHECK_THROWS_AS(parse_orthogonal_representation(f, "spinor"), ParseError);
  const FiniteEmbedding rotations = usual_embedding(LieGroup::classical("SO", 3), S4);
  CHECK_THROWS_AS(rotations.restrict(LieGroup::classical("SU", 3).vector()), DomainError);
}
