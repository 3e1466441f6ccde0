// Straightening of products of maximal minors of a rows x (rows + cols) matrix by Pluecker relations.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "intertwine/exact/checked_words.hpp"
#include "intertwine/gl/bitableau.hpp"
#include "intertwine/task.hpp"

namespace intertwine::detail {

/// A set of column numbers below 64: number e is bit 63 - e, so that the larger word is the lexicographically
/// smaller set.
using ColumnSet = std::uint64_t;

inline ColumnSet column_bit(int e) { return ColumnSet{1} << (63 - e); }

inline std::vector<int> elements(ColumnSet set) {
  std::vector<int> result;
  for (; set != 0; set &= ~(ColumnSet{1} << (63 - std::countl_zero(set)))) result.push_back(std::countl_zero(set));
  return result;
}

/// Products of maximal minors: rows of a rectangular tableau, words decreasing (sets lexicographically
/// increasing).
using Rectangle = std::vector<ColumnSet>;

/// Is every element of a at most the element of b in the same place?
inline bool entrywise_below(ColumnSet a, ColumnSet b) {
  while (a != 0 && b != 0) {
    const int i = std::countl_zero(a), j = std::countl_zero(b);
    if (i > j) return false;
    a &= ~column_bit(i);
    b &= ~column_bit(j);
  }
  return true;
}

template <class Count>
class Straightener {
 public:
  /// Smallest words first: what is exchanged next only makes larger ones, so each product is treated once.
  using Sum = std::map<Rectangle, Count>;

  explicit Straightener(const Task& task) : task_(task) {}

  /// The product of these sets, standard.
  Sum product(const std::vector<ColumnSet>& factors) {
    Sum sum{{{}, 1}};
    for (const ColumnSet factor : factors) {
      Sum next;
      for (const auto& [rows, c] : sum) {
        Rectangle grown = rows;
        grown.insert(std::upper_bound(grown.begin(), grown.end(), factor, std::greater<>()), factor);
        next.emplace(std::move(grown), c);
      }
      sum = straighten(std::move(next));
    }
    return sum;
  }

 private:
  struct PairTerm {
    ColumnSet first, second;
    Count coefficient;
  };
  struct PairHash {
    std::size_t operator()(const std::pair<ColumnSet, ColumnSet>& p) const {
      return static_cast<std::size_t>((p.first * 0x9e3779b97f4a7c15ULL ^ p.second) * 0xbf58476d1ce4e5b9ULL >> 7);
    }
  };

  Sum straighten(Sum work) {
    Sum done;
    while (!work.empty()) {
      task_.poll();
      auto node = work.extract(work.begin());
      const Rectangle& rows = node.key();
      if (node.mapped() == 0) continue;
      std::size_t at = 0;
      while (at + 1 < rows.size() && entrywise_below(rows[at], rows[at + 1])) ++at;
      if (at + 1 >= rows.size()) {
        done.insert(done.begin(), std::move(node));
        continue;
      }
      Rectangle rest = rows;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at), rest.begin() + static_cast<std::ptrdiff_t>(at) + 2);
      for (const PairTerm& term : standard_pairs(rows[at], rows[at + 1])) {
        Rectangle changed = rest;
        changed.insert(std::upper_bound(changed.begin(), changed.end(), term.first, std::greater<>()), term.first);
        changed.insert(std::upper_bound(changed.begin(), changed.end(), term.second, std::greater<>()), term.second);
        checked::add_to(work.try_emplace(std::move(changed), 0).first->second,
                        checked::times(node.mapped(), term.coefficient));
      }
    }
    return done;
  }

  /// The standard expansion of the product of two sets that are not in order; each pair is worked out once.
  const std::vector<PairTerm>& standard_pairs(ColumnSet first, ColumnSet second) {
    const auto known = pairs_.find({first, second});
    if (known != pairs_.end()) return known->second;
    std::map<std::pair<ColumnSet, ColumnSet>, Count> work{{{first, second}, 1}};
    std::vector<PairTerm> standard;
    while (!work.empty()) {
      task_.poll();
      const auto [sets, c] = *work.begin();
      work.erase(work.begin());
      if (c == 0) continue;
      if (entrywise_below(sets.first, sets.second)) {
        standard.push_back({sets.first, sets.second, c});
      } else {
        exchange(sets.first, sets.second, c, work);
      }
    }
    return pairs_.emplace(std::pair(first, second), std::move(standard)).first->second;
  }

  /// One Pluecker relation at the first place s where first[s] > second[s]: the tail of `first` from s and
  /// the head of `second` up to s are shuffled in all ways; the sum with signs vanishes.
  void exchange(ColumnSet first, ColumnSet second, const Count& c,
                std::map<std::pair<ColumnSet, ColumnSet>, Count>& work) {
    const std::vector<int> I = elements(first), J = elements(second);
    const int m = static_cast<int>(I.size());
    int s = 0;
    while (I[s] <= J[s]) ++s;
    std::vector<int> shuffled(J.begin(), J.begin() + s + 1);  // increasing, all below the tail of I
    shuffled.insert(shuffled.end(), I.begin() + s, I.end());
    ColumnSet fixed_first = 0, fixed_second = 0;
    for (int k = 0; k < s; ++k) fixed_first |= column_bit(I[k]);
    for (int k = s + 1; k < m; ++k) fixed_second |= column_bit(J[k]);
    const std::uint64_t all = (std::uint64_t{1} << (m + 1)) - 1, given = (std::uint64_t{1} << (s + 1)) - 1;
    // `chosen`: which places of `shuffled` go to the head of the second set, s + 1 of them.
    for (std::uint64_t chosen = given; chosen <= all;) {
      if (chosen != given) {
        ColumnSet head = 0, tail = 0;
        int inversions = (s + 1) * (m - s);  // of the given arrangement
        for (int k = 0; k <= m; ++k) {
          if (chosen >> k & 1) {
            head |= column_bit(shuffled[k]);
          } else {
            tail |= column_bit(shuffled[k]);
            inversions += std::popcount(chosen & ((std::uint64_t{1} << k) - 1));
          }
        }
        if ((head & fixed_second) == 0 && (tail & fixed_first) == 0) {
          inversions += crossings(fixed_first, tail) + crossings(head, fixed_second);
          ColumnSet a = fixed_first | tail, b = head | fixed_second;
          if (a < b) std::swap(a, b);
          checked::add_to(work.try_emplace({a, b}, 0).first->second, inversions % 2 ? Count(c) : Count(-c));
        }
      }
      const std::uint64_t low = chosen & (~chosen + 1),
                          ripple = chosen + low;  // the next set of the same size
      chosen = ripple | (((chosen ^ ripple) / low) >> 2);
    }
  }

  /// Pairs (x, y), x in `left`, y in `right`, x > y.
  static int crossings(ColumnSet left, ColumnSet right) {
    int count = 0;
    for (const int y : elements(right)) count += std::popcount(left & (column_bit(y) - 1));
    return count;
  }

  const Task& task_;
  std::unordered_map<std::pair<ColumnSet, ColumnSet>, std::vector<PairTerm>, PairHash> pairs_;
};

}  // namespace intertwine::detail
