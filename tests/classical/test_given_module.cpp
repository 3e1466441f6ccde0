// Representations of classical groups by matrices of their generators.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "dense_hom.hpp"
#include "intertwine/classical/continuous_decomposition.hpp"
#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/classical/continuous_series.hpp"
#include "intertwine/equivariant/exact_values.hpp"
#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/modular_matrix.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "support/random.hpp"

using namespace intertwine;
using Catch::Matchers::Contains;

namespace {

ContinuousRepresentation rep(const std::string& group, const std::string& text) {
  return parse_representation(parse_continuous_group(group), text);
}
ContinuousRepresentation given(const ContinuousGroup& G, const std::vector<SparseMatrix>& images) {
  std::vector<FieldMatrix> list;
  for (const SparseMatrix& A : images) {
    std::vector<Cyclotomic> entries(A.rows() * A.cols());
    for (const auto& e : A.entries()) entries[e.row * A.cols() + e.col] = Cyclotomic(e.value);
    list.emplace_back(A.rows(), A.cols(), entries);
  }
  return matrix_representation(G, list);
}
/// The same representation, known by its matrices alone.
ContinuousRepresentation by_matrices(const ContinuousRepresentation& V) {
  return given(V.group(), V.generator_matrices());
}

/// "0,sqrt(3);-sqrt(3),0", by rows.
FieldMatrix matrix(const std::string& text) {
  std::vector<Cyclotomic> entries;
  std::size_t rows = 0;
  std::string entry;
  for (const char c : text + ";")
    if (c == ',' || c == ';') {
      entries.push_back(parse_cyclotomic(entry));
      entry.clear();
      rows += c == ';' ? 1 : 0;
    } else {
      entry += c;
    }
  return {rows, entries.size() / rows, entries};
}
FieldMatrix bracket(const FieldMatrix& A, const FieldMatrix& B) { return A * B - B * A; }

/// What a linear map does to matrices in a basis that is orthogonal under the trace of the product, tr B_k^2 = norm.
template <class Map>
FieldMatrix in_basis(const std::vector<FieldMatrix>& basis, const Cyclotomic& norm, const Map& map) {
  std::vector<Cyclotomic> entries;
  for (const FieldMatrix& row : basis)
    for (const FieldMatrix& col : basis) entries.push_back((row * map(col)).trace() / norm);
  return {basis.size(), basis.size(), entries};
}

/// Gell-Mann's matrices [Gell-Mann 1962].
std::vector<FieldMatrix> gell_mann() {
  return {matrix("0,1,0;1,0,0;0,0,0"),  matrix("0,-i,0;i,0,0;0,0,0"),
          matrix("1,0,0;0,-1,0;0,0,0"), matrix("0,0,1;0,0,0;1,0,0"),
          matrix("0,0,-i;0,0,0;i,0,0"), matrix("0,0,0;0,0,1;0,1,0"),
          matrix("0,0,0;0,0,-i;0,i,0"), matrix("sqrt(3)/3,0,0;0,sqrt(3)/3,0;0,0,-2*sqrt(3)/3")};
}

void require_basis(const ContinuousRepresentation& V, const ContinuousRepresentation& U, std::uint64_t dimension) {
  INFO(V.group().name() << ": " << V.to_string() << " -> " << U.to_string());
  const hom::Basis basis = hom::equivariant_basis(V, U);
  CHECK(basis.dimension() == dimension);
  CHECK(basis.blocks().front().weights.space().field() == AbelianField::compositum(V.field(), U.field()));
  CHECK_NOTHROW(verify(basis));
  CHECK(basis.params() == test_lie::dense_hom_dimension(V, U));
}

}  // namespace

