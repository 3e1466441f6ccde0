// sym, alt and schur over products of groups.
#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "dense_hom.hpp"
#include "intertwine/classical/continuous_decomposition.hpp"
#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/classical/continuous_polynomials.hpp"
#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/error.hpp"
#include "intertwine/gl/schur_representation.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/hom/series.hpp"
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

/// A finite factor as one of a product of groups, and the same external product in the engine of finite groups.
struct FiniteCase {
  Representation left, right;
  ContinuousRepresentation continuous() const {
    const ContinuousGroup G({left.group(), right.group()});
    return external_product(G, {finite_representation(left), finite_representation(right)});
  }
  Representation finite() const {
    return external_product({left, right}, direct_product({left.group(), right.group()}));
  }
};

FiniteCase finite_case(const char* G, const char* V, const char* H, const char* W) {
  const auto one = [](const char* group, const char* text) {
    return parse_representation(parse_finite_group(group), text);
  };
  return {one(G, V), one(H, W)};
}

void check_same_matrices(const ContinuousRepresentation& V, const Representation& U) {
  const auto ours = V.generator_matrices();
  const auto theirs = U.generator_matrices();
  REQUIRE(ours.size() == theirs.size());
  for (std::size_t g = 0; g < ours.size(); ++g) {
    std::vector<SparseMatrix::Entry> entries;
    for (std::size_t i = 0; i < theirs[g].rows(); ++i)
      for (std::size_t j = 0; j < theirs[g].cols(); ++j)
        if (theirs[g](i, j) != 0) entries.push_back({i, j, theirs[g](i, j)});
    CHECK(ours[g] == SparseMatrix(theirs[g].rows(), theirs[g].cols(), entries));
  }
}

}  // namespace

TEST_CASE("functors over products have the matrices that the finite engine has", "[classical][quick]") {
  const FiniteCase cases[] = {finite_case("S3", "perm", "B2", "coordinates"), finite_case("S3", "std", "C2", "regular"),
                              finite_case("S3", "std", "B2", "coordinates")};
  for (const FiniteCase& c : cases) {
    const ContinuousRepresentation V = c.continuous();
    const Representation U = c.finite();
    check_same_matrices(V, U);
    check_same_matrices(sym(2, V), sym(2, U));
    check_same_matrices(sym(3, V), sym(3, U));
    check_same_matrices(alt(2, V), alt(2, U));
    check_same_matrices(alt(3, V), alt(3, U));
    check_same_matrices(schur_power(Partition({2, 1}), V), schur_power(Partition({2, 1}), U));
  }
}

TEST_CASE("Hom between functors over products has the dimensions of the finite engine", "[classical][quick]") {
  const FiniteCase c = finite_case("S3", "perm", "B3", "coordinates");
  const ContinuousRepresentation V = c.continuous();
  const Representation U = c.finite();
  const auto check = [&](const ContinuousRepresentation& A, const Representation& B) {
    const hom::Basis own = hom::equivariant_basis(A, A);
    CHECK(own.dimension() == hom_dimension(B, B).dimension);
    CHECK_NOTHROW(verify(own));
    CHECK(continuous_hom_dimension(A, tensor_power(V, 2)).dimension == hom_dimension(B, tensor_power(U, 2)).dimension);
  };
  check(sym(2, V), sym(2, U));
  check(alt(2, V), alt(2, U));
  CHECK(continuous_hom_dimension(sym(3, V), V).dimension == hom_dimension(sym(3, U), U).dimension);
  CHECK(continuous_hom_dimension(alt(3, V), alt(3, V)).dimension == hom_dimension(alt(3, U), alt(3, U)).dimension);
  const Partition hook({2, 1});
  CHECK(continuous_hom_dimension(schur_power(hook, V), V).dimension ==
        hom_dimension(schur_power(hook, U), U).dimension);
  CHECK(hom::equivariant_basis(schur_power(hook, V), V).dimension() ==
        hom_dimension(schur_power(hook, U), U).dimension);
}

