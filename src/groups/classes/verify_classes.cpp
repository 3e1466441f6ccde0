// The proof that a list of conjugacy classes is complete and right, from the list alone.
#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

namespace {

[[noreturn]] void fail(std::size_t k, const std::string& what) {
  throw VerificationError(fmt::format("verify: class {} {}", k, what));
}

/// |C_G(g)|. Elements of the centre are seen without a search.
Integer centralizer_order(const FiniteGroup& G, const Permutation& g, const Task& task) {
  bool central = true;
  for (const Permutation& s : G.generators()) central = central && s * g == g * s;
  return central ? G.order() : centralizer(G, g, task).order();
}

}  // namespace

void verify(const FiniteGroup& G, std::span<const ConjugacyClass> classes, const Task& task) {
  const Integer& order = G.chain(task).order();
  std::map<std::vector<Point>, std::vector<std::size_t>> by_cycles;
  Integer sum = 0;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    task.progress("verifying conjugacy classes", k, classes.size());
    const ConjugacyClass& c = classes[k];
    const Permutation& g = c.representative;
    if (g.degree() != G.degree() || !G.contains(g)) fail(k, "has a representative outside the group");
    if (g.is_identity() != (k == 0)) fail(k, k == 0 ? "is not that of the identity" : "is the identity again");
    if (g.order() != c.element_order) fail(k, "does not have the stated element order");
    if (c.size * c.centralizer_order != order)
      fail(k, "has a size and a centralizer order whose product is not the order of the group");
    if (centralizer_order(G, g, task) != c.centralizer_order) fail(k, "does not have the stated centralizer order");
    std::vector<std::size_t>& alike = by_cycles[g.cycle_type()];
    for (const std::size_t j : alike)
      if (classes[j].size == c.size && conjugating_element(G, classes[j].representative, g, task))
        fail(k, fmt::format("is class {} again", j));
    alike.push_back(k);
    sum += c.size;
  }
  if (sum != order)
    throw VerificationError(fmt::format("verify: the sizes of the {} classes add up to {}, not to the order {}",
                                        classes.size(), sum.str(), order.str()));
}

void verify(const ConjugacyClasses& classes, const Task& task) {
  std::vector<ConjugacyClass> list;
  for (std::size_t k = 0; k < classes.size(); ++k) list.push_back(classes[k]);
  verify(classes.group(), list, task);
  for (std::size_t k = 0; k < list.size(); ++k)
    if (classes.index_of(list[k].representative, task) != k) fail(k, "is not the class of its representative");
}

}  // namespace intertwine
