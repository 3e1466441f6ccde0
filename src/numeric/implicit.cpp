// Products by orbit sums: the inputs of each orbit are added first.
#include "numeric/implicit.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "numeric/parallel.hpp"
#include "numeric/pattern_data.hpp"
#include "numeric/sparse_basis.hpp"
#include "numeric/tables.hpp"

namespace intertwine::numeric_detail {
namespace {

using kernels::panel;

/// One sum of a row: of the inputs at places [first, last), added to slot `slot` or subtracted from it.
struct Step {
  std::uint32_t slot, first, last;
  bool minus, fresh;  ///< fresh: the slot is empty before
};
/// One term of a row of general elements.
struct Term {
  std::uint32_t slot, place;
  double value;
};

/// How the sums of some rows are made. Slots are the parameters that occur in a row, in order; behind them may be one more, of the inputs
/// that have none.
struct RowSums {
  struct Row {
    std::uint32_t first_step, last_step, first_parameter, last_parameter;
    std::int32_t complement;  ///< the slot that is all inputs minus the other slots; -1: none
    std::uint32_t slots;
  };
  std::vector<Row> rows;
  std::vector<Step> steps;
  std::vector<Term> terms;  ///< the terms of general elements, in the place of steps
  std::vector<std::uint32_t> places, parameters;
  std::uint32_t most_slots = 0;

  std::span<const std::uint32_t> parameters_of(const Row& row) const {
    return std::span(parameters).subspan(row.first_parameter, row.last_parameter - row.first_parameter);
  }
  void clear() {
    rows.clear();
    steps.clear();
    terms.clear();
    places.clear();
    parameters.clear();
    most_slots = 0;
  }
};

/// Rows of W, or of its transpose.
class Side {
 public:
  Side(const PreparedPattern& pattern, bool transpose)
      : pattern_(pattern),
        transpose_(transpose),
        rows_(transpose ? pattern.cols() : pattern.rows()),
        cols_(transpose ? pattern.rows() : pattern.cols()),
        params_(pattern.params()) {}
  std::uint64_t rows() const { return rows_; }
  std::uint64_t cols() const { return cols_; }
  std::uint64_t params() const { return params_; }

  /// Finds the sums of rows [first, last).
  void find(std::uint64_t first, std::uint64_t last, RowSums& out) {
    out.clear();
    if (!pattern_.is_tied()) return find_elements(first, last, out);
    const PatternData& data = pattern_.tied().data();
    const std::uint64_t entries = table_entries(params());
    count_.resize(entries > cols_ ? entries : counters * entries, 0);
    std::visit(
        [&](const auto& codes) {
          for (std::uint64_t i = first; i < last; ++i)
            add_row(codes.data() + (transpose_ ? i : i * data.cols), transpose_ ? data.cols : 1, out);
        },
        data.codes);
  }

 private:
  static constexpr std::uint64_t counters =
      4;  // of each code: equal codes follow each other, and one would wait for itself

  // The codes that occur, in any order, and how often each: in the first of its counters.
  template <class Code>
  void count(const Code* codes, std::uint64_t step) {
    found_.clear();
    const std::uint64_t entries = table_entries(params_);
    if (entries > cols_) {
      for (std::uint64_t j = 0; j < cols_; ++j)
        if (count_[codes[j * step]]++ == 0) found_.push_back(codes[j * step]);
      return;
    }
    std::uint32_t* all = count_.data();
    std::uint64_t j = 0;
    for (; j + counters <= cols_; j += counters)
      for (std::uint64_t c = 0; c < counters; ++c) ++all[c * entries + codes[(j + c) * step]];
    for (; j < cols_; ++j) ++all[codes[j * step]];
    for (std::uint32_t code = 0; code < entries; ++code) {
      for (std::uint64_t c = 1; c < counters; ++c) all[code] += std::exchange(all[c * entries + code], 0U);
      if (all[code] != 0) found_.push_back(code);
    }
  }

