#include "intertwine/equivariant/symmetrizer.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "equivariant/schreier_tree.hpp"
#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "support/groups.hpp"
#include "support/random.hpp"
#include "support/representations.hpp"

using namespace intertwine;

namespace {

RationalMatrix random_weights(std::size_t rows, std::size_t cols, Rng& rng) {
  std::vector<Rational> entries;
  for (std::size_t k = 0; k < rows * cols; ++k)
    entries.emplace_back(static_cast<long>(rng.below(19)) - 9, static_cast<long>(1 + rng.below(4)));
  return {rows, cols, entries};
}

std::vector<double> to_doubles(const RationalMatrix& W) {
  std::vector<double> result;
  for (std::size_t i = 0; i < W.rows(); ++i)
    for (std::size_t j = 0; j < W.cols(); ++j) result.push_back(static_cast<double>(W(i, j)));
  return result;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double result = 0;
  for (std::size_t k = 0; k < a.size(); ++k) result = std::max(result, std::abs(a[k] - b[k]));
  return result;
}

FieldMatrix random_weights(const AbelianField& K, std::size_t rows, std::size_t cols, Rng& rng) {
  return {K, random_weights(rows, K.degree() * cols, rng), cols};
}

/// Entries that are real are rounded.
std::vector<double> real_parts(const FieldMatrix& W) {
  std::vector<double> result;
  for (std::size_t i = 0; i < W.rows(); ++i)
    for (std::size_t j = 0; j < W.cols(); ++j) result.push_back(W(i, j).to_complex().real());
  return result;
}

/// The definition: the sum over all elements.
FieldMatrix mean_over_elements(const Representation& V, const Representation& U, const FieldMatrix& W) {
  FieldMatrix sum(W.field(), W.rows(), W.cols());
  V.group().chain().for_each_element([&](const Permutation& g) {
    sum = sum + U.field_matrix(g) * W * V.field_matrix(g.inverse());
    return true;
  });
  return Cyclotomic(Rational(Integer(1), V.group().order())) * sum;
}

/// The three properties for weights over K, the definition where the group is small, and both arithmetics if all is real.
void require_projection(const Symmetrizer& S, Rng& rng, const AbelianField& K = {}) {
  const Representation &V = S.source(), &U = S.target();
  const FieldMatrix W = random_weights(K, S.rows(), S.cols(), rng);
  CAPTURE(V.group().name(), V.to_string(), U.to_string(), W.to_string());
  REQUIRE(S.field() == AbelianField::compositum(V.field(), U.field()));
  const FieldMatrix E = S(W);
  if (S.field().is_rational()) REQUIRE(E.field() == K);
  REQUIRE(S.is_equivariant(E));
  REQUIRE(S(E) == E);
  REQUIRE(S.complement(W) + E == W);
  REQUIRE(S(S.complement(W)).is_zero());
  const auto& generators = V.group().generators();
  for (const Permutation& g : generators) REQUIRE(U.apply(g, E) == E * V.field_matrix(g));
  if (V.group().order() <= 200) REQUIRE(E == mean_over_elements(V, U, W));
  REQUIRE(S.squared_residual(E) == 0);

  if (!K.is_real() || !S.field().is_real()) return;
  const std::vector<double> w = real_parts(W);
  std::vector<double> out(w.size());
  S.apply(w, out);
  REQUIRE(largest_difference(out, real_parts(E)) < 1e-11);
  REQUIRE(S.defect(out) < 1e-11);
  std::vector<double> again = out;
  S.apply(again, again);
  REQUIRE(largest_difference(out, again) < 1e-11);
  if (!E.is_zero()) REQUIRE(S.residual(out) < 1e-11);  // of rounding errors alone all may be lost
  REQUIRE(std::abs(S.residual(w) - std::sqrt(S.squared_residual(W).to_complex().real())) < 1e-11);
}

}  // namespace

TEST_CASE("the symmetrizer of monomial representations", "[equivariant][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 40 * test_multiplier(); ++trial) {
    const FiniteGroup G = test_representations::random_group(rng);
    const Representation V = test_representations::random_representation(G, rng, 12),
                         U = test_representations::random_representation(G, rng, 12);
    const Symmetrizer by_orbits(V, U), by_transversals(V, U, {}, Symmetrizer::Method::transversals);
    REQUIRE(by_orbits.method() == Symmetrizer::Method::orbits);
    REQUIRE(by_transversals.method() == Symmetrizer::Method::transversals);
    require_projection(by_orbits, rng);
    require_projection(by_transversals, rng);
    const RationalMatrix W = random_weights(by_orbits.rows(), by_orbits.cols(), rng);
    REQUIRE(by_orbits(W) == by_transversals(W));
  }
}

