// Draws a table: squares, block names, stamps and the legend.
#include "io/pictures/table_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "intertwine/tables/data_section.hpp"
#include "io/containers/text.hpp"
#include "io/pictures/letters.hpp"

namespace intertwine {
namespace {

constexpr double page_margin = 20, text_line = 18, page_gap = 14, legend_row = 22, small_text = 12;
constexpr double stamp_side = 224, caption_line = 16, block_text = 11, block_line = 12, most_height = 720;
constexpr std::uint64_t most_panels = 24, most_kernel_rows = 8, most_panel_side = 256;
/// The number of rows read for a cell that stands for more of them.
constexpr std::uint64_t mean_rows = 8;
constexpr Rgb ink{32, 32, 36}, grey{80, 80, 80}, line_grey{216, 216, 216}, frame_grey{176, 176, 176};

double small_width(std::string_view text) { return text_width(text, small_text); }

/// Squares of one code, gathered so that the colour is said once, and on them numbers, those of the parameters or coefficients, with
/// their signs, or where they are too small for that the minus signs alone.
class Squares {
 public:
  /// `first_colour` parameters have their colours before.
  Squares(double width, double height, const WeightPattern& pattern, const ParameterColours& colours,
          std::uint64_t first_colour)
      : width_(width),
        height_(height),
        params_(pattern.params),
        tied_(pattern.is_tied()),
        colours_(colours),
        first_colour_(first_colour) {}

  void add(const PictureEntry& entry, double x, double y) {
    const Rgb colour = entry.colour(colours_, first_colour_);
    const std::uint64_t code = entry.kind == PictureEntry::zero ? 0
                               : entry.kind == PictureEntry::several
                                   ? 2 * params_ + 1
                                   : entry.parameter + 1 + (entry.minus() ? params_ : 0);
    groups_[{code, colour}].push_back({x, y});
    if (entry.kind != PictureEntry::one) return;
    const bool on_dark = contrast(colour) == white;
    if (std::min(width_, height_) >= least_numbered) {
      const std::string number = (entry.minus() ? "−" : "") + number_of(entry);
      const double size = std::min(0.42 * height_, 0.84 * width_ / text_width(number, 1));
      if (size >= least_size) {
        numbers_[on_dark].push_back({x + width_ / 2, y + height_ / 2 + 0.35 * size, size, number});
        return;
      }
    }
    if (!entry.minus()) return;
    const double length = 0.5 * std::min(width_, height_);
    signs_[on_dark] += fmt::format("M{:.6g} {:.6g}h{:.6g}", x + (width_ - length) / 2, y + height_ / 2, length);
  }

  void draw(Surface& surface, std::string_view name) const {
    const double side = std::min(width_, height_);
    surface.open({.name = name, .stroke = line_grey, .stroke_width = std::min(1.0, side / 16)});
    for (const auto& [key, places] : groups_) {
      surface.open({.name = fmt::format("code-{}", key.first), .fill = key.second});
      for (const auto& [x, y] : places) surface.rect({x, y, width_, height_});
      surface.close();
    }
    surface.close();
    for (const auto& [on_dark, path] : signs_)
      surface.path(path, {.name = "minus", .stroke = on_dark ? white : Rgb{0, 0, 0}, .stroke_width = side / 8});
    for (const auto& [on_dark, list] : numbers_) {
      surface.open({.name = "number", .fill = on_dark ? white : Rgb{0, 0, 0}, .anchor = Anchor::middle});
      for (const Number& number : list) surface.text(number.x, number.y, number.text, {.font_size = number.size});
      surface.close();
    }
  }

 private:
  static constexpr double least_numbered = 20, least_size = 5;
  struct Number {
    double x, y, size;
    std::string text;
  };

  std::string number_of(const PictureEntry& entry) const {
    if (tied_) return std::to_string(entry.parameter);
    return std::isfinite(entry.value) ? fmt::format("{:.3g}", std::abs(entry.value)) : "";
  }

