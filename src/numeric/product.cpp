// Products of layers with dense, streamed and looked-up weights.
#include "numeric/product.hpp"

#include <algorithm>
#include <cstring>

#include "numeric/parallel.hpp"
#include "numeric/sparse_basis.hpp"

namespace intertwine::numeric_detail {
namespace {

using kernels::panel;

constexpr std::uint64_t max_group = 4;  // panels that multiply_few takes

constexpr std::uint64_t rows_at_once = 240;  // of x: its packed block stays in the second-level cache

template <class T>
constexpr std::uint64_t depth_at_once = 1024 / sizeof(T);  // a block of weights stays in the first-level cache

// Rows of a matrix in tiles of `height`, each packed [depth][rows of the tile].
template <class T>
class PackedRows {
 public:
  // Entry (row, k) is at from[row * row_stride + k * depth_stride].
  PackedRows(const T* from, std::uint64_t rows, std::uint64_t depth, std::uint64_t row_stride,
             std::uint64_t depth_stride, unsigned threads)
      : height_(kernels::arithmetic<T>().height), rows_(rows), depth_(depth), packed_(rows * depth) {
    parallel_for(threads, tiles(), [&](std::uint64_t t) {
      const std::uint64_t count = height(t);
      T* to = packed_.data() + t * height_ * depth_;
      const T* first = from + t * height_ * row_stride;
      for (std::uint64_t k = 0; k < depth_; ++k)
        for (std::uint64_t r = 0; r < count; ++r) *to++ = first[r * row_stride + k * depth_stride];
    });
  }
  std::uint64_t tiles() const { return ceil_div(rows_, height_); }
  std::uint64_t first(std::uint64_t tile) const { return tile * height_; }
  std::uint64_t height(std::uint64_t tile) const { return std::min(height_, rows_ - tile * height_); }
  const T* at(std::uint64_t tile, std::uint64_t k) const {
    return packed_.data() + tile * height_ * depth_ + k * height(tile);
  }
  std::uint64_t tiles_in(std::uint64_t rows) const { return std::max<std::uint64_t>(1, rows / height_); }

