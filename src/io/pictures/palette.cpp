// The colours of parameters.
#include "io/pictures/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "intertwine/error.hpp"
#include "io/pictures/entry_rows.hpp"
#include "io/pictures/parameter_colours.hpp"

namespace intertwine {
namespace {

// OKLab to linear sRGB, then its transfer curve; negative when the colour is outside of sRGB.
struct Linear {
  double red, green, blue;
  bool shown() const { return std::min({red, green, blue}) >= 0 && std::max({red, green, blue}) <= 1; }
};

Linear from_oklab(double lightness, double a, double b) {
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

std::uint8_t encoded(double linear) {
  const double value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255));
}

// The first colours, for people who see few of them too. Each was taken from a grid in OKLCH as the farthest, in OKLab, from
// those before it, from white and from the dark ground of pages, in the least of four ways to see: as it is and as protanopes,
// deuteranopes and tritanopes see it [MachadoOliveiraFernandes2009]; the more chroma, the better.
constexpr std::uint32_t first_colours[] = {
    0x2f7dd1, 0xf87f02, 0x904701, 0x5dcdfa, 0x113aa6, 0xfbd509, 0xa17a81, 0x601268, 0x9fb291,
    0xb0eb9c, 0x70558c, 0x609efa, 0xd45003, 0x3e55c8, 0xf79dcb, 0xcd81bb, 0x800902, 0xb72859,
    0x38f7db, 0xb950b2, 0xc7c43f, 0x72aa5f, 0x51850e, 0x264532, 0x792d80, 0x97d083, 0x920864,
    0x8a75f1, 0x4f0e8a, 0x995f83, 0x7f8e4e, 0x93adfe, 0x366536, 0x923daa, 0x9d89db, 0x50c054};

Rgb from_hex(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8), static_cast<std::uint8_t>(hex)};
}

// The most chroma up to this that the screen shows at a lightness and a hue, in turns.
Rgb shown_colour(double lightness, double turns, double most_chroma) {
  const double angle = 2 * std::numbers::pi * turns;
  for (double chroma = most_chroma;; chroma -= 0.005) {
    const Linear colour = from_oklab(lightness, chroma * std::cos(angle), chroma * std::sin(angle));
    if (colour.shown() || chroma < 0.01) return {encoded(colour.red), encoded(colour.green), encoded(colour.blue)};
  }
}

Rgb spread_colour(unsigned k) {
  // Hues come close again after 8, 13, 21, 34, 55 and 89 colours; none of these is a multiple of six.
  constexpr double steps[] = {0.66, 0.72, 0.62, 0.50, 0.86, 0.78};
  const double turns = std::fmod(255.0 / 360 + k * 0.3819660112501051, 1.0);
  return shown_colour(steps[k % std::size(steps)], turns, 0.17);  // a limit that keeps colours even
}

void require_codes(const WeightPattern& pattern, std::uint64_t i, std::span<const std::int32_t> codes) {
  for (const std::int32_t code : codes)
    if (code < 0 || static_cast<std::uint64_t>(code) > 2 * pattern.params)
      throw DomainError(fmt::format("a picture: row {} has the code {}, outside 0..{}", i, code, 2 * pattern.params));
}

}  // namespace

std::string hex_colour(Rgb colour) { return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue); }

Rgb parameter_colour(std::uint64_t k) {
  static const std::vector<Rgb> colours = [] {
    std::vector<Rgb> out;
    for (const std::uint32_t hex : first_colours) out.push_back(from_hex(hex));
    for (auto each = static_cast<unsigned>(out.size()); each < distinct_colours; ++each)
      out.push_back(spread_colour(each));
    return out;
  }();
  return colours[k % distinct_colours];
}

