#include "intertwine/classical/orthonormal_form.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/reductive/wigner_symbols.hpp"
#include "support/root_sum.hpp"

using namespace intertwine;

namespace {

ContinuousRepresentation rep(const std::string& group, const std::string& text) {
  return parse_representation(parse_continuous_group(group), text);
}

RationalMatrix dense(const SparseMatrix& A) {
  std::vector<Rational> entries(A.rows() * A.cols());
  for (const auto& e : A.entries()) entries[e.row * A.cols() + e.col] = e.value;
  return {A.rows(), A.cols(), entries};
}

/// T^-1 X T, whose entry (i, j) is sqrt(norms[i] / norms[j]) (C^-1 X C)(i, j), is antisymmetric for the Lie algebra and orthogonal for
/// components and finite factors. Both without roots.
bool acts_orthogonally(const ContinuousRepresentation& V, const OrthonormalForm& form) {
  const RationalMatrix inverse_columns = inverse(form.columns);
  const std::size_t n = form.norms.size();
  std::vector<Rational> diagonal(n * n);
  for (std::size_t i = 0; i < n; ++i) diagonal[i * n + i] = form.norms[i];
  const RationalMatrix D(n, n, diagonal);
  const auto names = V.group().generator_names();
  const auto matrices = V.generator_matrices();
  for (std::size_t g = 0; g < matrices.size(); ++g) {
    const RationalMatrix A = inverse_columns * dense(matrices[g]) * form.columns, DA = D * A;
    const bool algebra = names[g].find("Lie algebra") != std::string::npos;
    if (algebra ? !(DA == Rational(-1) * DA.transpose()) : !(A.transpose() * DA == D)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("groups act by orthogonal matrices in orthonormal bases", "[classical][quick]") {
  for (const auto& [group, text] :
       {std::pair("SO(3)", "harmonic(4)"), std::pair("O(3)", "2*harmonic(3)*det + vector"),
        std::pair("SO(2)", "harmonic(3)"), std::pair("O(2)", "harmonic(2)*harmonic(1)"),
        std::pair("SO(4)", "harmonic(3)"), std::pair("O(5)", "harmonic(2)"),
        std::pair("SO(3)", "dual(harmonic(2))*harmonic(1)"), std::pair("SO(3)", "sym(3, vector) + alt(2, vector)"),
        std::pair("O(3)", "harmonic(2)^2"), std::pair("S3 x O(3)", "perm # harmonic(2)")}) {
    INFO(group << " " << text);
    const ContinuousRepresentation V = rep(group, text);
    for (const PolarAxis axis : {PolarAxis::z, PolarAxis::y}) CHECK(acts_orthogonally(V, orthonormal_form(V, axis)));
  }
  OrthonormalForm wrong = orthonormal_form(rep("SO(3)", "harmonic(2)"));
  wrong.norms[0] *= 2;
  CHECK_FALSE(acts_orthogonally(rep("SO(3)", "harmonic(2)"), wrong));
}

// harmonic(2) has the basis x^2 - z^2, xy, xz, y^2 - z^2, yz; e3nn: sqrt3 xz, sqrt3 xy, y^2 - (x^2+z^2)/2, sqrt3 yz, sqrt3/2 (z^2 - x^2).
TEST_CASE("spherical harmonics of small degree are the printed polynomials", "[classical][quick]") {
  const OrthonormalForm z = orthonormal_form(rep("SO(3)", "harmonic(2)")),
                        y = orthonormal_form(rep("SO(3)", "harmonic(2)"), PolarAxis::y);
  const SignedRoot root3 = SignedRoot::of_signed_square(3), half(Rational(1, 2));
  CHECK(z.entry(1, 0) == root3);  // xy
  CHECK(z.entry(4, 1) == root3);  // yz
  CHECK(z.entry(0, 2) == -half);  // z^2 - (x^2 + y^2) / 2
  CHECK(z.entry(3, 2) == -half);
  CHECK(z.entry(2, 3) == root3);         // xz
  CHECK(z.entry(0, 4) == root3 * half);  // (x^2 - y^2) / 2
  CHECK(z.entry(3, 4) == -root3 * half);
  CHECK(y.entry(2, 0) == root3);          // xz
  CHECK(y.entry(1, 1) == root3);          // xy
  CHECK(y.entry(3, 2) == SignedRoot(1));  // y^2 - (x^2 + z^2) / 2
  CHECK(y.entry(0, 2) == -half);
  CHECK(y.entry(4, 3) == root3);          // yz
  CHECK(y.entry(0, 4) == -root3 * half);  // (z^2 - x^2) / 2
  const OrthonormalForm one = orthonormal_form(rep("SO(3)", "harmonic(1)"), PolarAxis::y);
  CHECK(one.columns == RationalMatrix::identity(3));
}

/// C (X1 (x) 1 + 1 (x) X2) = X C for the real Clebsch-Gordan coefficients C and the orthonormal matrices of the Lie algebra.
TEST_CASE("real Clebsch-Gordan coefficients intertwine spherical harmonics, exactly", "[classical][quick]") {
  const auto matrices = [](int l, PolarAxis axis) {
    const ContinuousRepresentation V = rep("SO(3)", "harmonic(" + std::to_string(l) + ")");
    const OrthonormalForm form = orthonormal_form(V, axis);
    std::vector<std::vector<std::vector<SignedRoot>>> out;
    for (const SparseMatrix& X : V.generator_matrices()) {
      const RationalMatrix A = inverse(form.columns) * dense(X) * form.columns;
      out.emplace_back(A.rows(), std::vector<SignedRoot>(A.cols()));
      for (std::size_t i = 0; i < A.rows(); ++i)
        for (std::size_t j = 0; j < A.cols(); ++j)
          out.back()[i][j] = SignedRoot(A(i, j)) * SignedRoot::of_signed_square(form.norms[i] / form.norms[j]);
    }
    return out;
  };
  for (const PolarAxis axis : {PolarAxis::z, PolarAxis::y})
    for (const auto& [l1, l2, l] :
         {std::tuple(1, 1, 1), std::tuple(1, 2, 2), std::tuple(2, 2, 3), std::tuple(3, 2, 1)}) {
      INFO(l1 << " " << l2 << " " << l);
      const auto X1 = matrices(l1, axis), X2 = matrices(l2, axis), X = matrices(l, axis);
      const std::size_t a = 2 * l1 + 1, b = 2 * l2 + 1, d = 2 * l + 1;
      std::vector<SignedRoot> C(d * a * b);
      for (const auto& e : coupling({2 * l1}, {2 * l2}, {2 * l}, CouplingBasis::real).entries)
        C[(Coupling::index({2 * l}, e.m) * a + Coupling::index({2 * l1}, e.m1)) * b + Coupling::index({2 * l2}, e.m2)] =
            e.value;
      for (std::size_t g = 0; g < X.size(); ++g)
        for (std::size_t k = 0; k < d; ++k)
          for (std::size_t i = 0; i < a; ++i)
            for (std::size_t j = 0; j < b; ++j) {
              RootSum sum;
              for (std::size_t s = 0; s < a; ++s) sum += C[(k * a + s) * b + j] * X1[g][s][i];
              for (std::size_t s = 0; s < b; ++s) sum += C[(k * a + i) * b + s] * X2[g][s][j];
              for (std::size_t s = 0; s < d; ++s) sum += -(X[g][k][s] * C[(s * a + i) * b + j]);
              REQUIRE(sum == SignedRoot());
            }
    }
}

TEST_CASE("what has no orthonormal basis here is refused", "[classical][quick]") {
  CHECK_THROWS_WITH(orthonormal_form(rep("SL(3)", "vector")), Catch::Contains("for SO(n) and O(n), not for SL(3)"));
  CHECK_THROWS_WITH(orthonormal_form(rep("SO+(1,3)", "vector")), Catch::Contains("not for SO+(1,3)"));
  CHECK_THROWS_WITH(orthonormal_form(rep("SO(3)", "schur([2,1], vector)")),
                    Catch::Contains("no orthonormal basis of schur([2,1], vector)"));
  CHECK_THROWS_WITH(orthonormal_form(rep("SO(3)", "sym(2, harmonic(2))")),
                    Catch::Contains("where V has an orthonormal basis itself"));
  CHECK_THROWS_AS(orthonormal_form(rep("SO(3)", "vector^7")), LimitError);
}
