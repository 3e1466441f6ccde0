// Orthonormal bases: known matrices, laws on random groups, and what is refused.
#include "intertwine/representations/orthonormal_basis.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "intertwine/representations/young_forms.hpp"

using namespace intertwine;

namespace {

using ComplexMatrix = std::vector<std::vector<std::complex<double>>>;

ComplexMatrix numbers_of(const RootMatrix& A) {
  ComplexMatrix out(A.matrix.rows(), std::vector<std::complex<double>>(A.matrix.cols()));
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t k = 0; k < out[i].size(); ++k) out[i][k] = A(i, k);
  return out;
}

/// |A^* A - 1|, the largest entry.
double distance_from_unitary(const ComplexMatrix& A) {
  double worst = 0;
  const std::size_t n = A[0].size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) {
      std::complex<double> sum = i == k ? -1 : 0;
      for (const auto& row : A) sum += std::conj(row[i]) * row[k];
      worst = std::max(worst, std::abs(sum));
    }
  return worst;
}

std::complex<double> trace_of(const ComplexMatrix& A) {
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < A.size(); ++i) sum += A[i][i];
  return sum;
}

std::vector<FieldMatrix> generator_matrices_of(const Representation& V) {
  std::vector<FieldMatrix> images;
  for (const Permutation& g : V.group().generators()) images.push_back(V.field_matrix(g));
  return images;
}

}  // namespace

TEST_CASE("the representation of S3 in the plane is the symmetry of a triangle", "[representations][quick]") {
  const FiniteGroup G = parse_finite_group("<(1,2),(2,3)>");
  const OrthonormalForms found = orthonormal_forms(irreducible_form(character_table(G), 2, BaseField::complex));
  const OrthonormalBasis& basis = found.bases.at(0);
  verify(basis, generator_matrices_of(found.forms.entries[0].form.representation));
  // Young's orthogonal form up to signs and order: entries +-1, +-1/2, +-sqrt(3)/2.
  std::size_t roots = 0;
  for (const FieldMatrix& A : generator_matrices_of(found.forms.entries[0].form.representation)) {
    const RootMatrix U = basis.matrix(A);
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t k = 0; k < 2; ++k) {
        const auto entry = U.signed_root(i, k);
        REQUIRE(entry);
        const Rational square = entry->square();
        REQUIRE((square == 0 || square == 1 || square == Rational(1, 4) || square == Rational(3, 4)));
        roots += square == Rational(3, 4) ? 1 : 0;
        REQUIRE(std::abs(entry->to_double() - U(i, k).real()) < 1e-15);
      }
  }
  REQUIRE(roots > 0);
}

TEST_CASE("irreducible representations become unitary, with the same character", "[representations][quick]") {
  for (const char* name : {"S4", "A5", "SL(2,3)", "Dic3", "<(1,2,3,4,5,6,7),(2,3,5)(4,7,6)>", "C1"})
    for (const BaseField over : {BaseField::complex, BaseField::real, BaseField::rational}) {
      CAPTURE(name, to_string(over));
      const CharacterTable table = character_table(parse_finite_group(name));
      const OrthonormalForms found = orthonormal_forms(irreducible_forms(table, over));
      REQUIRE(found.bases.size() == found.forms.entries.size());
      for (std::size_t k = 0; k < found.bases.size(); ++k) {
        const IrreducibleForm& form = found.forms.entries[k].form;
        for (const Permutation& g : table.group().generators()) {
          const FieldMatrix A = form.representation.field_matrix(g);
          const RootMatrix U = found.bases[k].matrix(A);
          // Exactly: the matrix before the roots leaves the norms fixed.
          FieldMatrix norms(AbelianField(), A.rows(), A.rows());
          std::vector<Cyclotomic> diagonal(A.rows() * A.rows());
          for (std::size_t i = 0; i < A.rows(); ++i) diagonal[i * A.rows() + i] = found.bases[k].norms[i];
          norms = FieldMatrix(A.rows(), A.rows(), diagonal);
          REQUIRE(U.matrix.conjugate().transpose() * (norms * U.matrix) == norms);
          REQUIRE(U.matrix.trace() == A.trace());
          REQUIRE(distance_from_unitary(numbers_of(U)) < 1e-14);
          REQUIRE(std::abs(trace_of(numbers_of(U)) - A.trace().to_complex()) < 1e-13);
          if (over != BaseField::complex) REQUIRE(U.matrix.field().is_real());
        }
      }
    }
}

