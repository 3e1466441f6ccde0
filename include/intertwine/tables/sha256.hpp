// SHA-256 [FIPS 180-4] of bytes that arrive in pieces.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace intertwine {

/// Uses the SHA instructions of x86 where the processor has them.
class Sha256 {
 public:
  void add(std::span<const std::byte> bytes);
  /// The digest as 64 lower-case hexadecimal digits. Call once, last.
  std::string hex();

 private:
  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> block_{};  ///< the rest of the pieces so far
  std::uint64_t bytes_ = 0;            ///< added so far
};

}  // namespace intertwine
