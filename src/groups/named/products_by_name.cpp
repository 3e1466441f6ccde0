// Semidirect and central products that the names of two groups determine, holomorphs and automorphisms of groups with few elements.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "groups/named/named_support.hpp"
#include "groups/recognition/cayley_table.hpp"
#include "intertwine/combinatorics/flat_index.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/extensions.hpp"
#include "intertwine/groups/identification.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

namespace {

using TableElement = CayleyTable::Element;
using ImageList = std::vector<Permutation>;

constexpr unsigned largest_listed_order = 127;
constexpr std::uint64_t most_automorphisms = 200'000;
constexpr std::uint64_t most_sorted = 100'000'000'000;  // automorphisms whose classes are found in seconds
constexpr std::size_t most_extensions = 100;
constexpr std::size_t most_identifications = 5'000;

/// The first of every isomorphism type, without those of the type of `other`. All have one order, of which tables are made.
void keep_types(std::vector<FiniteGroup>& groups, const FiniteGroup* other, const Task& task) {
  std::vector<CayleyTable> types;
  if (other != nullptr) types.emplace_back(*other, task);
  std::erase_if(groups, [&](const FiniteGroup& G) {
    CayleyTable table(G, task);
    if (std::ranges::any_of(types, [&](const CayleyTable& type) { return IsomorphismSearch(type, table, task).run(); }))
      return true;
    types.push_back(std::move(table));
    return false;
  });
}

/// The groups as the library of small groups has them, by their numbers.
std::vector<FiniteGroup> as_listed(const std::vector<FiniteGroup>& groups, const Task& task) {
  std::set<unsigned> numbers;
  unsigned order = 1;
  for (const FiniteGroup& G : groups) {
    const auto type = *identify(G, task);
    numbers.insert(type.number);
    order = type.order;
  }
  std::vector<FiniteGroup> listed;
  for (const unsigned number : numbers) listed.push_back(small_group(order, number));
  return listed;
}

/// The homomorphisms H -> P that are not trivial, by images of the generators, one of every class under conjugation in P. The images of the generators so far
/// are conjugate in one way only up to their centralizer, under which those of the next one are sorted.
class ActionSearch {
 public:
  ActionSearch(const FiniteGroup& H, const FiniteGroup& P, const Task& task) : H_(H), P_(P), task_(task) {
    ImageList first;
    for (const Permutation& h : H.generators()) {
      first.push_back(h);
      orders_.push_back(FiniteGroup(H.degree(), first).order(task));
    }
  }
  std::vector<ImageList> run() {
    extend(P_);
    return std::move(found_);
  }

 private:
  void extend(const FiniteGroup& centralizes) {
    const std::size_t level = images_.size();
    if (level == H_.generators().size()) {
      if (std::ranges::any_of(images_, [](const Permutation& x) { return !x.is_identity(); }))
        found_.push_back(images_);
      return;
    }
    for (const Permutation& x : candidates(H_.generators()[level].order(), centralizes)) {
      task_.poll();
      images_.push_back(x);
      if (is_homomorphic()) extend(x.is_identity() ? centralizes : centralizer(centralizes, x, task_));
      images_.pop_back();
    }
  }

