// All partitions of weight at most n, numbered, with the ribbons that can be taken from each. A partition is
// a word: the beta-set as bits, lowest bit zero, so that taking a ribbon moves one bit.
#pragma once
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/error.hpp"
#include "intertwine/task.hpp"

namespace intertwine::detail {

class RibbonTable {
 public:
  static constexpr int max_weight = 60;

  struct Move {
    std::uint32_t to;  ///< number of the smaller partition among those of its weight
    std::int32_t sign;
  };

  RibbonTable(int n, const Task& task) : shapes_(n + 1), index_(n + 1), moves_(n + 1) {
    if (n > max_weight)
      throw LimitError("characters of S_" + std::to_string(n) +
                       " are too many for a table of ribbons; the limit is n = 60");
    std::uint64_t ribbons = 0;
    for (int m = 0; m <= n; ++m)
      ribbons += static_cast<std::uint64_t>(number_of_partitions(m)) * static_cast<std::uint64_t>(m);
    task.require_memory(ribbons * (sizeof(Move) + 24), "the table of ribbons of all partitions");
    for (int m = 0; m <= n; ++m) {
      task.poll();
      add_weight(m);
    }
  }

  int weight() const { return static_cast<int>(shapes_.size()) - 1; }
  /// Partitions of m, in the order of Partition.
  const std::vector<Partition>& partitions_of(int m) const { return shapes_[m]; }
  std::size_t number(const Partition& lambda) const { return index_[lambda.weight()].at(word(lambda)); }

  /// Calls visit(i, move) for every ribbon of k cells of every partition i of m.
  template <class Visit>
  void for_each(int m, int k, const Visit& visit) const {
    const Moves& moves = moves_[m][k];
    for (std::size_t i = 0; i < moves.from.size(); ++i) visit(moves.from[i], moves.move[i]);
  }

 private:
  struct Moves {
    std::vector<std::uint32_t> from;
    std::vector<Move> move;
  };

  static std::uint64_t word(const Partition& lambda) {
    std::uint64_t bits = 0;
    for (int i = 0; i < lambda.length(); ++i) bits |= std::uint64_t{1} << (lambda[i] + lambda.length() - 1 - i);
    return bits;
  }

  void add_weight(int m) {
    shapes_[m] = partitions(m);
    index_[m].reserve(shapes_[m].size());
    moves_[m].resize(m + 1);
    for (std::size_t i = 0; i < shapes_[m].size(); ++i) {
      const std::uint64_t bits = word(shapes_[m][i]);
      index_[m].emplace(bits, static_cast<std::uint32_t>(i));
      for (std::uint64_t beads = bits; beads != 0; beads &= beads - 1) {
        const int from = std::countr_zero(beads);
        for (int to = 0; to < from; ++to) {
          if (bits >> to & 1) continue;
          const std::uint64_t between = bits & ((std::uint64_t{1} << from) - 1) & ~((std::uint64_t{2} << to) - 1);
          std::uint64_t moved = (bits ^ (std::uint64_t{1} << from)) | std::uint64_t{1} << to;
          moved >>= std::countr_one(moved);
          Moves& moves = moves_[m][from - to];
          moves.from.push_back(static_cast<std::uint32_t>(i));
          moves.move.push_back({index_[m - (from - to)].at(moved), std::popcount(between) % 2 ? -1 : 1});
        }
      }
    }
  }

  std::vector<std::vector<Partition>> shapes_;
  std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> index_;
  std::vector<std::vector<Moves>> moves_;
};

}  // namespace intertwine::detail
