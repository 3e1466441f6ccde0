// The layout of a table's picture, and its drawing: the same in documents and in pixels.
#pragma once
#include <string>
#include <vector>

#include "entry_rows.hpp"
#include "intertwine/io/picture.hpp"
#include "picture_source.hpp"
#include "surface.hpp"

namespace intertwine {

/// The cells of the matrix; the bias has as many rows.
struct PictureGrid {
  std::uint64_t rows = 0, cols = 0;  ///< fewer than the table's where a cell is the mean of several entries
  double cell_width = 0, cell_height = 0, bias_width = 0;
  bool squares = true;  ///< with lines, numbers and signs, one an entry; otherwise plain cells, darker for minus
  double width() const { return cell_width * static_cast<double>(cols); }
  double height() const { return cell_height * static_cast<double>(rows); }
};

/// Lines between the blocks of rows and of columns, and their names, where there are several: above the columns, slanted if one has too
/// little room, and left of the rows. Names without room for a line of text are left out.
class BlockNames {
 public:
  /// \param entry_width, entry_height  lengths an entry
  BlockNames(std::vector<PictureBlock> inputs, std::vector<PictureBlock> outputs, double entry_width,
             double entry_height);
  double left() const;
  double above() const;
  /// How far names reach beyond the left side of the matrix.
  double right() const;
  /// \param inside  lines go through the matrix; otherwise they end at its border
  void draw(Surface& surface, const Box& matrix, bool inside) const;

 private:
  std::vector<PictureBlock> inputs_, outputs_;
  double entry_width_, entry_height_, longest_ = 0;
  bool slanted_ = false;
};

class TableDrawing {
 public:
  /// The table must stay. \throws DomainError for a table that is not consistent; FileError or VerificationError for metadata that
  /// cannot be read; LimitError through `task`
  TableDrawing(const WeightBlock& table, const PictureText& text, const PictureGrid& grid, const Task& task);
  double width() const { return width_; }
  double height() const { return height_; }
  const Box& matrix() const { return matrix_; }
  const Box& bias() const { return bias_; }  ///< the box of the bias, of no width where it is not drawn
  void draw(Surface& surface) const;

 private:
  /// A row of W on the grid of its inputs, or one element of a sparse basis.
  struct Panel {
    std::uint64_t rows = 0, cols = 0, row = 0, start = 0, element = 0;
    bool is_element = false, new_line = false;
    std::string caption = {};
    Box box = {};
    double right() const;  // of its caption, too
  };
  void write(std::string text, double x, double y, const Style& style);
  void write_head(const PictureText& text);
  void write_notes();
  void mean_cells();
  void make_panels();
  void place_beside(std::vector<Panel> panels, std::uint64_t wanted);
  void place_below(std::vector<Panel> panels, std::uint64_t wanted, double right);
  void draw_squares(Surface& surface) const;
  void draw_cells(Surface& surface) const;
  void draw_legend(Surface& surface) const;
  void draw_panels(Surface& surface) const;

  struct Line {
    double x, y;
    std::string text;
    Style style;
  };

  const WeightBlock& table_;
  Task task_;
  bool with_bias_;
  PictureGrid grid_;
  EntryRows weights_, biases_;
  std::optional<TableClaim> source_;
  ParameterColours colours_;
  PictureLegend legend_;
  BlockNames blocks_;
  Box matrix_, bias_;
  std::vector<Line> lines_;
  std::vector<Panel> panels_;
  std::vector<Rgb> weight_cells_, bias_cells_;
  bool darker_ = false;  // a cell is
  double width_ = 0, height_ = 0, legend_top_ = 0,
         legend_width_ = 0;  // while it is laid out, without the margin
  std::size_t columns_ = 1;
};

}  // namespace intertwine
