// Makes multiplication tables of small groups and isomorphisms between them.
#include "groups/recognition/cayley_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "groups/mixed.hpp"
#include "groups/named/named_support.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

CayleyTable::CayleyTable(const FiniteGroup& G, const Task& task) {
  const Integer& order = G.order(task);
  if (order > largest_order)
    throw LimitError(fmt::format("tables of products are made of groups of at most {} elements, and {} has {}",
                                 largest_order, G.name(), order.str()));
  n_ = order.convert_to<std::size_t>();
  task.require_memory(sizeof(Element) * n_ * n_, "the table of products of " + G.name());
  product_.resize(n_ * n_);
  enumerate(G, task);
  for (std::size_t y = 0; y < n_; ++y) product_[y] = static_cast<Element>(y);
  for (std::size_t x = 1; x < n_; ++x) {
    task.poll();
    const auto& [before, generator] = from_[x];
    for (std::size_t y = 0; y < n_; ++y)
      product_[at(x, y)] = left_[product_[at(before, y)] * generators_.size() + generator];
  }
  colour(task);
}

// Elements are known by their images of a base. left_ has the products with generators in front.
void CayleyTable::enumerate(const FiniteGroup& G, const Task& task) {
  std::map<std::vector<Point>, Element> number;
  const StabilizerChain& chain = G.chain(task);
  std::vector<std::vector<Point>> elements(1);
  for (std::size_t level = 0; level < chain.length(); ++level) elements[0].push_back(chain.base_point(level));
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

// The colour of an element says how its products with all others are coloured.
void CayleyTable::colour(const Task& task) {
  colours_.assign(n_, 0);
  for (std::size_t x = 0; x < n_; ++x) {
    std::uint64_t length = 1;
    for (std::size_t y = x; y != 0; y = product_[at(y, x)]) ++length;
    colours_[x] = mixed(length);
  }
  constexpr int rounds = 3;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::uint64_t> next(n_);
    for (std::size_t x = 0; x < n_; ++x) {
      task.poll();
      std::uint64_t sum = 0;
      for (std::size_t y = 0; y < n_; ++y) {
        const std::uint64_t commute = product_[at(x, y)] == product_[at(y, x)] ? 1 : 0;
        sum += mixed(colours_[y] ^ mixed(colours_[product_[at(x, y)]] + commute));
      }
      next[x] = mixed(colours_[x] ^ mixed(sum));
    }
    colours_ = std::move(next);
  }
}

std::uint64_t CayleyTable::fingerprint() const {
  return std::accumulate(colours_.begin(), colours_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, std::uint64_t c) { return sum + mixed(c); });
}

bool CayleyTable::is_central(Element z) const {
  return std::ranges::all_of(generators_, [&](Element g) { return product(g, z) == product(z, g); });
}

Permutation CayleyTable::left_multiplication(Element x) const {
  return named::permutation_by(n_, [&](std::size_t y) { return product_[at(x, y)]; });
}

std::optional<IsomorphismSearch::Map> IsomorphismSearch::with_images(std::span<const Element> images) const {
  Map map(A_.order(), unknown);
  map[0] = 0;
  if (!extend(map, {Element{0}}, 0, images)) return std::nullopt;
  return map;
}

// `map` is an isomorphism of the subgroup `known`, which the first generators give, to a subgroup of B.
bool IsomorphismSearch::extend(Map& map, const std::vector<Element>& known, std::size_t level,
                               std::span<const Element> images) const {
  const bool given = level < images.size();
  if (!given && known.size() == A_.order()) return true;
  const Element g = A_.generators()[level];
  if (map[g] != unknown) return (!given || map[g] == images[level]) && extend(map, known, level + 1, images);
  const std::size_t first = given ? images[level] : 1, end = given ? first + 1 : B_.order();
  for (std::size_t image = first; image < end; ++image) {
    if (B_.colours()[image] != A_.colours()[g]) continue;
    task_.poll();
    Map larger = map;
    std::vector<Element> elements = known;
    if (generate(larger, elements, g, static_cast<Element>(image), level) &&
        extend(larger, elements, level + 1, images)) {
      map = std::move(larger);
      return true;
    }
  }
  return false;
}

// Adds g -> image to an isomorphism of subgroups; false if that gives none. The elements of the larger subgroup are
// found as products with generators on the right, and every such product is compared.
bool IsomorphismSearch::generate(Map& map, std::vector<Element>& elements, Element g, Element image,
                                 std::size_t level) const {
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
      if (!set(A_.product(elements[k], s), B_.product(map[elements[k]], map[s]))) return false;
    }
  return true;
}

FiniteGroup automorphisms(const CayleyTable& A, const Task& task) {
  const IsomorphismSearch search(A, A, task);
  std::vector<Permutation> generators;
  Integer order = 1;
  for (std::size_t level = A.generators().size(); level-- > 0;) {
    // `generators` fix the generators of A before this level.
    std::vector<IsomorphismSearch::Element> images(A.generators().begin(),
                                                   A.generators().begin() + static_cast<std::ptrdiff_t>(level + 1));
    const auto g = images.back();
    std::vector<Point> orbit{g};
    std::vector<bool> reached(A.order());
    reached[g] = true;
    const auto close = [&] {
      for (std::size_t k = 0; k < orbit.size(); ++k)
        for (const Permutation& a : generators)
          if (const Point y = a(orbit[k]); !reached[y]) {
            reached[y] = true;
            orbit.push_back(y);
          }
    };
    close();
    for (std::size_t x = 1; x < A.order(); ++x) {
      if (reached[x] || A.colours()[x] != A.colours()[g]) continue;
      images.back() = static_cast<IsomorphismSearch::Element>(x);
      if (const auto map = search.with_images(images)) {
        generators.push_back(named::permutation_by(A.order(), [&](std::size_t y) { return (*map)[y]; }));
        close();
      }
    }
    order *= orbit.size();
  }
  return FiniteGroup::with_known_order(A.order(), std::move(generators), {}, order);
}

}  // namespace intertwine
