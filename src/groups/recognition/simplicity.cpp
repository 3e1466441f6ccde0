// Is a permutation group simple?
//
// A perfect group is replaced by a faithful primitive action, or is not simple. By the O'Nan-Scott theorem
// [Dixon & Mortimer 1996, 4.6 to 4.8; Liebeck, Praeger & Saxl 1988] the socle of a primitive group G of
// degree n is T^l, T simple, and
// - T is abelian: n = p^d and G = T^d : G_x (affine); or
// - l = 1: then G <= Aut(T), G/T is solvable (Schreier's conjecture, by the classification), so a perfect G
// is T itself; or
// - l >= 2. A perfect G permutes the factors of a minimal normal subgroup transitively by a perfect group, so
// there is one factor or at
//   least 5. Thus l >= 5 and n = m^l with m >= 5, or n = |T|^e with e >= l/2 (diagonal, compound diagonal,
//   twisted wreath), so n is at least a cube; or there are two minimal normal subgroups, both regular, and
//   either l >= 10 and n = |T|^(l/2), or l = 2, G = T x T, n = |T| and |G| = n^2.
// If n = p^d, the simple groups are on Guralnick's list [J. Algebra 81, 1983]: Alt(n), PSL(m, q) with (q^m -
// 1)/(q - 1) = n, PSL(2,11), M11, M23 (n prime), and PSU(4,2) of degree 27.
#include <algorithm>

#include "groups/chain/giant.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/blocks.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

namespace {

bool is_prime_order(const Integer& order, std::size_t degree) {
  // A prime that divides the order of a permutation group is at most the degree.
  return order <= degree && is_prime(static_cast<std::uint64_t>(order));
}

Integer power(std::size_t base, std::size_t exponent) {
  return boost::multiprecision::pow(Integer(base), static_cast<unsigned>(exponent));
}

/// The order of PSL(m, q).
Integer psl_order(std::size_t m, std::size_t q) {
  Integer order = power(q, m * (m - 1) / 2);
  for (std::size_t i = 2; i <= m; ++i) order *= power(q, i) - 1;
  return order / gcd(Integer(m), Integer(q - 1));
}

/// |GL(d, p)|.
Integer gl_order(std::size_t d, std::size_t p) {
  Integer order = 1;
  for (std::size_t i = 0; i < d; ++i) order *= power(p, d) - power(p, i);
  return order;
}

bool is_integral_power(std::size_t n, std::size_t exponent, std::size_t least_base) {
  for (std::size_t m = least_base;; ++m) {
    const Integer value = power(m, exponent);
    if (value >= n) return value == n;
  }
}

/// Perfect and primitive of degree n = p^d, neither Sym(n) nor Alt(n).
std::optional<bool> is_simple_of_prime_power_degree(const FiniteGroup& G, PrimePower n, const Task& task) {
  // An affine group of prime degree is solvable, and a product action has no prime degree.
  if (n.exponent == 1) return true;
  const Integer& order = G.order();
  // The stabilizer is a complement of an affine socle, so it is perfect with G; for l >= 5 it is not solvable
  // either.
  if (is_solvable(stabilizer(G, 0, task), task)) return true;
  if (G.degree() == 27 && order == 25920) return true;  // 960, the stabilizer's order, does not divide |GL(3,3)|
  // PSL(2, q) has a solvable stabilizer. For m >= 3 an equal order has to exclude the affine groups, and the
  // other types need d >= 5.
  for (std::size_t q = 2; q * q < G.degree(); ++q) {
    if (!prime_power(q)) continue;
    std::size_t points = 1 + q, m = 2;
    for (; points < G.degree(); ++m) points = points * q + 1;
    if (points != G.degree() || order != psl_order(m, q)) continue;
    const Integer affine = Integer(G.degree()) * gl_order(n.exponent, n.prime);
    if (affine % order != 0 && n.exponent < 5) return true;
    return std::nullopt;
  }
  return false;
}

/// May the socle have more than one factor? Necessary conditions by degree and order; n is no prime power.
bool socle_may_be_a_power(const FiniteGroup& G) {
  const std::size_t n = G.degree();
  const Integer& order = G.order();
  if (order == Integer(n) * n) return true;
  bool power_degree = false;
  for (std::size_t e = 5; e < 64 && (std::size_t{5} << (2 * (e - 1))) <= n; ++e)
    power_degree |= is_integral_power(n, e, 5);
  for (std::size_t e = 3; e <= 4; ++e) power_degree |= is_integral_power(n, e, 60);
  if (!power_degree) return false;
  // |T|^5 divides the order, and |T| is divisible by 4 and two odd primes.
  if (order % power(2, 10) != 0) return false;
  int primes = 0;
  for (std::size_t p = 3; p <= n && primes < 2; p += 2)
    if (is_prime(p) && order % power(p, 5) == 0) ++primes;
  return primes == 2;
}

std::optional<bool> is_simple_primitive(const FiniteGroup& G, const Task& task) {
  const StabilizerChain& chain = G.chain(task);
  if (is_alternating(chain)) return true;  // perfect, so n >= 5
  if (const auto n = prime_power(G.degree())) return is_simple_of_prime_power_degree(G, *n, task);
  if (!socle_may_be_a_power(G)) return true;
  Rng rng(fixed_seed);
  for (int trial = 0; trial < 100; ++trial) {
    const Permutation g = G.random_element(rng);
    const Integer g_order = g.order();
    for (const std::uint32_t p : small_prime_divisors(g_order))
      if (normal_closure(G, {g.power(g_order / p)}, task).order() != chain.order()) return false;
  }
  return std::nullopt;
}

}  // namespace

std::optional<bool> is_simple(const FiniteGroup& G, const Task& task) {
  const Integer order = G.order(task);
  if (order == 1) return false;
  if (is_abelian(G, task)) return is_prime_order(order, G.degree());
  if (!is_perfect(G, task)) return false;
  // The shortest non-trivial orbit, then the blocks: where the action is not faithful its kernel is a normal
  // subgroup.
  std::vector<std::vector<Point>> all = orbits(G.degree(), G.generators());
  std::erase_if(all, [](const std::vector<Point>& orbit) { return orbit.size() == 1; });
  const auto shortest =
      std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  const FiniteGroup transitive = all.size() == 1 && shortest->size() == G.degree() ? G : restriction(G, *shortest);
  if (transitive.order(task) != order) return false;
  const FiniteGroup primitive = action_on_blocks(transitive, maximal_block_system(transitive, task));
  if (primitive.order(task) != order) return false;
  return is_simple_primitive(primitive, task);
}

}  // namespace intertwine
