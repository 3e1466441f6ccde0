// A hash of numbers for colours that are refined: what compares equal was compared elsewhere, or costs only time.
#pragma once
#include <cstdint>

namespace intertwine {

/// A 64-bit hash of a number, the same everywhere.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x + 0x9e3779b97f4a7c15ULL) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 29)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 32);
}

}  // namespace intertwine
