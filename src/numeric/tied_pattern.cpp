// Patterns of tied entries made ready for numbers.
#include "numeric/tied_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "intertwine/error.hpp"
#include "numeric/parallel.hpp"
#include "numeric/pattern_data.hpp"
#include "numeric/tables.hpp"

namespace intertwine::numeric_detail {

const std::uint8_t* PatternData::packed() const {
  if (!wanted_.exchange(true)) return nullptr;
  std::call_once(packed_once_, [this] {
    packed_ = pack_codes(std::get<std::span<const std::uint8_t>>(codes), rows, cols, false, 0,
                         ceil_div(rows, kernels::panel));
  });
  return packed_.data();
}

namespace {

// Codes in memory of the pattern's own, in the width of Narrow.
template <class Narrow, class Items>
void hold_narrowed(const Items& items, PatternData& data) {
  auto own = std::make_shared<const std::vector<Narrow>>(items.begin(), items.end());
  data.codes = std::span<const Narrow>(*own);
  data.holder = std::move(own);
}

void hold_narrowed(const Codes& codes, PatternData& data) {
  std::visit(
      [&](const auto& items) {
        if (data.entries() <= 256)
          hold_narrowed<std::uint8_t>(items, data);
        else if (data.entries() <= 65536)
          hold_narrowed<std::uint16_t>(items, data);
        else
          hold_narrowed<std::uint32_t>(items, data);
      },
      codes);
}

// The codes where they lie if none are narrower, otherwise narrowed: a product reads them three times in a step of training. They are in
// range, so that none is negative.
void hold(const std::shared_ptr<const Codes>& codes, PatternData& data) {
  if ((codes->index() == 0) != (data.entries() <= 256) || (codes->index() != 0 && data.entries() <= 65536))
    return hold_narrowed(*codes, data);
  if (const auto* narrow = std::get_if<std::vector<std::uint8_t>>(codes.get())) {
    data.codes = std::span<const std::uint8_t>(*narrow);
  } else {
    const auto& wide = std::get<std::vector<std::int32_t>>(*codes);
    data.codes = std::span(reinterpret_cast<const std::uint32_t*>(wide.data()), wide.size());
  }
  data.holder = codes;
}

// Counts the entries of each parameter and checks the range of the codes.
template <class Items>
void count_codes(const Items& items, PatternData& data) {
  const std::uint64_t params = data.params;
  for (std::size_t at = 0; at < items.size(); ++at) {
    // Negative numbers become large ones.
    const auto code = static_cast<std::uint64_t>(static_cast<std::int64_t>(items[at]));
    if (code > 2 * params)
      throw DomainError(fmt::format("TiedPattern: the code {} at row {}, column {} is above 2 * {} parameters",
                                    static_cast<std::int64_t>(items[at]), at / data.cols, at % data.cols, params));
    if (code == 0) continue;
    data.signs = data.signs || code > params;
    ++data.orbit_size[code > params ? code - 1 - params : code - 1];
  }
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
                   out.begin() + static_cast<std::ptrdiff_t>(i * data.cols), [](Half x) { return to_float(x); });
  return out;
}

}  // namespace

namespace {

// Everything but the codes themselves.
template <class Items>
std::shared_ptr<PatternData> counted(std::uint64_t rows, std::uint64_t cols, std::uint64_t params, const Items& items) {
  auto data = std::make_shared<PatternData>();
  data->rows = rows;
  data->cols = cols;
  data->params = params;
  const std::uint64_t entries = checked_product({rows, cols, 4}, "TiedPattern: the array of codes") / 4;
  if (params > entries + (std::uint64_t{1} << 20) || params >= (std::uint64_t{1} << 30))
    throw DomainError(fmt::format("TiedPattern: {} parameters for {} entries", params, entries));
  if (items.size() != entries)
    throw DomainError(fmt::format("TiedPattern: {} codes for {} x {} entries", items.size(), rows, cols));
  data->orbit_size.assign(params, 0);
  count_codes(items, *data);
  return data;
}

std::shared_ptr<PatternData> counted(std::uint64_t rows, std::uint64_t cols, std::uint64_t params, const Codes& codes) {
  return std::visit([&](const auto& items) { return counted(rows, cols, params, items); }, codes);
}

}  // namespace

TiedPattern::TiedPattern(std::uint64_t rows, std::uint64_t cols, std::uint64_t params, Codes codes) {
  *this = TiedPattern(rows, cols, params, std::make_shared<const Codes>(std::move(codes)));
}

TiedPattern::TiedPattern(std::uint64_t rows, std::uint64_t cols, std::uint64_t params,
                         std::shared_ptr<const Codes> codes) {
  auto data = counted(rows, cols, params, *codes);
  hold(codes, *data);
  data->reduction = plan_reduction(*data);
  data_ = std::move(data);
}

TiedPattern::TiedPattern(std::uint64_t rows, std::uint64_t cols, std::uint64_t params, const CodeRows& codes,
                         const Task& task) {
  if (!fit_two_bytes(params)) {
    *this = TiedPattern(rows, cols, params, all_codes(codes, params, task));
    return;
  }
  auto own = std::make_shared<std::vector<std::uint16_t>>(read_codes<std::uint16_t>(codes, task));
  auto data = counted(rows, cols, params, *own);
  data->codes = std::span<const std::uint16_t>(*own);
  if (data->entries() <= 256) {
    // The bytes take the place of the codes: memory for both was not asked for. Every byte is written behind what has
    // been read.
    auto* bytes = reinterpret_cast<std::uint8_t*>(own->data());
    for (std::size_t k = 0; k < own->size(); ++k) bytes[k] = static_cast<std::uint8_t>((*own)[k]);
    data->codes = std::span<const std::uint8_t>(bytes, own->size());
  }
  data->holder = std::move(own);
  data->reduction = plan_reduction(*data);
  data_ = std::move(data);
}

