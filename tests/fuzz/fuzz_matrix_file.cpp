// Hostile JSON files of exact matrices, as schur-functor and symmetrize --weights read them. What is accepted comes back when it is written.
// covers: src/io/files/exact_matrix_file.cpp
#include <cstdint>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/exact_matrix_file.hpp"
#include "memory_file.hpp"

using namespace intertwine;

namespace {

FieldMatrix read(const std::uint8_t* data, std::size_t size) {
  return read_field_matrix(MemoryFile(data, size).path(), Task(std::uint64_t{256} << 20, 5.0, {}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const FieldMatrix A = read(data, size);
    const std::string text = exact_matrix_json(A);
    require(read(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()) == A, "a matrix survives its text");
  } catch (const FileError& e) {
    require(e.what()[0] != '\0', "an error says something");
  } catch (const LimitError&) {
  }
  return 0;
}
