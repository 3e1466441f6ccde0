#include "intertwine/exact/field_matrix.hpp"

#include <catch2/catch.hpp>

#include "exact/random_field_matrix.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/field_traces.hpp"
#include "support/random.hpp"

using namespace intertwine;
using test_exact::random_over;
using test_exact::some_fields;

namespace {

/// The product entry by entry, in cyclotomic arithmetic: the oracle.
FieldMatrix product_by_entries(const FieldMatrix& A, const FieldMatrix& B) {
  std::vector<Cyclotomic> entries;
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < B.cols(); ++j) {
      Cyclotomic sum;
      for (std::size_t k = 0; k < A.cols(); ++k) sum += A(i, k) * B(k, j);
      entries.push_back(sum);
    }
  return {A.rows(), B.cols(), entries};
}

FieldMatrix random_any_field(Rng& rng, std::size_t rows, std::size_t cols) {
  const auto fields = some_fields();
  return random_over(rng, fields[rng.below(fields.size())], rows, cols);
}

bool is_unit_column(const FieldMatrix& A, std::size_t j, std::size_t i) {
  for (std::size_t k = 0; k < A.rows(); ++k)
    if (A(k, j) != Cyclotomic(k == i ? 1 : 0)) return false;
  return true;
}

}  // namespace

TEST_CASE("products and sums agree with arithmetic of the entries", "[exact][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 60 * test_multiplier(); ++trial) {
    const std::size_t a = rng.below(4), b = rng.below(4), c = rng.below(4);
    const FieldMatrix A = random_any_field(rng, a, b), B = random_any_field(rng, b, c);
    CAPTURE(trial, A.to_string(), B.to_string());
    const FieldMatrix P = A * B;
    REQUIRE(P == product_by_entries(A, B));
    REQUIRE(P.field() == AbelianField::compositum(A.field(), B.field()));
    const FieldMatrix by_strips = A.times(B, {});
    REQUIRE(by_strips == P);
    REQUIRE(by_strips.field() == P.field());
    const FieldMatrix C = random_any_field(rng, a, b), S = A + C, D = A - C;
    for (std::size_t i = 0; i < a; ++i)
      for (std::size_t j = 0; j < b; ++j) {
        REQUIRE(S(i, j) == A(i, j) + C(i, j));
        REQUIRE(D(i, j) == A(i, j) - C(i, j));
      }
    const FieldMatrix K = kronecker_product(A, B);
    REQUIRE(K.rows() == a * b);
    REQUIRE(K.cols() == b * c);
    for (std::size_t i = 0; i < K.rows(); ++i)
      for (std::size_t j = 0; j < K.cols(); ++j) REQUIRE(K(i, j) == A(i / b, j / c) * B(i % b, j % c));
  }
}

TEST_CASE("a long product is one of strips, and can be stopped", "[exact][quick]") {
  auto rng = test_rng();
  const std::size_t rows = 40, inner = 2100, cols = 2100;  // strips of one row to begin with
  IntegerMatrix a(rows, inner), b(inner, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < inner; k += 1 + rng.below(60)) a.set(i, k, static_cast<long>(rng.below(19)) - 9);
  for (std::size_t k = 0; k < inner; ++k)
    for (std::size_t j = 0; j < cols; j += 1 + rng.below(60)) b.set(k, j, static_cast<long>(rng.below(19)) - 9);
  const FieldMatrix A{RationalMatrix(a)}, B{RationalMatrix(b)};
  REQUIRE(A.times(B, {}) == FieldMatrix(RationalMatrix(a * b)));
  const Task stopped(0, 0, {});
  stopped.cancel();
  REQUIRE_THROWS_AS(A.times(B, stopped), Interrupted);
  REQUIRE_THROWS_AS(B.times(A, {}), DomainError);
}

