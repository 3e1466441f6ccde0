// Equivariant attention on the processor.
#include "intertwine/numeric/attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "intertwine/error.hpp"
#include "numeric/kernels.hpp"
#include "numeric/parallel.hpp"
#include "numeric/tables.hpp"

namespace intertwine {

using namespace numeric_detail;

namespace {

constexpr std::uint64_t panel_numbers = 16;  // the kernels write panels of so many numbers
constexpr std::uint64_t at_once = 512;       // columns of scores that see one tile of the encoding
constexpr std::uint64_t most_groups = 4;  // parts of the batch, each with its own sums for the gradient of the encoding

std::uint64_t padded(std::uint64_t n) { return ceil_div(n, panel_numbers) * panel_numbers; }

void require_length(std::size_t length, std::uint64_t wanted, const char* name) {
  if (length != wanted)
    throw DomainError(std::string("attention: ") + name + " has " + std::to_string(length) +
                      " numbers, and its shape has " + std::to_string(wanted));
}

void require_below(std::span<const std::int64_t> numbers, std::int64_t least, std::uint64_t bound, const char* name) {
  for (const std::int64_t x : numbers)
    if (x < least || (x >= 0 && static_cast<std::uint64_t>(x) >= bound))
      throw DomainError(std::string("attention: ") + name + " has the number " + std::to_string(x) +
                        ", and they go from " + std::to_string(least) + " to " + std::to_string(bound) + " - 1");
}

void check_sizes(const AttentionPattern& p) {
  require_length(p.first.size(), p.positions + 1, "first");
  require_length(p.query_of.size(), p.rows, "query_of");
  require_length(p.difference.size(), checked_product({p.rows, p.differences}, "differences of rows"), "difference");
  require_length(p.element.size(), checked_product({p.rows, p.elements}, "elements of rows"), "element");
  require_length(p.code.size(), p.key.size(), "code");
  require_below(p.first, 0, p.key.size() + 1, "first");
  if (!std::is_sorted(p.first.begin(), p.first.end()) || p.first.front() != 0 ||
      static_cast<std::uint64_t>(p.first.back()) != p.key.size())
    throw DomainError("attention: first does not increase from 0 to the number of pairs");
  require_below(p.key, -1, p.positions, "key");
  require_below(p.code, 0, p.differences, "code");
  require_below(p.query_of, 0, p.elements, "query_of");
  require_below(p.difference, -1, p.entries, "difference");
  require_below(p.element, 0, std::max<std::uint64_t>(p.entries, 1), "element");
  for (std::uint64_t r = 0; r < p.rows; ++r) {
    std::int64_t far = -1, last = 0;
    for (std::uint64_t c = 0; c < p.differences; ++c) far = std::max(far, p.difference[r * p.differences + c]);
    for (std::uint64_t g = 0; g < p.elements; ++g) last = std::max(last, p.element[r * p.elements + g]);
    if (far >= 0 && static_cast<std::uint64_t>(far + last) >= p.entries)
      throw DomainError("attention: row " + std::to_string(r) + " sees entry " + std::to_string(far + last) +
                        " of the encoding, which has " + std::to_string(p.entries));
  }
}

std::uint64_t length_of_queries(const AttentionPattern& p, const AttentionSizes& s) {
  return checked_product({s.batch, p.positions, p.elements, s.heads, s.width}, "numbers of q");
}
std::uint64_t length_of_values(const AttentionPattern& p, const AttentionSizes& s) {
  return checked_product({s.batch, p.positions, p.elements, s.heads, s.value_width}, "numbers of v");
}
std::uint64_t length_of_rows(const AttentionPattern& p, const AttentionSizes& s, std::uint64_t width) {
  return checked_product({s.batch, p.positions, p.rows, s.heads, width}, "numbers of o");
}
std::uint64_t length_of_encoding(const AttentionPattern& p, const AttentionSizes& s) {
  return checked_product({s.heads, p.entries, s.width}, "numbers of e");
}

template <class T>
void check_sizes(const AttentionPattern& p, const AttentionSizes& s, const AttentionInput<T>& in) {
  check_sizes(p);
  require_length(in.q.size(), length_of_queries(p, s), "q");
  require_length(in.k.size(), length_of_queries(p, s), "k");
  require_length(in.v.size(), length_of_values(p, s), "v");
  require_length(in.e.size(), length_of_encoding(p, s), "e");
}

/// Neighbours in a row: keys from `key` on, `count` of them, whose columns begin at `column`.
struct Run {
  std::uint64_t key, count, column;
};

/// Pairs of one position that see one tile.
struct Chunk {
  std::span<const std::int64_t> codes;
  std::vector<Run> runs;
  std::vector<std::uint64_t> none;        ///< pairs without a key
  std::uint64_t columns = 0, offset = 0;  ///< numbers of scores, and where they are in a row of all
};

template <class T>
Buffer<T> zeros(std::uint64_t size) {
  Buffer<T> out(size);
  std::fill_n(out.data(), size, T{});
  return out;
}

/// The encoding as a chunk sees it, and the gradient of that; made anew where the codes are others.
template <class T>
struct Tile {
  std::vector<std::int64_t> codes;
  Buffer<T> columns;       ///< [rows, width, padded columns]
  Buffer<T> rows, sums;    ///< [rows, columns, padded width]
  std::vector<bool> seen;  ///< [rows, columns], empty if all are
  bool used = false;
};

/// One head of one entry of the batch, with rows as wide as panels.
template <class T>
struct Entry {
  Buffer<T> keys_across, values;  ///< [width, keys], [keys, value_width + 1]: ones in the last column
  Buffer<T> keys, values_across, key_sums, value_sums;  ///< the buffers of the backward pass
  Buffer<T> scores;
};

template <class T>
class Worker {
 public:
  Worker(const AttentionPattern& pattern, const AttentionSizes& sizes, const AttentionInput<T>& in, bool backward)
      : p_(pattern), s_(sizes), in_(in), f_(kernels::arithmetic<T>().attention), backward_(backward) {
    keys_ = p_.positions * p_.elements;
    across_ = padded(keys_) + panel_numbers;
    wide_ = padded(s_.width);
    values_ = padded(s_.value_width + 1);
    for (std::uint64_t i = 0; i < p_.positions; ++i) {
      chunks_of(i);
      for (const Chunk& c : chunks_) most_columns_ = std::max(most_columns_, padded(c.columns));
      all_columns_ = std::max(all_columns_, total_);
    }
    tile_.columns = zeros<T>(p_.rows * s_.width * most_columns_);
    if (backward) {
      tile_.rows = zeros<T>(p_.rows * most_columns_ * wide_);
      tile_.sums = zeros<T>(p_.rows * most_columns_ * wide_);
      slopes_ = zeros<T>(p_.rows * most_columns_);
      outer_ = zeros<T>(p_.rows * values_);
    }
    across_tile_ = zeros<T>(std::max(s_.width, s_.value_width) * (most_columns_ + panel_numbers));
    content_ = zeros<T>(p_.elements * most_columns_);
    queries_ = zeros<T>(p_.rows * wide_);
    out_ = zeros<T>(p_.rows * values_);
  }

