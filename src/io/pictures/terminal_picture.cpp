// Pictures in the terminal.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/io/picture.hpp"
#include "intertwine/tables/data_section.hpp"
#include "io/pictures/entry_rows.hpp"

namespace intertwine {
namespace {

constexpr unsigned least_width = 20;
constexpr std::size_t terminal_colours = 48;

// The colours of the first parameters in the 6 x 6 x 6 cube that every colour terminal has: each the nearest
// one that is not taken yet, so that they differ. Later parameters begin again.
int cube_colour(std::uint64_t parameter) {
  static const std::array<int, terminal_colours> chosen = [] {
    constexpr int levels[] = {0, 95, 135, 175, 215, 255};
    std::array<int, terminal_colours> out{};
    std::array<bool, 216> taken{};
    for (std::size_t k = 0; k < out.size(); ++k) {
      const Rgb wish = parameter_colour(k);
      int best = 0, best_distance = std::numeric_limits<int>::max();
      for (int c = 0; c < 216; ++c) {
        const int red = levels[c / 36] - wish.red, green = levels[c / 6 % 6] - wish.green,
                  blue = levels[c % 6] - wish.blue;
        const int distance = 3 * red * red + 6 * green * green + 2 * blue * blue;
        if (taken[static_cast<std::size_t>(c)] || distance >= best_distance) continue;
        best = c, best_distance = distance;
      }
      taken[static_cast<std::size_t>(best)] = true;
      out[k] = 16 + best;
    }
    return out;
  }();
  return chosen[parameter % terminal_colours];
}

// One level darker in every channel of the cube.
int darker_cube_colour(int colour) {
  const int c = colour - 16;
  const auto down = [](int level) { return std::max(0, level - 2); };
  return 16 + 36 * down(c / 36) + 6 * down(c / 6 % 6) + down(c % 6);
}

// The cells to be shown: the codes of the sampled rows, the bias code last.
struct SampledCodes {
  std::uint64_t rows = 0, cols = 0;
  std::vector<std::vector<CodeMeaning>> weight;
  std::vector<CodeMeaning> bias;
};

SampledCodes sample(const WeightBlock& table, std::uint64_t most_rows, std::uint64_t most_cols) {
  const WeightPattern& weights = table.weights;
  SampledCodes out;
  out.rows = std::min(weights.rows, most_rows);
  out.cols = std::min(weights.cols, most_cols);
  std::vector<std::uint64_t> wanted;
  for (std::uint64_t r = 0; r < out.rows; ++r) {
    wanted.push_back(cell_centre(r, out.rows, weights.rows));
    CodeMeaning bias = meaning_of(bias_code_at(table, wanted.back()), table.bias.params);
    bias.parameter += weights.params;  // the colours and letters after those of the weights
    out.bias.push_back(bias);
  }
  out.weight.resize(out.rows);
  read_rows(weights, wanted,
            [&](std::uint64_t r, std::span<const std::int32_t> codes) {
              auto& line = out.weight[r];
              for (std::uint64_t c = 0; c < out.cols; ++c)
                line.push_back(meaning_of(codes[cell_centre(c, out.cols, weights.cols)], weights.params));
            },
            {});
  return out;
}

char letter(const CodeMeaning& meaning) {
  if (meaning.zero) return '.';
  return static_cast<char>((meaning.minus ? 'a' : 'A') + static_cast<int>(meaning.parameter % 26));
}

std::string letters(const SampledCodes& cells, bool spaced) {
  std::string out;
  for (std::uint64_t r = 0; r < cells.rows; ++r) {
    for (std::uint64_t c = 0; c < cells.cols; ++c) {
      out += letter(cells.weight[r][c]);
      if (spaced) out += ' ';
    }
    out += spaced ? "| " : " | ";
    out += letter(cells.bias[r]);
    out += '\n';
  }
  return out;
}

// Two columns a cell on a coloured ground, with a minus sign where there is one.
std::string coloured_squares(const SampledCodes& cells) {
  std::string out;
  const auto add = [&](const CodeMeaning& meaning) {
    if (meaning.zero)
      out += "\x1b[0m\x1b[2m·\x1b[0m ";
    else
      out += fmt::format("\x1b[48;5;{}m\x1b[38;5;16m{}", cube_colour(meaning.parameter), meaning.minus ? "− " : "  ");
  };
  for (std::uint64_t r = 0; r < cells.rows; ++r) {
    for (const CodeMeaning& meaning : cells.weight[r]) add(meaning);
    out += "\x1b[0m  ";
    add(cells.bias[r]);
    out += "\x1b[0m\n";
  }
  return out;
}

// Two cells a letter, one above the other, negative ones darker.
std::string half_blocks(const SampledCodes& cells) {
  std::string out;
  const auto colour = [](const CodeMeaning& meaning) {
    if (meaning.zero) return -1;
    const int plain = cube_colour(meaning.parameter);
    return meaning.minus ? darker_cube_colour(plain) : plain;
  };
  const auto add = [&](int upper, int lower) {
    if (upper < 0 && lower < 0)
      out += "\x1b[0m ";
    else if (upper < 0)
      out += fmt::format("\x1b[0m\x1b[38;5;{}m▄", lower);
    else if (lower < 0)
      out += fmt::format("\x1b[0m\x1b[38;5;{}m▀", upper);
    else
      out += fmt::format("\x1b[38;5;{}m\x1b[48;5;{}m▀", upper, lower);
  };
  for (std::uint64_t r = 0; r < cells.rows; r += 2) {
    const bool pair = r + 1 < cells.rows;
    for (std::uint64_t c = 0; c < cells.cols; ++c)
      add(colour(cells.weight[r][c]), pair ? colour(cells.weight[r + 1][c]) : -1);
    out += "\x1b[0m ";
    add(colour(cells.bias[r]), pair ? colour(cells.bias[r + 1]) : -1);
    out += "\x1b[0m\n";
  }
  return out;
}

// Lines of entries, two spaces between; an entry goes to the next line where it does not fit.
class LegendText {
 public:
  explicit LegendText(unsigned width) : width_(width) {}

