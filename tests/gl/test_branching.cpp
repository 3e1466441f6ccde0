#include "intertwine/gl/branching.hpp"

#include <catch2/catch.hpp>

#include "intertwine/combinatorics/schur_polynomial.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "support/random.hpp"
#include "support/symmetric_functions.hpp"

using namespace intertwine;

namespace {

/// (1 - M) / (1 + M), which preserves a form where M is skew for it.
RationalMatrix cayley(const RationalMatrix& M) {
  const RationalMatrix one = RationalMatrix::identity(M.rows());
  return (one - M) * inverse(one + M);
}

RationalMatrix random_orthogonal(int n, bool reflection, Rng& rng) {
  IntegerMatrix S(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      const long value = static_cast<long>(rng.below(5)) - 2;
      S.set(i, j, value);
      S.set(j, i, -value);
    }
  IntegerMatrix mirror = IntegerMatrix::identity(n);
  if (reflection) mirror.set(0, 0, -1L);
  return cayley(S) * RationalMatrix(mirror);
}

/// M = [[A, B], [C, -A^T]] with B and C symmetric, entries of 3 M being 0, 1, -1; then 1 + M is invertible or an error says so.
RationalMatrix random_symplectic(int n, Rng& rng) {
  const int k = n / 2;
  IntegerMatrix M(n, n);
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < k; ++j) {
      const long a = static_cast<long>(rng.below(3)) - 1;
      M.set(i, j, a);
      M.set(k + j, k + i, -a);
      if (j > i) continue;
      for (const auto& [row, col] : {std::pair(i, k + j), std::pair(k + i, j)}) {
        const long b = static_cast<long>(rng.below(3)) - 1;
        M.set(row, col, b);
        M.set(row < k ? j : k + j, row < k ? k + i : i, b);
      }
    }
  return cayley(Rational(1, 3) * RationalMatrix(M));
}

/// The characters of O(n) and Sp(n) by the Jacobi-Trudi determinants of Weyl: det(h_{a-i+j} - h_{a-i-j}), and
/// det(h_{a-i+j} + h_{a-i-j+2}) with the first column halved.
template <class Homogeneous>
Rational classical_character(const Partition& mu, bool orthogonal, const Homogeneous& complete) {
  const int n = mu.length();
  const auto h = [&](int k) { return k < 0 ? Rational(0) : Rational(complete(k)); };
  std::vector<Rational> entries;
  for (int i = 1; i <= n; ++i)
    for (int j = 1; j <= n; ++j) {
      const int a = mu[i - 1];
      entries.push_back(orthogonal ? h(a - i + j) - h(a - i - j)
                        : j == 1   ? h(a - i + 1)
                                   : h(a - i + j) + h(a - i - j + 2));
    }
  return n == 0 ? Rational(1) : determinant(RationalMatrix(n, n, entries));
}

Rational classical_character(const Partition& mu, const RationalMatrix& A, bool orthogonal) {
  return classical_character(mu, orthogonal, [&](int k) { return schur_at_eigenvalues(Partition{k}, A); });
}

SchurSum s(const Partition& lambda) { return SchurSum(lambda); }

SchurSum sum_of(std::initializer_list<std::pair<Partition, int>> terms) {
  std::vector<SchurTerm> list;
  for (const auto& [partition, c] : terms) list.push_back({partition, c});
  return SchurSum(std::move(list));
}

}  // namespace