  template <class Code>
  void add_row(const Code* codes, std::uint64_t step, RowSums& out) {
    count(codes, step);
    const bool signs = std::any_of(found_.begin(), found_.end(), [&](std::uint32_t code) { return code > params_; });
    const auto key = [&](std::uint32_t code) {  // by parameters, + before -, and code 0 last
      return code == 0         ? std::pair(~std::uint32_t{0}, false)
             : code <= params_ ? std::pair(code - 1, false)
                               : std::pair(static_cast<std::uint32_t>(code - 1 - params_), true);
    };
    std::sort(found_.begin(), found_.end(), [&](auto a, auto b) { return key(a) < key(b); });
    const auto most =
        std::max_element(found_.begin(), found_.end(), [&](auto a, auto b) { return count_[a] < count_[b]; });
    const bool complement =
        !signs && most != found_.end() && *most != 0 && 2 * std::uint64_t{count_[*most]} > cols_ + 2 * found_.size();
    const std::uint32_t left_out = complement ? *most : ~std::uint32_t{0};
    RowSums::Row row{
        static_cast<std::uint32_t>(out.steps.size()), 0, static_cast<std::uint32_t>(out.parameters.size()), 0, -1, 0};
    auto place = static_cast<std::uint32_t>(out.places.size());
    for (const std::uint32_t code : found_) {
      const std::uint32_t count = count_[code];
      count_[code] = place;  // from here on: where its next place goes
      if (code == 0 && !complement) continue;
      const auto [parameter, minus] = key(code);
      const bool fresh =
          code == 0 || out.parameters.size() == row.first_parameter || out.parameters.back() != parameter;
      if (fresh) {
        ++row.slots;
        if (code != 0) out.parameters.push_back(parameter);
      }
      if (code == left_out) {
        row.complement = static_cast<std::int32_t>(row.slots - 1);
        continue;
      }
      out.steps.push_back({row.slots - 1, place, place + count, minus, fresh});
      place += count;
    }
    out.places.resize(place);
    for (std::uint64_t j = 0; j < cols_; ++j) {
      const std::uint32_t code = codes[j * step];
      if (code == left_out || (code == 0 && !complement)) continue;
      out.places[count_[code]++] = static_cast<std::uint32_t>(j);
    }
    for (const std::uint32_t code : found_) count_[code] = 0;
    row.last_step = static_cast<std::uint32_t>(out.steps.size());
    row.last_parameter = static_cast<std::uint32_t>(out.parameters.size());
    out.most_slots = std::max(out.most_slots, row.slots);
    out.rows.push_back(row);
  }

  void find_elements(std::uint64_t first, std::uint64_t last, RowSums& out) {
    const SparseBasis::Data& data = pattern_.sparse().data();
    const SparseBasis::Data::Rows& all = transpose_ ? data.by_column() : data.by_row();
    for (std::uint64_t i = first; i < last; ++i) {
      found_.clear();
      for (std::uint64_t t = all.ptr[i]; t < all.ptr[i + 1]; ++t) found_.push_back(all.terms[t].parameter);
      std::sort(found_.begin(), found_.end());
      found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
      const auto slots = static_cast<std::uint32_t>(found_.size());
      RowSums::Row row{static_cast<std::uint32_t>(out.terms.size()),
                       0,
                       static_cast<std::uint32_t>(out.parameters.size()),
                       0,
                       -1,
                       slots};
      for (std::uint64_t t = all.ptr[i]; t < all.ptr[i + 1]; ++t) {
        const auto at = std::lower_bound(found_.begin(), found_.end(), all.terms[t].parameter);
        out.terms.push_back({static_cast<std::uint32_t>(at - found_.begin()), all.terms[t].col, all.terms[t].value});
      }
      out.parameters.insert(out.parameters.end(), found_.begin(), found_.end());
      row.last_step = static_cast<std::uint32_t>(out.terms.size());
      row.last_parameter = static_cast<std::uint32_t>(out.parameters.size());
      out.most_slots = std::max(out.most_slots, slots);
      out.rows.push_back(row);
    }
  }

