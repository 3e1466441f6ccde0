// Lattices beside one that matrices over number fields map to itself.
#include "representations/lattices/neighbour_lattice.hpp"

#include <catch2/catch.hpp>
#include <numeric>
#include <set>

#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/square_root.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"

using namespace intertwine;

namespace {

std::vector<FieldMatrix> generators(const Representation& V, const AbelianField& K) {
  std::vector<FieldMatrix> result;
  for (const Permutation& s : V.group().generators()) result.push_back(V.field_matrix(s).over(K));
  return result;
}

std::vector<std::size_t> all_of(std::size_t n) {
  std::vector<std::size_t> result(n);
  std::iota(result.begin(), result.end(), std::size_t{0});
  return result;
}

/// The basis of vectors over x^level, x being a generator of P.
FieldMatrix basis(const LocalLattice& lattice, const PrimeIdeal& P, const AbelianField& K) {
  const std::size_t n = lattice.levels.size();
  IntegerMatrix columns(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) columns.set(i, j, Integer(lattice.vectors[0](i, j)));
  const auto x = principal_generator(P.basis, K, {});
  REQUIRE(x);
  std::vector<Cyclotomic> scale(n * n);
  for (std::size_t j = 0; j < n; ++j) scale[j * n + j] = lattice.levels[j] == 0 ? Cyclotomic(1) : x->inverse();
  return FieldMatrix(RationalMatrix(std::move(columns))).over(K) * FieldMatrix(n, n, scale).over(K);
}

}  // namespace

TEST_CASE("spaces of residues that matrices keep give lattices", "[representations][quick]") {
  const AbelianField K = AbelianField::generated_by(std::vector{square_root(Rational(2))});
  const FiniteGroup S5 = symmetric_group(5), A4 = alternating_group(4);
  struct Case {
    Representation V;
    AbelianField K;
    std::uint64_t p;
    std::set<std::size_t> dimensions;
  };
  // 7 splits in Q(sqrt(2)), 2 ramifies. Permutation modules modulo p: the constant vectors and those of sum 0 [James 1978, 5.1].
  for (const Case& c :
       {Case{standard_representation(S5), {}, 5, {1}}, Case{standard_representation(symmetric_group(7)), K, 7, {1}},
        Case{natural_permutation_representation(S5), {}, 5, {1, 4}},
        Case{natural_permutation_representation(S5), {}, 3, {1, 4}},
        Case{natural_permutation_representation(S5), K, 2, {1, 4}},
        Case{natural_permutation_representation(S5), K, 7, {1, 4}},
        Case{natural_permutation_representation(A4), {}, 2, {1, 2, 3}}}) {
    const std::vector<FieldMatrix> A = generators(c.V, c.K);
    const PrimeIdeal P = prime_ideals(c.p, c.K).front();
    REQUIRE(P.degree() == 1);
    std::set<std::size_t> offered;
    const auto refuse = [&](std::size_t d) {
      offered.insert(d);
      return false;
    };
    const std::vector<std::size_t> sequence = all_of(c.V.dimension());
    CAPTURE(c.V.to_string(), c.p);
    REQUIRE_FALSE(neighbour_lattice(A, P, c.K, sequence, refuse, {}));
    REQUIRE(std::ranges::includes(c.dimensions, offered));
    REQUIRE_FALSE(offered.empty());
    for (const std::size_t wanted : offered) {
      const auto found = neighbour_lattice(A, P, c.K, sequence, [&](std::size_t d) { return d == wanted; }, {});
      REQUIRE(found);
      REQUIRE(std::ranges::count(found->levels, 1U) == static_cast<std::ptrdiff_t>(wanted));
      REQUIRE(std::ranges::max(found->levels) == 1);
      const FieldMatrix change = basis(*found, P, c.K);
      for (const FieldMatrix& M : A) REQUIRE((inverse(change) * M * change).coefficients().is_integral());
    }
  }
}

TEST_CASE("irreducible residues and denominators have no lattice beside", "[representations][quick]") {
  const Representation V = standard_representation(symmetric_group(5));
  const AbelianField K = AbelianField::generated_by(std::vector{square_root(Rational(2))});
  bool is_offered = false;
  const auto take = [&](std::size_t) { return is_offered = true; };
  for (const std::uint64_t p : {2, 7}) {
    for (const PrimeIdeal& P : prime_ideals(p, K))
      REQUIRE_FALSE(neighbour_lattice(generators(V, K), P, K, all_of(4), take, {}));
  }
  IntegerMatrix swap(2, 2);
  swap.set(0, 1, 25L);
  swap.set(1, 0, 1L);
  const std::vector<FieldMatrix> A{FieldMatrix(RationalMatrix(swap, 5)).over(K)};
  REQUIRE_FALSE(neighbour_lattice(A, prime_ideals(5, K).front(), K, all_of(2), take, {}));
  REQUIRE_FALSE(is_offered);
}
