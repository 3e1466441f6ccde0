// Classes by formula: symmetric and alternating groups, direct products.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "class_state.hpp"
#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

constexpr std::size_t max_classes = 1'000'000;

Partition cycle_partition(const Permutation& g) {
  const auto type = g.cycle_type();
  return Partition(std::vector<int>(type.begin(), type.end()));
}

/// By length, those of one length by their least points, with which they begin; fixed points, too.
std::vector<std::vector<Point>> cycles_by_length(const Permutation& g) {
  std::vector<std::vector<Point>> cycles;
  std::vector<char> seen(g.degree(), 0);
  for (Point start = 0; start < g.degree(); ++start) {
    if (seen[start]) continue;
    cycles.emplace_back();
    for (Point x = start; !seen[x]; x = g(x)) seen[x] = 1, cycles.back().push_back(x);
  }
  std::ranges::stable_sort(cycles, {}, &std::vector<Point>::size);
  return cycles;
}

/// Cycles of consecutive points, of the given lengths.
Permutation with_cycle_type(const Partition& type) {
  std::vector<Point> images(static_cast<std::size_t>(type.weight()));
  Point first = 0;
  for (const int length : type) {
    const auto m = static_cast<Point>(length);
    for (Point i = 0; i < m; ++i) images[first + i] = first + (i + 1) % m;
    first += m;
  }
  return Permutation::unchecked(std::move(images));
}

std::uint64_t order_of(const Partition& type) {
  std::uint64_t order = 1;
  for (const int length : type) order = std::lcm(order, static_cast<std::uint64_t>(length));
  return order;
}

bool is_even(const Partition& type) { return (type.weight() - type.length()) % 2 == 0; }

/// The class of Sym(n) with this cycle type is two classes of Alt(n).
bool splits(const Partition& type) {
  for (int i = 0; i < type.length(); ++i)
    if (type[i] % 2 == 0 || (i > 0 && type[i] == type[i - 1])) return false;
  return true;
}

/// Partitions with the identity first.
std::vector<Partition> cycle_types(std::size_t n, const Task& task) {
  // Each class takes its partition, twice, with its node; its representative and its orders.
  if (const Integer count = number_of_partitions(static_cast<int>(n)); count <= max_classes)
    task.require_memory(static_cast<std::uint64_t>(count) * (300 + 12 * n), "the conjugacy classes");
  auto all = partitions(static_cast<int>(n), {}, max_classes);
  std::reverse(all.begin(), all.end());
  return all;
}

struct SymmetricState final : ConjugacyClasses::State {
  SymmetricState(const FiniteGroup& G, const Task& task) : State(G) {
    for (const Partition& type : cycle_types(G.degree(), task)) {
      task.poll();
      const Integer z = centralizer_order(type);
      number.emplace(type, static_cast<std::uint32_t>(classes.size()));
      classes.push_back({with_cycle_type(type), G.order() / z, order_of(type), z});
    }
  }
  std::uint32_t identify(const Permutation& g, const Task&) const override { return number.at(cycle_partition(g)); }
  std::unordered_map<Partition, std::uint32_t> number;
};

/// Two elements of Alt(n) with a cycle type that splits are conjugate in Alt(n) when the permutation that takes the
/// cycles of one to those of the other is even. It is unique up to rotations of cycles of odd length, which are even.
struct AlternatingState final : ConjugacyClasses::State {
  AlternatingState(const FiniteGroup& G, const Task& task) : State(G) {
    for (const Partition& type : cycle_types(G.degree(), task)) {
      task.poll();
      if (!is_even(type)) continue;
      const bool two = splits(type);
      const Integer z = two ? centralizer_order(type) : Integer(centralizer_order(type) / 2);
      number.emplace(type, static_cast<std::uint32_t>(classes.size()));
      Permutation g = with_cycle_type(type);
      classes.push_back({g, G.order() / z, order_of(type), z});
      if (!two) continue;
      std::vector<Point> swap(G.degree());
      std::iota(swap.begin(), swap.end(), Point{0});
      std::swap(swap[0], swap[1]);
      const Permutation t = Permutation::unchecked(std::move(swap));
      classes.push_back({t * g * t, G.order() / z, order_of(type), z});
    }
  }
  std::uint32_t identify(const Permutation& g, const Task&) const override {
    const Partition type = cycle_partition(g);
    const std::uint32_t k = number.at(type);
    return splits(type) && !conjugator_by_cycles(classes[k].representative, g, true) ? k + 1 : k;
  }
  std::unordered_map<Partition, std::uint32_t> number;
};