// Large products are packed into integers, small ones are not: a product equals the sum over pieces of the inner side.
TEST_CASE("a product is the sum of the products of its pieces", "[exact][quick]") {
  auto rng = test_rng();
  for (const AbelianField& K :
       {AbelianField::cyclotomic(3), AbelianField::cyclotomic(9), AbelianField::cyclotomic(25)}) {
    CAPTURE(K.to_string());
    const std::size_t m = K.degree(), inner = 256 / m + 2, rows = 3, cols = 2;
    // Extreme coefficients of either sign beside zeros, one of them long.
    const auto matrix = [&](std::size_t r, std::size_t c) {
      IntegerMatrix A(r, m * c);
      for (std::size_t i = 0; i < r; ++i)
        for (std::size_t j = 0; j < m * c; ++j) {
          const std::uint64_t kind = rng.below(4);
          if (kind != 0) A.set(i, j, kind == 1 ? -255L : kind == 2 ? 255L : static_cast<long>(rng.below(511)) - 255L);
        }
      return A;
    };
    for (const bool extreme : {false, true}) {
      IntegerMatrix a = matrix(rows, inner), b = matrix(inner, cols);
      if (extreme)
        for (std::size_t j = 0; j < a.cols(); ++j) a.set(0, j, -(Integer(1) << 80));
      const FieldMatrix A(K, RationalMatrix(a), inner), B(K, RationalMatrix(b), cols);
      FieldMatrix sum(K, rows, cols);
      for (std::size_t k = 0; k < inner; ++k) {
        const FieldMatrix column = A.block(0, k, rows, 1), row = B.block(k, 0, 1, cols);
        sum = sum + FieldMatrix(product_by_entries(column, row)).over(K);
      }
      REQUIRE(A * B == sum);
    }
  }
}

TEST_CASE("ring axioms, transposes and scalars", "[exact][quick]") {
  auto rng = test_rng();
  for (const AbelianField& K : some_fields()) {
    CAPTURE(K.to_string());
    for (const std::size_t n : {1, 3, 7}) {
      const FieldMatrix A = random_over(rng, K, n, n), B = random_over(rng, K, n, n), C = random_over(rng, K, n, n);
      const FieldMatrix one = FieldMatrix::identity(K, n);
      REQUIRE(A * (B * C) == (A * B) * C);
      REQUIRE(A * (B + C) == A * B + A * C);
      REQUIRE((A + B) * C == A * C + B * C);
      REQUIRE(one * A == A);
      REQUIRE(A * one == A);
      REQUIRE((A - A).is_zero());
      REQUIRE((A * B).transpose() == B.transpose() * A.transpose());
      REQUIRE((A * B).trace() == (B * A).trace());
      const Cyclotomic c = K.element(test_exact::random_coordinates(rng, K.degree()));
      REQUIRE(c * (A * B) == (c * A) * B);
      REQUIRE((c * one).trace() == c * Cyclotomic(static_cast<long>(n)));
      for (const std::uint32_t k : K.automorphisms()) {
        REQUIRE((A * B).galois_conjugate(k) == A.galois_conjugate(k) * B.galois_conjugate(k));
        REQUIRE(A.galois_conjugate(k)(0, n - 1) == A(0, n - 1).galois_conjugate(k));
      }
      REQUIRE(A.conjugate().conjugate() == A);
      REQUIRE((A.conjugate() == A) == (A(0, 0).is_real() && A.conjugate() == A));
    }
  }
}

TEST_CASE("pieces, stacks and shapes hold the same entries", "[exact][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 20 * test_multiplier(); ++trial) {
    const FieldMatrix A = random_any_field(rng, 4, 3), B = random_any_field(rng, 2, 3), C = random_any_field(rng, 4, 2);
    CAPTURE(A.to_string(), B.to_string(), C.to_string());
    const FieldMatrix V = vertical_stack(std::vector{A, B}), H = horizontal_stack(std::vector{A, C}),
                      D = direct_sum(std::vector{A, B});
    REQUIRE(V.block(0, 0, 4, 3) == A);
    REQUIRE(V.block(4, 0, 2, 3) == B);
    REQUIRE(H.block(0, 0, 4, 3) == A);
    REQUIRE(H.block(0, 3, 4, 2) == C);
    REQUIRE(D.block(0, 0, 4, 3) == A);
    REQUIRE(D.block(4, 3, 2, 3) == B);
    REQUIRE(D.block(0, 3, 4, 3).is_zero());
    REQUIRE(D.block(4, 0, 2, 3).is_zero());
    const std::vector<std::size_t> chosen{2, 0, 2};
    const FieldMatrix rows = A.select_rows(chosen), cols = A.select_cols(chosen), flat = A.reshape(2, 6);
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t j = 0; j < 3; ++j) {
        REQUIRE(rows(k, j) == A(chosen[k], j));
        REQUIRE(cols(j, k) == A(j, chosen[k]));
      }
    for (std::size_t k = 0; k < 12; ++k) REQUIRE(flat(k / 6, k % 6) == A(k / 3, k % 3));
    REQUIRE(flat.reshape(4, 3) == A);
    std::vector<Cyclotomic> entries;
    for (std::size_t k = 0; k < 12; ++k) entries.push_back(A(k / 3, k % 3));
    const FieldMatrix again(4, 3, entries);
    REQUIRE(again == A);
    REQUIRE(A.field().contains(again.field()));
    REQUIRE(A.over(again.field()) == A);
    REQUIRE(A.over(again.field()).coefficients() == again.coefficients());
  }
  REQUIRE(vertical_stack(std::vector<FieldMatrix>{}).rows() == 0);
  const std::vector<Cyclotomic> entries{1, parse_cyclotomic("E(3)"), 0, Cyclotomic(Rational(-1, 2))};
  REQUIRE(FieldMatrix(2, 2, entries).to_string() == "[[1, E(3)], [0, -1/2]]");
  REQUIRE(FieldMatrix(2, 2, entries).height() == 2);
}