TEST_CASE("the symmetrizer of representations by general matrices", "[equivariant][quick]") {
  auto rng = test_rng();
  const FiniteGroup S4 = symmetric_group(4), S5 = symmetric_group(5), A5 = alternating_group(5);
  const Representation std4 = standard_representation(S4), perm4 = natural_permutation_representation(S4),
                       std5 = standard_representation(S5), specht32 = specht_module(S5, Partition({3, 2}));
  for (const auto& [V, U] : std::vector<std::pair<Representation, Representation>>{
           {std4, std4},
           {perm4, std4},
           {std4, perm4 * sign_representation(S4)},
           {std4 * std4, std4 + perm4},
           {dual(std4), std4},
           {std5, specht32},
           {specht32, dual(specht32)},
           {standard_representation(A5), natural_permutation_representation(A5)},
           {std4, 0 * std4}}) {
    const Symmetrizer S(V, U);
    REQUIRE(S.method() == Symmetrizer::Method::transversals);
    require_projection(S, rng);
  }
  // Schur: Hom between different irreducible modules is 0; of one with itself the mean is trace / dimension.
  REQUIRE(Symmetrizer(std5, specht32)(random_weights(5, 4, rng)).is_zero());
  const RationalMatrix W = random_weights(5, 5, rng);
  REQUIRE(Symmetrizer(specht32, specht32)(W) == W.trace() / 5 * RationalMatrix::identity(5));
}

// Over Q(sqrt(5)), Q(E(3)), Q(i), with weights over larger fields and over Q.
TEST_CASE("the symmetrizer over number fields", "[equivariant][quick]") {
  auto rng = test_rng();
  const AbelianField Q, gauss = AbelianField::cyclotomic(4);
  for (const FiniteGroup& G : {cyclic_group(3), alternating_group(5), special_linear_group(2, 3)}) {
    const auto X = irreducible_representations(character_table(G));
    const Representation &R = X[1].representation, &T = X[2].representation, P = natural_permutation_representation(G);
    REQUIRE_FALSE(R.field().is_rational());
    for (const auto& [V, U] : std::vector<std::pair<Representation, Representation>>{
             {R, R}, {R, T}, {P, R}, {R, P + 2 * T}, {R * T, R + P}, {dual(R), T}, {P, P}, {0 * R, P}}) {
      const Symmetrizer S(V, U);
      REQUIRE(S.method() ==
              (V.is_monomial() && U.is_monomial() ? Symmetrizer::Method::orbits : Symmetrizer::Method::transversals));
      for (const AbelianField& K : {Q, gauss, R.field()}) require_projection(S, rng, K);
    }
    // Schur: the trace over the degree, and nothing between a row and another one.
    const std::size_t n = R.dimension();
    const FieldMatrix W = random_weights(gauss, n, n, rng);
    REQUIRE(Symmetrizer(R, R)(W) == W.trace() / Cyclotomic(static_cast<long>(n)) * FieldMatrix::identity(Q, n));
    REQUIRE(Symmetrizer(R, T)(random_weights(Q, T.dimension(), n, rng)).is_zero());
  }
  // Elements of a basis stay as they are, also where two algorithms have found a space and a projection on it.
  const Representation I = coordinate_representation(point_group("I")), I2 = I * I;
  const Symmetrizer S(I2, I2);
  const IntertwinerSpace space = intertwiner_space(I2, I2);
  REQUIRE(space.params() == 3);
  std::vector<FieldMatrix> rows;
  for (std::uint64_t k = 0; k < space.params(); ++k) {
    std::vector<Cyclotomic> entries(81);
    for (std::uint64_t e = space.start()[k]; e < space.start()[k + 1]; ++e)
      entries[space.row()[e] * 9 + space.col()[e]] = space.value(e);
    const FieldMatrix B(9, 9, entries);
    REQUIRE(S(B) == B);
    rows.push_back(B.reshape(1, 81));
  }
  rows.push_back(S(random_weights(gauss, 9, 9, rng)).reshape(1, 81));
  REQUIRE(matrix_rank(vertical_stack(rows)) == 3);
  rows.back() = random_weights(gauss, 9, 9, rng).reshape(1, 81);
  REQUIRE(matrix_rank(vertical_stack(rows)) == 4);
}

