// Kernels as tables that picture.hpp draws.
#pragma once
#include "intertwine/classical/steerable_kernels.hpp"
#include "intertwine/equivariant/mackey_basis.hpp"
#include "intertwine/equivariant/point_kernels.hpp"
#include "intertwine/io/picture.hpp"
#include "intertwine/tables/weight_block.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A table to be drawn, as write_picture(path, p.table, p.text): for every kernel an element. It names no group and is no layer.
struct KernelPicture {
  WeightBlock table;
  PictureText text;
};

/// Kernels on R^n as stamps, kernel beside kernel in lines: of each a stamp for every entry (i, j), its values at the integral points of the disc of this radius in
/// the plane of the first two axes, x to the right and y upwards, where the other coordinates are 1. The radial function is left out.
/// \throws LimitError above 4194304 entries, for values above 2^53, or through `task`
KernelPicture kernel_picture(const SteerableKernels& kernels, unsigned radius = 4, const Task& task = {});
/// Stamps of the kernels of a finite group; over a number field each is drawn by a multiple with integral coordinates.
/// \throws DomainError also if they are not real
KernelPicture kernel_picture(const PointKernels& kernels, unsigned radius = 4, const Task& task = {});

/// Kernels between homogeneous spaces of a finite group as the matrices from functions on G/K to those on G/H (KernelSpace::intertwiner),
/// each scaled to integers. \throws DomainError if the kernels are not rational; LimitError above 4194304 entries, or through `task`
KernelPicture kernel_picture(const KernelSpace& kernels, const Task& task = {});

}  // namespace intertwine
