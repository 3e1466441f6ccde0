// The tables of a pattern that the CUDA kernels need beside its codes: computed on the host, the same for the
// emulation.
#pragma once
#include <vector>

#include "numeric/cuda/bodies.hpp"
#include "numeric/pattern_data.hpp"

namespace intertwine::numeric_detail::cuda {

struct TileTables {
  std::vector<u16> places;
  std::vector<Run> runs;      ///< and one behind the last, for its begin
  std::vector<u32> run_ptr;   ///< [tiles + 1]
  std::vector<u32> slot_ptr;  ///< [params + 1]
  u64 tiles() const { return run_ptr.size() - 1; }
  u64 slots() const { return runs.size() - 1; }
};

/// \throws LimitError for 2^31 entries or more.
TileTables tile_tables(const PatternData& pattern);

/// Codes in panels of 128 rows, [panels][cols][128], filled up with 0. Only for one-byte codes.
std::vector<u8> tall_codes(const PatternData& pattern);

/// True if reduce uses private bins (else tiles).
inline bool uses_bins(const PatternData& pattern) { return table_entries(pattern.params) <= 256; }

}  // namespace intertwine::numeric_detail::cuda
