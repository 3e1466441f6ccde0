// A graph as lists of neighbours, vertices with the same neighbours merged.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "intertwine/equivariant/automorphism_group.hpp"
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
  void add_unusual(Point y, std::span<std::uint64_t> weight, std::vector<Point>& touched) const override;
  /// Costs a pass over the edges at moved points.
  bool preserved_by(std::span<const Point> g, std::span<const Point> moved,
                    std::vector<std::uint32_t>& scratch) const override;
  const MergedLines& merging() const { return lines_; }

 private:
  struct Entry {
    std::uint32_t place, colour;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  /// Lists of entries, one a vertex, by increasing places.
  struct Lists {
    std::vector<std::size_t> begin;
    std::vector<Entry> entries;
    std::span<const Entry> operator[](std::uint32_t v) const {
      return std::span(entries).subspan(begin[v], begin[v + 1] - begin[v]);
    }
    /// The entry (v, x) as (x, v).
    Lists transposed() const;
  };
  struct Twins;  // classes, on their way
  static Lists neighbours(const LabelledGraph& graph, std::vector<std::uint8_t>& goes_back, const Task& task);
  Twins twins(const std::vector<std::uint32_t>& colours, const std::vector<std::uint8_t>& goes_back,
              const Task& task) const;
  void merge(const Twins& classes, const std::vector<std::uint32_t>& colours);

  Lists lists_;
  std::vector<std::uint32_t> kind_;
  MergedLines lines_;
};

}  // namespace intertwine
