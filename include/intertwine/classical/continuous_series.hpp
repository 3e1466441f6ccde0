// How many equivariant polynomial maps there are, in every degree: Molien's and Weyl's formula for products of classical and finite groups.
#pragma once
#include <cstddef>
#include <vector>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// dim Hom(Sym^d V, W) for d = 0, ..., count - 1: the homogeneous polynomial maps F: V -> W of degree d with F(g x) = g F(x). By characters alone, which
/// know nothing of polynomials; also for products of groups.
///
/// \par Method  For every choice of components and conjugacy classes the weights of Sym^d V, as the coefficients of prod 1 / (1 - t zeta x^w)
///              over the eigenvalues zeta x^w of V, in machine words where a bound on all of them allows it; of them what Weyl's
///              formula takes for W.
/// \par Cost    For every choice (dim V) * (count) * (weights of Sym^d V).
/// \throws DomainError if the groups differ; LimitError above 100,000 coefficients, for classes that cannot be listed, weights beyond 62 bits, or through `task`
/// \par Example SO(3), V = harmonic(2), W trivial: 1 0 1 1 1 1 2, the polynomials in traces of squares and cubes
std::vector<Integer> polynomial_dimensions(const ContinuousRepresentation& V, const ContinuousRepresentation& W,
                                           std::size_t count, const Task& task = {});

/// The dimensions as a series, with its closed form where the group's torus and V are small: all poles are roots of
/// unity of orders that the rays of the cones sum n_i w_i = 0, n_i >= 0, have, and beyond a degree that is known the
/// coefficients are quasi-polynomial, so that finitely many of them prove it. None where an element of the finite
/// factors has eigenvalues on V that are not rational together. \par Source [Sturmfels 1995]
MolienSeries molien_series(const ContinuousRepresentation& V, const ContinuousRepresentation& W, std::size_t count,
                           const Task& task = {});

}  // namespace intertwine
