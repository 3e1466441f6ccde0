// Which colours the parameters of a table have in its pictures, and in which order legends name them.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "intertwine/io/verify_table.hpp"
#include "palette.hpp"

namespace intertwine {

struct ParameterColours {
  /// The colours of the weights, then of the bias, from the beginning again where they end.
  std::vector<Rgb> colours;
  std::vector<std::uint64_t> order;  ///< the order of the weights in a legend; by number where it is empty
  std::string_view meaning = {};     ///< a sentence for people, where colours have one

  Rgb operator()(std::uint64_t n) const { return colours[n % colours.size()]; }
};

/// Parameters that only differ, by number.
ParameterColours plain_colours(const WeightBlock& table);

/// Colours of translations on a torus, or of a kernel, go from dark to light with the distance of the sites that a
/// parameter stands for, and so does the order: parameters at one distance are neighbours. Otherwise they only differ.
///
/// A torus is seen in the table itself: rows and columns lie on arrays with the same first axes, translations along these take
/// codes to codes, and each parameter has one distance, of at least three, in squares or in hexagons.
/// \throws DomainError for a code out of range; LimitError through `task`
ParameterColours parameter_colours(const WeightBlock& table, const std::optional<TableClaim>& source, const Task& task);

}  // namespace intertwine
