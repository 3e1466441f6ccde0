// Raman tensors: the change of the polarizability by a normal mode, for every species of a point group, exactly.
// [Loudon 1964]
#pragma once
#include <string>
#include <vector>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/physics/component_form.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The Raman tensors of one species, one for each partner of a degenerate mode.
struct RamanSpecies {
  std::string name;                   ///< Mulliken's: "A1g", "E"
  std::vector<std::string> partners;  ///< the functions that partners transform as: "x", "xz", "x^2-y^2"; empty for one
  /// The symmetric 3 x 3 tensors of the partners one below the other. The free components are called a, b, c, ..., no
  /// two of a group alike.
  ComponentForm form;
};

/// The species of a point group that are Raman active, in the order of its table. Axes are those of its species' names:
/// the main axis is z. Partners are x, y and z where these belong to the species, else products of them, of equal
/// lengths.
/// \par Method  T_k with sum_l D_lk(g) T_l = R(g) T_k R(g)^T for the generators: the kernel of linear equations.
/// \throws DomainError unless G is a point group
std::vector<RamanSpecies> raman_tensors(const FiniteGroup& G, const Task& task = {});

/// The Raman tensors of a point group, and its names.
struct RamanReport {
  std::vector<RamanSpecies> species;
  std::string group;            ///< "D4h"
  std::string hermann_mauguin;  ///< "4/mmm"
};

}  // namespace intertwine
