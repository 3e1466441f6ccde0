#include "intertwine/classical/compact_clebsch_gordan.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/continuous_expression.hpp"

using namespace intertwine;

namespace {

ContinuousRepresentation rep(const std::string& group, const std::string& text) {
  return parse_representation(parse_continuous_group(group), text);
}

std::vector<std::pair<std::size_t, std::vector<int>>> parts_of(const CompactClebschGordan& answer) {
  std::vector<std::pair<std::size_t, std::vector<int>>> out;
  for (const auto& part : answer.constituents) out.emplace_back(part.form.rows(), part.symmetries);
  return out;
}

}  // namespace

// Gell-Mann: 8 x 8 = 27 + 10 + 10* + 8 + 8 + 1; symmetric are 27, one 8 (the d of SU(3)) and 1.
TEST_CASE("the product of two octets of SU(3) is made explicit", "[classical][quick]") {
  const ContinuousGroup G = parse_continuous_group("SU(3)");
  const CompactClebschGordan answer = clebsch_gordan(G, Partition({2, 1}), Partition({2, 1}));
  std::size_t dimension = 0;
  for (const auto& part : answer.constituents) {
    dimension += part.form.rows() * part.maps.size();
    const std::size_t d = part.form.rows();
    CHECK(part.symmetries == (d == 8 ? std::vector<int>{1, -1} : d == 10 ? std::vector<int>{-1} : std::vector<int>{1}));
  }
  CHECK(dimension == 64);
  CHECK_NOTHROW(verify(answer));
  const CompactClebschGordan one = clebsch_gordan(G, Partition({2, 1}), Partition({2, 1}), Partition({3, 2, 1}));
  REQUIRE(one.constituents.size() == 1);  // the column of three boxes is dropped
  CHECK(one.constituents[0].maps.size() == 2);

  CompactClebschGordan broken = one;
  broken.constituents[0].maps[0] = broken.constituents[0].maps[0] + broken.constituents[0].maps[1];
  CHECK_THROWS_AS(verify(broken), VerificationError);
  broken = one;
  broken.constituents[0].norms[1] = 2 * broken.constituents[0].norms[1];
  CHECK_THROWS_WITH(verify(broken), Catch::Contains("not orthogonal with the norms stated"));
  broken.constituents[0].maps[1] =
      broken.constituents[0].maps[1].select_cols(std::vector<std::size_t>{1, 0, 2, 3, 4, 5, 6, 7});
  CHECK_THROWS_WITH(verify(broken), Catch::Contains("does not commute with generator"));
}

TEST_CASE("other groups, by shapes and by representations", "[classical][quick]") {
  const auto sizes = [](const std::string& group, Partition a, Partition b) {
    return parts_of(clebsch_gordan(parse_continuous_group(group), a, b));
  };
  using Parts = std::vector<std::pair<std::size_t, std::vector<int>>>;
  CHECK(sizes("U(2)", {2}, {1}) == Parts{{4, {0}}, {2, {0}}});
  CHECK(sizes("SU(3)", {1}, {1, 1}) == Parts{{8, {0}}, {1, {0}}});
  CHECK(sizes("GL(3)", {1}, {1}) == Parts{{6, {1}}, {3, {-1}}});
  CHECK(parts_of(clebsch_gordan(rep("SO(4)", "vector"), rep("SO(4)", "vector"),
                                {rep("SO(4)", "harmonic(2)"), rep("SO(4)", "trivial")})) == Parts{{9, {1}}, {1, {1}}});
  CHECK(parts_of(clebsch_gordan(rep("O(3)", "vector"), rep("O(3)", "harmonic(2)"), {rep("O(3)", "harmonic(2)*det")})) ==
        Parts{{5, {0}}});
  CHECK(parts_of(clebsch_gordan(rep("Sp(4)", "vector"), rep("Sp(4)", "vector"),
                                {rep("Sp(4)", "trivial"), rep("Sp(4)", "sym(2, vector)")})) ==
        Parts{{1, {-1}}, {10, {1}}});
}

// The form of Sym^2 C^2 in monomials: x^2, xy, y^2 have the squares 1, 1/2, 1.
TEST_CASE("invariant forms are those of the compact groups", "[classical][quick]") {
  const Cyclotomic half(Rational(1, 2));
  CHECK(invariant_form(rep("SU(2)", "sym(2, vector)")) ==
        FieldMatrix(3, 3, std::vector<Cyclotomic>{1, 0, 0, 0, half, 0, 0, 0, 1}));
  CHECK(invariant_form(rep("SU(3)", "vector")) == FieldMatrix::identity(AbelianField(), 3));
  CHECK(invariant_form(rep("Sp(4)", "vector")) == FieldMatrix::identity(AbelianField(), 4));
  CHECK(invariant_form(rep("U(3)", "dual(vector)*det")) == FieldMatrix::identity(AbelianField(), 3));
}

TEST_CASE("what is not irreducible or not compact is refused", "[classical][quick]") {
  CHECK_THROWS_WITH(clebsch_gordan(rep("SO(3)", "vector^2"), rep("SO(3)", "vector"), {rep("SO(3)", "vector")}),
                    Catch::Contains("vector^2 is not irreducible"));
  CHECK_THROWS_WITH(clebsch_gordan(rep("SO(3)", "vector"), rep("SO(3)", "vector"), {rep("SO(3)", "harmonic(3)")}),
                    Catch::Contains("harmonic(3) is not in vector * vector"));
  CHECK_THROWS_WITH(invariant_form(rep("SO+(1,3)", "vector")), Catch::Contains("not for SO+(1,3)"));
  CHECK_THROWS_WITH(invariant_form(rep("S3 x SO(3)", "perm # vector")), Catch::Contains("not for S3 x SO(3)"));
  CHECK_THROWS_WITH(invariant_form(rep("SO(2)", "vector")),
                    Catch::Contains("not irreducible over the complex numbers"));
  CHECK_THROWS_WITH(clebsch_gordan(parse_continuous_group("SO(4)"), {1}, {1}), Catch::Contains("partitions name"));
  CHECK_THROWS_WITH(clebsch_gordan(parse_continuous_group("SU(2)"), {1, 1, 1}, {1}),
                    Catch::Contains("more than 2 rows"));
  CHECK_THROWS_AS(clebsch_gordan(rep("SO(3)", "vector"), rep("O(3)", "vector"), {rep("SO(3)", "vector")}), DomainError);
}
