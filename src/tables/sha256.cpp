// SHA-256.
#include "intertwine/tables/sha256.hpp"

#include <algorithm>

#include "sha256_blocks.hpp"

namespace intertwine {
namespace {

void compress(std::uint32_t* state, const std::byte* blocks, std::size_t count) {
  static const sha256_detail::Compress chosen = sha256_detail::compress_with_instructions()
                                                    ? sha256_detail::compress_with_instructions()
                                                    : sha256_detail::compress_portable;
  chosen(state, blocks, count);
}

}  // namespace

void Sha256::add(std::span<const std::byte> bytes) {
  const std::size_t waiting = bytes_ % block_.size();
  bytes_ += bytes.size();
  if (waiting != 0) {
    const std::size_t taken = std::min(bytes.size(), block_.size() - waiting);
    std::copy_n(bytes.begin(), taken, block_.begin() + static_cast<std::ptrdiff_t>(waiting));
    bytes = bytes.subspan(taken);
    if (waiting + taken < block_.size()) return;
    compress(state_.data(), block_.data(), 1);
  }
  const std::size_t whole = bytes.size() / block_.size();
  compress(state_.data(), bytes.data(), whole);
  const auto rest = bytes.subspan(whole * block_.size());
  std::copy(rest.begin(), rest.end(), block_.begin());
}

std::string Sha256::hex() {
  // A bit 1, zeros, and the length in bits as the last eight bytes of a block.
  const std::uint64_t bits = 8 * bytes_;
  std::array<std::byte, 72> tail{std::byte{0x80}};
  const std::size_t zeros = (119 - bytes_ % 64) % 64;
  for (std::size_t k = 0; k < 8; ++k) tail[1 + zeros + k] = static_cast<std::byte>(bits >> (56 - 8 * k));
  add(std::span(tail).first(1 + zeros + 8));
  std::string out;
  for (const std::uint32_t word : state_)
    for (int shift = 28; shift >= 0; shift -= 4) out += "0123456789abcdef"[word >> shift & 15];
  return out;
}

}  // namespace intertwine