  /// Elements of P whose order divides this one, one of every orbit under conjugation.
  ImageList candidates(const Integer& order, const FiniteGroup& centralizes) {
    ImageList out;
    if (images_.empty()) {
      if (P_.order() > most_sorted)
        throw LimitError(
            fmt::format("actions are looked for where the group acted on has at most {} automorphisms, and "
                        "here it has {}",
                        most_sorted, P_.order().str()));
      const ConjugacyClasses classes = conjugacy_classes(P_, task_);
      for (std::size_t k = 0; k < classes.size(); ++k)
        if (order % classes[k].element_order == 0) out.push_back(classes[k].representative);
      return out;
    }
    FlatIndex<Point> seen(P_.degree());
    for (const Permutation& x : elements()) {
      task_.poll();
      if (order % x.order() != 0 || seen.find(x.images()) != FlatIndex<Point>::none) continue;
      out.push_back(x);
      ImageList orbit{x};
      seen.insert(x.images());
      for (std::size_t k = 0; k < orbit.size(); ++k)
        for (const Permutation& c : centralizes.generators()) {
          Permutation y = c * orbit[k] * c.inverse();
          if (seen.find(y.images()) != FlatIndex<Point>::none) continue;
          seen.insert(y.images());
          orbit.push_back(std::move(y));
        }
    }
    return out;
  }
  const ImageList& elements() {
    if (!elements_.empty()) return elements_;
    if (P_.order() > most_automorphisms)
      throw LimitError(
          fmt::format("the actions of a group with two generators or more are looked for where the other "
                      "group has at most {} automorphisms, and here it has {}",
                      most_automorphisms, P_.order().str()));
    task_.require_memory(P_.order().convert_to<std::uint64_t>() * P_.degree() * sizeof(Point),
                         "the list of automorphisms");
    P_.chain(task_).for_each_element(
        [&](const Permutation& x) {
          elements_.push_back(x);
          return true;
        },
        task_);
    return elements_;
  }

  /// Do the images so far give a homomorphism? The pairs then generate a group as large as that of the first halves.
  bool is_homomorphic() const {
    const auto& h = H_.generators();
    const std::size_t last = images_.size() - 1;
    for (std::size_t k = 0; k < last; ++k)
      if ((h[k] * h[last]).order() % (images_[k] * images_[last]).order() != 0) return false;
    ImageList pairs;
    const std::size_t n = H_.degree();
    for (std::size_t k = 0; k <= last; ++k)
      pairs.push_back(named::permutation_by(n + P_.degree(), [&](std::size_t i) {
        return i < n ? h[k](static_cast<Point>(i)) : n + images_[k](static_cast<Point>(i - n));
      }));
    return FiniteGroup(n + P_.degree(), std::move(pairs)).order(task_) == orders_[last];
  }

  const FiniteGroup &H_, &P_;
  const Task& task_;
  std::vector<Integer> orders_;  ///< the orders of the subgroups that the first generators give
  ImageList elements_, images_;
  std::vector<ImageList> found_;
};

/// Is there an element of P that conjugates every x to its y?
bool conjugate_together(FiniteGroup P, ImageList x, const ImageList& y, const Task& task) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto t = conjugating_element(P, x[k], y[k], task);
    if (!t) return false;
    const Permutation back = t->inverse();
    for (std::size_t l = k; l < x.size(); ++l) x[l] = *t * x[l] * back;
    if (!y[k].is_identity()) P = centralizer(P, y[k], task);
  }
  return true;
}

