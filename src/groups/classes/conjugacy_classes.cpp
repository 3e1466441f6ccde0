#include "intertwine/groups/conjugacy_classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "class_elements.hpp"
#include "class_state.hpp"
#include "conjugacy_search.hpp"
#include "groups/chain/colour_ranks.hpp"
#include "groups/chain/giant.hpp"
#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

namespace {

/// What orders and sizes of classes tell of powers.
class KnownPowers {
 public:
  explicit KnownPowers(std::span<const ConjugacyClass> classes) : alone_(classes.size(), 0) {
    const auto key = [&](std::uint32_t c) { return std::tie(classes[c].element_order, classes[c].size); };
    std::vector<std::uint32_t> sorted(classes.size());
    std::iota(sorted.begin(), sorted.end(), 0U);
    std::sort(sorted.begin(), sorted.end(),
              [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const std::uint32_t c = sorted[i];
      const std::uint64_t order = classes[c].element_order;
      if (!only_.empty() && only_.back().first == order)
        only_.back().second = several;
      else
        only_.emplace_back(order, c);
      alone_[c] = (i == 0 || key(sorted[i - 1]) != key(c)) &&
                  (i + 1 == sorted.size() || key(sorted[i + 1]) != key(c));
    }
  }

  /// The class of the r-th power of class c, whose elements have this order, 0 <= r < order, if nothing else has its order
  /// or, where the centralizer stays, its order and size.
  std::optional<std::uint32_t> operator()(std::uint32_t c, std::uint64_t order, std::uint64_t r) const {
    const std::uint64_t divisor = std::gcd(r, order);
    if (divisor == 1 && (alone_[c] != 0 || r == 1 % order)) return c;
    const auto at =
        std::ranges::lower_bound(only_, order / divisor, {}, &std::pair<std::uint64_t, std::uint32_t>::first);
    if (at == only_.end() || at->first != order / divisor)
      throw InternalError("conjugacy classes: none has the order of a power");
    if (at->second == several) return std::nullopt;
    return at->second;
  }

 private:
  static constexpr std::uint32_t several = 0xffffffff;
  std::vector<std::pair<std::uint64_t, std::uint32_t>>
      only_;                 // orders, increasing, and the class if there is one
  std::vector<char> alone_;  // no other class has its order and size
};

std::vector<std::uint32_t> powers_in(const ConjugacyClasses::State& state, const Integer& k,
                                     const Task& task) {
  const KnownPowers known(state.classes);
  std::vector<std::uint32_t> map;
  map.reserve(state.classes.size());
  for (const ConjugacyClass& c : state.classes) {
    task.poll();
    Integer r = k % c.element_order;
    if (r < 0) r += c.element_order;
    const auto told =
        known(static_cast<std::uint32_t>(map.size()), c.element_order, r.convert_to<std::uint64_t>());
    map.push_back(told ? *told : state.identify(c.representative.power(k), task));
  }
  return map;
}

/// Colours refined by p-th powers and p-th roots until nothing changes. \param powers  filled where they were needed
std::vector<std::uint32_t> canonical_order(const ConjugacyClasses::State& state,
                                           std::map<Integer, Colours>& powers, const Task& task) {
  const std::size_t count = state.classes.size();
  const auto& known = state.classes;
  Colours colour = ranked_by(count, [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(known[a].element_order, known[a].size) < std::tie(known[b].element_order, known[b].size);
  });
  std::vector<std::reference_wrapper<const Colours>> maps;
  if (cells(colour) < count)
    for (const std::uint32_t p : small_prime_divisors(state.group.order()))
      maps.emplace_back(powers[p] = powers_in(state, p, task));
  colour = refined_by_powers(std::move(colour), maps, task);
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return colour[a] < colour[b]; });
  return order;
}

}  // namespace

ConjugacyClasses::ConjugacyClasses(std::shared_ptr<const State> state, const Task& task)
    : state_(std::move(state)) {
  std::map<Integer, Colours> powers;
  auto order = canonical_order(*state_, powers, task);
  powers_ = std::make_shared<const std::map<Integer, Colours>>(std::move(powers));
  std::vector<std::uint32_t> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<std::uint32_t>(k);
  order_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(order));
  place_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(place));
}

const FiniteGroup& ConjugacyClasses::group() const { return state_->group; }
const ConjugacyClass& ConjugacyClasses::operator[](std::size_t k) const {
  return state_->classes[(*order_)[k]];
}

std::size_t ConjugacyClasses::index_of_element(const Permutation& g, const Task& task) const {
  return (*place_)[state_->identify(g, task)];
}

std::size_t ConjugacyClasses::index_of(const Permutation& g, const Task& task) const {
  if (!group().contains(g))
    throw DomainError("index_of: " + g.to_string() + " is no element of " + group().name());
  return index_of_element(g, task);
}

std::size_t ConjugacyClasses::number_told_by_search() const { return state_->number_told_by_search(); }
bool ConjugacyClasses::is_without_form() const { return state_->is_without_form; }

std::vector<std::uint32_t> ConjugacyClasses::power_map(const Integer& k, const Task& task) const {
  const auto known = powers_->find(k);
  const Colours powers = known != powers_->end() ? Colours() : powers_in(*state_, k, task);
  const Colours& image = known != powers_->end() ? known->second : powers;
  std::vector<std::uint32_t> map;
  map.reserve(size());
  for (std::size_t c = 0; c < size(); ++c) map.push_back((*place_)[image[(*order_)[c]]]);
  return map;
}

