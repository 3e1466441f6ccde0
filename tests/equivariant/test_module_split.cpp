// Splitting rational modules and their homomorphisms, on permutation modules hidden by a change of basis.
#include <catch2/catch.hpp>

#include "equivariant/module_split.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "support/change_of_basis.hpp"
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

std::size_t number_of_homs(const ModuleAction& V, const ModuleAction& dual_of_V, const ModuleAction& U,
                           const SplitOptions& options = {}) {
  std::size_t count = 0, total = 0;
  for (const ModulePart& part : split(V, dual_of_V, {}, options)) {
    count += part.projections.size() * homomorphisms(part.module, U, {}).size();
    total += part.projections.size() * part.module.dimension();
    for (const RationalMatrix& a : part.projections)
      for (std::size_t k = 0; k < V.generators().size(); ++k)
        REQUIRE(part.module.matrices[k] * a == a * V.matrix(V.generators()[k]));
  }
  REQUIRE(total == V.dimension());
  return count;
}

}  // namespace

TEST_CASE("hidden permutation modules have as many endomorphisms as orbitals", "[equivariant][quick]") {
  Rng rng = test_rng();
  const auto check = [&](const FiniteGroup& G, std::size_t expected) {
    const RationalMatrix T = test_basis::random_unimodular(G.degree(), rng);
    const HiddenAction V(G, T), dual_of_V(G, T, true);
    CAPTURE(G.name());
    REQUIRE(number_of_homs(V, dual_of_V, V) == expected);
    // Without a search the parts are what single vectors generate, reducible in general; the answer is the same.
    REQUIRE(number_of_homs(V, dual_of_V, V, {0, 0}) == expected);
  };
  check(symmetric_group(5), 2);
  check(pixel_group("D4", 4, 4), 36);
  check(cyclic_group(7), 7);  // Q + Q(zeta_7): a field of degree 6
  check(cyclic_group(12), 12);
  check(pixel_group("D4", 6, 6), 171);
}
