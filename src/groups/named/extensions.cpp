// Extensions by their names: covers, semidirect and central products.
#include "intertwine/groups/extensions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "groups/named/named_support.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/echelon.hpp"
#include "intertwine/exact/finite_field.hpp"
#include "intertwine/groups/coset_space.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "intertwine/random.hpp"

namespace intertwine {

namespace {

using named::permutation_by;

/// A word in the generators, applied from its end; and its value in the centre, where that is given.
struct Relation {
  std::vector<std::size_t> word;
  std::optional<std::uint32_t> value;
};

/// The lifts of permutations of n points to p n points: generator k takes (i, s) to (x_k(i), s + a_k(i)). Unknowns are the a_k(i), where they are not made 0 along
/// a spanning tree, and the values of relations whose value is not given.
class LiftEquations {
 public:
  LiftEquations(const std::vector<Permutation>& generators, std::uint32_t p)
      : generators_(generators), n_(generators.front().degree()), p_(p), field_(p) {
    number_.assign(generators.size() * n_, none);
    std::vector<bool> reached(n_), tree(generators.size() * n_);
    std::vector<std::size_t> queue{0};
    reached[0] = true;
    for (std::size_t q = 0; q < queue.size(); ++q)
      for (std::size_t k = 0; k < generators.size(); ++k)
        if (const Point j = generators[k](static_cast<Point>(queue[q])); !reached[j]) {
          reached[j] = tree[k * n_ + queue[q]] = true;
          queue.push_back(j);
        }
    if (queue.size() != n_) throw DomainError("perfect_cover: the group is not transitive");
    for (std::size_t u = 0; u < number_.size(); ++u)
      if (!tree[u]) number_[u] = unknowns_++;
  }

  /// All solutions as a particular one and a basis of the homogeneous ones, each by the a_k(i); nothing if there are none.
  struct Solutions {
    std::vector<std::uint32_t> one;
    std::vector<std::vector<std::uint32_t>> basis;
  };
  std::optional<Solutions> solve(const std::vector<Relation>& relations, const Task& task) const {
    std::size_t free = unknowns_;
    for (const Relation& r : relations)
      if (!r.value) ++free;
    IncrementalEchelon<GaloisField> rows(field_, free + 1);
    std::size_t value = unknowns_;
    for (const Relation& r : relations) {
      std::vector<bool> seen(n_);
      for (std::size_t start = 0; start < n_; ++start) {
        task.poll();
        if (seen[start]) continue;
        std::vector<std::uint32_t> row(free + 1);
        add_path(r.word, start, row, seen);
        if (r.value)
          row[free] = field_.add(row[free], field_.negative(*r.value));
        else
          row[value] = field_.add(row[value], field_.negative(1));
        rows.insert(std::move(row));
      }
      if (!r.value) ++value;
    }
    rows.reduce_rows();
    std::vector<std::size_t> pivot_row(free + 1, none);
    for (std::size_t k = 0; k < rows.rank(); ++k) pivot_row[rows.pivots()[k]] = k;
    if (pivot_row[free] != none) return std::nullopt;  // 0 = 1
    Solutions out{labels([&](std::size_t u) {
                    return pivot_row[u] == none ? 0 : field_.negative(rows.rows()[pivot_row[u]][free]);
                  }),
                  {}};
    for (std::size_t chosen = 0; chosen < free; ++chosen)
      if (pivot_row[chosen] == none)
        out.basis.push_back(labels([&](std::size_t u) {
          if (pivot_row[u] == none) return std::uint32_t{u == chosen ? 1U : 0U};
          return field_.negative(rows.rows()[pivot_row[u]][chosen]);
        }));
    return out;
  }

