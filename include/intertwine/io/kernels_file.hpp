// Kernels between homogeneous spaces, and steerable kernels on R^n, read from JSON.
#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "intertwine/classical/steerable_kernels.hpp"
#include "intertwine/equivariant/mackey_basis.hpp"
#include "intertwine/equivariant/point_kernels.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Kernels read back from the JSON of their records; keys that it does not know are left aside, and added to `claims`.
/// The claims are for verify() to prove, except that the file counts its kernels rightly and does not contradict
/// itself.
/// \param name  what messages call the text, for example a file name
/// \throws FileError naming the place; VerificationError for numbers that are others when counted again, and for other
/// double cosets
using SpaceKernels = std::variant<SteerableKernels, PointKernels, KernelSpace>;
SpaceKernels parse_space_kernels(std::string_view text, const std::string& name, const Task& task = {},
                                 std::vector<std::string>* claims = nullptr);

}  // namespace intertwine
