// Dihedral and dicyclic groups: recognition from any generators, and their classes.
#include <algorithm>
#include <numeric>

#include "groups/classes/class_state.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

namespace {

bool commute(const Permutation& g, const Permutation& h) {
  for (Point x = 0; x < g.degree(); ++x)
    if (g(h(x)) != h(g(x))) return false;
  return true;
}

/// x g x^-1 = g^-1
bool inverts(const Permutation& x, const Permutation& g) {
  for (Point i = 0; i < g.degree(); ++i)
    if (g(x(g(i))) != x(i)) return false;
  return true;
}

bool is_involution(const Permutation& g) {
  for (Point i = 0; i < g.degree(); ++i)
    if (g(g(i)) != i) return false;
  return true;
}

/// An element whose order is the least common multiple of those of g and h, which commute.
Permutation combined(const Permutation& g, const Permutation& h) {
  auto m = g.order().convert_to<std::uint64_t>(), n = h.order().convert_to<std::uint64_t>();
  // Every prime power of the product goes to the one with more of it.
  std::uint64_t of_g = 1, of_h = 1;  // factors to be removed from the orders
  for (const std::uint64_t p : prime_divisors(std::gcd(m, n))) {
    std::uint64_t in_m = 1, in_n = 1;
    for (std::uint64_t k = m; k % p == 0; k /= p) in_m *= p;
    for (std::uint64_t k = n; k % p == 0; k /= p) in_n *= p;
    (in_m < in_n ? of_g : of_h) *= in_m < in_n ? in_m : in_n;
  }
  return g.power(of_g) * h.power(of_h);
}

/// Cycles of `a` with the least common multiple n of their lengths.
void choose_cycles(DihedralForm& form) {
  form.position.assign(form.a.degree(), 0);
  std::vector<char> seen(form.a.degree(), 0);
  std::vector<std::vector<Point>> all;
  for (Point start = 0; start < form.a.degree(); ++start) {
    if (seen[start]) continue;
    all.emplace_back();
    for (Point x = start; !seen[x]; x = form.a(x)) seen[x] = 1, all.back().push_back(x);
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& c, const auto& d) { return c.size() > d.size(); });
  form.probe = all[0][0];
  std::uint64_t known = 1;
  for (auto& cycle : all) {
    if (known == form.n) break;
    if (known % cycle.size() == 0) continue;
    known = std::lcm(known, std::uint64_t{cycle.size()});
    for (std::size_t k = 0; k < cycle.size(); ++k) form.position[cycle[k]] = static_cast<std::uint32_t>(k);
    form.cycles.push_back(std::move(cycle));
  }
}

}  // namespace

DihedralForm::Place DihedralForm::place(const Permutation& g) const {
  Place result{g(a(probe)) != a(g(probe)), 0};
  std::uint64_t modulus = 1;
  for (const auto& cycle : cycles) {
    const Point y = result.reflection ? inverse(g(cycle[0])) : g(cycle[0]);
    const std::uint64_t length = cycle.size(), k = position[y];
    while (result.exponent % length != k) result.exponent += modulus;
    modulus = std::lcm(modulus, length);
  }
  return result;
}

std::optional<DihedralForm> dihedral_form(const FiniteGroup& G, const Task& task) {
  constexpr std::size_t few = 16;  // generators; a dihedral group given by more is not worth the pairs
  const auto& generators = G.generators();
  const Integer& order = G.order(task);
  if (generators.size() < 2 || generators.size() > few || order < 6 || order == 8 || order % 2 != 0)
    return std::nullopt;
  // The commutators generate <a^2>; one of order above 2 commutes with the elements of <a> and no others.
  std::optional<Permutation> c;
  for (std::size_t i = 0; i < generators.size() && !c; ++i)
    for (std::size_t j = 0; j < i && !c; ++j) {
      Permutation gh = generators[i] * generators[j];
      Permutation candidate = gh * (generators[j] * generators[i]).inverse();
      if (!is_involution(candidate)) c = std::move(candidate);
    }
  if (!c) return std::nullopt;
  const Permutation* x = nullptr;
  Permutation a = *c;
  const auto join = [&](const Permutation& g) {
    if (!commute(g, a) || !inverts(*x, g)) return false;
    a = combined(a, g);
    return true;
  };
  for (const Permutation& g : generators)
    if (!x && !commute(g, *c)) x = &g;
  if (!x || !inverts(*x, a)) return std::nullopt;
  for (const Permutation& g : generators)
    if (&g != x && !join(commute(g, *c) ? g : *x * g)) return std::nullopt;
  if (!join(*x * *x)) return std::nullopt;
  const Integer n = a.order();
  if (2 * n != order) return std::nullopt;
  DihedralForm form{a, *x, n.convert_to<std::uint64_t>(), !is_involution(*x), {}, {}, x->inverse(), 0};
  choose_cycles(form);
  return form;
}

namespace {

struct DihedralState final : ConjugacyClasses::State {
  DihedralState(const FiniteGroup& G, DihedralForm dihedral, const Task& task) : State(G), form(std::move(dihedral)) {
    const std::uint64_t n = form.n;
    Permutation power = Permutation::identity(G.degree());
    for (std::uint64_t k = 0; k <= n / 2; ++k, power = power * form.a) {
      task.poll();
      const bool central = k == 0 || 2 * k == n;
      classes.push_back({power, central ? 1 : 2, n / std::gcd(n, k), central ? Integer(2 * n) : Integer(n)});
    }
    const std::uint64_t outside = n % 2 == 0 ? 2 : 1;
    for (std::uint64_t k = 0; k < outside; ++k)
      classes.push_back(
          {k == 0 ? form.x : form.x * form.a, n / outside, form.dicyclic ? 4U : 2U, Integer(2 * outside)});
  }
  std::uint32_t identify(const Permutation& g, const Task&) const override {
    const auto [reflection, k] = form.place(g);
    const std::uint64_t rotations = form.n / 2 + 1;
    return static_cast<std::uint32_t>(reflection ? rotations + (form.n % 2 == 0 ? k % 2 : 0) : std::min(k, form.n - k));
  }
  DihedralForm form;
};

}  // namespace

ClassState classes_of_dihedral_group(const FiniteGroup& G, const DihedralForm& form, const Task& task) {
  task.require_memory((form.n / 2 + 3) * (G.degree() * sizeof(Point) + sizeof(ConjugacyClass)),
                      "the conjugacy classes");
  return std::make_shared<DihedralState>(G, form, task);
}

}  // namespace intertwine
