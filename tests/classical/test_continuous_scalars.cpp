// Real representations of SU(n) and U(n).
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "dense_hom.hpp"
#include "intertwine/classical/continuous_decomposition.hpp"
#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/classical/continuous_series.hpp"
#include "intertwine/classical/continuous_symmetrizer.hpp"
#include "intertwine/error.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/continuous_expression.hpp"

using namespace intertwine;

namespace {

ContinuousRepresentation rep(const std::string& group, const std::string& text) {
  return parse_representation(parse_continuous_group(group), text);
}
std::uint64_t dimension_of_hom(const std::string& group, const std::string& in, const std::string& out) {
  const hom::Basis basis = hom::equivariant_basis(rep(group, in), rep(group, out));
  CHECK_NOTHROW(verify(basis));
  return static_cast<std::uint64_t>(basis.dimension());
}
SparseMatrix bracket(const SparseMatrix& A, const SparseMatrix& B) { return A * B + Rational(-1) * (B * A); }

}  // namespace

// V irreducible: real(V) is irreducible with endomorphisms C where V is not its conjugate, irreducible with the quaternions where V is quaternionic, and twice a real
// representation otherwise [Fulton & Harris 1991, 26.3].
TEST_CASE("endomorphisms of real representations are C, the quaternions or 2 x 2 matrices", "[classical][quick]") {
  CHECK(dimension_of_hom("SU(2)", "real(vector)", "real(vector)") == 4);
  CHECK(dimension_of_hom("SU(3)", "real(vector)", "real(vector)") == 2);
  CHECK(dimension_of_hom("U(1)", "real(vector)", "real(vector)") == 2);
  CHECK(dimension_of_hom("U(2)", "real(vector)", "real(vector)") == 2);
  CHECK(dimension_of_hom("SU(2)", "real(sym(2, vector))", "real(adjoint)") == 4);
  CHECK(dimension_of_hom("SU(4)", "real(alt(2, vector))", "real(alt(2, vector))") == 4);
  CHECK(dimension_of_hom("SU(3)", "real(vector)", "real(dual(vector))") == 2);
  CHECK(dimension_of_hom("SU(3)", "real(irrep([1,1]))", "real(vector*dual(vector))") == 4);
  CHECK(dimension_of_hom("SU(1)", "real(vector)", "real(vector)") == 4);
  // The quaternions multiply as they should: the three units anticommute, and their squares are negative.
  const auto R4 = rep("SU(2)", "real(vector)");
  const IntertwinerSpace H = hom_basis(R4, R4).space();
  for (std::uint64_t a = 1; a < 4; ++a) {
    CHECK(H[a] * H[a] == Rational(-1) * H[0]);
    for (std::uint64_t b = 1; b < a; ++b) CHECK((H[a] * H[b] + H[b] * H[a]).entries().empty());
  }
}

TEST_CASE("Hom of real representations agrees with a dense elimination", "[classical][quick]") {
  const struct {
    const char *group, *in, *out;
  } cases[] = {{"SU(2)", "real(vector) + trivial", "real(vector)^2"},
               {"SU(2)", "real(sym(3, vector))", "trivial + real(vector)"},
               {"U(2)", "real(vector)^2", "trivial + real(alt(2, vector))"},
               {"U(1)", "real(vector^2)", "sym(2, real(vector))"},
               {"SU(3)", "alt(2, real(vector))", "real(vector)"},
               {"SU(3)", "real(vector)", "real(alt(2, vector))"},
               {"SU(2)", "schur([2,1], real(vector))", "real(vector)"},
               {"C3 x SU(2)", "perm # real(vector)", "perm # real(vector)"},
               {"SU(2) x SO(3)", "real(vector) # vector", "real(vector) # vector"},
               {"SU(2) x SU(2)", "real(vector) # real(vector)", "real(vector) # real(vector)"}};
  for (const auto& c : cases) {
    INFO(c.group << ": " << c.in << " -> " << c.out);
    const hom::Basis basis = hom::equivariant_basis(rep(c.group, c.in), rep(c.group, c.out));
    CHECK(basis.params() == test_lie::dense_hom_dimension(basis));
    CHECK_NOTHROW(verify(basis));
  }
}