  void forward(std::uint64_t h, std::uint64_t begin, std::uint64_t end, const AttentionOutput<T>& out) {
    enter(h, begin, end);
    for (std::uint64_t i = 0; i < p_.positions; ++i) {
      chunks_of(i);
      for (const Chunk& c : chunks_) {
        make_tile(c, nullptr);
        for (std::uint64_t b = begin; b < end; ++b) scores(b, i, c, entries_[b - begin]);
      }
      for (std::uint64_t b = begin; b < end; ++b) outputs(b, i, entries_[b - begin], out);
    }
  }

  /// The gradient of the encoding is added to e_sums [entries, width].
  void gradients(std::uint64_t h, std::uint64_t begin, std::uint64_t end, const AttentionOutput<const T>& out,
                 std::span<const T> d_o, const AttentionGradients<T>& to, T* e_sums) {
    enter(h, begin, end);
    for (std::uint64_t i = 0; i < p_.positions; ++i) {
      chunks_of(i);
      std::vector<Buffer<T>>& sums = query_sums_of_batch_;
      if (sums.empty())
        for (std::uint64_t b = begin; b < end; ++b) sums.push_back(zeros<T>(p_.rows * wide_));
      for (auto& sum : sums) std::fill_n(sum.data(), p_.rows * wide_, T{});
      for (const Chunk& c : chunks_) {
        make_tile(c, e_sums);
        for (std::uint64_t b = begin; b < end; ++b) {
          Entry<T>& entry = entries_[b - begin];
          scores(b, i, c, entry);
          slopes(b, i, c, entry, out, d_o, sums[b - begin].data());
        }
      }
      for (std::uint64_t b = begin; b < end; ++b) write_queries(b, i, sums[b - begin].data(), to.q);
    }
    flush(e_sums);
    for (std::uint64_t b = begin; b < end; ++b) {
      const Entry<T>& entry = entries_[b - begin];
      for (std::uint64_t x = 0; x < keys_; ++x) {
        std::copy_n(entry.key_sums.data() + x * wide_, s_.width, to.k.data() + place(b, x, s_.width));
        std::copy_n(entry.value_sums.data() + x * values_, s_.value_width, to.v.data() + place(b, x, s_.value_width));
      }
    }
  }

