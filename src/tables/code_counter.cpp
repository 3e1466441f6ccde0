// Counts codes and finds those out of range.
#include "intertwine/tables/code_counter.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "intertwine/tables/weight_block.hpp"

namespace intertwine {
namespace {

// Codes may lie at any address: compilers turn this into one load.
template <class Code>
Code load(const std::byte* codes, std::size_t k) {
  Code out;
  std::memcpy(&out, codes + k * sizeof(Code), sizeof(Code));
  return out;
}

template <class Code>
std::uint32_t largest(std::span<const std::byte> codes) {
  Code most = 0;
  for (std::size_t k = 0; k < codes.size() / sizeof(Code); ++k) most = std::max(most, load<Code>(codes.data(), k));
  return most;
}

}  // namespace

std::uint32_t largest_code(std::span<const std::byte> codes, unsigned width) {
  return width == 1   ? largest<std::uint8_t>(codes)
         : width == 2 ? largest<std::uint16_t>(codes)
                      : largest<std::uint32_t>(codes);
}

CodeCounter::CodeCounter(std::uint64_t params, std::uint64_t codes, unsigned width) : params_(params), width_(width) {
  if (width == 1)
    bytes_.resize(4 * 256);
  else if (codes >> 32 == 0)
    few_.resize(params + 1);
  else
    many_.resize(params + 1);
}

template <class Code, class Count>
void CodeCounter::count_wide(std::span<const std::byte> codes, std::vector<Count>& counts) {
  const auto p = static_cast<std::uint32_t>(params_);
  for (std::size_t k = 0; k < codes.size() / sizeof(Code); ++k) {
    const std::uint32_t code = load<Code>(codes.data(), k);
    ++counts[code > p ? code - p : code];
  }
}

void CodeCounter::count_bytes(std::span<const std::byte> codes) {
  // Rows have long runs of one code, with a few others in between: eight bytes at once are compared with it, and only those that
  // differ are looked at. Where most differ, neighbours are counted in lanes of their own, for the next count of the same code
  // would wait for this one.
  constexpr std::size_t chunk = 32, words = chunk / 8;
  constexpr std::uint64_t ones = 0x0101010101010101U, low_bits = 0x7f * ones;
  std::size_t k = 0, run = 0;
  for (; k + chunk <= codes.size(); k += chunk) {
    const std::byte* at = codes.data() + k;
    std::uint64_t different[words];  // the highest bit of every byte that is not `run`
    std::uint64_t sums = 0;          // by place in a word
    for (std::size_t word = 0; word < words; ++word) {
      const std::uint64_t x = load<std::uint64_t>(at, word) ^ (ones * run);
      different[word] = (((x & low_bits) + low_bits) | x) & ~low_bits;
      sums += different[word] >> 7U;
    }
    if (sums == 0) {
      bytes_[run] += chunk;
      continue;
    }
    const std::size_t others = sums * ones >> 56U;
    if (others > chunk / 4) {
      for (std::size_t byte = 0; byte < chunk; byte += 4)
        for (std::size_t lane = 0; lane < 4; ++lane)
          ++bytes_[256 * lane + std::to_integer<std::size_t>(at[byte + lane])];
      run = std::to_integer<std::size_t>(at[chunk - 1]);
      continue;
    }
    bytes_[run] += chunk - others;
    for (std::size_t word = 0; word < words; ++word)
      for (std::uint64_t left = different[word]; left != 0; left &= left - 1)
        ++bytes_[256 +
                 std::to_integer<std::size_t>(at[8 * word + static_cast<std::size_t>(std::countr_zero(left)) / 8])];
  }
  for (; k < codes.size(); ++k) ++bytes_[std::to_integer<std::size_t>(codes[k])];
}

std::optional<std::int64_t> CodeCounter::add(std::span<const std::byte> codes) {
  if (largest_code(codes, width_) > 2 * params_) {
    for (std::size_t k = 0; k < codes.size() / width_; ++k) {
      const std::int64_t code = width_ == 1   ? std::to_integer<std::int64_t>(codes[k])
                                : width_ == 2 ? load<std::uint16_t>(codes.data(), k)
                                              : load<std::int32_t>(codes.data(), k);
      if (code < 0 || static_cast<std::uint64_t>(code) > 2 * params_) return code;
    }
  }
  const auto count = [&](auto& counts) {
    width_ == 2 ? count_wide<std::uint16_t>(codes, counts) : count_wide<std::uint32_t>(codes, counts);
  };
  if (!few_.empty())
    count(few_);
  else if (!many_.empty())
    count(many_);
  else
    count_bytes(codes);
  return std::nullopt;
}

std::int64_t CodeCounter::total(std::uint64_t k) const {
  if (!few_.empty()) return few_[k + 1];
  if (!many_.empty()) return static_cast<std::int64_t>(many_[k + 1]);
  std::uint64_t sum = 0;
  for (std::size_t lane = 0; lane < 4; ++lane) sum += bytes_[256 * lane + 1 + k] + bytes_[256 * lane + 1 + params_ + k];
  return static_cast<std::int64_t>(sum);
}

std::optional<std::uint64_t> CodeCounter::first_difference(std::span<const std::int64_t> expected) const {
  for (std::uint64_t k = 0; k < params_; ++k)
    if (total(k) != expected[k]) return k;
  return std::nullopt;
}

}  // namespace intertwine
