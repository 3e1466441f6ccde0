// The projection onto equivariant matrices: it fixes them, and sends what the group moves to nothing, which says what it is.
#include "intertwine/classical/continuous_symmetrizer.hpp"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

ContinuousRepresentation rep(const char* group, const char* text) {
  return parse_representation(parse_continuous_group(group), text);
}

/// Element k of a basis.
FieldMatrix dense(const IntertwinerSpace& space, std::uint64_t k) {
  std::vector<Cyclotomic> all(space.rows() * space.cols());
  for (std::uint64_t e = space.start()[k]; e < space.start()[k + 1]; ++e)
    all[space.row()[e] * space.cols() + space.col()[e]] = space.value(e);
  return {space.rows(), space.cols(), all};
}

/// Generator g by its coefficients over K.
FieldMatrix dense(const std::vector<SparseMatrix>& coefficients, std::size_t g, const AbelianField& K) {
  std::vector<RationalMatrix> parts;
  for (std::size_t t = 0; t < K.degree(); ++t) parts.push_back(to_dense(coefficients[g * K.degree() + t]));
  return {K, horizontal_stack(parts), parts[0].cols()};
}

FieldMatrix random_matrix(const AbelianField& K, std::size_t rows, std::size_t cols, Rng& rng) {
  std::vector<Rational> all;
  for (std::size_t k = 0; k < rows * cols * K.degree(); ++k)
    all.emplace_back(static_cast<long>(rng.below(19)) - 9, static_cast<long>(rng.below(4)) + 1);
  return {K, RationalMatrix(rows, cols * K.degree(), all), cols};
}

}  // namespace

TEST_CASE("the mean of a matrix over SO(3)", "[continuous_symmetrizer][quick]") {
  const auto V = rep("SO(3)", "vector");
  const ContinuousSymmetrizer S(V, V);
  const std::vector<Rational> entries{1, 2, 3, 4, 5, 6, 7, 8, 10};
  const RationalMatrix W(3, 3, entries);
  CHECK(S(W) == Rational(16, 3) * RationalMatrix::identity(3));  // the trace over three
  CHECK(S.squared_residual(W) == Rational(41, 57));              // 304 - 3 (16/3)^2 of 304
  const Symmetrization found = symmetrize(S, W);
  CHECK(found.rows == 3);
  CHECK(found.generators == 2);
  CHECK(std::get<FieldMatrix>(found.matrix) == S(W));
  CHECK_FALSE(S.is_equivariant(W));
  CHECK(S.failing_generator(W) == 0);
  Task stopped(0, 0, {});
  stopped.cancel();
  CHECK_THROWS_AS(S.is_equivariant(W, stopped), Interrupted);
  CHECK_THROWS_WITH(rep("SO(3)", "vector^7").generator_matrices(Task(1U << 18, 0, {})),
                    Catch::Contains("the matrix of a generator"));
  // v (x) w -> the symmetric part without its trace, the trace, the antisymmetric part: by Schur's lemma
  const auto V2 = rep("SO(3)", "vector^2");
  std::vector<Rational> one(81);
  one[0] = 1;  // e_11 -> e_11: trace 1/3 on the invariants, 2/3 on the five, 0 on the three
  const RationalMatrix E = ContinuousSymmetrizer(V2, V2)(RationalMatrix(9, 9, one)).to_rational();
  CHECK(E(0, 0) == Rational(1, 3) * Rational(1, 3) + Rational(2, 3) * Rational(2, 15));
  CHECK(E(0, 4) == Rational(1, 3) * Rational(1, 3) - Rational(1, 3) * Rational(2, 15));
  CHECK(E(1, 1) == Rational(1, 2) * Rational(2, 15));
  CHECK(E(1, 3) == E(1, 1));
}

