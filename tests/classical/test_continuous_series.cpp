// Molien series of continuous groups: classical answers, sums over degrees one by one, finite groups, closed forms expanded again.
#include <array>
#include <catch2/catch.hpp>

#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/classical/continuous_series.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

MolienSeries series_of(const std::string& group, const std::string& V, const std::string& W = "trivial",
                       std::size_t count = 13) {
  const ContinuousGroup G = parse_continuous_group(group);
  return molien_series(parse_representation(G, V), parse_representation(G, W), count);
}

/// numerator / prod (1 - t^d)
std::vector<Integer> expanded(const MolienSeries& s, std::size_t count) {
  std::vector<Integer> a = s.numerator;
  a.resize(count, 0);
  for (const std::uint64_t d : s.degrees)
    for (std::size_t k = d; k < count; ++k) a[k] += a[k - d];
  return a;
}

using Numbers = std::vector<Integer>;
using Degrees = std::vector<std::uint64_t>;

}  // namespace

// Binary forms of degree 3, ..., 6 and 8: Sylvester, Gordan, von Gall, Shioda; orthogonal groups: Weyl's first main theorem; the others are adjoint
// representations, whose invariants are polynomials in those of the degrees of the Weyl group, and ternary cubics (Aronhold).
TEST_CASE("invariants that are in the books", "[classical][quick]") {
  struct Row {
    const char *group, *V;
    Numbers numerator;
    Degrees degrees;
  };
  const auto binomial_like = [](std::size_t last) {
    Numbers n(last + 1, 0);
    n[0] = n[last] = 1;
    return n;
  };
  for (const Row& row : std::vector<Row>{
           {"SU(2)", "sym(3, vector)", {1}, {4}},
           {"SU(2)", "sym(4, vector)", {1}, {2, 3}},
           {"SU(2)", "sym(5, vector)", binomial_like(18), {4, 8, 12}},
           {"SU(2)", "sym(6, vector)", binomial_like(15), {2, 4, 6, 10}},
           {"SU(2)", "sym(8, vector)", {1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1}, {2, 3, 4, 5, 6, 7}},
           {"SO(3)", "3*vector", {1, 0, 0, 1}, {2, 2, 2, 2, 2, 2}},
           {"O(3)", "2*vector", {1}, {2, 2, 2}},
           {"O(1,3)", "2*vector", {1}, {2, 2, 2}},
           {"O(4)", "vector", {1}, {2}},
           {"SU(3)", "adjoint", {1}, {2, 3}},
           {"Sp(4)", "adjoint", {1}, {2, 4}},
           {"SO(4)", "adjoint", {1}, {2, 2}},
           {"SU(3)", "sym(3, vector)", {1}, {4, 6}},
           {"Sp(4)", "4*vector", {1}, {2, 2, 2, 2, 2, 2}},
           {"SU(7)", "vector + dual(vector)", {}, {}},  // the Weyl group is large: no closed form
           {"U(1)", "vector", {1}, {}},
           {"GL(2)", "vector + dual(vector)", {1}, {2}},
       }) {
    CAPTURE(row.group, row.V);
    const MolienSeries s = series_of(row.group, row.V);
    CHECK(s.numerator == row.numerator);
    CHECK(s.degrees == row.degrees);
    if (row.numerator.empty()) {
      CHECK(s.coefficients == Numbers{1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1});
      continue;
    }
    CHECK(expanded(s, s.coefficients.size()) == s.coefficients);
  }
}

TEST_CASE("counts of polynomial maps, degree by degree and all at once", "[classical][quick]") {
  struct Row {
    const char *group, *V, *W;
  };
  for (const Row& row : std::vector<Row>{
           {"SO(3)", "vector + harmonic(2)", "vector"},
           {"O(3)", "vector + harmonic(2)", "det * vector"},
           {"O(3)", "2*vector", "harmonic(3)"},
           {"SO(2)", "vector + harmonic(3)", "harmonic(2)"},
           {"O(2)", "vector + harmonic(2)", "det"},
           {"SU(2)", "vector + sym(3, vector)", "sym(2, vector)"},
           {"SO(4)", "vector + alt(2, vector)", "vector"},
           {"O(4)", "vector + alt(2, vector)", "det"},
           {"Sp(4)", "vector + alt(2, vector)", "vector"},
           {"SU(3)", "vector + dual(vector)", "adjoint"},
           {"U(2)", "vector + dual(vector)", "vector"},
           {"GL(2)", "vector*dual(vector)", "adjoint"},
           {"Spin(3)", "real(spinor)", "vector"},
           {"Spin(4)", "real(spinor)", "vector"},
           {"SO+(1,3)", "2*vector", "vector"},
           {"O(5)", "vector", "sym(2, vector)"},
       }) {
    CAPTURE(row.group, row.V, row.W);
    const ContinuousGroup G = parse_continuous_group(row.group);
    const auto V = parse_representation(G, row.V), W = parse_representation(G, row.W);
    const auto counts = polynomial_dimensions(V, W, 6);
    for (unsigned d = 2; d < 5; ++d) CHECK(counts[d] == continuous_hom_dimension(sym(d, V), W).dimension);
    const MolienSeries s = molien_series(V, W, 30);
    CHECK(std::equal(counts.begin(), counts.end(), s.coefficients.begin()));
    CHECK(polynomial_dimensions(V, W, 30) == s.coefficients);  // without the closed form
    CHECK_FALSE(s.numerator.empty());
    CHECK(expanded(s, 30) == s.coefficients);
  }
}

