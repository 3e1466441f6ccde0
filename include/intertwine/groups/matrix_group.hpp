// Finite groups of matrices as permutation groups on vectors.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The finite group that matrices over a number field K generate, acting faithfully on a spanning union of orbits of vectors
/// of K^d, as those of Q^(d [K : Q]); its coordinate_representation is the natural module.
///
/// Finiteness is decided: the orbits of the basis vectors are finite exactly when the group is, the order of a
/// finite subgroup of GL(n, Q) divides Minkowski's bound, and an element of infinite order is recognized by a power
/// that is 1 for all of finite order.
/// \throws DomainError for a singular or non-square generator, different sizes, or an infinite group, with an
///         element of infinite order as a word in the generators a, b, c, ...; LimitError if the orbits are
///         larger than memory allows, or d [K : Q] exceeds 4096 for K other than Q. [Minkowski 1887; Babai, Beals & Rockmore 1993]
FiniteGroup matrix_group(const std::vector<FieldMatrix>& generators, std::string name = {},
                         const Task& task = {});
/// The same for K = Q.
FiniteGroup rational_matrix_group(const std::vector<RationalMatrix>& generators, std::string name = {},
                                  const Task& task = {});

/// The group that matrices over GF(q), q = p^k, generate, acting on a spanning union of orbits of vectors of
/// GF(q)^d, short orbits preferred. Entries are 0 ... q-1 with the meaning that they have for the named linear
/// groups: residues for prime q; in general polynomials in a root w of the least primitive polynomial, the digits in
/// base p being the coefficients with the constant term as the units digit, so that p stands for w.
/// \throws DomainError if q is no prime power, an entry is out of range, or a generator is singular or not square;
///         LimitError if the orbits are longer than max_named_degree.
FiniteGroup finite_field_matrix_group(std::uint32_t q,
                                      const std::vector<std::vector<std::vector<std::uint32_t>>>& generators,
                                      std::string name = {}, const Task& task = {});

/// The matrices over Q that generator k of G stands for, where G has such (see coordinate_representation):
/// empty otherwise.
std::vector<RationalMatrix> defining_matrices(const FiniteGroup& G);

}  // namespace intertwine
