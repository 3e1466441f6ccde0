// The characters of G/G' modulo p.
#include <map>

#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "table_data.hpp"

namespace intertwine {

namespace {

/// Left cosets of a subgroup, by the element of g N whose base images are least.
class Cosets {
 public:
  explicit Cosets(const StabilizerChain& chain) : chain_(chain) {}
  Permutation canonical(Permutation g) const {
    for (std::size_t l = 0; l < chain_.length(); ++l) {
      Point best = chain_.orbit(l)[0];
      for (const Point x : chain_.orbit(l))
        if (g(x) < g(best)) best = x;
      if (best != chain_.base_point(l)) g = g * chain_.transversal(l, best);
    }
    return g;
  }

 private:
  const StabilizerChain& chain_;
};

}  // namespace

/// Generator by generator, as for abelian groups: if g^m is the first power of g in the group H of the generators before,
/// a character of H extends to <H, g> in m ways, by the m-th roots of its value on g^m.
ModularTable linear_characters(const ModularCharacters& space, const Task& task) {
  const FiniteGroup& G = space.classes.group();
  const FiniteGroup derived = derived_subgroup(G, task);
  const Cosets cosets(derived.chain(task));
  const std::uint64_t e = space.powers.exponent;
  std::vector<Permutation> elements{cosets.canonical(Permutation::identity(G.degree()))};
  std::map<Permutation, std::size_t> place{{elements[0], 0}};
  std::vector<std::vector<std::uint64_t>> characters{{0}};  // exponents of a root of unity of order e
  for (const Permutation& g : G.generators()) {
    task.poll();
    const std::size_t before = elements.size();
    std::size_t m = 1;
    Permutation x = cosets.canonical(g);
    for (; !place.contains(x) || place.at(x) >= before; x = cosets.canonical(x * g), ++m)
      for (std::size_t i = 0; i < before; ++i) {
        elements.push_back(cosets.canonical(x * elements[i]));
        place.emplace(elements.back(), elements.size() - 1);
      }
    const std::size_t closing = place.at(x);
    std::vector<std::vector<std::uint64_t>> next;
    for (const auto& chi : characters)
      for (std::size_t root = 0; root < m; ++root) {
        const std::uint64_t s = chi[closing] / m + root * (e / m);
        next.emplace_back();
        for (std::size_t k = 0; k < m; ++k)
          for (std::size_t i = 0; i < before; ++i) next.back().push_back((chi[i] + k * s) % e);
      }
    characters = std::move(next);
  }
  std::vector<std::size_t> coset;
  for (std::size_t c = 0; c < space.size(); ++c)
    coset.push_back(place.at(cosets.canonical(space.classes[c].representative)));
  ModularTable result;
  for (const auto& chi : characters) {
    result.emplace_back();
    for (const std::size_t i : coset) result.back().push_back(space.zeta[chi[i]]);
  }
  return result;
}

}  // namespace intertwine