// Beyond the coefficients that the proof of a closed form looks at: the form is right for all others.
TEST_CASE("closed forms of random representations, far out", "[classical][quick]") {
  Rng rng = test_rng();
  const std::vector<std::pair<std::string, std::vector<std::string>>> groups{
      {"SO(2)", {"vector", "harmonic(2)", "harmonic(3)", "harmonic(5)", "trivial"}},
      {"O(2)", {"vector", "harmonic(2)", "harmonic(3)", "det", "trivial"}},
      {"SO(3)", {"vector", "harmonic(2)", "trivial"}},
      {"O(3)", {"vector", "harmonic(2)", "det", "det * vector"}},
      {"SU(2)", {"vector", "sym(2, vector)", "sym(3, vector)", "sym(4, vector)"}},
      {"S3 x O(2)", {"perm # vector", "std # harmonic(2)", "sign # det", "perm # trivial"}},
      {"C4 x SO(3)", {"trivial # vector", "regular # trivial"}},
      {"D4 x SO(2)", {"std # harmonic(2)", "sign # vector", "perm # trivial"}},
      {"O(2) x O(2)", {"vector # vector", "vector # trivial", "det # harmonic(2)"}},
      {"U(1)", {"vector", "dual(vector)", "vector^2", "dual(vector)^3"}}};
  std::size_t closed = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const auto& [group, leaves] = groups[rng.below(groups.size())];
    std::string V = leaves[rng.below(leaves.size())];
    for (std::uint64_t more = rng.below(3); more > 0; --more) V += " + " + leaves[rng.below(leaves.size())];
    const std::string W = leaves[rng.below(leaves.size())];
    CAPTURE(group, V, W);
    const ContinuousGroup G = parse_continuous_group(group);
    const auto source = parse_representation(G, V), target = parse_representation(G, W);
    const std::size_t count = G.name() == "O(2) x O(2)" ? 60 : 150;
    const MolienSeries s = molien_series(source, target, count);
    CHECK(s.coefficients == polynomial_dimensions(source, target, count));
    if (s.numerator.empty()) continue;
    ++closed;
    CHECK(expanded(s, count) == s.coefficients);
  }
  CHECK(closed > 20);
}

TEST_CASE("finite factors", "[classical][quick]") {
  // A finite group beside one that does nothing: the closed form of Molien's formula for it.
  for (const auto& [group, rep] : std::vector<std::pair<std::string, std::string>>{
           {"S4", "perm"}, {"D5", "perm"}, {"C3", "regular"}, {"Q8", "regular"}, {"Oh", "coordinates"}}) {
    CAPTURE(group, rep);
    const FiniteGroup G = parse_finite_group(group);
    const CharacterTable table = character_table(G);
    const MolienSeries finite = molien_series(character_of(parse_representation(G, rep), table),
                                              ClassFunction::irreducible(table, 0), 20),
                       beside = series_of(group + " x SO(3)", rep + " # trivial", "trivial", 20);
    CHECK(beside.coefficients == finite.coefficients);
    CHECK(expanded(beside, 60) == expanded(finite, 60));
  }
  // Clouds of points: invariants of degree 2 are the |x_i|^2 and <x_i, x_j>, 2 of them up to order; maps to one vector of degree 1 the sum.
  CHECK(series_of("S9 x O(3)", "2*trivial", "trivial", 3).coefficients == Numbers{1, 2, 3});
  CHECK(series_of("S5 x O(3)", "perm # vector").coefficients[2] == 2);
  // The sum of the vectors; of degree 3 <x_i, x_j> x_k with i = j = k, i = j, i = k, and all different.
  const MolienSeries sums = series_of("S5 x O(3)", "perm # vector", "trivial # vector");
  CHECK((sums.coefficients[1] == 1 && sums.coefficients[2] == 0 && sums.coefficients[3] == 4));
  // Weyl: O(3) first, S_2 then: symmetric functions of two vectors: <x,x>, <x,y>, <y,y> with x and y exchanged.
  const MolienSeries pair = series_of("S2 x O(3)", "perm # vector");
  CHECK((pair.numerator == Numbers{1} && pair.degrees == Degrees{2, 2, 4}));
  CHECK(series_of("O(2) x O(2)", "vector # vector").degrees == Degrees{2, 4});
}