TEST_CASE("the form of an irreducible representation is the mean over the group", "[representations][quick]") {
  for (const char* name : {"S4", "A5", "SL(2,3)"}) {
    const CharacterTable table = character_table(parse_finite_group(name));
    for (std::size_t k = 0; k < table.size(); ++k) {
      const IrreducibleForms forms = irreducible_form(table, k, BaseField::complex);
      const auto& [R, form] = forms.entries[0];
      REQUIRE(invariant_hermitian_form(form.representation) == invariant_form(form, R));
    }
  }
}

TEST_CASE("symmetry-adapted bases are orthonormal and block diagonal", "[representations][quick]") {
  const std::pair<const char*, const char*> cases[] = {{"S4", "perm^2"},
                                                       {"D5", "2*perm"},
                                                       {"C5", "perm + sign"},
                                                       {"Q8", "regular"},
                                                       {"A5", "perm^2"},
                                                       {"S4", "std + sym(2, std)"},
                                                       {"Td", "coordinates + perm"}};
  for (const auto& [name, rep] : cases)
    for (const BaseField over : {BaseField::complex, BaseField::real}) {
      CAPTURE(name, rep, to_string(over));
      const FiniteGroup G = parse_finite_group(name);
      const Representation V = parse_representation(G, rep);
      const auto components = isotypic_decomposition(V, character_table(G), over);
      OrthonormalDecomposition found = orthonormal_decomposition(V, components, over);
      const std::size_t n = V.dimension();
      const bool monomial = V.is_monomial();
      if (monomial) REQUIRE(found.form == FieldMatrix::identity(AbelianField(), n));
      // In doubles: the columns of all components, for the standard form.
      ComplexMatrix T(n);
      for (const OrthonormalComponent& part : found.components) {
        const ComplexMatrix columns = numbers_of(part.basis());
        for (std::size_t i = 0; i < n; ++i) T[i].insert(T[i].end(), columns[i].begin(), columns[i].end());
        for (const RootMatrix& A : part.matrices) REQUIRE(distance_from_unitary(numbers_of(A)) < 1e-14);
      }
      REQUIRE(T[0].size() == n);
      if (monomial) REQUIRE(distance_from_unitary(T) < 1e-13);
      // T^-1 rho(g) T = T^* rho(g) T has the matrices on its diagonal.
      for (std::size_t s = 0; monomial && s < G.generators().size(); ++s) {
        const FieldMatrix A = V.field_matrix(G.generators()[s]);
        std::size_t first = 0;
        for (std::size_t c = 0; c < components.size(); ++c)
          for (std::size_t copy = 0; copy < components[c].multiplicity; ++copy) {
            const ComplexMatrix R = numbers_of(found.components[c].matrices[s]);
            for (std::size_t i = 0; i < R.size(); ++i)
              for (std::size_t k = 0; k < R.size(); ++k) {
                std::complex<double> sum = 0;
                for (std::size_t x = 0; x < n; ++x)
                  for (std::size_t y = 0; y < n; ++y)
                    if (!A(x, y).is_zero()) sum += std::conj(T[x][first + i]) * A(x, y).to_complex() * T[y][first + k];
                REQUIRE(std::abs(sum - R[i][k]) < 1e-12);
              }
            first += R.size();
          }
      }
      found.components.back().norms.back() += 1;
      REQUIRE_THROWS_AS(verify(found, V), VerificationError);
    }
}