  double width_, height_;
  std::uint64_t params_;
  bool tied_;
  const ParameterColours& colours_;
  std::uint64_t first_colour_;
  std::map<std::pair<std::uint64_t, Rgb>, std::vector<std::array<double, 2>>> groups_;
  std::map<bool, std::string> signs_;
  std::map<bool, std::vector<Number>> numbers_;
};

const WeightBlock& checked(const WeightBlock& table, const Task& task) {
  require_consistent_sizes(table, task);
  return table;
}

double per_entry(double length, std::uint64_t entries) { return length / static_cast<double>(entries); }

/// The colours of rows, darker where there is a minus.
class RowColours {
 public:
  /// `first` parameters have their colours before.
  RowColours(const WeightPattern& pattern, const EntryRows& rows, const ParameterColours& colours, std::uint64_t first,
             const Task& task)
      : pattern_(pattern), rows_(rows), colours_(colours), first_(first), task_(task) {
    if (!pattern.is_tied()) return;
    task.require_memory(sizeof(Rgb) * (2 * pattern.params + 1), "the colours of codes");
    of_code_.resize(2 * pattern.params + 1);
    for (std::size_t code = 0; code < of_code_.size(); ++code) {
      const CodeMeaning meaning = meaning_of(static_cast<std::int32_t>(code), pattern.params);
      if (meaning.zero)
        of_code_[code] = white;
      else
        of_code_[code] =
            meaning.minus ? darker(colours(first + meaning.parameter)) : colours(first + meaning.parameter);
    }
  }
  /// visit(k, colours of row wanted[k]), in the order that costs least; the numbers increase.
  template <class Visit>
  void for_rows(std::span<const std::uint64_t> wanted, const Visit& visit) {
    row_.resize(pattern_.cols);
    if (pattern_.is_tied())
      return read_rows(
          pattern_, wanted,
          [&](std::uint64_t k, std::span<const std::int32_t> codes) {
            set_row(codes);
            visit(k, row_);
          },
          task_);
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      task_.poll();
      set_row(wanted[k]);
      visit(k, row_);
    }
  }
  bool any_minus() const { return any_minus_; }

 private:
  void set_row(std::span<const std::int32_t> codes) {
    std::int32_t most = 0;
    for (std::size_t j = 0; j < row_.size(); ++j) {
      row_[j] = of_code_[static_cast<std::size_t>(codes[j])];
      most = std::max(most, codes[j]);
    }
    any_minus_ |= static_cast<std::uint64_t>(most) > pattern_.params;
  }
  void set_row(std::uint64_t i) {
    rows_.row(i, entries_);
    for (std::size_t j = 0; j < row_.size(); ++j) {
      const PictureEntry& entry = entries_[j];
      row_[j] = entry.colour(colours_, first_);
      if (entry.minus()) row_[j] = darker(row_[j]);
      any_minus_ |= entry.minus();
    }
  }

