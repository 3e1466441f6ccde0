// Adds strips to the shapes of a sum of Schur functions.
#include "combinatorics/strips.hpp"

#include <string>

namespace intertwine::detail {

namespace {

template <class Key, class Count>
RowSum run(const RowSum& start, const std::vector<Strip>& strips, const Frame& frame, const Task& task) {
  PackedSum<Key, Count> sum;
  for (const auto& [rows, coefficient] : start) {
    Key key;
    for (std::size_t r = 0; r < rows.size(); ++r) key.add(static_cast<int>(r), rows[r]);
    sum.add(key, static_cast<Count>(coefficient));
  }
  const auto product = StripAdder<Key, Count>(frame, task).multiply(sum, strips);
  task.require_memory(product.keys.size() * (sizeof(RowSum::value_type) + 88 + sizeof(int) * frame.rows),
                      "the terms of a product of Schur functions");
  RowSum result;
  result.reserve(product.keys.size());
  for (std::size_t k = 0; k < product.keys.size(); ++k) {
    if (product.counts[k] == 0) continue;
    std::vector<int> rows(frame.rows);
    for (int r = 0; r < frame.rows; ++r) rows[r] = product.keys[k][r];
    result.emplace_back(std::move(rows), Integer(product.counts[k]));
  }
  return result;
}

template <class Count>
RowSum choose(const RowSum& start, const std::vector<Strip>& strips, const Frame& frame, std::int64_t largest,
              const Task& task) {
  const auto fits = [&]<int Words, int Bits>(Packed<Words, Bits>) {
    return frame.rows <= Packed<Words, Bits>::capacity && largest <= Packed<Words, Bits>::max_value;
  };
  if constexpr (std::is_same_v<Count, std::int64_t>) {
    if (fits(Packed<1, 8>{})) return run<Packed<1, 8>, Count>(start, strips, frame, task);
    if (fits(Packed<2, 8>{})) return run<Packed<2, 8>, Count>(start, strips, frame, task);
    if (fits(Packed<3, 8>{})) return run<Packed<3, 8>, Count>(start, strips, frame, task);
    if (fits(Packed<4, 8>{})) return run<Packed<4, 8>, Count>(start, strips, frame, task);
    if (fits(Packed<6, 8>{})) return run<Packed<6, 8>, Count>(start, strips, frame, task);
    if (fits(Packed<2, 16>{})) return run<Packed<2, 16>, Count>(start, strips, frame, task);
    if (fits(Packed<4, 16>{})) return run<Packed<4, 16>, Count>(start, strips, frame, task);
    if (fits(Packed<16, 16>{})) return run<Packed<16, 16>, Count>(start, strips, frame, task);
  }
  // Big integers are rare, and their arithmetic is what takes the time then: two widths of keys are enough, and each is compiled.
  if (fits(Packed<16, 32>{})) return run<Packed<16, 32>, Count>(start, strips, frame, task);
  if (fits(Packed<256, 16>{})) return run<Packed<256, 16>, Count>(start, strips, frame, task);
  throw LimitError("a product of Schur functions has partitions of up to " + std::to_string(frame.rows) +
                   " rows and parts up to " + std::to_string(largest) +
                   "; the limits are 32 rows, or 1024 rows and parts below 32768: bound the rows or columns");
}

}  // namespace

RowSum add_strips(const RowSum& start, const std::vector<Strip>& strips, const Frame& frame, const Task& task) {
  if (start.empty()) return {};
  std::int64_t largest = 0, added = 0, widest = 0;
  bool words = true;
  for (const Strip& strip : strips) {
    added += strip.size;
    widest = std::max<std::int64_t>(widest, strip.size);
  }
  for (const auto& [rows, coefficient] : start) {
    for (const int part : rows) largest = std::max<std::int64_t>(largest, part);
    words = words && coefficient <= std::numeric_limits<std::int64_t>::max() &&
            coefficient > std::numeric_limits<std::int64_t>::min();
  }
  std::int64_t allowed = 0;  // by the frame
  for (int r = 0; r < frame.rows; ++r)
    allowed = std::max<std::int64_t>(allowed,
                                     frame.target.empty() ? frame.limit[r] : std::min(frame.limit[r], frame.target[r]));
  largest = std::max({std::min(largest + added, std::max(allowed, largest)), widest});
  if (words) try {
      return choose<std::int64_t>(start, strips, frame, largest, task);
    } catch (const checked::Overflow&) {  // rare: once more with big integers
    }
  return choose<Integer>(start, strips, frame, largest, task);
}

std::vector<Strip> rows_as_strips(const std::vector<int>& outer, const std::vector<int>& inner) {
  std::vector<Strip> strips;
  const auto in = [&](std::size_t i) { return i < inner.size() ? inner[i] : 0; };
  std::size_t last = 0;
  for (std::size_t i = 0; i < outer.size(); ++i) {
    if (outer[i] == in(i)) continue;
    strips.push_back({outer[i] - in(i), strips.empty() ? 0 : in(last)-in(i)});
    last = i;
  }
  return strips;
}

}  // namespace intertwine::detail
