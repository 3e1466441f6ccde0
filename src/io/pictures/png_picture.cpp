#include "io/pictures/png_picture.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/io/picture.hpp"
#include "io/containers/atomic_file.hpp"
#include "io/containers/text.hpp"
#include "io/pictures/bitmap_font.hpp"
#include "io/pictures/picture_source.hpp"

namespace intertwine {
namespace {

constexpr unsigned max_picture_side = 16384;
/// Of a pixel that stands for more of them, so many rows are read.
constexpr std::uint64_t mean_rows = 8;
constexpr unsigned border = 28, spacing = 18, swatch = 16, legend_step = 26;
constexpr Rgb ink{32, 32, 36}, grey{104, 104, 112}, grid_grey{222, 222, 226}, frame_grey{150, 150, 158};

unsigned line_height(unsigned scale) { return scale * (glyph_height + 3); }

struct Line {
  std::string text;
  unsigned scale;
  Rgb colour;
};

unsigned height_of(const std::vector<Line>& lines) {
  unsigned out = 0;
  for (const Line& line : lines) out += line_height(line.scale);
  return out;
}

unsigned text_width(std::string_view text, unsigned scale) {
  unsigned letters = 0;
  for (std::size_t position = 0; position < text.size(); ++letters) next_code_point(text, position);
  return letters == 0 ? 0 : (letters * glyph_advance - 1) * scale;
}

std::string more_text(const PictureLegend& legend) { return fmt::format("and {} more", legend.left_out); }

// A picture in memory, 8 bits a channel.
struct Bitmap {
  unsigned width = 0, height = 0;
  std::vector<Rgb> pixels;  // row-major
};

class Canvas {
 public:
  Canvas(unsigned width, unsigned height) : bitmap_{width, height, {}} {
    bitmap_.pixels.assign(std::size_t{width} * height, white);
  }

  // The part of the rectangle that lies on the canvas.
  void fill(unsigned left, unsigned top, unsigned width, unsigned height, Rgb colour) {
    const unsigned right = std::min(bitmap_.width, left + width);
    const unsigned bottom = std::min(bitmap_.height, top + height);
    for (unsigned y = top; y < bottom; ++y)
      for (unsigned x = left; x < right; ++x) bitmap_.pixels[std::size_t{y} * bitmap_.width + x] = colour;
  }

  // A frame of one pixel just outside of the rectangle.
  void frame(unsigned left, unsigned top, unsigned width, unsigned height, Rgb colour) {
    fill(left - 1, top - 1, width + 2, 1, colour);
    fill(left - 1, top + height, width + 2, 1, colour);
    fill(left - 1, top - 1, 1, height + 2, colour);
    fill(left + width, top - 1, 1, height + 2, colour);
  }

  void text(unsigned left, unsigned top, std::string_view letters, unsigned scale, Rgb colour) {
    for (std::size_t position = 0; position < letters.size(); left += glyph_advance * scale) {
      const Glyph& glyph = glyph_of(next_code_point(letters, position));
      for (unsigned y = 0; y < glyph_height; ++y)
        for (unsigned x = 0; x < glyph_width; ++x)
          if ((glyph[y] >> (glyph_width - 1 - x) & 1) != 0)
            fill(left + x * scale, top + y * scale, scale, scale, colour);
    }
  }

  void lines(unsigned left, unsigned top, const std::vector<Line>& lines) {
    for (const Line& line : lines) {
      text(left, top, line.text, line.scale, line.colour);
      top += line_height(line.scale);
    }
  }

  void crop(unsigned height) {
    bitmap_.height = height;
    bitmap_.pixels.resize(std::size_t{bitmap_.width} * height);
  }

  const Bitmap& bitmap() const { return bitmap_; }

