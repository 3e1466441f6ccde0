// The elements of a product of classical and finite groups, up to what polynomials see of them: a torus for every choice of components and
// conjugacy classes.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "continuous_character.hpp"
#include "intertwine/classical/continuous_representation.hpp"

namespace intertwine::laurent {

/// The elements t g, t in a torus and g of finite order. Weights of SL(n) and SU(n) are those of n - 1 coordinates.
struct Coset {
  Integer elements = 1;  ///< in the finite factors: those of the classes
  /// Coordinates of weights: of the torus and, where the finite factors' part of g is not rational on V, its exponent as a power of a root of unity
  std::size_t rank = 0;
  /// The eigenvalues of t g on V are zeta t^weight: for (order of zeta, weight) how often all primitive roots of this order occur.
  std::map<std::pair<std::uint64_t, Weight>, std::uint64_t> roots;
  /// With sum h_w t^w a character on t g, sum h_w target(w) is its part in Weyl's formula for <h, W>.
  std::function<Integer(const Weight&)> target;
  /// The weights where this is not 0, and what it is; of Weyl groups of at most largest_weyl_group elements, and rational g.
  std::optional<Laurent> targets;
};
inline constexpr std::uint64_t largest_weyl_group = 2000;

/// The cosets of the group, one after the other; <h, W> is the sum of elements * (sum h_w target_w) over all of them, divided by what is returned.
/// \throws LimitError for classes of finite factors that cannot be listed, or memory
Integer for_each_coset(const ContinuousRepresentation& V, const ContinuousRepresentation& W, const Task& task,
                       const std::function<void(const Coset&)>& f);

}  // namespace intertwine::laurent
