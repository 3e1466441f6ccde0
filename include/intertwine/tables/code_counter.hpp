// Counts codes as they pass by, and finds those out of range.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace intertwine {

/// How often the parameters of one array occur, signs together. Memory: 2 KiB for codes of one byte, otherwise 4 bytes a
/// parameter (8 for arrays of 2^32 codes and more). About a nanosecond a code.
class CodeCounter {
 public:
  /// \param codes  how many codes will be added in all
  /// \param width  of a code in bytes: code_bytes(params), or 2 in place of 4
  CodeCounter(std::uint64_t params, std::uint64_t codes, unsigned width);

  /// `codes` in this width, of any alignment. Returns the first code out of range, if
  /// there is one; nothing of `codes` is counted then.
  std::optional<std::int64_t> add(std::span<const std::byte> codes);

  /// How often +theta_k and -theta_k occurred together.
  std::int64_t total(std::uint64_t k) const;
  /// The first parameter k < P that did not occur expected[k] times, if there is one.
  std::optional<std::uint64_t> first_difference(std::span<const std::int64_t> expected) const;

 private:
  template <class Code, class Count>
  void count_wide(std::span<const std::byte> codes, std::vector<Count>& counts);
  void count_bytes(std::span<const std::byte> codes);

  std::uint64_t params_;
  unsigned width_;
  std::vector<std::uint64_t>
      bytes_;  ///< four histograms of 256 codes, so that runs of one code do not wait for each other
  std::vector<std::uint32_t> few_;  ///< by parameter, from 1; index 0 counts zeros
  std::vector<std::uint64_t> many_;
};

/// The largest of the codes, `width` bytes each, read as unsigned: a negative int32 counts as 2^31 or more. 0
/// for none.
std::uint32_t largest_code(std::span<const std::byte> codes, unsigned width);

}  // namespace intertwine