TEST_CASE("known branchings to O(n) and Sp(n)", "[gl][quick]") {
  REQUIRE(restrict_to_orthogonal(s({2}), 3) == sum_of({{{2}, 1}, {{}, 1}}));
  REQUIRE(restrict_to_orthogonal(s({1, 1, 1}), 3) == s({1, 1, 1}));
  REQUIRE(restrict_to_orthogonal(s({2, 1}), 3) == sum_of({{{2, 1}, 1}, {{1}, 1}}));
  // On O(2) the harmonic tensors of two rows of equal length are the determinant: [2,2] of GL(2) is det^2 = 1.
  REQUIRE(restrict_to_orthogonal(s({2, 2}), 2) == SchurSum(Partition()));
  REQUIRE(restrict_to_orthogonal(s({3}), 1) == s({1}));
  REQUIRE(restrict_to_symplectic(s({1, 1}), 4) == sum_of({{{1, 1}, 1}, {{}, 1}}));
  REQUIRE(restrict_to_symplectic(s({1, 1, 1}), 4) == s({1}));
  REQUIRE(restrict_to_symplectic(s({5}), 6) == s({5}));
  REQUIRE(restrict_to_symplectic(s({4, 1}), 2) == s({3}));
  // Curvature tensors of Riemannian geometry: Weyl, traceless Ricci, scalar.
  REQUIRE(restrict_to_orthogonal(s({2, 2}), 4) == sum_of({{{2, 2}, 1}, {{2}, 1}, {{}, 1}}));
  REQUIRE(dimension_of_orthogonal({2, 2}, 4) == 10);
  REQUIRE(dimension_of_orthogonal({1, 1, 1, 1}, 4) == 1);
  REQUIRE(dimension_of_symplectic({1, 1, 1}, 6) == 14);
}

TEST_CASE("branching to O(n) agrees with characters at rational orthogonal matrices", "[gl][quick]") {
  Rng rng = test_rng();
  for (int n = 1; n <= 5; ++n)
    for (const bool reflection : {false, true}) {
      const RationalMatrix A = random_orthogonal(n, reflection, rng);
      REQUIRE(A * A.transpose() == RationalMatrix::identity(n));
      for (int weight = 0; weight <= 5; ++weight)
        for (const Partition& lambda : partitions(weight, {n})) {
          Rational sum = 0;
          for (const SchurTerm& term : restrict_to_orthogonal(SchurSum(lambda), n)) {
            const Partition columns = term.partition.conjugate();
            REQUIRE(columns[0] + columns[1] <= n);
            sum += term.coefficient * classical_character(term.partition, A, true);
          }
          CAPTURE(n, reflection, to_string(lambda));
          REQUIRE(sum == schur_at_eigenvalues(lambda, A));
        }
    }
}

TEST_CASE("branching to Sp(n) agrees with characters at rational symplectic matrices", "[gl][quick]") {
  Rng rng = test_rng();
  for (int n = 2; n <= 6; n += 2) {
    const RationalMatrix A = random_symplectic(n, rng);
    REQUIRE(characteristic_polynomial(A) == characteristic_polynomial(inverse(A)));
    for (int weight = 0; weight <= 5; ++weight)
      for (const Partition& lambda : partitions(weight, {n})) {
        Rational sum = 0;
        for (const SchurTerm& term : restrict_to_symplectic(SchurSum(lambda), n)) {
          REQUIRE(2 * term.partition.length() <= n);
          sum += term.coefficient * classical_character(term.partition, A, false);
        }
        CAPTURE(n, to_string(lambda));
        REQUIRE(sum == schur_at_eigenvalues(lambda, A));
      }
  }
}

TEST_CASE("branching to Sp(n) and SO(n) equals the reference", "[gl][quick]") {
  for (const auto& entry : reference_entries("classical_branching.json")) {
    const bool orthogonal = entry["group"] == "O";
    const int n = entry["n"], k = n / 2;
    const Partition lambda = partition_of(entry["lambda"]);
    std::map<std::vector<int>, Integer> expected, found;
    for (const auto& term : entry["weights"]) expected[term[0].get<std::vector<int>>()] += integer_of(term[1]);
    const SchurSum labels =
        orthogonal ? restrict_to_orthogonal(SchurSum(lambda), n) : restrict_to_symplectic(SchurSum(lambda), n);
    for (const SchurTerm& term : labels) {
      // On SO(n) the first column is the shorter of the two; n/2 rows of SO(n), n even, are two modules.
      std::vector<int> weight(static_cast<std::size_t>(k));
      for (int i = 0; i < std::min(term.partition.length(), n - term.partition.length()) && i < k; ++i)
        weight[static_cast<std::size_t>(i)] = term.partition[i];
      found[weight] += term.coefficient;
      if (orthogonal && n % 2 == 0 && weight.back() != 0) {
        weight.back() = -weight.back();
        found[weight] += term.coefficient;
      }
    }
    CAPTURE(entry["group"].get<std::string>(), n, to_string(lambda), to_string(labels));
    REQUIRE(found == expected);
  }
}

