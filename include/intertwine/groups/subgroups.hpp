// Subgroups and structure of permutation groups.
#pragma once
#include <optional>
#include <vector>

#include "intertwine/groups/finite_group.hpp"

namespace intertwine {

/// G_x. The order is proved by |G| / |orbit|.
FiniteGroup stabilizer(const FiniteGroup& G, Point x, const Task& task = {});
/// The elements fixing every listed point.
FiniteGroup pointwise_stabilizer(const FiniteGroup& G, const std::vector<Point>& points, const Task& task = {});
/// The elements mapping the set to itself. For Sym(n) and Alt(n) by formula; otherwise by a backtrack search
/// over the images of the set's points, cut off where the orbits of the point stabilizers and their images
/// meet the set in different numbers of points, and proved complete by the search itself. Fast for most sets,
/// exponential in the worst case: `task` bounds it. [Leon 1991]
FiniteGroup set_stabilizer(const FiniteGroup& G, const std::vector<Point>& set, const Task& task = {});
/// The smallest normal subgroup of G containing the elements.
/// \throws DomainError if an element is not in G.
FiniteGroup normal_closure(const FiniteGroup& G, const std::vector<Permutation>& elements, const Task& task = {});
FiniteGroup derived_subgroup(const FiniteGroup& G, const Task& task = {});
/// G, G', G'', ... down to the last one, which is perfect or trivial.
std::vector<FiniteGroup> derived_series(const FiniteGroup& G, const Task& task = {});
/// The centre, without a search: on every orbit what commutes with G is determined by the image of one point,
/// and G meets the abelian group of these permutations in the pointwise stabilizer of a group of pairs.
FiniteGroup centre(const FiniteGroup& G, const Task& task = {});
/// The subgroup generated inside G. \throws DomainError if an element is not in G.
FiniteGroup subgroup(const FiniteGroup& G, std::vector<Permutation> generators, std::string name = {},
                     const Task& task = {});
/// Do these elements generate G? Where they do, random products show it at once. \throws DomainError if an element is not in G.
bool generates(const FiniteGroup& G, const std::vector<Permutation>& elements, const Task& task = {});

bool is_subgroup(const FiniteGroup& H, const FiniteGroup& G, const Task& task = {});
/// \throws DomainError unless H, on the points of G or fewer (the others are then fixed), is a subgroup of G; it names a
/// generator that is not in G.
void require_subgroup(const FiniteGroup& H, const FiniteGroup& G, const Task& task = {});
/// g with the points that it does not have fixed.
Permutation on_points(const Permutation& g, std::size_t degree);
/// H on the points of G: H itself where these are its own. \throws DomainError as require_subgroup
FiniteGroup on_points_of(const FiniteGroup& G, const FiniteGroup& H, const Task& task = {});
bool is_abelian(const FiniteGroup& G, const Task& task = {});
bool is_solvable(const FiniteGroup& G, const Task& task = {});
bool is_perfect(const FiniteGroup& G, const Task& task = {});
/// Is G simple (the trivial group is not)? Proved, and for non-abelian G the proof uses the classification of
/// finite simple groups: a perfect group is reduced to a faithful primitive action, where the O'Nan-Scott
/// theorem, Guralnick's list of simple groups with a subgroup of prime power index and the solvability of
/// outer automorphism groups decide from the degree and the order, except where the degree is a fifth power
/// and the like; there normal closures of elements are tried. \return nothing when these do not decide (no
/// simple group for which this happens is known to the authors). [Dixon & Mortimer 1996, ch. 4;
/// Guralnick 1983]
std::optional<bool> is_simple(const FiniteGroup& G, const Task& task = {});
bool is_transitive(const FiniteGroup& G);
/// The exponent where it is cheap: abelian, symmetric and alternating groups, direct products of such, groups
/// whose random elements reach a bound from degree and order, and those with order * degree <= 5,000,000,
/// which are enumerated; otherwise nothing.
std::optional<Integer> exponent(const FiniteGroup& G, const Task& task = {});

}  // namespace intertwine
