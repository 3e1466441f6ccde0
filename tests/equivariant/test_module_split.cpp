// Splitting rational modules and their homomorphisms, on permutation modules hidden by a change of basis.
#include <catch2/catch.hpp>

#include "equivariant/module_split.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// T^{-1} P(g) T for the permutation matrices P(g) of a homomorphism into permutations.
class HiddenAction final : public ModuleAction {
 public:
  HiddenAction(const FiniteGroup& G, RationalMatrix T, bool dualize = false)
      : ModuleAction(T.cols(), G.generators()), T_(std::move(T)), inverse_(inverse(T_)), dual_(dualize) {}
  RationalMatrix apply(const Permutation& g, const RationalMatrix& X) const override {
    if (!dual_) return inverse_ * permute(g, T_ * X);
    return T_.transpose() * permute(g, inverse_.transpose() * X);
  }

 private:
  static RationalMatrix permute(const Permutation& g, const RationalMatrix& X) {
    std::vector<std::size_t> from(g.degree());
    for (Point i = 0; i < g.degree(); ++i) from[g(i)] = i;
    return X.select_rows(from);
  }
  RationalMatrix T_, inverse_;
  bool dual_;
};

/// A product of random row operations: determinant 1, small entries.
RationalMatrix random_unimodular(std::size_t n, Rng& rng) {
  IntegerMatrix T = IntegerMatrix::identity(n);
  for (std::size_t step = 0; step < 3 * n; ++step) {
    const std::size_t i = rng.below(n), j = rng.below(n);
    if (i == j) continue;
    const long c = rng.below(2) == 0 ? 1 : -1;
    for (std::size_t k = 0; k < n; ++k) T.set(i, k, T(i, k) + c * T(j, k));
  }
  return T;
}

std::size_t number_of_homs(const ModuleAction& V, const ModuleAction& dual_of_V, const ModuleAction& U,
                           std::vector<std::size_t>* dimensions = nullptr) {
  std::size_t count = 0, total = 0;
  for (const ModulePart& part : split(V, dual_of_V, {})) {
    count += part.projections.size() * homomorphisms(part.module, U, {}).size();
    total += part.projections.size() * part.module.dimension();
    if (dimensions != nullptr)
      dimensions->insert(dimensions->end(), part.projections.size(), part.module.dimension());
    for (const RationalMatrix& a : part.projections)
      for (std::size_t k = 0; k < V.generators().size(); ++k)
        REQUIRE(part.module.matrices[k] * a == a * V.matrix(V.generators()[k]));
  }
  REQUIRE(total == V.dimension());
  return count;
}

/// D4 on the pixels of an n x n grid.
FiniteGroup dihedral_on_pixels(Point n) {
  std::vector<Point> turn(n * n), flip(n * n);
  for (Point i = 0; i < n; ++i)
    for (Point j = 0; j < n; ++j) {
      turn[i * n + j] = j * n + (n - 1 - i);
      flip[i * n + j] = i * n + (n - 1 - j);
    }
  return {n * n, {Permutation(turn), Permutation(flip)}};
}

}  // namespace

TEST_CASE("hidden permutation modules have as many endomorphisms as orbitals", "[equivariant][quick]") {
  Rng rng = test_rng();
  const auto check = [&](const FiniteGroup& G, std::size_t expected) {
    const RationalMatrix T = random_unimodular(G.degree(), rng);
    const HiddenAction V(G, T), dual_of_V(G, T, true);
    CAPTURE(G.name());
    REQUIRE(number_of_homs(V, dual_of_V, V) == expected);
  };
  check(symmetric_group(5), 2);
  check(dihedral_on_pixels(4), 36);
  check(cyclic_group(7), 7);  // Q + Q(zeta_7): a field of degree 6
  check(cyclic_group(12), 12);
  check(dihedral_on_pixels(6), 171);
}