TEST_CASE("representations by their matrices are what they were by expressions", "[classical][quick]") {
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
               {"O(1,3)", "vector + alt(2, vector)*det", "vector^2"},
               {"O(1,2)", "harmonic(2)*det + vector", "vector^2"},
               {"O(2,2)", "alt(2, vector) + trivial", "vector^2*det"},
               {"O(1,1)", "harmonic(2) + det", "vector^2"},
               {"SL(2)", "sym(3, vector)", "vector^3"},
               {"SL(3)", "adjoint", "vector*dual(vector)"},
               {"GL(2)", "det*dual(vector) + vector", "vector"},
               {"GL(2)", "dual(det)^2", "trivial"},
               {"Sp(4)", "irrep([0,1])", "alt(2, vector)"},
               {"SU(3)", "schur([2,1], vector)", "vector^3"},
               {"U(2)", "det*vector", "vector^2*vector"},
               {"Spin(3)", "real(spinor)", "real(spinor)"},
               {"Spin(5)", "real(spinor)", "real(spinor)"}};
  for (const auto& c : cases) {
    INFO(c.group << ": " << c.text);
    const ContinuousRepresentation V = rep(c.group, c.text), W = by_matrices(V), U = rep(c.group, c.other);
    CHECK(W.generator_matrices() == V.generator_matrices());
    CHECK(parse_representation(W.group(), W.to_string()) == W);
    const auto own = decompose(V), given = decompose(W);
    REQUIRE(own.size() == given.size());
    for (std::size_t k = 0; k < own.size(); ++k) {
      CHECK(own[k].factors[0].label == given[k].factors[0].label);
      CHECK(own[k].multiplicity == given[k].multiplicity);
    }
    for (const auto& [in, out] : {std::pair(W, U), std::pair(U, W), std::pair(W, V)}) {
      const hom::Basis basis = hom::equivariant_basis(in, out);
      CHECK_NOTHROW(verify(basis));
      CHECK(basis.dimension() == continuous_hom_dimension(in == W ? V : in, out == W ? V : out).dimension);
    }
    CHECK(hom::equivariant_basis(dual(W), dual(V)).dimension() == continuous_hom_dimension(V, V).dimension);
    CHECK(molien_series(W, trivial_representation(W.group()), 4).coefficients ==
          molien_series(V, trivial_representation(V.group()), 4).coefficients);
  }
}

TEST_CASE("in any basis", "[classical][quick]") {
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
  const ContinuousRepresentation W = given(V.group(), images);
  const hom::Basis basis = hom::equivariant_basis(W, V);
  CHECK(basis.dimension() == 2);
  CHECK_NOTHROW(verify(basis));
  CHECK(basis.params() == test_lie::dense_hom_dimension(W, V));
  const hom::Basis power = hom::equivariant_basis(sym(2, W), V);
  CHECK(power.dimension() == continuous_hom_dimension(sym(2, V), V).dimension);
  CHECK_NOTHROW(verify(power));
  // In products with other groups.
  const ContinuousGroup cloud = parse_continuous_group("S3 x SO(3)");
  const ContinuousRepresentation X = parse_representation(cloud, "perm # " + W.to_string());
  CHECK(hom::equivariant_basis(X, X).dimension() == 4);
}

TEST_CASE("matrices that are no representation are refused with the relation that fails", "[classical][quick]") {
  const ContinuousGroup SO3 = parse_continuous_group("SO(3)"), O3 = parse_continuous_group("O(3)");
  const auto matrices = rep("SO(3)", "vector").generator_matrices();
  // A wrong entry; the second generator twice as large.
  auto broken = matrices;
  broken[1] = Rational(2) * broken[1];
  CHECK_THROWS_WITH(given(SO3, broken), Contains("generator 1 of the Lie algebra of SO(3)") || Contains("generator 2"));
  CHECK_THROWS_WITH(given(SO3, {matrices[0]}), Contains("1 matrices are given, but SO(3) has 2"));
  CHECK_THROWS_WITH(given(SO3, {matrices[0], SparseMatrix(2, 2, {})}), Contains("is 2 x 2"));
  // Half-integral: a representation of so(3), of Spin(3) alone.
  const auto spinor = rep("Spin(3)", "real(spinor)").generator_matrices();
  CHECK_THROWS_WITH(given(SO3, spinor), Contains("integral weights; spinors are of Spin(n)"));
  CHECK_NOTHROW(given(parse_continuous_group("Spin(3)"), spinor));
  // GL(1) by a matrix that is not diagonalizable, or with eigenvalue 1/2.
  const ContinuousGroup GL1 = parse_continuous_group("GL(1)");
  CHECK_THROWS_WITH(given(GL1, {SparseMatrix(2, 2, {{0, 1, Rational(1)}})}), Contains("no representation"));
  CHECK_THROWS_AS(given(GL1, {SparseMatrix(1, 1, {{0, 0, Rational(1, 2)}})}), DomainError);
  CHECK(given(GL1, {SparseMatrix(1, 1, {{0, 0, Rational(-7)}})}).dimension() == 1);
  // Components: not diagonal, and not compatible.
  auto with_component = rep("O(2)", "vector").generator_matrices();
  const ContinuousGroup O2 = parse_continuous_group("O(2)");
  with_component[1] = SparseMatrix(2, 2, {{0, 1, Rational(1)}, {1, 0, Rational(2)}});
  CHECK_THROWS_WITH(given(O2, with_component), Contains("the square of that of component 1 of O(2) is not 1"));
  with_component[1] = SparseMatrix(2, 2, {{0, 0, Rational(1)}, {1, 1, Rational(1)}});
  CHECK_THROWS_WITH(given(O2, with_component), Contains("component 1 of O(2) does not take"));
  CHECK_THROWS_AS(given(parse_continuous_group("O(1,2)"), matrices), DomainError);
  CHECK_THROWS_WITH(given(parse_continuous_group("S3 x SO(3)"), matrices), Contains("join"));
}

