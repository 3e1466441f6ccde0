#include "intertwine/equivariant/mackey_basis.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

FiniteGroup generated(const FiniteGroup& G, const std::vector<const char*>& cycles) {
  std::vector<Permutation> generators;
  for (const char* text : cycles) generators.push_back(parse_permutation(text, G.degree()));
  return subgroup(G, generators);
}

/// The eleven classes of subgroups of Sym(4).
std::vector<FiniteGroup> subgroups_of_s4() {
  const FiniteGroup G = symmetric_group(4);
  return {generated(G, {}),
          generated(G, {"(1,2)"}),
          generated(G, {"(1,2)(3,4)"}),
          generated(G, {"(1,2,3)"}),
          generated(G, {"(1,2,3,4)"}),
          generated(G, {"(1,2)(3,4)", "(1,3)(2,4)"}),
          generated(G, {"(1,2)", "(3,4)"}),
          generated(G, {"(1,2,3)", "(1,2)"}),
          generated(G, {"(1,2,3,4)", "(1,3)"}),
          generated(G, {"(1,2,3)", "(2,3,4)"}),
          G};
}

std::vector<Representation> irreducibles(const FiniteGroup& H) {
  std::vector<Representation> list;
  for (const IrreducibleRepresentation& R : irreducible_representations(character_table(H)))
    list.push_back(R.representation);
  return list;
}

/// kappa(h x k) = rho(h) kappa(x) sigma(k) at random elements.
bool obeys(const KernelSpace& kernels, std::uint64_t k, const Representation& rho, const Representation& sigma,
           Rng& rng) {
  const Permutation h = rho.group().random_element(rng), x = kernels.group().random_element(rng),
                    y = sigma.group().random_element(rng);
  return kernels.value(k, h * x * y) == rho.field_matrix(h) * kernels.value(k, x) * sigma.field_matrix(y);
}

/// All that is said of a basis of kernels.
void check(const FiniteGroup& G, const FiniteGroup& H, const FiniteGroup& K, const Representation& rho,
           const Representation& sigma, Rng& rng) {
  CAPTURE(G.name(), H.name(), K.name(), rho.to_string(), sigma.to_string());
  const KernelSpace kernels = mackey_basis(G, H, K, rho, sigma);
  REQUIRE(kernels.character_dimension() == kernels.dimension());
  Integer elements = 0, count = 0;
  for (const KernelBlock& block : kernels.blocks()) {
    elements += block.size;
    count += block.values.params();
    REQUIRE(block.size * block.stabilizer.order() == H.order() * K.order());
    const Permutation inverse = block.representative.inverse();
    for (const Permutation& s : block.stabilizer.generators()) {
      REQUIRE(H.contains(s));
      REQUIRE(K.contains(inverse * s * block.representative));
    }
  }
  REQUIRE(elements == G.order());
  REQUIRE(count == kernels.dimension());
  for (std::uint64_t k = 0; k < kernels.dimension(); ++k) REQUIRE(obeys(kernels, k, rho, sigma, rng));
  REQUIRE_NOTHROW(verify(kernels));
}

}  // namespace

TEST_CASE("kernels of functions on four points", "[equivariant][quick]") {
  const FiniteGroup G = symmetric_group(4), S3 = generated(G, {"(1,2,3)", "(1,2)"});
  const Representation one = trivial_representation(S3);
  const KernelSpace kernels = mackey_basis(G, S3, S3, one, one);
  REQUIRE(kernels.blocks().size() == 2);  // a point, and the three others
  REQUIRE(kernels.blocks()[0].representative.is_identity());
  REQUIRE(kernels.blocks()[0].size == 6);
  REQUIRE(kernels.blocks()[1].size == 18);
  REQUIRE(kernels.blocks()[1].stabilizer.order() == 2);
  REQUIRE(kernels.dimension() == 2);
  REQUIRE(kernels.route() == "burnside-elements");
  REQUIRE(kernels.intertwiner(0) == FieldMatrix::identity({}, 4));
  REQUIRE(kernels.intertwiner(1).trace() == Cyclotomic(0));
  REQUIRE(kernels.value(1, parse_permutation("(3,4)", 4)) == FieldMatrix::identity({}, 1));
}

TEST_CASE("without subgroups kernels are functions on the group", "[equivariant][quick]") {
  const FiniteGroup G = symmetric_group(3), one = generated(G, {});
  const Representation two = 2 * trivial_representation(one), three = 3 * trivial_representation(one);
  const KernelSpace kernels = mackey_basis(G, one, one, two, three);
  REQUIRE(kernels.dimension() == 6 * 6);
  REQUIRE(kernels.blocks().size() == 6);
  REQUIRE_NOTHROW(verify(kernels));
  // With both subgroups all of G kernels are maps from sigma to rho.
  const Representation perm = natural_permutation_representation(G);
  const KernelSpace maps = mackey_basis(G, G, G, perm, perm);
  REQUIRE(maps.blocks().size() == 1);
  REQUIRE(maps.dimension() == 2);
  REQUIRE_NOTHROW(verify(maps));
}

