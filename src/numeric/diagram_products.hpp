// The parts of products with diagrams: tensors contracted to the blocks of one side, put in another order of axes,
// mixed, and spread to the axes again. Nothing depends on the number of threads.
#pragma once
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "intertwine/tables/diagram_table.hpp"
#include "numeric/tables.hpp"

namespace intertwine::numeric_detail {

/// A block of axes of one side. Its own axis has an entry for every index; that of the determinant one for every set of indices.
struct SideBlock {
  enum class Form : std::uint8_t { agree, symplectic, determinant };
  std::vector<std::size_t> axes;  ///< the axes of the side, increasing
  std::size_t letter = 0;
  Form form = Form::agree;
  friend auto operator<=>(const SideBlock&, const SideBlock&) = default;
};
using Blocks = std::vector<SideBlock>;  ///< by their first axes
/// Places among the blocks.
using Kept = std::vector<std::size_t>;

/// One side of a diagram: its blocks, and which of them go on to the other side.
struct DiagramSide {
  Blocks blocks;
  Kept kept;
  friend auto operator<=>(const DiagramSide&, const DiagramSide&) = default;
};

/// The axes of one side at one size: what they are called, and how long they are.
struct SideAxes {
  std::vector<std::uint64_t> length;
  bool output = false;
  std::uint64_t entries() const;
};

/// How the tensor of a side with sums is made of one with a sum less: [before, after] are the sums over the middle of [before, middle, after].
struct SideSum {
  DiagramSide larger;
  std::uint64_t before = 1, middle = 1, after = 1;
};
SideSum sum_of(const DiagramSide& side, const SideAxes& axes);

/// The places of the entries of blocks among those of the axes, entry by entry, equally many terms for each: twice the
/// place, and 1 for a sign.
std::vector<std::uint64_t> place_table(const Blocks& blocks, const SideAxes& axes);

/// An array [channels, length...]; it owns its numbers or looks at others.
template <class T>
struct BlockTensor {
  std::vector<std::uint64_t> length;
  std::shared_ptr<Buffer<T>> memory;
  const T* data = nullptr;
  std::uint64_t entries() const;
};

/// The sources of one array [channels, axes], each made when it is asked for first from the next larger one.
template <class T>
class DiagramSources {
 public:
  DiagramSources(const T* x, std::uint64_t channels, const SideAxes& axes, unsigned threads)
      : x_(x), channels_(channels), axes_(axes), threads_(threads) {}
  /// Its axes are the kept ones.
  const BlockTensor<T>& get(const DiagramSide& side);
  /// Axis t is the order[t]-th kept one.
  const BlockTensor<T>& get(const DiagramSide& side, const std::vector<std::size_t>& order);

 private:
  const T* x_;
  std::uint64_t channels_;
  const SideAxes& axes_;
  unsigned threads_;
  std::map<DiagramSide, BlockTensor<T>> made_;
  std::map<std::pair<DiagramSide, std::vector<std::size_t>>, BlockTensor<T>> ordered_;
};

/// A tensor [channels, ...] on some axes of a larger one, the same along the others.
template <class T>
struct Spread {
  Kept axes;
  const T* data;
};

/// Channels of an array that are rows of the right factor of a product: row c has the entry data[c * channel + sum of index times step].
template <class T>
struct MixSource {
  const T* data;
  std::uint64_t channels, channel;
  std::vector<std::uint64_t> step;
};

/// y [rows, length...] = A [rows, depth] times the sources, one after the other, plus parts that are spread along axes that they have not. Nothing of the
/// size of y is made beside it.
template <class T>
void mix(std::uint64_t rows, std::span<const T> A, std::span<const MixSource<T>> from,
         std::vector<std::uint64_t> length, std::span<const Spread<T>> parts, T* y, unsigned threads);

/// out [rows, cols] += factor times the sums over the places of left [rows, places] times right [cols, places].
template <class T>
void add_correlation(std::uint64_t rows, std::uint64_t cols, std::uint64_t places, const T* left, const T* right,
                     double factor, double* out);

/// y [channels, axes] += the tensor [channels, blocks] where the indices of every block agree, with signs where they have a form.
template <class T>
void add_on_blocks(const T* tensor, const Blocks& blocks, const SideAxes& axes, std::uint64_t channels, T* y,
                   unsigned threads);

/// to [channels, length...] += the parts.
template <class T>
void add_spread(std::span<const Spread<T>> parts, const std::vector<std::uint64_t>& length, std::uint64_t channels,
                T* to, unsigned threads);

/// Numbers from entry to entry along every axis of a contiguous array.
std::vector<std::uint64_t> row_major(const std::vector<std::uint64_t>& length);
/// Every axis in a block of its own.
bool is_whole(const Blocks& blocks);
/// The lengths of the axes of blocks.
std::vector<std::uint64_t> lengths_of(const Blocks& blocks, const SideAxes& axes);

}  // namespace intertwine::numeric_detail
