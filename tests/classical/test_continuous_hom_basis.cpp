#include "intertwine/classical/continuous_hom_basis.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "dense_hom.hpp"
#include "intertwine/equivariant/basis_methods.hpp"
#include "intertwine/error.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"

using namespace intertwine;

namespace {

ContinuousRepresentation rep(const std::string& group, const std::string& text) {
  return parse_representation(parse_continuous_group(group), text);
}
hom::Basis basis_of(const std::string& group, const std::string& in, const std::string& out) {
  return hom::equivariant_basis(rep(group, in), rep(group, out), {.single_pattern = true});
}
Integer count_of(const std::string& group, const std::string& in, const std::string& out) {
  return continuous_hom_dimension(rep(group, in), rep(group, out)).dimension;
}

}  // namespace

// EMLP's tests count the same by numerical nullspaces; the sequences are those of Motzkin sums, binomials and Catalan numbers.
TEST_CASE("invariants of tensor powers have the known dimensions, by Hom and by characters", "[classical][quick]") {
  const struct {
    const char *group, *module;
    std::vector<int> dimensions;
    unsigned by_hom;  ///< the largest power whose basis is computed as well
  } cases[] = {{"SO(3)", "vector", {1, 0, 1, 1, 3, 6, 15, 36, 91}, 6},
               {"O(3)", "vector", {1, 0, 1, 0, 3, 0, 15, 0, 91}, 7},
               {"SO(2)", "vector", {1, 0, 2, 0, 6, 0, 20, 0, 70}, 8},
               {"O(2)", "vector", {1, 0, 1, 0, 3, 0, 10, 0, 35}, 8},
               {"SU(2)", "spinor", {1, 0, 1, 0, 2, 0, 5, 0, 14}, 8},
               {"SL(2)", "vector", {1, 0, 1, 0, 2, 0, 5, 0, 14}, 6},
               {"Sp(2)", "vector", {1, 0, 1, 0, 2, 0, 5, 0, 14}, 6},
               {"SO+(1,3)", "vector", {1, 0, 1, 0, 4, 0, 25}, 5},
               {"O(1,3)", "vector", {1, 0, 1, 0, 3, 0, 15}, 5},
               {"SU(3)", "vector", {1, 0, 0, 1, 0, 0, 5}, 6},
               {"GL(2)", "vector", {1, 0, 0, 0, 0}, 3},
               {"O(1)", "vector", {1, 0, 1, 0, 1}, 4}};
  for (const auto& c : cases)
    for (unsigned k = 0; k < c.dimensions.size(); ++k) {
      INFO(c.group << " " << c.module << "^" << k);
      const std::string power = std::string(c.module) + "^" + std::to_string(k);
      CHECK(count_of(c.group, "trivial", power) == c.dimensions[k]);
      if (k > c.by_hom) continue;
      const hom::Basis basis = basis_of(c.group, "trivial", power);
      CHECK(basis.params() == static_cast<std::uint64_t>(c.dimensions[k]));
      CHECK_NOTHROW(verify(basis));
    }
}

TEST_CASE("bases between all kinds of modules agree with a dense elimination", "[classical][quick]") {
  const struct {
    const char *group, *in, *out;
  } cases[] = {{"SO(3)", "vector^2", "vector"},
               {"SO(3)", "vector + harmonic(2)", "sym(2, vector) + trivial"},
               {"O(3)", "det*vector + vector", "vector^2"},
               {"O(2)", "harmonic(2) + det", "vector^2"},
               {"SO(2)", "harmonic(3)", "vector*harmonic(2)"},
               {"O(4)", "alt(2, vector)", "vector^2"},
               {"SO(4)", "alt(2, vector)", "alt(2, vector)"},
               {"SO(5)", "vector", "alt(4, vector)"},
               {"SO+(1,3)", "alt(2, vector)", "alt(2, vector)"},
               {"O(1,3)", "vector + det", "vector^2"},
               {"SO+(1,1)", "vector", "vector^2 + vector"},
               {"O(2,2)", "vector^2", "vector^2"},
               {"SO+(1,2)", "harmonic(2) + trivial", "vector^2"},
               {"SL(3)", "alt(4, vector)", "vector"},
               {"SO(3)", "vector^0 + 0*vector", "trivial"},
               {"SL(2)", "sym(3, vector)", "vector*sym(2, vector)"},
               {"SL(3)", "vector*dual(vector)", "trivial + vector*dual(vector)"},
               {"GL(2)", "vector", "vector^2*dual(vector)"},
               {"GL(2)", "det*dual(vector)", "vector"},
               {"SU(3)", "alt(2, vector)", "dual(vector)"},
               {"U(2)", "alt(2, vector)*vector", "schur([2,1], vector)"},
               {"Sp(4)", "alt(2, vector)", "vector^2"},
               {"SO(3)", "schur([2,1], vector)", "harmonic(2) + vector"},
               {"O(1)", "vector + trivial", "2*vector + trivial"},
               {"O(2) x O(2)", "vector # vector", "(vector # vector) + (vector^2 # trivial)"},
               {"SO(2) x SL(2)", "(vector # vector)^2", "trivial"},
               {"S3 x O(2)", "perm # vector", "perm # vector"},
               {"C4 x SO(2)", "perm # vector + trivial", "(perm + sign) # vector^2"}};
  for (const auto& c : cases) {
    INFO(c.group << ": " << c.in << " -> " << c.out);
    const hom::Basis basis = basis_of(c.group, c.in, c.out);
    CHECK(basis.params() == test_lie::dense_hom_dimension(basis));
    CHECK(basis.dimension() == count_of(c.group, c.in, c.out));
    CHECK_NOTHROW(verify(basis));
  }
}