/// One of every class of actions under automorphisms of H, which change no group.
void merge_actions(std::vector<ImageList>& actions, const FiniteGroup& H, const FiniteGroup& P, const Task& task) {
  // Faithful actions with the same image differ by an automorphism of H.
  std::vector<FiniteGroup> faithful;
  std::erase_if(actions, [&](const ImageList& action) {
    const FiniteGroup image(P.degree(), action);
    if (image.order(task) != H.order(task)) return false;
    const auto same = [&](const FiniteGroup& other) { return is_subgroup(image, other, task); };
    if (std::ranges::any_of(faithful, same)) return true;
    faithful.push_back(image);
    return false;
  });
  if (actions.size() < 2) return;
  if (H.order() > largest_tabled_order)
    throw LimitError(
        fmt::format("{} acts in several ways, and those of groups with more than {} elements are not compared",
                    H.name(), largest_tabled_order));
  const CayleyTable table(H, task);
  const FiniteGroup automorphisms_of_H = automorphisms(table, task);
  std::vector<std::size_t> root(actions.size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  for (std::size_t k = 0; k < actions.size(); ++k) {
    const ImageList values = table.values<Permutation>(Permutation::identity(P.degree()), actions[k]);
    for (const Permutation& a : automorphisms_of_H.generators()) {
      ImageList moved;
      for (const TableElement g : table.generators()) moved.push_back(values[a(g)]);
      for (std::size_t l = 0; l < actions.size(); ++l)
        if (root[l] != root[k] && conjugate_together(P, moved, actions[l], task)) {
          const auto [kept, gone] = std::minmax(root[k], root[l]);
          for (std::size_t& r : root)
            if (r == gone) r = kept;
        }
    }
  }
  std::vector<ImageList> kept;
  for (std::size_t k = 0; k < actions.size(); ++k)
    if (root[k] == k) kept.push_back(std::move(actions[k]));
  actions = std::move(kept);
}

/// N : H on the elements of N, and on the points of H as well where the action is not faithful.
FiniteGroup split_extension_by(const FiniteGroup& N, const CayleyTable& table, const FiniteGroup& H,
                               const ImageList& action, const Task& task) {
  const Integer order = H.order(task);
  const std::size_t n = table.order();
  const std::size_t degree = n + (FiniteGroup(n, action).order(task) == order ? 0 : H.degree());
  named::require_size("the semidirect product", Integer(degree), N.generators().size() + action.size());
  ImageList generators;
  const auto add = [&](const Permutation& inside, const Permutation* outside) {
    generators.push_back(named::permutation_by(degree, [&](std::size_t i) -> std::size_t {
      if (i < n) return inside(static_cast<Point>(i));
      return outside == nullptr ? i : n + (*outside)(static_cast<Point>(i - n));
    }));
  };
  for (const TableElement g : table.generators()) add(table.left_multiplication(g), nullptr);
  for (std::size_t k = 0; k < action.size(); ++k) add(action[k], &H.generators()[k]);
  return FiniteGroup::with_known_order(degree, std::move(generators),
                                       named::tight_operand(N, false) + ":" + named::tight_operand(H, true),
                                       order * Integer(n));
}

/// Is the action that of a homomorphism H -> N, followed by conjugation? Then the product is the direct one.
bool comes_from_inside(const CayleyTable& table, const FiniteGroup& H, const ImageList& action, const Task& task) {
  std::vector<ImageList> choices;  // for every generator of H, the elements of N that act as it does
  for (const Permutation& a : action) {
    ImageList list;
    for (std::size_t k = 0; k < table.order(); ++k) {
      const auto x = static_cast<TableElement>(k);
      if (std::ranges::all_of(table.generators(), [&](TableElement g) {
            return table.product(x, g) == table.product(static_cast<TableElement>(a(g)), x);
          }))
        list.push_back(table.left_multiplication(x));
    }
    if (list.empty()) return false;
    choices.push_back(std::move(list));
  }
  const std::size_t m = H.degree();
  for (std::vector<std::size_t> at(choices.size(), 0);;) {
    task.poll();
    ImageList pairs;
    for (std::size_t k = 0; k < at.size(); ++k)
      pairs.push_back(named::permutation_by(m + table.order(), [&](std::size_t i) -> std::size_t {
        return i < m ? H.generators()[k](static_cast<Point>(i)) : m + choices[k][at[k]](static_cast<Point>(i - m));
      }));
    if (FiniteGroup(m + table.order(), std::move(pairs)).order(task) == H.order()) return true;
    std::size_t k = 0;
    while (k < at.size() && ++at[k] == choices[k].size()) at[k++] = 0;
    if (k == at.size()) return false;
  }
}

std::vector<FiniteGroup> split_extensions(const FiniteGroup& N, const FiniteGroup& H, const Task& task) {
  const CayleyTable table(N, task);
  const FiniteGroup P = automorphisms(table, task);
  std::vector<ImageList> actions = ActionSearch(H, P, task).run();
  merge_actions(actions, H, P, task);
  std::erase_if(actions, [&](const ImageList& action) { return comes_from_inside(table, H, action, task); });
  std::vector<FiniteGroup> groups;
  for (const ImageList& action : actions) groups.push_back(split_extension_by(N, table, H, action, task));
  return groups;
}

/// C_n : C_m by the least r of every subgroup <r> of units, where b a b^-1 = a^r.
std::vector<FiniteGroup> metacyclic_extensions(std::size_t n, std::size_t m, const Task& task) {
  std::vector<std::size_t> exponents;
  std::vector<bool> seen(n);
  for (std::size_t r = 2; r < n; ++r) {
    task.poll();
    if (seen[r] || std::gcd(r, n) != 1) continue;
    std::vector<std::size_t> powers{1};
    for (std::size_t x = r; x != 1; x = x * r % n) powers.push_back(x);
    const std::size_t order = powers.size();
    for (std::size_t k = 1; k < order; ++k)
      if (std::gcd(k, order) == 1) seen[powers[k]] = true;
    if (m % order == 0) exponents.push_back(r);
  }
  if (exponents.size() > most_extensions)
    throw LimitError(
        fmt::format("C{} : C{} is one of {} groups; write C{}:C{}(r) where the generator of C{} takes x to x^r", n, m,
                    exponents.size(), n, m, m));
  task.require_memory(exponents.size() * 2 * (n + m) * sizeof(Point), "semidirect products");
  std::vector<FiniteGroup> groups;
  for (const std::size_t r : exponents) groups.push_back(metacyclic_group(n, m, r));
  return groups;
}

/// Isomorphisms between central subgroups of A and B: the number of an element in the centre of B for every one in that of A, or none.
using Identification = std::vector<TableElement>;
constexpr TableElement not_identified = 0xffff;

class Identifications {
 public:
  Identifications(const CayleyTable& A, const CayleyTable& B, const Task& task) : A_(A), B_(B), task_(task) {}

  /// The identifications of the largest central subgroups that can be identified.
  std::vector<Identification> largest() const {
    Identification trivial(A_.order(), not_identified);
    trivial[0] = 0;
    std::set<Identification> seen{trivial};
    std::vector<Identification> queue{trivial}, best;
    std::size_t most = 1;
    for (std::size_t k = 0; k < queue.size(); ++k) {
      const Identification at = queue[k];
      const auto size =
          static_cast<std::size_t>(std::ranges::count_if(at, [](TableElement w) { return w != not_identified; }));
      if (size > most) best.clear();
      most = std::max(most, size);
      if (size == most && size > 1) best.push_back(at);
      for (const TableElement z : centre_of(A_)) {
        if (at[z] != not_identified) continue;
        for (const TableElement w : centre_of(B_)) {
          if (order_of(A_, z) != order_of(B_, w)) continue;
          auto larger = extended(at, z, w);
          if (!larger || !seen.insert(*larger).second) continue;
          if (seen.size() > most_identifications)
            throw LimitError(
                fmt::format("central subgroups can be identified in more than {} ways", most_identifications));
          queue.push_back(*std::move(larger));
        }
      }
    }
    return best;
  }

 private:
  static std::vector<TableElement> centre_of(const CayleyTable& table) {
    std::vector<TableElement> centre;
    for (std::size_t z = 0; z < table.order(); ++z)
      if (table.is_central(static_cast<TableElement>(z))) centre.push_back(static_cast<TableElement>(z));
    return centre;
  }

  static std::size_t order_of(const CayleyTable& table, TableElement z) {
    std::size_t order = 1;
    for (TableElement x = z; x != 0; x = table.product(x, z)) ++order;
    return order;
  }

  /// With z -> w, of one order, as well; nothing if that is no isomorphism.
  std::optional<Identification> extended(const Identification& at, TableElement z, TableElement w) const {
    task_.poll();
    std::vector<bool> used(B_.order());
    for (const TableElement v : at)
      if (v != not_identified) used[v] = true;
    Identification larger = at;
    TableElement x = z, y = w;
    for (; at[x] == not_identified; x = A_.product(x, z), y = B_.product(y, w)) {
      if (used[y]) return std::nullopt;
      for (std::size_t d = 0; d < at.size(); ++d)
        if (at[d] != not_identified) larger[A_.product(x, static_cast<TableElement>(d))] = B_.product(y, at[d]);
    }
    return at[x] == y ? std::optional(std::move(larger)) : std::nullopt;
  }

  const CayleyTable &A_, &B_;
  const Task& task_;
};

/// The direct product modulo the pairs (z, w^-1): on their orbits on pairs of points where the z or the w move every point of theirs, so that nothing else fixes
/// all of these orbits; otherwise on its elements.
FiniteGroup amalgamated(const FiniteGroup& A, const CayleyTable& a, const FiniteGroup& B, const CayleyTable& b,
                        const Identification& identified) {
  std::vector<std::pair<TableElement, TableElement>> pairs;
  for (std::size_t z = 0; z < a.order(); ++z)
    if (identified[z] != not_identified)
      for (std::size_t w = 0; w < b.order(); ++w)
        if (b.product(static_cast<TableElement>(w), identified[z]) == 0)
          pairs.emplace_back(static_cast<TableElement>(z), static_cast<TableElement>(w));
  const Integer order = Integer(a.order()) * b.order() / pairs.size();
  const std::string name = named::tight_operand(A, false) + " o " + named::tight_operand(B, true);
  ImageList x_generators, y_generators, x_pairs, y_pairs;
  const auto act = [&](const CayleyTable& table, const FiniteGroup& G, bool on_points, ImageList& generators,
                       ImageList& of_pairs, auto member) {
    const ImageList values =
        on_points ? table.values<Permutation>(Permutation::identity(G.degree()), G.generators()) : ImageList();
    const auto image = [&](TableElement g) { return on_points ? values[g] : table.left_multiplication(g); };
    for (const TableElement g : table.generators()) generators.push_back(image(g));
    for (const auto& pair : pairs) of_pairs.push_back(image(pair.*member));
  };
  using Pair = std::pair<TableElement, TableElement>;
  const auto on = [&](bool points) {
    for (ImageList* list : {&x_generators, &y_generators, &x_pairs, &y_pairs}) list->clear();
    act(a, A, points, x_generators, x_pairs, &Pair::first);
    act(b, B, points, y_generators, y_pairs, &Pair::second);
  };
  const auto moves_all = [](const ImageList& central) {
    return std::ranges::all_of(central, [](const Permutation& z) {
      for (std::size_t x = 0; x < z.degree() && !z.is_identity(); ++x)
        if (z(static_cast<Point>(x)) == x) return false;
      return true;
    });
  };
  bool points = A.degree() < a.order() && B.degree() < b.order();
  if (points) on(true), points = moves_all(x_pairs) || moves_all(y_pairs);
  if (!points) on(false);

  const std::size_t n = x_pairs.front().degree(), m = y_pairs.front().degree();
  named::require_size(name, Integer(n) * m / pairs.size(), x_generators.size() + y_generators.size());
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> number(n * m, none), first;
  const auto moved = [&](const Permutation& x, const Permutation& y, std::size_t i) {
    return x(static_cast<Point>(i / m)) * m + y(static_cast<Point>(i % m));
  };
  for (std::size_t i = 0; i < n * m; ++i) {
    if (number[i] != none) continue;
    for (std::size_t k = 0; k < pairs.size(); ++k) number[moved(x_pairs[k], y_pairs[k], i)] = first.size();
    first.push_back(i);
  }
  ImageList generators;
  const auto add = [&](const Permutation& x, const Permutation& y) {
    generators.push_back(
        named::permutation_by(first.size(), [&](std::size_t i) { return number[moved(x, y, first[i])]; }));
  };
  for (const Permutation& x : x_generators) add(x, Permutation::identity(m));
  for (const Permutation& y : y_generators) add(Permutation::identity(n), y);
  return FiniteGroup::with_known_order(first.size(), std::move(generators), name, order);
}

}  // namespace

