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
  using Sum = PackedSum<Key, Count>;

  StripAdder(const Frame& frame, const Task& task) : frame_(frame), task_(task), gap_(frame.rows) {
    room_.resize(frame.rows + 1);
    from_.resize(frame.rows + 1);
    for (int r = frame.rows - 1; r >= 0; --r) {
      from_[r] = from_[r + 1];
      from_[r].add(r, 1);
    }
    active_.resize(frame.rows + 1);
  }

  /// `sum` times the skew Schur function with these rows, in parts without common keys; empty strips only carry their offset
  /// on.
  std::vector<Sum> multiply(const Sum& sum, const std::vector<Strip>& strips) {
    if (strips.empty()) return {sum};
    std::vector<States> states(1);
    states[0].shapes = sum.keys;
    states[0].level.resize(sum.keys.size());
    for (std::size_t s = 0; s < sum.keys.size(); ++s)
      states[0].level[s].push_back({Key{}.plus(from_[0], strips[0].size), sum.counts[s]});
    for (std::size_t i = 0; i + 1 < strips.size(); ++i) advance(states, strips, i);
    return finish(states, strips.back());
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
  /// Shapes and what was met at each of them. All states are in one of these, or in several without common shapes.
  struct States {
    KeyIndex<Key> shapes;
    std::vector<Level> level;
  };
  /// What one range of shapes led to: sorted by shape, and where the shapes begin that go to each of the next States.
  struct Part {
    KeyIndex<Key> shapes;
    std::vector<Emitted> emitted;
    std::vector<std::vector<std::uint32_t>> begins;
  };

  /// visit(range, adder, shape, level) for all shapes; each range has an adder of its own.
  template <class Visit>
  void for_each_shape(std::vector<States>& states, std::uint64_t grain, const Visit& visit) {
    std::vector<std::uint64_t> start{0};
    for (const States& part : states) start.push_back(start.back() + part.level.size());
    task_.share(start.back(), grain, [&](std::uint64_t first, std::uint64_t last) {
      StripAdder own(*this);
      std::size_t part = std::upper_bound(start.begin(), start.end(), first) - start.begin() - 1;
      for (std::uint64_t s = first; s < last; ++s) {
        task_.poll();
        while (s >= start[part + 1]) ++part;
        visit(first / grain, own, states[part].shapes[s - start[part]], states[part].level[s - start[part]]);
      }
    });
  }
  /// How many shapes make a range of for_each_shape(): all of them where one thread works.
  std::uint64_t grain_for(const std::vector<States>& states) const {
    std::uint64_t shapes = 0;
    for (const States& part : states) shapes += part.level.size();
    return task_.threads() == 1 ? shapes + 1
                                : std::max<std::uint64_t>(8, shapes / (8 * std::uint64_t{task_.threads()}));
  }
  static std::size_t ranges_of(const std::vector<States>& states, std::uint64_t grain) {
    std::uint64_t shapes = 0;
    for (const States& part : states) shapes += part.level.size();
    return (shapes + grain - 1) / grain;
  }
  /// Which of `parts` parts a key belongs to.
  static std::size_t part_of(const Key& key, std::size_t parts) { return (key.hash() >> 40U) % parts; }

  void advance(std::vector<States>& states, const std::vector<Strip>& strips, std::size_t i) {
    const Strip next = strips[i + 1];
    remaining_ = static_cast<int>(strips.size() - i - 1);
    const std::uint64_t grain = grain_for(states);
    std::vector<Part> parts(ranges_of(states, grain));
    std::vector<std::size_t> compact_at(parts.size(), (std::size_t{1} << 22U) / task_.threads());
    for_each_shape(states, grain, [&](std::size_t range, StripAdder& own, const Key& from, Level& level) {
      KeyIndex<Key>& shapes = parts[range].shapes;
      std::vector<Emitted>& emitted = parts[range].emitted;
      own.for_each_strip(
          from, level, strips[i].size, [&](const Key& shape, const Key& placed, const Count& count) {
            Key bound;
            if (count == 0 || !next_bound(shape, placed, next, bound)) return;
            emitted.push_back({shapes.insert(shape), {bound, count}});
            if (emitted.size() <= compact_at[range]) return;
            merge(emitted, shapes.size());
            compact_at[range] = std::max(compact_at[range], 2 * emitted.size());
            task_.require_memory(task_.threads() * (2 * compact_at[range] * sizeof(Emitted) +
                                                    shapes.size() * KeyIndex<Key>::bytes_per_key),
                                 "the states of a product of Schur functions");
          });
      Level().swap(level);
    });
    states.assign(std::min<std::size_t>(parts.size(), 2 * task_.threads()), {});
    task_.share(parts.size(), 1, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t r = first; r < last; ++r) {
        auto& [shapes, emitted, begins] = parts[r];
        merge(emitted, shapes.size());
        if (parts.size() == 1) return;
        begins.resize(states.size());
        for (std::size_t e = 0; e < emitted.size(); ++e)
          if (e == 0 || emitted[e].shape != emitted[e - 1].shape)
            begins[part_of(shapes[emitted[e].shape], states.size())].push_back(static_cast<std::uint32_t>(e));
      }
    });
    if (parts.size() == 1) {
      States& all = states[0];
      all.shapes = std::move(parts[0].shapes);
      all.level.resize(all.shapes.size());
      std::vector<std::uint32_t> sizes(all.shapes.size());
      for (const Emitted& e : parts[0].emitted) ++sizes[e.shape];
      for (std::size_t s = 0; s < sizes.size(); ++s) all.level[s].reserve(sizes[s]);
      for (Emitted& e : parts[0].emitted) all.level[e.shape].push_back(std::move(e.state));
      return;
    }
    task_.share(states.size(), 1, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t k = first; k < last; ++k) {
        for (Part& part : parts) gather(part, k, states[k]);
        for (Level& level : states[k].level) merge_equal(level);
      }
    });
  }

  /// Takes the states of a part at the shapes that go to States number k.
  static void gather(Part& part, std::size_t k, States& states) {
    for (std::size_t e : part.begins[k]) {
      const std::uint32_t shape = part.emitted[e].shape;
      const std::uint32_t at = states.shapes.insert(part.shapes[shape]);
      if (at == states.level.size()) states.level.emplace_back();
      for (; e < part.emitted.size() && part.emitted[e].shape == shape; ++e)
        states.level[at].push_back(std::move(part.emitted[e].state));
    }
  }

  std::vector<Sum> finish(std::vector<States>& states, Strip last) {
    remaining_ = 0;
    const std::uint64_t grain = grain_for(states);
    std::vector<Sum> parts(ranges_of(states, grain));
    for_each_shape(states, grain, [&](std::size_t range, StripAdder& own, const Key& from, Level& level) {
      own.for_each_strip(from, level, last.size, [&](const Key& shape, const Key&, const Count& count) {
        parts[range].add(shape, count);
      });
    });
    if (parts.size() == 1) return parts;
    std::vector<Sum> result(std::min<std::size_t>(parts.size(), 2 * task_.threads()));
    std::vector<std::vector<std::vector<std::uint32_t>>> places(parts.size());  // by part and result
    task_.share(parts.size(), 1, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t r = begin; r < end; ++r) {
        places[r].resize(result.size());
        for (std::uint32_t s = 0; s < parts[r].keys.size(); ++s)
          places[r][part_of(parts[r].keys[s], result.size())].push_back(s);
      }
    });
    task_.share(result.size(), 1, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t k = begin; k < end; ++k)
        for (std::size_t r = 0; r < parts.size(); ++r)
          for (const std::uint32_t s : places[r][k]) result[k].add(parts[r].keys[s], parts[r].counts[s]);
    });
    return result;
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
      const auto begin = sorted.begin() + start[s];
      const auto end = merge_equal(begin, sorted.begin() + start[s + 1]);
      for (auto it = begin; it != end; ++it) emitted[out++] = {static_cast<std::uint32_t>(s), std::move(*it)};
    }
    emitted.resize(out);
  }
  /// The same at one shape. \returns the end of what is left
  template <class Iterator>
  static Iterator merge_equal(Iterator begin, Iterator end) {
    std::sort(begin, end, [](const State& a, const State& b) { return a.bound < b.bound; });
    Iterator out = begin;
    for (Iterator it = begin; it != end; ++out) {
      if (out != it) *out = std::move(*it);
      for (++it; it != end && it->bound == out->bound; ++it) add_to(out->count, it->count);
    }
    return out;
  }
  static void merge_equal(Level& level) { level.erase(merge_equal(level.begin(), level.end()), level.end()); }

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

  template <class Visit>
  void for_each_strip(const Key& shape, const Level& level, int size, const Visit& visit) {
    room_[frame_.rows] = 0;
    for (int r = frame_.rows - 1; r >= 0; --r) {
      gap_[r] = std::min(gap(shape, r), size);
      room_[r] = std::min(room_[r + 1] + gap_[r], size);
    }
    if (room_[0] < size) return;
    place(0, size, shape, Key{}, level, visit);
  }

  /// Distributes `left` more cells over the rows from r on; `level` holds the states that allow what is
  /// `placed` so far.
  template <class Visit>
  void place(int r, int left, const Key& shape, const Key& placed, const Level& level, const Visit& visit) {
    if ((++placed_ & 1023U) == 0) task_.poll();  // one shape can take strips without end
    if (left == 0) {
      if (!reachable(shape, r)) return;
      Count total = 0;
      for (const State& s : level) add_to(total, s.count);
      visit(shape, placed, total);
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
        place(r + 1, left - a, grown, now, kept, visit);
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
  int remaining_ = 0;         ///< strips after the one being placed
  std::uint32_t placed_ = 0;  ///< calls of place()
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