Rgb distance_colour(std::uint64_t level, std::uint64_t levels, std::uint64_t place, std::uint64_t places) {
  const auto share = [](std::uint64_t k, std::uint64_t of) {
    return of < 2 ? 0.5 : static_cast<double>(k) / static_cast<double>(of - 1);
  };
  // Shades of one level differ in hue; a little less light goes with it, which keeps them in their level for every eye.
  const double aside = share(place, places) - 0.5,
               step = 1 / static_cast<double>(std::max<std::uint64_t>(levels, 2) - 1);
  const double at = std::clamp(share(level, levels) - 0.2 * aside * step, 0.0, 1.0);
  return shown_colour(0.32 + 0.60 * at, (295 - 190 * at + 30 * aside) / 360, 0.15);
}

Rgb darker(Rgb colour) {
  const auto scaled = [](std::uint8_t channel) { return static_cast<std::uint8_t>(channel * 55 / 100); };
  return {scaled(colour.red), scaled(colour.green), scaled(colour.blue)};
}

Rgb contrast(Rgb colour) {
  const int luma = 299 * colour.red + 587 * colour.green + 114 * colour.blue;
  return luma > 150'000 ? Rgb{0, 0, 0} : white;
}

CodeMeaning meaning_of(std::int32_t code, std::uint64_t params) {
  if (code <= 0) return {};
  const std::uint64_t index = static_cast<std::uint64_t>(code) - 1;
  return {false, index >= params, index >= params ? index - params : index};
}

PictureLegend legend_of(const WeightBlock& table, const EntryRows& entries, const ParameterColours& colours,
                        std::size_t limit) {
  const WeightPattern &weights = table.weights, &bias = table.bias;
  PictureLegend out;
  // The bias has a part of the room, however many weights there are.
  std::uint64_t room = limit - std::min<std::uint64_t>(bias.params, limit / 4);
  const auto add = [&](LegendEntry entry) {
    if (out.entries.size() < room)
      out.entries.push_back(std::move(entry));
    else
      ++out.left_out;
  };
  const auto count = [](const WeightPattern& pattern, std::uint64_t k) {
    return static_cast<std::uint64_t>(pattern.is_tied() ? pattern.tied().orbit_size[k]
                                                        : pattern.sparse().start[k + 1] - pattern.sparse().start[k]);
  };
  if (entries.zeros() > 0) add({white, "0", entries.zeros(), 0, false});
  if (entries.sums() > 0) add({several_colour(), "sums", entries.sums(), 0, false});
  for (std::uint64_t n = 0; n < weights.params; ++n) {
    const std::uint64_t k = colours.order.empty() ? n : colours.order[n];
    add({colours(k), fmt::format("θ{}", k), count(weights, k), k, true});
  }
  room = limit;
  for (std::uint64_t k = 0; k < bias.params; ++k)
    add({colours(weights.params + k), fmt::format("b{}", k), count(bias, k), k, false});
  return out;
}

std::string label_of(const LegendEntry& entry) { return fmt::format("{} × {}", entry.symbol, entry.count); }

std::uint64_t cell_centre(std::uint64_t k, std::uint64_t cells, std::uint64_t size) {
  if (cells == size) return k;
  // floor((2k + 1) size / (2 cells)), in parts so that nothing overflows; cells stay below 2^31.
  const std::uint64_t twice = 2 * cells;
  return (2 * k + 1) * (size / twice) + (2 * k + 1) * (size % twice) / twice;
}

void read_row(const WeightPattern& pattern, std::uint64_t i, std::vector<std::int32_t>& out) {
  out.resize(pattern.cols);
  pattern.tied().codes->row(i, out);
  require_codes(pattern, i, out);
}

void read_rows(const WeightPattern& pattern, std::span<const std::uint64_t> wanted, const CodeSink& sink,
               const Task& task) {
  pattern.tied().codes->for_rows(
      wanted,
      [&](std::uint64_t i, std::span<const std::int32_t> codes) {
        require_codes(pattern, i, codes);
        sink(static_cast<std::uint64_t>(std::lower_bound(wanted.begin(), wanted.end(), i) - wanted.begin()), codes);
      },
      task);
}

std::int32_t bias_code_at(const WeightBlock& table, std::uint64_t i) {
  std::vector<std::int32_t> code;
  read_row(table.bias, i, code);
  return code[0];
}

}  // namespace intertwine