TEST_CASE("a Cartesian frame is orthogonal, and the main axis is along z", "[representations][quick]") {
  for (const char* name : {"point(C3)", "C3v", "D5", "C5v",   "D4h",   "D3d",   "point(S4)", "point(D6)", "D7h",
                           "C12v",      "T",   "Td", "O",     "Oh",    "I",     "Ih",        "C2v",       "Cs",
                           "Ci",        "D2d", "B3", "W(A3)", "W(E6)", "W(B4)", "C4v x C3v"}) {
    CAPTURE(name);
    const FiniteGroup G = parse_finite_group(name);
    const Representation V = parse_representation(G, "cartesian"), W = coordinate_representation(G);
    for (const Permutation& g : G.generators()) {
      const FieldMatrix A = V.field_matrix(g);
      REQUIRE(A.transpose() * A == FieldMatrix::identity(AbelianField(), V.dimension()));
      REQUIRE(A.field().is_real());
      REQUIRE(A.trace() == W.field_matrix(g).trace());
    }
  }
  // Operations that stand where they are said to: turns about z by 2 pi / n, the mirror xz, the half turn about x.
  const auto contains = [](const char* name, const std::array<double, 9>& wanted) {
    const Representation V = cartesian_representation(parse_finite_group(name));
    bool found = false;
    V.group().chain().for_each_element([&](const Permutation& g) {
      const FieldMatrix A = V.field_matrix(g);
      double off = 0;
      for (std::size_t k = 0; k < 9; ++k) off = std::max(off, std::abs(A(k / 3, k % 3).to_complex() - wanted[k]));
      found = found || off < 1e-14;
      return !found;
    });
    return found;
  };
  const auto turn = [](int n) {
    const double angle = 2 * std::numbers::pi / n, c = std::cos(angle), s = std::sin(angle);
    return std::array<double, 9>{c, -s, 0, s, c, 0, 0, 0, 1};
  };
  for (const auto& [name, order] : std::vector<std::pair<const char*, int>>{{"C3v", 3},
                                                                            {"C5v", 5},
                                                                            {"point(D5)", 5},
                                                                            {"D6h", 6},
                                                                            {"D3d", 3},
                                                                            {"D2d", 2},
                                                                            {"point(S8)", 4},
                                                                            {"C3h", 3},
                                                                            {"Oh", 4},
                                                                            {"I", 5},
                                                                            {"Ih", 5}}) {
    CAPTURE(name);
    CHECK(contains(name, turn(order)));
  }
  for (const char* name : {"C3v", "C5v", "C6v"}) CHECK(contains(name, {1, 0, 0, 0, -1, 0, 0, 0, 1}));
  for (const char* name : {"point(D5)", "D3h", "D2d", "D3d", "D4d", "Td", "I", "Ih"}) {
    CAPTURE(name);
    CHECK(contains(name, {1, 0, 0, 0, -1, 0, 0, 0, -1}));
  }
  CHECK_FALSE(contains("C5v", {-1, 0, 0, 0, 1, 0, 0, 0, 1}));
  CHECK_FALSE(contains("D5d", {-1, 0, 0, 0, 1, 0, 0, 0, -1}));
  REQUIRE_THROWS_AS(cartesian_representation(parse_finite_group("S4")), DomainError);
}