TEST_CASE("matrices over number fields", "[classical][quick]") {
  // Spin 1 of SU(2) as in physics, J+ |1, m> = sqrt(2 - m (m + 1)) |1, m + 1>; the generators are E(1,2) and E(2,1).
  const ContinuousGroup SU2 = parse_continuous_group("SU(2)");
  const ContinuousRepresentation spin1 =
      matrix_representation(SU2, {matrix("0,sqrt(2),0;0,0,sqrt(2);0,0,0"), matrix("0,0,0;sqrt(2),0,0;0,sqrt(2),0")});
  CHECK(spin1.field().to_string() == "Q(sqrt(2))");
  CHECK(parse_representation(SU2, spin1.to_string()) == spin1);
  require_basis(spin1, rep("SU(2)", "adjoint"), 1);
  require_basis(spin1, spin1, 1);
  require_basis(rep("SU(2)", "vector^2"), spin1, 1);
  require_basis(tensor_power(spin1, 2), sym(2, spin1), 2);
  REQUIRE(decompose(spin1).size() == 1);
  // Over the reals it is twice a real representation, and its endomorphisms are the 2 x 2 matrices.
  require_basis(restriction_of_scalars(spin1), restriction_of_scalars(spin1), 4);
  CHECK_THROWS_WITH(spin1.generator_matrices(), Contains("over Q(sqrt(2))"));
  // One entry wrong: [E(1,2), [E(1,2), E(2,1)]] = -2 E(1,2).
  CHECK_THROWS_WITH(
      matrix_representation(SU2, {matrix("0,sqrt(2),0;0,0,sqrt(3);0,0,0"), matrix("0,0,0;sqrt(2),0,0;0,sqrt(2),0")}),
      Contains("their images do not satisfy this"));

  // Over Q(i) its real form is one over Q.
  const ContinuousRepresentation turned = matrix_representation(SU2, {matrix("0,-i;0,0"), matrix("0,0;i,0")});
  require_basis(turned, rep("SU(2)", "vector"), 1);
  require_basis(restriction_of_scalars(turned), restriction_of_scalars(turned), 4);
  CHECK_THROWS_AS(matrix_representation(SU2, {matrix("0,E(997);0,0"), matrix("0,0;E(997)^996,0")}), LimitError);

  // Characters of SO(2) over Q(i), and C^2 of Spin(3) by the matrices of Pauli.
  const ContinuousGroup SO2 = parse_continuous_group("SO(2)");
  const ContinuousRepresentation plus = matrix_representation(SO2, {matrix("i")}),
                                 minus = matrix_representation(SO2, {matrix("-i")});
  require_basis(plus, minus, 0);
  require_basis(dual(plus), minus, 1);
  require_basis(plus, rep("SO(2)", "vector"), 1);
  require_basis(plus * plus + minus, rep("SO(2)", "harmonic(2) + vector"), 2);
  // E(1,2) - E(2,1) and E(2,3) - E(3,2) are the turns about z and x the other way round.
  const ContinuousRepresentation spinor =
      matrix_representation(parse_continuous_group("Spin(3)"), {matrix("i/2,0;0,-i/2"), matrix("0,i/2;i/2,0")});
  require_basis(spinor, spinor, 1);
  require_basis(spinor, rep("Spin(3)", "real(spinor)"), 2);
  require_basis(tensor_power(spinor, 2), rep("Spin(3)", "vector"), 1);
  CHECK_THROWS_WITH(
      matrix_representation(parse_continuous_group("SO(3)"), {matrix("i/2,0;0,-i/2"), matrix("0,i/2;i/2,0")}),
      Contains("spinors are of Spin(n)"));

  // l = 2 in an orthonormal basis of symmetric matrices without trace.
  std::vector<FieldMatrix> basis = {matrix("0,1,0;1,0,0;0,0,0"), matrix("0,0,0;0,0,1;0,1,0"),
                                    matrix("0,0,1;0,0,0;1,0,0"), matrix("1,0,0;0,-1,0;0,0,0"),
                                    matrix("-sqrt(3)/3,0,0;0,-sqrt(3)/3,0;0,0,2*sqrt(3)/3")};
  const ContinuousGroup SO3 = parse_continuous_group("SO(3)");
  std::vector<FieldMatrix> images;
  for (const char* X : {"0,1,0;-1,0,0;0,0,0", "0,0,0;0,0,1;0,-1,0"})
    images.push_back(in_basis(basis, 2, [&](const FieldMatrix& A) { return bracket(matrix(X), A); }));
  const ContinuousRepresentation d = matrix_representation(SO3, images);
  CHECK(d.field().to_string() == "Q(sqrt(3))");
  require_basis(d, rep("SO(3)", "harmonic(2)"), 1);
  require_basis(rep("SO(3)", "vector^2"), d, 1);
  require_basis(sym(2, d), d, 1);
  CHECK(hom::equivariant_basis(d, sym(2, d)).table().block().metadata.at("field") == "Q(sqrt(3))");
  // In products with finite groups.
  const ContinuousGroup cloud = parse_continuous_group("S3 x SO(3)");
  const ContinuousRepresentation X = parse_representation(cloud, "perm # " + d.to_string());
  require_basis(X, X, 2);
  require_basis(sym(2, X), parse_representation(cloud, "trivial"), 2);
}

