// Finds kernels, centres, determinants and conjugates of characters, and the characters of a subgroup.
#include "intertwine/characters/character_details.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "determinant_values.hpp"
#include "intertwine/characters/class_function.hpp"
#include "intertwine/exact/abelian_field.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

namespace {

/// Classes whose values tell the linear characters apart, those of elements of small order first.
std::vector<std::size_t> telling_classes(const CharacterTable& table) {
  std::size_t linear = 0;
  while (linear < table.size() && table.degree(linear) == 1) ++linear;
  std::vector<std::size_t> by_order(table.size()), found, kind(linear, 0);
  std::iota(by_order.begin(), by_order.end(), std::size_t{0});
  std::stable_sort(by_order.begin(), by_order.end(), [&](std::size_t a, std::size_t b) {
    return table.classes()[a].element_order < table.classes()[b].element_order;
  });
  std::size_t kinds = 1;
  for (const std::size_t c : by_order) {
    if (kinds == linear) break;
    std::map<std::pair<std::size_t, Cyclotomic>, std::size_t> finer;
    for (std::size_t i = 0; i < linear; ++i) finer.try_emplace({kind[i], table(i, c)}, finer.size());
    if (finer.size() == kinds) continue;
    for (std::size_t i = 0; i < linear; ++i) kind[i] = finer.at({kind[i], table(i, c)});
    kinds = finer.size();
    found.push_back(c);
  }
  return found;
}

}  // namespace

std::vector<CharacterDetails> character_details(const CharacterTable& table, const Task& task) {
  const auto families = galois_families(table, task);
  // The determinant is a linear character, and some of its values say which.
  const std::vector<std::size_t> telling = telling_classes(table);
  std::map<std::vector<Cyclotomic>, std::size_t> linear;
  for (std::size_t i = 0; i < table.size() && table.degree(i) == 1; ++i)
    linear.emplace(determinant_values(ClassFunction::irreducible(table, i), telling, task), i);
  const auto size_of = [&](const std::vector<std::uint32_t>& classes) {
    Integer sum = 0;
    for (const std::uint32_t c : classes) sum += table.classes()[c].size;
    return sum;
  };
  const std::vector<SchurIndex> indices = schur_indices(table, task);
  std::vector<CharacterDetails> result;
  for (std::size_t i = 0; i < table.size(); ++i) {
    task.progress("determinants", i, table.size());
    const auto chi = ClassFunction::irreducible(table, i);
    CharacterDetails d{AbelianField::generated_by(chi.values()).to_string(),
                       kernel_classes(chi),
                       centre_classes(chi),
                       0,
                       0,
                       linear.at(determinant_values(chi, telling, task)),
                       {},
                       indices[i]};
    d.kernel_order = size_of(d.kernel);
    d.centre_order = size_of(d.centre);
    for (std::size_t j = 0; j < table.size(); ++j)
      if (families[j] == families[i]) d.family.push_back(j);
    result.push_back(std::move(d));
  }
  return result;
}

SubgroupCharacters subgroup_characters(const CharacterTable& G, const FiniteGroup& H, const Task& task) {
  require_subgroup(H, G.group(), task);  // before the work
  CharacterTable table = character_table(H, task);
  auto into = fusion(table, G, task);
  auto restricted = restriction_multiplicities(G, table, task);
  return {std::move(table), std::move(into), std::move(restricted)};
}

}  // namespace intertwine
