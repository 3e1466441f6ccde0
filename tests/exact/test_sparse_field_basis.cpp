#include "intertwine/exact/field_matrix.hpp"

#include <catch2/catch.hpp>

#include "exact/random_field_matrix.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "support/random.hpp"

using namespace intertwine;
using test_exact::random_over;

TEST_CASE("sparse bases over number fields", "[exact][quick]") {
  auto rng = test_rng();
  for (const AbelianField& F : test_exact::some_fields()) {
    const std::size_t r = 1 + rng.below(3), n = r + 1 + rng.below(4);
    const FieldMatrix A = random_over(rng, F, r, n);
    CAPTURE(F.to_string(), A.to_string());
    if (matrix_rank(A) < r) continue;
    const FieldMatrix S = sparsify(A, {});
    REQUIRE(S.rows() == r);
    REQUIRE(S.coefficients().is_integral());
    REQUIRE(reduced_echelon(S).matrix == reduced_echelon(A).matrix);  // the same space
    for (std::size_t i = 0; i < r; ++i) REQUIRE(S.block(i, 0, 1, n).coefficients().numerator().content() == 1);
    REQUIRE(S == sparsify(A, {}));
    if (F.is_rational()) REQUIRE(S.coefficients().numerator() == sparsify(A.coefficients().numerator()));
    const FieldMatrix twice[] = {A, F.generator().is_zero() ? A : F.generator() * A};
    REQUIRE_THROWS_AS(sparsify(vertical_stack(twice), {}), DomainError);
  }
}

TEST_CASE("a hidden sparse basis over a field of degree ten is found again", "[exact][quick]") {
  // Two rows of roots of unity with disjoint supports, mixed by a matrix of determinant 1.
  const AbelianField F = AbelianField::cyclotomic(11);
  const Cyclotomic zeta = F.generator();
  std::vector<Cyclotomic> entries;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 12; ++j) entries.push_back(j % 2 == i ? zeta.power(j % 3) : Cyclotomic(0));
  const FieldMatrix hidden(2, 12, entries);
  const std::vector<Cyclotomic> mixing{1, zeta + Cyclotomic(2), zeta.power(3),
                                       zeta.power(4) + 2 * zeta.power(3) + Cyclotomic(1)};
  const FieldMatrix S = sparsify(FieldMatrix(2, 2, mixing) * hidden, {});
  std::size_t zeros = 0;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 12; ++j) zeros += S(i, j).is_zero();
  REQUIRE(zeros == 12);
  REQUIRE(S.height() == 1);
}

TEST_CASE("reduction by inner products alone", "[exact][quick]") {
  const IntegerMatrix B{{1, 0, 1000}, {0, 1, 3141}, {0, 0, 100000}};
  const IntegerMatrix T = gram_reduction(B * B.transpose());
  REQUIRE(abs(determinant(T)) == 1);
  REQUIRE((T * B).height() < 200);
  // In the form x^2 + 10^6 y^2 the unit vectors are reduced, whatever their order: the short one is first.
  REQUIRE(abs(gram_reduction(IntegerMatrix{{1000000, 0}, {0, 1}})(0, 1)) == 1);
  REQUIRE(gram_reduction(IntegerMatrix(0, 0)) == IntegerMatrix(0, 0));
}
