// Partitions and products of minors as text: whatever is read comes back when written.
// covers: src/combinatorics/partition.cpp src/gl/bitableau.cpp
#include <cstdint>
#include <cstdlib>
#include <string>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/error.hpp"
#include "intertwine/gl/bitableau.hpp"

using namespace intertwine;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const Partition lambda = parse_partition(text);
    if (parse_partition(to_string(lambda)) != lambda) std::abort();
  } catch (const Error&) {
  }
  const MatrixSize matrix{6, 7};
  try {
    const Bitableau b = parse_bitableau(text, matrix);
    if (parse_bitableau(to_string(b), matrix) != b) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