 private:
  std::uint64_t height_, rows_, depth_;
  Buffer<T> packed_;
};

struct PanelPlace {
  std::uint64_t channel, panel;  // by channel: the panel within its channel
  std::uint64_t first, width;    // outputs
};

PanelPlace place_of(const PanelShape& W, std::uint64_t p) {
  if (!W.by_channel()) return {0, p, p * panel, std::min<std::uint64_t>(panel, W.outputs() - p * panel)};
  const std::uint64_t channel = p / W.channel_panels(), local = p % W.channel_panels();
  return {channel, local, channel * W.rows + local * panel, std::min<std::uint64_t>(panel, W.rows - local * panel)};
}

// Wide codes are looked up where they lie: columns [from, to) of `width` rows `stride` apart go to lanes, a few columns at a time so that
// lines of codes are read whole.
template <class T, class Code>
void expand_turned(const Code* codes, std::uint64_t stride, std::uint64_t width, std::uint64_t from, std::uint64_t to,
                   const T* table, T* out) {
  constexpr std::uint64_t at_once = 16;
  for (; from < to; from += at_once, out += at_once * panel) {
    const std::uint64_t count = std::min(at_once, to - from);
    for (std::uint64_t lane = 0; lane < panel; ++lane) {
      const Code* row = codes + lane * stride + from;
      T* place = out + lane;
      __builtin_prefetch(row + 4 * at_once);  // rows are far apart: the processor does not see the pattern
      if (lane >= width)
        for (std::uint64_t c = 0; c < count; ++c) place[c * panel] = T{0};
      else if (count == at_once)
        for (std::uint64_t c = 0; c < at_once; ++c) place[c * panel] = table[row[c]];
      else
        for (std::uint64_t c = 0; c < count; ++c) place[c * panel] = table[row[c]];
    }
  }
}

// Rows [from, to) of `width` columns: lanes lie as codes do.
template <class T, class Code>
void expand_straight(const Code* codes, std::uint64_t stride, std::uint64_t width, std::uint64_t from, std::uint64_t to,
                     const T* table, T* out) {
  for (std::uint64_t i = from; i < to; ++i, out += panel) {
    const Code* row = codes + i * stride;
    __builtin_prefetch(row + 16 * stride);
    if constexpr (sizeof(Code) > 2) __builtin_prefetch(row + 16 * stride + panel / 2);
    if (width == panel) {
      for (std::uint64_t lane = 0; lane < panel; ++lane) out[lane] = table[row[lane]];
      continue;
    }
    for (std::uint64_t lane = 0; lane < panel; ++lane) out[lane] = lane < width ? table[row[lane]] : T{0};
  }
}

// Lanes of a panel whose outputs run on through the channels, one by one.
template <class T, class Code>
void expand_lanes(const Operand<T>& W, const Tables<T>& tables, std::span<const Code> codes, PanelPlace place,
                  std::uint64_t in, std::uint64_t j, std::uint64_t count, T* block) {
  for (std::uint64_t lane = 0; lane < panel; ++lane) {
    if (lane >= place.width) {
      for (std::uint64_t c = 0; c < count; ++c) block[c * panel + lane] = T{0};
      continue;
    }
    const std::uint64_t i = (place.first + lane) % W.rows;
    const T* table = tables.of((place.first + lane) / W.rows, in);
    const std::uint64_t step = W.is_transposed ? W.rows : 1;
    const Code* code = codes.data() + (W.is_transposed ? j * W.rows + i : i * W.cols + j);
    for (std::uint64_t c = 0; c < count; ++c) block[c * panel + lane] = table[code[c * step]];
  }
}

// Makes blocks of weights: inputs [from, to) of panel p, as [to - from][panel].
template <class T>
class Expander {
 public:
  Expander(const Operand<T>& W, const Tables<T>* tables) : W_(W), tables_(tables), codes_(tables ? most * panel : 0) {}

  void expand(std::uint64_t p, std::uint64_t from, std::uint64_t to, T* out) {
    const PanelPlace place = place_of(W_, p);
    if (tables_ == nullptr) return expand_elements(place, from, to, out);
    std::visit(
        [&](const auto& codes) {
          for (std::uint64_t k = from; k < to;) {
            const std::uint64_t in = k / W_.cols, j = k % W_.cols, count = std::min({W_.cols - j, to - k, most});
            expand_codes_of(codes, place, in, j, count, out + (k - from) * panel);
            k += count;
          }
        },
        W_.pattern.tied().data().codes);
  }

 private:
  static constexpr std::uint64_t most = 256;

  template <class Code>
  void expand_codes_of(std::span<const Code> codes, PanelPlace place, std::uint64_t in, std::uint64_t j,
                       std::uint64_t count, T* block) {
    if (!W_.by_channel()) return expand_lanes(W_, *tables_, codes, place, in, j, count, block);
    const std::uint64_t first = place.panel * panel;
    const T* table = tables_->of(place.channel, in);
    if constexpr (sizeof(Code) > 1) {
      if (W_.is_transposed)
        expand_straight(codes.data() + first, W_.rows, place.width, j, j + count, table, block);
      else
        expand_turned(codes.data() + first * W_.cols, W_.cols, place.width, j, j + count, table, block);
    } else {
      if (W_.is_transposed)
        copy_codes(codes.data() + first, W_.rows, place.width, j, j + count, codes_.data());
      else
        turn_codes(codes.data() + first * W_.cols, W_.cols, place.width, j, j + count, codes_.data());
      kernels::arithmetic<T>().expand(codes_.data(), count * panel, 1, count * panel, table,
                                      static_cast<unsigned>(W_.pattern.tied().data().entries()), block, count * panel,
                                      false);
    }
  }

