// Products with diagrams: contractions and spreads.
#include "numeric/diagram_products.hpp"

#include <algorithm>
#include <numeric>

#include "numeric/kernels.hpp"
#include "numeric/parallel.hpp"

namespace intertwine::numeric_detail {

namespace {

using Form = SideBlock::Form;

std::uint64_t product(const std::vector<std::uint64_t>& factors) {
  return std::accumulate(factors.begin(), factors.end(), std::uint64_t{1}, std::multiplies<>());
}

/// The sign of the permutation that sorts these.
int parity(const std::vector<std::uint64_t>& order) {
  int sign = 1;
  for (std::size_t a = 0; a < order.size(); ++a)
    for (std::size_t b = a + 1; b < order.size(); ++b)
      if (order[a] > order[b]) sign = -sign;
  return sign;
}

/// The places of the entries of a block's axis among those of a side: `terms` places and signs for each.
struct Places {
  std::uint64_t count = 0, terms = 1;
  std::vector<std::uint64_t> offset;
  std::vector<signed char> sign;  ///< empty where all are +
};

/// Sets of indices are in lexicographic order; those of inputs in the order of their complements, with the sign of the determinant, so that
/// what is carried over is numbered alike on both sides.
Places determinant_places(std::uint64_t n, const std::vector<std::uint64_t>& strides, bool output) {
  Places out;
  const std::uint64_t axes = strides.size(), chosen_size = output ? axes : n - axes;
  std::vector<char> in_set(n, 0);
  std::fill(in_set.begin(), in_set.begin() + static_cast<std::ptrdiff_t>(chosen_size), 1);
  do {
    std::vector<std::uint64_t> order, rest;
    for (std::uint64_t i = 0; i < n; ++i) (in_set[i] != 0 ? order : rest).push_back(i);
    std::vector<std::uint64_t> mine = output ? order : rest;
    order.insert(order.end(), rest.begin(), rest.end());
    const int front = output ? 1 : parity(order);
    do {
      std::uint64_t at = 0;
      for (std::size_t a = 0; a < axes; ++a) at += mine[a] * strides[a];
      out.offset.push_back(at);
      out.sign.push_back(static_cast<signed char>(front * parity(mine)));
    } while (std::next_permutation(mine.begin(), mine.end()));
    ++out.count;
  } while (std::prev_permutation(in_set.begin(), in_set.end()));
  out.terms = out.offset.size() / out.count;
  return out;
}

Places places_of(const SideBlock& block, const SideAxes& axes) {
  const std::vector<std::uint64_t> strides = row_major(axes.length);
  const std::uint64_t n = axes.length[block.axes[0]];
  std::vector<std::uint64_t> mine;
  for (const std::size_t a : block.axes) mine.push_back(strides[a]);
  if (block.form == Form::determinant) return determinant_places(n, mine, axes.output);
  Places out;
  out.count = n;
  for (std::uint64_t i = 0; i < n; ++i) {
    if (block.form == Form::agree) {
      out.offset.push_back(i * std::accumulate(mine.begin(), mine.end(), std::uint64_t{0}));
    } else {
      const bool position = i < n / 2;
      out.offset.push_back(i * mine[0] + (position ? i + n / 2 : i - n / 2) * mine[1]);
      out.sign.push_back(position ? 1 : -1);
    }
  }
  return out;
}

/// visit(entry of the blocks, place among the axes, sign) for all entries.
template <class Visit>
void each_place(std::span<const Places> blocks, std::uint64_t entry, std::uint64_t at, int sign, const Visit& visit) {
  if (blocks.empty()) return visit(entry, at, sign);
  const Places& block = blocks[0];
  for (std::uint64_t i = 0; i < block.count; ++i)
    for (std::uint64_t t = i * block.terms; t < (i + 1) * block.terms; ++t) {
      const int more = block.sign.empty() ? sign : sign * block.sign[t];
      if (blocks.size() == 1)
        visit(entry * block.count + i, at + block.offset[t], more);
      else
        each_place(blocks.subspan(1), entry * block.count + i, at + block.offset[t], more, visit);
    }
}

std::vector<Places> places_of(const Blocks& blocks, const SideAxes& axes) {
  std::vector<Places> out;
  for (const SideBlock& block : blocks) out.push_back(places_of(block, axes));
  return out;
}

template <class T>
BlockTensor<T> made(std::vector<std::uint64_t> length, std::uint64_t channels) {
  BlockTensor<T> out{std::move(length), nullptr, nullptr};
  out.memory = std::make_shared<Buffer<T>>(channels * out.entries());
  out.data = out.memory->data();
  return out;
}

/// The sum of consecutive numbers, in lanes so that the processor can add several at once.
template <class T>
double sum_of(const T* x, std::uint64_t count) {
  constexpr std::uint64_t lanes = 16;
  double lane[lanes] = {};
  std::uint64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (std::uint64_t l = 0; l < lanes; ++l) lane[l] += static_cast<double>(x[i + l]);
  for (std::uint64_t l = 0; i < count; ++i, ++l) lane[l] += static_cast<double>(x[i]);
  return std::accumulate(lane, lane + lanes, 0.0);
}

/// to [before, after] = sums over the middle of from [before, middle, after].
template <class T>
void sum_middle(const T* from, std::uint64_t before, std::uint64_t middle, std::uint64_t after, T* to) {
  std::vector<double> sums(after);
  for (std::uint64_t b = 0; b < before; ++b, from += middle * after, to += after) {
    if (after == 1) {
      *to = static_cast<T>(sum_of(from, middle));
      continue;
    }
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::uint64_t m = 0; m < middle; ++m)
      for (std::uint64_t a = 0; a < after; ++a) sums[a] += static_cast<double>(from[m * after + a]);
    for (std::uint64_t a = 0; a < after; ++a) to[a] = static_cast<T>(sums[a]);
  }
}

/// to, rows to_step apart, is the transpose of four rows of four numbers, step apart.
template <class T>
void transpose_four(const T* from, std::uint64_t step, T* to, std::uint64_t to_step) {
  typedef T Row __attribute__((vector_size(4 * sizeof(T))));
  Row row[4];
  for (std::uint64_t k = 0; k < 4; ++k) __builtin_memcpy(&row[k], from + k * step, sizeof(Row));
  const Row low01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5),
            high01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7),
            low23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5),
            high23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
  row[0] = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
  row[1] = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
  row[2] = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
  row[3] = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
  for (std::uint64_t k = 0; k < 4; ++k) __builtin_memcpy(to + k * to_step, &row[k], sizeof(Row));
}