TEST_CASE("double cosets of Young subgroups are matrices with given sums", "[equivariant][quick]") {
  // [James & Kerber 1981, section 1.3]: the number of matrices of nonnegative integers with row sums 3, 2, 1 and column sums 2, 2, 2
  const FiniteGroup G = symmetric_group(6);
  const FiniteGroup H = generated(G, {"(1,2,3)", "(1,2)", "(4,5)"});
  const FiniteGroup K = generated(G, {"(1,2)", "(3,4)", "(5,6)"});
  const Representation rho = trivial_representation(H), sigma = trivial_representation(K);
  const KernelSpace kernels = mackey_basis(G, H, K, rho, sigma);
  std::size_t matrices = 0;  // the first row (a, b, 3-a-b) and the second (c, d, 2-c-d) leave the third one no choice
  for (int a = 0; a <= 2; ++a)
    for (int b = 0; b <= 2; ++b)
      for (int c = 0; c <= 2; ++c)
        for (int d = 0; d <= 2; ++d) {
          const int e = 3 - a - b, f = 2 - c - d;
          matrices += e >= 0 && f >= 0 && a + c <= 2 && b + d <= 2 && e + f <= 2;
        }
  REQUIRE(kernels.blocks().size() == matrices);
  REQUIRE(kernels.dimension() == matrices);
  // With the sign on one side only those survive whose stabilizers are even: matrices of zeros and ones.
  const KernelSpace odd = mackey_basis(G, H, K, sign_representation(H), sigma);
  REQUIRE(odd.dimension() == 3);
  REQUIRE(odd.blocks().size() == matrices);
  REQUIRE_NOTHROW(verify(odd));
}

TEST_CASE("kernels between induced representations of small groups", "[equivariant][quick]") {
  Rng rng = test_rng();
  const FiniteGroup A5 = alternating_group(5);
  const FiniteGroup A4 = generated(A5, {"(1,2,3)", "(2,3,4)"}), D5 = generated(A5, {"(1,2,3,4,5)", "(2,5)(3,4)"});
  for (const Representation& rho : irreducibles(A4))
    for (const Representation& sigma : irreducibles(D5)) check(A5, A4, D5, rho, sigma, rng);  // Q(E(3)) and Q(sqrt 5)
  const FiniteGroup S5 = symmetric_group(5), S4 = generated(S5, {"(1,2,3,4)", "(1,2)"});
  check(S5, S4, S4, standard_representation(S4), sign_representation(S4) + standard_representation(S4), rng);
  check(S5, S4, S5, tuple_action(S4, 2), standard_representation(S5), rng);
}

TEST_CASE("Mackey's formula and characters agree for all subgroups and irreducibles of S_4", "[equivariant]") {
  Rng rng = test_rng();
  const FiniteGroup G = symmetric_group(4);
  std::vector<std::pair<FiniteGroup, std::vector<Representation>>> known;
  std::size_t number = 0;
  for (const FiniteGroup& H : subgroups_of_s4()) {
    known.emplace_back(H, irreducibles(H));
    number += known.back().second.size();
  }
  REQUIRE(number == 37);
  for (const auto& [H, of_H] : known)
    for (const auto& [K, of_K] : known)
      for (const Representation& rho : of_H)
        for (const Representation& sigma : of_K) check(G, H, K, rho, sigma, rng);
}

TEST_CASE("kernels of larger groups", "[equivariant]") {
  // M11 is sharply 4-transitive on 11 points, so that the stabilizer of the point x has three orbits on pairs: x first, x second,
  // and without x.
  const FiniteGroup M11 = sporadic_group("M11"), M10 = stabilizer(M11, 0), M9 = pointwise_stabilizer(M11, {0, 1});
  const KernelSpace kernels = mackey_basis(M11, M10, M9, trivial_representation(M10), trivial_representation(M9));
  std::vector<Integer> sizes;
  for (const KernelBlock& block : kernels.blocks()) sizes.push_back(block.size / 72);
  std::sort(sizes.begin(), sizes.end());
  REQUIRE(sizes == std::vector<Integer>{10, 10, 90});
  REQUIRE(kernels.dimension() == 3);
  REQUIRE_NOTHROW(verify(kernels));
}

TEST_CASE("a law that does not hold is found", "[equivariant][quick]") {
  Rng rng = test_rng();
  const FiniteGroup G = symmetric_group(4), S3 = generated(G, {"(1,2,3)", "(1,2)"});
  const Representation one = trivial_representation(S3), sign = sign_representation(S3);
  const KernelSpace kernels = mackey_basis(G, S3, S3, one, one);
  bool all = true;
  for (int trial = 0; trial < 40; ++trial)
    all = all && obeys(kernels, 0, sign, one, rng) && obeys(kernels, 1, sign, one, rng);
  REQUIRE_FALSE(all);
}