TEST_CASE("point clouds: permutations times rotations", "[classical][quick]") {
  CHECK(count_of("S5 x O(3)", "perm # vector", "perm # vector") == 2);
  CHECK(basis_of("S5 x O(3)", "perm # vector", "perm # vector").dimension() == 2);
  // 15 patterns of four indices by 1 of a vector; perm -> perm^2 has 5.
  CHECK(basis_of("S4 x O(3)", "perm^2 # vector", "perm^2 # vector").dimension() == 15);
  CHECK(basis_of("S4 x SO(3)", "perm # vector", "perm^2 # vector^2").dimension() == 5);
  CHECK(basis_of("S4 x O(3)", "perm # vector", "(perm # vector)^2").dimension() == 0);
  CHECK(basis_of("S4 x SO(3)", "perm # vector", "(perm # vector)^2").dimension() == 5);
  CHECK(basis_of("S50 x O(3)", "perm # vector", "perm # vector").dimension() == 2);
  // Three factors, the finite one a product.
  CHECK(basis_of("C2 x (S3 x O(3))", "sign # perm # vector", "sign # perm # vector^3").dimension() == 2 * 3);
}

// Characters of C3 and A5 are not rational, nor are the matrices: the elements are over the field of both.
TEST_CASE("finite factors over number fields", "[classical][quick]") {
  const struct {
    const char *group, *in, *out, *field;
    std::uint64_t dimension;
  } cases[] = {{"C3 x SO(3)", "irrep(2) # vector", "irrep(2) # vector", "Q(E(3))", 1},
               {"C3 x SO(3)", "irrep(2) # vector", "irrep(3) # vector", "Q(E(3))", 0},
               {"C3 x SO(3)", "irrep(2) # vector", "perm # vector + irrep(2) # vector^2", "Q(E(3))", 2},
               {"C3 x SO(2)", "sym(2, irrep(2) # vector)", "irrep(3) # trivial", "Q(E(3))", 1},
               {"C3 x SO(2)", "(irrep(2) # vector)^2", "dual(irrep(2)) # (trivial + harmonic(2))", "Q(E(3))", 4},
               {"C4 x O(2)", "irrep(3) # rep([[[i,0],[0,-i]],[[0,1],[1,0]]])", "irrep(3) # vector", "Q(i)", 1},
               {"A5 x O(3)", "irrep(2) # vector", "irrep(2)^2 # vector^2", "Q(sqrt(5))", 0},
               {"A5 x SO(3)", "irrep(2) # vector", "irrep(2)^2 # vector^2", "Q(sqrt(5))", 1},
               {"A5 x SO(3)", "irrep(2) # vector", "irrep(3) # vector", "Q(sqrt(5))", 0},
               {"C4 x U(1)", "irrep(3) # vector", "irrep(3) # vector + irrep(4) # vector", "Q(i)", 1}};
  for (const auto& c : cases) {
    INFO(c.group << ": " << c.in << " -> " << c.out);
    const hom::Basis basis = basis_of(c.group, c.in, c.out);
    CHECK(basis.blocks().front().weights.space().field().to_string() == c.field);
    CHECK(basis.params() == c.dimension);
    CHECK_NOTHROW(verify(basis));
    if (basis.blocks().front().source.dimension() * basis.blocks().front().target.dimension() <= 80)
      CHECK(c.dimension == test_lie::dense_hom_dimension(basis));
  }
}

