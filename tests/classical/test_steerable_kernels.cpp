#include "intertwine/classical/steerable_kernels.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/continuous_expression.hpp"

using namespace intertwine;

namespace {

SteerableKernels kernels_of(const std::string& group, const std::string& in, const std::string& out) {
  const EuclideanGroup G = parse_euclidean_group(group);
  return steerable_kernels(G, parse_representation(G.point_group(), in), parse_representation(G.point_group(), out));
}

std::vector<unsigned> degrees_of(const SteerableKernels& kernels) {
  std::vector<unsigned> out;
  for (const auto& part : kernels.degrees) out.insert(out.end(), part.kernels.size(), part.degree);
  return out;
}

std::string harmonic(unsigned l) { return "harmonic(" + std::to_string(l) + ")"; }

}  // namespace

// Weiler et al. 2018 (SE(3)), Weiler & Cesa 2019 (SE(2) and E(2), table 8 to 13), Geiger & Smidt 2022 (E(3): parity (-1)^L).
TEST_CASE("kernels between irreducible fields have the known degrees", "[classical][quick]") {
  for (unsigned j = 0; j <= 3; ++j)
    for (unsigned l = 0; l <= 3; ++l) {
      INFO(j << " -> " << l);
      const unsigned low = j < l ? l - j : j - l;
      std::vector<unsigned> all, even;
      for (unsigned L = low; L <= j + l; ++L) {
        all.push_back(L);
        if ((L + j + l) % 2 == 0) even.push_back(L);
      }
      CHECK(degrees_of(kernels_of("SE(3)", harmonic(j), harmonic(l))) == all);
      CHECK(degrees_of(kernels_of("E(3)", harmonic(j), harmonic(l))) == even);
      if (j == 0 || l == 0) continue;
      CHECK(degrees_of(kernels_of("SE(2)", harmonic(j), harmonic(l))) == std::vector<unsigned>{low, low, j + l, j + l});
      CHECK(degrees_of(kernels_of("E(2)", harmonic(j), harmonic(l))) == std::vector<unsigned>{low, j + l});
    }
  CHECK(degrees_of(kernels_of("E(3)", "vector", "vector*det")) == std::vector<unsigned>{1});  // 1o -> 1e
  CHECK(degrees_of(kernels_of("SE(2)", "trivial", "trivial")) == std::vector<unsigned>{0});
  CHECK(degrees_of(kernels_of("E(2)", "trivial", "det"))
            .empty());  // reflections leave a point fixed, and negate the value
  CHECK(degrees_of(kernels_of("SE(2)", "trivial", "det")) == std::vector<unsigned>{0});
}

TEST_CASE("kernels of vectors are the identity, the vector product and the projection", "[classical][quick]") {
  const SteerableKernels kernels = kernels_of("SE(3)", "vector", "vector");
  REQUIRE(kernels.params() == 3);
  CHECK(kernels.stabilizer == "SO(2)");
  const SparseMatrix& one = kernels.degrees[0].kernels[0];
  REQUIRE(one.entries().size() == 3);
  for (const auto& e : one.entries()) CHECK((e.value == 1 && e.col % 4 == 0));
  const SparseMatrix& cross = kernels.degrees[1].kernels[0];  // entry (i, j) is a multiple of epsilon_ijk x_k
  CHECK(cross.entries().size() == 6);
  for (const auto& e : cross.entries()) CHECK(e.row + e.col / 3 + e.col % 3 == 3);
  for (const auto& part : kernels.degrees)
    for (const auto& A : part.kernels) CHECK(A.entries().front().value > 0);
}

TEST_CASE("sums, products and other dimensions are proved as well", "[classical][quick]") {
  for (const auto& [group, in, out, count] :
       {std::tuple("SE(3)", "vector + trivial", "harmonic(2) + vector", 3 + 3 + 1 + 1),
        std::tuple("E(4)", "vector", "vector", 2), std::tuple("SE(4)", "alt(2, vector)", "vector", 2),
        std::tuple("SE(2)", "vector^2", "trivial", 4), std::tuple("S3 x SE(3)", "perm # vector", "perm # vector", 6),
        std::tuple("SE(2) x S3", "vector # perm", "trivial # perm", 4),
        std::tuple("E(3)", "schur([2,1], vector)", "dual(vector)", 3),
        std::tuple("SE(3)", "3*vector", "2*vector", 3)}) {
    INFO(group << " " << in << " -> " << out);
    const SteerableKernels kernels = kernels_of(group, in, out);
    CHECK(kernels.params() == static_cast<std::uint64_t>(count));
    CHECK(kernels.by_stabilizer.dimension == count);
    CHECK_NOTHROW(verify(kernels));
  }
  CHECK(kernels_of("SE(3)", "3*vector", "2*vector").dimension() == 18);
}

