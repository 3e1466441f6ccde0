// Steerable kernels: convolutions with them commute with rotations and reflections, exactly on integers.
#include <array>
#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/numeric/layer.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/kernel_sites.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "numeric/patterns.hpp"

using namespace intertwine;
using namespace test_patterns;

namespace {

using Sizes = std::vector<std::uint64_t>;

PreparedPattern weights_of(const Representation& V, const Representation& U) {
  return PreparedPattern(hom::equivariant_basis(V, U).single().table().block().weights);
}

using Place = std::array<std::int64_t, 3>;

/// The points of a periodic grid of `side` points along each of `axes` axes.
struct Grid {
  std::uint64_t side;
  std::size_t axes;
  std::uint64_t points() const {
    std::uint64_t out = 1;
    for (std::size_t t = 0; t < axes; ++t) out *= side;
    return out;
  }
  Place at(std::uint64_t p) const {
    Place out{};
    for (std::size_t t = axes; t-- > 0; p /= side) out[t] = static_cast<std::int64_t>(p % side);
    return out;
  }
  std::uint64_t number(const Place& at) const {
    std::uint64_t out = 0;
    const auto n = static_cast<std::int64_t>(side);
    for (std::size_t t = 0; t < axes; ++t) out = out * side + static_cast<std::uint64_t>((at[t] % n + n) % n);
    return out;
  }
};

/// y(p) = sum_o K(o) x(p + o) for K [out, in, sites]; fields are [channels, points]. Sizes are odd.
std::vector<double> convolve(const Grid& grid, const Sizes& sizes, const std::vector<double>& K, std::uint64_t out,
                             std::uint64_t in, const std::vector<double>& x) {
  const std::uint64_t n = grid.points(), sites = K.size() / (out * in);
  std::vector<double> y(out * n, 0.0);
  for (std::uint64_t p = 0; p < n; ++p)
    for (std::uint64_t o = 0; o < sites; ++o) {
      Place from = grid.at(p);
      for (std::size_t t = sizes.size(), left = o; t-- > 0; left /= sizes[t])
        from[t] += static_cast<std::int64_t>(left % sizes[t]) - static_cast<std::int64_t>(sizes[t] / 2);
      const std::uint64_t q = grid.number(from);
      for (std::uint64_t a = 0; a < out; ++a)
        for (std::uint64_t b = 0; b < in; ++b) y[a * n + p] += K[(a * in + b) * sites + o] * x[b * n + q];
    }
  return y;
}

/// (g x)(p) = rho(g) x(A^{-1} p), A how g acts on the axes; channels are copies of rho.
std::vector<double> moved(const Grid& grid, const RationalMatrix& A, const RationalMatrix& rho,
                          const std::vector<double>& x) {
  const std::uint64_t n = grid.points(), d = rho.rows();
  std::vector<double> out(x.size(), 0.0);
  for (std::uint64_t p = 0; p < n; ++p) {
    const auto at = grid.at(p);
    Place to{};
    for (std::size_t s = 0; s < grid.axes; ++s)
      for (std::size_t t = 0; t < grid.axes; ++t) to[s] += A(s, t).convert_to<std::int64_t>() * at[t];
    const std::uint64_t q = grid.number(to);
    for (std::uint64_t copy = 0; copy < x.size() / (n * d); ++copy)
      for (std::uint64_t i = 0; i < d; ++i)
        for (std::uint64_t j = 0; j < d; ++j)
          out[(copy * d + i) * n + q] += rho(i, j).convert_to<double>() * x[(copy * d + j) * n + p];
  }
  return out;
}

void commutes(const FiniteGroup& G, const Sizes& sizes, const Representation& V, const Representation& U,
              Multiplicity channels, std::size_t expected_params) {
  auto rng = test_rng();
  const Representation axes = kernel_axes(G, sizes.size());
  const PreparedPattern weights = weights_of(V * kernel_sites(G, sizes), U);
  REQUIRE(weights.params() == expected_params);
  const Grid grid{sizes.size() == 3 ? 4U : 6U, sizes.size()};
  const std::uint64_t in = channels.in * V.dimension(), out = channels.out * U.dimension();
  std::vector<double> K(out * in * weights.cols() / V.dimension());
  materialise<double>(weights, channels, random_integers<double>(weights.params() * channels.out * channels.in, rng),
                      K);
  const auto x = random_integers<double>(in * grid.points(), rng);
  bool trivial = true;
  for (const Permutation& g : G.generators()) {
    const RationalMatrix A = axes.matrix(g), left = U.matrix(g), right = V.matrix(g);
    const auto y = convolve(grid, sizes, K, out, in, x);
    REQUIRE(moved(grid, A, left, y) == convolve(grid, sizes, K, out, in, moved(grid, A, right, x)));
    trivial = trivial && moved(grid, A, right, x) == x;
  }
  REQUIRE_FALSE(trivial);  // a control: the group does move the data
  if (weights.params() == 0) return;
  K[0] += 1;  // and a kernel that is off at one corner does not commute
  bool same = true;
  for (const Permutation& g : G.generators())
    same = same && moved(grid, axes.matrix(g), U.matrix(g), convolve(grid, sizes, K, out, in, x)) ==
                       convolve(grid, sizes, K, out, in, moved(grid, axes.matrix(g), V.matrix(g), x));
  REQUIRE_FALSE(same);
}

}  // namespace

