// A rational module as a direct sum of cyclic modules, irreducible ones where they are found.
#pragma once
#include <vector>

#include "equivariant/module_homs.hpp"

namespace intertwine {

/// Copies of one cyclic module: V is the direct sum of all copies of all parts, by the projections.
struct ModulePart {
  CyclicModule module;
  /// dim module x dim V matrices that commute with the generators; all of them over all parts, on top of each
  /// other, make a regular matrix.
  std::vector<RationalMatrix> projections;
};

/// How hard smaller parts are looked for; nothing but time depends on it.
struct SplitOptions {
  int patience = 12;            ///< subgroups tried for each part
  int endomorphisms_tried = 6;  ///< random elements of the endomorphism ring of a part
};

/// V as a direct sum. That Hom(V, U) is the sum of the Hom(part, U) o projection needs no more than the
/// regular matrix, which is checked; the smaller the parts, the less there is to solve. Parts are split off
/// where a subgroup fixes few vectors up to sign, and split further by the zero divisors of their
/// endomorphism rings. Deterministic: the random elements are words in the generators from a fixed seed.
std::vector<ModulePart> split(const Module& V, const Task& task, const SplitOptions& options = {});

}  // namespace intertwine