// dim Hom of real modules of Spin(n): the real spinor of Spin(3) is twice C^2 over C, of spin 1/2, and harmonic(l) has spin l; spins j and k have
// 2 min(j, k) + 1 kernels, of the degrees |j - k|, ..., j + k.
TEST_CASE("kernels of spinor fields", "[classical][quick]") {
  const std::string S = "real(spinor)", plus = "real(spinor(+))", minus = "real(spinor(-))";
  using Degrees = std::vector<unsigned>;
  CHECK(degrees_of(kernels_of("ISpin(3)", S, S)) == Degrees{0, 0, 0, 0, 1, 1, 1, 1});  // 2 * 2 (1 + 1)
  CHECK(degrees_of(kernels_of("ISpin(3)", S, "vector")).empty());
  CHECK(degrees_of(kernels_of("ISpin(3)", "trivial", S)).empty());
  const Degrees ladder{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2};  // 1/2 to 1/2 and 3/2, 2 * 2 copies of each
  CHECK(degrees_of(kernels_of("ISpin(3)", S, S + "*vector")) == ladder);
  // As for SE(3) where -1 acts trivially; a product of two spinors is 4 (0 + 1).
  CHECK(degrees_of(kernels_of("ISpin(3)", "vector", "harmonic(2)")) == Degrees{1, 2, 3});
  CHECK(degrees_of(kernels_of("ISpin(3)", "adjoint", "vector")) == degrees_of(kernels_of("SE(3)", "vector", "vector")));
  CHECK(kernels_of("ISpin(3)", S + "^2", "vector").params() == 4 * (1 + 3));
  CHECK(kernels_of("ISpin(3)", S, S).stabilizer == "Spin(2)");
  using Case = std::tuple<std::string, std::string, std::string, Degrees>;
  // Spinors of n over the stabilizer of a point, Spin(n-1), by the dimensions of commutants there.
  for (const auto& [group, in, out, degrees] :
       {Case("ISpin(4)", plus, plus, Degrees{0, 0, 0, 0}), Case("ISpin(4)", plus, minus, Degrees{1, 1, 1, 1}),
        Case("ISpin(4)", S, S, Degrees{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}),
        Case("ISpin(5)", S, S, Degrees{0, 0, 0, 0, 1, 1, 1, 1}), Case("ISpin(7)", "spinor", "spinor", Degrees{0, 1}),
        Case("ISpin(8)", "spinor(+)", "spinor(-)", Degrees{1}),
        Case("S3 x ISpin(3)", "perm # " + S, "perm # " + S, Degrees{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1})}) {
    INFO(group << " " << in << " -> " << out);
    const SteerableKernels kernels = kernels_of(group, in, out);
    CHECK(degrees_of(kernels) == degrees);
    CHECK(kernels.by_stabilizer.dimension == degrees.size());
    CHECK_NOTHROW(verify(kernels));
  }
  SteerableKernels bad = kernels_of("ISpin(3)", S, S);
  bad.target = bad.source = parse_representation(bad.group.point_group(), "vector + trivial");
  CHECK_THROWS_WITH(verify(bad), Catch::Contains("is not equivariant"));
}

TEST_CASE("what is no basis of kernels fails its proof", "[classical][quick]") {
  const SteerableKernels good = kernels_of("E(3)", "vector", "harmonic(2)");
  REQUIRE(good.params() == 2);
  SteerableKernels bad = good;
  bad.degrees.pop_back();
  CHECK_THROWS_WITH(verify(bad), Catch::Contains("there are 1 kernels, but the stabilizer of a point counts 2"));
  bad = good;
  bad.degrees[1].kernels.push_back(bad.degrees[1].kernels[0]);
  CHECK_THROWS_WITH(verify(bad), Catch::Contains("linearly dependent"));
  bad = good;
  std::vector<SparseMatrix::Entry> entries(bad.degrees[0].kernels[0].entries().begin(),
                                           bad.degrees[0].kernels[0].entries().end());
  entries[0].value *= 2;
  bad.degrees[0].kernels[0] = SparseMatrix(bad.degrees[0].kernels[0].rows(), bad.degrees[0].kernels[0].cols(), entries);
  CHECK_THROWS_WITH(verify(bad), Catch::Contains("kernel 0 (0-based) is not equivariant"));
  bad = kernels_of("SE(3)", "vector", "vector");  // equivariant under rotations, and not under all of O(3)
  bad.group = parse_euclidean_group("E(3)");
  bad.source = bad.target = parse_representation(bad.group.point_group(), "vector");
  CHECK_THROWS_WITH(verify(bad), Catch::Contains("kernel 1 (0-based) is not equivariant"));
}

TEST_CASE("Euclidean groups are read, and others refused", "[classical][quick]") {
  CHECK(parse_euclidean_group("SE( 3 )").name() == "SE(3)");
  CHECK(parse_euclidean_group(" S5 x E(2)").name() == "S5 x E(2)");
  CHECK(parse_euclidean_group("(O(4) x SE(3))").factor() == 1);
  CHECK(parse_euclidean_group("S3 x ISpin( 4 )").name() == "S3 x ISpin(4)");
  CHECK(names_euclidean_group("E(3)"));
  CHECK(names_euclidean_group("ISpin(2)"));
  CHECK_THROWS_WITH(parse_euclidean_group("ISpin(2)"), Catch::Contains("n >= 3"));
  for (const char* text : {"SO(3)", "Spin(3)", "ISpin", "E8", "S5", "SE", "SL(2,3)", "SE(3"})
    CHECK_FALSE(names_euclidean_group(text));
  CHECK_THROWS_WITH(parse_euclidean_group("SE(1)"), Catch::Contains("start with n = 2"));
  CHECK_THROWS_AS(parse_euclidean_group("SE(0)"), DomainError);
  CHECK_THROWS_AS(parse_euclidean_group("SE(3) x E(3)"), ParseError);
  CHECK_THROWS_AS(parse_euclidean_group("SE(99999999999)"), LimitError);
  CHECK_THROWS_WITH(EuclideanGroup(parse_continuous_group("SL(3)"), 0), Catch::Contains("SO(n), O(n) or Spin(n)"));
  const EuclideanGroup G = parse_euclidean_group("SE(3)");
  const ContinuousRepresentation V = parse_representation(parse_continuous_group("O(3)"), "vector");
  CHECK_THROWS_WITH(steerable_kernels(G, V, V),
                    Catch::Contains("vector is a representation of O(3); kernels of SE(3) take those of SO(3)"));
}