TEST_CASE("branching to small and large O(n) and Sp(n) has the right dimension", "[gl][quick]") {
  for (const Partition& lambda : {Partition{6, 4, 3, 1}, Partition{5, 5, 5}, Partition{3, 3, 3, 3, 3, 3}, Partition{9}})
    for (int n = 1; n <= 12; ++n) {
      Integer orthogonal = 0, symplectic = 0;
      for (const SchurTerm& term : restrict_to_orthogonal(SchurSum(lambda), n))
        orthogonal += term.coefficient * dimension_of_orthogonal(term.partition, n);
      CAPTURE(to_string(lambda), n);
      REQUIRE(orthogonal == number_of_semistandard_tableaux(lambda, n));
      if (n % 2 != 0) continue;
      for (const SchurTerm& term : restrict_to_symplectic(SchurSum(lambda), n))
        symplectic += term.coefficient * dimension_of_symplectic(term.partition, n);
      REQUIRE(symplectic == orthogonal);
    }
}

TEST_CASE("branching to S_n is that of the permutation character", "[gl][quick]") {
  REQUIRE(restrict_to_symmetric_group(s({2}), 3) == sum_of({{{3}, 2}, {{2, 1}, 2}}));
  for (int n = 3; n <= 6; ++n) {
    const FiniteGroup G = symmetric_group(n);
    const CharacterTable table = character_table(G);
    const ClassFunction perm = character_of(natural_permutation_representation(G), table);
    for (int weight = 0; weight <= 7; ++weight)
      for (const Partition& lambda : partitions(weight, {n})) {
        const SchurSum found = restrict_to_symmetric_group(SchurSum(lambda), n);
        const std::vector<Integer> expected = multiplicities(schur_power(lambda, perm));
        CAPTURE(n, to_string(lambda), to_string(found));
        Integer total = 0;
        for (std::size_t row = 0; row < table.size(); ++row) {
          const Integer c = found.coefficient(parse_partition(table.name(row)));
          REQUIRE(c == expected[row]);
          total += c;
        }
        for (const SchurTerm& term : found) total -= term.coefficient;
        REQUIRE(total == 0);
      }
  }
  // Far beyond any table: Sym^2 of C^1000 is permuted with two orbits of monomials, pairs and squares.
  REQUIRE(restrict_to_symmetric_group(s({2}), 1000) == sum_of({{{1000}, 2}, {{999, 1}, 2}, {{998, 2}, 1}}));
  Integer dimension = 0;
  for (const SchurTerm& term : restrict_to_symmetric_group(s({4, 2, 1}), 40))
    dimension += term.coefficient * number_of_standard_tableaux(term.partition);
  REQUIRE(dimension == number_of_semistandard_tableaux({4, 2, 1}, 40));
}

TEST_CASE("branching to finite groups of matrices", "[gl][quick]") {
  // The octahedral group in its coordinates: Sym^4 of space has one invariant beside (x^2+y^2+z^2)^2.
  const FiniteGroup G = point_group("Oh");
  const CharacterTable table = character_table(G);
  const ClassFunction chi = character_of(coordinate_representation(G), table);
  REQUIRE(multiplicities(schur_power({4}, chi))[0] == 2);
  // In stages: GL(3) to O(3) to Oh, whose coordinates are orthogonal matrices.
  for (int weight = 0; weight <= 6; ++weight)
    for (const Partition& lambda : partitions(weight, {3})) {
      const ClassFunction whole = schur_power(lambda, chi);
      for (std::size_t c = 0; c < table.size(); ++c) {
        Rational sum = 0;
        for (const SchurTerm& term : restrict_to_orthogonal(SchurSum(lambda), 3))
          sum += term.coefficient * classical_character(term.partition, true, [&](int k) {
                   return symmetric_power(static_cast<unsigned>(k), chi)[c].to_rational();
                 });
        CAPTURE(to_string(lambda), c);
        REQUIRE(sum == whole[c].to_rational());
      }
    }
}

