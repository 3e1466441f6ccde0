// NumPy arrays in files of their own (.npy): what numeric commands read and write.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "intertwine/task.hpp"

namespace intertwine {

/// An array in C order (the last index varies fastest).
struct NpyArray {
  using Values = std::variant<std::vector<float>, std::vector<double>, std::vector<std::uint8_t>,
                              std::vector<std::int32_t>, std::vector<std::int64_t>>;
  std::vector<std::uint64_t> shape;  ///< [] for a single number
  Values values;                     ///< as many as the product of the shape

  std::size_t size() const;
  /// "float32", "float64", "uint8", "int32" or "int64".
  std::string dtype() const;
};

/// "[3, 4]", "[]".
std::string shape_text(const std::vector<std::uint64_t>& shape);

/// Reads a .npy file of float32, float64, uint8, int32 or int64, little-endian, in C or Fortran order (which is
/// turned into C order). Numbers pass as they are, NaN and infinities included.
/// \throws FileError if it cannot be read, is no such array, or is not exactly as long as its shape says;
/// LimitError if the task does not allow the memory. Nothing is allocated on the word of the header alone.
NpyArray read_npy(const std::filesystem::path& path, const Task& task = {});

/// Writes a .npy file (version 1.0, C order), atomically. \throws FileError; DomainError if the values are not
/// as many as the shape says.
void write_npy(const std::filesystem::path& path, const NpyArray& array);

/// The bytes of such a file. \throws DomainError as write_npy.
std::string to_npy(const NpyArray& array);

/// The values as doubles. Exact but for int64 values beyond 2^53, which are rounded.
std::vector<double> to_doubles(const NpyArray& array);

}  // namespace intertwine