TEST_CASE("multiplicities in front are channels, others are coordinates", "[classical][quick]") {
  const hom::Basis basis = basis_of("O(3)", "16*vector", "8*(vector + trivial)");
  CHECK(basis.blocks().front().channels == Multiplicity{8, 16});
  CHECK(basis.params() == 1);
  CHECK(basis.dimension() == 8 * 16);
  CHECK(basis.bias_dimension() == 8);
  CHECK(basis_of("O(3)", "2*vector + trivial", "vector").single().params() == 2);
  const WeightBlock table = basis.table().block();
  CHECK(table.channels == Multiplicity{8, 16});
  CHECK_FALSE(table.is_tied());
  CHECK_NOTHROW(require_consistent(table));
}

TEST_CASE("parts are the coordinates, one after the other", "[classical][quick]") {
  const auto parts = [](const std::string& text) {
    std::string out;
    for (const auto& [channels, part] : rep("O(3)", text).parts())
      out += (out.empty() ? "" : "; ") + std::to_string(channels) + " " + part.to_string();
    return out;
  };
  CHECK(parts("16*trivial + 8*vector + 8*harmonic(2)") == "16 trivial; 8 vector; 8 harmonic(2)");
  CHECK(parts("trivial + vector + 2*vector + det") == "1 trivial + vector; 2 vector; 1 det");
  CHECK(parts("2*(trivial + 3*vector) + (vector + det)") == "2 trivial + 3*vector; 1 vector + det");
  CHECK(parts("vector") == "1 vector");
  CHECK(parts("0*vector + 2*det") == "2 det");
  CHECK(parts("0*vector").empty());
  CHECK(rep("O(3)", "trivial + vector + (0*det + 2*(det + vector))").summands().size() == 3);
}

TEST_CASE("blocks have the dimension of the one pattern", "[classical][quick]") {
  for (const char* group : {"SO(3)", "O(3)"}) {
    const auto V = rep(group, "16*trivial + 8*vector + 2*harmonic(2)"), U = rep(group, "4*vector + 3*(vector*vector)");
    const hom::Basis blocks = hom::equivariant_basis(V, U);
    const hom::Basis whole = blocks.single();
    REQUIRE(blocks.biases().size() == 2);
    REQUIRE(blocks.blocks().size() == 6);
    REQUIRE(whole.blocks().size() == 1);
    CHECK(blocks.blocks()[5].channels == Multiplicity{3, 2});
    CHECK(blocks.blocks()[0].weights.params() == 0);
    CHECK(blocks.dimension() == whole.dimension());
    CHECK(blocks.bias_dimension() == whole.bias_dimension());
    CHECK_NOTHROW(verify(blocks));
    CHECK_NOTHROW(verify(whole));
    const WeightTable table = blocks.table({.proof = true});
    CHECK_NOTHROW(require_fitting(table));
    CHECK(Integer(table.theta_size()) == whole.dimension());
    CHECK(Integer(table.bias_size()) == whole.bias_dimension());
    CHECK(table.inputs() == std::vector<FeaturePart>{{16, 1, 0}, {8, 3, 16}, {2, 5, 40}});
  }
  // The largest patterns are those of the parts: 60 x 60 entries and 336 parameters as one.
  const auto V = rep("SO(3)", "16*trivial + 8*vector + 4*harmonic(2)");
  CHECK(hom::equivariant_basis(V, V, {.single_pattern = true}).params() == 336);
  CHECK(hom::equivariant_basis(V, V).params() == 3);
  const hom::Basis sites = hom::equivariant_basis(V, V).sites();
  CHECK(sites.blocks().front().source.to_string() == "trivial + vector + harmonic(2)");
  CHECK(sites.params() == 3);
  CHECK_THROWS_AS(hom::equivariant_basis(V, rep("SO(3)", "0*vector")).table(), DomainError);
  CHECK_THROWS_AS(hom::equivariant_basis(V, rep("O(3)", "vector")), DomainError);
}

