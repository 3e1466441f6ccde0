// The sites of a convolution kernel under a point group: what steerable kernels are made of.
//
// A convolution y(p) = sum_o K(o) x(p + o) from fields of type V to fields of type U commutes with the rotations and reflections
// of a grid (and with its translations) if and only if K(g o) = rho_U(g) K(o) rho_V(g)^{-1} for every g of the point group. So
// its kernels are Hom(V * kernel_sites, U): the array of weights, of shape dim U x (dim V * sites), is the kernel
// [dim U, dim V, k, k] that any convolution routine takes, and with channels [out * dim U, in * dim V, k, k].
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// How G acts on the axes of a grid of the given dimension: for C1, C2, C4, D1, D2, D4 in the plane the rotations that take
/// axis 0 to axis 1, and the reflection that negates axis 1; on a line C2 and D1 turn it round; otherwise
/// coordinate_representation(G). \throws DomainError if there is none of this dimension.
Representation kernel_axes(const FiniteGroup& G, std::size_t dimension);

/// The sizes of all axes where one size is said of a group that acts on more: 5 is 5 x 5 for D4 and p4m(8,8), 5 x 5 x 5 for Oh.
std::vector<std::uint64_t> kernel_extents(const FiniteGroup& G, std::vector<std::uint64_t> sizes);

/// The permutation representation on the sites of a kernel, sizes.size() axes, in row-major order, the centre fixed:
/// `kernel(3,3)`. With `axes` other than kernel_axes(): `kernel(3,3, R)`.
/// \param axes  acts on the axes by signed permutations
/// \throws DomainError if it does not, has another dimension, mixes axes of different sizes, belongs to a group without generators,
/// or a size is 0; LimitError for more than 2^24 sites.
Representation kernel_sites(const Representation& axes, std::span<const std::uint64_t> sizes, const Task& task = {});
Representation kernel_sites(const FiniteGroup& G, std::span<const std::uint64_t> sizes, const Task& task = {});

}  // namespace intertwine
