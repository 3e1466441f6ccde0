#include "intertwine/tables/code_counter.hpp"

#include <algorithm>
#include <cstring>

#include "intertwine/tables/weight_table.hpp"

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
  for (std::size_t k = 0; k < codes.size() / sizeof(Code); ++k)
    most = std::max(most, load<Code>(codes.data(), k));
  return most;
}

}  // namespace

std::uint32_t largest_code(std::span<const std::byte> codes, unsigned width) {
  return width == 1   ? largest<std::uint8_t>(codes)
         : width == 2 ? largest<std::uint16_t>(codes)
                      : largest<std::uint32_t>(codes);
}

CodeCounter::CodeCounter(std::uint64_t params, std::uint64_t codes) : params_(params) {
  if (code_bytes(params) == 1)
    bytes_.resize(4 * 256);
  else if (codes >> 32 == 0)
    few_.resize(params + 1);
  else
    many_.resize(params + 1);
}

template <class Count>
void CodeCounter::count_wide(std::span<const std::byte> codes, std::vector<Count>& counts) {
  const auto p = static_cast<std::uint32_t>(params_);
  for (std::size_t k = 0; k < codes.size() / 4; ++k) {
    const auto code = load<std::uint32_t>(codes.data(), k);
    ++counts[code > p ? code - p : code];
  }
}

void CodeCounter::count_bytes(std::span<const std::byte> codes) {
  // Rows have long runs of one code: they are counted at once. Elsewhere neighbours are counted in lanes of their own, for
  // the next count of the same code would wait for this one.
  constexpr std::size_t chunk = 32;
  std::size_t k = 0;
  for (; k + chunk <= codes.size(); k += chunk) {
    const auto first = std::to_integer<std::size_t>(codes[k]);
    const std::uint64_t all = 0x0101010101010101U * first;
    std::uint64_t differences = 0;
    for (std::size_t word = 0; word < chunk / 8; ++word)
      differences |= load<std::uint64_t>(codes.data() + k, word) ^ all;
    if (differences == 0) {
      bytes_[first] += chunk;
      continue;
    }
    for (std::size_t at = k; at < k + chunk; at += 4)
      for (std::size_t lane = 0; lane < 4; ++lane)
        ++bytes_[256 * lane + std::to_integer<std::size_t>(codes[at + lane])];
  }
  for (; k < codes.size(); ++k) ++bytes_[std::to_integer<std::size_t>(codes[k])];
}

std::optional<std::int64_t> CodeCounter::add(std::span<const std::byte> codes) {
  const unsigned width = code_bytes(params_);
  if (largest_code(codes, width) > 2 * params_) {
    for (std::size_t k = 0; k < codes.size() / width; ++k) {
      const std::int64_t code =
          width == 1 ? std::to_integer<std::int64_t>(codes[k]) : load<std::int32_t>(codes.data(), k);
      if (code < 0 || static_cast<std::uint64_t>(code) > 2 * params_) return code;
    }
  }
  if (!few_.empty()) {
    count_wide(codes, few_);
  } else if (!many_.empty()) {
    count_wide(codes, many_);
  } else {
    count_bytes(codes);
  }
  return std::nullopt;
}

std::int64_t CodeCounter::total(std::uint64_t k) const {
  if (!few_.empty()) return few_[k + 1];
  if (!many_.empty()) return static_cast<std::int64_t>(many_[k + 1]);
  std::uint64_t sum = 0;
  for (std::size_t lane = 0; lane < 4; ++lane)
    sum += bytes_[256 * lane + 1 + k] + bytes_[256 * lane + 1 + params_ + k];
  return static_cast<std::int64_t>(sum);
}

std::optional<std::uint64_t> CodeCounter::first_difference(std::span<const std::int64_t> expected) const {
  for (std::uint64_t k = 0; k < params_; ++k)
    if (total(k) != expected[k]) return k;
  return std::nullopt;
}

}  // namespace intertwine