TEST_CASE("the elements are the tensors that people know", "[classical][quick]") {
  // epsilon: the vector product; the metric of O(1,3).
  const hom::Basis cross = basis_of("SO(3)", "vector^2", "vector");
  REQUIRE(cross.params() == 1);
  const SparseMatrix epsilon = cross.blocks().front().weights.space()[0];
  CHECK(epsilon.entries().size() == 6);
  CHECK(epsilon(0, 1 * 3 + 2) == 1);
  CHECK(epsilon(0, 2 * 3 + 1) == -1);
  CHECK(epsilon(1, 2 * 3 + 0) == 1);
  const SparseMatrix metric = basis_of("O(1,3)", "vector^2", "trivial").blocks().front().weights.space()[0];
  CHECK(metric.entries().size() == 4);
  CHECK(metric(0, 0) == 1);
  CHECK(metric(0, 5) == -1);
  CHECK(metric(0, 15) == -1);
}

TEST_CASE("generators satisfy the relations of their groups", "[classical][quick]") {
  // On every module: the rotations X, Y of SO(3) have [X, [X, Y]] = -Y, and minus the identity is a sign that squares to 1.
  for (const char* text :
       {"vector", "harmonic(2)", "harmonic(3)", "sym(3, vector)", "alt(2, vector)", "schur([2,1], vector)",
        "vector*harmonic(2)", "dual(harmonic(2))", "2*vector + trivial", "det*vector", "vector^3"}) {
    INFO(text);
    const auto g = rep("O(3)", text).generator_matrices();
    REQUIRE(g.size() == 3);
    const SparseMatrix &X = g[0], &Y = g[1], &s = g[2];
    const SparseMatrix XY = X * Y + Rational(-1) * (Y * X);
    CHECK(X * XY + Rational(-1) * (XY * X) == Rational(-1) * Y);
    CHECK(s * X == X * s);
    CHECK((s * s).entries().size() == s.rows());
  }
  // sl(2): [E, F] = H has trace 0, [H, E] = 2 E.
  for (const char* text : {"vector", "sym(3, vector)", "vector*dual(vector)"}) {
    const auto g = rep("SL(2)", text).generator_matrices();
    const SparseMatrix H = g[0] * g[1] + Rational(-1) * (g[1] * g[0]);
    CHECK(H * g[0] + Rational(-1) * (g[0] * H) == Rational(2) * g[0]);
  }
}

TEST_CASE("what does not commute, depends or is missing is found", "[classical][quick]") {
  const ContinuousRepresentation V = rep("SO(3)", "vector"), square = rep("SO(3)", "vector^2");
  const hom::Basis basis = hom::equivariant_basis(square, V);
  std::vector<IntertwinerSpace::Element> broken = basis.blocks().front().weights.space().elements();
  broken[0].value.set(0, 0, 2);
  CHECK(first_that_does_not_commute(IntertwinerSpace(3, 9, broken), square, V) == 0);
  CHECK(first_that_does_not_commute(basis.blocks().front().weights.space(), square, V) == std::nullopt);
  // Equivariant for SO(3) and not for O(3): only the component tells.
  CHECK(first_that_does_not_commute(basis.blocks().front().weights.space(), rep("O(3)", "vector^2"),
                                    rep("O(3)", "vector")) == 0);
  // A basis with an element left out, or twice the same one.
  std::vector<IntertwinerSpace::Element> elements = hom_basis(square, square).space().elements();
  const auto prove = [&] { verify(IntertwinerSpace(9, 9, elements), square, square); };
  REQUIRE(elements.size() == 3);
  const auto last = elements.back();
  elements.pop_back();
  CHECK_THROWS_AS(prove(), VerificationError);
  elements.push_back(elements.front());
  CHECK_THROWS_AS(prove(), VerificationError);
  elements.back() = last;
  CHECK_NOTHROW(prove());
  CHECK_THROWS_AS(hom::equivariant_basis(V, rep("O(3)", "vector")), DomainError);
}

TEST_CASE("work on continuous groups obeys its limits", "[classical][quick]") {
  CHECK_THROWS_AS(rep("SO(3)", "vector^60"), LimitError);
  CHECK_THROWS_AS(rep("SO(10)", "sym(40, vector)"), LimitError);
  CHECK_THROWS_AS(basis_of("SO(3)", "trivial", "vector^11"), LimitError);
  const Task cancelled(0, 0, {});
  cancelled.cancel();
  CHECK_THROWS_AS(hom::equivariant_basis(rep("SO(3)", "vector^2"), rep("SO(3)", "vector"), {}, cancelled), Interrupted);
  const Task small(1000, 0, {});
  CHECK_THROWS_AS(hom::equivariant_basis(rep("SO(3)", "vector^4"), rep("SO(3)", "vector^4"), {}, small), LimitError);
}
