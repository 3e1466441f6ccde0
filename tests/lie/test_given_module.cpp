// Representations of classical groups by matrices of their generators.
#include <catch2/catch.hpp>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/lie/continuous_basis.hpp"
#include "intertwine/lie/continuous_decomposition.hpp"
#include "intertwine/lie/continuous_series.hpp"
#include "lie/dense_hom.hpp"
#include "support/random.hpp"

using namespace intertwine;
using Catch::Matchers::Contains;

namespace {

ContinuousRepresentation rep(const std::string& group, const std::string& text) {
  return parse_continuous_representation(parse_continuous_group(group), text);
}
/// The same representation, known by its matrices alone.
ContinuousRepresentation by_matrices(const ContinuousRepresentation& V) {
  return matrix_representation(V.group(), V.generator_matrices());
}

}  // namespace

TEST_CASE("representations by their matrices are what they were by expressions", "[lie][quick]") {
  const struct {
    const char *group, *text, *other;
  } cases[] = {{"SO(3)", "vector", "vector^2"},
               {"SO(3)", "harmonic(2) + trivial", "vector^2"},
               {"SO(2)", "harmonic(3) + vector", "vector^3"},
               {"SO(4)", "irrep([2,2] as partition)", "alt(2, vector)^2"},
               {"SO(5)", "alt(2, vector)", "vector^2"},
               {"O(3)", "harmonic(2)*det + vector", "vector^2"},
               {"O(3)", "alt(2, vector)", "vector*det"},
               {"O(2)", "harmonic(2) + det + vector", "vector^2"},
               {"O(4)", "alt(2, vector) + det", "vector^2"},
               {"O(1)", "vector + trivial", "vector"},
               {"SO+(1,3)", "alt(2, vector)", "vector^2"},
               {"SL(2)", "sym(3, vector)", "vector^3"},
               {"SL(3)", "adjoint", "vector*dual(vector)"},
               {"GL(2)", "det*dual(vector) + vector", "vector"},
               {"GL(2)", "dual(det)^2", "trivial"},
               {"Sp(4)", "irrep([0,1])", "alt(2, vector)"},
               {"SU(3)", "schur([2,1], vector)", "vector^3"},
               {"U(2)", "det*vector", "vector^2*vector"},
               {"Spin(3)", "spinor", "spinor"},
               {"Spin(5)", "spinor", "spinor"}};
  for (const auto& c : cases) {
    INFO(c.group << ": " << c.text);
    const ContinuousRepresentation V = rep(c.group, c.text), W = by_matrices(V), U = rep(c.group, c.other);
    CHECK(W.generator_matrices() == V.generator_matrices());
    CHECK(parse_continuous_representation(W.group(), W.to_string()) == W);
    const auto own = decompose(V).constituents, given = decompose(W).constituents;
    REQUIRE(own.size() == given.size());
    for (std::size_t k = 0; k < own.size(); ++k) {
      CHECK(own[k].factors[0].label == given[k].factors[0].label);
      CHECK(own[k].multiplicity == given[k].multiplicity);
    }
    for (const auto& [in, out] : {std::pair(W, U), std::pair(U, W), std::pair(W, V)}) {
      const ContinuousBasis basis = continuous_basis(in, out);
      CHECK_NOTHROW(verify(basis));
      CHECK(basis.dimension() == continuous_hom_dimension(in == W ? V : in, out == W ? V : out).dimension);
    }
    CHECK(continuous_basis(dual(W), dual(V)).dimension() == continuous_hom_dimension(V, V).dimension);
    CHECK(molien_series(W, trivial_representation(W.group()), 4).coefficients ==
          molien_series(V, trivial_representation(V.group()), 4).coefficients);
  }
}