 private:
  /// The place of the numbers of key x of entry b in an array of this width.
  std::uint64_t place(std::uint64_t b, std::uint64_t x, std::uint64_t width) const {
    return ((b * keys_ + x) * s_.heads + head_) * width;
  }
  std::uint64_t row_place(std::uint64_t b, std::uint64_t i, std::uint64_t r, std::uint64_t width) const {
    return (((b * p_.positions + i) * p_.rows + r) * s_.heads + head_) * width;
  }

  void enter(std::uint64_t h, std::uint64_t begin, std::uint64_t end) {
    head_ = h;
    tile_.codes.clear();
    tile_.used = false;
    entries_.resize(end - begin);
    for (std::uint64_t b = begin; b < end; ++b) {
      Entry<T>& entry = entries_[b - begin];
      if (entry.scores.size() == 0) {
        entry.scores = zeros<T>(p_.rows * all_columns_);
        entry.keys_across = zeros<T>(s_.width * across_);
        entry.values = zeros<T>(keys_ * values_);
        if (backward_) {
          entry.keys = zeros<T>(keys_ * wide_);
          entry.values_across = zeros<T>(s_.value_width * across_);
          entry.key_sums = Buffer<T>(keys_ * wide_);
          entry.value_sums = Buffer<T>(keys_ * values_);
        }
      }
      for (std::uint64_t x = 0; x < keys_; ++x) {
        const T* k = in_.k.data() + place(b, x, s_.width);
        const T* v = in_.v.data() + place(b, x, s_.value_width);
        for (std::uint64_t d = 0; d < s_.width; ++d) entry.keys_across[d * across_ + x] = k[d];
        std::copy_n(v, s_.value_width, entry.values.data() + x * values_);
        entry.values[x * values_ + s_.value_width] = 1;
        if (!backward_) continue;
        std::copy_n(k, s_.width, entry.keys.data() + x * wide_);
        for (std::uint64_t d = 0; d < s_.value_width; ++d) entry.values_across[d * across_ + x] = v[d];
      }
      if (backward_) {
        std::fill_n(entry.key_sums.data(), keys_ * wide_, T{});
        std::fill_n(entry.value_sums.data(), keys_ * values_, T{});
      }
    }
  }

