// Pictures of weight tables: SVG for small ones, PNG for any, an HTML page to look around in, a compact one for the
// terminal. Coloured by parameter, structural zeros blank, negative entries marked, with a legend.
#pragma once
#include <filesystem>
#include <string>

#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/hom/group_representation.hpp"
#include "intertwine/tables/weight_block.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A named stretch of rows or columns.
struct PictureBlock {
  std::string name;
  std::uint64_t start = 0, size = 0;
};

/// The parts of the caption; empty strings are left out.
struct PictureText {
  std::string title;        ///< for example "S4: perm^2 → perm^2"
  std::string subtitle;     ///< for example "16 × 16, 15 parameters, complete"
  std::string input = {};   ///< the columns, for example "perm^2"; pages write it beside them
  std::string output = {};  ///< the rows
  /// The blocks between dividing lines, of columns and rows; empty for the summands of the representations that the
  /// metadata name.
  std::vector<PictureBlock> input_blocks = {}, output_blocks = {};
  bool bias = true;  ///< drawn beside the matrix, empty or not; otherwise W is alone, as kernels are
};

/// The caption of a table that hom::equivariant_basis() has made, from its metadata.
PictureText picture_text(const WeightBlock& table);

/// An SVG document: one square an entry, with the number of its parameter and its sign where there is room, otherwise a minus sign on
/// negative ones; the bias as a column beside the matrix, lines between the blocks of rows and columns and their names, a legend, and
/// where the inputs lie on grids (as in html_picture) a row of W there: the middle one of an image, the first ones of a kernel. Dark
/// where the reader's screen is.
///
/// Colours differ; under translations of a torus, and of kernels, they go from dark to light with the distance of the sites that a
/// parameter stands for, and so does the legend.
///
/// The colour of an entry of sparse elements is that of the parameter, paler where the coefficient, which the number
/// states, is smaller. Sums of several parameters are grey, and where there are such, each element is drawn by itself.
/// \throws LimitError above 65536 entries (use a PNG); DomainError for a table that is not consistent;
/// FileError or VerificationError if the group and the representations that the metadata name cannot be read.
std::string svg_picture(const WeightBlock& table, const PictureText& text = {}, const Task& task = {});

/// Writes a PNG of any table: the picture of the SVG, letters included, at two pixels a unit. Where entries would have less than 8 pixels a side they are
/// plain cells, darker for minus, and a table larger than `max_side` pixels a side is made smaller, each pixel the mean of the light of its entries (in at
/// most 8 of its rows), which the caption says: no pattern appears that is not there. Memory O(cols + picture), time O(8 max_side cols).
/// \throws as svg_picture, but LimitError through `task` alone
void write_png_picture(const std::filesystem::path& path, const WeightBlock& table, const PictureText& text = {},
                       unsigned max_side = 2048, const Task& task = {});

/// An HTML page that needs nothing beside it: point at an entry (or go there with the keys, or by the address
/// `page.html#entry=3,5`, `#bias=2`, 0-based) and see its parameter, sign and orbit, whose entries light up. Where the metadata
/// name the group and the representations, it also says which element carries the orbit's first entry to this one (a
/// shortest word in the generators, and in cycles where those of all entries are at most 1 MiB of text) and why entries are
/// zero, labels rows, columns and blocks, and shows rows of W on the grids of their inputs (basis_layout, or the metadata
/// entry "kernel"). Sparse elements as well: an entry is then a sum of parameters.
///
/// \throws LimitError above 4194304 entries or 16384 rows or columns (use a PNG), or through `task`; DomainError for a table
/// that is not consistent; FileError for metadata that cannot be read; VerificationError if the table is not tied as the
/// group that it names says.
/// \par Cost  O(entries) for every generator, and about 3 bytes of page an entry.
std::string html_picture(const WeightBlock& table, const PictureText& text = {}, const Task& task = {});

/// The extension is that of a picture: .svg, .png or .html.
bool is_picture(const std::filesystem::path& path);

/// Writes one of these, by the extension. \throws DomainError for another extension.
void write_picture(const std::filesystem::path& path, const WeightBlock& table, const PictureText& text,
                   const Task& task = {});
inline void write_picture(const std::filesystem::path& path, const WeightBlock& table, const Task& task = {}) {
  write_picture(path, table, picture_text(table), task);
}
/// The picture of its table.
void write_picture(const std::filesystem::path& path, const hom::Basis& basis, const Task& task = {});

/// A table whose weights are those of T_out W T_in^{-1}, and how it is to be shown.
struct IsotypicPicture {
  WeightBlock table;
  PictureText text;
};
/// The table in the coordinates of its isotypic form, where W falls into one block for each irreducible representation and
/// every entry is 0 or plus or minus a parameter (Schur's lemma): of copy c in the input to copy r in the output one number, on
/// the diagonal, or a complex number or quaternion. To be drawn, as write_picture(path, p.table, p.text), which marks the blocks.
/// \throws DomainError if the table has no isotypic form or one that does not fit it; LimitError above 2^24 entries.
IsotypicPicture isotypic_picture(const WeightBlock& table);

/// How the generators of the group move the basis vectors of a monomial representation. One strip a generator:
/// arcs above the line go to the right, those below it to the left, one colour a cycle; dashed ones and a minus change the sign,
/// grey vectors stay. \throws DomainError unless V is monomial; LimitError above 400 basis vectors or 20000 arcs.
/// An SVG document.
std::string arc_picture(const Representation& V);
/// Writes it. \throws DomainError for another extension than .svg and .png, and unless the group is finite
void write_picture(const std::filesystem::path& path, const hom::Representation& V, const Task& task = {});

/// A picture for a terminal of `width` columns: letters for parameters, '.' for zero, lower case for minus;
/// with ANSI colours if `colour`. Larger tables are sampled down and the text says so.
std::string terminal_picture(const WeightBlock& table, unsigned width = 80, bool colour = false);

}  // namespace intertwine
