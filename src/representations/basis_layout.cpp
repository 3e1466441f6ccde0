// The layout of the basis of a representation.
#include "intertwine/representations/basis_layout.hpp"

#include <fmt/format.h>

#include "intertwine/error.hpp"
#include "representations/expressions/node.hpp"

namespace intertwine {

std::vector<std::uint64_t> axes_of_product(const std::vector<Representation>& factors) {
  std::vector<std::uint64_t> axes;
  for (const Representation& V : factors)
    for (const std::uint64_t length : V.node().axes())
      if (length != 1) axes.push_back(length);  // a line adds no axis
  if (axes.empty()) axes.push_back(1);
  return axes;
}

std::vector<BasisBlock> basis_layout(const Representation& V) {
  constexpr std::uint64_t most = 65536;
  std::uint64_t count = 0;
  for (const auto& [multiplicity, part] : V.summands()) {
    if (multiplicity > most - count)
      throw LimitError(fmt::format("basis_layout: {} has more than {} summands", V.to_string(), most));
    count += multiplicity;
  }
  std::vector<RepresentationNode::PlacedSummand> places;
  V.node().append_places(0, places);
  std::vector<BasisBlock> blocks;
  for (const auto& [offset, part] : places)
    if (part.dimension() != 0) blocks.push_back({offset, part, part.node().axes()});
  return blocks;
}

}  // namespace intertwine
