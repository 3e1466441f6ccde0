// Answers as arrays of numbers, for NumPy and other numeric programs: .npy and .npz. Numbers are doubles there, each the one nearest to
// the exact value; what is exact is in the other formats.
#pragma once
#include <complex>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "intertwine/io/format.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

struct WeightBlock;

/// An array in C order: float64, complex128 or int64.
struct AnswerArray {
  using Values = std::variant<std::vector<double>, std::vector<std::complex<double>>, std::vector<std::int64_t>>;
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

/// The codes of a tied table as the bytes of a .npy file, uint8 or int32 [rows, columns]: 0 for 0, 1 + k for theta_k and 1 + P + k for -theta_k, as in
/// table files. \throws DomainError for a sparse basis, whose elements the record of BasisElements has; LimitError
/// through `task`
std::string codes_to_npy(const WeightBlock& table, const Task& task = {});

}  // namespace intertwine