  const PreparedPattern& pattern_;
  bool transpose_;
  std::uint64_t rows_, cols_, params_;
  std::vector<std::uint32_t> count_, found_;  ///< count_ is 0 everywhere between rows
};

// The sums of a row, [slots][width], from x [cols][width] and, for a complement, the sum of all of x.
template <class T>
void sum_row(const RowSums& all, const RowSums::Row& row, const T* x, const T* total, std::uint64_t width, T* sums) {
  const auto add = kernels::arithmetic<T>().orbit_sums;
  if (!all.terms.empty()) {
    std::fill(sums, sums + row.slots * width, T{0});
    for (std::uint32_t t = row.first_step; t < row.last_step; ++t) {
      const Term& term = all.terms[t];
      const T value = static_cast<T>(term.value);
      for (std::uint64_t c = 0; c < width; ++c) sums[term.slot * width + c] += value * x[term.place * width + c];
    }
    return;
  }
  for (std::uint32_t s = row.first_step; s < row.last_step; ++s) {
    const Step& step = all.steps[s];
    T* to = sums + step.slot * width;
    add(all.places.data() + step.first, step.last - step.first, x, width, width, step.fresh ? nullptr : to, step.minus,
        to);
  }
  if (row.complement < 0) return;
  const auto left_out = static_cast<std::uint32_t>(row.complement);
  T* to = sums + left_out * width;
  std::copy(total, total + width, to);
  for (std::uint32_t slot = 0; slot < row.slots; ++slot)
    if (slot != left_out) add(&slot, 1, sums, width, width, to, true, to);
}

// The sum of all rows of x [cols][width].
template <class T>
void sum_all(std::uint64_t cols, const T* x, std::uint64_t width, T* total) {
  std::vector<std::uint32_t> places(cols);
  std::iota(places.begin(), places.end(), 0U);
  kernels::arithmetic<T>().orbit_sums(places.data(), cols, x, width, width, nullptr, false, total);
}

// Parameters that follow each other in theta are multiplied at once: calls f(slot, parameter, count) for each run.
template <class F>
void for_runs(std::span<const std::uint32_t> parameters, const F& f) {
  for (std::size_t first = 0; first < parameters.size();) {
    std::size_t last = first + 1;
    while (last < parameters.size() && parameters[last] == parameters[first] + (last - first)) ++last;
    f(first, parameters[first], last - first);
    first = last;
  }
}

constexpr std::uint64_t line = 16;  // neighbouring entries that are moved together

// `count` numbers cut into pieces of at most `most`, as equal as can be.
struct Pieces {
  std::uint64_t count, pieces, size;
  Pieces(std::uint64_t n, std::uint64_t most) : count(n), pieces(ceil_div(n, most)), size(ceil_div(n, pieces)) {}
  std::uint64_t first(std::uint64_t p) const { return std::min(count, p * size); }
  std::uint64_t length(std::uint64_t p) const { return first(p + 1) - first(p); }
};

// Rows of codes that are looked at together, so that their places stay in the second-level cache.
std::uint64_t rows_for_threads(std::uint64_t rows, std::uint64_t cols, unsigned threads) {
  const std::uint64_t cached =
      std::max<std::uint64_t>(line, (std::uint64_t{1} << 16) / std::max<std::uint64_t>(1, cols));
  const std::uint64_t shared = threads == 1 ? rows : ceil_div(rows, 4 * std::uint64_t{threads});
  return ceil_div(std::max<std::uint64_t>(1, std::min(cached, shared)), line) * line;
}

// Vectors [first, first + count) of the batch, as [cols][channels][count].
template <class T>
void turn_batch(const T* x, ArrayStrides strides, std::uint64_t cols, std::uint64_t channels, std::uint64_t first,
                std::uint64_t count, T* out) {
  const std::uint64_t width = channels * count;
  for (std::uint64_t j = 0; j < cols; j += line) {
    const std::uint64_t end = std::min(cols, j + line);
    for (std::uint64_t c = 0; c < channels; ++c)
      for (std::uint64_t b = 0; b < count; ++b) {
        const T* from = x + (first + b) * strides.batch + c * strides.channel;
        T* to = out + c * count + b;
        for (std::uint64_t k = j; k < end; ++k) to[k * width] = from[k * strides.entry];
      }
  }
}

}  // namespace

template <class T>
void multiply_implicit(const PreparedPattern& weights, Multiplicity channels, bool transpose, const T* theta,
                       std::uint64_t batch, const T* x, ArrayStrides x_strides, T* y, ArrayStrides y_strides,
                       unsigned threads) {
  Side side(weights, transpose);
  const std::uint64_t M = side.rows(), N = side.cols(), P = side.params();
  const std::uint64_t in = transpose ? channels.out : channels.in, out = transpose ? channels.in : channels.out;
  const std::uint64_t panels = ceil_div(out, panel), results = panels * panel;
  if (batch == 0 || M == 0 || out == 0) return;
  // theta as the right factor, [panel of output channels][(k, in)][panel].
  Buffer<T> right(panels * P * in * panel);
  std::fill(right.data(), right.data() + right.size(), T{0});
  for (std::uint64_t k = 0; k < P; ++k)
    for (std::uint64_t co = 0; co < channels.out; ++co)
      for (std::uint64_t ci = 0; ci < channels.in; ++ci) {
        const std::uint64_t o = transpose ? ci : co, i = transpose ? co : ci;
        right[(o / panel * P * in + k * in + i) * panel + o % panel] =
            theta[(k * channels.out + co) * channels.in + ci];
      }
  const Pieces tiles(batch, kernels::arithmetic<T>().height);
  Buffer<T> columns(batch * N * in), totals(batch * in);
  parallel_for(threads, tiles.pieces, [&](std::uint64_t t) {
    T* turned = columns.data() + tiles.first(t) * N * in;
    turn_batch(x, x_strides, N, in, tiles.first(t), tiles.length(t), turned);
    sum_all(N, turned, in * tiles.length(t), totals.data() + tiles.first(t) * in);
  });
  const std::uint64_t at_once = rows_for_threads(M, N, threads);
  parallel_for(threads, ceil_div(M, at_once), [&](std::uint64_t chunk) {
    const std::uint64_t begin = chunk * at_once, end = std::min(M, begin + at_once);
    RowSums sums;
    Side(side).find(begin, end, sums);
    Buffer<T> values(sums.most_slots * in * tiles.size), result(line * tiles.size * results);
    for (std::uint64_t t = 0; t < tiles.pieces; ++t) {
      const std::uint64_t height = tiles.length(t), width = in * height, first = tiles.first(t);
      for (std::uint64_t i = begin; i < end; i += line) {
        const std::uint64_t count = std::min(line, end - i);
        for (std::uint64_t r = 0; r < count; ++r) {
          const RowSums::Row& row = sums.rows[i - begin + r];
          sum_row(sums, row, columns.data() + first * N * in, totals.data() + first * in, width, values.data());
          T* to = result.data() + r * height * results;
          if (row.first_parameter == row.last_parameter || in == 0) std::fill(to, to + height * results, T{0});
          for (std::uint64_t p = 0; p < panels; ++p)
            for_runs(sums.parameters_of(row), [&](std::size_t slot, std::uint32_t parameter, std::size_t run) {
              if (in == 0) return;
              kernels::arithmetic<T>().multiply(run * in, values.data() + slot * width,
                                                right.data() + (p * P + parameter) * in * panel, to + p * panel,
                                                results, static_cast<unsigned>(height), panel, slot > 0);
            });
        }
        for (std::uint64_t b = 0; b < height; ++b)
          for (std::uint64_t o = 0; o < out; ++o) {
            T* to = y + (first + b) * y_strides.batch + o * y_strides.channel + i * y_strides.entry;
            const T* from = result.data() + b * results + o;
            for (std::uint64_t r = 0; r < count; ++r) to[r * y_strides.entry] = from[r * height * results];
          }
      }
    }
  });
}

namespace {

// dtheta for inputs [first_in, first_in + count_in) of the side: the sums of its inputs times its outputs. D is [params][count_in]
// [outputs in panels].
template <class T>
class GradientOfChannels {
 public:
  GradientOfChannels(const Side& side, std::uint64_t out, std::uint64_t first_in, std::uint64_t count_in)
      : side_(side),
        out_(out),
        panels_(ceil_div(out, panel)),
        first_in_(first_in),
        tiles_(count_in, kernels::arithmetic<T>().height),
        D_(side.params() * count_in * panels_ * panel) {
    std::fill(D_.data(), D_.data() + D_.size(), T{0});
  }
  const Buffer<T>& result() const { return D_; }

