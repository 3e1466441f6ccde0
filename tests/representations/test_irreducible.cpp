// Irreducible matrices: laws for small groups of every kind, Schur indices, heights, seeds.
#include <algorithm>
#include <catch2/catch.hpp>

#include "groups/reference_groups.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "intertwine/representations/submodule.hpp"
#include "representations/expressions/node.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

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
  REQUIRE(null_space(vertical_stack(equations)).rows() == 1);
}

/// The largest numerator or denominator in the images of the generators of all of them.
Integer height(const std::vector<IrreducibleRepresentation>& list, const FiniteGroup& G) {
  Integer result = 0;
  for (const auto& R : list)
    for (const Permutation& s : G.generators()) result = std::max(result, R.representation.field_matrix(s).height());
  return result;
}

}  // namespace

TEST_CASE("irreducible matrices of small groups are representations with the characters of the table",
          "[irreducible][quick]") {
  const std::string name =
      GENERATE(as<std::string>{}, "C1", "C2", "C6", "C2xC2xC3xC9", "S3", "D4", "D5", "D12", "Q8", "Q16", "A4", "S4",
               "A5", "SL(2,3)", "GL(2,3)", "BinOct48", "SL(2,5)", "F21", "AGL(1,8)", "AGL(1,9)", "3^(1+2)+", "3^(1+2)-",
               "2^(1+4)+", "2^(1+4)-", "SmallGroup(24,8)", "SmallGroup(72,41)", "F42", "SmallGroup(32,6)",
               "SmallGroup(54,8)", "SmallGroup(81,7)", "SmallGroup(108,17)", "Q8wrC2", "SmallGroup(48,33)", "A6", "S5",
               "PSL(2,7)", "PSL(2,8)", "B3", "W(H3)", "Syl2(S8)", "S3wrS2");
  CAPTURE(name);
  auto rng = test_rng();
  const FiniteGroup G = reference_group(name).group;
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

TEST_CASE("irreducible matrices of wreath products of p-groups are monomial over the character fields",
          "[irreducible][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = reference_group("C5wrC5").group;
  const CharacterTable table = character_table(G);
  const auto list = irreducible_representations(table);
  REQUIRE(list.size() == 649);
  for (std::size_t k = 0; k < list.size(); ++k) {
    const Representation& V = list[k].representation;
    REQUIRE(list[k].row == k);
    REQUIRE(list[k].over_character_field);
    REQUIRE(V.field().conductor() <= 5);
    if (k % 40 == 3) {
      const Permutation g = G.random_element(rng), h = G.random_element(rng);
      REQUIRE(V.field_matrix(g) * V.field_matrix(h) == V.field_matrix(g * h));
      REQUIRE(V.field_matrix(g).trace() == table(k, table.classes().index_of(g)));
      REQUIRE(V.field_matrix(g).height() == 1);
      const std::size_t d = V.dimension();
      const FieldMatrix one = FieldMatrix::identity(V.field(), d);
      REQUIRE(V.apply(g, one) == V.field_matrix(g));
      for (std::size_t j = 0; j < list[k].seed.generators.size(); ++j)
        REQUIRE(V.apply(list[k].seed.generators[j], list[k].seed.vector) ==
                list[k].seed.values[j] * list[k].seed.vector);
    }
  }
}

TEST_CASE("one irreducible representation alone is the same as among all", "[irreducible][quick]") {
  const std::string name =
      GENERATE(as<std::string>{}, "A5", "SL(2,3)", "F21", "S4", "3^(1+2)-", "D5", "M11", "PSL(2,8)", "A8");
  const FiniteGroup G = reference_group(name).group;
  const CharacterTable table = character_table(G);
  const auto list = irreducible_representations(table);
  for (std::size_t k = 0; k < table.size(); ++k) {
    const auto R = irreducible_representation(table, k);
    for (const Permutation& s : G.generators())
      REQUIRE(R.representation.field_matrix(s) == list[k].representation.field_matrix(s));
    REQUIRE(R.seed.vector == list[k].seed.vector);
  }
}

// Z[a] is not the ring of integers here (its index is 3). Independent short vectors alone lead to entries of height
// 3.6 10^7.
TEST_CASE("a basis over a field of degree four", "[irreducible][quick]") {
  auto rng = test_rng();
  const CharacterTable table = character_table(special_linear_group(3, 3));
  std::size_t row = 0;
  while (table.degree(row) != 16) ++row;
  const auto R = irreducible_representation(table, row);
  REQUIRE(R.over_character_field);
  REQUIRE(R.representation.field().degree() == 4);
  const AbelianField whole = AbelianField::cyclotomic(13);
  for (const Permutation& s : table.group().generators()) {
    const FieldMatrix A = R.representation.field_matrix(s).over(whole);
    REQUIRE(A.coefficients().is_integral());
    REQUIRE(A.height() < 10'000);
  }
  check_laws(R, table, rng);
}

TEST_CASE("entries are small", "[irreducible][quick]") {
  // GAP's matrices of A6 have entries of height 158, those of GL(2,3) lie in a field of conductor 24.
  const auto [name, bound] = GENERATE(table<std::string, int>({{"A5", 2},
                                                               {"A6", 3},
                                                               {"S6", 2},
                                                               {"GL(2,3)", 2},
                                                               {"PSL(2,7)", 3},
                                                               {"B4", 2},
                                                               {"W(F4)", 2},
                                                               {"S4wrS2", 2},
                                                               {"A7", 6},
                                                               {"PSL(2,11)", 6},
                                                               {"M11", 10},
                                                               {"PSU(3,3)", 15},
                                                               {"M12", 25}}));
  CAPTURE(name);
  const FiniteGroup G = reference_group(name).group;
  const CharacterTable characters = character_table(G);
  const auto list = irreducible_representations(characters);
  REQUIRE(height(list, G) <= bound);
  for (const auto& R : list) {
    REQUIRE(R.over_character_field == (characters.indicator(R.row) != -1));
    for (const Permutation& s : G.generators()) REQUIRE(R.representation.field_matrix(s).coefficients().is_integral());
  }
  if (name == "GL(2,3)")
    for (const auto& R : list) REQUIRE(R.representation.field().conductor() <= 8);
}

// Groups with a cyclic quotient, a quotient of two factors of order 2, one that is no product along the primes of the
// order, and one where the maps are a group after a root of unity is put to them only.
TEST_CASE("fields of linear characters are representations over the fields of characters", "[irreducible][quick]") {
  struct Known {
    const char* name;
    std::size_t field_modules;
  };
  const auto [name, count] = GENERATE(Known{"C19:C3", 6}, Known{"C31:C5", 6}, Known{"C43:C7", 6}, Known{"D5 x D7", 6},
                                      Known{"D35", 12}, Known{"D9 x C5", 12}, Known{"<a,b | a^37, b^9, a^b=a^7>", 4},
                                      Known{"C64:C2(31)", 16}, Known{"<a,b | a^35, b^2 = a^14, b^-1*a*b = a^6>", 12});
  const FiniteGroup G = parse_finite_group(name);
  const CharacterTable table = character_table(G);
  std::size_t found = 0;
  Rng rng(5);
  INFO(name);
  for (const auto& R : irreducible_representations(table)) {
    if (R.construction.find("over that of the character") == std::string::npos) continue;
    ++found;
    CHECK(R.over_character_field);
    CHECK(R.representation.field().degree() == AbelianField::generated_by(table.row(R.row)).degree());
    CHECK(R.seed.vector.is_rational());
    check_laws(R, table, rng);
    verify(R, table);
    for (const Permutation& s : G.generators()) {
      const FieldMatrix A = R.representation.field_matrix(s);
      for (std::size_t i = 0; i < A.rows(); ++i)
        for (std::size_t j = 0; j < A.cols(); ++j)
          for (const auto& [exponent, coefficient] : A(i, j).terms()) CHECK(denominator(coefficient) == 1);
    }
  }
  CHECK(found == count);
}

TEST_CASE("rotations of a dihedral group are companion matrices", "[irreducible][quick]") {
  const CharacterTable table = character_table(parse_finite_group("D61"));
  for (const auto& R : irreducible_representations(table)) {
    if (R.representation.dimension() == 1) continue;
    const Cyclotomic c = table(R.row, table.classes().index_of_element(table.group().generators()[0]));
    const Cyclotomic rotation[] = {0, -1, 1, c}, reflection[] = {1, c, 0, -1};
    CHECK(R.representation.field_matrix(table.group().generators()[0]) == FieldMatrix(2, 2, rotation));
    CHECK(R.representation.field_matrix(table.group().generators()[1]) == FieldMatrix(2, 2, reflection));
  }
}

TEST_CASE("quaternionic representations are over the smallest fields", "[irreducible][quick]") {
  // [Feit 1983]: the Schur index of the character of degree 6 of PSU(3,3) is 2; those of degree 2 of SL(2,5) have
  // values in Q(sqrt 5).
  const auto [name, degree, field] = GENERATE(
      table<std::string, int, std::size_t>({{"Q8", 2, 2}, {"SL(2,5)", 6, 2}, {"SL(2,5)", 2, 4}, {"2^(1+4)-", 4, 2}}));
  CAPTURE(name, degree);
  const CharacterTable table = character_table(reference_group(name).group);
  bool seen = false;
  for (const auto& R : irreducible_representations(table)) {
    if (table.indicator(R.row) != -1 || table.degree(R.row) != degree) continue;
    seen = true;
    REQUIRE_FALSE(R.over_character_field);
    REQUIRE(R.representation.field().degree() == field);
    REQUIRE_FALSE(R.representation.field().is_real());
  }
  REQUIRE(seen);
}

TEST_CASE("real and rational forms", "[irreducible][quick]") {
  const std::string name =
      GENERATE(as<std::string>{}, "C6", "Q8", "A4", "A5", "SL(2,3)", "SL(2,5)", "F21", "2^(1+4)-", "PSL(2,7)", "S4");
  CAPTURE(name);
  auto rng = test_rng();
  const FiniteGroup G = reference_group(name).group;
  const CharacterTable table = character_table(G);
  for (const auto& R : irreducible_representations(table))
    for (const bool real : {true, false}) {
      CAPTURE(R.row, real);
      const IrreducibleForm form = real ? real_form(R, table) : rational_form(R, table);
      const Representation& V = form.representation;
      REQUIRE((real ? V.field().is_real() : V.field().is_rational()));
      REQUIRE(std::find(form.rows.begin(), form.rows.end(), R.row) != form.rows.end());
      REQUIRE(V.dimension() == form.rows.size() * form.multiplicity * R.representation.dimension());
      for (std::size_t c = 0; c < table.size(); ++c) {
        Cyclotomic sum;
        for (const std::size_t row : form.rows) sum += table(row, c);
        const Cyclotomic trace = V.field_matrix(table.classes()[c].representative).trace();
        REQUIRE(trace == Cyclotomic(static_cast<long>(form.multiplicity)) * sum);
      }
      const Permutation g = G.random_element(rng), h = G.random_element(rng);
      REQUIRE(V.field_matrix(g) * V.field_matrix(h) == V.field_matrix(g * h));
    }
}

TEST_CASE("submodules are checked", "[irreducible][quick]") {
  const FiniteGroup G = reference_group("S4").group;
  const Representation V = natural_permutation_representation(G);
  const FieldMatrix C = RationalMatrix(IntegerMatrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, -1, -1}});
  const Representation R = submodule(V, C);
  REQUIRE(R.dimension() == 3);
  for (const Permutation& s : G.generators()) {
    REQUIRE(V.apply(s, C) == C * R.field_matrix(s));
    REQUIRE(R.field_matrix(s).trace() == R.character(s));
  }
  const FieldMatrix dependent = RationalMatrix(IntegerMatrix{{1, 2}, {1, 2}, {1, 2}, {1, 2}});
  REQUIRE_THROWS_WITH(submodule(V, dependent), Catch::Contains("dependent, of rank 1"));
  const FieldMatrix moved = RationalMatrix(IntegerMatrix{{1}, {0}, {0}, {0}});
  REQUIRE_THROWS_WITH(submodule(V, moved), Catch::Contains("not invariant"));
  const FieldMatrix narrow = RationalMatrix(IntegerMatrix{{1}, {0}});
  REQUIRE_THROWS_WITH(submodule(V, narrow), Catch::Contains("dimension 4"));
}

