#include <catch2/catch.hpp>
#include <regex>

#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/classical/orthonormal_form.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/lie_expression.hpp"

using namespace intertwine;

namespace {

/// Spinors without real matrices of their size (n = 3, 4, 5 modulo 8) are taken over the real numbers.
ContinuousRepresentation spin_rep(unsigned n, const std::string& text) {
  const bool quaternionic = n % 8 >= 3 && n % 8 <= 5;
  static const std::regex spinor(R"(spinor(\([+-]\))?)");
  return parse_representation(ContinuousGroup({ClassicalGroup(ClassicalGroup::Family::Spin, n)}),
                              quaternionic ? std::regex_replace(text, spinor, "real($&)") : text);
}

/// The number of maps, by the basis, which certifies itself, and again by characters.
std::size_t maps(unsigned n, const std::string& in, const std::string& out) {
  const hom::Basis basis = hom::equivariant_basis(spin_rep(n, in), spin_rep(n, out));
  const Integer counted = continuous_hom_dimension(spin_rep(n, in), spin_rep(n, out)).dimension;
  CAPTURE(n, in, out);
  CHECK(Integer(basis.params()) == counted);
  return basis.params();
}

RationalMatrix dense(const SparseMatrix& A) {
  std::vector<Rational> entries(A.rows() * A.cols());
  for (const auto& e : A.entries()) entries[e.row * A.cols() + e.col] += e.value;
  return {A.rows(), A.cols(), entries};
}

RationalMatrix bracket(const RationalMatrix& A, const RationalMatrix& B) { return A * B - B * A; }

}  // namespace

TEST_CASE("real spinors have the dimensions of Clifford modules and are representations", "[classical][quick]") {
  // [Atiyah & Bott & Shapiro 1964], table 2: the even part of the algebra of n is that of n - 1.
  const std::size_t dimensions[] = {4, 4, 8, 8, 8, 8, 16, 32, 64, 64, 128, 128};
  for (unsigned n = 3; n <= 14; ++n) {
    CAPTURE(n);
    const ContinuousRepresentation S = spin_rep(n, n % 4 == 0 ? "spinor(+)" : "spinor");
    REQUIRE(S.dimension() == dimensions[n - 3]);
    if (n > 10) continue;
    for (const char* half : {"spinor(+)", "spinor(-)"}) {
      if (n % 4 != 0 && half[7] == '-') continue;
      std::vector<RationalMatrix> X;
      for (const SparseMatrix& A : spin_rep(n, n % 4 == 0 ? half : "spinor").generator_matrices())
        X.push_back(dense(A));
      // The rotations of neighbouring planes by 2 pi are -1, and they have the brackets of so(n).
      const RationalMatrix one = RationalMatrix(IntegerMatrix::identity(S.dimension()));
      for (std::size_t i = 0; i < X.size(); ++i) {
        CHECK(X[i] * X[i] == Rational(-1, 4) * one);
        CHECK(X[i].transpose() == Rational(-1) * X[i]);
        for (std::size_t j = i + 1; j < X.size(); ++j) {
          if (j > i + 1)
            CHECK(X[i] * X[j] == X[j] * X[i]);
          else
            CHECK(bracket(X[i], bracket(X[i], X[j])) == Rational(-1) * X[j]);
        }
      }
    }
  }
}