TEST_CASE("the generators of real representations are those of su(n)", "[classical][quick]") {
  for (const char* group : {"SU(2)", "SU(3)", "U(2)", "U(1)"}) {
    INFO(group);
    const ContinuousGroup G = parse_continuous_group(group);
    const auto& classical = std::get<ClassicalGroup>(G.factors().front());
    REQUIRE(classical.compact_generators().size() == classical.lie_generators().size());
    CHECK(ClassicalGroup(ClassicalGroup::Family::SL, 3).compact_generators().empty());
    const ContinuousRepresentation V = rep(group, "vector"), R = rep(group, "real(vector)");
    const auto generators = R.generator_matrices();
    CHECK(generators.size() == G.generator_names().size());
    for (const SparseMatrix& A : generators) CHECK(A.transpose() == Rational(-1) * A);  // orthogonal
    // i commutes with them.
    std::vector<SparseMatrix::Entry> turn;
    for (std::uint64_t k = 0; k < V.dimension(); ++k) {
      turn.push_back({2 * k, 2 * k + 1, Rational(-1)});
      turn.push_back({2 * k + 1, 2 * k, Rational(1)});
    }
    const SparseMatrix J(R.dimension(), R.dimension(), turn);
    for (const SparseMatrix& A : generators) CHECK(bracket(A, J).entries().empty());
    // A relation of su(2), of the defining module and of a functor: [X, [X, Y]] = -4 Y.
    const auto once = rep(group, "real(sym(2, vector))").generator_matrices();
    for (std::size_t a = 0; a + 1 < once.size(); a += 2) {
      const SparseMatrix there = bracket(once[a], bracket(once[a], once[a + 1])),
                         here = bracket(generators[a], bracket(generators[a], generators[a + 1]));
      CHECK(here == Rational(-4) * generators[a + 1]);
      CHECK(there == Rational(-4) * once[a + 1]);
    }
  }
}

TEST_CASE("real representations have characters, series, symmetrizers and text", "[classical][quick]") {
  const ContinuousRepresentation R = rep("SU(3)", "real(vector)");
  CHECK(R.dimension() == 6);
  CHECK(R.to_string() == "real(vector)");
  CHECK(R.scalars() == Scalars::real);
  CHECK(rep("SU(3)", "vector").scalars() == Scalars::complex);
  CHECK(rep("SU(3)", "2*trivial").scalars() == Scalars::either);
  CHECK(rep("S3 x SU(3)", "perm # trivial").scalars() == Scalars::either);
  CHECK(rep("SO(3)", "trivial").scalars() == Scalars::real);
  CHECK(restriction_of_scalars(R) == R);
  CHECK(rep("SO(3)", "real(vector)").to_string() == "vector");
  // |v|^2 generates the invariants of U(n) and SU(n), n > 1, on real(C^n).
  for (const char* group : {"SU(2)", "SU(3)", "U(2)"})
    CHECK(molien_series(rep(group, "real(vector)"), rep(group, "trivial"), 7).coefficients ==
          std::vector<Integer>{1, 0, 1, 0, 1, 0, 1});
  const auto parts = decompose(R);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].factors[0].label != parts[1].factors[0].label);
  // The mean of a matrix over SU(3): half its trace and half its trace against i.
  const ContinuousSymmetrizer S(R, R);
  std::vector<Rational> entries(36);
  for (std::size_t k = 0; k < 36; ++k) entries[k] = Rational(static_cast<std::int64_t>(k * k % 7));
  const FieldMatrix mean = S(RationalMatrix(6, 6, entries));
  CHECK(S.is_equivariant(mean));
  CHECK(S(mean) == mean);
}

TEST_CASE("a real form of matrices over a larger field is refused in a sentence", "[classical][quick]") {
  const char* spin_one = "realform(rep([[[0,sqrt(2),0],[0,0,sqrt(2)],[0,0,0]],[[0,0,0],[sqrt(2),0,0],[0,sqrt(2),0]]]))";
  CHECK_THROWS_WITH(rep("SU(2)", spin_one), Catch::Matchers::Contains("is over Q(sqrt(2)): take real(V)"));
}

