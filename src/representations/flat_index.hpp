// Lists of points of one length, numbered 0, 1, 2, ... and found again by their contents.
#pragma once
#include <span>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"

namespace intertwine {

/// The lists lie in one array, and an open-addressed table leads from contents to numbers.
class FlatIndex {
 public:
  static constexpr Point none = ~Point{0};

  explicit FlatIndex(std::size_t width) : width_(width), slots_(16, none) {}

  std::size_t size() const { return size_; }
  std::size_t width() const { return width_; }
  std::uint64_t bytes() const { return sizeof(Point) * (lists_.size() + slots_.size()); }
  std::span<const Point> operator[](std::size_t i) const { return {lists_.data() + i * width_, width_}; }

  /// The number of the list, or none.
  Point find(std::span<const Point> list) const;
  /// The number of the list, a new one if it was not there. \throws LimitError beyond 2^31 - 1 lists.
  Point insert(std::span<const Point> list);
  /// The same lists numbered in lexicographic order.
  FlatIndex sorted() const;

 private:
  std::size_t slot_of(std::span<const Point> list) const;

  std::size_t width_;
  std::size_t size_ = 0;
  std::vector<Point> lists_;
  std::vector<Point> slots_;  ///< numbers; the length is a power of two, at least half of it free
};

}  // namespace intertwine