ConjugacyClasses ConjugacyClasses::reordered(std::span<const std::uint32_t> order) const {
  ConjugacyClasses result = *this;
  std::vector<std::uint32_t> to(size()), from(size());
  for (std::size_t k = 0; k < size(); ++k) to[k] = (*order_)[order[k]];
  for (std::size_t k = 0; k < size(); ++k) from[to[k]] = static_cast<std::uint32_t>(k);
  result.order_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(to));
  result.place_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(from));
  return result;
}

ConjugacyClasses conjugacy_classes_by_orbits(const FiniteGroup& G, const Task& task) {
  return ConjugacyClasses(classes_by_orbits(G, task), task);
}

ConjugacyClasses conjugacy_classes_by_random_search(const FiniteGroup& G, const Task& task) {
  return ConjugacyClasses(classes_by_random_search(G, std::numeric_limits<std::size_t>::max(), task), task);
}

namespace {

ClassState classes_by_formula(const FiniteGroup& G, const GroupForm& form, const Task& task) {
  if (std::holds_alternative<std::monostate>(form)) return nullptr;
  require_few_classes(G, task);
  if (std::holds_alternative<SymmetricForm>(form)) return classes_of_symmetric_group(G, task);
  if (std::holds_alternative<AlternatingForm>(form)) return classes_of_alternating_group(G, task);
  if (std::holds_alternative<EvenSignedForm>(form)) return classes_of_even_signed_permutations(G, task);
  if (const auto* product = std::get_if<ProductForm>(&form))
    return classes_of_direct_product(G, *product, task);
  if (const auto* wreath = std::get_if<WreathForm>(&form)) return classes_of_wreath_product(G, *wreath, task);
  if (const auto* dihedral = std::get_if<DihedralForm>(&form))
    return classes_of_dihedral_group(G, *dihedral, task);
  if (const auto* linear = std::get_if<LinearForm>(&form)) return classes_of_linear_group(G, *linear, task);
  if (const auto* suzuki = std::get_if<SuzukiForm>(&form)) return classes_of_linear_group(G, *suzuki, task);
  return classes_by_model(G, task);
}

ConjugacyClasses any_classes(const FiniteGroup& G, const Task& task, std::vector<ConjugacyClass>* found) {
  constexpr unsigned small_order = 20'000;
  constexpr std::size_t many_classes = 300;
  const GroupForm form = group_form(G, task);
  if (const ClassState state = classes_by_formula(G, form, task)) return ConjugacyClasses(state, task);
  const auto listed = [&](const ClassState& state) {
    state->is_without_form = std::holds_alternative<std::monostate>(form);
    return ConjugacyClasses(state, task);
  };
  const StabilizerChain& chain = G.chain(task);
  if (chain.order() <= small_order) return listed(classes_by_orbits(G, task));
  constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
  if (!elements_can_be_listed(G, task)) return listed(classes_by_random_search(G, no_limit, task, found));
  if (small_prime_divisors(G.order()).size() == 1) return listed(classes_by_orbits(G, task));
  const auto state = classes_by_random_search(G, many_classes, task, found);
  return listed(state ? state : classes_by_orbits(G, task));
}

}  // namespace

ConjugacyClasses conjugacy_classes(const FiniteGroup& G, const Task& task) {
  return any_classes(G, task, nullptr);
}

PartialConjugacyClasses partial_conjugacy_classes(const FiniteGroup& G, const Task& task) {
  PartialConjugacyClasses result;
  try {
    result.classes = any_classes(G, task, &result.found);
  } catch (const LimitError& e) {
    result.reason = e.what();
  }
  return result;
}

FiniteGroup centralizer(const FiniteGroup& G, const Permutation& g, const Task& task) {
  if (g.degree() != G.degree())
    throw DomainError(fmt::format("centralizer: a permutation of degree {} and a group of degree {}",
                                  g.degree(), G.degree()));
  return centralizer(G, PointColours(G), g, task);
}

FiniteGroup centralizer(const FiniteGroup& G, const PointColours& colours, const Permutation& g,
                        const Task& task) {
  const auto found = ConjugacySearch(G, colours, g, task, ConjugacySearch::Use::once).centralizer(task);
  return FiniteGroup::with_known_order(G.degree(), found.generators, {}, found.order);
}

std::optional<Permutation> conjugating_element(const FiniteGroup& G, const Permutation& g,
                                               const Permutation& h, const Task& task) {
  if (g.degree() != G.degree() || h.degree() != G.degree())
    throw DomainError(fmt::format("conjugating_element: degrees {} and {} in a group of degree {}",
                                  g.degree(), h.degree(), G.degree()));
  const Integer& order = G.order(task);
  const bool alternating = is_alternating(G.degree(), order);
  if (alternating || is_symmetric(G.degree(), order)) return conjugator_by_cycles(g, h, alternating);
  const PointColours colours(G);
  const ConjugacySearch search(G, colours, g, task, ConjugacySearch::Use::once);
  const auto own = colours(h.images());
  if (colours.invariant(own) != colours.invariant(search.colours())) return std::nullopt;
  return search.conjugator(h, own, task);
}

}  // namespace intertwine