TEST_CASE("alternating groups by Specht modules and their halves", "[irreducible][quick]") {
  // Fields of the halves: Q(sqrt(e prod h)) for the diagonal hooks h, e = (-1)^((n - number of hooks) / 2).
  auto rng = test_rng();
  const FiniteGroup G = reference_group("A8").group;
  const CharacterTable table = character_table(G);
  const auto list = irreducible_representations(table);
  REQUIRE(list.size() == 14);
  for (const auto& R : list) {
    CAPTURE(table.name(R.row));
    check_laws(R, table, rng);
    REQUIRE(R.over_character_field);
    const bool halved = table.name(R.row).back() != ']';
    REQUIRE(R.construction == (halved ? "half of a Specht module" : "Young's natural form"));
    if (table.name(R.row).substr(0, 7) == "[3,3,2]") REQUIRE(R.representation.field().to_string() == "Q(sqrt(-15))");
    if (table.name(R.row).substr(0, 9) == "[4,2,1,1]") REQUIRE(R.representation.field().to_string() == "Q(sqrt(-7))");
  }
  REQUIRE(height(list, G) <= 100);
}

TEST_CASE("halves of Specht modules of Alt(9)", "[irreducible][quick]") {
  auto rng = test_rng();
  const CharacterTable table = character_table(reference_group("A9").group);
  int halves = 0;
  for (std::size_t k = 0; k < table.size(); ++k) {
    const std::string name = table.name(k);
    if (name.back() == ']') continue;
    ++halves;
    check_laws(irreducible_representation(table, k), table, rng);
  }
  REQUIRE(halves == 4);
}