 private:
  Bitmap bitmap_;
};

// Text broken at spaces (or anywhere, if a word is too long) into lines of at most `width` pixels; at most
// three.
std::vector<std::string> wrapped(std::string_view text, unsigned scale, unsigned width) {
  constexpr std::size_t max_lines = 3;
  std::vector<std::string> lines;
  const std::size_t most = std::max<std::size_t>(8, (width + scale) / (glyph_advance * scale));
  std::string current;
  std::size_t letters = 0, last_space = 0, letters_to_space = 0;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t start = position;
    const char32_t point = next_code_point(text, position);
    if (point == ' ') last_space = current.size(), letters_to_space = letters;
    current += text.substr(start, position - start);
    ++letters;
    if (letters <= most) continue;
    const bool at_space = last_space != 0;
    const std::size_t cut = at_space ? last_space : current.size() - (position - start);
    const std::string rest = current.substr(cut + (at_space ? 1 : 0));
    letters = at_space ? letters - letters_to_space - 1 : 1;
    current.resize(cut);
    lines.push_back(std::move(current));
    current = rest;
    last_space = letters_to_space = 0;
    if (lines.size() == max_lines) {
      lines.back() += " ...";
      return lines;
    }
  }
  if (!current.empty()) lines.push_back(current);
  return lines;
}

// Where the parts of the picture lie, and what is written on it.
struct Page : PagePlaces {
  unsigned width = 0, notes_top = 0, legend_top = 0, legend_columns = 1, column_width = 0, sign_note_top = 0;
  std::vector<Line> head, notes;
  PictureLegend legend;
};

Page page_of(const WeightTable& table, const PngGeometry& geometry, const PictureText& text) {
  Page page;
  const auto matrix_width = static_cast<unsigned>(geometry.cols * geometry.cell_width);
  const auto matrix_height = static_cast<unsigned>(geometry.rows * geometry.cell_height);
  const unsigned wish = std::min(900U, std::max(text_width(text.title, 3), text_width(text.subtitle, 2)));
  const unsigned inner = std::max({matrix_width + spacing + geometry.bias_width, wish, 420U});
  for (auto& line : wrapped(text.title, 3, inner)) page.head.push_back({std::move(line), 3, ink});
  for (auto& line : wrapped(text.subtitle, 2, inner)) page.head.push_back({std::move(line), 2, grey});
  if (geometry.rows < table.weights.rows || geometry.cols < table.weights.cols) {
    const std::string note = fmt::format(
        "{} rows in {}, {} columns in {}: a pixel has the mean colour of its entries{}", table.weights.rows,
        geometry.rows, table.weights.cols, geometry.cols,
        table.weights.rows > mean_rows * geometry.rows ? fmt::format(" in {} rows", mean_rows) : "");
    for (auto& line : wrapped(note, 2, inner)) page.notes.push_back({std::move(line), 2, grey});
  }
  page.legend = legend_of(table, max_legend);
  for (const LegendEntry& entry : page.legend.entries)
    page.column_width = std::max(page.column_width, text_width(label_of(entry), 2) + swatch + 32);
  page.column_width = std::max(page.column_width, text_width(more_text(page.legend), 2) + 24);
  page.legend_columns = std::max(1U, inner / page.column_width);
  const auto items = static_cast<unsigned>(page.legend.entries.size() + (page.legend.left_out != 0 ? 1 : 0));

  page.width = inner + 2 * border;
  page.matrix_left = border;
  page.matrix_top = border + height_of(page.head) + (page.head.empty() ? 0 : 8) + line_height(2);
  page.bias_left = border + matrix_width + spacing;
  page.notes_top = page.matrix_top + matrix_height + spacing;
  page.legend_top = page.notes_top + height_of(page.notes);
  page.sign_note_top =
      page.legend_top + (items + page.legend_columns - 1) / page.legend_columns * legend_step;
  return page;
}

// One cell of the matrix or of the bias.
void draw_cell(Canvas& canvas, const PngGeometry& geometry, unsigned left, unsigned top, unsigned width,
               Rgb colour, bool minus) {
  const unsigned line = geometry.grid ? 1 : 0;
  const unsigned inner_width = width - line;
  const unsigned inner_height = geometry.cell_height - line;
  canvas.fill(left, top, inner_width, inner_height, minus && !geometry.signs ? darker(colour) : colour);
  if (!minus || !geometry.signs) return;
  const unsigned side = std::min(inner_width, inner_height);
  const unsigned thick = std::max(1U, side / 7);
  const unsigned length = std::max(3U, side / 2);
  canvas.fill(left + (inner_width - length) / 2, top + (inner_height - thick) / 2, length, thick,
              contrast(colour));
}

/// The colours of codes, each found once.
class Colours {
 public:
  Rgb of(const CodeMeaning& meaning, std::uint64_t first, bool darkened) {
    if (meaning.zero) return white;
    const auto k = static_cast<std::size_t>((first + meaning.parameter) % distinct_colours);
    auto& known = known_[darkened ? 1 : 0];
    if (known.size() <= k) known.resize(k + 1);
    if (!known[k]) known[k] = darkened ? darker(parameter_colour(k)) : parameter_colour(k);
    return *known[k];
  }

 private:
  std::array<std::vector<std::optional<Rgb>>, 2> known_;
};

/// Sums of light: a picture that is made smaller looks as the large one does from afar.
struct Light {
  std::array<std::uint64_t, 3> sum{};
  std::uint64_t count = 0;