  // Adds those of vectors [first, first + count) of the batch.
  void add(std::uint64_t first, std::uint64_t count, const T* x, ArrayStrides x_strides, const T* dy,
           ArrayStrides dy_strides) {
    const std::uint64_t M = side_.rows(), N = side_.cols(), width = tiles_.count * count;
    Buffer<T> columns(N * width), total(width), outputs(line * panels_ * count * panel);
    turn(first, count, x, x_strides, columns.data());
    sum_all(N, columns.data(), width, total.data());
    std::fill(outputs.data(), outputs.data() + outputs.size(), T{0});
    const std::uint64_t at_once = rows_for_threads(M, N, 1);
    RowSums sums;
    for (std::uint64_t begin = 0; begin < M; begin += at_once) {
      const std::uint64_t end = std::min(M, begin + at_once);
      side_.find(begin, end, sums);
      Buffer<T> values(sums.most_slots * width);
      for (std::uint64_t i = begin; i < end; i += line) {
        const std::uint64_t rows = std::min(line, end - i);
        for (std::uint64_t b = 0; b < count; ++b)
          for (std::uint64_t o = 0; o < out_; ++o) {
            const T* from = dy + (first + b) * dy_strides.batch + o * dy_strides.channel + i * dy_strides.entry;
            T* to = outputs.data() + (o / panel * count + b) * panel + o % panel;
            for (std::uint64_t r = 0; r < rows; ++r) to[r * panels_ * count * panel] = from[r * dy_strides.entry];
          }
        for (std::uint64_t r = 0; r < rows; ++r) {
          const RowSums::Row& row = sums.rows[i - begin + r];
          sum_row(sums, row, columns.data(), total.data(), width, values.data());
          add_row(sums.parameters_of(row), count, values.data(), outputs.data() + r * panels_ * count * panel);
        }
      }
    }
  }

