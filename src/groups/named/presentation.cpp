// Faithful permutations for finitely presented groups.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "groups/named/coset_enumeration.hpp"
#include "groups/named/infinite_quotient.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/groups/blocks.hpp"
#include "intertwine/groups/presentation.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t most_cosets = 1U << 24;

void require_finite_abelian_quotient(const Presentation& P, const Task& task) {
  const std::size_t n = P.generators.size();
  if (n == 0) throw DomainError("a presentation has at least one generator");
  IntegerMatrix exponents(P.relators.size(), n);
  for (std::size_t r = 0; r < P.relators.size(); ++r) {
    std::vector<long> sum(n, 0);
    for (const std::int32_t x : P.relators[r])
      if (x != 0 && static_cast<std::size_t>(std::abs(x)) <= n)
        sum[static_cast<std::size_t>(std::abs(x)) - 1] += x > 0 ? 1 : -1;
    for (std::size_t k = 0; k < n; ++k) exponents.set(r, k, sum[k]);
  }
  const std::size_t free = n - (P.relators.empty() ? 0 : matrix_rank(exponents, task));
  if (free > 0)
    throw DomainError(
        fmt::format("the group is infinite: its largest abelian quotient has Z{} as a factor; add relators",
                    free == 1 ? std::string() : fmt::format("^{}", free)));
}

/// \throws DomainError if a normal subgroup of small index has an infinite abelian quotient.
void require_no_infinite_quotient(const Presentation& P, const Task& task) {
  if (const auto found = infinite_quotient(P, task))
    throw DomainError(
        fmt::format("the group is infinite: the largest abelian quotient of a normal subgroup of index {} has "
                    "Z{} as a factor; add relators",
                    found->index, found->rank == 1 ? std::string() : fmt::format("^{}", found->rank)));
}

/// For each generator the least k with the relator x^k, or 0.
std::vector<std::uint64_t> bounded_orders(const Presentation& P) {
  std::vector<std::uint64_t> order(P.generators.size(), 0);
  for (const Word& w : P.relators) {
    if (w.empty() || std::ranges::any_of(w, [&](std::int32_t x) { return x != w[0]; })) continue;
    std::uint64_t& k = order[static_cast<std::size_t>(std::abs(w[0])) - 1];
    if (k == 0 || w.size() < k) k = w.size();
  }
  return order;
}

/// The left action on the cosets: (x y) c = x (y c).
std::vector<Permutation> left_action(const CosetTable& table) {
  std::vector<Permutation> result;
  for (const std::vector<Point>& action : table.actions) result.push_back(Permutation::unchecked(action).inverse());
  return result;
}

/// Acts on blocks instead of points as long as that is faithful and there are fewer of them. G is transitive.
FiniteGroup with_fewer_points(FiniteGroup G, const Integer& order, const Task& task) {
  constexpr std::uint64_t most_work = 100'000'000;
  while (G.degree() > 1) {
    const std::size_t n = G.degree();
    const std::uint64_t tries = most_work / (n * (G.generators().size() + 1)) + 1;
    std::set<std::pair<std::size_t, std::vector<Point>>> systems;  // by the number of blocks
    for (Point y = 1; y < n && y <= tries; ++y) {
      task.poll();
      std::vector<Point> block = block_system(n, G.generators(), 0, y);
      const std::size_t blocks = *std::ranges::max_element(block) + std::size_t{1};
      if (blocks > 1 && blocks < n) systems.emplace(blocks, std::move(block));
      while (systems.size() > 64) systems.erase(std::prev(systems.end()));
    }
    bool fewer = false;
    for (const auto& [blocks, block] : systems) {
      const FiniteGroup H = action_on_blocks(G, block);
      if (H.order(task) != order) continue;
      G = H;
      fewer = true;
      break;
    }
    if (!fewer) break;
  }
  return G;
}

/// The generators numbered in `chosen` and the relators in these alone: a group of which the subgroup that they generate is a factor group.
Presentation restricted(const Presentation& P, std::span<const std::size_t> chosen) {
  std::vector<std::int32_t> number(P.generators.size() + 1);
  Presentation part;
  for (const std::size_t k : chosen) {
    part.generators.push_back(P.generators[k]);
    number[k + 1] = static_cast<std::int32_t>(part.generators.size());
  }
  for (const Word& w : P.relators) {
    Word word;
    for (const std::int32_t x : w) {
      const auto letter = static_cast<std::size_t>(std::abs(x));
      if (letter == 0 || letter >= number.size() || number[letter] == 0) break;
      word.push_back(x > 0 ? number[letter] : -number[letter]);
    }
    if (word.size() == w.size() && !w.empty()) part.relators.push_back(std::move(word));
  }
  return part;
}