  void add(Rgb c) {
    const std::array<std::uint64_t, 3> channels{c.red, c.green, c.blue};
    for (std::size_t k = 0; k < 3; ++k) sum[k] += channels[k] * channels[k];
    ++count;
  }
  Rgb mean() const {
    const auto channel = [&](std::size_t k) {
      return static_cast<std::uint8_t>(std::sqrt(static_cast<double>(sum[k] / count)) + 0.5);
    };
    return {channel(0), channel(1), channel(2)};
  }
};

/// Fewer pixels than entries: each the mean of those that fall to it.
bool draw_reduced(Canvas& canvas, const WeightTable& table, const PngGeometry& geometry, const Page& page) {
  const WeightPattern& weights = table.weights;
  const auto first = [](std::uint64_t k, std::uint64_t cells, std::uint64_t size) {
    return k * (size / cells) + k * (size % cells) / cells;
  };
  Colours colours;
  bool negative = false;
  std::vector<std::int32_t> codes;
  std::vector<Light> light;
  for (std::uint64_t r = 0; r < geometry.rows; ++r) {
    const std::uint64_t from = first(r, geometry.rows, weights.rows);
    const std::uint64_t count = first(r + 1, geometry.rows, weights.rows) - from;
    light.assign(geometry.cols + 1, {});
    for (std::uint64_t n = 0; n < std::min(count, mean_rows); ++n) {
      const std::uint64_t i = from + first(n, std::min(count, mean_rows), count);
      read_row(weights, i, codes);
      for (std::uint64_t c = 0; c < geometry.cols; ++c)
        for (std::uint64_t j = first(c, geometry.cols, weights.cols);
             j < first(c + 1, geometry.cols, weights.cols); ++j) {
          const CodeMeaning meaning = meaning_of(codes[j], weights.params);
          light[c].add(colours.of(meaning, 0, meaning.minus));
          negative |= meaning.minus;
        }
      const CodeMeaning meaning = meaning_of(bias_code_at(table, i), table.bias.params);
      light[geometry.cols].add(colours.of(meaning, weights.params, meaning.minus));
      negative |= meaning.minus;
    }
    const auto y = page.matrix_top + static_cast<unsigned>(r * geometry.cell_height);
    for (std::uint64_t c = 0; c < geometry.cols; ++c)
      draw_cell(canvas, geometry, page.matrix_left + static_cast<unsigned>(c * geometry.cell_width), y,
                geometry.cell_width, light[c].mean(), false);
    draw_cell(canvas, geometry, page.bias_left, y, geometry.bias_width, light[geometry.cols].mean(), false);
  }
  return negative;
}

/// One cell an entry.
bool draw_entries(Canvas& canvas, const WeightTable& table, const PngGeometry& geometry, const Page& page) {
  const WeightPattern& weights = table.weights;
  Colours colours;
  bool negative = false;
  std::vector<std::int32_t> codes;
  for (std::uint64_t i = 0; i < weights.rows; ++i) {
    const auto y = page.matrix_top + static_cast<unsigned>(i * geometry.cell_height);
    read_row(weights, i, codes);
    for (std::uint64_t j = 0; j < weights.cols; ++j) {
      const CodeMeaning meaning = meaning_of(codes[j], weights.params);
      draw_cell(canvas, geometry, page.matrix_left + static_cast<unsigned>(j * geometry.cell_width), y,
                geometry.cell_width, colours.of(meaning, 0, false), meaning.minus);
      negative |= meaning.minus;
    }
    const CodeMeaning meaning = meaning_of(bias_code_at(table, i), table.bias.params);
    draw_cell(canvas, geometry, page.bias_left, y, geometry.bias_width,
              colours.of(meaning, weights.params, false), meaning.minus);
    negative |= meaning.minus;
  }
  return negative;
}

/// Lines between the blocks of rows and of columns, on those of the grid before a block.
void draw_blocks(Canvas& canvas, const WeightTable& table, const PictureText& text,
                 const PngGeometry& geometry, const Page& page, unsigned width, unsigned height) {
  const std::optional<TableClaim> source = picture_source(table);
  for (const PictureBlock& block : input_blocks(text, source))
    if (block.start != 0)
      canvas.fill(page.matrix_left + static_cast<unsigned>(block.start * geometry.cell_width) - 1,
                  page.matrix_top, 1, height, ink);
  for (const PictureBlock& block : output_blocks(text, source))
    if (block.start != 0)
      canvas.fill(page.matrix_left,
                  page.matrix_top + static_cast<unsigned>(block.start * geometry.cell_height) - 1, width, 1,
                  ink);
}

// Draws every cell; true if one of them is negative.
bool draw_table(Canvas& canvas, const WeightTable& table, const PictureText& text,
                const PngGeometry& geometry, const Page& page) {
  const unsigned left = page.matrix_left, top = page.matrix_top, bias_left = page.bias_left;
  const auto width = static_cast<unsigned>(geometry.cols * geometry.cell_width);
  const auto height = static_cast<unsigned>(geometry.rows * geometry.cell_height);
  if (geometry.grid) {
    canvas.fill(left, top, width, height, grid_grey);
    canvas.fill(bias_left, top, geometry.bias_width, height, grid_grey);
  }
  const bool reduced = geometry.rows < table.weights.rows || geometry.cols < table.weights.cols;
  const bool negative =
      reduced ? draw_reduced(canvas, table, geometry, page) : draw_entries(canvas, table, geometry, page);
  if (geometry.grid && !reduced) draw_blocks(canvas, table, text, geometry, page, width, height);
  canvas.frame(left, top, width, height, frame_grey);
  canvas.frame(bias_left, top, geometry.bias_width, height, frame_grey);
  return negative;
}

void draw_legend(Canvas& canvas, const Page& page) {
  const PictureLegend& legend = page.legend;
  const auto place = [&](std::size_t k) {
    return std::pair(border + static_cast<unsigned>(k % page.legend_columns) * page.column_width,
                     page.legend_top + static_cast<unsigned>(k / page.legend_columns) * legend_step);
  };
  for (std::size_t k = 0; k < legend.entries.size(); ++k) {
    const auto [x, y] = place(k);
    canvas.fill(x, y, swatch, swatch, legend.entries[k].colour);
    if (legend.entries[k].colour == white) canvas.frame(x + 1, y + 1, swatch - 2, swatch - 2, frame_grey);
    canvas.text(x + swatch + 8, y + 1, label_of(legend.entries[k]), 2, ink);
  }
  if (legend.left_out == 0) return;
  const auto [x, y] = place(legend.entries.size());
  canvas.text(x, y + 1, more_text(legend), 2, grey);
}

void write_png(const std::filesystem::path& path, const Bitmap& bitmap) {
  static_assert(sizeof(Rgb) == 3);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = bitmap.width;
  image.height = bitmap.height;
  image.format = PNG_FORMAT_RGB;
  AtomicFile file(path);  // first, so that a wrong path is known before the work of packing
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, bitmap.pixels.data(), 0, nullptr) == 0)
    throw InternalError(fmt::format("libpng cannot pack the picture: {}", image.message));
  file.write_at(0, std::string_view(bytes).substr(0, size));
  file.commit(size);
}

}  // namespace