TEST_CASE("rows of small degree of large groups", "[irreducible][quick]") {
  // Degrees and constituents from the ATLAS: M24 on 24 points is 1 + 23, HS on 100 points 1 + 22 + 77.
  const auto [name, row, degree] = GENERATE(
      table<std::string, std::size_t, std::uint64_t>({{"M24", 1, 23}, {"HS", 1, 22}, {"HS", 2, 77}, {"J2", 5, 36}}));
  CAPTURE(name, row);
  auto rng = test_rng();
  const CharacterTable table = character_table(reference_group(name).group);
  const auto R = irreducible_representation(table, row);
  REQUIRE(R.representation.dimension() == degree);
  REQUIRE(R.representation.field().is_rational());
  for (const Permutation& s : table.group().generators()) REQUIRE(R.representation.field_matrix(s).height() <= 2);
  check_laws(R, table, rng);
}

namespace {

// The characters of degree 45 of M23 and M24 are over Q(sqrt(-7)) [ATLAS]; no subgroup of index at most 20,000 serves
// them.
void check_degree_45(const std::string& name) {
  auto rng = test_rng();
  const CharacterTable table = character_table(reference_group(name).group);
  REQUIRE(table.degree(2) == 45);
  const auto R = irreducible_representation(table, 2);
  REQUIRE(R.representation.field().to_string() == "Q(sqrt(-7))");
  for (const Permutation& s : table.group().generators()) {
    const FieldMatrix A = R.representation.field_matrix(s);
    REQUIRE(A.coefficients().denominator() == 1);
    REQUIRE(A.height() < 1000);
  }
  check_laws(R, table, rng);
  const auto S = irreducible_representation(table, 3);  // its complex conjugate
  for (const Permutation& s : table.group().generators())
    REQUIRE(S.representation.field_matrix(s) == R.representation.field_matrix(s).conjugate());
}

// Before bases were reduced over the integers of the field: 10^22 with denominators, and 10^12; over fields whose
// integers are no principal ideal ring, such as Q(sqrt(-47)) of class number 5, fractions of 15 digits.
void check_short_matrices(const FiniteGroup& G, std::size_t row, std::uint64_t degree) {
  const CharacterTable table = character_table(G);
  const auto R = irreducible_representation(table, row);
  REQUIRE(R.representation.dimension() == degree);
  for (const Permutation& s : table.group().generators()) {
    REQUIRE(R.representation.field_matrix(s).coefficients().denominator() == 1);
    REQUIRE(R.representation.field_matrix(s).height() < 1000);
  }
}

}  // namespace