/// An upper bound of the order: the product of the indices of the first k - 1 generators in the group of the first k and the relators among
/// them; nothing if one is not found to be small.
std::optional<Integer> order_bound(const Presentation& P, std::span<const std::size_t> order, std::uint64_t most,
                                   const Task& task) {
  Integer bound = 1;
  for (std::size_t k = 1; k <= order.size(); ++k) {
    const Presentation part = restricted(P, order.first(k));
    std::vector<Word> before;
    for (std::size_t i = 1; i < k; ++i) before.push_back({static_cast<std::int32_t>(i)});
    try {
      require_finite_abelian_quotient(part, task);
      bound *= enumerate_cosets(part, before, most, task).cosets;
    } catch (const DomainError&) {
      return std::nullopt;
    } catch (const LimitError&) {
      task.poll();
      return std::nullopt;
    }
  }
  return bound;
}

/// The actions on the cosets of the subgroups of all generators but one, where these are not more, those on few cosets first, side by side until the permutations
/// have this order; nothing if they never do.
std::optional<FiniteGroup> on_large_subgroups(const Presentation& P, const Integer& order, std::uint64_t most,
                                              const Task& task) {
  const std::size_t n = P.generators.size();
  std::vector<CosetTable> tables;
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<Word> others;
    for (std::size_t i = 0; i < n; ++i)
      if (i != k) others.push_back({static_cast<std::int32_t>(i) + 1});
    try {
      tables.push_back(enumerate_cosets(P, others, most, task));
    } catch (const LimitError&) {
      task.poll();  // the others may do: W(E8) is faithful on its 240 roots
    }
  }
  std::ranges::stable_sort(tables, {}, &CosetTable::cosets);
  std::vector<std::vector<Point>> images(n);
  Integer reached = 1;
  for (const CosetTable& table : tables) {
    const std::vector<Permutation> action = left_action(table);
    const std::vector<std::vector<Point>> before = images;
    const auto start = static_cast<Point>(images[0].size());
    std::vector<Permutation> generators;
    for (std::size_t i = 0; i < n; ++i) {
      for (Point c = 0; c < table.cosets; ++c) images[i].push_back(start + action[i](c));
      generators.push_back(Permutation::unchecked(images[i]));
    }
    FiniteGroup G(images[0].size(), std::move(generators));
    const Integer found = G.order(task);
    if (found == order) return G;
    if (found == reached) images = before;
    reached = found;
  }
  return std::nullopt;
}

/// Large groups with subgroups of small index: Coxeter groups, abelian ones and others where the order of the generators makes a series. The bound of the order is
/// reached by permutations, and so both are proved. Nothing for other groups, and for those small enough to enumerate their elements.
std::optional<FiniteGroup> group_by_large_subgroups(const Presentation& P, const std::string& name, const Task& task) {
  constexpr std::uint64_t most = 1U << 15, small_order = 20'000, usual_generators = 3;
  if (P.generators.size() < usual_generators) return std::nullopt;
  std::vector<std::size_t> order(P.generators.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  auto bound = order_bound(P, order, most, task);
  std::ranges::reverse(order);
  if (const auto other = order_bound(P, order, most, task); other && (!bound || *other < *bound)) bound = other;
  if (!bound || *bound <= small_order) return std::nullopt;
  const auto G = on_large_subgroups(P, *bound, most, task);
  if (!G) return std::nullopt;
  return FiniteGroup::with_known_order(G->degree(), G->generators(), name, *bound);
}

}  // namespace

FiniteGroup finitely_presented_group(const Presentation& P, std::string name, const Task& task) {
  require_finite_abelian_quotient(P, task);
  bool asked = false;
  const std::function<void()> when_large = [&] {
    if (!std::exchange(asked, true)) require_no_infinite_quotient(P, task);
  };
  if (auto G = group_by_large_subgroups(P, name, task)) return *std::move(G);
  const std::vector<std::uint64_t> bound = bounded_orders(P);
  std::vector<std::size_t> by_order;
  for (std::size_t k = 0; k < bound.size(); ++k)
    if (bound[k] > 1) by_order.push_back(k);
  std::ranges::stable_sort(by_order, [&](std::size_t a, std::size_t b) { return bound[a] > bound[b]; });
  const auto made = [&](const FiniteGroup& G, const Integer& order) {
    const FiniteGroup H = with_fewer_points(G, order, task);
    return FiniteGroup::with_known_order(H.degree(), H.generators(), name, order);
  };
  // |<x>| <= k, so that |G| <= index * k; permutations of that order are all of G.
  for (const std::size_t k : by_order) {
    const Word x[] = {{static_cast<std::int32_t>(k) + 1}};
    const CosetTable table = enumerate_cosets(P, x, most_cosets, when_large, task);
    const FiniteGroup G(table.cosets, left_action(table));
    const Integer most = Integer(table.cosets) * bound[k];
    if (table.cosets > 1 && G.order(task) == most) return made(G, most);
  }
  const CosetTable table = enumerate_cosets(P, {}, most_cosets, when_large, task);
  return made(FiniteGroup(table.cosets, left_action(table)), Integer(table.cosets));
}

}  // namespace intertwine