TEST_CASE("Hom between functors over products agrees with a dense elimination", "[classical][quick]") {
  const struct {
    const char *group, *in, *out;
  } cases[] = {{"S3 x O(2)", "sym(2, perm # vector)", "trivial"},
               {"S3 x O(2)", "alt(2, perm # vector)", "perm # det"},
               {"C2 x SO(2)", "sym(3, perm # vector)", "perm # vector"},
               {"C2 x SO(2)", "alt(3, perm # vector)", "perm # vector"},
               {"C2 x SO(2)", "schur([2,1], perm # vector)", "perm # vector"},
               {"C2 x SO(2)", "schur([2,2], perm # vector)", "trivial + perm # trivial"},
               {"SU(2) x SU(2)", "sym(2, vector # vector)", "trivial + vector^2 # trivial"},
               {"SU(2) x SU(2)", "alt(2, vector # vector)", "sym(2, vector) # trivial"},
               {"SU(2) x SO(3)", "alt(2, vector # vector)", "trivial # vector"},
               {"SU(2) x SU(2)", "sym(2, real(vector) # trivial + trivial # real(vector))", "trivial"},
               {"C2 x O(2)", "sym(2, perm # vector + trivial)", "perm # vector + trivial"},
               {"C2 x SO(2)", "alt(2, perm # vector + sign # trivial)", "sign # vector + 2*trivial"},
               {"C2 x SO(2)", "schur([2,1], sign # vector + trivial)", "sign # vector + trivial"},
               {"C2 x SO(2)", "sym(2, 2*(sign # vector))", "trivial"},
               {"C2 x SO(2)", "dual(sym(2, perm # vector))", "trivial + sign # det"},
               {"C2 x SO(2)", "sym(2, sign # vector)*(sign # vector)", "sign # vector"},
               {"C2 x SO(2)", "sym(2, alt(2, perm # vector))", "trivial + perm # trivial"},
               {"C2 x SO(2)", "sym(2, (trivial + sign # vector)^2)", "trivial"},
               {"C2 x S3 x SO(2)", "sym(2, sign # perm # vector)", "trivial"},
               {"C2 x C2 x SO(2)", "alt(2, perm # perm # vector)", "sign # perm # trivial"},
               {"S3 x SO(2)", "sym(0, perm # vector) + sym(1, std # vector)", "trivial + std # vector"}};
  for (const auto& c : cases) {
    INFO(c.group << ": " << c.in << " -> " << c.out);
    const hom::Basis basis = basis_of(c.group, c.in, c.out);
    CHECK(basis.params() == test_lie::dense_hom_dimension(basis));
    CHECK_NOTHROW(verify(basis));
    const hom::Basis back = basis_of(c.group, c.out, c.in);
    CHECK(back.params() ==
          static_cast<std::uint64_t>(continuous_hom_dimension(rep(c.group, c.out), rep(c.group, c.in)).dimension));
    const ContinuousRepresentation V = rep(c.group, c.in);
    CHECK(parse_representation(V.group(), V.to_string()) == V);
  }
}

// Products of two scalar products, up to the names of the points: the graphs of two edges, loops among them, without isolated
// vertices, seven of them; relations between scalar products in space begin with those of five points [Weyl 1946].
TEST_CASE("powers of many points are found by their weight spaces", "[classical][quick]") {
  const hom::Basis quartic = basis_of("S10 x O(3)", "sym(4, perm # vector)", "trivial");
  CHECK(quartic.params() == 7);
  CHECK(quartic.bias_params() == 1);
  // A classical factor without maps ends the search before the finite one is looked at.
  const hom::Basis cubic = basis_of("S50 x O(3)", "sym(3, perm # vector)", "trivial");
  CHECK(cubic.params() == 0);
  const hom::Basis hook = basis_of("S12 x SO(3)", "schur([2,1], perm # vector)", "perm # vector");
  CHECK(hook.params() == static_cast<std::uint64_t>(hom::hom_dimension(hook.source(), hook.target())));
  CHECK(hook.params() > 0);
}