std::vector<FiniteGroup> semidirect_products(const FiniteGroup& N, const FiniteGroup& H, const Task& task) {
  const Integer order = N.order(task) * H.order(task);
  const auto *n = N.structure().as<structure::Cyclic>(), *m = H.structure().as<structure::Cyclic>();
  const bool cyclic = n != nullptr && m != nullptr;
  std::vector<FiniteGroup> groups = cyclic ? metacyclic_extensions(n->n, m->n, task) : split_extensions(N, H, task);
  if (order <= CayleyTable::largest_order) {
    const FiniteGroup direct = direct_product({N, H});
    keep_types(groups, &direct, task);
  }
  return order > largest_listed_order || (cyclic && groups.size() > 1) ? groups : as_listed(groups, task);
}

std::vector<FiniteGroup> central_products(const FiniteGroup& A, const FiniteGroup& B, const Task& task) {
  const CayleyTable a(A, task), b(B, task);
  std::vector<FiniteGroup> groups;
  for (const Identification& identified : Identifications(a, b, task).largest())
    groups.push_back(amalgamated(A, a, B, b, identified));
  if (groups.empty()) return groups;
  const Integer order = groups.front().order();
  if (groups.size() > 1 && order <= CayleyTable::largest_order) keep_types(groups, nullptr, task);
  return order > largest_listed_order ? groups : as_listed(groups, task);
}

