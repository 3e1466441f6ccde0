#include "intertwine/numeric/tied_pattern.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "intertwine/error.hpp"
#include "numeric/parallel.hpp"
#include "numeric/pattern_data.hpp"
#include "numeric/tables.hpp"

namespace intertwine {

using namespace numeric_detail;

namespace numeric_detail {

std::uint64_t checked_product(std::initializer_list<std::uint64_t> factors, const char* what) {
  std::uint64_t out = 1;
  for (const std::uint64_t factor : factors) {
    if (factor == 0) return 0;
    if (out > (std::uint64_t{1} << 62) / factor)
      throw DomainError(fmt::format("{} has more entries than memory can hold", what));
    out *= factor;
  }
  return out;
}

std::vector<double> variances_from(std::span<const double> squared_norms, std::uint64_t rows,
                                   Multiplicity channels, double gain, InitialVariance kind) {
  std::vector<double> out(squared_norms.size(), 0.0);
  double all = 0;
  std::uint64_t used = 0;
  for (const double norm : squared_norms) {
    all += norm;
    used += norm > 0;
  }
  const double total = gain * gain * static_cast<double>(rows) / static_cast<double>(channels.in);
  for (std::size_t k = 0; k < squared_norms.size(); ++k) {
    if (squared_norms[k] == 0 || channels.in == 0) continue;
    out[k] = kind == InitialVariance::uniform ? total / all
                                              : total / (static_cast<double>(used) * squared_norms[k]);
  }
  return out;
}

void distance(std::span<const double> W, std::span<const double> nearest, Projection& out) {
  double residual = 0, norm = 0;
  for (std::size_t k = 0; k < W.size(); ++k) {
    residual += (W[k] - nearest[k]) * (W[k] - nearest[k]);
    norm += W[k] * W[k];
  }
  out.residual = std::sqrt(residual);
  out.norm = std::sqrt(norm);
}

std::uint64_t last_level_cache() {
  static const std::uint64_t bytes = [] {
    long found = -1;
#ifdef _SC_LEVEL3_CACHE_SIZE
    found = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    // Servers report the sum of many caches, of which one core gets a part.
    constexpr std::uint64_t most = std::uint64_t{32} << 20;
    return found > 0 ? std::min(static_cast<std::uint64_t>(found), most) : most;
  }();
  return bytes;
}

const PackedCodes& PatternData::packed() const {
  std::call_once(packed_once_, [this] { packed_ = pack_codes(codes, rows, cols, false); });
  return packed_;
}

const PackedCodes& PatternData::packed_transpose() const {
  std::call_once(transpose_once_, [this] { packed_transpose_ = pack_codes(codes, rows, cols, true); });
  return packed_transpose_;
}

}  // namespace numeric_detail

namespace {

template <class Narrow, class Items>
CodeArray narrowed(const Items& items) {
  if constexpr (std::is_same_v<typename Items::value_type, Narrow>)
    return items;
  else
    return std::vector<Narrow>(items.begin(), items.end());
}

// Counts the entries of each parameter and checks the range of the codes.
template <class Items>
void count_codes(const Items& items, PatternData& data) {
  const std::uint64_t params = data.params;
  for (std::size_t at = 0; at < items.size(); ++at) {
    // Negative numbers become large ones.
    const auto code = static_cast<std::uint64_t>(static_cast<std::int64_t>(items[at]));
    if (code > 2 * params)
      throw DomainError(
          fmt::format("TiedPattern: the code {} at row {}, column {} is above 2 * {} parameters",
                      static_cast<std::int64_t>(items[at]), at / data.cols, at % data.cols, params));
    if (code == 0) continue;
    data.signs = data.signs || code > params;
    ++data.orbit_size[code > params ? code - 1 - params : code - 1];
  }
}

template <class T>
void check_sizes(const char* function, const TiedPattern& pattern, Multiplicity channels, std::uint64_t theta,
                 std::uint64_t array, std::uint64_t& stride) {
  const std::uint64_t cols = checked_product({channels.in, pattern.cols()}, "a row of weights");
  const std::uint64_t rows = checked_product({channels.out, pattern.rows()}, "a column of weights");
  const std::uint64_t parameters = checked_product({pattern.params(), channels.out, channels.in}, "theta");
  if (stride == 0) stride = cols;
  if (stride < cols)
    throw DomainError(fmt::format("{}: rows of {} entries cannot be {} apart", function, cols, stride));
  if (theta != parameters)
    throw DomainError(fmt::format("{}: theta has {} entries; [{}, {}, {}] needs {}", function, theta,
                                  pattern.params(), channels.out, channels.in, parameters));
  const std::uint64_t needed =
      rows == 0 || cols == 0 ? 0 : checked_product({rows, stride}, "the array of weights") - (stride - cols);
  checked_product({needed, sizeof(T)}, "the array of weights");
  if (array < needed)
    throw DomainError(fmt::format("{}: the array of weights has {} entries; [{}, {}, {}, {}] needs {}",
                                  function, array, channels.out, pattern.rows(), channels.in, pattern.cols(),
                                  needed));
}

// The kernel for a storage type. bfloat16 and fp16 are moved as 16-bit words.
template <class T>
auto expander() {
  if constexpr (is_narrow<T>)
    return kernels::current().expand16;
  else
    return kernels::arithmetic<T>().expand;
}

template <class T>
using Word = std::conditional_t<is_narrow<T>, std::uint16_t, T>;

// The rows of a chunk, put together.
std::vector<float> chunk_as_floats(const PatternData& data, std::uint64_t chunk, const Half* from,
                                   std::uint64_t stride) {
  const std::uint64_t first = chunk * data.reduction.chunk_rows;
  const std::uint64_t rows = std::min(data.reduction.chunk_rows, data.rows - first);
  std::vector<float> out(rows * data.cols);
  for (std::uint64_t i = 0; i < rows; ++i)
    std::transform(from + i * stride, from + i * stride + data.cols,
                   out.begin() + static_cast<std::ptrdiff_t>(i * data.cols),
                   [](Half x) { return to_float(x); });
  return out;
}

}  // namespace

TiedPattern::TiedPattern(std::uint64_t rows, std::uint64_t cols, std::uint64_t params, const Codes& codes) {
  auto data = std::make_shared<PatternData>();
  data->rows = rows;
  data->cols = cols;
  data->params = params;
  const std::uint64_t entries = checked_product({rows, cols, 4}, "TiedPattern: the array of codes") / 4;
  if (params > entries + (std::uint64_t{1} << 20) || params >= (std::uint64_t{1} << 30))
    throw DomainError(fmt::format("TiedPattern: {} parameters for {} entries", params, entries));
  std::visit(
      [&](const auto& items) {
        if (items.size() != entries)
          throw DomainError(
              fmt::format("TiedPattern: {} codes for {} x {} entries", items.size(), rows, cols));
        data->orbit_size.assign(params, 0);
        count_codes(items, *data);
        data->codes = table_entries(params) <= 256     ? narrowed<std::uint8_t>(items)
                      : table_entries(params) <= 65536 ? narrowed<std::uint16_t>(items)
                                                       : narrowed<std::uint32_t>(items);
      },
      codes);
  data->reduction = plan_reduction(*data);
  data_ = std::move(data);
}

TiedPattern TiedPattern::weights(const WeightTable& table) {
  const WeightPattern& weights = table.weights;
  return TiedPattern(weights.rows, weights.cols, weights.params,
                     all_codes(*weights.tied().codes, weights.params));
}

TiedPattern TiedPattern::bias(const WeightTable& table) {
  const WeightPattern& bias = table.bias;
  return TiedPattern(bias.rows, 1, bias.params, all_codes(*bias.tied().codes, bias.params));
}

std::uint64_t TiedPattern::rows() const { return data_->rows; }
std::uint64_t TiedPattern::cols() const { return data_->cols; }
std::uint64_t TiedPattern::params() const { return data_->params; }
bool TiedPattern::has_signs() const { return data_->signs; }
std::span<const std::int64_t> TiedPattern::orbit_size() const { return data_->orbit_size; }

std::uint32_t TiedPattern::code(std::uint64_t row, std::uint64_t col) const {
  if (row >= rows() || col >= cols())
    throw DomainError(
        fmt::format("TiedPattern::code: ({}, {}) lies outside {} x {}", row, col, rows(), cols()));
  return std::visit([&](const auto& items) { return static_cast<std::uint32_t>(items[row * cols() + col]); },
                    data_->codes);
}

std::string TiedPattern::reduction() const {
  switch (data_->reduction.method) {
    case Reduction::Method::bins:
      return "bins";
    case Reduction::Method::runs:
      return "runs";
    case Reduction::Method::tables:
      return "tables";
    case Reduction::Method::sequence:
      return "sequence";
    default:
      return "none";
  }
}

TiedPattern TiedPattern::transposed() const {
  Codes turned;
  std::visit(
      [&](const auto& items) {
        const auto fill = [&](auto& out) {
          out.resize(items.size());
          for (std::uint64_t i = 0; i < rows(); ++i)
            for (std::uint64_t j = 0; j < cols(); ++j)
              out[j * rows() + i] =
                  static_cast<typename std::decay_t<decltype(out)>::value_type>(items[i * cols() + j]);
        };
        if (code_bytes(params()) == 4) turned = std::vector<std::int32_t>();
        std::visit(fill, turned);
      },
      data_->codes);
  return TiedPattern(cols(), rows(), params(), turned);
}

template <class T>
void materialise(const TiedPattern& pattern, Multiplicity channels, std::span<const T> theta, std::span<T> W,
                 std::uint64_t row_stride, unsigned threads) {
  check_sizes<T>("materialise", pattern, channels, theta.size(), W.size(), row_stride);
  const PatternData& data = pattern.data();
  if (data.rows == 0 || data.cols == 0 || channels.out == 0 || channels.in == 0) return;
  const Tables<T> tables = make_tables(data.params, channels, theta.data());
  const bool stream = channels.out * data.rows * channels.in * data.cols * sizeof(T) > last_level_cache();
  const std::uint64_t rows_at_once = std::max<std::uint64_t>(1, (std::uint64_t{1} << 18) / data.cols);
  const std::uint64_t pieces = ceil_div(data.rows, rows_at_once);
  parallel_for(threads, pieces * channels.out, [&](std::uint64_t task) {
    const std::uint64_t out = task / pieces, first = task % pieces * rows_at_once;
    const std::uint64_t rows = std::min(rows_at_once, data.rows - first);
    for (std::uint64_t in = 0; in < channels.in; ++in) {
      T* to = W.data() + (out * data.rows + first) * row_stride + in * data.cols;
      const T* table = tables.of(out, in);
      std::visit(
          [&](const auto& items) {
            const auto* codes = items.data() + first * data.cols;
            if constexpr (sizeof(items[0]) == 1)
              expander<T>()(codes, data.cols, rows, data.cols, reinterpret_cast<const Word<T>*>(table),
                            static_cast<unsigned>(table_entries(data.params)), reinterpret_cast<Word<T>*>(to),
                            row_stride, stream);
            else if constexpr (sizeof(items[0]) == 2 && !is_narrow<T>)
              kernels::arithmetic<T>().expand_wide(codes, data.cols, rows, data.cols, table, to, row_stride);
            else
              for (std::uint64_t i = 0; i < rows; ++i)
                for (std::uint64_t j = 0; j < data.cols; ++j)
                  to[i * row_stride + j] = table[codes[i * data.cols + j]];
          },
          data.codes);
    }
  });
}

template <class T>
void reduce(const TiedPattern& pattern, Multiplicity channels, std::span<const T> dW,
            std::span<SumOf<T>> dtheta, std::uint64_t row_stride, unsigned threads) {
  check_sizes<T>("reduce", pattern, channels, dtheta.size(), dW.size(), row_stride);
  const PatternData& data = pattern.data();
  const std::uint64_t pairs = channels.out * channels.in, params = data.params;
  if (params == 0 || pairs == 0) return;
  using Sum = SumOf<T>;
  const auto from = [&](std::uint64_t pair, std::uint64_t chunk) {
    return dW.data() + (pair / channels.in * data.rows + chunk * data.reduction.chunk_rows) * row_stride +
           pair % channels.in * data.cols;
  };
  const auto sum_chunk = [&](std::uint64_t pair, std::uint64_t chunk, Sum* sums, ChunkScratch<Sum>& scratch) {
    if constexpr (std::is_same_v<T, Half>) {  // the kernels read floats: the same sums in the same order
      const std::vector<float> rows = chunk_as_floats(data, chunk, from(pair, chunk), row_stride);
      reduce_chunk(data, chunk, rows.data(), data.cols, sums, scratch);
    } else {
      reduce_chunk(data, chunk, reinterpret_cast<const Word<T>*>(from(pair, chunk)), row_stride, sums,
                   scratch);
    }
  };
  const std::uint64_t chunks = data.reduction.chunks;
  const auto add_up = [&](std::uint64_t pair, auto&& partial_of) {
    for (std::uint64_t k = 0; k < params; ++k) dtheta[k * pairs + pair] = 0;
    for (std::uint64_t chunk = 0; chunk < chunks; ++chunk) {
      const Sum* partial = partial_of(chunk);
      for (std::uint64_t k = 0; k < params; ++k) dtheta[k * pairs + pair] += partial[k];
    }
  };
  if (pairs == 1 && chunks == 1) {
    ChunkScratch<Sum> scratch;
    return sum_chunk(0, 0, dtheta.data(), scratch);
  }
  if (pairs >= threads) {
    parallel_for(threads, pairs, [&](std::uint64_t pair) {
      std::vector<Sum> partial(params);
      ChunkScratch<Sum> scratch;
      add_up(pair, [&](std::uint64_t chunk) {
        sum_chunk(pair, chunk, partial.data(), scratch);
        return partial.data();
      });
    });
    return;
  }
  std::vector<Sum> partial(chunks * params);
  for (std::uint64_t pair = 0; pair < pairs; ++pair) {
    parallel_for(threads, chunks, [&](std::uint64_t chunk) {
      ChunkScratch<Sum> scratch;
      sum_chunk(pair, chunk, partial.data() + chunk * params, scratch);
    });
    add_up(pair, [&](std::uint64_t chunk) { return partial.data() + chunk * params; });
  }
}

std::vector<double> initial_variance(const TiedPattern& pattern, Multiplicity channels, double gain,
                                     InitialVariance kind) {
  const auto sizes = pattern.orbit_size();
  return variances_from(std::vector<double>(sizes.begin(), sizes.end()), pattern.rows(), channels, gain,
                        kind);
}

template <class T>
Projection project(const TiedPattern& pattern, Multiplicity channels, std::span<const T> W,
                   unsigned threads) {
  const std::uint64_t pairs = checked_product({channels.out, channels.in}, "theta");
  std::vector<double> wide(W.size());
  std::transform(W.begin(), W.end(), wide.begin(), [](T x) { return static_cast<double>(to_number(x)); });
  Projection out;
  out.theta.resize(checked_product({pattern.params(), pairs}, "theta"));
  reduce<double>(pattern, channels, wide, out.theta, 0, threads);
  for (std::uint64_t k = 0; k < pattern.params(); ++k)
    for (std::uint64_t c = 0; c < pairs; ++c) {
      const std::int64_t size = pattern.orbit_size()[k];
      out.theta[k * pairs + c] = size == 0 ? 0 : out.theta[k * pairs + c] / static_cast<double>(size);
    }
  std::vector<double> tied(W.size());
  materialise<double>(pattern, channels, out.theta, tied, 0, threads);
  distance(wide, tied, out);
  return out;
}

#define INTERTWINE_FOR(T)                                                                            \
  template void materialise<T>(const TiedPattern&, Multiplicity, std::span<const T>, std::span<T>,   \
                               std::uint64_t, unsigned);                                             \
  template void reduce<T>(const TiedPattern&, Multiplicity, std::span<const T>, std::span<SumOf<T>>, \
                          std::uint64_t, unsigned);                                                  \
  template Projection project<T>(const TiedPattern&, Multiplicity, std::span<const T>, unsigned);
INTERTWINE_FOR(float)
INTERTWINE_FOR(double)
INTERTWINE_FOR(Bf16)
INTERTWINE_FOR(Half)
#undef INTERTWINE_FOR

}  // namespace intertwine