// Traces that are not rational, of V, of W, of both: Molien's formula for the finite group, dimensions of Hom degree by degree, and one factor for two.
TEST_CASE("series with finite factors over number fields", "[classical][quick]") {
  struct Row {
    const char *group, *V;
    std::size_t W;
  };
  for (const Row& row : std::vector<Row>{{"A5", "irrep(2)", 1},
                                         {"A5", "irrep(2)", 3},
                                         {"A5", "irrep(2) + irrep(3)", 2},
                                         {"A5", "irrep(4)", 2},
                                         {"C3", "irrep(2)", 1},
                                         {"C3", "irrep(2)", 3},
                                         {"C5", "2*irrep(2) + irrep(4)", 3},
                                         {"C4", "irrep(3) + irrep(2)", 1},
                                         {"SL(2,3)", "irrep(5)", 6},
                                         {"D5", "irrep(3)", 4}}) {
    CAPTURE(row.group, row.V, row.W);
    const FiniteGroup G = parse_finite_group(row.group);
    const CharacterTable table = character_table(G);
    const MolienSeries finite = molien_series(character_of(parse_representation(G, row.V), table),
                                              ClassFunction::irreducible(table, row.W - 1), 20);
    const auto beside = series_of(row.group + std::string(" x SO(3)"), "(" + std::string(row.V) + ") # trivial",
                                  "irrep(" + std::to_string(row.W) + ") # trivial", 20);
    CHECK(beside.coefficients == finite.coefficients);
    CHECK(Numbers(20, 0) != finite.coefficients);
  }
  const MolienSeries apart = series_of("A5 x SO(3)", "irrep(2)#vector + irrep(3)#vector"),
                     together = series_of("A5 x SO(3)", "(irrep(2) + irrep(3))#vector");
  CHECK((apart.coefficients == together.coefficients && apart.degrees == together.degrees));
  CHECK(apart.coefficients[2] == 2);
  // |x|^2 to the power 3: the invariants of C3 among the powers of the one of SO(3), and of O(2).
  const Numbers sixth{1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1};
  CHECK(series_of("C3 x SO(3)", "irrep(2) # vector").coefficients == sixth);
  CHECK(series_of("C3 x O(2)", "irrep(2) # vector").coefficients == sixth);
  CHECK(series_of("C3 x SO(3)", "irrep(2) # vector", "irrep(3) # trivial").coefficients ==
        Numbers{0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0});  // w^2 |x|^2
  for (const auto& [group, source, target] : std::vector<std::array<std::string, 3>>{
           {"A5 x SO(3)", "irrep(2) # vector", "irrep(3) # vector"},
           {"C3 x O(2)", "irrep(2) # vector + irrep(3) # det", "irrep(2) # harmonic(2)"},
           {"C4 x SO(3) x C3", "irrep(3) # vector # irrep(2)", "trivial # harmonic(2) # irrep(3)"}}) {
    CAPTURE(group, source, target);
    const ContinuousGroup G = parse_continuous_group(group);
    const auto V = parse_representation(G, source), W = parse_representation(G, target);
    const auto counts = polynomial_dimensions(V, W, 4);
    for (unsigned d = 2; d < 4; ++d) CHECK(counts[d] == continuous_hom_dimension(sym(d, V), W).dimension);
  }
}

TEST_CASE("what a series of a continuous group refuses", "[classical][quick]") {
  const auto SO3 = parse_continuous_group("SO(3)"), O3 = parse_continuous_group("O(3)");
  CHECK_THROWS_AS(molien_series(natural_representation(SO3), natural_representation(O3), 4), DomainError);
  // Beyond machine words: refused with the degree, and quickly.
  const auto SU20 = parse_continuous_group("SU(20)");
  CHECK_THROWS_AS(polynomial_dimensions(sym(2, natural_representation(SU20)), trivial_representation(SU20), 100),
                  LimitError);
  CHECK(series_of("SO(3)", "0*vector").coefficients[0] == 1);
  CHECK_THROWS_AS(series_of("SO(3)", "vector", "trivial", 100'001), LimitError);
  // Far out by the closed form.
  CHECK(series_of("SO(3)", "vector", "trivial", 99'999).coefficients.back() == 1);
  CHECK(series_of("O(3)", "2*vector", "trivial", 99'999).coefficients.back() == binomial(50'001, 2));
}