  /// False, and nothing done, if `text` of so many columns would need more than `lines` lines.
  bool add(const std::string& text, unsigned columns, unsigned lines) {
    const unsigned gap = column_ == 0 ? 0 : 2;
    const bool next = column_ + gap + columns > width_ && column_ != 0;
    if (next && line_ == lines) return false;
    text_ += next ? "\n" : std::string(gap, ' ');
    text_ += text;
    column_ = next ? columns : column_ + gap + columns;
    line_ += next ? 1 : 0;
    return true;
  }
  void new_line() {
    if (column_ == 0) return;
    text_ += '\n';
    column_ = 0;
    ++line_;
  }
  std::string text() && {
    if (column_ != 0) text_ += '\n';
    return std::move(text_);
  }

 private:
  unsigned width_, column_ = 0, line_ = 1;
  std::string text_;
};

struct LegendItem {
  std::string text;
  unsigned columns;
};

LegendItem legend_item(const WeightBlock& table, const LegendEntry& entry, bool colour) {
  const bool zero = entry.symbol == "0";
  const std::uint64_t parameter = entry.weight ? entry.parameter : table.weights.params + entry.parameter;
  const std::string symbol = zero ? "zero" : entry.symbol;
  const std::string count = std::to_string(entry.count);
  const std::string name = zero     ? (colour ? "·" : ".")
                           : colour ? fmt::format("\x1b[48;5;{}m  \x1b[0m", cube_colour(parameter))
                                    : std::string(1, letter({false, false, parameter}));
  // The symbol of a weight begins with a letter of two bytes.
  const std::size_t columns =
      (colour && !zero ? 2U : 1U) + 1 + symbol.size() - (entry.weight ? 1 : 0) + 2 + count.size();
  return {fmt::format("{} {} ×{}", name, symbol, count), static_cast<unsigned>(columns)};
}

// Two lines, and a third one for the bias where the weights leave it no room.
std::string legend_lines(const WeightBlock& table, unsigned width, bool colour) {
  const PictureLegend legend = legend_of(table, EntryRows(table.weights), plain_colours(table), 64);
  LegendText out(width);
  std::uint64_t shown_weights = 0, shown_biases = 0;
  bool weights_fit = true, biases_fit = true;
  const auto add_left_out = [&] {
    if (shown_weights == table.weights.params) return;
    const std::string text = fmt::format("and {} more", table.weights.params - shown_weights);
    out.new_line();
    out.add(text, static_cast<unsigned>(text.size()), 3);
  };
  for (const LegendEntry& entry : legend.entries) {
    const LegendItem item = legend_item(table, entry, colour);
    if (entry.weight || entry.symbol == "0") {
      weights_fit = weights_fit && out.add(item.text, item.columns, 2);
      shown_weights += entry.weight && weights_fit ? 1 : 0;
      continue;
    }
    if (shown_biases == 0) add_left_out();
    biases_fit = biases_fit && out.add(item.text, item.columns, 3);
    shown_biases += biases_fit ? 1 : 0;
  }
  if (table.bias.params == 0) add_left_out();
  std::string text = std::move(out).text();
  if (shown_biases != table.bias.params)
    text += fmt::format("and {} more of the bias\n", table.bias.params - shown_biases);
  return text;
}

}  // namespace

std::string terminal_picture(const WeightBlock& table, unsigned width, bool colour) {
  if (!table.is_tied())
    throw DomainError(
        "pictures for terminals show tied entries, and this basis is not one of tied entries; draw it as "
        ".svg, .png or .html");
  require_consistent_sizes(table);
  const WeightPattern& weights = table.weights;
  width = std::clamp(width, least_width, 4096U);
  const std::uint64_t room = width - 4;  // the bias and what separates it
  const bool wide = weights.cols <= room / 2;
  // Letters are twice as high as wide: a narrow cell that is sampled shows twice as many columns as rows.
  const std::uint64_t most_cols = wide ? weights.cols : room;
  std::uint64_t most_rows = width;
  if (weights.cols > most_cols || weights.rows > most_rows) {
    const auto cols = static_cast<double>(std::min(weights.cols, most_cols));
    const double share = cols / static_cast<double>(weights.cols) * static_cast<double>(weights.rows);
    const double lines = wide || colour ? share : share / 2;
    const auto least = static_cast<double>(std::min<std::uint64_t>(weights.rows, 8));
    most_rows = static_cast<std::uint64_t>(std::clamp(lines, least, static_cast<double>(width)));
  }
  const SampledCodes cells = sample(table, most_rows, most_cols);
  std::string out = !colour ? letters(cells, wide) : wide ? coloured_squares(cells) : half_blocks(cells);
  out += legend_lines(table, width, colour);
  if (!colour && weights.params + table.bias.params > 26) out += "letters begin again after Z\n";
  bool negative = false;
  for (const auto& line : cells.weight)
    for (const CodeMeaning& meaning : line) negative |= meaning.minus;
  for (const CodeMeaning& meaning : cells.bias) negative |= meaning.minus;
  if (negative) out += !colour ? "lower case: minus\n" : wide ? "−: minus\n" : "darker: minus\n";
  if (cells.rows < weights.rows || cells.cols < weights.cols)
    out +=
        fmt::format("sampled: {} of {} rows, {} of {} columns\n", cells.rows, weights.rows, cells.cols, weights.cols);
  return out;
}

}  // namespace intertwine
