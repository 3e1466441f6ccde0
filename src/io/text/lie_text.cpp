// Writes weights of representations of reductive groups.
#include "intertwine/io/lie_text.hpp"

#include <fmt/format.h>

#include "io/containers/text.hpp"
#include "io/text/json_values.hpp"

namespace intertwine {

std::string to_json(const LieWeights& d) {
  OrderedJson list = OrderedJson::array();
  for (const WeightTerm& term : d.weights)
    list.push_back({{"weight", term.weight},
                    {"multiplicity", to_string(term.coefficient)},
                    {"orbit", to_string(d.weights.type().orbit_size(term.weight))}});
  return json_text(OrderedJson{{"group", d.group.name()},
                               {"type", d.group.type().name()},
                               {"rep", d.rep},
                               {"dimension", to_string(d.weights.dimension())},
                               {"weights", std::move(list)}});
}

std::string to_text(const LieWeights& d, unsigned) {
  Cells rows{{"weight", "multiplicity", "orbit"}};
  for (const WeightTerm& term : d.weights)
    rows.push_back({to_string(term.weight), to_string(term.coefficient),
                    to_string(d.weights.type().orbit_size(term.weight))});
  return fmt::format("{} of {}: dimension {}, {} different weights\n", d.rep, d.group.name(),
                     to_string(d.weights.dimension()), to_string(d.weights.number_of_weights())) +
         (rows.size() == 1 ? "" : aligned(rows));
}

}  // namespace intertwine
