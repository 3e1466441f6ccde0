#include "intertwine/equivariant/point_kernels.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"

using namespace intertwine;
using Catch::Contains;

namespace {

PointKernels point_kernels_of(const std::string& group, const std::string& in, const std::string& out, unsigned most) {
  const OrthogonalAction G = parse_orthogonal_action(group);
  return point_kernels(G, parse_representation(G.group(), in), parse_representation(G.group(), out), most);
}

/// The number of kernels of every degree.
std::vector<std::uint64_t> numbers_of(const PointKernels& kernels) {
  std::vector<std::uint64_t> out(kernels.most + 1);
  for (const auto& part : kernels.degrees) out[part.degree] = part.kernels.params();
  return out;
}

using Numbers = std::vector<std::uint64_t>;

}  // namespace

// The harmonic invariants: 1 / (1 - t^d) products without the factor of r^2, degrees of basic invariants as in Humphreys 1990, 3.7 (D_n: n; Oh: 4, 6;
// Ih: 6, 10; Td: 3, 4; W(F4): 6, 8, 12); of rotation groups with the product of all mirrors beside them (C_n: two of every multiple of n).
TEST_CASE("invariant functions are harmonic invariants of the known degrees", "[equivariant][quick]") {
  CHECK(numbers_of(point_kernels_of("R^2 : C4", "trivial", "trivial", 8)) == Numbers{1, 0, 0, 0, 2, 0, 0, 0, 2});
  CHECK(numbers_of(point_kernels_of("R^2 : D4", "trivial", "trivial", 8)) == Numbers{1, 0, 0, 0, 1, 0, 0, 0, 1});
  CHECK(numbers_of(point_kernels_of("R^2 : D3", "trivial", "trivial", 7)) == Numbers{1, 0, 0, 1, 0, 0, 1, 0});
  CHECK(numbers_of(point_kernels_of("R^2 : C1", "trivial", "trivial", 3)) == Numbers{1, 2, 2, 2});
  CHECK(numbers_of(point_kernels_of("R^2 : C2", "trivial", "trivial", 3)) == Numbers{1, 0, 2, 0});
  CHECK(numbers_of(point_kernels_of("R^2 : D1", "trivial", "trivial", 3)) == Numbers{1, 1, 1, 1});
  CHECK(numbers_of(point_kernels_of("R^2 : D2", "trivial", "trivial", 4)) == Numbers{1, 0, 1, 0, 1});
  CHECK(numbers_of(point_kernels_of("R^3 : Oh", "trivial", "trivial", 10)) == Numbers{1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1});
  CHECK(numbers_of(point_kernels_of("R^3 : O", "trivial", "trivial", 9)) == Numbers{1, 0, 0, 0, 1, 0, 1, 0, 1, 1});
  CHECK(numbers_of(point_kernels_of("R^3 : Td", "trivial", "trivial", 7)) == Numbers{1, 0, 0, 1, 1, 0, 1, 1});
  CHECK(numbers_of(point_kernels_of("R^4 : W(F4)", "trivial", "trivial", 6)) == Numbers{1, 0, 0, 0, 0, 0, 1});
}

TEST_CASE("the invariants of degree 4 are those of the square and the cube", "[equivariant][quick]") {
  const PointKernels square = point_kernels_of("R^2 : D4", "trivial", "trivial", 4);  // Re (x + iy)^4
  const SparseMatrix f = square.degrees[1].kernels[0];
  CHECK(f.entries().size() == 3);
  CHECK((f(0, 0) == 1 && f(2, 0) == -6 && f(4, 0) == 1));
  const PointKernels cube =
      point_kernels_of("R^3 : Oh", "trivial", "trivial", 4);  // x^4 + y^4 + z^4 - 3 (x^2 y^2 + ...)
  const SparseMatrix g = cube.degrees[1].kernels[0];
  REQUIRE(cube.degrees[1].monomials[0] == std::vector<unsigned>{4, 0, 0});
  REQUIRE(cube.degrees[1].monomials[3] == std::vector<unsigned>{2, 2, 0});
  CHECK((g.entries().size() == 6 && g(0, 0) == 1 && g(3, 0) == -3));
}