TEST_CASE("real and complex representations do not mix", "[classical][quick]") {
  using Catch::Matchers::Contains;
  const ContinuousRepresentation V = rep("SU(3)", "vector"), R = rep("SU(3)", "real(vector)");
  CHECK_THROWS_WITH(V + R, Contains("real(vector) is real and vector is complex: write real(vector)"));
  CHECK_THROWS_AS(R * V, DomainError);
  CHECK_THROWS_AS(hom::equivariant_basis(V, R), DomainError);
  CHECK_THROWS_AS(continuous_hom_dimension(R, V), DomainError);
  CHECK_NOTHROW(hom::equivariant_basis(R, rep("SU(3)", "trivial")));
  CHECK_THROWS_WITH(rep("SU(2) x SU(3)", "real(vector) # vector"), Contains("is complex"));
}

TEST_CASE("real coordinates over products", "[classical][quick]") {
  // The pairs e_i (x) f_j, e_i (x) i f_j are neighbours: the matrices are those of every element on real and imaginary parts.
  CHECK(rep("S3 x SU(3)", "real(perm # vector)") == rep("S3 x SU(3)", "perm # real(vector)"));
  CHECK(rep("O(2) x U(1)", "real(2*(vector # vector))") == rep("O(2) x U(1)", "2*(vector # real(vector))"));
  CHECK(rep("S3 x SU(2)", "real(perm # vector + trivial)") == rep("S3 x SU(2)", "perm # real(vector) + 2*trivial"));
  CHECK(rep("S3 x SU(2)", "real(perm # trivial + std # vector)") ==
        rep("S3 x SU(2)", "perm # (2*trivial) + std # real(vector)"));
  CHECK(rep("S3 x SU(3)", "realform(std # adjoint)") == rep("S3 x SU(3)", "std # realform(adjoint)"));
  CHECK(dimension_of_hom("S3 x SU(2)", "real(perm # vector)", "real(perm # vector)") == 8);
  CHECK(dimension_of_hom("S3 x SU(3)", "real(std # vector)", "real(perm # vector + trivial)") == 2);
  CHECK(test_lie::dense_hom_dimension(rep("S3 x SU(2)", "real(std # vector)"),
                                      rep("S3 x SU(2)", "real(perm # vector)")) == 4);
}

// V (x) V' of two complex groups is one complex module: over R it is half of real(V) (x) real(V').
TEST_CASE("real coordinates where several factors are complex", "[classical][quick]") {
  const struct {
    const char *group, *in, *out;
    std::uint64_t dimension;
  } cases[] = {{"SU(2) x SU(3)", "vector # vector", "vector # vector", 2},  // C
               {"SU(2) x SU(2)", "vector # vector", "vector # vector", 4},  // real twice: R^4 with SO(4)
               {"SU(3) x SU(3)", "vector # dual(vector)", "dual(vector) # vector", 2},
               {"SU(3) x SU(3)", "vector # dual(vector)", "dual(vector) # dual(vector)", 0},
               {"U(1) x U(1)", "vector # vector + vector # trivial", "vector # vector + 2*trivial", 2},
               {"U(1) x O(2) x U(1)", "vector # vector # vector", "vector # (trivial + vector) # vector", 2},
               {"SU(2) x S3 x SU(2)", "vector # perm # vector", "vector # std # vector", 4},
               {"SU(2)^3", "vector # vector # vector", "vector # vector # vector", 4},  // H
               {"SU(2) x U(1)", "sym(2, vector # vector)", "sym(2, vector) # vector^2", 2},
               {"U(1) x U(1)", "(vector # vector)^2", "sym(2, vector # vector)", 2}};
  for (const auto& c : cases) {
    INFO(c.group << ": " << c.in << " -> " << c.out);
    const ContinuousRepresentation V = rep(c.group, fmt::format("real({})", c.in).c_str()),
                                   U = rep(c.group, fmt::format("real({})", c.out).c_str());
    CHECK(V.scalars() == Scalars::real);
    CHECK(V.dimension() == 2 * rep(c.group, c.in).dimension());
    CHECK(parse_representation(V.group(), V.to_string()) == V);
    const hom::Basis basis = hom::equivariant_basis(V, U);
    CHECK_NOTHROW(verify(basis));
    CHECK(basis.params() == c.dimension);
    if (V.dimension() * U.dimension() <= 150) CHECK(c.dimension == test_lie::dense_hom_dimension(basis));
  }
  // Invariant forms: |v|^2 of C^2 (x) C^3; of R^4 (x) C three, x.x, x.y and y.y.
  CHECK(dimension_of_hom("SU(2) x SU(3)", "sym(2, real(vector # vector))", "trivial") == 1);
  CHECK(dimension_of_hom("SU(2) x SU(2)", "sym(2, real(vector # vector))", "trivial") == 3);
  CHECK(hom::equivariant_basis(rep("SU(2) x SU(2)", "sym(2, real(vector # vector))"), rep("SU(2) x SU(2)", "trivial"))
            .params() == 3);
  CHECK(hom::equivariant_basis(rep("U(1) x U(1)", "real(vector # vector)^2"),
                               rep("U(1) x U(1)", "real(vector # vector)*real(vector # vector)"))
            .params() == 6);
  const auto parts = decompose(rep("SU(2) x SU(3)", "real(vector # vector)"));
  CHECK(parts.size() == 2);
}

