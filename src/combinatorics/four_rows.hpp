// Products of Schur functions of at most four rows, as one enumeration of Littlewood-Richardson tableaux: for short
// partitions of moderate weight, where multiplicities are small, this costs less than merging states in hash tables.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "intertwine/combinatorics/partition.hpp"

namespace intertwine::detail {

class FourRowProducts {
 public:
  static constexpr int rows = 4;
  using Rows = std::array<int, rows>;

  /// Only shapes inside `frame`, which has at most four rows, are of interest.
  explicit FourRowProducts(const Partition& frame) {
    for (int i = 0; i < rows; ++i) frame_[static_cast<std::size_t>(i)] = frame[i];
    std::size_t size = 1;
    for (int i = 1; i < rows; ++i) size *= static_cast<std::size_t>(frame[i]) + 1;
    count_.resize(size);
  }

  /// The place of a shape among those of its weight: by its second, third and fourth row.
  std::size_t place(const Rows& shape) const {
    return (static_cast<std::size_t>(shape[1]) * (static_cast<std::size_t>(frame_[2]) + 1) +
            static_cast<std::size_t>(shape[2])) *
               (static_cast<std::size_t>(frame_[3]) + 1) +
           static_cast<std::size_t>(shape[3]);
  }
  std::size_t places() const { return count_.size(); }
  static Rows rows_of(const Partition& lambda) {
    Rows result{};
    for (int i = 0; i < rows; ++i) result[static_cast<std::size_t>(i)] = lambda[i];
    return result;
  }

  /// visit(place, coefficient) for the terms of s_lambda s_mu inside the frame, at most four rows each.
  template <class Visit>
  void multiply(const Partition& lambda, const Partition& mu, const Visit& visit) {
    content_ = rows_of(mu);
    Rows shape = rows_of(lambda);
    for (std::size_t i = 0; i < rows; ++i)
      if (shape[i] > frame_[i]) return;
    // Before the first letter there is no bound by the letter before: as if it stood in the row above, often enough.
    add_letter(0, shape, {content_[0], content_[0], content_[0], content_[0]});
    for (const std::uint32_t at : touched_) {
      visit(static_cast<std::size_t>(at), count_[at]);
      count_[at] = 0;
    }
    touched_.clear();
  }

 private:
  /// Letter j goes to rows j, j+1, ... as a horizontal strip; `before[i]` is how many of it rows <= i may hold.
  void add_letter(std::size_t j, const Rows& shape, const Rows& before) {
    if (j == rows || content_[j] == 0) {
      const std::size_t at = place(shape);
      if (count_[at]++ == 0) touched_.push_back(static_cast<std::uint32_t>(at));
      return;
    }
    Rows room{}, below{};  // cells that row i can take, and all rows below it together
    for (std::size_t i = rows; i-- > j;) {
      const int limit = i == 0 || frame_[i] < shape[i - 1] ? frame_[i] : shape[i - 1];
      room[i] = limit - shape[i];
      if (i + 1 < rows) below[i] = below[i + 1] + room[i + 1];
    }
    Rows next = shape, held{};
    place_letter(j, j, content_[j], shape, next, {room, below, before}, held);
  }

  struct Bounds {
    const Rows &room, &below, &before;
  };

  /// `held` counts the letters j in the rows above: held[i] in rows < i, which bounds letter j + 1 in rows <= i.
  void place_letter(std::size_t j, std::size_t i, int left, const Rows& shape, Rows& next, const Bounds& bounds,
                    Rows& held) {
    const int placed = content_[j] - left;
    held[i] = placed;
    const int lattice = bounds.before[i] - placed;
    int most = bounds.room[i] < lattice ? bounds.room[i] : lattice;
    if (left < most) most = left;
    if (i + 1 == rows) {
      if (most < left) return;
      next[i] = shape[i] + left;
      add_letter(j + 1, next, held);
      return;
    }
    const int least = left > bounds.below[i] ? left - bounds.below[i] : 0;
    for (int a = most; a >= least; --a) {
      next[i] = shape[i] + a;
      place_letter(j, i + 1, left - a, shape, next, bounds, held);
    }
  }

  Rows frame_{}, content_{};
  std::vector<std::int64_t> count_;
  std::vector<std::uint32_t> touched_;
};

}  // namespace intertwine::detail
