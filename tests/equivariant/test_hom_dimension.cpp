#include "intertwine/equivariant/hom_dimension.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "support/linear_algebra.hpp"
#include "support/random.hpp"
#include "support/representations.hpp"

using namespace intertwine;

namespace {

Representation perm(const FiniteGroup& G) { return natural_permutation_representation(G); }

}  // namespace

TEST_CASE("the routes agree with each other and with a nullspace over Q", "[equivariant][quick]") {
  auto rng = test_rng();
  int signed_pairs = 0, zeros = 0;
  for (int trial = 0; trial < 400 * test_multiplier(); ++trial) {
    const FiniteGroup G = test_representations::random_group(rng);
    const Representation V = test_representations::random_representation(G, rng, 8),
                         U = test_representations::random_representation(G, rng, 8);
    CAPTURE(trial, G.name(), V.to_string(), U.to_string());
    const Integer expected =
        test_algebra::hom_dimension(U.dimension(), V.dimension(), U.generator_images(), V.generator_images());
    REQUIRE(hom_dimension_by_elements(V, U) == expected);
    REQUIRE(hom_dimension_by_stabilizers(V, U) == expected);
    REQUIRE(hom_dimension_by_stabilizers(U, V) == expected);
    REQUIRE(hom_dimension(V, U).dimension == expected);
    signed_pairs += V.is_permutation() && U.is_permutation() ? 0 : 1;
    zeros += expected == 0 ? 1 : 0;
  }
  REQUIRE(signed_pairs > 20);
  REQUIRE(zeros > 2);
}

TEST_CASE("larger representations: elements against stabilizers", "[equivariant][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 200 * test_multiplier(); ++trial) {
    const FiniteGroup G = test_representations::random_group(rng);
    const Representation V = test_representations::random_representation(G, rng, 200),
                         U = test_representations::random_representation(G, rng, 200);
    CAPTURE(trial, G.name(), V.to_string(), U.to_string());
    REQUIRE(hom_dimension_by_elements(V, U) == hom_dimension_by_stabilizers(V, U));
  }
}

// dim Hom(perm^a, perm^b) over S_n is the number of set partitions of a + b points into at most n blocks [Jones 1994].
TEST_CASE("tensor powers of S_n count set partitions", "[equivariant][quick]") {
  const Integer bell[] = {1, 1, 2, 5, 15, 52, 203};
  for (const std::size_t n : {8U, 9U, 12U}) {
    const FiniteGroup G = symmetric_group(n);
    for (unsigned a = 0; a <= 3; ++a)
      for (unsigned b = 0; b <= 3; ++b) {
        const Representation V = tensor_power(perm(G), a), U = tensor_power(perm(G), b);
        CAPTURE(n, a, b);
        REQUIRE(hom_dimension_by_cycle_types(V, U) == bell[a + b]);
        if (n == 9 && a + b <= 4) REQUIRE(hom_dimension_by_stabilizers(V, U) == bell[a + b]);
        if (n == 8 && a + b == 4) REQUIRE(hom_dimension_by_elements(V, U) == bell[a + b]);
      }
  }
  // At most n blocks: Stirling numbers 1 + 31 + 90 of six points for n = 3, 1 + 7 of four points for n = 2.
  REQUIRE(
      hom_dimension(tensor_power(perm(symmetric_group(3)), 3), tensor_power(perm(symmetric_group(3)), 3)).dimension ==
      122);
  REQUIRE(
      hom_dimension(tensor_power(perm(symmetric_group(2)), 2), tensor_power(perm(symmetric_group(2)), 2)).dimension ==
      8);
  // S_100 and A_100 are out of reach of the elements.
  for (const FiniteGroup& G : {symmetric_group(100), alternating_group(100)}) {
    const auto counted = hom_dimension(tensor_power(perm(G), 2), perm(G));
    REQUIRE(counted.dimension == 5);
    REQUIRE(counted.route == "stabilizer-chain");
  }
}