TEST_CASE("real coordinates where the complex factor is not the last one", "[classical][quick]") {
  const struct {
    const char *group, *in, *out;
    std::uint64_t dimension;
  } cases[] = {{"SU(2) x S3", "vector # perm", "vector # perm", 8},
               {"SU(2) x S3", "vector # perm + trivial", "vector # std", 4},
               {"SU(3) x C2 x SO(2)", "vector # sign # vector", "vector # sign # vector", 4},
               {"U(1) x O(2)", "2*(vector # vector)", "vector # (trivial + vector)", 2},
               {"S3 x SU(2)", "sym(2, perm # vector)", "perm # sym(2, vector)", 0},
               {"SU(2) x C2", "schur([2,1], vector # perm)", "vector # perm", 0},
               // what is real as well beside what is complex, and is twice there
               {"SU(2) x SO(3)", "vector # vector + sym(2, trivial) # vector", "vector # vector", 4},
               {"SU(2) x SO(3)", "vector # vector + alt(1, trivial) # vector", "vector # vector + trivial # vector", 8},
               {"SU(2) x SO(3)", "vector # vector + schur([2], trivial + trivial) # vector",
                "vector # vector + trivial # vector", 16}};
  for (const auto& c : cases) {
    INFO(c.group << ": " << c.in << " -> " << c.out);
    const std::string in = fmt::format("real({})", c.in), out = fmt::format("real({})", c.out);
    const ContinuousRepresentation V = rep(c.group, in.c_str()), U = rep(c.group, out.c_str());
    CHECK(V.scalars() == Scalars::real);
    CHECK(parse_representation(V.group(), V.to_string()) == V);
    const hom::Basis basis = hom::equivariant_basis(V, U);
    CHECK_NOTHROW(verify(basis));
    const std::uint64_t dense = test_lie::dense_hom_dimension(basis);
    CHECK(basis.params() == dense);
    if (c.dimension != 0) CHECK(dense == c.dimension);
  }
  // i of the matrices and i of the scalars are not the same.
  const char* quaternions = "rep([[[-i/2,0],[0,i/2]],[[0,-i/2],[-i/2,0]]])";
  CHECK_THROWS_WITH(rep("SU(2) x Spin(3)", fmt::format("real(vector # {})", quaternions).c_str()),
                    Catch::Contains("is for V by rational matrices"));
  // Real and imaginary parts are neighbours, as over one group: i acts on the pairs, and the finite factor on pairs as a whole.
  const ContinuousRepresentation V = rep("SU(2) x S3", "real(vector # perm)");
  const auto own = V.generator_matrices(), complex = rep("SU(2) x S3", "vector # perm").generator_matrices();
  for (std::size_t g = own.size() - 2; g < own.size(); ++g)
    for (std::uint64_t i = 0; i < 12; ++i)
      for (std::uint64_t j = 0; j < 12; ++j)
        CHECK(own[g](i, j) == (i % 2 == j % 2 ? complex[complex.size() - own.size() + g](i / 2, j / 2) : Rational(0)));
  std::vector<SparseMatrix::Entry> entries;
  for (std::uint64_t k = 0; k < 12; k += 2) {
    entries.push_back({k, k + 1, Rational(-1)});
    entries.push_back({k + 1, k, Rational(1)});
  }
  const SparseMatrix i(12, 12, entries);
  for (const SparseMatrix& A : own) CHECK(A * i == i * A);
}

