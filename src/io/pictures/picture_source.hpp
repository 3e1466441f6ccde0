// The parts of the group and the representations that a table names which pictures need.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "intertwine/io/picture.hpp"
#include "intertwine/io/verify_table.hpp"

namespace intertwine {

/// Columns that lie on a grid, row-major: a row of W is a picture there.
struct PictureStamp {
  std::string name;
  std::uint64_t start = 0, rows = 0, cols = 0;
};

/// The origin of a table, if its metadata name a finite group. \throws as read_table_claim
std::optional<TableClaim> picture_source(const WeightBlock& table, const Task& task = {});

/// The summands of a representation.
std::vector<PictureBlock> picture_blocks(const Representation& V);
/// The blocks that the text names, otherwise those of the source, otherwise none.
std::vector<PictureBlock> input_blocks(const PictureText& text, const std::optional<TableClaim>& source);
std::vector<PictureBlock> output_blocks(const PictureText& text, const std::optional<TableClaim>& source);

/// The sizes of a convolution kernel (metadata "kernel"). \throws FileError for sizes that the columns are not made of
std::vector<std::uint64_t> kernel_sizes(const WeightBlock& table);

/// The grids of the columns, plane by plane: of a convolution kernel (metadata "kernel"), otherwise of the input's summands.
/// \throws FileError for sizes of a kernel that the columns are not made of
std::vector<PictureStamp> picture_stamps(const WeightBlock& table, const std::optional<TableClaim>& source);

/// The row that is drawn on the grids where none is pointed at: that of the middle of the grid if the outputs are as many as
/// its sites, otherwise the first.
std::uint64_t stamp_row(const WeightBlock& table, const std::vector<PictureStamp>& stamps);

}  // namespace intertwine