TEST_CASE("kernels that were given are proved or refused", "[equivariant][quick]") {
  const FiniteGroup G = symmetric_group(4), S3 = generated(G, {"(1,2,3)", "(1,2)"}), C4 = generated(G, {"(1,2,3,4)"});
  const Representation rho = standard_representation(S3), sigma = natural_permutation_representation(C4);
  const KernelSpace good = mackey_basis(G, S3, C4, rho, sigma);
  REQUIRE(good.dimension() == 12);
  const auto given = [&](std::vector<KernelBlock> blocks) {
    const KernelSpace kernels = given_kernels(G, rho, sigma, std::move(blocks));
    verify(kernels);
    return kernels;
  };
  const KernelSpace again = given(good.blocks());
  REQUIRE(again.character_dimension() == 12);
  REQUIRE(again.intertwiner(5) == good.intertwiner(5));
  const auto changed = [&](const std::function<void(std::vector<KernelBlock>&)>& change) {
    std::vector<KernelBlock> blocks = mackey_basis(G, S3, S3, rho, rho).blocks();
    change(blocks);
    verify(given_kernels(G, rho, rho, std::move(blocks)));
  };
  const auto values = [](const KernelBlock& block, std::vector<IntertwinerSpace::Element> elements) {
    return IntertwinerSpace(block.values.rows(), block.values.cols(), std::move(elements));
  };
  REQUIRE_NOTHROW(changed([](auto&) {}));
  REQUIRE_THROWS_WITH(changed([](auto& b) { b.pop_back(); }), Catch::Contains("2 double cosets"));
  REQUIRE_THROWS_WITH(changed([](auto& b) { b[1].representative = b[0].representative; }),
                      Catch::Contains("double coset 2 is that of"));
  REQUIRE_THROWS_WITH(changed([](auto& b) { b[1].size = 12; }), Catch::Contains("18 elements, not 12"));
  REQUIRE_THROWS_WITH(changed([&](auto& b) { b[1].stabilizer = S3; }), Catch::Contains("does not lie in"));
  REQUIRE_THROWS_WITH(changed([&](auto& b) { b[1].stabilizer = generated(G, {}); }),
                      Catch::Contains("has 2 elements, and 1 are generated"));
  REQUIRE_THROWS_AS(changed([&](auto& b) {
                      auto elements = b[1].values.elements();
                      elements.pop_back();
                      b[1].values = values(b[1], elements);
                    }),
                    VerificationError);
  REQUIRE_THROWS_AS(changed([&](auto& b) {
                      auto elements = b[1].values.elements();
                      elements[1] = elements[0];
                      b[1].values = values(b[1], elements);
                    }),
                    VerificationError);
  REQUIRE_THROWS_AS(changed([&](auto& b) {
                      auto elements = b[0].values.elements();
                      elements[0].value.set(0, 0, elements[0].value(0, 0) + 1);
                      b[0].values = values(b[0], elements);
                    }),
                    VerificationError);
  REQUIRE_THROWS_AS(given_kernels(G, rho, sigma, mackey_basis(G, S3, S3, rho, rho).blocks()), Error);
}

TEST_CASE("what are no subgroups and no representations of them is refused", "[equivariant][quick]") {
  const FiniteGroup G = alternating_group(4), odd = generated(symmetric_group(4), {"(1,2)"});
  const FiniteGroup V4 = generated(G, {"(1,2)(3,4)", "(1,3)(2,4)"}), S3 = symmetric_group(3);
  const Representation one = trivial_representation(V4);
  REQUIRE_THROWS_WITH(mackey_basis(G, odd, V4, trivial_representation(odd), one),
                      Catch::Contains("H = <(1,2)> is no subgroup of G = A4: its generator (1,2)"));
  REQUIRE_THROWS_WITH(mackey_basis(G, V4, odd, one, trivial_representation(odd)), Catch::Contains("K = "));
  REQUIRE_THROWS_WITH(mackey_basis(G, S3, V4, trivial_representation(S3), one), Catch::Contains("on the points of G"));
  REQUIRE_THROWS_WITH(mackey_basis(G, V4, G, one, one), Catch::Contains("sigma = trivial is a representation of"));
  REQUIRE_THROWS_WITH(mackey_basis(G, G, V4, one, one), Catch::Contains("not of H = A4"));
  const KernelSpace kernels = mackey_basis(G, V4, V4, one, one);
  REQUIRE(kernels.dimension() == 3);
  REQUIRE_THROWS_AS(kernels.value(3, Permutation::identity(4)), DomainError);
  REQUIRE_THROWS_AS(kernels.intertwiner(3), DomainError);
  REQUIRE_THROWS_AS(kernels.value(0, parse_permutation("(1,2)", 4)), DomainError);
  const FiniteGroup S8 = symmetric_group(8), trivial = generated(S8, {});
  const Representation small = trivial_representation(trivial);
  const Task little(1'000'000, 0, {});  // for the 40320 cosets
  REQUIRE_THROWS_AS(mackey_basis(S8, trivial, trivial, small, small, little), LimitError);
}