TEST_CASE("in any basis", "[lie][quick]") {
  // Conjugated by a matrix with denominators the representation has another basis, and the same maps.
  const ContinuousRepresentation V = rep("SO(3)", "vector + harmonic(2)");
  std::vector<SparseMatrix::Entry> up, down;
  for (std::uint64_t i = 0; i < 8; ++i) {
    up.push_back({i, i, Rational(1)});
    down.push_back({i, i, Rational(1)});
  }
  up.push_back({0, 7, Rational(3, 2)});
  down.push_back({0, 7, Rational(-3, 2)});
  const SparseMatrix P(8, 8, up), Q(8, 8, down);
  std::vector<SparseMatrix> images;
  for (const SparseMatrix& A : V.generator_matrices()) images.push_back(P * A * Q);
  const ContinuousRepresentation W = matrix_representation(V.group(), images);
  const ContinuousBasis basis = continuous_basis(W, V);
  CHECK(basis.dimension() == 2);
  CHECK_NOTHROW(verify(basis));
  CHECK(basis.weights.params() == test_lie::dense_hom_dimension(W, V));
  const ContinuousBasis power = continuous_basis(sym(2, W), V);
  CHECK(power.dimension() == continuous_hom_dimension(sym(2, V), V).dimension);
  CHECK_NOTHROW(verify(power));
  // In products with other groups.
  const ContinuousGroup cloud = parse_continuous_group("S3 x SO(3)");
  const ContinuousRepresentation X = parse_continuous_representation(cloud, "perm # " + W.to_string());
  CHECK(continuous_basis(X, X).dimension() == 4);
}

TEST_CASE("matrices that are no representation are refused with the relation that fails", "[lie][quick]") {
  const ContinuousGroup SO3 = parse_continuous_group("SO(3)"), O3 = parse_continuous_group("O(3)");
  const auto matrices = rep("SO(3)", "vector").generator_matrices();
  // A wrong entry; the second generator twice as large.
  auto broken = matrices;
  broken[1] = Rational(2) * broken[1];
  CHECK_THROWS_WITH(matrix_representation(SO3, broken),
                    Contains("generator 1 of the Lie algebra of SO(3)") || Contains("generator 2"));
  CHECK_THROWS_WITH(matrix_representation(SO3, {matrices[0]}),
                    Contains("1 matrices are given, but SO(3) has 2"));
  CHECK_THROWS_WITH(matrix_representation(SO3, {matrices[0], SparseMatrix(2, 2, {})}), Contains("is 2 x 2"));
  // Half-integral: a representation of so(3), of Spin(3) alone.
  const auto spinor = rep("Spin(3)", "spinor").generator_matrices();
  CHECK_THROWS_WITH(matrix_representation(SO3, spinor), Contains("integral weights; spinors are of Spin(n)"));
  CHECK_NOTHROW(matrix_representation(parse_continuous_group("Spin(3)"), spinor));
  // GL(1) by a matrix that is not diagonalizable, or with eigenvalue 1/2.
  const ContinuousGroup GL1 = parse_continuous_group("GL(1)");
  CHECK_THROWS_WITH(matrix_representation(GL1, {SparseMatrix(2, 2, {{0, 1, Rational(1)}})}),
                    Contains("no representation"));
  CHECK_THROWS_AS(matrix_representation(GL1, {SparseMatrix(1, 1, {{0, 0, Rational(1, 2)}})}), DomainError);
  CHECK(matrix_representation(GL1, {SparseMatrix(1, 1, {{0, 0, Rational(-7)}})}).dimension() == 1);
  // Components: not diagonal, and not compatible.
  auto with_component = rep("O(2)", "vector").generator_matrices();
  const ContinuousGroup O2 = parse_continuous_group("O(2)");
  with_component[1] = SparseMatrix(2, 2, {{0, 1, Rational(1)}, {1, 0, Rational(1)}});
  CHECK_THROWS_WITH(matrix_representation(O2, with_component), Contains("is not diagonal"));
  with_component[1] = SparseMatrix(2, 2, {{0, 0, Rational(1)}, {1, 1, Rational(1)}});
  CHECK_THROWS_WITH(matrix_representation(O2, with_component), Contains("component 1 of O(2) does not take"));
  CHECK_THROWS_AS(matrix_representation(parse_continuous_group("O(1,2)"), matrices), DomainError);
  CHECK_THROWS_WITH(matrix_representation(parse_continuous_group("S3 x SO(3)"), matrices), Contains("join"));
}