TEST_CASE("convolutions with steerable kernels commute with the point group", "[numeric][quick]") {
  const FiniteGroup C4 = cyclic_group(4), D4 = dihedral_group(4), O = point_group("O");
  const auto trivial = [](const FiniteGroup& G) { return trivial_representation(G); };
  // Scalars: one parameter an orbit of sites: centre, edges, corners.
  commutes(C4, {3, 3}, trivial(C4), trivial(C4), {1, 1}, 3);
  commutes(D4, {3, 3}, trivial(D4), trivial(D4), {2, 3}, 3);
  commutes(D4, {5, 5}, trivial(D4), trivial(D4), {1, 1}, 6);
  // Regular fields: |G| times the orbits of G on nothing fixed: dim = |G| |sites|.
  commutes(C4, {3, 3}, regular_representation(C4), regular_representation(C4), {1, 2}, 36);
  commutes(D4, {3, 3}, regular_representation(D4), trivial(D4), {1, 1}, 9);
  // Vector fields to scalars, a divergence: one parameter for the edges, one for the corners; under C4 also the curl.
  commutes(D4, {3, 3}, kernel_axes(D4, 2), trivial(D4), {1, 1}, 2);
  commutes(C4, {3, 3}, kernel_axes(C4, 2), trivial(C4), {2, 1}, 4);
  commutes(D4, {3, 3}, natural_permutation_representation(D4), standard_representation(D4), {1, 1}, 15);
  commutes(O, {3, 3, 3}, trivial(O), trivial(O), {1, 1}, 4);
  commutes(O, {3, 3, 3}, trivial(O), coordinate_representation(O), {1, 2}, 3);
  commutes(dihedral_group(1), {3, 5}, trivial(dihedral_group(1)), sign_representation(dihedral_group(1)), {1, 1}, 6);
}

TEST_CASE("kernels of a line, of even size, with given axes", "[numeric][quick]") {
  const FiniteGroup C2 = cyclic_group(2), B2 = hyperoctahedral_group(2);
  REQUIRE(kernel_sites(C2, Sizes{4}).image(C2.generators()[0]) == SignedPermutation(Permutation({3, 2, 1, 0})));
  REQUIRE(weights_of(kernel_sites(C2, Sizes{4}), trivial_representation(C2)).params() == 2);
  REQUIRE(kernel_sites(B2, Sizes{3, 3}).to_string() == "kernel(3,3)");
  REQUIRE(weights_of(kernel_sites(B2, Sizes{3, 3}), trivial_representation(B2)).params() == 3);
  const FiniteGroup S2 = symmetric_group(2);
  const auto swap = kernel_sites(natural_permutation_representation(S2), Sizes{3, 3});
  REQUIRE(swap.to_string() == "kernel(3,3, perm)");
  REQUIRE(weights_of(swap, trivial_representation(S2)).params() == 6);
}

TEST_CASE("one size is that of every axis of a group", "[numeric][quick]") {
  REQUIRE(kernel_extents(dihedral_group(4), {5}) == Sizes{5, 5});
  REQUIRE(kernel_extents(cyclic_group(4), {3}) == Sizes{3, 3});
  REQUIRE(kernel_extents(cyclic_group(2), {4}) == Sizes{4});  // it turns a line round
  REQUIRE(kernel_extents(point_group("Oh"), {3}) == Sizes{3, 3, 3});
  REQUIRE(kernel_extents(dihedral_group(4), {3, 5}) == Sizes{3, 5});
}

TEST_CASE("kernels that make no sense are refused", "[numeric][quick]") {
  const FiniteGroup C4 = cyclic_group(4), C3 = cyclic_group(3);
  REQUIRE_THROWS_WITH(kernel_sites(C4, Sizes{3, 5}), Catch::Contains("exchanges axes of the sizes"));
  REQUIRE_THROWS_WITH(kernel_sites(C4, Sizes{3, 0}), Catch::Contains("at least one"));
  REQUIRE_THROWS_AS(kernel_sites(C4, Sizes{3, 3, 3}), DomainError);
  REQUIRE_THROWS_AS(kernel_sites(C3, Sizes{3, 3}), DomainError);
  REQUIRE_THROWS_WITH(kernel_sites(cyclic_group(1), Sizes{3, 3}), Catch::Contains("trivial"));
  REQUIRE_THROWS_WITH(kernel_sites(dihedral_group(3), Sizes{3, 3}), Catch::Contains("off the grid"));
  REQUIRE_THROWS_AS(kernel_sites(C4, Sizes{1U << 20, 1U << 20}), LimitError);
}
