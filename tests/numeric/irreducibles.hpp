// Changes of basis from irreducible matrices, as numbers: the Fourier transform of the regular representation.
#pragma once
#include <cmath>
#include <numbers>
#include <vector>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/numeric/isotypic.hpp"
#include "intertwine/representations/matrix_representations.hpp"

namespace test_irreducibles {

using namespace intertwine;

struct Change {
  std::vector<IsotypicBlock> blocks;
  std::vector<double> matrix;  ///< square, row-major
};

/// rho(h) e_g = e_hg. For an irreducible rho the functions f_ij(g) = rho(g^{-1})_ij satisfy
/// sum_g x_g rho(g)_ij: x -> the matrix X = sum_g x_g rho(g), and (hx) -> rho(h) X. So column j of X is a copy of the
/// representation: coordinate (i, j) of the transform is sum_g rho(g)_ij x_g, the copy being j.
template <class Matrices>
void add_irreducible(Change& change, std::uint64_t n, std::uint64_t ring, std::uint64_t degree, std::uint64_t copies,
                     const Matrices& entry) {
  change.blocks.push_back({ring, degree, copies, copies});
  for (std::uint64_t copy = 0; copy < copies; ++copy)
    for (std::uint64_t i = 0; i < degree; ++i)
      for (std::uint64_t g = 0; g < n; ++g) change.matrix.push_back(entry(g, i, copy));
}

/// The regular representation of S_n (basis vector i is the element of rank i), by the natural matrices of the Specht modules.
inline Change regular_symmetric_group(const FiniteGroup& G, unsigned n) {
  Change change;
  const auto order = static_cast<std::uint64_t>(G.order());
  for (const Partition& shape : partitions(static_cast<int>(n))) {
    const Representation module = specht_module(G, shape);
    const auto d = module.dimension();
    std::vector<double> entries;
    for (std::uint64_t g = 0; g < order; ++g) {
      const RationalMatrix matrix = module.matrix(G.chain().unrank(g));
      for (std::uint64_t i = 0; i < d; ++i)
        for (std::uint64_t j = 0; j < d; ++j) entries.push_back(matrix(i, j).convert_to<double>());
    }
    const double scale = std::sqrt(static_cast<double>(d) / static_cast<double>(order));
    add_irreducible(change, order, 1, d, d,
                    [&](auto g, auto i, auto j) { return scale * entries[(g * d + i) * d + j]; });
  }
  return change;
}

/// Functions on Z/n: translation by h multiplies the complex coordinate sum_g x_g exp(2 pi i f g / n) by a phase.
inline Change regular_cyclic_group(std::uint64_t n) {
  Change change;
  for (std::uint64_t f = 0; 2 * f <= n; ++f) {
    const bool real = f == 0 || 2 * f == n;
    add_irreducible(change, n, real ? 1 : 2, real ? 1 : 2, 1, [&](auto g, auto i, auto) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(f * g % n) / static_cast<double>(n);
      return (i == 0 ? std::cos(angle) : std::sin(angle)) / std::sqrt(static_cast<double>(n));
    });
  }
  return change;
}

}  // namespace test_irreducibles
