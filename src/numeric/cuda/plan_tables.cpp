#include "numeric/cuda/plan_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "intertwine/error.hpp"

namespace intertwine::numeric_detail::cuda {

SegmentTables segment_tables(const PatternData& pattern) {
  const u64 entries = pattern.rows * pattern.cols, params = pattern.params;
  if (entries >= most_entries)
    throw LimitError(
        fmt::format("the CUDA kernels take tables of fewer than 2^31 entries; this one has {}", entries));
  SegmentTables out;
  std::vector<u64> ptr(params + 1, 0);
  for (u64 k = 0; k < params; ++k) ptr[k + 1] = ptr[k] + static_cast<u64>(pattern.orbit_size[k]);
  out.entries.resize(ptr[params]);
  std::vector<u64> next(ptr.begin(), ptr.end() - 1);
  std::visit(
      [&](const auto& codes) {
        for (u64 at = 0; at < entries; ++at) {
          const u64 code = codes[at];
          if (code == 0) continue;
          const bool minus = code > params;
          out.entries[next[code - 1 - (minus ? params : 0)]++] =
              static_cast<u32>(at) | (minus ? minus_bit : 0);
        }
      },
      pattern.codes);
  out.piece_ptr.push_back(0);
  for (u64 k = 0; k < params; ++k) {
    for (u64 begin = ptr[k]; begin < ptr[k + 1]; begin += segment_piece)
      out.pieces.push_back({static_cast<u32>(begin),
                            static_cast<u32>(std::min(begin + segment_piece, ptr[k + 1])),
                            static_cast<u32>(out.pieces.size())});
    out.piece_ptr.push_back(out.pieces.size());
  }
  // By address: warps that run at the same time read the same stretch of memory.
  std::sort(out.pieces.begin(), out.pieces.end(), [&](const Segment& a, const Segment& b) {
    const u32 x = out.entries[a.begin] & ~minus_bit, y = out.entries[b.begin] & ~minus_bit;
    return std::pair(x, a.slot) < std::pair(y, b.slot);
  });
  return out;
}

std::vector<u8> tall_codes(const PatternData& pattern) {
  const auto& codes = std::get<std::vector<u8>>(pattern.codes);
  std::vector<u8> out(ceil_div(pattern.rows, tall_panel) * pattern.cols * tall_panel, 0);
  for (u64 i = 0; i < pattern.rows; ++i)
    for (u64 j = 0; j < pattern.cols; ++j)
      out[(i / tall_panel * pattern.cols + j) * tall_panel + i % tall_panel] = codes[i * pattern.cols + j];
  return out;
}

}  // namespace intertwine::numeric_detail::cuda