// Weiler & Cesa 2019, appendix F: between the irreducible fields of frequencies m and n over C_N the angular frequencies are those congruent to
// m - n and m + n modulo N, each with two kernels; over D_N with one.
TEST_CASE("kernels between irreducible fields of the plane have the frequencies of the angular selection rule",
          "[equivariant][quick]") {
  const auto expected = [](unsigned N, unsigned m, unsigned n, unsigned L, unsigned each) {
    std::uint64_t count = 0;
    for (const int s : {1, -1})  // kernels e^(i k phi) with k = n - s m modulo N, k = +L and -L
      for (const int sign : {1, -1}) {
        const int k = static_cast<int>(n) - s * static_cast<int>(m) - sign * static_cast<int>(L);
        if (k % static_cast<int>(N) == 0 && (L > 0 || sign == 1)) count += each;
      }
    return count;
  };
  for (const unsigned N : {5U, 8U})
    for (unsigned m = 1; m <= 2; ++m)
      for (unsigned n = 1; n <= 2; ++n) {
        const std::string in = "harmonic(" + std::to_string(m) + ")", out = "harmonic(" + std::to_string(n) + ")";
        const PointKernels turns = point_kernels_of("R^2 : C" + std::to_string(N), in, out, 6),
                           mirrors = point_kernels_of("R^2 : D" + std::to_string(N), in, out, 6);
        for (unsigned L = 0; L <= 6; ++L) {
          CAPTURE(N, m, n, L);
          CHECK(numbers_of(turns)[L] == expected(N, m, n, L, 2));
          CHECK(numbers_of(mirrors)[L] == expected(N, m, n, L, 1));
        }
      }
}

// A kernel on the sphere of finitely many frequencies: of regular fields all functions, |G| (2 L + 1) of degree L.
TEST_CASE("regular fields have as many kernels as there are functions", "[equivariant]") {
  CHECK(numbers_of(point_kernels_of("R^2 : D3", "regular", "regular", 3)) == Numbers{6, 12, 12, 12});
  CHECK(numbers_of(point_kernels_of("R^3 : T", "regular", "regular", 3)) == Numbers{12, 36, 60, 84});
  CHECK(numbers_of(point_kernels_of("R^3 : C2v", "perm", "trivial", 2)).size() == 3);
}

TEST_CASE("kernels of a subgroup contain those of the group, degree by degree", "[equivariant][quick]") {
  const auto whole = numbers_of(point_kernels_of("R^3 : Oh", "cartesian", "cartesian", 4)),
             part = numbers_of(point_kernels_of("R^3 : D4", "cartesian", "cartesian", 4));
  // SE(3) has one each of degrees 0 and 2 that reflections leave; more appear from degree 4 on.
  CHECK(whole == Numbers{1, 0, 2, 0, 4});
  for (std::size_t L = 0; L < whole.size(); ++L) CHECK(whole[L] <= part[L]);
}

TEST_CASE("fields over number fields and with multiplicities", "[equivariant][quick]") {
  const PointKernels kernels = point_kernels_of("R^2 : C3", "2*cartesian", "3*cartesian", 2);
  CHECK((kernels.params() == 6 && kernels.dimension() == 36));
  CHECK(kernels.channels.in == 2);
  CHECK(kernels.field().to_string() == "Q(sqrt(3))");
  const PointKernels complex = point_kernels_of("R^2 : C4", "irrep(3)", "trivial", 3);
  CHECK_FALSE(complex.field().is_real());
  CHECK(numbers_of(complex) == Numbers{0, 1, 0, 1});
  const PointKernels ico = point_kernels_of("R^3 : I", "trivial", "cartesian", 5);
  CHECK(numbers_of(ico) == Numbers{0, 1, 0, 0, 0, 1});  // T1 occurs in l = 1 and 5 (Altmann & Herzig 1994)
}

TEST_CASE("a representation says how space is turned", "[equivariant][quick]") {
  const PointKernels given = point_kernels_of("R^3 : S4 by sign*std", "trivial", "trivial", 9),
                     named = point_kernels_of("R^3 : O", "trivial", "trivial", 9);
  CHECK(numbers_of(given) == numbers_of(named));
  const OrthogonalAction plane = parse_orthogonal_action("R^2 : S3 by std"),
                         again = parse_orthogonal_action(plane.name());
  CHECK(plane.name() == "R^2 : S3 by std");
  CHECK(again.matrices().field_matrix(plane.group().generators()[0]) ==
        plane.matrices().field_matrix(plane.group().generators()[0]));
  CHECK(parse_orthogonal_action("R3:C4").group().order() == 4);
  CHECK(parse_orthogonal_action("\xe2\x84\x9d\xc2\xb2 \xe2\x8b\x8a D6").name() == "R^2 : D6");
  CHECK(parse_orthogonal_action("R^2 : C4v").group().order() == 8);
  CHECK_FALSE(names_orthogonal_action("S4"));
  CHECK_FALSE(names_orthogonal_action("Rubik(2)"));
}

