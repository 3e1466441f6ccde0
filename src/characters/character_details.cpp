// Finds kernels, centres, determinants and conjugates of characters, and the characters of a subgroup.
#include "intertwine/characters/character_details.hpp"

#include <map>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/exact/abelian_field.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

std::vector<CharacterDetails> character_details(const CharacterTable& table, const Task& task) {
  const auto families = galois_families(table, task);
  std::map<std::vector<Cyclotomic>, std::size_t> linear;
  for (std::size_t i = 0; i < table.size() && table.degree(i) == 1; ++i) linear.emplace(table.row(i), i);
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
                       linear.at(determinant(chi, task).values()),
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