 private:
  // [cols][tile][count][channels of the tile].
  void turn(std::uint64_t first, std::uint64_t count, const T* x, ArrayStrides strides, T* to) const {
    const std::uint64_t N = side_.cols(), width = tiles_.count * count;
    for (std::uint64_t j = 0; j < N; j += line)
      for (std::uint64_t t = 0; t < tiles_.pieces; ++t)
        for (std::uint64_t c = 0; c < tiles_.length(t); ++c)
          for (std::uint64_t b = 0; b < count; ++b) {
            const T* from = x + (first + b) * strides.batch + (first_in_ + tiles_.first(t) + c) * strides.channel;
            T* place = to + tiles_.first(t) * count + b * tiles_.length(t) + c;
            for (std::uint64_t k = j; k < std::min(N, j + line); ++k) place[k * width] = from[k * strides.entry];
          }
  }
  void add_row(std::span<const std::uint32_t> parameters, std::uint64_t count, const T* values, const T* outputs) {
    const std::uint64_t results = panels_ * panel;
    for (std::size_t slot = 0; slot < parameters.size(); ++slot)
      for (std::uint64_t t = 0; t < tiles_.pieces; ++t)
        for (std::uint64_t p = 0; p < panels_; ++p)
          kernels::arithmetic<T>().multiply(
              count, values + (slot * tiles_.count + tiles_.first(t)) * count, outputs + p * count * panel,
              D_.data() + (parameters[slot] * tiles_.count + tiles_.first(t)) * results + p * panel, results,
              static_cast<unsigned>(tiles_.length(t)), panel, true);
  }