PagePlaces page_places(const WeightTable& table, const PictureText& text, unsigned max_side) {
  return page_of(table, png_geometry(table.weights, max_side), text);
}

PngGeometry png_geometry(const WeightPattern& weights, unsigned max_side) {
  PngGeometry out;
  out.rows = std::min<std::uint64_t>(weights.rows, max_side);
  out.cols = std::min<std::uint64_t>(weights.cols, max_side);
  const auto target = std::min(720U, max_side);
  const auto cell = std::clamp<unsigned>(target / static_cast<unsigned>(std::max(out.rows, out.cols)), 1, 40);
  // A side of few cells is widened, or nothing would be seen of it.
  constexpr unsigned least = 96;
  out.cell_width = std::max(cell, std::min(40U, least / static_cast<unsigned>(out.cols)));
  out.cell_height = std::max(cell, std::min(40U, least / static_cast<unsigned>(out.rows)));
  const unsigned side = std::min(out.cell_width, out.cell_height);
  out.grid = side >= 5;
  out.signs = side >= 8;
  out.bias_width = std::max(out.cell_width, 16U);
  return out;
}

void write_png_picture(const std::filesystem::path& path, const WeightTable& table, const PictureText& text,
                       unsigned max_side) {
  require_drawable(table);
  if (max_side == 0 || max_side > max_picture_side)
    throw DomainError(
        fmt::format("a PNG picture of at most {} pixels a side: give 1 to {}", max_side, max_picture_side));
  const PngGeometry geometry = png_geometry(table.weights, max_side);
  const Page page = page_of(table, geometry, text);
  Canvas canvas(page.width, page.sign_note_top + line_height(2) + border - 8);
  canvas.lines(border, border, page.head);
  canvas.text(page.matrix_left, page.matrix_top - line_height(2), "W", 2, grey);
  canvas.text(page.bias_left, page.matrix_top - line_height(2), "b", 2, grey);
  const bool negative = draw_table(canvas, table, text, geometry, page);
  canvas.lines(border, page.notes_top, page.notes);
  draw_legend(canvas, page);
  if (negative)
    canvas.text(border, page.sign_note_top, geometry.signs ? "a bar marks minus" : "darker: minus", 2, grey);
  else
    canvas.crop(page.sign_note_top + border - 8);
  write_png(path, canvas.bitmap());
}

}  // namespace intertwine
