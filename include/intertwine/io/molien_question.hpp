// Numbers of invariant and equivariant polynomials, asked in words.
#pragma once
#include <cstddef>
#include <string>

#include "intertwine/representations/decomposition.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// An empty text is one that is not given.
struct MolienQuestion {
  std::string group;
  std::string rep;          ///< empty: the one that the group is given by
  std::string out;          ///< the polynomial maps to this representation; empty: invariants
  std::string irrep;        ///< a number from 1 or a name of a row of a finite group's table, in place of `out`
  std::size_t degree = 12;  ///< the last one
};

/// \throws DomainError if `out` and `irrep` are given, and for an irrep of a group that is not finite; what the readers
/// and molien_series throw
MolienReport answer_molien(const MolienQuestion& question, const Task& task = {});

}  // namespace intertwine