/// Axis t of `to` is axis order[t] of `from`.
template <class T>
void reorder(const T* from, const std::vector<std::uint64_t>& length, const std::vector<std::size_t>& order, T* to) {
  const std::size_t rank = length.size();
  const std::vector<std::uint64_t> strides = row_major(length);
  std::vector<std::uint64_t> to_length, step;
  for (const std::size_t a : order) to_length.push_back(length[a]), step.push_back(strides[a]);
  const std::vector<std::uint64_t> to_step = row_major(to_length);
  // Tiles of the two axes that are consecutive in one of the arrays, so that cache lines of both are used whole.
  const std::size_t near = static_cast<std::size_t>(std::find(order.begin(), order.end(), rank - 1) - order.begin());
  const std::uint64_t rows = near == rank - 1 ? 1 : to_length[near], cols = to_length[rank - 1];
  std::vector<std::uint64_t> outer;
  for (std::size_t t = 0; t + 1 < rank; ++t) outer.push_back(t == near ? 1 : to_length[t]);
  constexpr std::uint64_t tile = 32;
  for (std::uint64_t o = 0, count = product(outer); o < count; ++o) {
    std::uint64_t left = o, source = 0, target = 0;
    for (std::size_t t = outer.size(); t-- > 0; left /= outer[t]) {
      source += left % outer[t] * step[t];
      target += left % outer[t] * to_step[t];
    }
    for (std::uint64_t r = 0; r < rows; r += tile)
      for (std::uint64_t c = 0; c < cols; c += tile)
        for (std::uint64_t i = r; i < std::min(rows, r + tile); ++i)
          for (std::uint64_t j = c; j < std::min(cols, c + tile); ++j)
            to[target + (rows == 1 ? 0 : i * to_step[near]) + j] =
                from[source + (rows == 1 ? 0 : i * step[near]) + j * step[rank - 1]];
  }
}

}  // namespace

