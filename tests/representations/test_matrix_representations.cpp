#include "intertwine/representations/matrix_representations.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "intertwine/representations/actions.hpp"
#include "laws/matrix_representation.hpp"
#include "support/change_of_basis.hpp"
#include "support/groups.hpp"
#include "support/random.hpp"
#include "support/representations.hpp"

using namespace intertwine;
using namespace test_basis;
using Catch::Contains;

namespace {

/// V in another basis.
Representation in_random_basis(const Representation& V, Rng& rng) {
  const std::size_t n = V.dimension();
  RationalMatrix U = random_unimodular(n, rng);
  if (rng.below(2) == 0) U = U * random_scaling(n, rng);
  return matrix_representation(V.group(), conjugated(V.generator_matrices(), U));
}

/// The lists of length k below n, weakly increasing or increasing, in lexicographic order.
std::vector<std::vector<std::size_t>> lists(std::size_t n, unsigned k, bool symmetric) {
  std::vector<std::vector<std::size_t>> result = {{}};
  for (unsigned d = 0; d < k; ++d) {
    std::vector<std::vector<std::size_t>> longer;
    for (const auto& list : result)
      for (std::size_t v = list.empty() ? 0 : list.back() + (symmetric ? 0 : 1); v < n; ++v) {
        longer.push_back(list);
        longer.back().push_back(v);
      }
    result = std::move(longer);
  }
  return result;
}

/// Sum over all permutations of the rows: the permanent or determinant of a submatrix.
Rational expansion(const RationalMatrix& A, const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols,
                   bool with_signs) {
  std::vector<Point> order(rows.size());
  for (Point i = 0; i < order.size(); ++i) order[i] = i;
  Rational sum = 0;
  do {
    Rational product = with_signs && !Permutation(order).is_even() ? -1 : 1;
    for (std::size_t i = 0; i < rows.size(); ++i) product *= A(rows[order[i]], cols[i]);
    sum += product;
  } while (std::next_permutation(order.begin(), order.end()));
  return sum;
}

/// Sym^k A and Lambda^k A by permanents and minors.
RationalMatrix power_by_minors(const RationalMatrix& A, unsigned k, bool symmetric) {
  const auto basis = lists(A.rows(), k, symmetric);
  std::vector<Rational> entries;
  for (const auto& row : basis) {
    Rational repetitions = 1;  // every monomial is met this often by the permanent
    std::map<std::size_t, long> count;
    for (const std::size_t v : row) repetitions *= ++count[v];
    for (const auto& col : basis)
      entries.push_back(expansion(A, row, col, !symmetric) / (symmetric ? repetitions : Rational(1)));
  }
  return {basis.size(), basis.size(), entries};
}

IntegerMatrix cartan_of_E8() {
  IntegerMatrix C(8, 8);
  for (std::size_t i = 0; i < 8; ++i) C.set(i, i, 2L);
  const auto join = [&](std::size_t i, std::size_t j) {
    C.set(i, j, -1L);
    C.set(j, i, -1L);
  };
  join(0, 2);
  join(1, 3);
  for (std::size_t i = 2; i < 7; ++i) join(i, i + 1);
  return C;
}

/// What matrix_representation says of these images.
std::string refusal(const FiniteGroup& G, const std::vector<RationalMatrix>& images) {
  try {
    static_cast<void>(matrix_representation(G, images));
  } catch (const DomainError& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("monomial representations act by their matrices", "[representations][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 25 * test_multiplier(); ++trial) {
    const FiniteGroup G = test_representations::random_group(rng);
    laws::require_matrix_representation(test_representations::random_representation(G, rng, 40), rng);
  }
}

namespace {

/// The matrices of V with something wrong.
class Wrong {
 public:
  enum class Fault { none, order, trace, apply };
  Wrong(Representation V, Fault fault) : V_(std::move(V)), fault_(fault) {}
  const FiniteGroup& group() const { return V_.group(); }
  std::uint64_t dimension() const { return V_.dimension(); }
  bool is_monomial() const { return false; }
  SignedPermutation image(const Permutation& g) const { return V_.image(g); }
  /// An anti-homomorphism: products in the wrong order.
  RationalMatrix matrix(const Permutation& g) const {
    return fault_ == Fault::order ? V_.matrix(g.inverse()) : V_.matrix(g);
  }
  std::vector<RationalMatrix> generator_matrices() const {
    std::vector<RationalMatrix> result;
    for (const Permutation& g : group().generators()) result.push_back(matrix(g));
    return result;
  }
  RationalMatrix apply(const Permutation& g, const RationalMatrix& X) const {
    return fault_ == Fault::apply ? V_.matrix(g).transpose() * X : matrix(g) * X;
  }
  Cyclotomic character(const Permutation& g) const {
    return V_.character(g) + (fault_ == Fault::trace && !g.is_identity() ? 1 : 0);
  }

 private:
  Representation V_;
  Fault fault_;
};

}  // namespace

TEST_CASE("the laws reject wrong matrices", "[representations][quick]") {
  auto rng = test_rng();
  const Representation V = specht_module(symmetric_group(5), {3, 2});
  REQUIRE(laws::broken_matrix_law(Wrong(V, Wrong::Fault::none), rng, 20) == "");
  REQUIRE(laws::broken_matrix_law(Wrong(V, Wrong::Fault::order), rng, 20) == "rho(g) rho(h) = rho(gh)");
  REQUIRE(laws::broken_matrix_law(Wrong(V, Wrong::Fault::trace), rng, 20) == "the character is the trace");
  REQUIRE(laws::broken_matrix_law(Wrong(V, Wrong::Fault::apply), rng, 20) == "apply(g, X) = rho(g) X");
}

TEST_CASE("the standard representation is perm minus trivial", "[representations][quick]") {
  auto rng = test_rng();
  for (std::size_t n = 2; n <= 7; ++n) {
    const FiniteGroup G = symmetric_group(n);
    const Representation V = standard_representation(G);
    laws::require_matrix_representation(V, rng);
    laws::require_matrix_representation(dual(V), rng);
    REQUIRE(V.dimension() == n - 1);
    REQUIRE(V.is_monomial() == (n == 2));
  }
  REQUIRE(standard_representation(symmetric_group(2)).generator_images() ==
          sign_representation(symmetric_group(2)).generator_images());
  REQUIRE_THROWS_WITH(standard_representation(FiniteGroup(1, {})), Contains("at least 2 points"));
  // (1,2,3): e1-e3 -> e2-e1, e2-e3 -> e3-e1.
  REQUIRE(standard_representation(cyclic_group(3)).generator_matrices()[0] ==
          RationalMatrix(IntegerMatrix{{-1, -1}, {1, 0}}));
}

TEST_CASE("Specht modules are representations of the symmetric group", "[representations][quick]") {
  auto rng = test_rng();
  for (int n = 1; n <= 6; ++n)
    for (const Partition& shape : partitions(n)) {
      const FiniteGroup G = symmetric_group(static_cast<std::size_t>(n));
      const Representation V = specht_module(G, shape);
      REQUIRE(V.dimension() == number_of_standard_tableaux(shape));  // the hook length formula
      laws::require_matrix_representation(V, rng, 1);
      laws::require_matrix_representation(dual(V), rng, 1);
      const std::size_t m = V.dimension();
      std::vector<RationalMatrix> s;
      for (Point i = 0; i + 1 < static_cast<Point>(n); ++i) {
        std::vector<Point> images(static_cast<std::size_t>(n));
        for (Point x = 0; x < images.size(); ++x) images[x] = x == i ? i + 1 : x == i + 1 ? i : x;
        s.push_back(V.matrix(Permutation(images)));
        REQUIRE(s.back().is_integral());
        REQUIRE(s[i] * s[i] == RationalMatrix::identity(m));
        if (i > 0) REQUIRE(s[i] * s[i - 1] * s[i] == s[i - 1] * s[i] * s[i - 1]);
        for (Point j = 0; j + 1 < i; ++j) REQUIRE(s[i] * s[j] == s[j] * s[i]);
      }
    }
}

TEST_CASE("the smallest Specht modules are the known matrices", "[representations][quick]") {
  // [James 1978, 8.3 and Sagan 2001, example 2.5.4] On e_t, t = {1,2|3} and {1,3|2}: (1,2) and (2,3).
  const FiniteGroup G(3, {parse_permutation("(1,2)", 3), parse_permutation("(2,3)", 3)});
  const Representation V = specht_module(G, {2, 1});
  const auto first = V.basis_label(0);
  const bool as_in_book = first == "{1,3|2}";
  REQUIRE((as_in_book || first == "{1,2|3}"));
  // (1,2) negates e of {1,3|2}, whose first column is 1, 2, and takes that of {1,2|3} to itself minus the other.
  const std::vector<RationalMatrix> matrices = V.generator_matrices();
  const std::size_t a = as_in_book ? 0 : 1, b = 1 - a;
  REQUIRE(matrices[0](a, a) == -1);
  REQUIRE(matrices[0](b, a) == 0);
  REQUIRE(matrices[0](b, b) == 1);
  REQUIRE(matrices[0](a, b) == -1);
  REQUIRE(matrices[1](a, b) == 1);
  REQUIRE(matrices[1](b, a) == 1);
  REQUIRE(matrices[1].trace() == 0);
}

TEST_CASE("Specht modules: restriction, long shapes, errors", "[representations][quick]") {
  auto rng = test_rng();
  laws::require_matrix_representation(specht_module(alternating_group(6), {3, 2, 1}), rng);
  laws::require_matrix_representation(specht_module(cyclic_group(5), {3, 1, 1}), rng);
  const FiniteGroup G = symmetric_group(10);
  const Representation V = specht_module(G, {4, 3, 2, 1});
  REQUIRE(V.dimension() == 768);
  const auto matrices = V.generator_matrices();
  for (std::size_t k = 0; k < 2; ++k) REQUIRE(Cyclotomic(matrices[k].trace()) == V.character(G.generators()[k]));
  REQUIRE(matrices[1] * matrices[1] == RationalMatrix::identity(768));
  REQUIRE_THROWS_WITH(specht_module(G, {2, 1}), Contains("partition of 3"));
  const Representation large = specht_module(symmetric_group(20), {8, 6, 4, 2});
  REQUIRE(large.character(Permutation::identity(20)) == Integer(large.dimension()));
  REQUIRE_THROWS_AS(large.matrix(Permutation::identity(20)), LimitError);
  REQUIRE_THROWS_AS(large.apply(symmetric_group(20).generators()[0], RationalMatrix(3, 1)), DomainError);
  REQUIRE_THROWS_WITH(V.image(G.generators()[0]), Contains("general matrices"));
}

TEST_CASE("the algebra on general matrices agrees with dense formulas", "[representations][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = symmetric_group(4);
  const Representation S = specht_module(G, {2, 2}), T = specht_module(G, {3, 1}), sign = sign_representation(G),
                       perm = natural_permutation_representation(G), M = in_random_basis(perm, rng);
  for (const Representation& V : {S, T, M, standard_representation(G), S + sign, dual(T), 2 * S}) {
    laws::require_matrix_representation(V, rng);
    for (const Representation& W : {T, sign, perm, M}) {
      laws::require_matrix_representation(V + W, rng);
      laws::require_matrix_representation(V * W, rng);
      laws::require_matrix_representation(dual(V * W) + V, rng);
      const Permutation g = G.random_element(rng);
      REQUIRE((V * W).matrix(g) == kronecker_product(V.matrix(g), W.matrix(g)));
      const RationalMatrix parts[] = {V.matrix(g), W.matrix(g)};
      REQUIRE((V + W).matrix(g) == direct_sum(parts));
      REQUIRE(dual(V * W).matrix(g) == inverse((V * W).matrix(g)).transpose());
    }
    laws::require_matrix_representation(3 * V, rng);
    laws::require_matrix_representation(dual(3 * V * V), rng);
    for (unsigned k = 0; k <= 4; ++k)
      for (const bool symmetric : {true, false}) {
        const Representation P = symmetric ? sym(k, V) : alt(k, V);
        if (P.dimension() > 60) continue;
        laws::require_matrix_representation(P, rng, 1);
        laws::require_matrix_representation(dual(P), rng, 1);
        const Permutation g = G.random_element(rng);
        REQUIRE(P.matrix(g) == power_by_minors(V.matrix(g), k, symmetric));
      }
    laws::require_matrix_representation(tensor_power(V, 2), rng, 1);
  }
  REQUIRE(dual(dual(T)).to_string() == T.to_string());
  REQUIRE((T + sign).is_monomial() == false);
  REQUIRE((0 * T).is_monomial());
  REQUIRE(alt(5, T).is_monomial());
  REQUIRE_FALSE((T * T).is_permutation());
}

TEST_CASE("powers far beyond the dimension", "[representations][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = symmetric_group(4);
  const Representation S = specht_module(G, {2, 2}), T = specht_module(G, {3, 1});
  for (unsigned k = 5; k <= 9; ++k) {
    laws::require_matrix_representation(sym(k, S), rng, 1);
    laws::require_matrix_representation(sym(k, T), rng, 1);
  }
  REQUIRE(sym(1'000'000, S).character(Permutation::identity(4)) == 1'000'001);
  const Representation wide =
      standard_representation(symmetric_group(9)) + T.dimension() * sign_representation(symmetric_group(9));
  for (unsigned k = 0; k <= 11; ++k) laws::require_matrix_representation(alt(k, wide), rng, 1);
  // Large coefficients leave 64 bits: powers of a badly scaled matrix.
  const Representation M = in_random_basis(S, rng);
  laws::require_matrix_representation(sym(12, M), rng, 1);
}

TEST_CASE("restriction, induction, inflation and external products of general matrices", "[representations][quick]") {
  auto rng = test_rng();
  const FiniteGroup S4 = symmetric_group(4), S3 = symmetric_group(3);
  const FiniteGroup H(4, {parse_permutation("(1,2,3)", 4), parse_permutation("(1,2)", 4)});
  const Representation T = specht_module(S4, {3, 1});
  laws::require_matrix_representation(restriction(T, H), rng);
  const Representation small = restriction(T, H);
  laws::require_matrix_representation(induction(small, S4), rng);
  laws::require_matrix_representation(dual(induction(dual(small), S4)), rng);
  REQUIRE(induction(small, S4).dimension() == 12);
  const FiniteGroup product = direct_product({S4, S3});
  const Representation U = standard_representation(S3);
  laws::require_matrix_representation(external_product({T, U}, product), rng);
  laws::require_matrix_representation(dual(external_product({T, U}, product)), rng);
  laws::require_matrix_representation(inflation(U, product, 1), rng);
  const Permutation g = S4.generators()[0];
  std::vector<Point> images(7);
  for (Point i = 0; i < 7; ++i) images[i] = i < 4 ? g(i) : i;
  REQUIRE(external_product({T, U}, product).matrix(Permutation(images)) ==
          kronecker_product(T.matrix(g), RationalMatrix::identity(2)));
}

TEST_CASE("given matrices: random conjugates of permutation representations", "[representations][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 25 * test_multiplier(); ++trial) {
    const FiniteGroup G = test_representations::random_group(rng);
    if (G.generators().empty()) continue;
    const Representation V = test_representations::random_representation(G, rng, 12);
    if (V.dimension() == 0) continue;
    const Representation W = in_random_basis(V, rng);
    CAPTURE(trial, V.to_string(), G.name());
    laws::require_matrix_representation(W, rng, 1);
    laws::require_matrix_representation(dual(W), rng, 1);
    const Permutation g = G.random_element(rng);
    REQUIRE(W.character(g) == V.character(g));
  }
}

TEST_CASE("given matrices: long orbits of the coordinate vectors", "[representations][quick]") {
  auto rng = test_rng();
  // The orbit of a coordinate vector is as long as the group, 10! in the first case.
  const FiniteGroup S10 = symmetric_group(10);
  laws::require_matrix_representation(in_random_basis(natural_permutation_representation(S10), rng), rng, 1);
  const FiniteGroup M24 = sporadic_group("M24");
  laws::require_matrix_representation(in_random_basis(natural_permutation_representation(M24), rng), rng, 1);
  laws::require_matrix_representation(in_random_basis(specht_module(symmetric_group(7), {4, 2, 1}), rng), rng, 1);
}

TEST_CASE("given matrices: signed permutations stay monomial", "[representations][quick]") {
  const FiniteGroup B3 = hyperoctahedral_group(3);
  const Representation V = coordinate_representation(B3);
  REQUIRE(V.is_monomial());
  REQUIRE(V.to_string() == "coordinates");
  REQUIRE(V.generator_images().size() == 3);
}

TEST_CASE("given matrices: what is refused", "[representations][quick]") {
  const RationalMatrix turn = IntegerMatrix{{0, -1}, {1, -1}}, quarter = IntegerMatrix{{0, -1}, {1, 0}},
                       unipotent = IntegerMatrix{{1, 1}, {0, 1}};
  const FiniteGroup C3 = cyclic_group(3), C4 = cyclic_group(4), S3 = symmetric_group(3);
  REQUIRE(refusal(C3, {turn}) == "accepted");
  REQUIRE(refusal(C4, {quarter}) == "accepted");
  REQUIRE_THAT(refusal(C4, {turn}), Contains("a^4 = 1 holds in the group but not for the matrices"));
  REQUIRE_THAT(refusal(C3, {unipotent}), Contains("a^3 = 1"));
  REQUIRE_THAT(refusal(C3, {Rational(1, 2) * turn}), Contains("a^3 = 1"));
  REQUIRE_THAT(refusal(S3, {turn, turn}), Contains("= 1"));
  REQUIRE_THAT(refusal(C3, {turn, turn}), Contains("2 matrices are given for the 1 generators"));
  REQUIRE_THAT(refusal(C3, {IntegerMatrix{{1, 1}, {1, 1}}}), Contains("singular"));
  REQUIRE_THAT(refusal(C3, {RationalMatrix(2, 3)}), Contains("not square"));
  REQUIRE_THAT(refusal(S3, {turn, RationalMatrix::identity(3)}), Contains("3 x 3"));
  // Of the right orders; the group that they generate is infinite, SL(2, Z) with another generator.
  REQUIRE_THAT(
      refusal(FiniteGroup(12, {parse_permutation("(1,2,3,4)", 12), parse_permutation("(5,6,7)", 12)}), {quarter, turn}),
      Contains("= 1 holds in the group"));
}

TEST_CASE("coordinates of point groups, grids and Weyl groups", "[representations][quick]") {
  auto rng = test_rng();
  for (const char* symbol :
       {"T",   "Td",  "Th",  "O",   "Oh",  "C1",  "C2", "Ci", "Cs", "C2v", "C2h", "D2",  "D2h", "C3",  "C4", "C6",
        "C3v", "C4v", "C6v", "C3h", "C4h", "C6h", "D3", "D4", "D6", "D3h", "D4h", "D6h", "D2d", "D3d", "S4", "S6"}) {
    CAPTURE(symbol);
    const Representation V = coordinate_representation(point_group(symbol));
    REQUIRE(V.dimension() == 3);
    laws::require_matrix_representation(V, rng, 1);
    REQUIRE(V.to_string() == (V.group().generators().empty() ? "3*trivial" : "coordinates"));
  }
  for (const char* kind : {"p1", "p2", "pm", "pmm", "p4", "p4m"}) {
    const Representation V = coordinate_representation(grid_group(kind, 3, 3));
    REQUIRE(V.dimension() == 2);
    laws::require_matrix_representation(V, rng, 1);
  }
  REQUIRE_THROWS_WITH(coordinate_representation(grid_group("p4", 2, 2)), Contains("at least 3"));
  laws::require_matrix_representation(coordinate_representation(pixel_group("D4", 2, 2)), rng, 1);
  laws::require_matrix_representation(coordinate_representation(dihedral_group(6)), rng, 1);
  REQUIRE_THROWS_WITH(coordinate_representation(symmetric_group(4)), Contains("not defined by matrices"));
  for (const auto& [type, rank] : std::vector<std::pair<char, unsigned>>{
           {'A', 1}, {'A', 4}, {'B', 3}, {'C', 4}, {'D', 4}, {'E', 6}, {'E', 7}, {'F', 4}, {'G', 2}}) {
    const Representation V = coordinate_representation(weyl_group(type, rank));
    CAPTURE(type, rank);
    REQUIRE(V.dimension() == rank);
    laws::require_matrix_representation(V, rng, 1);
  }
}

TEST_CASE("the rotations of the coordinates have the determinants of the point groups", "[representations][quick]") {
  for (const char* symbol : {"T", "O", "C3", "D6"})
    for (const RationalMatrix& A : coordinate_representation(point_group(symbol)).generator_matrices())
      REQUIRE(determinant(A) == 1);
  // Td is O as a group; its coordinates are those of O times sign.
  const FiniteGroup Td = point_group("Td");
  REQUIRE(coordinate_representation(Td).character(parse_permutation("(1,2)", 4)) == 1);
  REQUIRE(coordinate_representation(Td).character(parse_permutation("(1,2,3,4)", 4)) == -1);
}

TEST_CASE("coordinates of direct products are direct sums", "[representations][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = direct_product({point_group("C3v"), weyl_group('A', 2)});
  const Representation V = coordinate_representation(G);
  REQUIRE(V.dimension() == 5);
  laws::require_matrix_representation(V, rng);
  REQUIRE_THROWS_AS(coordinate_representation(direct_product({point_group("C3v"), symmetric_group(3)})), DomainError);
}

TEST_CASE("W(E8) preserves its Cartan form", "[representations][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = weyl_group('E', 8);
  const Representation V = coordinate_representation(G);
  const RationalMatrix C = cartan_of_E8();
  for (int trial = 0; trial < 5; ++trial) {
    const RationalMatrix A = V.matrix(G.random_element(rng));
    REQUIRE(A.transpose() * C * A == C);
  }
  laws::require_matrix_representation(V, rng);
  laws::require_matrix_representation(in_random_basis(V, rng), rng, 1);
}