  Side side_;
  std::uint64_t out_, panels_, first_in_;
  Pieces tiles_;
  Buffer<T> D_;
};

}  // namespace

template <class T>
void implicit_gradient(const PreparedPattern& weights, Multiplicity channels, std::uint64_t batch, const T* x,
                       ArrayStrides x_strides, const T* dy, ArrayStrides dy_strides, T* dtheta, unsigned threads) {
  // Sums of inputs times outputs, or, where there are fewer columns than rows, sums of outputs times inputs.
  const bool transpose = weights.cols() < weights.rows();
  const Side side(weights, transpose);
  if (transpose) {
    std::swap(x, dy);
    std::swap(x_strides, dy_strides);
  }
  const std::uint64_t in = transpose ? channels.out : channels.in, out = transpose ? channels.in : channels.out;
  const std::uint64_t P = weights.params();
  std::fill(dtheta, dtheta + P * in * out, T{0});
  if (batch == 0 || in == 0 || out == 0 || P == 0 || side.rows() == 0 || side.cols() == 0) return;
  constexpr std::uint64_t most_channels = 36;
  const std::uint64_t block =
      std::clamp<std::uint64_t>((std::uint64_t{1} << 18) / (side.cols() * std::min(in, most_channels)), 1, 64);
  const Pieces groups(in, std::min(most_channels, std::max<std::uint64_t>(1, in / threads)));
  parallel_for(threads, groups.pieces, [&](std::uint64_t g) {
    const std::uint64_t first_in = groups.first(g), count_in = groups.length(g);
    if (count_in == 0) return;
    GradientOfChannels<T> gradient(side, out, first_in, count_in);
    for (std::uint64_t first = 0; first < batch; first += block)
      gradient.add(first, std::min(block, batch - first), x, x_strides, dy, dy_strides);
    const std::uint64_t results = ceil_div(out, panel) * panel;
    for (std::uint64_t k = 0; k < P; ++k)
      for (std::uint64_t i = 0; i < count_in; ++i)
        for (std::uint64_t o = 0; o < out; ++o) {
          const std::uint64_t co = transpose ? first_in + i : o, ci = transpose ? o : first_in + i;
          dtheta[(k * channels.out + co) * channels.in + ci] = gradient.result()[(k * count_in + i) * results + o];
        }
  });
}

ImplicitSize implicit_size(const PreparedPattern& weights, bool transpose) {
  Side side(weights, transpose);
  ImplicitSize out;
  RowSums sums;
  // A few rows spread over all of them.
  const std::uint64_t rows = side.rows(), wanted = std::min<std::uint64_t>(rows, 16);
  for (std::uint64_t r = 0; r < wanted; ++r) {
    const std::uint64_t i = (2 * r + 1) * rows / (2 * wanted);
    side.find(i, i + 1, sums);
    out.additions += static_cast<double>(sums.places.size() + 2 * sums.terms.size()) / static_cast<double>(wanted);
    out.parameters += static_cast<double>(sums.parameters.size()) / static_cast<double>(wanted);
  }
  return out;
}

#define INTERTWINE_FOR(T)                                                                                        \
  template void multiply_implicit(const PreparedPattern&, Multiplicity, bool, const T*, std::uint64_t, const T*, \
                                  ArrayStrides, T*, ArrayStrides, unsigned);                                     \
  template void implicit_gradient(const PreparedPattern&, Multiplicity, std::uint64_t, const T*, ArrayStrides,   \
                                  const T*, ArrayStrides, T*, unsigned);
INTERTWINE_FOR(float)
INTERTWINE_FOR(double)
#undef INTERTWINE_FOR

}  // namespace intertwine::numeric_detail
