// Short vectors of small non-negative numbers packed into machine words.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace intertwine::detail {

/// `Words * 64 / LaneBits` lanes of LaneBits bits. A lane holds 0 ... 2^(LaneBits-1) - 1: the top bit stays
/// free, so that lanes can be compared and added a word at a time.
template <int Words, int LaneBits>
struct Packed {
  static constexpr int lane_bits = LaneBits;
  static constexpr int lanes_per_word = 64 / LaneBits;
  static constexpr int capacity = Words * lanes_per_word;
  static constexpr std::int64_t max_value = (std::int64_t{1} << (LaneBits - 1)) - 1;
  static constexpr std::uint64_t lane_mask = (LaneBits == 64) ? ~std::uint64_t{0} : (std::uint64_t{1} << LaneBits) - 1;
  static constexpr std::uint64_t ones = ~std::uint64_t{0} / lane_mask;
  static constexpr std::uint64_t tops = ones << (LaneBits - 1);

  std::array<std::uint64_t, Words> word{};

  int operator[](int lane) const {
    return static_cast<int>((word[lane / lanes_per_word] >> (lane % lanes_per_word * LaneBits)) & lane_mask);
  }
  /// Adds to a lane; the caller keeps the lane within max_value.
  void add(int lane, int value) {
    word[lane / lanes_per_word] += static_cast<std::uint64_t>(value) << (lane % lanes_per_word * LaneBits);
  }
  /// this + factor * other, lane by lane.
  Packed plus(const Packed& other, int factor) const {
    Packed result;
    for (int k = 0; k < Words; ++k) result.word[k] = word[k] + static_cast<std::uint64_t>(factor) * other.word[k];
    return result;
  }
  /// The differences by which every lane exceeds the next, and `first` exceeds lane 0: none may be negative.
  Packed drops(int first) const {
    Packed result;
    std::uint64_t carried = static_cast<std::uint64_t>(first);
    for (int k = 0; k < Words; ++k) {
      result.word[k] = (word[k] << LaneBits | carried) - word[k];
      carried = word[k] >> (64 - LaneBits);
    }
    return result;
  }
  /// Is every lane at most the same lane of `other`?
  bool below(const Packed& other) const {
    std::uint64_t borrow = 0;
    for (int k = 0; k < Words; ++k) borrow |= ~((other.word[k] | tops) - word[k]) & tops;
    return borrow == 0;
  }
  /// Word by word: what is generated calls memcmp for two words.
  friend bool operator==(const Packed& a, const Packed& b) {
    std::uint64_t difference = 0;
    for (int k = 0; k < Words; ++k) difference |= a.word[k] ^ b.word[k];
    return difference == 0;
  }
  friend auto operator<=>(const Packed&, const Packed&) = default;

  std::size_t hash() const {
    std::uint64_t h = 0;
    for (const std::uint64_t w : word) {
      h = (h ^ w) * 0x9e3779b97f4a7c15ULL;
      h ^= h >> 29;
    }
    h *= 0xbf58476d1ce4e5b9ULL;
    return static_cast<std::size_t>(h ^ (h >> 32));
  }
};

}  // namespace intertwine::detail