TEST_CASE("restriction to a product of finite groups", "[gl][quick]") {
  const FiniteGroup G = symmetric_group(3), H = special_linear_group(2, 3);
  const CharacterTable left_table = character_table(G), right_table = character_table(H);
  const ClassFunction left = character_of(natural_permutation_representation(G), left_table);
  ClassFunction right = ClassFunction::irreducible(right_table, 4);  // two-dimensional, complex
  const ProductRestriction restriction(left, right);
  const FiniteGroup product = direct_product({G, H});
  const CharacterTable table = character_table(product);
  // The character of C^3 (x) C^2 on the classes of the product, and its Molien series.
  const auto on_product = [&](const ClassFunction& f, const ClassFunction& g) {
    std::vector<Cyclotomic> values;
    for (std::size_t c = 0; c < table.size(); ++c) {
      const auto images = table.classes()[c].representative.images();
      const std::size_t degree = G.degree();
      std::vector<Point> first(images.begin(), images.begin() + static_cast<std::ptrdiff_t>(degree)), second;
      for (std::size_t x = degree; x < images.size(); ++x) second.push_back(images[x] - static_cast<Point>(degree));
      values.push_back(f[left_table.classes().index_of(Permutation(first))] *
                       g[right_table.classes().index_of(Permutation(second))]);
    }
    return ClassFunction(table, std::move(values));
  };
  const ClassFunction both = on_product(left, right);
  for (std::size_t i = 0; i < left_table.size(); ++i)
    for (std::size_t j = 0; j < right_table.size(); j += 2) {
      const ClassFunction psi =
          on_product(ClassFunction::irreducible(left_table, i), ClassFunction::irreducible(right_table, j));
      const MolienSeries series = molien_series(both, psi, 9);
      for (int d = 0; d <= 8; ++d) {
        const auto terms = cauchy_decomposition(d, 3, 2);
        Integer total = 0, listed = 0;
        for (const Integer& m : restriction.multiplicities_of(i, j, terms)) total += m;
        for (const ProductConstituent& part : restriction(terms))
          if (part.left == i && part.right == j) listed = part.multiplicity;
        CAPTURE(i, j, d);
        REQUIRE(total == series.coefficients[static_cast<std::size_t>(d)]);
        REQUIRE(listed == total);
      }
    }
  const Partition nu{2, 1, 1};
  const auto terms = schur_functor_decomposition(nu, 3, 2);
  Integer dimension = 0;
  for (const ProductConstituent& part : restriction(terms)) {
    dimension += part.multiplicity * left_table.degree(part.left) * right_table.degree(part.right);
    REQUIRE(product_multiplicity_by_classes(nu, left, right, part.left, part.right) == part.multiplicity);
  }
  REQUIRE(dimension == number_of_semistandard_tableaux(nu, 6));
  REQUIRE_THROWS_AS(restriction.multiplicities_of(3, 0, terms), DomainError);
  REQUIRE_THROWS_AS(ProductRestriction(Cyclotomic(-1) * left, right), DomainError);
}

TEST_CASE("branching refuses what is not there", "[gl][quick]") {
  REQUIRE_THROWS_AS(restrict_to_symplectic(s({1}), 3), DomainError);
  REQUIRE_THROWS_AS(restrict_to_orthogonal(s({1}), 0), DomainError);
  REQUIRE_THROWS_AS(restrict_to_orthogonal(Integer(-1) * s({1}), 3), DomainError);
  REQUIRE_THROWS_AS(restrict_to_symmetric_group(s({1}), -1), DomainError);
  REQUIRE_THROWS_AS(restrict_to_symmetric_group(s({40}), 40), LimitError);
  REQUIRE_THROWS_AS(dimension_of_orthogonal({2, 2}, 3), DomainError);
  REQUIRE_THROWS_AS(dimension_of_symplectic({1, 1}, 2), DomainError);
}

