// Colours, legend and sampling that the pictures of a table share.
#pragma once
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "intertwine/tables/weight_block.hpp"

namespace intertwine {

struct Rgb {
  std::uint8_t red = 255, green = 255, blue = 255;
  auto operator<=>(const Rgb&) const = default;
};

inline constexpr Rgb white{255, 255, 255};

/// "#rrggbb".
std::string hex_colour(Rgb colour);

/// The colour of parameter k. The first 36 are told apart by people with any of the usual forms of colour blindness, the
/// earlier the better; the others have hues a golden angle apart, so that they are spread for every number of them, with
/// lightness in turn, in a space (OKLCH [Ottosson 2020]) where equal steps look equal.
Rgb parameter_colour(std::uint64_t k);
/// Parameters k and k + distinct_colours have the same colour: nobody tells more apart.
inline constexpr unsigned distinct_colours = 1020;
/// The colour of ordered things, from dark to light and from violet over blue and green to yellow, which all eyes see
/// in this order: number `level` of `levels`; at one level are `places` neighbouring shades.
Rgb distance_colour(std::uint64_t level, std::uint64_t levels, std::uint64_t place, std::uint64_t places);
/// The colour of an entry to which several parameters contribute.
constexpr Rgb several_colour() { return {139, 139, 147}; }
/// The colour, darker: for negative entries too small for a sign.
Rgb darker(Rgb colour);
/// Black or white, whichever is seen on `colour`.
Rgb contrast(Rgb colour);

/// The meaning of a code of `params` parameters.
struct CodeMeaning {
  bool zero = true;
  bool minus = false;
  std::uint64_t parameter = 0;
};
CodeMeaning meaning_of(std::int32_t code, std::uint64_t params);

struct LegendEntry {
  Rgb colour;
  std::string symbol;  ///< "0", "θ3", "b1"
  std::uint64_t count = 0;
  std::uint64_t parameter = 0;  ///< the parameter of weights, for pictures that name them differently
  bool weight = false;
};

/// Zero (if it occurs), sums of parameters (likewise), the weights, the bias; at most `limit` of them. `left_out` is the number of those
/// that did not fit.
struct PictureLegend {
  std::vector<LegendEntry> entries;
  std::uint64_t left_out = 0;
};
class EntryRows;
struct ParameterColours;
PictureLegend legend_of(const WeightBlock& table, const EntryRows& weights, const ParameterColours& colours,
                        std::size_t limit);
/// The number of entries that a legend on paper lists.
inline constexpr std::size_t max_legend = 40;

/// "θ3 × 48".
std::string label_of(const LegendEntry& entry);

/// The index in the middle of cell k when `size` indices are divided into `cells`.
std::uint64_t cell_centre(std::uint64_t k, std::uint64_t cells, std::uint64_t size);

/// One row of codes, checked: \throws DomainError for a code out of range.
void read_row(const WeightPattern& pattern, std::uint64_t i, std::vector<std::int32_t>& out);
/// CodeRows::for_rows, checked likewise; the sink gets k for row wanted[k].
void read_rows(const WeightPattern& pattern, std::span<const std::uint64_t> wanted, const CodeSink& sink,
               const Task& task);
/// The code of the bias at row i, checked likewise.
std::int32_t bias_code_at(const WeightBlock& table, std::uint64_t i);

}  // namespace intertwine