// Molien's and Weyl's formula averages over eigenvalues, and knows nothing of Cauchy's.
TEST_CASE("symmetric powers over products are as many as Molien's series counts", "[classical][quick]") {
  const struct {
    const char *group, *in, *out;
    unsigned most;
  } cases[] = {{"S3 x O(3)", "perm # vector", "trivial", 4},
               {"S4 x SO(3)", "perm # vector + trivial", "perm # vector", 3},
               {"SU(2) x SU(2)", "vector # vector", "vector^2 # vector^2", 4},
               {"SU(2) x SO(3)", "2*(vector # trivial) + trivial # vector", "trivial", 4},
               {"C3 x O(2)", "perm # (vector + det)", "perm # trivial", 4},
               {"C2 x S3 x O(2)", "sign # perm # vector", "trivial", 4}};
  for (const auto& c : cases) {
    const ContinuousRepresentation V = rep(c.group, c.in), W = rep(c.group, c.out);
    for (unsigned d = 0; d <= c.most; ++d) {
      INFO(c.group << ": sym(" << d << ", " << c.in << ") -> " << c.out);
      CHECK(continuous_hom_dimension(sym(d, V), W).dimension == polynomial_dimension(V, W, d));
    }
  }
  CHECK(basis_of("S3 x O(3)", "sym(4, perm # vector)", "trivial").dimension() == 6);
  CHECK(basis_of("SU(2) x SU(2)", "sym(4, vector # vector)", "trivial").dimension() == 1);  // det^2
  CHECK(basis_of("SU(2) x SU(2)", "alt(4, vector # vector)", "trivial").dimension() == 1);
}

TEST_CASE("tensor powers are made of Schur functors", "[classical][quick]") {
  for (const auto& [group, text] :
       {std::pair("S3 x O(3)", "perm # vector"), std::pair("SU(2) x SU(2)", "vector # vector"),
        std::pair("C2 x SO(3)", "perm # vector + trivial")}) {
    const ContinuousRepresentation V = rep(group, text), W = tensor_power(V, 3);
    const ContinuousRepresentation parts = sym(3, V) + alt(3, V) + 2 * schur_power(Partition({2, 1}), V);
    CHECK(parts.dimension() == W.dimension());
    CHECK(continuous_hom_dimension(parts, W).dimension == continuous_hom_dimension(W, W).dimension);
    CHECK(continuous_hom_dimension(parts, parts).dimension == continuous_hom_dimension(W, W).dimension);
  }
  // Known answers: two vectors at each of 5 points make |x_i|^2 and <x_i, x_j>; no invariant 2-form without orientation.
  CHECK(basis_of("S5 x O(3)", "sym(2, perm # vector)", "trivial").dimension() == 2);
  CHECK(basis_of("S5 x O(3)", "alt(2, perm # vector)", "trivial").dimension() == 0);
  Integer degrees = 0;
  for (const ContinuousConstituent& part : decompose(rep("S3 x SO(3)", "sym(2, perm # vector)")))
    degrees += part.degree * part.multiplicity;
  CHECK(degrees == 45);
}

TEST_CASE("fifty points take no longer than five", "[classical][quick]") {
  const auto start = std::chrono::steady_clock::now();
  const hom::Basis basis = basis_of("S50 x O(3)", "sym(2, perm # vector)", "trivial");
  CHECK(basis.dimension() == 2);
  CHECK(basis.blocks().front().source.dimension() == 11325);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("functors over products that are too large are refused", "[classical][quick]") {
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(rep("S5 x O(3)", "sym(20, perm # vector)"), Contains("at most 1000000"));
  CHECK_THROWS_AS(rep("S5 x O(3)", "schur([2,1], (perm # vector)^3)"), LimitError);
  CHECK_THROWS_AS(sym(2, finite_representation(parse_representation(parse_finite_group("S3"), "perm"))), DomainError);
}