FiniteGroup group_of_automorphisms(const FiniteGroup& G, const Task& task) {
  const FiniteGroup P = automorphisms(CayleyTable(G, task), task);
  const std::size_t degree = std::max<std::size_t>(P.degree(), 2) - 1;  // the identity stays where it is
  ImageList generators;
  for (const Permutation& a : P.generators())
    generators.push_back(
        named::permutation_by(degree, [&](std::size_t i) { return a(static_cast<Point>(i + 1)) - 1; }));
  return FiniteGroup::with_known_order(degree, std::move(generators), "Aut(" + G.name() + ")", P.order());
}

FiniteGroup holomorph(const FiniteGroup& G, const Task& task) {
  const CayleyTable table(G, task);
  const FiniteGroup P = automorphisms(table, task);
  ImageList generators;
  for (const TableElement g : table.generators()) generators.push_back(table.left_multiplication(g));
  for (const Permutation& a : P.generators()) generators.push_back(a);
  return FiniteGroup::with_known_order(table.order(), named::without_redundant(std::move(generators)),
                                       "Hol(" + G.name() + ")", P.order() * Integer(table.order()));
}

std::vector<structure::SmallGroup> frobenius_groups(unsigned order, const Task& task) {
  std::vector<structure::SmallGroup> found;
  const unsigned count = number_of_small_groups(order);
  // The kernel has k elements, the centralizers of all but the identity lie in it, and the others act on it without fixed points.
  std::vector<unsigned> sizes;
  for (unsigned k = 3; k < order; ++k)
    if (order % k == 0 && (k - 1) % (order / k) == 0) sizes.push_back(k);
  if (sizes.empty()) return found;
  const auto has_kernel = [&](const FiniteGroup& G, const ConjugacyClasses& classes, unsigned k) {
    Integer elements = 0;
    std::vector<Permutation> kernel;
    for (std::size_t j = 0; j < classes.size(); ++j) {
      const ConjugacyClass& c = classes[j];
      if (Integer(k) % c.element_order != 0) continue;
      elements += c.size;
      kernel.push_back(c.representative);
      if (c.element_order > 1 && Integer(k) % c.centralizer_order != 0) return false;
    }
    return elements == k && normal_closure(G, kernel, task).order(task) == k;
  };
  for (unsigned number = 1; number <= count; ++number) {
    const FiniteGroup G = small_group(order, number);
    const ConjugacyClasses classes = conjugacy_classes(G, task);
    if (std::ranges::any_of(sizes, [&](unsigned k) { return has_kernel(G, classes, k); }))
      found.push_back({order, number});
  }
  return found;
}

}  // namespace intertwine
