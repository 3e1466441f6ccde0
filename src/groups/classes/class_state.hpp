// The ways classes are found and identified.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/group_form.hpp"

namespace intertwine {

/// Classes in the order in which they were found (the first one is the identity), and what identifies them.
struct ConjugacyClasses::State {
  explicit State(FiniteGroup G) : group(std::move(G)) {}
  virtual ~State() = default;
  virtual std::uint32_t identify(const Permutation& g, const Task& task) const = 0;
  virtual std::size_t number_told_by_search() const { return 0; }

  FiniteGroup group;
  std::vector<ConjugacyClass> classes;
  mutable bool is_without_form = false;  ///< group_form() has nothing; set before anybody else knows the state
};

using ClassState = std::shared_ptr<const ConjugacyClasses::State>;

/// Sym(n) and Alt(n), n >= 3, on all their points.
ClassState classes_of_symmetric_group(const FiniteGroup& G, const Task& task);
ClassState classes_of_alternating_group(const FiniteGroup& G, const Task& task);
/// x in Sym(n), or if `even` in Alt(n), with x g x^{-1} = h, from the cycles alone; nothing if there is none. O(n log n).
std::optional<Permutation> conjugator_by_cycles(const Permutation& g, const Permutation& h, bool even);
ClassState classes_of_direct_product(const FiniteGroup& G, const ProductForm& form, const Task& task);
ClassState classes_of_wreath_product(const FiniteGroup& G, const WreathForm& form, const Task& task);
ClassState classes_of_even_signed_permutations(const FiniteGroup& G, const Task& task);
ClassState classes_of_dihedral_group(const FiniteGroup& G, const DihedralForm& form, const Task& task);
ClassState classes_of_linear_group(const FiniteGroup& G, const LinearForm& form, const Task& task);
ClassState classes_of_linear_group(const FiniteGroup& G, const SuzukiForm& form, const Task& task);
ClassState classes_by_model(const FiniteGroup& G, const Task& task);
/// \throws LimitError if a formula gives more classes than are ever listed.
void require_few_classes(const FiniteGroup& G, const Task& task);
/// Orbits on the elements, which are numbered by the chain.
ClassState classes_by_orbits(const FiniteGroup& G, const Task& task);
/// Layer by layer, in solvable groups; nothing for others, and for layers of more than 2^24 elements.
/// `found` receives the classes known when a limit stops the work, if that is asked for.
ClassState classes_by_lifting(const FiniteGroup& G, const Task& task, std::vector<ConjugacyClass>* found = nullptr);
/// Random elements with invariants and searches; nothing if more than `limit` classes turn up.
/// `found` receives the classes known when a limit stops the search, if that is asked for.
ClassState classes_by_random_search(const FiniteGroup& G, std::size_t limit, const Task& task,
                                    std::vector<ConjugacyClass>* found = nullptr);

}  // namespace intertwine
