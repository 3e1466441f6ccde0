// Hom between products of a monomial representation and another: a small problem for every orbit of blocks.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "intertwine/equivariant/intertwiner_space.hpp"

namespace intertwine {

/// Solves Hom_K(N, N') for a stabilizer K.
using LocalSolver =
    std::function<std::vector<IntertwinerSpace::Element>(const Representation&, const Representation&)>;

/// Hom_G(V, U) for V = P (x) N and U = P' (x) N' with P, P' monomial, the factors in any order: for one pair
/// (x', x) of every orbit on the basis vectors of P' and P, the maps N -> N' that commute with its stabilizer up
/// to its signs, carried along the orbit (Frobenius reciprocity on both sides; Mackey's formula). That an orbit's
/// maps are all is proved by the stabilizer's order |G| / |orbit|.
///
/// Nothing if neither side has a monomial factor of dimension above 1 (or there are too many blocks), so that
/// nothing would be won. Every element commutes because its first block commutes with the stabilizer.
std::optional<std::vector<IntertwinerSpace::Element>> induced_elements(const Representation& V,
                                                                       const Representation& U,
                                                                       const LocalSolver& solve,
                                                                       const Task& task);

}  // namespace intertwine