std::vector<std::uint64_t> row_major(const std::vector<std::uint64_t>& length) {
  std::vector<std::uint64_t> out(length.size(), 1);
  for (std::size_t a = length.size(); a-- > 1;) out[a - 1] = out[a] * length[a];
  return out;
}

bool is_whole(const Blocks& blocks) {
  return std::all_of(blocks.begin(), blocks.end(),
                     [](const SideBlock& b) { return b.axes.size() == 1 && b.form == Form::agree; });
}

std::uint64_t SideAxes::entries() const { return product(length); }
template <class T>
std::uint64_t BlockTensor<T>::entries() const {
  return product(length);
}

std::vector<std::uint64_t> lengths_of(const Blocks& blocks, const SideAxes& axes) {
  std::vector<std::uint64_t> out;
  for (const SideBlock& block : blocks) {
    const std::uint64_t n = axes.length[block.axes[0]];
    std::uint64_t count = n;
    if (block.form == Form::determinant) {
      count = 1;
      for (std::uint64_t k = 0; k < block.axes.size(); ++k) count = count * (n - k) / (k + 1);
    }
    out.push_back(count);
  }
  return out;
}

SideSum sum_of(const DiagramSide& side, const SideAxes& axes) {
  const std::vector<std::uint64_t> all = lengths_of(side.blocks, axes);
  std::size_t summed = side.blocks.size() - 1;
  while (std::find(side.kept.begin(), side.kept.end(), summed) != side.kept.end()) --summed;
  SideSum out{side, 1, all[summed], 1};
  out.larger.kept.insert(std::lower_bound(out.larger.kept.begin(), out.larger.kept.end(), summed), summed);
  for (const std::size_t k : side.kept) (k < summed ? out.before : out.after) *= all[k];
  return out;
}

std::vector<std::uint64_t> place_table(const Blocks& blocks, const SideAxes& axes) {
  const std::uint64_t entries = product(lengths_of(blocks, axes));
  std::vector<std::vector<std::uint64_t>> terms(entries);
  each_place(places_of(blocks, axes), 0, 0, 1, [&](std::uint64_t entry, std::uint64_t at, int sign) {
    terms[entry].push_back(2 * at + (sign < 0 ? 1 : 0));
  });
  std::vector<std::uint64_t> out;
  for (const auto& list : terms) out.insert(out.end(), list.begin(), list.end());
  return out;
}

template <class T>
const BlockTensor<T>& DiagramSources<T>::get(const DiagramSide& side) {
  if (const auto found = made_.find(side); found != made_.end()) return found->second;
  const std::vector<std::uint64_t> all = lengths_of(side.blocks, axes_);
  if (side.kept.size() == side.blocks.size()) {
    if (is_whole(side.blocks)) return made_[side] = BlockTensor<T>{all, nullptr, x_};
    BlockTensor<T> out = made<T>(all, channels_);
    const std::vector<Places> places = places_of(side.blocks, axes_);
    const std::uint64_t from = axes_.entries(), to = out.entries();
    parallel_for(threads_, channels_, [&](std::uint64_t c) {
      T* mine = out.memory->data() + c * to;
      std::fill(mine, mine + to, T{0});
      each_place(places, 0, 0, 1, [&](std::uint64_t entry, std::uint64_t at, int sign) {
        const T value = x_[c * from + at];
        mine[entry] += sign > 0 ? value : -value;
      });
    });
    return made_[side] = std::move(out);
  }
  const SideSum sum = sum_of(side, axes_);
  const BlockTensor<T>& whole = get(sum.larger);
  std::vector<std::uint64_t> length;
  for (const std::size_t k : side.kept) length.push_back(all[k]);
  BlockTensor<T> out = made<T>(length, channels_);
  parallel_for(threads_, channels_, [&](std::uint64_t c) {
    sum_middle(whole.data + c * whole.entries(), sum.before, sum.middle, sum.after,
               out.memory->data() + c * out.entries());
  });
  return made_[side] = std::move(out);
}

