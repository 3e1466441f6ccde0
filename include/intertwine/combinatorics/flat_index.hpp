// Keys and lists of one length, numbered 0, 1, 2, ... as they come and found again by their contents.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/integer.hpp"

namespace intertwine {

/// A hash of the contents; numbers by their words, Integers by their own hash.
template <class T>
std::uint64_t hash_of(std::span<const T> list) {
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
  for (const T& x : list) {
    if constexpr (std::is_same_v<T, Integer>)
      hash = (hash ^ std::hash<Integer>()(x)) * 0xff51afd7ed558ccdULL;
    else
      hash = (hash ^ static_cast<std::uint64_t>(x)) * 0xff51afd7ed558ccdULL;
    hash ^= hash >> 32;
  }
  return hash;
}

/// The lists lie in one array, and an open-addressed table leads from contents to numbers.
template <class T>
class FlatIndex {
 public:
  static constexpr Point none = ~Point{0};

  explicit FlatIndex(std::size_t width) : width_(width), slots_(16, none) {}

  std::size_t size() const { return size_; }
  std::size_t width() const { return width_; }
  std::uint64_t bytes() const { return sizeof(T) * lists_.size() + sizeof(Point) * slots_.size(); }
  std::span<const T> operator[](std::size_t i) const { return {lists_.data() + i * width_, width_}; }

  /// The number of the list, or none.
  Point find(std::span<const T> list) const { return slots_[slot_of(list)]; }
  /// The number of the list, a new one if it was not there. \throws LimitError beyond 2^31 - 1 lists.
  Point insert(std::span<const T> list) {
    const std::size_t slot = slot_of(list);
    if (slots_[slot] != none) return slots_[slot];
    if (size_ == max_degree) throw LimitError("an orbit has more than 2^31 - 1 elements, too many to be numbered");
    lists_.insert(lists_.end(), list.begin(), list.end());
    const auto number = static_cast<Point>(size_++);
    slots_[slot] = number;
    if (2 * size_ > slots_.size()) place_all(2 * slots_.size());
    return number;
  }
  /// Forgets all but the first `count`.
  void truncate(std::size_t count) {
    size_ = count;
    lists_.resize(count * width_);
    place_all(slots_.size());
  }
  /// These lists numbered in lexicographic order.
  FlatIndex sorted() const {
    std::vector<Point> order(size_);
    std::iota(order.begin(), order.end(), Point{0});
    std::ranges::sort(order,
                      [&](Point a, Point b) { return std::ranges::lexicographical_compare((*this)[a], (*this)[b]); });
    FlatIndex result(width_);
    for (const Point i : order) result.insert((*this)[i]);
    return result;
  }
  /// All lists, one after the other.
  std::vector<T> lists() && { return std::move(lists_); }

 private:
  std::size_t slot_of(std::span<const T> list) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash_of(list) & mask;; slot = (slot + 1) & mask)
      if (slots_[slot] == none || std::equal(list.begin(), list.end(), (*this)[slots_[slot]].begin())) return slot;
  }
  void place_all(std::size_t slots) {
    slots_.assign(slots, none);
    for (Point i = 0; i < size_; ++i) slots_[slot_of((*this)[i])] = i;
  }

  std::size_t width_;
  std::size_t size_ = 0;
  std::vector<T> lists_;
  std::vector<Point> slots_;  ///< numbers; the length is a power of two, at least half of it free
};

/// Numbers distinct keys 0, 1, 2, ... in order of appearance; a key has `hash()` and `==`. Open addressing with
/// linear probing.
template <class Key>
class KeyIndex {
 public:
  /// The number of a key, a new one if it was not there. \throws LimitError beyond 2^32 - 2 keys.
  std::uint32_t insert(const Key& key) {
    if (2 * (keys_.size() + 1) > slots_.size()) grow();
    std::size_t at = key.hash() & (slots_.size() - 1);
    while (slots_[at] != none) {
      if (keys_[slots_[at]] == key) return slots_[at];
      at = (at + 1) & (slots_.size() - 1);
    }
    if (keys_.size() >= none)
      throw LimitError("more than 4294967294 distinct partitions or weights in one sum; bound the rows or the columns");
    slots_[at] = static_cast<std::uint32_t>(keys_.size());
    keys_.push_back(key);
    return slots_[at];
  }
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  /// The number of a key, `none` if it was never inserted.
  std::uint32_t find(const Key& key) const {
    if (slots_.empty()) return none;
    std::size_t at = key.hash() & (slots_.size() - 1);
    while (slots_[at] != none && !(keys_[slots_[at]] == key)) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  std::size_t size() const { return keys_.size(); }
  const Key& operator[](std::size_t index) const { return keys_[index]; }
  /// Bytes held for each key, for estimates of memory.
  static constexpr std::size_t bytes_per_key = sizeof(Key) * 3 / 2 + 4 * sizeof(std::uint32_t);

 private:
  void grow() {
    slots_.assign(slots_.empty() ? 64 : 2 * slots_.size(), none);
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      std::size_t at = keys_[k].hash() & (slots_.size() - 1);
      while (slots_[at] != none) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = static_cast<std::uint32_t>(k);
    }
  }
  std::vector<Key> keys_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace intertwine
