// Random elements that generate a subgroup of known order.
#include "intertwine/groups/random_words.hpp"

#include "chain_builder.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

std::vector<Permutation> proved_generators(std::size_t degree, const Integer& order,
                                           const std::function<Permutation()>& random_element, Rng& rng,
                                           const Task& task) {
  std::vector<Permutation> generators;
  if (order > 1'000'000'000) {  // perhaps nearly a symmetric group, whose chain would be long
    for (int k = 0; k < 6; ++k) generators.push_back(random_element());
    if (order_with_giant_orbit(degree, generators, rng) == order) return generators;
    generators.clear();
  }
  ChainBuilder<Point> chain(degree, {}, {}, task);
  while (chain.order() < order) {
    Permutation h = random_element();
    if (chain.insert({h.images().begin(), h.images().end()})) generators.push_back(std::move(h));
  }
  if (chain.order() != order)
    throw InternalError("proved_generators: the elements generate a larger subgroup than they should");
  return generators;
}

}  // namespace intertwine