  const WeightPattern& pattern_;
  const EntryRows& rows_;
  const ParameterColours& colours_;
  std::uint64_t first_;
  const Task& task_;
  std::vector<Rgb> of_code_;  // of tied entries
  std::vector<PictureEntry> entries_;
  std::vector<Rgb> row_;
  bool any_minus_ = false;
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

}  // namespace

BlockNames::BlockNames(std::vector<PictureBlock> inputs, std::vector<PictureBlock> outputs, double entry_width,
                       double entry_height)
    : inputs_(std::move(inputs)), outputs_(std::move(outputs)), entry_width_(entry_width), entry_height_(entry_height) {
  for (auto* blocks : {&inputs_, &outputs_})
    for (PictureBlock& block : *blocks) block.name = shortened(block.name, 24);
  if (inputs_.size() > 1)
    for (const PictureBlock& block : inputs_) {
      const double width = text_width(block.name, block_text);
      slanted_ |= width > entry_width * static_cast<double>(block.size) - 4;
      longest_ = std::max(longest_, width);
    }
}

double BlockNames::left() const {
  double longest = 0;
  if (outputs_.size() > 1)
    for (const PictureBlock& block : outputs_) longest = std::max(longest, text_width(block.name, block_text) + 6);
  return std::ceil(longest);
}

double BlockNames::above() const { return inputs_.size() < 2 ? 0 : slanted_ ? std::ceil(0.5 * longest_ + 10) : 14; }

double BlockNames::right() const {
  if (inputs_.size() < 2 || !slanted_) return 0;
  return entry_width_ * static_cast<double>(inputs_.back().start) + 0.87 * text_width(inputs_.back().name, block_text) +
         12;
}

void BlockNames::draw(Surface& surface, const Box& matrix, bool inside) const {
  constexpr double mark = 5;  // of lines that end at the border
  std::string lines;
  for (const PictureBlock& block : outputs_)
    if (block.start != 0)
      lines += fmt::format("M{:.6g} {:.6g}h{:.6g}", inside ? matrix.left : matrix.left - mark,
                           matrix.top + entry_height_ * static_cast<double>(block.start), inside ? matrix.width : mark);
  for (const PictureBlock& block : inputs_)
    if (block.start != 0)
      lines += fmt::format("M{:.6g} {:.6g}v{:.6g}", matrix.left + entry_width_ * static_cast<double>(block.start),
                           inside ? matrix.top : matrix.top - mark, inside ? matrix.height : mark);
  if (!lines.empty())
    surface.path(lines,
                 {.name = "blocks",
                  .stroke = ink,
                  .stroke_width = inside ? std::clamp(std::min(entry_width_, entry_height_) / 12, 0.75, 1.5) : 1});
  if (inputs_.size() < 2 && outputs_.size() < 2) return;
  surface.open({.name = "names", .fill = grey, .font_size = block_text});
  const auto each = [](const std::vector<PictureBlock>& blocks, double length, const auto& name) {
    double last = -block_line;
    if (blocks.size() < 2) return;
    for (const PictureBlock& block : blocks) {
      const double at = length * (static_cast<double>(block.start) + 0.5 * static_cast<double>(block.size));
      if (at - last < block_line) continue;
      last = at;
      name(at, block.name);
    }
  };
  const double clear = inside ? 0 : mark;
  each(inputs_, entry_width_, [&](double at, const std::string& name) {
    surface.text(matrix.left + at, matrix.top - 4 - clear, name, {.anchor = slanted_ ? Anchor::start : Anchor::middle},
                 slanted_ ? -30 : 0);
  });
  each(outputs_, entry_height_, [&](double at, const std::string& name) {
    surface.text(matrix.left - 6 - clear, matrix.top + at + 4, name, {.anchor = Anchor::end});
  });
  surface.close();
}

TableDrawing::TableDrawing(const WeightBlock& table, const PictureText& text, const PictureGrid& grid, const Task& task)
    : table_(checked(table, task)),
      task_(task),
      with_bias_(text.bias),
      grid_(grid),
      weights_(table.weights, task),
      biases_(table.bias, task),
      source_(picture_source(table, task)),
      colours_(parameter_colours(table, source_, task)),
      legend_(legend_of(table, weights_, colours_, max_legend)),
      blocks_(input_blocks(text, source_), output_blocks(text, source_), per_entry(grid.width(), table.weights.cols),
              per_entry(grid.height(), table.weights.rows)) {
  const double clear = grid.squares ? 0 : 5;
  matrix_ = {page_margin + blocks_.left() + (blocks_.left() == 0 ? 0 : clear), page_margin, grid.width(),
             grid.height()};
  legend_width_ = 104;
  for (const LegendEntry& entry : legend_.entries)
    legend_width_ = std::max(legend_width_, std::ceil(small_width(label_of(entry))) + 20 + page_gap);
  const double gap = with_bias_ ? page_gap : 0;
  bias_ = {matrix_.left + matrix_.width + gap, 0, with_bias_ ? grid.bias_width : 0, matrix_.height};
  width_ = std::max({bias_.left + bias_.width, matrix_.left + blocks_.right(), page_margin + 2 * legend_width_});
  write_head(text);
  matrix_.top += blocks_.above() == 0 ? 0 : blocks_.above() + clear;
  bias_.top = matrix_.top;
  height_ = matrix_.top + matrix_.height;
  if (!grid.squares) mean_cells();
  make_panels();
  write_notes();
  legend_top_ = height_ + page_gap;
  columns_ = static_cast<std::size_t>(std::max(1.0, (width_ - page_margin) / legend_width_));
  const std::size_t items = legend_.entries.size() + (legend_.left_out != 0 ? 1 : 0);
  height_ = legend_top_ + static_cast<double>((items + columns_ - 1) / columns_) * legend_row + page_margin;
  width_ = std::ceil(width_ + page_margin);
}

void TableDrawing::write(std::string text, double x, double y, const Style& style) {
  width_ = std::max(width_, x + text_width(text, style.font_size, style.bold));
  lines_.push_back({x, y, std::move(text), style});
}

void TableDrawing::write_head(const PictureText& text) {
  const double width = std::max(width_ - page_margin, 900.0);
  const auto paragraph = [&](const std::string& words, const Style& style) {
    for (std::string& line : wrapped_text(words, style.font_size, style.bold, width))
      write(std::move(line), page_margin, (matrix_.top += text_line) - 4, style);
  };
  const Style faint{.fill = grey, .font_size = small_text};
  paragraph(text.title, {.font_size = 16, .bold = true});
  paragraph(text.subtitle, faint);
  matrix_.top += text_line;
  write("W", matrix_.left, matrix_.top - 5, faint);
  if (with_bias_) write("b", bias_.left, matrix_.top - 5, faint);
}

void TableDrawing::write_notes() {
  const WeightPattern& W = table_.weights;
  std::vector<std::string> notes;
  if (!colours_.meaning.empty()) notes.emplace_back(colours_.meaning);
  if (!table_.is_tied())
    notes.push_back(fmt::format("Colours are parameters, paler where their coefficients are smaller{}.",
                                weights_.sums() == 0 ? "" : "; grey entries are sums of several"));
  if (grid_.rows < W.rows || grid_.cols < W.cols)
    notes.push_back(fmt::format("{} rows in {}, {} columns in {}: a cell has the mean colour of its entries{}.", W.rows,
                                grid_.rows, W.cols, grid_.cols,
                                W.rows > mean_rows * grid_.rows ? fmt::format(" in {} rows", mean_rows) : ""));
  if (darker_) notes.emplace_back("Darker: minus.");
  if (!notes.empty()) height_ += page_gap / 2;
  for (const std::string& note : notes)
    for (std::string& line : wrapped_text(note, small_text, false, std::max(width_ - page_margin, 420.0)))
      write(std::move(line), page_margin, (height_ += text_line) - 4, {.fill = grey, .font_size = small_text});
}

/// Fewer cells than entries: each the mean of those that fall to it. Rows come in any order, so that the sums of a line of cells are kept
/// from the first of its rows to the last.
void TableDrawing::mean_cells() {
  const WeightPattern& W = table_.weights;
  const auto first = [](std::uint64_t k, std::uint64_t cells, std::uint64_t size) {
    return k * (size / cells) + k * (size % cells) / cells;
  };
  const std::uint64_t bytes = sizeof(Rgb) * grid_.rows * (grid_.cols + 1) + sizeof(PictureEntry) * W.cols +
                              sizeof(std::uint64_t) * (grid_.cols + (2 * mean_rows + 1) * grid_.rows),
                      line_bytes = sizeof(Light) * grid_.cols;
  task_.require_memory(bytes, "the cells of a picture");
  std::vector<std::uint64_t> column, wanted, line;  // line: that of every row wanted
  for (std::uint64_t c = 0; c <= grid_.cols; ++c) column.push_back(first(c, grid_.cols, W.cols));
  for (std::uint64_t r = 0; r < grid_.rows; ++r) {
    const std::uint64_t from = first(r, grid_.rows, W.rows), count = first(r + 1, grid_.rows, W.rows) - from;
    const std::uint64_t read = std::min(count, mean_rows);
    for (std::uint64_t n = 0; n < read; ++n) wanted.push_back(from + first(n, read, count));
    line.resize(wanted.size(), r);
  }
  std::vector<Light> bias(grid_.rows);
  RowColours weight_rows(W, weights_, colours_, 0, task_), bias_rows(table_.bias, biases_, colours_, W.params, task_);
  bias_rows.for_rows(wanted, [&](std::uint64_t k, const auto& colours) { bias[line[k]].add(colours[0]); });
  for (const Light& light : bias) bias_cells_.push_back(light.mean());
  weight_cells_.resize(grid_.rows * grid_.cols);
  struct Sums {
    std::uint64_t rows = 0;
    std::vector<Light> cells;
  };
  std::map<std::uint64_t, Sums> begun;
  std::uint64_t done = 0;
  weight_rows.for_rows(wanted, [&](std::uint64_t k, const auto& colours) {
    const std::uint64_t r = line[k];
    auto [at, fresh] = begun.try_emplace(r);
    auto& [rows, cells] = at->second;
    if (fresh) {
      task_.require_memory(bytes + line_bytes * begun.size(), "the cells of a picture");
      cells.resize(grid_.cols);
    }
    for (std::uint64_t c = 0; c < grid_.cols; ++c)
      for (std::uint64_t j = column[c]; j < column[c + 1]; ++j) cells[c].add(colours[j]);
    if (++rows < bias[r].count) return;
    task_.progress("drawing the table", ++done, grid_.rows);
    for (std::uint64_t c = 0; c < grid_.cols; ++c) weight_cells_[r * grid_.cols + c] = cells[c].mean();
    begun.erase(at);
  });
  darker_ = weight_rows.any_minus() || bias_rows.any_minus();
}

void TableDrawing::make_panels() {
  const WeightPattern& W = table_.weights;
  const std::vector<PictureStamp> stamps = picture_stamps(table_, source_);
  const bool kernel = table_.metadata.contains("kernel");
  const bool small = std::all_of(stamps.begin(), stamps.end(), [](const PictureStamp& stamp) {
    return std::max(stamp.rows, stamp.cols) <= most_panel_side;
  });
  const double right = std::max(bias_.left + bias_.width, page_margin + 640);
  std::vector<Panel> panels;
  const auto add = [&](Panel panel, double side) {
    const auto most = static_cast<double>(std::max(panel.rows, panel.cols));
    const double cell = std::clamp(std::floor(2 * side / most) / 2, 3.0, 28.0);
    panel.box.width = cell * static_cast<double>(panel.cols);
    panel.box.height = cell * static_cast<double>(panel.rows);
    panels.push_back(std::move(panel));
  };
  if (kernel && small && !stamps.empty()) {
    const std::uint64_t lines = std::min(W.rows, most_kernel_rows);
    const double share = std::min(per_entry(right - matrix_.left, std::min(stamps.size(), most_panels)) - page_gap,
                                  per_entry(most_height, lines) - caption_line - page_gap);
    for (std::uint64_t i = 0; i < lines; ++i)
      for (std::size_t s = 0; s < std::min(stamps.size(), most_panels); ++s)
        add({.rows = stamps[s].rows,
             .cols = stamps[s].cols,
             .row = i,
             .start = stamps[s].start,
             .new_line = s == 0,
             .caption = fmt::format("{}, {}", i, s)},
            share);
    write(fmt::format("Rows of W on the kernel, {} × {}: output, input", stamps[0].rows, stamps[0].cols), matrix_.left,
          (height_ += page_gap + text_line) - 4, {.fill = grey, .font_size = small_text});
    place_below(std::move(panels), W.rows * stamps.size(), right);
  } else if (small) {
    const std::uint64_t row = stamp_row(table_, stamps);
    for (std::size_t s = 0; s < std::min(stamps.size(), most_panels); ++s)
      add({.rows = stamps[s].rows,
           .cols = stamps[s].cols,
           .row = row,
           .start = stamps[s].start,
           .caption = fmt::format("row {} of W on {} × {}{}", row, stamps[s].rows, stamps[s].cols,
                                  W.cols == stamps[s].rows * stamps[s].cols ? "" : ", " + stamps[s].name)},
          stamp_side);
    if (!panels.empty() && panels[0].box.height + caption_line <= matrix_.height)
      place_beside(std::move(panels), stamps.size());
    else
      place_below(std::move(panels), stamps.size(), right);
  }
  if (weights_.sums() == 0 || std::max(W.rows, W.cols) > most_panel_side) return;
  panels.clear();
  for (std::uint64_t k = 0; k < std::min(W.params, most_panels); ++k)
    add({.rows = W.rows, .cols = W.cols, .element = k, .is_element = true, .caption = fmt::format("θ{}", k)},
        stamp_side);
  place_below(std::move(panels), W.params, right);
}

double TableDrawing::Panel::right() const { return box.left + std::max(box.width, small_width(caption)); }

/// One below the other, as many as fit beside the matrix.
void TableDrawing::place_beside(std::vector<Panel> panels, std::uint64_t wanted) {
  double next = matrix_.top;
  for (Panel& panel : panels) {
    panel.box.left = bias_.left + bias_.width + 2 * page_gap;
    panel.box.top = next;
    next += panel.box.height + caption_line + page_gap;
    if (panel.box.top + panel.box.height + caption_line > matrix_.top + matrix_.height) break;
    --wanted;
    width_ = std::max(width_, panel.right());
    panels_.push_back(std::move(panel));
  }
  const Box& last = panels_.back().box;
  const double end = last.top + last.height + 2 * caption_line;
  height_ = std::max(height_, end);
  if (wanted > 0) write(fmt::format("and {} more", wanted), last.left, end, {.fill = grey, .font_size = small_text});
}

/// In lines below what is there.
void TableDrawing::place_below(std::vector<Panel> panels, std::uint64_t wanted, double right) {
  const double start = height_ + page_gap;
  double x = matrix_.left, top = start, line = 0;
  for (Panel& panel : panels) {
    panel.box.left = x;
    if (x > matrix_.left && (panel.new_line || panel.right() > right)) {
      panel.box.left = matrix_.left;
      top += line;
      line = 0;
      if (top + panel.box.height > start + most_height) break;
    }
    panel.box.top = top;
    --wanted;
    line = std::max(line, panel.box.height + caption_line + page_gap / 2);
    x = std::ceil(panel.right()) + page_gap;
    width_ = std::max(width_, panel.right());
    panels_.push_back(std::move(panel));
  }
  if (panels.empty()) return;
  height_ = top + line;
  if (wanted > 0)
    write(fmt::format("and {} more", wanted), matrix_.left, (height_ += text_line) - 4,
          {.fill = grey, .font_size = small_text});
}

void TableDrawing::draw(Surface& surface) const {
  for (const Line& line : lines_) surface.text(line.x, line.y, line.text, line.style);
  if (grid_.squares)
    draw_squares(surface);
  else
    draw_cells(surface);
  blocks_.draw(surface, matrix_, grid_.squares);
  draw_legend(surface);
  draw_panels(surface);
}

void TableDrawing::draw_squares(Surface& surface) const {
  const WeightPattern& W = table_.weights;
  Squares weight(grid_.cell_width, grid_.cell_height, W, colours_, 0),
      bias(grid_.bias_width, grid_.cell_height, table_.bias, colours_, W.params);
  std::vector<PictureEntry> entries;
  for (std::uint64_t i = 0; i < W.rows; ++i) {
    task_.poll();
    const double y = matrix_.top + grid_.cell_height * static_cast<double>(i);
    weights_.row(i, entries);
    for (std::uint64_t j = 0; j < W.cols; ++j)
      weight.add(entries[j], matrix_.left + grid_.cell_width * static_cast<double>(j), y);
    if (!with_bias_) continue;
    biases_.row(i, entries);
    bias.add(entries[0], bias_.left, y);
  }
  weight.draw(surface, "weight");
  if (with_bias_) bias.draw(surface, "bias");
}

void TableDrawing::draw_cells(Surface& surface) const {
  for (const auto& [box, cols, colours] : {std::tuple(matrix_, grid_.cols, &weight_cells_), {bias_, 1, &bias_cells_}}) {
    if (box.width == 0) continue;
    const double width = per_entry(box.width, cols);
    for (std::size_t k = 0; k < colours->size(); ++k)
      surface.rect({box.left + width * static_cast<double>(k % cols),
                    box.top + grid_.cell_height * static_cast<double>(k / cols), width, grid_.cell_height},
                   {.fill = (*colours)[k]});
    surface.rect({box.left - 0.5, box.top - 0.5, box.width + 1, box.height + 1},
                 {.stroke = frame_grey, .stroke_width = 1});
  }
}

void TableDrawing::draw_legend(Surface& surface) const {
  surface.open({.name = "legend", .font_size = small_text});
  const auto place = [&](std::size_t k) {
    return std::pair(page_margin + static_cast<double>(k % columns_) * legend_width_,
                     legend_top_ + static_cast<double>(k / columns_) * legend_row);
  };
  for (std::size_t k = 0; k < legend_.entries.size(); ++k) {
    const LegendEntry& entry = legend_.entries[k];
    const auto [x, y] = place(k);
    surface.rect(
        {x, y, 14, 14},
        {.name = entry.symbol == "0" ? "zero" : "", .fill = entry.colour, .stroke = frame_grey, .stroke_width = 1}, 2);
    surface.text(x + 20, y + 11.5, label_of(entry));
  }
  if (legend_.left_out != 0) {
    const auto [x, y] = place(legend_.entries.size());
    surface.text(x, y + 11.5, fmt::format("and {} more", legend_.left_out), {.fill = grey});
  }
  surface.close();
}

void TableDrawing::draw_panels(Surface& surface) const {
  std::vector<PictureEntry> entries;
  std::uint64_t read = table_.weights.rows;
  for (const Panel& panel : panels_) {
    task_.poll();
    const double cell = per_entry(panel.box.width, panel.cols);
    Squares squares(cell, cell, table_.weights, colours_, 0);
    const auto add = [&](std::uint64_t row, std::uint64_t col, const PictureEntry& entry) {
      squares.add(entry, panel.box.left + cell * static_cast<double>(col),
                  panel.box.top + cell * static_cast<double>(row));
    };
    if (panel.is_element) {
      surface.rect(panel.box, {.name = "zero", .fill = white, .stroke = line_grey, .stroke_width = 1});
      weights_.element(panel.element, [&](std::int32_t row, std::int32_t col, const PictureEntry& entry) {
        add(static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(col), entry);
      });
    } else {
      if (panel.row != read) weights_.row(read = panel.row, entries);
      for (std::uint64_t k = 0; k < panel.rows * panel.cols; ++k)
        add(k / panel.cols, k % panel.cols, entries[panel.start + k]);
    }
    squares.draw(surface, "stamp");
    surface.text(panel.box.left, panel.box.top + panel.box.height + caption_line - 2, panel.caption,
                 {.fill = grey, .font_size = small_text});
  }
}

}  // namespace intertwine