TEST_CASE("known dimensions", "[equivariant][quick]") {
  const FiniteGroup M24 = sporadic_group("M24"), M12 = sporadic_group("M12");
  REQUIRE(hom_dimension_by_stabilizers(perm(M24), perm(M24)) == 2);
  // 5-transitive: as for S_24 up to five points.
  REQUIRE(hom_dimension_by_stabilizers(tensor_power(perm(M24), 2), tensor_power(perm(M24), 3)) == 52);
  REQUIRE(hom_dimension_by_stabilizers(tensor_power(perm(M12), 2), tensor_power(perm(M12), 2)) == 15);
  // The 759 octads have permutation rank 4 (intersections 0, 2, 4, 8) [Conway & Sloane 1999, ch. 11].
  const Representation octads = set_orbit_action(M24, {0, 1, 2, 3, 4, 7, 10, 12});
  REQUIRE(octads.dimension() == 759);
  REQUIRE(hom_dimension(octads, octads).dimension == 4);
  // Johnson schemes: k-subsets against l-subsets of n points have min(k, l) + 1 orbits.
  const FiniteGroup S9 = symmetric_group(9);
  REQUIRE(hom_dimension(subset_action(S9, 3), subset_action(S9, 4)).dimension == 4);
  REQUIRE(hom_dimension(subset_action(S9, 3), subset_action(S9, 4)).route == "burnside-cycle-types");
  REQUIRE(hom_dimension(sign_representation(S9), perm(S9)).dimension == 0);
  REQUIRE(hom_dimension(alt(2, perm(S9)), alt(2, perm(S9))).dimension == 2);
  // Everything occurs in the regular representation dim times.
  const FiniteGroup D5 = dihedral_group(5);
  REQUIRE(hom_dimension(regular_representation(D5), tensor_power(perm(D5), 3)).dimension == 125);
  REQUIRE(hom_dimension_by_stabilizers(regular_representation(D5), sign_representation(D5)) == 1);
  // The trivial group: every matrix.
  const FiniteGroup trivial(5, {});
  REQUIRE(hom_dimension_by_stabilizers(perm(trivial), 3 * perm(trivial)) == 75);
  REQUIRE(hom_dimension_by_elements(perm(trivial), 3 * perm(trivial)) == 75);
  // Nothing at all.
  REQUIRE(hom_dimension_by_stabilizers(0 * perm(D5), perm(D5)) == 0);
  REQUIRE(hom_dimension_by_elements(0 * perm(D5), perm(D5)) == 0);
}

TEST_CASE("dimensions that make no sense are refused, long work stops", "[equivariant][quick]") {
  const FiniteGroup S4 = symmetric_group(4), S5 = symmetric_group(5), A9 = alternating_group(9),
                    S9 = symmetric_group(9);
  REQUIRE_THROWS_AS(hom_dimension(perm(S4), perm(S5)), DomainError);
  REQUIRE_THROWS_AS(hom_dimension_by_elements(perm(S4), perm(S5)), DomainError);
  REQUIRE_THROWS_AS(hom_dimension_by_stabilizers(perm(S4), perm(S5)), DomainError);
  REQUIRE_THROWS_AS(hom_dimension_by_cycle_types(perm(S4), perm(S5)), DomainError);
  REQUIRE_THROWS_AS(hom_dimension_by_cycle_types(perm(S4), perm(S4)), DomainError);
  REQUIRE_THROWS_AS(hom_dimension_by_cycle_types(perm(A9), perm(A9)), DomainError);
  // 10^12 basis vectors; the cycle types need none of them.
  const FiniteGroup S100 = symmetric_group(100), S10 = symmetric_group(10);
  REQUIRE_THROWS_AS(hom_dimension(tensor_power(perm(S100), 6), perm(S100)), LimitError);
  REQUIRE_THROWS_AS(hom_dimension_by_stabilizers(tensor_power(perm(S100), 3), perm(S100), Task(1 << 20, 0, {})),
                    LimitError);
  REQUIRE(hom_dimension(tensor_power(perm(S10), 6), tensor_power(perm(S10), 4)).dimension == 115975);
  const Task cancelled(0, 0, {});
  cancelled.cancel();
  REQUIRE_THROWS_AS(hom_dimension_by_elements(perm(S9), perm(S9), cancelled), Interrupted);
  REQUIRE_THROWS_AS(hom_dimension_by_cycle_types(perm(S9), perm(S9), cancelled), Interrupted);
  REQUIRE_THROWS_AS(hom_dimension_by_stabilizers(perm(S9), perm(S9), cancelled), Interrupted);
}
