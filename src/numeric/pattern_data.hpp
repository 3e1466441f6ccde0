// The contents of a TiedPattern.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

#include "numeric/kernels.hpp"
#include "numeric/packed_codes.hpp"
#include "numeric/plan.hpp"
#include "numeric/tied_pattern.hpp"

namespace intertwine::numeric_detail {

/// The order in which gradients are summed; see reduction.cpp. A function of the codes alone.
struct Reduction {
  enum class Method { none, bins, runs, tables, sequence } method = Method::none;
  std::uint64_t chunk_rows = 1;  ///< chunks of rows are summed apart and then added in order
  std::uint64_t chunks = 0;
  unsigned lanes = 1;  ///< the lanes of the reduction `tables`
  /// The runs of the reduction `runs`: those of row i are [run_ptr[i], run_ptr[i + 1]).
  std::vector<kernels::Run> runs;
  std::vector<std::uint64_t> run_ptr;
  std::vector<std::uint32_t> slot_code;  ///< the code of every slot that runs are added to
};

/// Z/sides[0] x Z/sides[1] x ..., the last side the fastest index.
struct Torus {
  std::vector<std::uint64_t> sides;
  std::uint64_t points = 1;
};

struct PatternData {
  std::uint64_t rows = 0, cols = 0, params = 0;
  CodeView codes;                      ///< row-major
  std::shared_ptr<const void> holder;  ///< the holder of their memory
  bool signs = false;                  ///< some entry is -theta_k
  std::vector<std::int64_t> orbit_size;
  Reduction reduction;

  /// The entries of the look-up table that the codes need: [0, theta, -theta], or [0, theta] where nothing is -theta_k.
  std::uint64_t entries() const { return signs ? table_entries(params) : 1 + params; }

  /// One-byte codes in panels of rows, as look-ups in registers read them; nullptr the first time that they are wanted, so that what
  /// runs once takes the memory of the table alone.
  const std::uint8_t* packed() const;
  /// See find_torus() of fourier.hpp; found on first use.
  const std::optional<Torus>& torus() const;

 private:
  mutable std::once_flag packed_once_, torus_once_;
  mutable std::optional<Torus> torus_;
  mutable std::vector<std::uint8_t> packed_;
  mutable std::atomic<bool> wanted_ = false;
};

Reduction plan_reduction(const PatternData& pattern);

/// The signed sums [params] over the rows of chunks, one chunk after the other, with working memory that they share. Data is float, double, or
/// std::uint16_t for bfloat16 (then Sum is float).
template <class Sum>
class ChunkSums {
 public:
  explicit ChunkSums(const PatternData& pattern) : pattern_(pattern) {}

  /// Do the rows of a chunk have to come at once? `bins` keeps its sums in registers.
  bool whole() const { return pattern_.reduction.method == Reduction::Method::bins; }
  void start();
  /// The rows [first, first + rows) of the pattern, the next ones of the chunk. `data` is the first entry of the first of them.
  template <class Data>
  void add(std::uint64_t first, std::uint64_t rows, const Data* data, std::uint64_t stride);
  void finish(Sum* sums);
  /// All of a chunk. `data` is the first entry of its first row.
  template <class Data>
  void reduce(std::uint64_t chunk, const Data* data, std::uint64_t stride, Sum* sums);

 private:
  const PatternData& pattern_;
  std::vector<Sum> sums_;    ///< private tables or slots
  std::vector<Sum> narrow_;  ///< rows of a narrow pattern, put together (numbers of Data, at most as wide as Sum)
};

}  // namespace intertwine::numeric_detail
