// Decides whether the name that a file gives its group stands for it.
#include "named_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/groups/identification.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/io/group_expression.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

FiniteGroup named_group(FiniteGroup G, std::string_view key, const std::string& name, std::vector<std::string>& claims,
                        const Task& task) {
  const auto claim = [&](const std::string& why) {
    claims.push_back(fmt::format("{} \"{}\": {}", key, shown(name), why));
    return G;
  };
  if (name == G.name()) return G;
  if (name.find('@') != std::string::npos) return claim("it refers to a file");
  std::optional<FiniteGroup> named;
  Integer stated;
  try {
    named = parse_finite_group(name, task);
    if (permute_alike(*named, G)) return *named;
    stated = named->chain(task).order();
  } catch (const ParseError&) {
    return claim("no name that this program knows");
  } catch (const DomainError&) {
    return claim("no group that this program knows");
  } catch (const LimitError&) {
    task.poll();  // where the time is over, that is no claim
    return claim("too large to be compared");
  }
  const Integer& found = G.chain(task).order();
  if (stated != found)
    throw VerificationError(
        fmt::format("the file calls its group {}, which has order {}, but its generators generate one of order {}",
                    shown(name), stated.str(), found.str()));
  const auto& generators = named->generators();
  if (named->degree() == G.degree() &&
      std::all_of(generators.begin(), generators.end(), [&](const Permutation& g) { return G.contains(g); }))
    return G;
  std::optional<bool> isomorphic;
  try {
    isomorphic = are_isomorphic(*named, G, task);
  } catch (const LimitError&) {
    task.poll();
    return claim("too large to be compared");
  }
  if (!isomorphic)
    return claim("this program has other generators for it, of a group of the same order that it cannot tell from it");
  if (!*isomorphic)
    throw VerificationError(
        fmt::format("the file calls its group {}, but its generators generate another group of the same order, {}",
                    shown(name), stated.str()));
  return claim("this program has other generators for it, of an isomorphic group");
}

}  // namespace intertwine