TEST_CASE("symmetrizers of conjugate representations are conjugate", "[equivariant][quick]") {
  auto rng = test_rng();
  const auto X = irreducible_representations(character_table(cyclic_group(3)));
  const Representation P = natural_permutation_representation(X[1].representation.group());
  // The matrices of rows 2 and 3 are conjugate, and those of the points their own conjugates.
  REQUIRE(X[1].representation.field_matrix(P.group().generators()[0]).conjugate() ==
          X[2].representation.field_matrix(P.group().generators()[0]));
  const FieldMatrix W = random_weights(AbelianField::cyclotomic(12), 1, 3, rng),
                    E = Symmetrizer(P, X[1].representation)(W);
  REQUIRE(Symmetrizer(P, X[2].representation)(W.conjugate()) == E.conjugate());
  REQUIRE_FALSE(Symmetrizer(P, X[2].representation)(W) == E);
  // |E|^2 / |W|^2 for W = (1, 0, 0), E = (1, w, w^2)/3 up to the order: a real number.
  const FieldMatrix first(RationalMatrix(1, 3, std::vector<Rational>{1, 0, 0}));
  REQUIRE(Symmetrizer(P, X[1].representation).squared_residual(first) == Rational(2, 3));
}

TEST_CASE("what symmetrizers over fields refuse", "[equivariant][quick]") {
  const auto X = irreducible_representations(character_table(cyclic_group(3)));
  const Representation& R = X[1].representation;
  const Symmetrizer S(R, R);
  std::vector<double> w(1, 1.0);
  REQUIRE_THROWS_WITH(S.apply(w, w), Catch::Contains("are over Q(E(3)): symmetrize exact numbers"));
  REQUIRE_THROWS_AS(S.defect(w), DomainError);
  REQUIRE_THROWS_AS(S.residual(w), DomainError);
  REQUIRE_THROWS_AS(symmetrize(S, w), DomainError);
  REQUIRE_THROWS_AS(S(FieldMatrix(R.field(), 1, 2)), DomainError);
  const FieldMatrix nothing = Symmetrizer(R, 0 * R)(RationalMatrix(0, R.dimension()));
  REQUIRE(nothing.field() == R.field());
  REQUIRE_THROWS_WITH(invariant_form(R), Catch::Contains("take rational(V)"));
  // One entry of a mean moved by the root of unity: not equivariant from the points to the row.
  const Symmetrizer T(natural_permutation_representation(R.group()), R);
  FieldMatrix E = T(FieldMatrix(RationalMatrix(1, 3, std::vector<Rational>{1, 0, 0})));
  REQUIRE(T.is_equivariant(E));
  const Cyclotomic w3 = Cyclotomic::root_of_unity(3);
  const std::vector<Cyclotomic> moved = {E(0, 0) * w3, E(0, 1), E(0, 2)};
  REQUIRE_FALSE(T.is_equivariant(FieldMatrix(1, 3, moved)));
  REQUIRE(T.failing_generator(FieldMatrix(1, 3, moved)) == 0);
  const Representation I = coordinate_representation(point_group("I"));
  const Task small(1000, 0, {});
  const Symmetrizer large(I * I, I * I);
  REQUIRE_THROWS_AS(large(FieldMatrix(I.field(), 9, 9), small), LimitError);
}

TEST_CASE("a symmetrizer of a large group", "[equivariant][quick]") {
  auto rng = test_rng();
  // Sym(n) on n x n matrices: the mean of the diagonal and the mean off it.
  for (const std::size_t n : {20, 100}) {
    const Representation V = natural_permutation_representation(symmetric_group(n));
    const RationalMatrix W = random_weights(n, n, rng);
    Rational all = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) all += W(i, j);
    const Symmetrizer S(V, V);
    const RationalMatrix E = S(W).to_rational();
    for (const std::size_t i : {std::size_t{0}, n - 1})
      for (std::size_t j = 0; j < n; ++j)
        REQUIRE(E(i, j) == (i == j ? Rational(W.trace() / n) : Rational((all - W.trace()) / (n * (n - 1)))));
    std::vector<double> out(n * n);
    Symmetrizer(V, V, {}, Symmetrizer::Method::transversals).apply(to_doubles(W), out);
    REQUIRE(largest_difference(out, to_doubles(E)) < 1e-11);
  }
  const Representation perm12 = natural_permutation_representation(symmetric_group(12)),
                       std12 = standard_representation(symmetric_group(12));
  require_projection(Symmetrizer(perm12, std12), rng);
  const Representation m24 = natural_permutation_representation(test_groups::mathieu24());
  const RationalMatrix W = random_weights(24, 24, rng);
  REQUIRE(Symmetrizer(m24, m24)(W) == Symmetrizer(m24, m24, {}, Symmetrizer::Method::transversals)(W));
}