TEST_CASE("a matrix over a larger or a smaller field is the same matrix", "[exact][quick]") {
  auto rng = test_rng();
  for (const AbelianField& K : some_fields()) {
    const FieldMatrix A = random_over(rng, K, 2, 3);
    for (const AbelianField& L : some_fields()) {
      CAPTURE(K.to_string(), L.to_string());
      const AbelianField KL = AbelianField::compositum(K, L);
      const FieldMatrix big = A.over(KL);
      REQUIRE(big == A);
      REQUIRE(big.over(K).coefficients() == A.coefficients());
      if (L.contains(K)) REQUIRE(A.over(L).over(K).coefficients() == A.coefficients());
    }
    bool rational = true;
    for (std::size_t k = 0; k < 6; ++k) rational = rational && A(k / 3, k % 3).is_rational();
    REQUIRE(A.is_rational() == rational);
  }
  const std::vector<Cyclotomic> root{parse_cyclotomic("E(8)-E(8)^3")};
  const FieldMatrix root2(1, 1, root);
  CHECK_THROWS_AS(root2.over(AbelianField()), DomainError);
  CHECK_THROWS_AS(root2.over(AbelianField::cyclotomic(4)), DomainError);
  CHECK_THROWS_AS(root2.to_rational(), DomainError);
  CHECK((root2 * root2).is_rational());
  CHECK((root2 * root2).to_rational() == RationalMatrix(IntegerMatrix{{2}}));
  // In neither field, but in their intersection.
  const FieldMatrix zeta8 = FieldMatrix(1, 1, root).over(AbelianField::cyclotomic(8));
  CHECK(zeta8.over(AbelianField::cyclotomic(24).real_subfield()) == root2);
  // Fields of degrees 12 and 208 whose compositum has degree 2496, so that a number's matrix over it takes 200 MB.
  const AbelianField F = AbelianField::cyclotomic(13), H = AbelianField::cyclotomic(424);
  const auto at = [](const AbelianField& L, const Cyclotomic& a) {
    return FieldMatrix(1, 1, std::span(&a, 1)).over(L);
  };
  CHECK(at(F, Cyclotomic(2)) == at(H, Cyclotomic(2)));
  CHECK(at(F, Cyclotomic(2)) != at(H, Cyclotomic(3)));
  CHECK(at(F, parse_cyclotomic("E(13)")) != at(H, parse_cyclotomic("E(424)")));
}

TEST_CASE("reduction modulo split primes is a homomorphism, and lifts back", "[exact][quick]") {
  auto rng = test_rng();
  for (const AbelianField& K : some_fields()) {
    CAPTURE(K.to_string());
    const FieldMatrix A = random_over(rng, K, 3, 3), B = random_over(rng, K, 3, 3);
    FieldLift lift(K);
    for (std::size_t k = 0; k < 40 && !lift.candidate(); ++k) {
      const AbelianField::SplitPrime prime = K.split_prime(k);
      std::vector<ModularMatrix> images;
      for (std::size_t e = 0; e < K.degree(); ++e) {
        const ModularMatrix a = *A.reduce(prime, e), b = *B.reduce(prime, e);
        REQUIRE(*(A * B).reduce(prime, e) == a * b);
        REQUIRE(*(A + B).reduce(prime, e) == a + b);
        // Embedding e is embedding 0 of the conjugate.
        REQUIRE(*A.galois_conjugate(K.automorphisms()[e]).reduce(prime, 0) == a);
        images.push_back(a);
      }
      lift.add(prime, images);
    }
    REQUIRE(lift.candidate());
    REQUIRE(*lift.candidate() == A);
  }
  const AbelianField K = AbelianField::cyclotomic(5);
  const AbelianField::SplitPrime prime = K.split_prime(0);
  const FieldMatrix over_p(K, RationalMatrix(1, 4, std::vector<Rational>(4, Rational(1, Integer(prime.p)))), 1);
  CHECK_FALSE(over_p.reduce(prime, 0));
  CHECK_THROWS_AS(over_p.reduce(prime, 4), DomainError);
  CHECK_THROWS_AS(over_p.reduce(AbelianField().split_prime(0), 0), DomainError);
}

