#include "io/code_counter.hpp"

#include <algorithm>
#include <cstring>

#include "intertwine/equivariant/tied_table.hpp"

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
  return width == 1 ? largest<std::uint8_t>(codes) : largest<std::uint32_t>(codes);
}

CodeCounter::CodeCounter(std::uint64_t params)
    : params_(params),
      lanes_(params < 4096 ? 4 : 1),
      stride_(code_bytes(params) == 1 ? 256 : 2 * params + 1),
      counts_(lanes_ * stride_) {}

template <class Code>
std::optional<std::int64_t> CodeCounter::add_codes(std::span<const std::byte> codes) {
  const std::byte* const data = codes.data();
  const std::size_t size = codes.size() / sizeof(Code);
  if (largest_code(codes, sizeof(Code)) > 2 * params_) {
    for (std::size_t k = 0; k < size; ++k) {
      const std::int64_t code = load<Code>(data, k);
      if (code < 0 || static_cast<std::uint64_t>(code) > 2 * params_) return code;
    }
  }
  const std::size_t step = lanes_ == 4 ? stride_ : 0;
  std::int64_t* const counts = counts_.data();
  std::size_t k = 0;
  for (; k + 4 <= size; k += 4) {
    ++counts[static_cast<std::size_t>(load<Code>(data, k))];
    ++counts[static_cast<std::size_t>(load<Code>(data, k + 1)) + step];
    ++counts[static_cast<std::size_t>(load<Code>(data, k + 2)) + 2 * step];
    ++counts[static_cast<std::size_t>(load<Code>(data, k + 3)) + 3 * step];
  }
  for (; k < size; ++k) ++counts[static_cast<std::size_t>(load<Code>(data, k))];
  return std::nullopt;
}

std::optional<std::int64_t> CodeCounter::add(std::span<const std::byte> codes) {
  return code_bytes(params_) == 1 ? add_codes<std::uint8_t>(codes) : add_codes<std::int32_t>(codes);
}

std::vector<std::int64_t> CodeCounter::totals() const {
  std::vector<std::int64_t> out(params_);
  for (std::size_t lane = 0; lane < lanes_; ++lane)
    for (std::uint64_t k = 0; k < params_; ++k)
      out[k] += counts_[lane * stride_ + 1 + k] + counts_[lane * stride_ + 1 + params_ + k];
  return out;
}

}  // namespace intertwine