TEST_CASE("residuals", "[equivariant][quick]") {
  // ||E_11||^2 = 1, and its symmetrization is the identity / n.
  const Representation V = natural_permutation_representation(symmetric_group(7));
  IntegerMatrix N(7, 7);
  N.set(0, 0, 5L);
  const RationalMatrix W = N;
  const Symmetrizer S(V, V);
  REQUIRE(S.squared_residual(W) == Rational(6, 7));
  std::vector<double> w(49, 0.0);
  w[0] = -1e200;  // the squares overflow
  REQUIRE(std::abs(S.residual(w) - std::sqrt(6.0 / 7)) < 1e-14);
  REQUIRE(S.defect(w) == 1e200);
  REQUIRE(S.residual(std::vector<double>(49, 0.0)) == 0);
  REQUIRE(S.residual(std::vector<double>(49, 0.25)) == 0);
  REQUIRE(S.squared_residual(RationalMatrix(7, 7)) == 0);
}

TEST_CASE("sums that cancel keep their small part", "[equivariant][quick]") {
  const Representation V = natural_permutation_representation(cyclic_group(4)),
                       one = trivial_representation(cyclic_group(4));
  const std::vector<double> w = {1e16, 1.0, -1e16, 1.0};
  std::vector<double> out(4);
  Symmetrizer(V, one).apply(w, out);
  REQUIRE(out == std::vector<double>(4, 0.5));
}

TEST_CASE("matrices that are not equivariant are told from those that are", "[equivariant][quick]") {
  const FiniteGroup G = direct_product({cyclic_group(3), cyclic_group(2)});
  const Representation V = natural_permutation_representation(G);
  const Symmetrizer S(V, V);
  IntegerMatrix N = IntegerMatrix::identity(5);
  RationalMatrix W = N;
  REQUIRE(S.is_equivariant(W));
  REQUIRE(S.failing_generator(W) == std::nullopt);
  Task stopped(0, 0, {});
  stopped.cancel();
  REQUIRE_THROWS_AS(S.is_equivariant(W, stopped), Interrupted);
  N.set(3, 3, 2L);
  W = N;  // the first generator fixes the point, the second one moves it
  REQUIRE(S.failing_generator(W) == 1);
  REQUIRE(S.defect(to_doubles(W)) == 1);
  const Representation T = standard_representation(G);
  IntegerMatrix U = IntegerMatrix::identity(4);
  U.set(0, 1, 1L);
  REQUIRE(Symmetrizer(T, T).failing_generator(RationalMatrix(U)) == 0);
}

TEST_CASE("invariant vectors", "[equivariant][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = dihedral_group(6);
  const Representation V = tensor_power(natural_permutation_representation(G), 2);
  const RationalMatrix b = random_weights(36, 3, rng);
  const FieldMatrix invariant = invariant_part(V, b);
  for (const Permutation& g : G.generators()) REQUIRE(V.apply(g, invariant) == invariant);
  REQUIRE(invariant_part(V, invariant) == invariant);
  REQUIRE(invariant_part(standard_representation(G), random_weights(5, 1, rng)).is_zero());
  REQUIRE(invariant_part(V, RationalMatrix(36, 0)) == RationalMatrix(36, 0));
  REQUIRE_THROWS_AS(invariant_part(V, RationalMatrix(35, 1)), DomainError);
}

TEST_CASE("invariant forms", "[equivariant][quick]") {
  const FiniteGroup S5 = symmetric_group(5);
  // On the differences e_i - e_5: the Gram matrix, 2 on the diagonal and 1 elsewhere.
  const IntegerMatrix A4 = {{2, 1, 1, 1}, {1, 2, 1, 1}, {1, 1, 2, 1}, {1, 1, 1, 2}};
  REQUIRE(invariant_form(standard_representation(S5)) == A4);
  REQUIRE(invariant_form(natural_permutation_representation(S5)) == IntegerMatrix::identity(5));
  const Representation V = specht_module(S5, Partition({2, 2, 1}));
  const RationalMatrix B = invariant_form(V);
  REQUIRE(B.numerator().content() == 1);
  for (const RationalMatrix& M : V.generator_matrices()) REQUIRE(M.transpose() * B * M == B);
  for (std::size_t k = 1; k <= 5; ++k) REQUIRE(determinant(B.block(0, 0, k, k)) > 0);
}

