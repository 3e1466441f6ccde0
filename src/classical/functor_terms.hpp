// S_shape of sums and of products of modules by natural maps: Cauchy's formulas, Kronecker and Littlewood-Richardson coefficients, with matrices.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "continuous_node.hpp"
#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A part S_left(L) (x) S_right(R) of S_shape(L + R) or S_shape(L (x) R), its basis i dim S_right(R) + j: the image of each basis vector, and its coordinates
/// as covectors. Bases are those of FunctorWords; of L + R that of L comes first, e_i (x) f_j is i dim R + j.
struct FunctorSplit {
  using Vector = ContinuousTerm::Vector;
  Partition left, right;
  std::vector<Vector> inclusion, projection;
};
enum class FunctorArgument { sum, product };
/// S_shape(L + R) or S_shape(L (x) R) as the direct sum of such parts, equivariant for GL(L) x GL(R). \throws LimitError through `task` and where a weight space has more than
/// 1500 dimensions
/// \par Method  [T] (x) [T'] lies in L^(x)k and R^(x)k; joined by a permutation of places, and read as an element of S_shape. As many permutations as the multiplicity
///              is are taken, the first ones for which the images of the highest weight vectors are independent; coordinates are inverses, weight by weight.
std::vector<FunctorSplit> split_functor(const Partition& shape, std::uint64_t left, std::uint64_t right,
                                        FunctorArgument argument, const Task& task);

/// S_shape(V) as a direct sum of external tensor products, V being the sum of `terms` and of this dimension.
std::vector<ContinuousTerm> functor_terms(const Partition& shape, const std::vector<ContinuousTerm>& terms,
                                          std::uint64_t dimension, const Task& task);

}  // namespace intertwine
