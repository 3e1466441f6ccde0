// A graph as lists of neighbours, vertices with the same neighbours merged.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "intertwine/groups/automorphism_group.hpp"
#include "merged_lines.hpp"
#include "search_table.hpp"

namespace intertwine {

/// The points are classes of vertices that any permutation may move among themselves: those of one colour with the same neighbours outside of the class,
/// and inside either no edges or all with one label. The colour of a pair of points is an edge's label, with the label of the edge back if it is directed.
class GraphTable : public SearchTable {
 public:
  /// \throws DomainError for a graph that is none (see automorphisms); LimitError, Interrupted through `task`.
  GraphTable(const LabelledGraph& graph, const Task& task);

  std::uint32_t points() const override { return static_cast<std::uint32_t>(kind_.size()); }
  std::uint64_t kind(Point x) const override { return kind_[x]; }
  bool is_plain() const override { return colours_.empty(); }
  std::span<const Point> neighbours(Point y) const override {
    return std::span(neighbours_).subspan(begin_[y], begin_[y + 1] - begin_[y]);
  }
  void add_unusual(Point y, std::span<std::uint64_t> weight, std::vector<Point>& touched) const override;
  /// Costs a pass over the edges at moved points.
  bool preserved_by(std::span<const Point> g, std::span<const Point> moved,
                    std::vector<std::uint32_t>& scratch) const override;
  const MergedLines& merging() const { return lines_; }

 private:
  struct Lists;  // of neighbours, on their way
  struct Twins;  // classes, on their way
  static Lists lists_of(const LabelledGraph& graph, std::vector<std::uint8_t>& goes_back, const Task& task);
  static Twins twins(const Lists& lists, const std::vector<std::uint32_t>& colours,
                     const std::vector<std::uint8_t>& goes_back, const Task& task);
  void merge(const Lists& lists, const Twins& classes, const std::vector<std::uint32_t>& colours);
  std::span<const std::uint32_t> colours(Point y) const {
    return std::span(colours_).subspan(begin_[y], begin_[y + 1] - begin_[y]);
  }

  std::vector<std::size_t> begin_;      ///< the beginnings of the points' lists
  std::vector<Point> neighbours_;       ///< one list after the other
  std::vector<std::uint32_t> colours_;  ///< theirs; nothing where all are the same, there and back
  std::vector<std::uint32_t> kind_;
  MergedLines lines_;
};

}  // namespace intertwine
