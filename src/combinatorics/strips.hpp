// The one engine behind Littlewood-Richardson products, skew expansions and multiplication by p_k[s_mu].
//
// Multiplying a combination of Schur functions by a skew Schur function s_{nu/mu} adds one horizontal strip
// for each row of nu/mu; strip i+1 must be compatible with strip i so that the recorded row numbers form a
// semistandard tableau of shape nu/mu (the companion of a Littlewood-Richardson tableau). The history of a
// partial sum matters only through its shape and a bound on the next strip: states that agree in both are
// merged, so that the cost follows the number of states and not the multiplicities. Sources: Stembridge, "A
// concise proof of the Littlewood-Richardson rule" (2002), for the rule; the merging is ours.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "combinatorics/packed.hpp"
#include "intertwine/combinatorics/flat_index.hpp"
#include "intertwine/exact/checked_words.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/task.hpp"

namespace intertwine::detail {

/// One horizontal strip: `size` cells. `offset` is how far its first cell lies left of the first cell of the
/// strip before: the number of its cells in rows <= r is at most offset + (the number of cells of the strip
/// before in rows < r).
struct Strip {
  int size = 0;
  int offset = 0;
};

/// The rows that cells are added to: one partition, or several side by side (a k-quotient).
struct Frame {
  int rows = 0;
  std::vector<int> limit;   ///< the largest part allowed where a partition begins; -1 in its further rows
  std::vector<int> target;  ///< if not empty: keep only what can still become this (single) shape
};

/// A sum of keys with multiplicities, in no particular order and without repeated keys.
template <class Key, class Count>
struct PackedSum {
  KeyIndex<Key> keys;
  std::vector<Count> counts;
  void add(const Key& key, const Count& count) {
    const std::uint32_t at = keys.insert(key);
    if (at == counts.size()) {
      counts.push_back(count);
    } else {
      checked::add_to(counts[at], count);
    }
  }
};

template <class Key, class Count>
class StripAdder {
 public:
  StripAdder(const Frame& frame, const Task& task) : frame_(frame), task_(task), gap_(frame.rows) {
    room_.resize(frame.rows + 1);
    from_.resize(frame.rows + 1);
    for (int r = frame.rows - 1; r >= 0; --r) {
      from_[r] = from_[r + 1];
      from_[r].add(r, 1);
    }
    active_.resize(frame.rows + 1);
    one_shape_ = frame.target.empty() && frame.rows > 0 &&
                 std::all_of(frame.limit.begin() + 1, frame.limit.end(), [](int l) { return l < 0; });
  }

  /// `sum` times the skew Schur function with these rows; empty strips only carry their offset on.
  PackedSum<Key, Count> multiply(const PackedSum<Key, Count>& sum, const std::vector<Strip>& strips) {
    if (strips.empty()) return sum;
    Level level{sum.keys, {}, {}};
    for (std::size_t s = 0; s < sum.counts.size(); ++s)
      level.add(s, {Key{}.plus(from_[0], strips[0].size), sum.counts[s]});
    for (std::size_t i = 0; i + 1 < strips.size(); ++i) advance(level, strips, i);
    return finish(level, strips.back());
  }

 private:
  struct State {
    Key bound;  ///< lane r: how many cells of the next strip may lie in rows 0 ... r
    Count count;
  };
  struct Emitted {
    std::uint32_t shape;
    State state;
  };
  /// Between two strips: the states of one shape after the other.
  struct Level {
    KeyIndex<Key> shapes;
    std::vector<State> states;
    std::vector<std::size_t> ends;

    void add(std::size_t shape, State state) {
      ends.resize(shape + 1, states.size());
      states.push_back(std::move(state));
      ++ends[shape];
    }
    std::span<const State> of(std::size_t shape) const {
      const std::size_t begin = shape == 0 ? 0 : ends[shape - 1];
      return {states.data() + begin, ends[shape] - begin};
    }
  };

  void advance(Level& level, const std::vector<Strip>& strips, std::size_t i) {
    next_shapes_ = {};
    emitted_.clear();
    next_ = strips[i + 1];
    remaining_ = static_cast<int>(strips.size() - i - 1);
    compact_at_ = std::size_t{1} << 18;
    held_ = level.states.size() * sizeof(State);
    for (std::size_t s = 0; s < level.ends.size(); ++s) {
      task_.poll();
      for_each_strip(level.shapes[s], level.of(s), strips[i].size);
    }
    level = {};
    merge(emitted_, next_shapes_.size());
    level.states.reserve(emitted_.size());
    for (Emitted& e : emitted_) level.add(e.shape, std::move(e.state));
    level.shapes = std::move(next_shapes_);
  }