  void chunks_of(std::uint64_t i) {
    const auto first = static_cast<std::uint64_t>(p_.first[i]), last = static_cast<std::uint64_t>(p_.first[i + 1]);
    const std::uint64_t step = std::max<std::uint64_t>(1, at_once / std::max<std::uint64_t>(1, p_.elements));
    chunks_.resize(ceil_div(last - first, step));
    total_ = 0;
    std::uint64_t at = first;
    for (Chunk& c : chunks_) {
      const std::uint64_t end = std::min(last, at + step);
      c.codes = p_.code.subspan(at, end - at);
      c.columns = (end - at) * p_.elements;
      c.offset = total_;
      total_ += padded(c.columns);
      c.runs.clear();
      c.none.clear();
      for (std::uint64_t k = at; k < end; ++k) {
        if (p_.key[k] < 0) {
          c.none.push_back(k - at);
          continue;
        }
        const auto key = static_cast<std::uint64_t>(p_.key[k]);
        if (!c.runs.empty() && c.runs.back().key + c.runs.back().count == key &&
            (c.none.empty() || c.none.back() + 1 != k - at))
          ++c.runs.back().count;
        else
          c.runs.push_back({key, 1, (k - at) * p_.elements});
      }
      at = end;
    }
  }

  /// For every row and column of a chunk the entry of the encoding, or -1.
  template <class Use>
  void for_entries(std::span<const std::int64_t> codes, const Use& use) const {
    for (std::uint64_t r = 0; r < p_.rows; ++r)
      for (std::uint64_t c = 0; c < codes.size(); ++c) {
        const std::int64_t d = p_.difference[r * p_.differences + static_cast<std::uint64_t>(codes[c])];
        for (std::uint64_t g = 0; g < p_.elements; ++g)
          use(r, c * p_.elements + g, d < 0 ? -1 : d + p_.element[r * p_.elements + g]);
      }
  }

  void make_tile(const Chunk& chunk, T* e_sums) {
    if (tile_.used && std::equal(chunk.codes.begin(), chunk.codes.end(), tile_.codes.begin(), tile_.codes.end()))
      return;
    if (e_sums) flush(e_sums);
    tile_.used = true;
    tile_.codes.assign(chunk.codes.begin(), chunk.codes.end());
    const std::uint64_t across = padded(chunk.columns);
    const T* e = in_.e.data() + head_ * p_.entries * s_.width;
    bool all = true;
    tile_.seen.assign(p_.rows * chunk.columns, true);
    for_entries(chunk.codes, [&](std::uint64_t r, std::uint64_t x, std::int64_t entry) {
      const T* from = e + static_cast<std::uint64_t>(std::max<std::int64_t>(entry, 0)) * s_.width;
      for (std::uint64_t d = 0; d < s_.width; ++d) tile_.columns[(r * s_.width + d) * across + x] = from[d];
      if (backward_) std::copy_n(from, s_.width, tile_.rows.data() + (r * chunk.columns + x) * wide_);
      if (entry >= 0) return;
      all = false;
      tile_.seen[r * chunk.columns + x] = false;
    });
    if (all) tile_.seen.clear();
  }

  /// The sums of a tile go to the encoding.
  void flush(T* e_sums) {
    if (!tile_.used) return;
    const std::uint64_t columns = tile_.codes.size() * p_.elements;
    for_entries(tile_.codes, [&](std::uint64_t r, std::uint64_t x, std::int64_t entry) {
      T* from = tile_.sums.data() + (r * columns + x) * wide_;
      if (entry >= 0)
        for (std::uint64_t d = 0; d < s_.width; ++d)
          e_sums[static_cast<std::uint64_t>(entry) * s_.width + d] += from[d];
      std::fill_n(from, wide_, T{});
    });
  }