TEST_CASE("a row of M23 that only small subgroups serve", "[irreducible][quick]") { check_degree_45("M23"); }
TEST_CASE("a row of M24 that only small subgroups serve", "[irreducible]") { check_degree_45("M24"); }

TEST_CASE("matrices over an imaginary quadratic field stay short", "[irreducible][quick]") {
  check_short_matrices(reference_group("M22").group, 2, 45);
  check_short_matrices(projective_special_linear_group(2, 47), 1, 23);
}
TEST_CASE("matrices over a real quadratic field stay short", "[irreducible]") {
  check_short_matrices(reference_group("J2").group, 7, 70);
}

TEST_CASE("what is out of reach is said", "[irreducible][quick]") {
  const CharacterTable table = character_table(reference_group("McL").group);
  REQUIRE(table.degree(12) == 4752);
  REQUIRE_THROWS_AS(irreducible_representation(table, 12), LimitError);
  REQUIRE_THROWS_WITH(irreducible_representation(table, 12),
                      Catch::Contains("of degree 4752") && Catch::Contains("index at most 300000"));
}

TEST_CASE("the representations of Sym(20) are refused before they are made", "[irreducible][quick]") {
  // The degrees add up to the number of g with g^2 = 1, 2.4e10, as all indicators of Sym(n) are +.
  const Task task(std::uint64_t{1} << 30, 0, {});
  for (const auto& G : {symmetric_group(20), alternating_group(20)}) {
    const CharacterTable table = character_table(G, task);
    REQUIRE_THROWS_AS(irreducible_representations(table, task), LimitError);
    REQUIRE_THROWS_WITH(irreducible_representations(table, task), Catch::Contains("the seeds of"));
    std::size_t row = 0;
    while (table.degree(row) != 19) ++row;
    REQUIRE(irreducible_representation(table, row, task).representation.dimension() == 19);
  }
}