  PackedSum<Key, Count> finish(const Level& level, Strip last) {
    PackedSum<Key, Count> result;
    remaining_ = 0;
    result_ = &result;
    for (std::size_t s = 0; s < level.ends.size(); ++s) {
      task_.poll();
      for_each_strip(level.shapes[s], level.of(s), last.size);
    }
    result_ = nullptr;
    return result;
  }

  /// A strip was placed: a term of the result, or a state of the next level. One function for both, since all the code
  /// that places strips would be compiled twice otherwise.
  void take(const Key& shape, const Key& placed, const Count& count) {
    if (result_ != nullptr) return result_->add(shape, count);
    Key bound;
    if (count == 0 || !next_bound(shape, placed, next_, bound)) return;
    emitted_.push_back({next_shapes_.insert(shape), {bound, count}});
    if (emitted_.size() <= compact_at_) return;
    merge(emitted_, next_shapes_.size());
    compact_at_ = std::max(compact_at_, 2 * emitted_.size());
    task_.require_memory(held_ + 2 * compact_at_ * sizeof(Emitted) + next_shapes_.size() * KeyIndex<Key>::bytes_per_key,
                         "the states of a product of Schur functions");
    emitted_.reserve(compact_at_ + 1);  // growing by itself it would take twice what was asked for
  }

  /// Sorts by shape and bound and adds the counts of equal states.
  static void merge(std::vector<Emitted>& emitted, std::size_t shapes) {
    std::vector<std::uint32_t> start(shapes + 1);
    for (const Emitted& e : emitted) ++start[e.shape + 1];
    for (std::size_t s = 0; s < shapes; ++s) start[s + 1] += start[s];
    std::vector<State> sorted(emitted.size());
    std::vector<std::uint32_t> at(start.begin(), start.end() - 1);
    for (Emitted& e : emitted) sorted[at[e.shape]++] = std::move(e.state);
    std::size_t out = 0;
    for (std::size_t s = 0; s < shapes; ++s) {
      const auto begin = sorted.begin() + start[s], end = sorted.begin() + start[s + 1];
      std::sort(begin, end, [](const State& a, const State& b) { return a.bound < b.bound; });
      for (auto it = begin; it != end;) {
        emitted[out] = {static_cast<std::uint32_t>(s), std::move(*it)};
        for (++it; it != end && it->bound == emitted[out].state.bound; ++it)
          checked::add_to(emitted[out].state.count, it->count);
        ++out;
      }
    }
    emitted.resize(out);
  }

  /// The bound on the strip after one that put `placed` cells (cumulative) and led to `shape`, in its
  /// smallest form, so that histories with the same futures become equal. False if no next strip exists.
  bool next_bound(const Key& shape, const Key& placed, Strip next, Key& bound) const {
    const Key room = gaps(shape);
    int before = 0, allowed = 0, r = 0;
    for (std::size_t k = 0; k < bound.word.size(); ++k) {
      std::uint64_t rooms = room.word[k], cells = placed.word[k];
      for (int lane = 0; lane < Key::lanes_per_word; ++lane, ++r) {
        if (r == frame_.rows) return false;
        allowed = std::min({next.offset + before, allowed + static_cast<int>(rooms & Key::lane_mask), next.size});
        if (allowed == next.size) {  // and it stays so
          bound = bound.plus(from_[r], allowed);
          return true;
        }
        bound.word[k] |= static_cast<std::uint64_t>(allowed) << (lane * Key::lane_bits);
        before = static_cast<int>(cells & Key::lane_mask);
        rooms >>= Key::lane_bits;
        cells >>= Key::lane_bits;
      }
    }
    return false;
  }

  /// How many cells of one horizontal strip row r of `shape` can take, within the frame.
  int gap(const Key& shape, int r) const {
    int limit = frame_.limit[r] >= 0 ? frame_.limit[r] : shape[r - 1];
    if (!frame_.target.empty()) limit = std::min(limit, frame_.target[r]);
    return limit - shape[r];
  }
  /// gap() of all rows.
  Key gaps(const Key& shape) const {
    if (one_shape_) return shape.drops(static_cast<int>(std::min<std::int64_t>(frame_.limit[0], Key::max_value)));
    Key result;
    for (int r = 0; r < frame_.rows; ++r)
      result.add(r, static_cast<int>(std::min<std::int64_t>(gap(shape, r), Key::max_value)));
    return result;
  }

