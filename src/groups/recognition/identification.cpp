#include "intertwine/groups/identification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include "exact/mixed.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

namespace {

constexpr std::size_t largest_order = 127;
using Element = std::uint8_t;  // 0 is the identity

/// The multiplication table of a small group, and its colours: equal for elements that an isomorphism may exchange.
class CayleyTable {
 public:
  CayleyTable(const FiniteGroup& G, std::size_t order, const Task& task)
      : n_(order), product_(order * order) {
    enumerate(G, task);
    for (Element y = 0; y < n_; ++y) product_[at(0, y)] = y;
    for (Element x = 1; x < n_; ++x)
      for (Element y = 0; y < n_; ++y) {
        const auto& [before, generator] = from_[x];
        product_[at(x, y)] = left_[product_[at(before, y)] * generators_.size() + generator];
      }
    colour();
  }

  std::size_t order() const { return n_; }
  Element product(Element x, Element y) const { return product_[at(x, y)]; }
  const std::vector<Element>& generators() const { return generators_; }
  const std::vector<std::uint64_t>& colours() const { return colours_; }
  /// Equal for isomorphic groups.
  std::uint64_t fingerprint() const {
    return std::accumulate(colours_.begin(), colours_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, std::uint64_t c) { return sum + mixed(c); });
  }

 private:
  std::size_t at(Element x, Element y) const { return std::size_t{x} * n_ + y; }

  /// Elements, known by their images of a base, in the order in which generators behind them reach them.
  void enumerate(const FiniteGroup& G, const Task& task) {
    std::map<std::vector<Point>, Element> number;
    const StabilizerChain& chain = G.chain(task);
    std::vector<std::vector<Point>> elements(1);
    for (std::size_t level = 0; level < chain.length(); ++level)
      elements[0].push_back(chain.base_point(level));
    number.emplace(elements.front(), Element{0});
    from_.emplace_back(Element{0}, 0);
    generators_.resize(G.generators().size());
    for (std::size_t x = 0; x < elements.size(); ++x) {
      task.poll();
      for (std::size_t g = 0; g < generators_.size(); ++g) {
        std::vector<Point> images = elements[x];
        for (Point& p : images) p = G.generators()[g](p);
        const auto [place, is_new] = number.try_emplace(images, static_cast<Element>(elements.size()));
        if (is_new) {
          elements.push_back(std::move(images));
          from_.emplace_back(static_cast<Element>(x), g);
        }
        left_.push_back(place->second);
        if (x == 0) generators_[g] = place->second;
      }
    }
    if (elements.size() != n_)
      throw InternalError(fmt::format("{} elements of a group of order {}", elements.size(), n_));
  }

  /// The colour of an element says how its products with all others are coloured.
  void colour() {
    colours_.assign(n_, 0);
    for (Element x = 0; x < n_; ++x) {
      std::uint64_t length = 1;
      for (Element y = x; y != 0; y = product(y, x)) ++length;
      colours_[x] = mixed(length);
    }
    constexpr int rounds = 3;
    for (int round = 0; round < rounds; ++round) {
      std::vector<std::uint64_t> next(n_);
      for (Element x = 0; x < n_; ++x) {
        std::uint64_t sum = 0;
        for (Element y = 0; y < n_; ++y) {
          const std::uint64_t commute = product(x, y) == product(y, x) ? 1 : 0;
          sum += mixed(colours_[y] ^ mixed(colours_[product(x, y)] + commute));
        }
        next[x] = mixed(colours_[x] ^ mixed(sum));
      }
      colours_ = std::move(next);
    }
  }

  std::size_t n_;
  std::vector<Element> product_, left_, generators_;
  std::vector<std::pair<Element, std::size_t>>
      from_;  ///< an element is that of `first` with a generator behind it
  std::vector<std::uint64_t> colours_;
};

/// A search for an isomorphism A -> B by images of generators of A, one after the other.
class IsomorphismSearch {
 public:
  IsomorphismSearch(const CayleyTable& A, const CayleyTable& B, const Task& task)
      : A_(A), B_(B), task_(task) {}

  bool run() {
    Map identity(A_.order(), unknown);
    identity[0] = 0;
    return extend(identity, {Element{0}}, 0);
  }

 private:
  static constexpr std::uint16_t unknown = 0xffff;
  using Map = std::vector<std::uint16_t>;

  /// `map` is an isomorphism of the subgroup `known`, which the first generators give, to a subgroup of B.
  bool extend(const Map& map, const std::vector<Element>& known, std::size_t level) {
    if (known.size() == A_.order()) return true;
    const Element g = A_.generators()[level];
    if (map[g] != unknown) return extend(map, known, level + 1);
    for (Element image = 1; image < B_.order(); ++image) {
      if (B_.colours()[image] != A_.colours()[g]) continue;
      task_.poll();
      Map larger = map;
      std::vector<Element> elements = known;
      if (generate(larger, elements, g, image, level) && extend(larger, elements, level + 1)) return true;
    }
    return false;
  }

  /// Adds g -> image to an isomorphism of subgroups; false if that gives none. The elements of the larger subgroup are
  /// found as products with generators on the right, and every such product is compared.
  bool generate(Map& map, std::vector<Element>& elements, Element g, Element image, std::size_t level) const {
    std::vector<bool> used(B_.order());
    for (const Element x : elements) used[map[x]] = true;
    const auto set = [&](Element x, Element y) {
      if (map[x] != unknown) return map[x] == y;
      if (used[y] || A_.colours()[x] != B_.colours()[y]) return false;
      map[x] = y;
      used[y] = true;
      elements.push_back(x);
      return true;
    };
    if (!set(g, image)) return false;
    for (std::size_t k = 0; k < elements.size(); ++k)
      for (std::size_t l = 0; l <= level; ++l) {
        const Element s = A_.generators()[l];
        if (!set(A_.product(elements[k], s),
                 B_.product(static_cast<Element>(map[elements[k]]), static_cast<Element>(map[s]))))
          return false;
      }
    return true;
  }

  const CayleyTable &A_, &B_;
  const Task& task_;
};

/// The tables of all groups of one order, made once.
const std::vector<CayleyTable>& listed_tables(unsigned order) {
  static std::array<std::vector<CayleyTable>, largest_order + 1> tables;
  static std::array<std::once_flag, largest_order + 1> made;
  std::call_once(made[order], [order] {
    for (unsigned k = 1; k <= number_of_small_groups(order); ++k)
      tables[order].emplace_back(small_group(order, k), order, Task());
  });
  return tables[order];
}

}  // namespace

std::optional<structure::SmallGroup> identify(const FiniteGroup& G, const Task& task) {
  if (const auto* known = G.structure().as<structure::SmallGroup>()) return *known;
  const Integer& exact_order = G.order(task);
  if (exact_order > largest_order) return std::nullopt;
  const auto order = exact_order.convert_to<unsigned>();
  const CayleyTable table(G, order, task);
  const std::vector<CayleyTable>& listed = listed_tables(order);
  for (unsigned k = 1; k <= listed.size(); ++k)
    if (listed[k - 1].fingerprint() == table.fingerprint() &&
        IsomorphismSearch(listed[k - 1], table, task).run())
      return structure::SmallGroup{order, k};
  throw InternalError(
      fmt::format("a group of order {} is none of the {} that there are", order, listed.size()));
}

}  // namespace intertwine