template <class T>
const BlockTensor<T>& DiagramSources<T>::get(const DiagramSide& side, const std::vector<std::size_t>& order) {
  const BlockTensor<T>& plain = get(side);
  if (std::is_sorted(order.begin(), order.end())) return plain;
  const auto key = std::pair(side, order);
  if (const auto found = ordered_.find(key); found != ordered_.end()) return found->second;
  std::vector<std::uint64_t> length;
  for (const std::size_t a : order) length.push_back(plain.length[a]);
  BlockTensor<T> out = made<T>(length, channels_);
  parallel_for(threads_, channels_, [&](std::uint64_t c) {
    reorder(plain.data + c * out.entries(), plain.length, order, out.memory->data() + c * out.entries());
  });
  return ordered_[key] = std::move(out);
}

namespace {

/// The places of the parts of a spread beside the rows of the larger tensor, along its last axis.
template <class T>
class SpreadRows {
 public:
  SpreadRows(std::span<const Spread<T>> parts, const std::vector<std::uint64_t>& length) : length_(length) {
    for (const Spread<T>& part : parts) {
      Part p{part.data, 1, std::vector<std::uint64_t>(length.size(), 0), false};
      for (std::size_t k = part.axes.size(); k-- > 0;) {
        p.step[part.axes[k]] = p.entries;
        p.entries *= length[part.axes[k]];
      }
      p.along = !length.empty() && p.step.back() != 0;
      parts_.push_back(std::move(p));
    }
  }
  /// to[j] = from[j] + the parts at first + j of a row of a channel, j < width.
  void add(std::uint64_t channel, std::uint64_t row, std::uint64_t first, std::uint64_t width, const T* from,
           T* to) const {
    T constant = 0;
    const T* along = nullptr;  // the first part along the last axis
    for (const Part& part : parts_) {
      const T* at = start(part, channel, row);
      if (!part.along)
        constant += *at;
      else if (along == nullptr)
        along = at + first;
    }
    if (along == nullptr)
      for (std::uint64_t j = 0; j < width; ++j) to[j] = from[j] + constant;
    else
      for (std::uint64_t j = 0; j < width; ++j) to[j] = from[j] + (along[j] + constant);
    bool seen = false;
    for (const Part& part : parts_) {
      if (part.along && seen) {
        const T* more = start(part, channel, row) + first;
        for (std::uint64_t j = 0; j < width; ++j) to[j] += more[j];
      }
      seen |= part.along;
    }
  }