/// Class numbers are those of the factors in mixed radix, the last factor running fastest.
struct ProductState final : ConjugacyClasses::State {
  ProductState(const FiniteGroup& G, ProductForm product, const Task& task) : State(G), form(std::move(product)) {
    std::size_t total = 1;
    for (const auto& part : form.parts) {
      factors.push_back(conjugacy_classes(part.group, task));
      total *= factors.back().size();
    }
    std::vector<std::size_t> at(factors.size(), 0);
    for (std::size_t k = 0; k < total; ++k) {
      task.poll();
      std::size_t rest = k;
      for (std::size_t f = factors.size(); f-- > 0; rest /= factors[f].size()) at[f] = rest % factors[f].size();
      classes.push_back(combined(at));
    }
  }
  ConjugacyClass combined(const std::vector<std::size_t>& at) const {
    ConjugacyClass c{{}, 1, 1, 1};
    std::vector<Point> images(group.degree());
    for (std::size_t f = 0; f < factors.size(); ++f) {
      const ConjugacyClass& part = factors[f][at[f]];
      const std::vector<Point>& points = form.parts[f].points;
      for (std::size_t i = 0; i < points.size(); ++i)
        images[points[i]] = points[part.representative(static_cast<Point>(i))];
      c.size *= part.size;
      c.centralizer_order *= part.centralizer_order;
      c.element_order = std::lcm(c.element_order, part.element_order);
    }
    c.representative = Permutation::unchecked(std::move(images));
    return c;
  }
  std::uint32_t identify(const Permutation& g, const Task& task) const override {
    std::size_t k = 0;
    for (std::size_t f = 0; f < factors.size(); ++f)
      k = k * factors[f].size() + factors[f].index_of_element(form.component(g, f), task);
    return static_cast<std::uint32_t>(k);
  }
  ProductForm form;
  std::vector<ConjugacyClasses> factors;
};

}  // namespace

/// All such x in Sym(n) are one times what commutes with g: cycles of g, and what exchanges two cycles of one length. Odd are the
/// cycles of even length and the exchanges of two of odd length.
std::optional<Permutation> conjugator_by_cycles(const Permutation& g, const Permutation& h, bool even) {
  const auto from = cycles_by_length(g);
  auto to = cycles_by_length(h);
  if (!std::ranges::equal(from, to, {}, &std::vector<Point>::size, &std::vector<Point>::size)) return std::nullopt;
  const auto conjugator = [&] {
    std::vector<Point> images(g.degree());
    for (std::size_t c = 0; c < from.size(); ++c)
      for (std::size_t i = 0; i < from[c].size(); ++i) images[from[c][i]] = to[c][i];
    return Permutation::unchecked(std::move(images));
  };
  Permutation x = conjugator();
  if (!even || x.is_even()) return x;
  const auto turned = std::ranges::find_if(to, [](const auto& cycle) { return cycle.size() % 2 == 0; });
  const auto second = std::ranges::adjacent_find(to, {}, &std::vector<Point>::size);
  if (turned != to.end())
    std::rotate(turned->begin(), turned->begin() + 1, turned->end());
  else if (second != to.end())
    std::swap(*second, *(second + 1));
  else
    return std::nullopt;
  return conjugator();
}

ClassState classes_of_symmetric_group(const FiniteGroup& G, const Task& task) {
  return std::make_shared<SymmetricState>(G, task);
}
ClassState classes_of_alternating_group(const FiniteGroup& G, const Task& task) {
  return std::make_shared<AlternatingState>(G, task);
}
ClassState classes_of_direct_product(const FiniteGroup& G, const ProductForm& form, const Task& task) {
  return std::make_shared<ProductState>(G, form, task);
}

void require_few_classes(const FiniteGroup& G, const Task& task) {
  const auto formula = class_formula(G, task);
  if (formula && formula->count > Integer(max_classes))
    throw LimitError(fmt::format("conjugacy_classes: {} has {} classes, more than the {} that are listed", G.name(),
                                 formula->count.str(), max_classes));
}

}  // namespace intertwine
