// Writes weights of representations of reductive groups.
#include "intertwine/io/records.hpp"
#include "intertwine/reductive/lie_weights.hpp"

#include <fmt/format.h>

#include "io/answers/json_values.hpp"
#include "io/answers/record_parts.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

OrderedJson fields_of(const LieWeights& d) {
  OrderedJson list = OrderedJson::array();
  for (const WeightTerm& term : d.weights)
    list.push_back({{"weight", term.weight},
                    {"multiplicity", to_string(term.coefficient)},
                    {"orbit", to_string(d.weights.type().orbit_size(term.weight))}});
  return OrderedJson{{"group", d.group.name()},
                     {"type", d.group.type().name()},
                     {"rep", d.rep},
                     {"dimension", to_string(d.weights.dimension())},
                     {"weights", std::move(list)}};
}

std::string text_of(const LieWeights& d) {
  Cells rows{{"weight", "multiplicity", "orbit"}};
  for (const WeightTerm& term : d.weights)
    rows.push_back(
        {to_string(term.weight), to_string(term.coefficient), to_string(d.weights.type().orbit_size(term.weight))});
  return fmt::format("{} of {}: dimension {}, {} different weights\n", d.rep, d.group.name(),
                     to_string(d.weights.dimension()), to_string(d.weights.number_of_weights())) +
         (rows.size() == 1 ? "" : aligned(rows));
}

Sheet sheet_of(const LieWeights& d) {
  Sheet sheet{"weights of " + d.rep + " of " + d.group.name(), {"weight", "multiplicity", "orbit"}, {}, "lrr"};
  for (const WeightTerm& term : d.weights)
    sheet.rows.push_back(
        {to_string(term.weight), term.coefficient.str(), d.weights.type().orbit_size(term.weight).str()});
  return sheet;
}

}  // namespace

Record record(Kept<LieWeights> d) {
  return {.fields = at_once([=](const Task&) { return fields_of(*d); }),
          .text = [=](unsigned, const Task&) { return text_of(*d); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*d)}; }};
}

}  // namespace intertwine