TEST_CASE("kernels, echelon forms and ranks over number fields", "[exact][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 60 * test_multiplier(); ++trial) {
    const auto fields = some_fields();
    const AbelianField& K = fields[rng.below(fields.size())];
    const std::size_t rows = rng.below(6), cols = rng.below(6), inner = rng.below(4);
    const FieldMatrix A = random_over(rng, K, rows, inner) * random_over(rng, K, inner, cols);
    CAPTURE(K.to_string(), A.to_string());
    const std::size_t r = matrix_rank(A);
    REQUIRE(r <= std::min({rows, cols, inner}));
    REQUIRE(matrix_rank(A.transpose()) == r);
    // The rational matrix of the same map has [K : Q] times the rank.
    REQUIRE(matrix_rank(restrict_scalars(A, AbelianField()).to_rational()) == r * K.degree());
    const FieldMatrix N = null_space(A);
    REQUIRE(N.rows() == cols - r);
    REQUIRE(N.cols() == cols);
    REQUIRE((A * N.transpose()).is_zero());
    const FieldEchelon E = reduced_echelon(A);
    REQUIRE(E.matrix.rows() == r);
    REQUIRE(E.pivots.size() == r);
    for (std::size_t i = 0; i < r; ++i) {
      REQUIRE(is_unit_column(E.matrix, E.pivots[i], i));
      for (std::size_t j = 0; j < E.pivots[i]; ++j) REQUIRE(E.matrix(i, j).is_zero());
    }
    REQUIRE((E.matrix * N.transpose()).is_zero());
    // A is its pivot columns times the echelon form, so their row spaces agree.
    REQUIRE(A.select_cols(E.pivots) * E.matrix == A);
    std::vector<std::size_t> free;
    for (std::size_t j = 0; j < cols; ++j)
      if (std::ranges::find(E.pivots, j) == E.pivots.end()) free.push_back(j);
    for (std::size_t f = 0; f < free.size(); ++f) REQUIRE(is_unit_column(N, free[f], f));
  }
}

TEST_CASE("solutions and inverses over number fields", "[exact][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 40 * test_multiplier(); ++trial) {
    const std::size_t rows = 1 + rng.below(5), cols = 1 + rng.below(5);
    const FieldMatrix A = random_any_field(rng, rows, cols), X = random_any_field(rng, cols, 2);
    CAPTURE(A.to_string(), X.to_string());
    const FieldMatrix B = A * X;
    const auto Y = linear_solve(A, B);
    REQUIRE(Y);
    REQUIRE(A * *Y == B);
    if (matrix_rank(A) == cols) REQUIRE(*Y == X);
    // A right side outside the column space.
    if (matrix_rank(A) < rows) {
      const FieldMatrix C = FieldMatrix::identity(A.field(), rows);
      REQUIRE_FALSE(linear_solve(A, C));
    }
  }
  for (const AbelianField& K : some_fields()) {
    const FieldMatrix A = random_over(rng, K, 5, 5);
    CAPTURE(K.to_string(), A.to_string());
    if (matrix_rank(A) < 5) {
      CHECK_THROWS_AS(inverse(A), DomainError);
      continue;
    }
    REQUIRE(inverse(A) * A == FieldMatrix::identity(K, 5));
    REQUIRE(A * inverse(A) == FieldMatrix::identity(K, 5));
  }
  // 1 + zeta + zeta^2 = 0 is no unit.
  const std::vector<Cyclotomic> singular{1, parse_cyclotomic("E(3)"), parse_cyclotomic("E(3)^2"), 1};
  CHECK_THROWS_AS(inverse(FieldMatrix(2, 2, singular)), DomainError);
  CHECK(matrix_rank(FieldMatrix(2, 2, singular)) == 1);
  CHECK_THROWS_AS(inverse(FieldMatrix(AbelianField::cyclotomic(3), 2, 3)), DomainError);
  CHECK_THROWS_AS(linear_solve(FieldMatrix(AbelianField::cyclotomic(3), 2, 3), FieldMatrix::identity({}, 3)),
                  DomainError);
}

