// Subgroups and structure of permutation groups.
#pragma once
#include <optional>
#include <vector>

#include "intertwine/groups/finite_group.hpp"

namespace intertwine {

/// G_x. The order is proved by |G| / |orbit|.
FiniteGroup stabilizer(const FiniteGroup& G, Point x, const Task& task = {});
/// The elements fixing every listed point.
FiniteGroup pointwise_stabilizer(const FiniteGroup& G, const std::vector<Point>& points,
                                 const Task& task = {});
/// The elements mapping the set to itself, by the orbit of the set. \throws LimitError through `task` when
/// the orbit is too long.
FiniteGroup set_stabilizer(const FiniteGroup& G, const std::vector<Point>& set, const Task& task = {});
/// The smallest normal subgroup of G containing the elements.
FiniteGroup normal_closure(const FiniteGroup& G, const std::vector<Permutation>& elements,
                           const Task& task = {});
FiniteGroup derived_subgroup(const FiniteGroup& G, const Task& task = {});
/// G, G', G'', ... down to the last one, which is perfect or trivial.
std::vector<FiniteGroup> derived_series(const FiniteGroup& G, const Task& task = {});
FiniteGroup centre(const FiniteGroup& G, const Task& task = {});
/// The subgroup generated inside G. \throws DomainError if an element is not in G.
FiniteGroup subgroup(const FiniteGroup& G, std::vector<Permutation> generators, std::string name = {});

bool is_subgroup(const FiniteGroup& H, const FiniteGroup& G);
bool is_abelian(const FiniteGroup& G);
bool is_solvable(const FiniteGroup& G, const Task& task = {});
bool is_perfect(const FiniteGroup& G, const Task& task = {});
bool is_simple(const FiniteGroup& G, const Task& task = {});
bool is_transitive(const FiniteGroup& G);
/// The exponent where it is cheap (abelian, symmetric, alternating, direct products, small orders); otherwise
/// nothing.
std::optional<Integer> exponent(const FiniteGroup& G, const Task& task = {});

}  // namespace intertwine
