// Ordered partitions of the points of a SearchTable and their equitable refinement.
#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "intertwine/task.hpp"
#include "search_table.hpp"

namespace intertwine {

/// Cells lie one after the other in `elements`; a cell is named by the place of its first element. In what order its elements lie means nothing.
struct PointPartition {
  std::vector<Point> elements;
  std::vector<std::uint32_t> place;   ///< by point: where it lies
  std::vector<std::uint32_t> cell;    ///< by point: its cell
  std::vector<std::uint32_t> length;  ///< by cell: its length (undefined where no cell begins)
  std::uint32_t cells = 0;
  std::vector<std::uint32_t> cuts;  ///< cells that split_off() made, in order

  std::uint32_t size() const { return static_cast<std::uint32_t>(elements.size()); }
  bool is_discrete() const { return cells == elements.size(); }
  std::span<const Point> points_of(std::uint32_t c) const { return std::span(elements).subspan(c, length[c]); }

  /// Makes these points, some or all of cell c, its last ones, in their order.
  void move_to_end(std::uint32_t c, std::span<const Point> points);
  /// Makes what lies from `from` to the end of cell c a cell of its own.
  void split_off(std::uint32_t c, std::uint32_t from);
  /// Joins what was split off, until so many cuts are left. Costs their lengths.
  void join_until(std::size_t cuts_left);
};

/// The points by their kinds.
PointPartition initial_partition(const SearchTable& table);

/// The trace of a refinement: one number a step. It depends on the table and the ordered partition only up to
/// isomorphism: where an automorphism carries one partition to another, cell by cell, their traces are equal
/// and it carries one refinement to the other.
using Trace = std::vector<std::uint64_t>;

/// Refines partitions; holds the scratch space.
class Refiner {
 public:
  explicit Refiner(const SearchTable& table);

  /// Splits cells until points of a cell have equal numbers of every colour into every cell (and, with signs,
  /// opposites in equal cells). Starts from all cells. Writes the trace.
  void refine_all(PointPartition& partition, Trace& trace, const Task& task);
  /// Makes x the last point of its cell and a cell of its own, and refines.
  void individualize(PointPartition& partition, Point x, Trace& trace, const Task& task);
  /// individualize(), given up with false as soon as the trace differs from `expected`.
  bool individualize_like(PointPartition& partition, Point x, const Trace& expected, const Task& task);

 private:
  void single_out(PointPartition& partition, Point x);
  bool run(PointPartition& partition, Trace* record, const Trace* expected, const Task& task);
  void weigh_plainly();
  std::uint64_t gather(const PointPartition& partition, std::uint64_t seed);
  void split_gathered(PointPartition& partition, bool same);
  std::uint64_t meet_neighbours(const PointPartition& partition, Point y, std::uint64_t seed);
  void split_met(PointPartition& partition, Point y, bool same);
  void push_parts(const PointPartition& partition, bool was_waiting);
  void split(PointPartition& partition, std::uint32_t first, std::span<Point> weighted);
  void push(std::uint32_t cell);

  const SearchTable& table_;
  std::vector<std::uint64_t> weight_;
  std::vector<std::uint8_t> waiting_;  ///< by cell: is it in the queue
  std::deque<std::uint32_t> queue_;
  std::vector<Point> splitter_;
  std::vector<Point> touched_;  ///< points whose weight is not 0 (all others are)
  std::vector<std::uint32_t> parts_;
  std::vector<Point> by_cell_;             ///< the points of cells that are split, cell by cell
  std::vector<std::uint32_t> met_cells_;   ///< cells of several points with some of them
  std::vector<std::uint32_t> met_;         ///< by cell: how many of them are in it
  std::vector<std::uint64_t> met_weight_;  ///< by cell that was met: the weight of the first one
  std::vector<std::uint8_t> uneven_;       ///< by cell: not all of them have that weight
  std::vector<std::uint64_t> lone_hash_;   ///< by cell: what its point adds to what is seen; for plain tables
  std::vector<std::uint8_t> taken_;        ///< by point: it is among those gathered
};

}  // namespace intertwine
