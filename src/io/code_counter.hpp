// Counts codes as they pass by, and finds those out of range.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace intertwine {

/// The histogram of the codes 0 .. 2P of one array, kept per parameter (signs together).
/// Memory O(P). About a nanosecond a code.
class CodeCounter {
 public:
  explicit CodeCounter(std::uint64_t params);

  /// `codes` in the width of code_bytes(params), of any alignment. Returns the first code out of range, if
  /// there is one; nothing of `codes` is counted then.
  std::optional<std::int64_t> add(std::span<const std::byte> codes);

  /// How often +theta_k and -theta_k occurred together, for k < P.
  std::vector<std::int64_t> totals() const;

 private:
  template <class Code>
  std::optional<std::int64_t> add_codes(std::span<const std::byte> codes);

  std::uint64_t params_;
  std::size_t lanes_;   // separate histograms, so that runs of one code do not wait for each other
  std::size_t stride_;  // codes a histogram
  std::vector<std::int64_t> counts_;
};

/// The largest of the codes, `width` bytes each, read as unsigned: a negative int32 counts as 2^31 or more. 0
/// for none.
std::uint32_t largest_code(std::span<const std::byte> codes, unsigned width);

}  // namespace intertwine
