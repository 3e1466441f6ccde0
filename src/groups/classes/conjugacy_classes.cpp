// Conjugacy classes of a group: their numbers, powers and verification.
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

#include "class_state.hpp"
#include "conjugacy_search.hpp"
#include "groups/chain/giant.hpp"
#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/class_colours.hpp"
#include "intertwine/groups/element_lists.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

using class_colours::Colours;

/// The known power maps, in the numbers of the state.
struct ConjugacyClasses::Powers {
  explicit Powers(const std::vector<ConjugacyClass>& classes)
      : colour(class_colours::ranked_by(classes.size(),
                                        [&](std::uint32_t a, std::uint32_t b) {
                                          return std::tie(classes[a].element_order, classes[a].size) <
                                                 std::tie(classes[b].element_order, classes[b].size);
                                        })),
        alike(classes.size(), 0) {
    for (const std::uint32_t k : colour) ++alike[k];
    only.reserve(classes.size());
    for (std::uint32_t c = 0; c < classes.size(); ++c) only.emplace_back(classes[c].element_order, c);
    std::sort(only.begin(), only.end());
    std::size_t orders = 0;
    for (const auto& entry : only) {
      if (orders > 0 && only[orders - 1].first == entry.first)
        only[orders - 1].second = several;
      else
        only[orders++] = entry;
    }
    only.resize(orders);
  }

  /// The class of the r-th power of class c, whose elements have this order, 0 <= r < order, if nothing else has its order
  /// or, where the centralizer stays, its order and size.
  std::optional<std::uint32_t> told(std::uint32_t c, std::uint64_t order, std::uint64_t r) const {
    const std::uint64_t divisor = std::gcd(r, order);
    if (divisor == 1 && (alike[colour[c]] == 1 || r == 1 % order)) return c;
    const auto at =
        std::ranges::lower_bound(only, order / divisor, {}, &std::pair<std::uint64_t, std::uint32_t>::first);
    if (at == only.end() || at->first != order / divisor)
      throw InternalError("conjugacy classes: none has the order of a power");
    if (at->second == several) return std::nullopt;
    return at->second;
  }

  Colours map(const State& state, const Integer& k, const Task& task) const {
    Colours images;
    images.reserve(state.classes.size());
    for (const ConjugacyClass& c : state.classes) {
      task.poll();
      Integer r = k % c.element_order;
      if (r < 0) r += c.element_order;
      const auto image =
          told(static_cast<std::uint32_t>(images.size()), c.element_order, r.convert_to<std::uint64_t>());
      images.push_back(image ? *image : state.identify(c.representative.power(k), task));
    }
    return images;
  }

  static constexpr std::uint32_t several = 0xffffffff;
  Colours colour;                                             ///< by order and size
  std::vector<std::uint32_t> alike;                           ///< how many have a colour
  std::vector<std::pair<std::uint64_t, std::uint32_t>> only;  ///< increasing orders with their class, or several
  std::map<Integer, Colours> kept;                            ///< the maps that ordered the classes
};

ConjugacyClasses::ConjugacyClasses(std::shared_ptr<const State> state, const Task& task) : state_(std::move(state)) {
  auto powers = std::make_shared<Powers>(state_->classes);
  const std::size_t count = state_->classes.size();
  // Colours refined by p-th powers and p-th roots until nothing changes.
  std::vector<std::reference_wrapper<const Colours>> maps;
  if (class_colours::cells(powers->colour) < count)
    for (const std::uint32_t p : small_prime_divisors(state_->group.order()))
      maps.emplace_back(powers->kept[p] = powers->map(*state_, p, task));
  const Colours colour = class_colours::refined_by_powers(powers->colour, maps, task);
  std::vector<std::uint32_t> order(count), place(count);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return colour[a] < colour[b]; });
  for (std::size_t k = 0; k < count; ++k) place[order[k]] = static_cast<std::uint32_t>(k);
  order_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(order));
  place_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(place));
  powers_ = std::move(powers);
}

const FiniteGroup& ConjugacyClasses::group() const { return state_->group; }
const ConjugacyClass& ConjugacyClasses::operator[](std::size_t k) const { return state_->classes[(*order_)[k]]; }

std::size_t ConjugacyClasses::index_of_element(const Permutation& g, const Task& task) const {
  return (*place_)[state_->identify(g, task)];
}