 private:
  struct Part {
    const T* data;
    std::uint64_t entries = 1;
    std::vector<std::uint64_t> step;  ///< along the axes of the larger tensor, 0 for those that it has not
    bool along = false;               ///< it has the last axis
  };
  const T* start(const Part& part, std::uint64_t channel, std::uint64_t row) const {
    std::uint64_t at = channel * part.entries;
    for (std::size_t a = length_.size(); a-- > 1; row /= length_[a - 1]) at += row % length_[a - 1] * part.step[a - 1];
    return part.data + at;
  }
  const std::vector<std::uint64_t>& length_;
  std::vector<Part> parts_;
};

/// Stretches of lines, from start[i] + offset on, `step` apart, to the panels of every line: panel p of line i begins at (i * panels + p) * stride.
template <class T>
void gather(std::span<const T* const> start, std::uint64_t offset, std::uint64_t step, std::uint64_t width,
            std::uint64_t panels, std::uint64_t stride, T* to) {
  constexpr std::uint64_t ahead =
      8;  // lines of source that are asked for before they are needed: each is in another page
  for (std::uint64_t j = 0; j < width; j += 4) {
    for (std::uint64_t t = j + ahead; t < std::min(width, j + ahead + 4); ++t)
      for (std::uint64_t i = 0; i < start.size(); i += 64 / sizeof(T)) __builtin_prefetch(start[i] + offset + t * step);
    for (std::uint64_t i = 0; i < start.size(); ++i) {
      const T* from = start[i] + offset + j * step;
      T* put = to + (i * panels + j / kernels::panel) * stride + j % kernels::panel;
      if (j + 4 <= width && i + 4 <= start.size() && start[i + 1] == start[i] + 1 && start[i + 2] == start[i] + 2 &&
          start[i + 3] == start[i] + 3) {
        transpose_four(from, step, put, panels * stride);
        i += 3;
      } else {
        for (std::uint64_t t = 0; t < std::min<std::uint64_t>(4, width - j); ++t) put[t] = from[t * step];
      }
    }
  }
}

/// out [rows, width], rows out_stride apart, += A times the channels of a source from `start` on, where it lies: A [rows, channels] has a_stride numbers a row. Whole
/// panels of 16 numbers are written.
template <class T>
void add_product(std::uint64_t rows, const T* A, std::uint64_t a_stride, const MixSource<T>& source, const T* start,
                 std::uint64_t width, T* out, std::uint64_t out_stride, bool accumulate) {
  constexpr std::uint64_t lanes = 16;
  const auto& kernel = kernels::arithmetic<T>().attention;
  const std::uint64_t whole = width / lanes * lanes;
  kernels::RowProducts<T> product{rows, source.channels, whole, A,          a_stride,  1, start,
                                  0,    source.channel,  out,   out_stride, accumulate};
  kernel.row_products(product);
  if (whole == width) return;
  Buffer<T> rest(source.channels * lanes);  // the array may end with the line
  std::fill(rest.data(), rest.data() + rest.size(), T{0});
  for (std::uint64_t c = 0; c < source.channels; ++c)
    std::copy(start + c * source.channel + whole, start + c * source.channel + width, rest.data() + c * lanes);
  product.cols = product.b_depth = lanes;
  product.b = rest.data();
  product.c = out + whole;
  kernel.row_products(product);
}

/// The tasks of a square, (row, column), such that (i, j) and (j, i) follow one another: what one reads across is there for the other.
std::pair<std::uint64_t, std::uint64_t> pair_of(std::uint64_t task) {
  std::uint64_t far = 0;
  while ((far + 1) * (far + 1) <= task) ++far;
  const std::uint64_t near = (task - far * far) / 2;
  return (task - far * far) % 2 == 0 ? std::pair(far, near) : std::pair(near, far);
}

/// columns [depth][rows] in tiles of rows, [tile][depth][rows of the tile].
template <class T>
Buffer<T> in_tiles(std::uint64_t rows, std::uint64_t depth, const std::vector<T>& columns, std::uint64_t height) {
  Buffer<T> packed(rows * depth);
  for (std::uint64_t first = 0; first < rows; first += height)
    for (std::uint64_t k = 0, count = std::min(height, rows - first); k < depth; ++k)
      std::copy_n(columns.data() + k * rows + first, count, packed.data() + first * depth + k * count);
  return packed;
}

}  // namespace

