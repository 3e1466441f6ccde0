// Lattices that finite groups of matrices over number fields map to themselves.
#include "representations/lattices/integral_form.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/exact/square_root.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

AbelianField quadratic(long d) { return AbelianField::generated_by(std::vector{square_root(Rational(d))}); }

/// Triangular, small numbers, not 0 on the diagonal.
FieldMatrix random_triangle(std::size_t n, const AbelianField& K, Rng& rng) {
  IntegerMatrix A(n, K.degree() * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t l = 0; l < K.degree(); ++l) {
      for (std::size_t j = 0; j < i; ++j) A.set(i, l * n + j, static_cast<long>(rng.below(5)) - 2);
      A.set(i, l * n + i, l == 0 ? 1 + static_cast<long>(rng.below(12)) : static_cast<long>(rng.below(3)) - 1);
    }
  return {K, RationalMatrix(std::move(A)), n};
}
/// Regular, denominators with small prime divisors.
FieldMatrix random_change(std::size_t n, const AbelianField& K, Rng& rng) {
  return random_triangle(n, K, rng) * inverse(random_triangle(n, K, rng).transpose());
}

FieldMatrix changed(const FieldMatrix& A, const FieldMatrix& change) { return inverse(change) * A * change; }

std::vector<FieldMatrix> generators(const Representation& V, const FieldMatrix& change) {
  std::vector<FieldMatrix> result;
  for (const Permutation& s : V.group().generators())
    result.push_back(changed(V.field_matrix(s), change).over(change.field()));
  return result;
}

/// A basis over Z of the lattice over Z[a] of these columns, or vectors that generate it, as rows.
RationalMatrix over_the_integers(const FieldMatrix& columns) {
  return restrict_scalars(columns, AbelianField()).to_rational().transpose();
}

/// Of order 2, with the entries q = p^k and 1/q.
FieldMatrix swap_over(std::uint64_t p, unsigned k, const AbelianField& K) {
  const Integer q = boost::multiprecision::pow(Integer(p), k);
  IntegerMatrix A(2, 2);
  A.set(0, 1, q * q);
  A.set(1, 0, 1L);
  return FieldMatrix(RationalMatrix(A, q)).over(K);
}

}  // namespace

TEST_CASE("the lattice that the images of the unit vectors generate", "[representations][quick]") {
  auto rng = test_rng();
  // Class number 1; primes that split, are inert and ramify.
  for (const AbelianField& K : {AbelianField(), quadratic(-11), quadratic(-1), quadratic(5),
                                AbelianField::cyclotomic(5), AbelianField::cyclotomic(7).real_subfield()})
    for (const Representation& V :
         {standard_representation(symmetric_group(4)), natural_permutation_representation(alternating_group(4)),
          sym(2, standard_representation(symmetric_group(3))), regular_representation(symmetric_group(3))}) {
      const std::size_t n = V.dimension();
      const FieldMatrix change = random_change(n, K, rng);
      const std::vector<FieldMatrix> A = generators(V, change);
      const IntegralForm form = integral_form(A, K);
      CAPTURE(V.to_string(), K.to_string());
      REQUIRE(form.matrices.size() == A.size());
      for (std::size_t k = 0; k < A.size(); ++k) {
        REQUIRE(form.matrices[k].coefficients().is_integral());
        REQUIRE(form.change * form.matrices[k] == A[k] * form.change);
      }
      REQUIRE(inverse(form.change).coefficients().is_integral());  // it contains the unit vectors
      // And no more than their images under all elements.
      std::vector<FieldMatrix> images;
      V.group().chain().for_each_element([&](const Permutation& g) {
        images.push_back(changed(V.field_matrix(g), change).over(K));
        return true;
      });
      const RationalMatrix all = over_the_integers(horizontal_stack(images)), own = over_the_integers(form.change);
      const RationalMatrix basis(lll(all.numerator()), all.denominator());
      REQUIRE((all * inverse(own)).is_integral());
      REQUIRE((own * inverse(basis)).is_integral());
    }
}

TEST_CASE("integral matrices where ideals are not principal", "[representations][quick]") {
  auto rng = test_rng();
  // Fields with cyclic class groups of these orders.
  for (const auto& [d, class_number] : {std::pair{-5, 2U}, {-15, 2U}, {-23, 3U}, {-47, 5U}, {-39, 4U}, {10, 2U}}) {
    const AbelianField K = quadratic(d);
    for (const Representation& V :
         {standard_representation(symmetric_group(4)), standard_representation(symmetric_group(5)),
          sym(2, standard_representation(symmetric_group(3)))})
      for (int trial = 0; trial < 4; ++trial) {
        const FieldMatrix change = random_change(V.dimension(), K, rng);
        const std::vector<FieldMatrix> A = generators(V, change);
        const IntegralForm form = integral_form(A, K);
        CAPTURE(V.to_string(), K.to_string());
        Integer below = 1;
        for (std::size_t k = 0; k < A.size(); ++k) {
          REQUIRE(form.change * form.matrices[k] == A[k] * form.change);
          below = lcm(below, form.matrices[k].coefficients().denominator());
        }
        // A multiple by an ideal has a basis where the n-th powers are all classes; otherwise one prime may be left.
        if (std::gcd(V.dimension(), std::size_t{class_number}) == 1) REQUIRE(below == 1);
        if (below != 1) REQUIRE(prime_part(below, *find_prime_divisor(below)) == below);
      }
  }
}

