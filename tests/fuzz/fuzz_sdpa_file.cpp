// Hostile semidefinite programs in the sparse format of SDPA. The reader may refuse with an Error of the library; what it
// accepts is written and read back. covers: src/io/files/sdpa_file.cpp src/sdp/semidefinite_problem.cpp
#include <cstddef>
#include <cstdint>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/sdpa_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace intertwine;
  try {
    const sdp::Problem problem = parse_sdpa(std::string(reinterpret_cast<const char*>(data), size), "input");
    const sdp::Problem again = parse_sdpa(to_sdpa(problem, "again"), "again");
    if (again.blocks() != problem.blocks()) __builtin_trap();
  } catch (const Error&) {
  }
  return 0;
}