template <class T>
void mix(std::uint64_t rows, std::span<const T> A, std::span<const MixSource<T>> from,
         std::vector<std::uint64_t> length, std::span<const Spread<T>> parts, T* y, unsigned threads) {
  using kernels::panel;
  const auto& kernel = kernels::arithmetic<T>();
  const std::uint64_t all = rows == 0 ? 0 : A.size() / rows, places = product(length), height = kernel.height;
  // Sources that run along the last axis are read where they lie, the others are gathered first.
  struct Part {
    const MixSource<T>* source;
    std::uint64_t column;  ///< the column of A
  };
  std::vector<Part> along, across;
  std::vector<T> gathered;  // the columns of A for those, [depth][rows]
  std::uint64_t column = 0;
  for (const MixSource<T>& source : from) {
    const bool runs = length.empty() || source.step.back() == 1;
    (runs ? along : across).push_back({&source, column});
    for (std::uint64_t c = 0; c < source.channels; ++c, ++column)
      for (std::uint64_t r = 0; r < rows && !runs; ++r) gathered.push_back(A[r * all + column]);
  }
  const std::uint64_t depth = rows == 0 ? 0 : gathered.size() / rows;
  const Buffer<T> packed = in_tiles<T>(rows, depth, gathered, height);
  const SpreadRows<T> spread(parts, length);
  // A line runs along the last axis. Several are done together, a stretch of columns at a time, so that sources whose axes are exchanged are read
  // by whole cache lines; what a task holds stays in the second-level cache.
  const std::uint64_t cols = length.empty() ? 1 : length.back(), lines = cols == 0 ? 0 : places / cols;
  const std::uint64_t block = lines > 1 ? 64 : 1, stretch = lines > 1 ? 2 * panel : 32 * panel,
                      tasks = ceil_div(cols, stretch);
  const bool paired = depth > 0 && tasks == ceil_div(lines, block);
  parallel_for(threads, ceil_div(lines, block) * tasks, [&](std::uint64_t task) {
    const auto [block_row, block_col] = paired ? pair_of(task) : std::pair(task / tasks, task % tasks);
    const std::uint64_t first_line = block_row * block, line_count = std::min(block, lines - first_line);
    const std::uint64_t first = block_col * stretch, width = std::min(stretch, cols - first),
                        panels = ceil_div(width, panel);
    const auto starts = [&](const MixSource<T>& source) {
      std::vector<const T*> start(line_count, source.data + first * (length.empty() ? 1 : source.step.back()));
      for (std::uint64_t i = 0; i < line_count; ++i)
        for (std::uint64_t a = length.size(), left = first_line + i; a-- > 1; left /= length[a - 1])
          start[i] += left % length[a - 1] * source.step[a - 1];
      return start;
    };
    // [line][panel][depth][panel], and a cache line between panels: powers of two would put all lines into one set of the cache.
    const std::uint64_t stride = depth * panel + 64 / sizeof(T);
    Buffer<T> right(depth == 0 ? 0 : line_count * panels * stride);
    if (width % panel != 0) std::fill(right.data(), right.data() + right.size(), T{0});
    std::uint64_t k = 0;
    for (const Part& part : across) {
      const std::vector<const T*> start = starts(*part.source);
      for (std::uint64_t c = 0; c < part.source->channels; ++c, ++k)
        gather<T>(start, c * part.source->channel, part.source->step.back(), width, panels, stride,
                  right.data() + k * panel);
    }
    std::vector<std::vector<const T*>> start;
    for (const Part& part : along) start.push_back(starts(*part.source));
    Buffer<T> out(rows * panels * panel);
    if (from.empty()) std::fill(out.data(), out.data() + out.size(), T{0});
    for (std::uint64_t i = 0; i < line_count; ++i) {
      for (std::uint64_t p = 0; p < panels && depth > 0; ++p)
        for (std::uint64_t r = 0; r < rows; r += height)
          kernel.multiply(depth, packed.data() + r * depth, right.data() + (i * panels + p) * stride,
                          out.data() + r * panels * panel + p * panel, panels * panel,
                          static_cast<unsigned>(std::min(height, rows - r)), panel, false);
      for (std::size_t s = 0; s < along.size(); ++s)
        add_product<T>(rows, A.data() + along[s].column, all, *along[s].source, start[s][i], width, out.data(),
                       panels * panel, depth > 0 || s > 0);
      for (std::uint64_t r = 0; r < rows; ++r)
        spread.add(r, first_line + i, first, width, out.data() + r * panels * panel,
                   y + r * places + (first_line + i) * cols + first);
    }
  });
}