TEST_CASE("changed kernels are found out", "[equivariant][quick]") {
  const PointKernels good = point_kernels_of("R^2 : D4", "cartesian", "cartesian", 3);
  REQUIRE_NOTHROW(verify(good));
  const auto says = [](const PointKernels& changed, const std::string& what) {
    REQUIRE_THROWS_AS(verify(changed), VerificationError);
    REQUIRE_THROWS_WITH(verify(changed), Contains(what));
  };
  PointKernels missing = good;
  missing.degrees.pop_back();
  says(missing, "characters count");
  PointKernels longer = good;
  longer.most = 5;
  says(longer, "characters count");
  PointKernels twice = good;
  auto elements = twice.degrees[1].kernels.elements();
  REQUIRE(elements.size() == 2);
  elements[1] = elements[0];
  twice.degrees[1].kernels = IntertwinerSpace(3, 4, elements);
  says(twice, "dependent");
  PointKernels wrong = good;
  elements = good.degrees[1].kernels.elements();
  elements[0].value.set(0, 0, 7);
  wrong.degrees[1].kernels = IntertwinerSpace(3, 4, elements);
  says(wrong, "not equivariant");
  // r^2 times a kernel of degree 0 is equivariant, and the same kernel on the circle.
  PointKernels square = good;
  IntertwinerSpace::Element radius;
  radius.place = {0, 3, 8, 11};
  radius.value = IntegerMatrix({{1, 1, 1, 1}});
  elements = good.degrees[1].kernels.elements();
  elements[0] = radius;
  square.degrees[1].kernels = IntertwinerSpace(3, 4, elements);
  says(square, "not harmonic");
  PointKernels turned = good;
  std::swap(turned.degrees[0], turned.degrees[1]);
  REQUIRE_THROWS_AS(verify(turned), VerificationError);
}

TEST_CASE("bad questions about kernels", "[equivariant][quick]") {
  const OrthogonalAction G = parse_orthogonal_action("R^2 : C4");
  const Representation V = trivial_representation(G.group()),
                       W = trivial_representation(parse_orthogonal_action("R^2 : C3").group());
  REQUIRE_THROWS_WITH(point_kernels(G, V, W, 2), Contains("take those of C4"));
  REQUIRE_THROWS_WITH(point_kernels(G, V, V, 1001), Contains("up to degree 1000"));
  REQUIRE_THROWS_WITH(parse_orthogonal_action("R^1 : C2"), Contains("from 2 to 16"));
  REQUIRE_THROWS_WITH(parse_orthogonal_action("R^2 : Oh"), Contains("write R^3 : Oh"));
  REQUIRE_THROWS_WITH(parse_orthogonal_action("R^3 : SO(3)"), Contains("has SE(n)"));
  REQUIRE_THROWS_WITH(parse_orthogonal_action("R^4 : Oh"), Contains("has 3 coordinates"));
  REQUIRE_THROWS_WITH(parse_orthogonal_action("R^2 : S4 by std"), Contains("dimension 3"));
  REQUIRE_THROWS_WITH(parse_orthogonal_action("R^3 : S5"), Contains("not defined by matrices"));
  REQUIRE_THROWS_AS(parse_orthogonal_action("R^3 : Foo"), ParseError);
  REQUIRE_THROWS_AS(parse_orthogonal_action("SO(3)"), ParseError);
  REQUIRE_THROWS_WITH(
      OrthogonalAction(parse_representation(parse_orthogonal_action("R^3 : D3").group(), "coordinates")),
      Contains("not by orthogonal matrices"));
}

TEST_CASE("harmonic polynomials stand for the basis of their representation", "[equivariant][quick]") {
  for (const std::size_t n : {2U, 3U, 4U})
    for (unsigned l = 0; l <= 5; ++l) {
      CAPTURE(n, l);
      const HarmonicPolynomials found = harmonic_polynomials(n, l);
      const std::uint64_t expected = n == 2 ? (l == 0 ? 1 : 2) : n == 3 ? 2 * l + 1 : std::uint64_t{l + 1} * (l + 1);
      CHECK(found.basis.rows() == expected);
      for (std::size_t i = 0; i < found.basis.rows(); ++i) {
        std::map<std::vector<unsigned>, Rational> sums;
        for (std::size_t a = 0; a < found.monomials.size(); ++a)
          for (std::size_t v = 0; v < n; ++v) {
            std::vector<unsigned> exponents = found.monomials[a];
            if (exponents[v] < 2) continue;
            const unsigned factor = exponents[v] * (exponents[v] - 1);
            exponents[v] -= 2;
            sums[exponents] += found.basis(i, a) * factor;
          }
        for (const auto& [exponents, sum] : sums) CHECK(sum == 0);
      }
    }
  REQUIRE_THROWS_AS(harmonic_polynomials(1, 2), DomainError);
  REQUIRE_THROWS_AS(harmonic_polynomials(16, 500), LimitError);
}
