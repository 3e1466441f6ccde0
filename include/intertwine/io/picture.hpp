// Pictures of weight-tying tables: SVG for small ones, PNG for large ones, a compact one for the terminal.
// Coloured by parameter, structural zeros white, negative entries marked, with a legend.
#pragma once
#include <filesystem>
#include <string>

#include "intertwine/equivariant/tied_table.hpp"

namespace intertwine {

/// What the caption says; empty strings are left out.
struct PictureText {
  std::string title;     ///< for example "S4: perm^2 -> perm^2"
  std::string subtitle;  ///< for example "16 x 16, 15 parameters, complete"
};

/// An SVG document: one square an entry, a minus sign on negative ones, the bias as a column beside the
/// matrix, a legend. \throws LimitError above 65536 entries (use a PNG).
std::string svg_picture(const TableHeader& header, const CodeRows& rows, const PictureText& text = {});

/// Writes a PNG of any table; larger ones are sampled down to at most `max_side` pixels a side
/// (majority-free: the entry at the centre of each cell), which the caption says. Memory O(cols + picture).
void write_png_picture(const std::filesystem::path& path, const TableHeader& header, const CodeRows& rows,
                       const PictureText& text = {}, unsigned max_side = 2048);

/// A picture for a terminal of `width` columns: letters for parameters, '.' for zero, lower case for minus;
/// with ANSI colours if `colour`. Larger tables are sampled down and the text says so.
std::string terminal_picture(const TableHeader& header, const CodeRows& rows, unsigned width = 80,
                             bool colour = false);

}  // namespace intertwine
