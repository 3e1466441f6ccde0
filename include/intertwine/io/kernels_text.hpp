// Kernels between homogeneous spaces, and steerable kernels on R^n, as text and JSON.
#pragma once
#include <string>
#include <string_view>

#include "intertwine/equivariant/mackey_basis.hpp"
#include "intertwine/lie/steerable_kernels.hpp"

namespace intertwine {

/// One pretty-printed object without a newline at the end: the group, the two sides, both dimensions, and for every double coset its
/// representative, size, stabilizer and the matrices of the values there.
std::string to_json(const KernelSpace& kernels);
/// The same for people, a line for every double coset.
/// \param elements  the matrices as well
/// \param time      how long it took, as people read it; may be empty
std::string to_text(const KernelSpace& kernels, bool elements, std::string_view time = {});

/// The group, both representations, the certificate, and for every degree its monomials and kernels, each by its entries
/// [monomial, row, column, integer].
std::string to_json(const SteerableKernels& kernels);
/// The same for people; with `elements` the matrices of polynomials, in x, y, z where n <= 3 and x1, x2, ... otherwise.
std::string to_text(const SteerableKernels& kernels, bool elements, std::string_view time = {});

}  // namespace intertwine