  // Sums of general elements, as materialise() takes them.
  void expand_elements(PanelPlace place, std::uint64_t from, std::uint64_t to, T* out) const {
    const SparseBasis::Data::Rows& rows =
        W_.is_transposed ? W_.pattern.sparse().data().by_column() : W_.pattern.sparse().data().by_row();
    const Multiplicity c = W_.layer_channels();
    std::fill(out, out + (to - from) * panel, T{0});
    for (std::uint64_t lane = 0; lane < place.width; ++lane) {
      const std::uint64_t output = W_.by_channel() ? place.panel * panel + lane : (place.first + lane) % W_.rows;
      const std::uint64_t channel = W_.by_channel() ? place.channel : (place.first + lane) / W_.rows;
      for (std::uint64_t k = from; k < to;) {
        const std::uint64_t in = k / W_.cols, j = k % W_.cols, end = std::min(W_.cols, j + to - k);
        const std::uint64_t place_in_theta = W_.is_transposed ? in * c.in + channel : channel * c.in + in;
        const auto last = rows.terms.begin() + static_cast<std::ptrdiff_t>(rows.ptr[output + 1]);
        auto term = std::lower_bound(rows.terms.begin() + static_cast<std::ptrdiff_t>(rows.ptr[output]), last, j,
                                     [](const auto& t, std::uint64_t at) { return t.col < at; });
        while (term != last && term->col < end) {
          const std::uint64_t col = term->col;
          double sum = 0;
          for (; term != last && term->col == col; ++term)
            sum += term->value * static_cast<double>(W_.theta[place_in_theta + term->parameter * c.out * c.in]);
          out[(k - from + col - j) * panel + lane] = static_cast<T>(sum);
        }
        k += end - j;
      }
    }
  }