template <class T>
void add_correlation(std::uint64_t rows, std::uint64_t cols, std::uint64_t places, const T* left, const T* right,
                     double factor, double* out) {
  constexpr std::uint64_t panel = kernels::panel, depth = 512;  // chains of this length are added in double
  const auto& kernel = kernels::arithmetic<T>();
  Buffer<T> a(depth * kernel.height), b(depth * panel), tile(kernel.height * panel);
  for (std::uint64_t c = 0; c < cols; c += panel)
    for (std::uint64_t p = 0; p < places; p += depth) {
      const std::uint64_t width = std::min(panel, cols - c), length = std::min(depth, places - p);
      for (std::uint64_t k = 0; k < length; ++k)
        for (std::uint64_t j = 0; j < panel; ++j) b[k * panel + j] = j < width ? right[(c + j) * places + p + k] : T{0};
      for (std::uint64_t r = 0; r < rows; r += kernel.height) {
        const std::uint64_t height = std::min<std::uint64_t>(kernel.height, rows - r);
        for (std::uint64_t k = 0; k < length; ++k)
          for (std::uint64_t i = 0; i < height; ++i) a[k * height + i] = left[(r + i) * places + p + k];
        kernel.multiply(length, a.data(), b.data(), tile.data(), panel, static_cast<unsigned>(height), panel, false);
        for (std::uint64_t i = 0; i < height; ++i)
          for (std::uint64_t j = 0; j < width; ++j)
            out[(r + i) * cols + c + j] += factor * static_cast<double>(tile[i * panel + j]);
      }
    }
}

template <class T>
void add_on_blocks(const T* tensor, const Blocks& blocks, const SideAxes& axes, std::uint64_t channels, T* y,
                   unsigned threads) {
  const std::vector<Places> places = places_of(blocks, axes);
  const std::uint64_t to = axes.entries(), from = product(lengths_of(blocks, axes));
  parallel_for(threads, channels, [&](std::uint64_t c) {
    each_place(places, 0, 0, 1, [&](std::uint64_t entry, std::uint64_t at, int sign) {
      const T value = tensor[c * from + entry];
      y[c * to + at] += sign > 0 ? value : -value;
    });
  });
}

template <class T>
void add_spread(std::span<const Spread<T>> parts, const std::vector<std::uint64_t>& length, std::uint64_t channels,
                T* to, unsigned threads) {
  const SpreadRows<T> spread(parts, length);
  const std::uint64_t cols = length.empty() ? 1 : length.back(), rows = cols == 0 ? 0 : product(length) / cols;
  constexpr std::uint64_t block = 64;  // rows that a thread takes at once
  parallel_for(threads, channels * ceil_div(rows, block), [&](std::uint64_t task) {
    const std::uint64_t c = task / ceil_div(rows, block), b = task % ceil_div(rows, block);
    for (std::uint64_t row = b * block; row < std::min(rows, (b + 1) * block); ++row) {
      T* line = to + (c * rows + row) * cols;
      spread.add(c, row, 0, cols, line, line);
    }
  });
}

#define INTERTWINE_DIAGRAM_PRODUCTS(T)                                                                             \
  template struct BlockTensor<T>;                                                                                  \
  template class DiagramSources<T>;                                                                                \
  template void mix(std::uint64_t, std::span<const T>, std::span<const MixSource<T>>, std::vector<std::uint64_t>,  \
                    std::span<const Spread<T>>, T*, unsigned);                                                     \
  template void add_correlation(std::uint64_t, std::uint64_t, std::uint64_t, const T*, const T*, double, double*); \
  template void add_on_blocks(const T*, const Blocks&, const SideAxes&, std::uint64_t, T*, unsigned);              \
  template void add_spread(std::span<const Spread<T>>, const std::vector<std::uint64_t>&, std::uint64_t, T*, unsigned);
INTERTWINE_DIAGRAM_PRODUCTS(float)
INTERTWINE_DIAGRAM_PRODUCTS(double)
#undef INTERTWINE_DIAGRAM_PRODUCTS

}  // namespace intertwine::numeric_detail
