// Lists the elements of one conjugacy class.
#include "intertwine/groups/element_lists.hpp"

#include <algorithm>

#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

FlatIndex<Point> class_elements(const FiniteGroup& G, const Permutation& g, const Task& task) {
  const std::size_t n = g.degree();
  FlatIndex<Point> list(n);
  list.insert(g.images());
  std::vector<Point> images(n);
  for (std::size_t at = 0; at < list.size(); ++at) {
    task.poll();
    // Arrays grow to twice their size, and the old one is there until its contents are in the new one.
    task.require_memory(3 * list.bytes(), "the elements of a conjugacy class");
    for (const Permutation& s : G.generators()) {
      const std::span<const Point> y = list[at];
      for (std::size_t i = 0; i < n; ++i) images[s(static_cast<Point>(i))] = s(y[i]);  // s y s^-1
      list.insert(images);
    }
  }
  return list;
}

bool elements_can_be_listed(const FiniteGroup& G, const Task& task) {
  constexpr unsigned listable_order = 5'000'000;
  const Integer& order = G.order(task);
  return order <= listable_order &&
         order * G.degree() <= Integer(std::min<std::uint64_t>(task.memory() / 4, 1ULL << 30));
}

}  // namespace intertwine
