// dW -> dtheta. The order in which entries are added is chosen from the codes alone:
//
//   bins      at most 15 parameters: every parameter has a sum of 32 or 16 lanes in registers
//   runs      rows resemble each other (circulant and block-circulant tables, row permutations of them): stretches of a
//             row are added to stretches of slots, a slot an entry of a reference row, and slots to parameters at the end
//   tables    private tables of all codes, one a lane (entry j of a row goes to lane j mod lanes)
//   sequence  small tables: one after the other
//
// Rows are cut into chunks; the sums of the chunks are added in order.
#include <algorithm>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#include "numeric/pattern_data.hpp"
#include "numeric/plan.hpp"

namespace intertwine::numeric_detail {
namespace {

constexpr std::uint64_t small_table = 2048;   // entries: below, one sum after the other
constexpr std::uint64_t narrow_columns = 64;  // columns: below, rows of a chunk are put together for `bins`
constexpr std::uint64_t chunk_entries = std::uint64_t{1} << 18;
constexpr std::uint64_t max_chunks = 64;
constexpr std::uint64_t shortest_run = 8;  // on average, for runs to pay
constexpr std::size_t max_references = 16;
constexpr std::size_t max_candidates = 8;  // places of a code in a reference row that are tried

// A row whose entries are slots, with the places of every code.
struct Reference {
  std::uint64_t row;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;  // (code, column), sorted
};

template <class Code>
class RunFinder {
 public:
  RunFinder(std::span<const Code> codes, std::uint64_t rows, std::uint64_t cols)
      : codes_(codes), rows_(rows), cols_(cols) {}

  // The runs of all rows, or nothing if they are short.
  std::optional<Reduction> find() {
    if (cols_ < 2 * shortest_run || rows_ < 4 || cols_ > (std::uint64_t{1} << 31) / max_references) return std::nullopt;
    Reduction out;
    out.run_ptr.push_back(0);
    for (std::uint64_t i = 0; i < rows_; ++i) {
      if (!add_row(i, out.runs)) return std::nullopt;
      out.run_ptr.push_back(out.runs.size());
      if (out.runs.size() * shortest_run > (i + 1) * cols_ + 16 * cols_) return std::nullopt;
    }
    if (out.runs.size() * shortest_run > rows_ * cols_ || references_.size() * 4 > rows_) return std::nullopt;
    for (const Reference& reference : references_)
      for (std::uint64_t j = 0; j < cols_; ++j) out.slot_code.push_back(row(reference.row)[j]);
    out.method = Reduction::Method::runs;
    return out;
  }

 private:
  const Code* row(std::uint64_t i) const { return codes_.data() + i * cols_; }

  // Appends the runs of row i against the reference that suits it best: the last one used, then the others, then itself.
  bool add_row(std::uint64_t i, std::vector<kernels::Run>& runs) {
    const std::size_t before = runs.size();
    const std::size_t most = cols_ / shortest_run;
    for (std::size_t t = 0; t < references_.size(); ++t) {
      const std::size_t r = (last_ + t) % references_.size();
      if (cover(i, r, most, runs)) {
        last_ = r;
        return true;
      }
      runs.resize(before);
    }
    if (references_.size() == max_references) return false;
    Reference own{i, {}};
    for (std::uint64_t j = 0; j < cols_; ++j)
      own.places.emplace_back(static_cast<std::uint32_t>(row(i)[j]), static_cast<std::uint32_t>(j));
    std::sort(own.places.begin(), own.places.end());
    references_.push_back(std::move(own));
    last_ = references_.size() - 1;
    runs.push_back({0, static_cast<std::uint32_t>(last_ * cols_), static_cast<std::uint32_t>(cols_)});
    return true;
  }

  // Greedy: from each column the longest stretch that occurs in the reference row.
  bool cover(std::uint64_t i, std::size_t r, std::size_t most, std::vector<kernels::Run>& runs) const {
    const Reference& reference = references_[r];
    const Code* mine = row(i);
    const Code* theirs = row(reference.row);
    std::size_t used = 0;
    for (std::uint64_t j = 0; j < cols_; ++used) {
      if (used == most) return false;
      std::uint64_t best = 0, best_at = 0;
      const auto code = static_cast<std::uint32_t>(mine[j]);
      auto place = std::lower_bound(reference.places.begin(), reference.places.end(), std::pair(code, 0U));
      for (std::size_t tried = 0; tried < max_candidates && place != reference.places.end() && place->first == code;
           ++tried, ++place) {
        const std::uint64_t at = place->second;
        std::uint64_t length = 1;
        while (j + length < cols_ && at + length < cols_ && mine[j + length] == theirs[at + length]) ++length;
        if (length > best) std::tie(best, best_at) = std::pair(length, at);
      }
      if (best == 0) return false;
      runs.push_back({static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(r * cols_ + best_at),
                      static_cast<std::uint32_t>(best)});
      j += best;
    }
    return true;
  }

