// Splitting rational modules and their homomorphisms, on permutation modules hidden by a change of basis.
#include <catch2/catch.hpp>

#include "equivariant/module_split.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "support/change_of_basis.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

std::size_t number_of_homs(const Representation& representation, const SplitOptions& options = {}) {
  const Module V(representation);
  std::size_t count = 0, total = 0;
  for (const ModulePart& part : split(V, {}, options)) {
    count += part.projections.size() * homomorphisms(part.module, V, {}).size();
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
    const Representation P = natural_permutation_representation(G);
    const Representation V = matrix_representation(
        G, test_basis::conjugated(P.generator_matrices(), test_basis::random_unimodular(G.degree(), rng)));
    CAPTURE(G.name());
    REQUIRE(number_of_homs(V) == expected);
    // Without a search the parts are what single vectors generate, reducible in general; the answer is the same.
    REQUIRE(number_of_homs(V, {0, 0}) == expected);
  };
  check(symmetric_group(5), 2);
  check(pixel_group("D4", 4, 4), 36);
  check(cyclic_group(7), 7);  // Q + Q(zeta_7): a field of degree 6
  check(cyclic_group(12), 12);
  check(pixel_group("D4", 6, 6), 171);
}
