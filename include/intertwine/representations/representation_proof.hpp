// The claims on irreducible representations that a stranger has to prove (docs/formats.md, "Proofs of character
// tables").
#pragma once
#include <cstdint>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/groups/order_proof.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Irreducible representations over the complex numbers as a stranger states them, with the proof of the order of their group.
struct MatricesClaim {
  struct Entry {
    std::uint64_t irrep;  ///< the number that messages give it
    std::size_t degree;
    std::vector<FieldMatrix> matrices;  ///< the matrices of the generators of the group
    int indicator;
  };
  GroupClaim group;
  std::vector<Entry> entries;
};

/// Proves from the matrices and the proof alone, without a table: the order and the classes of the group; that the matrices multiply as the elements do along the
/// chain of stabilizers; that their characters have norm 1, so that they are irreducible; no two characters are equal.
/// \throws VerificationError for the first claim that fails; LimitError by the task's limits.
/// \par Cost  for every strong generator and point of its orbit a product of matrices a level, and one a class and level.
void verify(const MatricesClaim& claim, const Task& task = {});

/// Representations with the proof of the order of their group, beside which the matrices prove themselves
/// (docs/formats.md).
struct ProvedForms {
  IrreducibleForms forms;
  OrderProof order;
};

}  // namespace intertwine