  std::vector<Permutation> lifted(const std::vector<std::uint32_t>& labels) const {
    const std::size_t p = p_;
    std::vector<Permutation> out;
    for (std::size_t k = 0; k < generators_.size(); ++k)
      out.push_back(permutation_by(p * n_, [&](std::size_t point) {
        const std::size_t i = point % n_;
        return generators_[k](static_cast<Point>(i)) + (point / n_ + labels[k * n_ + i]) % p * n_;
      }));
    return out;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  void add_path(const std::vector<std::size_t>& word, std::size_t start, std::vector<std::uint32_t>& row,
                std::vector<bool>& seen) const {
    std::size_t at = start;
    for (std::size_t step = word.size(); step-- > 0;) {
      if (const std::size_t u = number_[word[step] * n_ + at]; u != none) row[u] = field_.add(row[u], 1);
      at = generators_[word[step]](static_cast<Point>(at));
    }
    if (at != start) throw InternalError("covers: a relation does not hold in the group");
    seen[start] = true;
  }
  template <class Value>
  std::vector<std::uint32_t> labels(Value value) const {
    std::vector<std::uint32_t> out(number_.size());
    for (std::size_t u = 0; u < out.size(); ++u)
      if (number_[u] != none) out[u] = value(number_[u]);
    return out;
  }

  const std::vector<Permutation>& generators_;
  std::size_t n_, p_;
  GaloisField field_;
  std::vector<std::size_t> number_;
  std::size_t unknowns_ = 0;
};

/// A word and its power that is 1.
Relation random_relation(const std::vector<Permutation>& generators, Rng& rng) {
  constexpr std::size_t longest = 14;
  std::vector<std::size_t> word(2 + rng.below(longest - 1));
  Permutation g = Permutation::identity(generators.front().degree());
  for (std::size_t& letter : word) {
    letter = rng.below(generators.size());
    g = g * generators[letter];
  }
  const auto order = g.order().convert_to<std::size_t>();
  Relation r;
  for (std::size_t k = 0; k < order; ++k) r.word.insert(r.word.end(), word.begin(), word.end());
  return r;
}

bool is_perfect_of_order(const FiniteGroup& E, const Integer& order, const Task& task) {
  return E.order(task) == order && derived_subgroup(E, task).order(task) == order;
}

/// The action of G on the cosets of H, generator by generator: of a group of this order.
FiniteGroup on_cosets(const FiniteGroup& G, const FiniteGroup& H, const Task& task, const Integer& order) {
  const CosetSpace cosets(G, H, task);
  std::vector<Permutation> images;
  for (const Permutation& g : G.generators())
    images.push_back(
        permutation_by(cosets.size(), [&](std::size_t i) { return cosets.coset_of(g * cosets.representative(i)); }));
  return FiniteGroup::with_known_order(cosets.size(), std::move(images), {}, order);
}

/// A subgroup of odd order of S_n, over which every double cover splits, of small index.
std::vector<Permutation> odd_subgroup(unsigned n) {
  switch (n) {
    case 4:
      return {parse_permutation("(1,2,3)", 4)};
    case 5:
      return {parse_permutation("(1,2,3,4,5)", 5)};
    case 6:
      return {parse_permutation("(1,2,3)", 6), parse_permutation("(4,5,6)", 6)};
    default:
      return {parse_permutation("(1,2,3,4,5,6,7)", 7), parse_permutation("(2,3,5)(4,7,6)", 7)};
  }
}

/// The permutations of the orbit of the first point.
std::vector<Permutation> on_first_orbit(const std::vector<Permutation>& generators) {
  std::vector<Point> orbit{0};
  std::vector<Point> place(generators.front().degree(), static_cast<Point>(-1));
  place[0] = 0;
  for (std::size_t q = 0; q < orbit.size(); ++q)
    for (const Permutation& g : generators)
      if (const Point j = g(orbit[q]); place[j] == static_cast<Point>(-1)) {
        place[j] = static_cast<Point>(orbit.size());
        orbit.push_back(j);
      }
  std::vector<Permutation> out;
  for (const Permutation& g : generators)
    out.push_back(permutation_by(orbit.size(), [&](std::size_t i) { return place[g(orbit[i])]; }));
  return out;
}

/// t_1, ..., t_(n-1) on twice the cosets of a subgroup of odd order.
std::vector<Permutation> lifted_transpositions(unsigned n, bool plus, const Task& task) {
  if (n < 4 || n > 7)
    throw DomainError(fmt::format("the double covers of A_n and S_n are built for n from 4 to 7, not {}", n));
  std::vector<Permutation> transpositions;
  for (unsigned i = 0; i + 1 < n; ++i)
    transpositions.push_back(parse_permutation(fmt::format("({},{})", i + 1, i + 2), n));
  const FiniteGroup S(n, transpositions), H(n, odd_subgroup(n));
  const FiniteGroup cosets = on_cosets(S, H, task, factorial(n));
  const std::uint32_t z = plus ? 0 : 1;
  std::vector<Relation> relations;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    relations.push_back({{i, i}, z});
    if (i + 2 < n) relations.push_back({{i, i + 1, i, i + 1, i, i + 1}, z});
    for (std::size_t j = i + 2; j + 1 < n; ++j) relations.push_back({{i, j, i, j}, 1});
  }
  const LiftEquations equations(cosets.generators(), 2);
  const auto found = equations.solve(relations, task);
  if (!found) throw InternalError("covers: the double cover of a symmetric group has no lift");
  return equations.lifted(found->one);
}

/// Generators of both side by side: the group of pairs over the same element.
FiniteGroup fibre_product(const FiniteGroup& A, const FiniteGroup& B, std::string name, const Integer& order,
                          const Task& task) {
  std::vector<Permutation> generators;
  const std::size_t n = A.degree();
  for (std::size_t k = 0; k < A.generators().size(); ++k)
    generators.push_back(permutation_by(n + B.degree(), [&](std::size_t i) {
      return i < n ? A.generators()[k](static_cast<Point>(i)) : n + B.generators()[k](static_cast<Point>(i - n));
    }));
  FiniteGroup E(n + B.degree(), std::move(generators), std::move(name));
  if (!is_perfect_of_order(E, order, task)) throw InternalError("covers: a product over a group is not its cover");
  return E;
}

/// A_n by t_1 t_i, i > 1, as the double cover has it.
FiniteGroup alternating_by_products(unsigned n) {
  std::vector<Permutation> generators;
  for (unsigned i = 1; i + 1 < n; ++i)
    generators.push_back(parse_permutation("(1,2)", n) * parse_permutation(fmt::format("({},{})", i + 1, i + 2), n));
  return FiniteGroup::with_known_order(n, std::move(generators), {}, factorial(n) / 2);
}

/// 3 . A_6 and 3 . A_7, generated as alternating_by_products: on 18 points, and over the 15 cosets of PSL(3,2).
FiniteGroup triple_cover(unsigned n, const Task& task) {
  const FiniteGroup A = alternating_by_products(n);
  if (n == 6) return perfect_cover(A, 3, "3.A6", task);
  const FiniteGroup L(7, {parse_permutation("(1,2,3,4,5,6,7)", 7), parse_permutation("(2,3)(4,7)", 7)});
  if (L.order(task) != 168) throw InternalError("covers: PSL(3,2) has another order");
  return perfect_cover(on_cosets(A, L, task, A.order()), 3, "3.A7", task);
}

}  // namespace

FiniteGroup perfect_cover(const FiniteGroup& G, unsigned p, std::string name, const Task& task) {
  if (p != 2 && p != 3 && p != 5)
    throw DomainError(fmt::format("perfect_cover: the centre has order 2, 3 or 5, not {}", p));
  if (G.generators().empty() || !is_perfect_of_order(G, G.order(task), task))
    throw DomainError(fmt::format("perfect_cover: {} is not perfect", G.name()));
  const Integer order = G.order(task) * p;
  const LiftEquations equations(G.generators(), p);
  Rng rng(17);
  std::vector<Relation> relations;
  constexpr int rounds = 8, each = 24, most_tried = 64;
  for (int round = 0; round < rounds; ++round) {
    for (int k = 0; k < each; ++k) relations.push_back(random_relation(G.generators(), rng));
    const auto found = equations.solve(relations, task);
    if (!found) break;
    // Most solutions split: they multiply generators by elements of Z, or come from characters of the stabilizer. These are a subspace, so that one of
    // the basis lies outside if any does.
    int tried = 0;
    for (const auto& labels : found->basis) {
      if (++tried > most_tried) break;
      FiniteGroup E(p * G.degree(), equations.lifted(labels), name);
      if (is_perfect_of_order(E, order, task)) return E;
    }
  }
  throw DomainError(
      fmt::format("perfect_cover: no perfect group with a centre of order {} over {} was found on {} points", p,
                  G.name(), p * G.degree()));
}

FiniteGroup double_cover_of_symmetric_group(unsigned n, bool plus, const Task& task) {
  std::vector<Permutation> t = lifted_transpositions(n, plus, task);
  const std::size_t degree = t.front().degree();
  FiniteGroup E(degree, std::move(t), fmt::format("2.S{}{}", n, plus ? '+' : '-'));
  if (E.order(task) != factorial(n) * 2) throw InternalError("covers: a double cover has the wrong order");
  return E;
}

FiniteGroup double_cover_of_alternating_group(unsigned n, const Task& task) {
  const std::vector<Permutation> t = lifted_transpositions(n, false, task);
  std::vector<Permutation> products;
  for (std::size_t i = 1; i < t.size(); ++i) products.push_back(t[0] * t[i]);
  products = on_first_orbit(products);
  const std::size_t degree = products.front().degree();
  FiniteGroup E(degree, std::move(products), fmt::format("2.A{}", n));
  if (E.order(task) != factorial(n)) throw InternalError("covers: a double cover has the wrong order");
  return E;
}

const std::vector<std::string>& names_of_covers() {
  static const std::vector<std::string> names{"2.A7",  "3.A6",  "3.A7",  "6.A6",  "6.A7",  "2.M12", "2.J2", "2.S4+",
                                              "2.S4-", "2.S5+", "2.S5-", "2.S6+", "2.S6-", "2.S7+", "2.S7-"};
  return names;
}

FiniteGroup cover_by_name(std::string_view name, const Task& task) {
  const auto& names = names_of_covers();
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw DomainError(fmt::format("cover_by_name: there is no '{}'", name.substr(0, 40)));
  if (name == "2.M12") return perfect_cover(sporadic_group("M12", task), 2, "2.M12", task);
  if (name == "2.J2") return perfect_cover(sporadic_group("J2", task), 2, "2.J2", task);
  const auto n = static_cast<unsigned>(name[3] - '0');
  if (name[2] == 'S') return double_cover_of_symmetric_group(n, name.back() == '+', task);
  if (name[0] == '2') return double_cover_of_alternating_group(n, task);
  if (name[0] == '3') return triple_cover(n, task);
  return fibre_product(double_cover_of_alternating_group(n, task), triple_cover(n, task), std::string(name),
                       factorial(n) * 3, task);
}

}  // namespace intertwine
