// A table of codes with equal lines merged: the coloured bipartite graph whose automorphisms are searched.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/tables/weight_block.hpp"
#include "intertwine/task.hpp"
#include "merged_lines.hpp"
#include "search_table.hpp"

namespace intertwine {

/// Rows and columns ("lines", rows first) of a table; with signs every line x has the two points 2x and 2x + 1
/// (its negative), otherwise the one point x.
///
/// The original table is the "full" one; equal lines (equal up to sign) form a class, and the merged table has
/// one line for each class. With signs, lines of zeros are left out of it altogether.
class ColourTable : public SearchTable {
 public:
  /// \throws DomainError for a code outside 0 ... 2 params; LimitError through `task`.
  ColourTable(const CodeRows& table, std::uint64_t params, bool has_signs, const Task& task);

  bool has_signs() const override { return has_signs_; }
  std::uint32_t rows() const { return rows_; }  ///< the rows of the merged table
  std::uint32_t cols() const { return cols_; }
  std::uint32_t width() const { return has_signs_ ? 2 : 1; }  ///< points of a line
  std::uint32_t points() const override { return width() * (rows_ + cols_); }
  std::uint32_t row_points() const { return width() * rows_; }
  const MergedLines& merging() const { return lines_; }
  /// Rows and columns, each by the multiplicity of their lines.
  std::uint64_t kind(Point x) const override {
    return std::uint64_t{x >= row_points()} << 32U | lines_.members[x / width()].size();
  }

  /// This, unless nearly all entries have the usual colour: then those that have not are listed, line by line.
  const ColourTable* dense() const override { return unusual_begin_.empty() ? this : nullptr; }
  /// Adds to weight[x], for every point x of the other side than y, a hash of the colour of the entry (x, y), less the hash of the usual colour.
  /// The weights are indexed by points, all of them.
  void add_colours(Point y, std::span<std::uint64_t> weight) const;
  void add_unusual(Point y, std::span<std::uint64_t> weight, std::vector<Point>& touched) const override;
  /// Costs a pass over the entries in moved lines, of a sparse table over the unusual ones.
  bool preserved_by(std::span<const Point> g, std::span<const Point> moved,
                    std::vector<std::uint32_t>& scratch) const override;

  /// A permutation of the full points to merged points. Empty if it is no automorphism of the full table.
  std::vector<Point> merged(std::span<const Point> g) const;

 private:
  void load_rows(const CodeRows& table, std::uint64_t params, const Task& task);
  void merge_columns(std::uint32_t full_cols, const Task& task);
  void list_unusual(const Task& task);
  std::uint32_t colour(Point x, Point y) const;
  std::span<const std::uint32_t> row(std::uint32_t i) const { return {by_row_.data() + std::size_t{i} * cols_, cols_}; }
  std::span<const std::uint32_t> col(std::uint32_t j) const { return {by_col_.data() + std::size_t{j} * rows_, rows_}; }

  bool has_signs_;
  std::uint32_t full_rows_, rows_ = 0, cols_ = 0;
  /// Without signs the code itself; with signs 0 for zero, 2k+2 for theta_k and 2k+3 for -theta_k.
  std::vector<std::uint32_t> by_row_, by_col_;
  /// The commonest colour (with signs that of zeros), and by merged line its entries of others: where, and which.
  std::uint32_t usual_ = 0;
  struct Entry {
    std::uint32_t place, colour;
  };
  std::vector<std::size_t> unusual_begin_;
  std::vector<Entry> unusual_;
  std::span<const Entry> unusual(std::uint32_t line) const {
    return std::span(unusual_).subspan(unusual_begin_[line], unusual_begin_[line + 1] - unusual_begin_[line]);
  }
  MergedLines lines_;
  std::vector<std::int64_t> class_of_;  ///< by full line: its merged line, -1 for lines of zeros
};

}  // namespace intertwine
