// Descent in symmetry: the species of a point group as those of a subgroup, the correlation tables of chemists.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/physics/point_group_table.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A way in which H lies in G: operations are of the same kind in both, turns by the same angle with or without a reflection.
struct CorrelationSetting {
  std::vector<std::size_t> fusion;  ///< for every column of `to` the column of `from` that its class becomes
  /// [row of `from`][row of `to`]: how often the species of H occurs in that of G.
  std::vector<std::vector<std::uint64_t>> multiplicities;
};

struct CorrelationTable {
  PointGroupTable from, to;
  std::vector<CorrelationSetting> settings;  ///< that of the matrices of both in their frames first, if there is one
};

/// An embedding of double groups keeps the traces of the lifts to SU(2) too, and species of spinors descend as well:
/// E5/2g of double(Oh) becomes E3/2g of double(D4h).
///
/// How the species of G become those of H, in every way in which G has H as a subgroup: subgroups whose operations are of the same classes
/// of G count once. One such subgroup may name its species in several ways (B1 and B2 of C2v are named by the choice of
/// the axis x): the way is taken in which H's matrices are G's (cartesian_representation), else the first in the order
/// of the columns of `from`.
///
/// \par Method  Homomorphisms H -> G that keep determinant and trace of every operation, by the images of generators; characters of G on
///              the classes of H, decomposed exactly. \par Example  Oh, Td: T1u -> T2, T2u -> T1. C2v lies in D4h in five ways.
/// \par Cost    The elements of G of the kinds of H's generators, in all combinations, times |H|.
/// \throws DomainError unless both are named point groups or both double groups, or if H is no subgroup of G;
/// LimitError through `task`
CorrelationTable correlation_table(const FiniteGroup& G, const FiniteGroup& H, const Task& task = {});

/// A correlation table, or of it what one representation of the larger group becomes.
struct CorrelationReport {
  CorrelationTable table;
  /// The representation as it was asked for, and how often every species of the larger group is in it.
  std::optional<std::pair<std::string, std::vector<std::uint64_t>>> rep = {};
};

}  // namespace intertwine