TEST_CASE("a branching is an answer that proves itself", "[gl][quick]") {
  const Branching curvature = branching({2, 2}, Branching::Kind::orthogonal, 4);
  REQUIRE(curvature.constituents.size() == 3);
  REQUIRE(curvature.constituents[2].label == Partition{2, 2});
  REQUIRE(curvature.constituents[2].dimension == 10);
  REQUIRE(curvature.dimension() == 20);
  const FiniteGroup G = symmetric_group(4);
  const CharacterTable table = character_table(G);
  const Branching finite = branching({3, 1}, character_of(natural_permutation_representation(G), table));
  const Branching specht = branching({3, 1}, Branching::Kind::symmetric, 4);
  REQUIRE(finite.n == 4);
  REQUIRE(finite.constituents.size() == specht.constituents.size());
  for (Branching answer : {curvature, finite, specht, branching({2, 1}, Branching::Kind::symplectic, 4)}) {
    REQUIRE_NOTHROW(verify(answer));
    answer.constituents[0].multiplicity += 1;
    REQUIRE_THROWS_AS(verify(answer), VerificationError);
  }
  REQUIRE_THROWS_AS(branching({2}, Branching::Kind::finite, 4), DomainError);
}

TEST_CASE("a functor of Hom proves itself both ways", "[gl][quick]") {
  const HomFunctor plain = functor_of_hom({2}, 2, 3);
  REQUIRE(plain.terms.size() == 2);
  REQUIRE_FALSE(plain.restriction);
  REQUIRE_NOTHROW(verify(plain));
  const FiniteGroup G = symmetric_group(3), H = special_linear_group(2, 3);
  const CharacterTable left = character_table(G), right = character_table(H);
  const ClassFunction chi = character_of(natural_permutation_representation(G), left),
                      psi = ClassFunction::irreducible(right, 4);  // complex: V* is not V
  const HomFunctor answer = functor_of_hom({2, 1}, chi, psi, {true, std::pair<std::size_t, std::size_t>{0, 5}});
  REQUIRE_NOTHROW(verify(answer));
  REQUIRE(answer.by_term.size() == answer.terms.size());
  REQUIRE(answer.restriction->right().degree() == psi.conjugate().degree());
  for (std::size_t c = 0; c < right.size(); ++c) REQUIRE(answer.restriction->right()[c] == psi.conjugate()[c]);
  HomFunctor wrong = answer;
  wrong.constituents[0].multiplicity += 1;
  REQUIRE_THROWS_WITH(verify(wrong), Catch::Contains("is not that of the characters"));
  wrong = answer;
  wrong.constituents.pop_back();
  REQUIRE_THROWS_WITH(verify(wrong), Catch::Contains("do not add up"));
  wrong = answer;
  wrong.pair->multiplicities[0] += 1;
  REQUIRE_THROWS_WITH(verify(wrong), Catch::Contains("terms of the pair"));
}

TEST_CASE("classical groups of the largest n", "[gl][branching]") {
  const int odd = 2147483647, even = 2147483646;
  const auto by_formula = [](const Integer& n) { return Integer(n * (n * n - 4) / 3); };  // of [2,1]
  CHECK(dimension_of_orthogonal({2, 1}, odd) == by_formula(odd));
  CHECK(dimension_of_symplectic({2, 1}, even) == by_formula(even));
  CHECK(dimension_of_orthogonal({2, 1}, 5) == by_formula(5));
  CHECK(restrict_to_orthogonal(SchurSum(Partition{2, 1}), odd) == SchurSum(Partition{2, 1}) + SchurSum(Partition{1}));
  CHECK(restrict_to_symplectic(SchurSum(Partition{2, 1}), even) == SchurSum(Partition{2, 1}) + SchurSum(Partition{1}));
}
