// Pictures of weight tables of tied entries: SVG for small ones, PNG for large ones, a compact one for the terminal.
// Coloured by parameter, structural zeros white, negative entries marked, with a legend.
#pragma once
#include <filesystem>
#include <string>

#include "intertwine/tables/weight_table.hpp"

namespace intertwine {

/// What the caption says; empty strings are left out.
struct PictureText {
  std::string title;     ///< for example "S4: perm^2 → perm^2"
  std::string subtitle;  ///< for example "16 × 16, 15 parameters, complete"
};

/// The caption of a table that equivariant_basis() has made, from its metadata.
PictureText picture_text(const WeightTable& table);

/// An SVG document: one square an entry, a minus sign on negative ones, the bias as a column beside the
/// matrix, a legend. \throws LimitError above 65536 entries (use a PNG); DomainError for sparse elements, which have no
/// picture (also below).
std::string svg_picture(const WeightTable& table, const PictureText& text = {});

/// Writes a PNG of any table; larger ones are sampled down to at most `max_side` pixels a side
/// (majority-free: the entry at the centre of each cell), which the caption says. Memory O(cols + picture).
void write_png_picture(const std::filesystem::path& path, const WeightTable& table,
                       const PictureText& text = {}, unsigned max_side = 2048);

/// The extension is that of a picture: .svg or .png.
bool is_picture(const std::filesystem::path& path);

/// Writes the one or the other, by the extension. \throws DomainError for another extension.
void write_picture(const std::filesystem::path& path, const WeightTable& table, const PictureText& text);
inline void write_picture(const std::filesystem::path& path, const WeightTable& table) {
  write_picture(path, table, picture_text(table));
}

/// A picture for a terminal of `width` columns: letters for parameters, '.' for zero, lower case for minus;
/// with ANSI colours if `colour`. Larger tables are sampled down and the text says so.
std::string terminal_picture(const WeightTable& table, unsigned width = 80, bool colour = false);

}  // namespace intertwine