TEST_CASE("Schreier trees give every transversal element once", "[equivariant][quick]") {
  auto rng = test_rng();
  /// Multisets of permutations under left multiplication.
  struct Elements {
    std::vector<Permutation> list;
    Elements& operator+=(const Elements& other) {
      list.insert(list.end(), other.list.begin(), other.list.end());
      return *this;
    }
  };
  for (int trial = 0; trial < 40 * test_multiplier(); ++trial) {
    const FiniteGroup G = test_representations::random_group(rng);
    const Point base = static_cast<Point>(rng.below(G.degree()));
    const SchreierTree tree(base, G.degree(), G.generators());
    std::size_t applications = 0;
    const Elements sum =
        tree.sum(Elements{{Permutation::identity(G.degree())}}, [&](std::uint32_t s, const Elements& X) {
          ++applications;
          Elements moved;
          for (const Permutation& g : X.list) moved.list.push_back(G.generators()[s] * g);
          return moved;
        });
    REQUIRE(sum.list.size() == tree.size());
    REQUIRE(applications < tree.size());
    std::vector<Point> images;
    for (const Permutation& g : sum.list) {
      REQUIRE(G.contains(g));
      images.push_back(g.inverse()(base));
    }
    std::ranges::sort(images);
    REQUIRE(std::ranges::adjacent_find(images) == images.end());
  }
  // A path of 200000 points: no recursion, no copies of the matrix along it.
  std::vector<Point> cycle(200'000);
  for (std::size_t i = 0; i < cycle.size(); ++i) cycle[i] = static_cast<Point>((i + 1) % cycle.size());
  const std::vector<Permutation> one = {Permutation(cycle)};
  struct Number {
    long value;
    Number& operator+=(Number other) {
      value += other.value;
      return *this;
    }
  };
  REQUIRE(SchreierTree(0, cycle.size(), one).sum(Number{1}, [](std::uint32_t, Number x) { return x; }).value ==
          200'000);
}

TEST_CASE("symmetrizers refuse what does not fit", "[equivariant][quick]") {
  const FiniteGroup S4 = symmetric_group(4);
  const Representation V = natural_permutation_representation(S4), T = standard_representation(S4);
  REQUIRE_THROWS_AS(Symmetrizer(V, natural_permutation_representation(cyclic_group(4))), DomainError);
  REQUIRE_THROWS_AS(Symmetrizer(V, T, {}, Symmetrizer::Method::orbits), DomainError);
  const Symmetrizer S(V, T);
  REQUIRE_THROWS_AS(S(RationalMatrix(4, 3)), DomainError);
  REQUIRE_THROWS_AS(S.is_equivariant(RationalMatrix(4, 4)), DomainError);
  std::vector<double> w(12), shorter(11);
  REQUIRE_THROWS_AS(S.apply(shorter, w), DomainError);
  REQUIRE_THROWS_AS(S.apply(w, shorter), DomainError);
  REQUIRE_THROWS_AS(S.defect(shorter), DomainError);
  const Task cancelled(0, 0, {});
  cancelled.cancel();
  REQUIRE_THROWS_AS(S(RationalMatrix(3, 4), cancelled), Interrupted);
  const Representation large = natural_permutation_representation(symmetric_group(2000));
  REQUIRE_THROWS_AS(Symmetrizer(large, large, Task(1000, 0, {})), LimitError);
}

TEST_CASE("a symmetrization says what it is", "[equivariant][quick]") {
  const Representation V = natural_permutation_representation(symmetric_group(2));
  const Symmetrizer S(V, V);
  const RationalMatrix W(IntegerMatrix{{1, 2}, {3, 5}});
  const Symmetrization exact = symmetrize(S, W);
  REQUIRE(exact.is_exact());
  REQUIRE(std::get<FieldMatrix>(exact.matrix) == S(W));
  REQUIRE(*exact.squared_residual == Rational(17, 78));  // (16/2 + 1/2) / 39
  REQUIRE(exact.residual == Approx(std::sqrt(17.0 / 78)));
  const Symmetrization rounded = symmetrize(S, to_doubles(W));
  REQUIRE_FALSE(rounded.is_exact());
  REQUIRE(std::get<std::vector<double>>(rounded.matrix) == std::vector<double>{3, 2.5, 2.5, 3});
  REQUIRE(rounded.residual == Approx(exact.residual));
  REQUIRE_FALSE(rounded.squared_residual);
  REQUIRE(rounded.defect == 0);
}
