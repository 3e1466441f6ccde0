// The tables that the CUDA kernels need of a pattern.
#include "numeric/cuda/plan_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "intertwine/error.hpp"

namespace intertwine::numeric_detail::cuda {

TileTables tile_tables(const PatternData& pattern) {
  const u64 entries = pattern.rows * pattern.cols, params = pattern.params;
  if (entries >= most_entries)
    throw LimitError(fmt::format("the CUDA kernels take tables of fewer than 2^31 entries; this one has {}", entries));
  const u32 size = tile_size(entries);
  TileTables out;
  std::vector<u32> parameter;               // of each run
  std::vector<std::pair<u32, u16>> inside;  // (parameter, place) of a tile
  out.run_ptr.push_back(0);
  for (u64 first = 0; first < entries; first += size) {
    inside.clear();
    std::visit(
        [&](const auto& codes) {
          for (u64 at = first; at < entries && at < first + size; ++at) {
            const u64 code = codes[at];
            if (code == 0) continue;
            const bool minus = code > params;
            inside.emplace_back(static_cast<u32>(code - 1 - (minus ? params : 0)),
                                static_cast<u16>((at - first) | (minus ? minus_mark : 0U)));
          }
        },
        pattern.codes);
    std::stable_sort(inside.begin(), inside.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    u32 length = 0;
    for (std::size_t k = 0; k < inside.size(); ++k, ++length) {
      if (k == 0 || inside[k].first != inside[k - 1].first || length == run_limit) {
        out.runs.push_back({static_cast<u32>(out.places.size()), 0});
        parameter.push_back(inside[k].first);
        length = 0;
      }
      out.places.push_back(inside[k].second);
    }
    out.run_ptr.push_back(static_cast<u32>(out.runs.size()));
  }
  out.slot_ptr.assign(params + 1, 0);
  for (const u32 k : parameter) ++out.slot_ptr[k + 1];
  for (u64 k = 0; k < params; ++k) out.slot_ptr[k + 1] += out.slot_ptr[k];
  std::vector<u32> next(out.slot_ptr.begin(), out.slot_ptr.end() - 1);
  for (std::size_t r = 0; r < out.runs.size(); ++r) out.runs[r].slot = next[parameter[r]]++;
  out.runs.push_back({static_cast<u32>(out.places.size()), 0});
  return out;
}

std::vector<u8> tall_codes(const PatternData& pattern) {
  const auto& codes = std::get<std::span<const u8>>(pattern.codes);
  std::vector<u8> out(ceil_div(pattern.rows, tall_panel) * pattern.cols * tall_panel, 0);
  for (u64 i = 0; i < pattern.rows; ++i)
    for (u64 j = 0; j < pattern.cols; ++j)
      out[(i / tall_panel * pattern.cols + j) * tall_panel + i % tall_panel] = codes[i * pattern.cols + j];
  return out;
}

}  // namespace intertwine::numeric_detail::cuda