TEST_CASE("projections fix equivariant matrices and kill what is moved", "[continuous_symmetrizer][quick]") {
  Rng rng = test_rng();
  const std::vector<std::vector<const char*>> cases{
      {"SO(3)", "vector + harmonic(2)", "vector^2"},
      {"O(3)", "2*vector + 3*trivial", "2*trivial + vector + det*vector"},
      {"SO+(1,3)", "vector", "vector + alt(2, vector)"},
      {"SU(2)", "vector^2", "sym(2, vector) + trivial"},
      {"GL(2)", "vector*dual(vector)", "vector*dual(vector)"},
      {"Sp(4)", "vector^2", "alt(2, vector)"},
      {"SO(2)", "vector^2", "vector + 2*trivial"},
      {"Spin(3)", "real(spinor)", "2*real(spinor)"},
      {"S3 x SO(3)", "perm # vector", "2*(perm # vector) + trivial"},
      {"O(2)", "0*vector", "vector"},
      {"A5 x SO(3)", "irrep(2) # vector", "irrep(2) # vector + irrep(3) # vector"},
      {"C3 x SO(3)", "irrep(2) # vector + trivial", "2*(irrep(2) # vector)"},
      {"C3 x SO(3)", "perm # vector", "irrep(2) # vector"}};
  for (const auto& c : cases) {
    CAPTURE(c[0], c[1], c[2]);
    const auto V = rep(c[0], c[1]), U = rep(c[0], c[2]);
    const ContinuousSymmetrizer S(V, U);
    REQUIRE(S.rows() == U.dimension());
    REQUIRE(S.cols() == V.dimension());
    // Over the field of the matrices, or over a larger one.
    const AbelianField K =
        rng.below(2) == 0 ? S.field() : AbelianField::compositum(S.field(), AbelianField::cyclotomic(4));
    const FieldMatrix W = random_matrix(K, S.rows(), S.cols(), rng), P = S(W);
    CAPTURE(K.to_string());
    CHECK(S.is_equivariant(P));
    CHECK(S(P) == P);
    CHECK(P.field() == AbelianField::compositum(S.field(), K));
    const hom::Basis basis = hom::equivariant_basis(V, U);
    if (basis.blocks().size() == 1 && basis.blocks().front().channels == Multiplicity{})
      for (std::uint64_t k = 0; k < basis.params(); ++k) {
        const FieldMatrix element = dense(basis.blocks().front().weights.space(), k);
        CHECK(S(element) == element);
      }
    const MatrixGenerators generators = matrix_generators(V, U);
    for (std::size_t g = 0; g < generators.names.size(); ++g) {
      const FieldMatrix A = dense(generators.row, g, generators.field),
                        B = dense(generators.column, g, generators.field);
      if (generators.algebra[g])
        CHECK(S(A * W - W * B).is_zero());
      else if (S.rows() * S.cols() != 0)
        CHECK(S(A * W * inverse(B)) == P);
    }
    std::vector<double> rounded, out(S.rows() * S.cols());
    for (std::size_t i = 0; i < S.rows(); ++i)
      for (std::size_t j = 0; j < S.cols(); ++j) rounded.push_back(W(i, j).to_complex().real());
    if (!S.field().is_real()) {
      CHECK_THROWS_WITH(S.apply(rounded, out), Catch::Contains("are over Q(E(3)): symmetrize exact numbers"));
      CHECK_THROWS_AS(S.defect(rounded), DomainError);
      continue;
    }
    if (!K.is_real()) continue;
    S.apply(rounded, out);
    for (std::size_t i = 0; i < S.rows(); ++i)
      for (std::size_t j = 0; j < S.cols(); ++j)
        CHECK(out[i * S.cols() + j] == Approx(P(i, j).to_complex().real()).margin(1e-12));
    CHECK(S.defect(out) < 1e-12);
  }
}

TEST_CASE("means over A5 x SO(3) are traces of pairs", "[continuous_symmetrizer][quick]") {
  const auto V = rep("A5 x SO(3)", "irrep(2) # vector");
  const ContinuousSymmetrizer S(V, V);
  CHECK(S.field().to_string() == "Q(sqrt(5))");
  Rng rng = test_rng();
  const FieldMatrix W = random_matrix(S.field(), 9, 9, rng);
  CHECK(S(W) == W.trace() / Cyclotomic(9) * FieldMatrix::identity(S.field(), 9));
  CHECK_FALSE(S.is_equivariant(W));
}

TEST_CASE("matrices of other shapes and representations of other groups are refused",
          "[continuous_symmetrizer][quick]") {
  const auto V = rep("SO(3)", "vector");
  const ContinuousSymmetrizer S(V, V);
  CHECK_THROWS_WITH(S(RationalMatrix(3, 4)), "S(W) takes matrices of 3 x 3 entries, not 3 x 4");
  std::vector<double> four(4);
  CHECK_THROWS_AS(S.apply(four, four), DomainError);
  CHECK_THROWS_AS(S.defect(four), DomainError);
  CHECK_THROWS_AS(ContinuousSymmetrizer(V, rep("O(3)", "vector")), DomainError);
}
