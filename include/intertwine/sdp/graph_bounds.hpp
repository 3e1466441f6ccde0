// Bounds of independent sets of graphs: Lovász's theta and its variants as semidefinite programs.
//
// Theta is the largest sum of the entries of a positive semidefinite X of trace 1 that is 0 on the edges [Lovász
// 1979]. The problem
// minimizes the negative of this sum, so that its optimum is -theta. Theta' asks for entries >= 0 as well [Schrijver
// 1979]; theta+
// allows entries <= 0 on the edges [Szegedy 1994].
#pragma once
#include <string_view>

#include "intertwine/groups/automorphism_group.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/sdp/semidefinite_problem.hpp"
#include "intertwine/task.hpp"

namespace intertwine::sdp {

enum class ThetaVariant { lovasz, schrijver, szegedy };
/// \throws DomainError for another name, with those that there are
ThetaVariant theta_variant(std::string_view name);

/// The permutations of the vertices that keep edges and their labels. \throws as automorphisms()
Representation vertex_symmetries(const LabelledGraph& graph, const Task& task = {});

struct ThetaProblem {
  Problem problem;
  Representation rows;  ///< the group on its rows: the vertices, and fixed rows behind them
};

/// The problem of a graph with a group of its automorphisms. One equation stands for the sum over each orbit of
/// edges: a mean over the
/// group is 0 on all of them then. Variants have a nonnegative row behind the vertices for each orbit of pairs with a
/// sign.
/// \throws DomainError for a graph with directions or without vertices, for a representation that does not permute
/// its vertices, and
///         unless the group takes edges to edges; LimitError through `task`
/// \par Cost  O(n^2) numbers for n vertices
ThetaProblem theta_problem(const LabelledGraph& graph, const Representation& vertices, ThetaVariant variant,
                           const Task& task = {});

}  // namespace intertwine::sdp