  const Operand<T>& W_;
  const Tables<T>* tables_;
  Buffer<std::uint8_t> codes_;
};

// Calls use(tables, first panel, last panel) for all panels: tables are nullptr for general elements.
template <class T, class Use>
void for_panels(const Operand<T>& W, const Use& use) {
  if (!W.pattern.is_tied()) return use(static_cast<const Tables<T>*>(nullptr), std::uint64_t{0}, W.panels());
  const std::uint64_t step = W.by_channel() ? 1 : panel;  // channels that end with a panel
  for_tables<T>(W.pattern.tied().data(), W.layer_channels(), W.is_transposed, W.theta, step,
                [&](const Tables<T>& tables) {
                  const auto panels_before = [&](std::uint64_t channel) {
                    return W.by_channel() ? channel * W.channel_panels() : ceil_div(channel * W.rows, panel);
                  };
                  use(&tables, panels_before(tables.first), panels_before(tables.first + tables.count));
                });
}

// Panels that are multiplied at once for so many rows.
template <class T>
std::uint64_t panels_at_once(std::uint64_t rows) {
  const auto& kernel = kernels::arithmetic<T>();
  return rows <= kernel.few_rows ? kernel.few_panels : 1;
}

// Panels [first, last) of y = W x for the tiles [tile, last_tile) of x; weights(p, count, from, to, stride) gives a block of weights of
// `count` panels and sets the numbers from panel to panel.
template <class T, class Weights>
void multiply_panels(const PanelShape& W, const PackedRows<T>& x, std::uint64_t first, std::uint64_t last,
                     std::uint64_t tile, std::uint64_t last_tile, T* y, const Weights& weights) {
  const auto& kernel = kernels::arithmetic<T>();
  const std::uint64_t inputs = W.inputs(), outputs = W.outputs();
  const std::uint64_t group = last_tile == tile + 1 ? panels_at_once<T>(x.height(tile)) : 1;
  const std::uint64_t depth = depth_at_once<T> / group;
  for (std::uint64_t from = 0; from < inputs; from += depth) {
    const std::uint64_t to = std::min(inputs, from + depth);
    for (std::uint64_t p = first; p < last; p += group) {
      const std::uint64_t count = std::min(group, last - p);
      std::uint64_t stride = 0;
      const T* block = weights(p, count, from, to, stride);
      PanelPlace place[max_group];
      T* results[max_group];
      bool whole = count > 1 && count == group;
      for (std::uint64_t g = 0; g < count; ++g) {
        place[g] = place_of(W, p + g);
        results[g] = y + x.first(tile) * outputs + place[g].first;
        whole = whole && place[g].width == panel;
      }
      if (whole) {
        kernel.multiply_few(static_cast<unsigned>(x.height(tile)), to - from, x.at(tile, from), block, stride, results,
                            outputs, from > 0);
        continue;
      }
      for (std::uint64_t g = 0; g < count; ++g)
        for (std::uint64_t t = tile; t < last_tile; ++t)
          kernel.multiply(to - from, x.at(t, from), block + g * stride, y + x.first(t) * outputs + place[g].first,
                          outputs, static_cast<unsigned>(x.height(t)), static_cast<unsigned>(place[g].width), from > 0);
    }
  }
}

}  // namespace

template <class T>
Buffer<T> pack_weights(const Operand<T>& W, unsigned threads) {
  const std::uint64_t inputs = W.inputs();
  Buffer<T> out(checked_product({W.panels(), inputs, panel, sizeof(T)}, "the array of weights") / sizeof(T));
  for_panels(W, [&](const Tables<T>* tables, std::uint64_t first, std::uint64_t last) {
    parallel_for(threads, last - first, [&](std::uint64_t task) {
      Expander<T>(W, tables).expand(first + task, 0, inputs, out.data() + (first + task) * inputs * panel);
    });
  });
  return out;
}

template <class T>
Buffer<T> pack_weights(const PanelShape& shape, const T* W, bool transpose, unsigned threads) {
  const std::uint64_t inputs = shape.inputs(), outputs = shape.outputs();
  Buffer<T> out(checked_product({shape.panels(), inputs, panel, sizeof(T)}, "the array of weights") / sizeof(T));
  parallel_for(threads, shape.panels(), [&](std::uint64_t p) {
    const PanelPlace place = place_of(shape, p);
    T* to = out.data() + p * inputs * panel;
    for (std::uint64_t k = 0; k < inputs; ++k, to += panel) {
      const T* from = transpose ? W + k * outputs + place.first : W + place.first * inputs + k;
      for (std::uint64_t lane = 0; lane < place.width; ++lane) to[lane] = from[lane * (transpose ? 1 : inputs)];
      std::fill(to + place.width, to + panel, T{0});
    }
  });
  return out;
}

template <class T>
void multiply_dense(const PanelShape& W, const Buffer<T>& packed, std::uint64_t batch, const T* x, T* y,
                    unsigned threads) {
  const std::uint64_t inputs = W.inputs();
  const PackedRows<T> rows(x, batch, inputs, inputs, 1, threads);
  const std::uint64_t tiles_at_once = rows.tiles_in(rows_at_once), ranges = ceil_div(rows.tiles(), tiles_at_once);
  const std::uint64_t piece = std::max<std::uint64_t>(1, W.panels() / (4 * std::uint64_t{threads}));
  const std::uint64_t groups = threads == 1 ? 1 : ceil_div(W.panels(), piece);
  parallel_for(threads, ranges * groups, [&](std::uint64_t task) {
    const std::uint64_t range = task / groups, group = task % groups;
    const std::uint64_t first = groups == 1 ? 0 : group * piece;
    const std::uint64_t last = groups == 1 ? W.panels() : std::min(W.panels(), first + piece);
    multiply_panels(W, rows, first, last, range * tiles_at_once, std::min(rows.tiles(), (range + 1) * tiles_at_once), y,
                    [&](std::uint64_t p, std::uint64_t, std::uint64_t from, std::uint64_t, std::uint64_t& stride) {
                      stride = inputs * panel;
                      return packed.data() + (p * inputs + from) * panel;
                    });
  });
}

template <class T>
void multiply_streamed(const Operand<T>& W, std::uint64_t batch, const T* x, T* y, unsigned threads) {
  const std::uint64_t inputs = W.inputs();
  const PackedRows<T> rows(x, batch, inputs, inputs, 1, threads);
  const std::uint64_t group = rows.tiles() == 1 ? panels_at_once<T>(batch) : 1;
  for_panels(W, [&](const Tables<T>* tables, std::uint64_t begin, std::uint64_t end) {
    parallel_for(threads, ceil_div(end - begin, group), [&](std::uint64_t task) {
      Buffer<T> block(depth_at_once<T> * panel);
      Expander<T> expander(W, tables);
      const std::uint64_t first = begin + task * group;
      multiply_panels(
          W, rows, first, std::min(end, first + group), 0, rows.tiles(), y,
          [&](std::uint64_t p, std::uint64_t count, std::uint64_t from, std::uint64_t to, std::uint64_t& stride) {
            stride = depth_at_once<T> / group * panel;
            for (std::uint64_t g = 0; g < count; ++g) expander.expand(p + g, from, to, block.data() + g * stride);
            return block.data();
          });
    });
  });
}

template <class T>
bool registers_hold(const Operand<T>& W, std::uint64_t batch) {
  if (!W.pattern.is_tied() || !W.by_channel()) return false;
  const std::uint64_t entries = W.pattern.tied().data().entries();
  const auto& kernel = kernels::arithmetic<T>();
  return (entries <= kernel.lookup_entries || (entries <= kernel.plane_entries && batch <= kernels::plane_rows));
}

template <class T>
void multiply_lookup(const Operand<T>& W, std::uint64_t batch, const T* x, T* y, unsigned threads) {
  if (!registers_hold(W, batch)) return multiply_streamed(W, batch, x, y, threads);
  const std::uint64_t inputs = W.inputs(), outputs = W.outputs();
  const PatternData& data = W.pattern.tied().data();
  const auto codes = std::get<std::span<const std::uint8_t>>(data.codes);
  constexpr std::uint64_t at_once = 4, few = 64;
  const std::uint64_t groups = ceil_div(W.channel_panels(), at_once);
  const std::uint8_t* packed = batch < few && !W.is_transposed ? data.packed() : nullptr;
  for_panels(W, [&](const Tables<T>* tables, std::uint64_t, std::uint64_t) {
    parallel_for(threads, groups, [&](std::uint64_t group) {
      const std::uint64_t first = group * at_once, panels = std::min(at_once, W.channel_panels() - first);
      std::vector<std::uint8_t> own;
      if (packed == nullptr) own = pack_codes(codes, data.rows, data.cols, W.is_transposed, first, panels);
      for (std::uint64_t out = tables->first; out < tables->first + tables->count; ++out)
        kernels::arithmetic<T>().lookup(
            {packed == nullptr ? own.data() : packed + first * W.cols * panel, panels, W.cols, W.channels.in,
             tables->of(out, 0), tables->room, static_cast<unsigned>(data.entries()), x, inputs, batch,
             y + out * W.rows + first * panel, outputs, std::min(panels * panel, W.rows - first * panel)});
    });
  });
}

namespace {

// Columns [first, first + count) of x (batch x inputs) as right factors: [panels][batch][panel].
template <class T>
Buffer<T> column_panels(const T* x, std::uint64_t batch, std::uint64_t inputs, std::uint64_t first,
                        std::uint64_t count) {
  const std::uint64_t panels = ceil_div(count, panel);
  Buffer<T> out(panels * batch * panel);
  T* to = out.data();
  for (std::uint64_t p = 0; p < panels; ++p) {
    const std::uint64_t width = std::min<std::uint64_t>(panel, count - p * panel);
    for (std::uint64_t b = 0; b < batch; ++b, to += panel) {
      std::memcpy(to, x + b * inputs + first + p * panel, width * sizeof(T));
      std::fill(to + width, to + panel, T{0});
    }
  }
  return out;
}

// Rows of dW = dy^T x, those of the tiles [tile, last) of `left`, which holds rows of dy^T; `right` holds `width` columns of x.
template <class T>
void outer_product(const PackedRows<T>& left, std::uint64_t tile, std::uint64_t last, const Buffer<T>& right,
                   std::uint64_t batch, std::uint64_t width, T* dW) {
  for (std::uint64_t from = 0; from < batch; from += depth_at_once<T>)
    for (std::uint64_t p = 0; p < ceil_div(width, panel); ++p)
      for (std::uint64_t t = tile; t < last; ++t)
        kernels::arithmetic<T>().multiply(
            std::min(depth_at_once<T>, batch - from), left.at(t, from), right.data() + (p * batch + from) * panel,
            dW + (left.first(t) - left.first(tile)) * width + p * panel, width, static_cast<unsigned>(left.height(t)),
            static_cast<unsigned>(std::min<std::uint64_t>(panel, width - p * panel)), from > 0);
}

// The sums of the parameters of a chunk for `count` input channels, those of channel c to sums + c * step. A few rows of dW at a time, so that they
// are added while they are in the second-level cache.
template <class T>
void sum_outer_product(const PatternData& pattern, std::uint64_t chunk, const PackedRows<T>& left,
                       const Buffer<T>& right, std::uint64_t batch, std::uint64_t count, T* sums, std::uint64_t step) {
  constexpr std::uint64_t piece_entries = (std::uint64_t{1} << 17) / sizeof(T);
  const std::uint64_t N = pattern.cols, width = count * N, first = chunk * pattern.reduction.chunk_rows;
  std::vector<ChunkSums<T>> of_channel(count, ChunkSums<T>(pattern));
  for (auto& of : of_channel) of.start();
  const std::uint64_t tiles = of_channel.front().whole() ? left.tiles() : left.tiles_in(piece_entries / width);
  Buffer<T> dW(std::min(tiles * left.height(0), pattern.rows - first) * width);
  for (std::uint64_t tile = 0; tile < left.tiles(); tile += tiles) {
    const std::uint64_t last = std::min(left.tiles(), tile + tiles),
                        rows = left.first(last - 1) + left.height(last - 1) - left.first(tile);
    outer_product(left, tile, last, right, batch, width, dW.data());
    for (std::uint64_t c = 0; c < count; ++c)
      of_channel[c].add(first + left.first(tile), rows, dW.data() + c * N, width);
  }
  for (std::uint64_t c = 0; c < count; ++c) of_channel[c].finish(sums + c * step);
}

template <class T>
void tied_gradient(const PatternData& pattern, Multiplicity channels, std::uint64_t batch, const T* x, const T* dy,
                   T* dtheta, unsigned threads) {
  const std::uint64_t M = pattern.rows, N = pattern.cols, P = pattern.params;
  const std::uint64_t inputs = channels.in * N, outputs = channels.out * M, pairs = channels.in * channels.out;
  std::fill(dtheta, dtheta + P * pairs, T{0});
  const Reduction& plan = pattern.reduction;
  if (plan.chunks == 0 || batch == 0 || pairs == 0) return;
  // Some input channels at once, so that narrow patterns fill the panels.
  constexpr std::uint64_t block_entries = std::uint64_t{1} << 18;
  const std::uint64_t at_once = std::clamp<std::uint64_t>(block_entries / (plan.chunk_rows * N), 1, channels.in);
  const std::uint64_t groups = ceil_div(channels.in, at_once);
  std::vector<T> partial(plan.chunks * pairs * P);
  parallel_for(threads, groups, [&](std::uint64_t group) {
    const std::uint64_t first_in = group * at_once, count_in = std::min(at_once, channels.in - first_in);
    const std::uint64_t width = count_in * N;
    const Buffer<T> right = column_panels(x, batch, inputs, first_in * N, width);
    parallel_for(groups > 1 ? 1 : threads, channels.out * plan.chunks, [&](std::uint64_t task) {
      const std::uint64_t out = task / plan.chunks, chunk = task % plan.chunks;
      const std::uint64_t first = chunk * plan.chunk_rows, rows = std::min(plan.chunk_rows, M - first);
      sum_outer_product(pattern, chunk, PackedRows<T>(dy + out * M + first, rows, batch, 1, outputs, 1), right, batch,
                        count_in, partial.data() + ((out * channels.in + first_in) * plan.chunks + chunk) * P,
                        plan.chunks * P);
    });
  });
  for (std::uint64_t pair = 0; pair < pairs; ++pair)
    for (std::uint64_t chunk = 0; chunk < plan.chunks; ++chunk)
      for (std::uint64_t k = 0; k < P; ++k) dtheta[k * pairs + pair] += partial[(pair * plan.chunks + chunk) * P + k];
}

// One pair of channels of dW at a time.
template <class T>
void sparse_gradient(const SparseBasis& basis, Multiplicity channels, std::uint64_t batch, const T* x, const T* dy,
                     T* dtheta, unsigned threads) {
  const std::uint64_t M = basis.rows(), N = basis.cols(), pairs = channels.in * channels.out;
  if (M == 0 || N == 0 || batch == 0) {
    std::fill(dtheta, dtheta + basis.params() * pairs, T{0});
    return;
  }
  parallel_for(threads, channels.in, [&](std::uint64_t in) {
    const Buffer<T> right = column_panels(x, batch, channels.in * N, in * N, N);
    parallel_for(channels.in > 1 ? 1 : threads, channels.out, [&](std::uint64_t out) {
      const PackedRows<T> left(dy + out * M, M, batch, 1, channels.out * M, 1);
      Buffer<T> dW(M * N);
      outer_product(left, 0, left.tiles(), right, batch, N, dW.data());
      std::vector<T> sum(basis.params());
      sum_gradients<T>(basis, {1, 1}, dW.data(), sum.data(), N, 1);
      for (std::uint64_t k = 0; k < sum.size(); ++k) dtheta[k * pairs + out * channels.in + in] = sum[k];
    });
  });
}

}  // namespace

template <class T>
void parameter_gradient(const PreparedPattern& weights, Multiplicity channels, std::uint64_t batch, const T* x,
                        const T* dy, T* dtheta, unsigned threads) {
  if (weights.is_tied())
    tied_gradient(weights.tied().data(), channels, batch, x, dy, dtheta, threads);
  else
    sparse_gradient(weights.sparse(), channels, batch, x, dy, dtheta, threads);
}

template <class T>
void bias_gradient(const PreparedPattern& bias, std::uint64_t out, std::uint64_t batch, const T* dy, std::span<T> dbias,
                   unsigned threads) {
  const std::uint64_t outputs = out * bias.rows();
  std::vector<T> sums(outputs, T{0});
  for (std::uint64_t b = 0; b < batch; ++b)
    for (std::uint64_t r = 0; r < outputs; ++r) sums[r] += dy[b * outputs + r];
  reduce_gradient<T>(bias, {out, 1}, sums, dbias, 0, threads);
}

#define INTERTWINE_FOR(T)                                                                                       \
  template Buffer<T> pack_weights(const Operand<T>&, unsigned);                                                 \
  template Buffer<T> pack_weights(const PanelShape&, const T*, bool, unsigned);                                 \
  template void multiply_dense(const PanelShape&, const Buffer<T>&, std::uint64_t, const T*, T*, unsigned);     \
  template void multiply_streamed(const Operand<T>&, std::uint64_t, const T*, T*, unsigned);                    \
  template bool registers_hold(const Operand<T>&, std::uint64_t);                                               \
  template void multiply_lookup(const Operand<T>&, std::uint64_t, const T*, T*, unsigned);                      \
  template void parameter_gradient(const PreparedPattern&, Multiplicity, std::uint64_t, const T*, const T*, T*, \
                                   unsigned);                                                                   \
  template void bias_gradient(const PreparedPattern&, std::uint64_t, std::uint64_t, const T*, std::span<T>, unsigned);
INTERTWINE_FOR(float)
INTERTWINE_FOR(double)
#undef INTERTWINE_FOR

}  // namespace intertwine::numeric_detail
