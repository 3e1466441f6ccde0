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
#include <utility>
#include <vector>

#include "combinatorics/multiplicity.hpp"
#include "combinatorics/packed.hpp"
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
      add_to(counts[at], count);
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
  }

  /// `sum` times the skew Schur function with these rows; empty strips only carry their offset on.
  PackedSum<Key, Count> multiply(const PackedSum<Key, Count>& sum, const std::vector<Strip>& strips) {
    std::vector<Level> level(sum.keys.size());
    KeyIndex<Key> shapes = sum.keys;
    if (strips.empty()) return sum;
    for (std::size_t s = 0; s < level.size(); ++s) {
      level[s].push_back({Key{}.plus(from_[0], strips[0].size), sum.counts[s]});
    }
    for (std::size_t i = 0; i + 1 < strips.size(); ++i) advance(shapes, level, strips, i);
    return finish(shapes, level, strips.back());
  }

 private:
  struct State {
    Key bound;  ///< lane r: how many cells of the next strip may lie in rows 0 ... r
    Count count;
  };
  using Level = std::vector<State>;
  struct Emitted {
    std::uint32_t shape;
    State state;
  };

  void advance(KeyIndex<Key>& shapes, std::vector<Level>& level, const std::vector<Strip>& strips,
               std::size_t i) {
    next_shapes_ = {};
    emitted_.clear();
    next_ = strips[i + 1];
    remaining_ = static_cast<int>(strips.size() - i - 1);
    compact_at_ = std::size_t{1} << 22;
    for (std::size_t s = 0; s < level.size(); ++s) {
      task_.poll();
      for_each_strip(shapes[s], level[s], strips[i].size);
      Level().swap(level[s]);
    }
    merge(emitted_, next_shapes_.size());
    level.assign(next_shapes_.size(), {});
    std::vector<std::uint32_t> sizes(next_shapes_.size());
    for (const Emitted& e : emitted_) ++sizes[e.shape];
    for (std::size_t s = 0; s < sizes.size(); ++s) level[s].reserve(sizes[s]);
    for (Emitted& e : emitted_) level[e.shape].push_back(std::move(e.state));
    shapes = std::move(next_shapes_);
  }

  PackedSum<Key, Count> finish(const KeyIndex<Key>& shapes, const std::vector<Level>& level, Strip last) {
    PackedSum<Key, Count> result;
    remaining_ = 0;
    result_ = &result;
    for (std::size_t s = 0; s < level.size(); ++s) {
      task_.poll();
      for_each_strip(shapes[s], level[s], last.size);
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
    task_.require_memory(
        2 * compact_at_ * sizeof(Emitted) + next_shapes_.size() * KeyIndex<Key>::bytes_per_key,
        "the states of a product of Schur functions");
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
          add_to(emitted[out].state.count, it->count);
        ++out;
      }
    }
    emitted.resize(out);
  }

  /// The bound on the strip after one that put `placed` cells (cumulative) and led to `shape`, in its
  /// smallest form, so that histories with the same futures become equal. False if no next strip exists.
  bool next_bound(const Key& shape, const Key& placed, Strip next, Key& bound) const {
    int before = 0, allowed = 0;
    for (int r = 0; r < frame_.rows; ++r) {
      const int reach = std::min({next.offset + before, allowed + gap(shape, r), next.size});
      allowed = reach;
      bound.add(r, allowed);
      before = placed[r];
    }
    return allowed == next.size;
  }

  /// How many cells of one horizontal strip row r of `shape` can take, within the frame.
  int gap(const Key& shape, int r) const {
    int limit = frame_.limit[r] >= 0 ? frame_.limit[r] : shape[r - 1];
    if (!frame_.target.empty()) limit = std::min(limit, frame_.target[r]);
    return limit - shape[r];
  }

  void for_each_strip(const Key& shape, const Level& level, int size) {
    room_[frame_.rows] = 0;
    for (int r = frame_.rows - 1; r >= 0; --r) {
      gap_[r] = std::min(gap(shape, r), size);
      room_[r] = std::min(room_[r + 1] + gap_[r], size);
    }
    if (room_[0] < size) return;
    place(0, size, shape, Key{}, level);
  }

  /// Distributes `left` more cells over the rows from r on; `level` holds the states that allow what is
  /// `placed` so far.
  void place(int r, int left, const Key& shape, const Key& placed, const Level& level) {
    if ((++placed_ & 1023U) == 0) task_.poll();  // one shape can take strips without end
    if (left == 0) {
      if (!reachable(shape, r)) return;
      Count total = 0;
      for (const State& s : level) add_to(total, s.count);
      take(shape, placed, total);
      return;
    }
    // Row by row: no cell in row r as long as the rows below can still take them all.
    for (; r < frame_.rows && room_[r] >= left; ++r) {
      Level& kept = active_[r];
      const Level* from = &level;
      for (int a = std::max({1, least(shape, r), left - room_[r + 1]}), most = std::min(gap_[r], left);
           a <= most; ++a) {
        const Key now = placed.plus(from_[r], a);
        if (from == &level) {
          kept.clear();
          for (const State& s : level)
            if (now.below(s.bound)) kept.push_back(s);
        } else {
          std::erase_if(kept, [&](const State& s) { return !now.below(s.bound); });
        }
        from = &kept;
        if (kept.empty()) break;
        Key grown = shape;
        grown.add(r, a);
        place(r + 1, left - a, grown, now, kept);
      }
      if (least(shape, r) > 0) return;
    }
  }

  /// The cells that row r must take now to reach the target with the strips that remain (each adds at most
  /// one cell a column).
  int least(const Key& shape, int r) const {
    if (frame_.target.empty()) return 0;
    const int below = r + remaining_;
    return below + 1 > frame_.rows ? 0
           : below < frame_.rows   ? std::max(0, frame_.target[below] - shape[r])
                                   : 0;
  }
  bool reachable(const Key& shape, int r) const {
    for (; !frame_.target.empty() && r < frame_.rows; ++r)
      if (least(shape, r) > 0) return false;
    return true;
  }

  const Frame& frame_;
  const Task& task_;
  std::vector<Key> from_;      ///< from_[r] has 1 in the lanes r, r+1, ...
  std::vector<Level> active_;  ///< one buffer for each row, reused
  std::vector<int> gap_, room_;
  int remaining_ = 0;  ///< strips after the one being placed
  Strip next_;         ///< the first of these
  KeyIndex<Key> next_shapes_;
  std::vector<Emitted> emitted_;  ///< states of the next level
  std::size_t compact_at_ = 0;
  PackedSum<Key, Count>* result_ = nullptr;  ///< where the last strip is being placed
  std::uint32_t placed_ = 0;                 ///< calls of place()
};

/// A combination of row lists (of one frame) with coefficients.
using RowSum = std::vector<std::pair<std::vector<int>, Integer>>;

/// `start` times the skew Schur function with these rows, in machine words where they suffice.
/// \throws LimitError if the rows or parts exceed what the packed form holds, or the memory of the task.
RowSum add_strips(const RowSum& start, const std::vector<Strip>& strips, const Frame& frame,
                  const Task& task);

/// The rows of outer/inner as strips.
std::vector<Strip> rows_as_strips(const std::vector<int>& outer, const std::vector<int>& inner);

}  // namespace intertwine::detail
