// Equivariant polynomial maps of continuous groups: classical invariants, counts, and proofs that can fail.
#include "intertwine/classical/continuous_polynomials.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/equivariant/polynomial_maps.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/polynomial_maps_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"

using namespace intertwine;

namespace {

ContinuousRepresentation rep(const char* group, const std::string& text) {
  return parse_representation(parse_continuous_group(group), text);
}

ContinuousPolynomialMaps maps(const char* group, const char* in, const char* out, unsigned degree) {
  return polynomial_maps(rep(group, in), rep(group, out), degree);
}

}  // namespace

TEST_CASE("classical invariants and covariants", "[continuous_polynomials][quick]") {
  const auto only = [](const char* group, const char* in, const char* out, unsigned degree, std::uint64_t output) {
    const ContinuousPolynomialMaps F = maps(group, in, out, degree);
    REQUIRE(F.maps.size() == 1);
    verify(F);
    return F.coordinate(0, output);
  };
  CHECK(only("SO(3)", "vector", "trivial", 2, 0) == "x1^2 + x2^2 + x3^2");
  CHECK(only("SO(3)", "vector", "vector", 3, 1) == "x1^2*x2 + x2^3 + x2*x3^2");
  CHECK(only("SO+(1,3)", "vector", "trivial", 2, 0) == "x1^2 - x2^2 - x3^2 - x4^2");
  CHECK(only("SO(3)", "2*vector", "vector", 2, 0) == "x2*x6 - x3*x5");  // the vector product
  CHECK(only("SO(3)", "3*vector", "trivial", 3, 0) ==                   // the determinant
        "x1*x5*x9 - x1*x6*x8 - x2*x4*x9 + x2*x6*x7 + x3*x4*x8 - x3*x5*x7");
  CHECK(only("Sp(2)", "2*vector", "trivial", 2, 0) == "x1*x4 - x2*x3");
  CHECK(only("SL(2)", "sym(2, vector)", "trivial", 2, 0) == "4*x1*x3 - x2^2");
  // the discriminant of a binary cubic, -27 a^2 d^2 + 18 a b c d - 4 a c^3 - 4 b^3 d + b^2 c^2
  CHECK(only("SU(2)", "sym(3, vector)", "trivial", 4, 0) ==
        "27*x1^2*x4^2 - 18*x1*x2*x3*x4 + 4*x1*x3^3 + 4*x2^3*x4 - x2^2*x3^2");
  CHECK(only("SO(3)", "vector", "trivial", 0, 0) == "1");
  CHECK(maps("S3 x SO(3)", "perm # vector", "perm # vector", 0).maps.empty());
  CHECK(maps("S3 x SO(3)", "perm # vector", "perm # vector", 1).maps.size() == 2);
}

TEST_CASE("polynomial maps over products of groups", "[continuous_polynomials][quick]") {
  // Clouds of points: the |x_i|^2 and the <x_i, x_j>.
  const ContinuousPolynomialMaps cloud = maps("S3 x O(3)", "perm # vector", "trivial", 2);
  verify(cloud);
  REQUIRE(cloud.maps.size() == 2);
  CHECK(cloud.coordinate(0, 0) == "x1^2 + x2^2 + x3^2 + x4^2 + x5^2 + x6^2 + x7^2 + x8^2 + x9^2");
  CHECK(cloud.coordinate(1, 0) == "x1*x4 + x1*x7 + x2*x5 + x2*x8 + x3*x6 + x3*x9 + x4*x7 + x5*x8 + x6*x9");
  // A matrix under turns of its rows and of its columns: the determinant.
  const ContinuousPolynomialMaps det = maps("SO(2) x SO(2)", "vector # vector", "trivial", 2);
  verify(det);
  REQUIRE(det.maps.size() == 2);
  CHECK(det.coordinate(1, 0) == "x1*x4 - x2*x3");
  CHECK(maps("SO(3) x SO(3)", "vector # vector", "trivial", 3).coordinate(0, 0) ==
        "x1*x5*x9 - x1*x6*x8 - x2*x4*x9 + x2*x6*x7 + x3*x4*x8 - x3*x5*x7");
  // A finite group beside one that does nothing: as many as without it.
  const FiniteGroup S4 = symmetric_group(4);
  const Representation perm = parse_representation(S4, "perm"), chosen = parse_representation(S4, "std");
  for (unsigned d = 0; d <= 3; ++d) {
    const ContinuousPolynomialMaps F = maps("S4 x SO(3)", "perm # trivial", "std # trivial", d);
    verify(F);
    CHECK(F.maps.size() == polynomial_maps(perm, chosen, d).maps.size());
  }
  // Sums, copies, signs of components, and files.
  for (const auto& [group, in, out, degree] : std::vector<std::tuple<const char*, const char*, const char*, unsigned>>{
           {"S3 x O(3)", "perm # vector + 2*(perm # trivial)", "trivial # vector", 2},
           {"S3 x O(3)", "perm # vector", "perm # vector", 3},
           {"O(2) x O(2)", "vector # vector", "det # det", 2},
           {"S2 x SU(2)", "perm # vector", "sign # trivial", 2},
           {"SO(3) x S2", "vector # perm", "vector # sign", 2},
           {"C3 x O(1,3)", "regular # vector", "regular # trivial", 2}}) {
    CAPTURE(group, in, out, degree);
    const ContinuousPolynomialMaps F = maps(group, in, out, degree);
    verify(F);
    CHECK(Integer(F.maps.size()) == polynomial_dimension(F.source, F.target, degree));
    CHECK_FALSE(F.maps.empty());
    const auto again = std::get<ContinuousPolynomialMaps>(parse_polynomial_maps(to_json(record(F)), "written"));
    CHECK((again.maps == F.maps && again.source == F.source));
    verify(again);
  }
}

