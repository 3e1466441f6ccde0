#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "intertwine/error.hpp"
#include "intertwine/io/picture.hpp"
#include "io/containers/text.hpp"
#include "io/pictures/palette.hpp"
#include "io/pictures/picture_source.hpp"
#include "io/pictures/picture_text.hpp"

namespace intertwine {
namespace {

constexpr std::uint64_t max_squares = 65536;
constexpr double page_margin = 20, text_line = 18, page_gap = 14, legend_row = 22, legend_width = 104;

// A guess at the width of text, in letters; only the size of the drawing depends on it.
double letters(std::string_view text) {
  return static_cast<double>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// Squares of one code, gathered so that the colour is said once, and on them the numbers of the parameters, with their signs, or where
// they are too small for that the minus signs alone.
class Squares {
 public:
  Squares(double width, double height) : width_(width), height_(height) {}

  void add(std::int32_t code, Rgb colour, const CodeMeaning& meaning, double x, double y) {
    auto& group = groups_[code];
    group.first = colour;
    group.second += fmt::format("<rect x=\"{:.6g}\" y=\"{:.6g}\" width=\"{:.6g}\" height=\"{:.6g}\"/>\n", x,
                                y, width_, height_);
    if (meaning.zero) return;
    if (std::min(width_, height_) >= least_numbered) {
      const std::string number = fmt::format("{}{}", meaning.minus ? "−" : "", meaning.parameter);
      const double size = std::min(0.42 * height_, 1.4 * width_ / letters(number));
      numbers_[contrast(colour) == white] += svg_text(x + width_ / 2, y + height_ / 2 + 0.35 * size,
                                                      fmt::format(" font-size=\"{:.3g}\"", size), number);
      return;
    }
    if (!meaning.minus) return;
    const double length = 0.5 * std::min(width_, height_);
    signs_[contrast(colour) == white] +=
        fmt::format("M{:.6g} {:.6g}h{:.6g}", x + (width_ - length) / 2, y + height_ / 2, length);
  }

  std::string text(std::string_view name) const {
    const double side = std::min(width_, height_);
    std::string out = fmt::format("<g class=\"{}\" stroke=\"#d8d8d8\" stroke-width=\"{:.3g}\">\n", name,
                                  std::min(1.0, side / 16));
    for (const auto& [code, group] : groups_)
      out += fmt::format("<g class=\"code-{}\" fill=\"{}\">\n{}</g>\n", code, hex_colour(group.first),
                         group.second);
    out += "</g>\n";
    for (const auto& [on_dark, path] : signs_)
      out += fmt::format(
          "<path class=\"minus\" stroke=\"{}\" stroke-width=\"{:.3g}\" fill=\"none\" d=\"{}\"/>\n",
          on_dark ? "#ffffff" : "#000000", side / 8, path);
    for (const auto& [on_dark, text] : numbers_)
      out += fmt::format("<g class=\"number\" fill=\"{}\" text-anchor=\"middle\">\n{}</g>\n",
                         on_dark ? "#ffffff" : "#000000", text);
    return out;
  }

 private:
  static constexpr double least_numbered = 20;
  double width_, height_;
  std::map<std::int32_t, std::pair<Rgb, std::string>> groups_;
  std::map<bool, std::string> signs_, numbers_;
};

std::string legend_text(const PictureLegend& legend, double top, std::size_t columns) {
  std::string out = "<g class=\"legend\" font-size=\"12\">\n";
  const auto place = [&](std::size_t k) {
    return std::pair(page_margin + static_cast<double>(k % columns) * legend_width,
                     top + static_cast<double>(k / columns) * legend_row);
  };
  for (std::size_t k = 0; k < legend.entries.size(); ++k) {
    const auto [x, y] = place(k);
    out += fmt::format(
        "<rect{} x=\"{:.6g}\" y=\"{:.6g}\" width=\"14\" height=\"14\" rx=\"2\" fill=\"{}\" "
        "stroke=\"#b0b0b0\"/>\n",
        legend.entries[k].symbol == "0" ? " class=\"zero\"" : "", x, y, hex_colour(legend.entries[k].colour));
    out += svg_text(x + 20, y + 11.5, "", label_of(legend.entries[k]));
  }
  if (legend.left_out != 0) {
    const auto [x, y] = place(legend.entries.size());
    out += svg_text(x, y + 11.5, " fill=\"#606060\"", fmt::format("and {} more", legend.left_out));
  }
  return out + "</g>\n";
}

/// Where a row of W is drawn on the grids of its inputs: beside the matrix, one below the other.
struct StampPlace {
  PictureStamp stamp;
  double left, top, cell;
  double bottom() const { return top + cell * static_cast<double>(stamp.rows); }
  double right() const { return left + cell * static_cast<double>(stamp.cols); }
};

constexpr double stamp_side = 224, caption = 16;

/// As many as fit beside a matrix of this height, at least one.
std::vector<StampPlace> stamp_places(const std::vector<PictureStamp>& stamps, double left, double top,
                                     double height) {
  std::vector<StampPlace> places;
  double next = top;
  for (const PictureStamp& stamp : stamps) {
    const double cell =
        std::clamp(stamp_side / static_cast<double>(std::max(stamp.rows, stamp.cols)), 3.0, 28.0);
    const StampPlace place{stamp, left, next, cell};
    if (!places.empty() && place.bottom() + caption > top + height) break;
    next = place.bottom() + caption + page_gap;
    places.push_back(place);
  }
  return places;
}

std::string stamp_caption(const PictureStamp& stamp, std::uint64_t row, const WeightPattern& weights) {
  return fmt::format("row {} of W on {} × {}{}", row, stamp.rows, stamp.cols,
                     weights.cols == stamp.rows * stamp.cols ? "" : ", " + stamp.name);
}

std::string stamps_text(const std::vector<StampPlace>& places, std::size_t left_out, std::uint64_t row,
                        const WeightPattern& weights) {
  if (places.empty()) return "";
  std::vector<std::int32_t> codes;
  read_row(weights, row, codes);
  std::string out;
  for (const StampPlace& place : places) {
    Squares squares(place.cell, place.cell);
    for (std::uint64_t k = 0; k < place.stamp.rows * place.stamp.cols; ++k) {
      const std::int32_t code = codes[place.stamp.start + k];
      const CodeMeaning meaning = meaning_of(code, weights.params);
      squares.add(code, meaning.zero ? white : parameter_colour(meaning.parameter), meaning,
                  place.left + place.cell * static_cast<double>(k % place.stamp.cols),
                  place.top + place.cell * static_cast<double>(k / place.stamp.cols));
    }
    out += squares.text("stamp");
    out += svg_text(place.left, place.bottom() + caption - 2, " font-size=\"12\" fill=\"#505050\"",
                    stamp_caption(place.stamp, row, weights));
  }
  if (left_out > 0)
    out += svg_text(places.back().left, places.back().bottom() + 2 * caption,
                    " font-size=\"12\" fill=\"#606060\"", fmt::format("and {} more", left_out));
  return out;
}

/// Where the matrix and the bias lie.
struct Sheet {
  double left, bias_left, top, cell, bias_width;
};

std::string squares_text(const WeightTable& table, const Sheet& sheet) {
  const WeightPattern& weights = table.weights;
  Squares weight(sheet.cell, sheet.cell), bias(sheet.bias_width, sheet.cell);
  std::vector<std::int32_t> codes;
  for (std::uint64_t i = 0; i < weights.rows; ++i) {
    const double y = sheet.top + sheet.cell * static_cast<double>(i);
    read_row(weights, i, codes);
    for (std::uint64_t j = 0; j < weights.cols; ++j) {
      const CodeMeaning meaning = meaning_of(codes[j], weights.params);
      weight.add(codes[j], meaning.zero ? white : parameter_colour(meaning.parameter), meaning,
                 sheet.left + sheet.cell * static_cast<double>(j), y);
    }
    const std::int32_t code = bias_code_at(table, i);
    const CodeMeaning meaning = meaning_of(code, table.bias.params);
    bias.add(code, meaning.zero ? white : bias_colour(table, meaning.parameter), meaning, sheet.bias_left, y);
  }
  return weight.text("weight") + bias.text("bias");
}

/// Lines between the blocks of rows and of columns, and their names, where there are several: above the columns, slanted if one has too
/// little room, and left of the rows. What there is no line of text for is left out.
class Blocks {
 public:
  Blocks(std::vector<PictureBlock> inputs, std::vector<PictureBlock> outputs, double cell)
      : inputs_(std::move(inputs)), outputs_(std::move(outputs)), cell_(cell) {
    for (auto* blocks : {&inputs_, &outputs_})
      for (PictureBlock& block : *blocks) block.name = shortened(block.name, 24);
    if (inputs_.size() > 1)
      for (const PictureBlock& block : inputs_) {
        slanted_ |= letter * letters(block.name) > cell * static_cast<double>(block.size) - 4;
        longest_ = std::max(longest_, letter * letters(block.name));
      }
  }

  double left() const {
    double longest = 0;
    if (outputs_.size() > 1)
      for (const PictureBlock& block : outputs_)
        longest = std::max(longest, letter * letters(block.name) + 6);
    return longest;
  }
  double above() const { return inputs_.size() < 2 ? 0 : slanted_ ? 0.5 * longest_ + 10 : 14; }
  /// How far names reach beyond the left side of the matrix.
  double right() const {
    return inputs_.size() < 2 || !slanted_ ? 0
                                           : cell_ * static_cast<double>(inputs_.back().start) +
                                                 0.87 * letter * letters(inputs_.back().name) + 12;
  }

  std::string text(const Sheet& sheet, const WeightPattern& weights) const {
    return lines(sheet, weights) + names(sheet);
  }

 private:
  static constexpr double letter = 6.2, line = 12;

  std::string lines(const Sheet& sheet, const WeightPattern& weights) const {
    std::string lines;
    for (const PictureBlock& block : outputs_)
      if (block.start != 0)
        lines += fmt::format("M{:.6g} {:.6g}h{:.6g}", sheet.left,
                             sheet.top + cell_ * static_cast<double>(block.start),
                             cell_ * static_cast<double>(weights.cols));
    for (const PictureBlock& block : inputs_)
      if (block.start != 0)
        lines += fmt::format("M{:.6g} {:.6g}v{:.6g}", sheet.left + cell_ * static_cast<double>(block.start),
                             sheet.top, cell_ * static_cast<double>(weights.rows));
    if (lines.empty()) return lines;
    return fmt::format(
        "<path class=\"blocks\" d=\"{}\" stroke=\"#202024\" stroke-width=\"{:.3g}\" fill=\"none\"/>\n", lines,
        std::clamp(cell_ / 12, 0.75, 1.5));
  }

  std::string names(const Sheet& sheet) const {
    std::string out;
    double last = -line;
    const auto middle = [&](const PictureBlock& block) {
      return cell_ * (static_cast<double>(block.start) + 0.5 * static_cast<double>(block.size));
    };
    if (inputs_.size() > 1)
      for (const PictureBlock& block : inputs_) {
        const double at = middle(block), x = sheet.left + at, y = sheet.top - 4;
        if (at - last < line) continue;
        last = at;
        out += svg_text(x, y,
                        slanted_ ? fmt::format(" transform=\"rotate(-30 {:.6g} {:.6g})\"", x, y)
                                 : std::string(" text-anchor=\"middle\""),
                        block.name);
      }
    last = -line;
    if (outputs_.size() > 1)
      for (const PictureBlock& block : outputs_) {
        const double at = middle(block);
        if (at - last < line) continue;
        last = at;
        out += svg_text(sheet.left - 6, sheet.top + at + 4, " text-anchor=\"end\"", block.name);
      }
    return out.empty() ? out : "<g class=\"names\" font-size=\"11\" fill=\"#505050\">\n" + out + "</g>\n";
  }

  std::vector<PictureBlock> inputs_, outputs_;
  double cell_, longest_ = 0;
  bool slanted_ = false;
};

}  // namespace

std::string svg_picture(const WeightTable& table, const PictureText& text) {
  require_drawable(table);
  const WeightPattern& weights = table.weights;
  if (weights.rows > max_squares || weights.cols > max_squares || weights.rows * weights.cols > max_squares)
    throw LimitError(
        fmt::format("an SVG picture holds at most {} entries, and the table has {} x {}; write a PNG",
                    max_squares, weights.rows, weights.cols));
  const auto most = static_cast<double>(std::max(weights.rows, weights.cols));
  const double cell = std::clamp(640 / most, 2.5, 28.0);
  const double bias_width = std::max(cell, 10.0);
  const auto matrix_width = cell * static_cast<double>(weights.cols);
  const auto matrix_height = cell * static_cast<double>(weights.rows);
  const std::optional<TableClaim> source = picture_source(table);
  const std::vector<PictureStamp> stamps = picture_stamps(table, source);
  const Blocks blocks(input_blocks(text, source), output_blocks(text, source), cell);
  const double left = page_margin + blocks.left();
  const double head_height =
      page_margin + text_line * ((text.title.empty() ? 0 : 1) + (text.subtitle.empty() ? 0 : 1) + 1) +
      blocks.above();
  const std::vector<StampPlace> places =
      stamp_places(stamps, left + matrix_width + bias_width + 3 * page_gap, head_height, matrix_height);
  double stamps_right = 0, stamps_bottom = 0;
  for (const StampPlace& place : places) {
    const double caption_width = 6.6 * letters(stamp_caption(place.stamp, stamp_row(table, stamps), weights));
    stamps_right =
        std::max({stamps_right, place.right() - page_margin, place.left + caption_width - page_margin});
    stamps_bottom = std::max(stamps_bottom, place.bottom() + 2 * caption);
  }
  const double width =
      std::max({blocks.left() + std::max(matrix_width + page_gap + bias_width, blocks.right()), stamps_right,
                9.6 * letters(text.title), 7.2 * letters(text.subtitle), 2 * legend_width}) +
      2 * page_margin;

  std::string head;
  double top = page_margin;
  if (!text.title.empty())
    head +=
        svg_text(page_margin, (top += text_line) - 4, " font-size=\"16\" font-weight=\"600\"", text.title);
  if (!text.subtitle.empty())
    head +=
        svg_text(page_margin, (top += text_line) - 4, " font-size=\"12\" fill=\"#505050\"", text.subtitle);
  top += text_line;
  const double bias_left = left + matrix_width + page_gap;
  head += svg_text(left, top - 5, " font-size=\"12\" fill=\"#505050\"", "W");
  head += svg_text(bias_left, top - 5, " font-size=\"12\" fill=\"#505050\"", "b");

  top += blocks.above();
  const Sheet sheet{left, bias_left, top, cell, bias_width};

  const PictureLegend legend = legend_of(table, max_legend);
  const double legend_top = std::max(top + matrix_height, stamps_bottom) + page_gap;
  const auto columns = static_cast<std::size_t>(std::max(1.0, (width - 2 * page_margin) / legend_width));
  const std::size_t lines = (legend.entries.size() + (legend.left_out != 0 ? 1 : 0) + columns - 1) / columns;
  const double height = legend_top + static_cast<double>(lines) * legend_row + page_margin;
  return svg_document(
      width, height, text.title.empty() ? "weight-tying table" : text.title,
      head + squares_text(table, sheet) + blocks.text(sheet, weights) +
          legend_text(legend, legend_top, columns) +
          stamps_text(places, stamps.size() - places.size(), stamp_row(table, stamps), weights));
}

}  // namespace intertwine
