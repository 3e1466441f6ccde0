// Hostile solutions of semidefinite programs. The reader may refuse with an Error of the library; what it accepts has
// the sizes of the problem and finite numbers. covers: src/io/files/solution_file.cpp
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/solution_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace intertwine;
  static const sdp::ReducedProblem problem{{{2, "real", 1, "a"}, {1, "real", 1, "b"}}, {}, {{}}, {0}};
  try {
    const auto Z = parse_solution(std::string(reinterpret_cast<const char*>(data), size), "input", problem);
    if (Z.size() != 2 || Z[0].size() != 4 || Z[1].size() != 1 || Z[0][1] != Z[0][2]) __builtin_trap();
    for (const auto& block : Z)
      for (const double value : block)
        if (!std::isfinite(value)) __builtin_trap();
  } catch (const Error&) {
  }
  return 0;
}