  void for_each_strip(const Key& shape, std::span<const State> states, int size) {
    room_[frame_.rows] = 0;
    for (int r = frame_.rows - 1; r >= 0; --r) {
      gap_[r] = std::min(gap(shape, r), size);
      room_[r] = std::min(room_[r + 1] + gap_[r], size);
    }
    if (room_[0] < size) return;
    place(0, size, shape, Key{}, states);
  }

  /// Distributes `left` more cells over the rows from r on; `states` are those that allow what is `placed` so far.
  void place(int r, int left, const Key& shape, const Key& placed, std::span<const State> states) {
    if ((++placed_ & 1023U) == 0) task_.poll();  // one shape can take strips without end
    if (left == 0) return finish_strip(r, shape, placed, states);
    // Row by row: no cell in row r as long as the rows below can still take them all.
    for (; r < frame_.rows && room_[r] >= left; ++r) {
      std::vector<State>& kept = active_[r];
      bool is_first = true;
      for (int a = std::max({1, least(shape, r), left - room_[r + 1]}), most = std::min(gap_[r], left); a <= most;
           ++a) {
        const Key now = placed.plus(from_[r], a);
        if (a == left) {  // the last cells: nothing is kept for others
          Key grown = shape;
          grown.add(r, a);
          finish_strip(r + 1, grown, now, is_first ? states : std::span<const State>(kept));
          break;
        }
        if (is_first) {
          kept.clear();
          for (const State& s : states)
            if (now.below(s.bound)) kept.push_back(s);
        } else {
          std::erase_if(kept, [&](const State& s) { return !now.below(s.bound); });
        }
        is_first = false;
        if (kept.empty()) break;
        Key grown = shape;
        grown.add(r, a);
        place(r + 1, left - a, grown, now, kept);
      }
      if (least(shape, r) > 0) return;
    }
  }

  /// All cells are placed, the last ones above row r.
  void finish_strip(int r, const Key& shape, const Key& placed, std::span<const State> states) {
    if (!reachable(shape, r)) return;
    Count total = 0;
    bool is_allowed = false;
    for (const State& s : states) {
      if (!placed.below(s.bound)) continue;
      checked::add_to(total, s.count);
      is_allowed = true;
    }
    if (is_allowed) take(shape, placed, total);
  }

  /// The cells that row r must take now to reach the target with the strips that remain (each adds at most
  /// one cell a column).
  int least(const Key& shape, int r) const {
    if (frame_.target.empty()) return 0;
    const int below = r + remaining_;
    return below + 1 > frame_.rows ? 0 : below < frame_.rows ? std::max(0, frame_.target[below] - shape[r]) : 0;
  }
  bool reachable(const Key& shape, int r) const {
    for (; !frame_.target.empty() && r < frame_.rows; ++r)
      if (least(shape, r) > 0) return false;
    return true;
  }

  const Frame& frame_;
  const Task& task_;
  std::vector<Key> from_;                   ///< from_[r] has 1 in the lanes r, r+1, ...
  std::vector<std::vector<State>> active_;  ///< one buffer for each row, reused
  std::vector<int> gap_, room_;
  bool one_shape_ = false;  ///< one partition, and no target
  int remaining_ = 0;       ///< strips after the one being placed
  Strip next_;              ///< the first of these
  KeyIndex<Key> next_shapes_;
  std::vector<Emitted> emitted_;  ///< states of the next level
  std::size_t compact_at_ = 0;
  std::size_t held_ = 0;                     ///< bytes of the present level
  PackedSum<Key, Count>* result_ = nullptr;  ///< the sum into which the last strip is being placed
  std::uint32_t placed_ = 0;                 ///< calls of place()
};

/// A combination of row lists (of one frame) with coefficients.
using RowSum = std::vector<std::pair<std::vector<int>, Integer>>;

/// `start` times the skew Schur function with these rows, in machine words where they suffice.
/// \throws LimitError if the rows or parts exceed what the packed form holds, or the memory of the task.
RowSum add_strips(const RowSum& start, const std::vector<Strip>& strips, const Frame& frame, const Task& task);

/// The rows of outer/inner as strips.
std::vector<Strip> rows_as_strips(const std::vector<int>& outer, const std::vector<int>& inner);

}  // namespace intertwine::detail
