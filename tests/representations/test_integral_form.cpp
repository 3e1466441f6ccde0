// Lattices that finite groups of matrices over Q map to themselves.
#include "representations/integral_form.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// Entries like 3/7, regular.
RationalMatrix random_change(std::size_t n, Rng& rng) {
  while (true) {
    IntegerMatrix A(n, n), D(n, n);
    for (std::size_t i = 0; i < n; ++i) {
      D.set(i, i, 1 + static_cast<long>(rng.below(12)));
      for (std::size_t j = 0; j < n; ++j) A.set(i, j, static_cast<long>(rng.below(9)) - 4);
    }
    if (rank(A) == n) return RationalMatrix(std::move(A)) * inverse(RationalMatrix(std::move(D)));
  }
}

std::vector<RationalMatrix> generators(const Representation& V, const RationalMatrix& change) {
  std::vector<RationalMatrix> result;
  for (const Permutation& s : V.group().generators())
    result.push_back(inverse(change) * V.matrix(s) * change);
  return result;
}

}  // namespace

TEST_CASE("the lattice that the images of the unit vectors generate", "[representations][quick]") {
  auto rng = test_rng();
  for (const Representation& V :
       {standard_representation(symmetric_group(4)), natural_permutation_representation(alternating_group(4)),
        sym(2, standard_representation(symmetric_group(4))), regular_representation(symmetric_group(3)),
        alt(2, standard_representation(alternating_group(5)))}) {
    const std::size_t n = V.dimension();
    const RationalMatrix change = random_change(n, rng);
    const std::vector<RationalMatrix> A = generators(V, change);
    const IntegralForm form = integral_form(A);
    CAPTURE(V.to_string(), change.to_string());
    REQUIRE(form.matrices.size() == A.size());
    for (std::size_t k = 0; k < A.size(); ++k) {
      REQUIRE(form.matrices[k].is_integral());
      REQUIRE(form.change * form.matrices[k] == A[k] * form.change);
    }
    REQUIRE(inverse(form.change).is_integral());  // it contains Z^n
    // And no more than the images of Z^n under all elements.
    std::vector<RationalMatrix> images;
    V.group().chain().for_each_element([&](const Permutation& g) {
      images.push_back((inverse(change) * V.matrix(g) * change).transpose());
      return true;
    });
    const RationalMatrix all = vertical_stack(images), own = form.change.transpose();
    const RationalMatrix basis(lll(all.numerator()), all.denominator());
    REQUIRE((all * inverse(own)).is_integral());
    REQUIRE((own * inverse(basis)).is_integral());
  }
}

TEST_CASE("what has integral matrices keeps them, and what has none ends", "[representations][quick]") {
  const Representation V = natural_permutation_representation(symmetric_group(5));
  const std::vector<RationalMatrix> A = generators(V, RationalMatrix::identity(5));
  const IntegralForm same = integral_form(A);
  REQUIRE(same.matrices == A);
  REQUIRE(same.change == RationalMatrix::identity(5));
  REQUIRE(integral_form({}).matrices.empty());
  // Of infinite order, and of order 2 with a large prime as the denominator.
  IntegerMatrix halves(2, 2), far(2, 2);
  halves.set(0, 0, 1L);
  halves.set(1, 1, 2L);
  far.set(0, 1, 1'000'003L * 1'000'003L);
  far.set(1, 0, 1L);
  const RationalMatrix infinite(halves, 2), swap(far, 1'000'003);
  const IntegralForm of_infinite = integral_form({infinite}), of_swap = integral_form({swap});
  REQUIRE_FALSE(of_infinite.matrices[0].is_integral());
  REQUIRE(of_infinite.change * of_infinite.matrices[0] == infinite * of_infinite.change);
  REQUIRE(of_swap.matrices[0].is_integral());
  REQUIRE(of_swap.change * of_swap.matrices[0] == swap * of_swap.change);
  const Task stopped(0, 0, {});
  stopped.cancel();
  REQUIRE_THROWS_AS(integral_form({infinite}, stopped), Interrupted);
}
