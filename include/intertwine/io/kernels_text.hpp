// Kernels between homogeneous spaces, and steerable kernels on R^n, as text, JSON, LaTeX, tables and for systems of computer algebra.
#pragma once
#include <string>
#include <string_view>
#include <variant>

#include "intertwine/classical/steerable_kernels.hpp"
#include "intertwine/equivariant/mackey_basis.hpp"
#include "intertwine/equivariant/point_kernels.hpp"
#include "intertwine/io/format.hpp"
#include "intertwine/io/sheet.hpp"

namespace intertwine {

/// One pretty-printed object without a newline at the end: the group, the two sides, both dimensions, and for every double coset its
/// representative, size, stabilizer and the matrices of the values there.
std::string to_json(const KernelSpace& kernels);
/// The kernels for people, a line for every double coset.
/// \param elements  the matrices as well
/// \param time      how long it took, as people read it; may be empty
std::string to_text(const KernelSpace& kernels, bool elements, std::string_view time = {});

/// A displayed formula for every kernel: its value at the representative of its double coset.
std::string to_latex(const KernelSpace& kernels);
/// A line for every entry of a value that is not 0: kernel, double coset, its representative, row and column from 1, the value.
Sheet to_sheet(const KernelSpace& kernels);
/// A list of pairs, a representative of a double coset and the list of the values that its kernels have there: matrices as they act on
/// columns. \throws InternalError unless it is a system, as below
std::string to_system(Format system, const KernelSpace& kernels, const Task& task = {});

/// The group, both representations, the certificate, and for every degree its monomials and kernels, each by its entries
/// [monomial, row, column, integer].
std::string to_json(const SteerableKernels& kernels);
/// The kernels for people; with `elements` the matrices of polynomials, in x, y, z where n <= 3 and x1, x2, ...
/// otherwise.
std::string to_text(const SteerableKernels& kernels, bool elements, std::string_view time = {});

/// A displayed matrix of polynomials for every kernel.
std::string to_latex(const SteerableKernels& kernels);
/// A line for every entry of a kernel that is not 0: its number, degree, row and column from 1, the polynomial.
Sheet to_sheet(const SteerableKernels& kernels);
/// A list of matrices of polynomials in n variables over Q.
std::string to_system(Format system, const SteerableKernels& kernels, const Task& task = {});

/// The object of kernels under a finite group. Its coefficients are exact numbers as everywhere in JSON, beside the
/// matrices of the generators.
std::string to_json(const PointKernels& kernels);
std::string to_text(const PointKernels& kernels, bool elements, std::string_view time = {});
std::string to_latex(const PointKernels& kernels);
Sheet to_sheet(const PointKernels& kernels);
std::string to_system(Format system, const PointKernels& kernels, const Task& task = {});

/// Kernels read back from what to_json writes; keys that it does not know are left aside, and added to `claims`. The
/// claims are for verify() to prove, except that the file counts its kernels rightly and does not contradict itself.
/// \param name  what messages call the text, for example a file name
/// \throws FileError naming the place; VerificationError for numbers that are others when counted again, and for other double cosets
using SpaceKernels = std::variant<SteerableKernels, PointKernels, KernelSpace>;
SpaceKernels parse_space_kernels(std::string_view text, const std::string& name, const Task& task = {},
                                 std::vector<std::string>* claims = nullptr);

}  // namespace intertwine
