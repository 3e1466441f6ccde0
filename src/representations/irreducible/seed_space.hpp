// Vectors that a subgroup multiplies by a linear character, and the words that take one vector to a basis.
#pragma once
#include <span>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/spinning.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"
#include "phase_orbits.hpp"

namespace intertwine {

/// A basis (columns, dim V x r) of the vectors x over L with rho(h_i) x = value_i x for all i. L contains the
/// field of V
/// and the values, which are roots of unity.
/// \par Cost  O(dim V) an element if V is monomial, otherwise a kernel in dimension dim V.
FieldMatrix right_eigenvectors(const Representation& V, std::span<const Permutation> elements,
                               std::span<const Cyclotomic> values, const AbelianField& L, const Task& task);
/// A basis (rows, r x dim V) of the y with y rho(h_i) = value_i y for all i.
FieldMatrix left_eigenvectors(const Representation& V, std::span<const Permutation> elements,
                              std::span<const Cyclotomic> values, const AbelianField& L, const Task& task);

/// The vectors of right_eigenvectors (or the forms of left_eigenvectors) of a monomial V by orbits: phases are
/// powers of zeta of this order.
struct SeedOrbits {
  std::uint32_t order;
  PhaseOrbits orbits;
};
SeedOrbits seed_orbits(const Representation& V, std::span<const Permutation> elements,
                       std::span<const Cyclotomic> values, bool left);

/// Words that take the seed (d x 1) to a basis of K^d, found modulo a prime (which is a proof of independence).
/// \throws InternalError if the matrices keep a proper subspace with the seed in it.
SpinWords spin_words(std::span<const FieldMatrix> matrices, const FieldMatrix& seed, const Task& task);

}  // namespace intertwine