TEST_CASE("restriction of scalars", "[exact][quick]") {
  auto rng = test_rng();
  const auto fields = some_fields();
  for (const AbelianField& K : fields)
    for (const AbelianField& F : fields) {
      const FieldMatrix A = random_over(rng, K, 2, 3), B = random_over(rng, K, 3, 2);
      CAPTURE(K.to_string(), F.to_string());
      if (!K.contains(F)) {
        CHECK_THROWS_AS(restrict_scalars(A, F), DomainError);
        CHECK_THROWS_AS(traces_of_multiples(A, F), DomainError);
        continue;
      }
      const std::size_t r = K.degree() / F.degree();
      const auto traces = traces_of_multiples(A, F);
      REQUIRE(traces.size() == r);
      FieldMatrix multiple = A;
      for (const FieldMatrix& found : traces) {
        FieldMatrix expected(K, 2, 3);
        for (const std::uint32_t k : K.automorphisms())
          if (F.generator().galois_conjugate(k) == F.generator()) expected = expected + multiple.galois_conjugate(k);
        REQUIRE(found.field() == F);
        REQUIRE(found == expected);
        multiple = (K.generator() * multiple).over(K);
      }
      const FieldMatrix a = restrict_scalars(A, F), b = restrict_scalars(B, F);
      REQUIRE(a.field() == F);
      REQUIRE(a.rows() == 2 * r);
      REQUIRE(a.cols() == 3 * r);
      REQUIRE(a * b == restrict_scalars(A * B, F));
      REQUIRE(restrict_scalars(FieldMatrix::identity(K, 3), F) == FieldMatrix::identity(F, 3 * r));
      // The trace of the matrix over F is the sum of the conjugates over F of the trace.
      const Cyclotomic t = (A * B).trace();
      Cyclotomic sum;
      for (const std::uint32_t k : K.automorphisms())
        if (F.generator().galois_conjugate(k) == F.generator()) sum += t.galois_conjugate(k);
      REQUIRE((a * b).trace() == sum);
      // It is the map: coordinates over F of A x.
      REQUIRE(a.select_cols(std::vector<std::size_t>{0}) ==
              restrict_scalars(A.block(0, 0, 2, 1), F).block(0, 0, 2 * r, 1));
    }
  // Multiplication by (1 + sqrt 5)/2 on 1, (1 + sqrt 5)/2.
  const std::vector<Cyclotomic> golden{parse_cyclotomic("-E(5)^2-E(5)^3")};
  CHECK(restrict_scalars(FieldMatrix(1, 1, golden), {}).to_rational() == RationalMatrix(IntegerMatrix{{0, 1}, {1, 1}}));
}

TEST_CASE("bad arguments of matrices over number fields", "[exact][quick]") {
  const AbelianField K = AbelianField::cyclotomic(5);
  const FieldMatrix A(K, 2, 3);
  CHECK_THROWS_AS(A * A, DomainError);
  CHECK_THROWS_AS(A + A.transpose(), DomainError);
  CHECK_THROWS_AS(A.trace(), DomainError);
  CHECK_THROWS_AS(A(2, 0), DomainError);
  CHECK_THROWS_AS(A(0, 3), DomainError);
  CHECK_THROWS_AS(A.block(1, 1, 2, 2), DomainError);
  CHECK_THROWS_AS(A.reshape(2, 4), DomainError);
  CHECK_THROWS_AS(A.select_rows(std::vector<std::size_t>{2}), DomainError);
  CHECK_THROWS_AS(A.select_cols(std::vector<std::size_t>{3}), DomainError);
  CHECK_THROWS_AS(A.galois_conjugate(5), DomainError);
  CHECK_THROWS_AS(FieldMatrix(K, RationalMatrix(2, 9), 3), DomainError);
  CHECK_THROWS_AS(FieldMatrix(2, 3, std::vector<Cyclotomic>(5)), DomainError);
  CHECK_THROWS_AS(vertical_stack(std::vector{A, A.transpose()}), DomainError);
  CHECK_THROWS_AS(horizontal_stack(std::vector{A, A.transpose()}), DomainError);
  FieldLift lift(K);
  const std::vector<ModularMatrix> one{ModularMatrix(K.split_prime(0).p, 1, 1)};
  CHECK_THROWS_AS(lift.add(K.split_prime(0), one), DomainError);
}
