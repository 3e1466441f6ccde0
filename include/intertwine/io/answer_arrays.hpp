// Answers as arrays of numbers, for NumPy and other numeric programs: .npy and .npz. Numbers are doubles there, each the one nearest to
// the exact value; what is exact is in the other formats.
#pragma once
#include <complex>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/classical/steerable_kernels.hpp"
#include "intertwine/equivariant/mackey_basis.hpp"
#include "intertwine/equivariant/point_kernels.hpp"
#include "intertwine/gl/schur_functor.hpp"
#include "intertwine/io/basis_elements.hpp"
#include "intertwine/io/format.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "intertwine/tables/weight_block.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// An array in C order: float64, complex128 or int64.
struct AnswerArray {
  using Values =
      std::variant<std::vector<double>, std::vector<std::complex<double>>, std::vector<std::int64_t>>;
  std::string name;
  std::vector<std::uint64_t> shape;
  Values values;
};

/// The arrays of an answer, and words about them. The first array is the one that a .npy file holds, unless `several` says why it
/// would say too little.
struct AnswerArrays {
  std::vector<AnswerArray> arrays;
  std::map<std::string, std::string> metadata;
  std::string several = {};  ///< "of one representation: --index K"; empty: .npy holds the first
};

/// Is this format one of arrays: npy or npz?
constexpr bool is_of_arrays(Format format) { return format == Format::npy || format == Format::npz; }

/// The bytes of a file. NPZ: an entry for every array, and `metadata`, a 0-d array of bytes with a JSON object.
/// \throws DomainError for another format, and for .npy where several arrays are needed; LimitError through `task`
std::string to_bytes(const AnswerArrays& answer, Format format, const Task& task = {});

/// `characters` complex128 [k, k], `class_sizes` and `centralizer_orders` int64 [k], float64 where they are above 2^63, `element_orders` and
/// `indicators` int64 [k].
AnswerArrays to_arrays(const CharacterTable& table, const Task& task = {});
/// `generators` int64 [g, degree], images of the points from 0; for every representation, by its number k in the answer from 1, `irrep.k` [g, d, d],
/// the matrices of the generators on column vectors: float64 over real fields, complex128 over others.
AnswerArrays to_arrays(const IrreducibleForms& forms, const Task& task = {});
/// `weights` [P, rows, columns] and `bias` [Q, rows], the matrices B_k and the columns c_k, float64 over real fields, otherwise complex128.
AnswerArrays to_arrays(const BasisElements& elements, const Task& task = {});
/// `values` [P, rows, columns], of every kernel its value at the representative of its double coset, `double_coset` int64 [P], and of every double
/// coset `representatives` int64 [c, degree], images of the points from 0, and `sizes` int64 [c], or float64.
AnswerArrays to_arrays(const KernelSpace& kernels, const Task& task = {});
/// For every degree L `exponents.L` int64 [m, n] and `coefficients.L` float64 [P_L, m, rows, columns]: kernel k is the sum of coefficients.L[k, i]
/// times the monomial with the exponents exponents.L[i].
AnswerArrays to_arrays(const SteerableKernels& kernels, const Task& task = {});
/// The arrays of steerable kernels under a finite group; coefficients that are not real are complex128.
AnswerArrays to_arrays(const PointKernels& kernels, const Task& task = {});
/// The codes of a tied table as the bytes of a .npy file, uint8 or int32 [rows, columns]: 0 for 0, 1 + k for theta_k and 1 + P + k for -theta_k, as in
/// table files. \throws DomainError for a sparse basis, whose elements to_arrays(BasisElements) has; LimitError through `task`
std::string codes_to_npy(const WeightBlock& table, const Task& task = {});
/// `matrix` float64.
AnswerArrays to_arrays(const SchurFunctorMatrix& answer, const Task& task = {});

}  // namespace intertwine