TEST_CASE("where a lattice has no basis one beside it may have", "[representations][quick]") {
  auto rng = test_rng();
  const Representation V = standard_representation(symmetric_group(5));
  // Residues at 5 have an invariant vector. The lattice with its quotient by the square root has the class of the prime ideal P at 5, P^2 = 5, times a fourth
  // power, and no ideal makes it free, its rank being even.
  for (const long d : {10, -15, 65}) {
    const AbelianField K = quadratic(d);
    for (int trial = 0; trial < 4; ++trial) {
      IntegerMatrix vectors(4, 4);
      for (std::size_t i = 0; i < 4; ++i) {
        vectors.set(i, 0, 1L);
        if (i > 0) vectors.set(i, i, 1L);
      }
      const std::vector<FieldMatrix> rows{
          square_root(Rational(d)).inverse() * FieldMatrix(RationalMatrix(vectors.block(0, 0, 4, 1))).over(K),
          FieldMatrix(RationalMatrix(vectors.block(0, 1, 4, 3))).over(K)};
      IntegerMatrix mix = IntegerMatrix::identity(4);
      for (std::size_t i = 1; i < 4; ++i)
        for (std::size_t j = 0; j < i; ++j) mix.set(i, j, static_cast<long>(rng.below(7)) - 3);
      const FieldMatrix change = horizontal_stack(rows) * FieldMatrix(RationalMatrix(mix)).over(K);
      const std::vector<FieldMatrix> A = generators(V, change);
      const IntegralForm form = integral_form(A, K);
      CAPTURE(d, trial);
      REQUIRE_FALSE(std::ranges::all_of(A, [](const FieldMatrix& M) { return M.coefficients().is_integral(); }));
      for (std::size_t k = 0; k < A.size(); ++k) {
        REQUIRE(form.matrices[k].coefficients().is_integral());
        REQUIRE(form.change * form.matrices[k] == A[k] * form.change);
      }
    }
  }
}

TEST_CASE("denominators do not grow where generators are long or class groups are not cyclic",
          "[representations][quick]") {
  auto rng = test_rng();
  // Fundamental units of many digits; C2 x C2.
  for (const auto& [d, p] : {std::pair{331, 2UL}, {331, 3UL}, {487, 7UL}, {-21, 5UL}, {-21, 2UL}}) {
    const AbelianField K = quadratic(d);
    const FieldMatrix A = swap_over(p, 1, K);
    const IntegralForm form = integral_form({A}, K);
    CAPTURE(d, p);
    REQUIRE(form.matrices[0].coefficients().denominator() <= p);
    REQUIRE(form.change * form.matrices[0] == A * form.change);
  }
  // Most primes are settled by one ideal, those of its multiples of the class group.
  const AbelianField K = quadratic(-21);
  const Representation V = standard_representation(symmetric_group(4));
  for (int trial = 0; trial < 4; ++trial) {
    const FieldMatrix change = random_change(3, K, rng);
    const std::vector<FieldMatrix> A = generators(V, change);
    const IntegralForm form = integral_form(A, K);
    for (std::size_t k = 0; k < A.size(); ++k) {
      REQUIRE(form.change * form.matrices[k] == A[k] * form.change);
      REQUIRE(form.matrices[k].coefficients().denominator() <= A[k].coefficients().denominator());
    }
  }
}

TEST_CASE("what has integral matrices keeps them, and what has none ends", "[representations][quick]") {
  const Representation V = natural_permutation_representation(symmetric_group(5));
  const std::vector<FieldMatrix> A = generators(V, RationalMatrix::identity(5));
  const IntegralForm same = integral_form(A, {});
  REQUIRE(same.matrices == A);
  REQUIRE(same.change == FieldMatrix(RationalMatrix::identity(5)));
  REQUIRE(integral_form({}, {}).matrices.empty());
  // Of infinite order, and of order 2 with large prime powers as denominators: q^2 is more than a word, q p is not.
  IntegerMatrix halves(2, 2);
  halves.set(0, 0, 1L);
  halves.set(1, 1, 2L);
  const FieldMatrix infinite = RationalMatrix(halves, 2);
  const IntegralForm of_infinite = integral_form({infinite}, {});
  REQUIRE_FALSE(of_infinite.matrices[0].coefficients().is_integral());
  REQUIRE(of_infinite.change * of_infinite.matrices[0] == infinite * of_infinite.change);
  for (const auto& [p, k] :
       {std::pair{2UL, 31U}, {2UL, 55U}, {3UL, 38U}, {1009UL, 5U}, {1'000'003UL, 2U}, {2'000'003UL, 1U}}) {
    const FieldMatrix swap = swap_over(p, k, {});
    const IntegralForm form = integral_form({swap}, {});
    CAPTURE(p, k);
    REQUIRE(form.matrices[0].coefficients().is_integral());
    REQUIRE(form.change * form.matrices[0] == swap * form.change);
  }
  const FieldMatrix beyond = swap_over(2'147'483'659, 1, {});
  REQUIRE(integral_form({beyond}, {}).matrices[0] == beyond);
  const Task stopped(0, 0, {});
  stopped.cancel();
  REQUIRE_THROWS_AS(integral_form({infinite}, {}, stopped), Interrupted);
}