TEST_CASE("maps between spinors, vectors and forms", "[classical][quick]") {
  // The commutants: H, H + H, H, C, R, R + R, R, C for n = 3, ..., 10.
  const std::size_t commutants[] = {4, 8, 4, 2, 1, 2, 1, 2};
  for (unsigned n = 3; n <= 10; ++n) CHECK(maps(n, "spinor", "spinor") == commutants[n - 3]);
  CHECK(maps(3, "spinor", "vector") == 0);
  CHECK(maps(3, "vector", "spinor^2") == 4);
  CHECK(maps(4, "vector", "spinor(+)*spinor(-)") == 4);
  CHECK(maps(4, "vector", "spinor(+)^2") == 0);
  CHECK(maps(5, "vector", "sym(2, spinor)") + maps(5, "vector", "alt(2, spinor)") == 4);
  CHECK(maps(7, "trivial", "sym(2, spinor)") == 1);
  CHECK(maps(7, "vector", "alt(2, spinor)") == 1);
  CHECK(maps(7, "alt(3, vector)", "sym(2, spinor)") == 1);
  CHECK(maps(7, "trivial", "alt(4, spinor)") == 1);  // Cayley's form [Harvey & Lawson 1982]
  // Triality, and the self-dual forms.
  CHECK(maps(8, "vector", "spinor(+)*spinor(-)") == 1);
  CHECK(maps(8, "vector", "spinor(+)^2") == 0);
  CHECK(maps(8, "alt(2, vector)", "alt(2, spinor(+))") == 1);
  CHECK(maps(8, "alt(4, vector)", "sym(2, spinor(-))") == 1);
  CHECK(maps(9, "vector", "sym(2, spinor)") == 1);
  // Over C they are the spinor representation as often as stated.
  for (unsigned n = 3; n <= 10; ++n) {
    const LieGroup G = LieGroup::classical("Spin", static_cast<int>(n));
    const Integer copies = Integer(spin_rep(n, "spinor").dimension()) / G.spinor().dimension();
    const LieCharacter S = copies * G.spinor();
    CHECK(tensor_product(S, S).multiplicity(Weight(G.type().rank(), 0)) == Integer(maps(n, "spinor", "spinor")));
  }
}

TEST_CASE("spinors in products, and bases of them", "[classical][quick]") {
  const ContinuousGroup G = parse_continuous_group("S4 x Spin(3)");
  const ContinuousRepresentation V = parse_representation(G, "perm # real(spinor)"),
                                 U = parse_representation(G, "perm # real(spinor)*vector");
  CHECK(hom::equivariant_basis(V, V).params() == 8);  // 2 * 4
  CHECK(hom::equivariant_basis(V, U).params() == 8);
  CHECK(parse_representation(G, V.to_string()) == V);
  const ContinuousRepresentation both = spin_rep(8, "spinor");
  CHECK(both.to_string() == "spinor(+) + spinor(-)");
  CHECK(spin_rep(8, both.to_string()) == both);
  CHECK(spin_rep(9, "harmonic(2)").dimension() == 44);
  CHECK(maps(5, "harmonic(2)", "sym(2, vector)") == 1);
}

TEST_CASE("groups without spinors, and spinors without halves", "[classical][quick]") {
  const auto refusal = [](const char* group, const char* text) -> std::string {
    try {
      parse_representation(parse_continuous_group(group), text);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  CHECK(refusal("SO(3)", "spinor").find("take Spin(3), for kernels ISpin(3), or SU(2)") != std::string::npos);
  CHECK(refusal("SO(7)", "spinor") == "the spinor does not descend to SO(7); take Spin(7), for kernels ISpin(7)");
  CHECK(refusal("SO+(1,3)", "spinor") == "spinors are of Spin(n) and SU(2), not of SO+(1,3)");
  CHECK(refusal("O(3)", "spinor").find("spinors are of Spin(n) and SU(2)") != std::string::npos);
  CHECK(refusal("SU(3)", "spinor").find("not of SU(3)") != std::string::npos);
  CHECK(refusal("Spin(3)", "vector + spinor^2").find("spinor of Spin(3) is C^2") != std::string::npos);
  CHECK(refusal("Spin(3)", "vector + spinor^2").find("written real(spinor)") != std::string::npos);
  CHECK(refusal("Spin(4)", "spinor(-)").find("real(spinor(-))") != std::string::npos);
  CHECK(refusal("Spin(3)", "real(spinor + vector)").find("written real(spinor)") != std::string::npos);
  CHECK(refusal("Spin(7)", "spinor(+)").find("has no halves") != std::string::npos);
  CHECK(refusal("Spin(8)", "spinor(1)").find("spinor(+) or spinor(-)") != std::string::npos);
  CHECK(refusal("Spin(8)", "spinor(+").find("expected ')'") != std::string::npos);
  CHECK(refusal("Spin(30)", "spinor").find("has dimension") != std::string::npos);
  CHECK(refusal("Spin(2)", "vector").find("n >= 3") != std::string::npos);
  CHECK(refusal("Spin", "vector").find("needs its size") != std::string::npos);
  CHECK(refusal("Spin(7)", "parity").find("orthogonal group O(n)") != std::string::npos);
}