TEST_CASE("harmonic polynomials of point groups", "[representations][quick]") {
  // Sym^l = harmonic(l) + r^2 Sym^(l-2), on every generator and on a product of them.
  for (const char* name : {"C3v", "point(D5)", "Td", "Oh", "I", "Ih", "Ci", "D2d", "D5", "C7", "B2"}) {
    const FiniteGroup G = parse_finite_group(name);
    std::vector<Permutation> elements = G.generators();
    elements.push_back(elements.front() * elements.back());
    const Representation V = cartesian_representation(G);
    for (const unsigned l : {0U, 1U, 2U, 3U, 5U}) {
      CAPTURE(name, l);
      const Representation H = harmonic_representation(G, l);
      REQUIRE(H.dimension() == (V.dimension() == 3 ? 2 * l + 1 : l == 0 ? 1 : 2));
      for (const Permutation& g : elements) {
        const Cyclotomic rest = l < 2 ? Cyclotomic(0) : sym(l - 2, V).field_matrix(g).trace();
        REQUIRE(H.field_matrix(g).trace() + rest == sym(l, V).field_matrix(g).trace());
      }
    }
  }
  // Crystal fields. [Bethe 1929]
  for (const auto& [group, l, expected] : {std::tuple("Oh", 2U, "Eg + T2g"),
                                           {"Oh", 3U, "A2u + T1u + T2u"},
                                           {"Oh", 4U, "A1g + Eg + T1g + T2g"},
                                           {"Td", 2U, "E + T2"},
                                           {"Ih", 2U, "Hg"},
                                           {"O", 6U, "A1 + A2 + E + T1 + 2*T2"}}) {
    const FiniteGroup G = parse_finite_group(group);
    const Representation found = harmonic_representation(G, l), sum = parse_representation(G, expected);
    CAPTURE(group, l);
    REQUIRE(found.dimension() == sum.dimension());
    for (const Permutation& g : G.generators()) REQUIRE(found.field_matrix(g).trace() == sum.field_matrix(g).trace());
    const CharacterTable table = character_table(G);
    const auto parts = decompose(found, table, BaseField::complex), same = decompose(sum, table, BaseField::complex);
    REQUIRE(parts.size() == same.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      REQUIRE(parts[i].irreps == same[i].irreps);
      REQUIRE(parts[i].multiplicity == same[i].multiplicity);
    }
  }
  REQUIRE(parse_representation(parse_finite_group("Oh"), "harmonic(2)").to_string() == "harmonic(2)");
  REQUIRE_THROWS_AS(harmonic_representation(parse_finite_group("B4"), 2), DomainError);
  REQUIRE_THROWS_AS(harmonic_representation(parse_finite_group("Oh"), 4000000000U), LimitError);
}

TEST_CASE("what is no inner product is refused", "[representations][quick]") {
  REQUIRE_THROWS_AS(orthonormal_basis(RationalMatrix(IntegerMatrix{{1, 2}, {0, 1}})), DomainError);
  REQUIRE_THROWS_AS(orthonormal_basis(RationalMatrix(IntegerMatrix{{1, 2}, {2, 1}})), DomainError);
  REQUIRE_THROWS_AS(orthonormal_basis(RationalMatrix(IntegerMatrix{{0}})), DomainError);
  const FiniteGroup G = parse_finite_group("C3");
  const Representation V = parse_representation(G, "perm");
  REQUIRE_THROWS_AS(orthonormal_decomposition(V, isotypic_decomposition(V, character_table(G), BaseField::rational),
                                              BaseField::rational),
                    DomainError);
  OrthonormalBasis basis = orthonormal_basis(RationalMatrix(IntegerMatrix{{2, 1}, {1, 2}}));
  verify(basis, {RationalMatrix(IntegerMatrix{{0, 1}, {1, 0}})});
  REQUIRE_THROWS_AS(verify(basis, {RationalMatrix(IntegerMatrix{{1, 1}, {0, 1}})}), VerificationError);
  basis.norms[1] = basis.norms[1] + Cyclotomic(1);
  REQUIRE_THROWS_AS(verify(basis, {}), VerificationError);
}

TEST_CASE("entries under roots as text", "[representations][quick]") {
  const OrthonormalBasis basis = orthonormal_basis(RationalMatrix(IntegerMatrix{{2, 1}, {1, 2}}));
  REQUIRE(basis.norms == std::vector<Cyclotomic>{2, Cyclotomic(Rational(3, 2))});
  const RootMatrix T = basis.vectors();
  REQUIRE(T.entry(0, 0) == "sqrt(1/2)");
  REQUIRE(T.entry(0, 1) == "-sqrt(1/6)");
  REQUIRE(T.entry(1, 0) == "0");
  const std::vector<Cyclotomic> w{Cyclotomic::root_of_unity(3), Cyclotomic::root_of_unity(5)};
  const RootMatrix A{
      FieldMatrix(1, 2, w), {2}, {1, Cyclotomic(2) + Cyclotomic::root_of_unity(5) + Cyclotomic::root_of_unity(5, -1)}};
  REQUIRE(A.entry(0, 0) == "E(3)*sqrt(2)");
  REQUIRE(A.entry(0, 1) == "0.270091+0.831254i");  // exp(2 pi i / 5) sqrt(2 / 2.618034)
}