TEST_CASE("matrices of other generators", "[classical][quick]") {
  // The eight matrices of Gell-Mann, and what brackets with them do in their own basis: f_abc, with sqrt(3)/2 among them.
  const ContinuousGroup SU3 = parse_continuous_group("SU(3)");
  const std::vector<FieldMatrix> lambda = gell_mann();
  std::vector<FieldMatrix> images;
  for (const FieldMatrix& X : lambda)
    images.push_back(in_basis(lambda, 2, [&](const FieldMatrix& A) { return bracket(X, A); }));
  const ContinuousRepresentation octet = matrix_representation(SU3, lambda, images);
  CHECK(octet.field().to_string() == "Q(E(12))");
  CHECK(parse_representation(SU3, octet.to_string()) == octet);
  require_basis(octet, rep("SU(3)", "adjoint"), 1);
  CHECK(hom::equivariant_basis(tensor_power(octet, 2), octet).dimension() == 2);  // f and d
  // Themselves: C^3, in the basis that it has.
  const ContinuousRepresentation triplet = matrix_representation(SU3, lambda, lambda);
  CHECK(triplet.field().is_rational());
  CHECK(hom::equivariant_basis(triplet, rep("SU(3)", "vector")).dimension() == 1);
  CHECK(hom::equivariant_basis(triplet, rep("SU(3)", "dual(vector)")).dimension() == 0);

  // Multiples of the generators by the prime modulo which brackets are looked at first, and by its inverse.
  const Integer p = word_prime(0);
  for (const Cyclotomic& c : {Cyclotomic(Rational(p)), Cyclotomic(Rational(1, p))}) {
    auto from = lambda, to = images;
    for (std::size_t k = 0; k < from.size(); ++k) from[k] = c * from[k], to[k] = c * to[k];
    CHECK(hom::equivariant_basis(matrix_representation(SU3, from, to), octet).dimension() == 1);
    CHECK_THROWS_WITH(matrix_representation(SU3, {from[0], from[1]}, {to[0], to[1]}),
                      Contains("do not generate the Lie algebra of SU(3)"));
  }

  auto wrong = images;
  wrong[7] = Cyclotomic(2) * wrong[7];
  CHECK_THROWS_WITH(matrix_representation(SU3, lambda, wrong), Contains("no representation of SU(3)"));
  wrong = images;
  wrong[1] = FieldMatrix(wrong[1].field(), 8, 8);
  CHECK_THROWS_AS(matrix_representation(SU3, lambda, wrong), DomainError);
  CHECK_THROWS_WITH(matrix_representation(SU3, {lambda[0], lambda[1]}, {images[0], images[1]}),
                    Contains("do not generate the Lie algebra of SU(3)"));
  CHECK_THROWS_WITH(matrix_representation(SU3, lambda, {images[0]}), Contains("1 matrices are given for 8"));
  auto outside = lambda;
  outside[0] = FieldMatrix::identity({}, 3);
  CHECK_THROWS_WITH(matrix_representation(SU3, outside, images),
                    Contains("given generator 1 is not in the Lie algebra of SU(3)"));
  outside[0] = matrix("0,1;1,0");
  CHECK_THROWS_WITH(matrix_representation(SU3, outside, images), Contains("2 x 2"));
}

