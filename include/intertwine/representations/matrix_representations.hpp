// Representations whose elements act by general matrices: given ones, Specht modules, reflections, coordinates.
#pragma once
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The representation with the given images of G's generators, checked to be a homomorphism. The vectors of a
/// spanning union of orbits are permuted by G; the check and later images work on this permutation action.
/// \param text  how to_string shows it; empty: the matrices themselves.
/// \throws DomainError if their number is wrong, one is not square or singular, the sizes differ, or naming a
///         relation of G, in words of the generators a, b, c, ..., that the images break; LimitError if the
///         orbits are larger than memory allows.
Representation matrix_representation(const FiniteGroup& G, const std::vector<RationalMatrix>& images,
                                     std::string text = {}, const Task& task = {});
/// The representation by matrices over number fields. The field of the representation is the smallest that contains all
/// entries; its vectors are permuted as those of the rational representation restrict_scalars gives.
Representation matrix_representation(const FiniteGroup& G, std::vector<FieldMatrix> images, std::string text = {},
                                     const Task& task = {});
/// Rational matrices listed in braces, which could be either.
inline Representation matrix_representation(const FiniteGroup& G, std::initializer_list<RationalMatrix> images,
                                            std::string text = {}, const Task& task = {}) {
  return matrix_representation(G, std::vector<RationalMatrix>(images), std::move(text), task);
}

/// perm minus trivial: the vectors of coordinate sum 0 on the basis e_i - e_n, i < n: `std`.
/// \throws DomainError if G has fewer than 2 points.
Representation standard_representation(const FiniteGroup& G);

/// The Specht module of the partition on the standard polytabloids in the order of standard_tableaux (Young's
/// natural form, integral), restricted to G <= Sym(n): `specht(3,1)`. \throws DomainError unless `shape` is a
/// partition of G's degree. [James & Kerber 1981, ch. 7; Garnir relations]
Representation specht_module(const FiniteGroup& G, const Partition& shape, const Task& task = {});

/// The representation by which the group is defined where it has one: the coordinate axes of a point group
/// (T, Td, O, Oh, ...), the linear part of a planar grid group p1(h,w) ... p4m(h,w), the simple roots of a
/// Weyl group, the corners of the n-gon for dihedral groups, the natural module of a matrix group: `coordinates`. Its
/// field is Q where that is enough; I and Ih need Q(sqrt 5), axes of order n Q(cos(2 pi / n)).
/// \throws DomainError if there is none.
Representation coordinate_representation(const FiniteGroup& G);

}  // namespace intertwine