TEST_CASE("real forms of irreducible representations of real type", "[classical][quick]") {
  using Catch::Matchers::Contains;
  const struct {
    const char *group, *text;
    std::uint64_t dimension;
  } cases[] = {{"SU(2)", "adjoint", 3},        {"SU(2)", "sym(2, vector)", 3}, {"SU(2)", "sym(4, vector)", 5},
               {"SU(2)", "sym(6, vector)", 7}, {"SU(3)", "adjoint", 8},        {"SU(3)", "irrep([2,2])", 27},
               {"SU(4)", "alt(2, vector)", 6}, {"SU(4)", "irrep([0,2,0])", 20}};
  for (const auto& c : cases) {
    INFO(c.group << " " << c.text);
    const ContinuousRepresentation V = rep(c.group, c.text), W = real_form(V), R = restriction_of_scalars(V);
    CHECK(W.dimension() == c.dimension);
    CHECK(W.scalars() == Scalars::real);
    CHECK(parse_representation(W.group(), W.to_string()) == W);
    CHECK(parse_representation(W.group(), W.to_string()).generator_matrices() == W.generator_matrices());
    const hom::Basis own = hom::equivariant_basis(W, W), whole = hom::equivariant_basis(W, R);
    CHECK(own.dimension() == 1);
    CHECK(whole.dimension() == 2);
    CHECK_NOTHROW(verify(own));
    CHECK_NOTHROW(verify(whole));
    const auto parts = decompose(W);
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].indicator() == 1);
    CHECK(real_form(W) == W);
  }
  // The bracket and the symmetric product of su(3); the vectors of rotations.
  CHECK(dimension_of_hom("SU(3)", "realform(adjoint)^2", "realform(adjoint)") == 2);
  CHECK(dimension_of_hom("SU(2)", "realform(adjoint)^2", "realform(adjoint)") == 1);
  CHECK(dimension_of_hom("SU(2)", "real(vector)^2", "realform(sym(2, vector))") == 4);
  CHECK(test_lie::dense_hom_dimension(rep("SU(2)", "realform(adjoint)"), rep("SU(2)", "real(vector)^2")) == 4);
  CHECK(dimension_of_hom("SU(4)", "sym(2, realform(alt(2, vector)))", "trivial") == 1);
  CHECK_THROWS_WITH(rep("SU(2)", "realform(vector)"), Contains("quaternionic"));
  CHECK_THROWS_WITH(rep("SU(3)", "realform(vector)"), Contains("not isomorphic to its conjugate"));
  CHECK_THROWS_WITH(rep("SU(2)", "realform(vector^2)"), Contains("not irreducible"));
  CHECK_THROWS_AS(rep("S3 x SU(2)", "perm # vector + realform(perm # vector)"), Error);
}

TEST_CASE("real forms and real representations over products are refused where they are none", "[classical][quick]") {
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(rep("SU(2) x SU(2)", "realform(vector # vector)"), Contains("take real(V)"));
  CHECK_THROWS_WITH(rep("SU(3) x SO(3)", "realform(adjoint # vector)"), Contains("the last factor alone is complex"));
  CHECK(rep("SO(3) x SU(3)", "realform(vector # adjoint)").dimension() == 24);
  // Over Q(zeta_3) it is not real, though no factor is SU(n).
  CHECK_THROWS_WITH(rep("C3 x SO(3)", "real(irrep(2) # vector)"), Contains("take real(W) # U"));
  CHECK(rep("C3 x SO(3)", "real(irrep(2)) # vector").dimension() == 6);
  CHECK_THROWS_WITH(rep("C3 x SU(2)", "real(irrep(2) # vector)"), Contains("take real(W) # U"));
  // A line, from terms of 32 dimensions together: 10^8 words.
  CHECK_THROWS_AS(hom::equivariant_basis(rep("SU(2) x SU(2) x SU(2)", "alt(16, real(vector # vector # vector))"),
                                         rep("SU(2) x SU(2) x SU(2)", "trivial")),
                  LimitError);
}
