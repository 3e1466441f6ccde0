// IEEE 754 binary16 (fp16) as storage. All arithmetic is done in float.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

#include "intertwine/numeric/bf16.hpp"

namespace intertwine {

struct Half {
  std::uint16_t bits = 0;
  friend bool operator==(Half, Half) = default;  ///< compares the bits: a NaN equals itself, -0 is not 0
};

/// Exact. NaN stays NaN (made quiet).
constexpr float to_float(Half x) {
  const std::uint32_t sign = std::uint32_t{x.bits & 0x8000U} << 16, rest = x.bits & 0x7fffU;
  if (rest >= 0x7c00U)  // the infinities and NaN
    return std::bit_cast<float>(sign | 0x7f800000U | ((rest & 0x3ffU) << 13) | (rest > 0x7c00U ? 0x400000U : 0U));
  if (rest < 0x400U)  // subnormal: a multiple of 2^-24
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(rest) * 0x1p-24F) | sign);
  return std::bit_cast<float>(sign | ((rest << 13) + (112U << 23)));
}

/// Rounded to nearest, ties to even; from 65520 on infinite, to 2^-25 zero. NaN stays NaN (made quiet).
constexpr Half to_half(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = (bits >> 16) & 0x8000U, rest = bits & 0x7fffffffU;
  const auto with_sign = [sign](std::uint32_t h) { return Half{static_cast<std::uint16_t>(sign | h)}; };
  if (rest > 0x7f800000U) return with_sign(0x7e00U | ((rest >> 13) & 0x3ffU));
  if (rest >= 0x47800000U) return with_sign(0x7c00U);  // 65536 and more
  if (rest >= 0x38800000U) return with_sign((rest + 0xfffU + ((rest >> 13) & 1U) - (112U << 23)) >> 13);
  const std::uint32_t exponent = rest >> 23;
  if (exponent < 102) return with_sign(0);
  const std::uint32_t digits = (rest & 0x7fffffU) | 0x800000U, shift = 126 - exponent;
  const std::uint32_t kept = digits >> shift, lost = digits & ((1U << shift) - 1), half = 1U << (shift - 1);
  return with_sign(kept + (lost > half || (lost == half && (kept & 1U) != 0) ? 1 : 0));
}

constexpr Half operator-(Half x) { return {static_cast<std::uint16_t>(x.bits ^ 0x8000U)}; }

/// The types that are stored in 16 bits and summed in float.
template <class T>
inline constexpr bool is_narrow = std::is_same_v<T, Bf16> || std::is_same_v<T, Half>;

/// A number of type T from a float (or, for float and double, from any): rounded once.
template <class T, class From>
constexpr T from_number(From x) {
  if constexpr (std::is_same_v<T, Bf16>)
    return to_bf16(static_cast<float>(x));
  else if constexpr (std::is_same_v<T, Half>)
    return to_half(static_cast<float>(x));
  else
    return static_cast<T>(x);
}
/// The number that is stored: float for the 16-bit types.
template <class T>
constexpr auto to_number(T x) {
  if constexpr (is_narrow<T>)
    return to_float(x);
  else
    return x;
}

}  // namespace intertwine
