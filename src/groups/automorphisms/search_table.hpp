// The points with coloured pairs by which partitions are refined and automorphisms searched for.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"

namespace intertwine {

class ColourTable;

/// Every pair of points has a colour, most pairs that of the background.
class SearchTable {
 public:
  virtual ~SearchTable() = default;
  virtual std::uint32_t points() const = 0;
  /// With signs the points 2k and 2k + 1 are opposites, and so are their images.
  virtual bool has_signs() const { return false; }
  /// Automorphisms keep the kinds.
  virtual std::uint64_t kind(Point x) const = 0;
  /// The table, where lists of the pairs of unusual colours do not pay.
  virtual const ColourTable* dense() const { return nullptr; }
  /// Is there one unusual colour only, the same there and back? Then neighbours() are the points of that colour.
  virtual bool is_plain() const { return false; }
  virtual std::span<const Point> neighbours(Point /*y*/) const { return {}; }  ///< ascending
  /// Adds to weight[x], for every point x, a hash of the colour of (x, y) unless it is the background's. Points whose weight was 0 are appended to `touched`.
  /// Costs what is unusual at y. Only where there is no dense() and it is not plain.
  virtual void add_unusual(Point y, std::span<std::uint64_t> weight, std::vector<Point>& touched) const = 0;
  /// Is g, a permutation of the points that keeps the kinds, an automorphism? `moved` are at least the points that it moves.
  /// \param scratch  empty, or as the call before left it
  virtual bool preserved_by(std::span<const Point> g, std::span<const Point> moved,
                            std::vector<std::uint32_t>& scratch) const = 0;

 protected:
  SearchTable() = default;
  SearchTable(const SearchTable&) = default;
  SearchTable& operator=(const SearchTable&) = default;
};

}  // namespace intertwine
