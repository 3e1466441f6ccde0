// Groups as expressions that parse_finite_group reads back.
#include <fmt/format.h>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/io/group_expression.hpp"

namespace intertwine {

std::string explicit_group_expression(std::size_t degree, std::span<const Permutation> generators) {
  if (degree == 0) throw DomainError("explicit_group_expression: a group must act on at least one point");
  bool last_moves = false;
  for (const Permutation& g : generators) last_moves = last_moves || g(static_cast<Point>(degree - 1)) != degree - 1;
  const std::string raise = last_moves ? "" : fmt::format("({})", degree);
  std::string text = "<";
  for (const Permutation& g : generators) {
    if (text.size() > 1) text += ',';
    const std::string cycles = g.to_string();
    const bool first = text.size() == 1;
    text += first && !raise.empty() ? (g.is_identity() ? "" : cycles) + raise : cycles;
  }
  return text + (generators.empty() ? raise : "") + ">";
}

std::string group_expression(const FiniteGroup& G) {
  if (is_made_of_matrices(G) || G.name().find('@') != std::string::npos) return {};
  try {
    return parse_finite_group(G.name()) == G ? G.name() : std::string();
  } catch (const Error&) {
    return {};  // a name that is no expression
  }
}

}  // namespace intertwine
