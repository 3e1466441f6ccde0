// Codes where they lie, and in the order in which products read them.
#pragma once
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "numeric/kernels.hpp"
#include "numeric/plan.hpp"

namespace intertwine::numeric_detail {

/// Codes, row-major, in the table that they came from or in memory of the pattern's own.
using CodeView = std::variant<std::span<const std::uint8_t>, std::span<const std::uint16_t>,
                              std::span<const std::uint32_t>>;

/// Columns [from, to) of `count` rows of codes, `stride` apart, turned: row r goes to lane r of [to - from][kernels::panel]. Lanes
/// from `count` on get code 0.
void turn_codes(const std::uint8_t* codes, std::uint64_t stride, std::uint64_t count, std::uint64_t from,
                std::uint64_t to, std::uint8_t* out);
template <class Code>
void turn_codes(const Code* codes, std::uint64_t stride, std::uint64_t count, std::uint64_t from,
                std::uint64_t to, Code* out) {
  for (std::uint64_t lane = 0; lane < kernels::panel; ++lane)
    for (std::uint64_t j = from; j < to; ++j)
      out[(j - from) * kernels::panel + lane] = lane < count ? codes[lane * stride + j] : Code{0};
}

/// Rows [from, to) of `count` columns of codes, as [to - from][kernels::panel]: what turn_codes() gives of the transpose.
template <class Code>
void copy_codes(const Code* codes, std::uint64_t stride, std::uint64_t count, std::uint64_t from,
                std::uint64_t to, Code* out) {
  for (std::uint64_t i = from; i < to; ++i, out += kernels::panel) {
    std::uint64_t lane = 0;
    if (count == kernels::panel)
      for (; lane < kernels::panel; ++lane) out[lane] = codes[i * stride + lane];
    else
      for (; lane < kernels::panel; ++lane) out[lane] = lane < count ? codes[i * stride + lane] : Code{0};
  }
}

/// Panels [first, first + count) of the rows of a row-major array, or of its columns: the codes of input j of panel p begin at
/// ((p - first) * inputs + j) * kernels::panel.
std::vector<std::uint8_t> pack_codes(std::span<const std::uint8_t> codes, std::uint64_t rows,
                                     std::uint64_t cols, bool transpose, std::uint64_t first,
                                     std::uint64_t count);

}  // namespace intertwine::numeric_detail