TEST_CASE("how many there are", "[continuous_polynomials][quick]") {
  const auto count = [](const char* group, const char* in, const char* out, unsigned degree) {
    return polynomial_dimension(rep(group, in), rep(group, out), degree);
  };
  CHECK(maps("O(3)", "2*vector", "trivial", 3).maps.empty());  // an improper rotation changes the sign
  CHECK(maps("O(3)", "3*vector", "det", 3).maps.size() == 1);
  CHECK(maps("SO(3)", "vector", "vector", 2).maps.empty());
  // Binary quintics have invariants of degrees 4, 8, 12 and 18 (Sylvester).
  for (const unsigned d : {1U, 2U, 3U, 5U, 6U, 7U}) CHECK(count("SL(2)", "sym(5, vector)", "trivial", d) == 0);
  CHECK(count("SL(2)", "sym(5, vector)", "trivial", 4) == 1);
  CHECK(count("SL(2)", "sym(5, vector)", "trivial", 8) == 2);
  // Invariants of n vectors under O(3) are polynomials in the n (n + 1) / 2 products, without relations for n <= 3.
  const std::vector<int> of_two{1, 0, 3, 0, 6, 0, 10}, of_three{1, 0, 6, 0, 21, 0, 56};
  for (unsigned d = 0; d < of_two.size(); ++d) {
    CHECK(count("O(3)", "2*vector", "trivial", d) == of_two[d]);
    CHECK(count("O(3)", "3*vector", "trivial", d) == of_three[d]);
  }
  // A sum is taken apart; its symmetric power as a whole is the same.
  for (const char* text : {"vector + harmonic(2)", "2*vector + trivial", "2*(vector + trivial)"}) {
    CAPTURE(text);
    const auto V = rep("SO(3)", text), W = rep("SO(3)", "vector + 2*trivial");
    for (unsigned d = 1; d <= 3; ++d) {
      const ContinuousPolynomialMaps F = polynomial_maps(V, W, d);
      CHECK(continuous_hom_dimension(sym(d, V), W).dimension == F.maps.size());
      CHECK(polynomial_dimension(V, W, d) == F.maps.size());
      verify(F);
    }
  }
  CHECK(polynomial_maps(rep("SO(3)", "vector + vector"), rep("SO(3)", "trivial"), 2).maps ==
        polynomial_maps(rep("SO(3)", "2*vector"), rep("SO(3)", "trivial"), 2).maps);
}

TEST_CASE("written and read, and false maps are refused", "[continuous_polynomials][quick]") {
  const ContinuousPolynomialMaps good = maps("O(3)", "vector + harmonic(2)", "vector", 2);
  const auto again = std::get<ContinuousPolynomialMaps>(parse_polynomial_maps(to_json(record(good)), "written"));
  CHECK(again.maps == good.maps);
  CHECK(again.monomials == good.monomials);
  CHECK(again.source == good.source);
  verify(again);
  const auto refused = [&](const char* says, const auto& change) {
    ContinuousPolynomialMaps F = good;
    change(F);
    CHECK_THROWS_WITH(verify(F), Catch::Contains(says));
  };
  refused("does not commute with generator 1 of the Lie algebra of O(3)",
          [](auto& F) { F.maps[0].back().coefficient += 1; });
  refused("characters count 1 maps, but there are 0", [](auto& F) {
    F.maps.clear();
    F.monomials.clear();
  });
  refused("the variables", [](auto& F) { F.variables = 9; });
  // The cross product is a map of SO(3), but of O(3) to pseudovectors only.
  ContinuousPolynomialMaps cross = maps("O(3)", "2*vector", "det*vector", 2);
  verify(cross);
  cross.target = rep("O(3)", "vector");
  CHECK_THROWS_WITH(verify(cross), Catch::Contains("does not commute with component 1 of O(3)"));
  CHECK_THROWS_AS(polynomial_maps(rep("SO(3)", "vector"), rep("O(3)", "vector"), 2), DomainError);
  CHECK_THROWS_AS(maps("SO(3)", "vector^4", "trivial", 3), LimitError);
  CHECK_THROWS_AS(maps("SO(2)", "100000*trivial", "trivial", 2), LimitError);
}