std::size_t ConjugacyClasses::index_of(const Permutation& g, const Task& task) const {
  if (!group().contains(g)) throw DomainError("index_of: " + g.to_string() + " is no element of " + group().name());
  return index_of_element(g, task);
}

std::size_t ConjugacyClasses::number_told_by_search() const { return state_->number_told_by_search(); }
bool ConjugacyClasses::is_without_form() const { return state_->is_without_form; }

std::vector<std::uint32_t> ConjugacyClasses::power_map(const Integer& k, const Task& task) const {
  const auto kept = powers_->kept.find(k);
  const Colours image = kept != powers_->kept.end() ? kept->second : powers_->map(*state_, k, task);
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

ConjugacyClasses conjugacy_classes_by_lifting(const FiniteGroup& G, const Task& task) {
  if (!is_solvable(G, task))
    throw DomainError(fmt::format("conjugacy_classes_by_lifting: {} is not solvable; use the random search", G.name()));
  const ClassState state = classes_by_lifting(G, task);
  if (!state)
    throw LimitError(
        fmt::format("conjugacy_classes_by_lifting: a layer of {} has more than 2^24 elements; use the "
                    "random search",
                    G.name()));
  return ConjugacyClasses(state, task);
}

namespace {

ClassState classes_by_formula(const FiniteGroup& G, const GroupForm& form, const Task& task) {
  if (std::holds_alternative<std::monostate>(form)) return nullptr;
  require_few_classes(G, task);
  if (std::holds_alternative<SymmetricForm>(form)) return classes_of_symmetric_group(G, task);
  if (std::holds_alternative<AlternatingForm>(form)) return classes_of_alternating_group(G, task);
  if (std::holds_alternative<EvenSignedForm>(form)) return classes_of_even_signed_permutations(G, task);
  if (const auto* product = std::get_if<ProductForm>(&form)) return classes_of_direct_product(G, *product, task);
  if (const auto* wreath = std::get_if<WreathForm>(&form)) return classes_of_wreath_product(G, *wreath, task);
  if (const auto* dihedral = std::get_if<DihedralForm>(&form)) return classes_of_dihedral_group(G, *dihedral, task);
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
  if (is_solvable(G, task))
    if (const ClassState state = classes_by_lifting(G, task, found)) return listed(state);
  constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
  if (!elements_can_be_listed(G, task)) return listed(classes_by_random_search(G, no_limit, task, found));
  if (small_prime_divisors(G.order()).size() == 1) return listed(classes_by_orbits(G, task));
  const auto state = classes_by_random_search(G, many_classes, task, found);
  return listed(state ? state : classes_by_orbits(G, task));
}

}  // namespace

ConjugacyClasses conjugacy_classes(const FiniteGroup& G, const Task& task) { return any_classes(G, task, nullptr); }

PartialConjugacyClasses partial_conjugacy_classes(const FiniteGroup& G, const Task& task) {
  PartialConjugacyClasses result;
  try {
    result.classes = any_classes(G, task, &result.found);
  } catch (const LimitError& e) {
    result.reason = e.what();
  }
  return result;
}

struct Centralizers::State {
  FiniteGroup group;
  PointColours colours;
};

Centralizers::Centralizers(FiniteGroup G) {
  PointColours colours(G);
  state_ = std::make_shared<State>(State{std::move(G), std::move(colours)});
}

FiniteGroup Centralizers::operator()(const Permutation& g, const Task& task) const {
  const FiniteGroup& G = state_->group;
  if (g.degree() != G.degree())
    throw DomainError(
        fmt::format("centralizer: a permutation of degree {} and a group of degree {}", g.degree(), G.degree()));
  return centralizer(G, state_->colours, g, task);
}

FiniteGroup centralizer(const FiniteGroup& G, const Permutation& g, const Task& task) {
  return Centralizers(G)(g, task);
}

FiniteGroup centralizer(const FiniteGroup& G, const PointColours& colours, const Permutation& g, const Task& task) {
  const auto found = ConjugacySearch(G, colours, g, task, ConjugacySearch::Use::once).centralizer(task);
  return FiniteGroup::with_known_order(G.degree(), found.generators, {}, found.order);
}

std::optional<Permutation> conjugating_element(const FiniteGroup& G, const Permutation& g, const Permutation& h,
                                               const Task& task) {
  if (g.degree() != G.degree() || h.degree() != G.degree())
    throw DomainError(fmt::format("conjugating_element: degrees {} and {} in a group of degree {}", g.degree(),
                                  h.degree(), G.degree()));
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