  std::span<const Code> codes_;
  std::uint64_t rows_, cols_;
  std::vector<Reference> references_;
  std::size_t last_ = 0;
};

// Measured: an entry costs 0.017 ns a parameter in bins, and in runs of L entries 2 / L + 0.04 ns.
bool runs_beat_bins(std::uint64_t params, std::uint64_t entries, std::uint64_t runs) {
  return params >= 3 && (17 * params - 40) * entries > 2000 * runs;
}

// Private tables of `lanes` lanes, each `room` sums long. Both are constants, so that an address is one addition.
template <unsigned lanes, std::size_t room, class Data, class Code, class Sum>
void add_to_tables(const Code* codes, const Data* data, std::uint64_t stride, std::uint64_t rows, std::uint64_t cols,
                   Sum* table) {
  const auto number = [](Data x) {
    if constexpr (std::is_same_v<Data, std::uint16_t>)
      return to_float(Bf16{x});
    else
      return x;
  };
  for (std::uint64_t i = 0; i < rows; ++i, codes += cols, data += stride) {
    std::uint64_t j = 0;
    if constexpr (sizeof(Code) == 1 && lanes == 16)  // eight codes a load
      for (; j + lanes <= cols; j += lanes)
        for (unsigned half = 0; half < lanes; half += 8) {
          std::uint64_t eight;
          std::memcpy(&eight, codes + j + half, 8);
#pragma GCC unroll 8
          for (unsigned lane = half; lane < half + 8; ++lane, eight >>= 8)
            table[lane * room + (eight & 0xff)] += number(data[j + lane]);
        }
    for (; j + lanes <= cols; j += lanes)
#pragma GCC unroll 16
      for (unsigned lane = 0; lane < lanes; ++lane) table[lane * room + codes[j + lane]] += number(data[j + lane]);
    for (unsigned lane = 0; j < cols; ++j, ++lane) table[lane * room + codes[j]] += number(data[j]);
  }
}

// Lanes are added in order, and the sums of -theta_k are subtracted. Lane by lane: both passes are vectors.
template <unsigned lanes, class Sum>
void fold_tables(Sum* table, std::size_t room, const PatternData& pattern, Sum* sums) {
  const std::uint64_t params = pattern.params, entries = pattern.entries();
  for (unsigned lane = 1; lane < lanes; ++lane)
    for (std::uint64_t e = 1; e < entries; ++e) table[e] += table[lane * room + e];
  for (std::uint64_t k = 0; k < params; ++k) sums[k] = table[1 + k];
  if (pattern.signs)
    for (std::uint64_t k = 0; k < params; ++k) sums[k] -= table[1 + params + k];
}

constexpr std::size_t room8 = 256, room16 = 512, room_wide = 8192;

// Calls f<lanes, room>() with the constants of a pattern's private tables; a room of 0 is that of its entries.
template <class F>
void with_tables(const PatternData& pattern, const F& f) {
  if (pattern.reduction.lanes == 16 && std::holds_alternative<std::span<const std::uint8_t>>(pattern.codes))
    return f.template operator()<16, room8>();
  if (pattern.reduction.lanes == 16) return f.template operator()<16, room16>();
  if (pattern.reduction.lanes == 4) return f.template operator()<4, room_wide>();
  f.template operator()<1, 0>();
}

template <class Data, class Sum>
auto kernels_for() {
  if constexpr (std::is_same_v<Data, std::uint16_t>)
    return std::pair(kernels::current().bins_bf16, kernels::current().add_runs_bf16);
  else
    return std::pair(kernels::arithmetic<Data>().bins, kernels::arithmetic<Data>().add_runs);
}

template <class Data, class Sum>
void add_to_bins(const PatternData& pattern, const std::uint8_t* codes, const Data* data, std::uint64_t stride,
                 std::uint64_t rows, Sum* sums, std::vector<Sum>& together) {
  std::uint64_t cols = pattern.cols;
  if (cols < narrow_columns) {
    if (stride != cols) {
      together.resize(rows * cols);
      static_assert(sizeof(Data) <= sizeof(Sum));
      auto* out = reinterpret_cast<std::byte*>(together.data());
      for (std::uint64_t i = 0; i < rows; ++i)
        std::memcpy(out + i * cols * sizeof(Data), data + i * stride, cols * sizeof(Data));
      // The bytes were copied from Data, and only Data is read from them.
      data = reinterpret_cast<const Data*>(out);
    }
    cols *= rows;
    rows = 1;
    stride = cols;
  }
  kernels_for<Data, Sum>().first(codes, cols, data, stride, rows, cols, static_cast<unsigned>(pattern.params),
                                 pattern.signs, sums);
}

template <class Sum>
void fold_slots(const PatternData& pattern, const std::vector<Sum>& slots, Sum* sums) {
  const std::vector<std::uint32_t>& slot_code = pattern.reduction.slot_code;
  std::fill(sums, sums + pattern.params, Sum{0});
  for (std::size_t s = 0; s < slots.size(); ++s) {
    const std::uint64_t code = slot_code[s];
    if (code == 0) continue;
    if (code <= pattern.params)
      sums[code - 1] += slots[s];
    else
      sums[code - 1 - pattern.params] -= slots[s];
  }
}

}  // namespace

Reduction plan_reduction(const PatternData& pattern) {
  Reduction out;
  const std::uint64_t entries = pattern.rows * pattern.cols;
  if (pattern.params == 0 || entries == 0) return out;
  using Method = Reduction::Method;
  out.method = pattern.params <= kernels::max_bins ? Method::bins : Method::tables;
  if (entries < small_table && out.method == Method::tables) out.method = Method::sequence;
  if (entries >= small_table && pattern.params > 2)
    std::visit(
        [&](const auto& codes) {
          using Code = typename std::decay_t<decltype(codes)>::value_type;
          auto runs = RunFinder<Code>(codes, pattern.rows, pattern.cols).find();
          if (runs && (out.method == Method::tables || runs_beat_bins(pattern.params, entries, runs->runs.size())))
            out = *std::move(runs);
        },
        pattern.codes);
  const std::uint64_t codes = table_entries(pattern.params);
  std::uint64_t overhead = 1;
  if (out.method == Method::tables) {
    out.lanes = codes <= room16 ? 16 : codes <= room_wide ? 4 : 1;
    overhead = out.lanes * codes;
  } else if (out.method == Method::runs) {
    overhead = out.slot_code.size() + pattern.params;
  }
  const std::uint64_t wanted = std::max({chunk_entries, 8 * overhead, ceil_div(entries, max_chunks)});
  out.chunk_rows = std::min(pattern.rows, std::max<std::uint64_t>(1, ceil_div(wanted, pattern.cols)));
  out.chunks = ceil_div(pattern.rows, out.chunk_rows);
  return out;
}

template <class Sum>
void ChunkSums<Sum>::start() {
  const Reduction& plan = pattern_.reduction;
  if (plan.method == Reduction::Method::bins) return sums_.resize(pattern_.params);
  if (plan.method == Reduction::Method::runs) return sums_.assign(plan.slot_code.size(), 0);
  with_tables(pattern_, [&]<unsigned lanes, std::size_t room>() {
    sums_.assign(lanes * (room == 0 ? pattern_.entries() : room), 0);
  });
}

template <class Sum>
template <class Data>
void ChunkSums<Sum>::add(std::uint64_t first, std::uint64_t rows, const Data* data, std::uint64_t stride) {
  const Reduction& plan = pattern_.reduction;
  if (plan.method == Reduction::Method::runs) {
    const auto add_runs = kernels_for<Data, Sum>().second;
    for (std::uint64_t i = first; i < first + rows; ++i, data += stride)
      add_runs(plan.runs.data() + plan.run_ptr[i], plan.run_ptr[i + 1] - plan.run_ptr[i], data, sums_.data());
    return;
  }
  std::visit(
      [&](const auto& items) {
        const auto* codes = items.data() + first * pattern_.cols;
        if constexpr (sizeof(items[0]) == 1)
          if (plan.method == Reduction::Method::bins)
            return add_to_bins(pattern_, codes, data, stride, rows, sums_.data(), narrow_);
        with_tables(pattern_, [&]<unsigned lanes, std::size_t room>() {
          add_to_tables<lanes, room>(codes, data, stride, rows, pattern_.cols, sums_.data());
        });
      },
      pattern_.codes);
}

template <class Sum>
void ChunkSums<Sum>::finish(Sum* sums) {
  const Reduction& plan = pattern_.reduction;
  if (plan.method == Reduction::Method::bins) {
    std::copy(sums_.begin(), sums_.end(), sums);
    return;
  }
  if (plan.method == Reduction::Method::runs) return fold_slots(pattern_, sums_, sums);
  with_tables(pattern_, [&]<unsigned lanes, std::size_t room>() {
    fold_tables<lanes>(sums_.data(), room == 0 ? pattern_.entries() : room, pattern_, sums);
  });
}

template <class Sum>
template <class Data>
void ChunkSums<Sum>::reduce(std::uint64_t chunk, const Data* data, std::uint64_t stride, Sum* sums) {
  const std::uint64_t first = chunk * pattern_.reduction.chunk_rows;
  start();
  add(first, std::min(pattern_.reduction.chunk_rows, pattern_.rows - first), data, stride);
  finish(sums);
}

#define INTERTWINE_FOR(Data, Sum)                                                              \
  template void ChunkSums<Sum>::add(std::uint64_t, std::uint64_t, const Data*, std::uint64_t); \
  template void ChunkSums<Sum>::reduce(std::uint64_t, const Data*, std::uint64_t, Sum*);
INTERTWINE_FOR(float, float)
INTERTWINE_FOR(double, double)
INTERTWINE_FOR(std::uint16_t, float)
#undef INTERTWINE_FOR
template class ChunkSums<float>;
template class ChunkSums<double>;

}  // namespace intertwine::numeric_detail
