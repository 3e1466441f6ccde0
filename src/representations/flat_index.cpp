#include "flat_index.hpp"

#include <algorithm>
#include <numeric>

#include "intertwine/error.hpp"

namespace intertwine {

std::size_t FlatIndex::slot_of(std::span<const Point> list) const {
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
  for (const Point x : list) {
    hash = (hash ^ x) * 0xff51afd7ed558ccdULL;
    hash ^= hash >> 32;
  }
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != none) {
    const std::span<const Point> there = (*this)[slots_[slot]];
    if (std::equal(list.begin(), list.end(), there.begin())) return slot;
    slot = (slot + 1) & mask;
  }
  return slot;
}

Point FlatIndex::find(std::span<const Point> list) const { return slots_[slot_of(list)]; }

Point FlatIndex::insert(std::span<const Point> list) {
  const std::size_t slot = slot_of(list);
  if (slots_[slot] != none) return slots_[slot];
  if (size_ == max_degree) throw LimitError("an orbit has more than 2^31 - 1 elements, too many to be numbered");
  lists_.insert(lists_.end(), list.begin(), list.end());
  const auto number = static_cast<Point>(size_++);
  slots_[slot] = number;
  if (2 * size_ > slots_.size()) {
    slots_.assign(2 * slots_.size(), none);
    for (Point i = 0; i < size_; ++i) slots_[slot_of((*this)[i])] = i;
  }
  return number;
}

FlatIndex FlatIndex::sorted() const {
  std::vector<Point> order(size_);
  std::iota(order.begin(), order.end(), Point{0});
  std::sort(order.begin(), order.end(), [&](Point a, Point b) {
    return std::lexicographical_compare((*this)[a].begin(), (*this)[a].end(), (*this)[b].begin(), (*this)[b].end());
  });
  FlatIndex result(width_);
  for (const Point i : order) result.insert((*this)[i]);
  return result;
}

}  // namespace intertwine
