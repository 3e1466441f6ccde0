// Chooses the vector instructions of the kernels.
#include "intertwine/numeric/instruction_set.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>

#include "intertwine/error.hpp"
#include "numeric/kernels.hpp"

namespace intertwine {
namespace {

constexpr int none = -1;
std::atomic<int> forced{none};

bool processor_has(InstructionSet level) { return level <= best_instruction_set(); }

InstructionSet from_environment() {
  const char* name = std::getenv("INTERTWINE_ISA");
  if (name == nullptr || *name == '\0') return best_instruction_set();
  const InstructionSet level = parse_instruction_set(name);
  if (!processor_has(level))
    throw DomainError(fmt::format("INTERTWINE_ISA is {}, which this processor has not; its best is {}", name,
                                  to_string(best_instruction_set())));
  return level;
}

#if defined(__x86_64__)
bool has_vbmi() {
  static const bool has = __builtin_cpu_supports("avx512vbmi") != 0;
  return has;
}
#endif

}  // namespace

std::string to_string(InstructionSet level) {
  switch (level) {
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::avx512:
      return "avx512";
    default:
      return "scalar";
  }
}

InstructionSet parse_instruction_set(std::string_view name) {
  for (const auto level : {InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512})
    if (name == to_string(level)) return level;
  throw DomainError(
      fmt::format("there is no instruction set '{}'; take scalar, avx2 or avx512", std::string(name.substr(0, 40))));
}

InstructionSet best_instruction_set() {
  static const InstructionSet best = [] {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
      return InstructionSet::avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return InstructionSet::avx2;
#endif
    return InstructionSet::scalar;
  }();
  return best;
}

InstructionSet instruction_set() {
  const int level = forced.load(std::memory_order_relaxed);
  if (level != none) return static_cast<InstructionSet>(level);
  static const InstructionSet chosen = from_environment();
  return chosen;
}

void force_instruction_set(std::optional<InstructionSet> level) {
  if (level && !processor_has(*level))
    throw DomainError(
        fmt::format("this processor has no {}; its best is {}", to_string(*level), to_string(best_instruction_set())));
  forced.store(level ? static_cast<int>(*level) : none, std::memory_order_relaxed);
}

namespace kernels {

const Kernels& current() {
#if defined(__x86_64__)
  const InstructionSet level = instruction_set();
  if (level == InstructionSet::avx512) return avx512(has_vbmi());
  if (level == InstructionSet::avx2) return avx2();
#endif
  return scalar();
}

}  // namespace kernels
}  // namespace intertwine