std::uint64_t TiedPattern::rows() const { return data_->rows; }
std::uint64_t TiedPattern::cols() const { return data_->cols; }
std::uint64_t TiedPattern::params() const { return data_->params; }
bool TiedPattern::has_signs() const { return data_->signs; }
std::span<const std::int64_t> TiedPattern::orbit_size() const { return data_->orbit_size; }

std::uint32_t TiedPattern::code(std::uint64_t row, std::uint64_t col) const {
  if (row >= rows() || col >= cols())
    throw DomainError(fmt::format("the entry ({}, {}) lies outside {} x {}", row, col, rows(), cols()));
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

std::uint64_t TiedPattern::stored_bytes() const {
  return std::visit([](const auto& items) { return std::uint64_t{items.size() * sizeof(items[0])}; }, data_->codes);
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
void write_weights(const TiedPattern& pattern, Multiplicity channels, const T* theta, T* W, std::uint64_t row_stride,
                   unsigned threads) {
  const PatternData& data = pattern.data();
  if (data.rows == 0 || data.cols == 0 || channels.out == 0 || channels.in == 0) return;
  const bool stream = channels.out * data.rows * channels.in * data.cols * sizeof(T) > last_level_cache();
  const std::uint64_t rows_at_once = std::max<std::uint64_t>(1, (std::uint64_t{1} << 18) / data.cols);
  const std::uint64_t pieces = ceil_div(data.rows, rows_at_once);
  for_tables<T>(data, channels, false, theta, 1, [&](const Tables<T>& tables) {
    parallel_for(threads, pieces * tables.count, [&](std::uint64_t task) {
      const std::uint64_t out = tables.first + task / pieces, first = task % pieces * rows_at_once;
      const std::uint64_t rows = std::min(rows_at_once, data.rows - first);
      for (std::uint64_t in = 0; in < channels.in; ++in) {
        T* to = W + (out * data.rows + first) * row_stride + in * data.cols;
        const T* table = tables.of(out, in);
        std::visit(
            [&](const auto& items) {
              const auto* codes = items.data() + first * data.cols;
              if constexpr (sizeof(items[0]) == 1)
                expander<T>()(codes, data.cols, rows, data.cols, reinterpret_cast<const Word<T>*>(table),
                              static_cast<unsigned>(data.entries()), reinterpret_cast<Word<T>*>(to), row_stride,
                              stream);
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
  });
}

template <class T>
void sum_gradients(const TiedPattern& pattern, Multiplicity channels, const T* dW, SumOf<T>* dtheta,
                   std::uint64_t row_stride, unsigned threads) {
  const PatternData& data = pattern.data();
  const std::uint64_t pairs = channels.out * channels.in, params = data.params;
  if (params == 0 || pairs == 0) return;
  using Sum = SumOf<T>;
  const auto from = [&](std::uint64_t pair, std::uint64_t chunk) {
    return dW + (pair / channels.in * data.rows + chunk * data.reduction.chunk_rows) * row_stride +
           pair % channels.in * data.cols;
  };
  const auto sum_chunk = [&](std::uint64_t pair, std::uint64_t chunk, Sum* sums, ChunkSums<Sum>& of_chunk) {
    if constexpr (std::is_same_v<T, Half>) {  // the kernels read floats: the same sums in the same order
      const std::vector<float> rows = chunk_as_floats(data, chunk, from(pair, chunk), row_stride);
      of_chunk.reduce(chunk, rows.data(), data.cols, sums);
    } else {
      of_chunk.reduce(chunk, reinterpret_cast<const Word<T>*>(from(pair, chunk)), row_stride, sums);
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
    ChunkSums<Sum> of_chunk(data);
    return sum_chunk(0, 0, dtheta, of_chunk);
  }
  if (pairs >= threads) {
    parallel_for(threads, pairs, [&](std::uint64_t pair) {
      std::vector<Sum> partial(params);
      ChunkSums<Sum> of_chunk(data);
      add_up(pair, [&](std::uint64_t chunk) {
        sum_chunk(pair, chunk, partial.data(), of_chunk);
        return partial.data();
      });
    });
    return;
  }
  std::vector<Sum> partial(chunks * params);
  for (std::uint64_t pair = 0; pair < pairs; ++pair) {
    parallel_for(threads, chunks, [&](std::uint64_t chunk) {
      ChunkSums<Sum> of_chunk(data);
      sum_chunk(pair, chunk, partial.data() + chunk * params, of_chunk);
    });
    add_up(pair, [&](std::uint64_t chunk) { return partial.data() + chunk * params; });
  }
}

#define INTERTWINE_FOR(T)                                                                                  \
  template void write_weights<T>(const TiedPattern&, Multiplicity, const T*, T*, std::uint64_t, unsigned); \
  template void sum_gradients<T>(const TiedPattern&, Multiplicity, const T*, SumOf<T>*, std::uint64_t, unsigned);
INTERTWINE_FOR(float)
INTERTWINE_FOR(double)
INTERTWINE_FOR(Bf16)
INTERTWINE_FOR(Half)
#undef INTERTWINE_FOR

}  // namespace intertwine::numeric_detail
