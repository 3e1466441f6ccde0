#include "intertwine/groups/matrix_group.hpp"

#include <catch2/catch.hpp>

#include "groups/infinite_order.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "support/random.hpp"

using namespace intertwine;
using Catch::Contains;

namespace {

RationalMatrix random_unimodular(std::size_t n, Rng& rng) {
  IntegerMatrix U = IntegerMatrix::identity(n);
  for (std::size_t s = 0; n > 1 && s < 3 * n; ++s) {
    const std::size_t i = rng.below(n), j = (i + 1 + rng.below(n - 1)) % n;
    IntegerMatrix E = IntegerMatrix::identity(n);
    E.set(i, j, rng.below(2) == 0 ? 1L : -1L);
    U = U * E;
  }
  return U;
}

std::vector<RationalMatrix> conjugated(const std::vector<RationalMatrix>& list, const RationalMatrix& U) {
  std::vector<RationalMatrix> result;
  for (const RationalMatrix& A : list) result.push_back(U * A * inverse(U));
  return result;
}

std::string refusal(const std::vector<RationalMatrix>& generators) {
  try {
    static_cast<void>(rational_matrix_group(generators));
  } catch (const DomainError& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("matrix groups over Q have the known orders", "[groups][quick]") {
  const RationalMatrix turn3 = IntegerMatrix{{0, -1}, {1, -1}}, turn4 = IntegerMatrix{{0, -1}, {1, 0}},
                       swap = IntegerMatrix{{0, 1}, {1, 0}}, minus = IntegerMatrix{{-1}};
  REQUIRE(rational_matrix_group({turn3}).order() == 3);
  REQUIRE(rational_matrix_group({turn4, swap}).order() == 8);
  REQUIRE(rational_matrix_group({turn3, swap}).order() == 6);
  REQUIRE(rational_matrix_group({minus}).order() == 2);
  REQUIRE(rational_matrix_group({RationalMatrix::identity(3)}).order() == 1);
  REQUIRE(rational_matrix_group({}).order() == 1);
  REQUIRE(rational_matrix_group({RationalMatrix(0, 0)}).order() == 1);
  // Quaternion units on Z^4.
  const RationalMatrix i = IntegerMatrix{{0, -1, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, -1}, {0, 0, 1, 0}},
                       j = IntegerMatrix{{0, 0, -1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}, {0, -1, 0, 0}};
  const FiniteGroup Q8 = rational_matrix_group({i, j}, "Q8");
  REQUIRE(Q8.order() == 8);
  REQUIRE(Q8.name() == "Q8");
  REQUIRE(defining_matrices(Q8).size() == 2);
  REQUIRE(defining_matrices(symmetric_group(3)).empty());
}

TEST_CASE("Weyl groups as matrix groups, in random lattice bases too", "[groups][quick]") {
  auto rng = test_rng();
  // [Bourbaki, Lie groups and Lie algebras, ch. 6, plates I-IX]
  for (const auto& [type, rank, order] :
       std::vector<std::tuple<char, unsigned, Integer>>{{'A', 5, 720},
                                                        {'B', 4, 384},
                                                        {'D', 5, 1920},
                                                        {'G', 2, 12},
                                                        {'F', 4, 1152},
                                                        {'E', 6, 51840},
                                                        {'E', 7, 2903040},
                                                        {'E', 8, 696729600}}) {
    CAPTURE(type, rank);
    const auto matrices = defining_matrices(weyl_group(type, rank));
    REQUIRE(rational_matrix_group(matrices).order() == order);
    RationalMatrix U = random_unimodular(rank, rng);
    REQUIRE(rational_matrix_group(conjugated(matrices, U)).order() == order);
    // In a basis of different lengths the generators are not integral.
    std::vector<Rational> scales(std::size_t{rank} * rank);
    for (unsigned k = 0; k < rank; ++k) scales[k * (rank + 1)] = Rational(Integer(1 + rng.below(100)), 7);
    REQUIRE(rational_matrix_group(conjugated(matrices, U * RationalMatrix(rank, rank, scales))).order() ==
            order);
  }
}

TEST_CASE("the permutations of a matrix group multiply as the matrices do", "[groups][quick]") {
  auto rng = test_rng();
  const auto matrices = conjugated(defining_matrices(weyl_group('F', 4)), random_unimodular(4, rng));
  const FiniteGroup G = rational_matrix_group(matrices);
  // A word is trivial for the permutations exactly when it is for the matrices.
  for (int trial = 0; trial < 200; ++trial) {
    Permutation g = Permutation::identity(G.degree());
    RationalMatrix A = RationalMatrix::identity(4);
    for (std::uint64_t k = 1 + rng.below(6); k > 0; --k) {
      const std::size_t s = rng.below(4);
      g = g * G.generators()[s];
      A = A * matrices[s];
    }
    RationalMatrix power = A;
    Integer order = 1;
    for (; !(power == RationalMatrix::identity(4)); ++order) power = power * A;
    REQUIRE(g.order() == order);
  }
}

TEST_CASE("infinite matrix groups are refused with an element of infinite order", "[groups][quick]") {
  const RationalMatrix unipotent = IntegerMatrix{{1, 1}, {0, 1}}, quarter = IntegerMatrix{{0, -1}, {1, 0}},
                       sixth = IntegerMatrix{{0, 1}, {-1, 1}};
  REQUIRE_THAT(refusal({unipotent}), Contains("the group is infinite: a has infinite order"));
  // SL(2, Z): generated by elements of order 4 and 6.
  REQUIRE_THAT(refusal({quarter, sixth}), Contains("the group is infinite: a*b"));
  REQUIRE(refusal({quarter}) == "accepted");
  REQUIRE(refusal({sixth}) == "accepted");
  REQUIRE_THAT(refusal({RationalMatrix(IntegerMatrix{{2}})}), Contains("infinite"));
  REQUIRE_THAT(refusal({RationalMatrix(IntegerMatrix{{1, 0}, {0, 2}}, 1), quarter}), Contains("infinite"));
  REQUIRE_THAT(refusal({RationalMatrix(IntegerMatrix{{2, 0}, {0, 1}}, 2)}), Contains("infinite"));
  // Infinite dihedral group: two reflections.
  REQUIRE_THAT(refusal({IntegerMatrix{{1, 0}, {0, -1}}, IntegerMatrix{{1, 1}, {0, -1}}}), Contains("a*b"));
  // The plane group p6m with its translations as 3 x 3 matrices: every generator of finite order.
  const RationalMatrix turn = IntegerMatrix{{0, -1, 0}, {1, 1, 0}, {0, 0, 1}},
                       shifted = IntegerMatrix{{0, 1, 1}, {1, 0, 0}, {0, 0, 1}};
  REQUIRE_THAT(refusal({turn, shifted}), Contains("infinite order"));
  // Characteristic polynomial 5/3: (3 +- 4i)/5 is on the unit circle and no root of unity.
  REQUIRE_THAT(refusal({RationalMatrix(IntegerMatrix{{3, -4}, {4, 3}}, 5)}),
               Contains("a has infinite order"));
  // A unipotent block that only the fourth power shows.
  const RationalMatrix block = IntegerMatrix{{0, -1, 1, 0}, {1, 0, 0, 1}, {0, 0, 0, -1}, {0, 0, 1, 0}};
  REQUIRE_THAT(refusal({block}), Contains("a has infinite order"));
}

TEST_CASE("matrices that generate no group are refused", "[groups][quick]") {
  const RationalMatrix one = RationalMatrix::identity(2);
  REQUIRE_THAT(refusal({one, IntegerMatrix{{1, 1}, {1, 1}}}), Contains("generator 2 is singular"));
  REQUIRE_THAT(refusal({one, RationalMatrix(2, 3)}), Contains("not square"));
  REQUIRE_THAT(refusal({one, RationalMatrix::identity(3)}), Contains("generator 1 is 2 x 2"));
}

TEST_CASE("matrix groups over finite fields", "[groups][quick]") {
  using Matrices = std::vector<std::vector<std::vector<std::uint32_t>>>;
  REQUIRE(finite_field_matrix_group(2, Matrices{{{0, 1}, {1, 1}}, {{0, 1}, {1, 0}}}).order() == 6);
  REQUIRE(finite_field_matrix_group(3, Matrices{{{0, 2}, {1, 0}}, {{1, 1}, {0, 1}}}).order() ==
          24);  // SL(2,3)
  // GL(2,4): diag(w, 1), the transvection, the exchange of axes.
  const Matrices GL24{{{2, 0}, {0, 1}}, {{1, 1}, {0, 1}}, {{0, 1}, {1, 0}}};
  const FiniteGroup G = finite_field_matrix_group(4, GL24, "GL24");
  REQUIRE(G.order() == 180);
  REQUIRE(G.order() == general_linear_group(2, 4).order());
  REQUIRE(finite_field_matrix_group(5, Matrices{{{2}}}).order() == 4);
  REQUIRE(finite_field_matrix_group(7, {}).order() == 1);
  // GL(3,8) has order (8^3-1)(8^3-8)(8^3-64).
  REQUIRE(finite_field_matrix_group(8, Matrices{{{2, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                                {{1, 1, 0}, {0, 1, 0}, {0, 0, 1}},
                                                {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}})
              .order() == Integer(511) * 504 * 448);
  // A Singer cycle of GL(3,2) and its Frobenius: 7 : 3.
  REQUIRE(finite_field_matrix_group(
              2, Matrices{{{0, 0, 1}, {1, 0, 1}, {0, 1, 0}}, {{1, 0, 0}, {0, 0, 1}, {0, 1, 1}}})
              .order() == 21);
}

TEST_CASE("matrices over finite fields that are refused", "[groups][quick]") {
  using Matrices = std::vector<std::vector<std::vector<std::uint32_t>>>;
  REQUIRE_THROWS_WITH(finite_field_matrix_group(6, Matrices{{{1}}}), Contains("not a power of a prime"));
  REQUIRE_THROWS_WITH(finite_field_matrix_group(4, Matrices{{{4}}}), Contains("entry 4"));
  REQUIRE_THROWS_WITH(finite_field_matrix_group(3, Matrices{{{1, 1}, {2, 2}}}), Contains("singular"));
  REQUIRE_THROWS_WITH(finite_field_matrix_group(3, Matrices{{{1, 1}, {2}}}), Contains("not square"));
  REQUIRE_THROWS_WITH(finite_field_matrix_group(3, Matrices{{{1}}, {{1, 0}, {0, 1}}}),
                      Contains("has 2 rows"));
}

TEST_CASE("orders of elements decide as factorization does", "[groups][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 60 * test_multiplier(); ++trial) {
    const std::size_t d = 1 + rng.below(4);
    IntegerMatrix A(d, d);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j) A.set(i, j, static_cast<long>(rng.below(3)) - 1);
    if (rank(A) != d) continue;
    // The orders of elements of GL(4, Q) divide 5040 / 7 * 2 ... all are among 1..12, whose multiple is 27720.
    RationalMatrix power = RationalMatrix::identity(d);
    bool finite = false;
    for (int k = 1; k <= 12 && !finite; ++k) finite = (power = power * A) == RationalMatrix::identity(d);
    REQUIRE(InfiniteOrderSearch({A}, {}).run(1).has_value() == !finite);
  }
}
