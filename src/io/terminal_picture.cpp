#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "intertwine/io/picture.hpp"
#include "io/palette.hpp"

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
struct Cells {
  std::uint64_t rows = 0, cols = 0;
  std::vector<std::vector<CodeMeaning>> weight;
  std::vector<CodeMeaning> bias;
};

Cells sample(const TableHeader& header, const CodeRows& rows, std::uint64_t most_rows,
             std::uint64_t most_cols) {
  Cells out;
  out.rows = std::min(header.rows, most_rows);
  out.cols = std::min(header.cols, most_cols);
  std::vector<std::int32_t> codes;
  for (std::uint64_t r = 0; r < out.rows; ++r) {
    const std::uint64_t i = cell_centre(r, out.rows, header.rows);
    read_row(header, rows, i, codes);
    auto& line = out.weight.emplace_back();
    for (std::uint64_t c = 0; c < out.cols; ++c)
      line.push_back(meaning_of(codes[cell_centre(c, out.cols, header.cols)], header.params));
    CodeMeaning bias = meaning_of(bias_code_at(header, i), header.bias_params);
    bias.parameter += header.params;  // the colours and letters after those of the weights
    out.bias.push_back(bias);
  }
  return out;
}

char letter(const CodeMeaning& meaning) {
  if (meaning.zero) return '.';
  return static_cast<char>((meaning.minus ? 'a' : 'A') + static_cast<int>(meaning.parameter % 26));
}

std::string letters(const Cells& cells, bool spaced) {
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
std::string coloured_squares(const Cells& cells) {
  std::string out;
  const auto add = [&](const CodeMeaning& meaning) {
    if (meaning.zero)
      out += "\x1b[0m\x1b[2m·\x1b[0m ";
    else
      out += fmt::format("\x1b[48;5;{}m\x1b[38;5;16m{}", cube_colour(meaning.parameter),
                         meaning.minus ? "− " : "  ");
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
std::string half_blocks(const Cells& cells) {
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

// As many entries as fit two lines.
std::string legend_lines(const TableHeader& header, unsigned width, bool colour) {
  const Legend legend = legend_of(header, 64);
  std::string out;
  unsigned column = 0, line = 0;
  std::size_t shown_entries = 0;
  for (const LegendEntry& entry : legend.entries) {
    const std::uint64_t parameter = entry.weight ? entry.parameter : header.params + entry.parameter;
    const bool zero = entry.symbol == "0";
    const std::string name = zero     ? (colour ? "·" : ".")
                             : colour ? "  "
                                      : std::string(1, letter({false, false, parameter}));
    // One column less than bytes for each of the two-byte letters.
    const std::string symbol = zero ? "zero" : entry.symbol;
    const auto taken =
        static_cast<unsigned>((colour && !zero ? 2 : 1) + 1 + symbol.size() - (entry.weight ? 1 : 0) + 2 +
                              std::to_string(entry.count).size() + 2);
    if (column + taken > width) {
      if (++line == 2) break;
      out += '\n';
      column = 0;
    }
    column += taken;
    out += colour && !zero ? fmt::format("\x1b[48;5;{}m{}\x1b[0m", cube_colour(parameter), name) : name;
    out += fmt::format(" {} ×{}  ", symbol, entry.count);
    ++shown_entries;
  }
  out += '\n';
  const std::uint64_t left = legend.left_out + legend.entries.size() - shown_entries;
  if (left != 0) out += fmt::format("and {} more\n", left);
  return out;
}

}  // namespace

std::string terminal_picture(const TableHeader& header, const CodeRows& rows, unsigned width, bool colour) {
  require_shape(header, rows);
  width = std::clamp(width, least_width, 4096U);
  const std::uint64_t room = width - 4;  // the bias and what separates it
  const bool wide = header.cols <= room / 2;
  // Letters are twice as high as wide: a narrow cell that is sampled shows twice as many columns as rows.
  const std::uint64_t most_cols = wide ? header.cols : room;
  std::uint64_t most_rows = width;
  if (header.cols > most_cols || header.rows > most_rows) {
    const auto cols = static_cast<double>(std::min(header.cols, most_cols));
    const double share = cols / static_cast<double>(header.cols) * static_cast<double>(header.rows);
    const double lines = wide || colour ? share : share / 2;
    most_rows = static_cast<std::uint64_t>(std::clamp(lines, 1.0, static_cast<double>(width)));
  }
  const Cells cells = sample(header, rows, most_rows, most_cols);
  std::string out = !colour ? letters(cells, wide) : wide ? coloured_squares(cells) : half_blocks(cells);
  out += legend_lines(header, width, colour);
  if (!colour && header.params + header.bias_params > 26) out += "letters begin again after Z\n";
  bool negative = false;
  for (const auto& line : cells.weight)
    for (const CodeMeaning& meaning : line) negative |= meaning.minus;
  for (const CodeMeaning& meaning : cells.bias) negative |= meaning.minus;
  if (negative) out += !colour ? "lower case: minus\n" : wide ? "−: minus\n" : "darker: minus\n";
  if (cells.rows < header.rows || cells.cols < header.cols)
    out += fmt::format("sampled: {} of {} rows, {} of {} columns\n", cells.rows, header.rows, cells.cols,
                       header.cols);
  return out;
}

}  // namespace intertwine