  /// The columns of the keys of a chunk, side by side: [depth, padded columns].
  const T* gathered(const T* across, std::uint64_t depth, const Chunk& chunk) {
    const std::uint64_t columns = padded(chunk.columns);
    for (std::uint64_t d = 0; d < depth; ++d)
      for (const Run& run : chunk.runs) {
        const T* from = across + d * across_ + run.key * p_.elements;
        T* to = across_tile_.data() + d * columns + run.column;
        for (std::uint64_t x = 0; x < run.count * p_.elements;
             x += panel_numbers)  // what is beyond is written next, or not read
          std::memcpy(to + x, from + x, panel_numbers * sizeof(T));
      }
    return across_tile_.data();
  }

  void scores(std::uint64_t b, std::uint64_t i, const Chunk& chunk, Entry<T>& entry) {
    const std::uint64_t columns = padded(chunk.columns), stride = s_.heads * s_.width;
    const T* q = in_.q.data() + place(b, i * p_.elements, s_.width);
    f_.row_products({p_.elements, s_.width, columns, q, stride, 1, gathered(entry.keys_across.data(), s_.width, chunk),
                     0, columns, content_.data(), columns, false});
    for (std::uint64_t r = 0; r < p_.rows; ++r) {
      const auto g = static_cast<std::uint64_t>(p_.query_of[r]);
      std::copy_n(content_.data() + g * columns, columns, entry.scores.data() + r * all_columns_ + chunk.offset);
      std::copy_n(q + g * stride, s_.width, queries_.data() + r * wide_);
    }
    T* s = entry.scores.data() + chunk.offset;
    f_.row_products({p_.rows, s_.width, columns, queries_.data(), wide_, 1, tile_.columns.data(), s_.width * columns,
                     columns, s, all_columns_, true});
    constexpr T none = -std::numeric_limits<T>::infinity();
    for (std::uint64_t r = 0; r < p_.rows; ++r, s += all_columns_) {
      std::fill(s + chunk.columns, s + columns, none);
      for (const std::uint64_t pair : chunk.none) std::fill_n(s + pair * p_.elements, p_.elements, none);
      if (tile_.seen.empty()) continue;
      for (std::uint64_t x = 0; x < chunk.columns; ++x)
        if (!tile_.seen[r * chunk.columns + x]) s[x] = none;
    }
  }

  void outputs(std::uint64_t b, std::uint64_t i, Entry<T>& entry, const AttentionOutput<T>& out) {
    std::vector<T>& shift = shifts_;
    shift.assign(p_.rows, -std::numeric_limits<T>::infinity());
    for (std::uint64_t r = 0; r < p_.rows && total_ > 0; ++r) {
      T* s = entry.scores.data() + r * all_columns_;
      shift[r] = f_.largest(total_, s);
      f_.exponentials(total_, s, std::isinf(shift[r]) && shift[r] < 0 ? T{} : shift[r]);
    }
    bool more = false;
    for (const Chunk& chunk : chunks_)
      for (const Run& run : chunk.runs) {
        f_.row_products({p_.rows, run.count * p_.elements, values_, entry.scores.data() + chunk.offset + run.column,
                         all_columns_, 1, entry.values.data() + run.key * p_.elements * values_, 0, values_,
                         out_.data(), values_, more});
        more = true;
      }
    for (std::uint64_t r = 0; r < p_.rows; ++r) {
      const T* found = out_.data() + r * values_;
      const T sum = more ? found[s_.value_width] : T{};
      T* o = out.o.data() + row_place(b, i, r, s_.value_width);
      for (std::uint64_t d = 0; d < s_.value_width; ++d) o[d] = sum > 0 ? found[d] / sum : sum * T{};
      T* kept = out.sums.data() + row_place(b, i, r, 2);
      kept[0] = sum > 0 ? shift[r] : T{};
      kept[1] = sum;
    }
  }