TEST_CASE("there is no character beyond the last one", "[irreducible][quick]") {
  const CharacterTable table = character_table(reference_group("A4").group);
  REQUIRE_THROWS_WITH(irreducible_representation(table, 4), Catch::Contains("no character number 4"));
}

TEST_CASE("short entries over a field of degree eight", "[irreducible][slow][.]") {
  const CharacterTable table = character_table(reference_group("PSL(2,16)").group);
  std::size_t row = 0;
  while (table.degree(row) != 15) ++row;
  const auto R = irreducible_representation(table, row);
  REQUIRE(R.representation.field().degree() == 8);
  for (const Permutation& s : table.group().generators()) {
    const FieldMatrix A = R.representation.field_matrix(s);
    REQUIRE(A.trace() == table(row, table.classes().index_of(s)));
    REQUIRE(A.coefficients().is_integral());
    REQUIRE(A.over(AbelianField::cyclotomic(17)).height() < 1000);
  }
}

TEST_CASE("larger rows of large groups", "[irreducible][slow][.]") {
  const auto [name, row, degree] = GENERATE(table<std::string, std::size_t, std::uint64_t>(
      {{"Co3", 1, 23}, {"McL", 1, 22}, {"M24", 6, 252}, {"M24", 7, 253}, {"A9", 17, 216}}));
  CAPTURE(name, row);
  const CharacterTable table = character_table(reference_group(name).group);
  const auto R = irreducible_representation(table, row);
  REQUIRE(R.representation.dimension() == degree);
  for (const Permutation& s : table.group().generators())
    REQUIRE(R.representation.field_matrix(s).trace() == table(row, table.classes().index_of(s)));
}

