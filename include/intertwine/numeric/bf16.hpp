// bfloat16 as storage: the upper half of a float. All arithmetic is done in float.
#pragma once
#include <bit>
#include <cstdint>

namespace intertwine {

struct Bf16 {
  std::uint16_t bits = 0;
  friend bool operator==(Bf16, Bf16) = default;  ///< compares the bits: a NaN equals itself, -0 is not 0
};

constexpr float to_float(Bf16 x) { return std::bit_cast<float>(std::uint32_t{x.bits} << 16); }

/// Rounded to nearest, ties to even. NaN stays NaN (made quiet).
constexpr Bf16 to_bf16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  if ((bits & 0x7fffffffU) > 0x7f800000U) return {static_cast<std::uint16_t>((bits >> 16) | 0x40U)};
  return {static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16)};
}

constexpr Bf16 operator-(Bf16 x) { return {static_cast<std::uint16_t>(x.bits ^ 0x8000U)}; }

}  // namespace intertwine