  /// The gradients of what a chunk of one position does. The gradient of a score is its weight times (do . v - do . o).
  void slopes(std::uint64_t b, std::uint64_t i, const Chunk& chunk, Entry<T>& entry,
              const AttentionOutput<const T>& out, std::span<const T> d_o, T* query_sums) {
    const std::uint64_t columns = padded(chunk.columns);
    T* weights = entry.scores.data() + chunk.offset;
    std::vector<T>& mean = shifts_;
    mean.resize(p_.rows);
    for (std::uint64_t r = 0; r < p_.rows; ++r) {
      const T* g = d_o.data() + row_place(b, i, r, s_.value_width);
      const T* o = out.o.data() + row_place(b, i, r, s_.value_width);
      const T* kept = out.sums.data() + row_place(b, i, r, 2);
      const T scale = kept[1] > 0 ? 1 / kept[1] : T{};
      mean[r] = 0;
      for (std::uint64_t d = 0; d < s_.value_width; ++d) {
        outer_[r * values_ + d] = g[d] * scale;
        mean[r] += outer_[r * values_ + d] * o[d];
      }
      f_.exponentials(columns, weights + r * all_columns_, kept[0]);
    }
    f_.row_products({p_.rows, s_.value_width, columns, outer_.data(), values_, 1,
                     gathered(entry.values_across.data(), s_.value_width, chunk), 0, columns, slopes_.data(), columns,
                     false});
    for (std::uint64_t r = 0; r < p_.rows; ++r)
      f_.weigh(columns, weights + r * all_columns_, mean[r], slopes_.data() + r * columns);
    f_.row_products({p_.rows, chunk.columns, wide_, slopes_.data(), columns, 1, tile_.rows.data(),
                     chunk.columns * wide_, wide_, query_sums, wide_, true});
    for (std::uint64_t r = 0; r < p_.rows; ++r)
      f_.row_products({chunk.columns, 1, wide_, slopes_.data() + r * columns, 1, 0, queries_.data() + r * wide_, 0, 0,
                       tile_.sums.data() + r * chunk.columns * wide_, wide_, true});
    for (const Run& run : chunk.runs) {
      const std::uint64_t first = run.key * p_.elements, count = run.count * p_.elements;
      f_.row_products({p_.rows, count, wide_, slopes_.data() + run.column, columns, 1,
                       entry.keys.data() + first * wide_, 0, wide_, query_sums, wide_, true});
      f_.row_products({count, p_.rows, wide_, slopes_.data() + run.column, 1, columns, queries_.data(), 0, wide_,
                       entry.key_sums.data() + first * wide_, wide_, true});
      f_.row_products({count, p_.rows, values_, weights + run.column, 1, all_columns_, outer_.data(), 0, values_,
                       entry.value_sums.data() + first * values_, values_, true});
    }
  }

  void write_queries(std::uint64_t b, std::uint64_t i, const T* sums, std::span<T> to) const {
    for (std::uint64_t g = 0; g < p_.elements; ++g)
      std::fill_n(to.data() + place(b, i * p_.elements + g, s_.width), s_.width, T{});
    for (std::uint64_t r = 0; r < p_.rows; ++r) {
      T* q = to.data() + place(b, i * p_.elements + static_cast<std::uint64_t>(p_.query_of[r]), s_.width);
      for (std::uint64_t d = 0; d < s_.width; ++d) q[d] += sums[r * wide_ + d];
    }
  }