TEST_CASE("the heavier reference groups", "[irreducible][slow][.]") {
  const std::string name =
      GENERATE(as<std::string>{}, "S7", "M11", "PSU(3,3)", "SmallGroup(648,532)", "PSL(2,13)", "M12", "W(E6)");
  CAPTURE(name);
  auto rng = test_rng();
  const FiniteGroup G = reference_group(name).group;
  const CharacterTable table = character_table(G);
  for (const auto& R : irreducible_representations(table)) check_laws(R, table, rng);
}

namespace {

/// V but for one generator, whose matrix is transposed.
class OneTransposed final : public RepresentationNode {
 public:
  OneTransposed(Representation V, std::size_t generator)
      : RepresentationNode(V.group(), V.dimension(), 2, V.field()),
        g_(V.group().generators().at(generator)),
        V_(std::move(V)) {}
  bool is_permutation() const override { return false; }
  bool is_monomial() const override { return false; }
  Cyclotomic character(const Permutation& g) const override { return V_.character(g); }
  void write_image(const Permutation&, std::span<SignedPoint>) const override { refuse_image(*this); }
  FieldMatrix dense(const Permutation& g) const override {
    return g == g_ ? V_.field_matrix(g).transpose() : V_.field_matrix(g);
  }
  std::string text(TextForm) const override { return "one transposed"; }
  std::string label(std::uint64_t) const override { return "e"; }

 private:
  Permutation g_;
  Representation V_;
};

std::string refusal(const IrreducibleRepresentation& R, const CharacterTable& table) {
  try {
    verify(R, table);
  } catch (const VerificationError& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("irreducible representations are proved from the images of the generators", "[irreducible][quick]") {
  for (const FiniteGroup& G : {symmetric_group(5), alternating_group(5), alternating_group(8), dihedral_group(5),
                               dicyclic_group(3), cyclic_group(7), special_linear_group(2, 5),
                               wreath_product(cyclic_group(3), symmetric_group(3)), FiniteGroup(1, {})}) {
    const CharacterTable table = character_table(G);
    for (const IrreducibleRepresentation& R : irreducible_representations(table)) {
      if (R.representation.dimension() > 21) continue;
      CAPTURE(G.name(), R.row);
      REQUIRE(refusal(R, table).empty());
    }
  }
}

TEST_CASE("wrong irreducible representations are refused", "[irreducible][quick]") {
  const CharacterTable table = character_table(alternating_group(5));
  const auto all = irreducible_representations(table);
  const std::size_t k = 1;  // one of the two of degree 3 over Q(sqrt 5)
  REQUIRE(table.degree(1) == 3);
  REQUIRE(table.degree(2) == 3);
  IrreducibleRepresentation wrong = all[k];
  wrong.row = 2;  // its Galois conjugate
  CHECK_THAT(refusal(wrong, table), Catch::Contains("is not the value of character 2"));
  wrong.row = 3;
  CHECK(refusal(wrong, table) == "verify: the dimension 3 is not the degree of character 3");
  wrong.row = 5;
  CHECK(refusal(wrong, table) == "verify: there is no character 5");
  wrong = all[k];
  wrong.representation = 3 * trivial_representation(table.group());
  CHECK_THAT(refusal(wrong, table), Catch::Contains("the trace at class"));
  for (const std::size_t generator : {0U, 1U}) {
    wrong = all[k];
    wrong.representation = Representation(std::make_shared<OneTransposed>(all[k].representation, generator));
    CHECK_THAT(refusal(wrong, table), Catch::Contains("do not extend to a representation"));
  }
  wrong = all[k];
  REQUIRE_FALSE(wrong.seed.values.empty());
  wrong.seed.vector = FieldMatrix(IntegerMatrix{{1}, {2}, {5}});
  CHECK_THAT(refusal(wrong, table), Catch::Contains("does not multiply the seed by the stated value"));
  wrong = all[k];
  wrong.seed.generators.clear();
  wrong.seed.values.clear();
  CHECK(refusal(wrong, table) == "verify: the subgroup multiplies a space of dimension 3 as the seed, not 1");
  wrong = all[0];
  wrong.representation = restriction_of_scalars(all[0].representation, AbelianField());
  REQUIRE(refusal(wrong, table).empty());
  CHECK_THROWS_AS(verify(all[k], character_table(symmetric_group(5))), DomainError);
}