TEST_CASE("components by matrices that are not diagonal", "[classical][quick]") {
  // The circular basis of O(2): the reflection exchanges both turns.
  const ContinuousGroup O2 = parse_continuous_group("O(2)");
  const ContinuousRepresentation circular = matrix_representation(O2, {matrix("i,0;0,-i"), matrix("0,1;1,0")});
  require_basis(circular, rep("O(2)", "vector"), 1);
  require_basis(circular, circular, 1);
  require_basis(tensor_power(circular, 2), rep("O(2)", "trivial + det + harmonic(2)"), 3);
  require_basis(sym(2, circular), rep("O(2)", "trivial + det"), 1);
  require_basis(dual(circular), circular, 1);
  REQUIRE(decompose(circular).size() == 1);
  const ContinuousGroup cloud = parse_continuous_group("S3 x O(2)");
  const ContinuousRepresentation X = parse_representation(cloud, "perm # " + circular.to_string());
  require_basis(X, X, 2);
  require_basis(sym(2, X), parse_representation(cloud, "trivial"), 2);

  // O(4) and O(1,3) in a skew basis.
  const std::pair<const char*, const char*> skew[] = {
      {"O(4)", "vector + det"}, {"O(4)", "alt(2, vector)"}, {"O(1,3)", "vector"}, {"O(1,2)", "vector*det"}};
  for (const auto& [group, text] : skew) {
    const ContinuousRepresentation V = rep(group, text);
    const std::uint64_t n = V.dimension();
    std::vector<SparseMatrix::Entry> up, down;
    for (std::uint64_t i = 0; i < n; ++i) {
      up.push_back({i, i, Rational(1)});
      down.push_back({i, i, Rational(1)});
    }
    up.push_back({0, n - 1, Rational(3, 2)});
    down.push_back({0, n - 1, Rational(-3, 2)});
    std::vector<SparseMatrix> images;
    for (const SparseMatrix& A : V.generator_matrices())
      images.push_back(SparseMatrix(n, n, up) * A * SparseMatrix(n, n, down));
    const ContinuousRepresentation W = given(V.group(), images);
    require_basis(W, V, static_cast<std::uint64_t>(continuous_hom_dimension(V, V).dimension));
    require_basis(V, W, static_cast<std::uint64_t>(continuous_hom_dimension(V, V).dimension));
    const ContinuousRepresentation det = determinant_representation(V.group());
    CHECK(hom::equivariant_basis(W * det, V).dimension() == continuous_hom_dimension(V * det, V).dimension);
    const auto own = decompose(V), found = decompose(W);
    REQUIRE(own.size() == found.size());
    for (std::size_t k = 0; k < own.size(); ++k) CHECK(own[k].factors[0].label == found[k].factors[0].label);
  }

  // Components whose entries are not rational: 1 + det in another basis, and vectors in bases over Q(sqrt 2) and Q(i).
  const ContinuousRepresentation signs = matrix_representation(O2, {matrix("0,0;0,0"), matrix("0,i;-i,0")});
  require_basis(signs, rep("O(2)", "det"), 1);
  require_basis(tensor_power(signs, 2), signs, 4);
  const ContinuousRepresentation turned =
      matrix_representation(O2, {matrix("-sqrt(2),3;-1,sqrt(2)"), matrix("1,-2*sqrt(2);0,-1")});
  CHECK(turned.field().to_string() == "Q(sqrt(2))");
  const hom::Basis back = hom::equivariant_basis(turned, rep("O(2)", "vector"));
  REQUIRE(back.dimension() == 1);
  const IntertwinerSpace::Element W = back.blocks().front().weights.space().element(0);  // 1, -sqrt(2); 0, 1
  CHECK(W.place == std::vector<std::uint64_t>{0, 1, 3});
  CHECK(value_of(back.blocks().front().weights.space().field(), W.value, 1) ==
        -value_of(back.blocks().front().weights.space().field(), W.value, 0) * matrix("sqrt(2)")(0, 0));
  require_basis(turned * circular, rep("O(2)", "trivial + det + harmonic(2)"), 3);
  require_basis(schur_power(Partition({2, 1}), turned), turned, 1);
  require_basis(dual(turned), turned, 1);
  CHECK(parse_representation(O2, turned.to_string()) == turned);
  CHECK_THROWS_WITH(matrix_representation(O2, {matrix("-sqrt(2),3;-1,sqrt(2)"), matrix("1,2*sqrt(2);0,-1")}),
                    Contains("does not take the image of X"));
  CHECK_THROWS_WITH(matrix_representation(O2, {matrix("0,0;0,0"), matrix("0,i;i,0")}),
                    Contains("the square of that of component 1 of O(2) is not 1"));
  const FieldMatrix S = matrix("1,i,0;0,1,sqrt(3);0,0,1"), back_again = inverse(S);
  for (const char* group : {"O(3)", "O(1,2)", "O(2,1)"}) {
    const ContinuousRepresentation V = rep(group, "vector");
    std::vector<FieldMatrix> images;
    for (const SparseMatrix& A : V.generator_matrices()) {
      std::vector<Cyclotomic> entries(9);
      for (const auto& e : A.entries()) entries[3 * e.row + e.col] = Cyclotomic(e.value);
      images.push_back(S * FieldMatrix(3, 3, entries) * back_again);
    }
    const ContinuousRepresentation skewed = matrix_representation(V.group(), images);
    INFO(group);
    require_basis(skewed, V, 1);
    require_basis(sym(2, skewed), V * skewed, 2);
    require_basis(alt(2, skewed), V * determinant_representation(V.group()), 1);
    require_basis(skewed, determinant_representation(V.group()), 0);
  }

  // O(1,3): both reflections are in the component of 1 of the complex group together, and it says how they act.
  const ContinuousGroup lorentz = parse_continuous_group("O(1,3)");
  const FieldMatrix zero({}, 1, 1), one = FieldMatrix::identity({}, 1);
  const FieldMatrix minus = Cyclotomic(-1) * one;
  CHECK_NOTHROW(matrix_representation(lorentz, {zero, zero, zero, minus, minus}));
  CHECK_THROWS_WITH(matrix_representation(lorentz, {zero, zero, zero, minus, one}), Contains("exp(i pi X)"));
  auto vector = rep("O(1,1)", "vector + trivial").generator_matrices();
  CHECK_NOTHROW(given(parse_continuous_group("O(1,1)"), vector));
  vector[2] = SparseMatrix(3, 3, {{0, 0, Rational(1)}, {1, 1, Rational(-1)}, {2, 2, Rational(1)}, {2, 0, Rational(1)}});
  CHECK_THROWS_AS(given(parse_continuous_group("O(1,1)"), vector), DomainError);
  // Turns by a number that is 0 modulo the prime of the weights, which are too fast, and turns without eigenvectors.
  const std::uint64_t p = AbelianField::cyclotomic(4).split_prime(0).p;
  const Rational large{Integer(p)};
  CHECK_THROWS_AS(given(parse_continuous_group("SO(2)"), {SparseMatrix(2, 2, {{0, 1, large}, {1, 0, -large}})}),
                  LimitError);
  CHECK_THROWS_AS(given(parse_continuous_group("SO(2)"), {SparseMatrix(2, 2, {{0, 1, Rational(1)}})}), DomainError);
  // Turns faster than weights are looked for: a limit, and no statement about the matrices.
  const auto turns = [](long k) { return matrix(fmt::format("0,{};{},0", -k, k)); };
  CHECK_NOTHROW(matrix_representation(parse_continuous_group("SO(2)"), {turns(100'000)}));
  for (const long k : {100'001L, 200'000L}) {
    CHECK_THROWS_AS(matrix_representation(parse_continuous_group("SO(2)"), {turns(k)}), LimitError);
    CHECK_THROWS_WITH(matrix_representation(parse_continuous_group("SO(2)"), {turns(k)}),
                      Contains("weights above 100000 are not looked for"));
  }
  CHECK_THROWS_AS(matrix_representation(parse_continuous_group("U(1)"), {matrix("200000")}), LimitError);
  CHECK_THROWS_AS(matrix_representation(parse_continuous_group("U(1)"), {matrix("1/2")}), DomainError);
}
