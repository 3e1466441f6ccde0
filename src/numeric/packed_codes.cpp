// Codes in the order in which products read them.
#include "numeric/packed_codes.hpp"

#include <algorithm>
#include <cstring>

namespace intertwine::numeric_detail {
namespace {

// Sixteen bytes; the interleaving below is one instruction of the baseline.
using Bytes = std::uint8_t __attribute__((vector_size(16)));

Bytes low(Bytes a, Bytes b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
Bytes high(Bytes a, Bytes b) {
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

// A block of 16 x 16 bytes, turned: interleaved four times.
void turn_block(const std::uint8_t* from, std::uint64_t stride, std::uint8_t* to) {
  Bytes block[16], next[16];
  for (std::uint64_t r = 0; r < 16; ++r) std::memcpy(&block[r], from + r * stride, 16);
  for (int round = 0; round < 4; ++round) {
    for (std::uint64_t k = 0; k < 8; ++k) {
      next[2 * k] = low(block[k], block[k + 8]);
      next[2 * k + 1] = high(block[k], block[k + 8]);
    }
    std::memcpy(block, next, sizeof block);
  }
  for (std::uint64_t r = 0; r < 16; ++r) std::memcpy(to + r * kernels::panel, &block[r], 16);
}

}  // namespace

void turn_codes(const std::uint8_t* codes, std::uint64_t stride, std::uint64_t count, std::uint64_t from,
                std::uint64_t to, std::uint8_t* out) {
  constexpr std::uint64_t width = kernels::panel, side = 16;
  for (std::uint64_t lane = 0; lane < width; lane += side) {
    std::uint64_t j = from;
    if (lane + side <= count)
      for (; j + side <= to; j += side) turn_block(codes + lane * stride + j, stride, out + (j - from) * width + lane);
    for (; j < to; ++j)
      for (std::uint64_t l = lane; l < lane + side; ++l)
        out[(j - from) * width + l] = l < count ? codes[l * stride + j] : std::uint8_t{0};
  }
}

void copy_codes(const std::uint8_t* codes, std::uint64_t stride, std::uint64_t count, std::uint64_t from,
                std::uint64_t to, std::uint8_t* out) {
  constexpr std::uint64_t width = kernels::panel;
  for (std::uint64_t i = from; i < to; ++i, out += width) {
    __builtin_prefetch(codes + (i + 16) * stride);  // rows are far apart: the processor does not see the pattern
    if (count == width) {
      std::memcpy(out, codes + i * stride, width);
      continue;
    }
    std::memcpy(out, codes + i * stride, count);
    std::memset(out + count, 0, width - count);
  }
}

std::vector<std::uint8_t> pack_codes(std::span<const std::uint8_t> codes, std::uint64_t rows, std::uint64_t cols,
                                     bool transpose, std::uint64_t first, std::uint64_t count) {
  constexpr std::uint64_t width = kernels::panel;
  const std::uint64_t outputs = transpose ? cols : rows, inputs = transpose ? rows : cols;
  std::vector<std::uint8_t> out(count * inputs * width);
  for (std::uint64_t p = 0; p < count; ++p) {
    const std::uint64_t output = (first + p) * width, lanes = std::min(width, outputs - output);
    std::uint8_t* to = out.data() + p * inputs * width;
    if (transpose)
      copy_codes(codes.data() + output, cols, lanes, 0, inputs, to);
    else
      turn_codes(codes.data() + output * cols, cols, lanes, 0, inputs, to);
  }
  return out;
}

}  // namespace intertwine::numeric_detail
