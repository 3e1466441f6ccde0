// What the CUDA kernels need of a pattern beside its codes: computed on the host, the same for the emulation.
#pragma once
#include <vector>

#include "numeric/cuda/bodies.hpp"
#include "numeric/pattern_data.hpp"

namespace intertwine::numeric_detail::cuda {

struct SegmentTables {
  std::vector<u32> entries;  ///< positions by parameter and address, minus_bit for -theta
  std::vector<Segment>
      pieces;  ///< by their first address; at most segment_piece entries, none across two parameters
  std::vector<u64> piece_ptr;  ///< [params + 1]: the slots of each parameter
};

/// \throws LimitError for 2^31 entries or more.
SegmentTables segment_tables(const PatternData& pattern);

/// Codes in panels of 128 rows, [panels][cols][128], filled up with 0. Only for one-byte codes.
std::vector<u8> tall_codes(const PatternData& pattern);

/// True if reduce uses private bins (else segments).
inline bool uses_bins(const PatternData& pattern) {
  return std::holds_alternative<std::vector<u8>>(pattern.codes);
}

}  // namespace intertwine::numeric_detail::cuda