  const AttentionPattern& p_;
  const AttentionSizes& s_;
  const AttentionInput<T>& in_;
  const kernels::Attention<T>& f_;
  bool backward_;
  std::uint64_t keys_, across_, wide_, values_, head_ = 0;
  std::uint64_t most_columns_ = 0, all_columns_ = 0, total_ = 0;
  std::vector<Chunk> chunks_;
  std::vector<Entry<T>> entries_;
  std::vector<Buffer<T>> query_sums_of_batch_;
  Tile<T> tile_;
  Buffer<T> across_tile_, content_, queries_, out_, slopes_, outer_;
  std::vector<T> shifts_;
};

/// work(worker, head, first entry of the batch, last, group), each thread with workers of its own.
template <class T, class Work>
void for_heads(const AttentionPattern& pattern, const AttentionSizes& sizes, const AttentionInput<T>& in, bool backward,
               unsigned threads, const Work& work) {
  const std::uint64_t groups = std::min(sizes.batch, most_groups);
  parallel_for(threads, sizes.heads * groups, [&](std::uint64_t k) {
    const std::uint64_t group = k % groups;
    Worker<T> worker(pattern, sizes, in, backward);
    work(worker, k / groups, sizes.batch * group / groups, sizes.batch * (group + 1) / groups, group);
  });
}

}  // namespace

template <class T>
void attention(const AttentionPattern& pattern, const AttentionSizes& sizes, const AttentionInput<T>& in,
               const AttentionOutput<T>& out, unsigned threads) {
  check_sizes(pattern, sizes, in);
  require_length(out.o.size(), length_of_rows(pattern, sizes, sizes.value_width), "o");
  require_length(out.sums.size(), length_of_rows(pattern, sizes, 2), "sums");
  for_heads<T>(pattern, sizes, in, false, threads,
               [&](Worker<T>& worker, std::uint64_t h, std::uint64_t begin, std::uint64_t end, std::uint64_t) {
                 worker.forward(h, begin, end, out);
               });
}

template <class T>
void attention_gradients(const AttentionPattern& pattern, const AttentionSizes& sizes, const AttentionInput<T>& in,
                         const AttentionOutput<const T>& out, std::span<const T> d_o,
                         const AttentionGradients<T>& gradients, unsigned threads) {
  check_sizes(pattern, sizes, in);
  require_length(out.o.size(), length_of_rows(pattern, sizes, sizes.value_width), "o");
  require_length(out.sums.size(), length_of_rows(pattern, sizes, 2), "sums");
  require_length(d_o.size(), out.o.size(), "the gradient of o");
  require_length(gradients.q.size(), in.q.size(), "the gradient of q");
  require_length(gradients.k.size(), in.k.size(), "the gradient of k");
  require_length(gradients.v.size(), in.v.size(), "the gradient of v");
  require_length(gradients.e.size(), in.e.size(), "the gradient of e");
  const std::uint64_t groups = std::min(sizes.batch, most_groups), size = gradients.e.size();
  Buffer<T> sums = zeros<T>(groups * size);
  for_heads<T>(pattern, sizes, in, true, threads,
               [&](Worker<T>& worker, std::uint64_t h, std::uint64_t begin, std::uint64_t end, std::uint64_t group) {
                 worker.gradients(h, begin, end, out, d_o, gradients,
                                  sums.data() + group * size + h * pattern.entries * sizes.width);
               });
  for (std::uint64_t x = 0; x < size; ++x) {
    T sum{};
    for (std::uint64_t group = 0; group < groups; ++group) sum += sums[group * size + x];
    gradients.e[x] = sum;
  }
}

template void attention(const AttentionPattern&, const AttentionSizes&, const AttentionInput<float>&,
                        const AttentionOutput<float>&, unsigned);
template void attention(const AttentionPattern&, const AttentionSizes&, const AttentionInput<double>&,
                        const AttentionOutput<double>&, unsigned);
template void attention_gradients(const AttentionPattern&, const AttentionSizes&, const AttentionInput<float>&,
                                  const AttentionOutput<const float>&, std::span<const float>,
                                  const AttentionGradients<float>&, unsigned);
template void attention_gradients(const AttentionPattern&, const AttentionSizes&, const AttentionInput<double>&,
                                  const AttentionOutput<const double>&, std::span<const double>,
                                  const AttentionGradients<double>&, unsigned);

}  // namespace intertwine
