// Which vector instructions the numeric kernels use. Every level gives the same bits; only the speed differs.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace intertwine {

enum class InstructionSet {
  scalar,  ///< the instructions that every processor of the architecture has
  avx2,    ///< x86-64 with AVX2 and FMA
  avx512   ///< x86-64 with AVX-512 F, BW, VL, DQ; VBMI is used where the processor has it
};

/// "scalar", "avx2", "avx512".
std::string to_string(InstructionSet level);
/// \throws DomainError naming the known levels.
InstructionSet parse_instruction_set(std::string_view name);

/// The highest level of this processor.
InstructionSet best_instruction_set();

/// The level in use: the forced one, else the one that the environment variable INTERTWINE_ISA names, else the
/// best. \throws DomainError if INTERTWINE_ISA is no level or one that this processor has not.
InstructionSet instruction_set();

/// Forces a level for the whole process, or none. For tests and measurements.
/// \throws DomainError if the processor has not got it.
void force_instruction_set(std::optional<InstructionSet> level);

}  // namespace intertwine
