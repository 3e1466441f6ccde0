// Kernels between homogeneous spaces as text and JSON.
#pragma once
#include <string>
#include <string_view>

#include "intertwine/equivariant/mackey_basis.hpp"

namespace intertwine {

/// One pretty-printed object without a newline at the end: the group, the two sides, both dimensions, and for every double coset its
/// representative, size, stabilizer and the matrices of the values there.
std::string to_json(const KernelSpace& kernels);
/// The same for people, a line for every double coset.
/// \param elements  the matrices as well
/// \param time      how long it took, as people read it; may be empty
std::string to_text(const KernelSpace& kernels, bool elements, std::string_view time = {});

}  // namespace intertwine
