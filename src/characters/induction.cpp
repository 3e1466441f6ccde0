// Irreducible characters from induced ones by lattice reduction.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "character_lattice.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/fewer_points.hpp"
#include "intertwine/groups/sylow.hpp"

namespace intertwine {

namespace {

using Element = PrimeField::Element;
using Vector = ModularCharacters::Vector;

/// Inner products are known modulo a prime beyond 2^60. The norm of an induced irreducible character is at most the index.
constexpr std::uint64_t largest_norm = std::uint64_t{1} << 56;
constexpr double most_norm = 0x1p56;

class Search {
 public:
  Search(const ModularCharacters& space, const Task& task) : s_(space), task_(task), lattice_(space, task) {
    for (std::size_t c = 0; c < s_.size(); ++c) {
      centralizer_order_.push_back(s_.classes[c].centralizer_order.convert_to<double>());
      const std::uint64_t n = s_.classes[c].element_order;
      bool rational = true;
      for (std::uint64_t k = 1; k < n && rational; ++k) rational = std::gcd(k, n) > 1 || s_.powers(c, k) == c;
      rational_.push_back(rational);
    }
  }

  void run(const ModularTable& known) {
    for (const Vector& chi : known) lattice_.add(chi);
    lattice_.add(Vector(s_.size(), s_.field.one()));
    lattice_.add(permutation_character());
    products(64);
    std::vector<std::size_t> order;
    for (std::size_t c = s_.size(); c-- > 0;) order.push_back(c);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return s_.classes[a].element_order > s_.classes[b].element_order;
    });
    std::vector<char> done(s_.size(), 0);
    for (const std::size_t c : order) {
      if (lattice_.complete()) break;
      if (done[c]) continue;
      const std::uint64_t n = s_.classes[c].element_order;
      for (std::uint64_t k = 1; k <= n; ++k)
        if (std::gcd(k, n) == 1) done[s_.powers(c, k)] = 1;
      task_.progress("characters", lattice_.irreducibles().size(), s_.size());
      if (s_.classes.group().order() / n < largest_norm) induce_cyclic(c);
    }
    symmetrizations();
    products(200);
    elementary();
    products(4000);
  }
  const ModularTable& found() const { return lattice_.irreducibles(); }

 private:
  Vector permutation_character() const {
    Vector v;
    for (std::size_t c = 0; c < s_.size(); ++c)
      v.push_back(s_.field.from(static_cast<std::int64_t>(s_.classes[c].representative.number_of_fixed_points())));
    return v;
  }

  /// The characters lambda_j, lambda_j(g) = zeta_n^j, of the group that g generates, induced: on the class of x the
  /// sum over the k with g^k conjugate to x of zeta_n^(jk) |C(x)| / n. Those that the normalizer of <g> fuses are equal.
  void induce_cyclic(std::size_t c) {
    const PrimeField& f = s_.field;
    const std::uint64_t n = s_.classes[c].element_order;
    const auto& power = s_.powers.of[c];
    const Element scale = f.inverse(f.from(static_cast<std::int64_t>(n)));
    std::vector<std::uint64_t> fusing;  // g^k conjugate to g
    for (std::uint64_t k = 1; k < n; ++k)
      if (std::gcd(k, n) == 1 && power[k] == c) fusing.push_back(k);
    std::vector<char> seen(n, 0);
    for (std::uint64_t j = 0; j < n && !lattice_.complete(); ++j) {
      if (seen[j]) continue;
      for (const std::uint64_t k : fusing) seen[j * k % n] = 1;
      Vector v(s_.size(), 0);
      for (std::uint64_t k = 0; k < n; ++k) v[power[k]] = f.add(v[power[k]], s_.root(n, j * k));
      for (std::size_t x = 0; x < v.size(); ++x)
        if (v[x] != 0) v[x] = f.multiply(v[x], f.multiply(scale, f.from(s_.classes[x].centralizer_order)));
      lattice_.add(std::move(v));
    }
  }

  /// For generalized characters v and primes p, (v^p - psi^p v) / p with (psi^p v)(g) = v(g^p) is one as well, an exterior
  /// power for p = 2. Characters induced from cyclic groups span an ideal, which products never leave, but these do.
  void symmetrizations() {
    const PrimeField& f = s_.field;
    for (bool any = true; any && !lattice_.complete();) {
      any = false;
      std::vector<Vector> list = lattice_.irreducibles();
      list.insert(list.end(), lattice_.basis().begin(), lattice_.basis().end());
      for (const Vector& v : list) {
        if (lattice_.complete()) return;
        if (!symmetrized_.insert(v).second) continue;
        const std::vector<double> size = absolute_values(v);
        for (const std::uint64_t p : {2U, 3U, 5U}) {
          double norm = 0;
          for (std::size_t c = 0; c < v.size(); ++c) norm += std::pow(size[c], 2 * p) / centralizer_order_[c];
          if (norm > most_norm) break;
          const Element scale = f.inverse(f.from(static_cast<std::int64_t>(p)));
          Vector w = v;
          for (std::size_t c = 0; c < v.size(); ++c) {
            for (std::uint64_t k = 1; k < p; ++k) w[c] = f.multiply(w[c], v[c]);
            w[c] = f.multiply(scale, f.subtract(w[c], v[s_.powers(c, p)]));
          }
          lattice_.add(std::move(w));
          any = true;
        }
      }
    }
  }

  /// Bounds for |v(g)|: the number itself where v is an integer, otherwise |v(g)|^2 <= <v, v> |C(g)|.
  std::vector<double> absolute_values(const Vector& v) const {
    const auto norm = static_cast<double>(s_.inner(v, v));
    std::vector<double> result;
    for (std::size_t c = 0; c < v.size(); ++c)
      result.push_back(rational_[c] ? std::abs(static_cast<double>(s_.field.symmetric(v[c])))
                                    : std::sqrt(norm * centralizer_order_[c]));
    return result;
  }

  /// The characters of elementary subgroups <z> x P, P a Sylow subgroup of the centralizer of z for a prime p that the
  /// order of z is prime to: by Brauer's theorem these, induced, span all generalized characters [Unger 2006]. At p only
  /// those for p matter, and none if p does not divide the index of what is spanned already.
  void elementary() {
    std::vector<std::uint64_t> primes;
    for (const std::uint32_t p : small_prime_divisors(s_.classes.group().order())) primes.push_back(p);
    const FiniteGroup& G = s_.classes.group();
    std::optional<Centralizers> centralizers;
    for (const std::uint64_t p : primes) {
      std::vector<std::pair<Integer, std::size_t>> order;  // by the size of the subgroups
      std::vector<char> done(s_.size(), 0);
      for (std::size_t c = 0; c < s_.size(); ++c) {
        const ConjugacyClass& z = s_.classes[c];
        if (done[c] || z.element_order % p == 0) continue;
        for (std::uint64_t k = 1; k < z.element_order; ++k)
          if (std::gcd(k, z.element_order) == 1) done[s_.powers(c, k)] = 1;
        if (const Integer part = prime_part(z.centralizer_order, p); part > 1)
          order.emplace_back(part * z.element_order, c);
      }
      std::ranges::sort(order);
      for (const auto& [size, c] : order) {
        if (lattice_.complete() || !lattice_.index_is_divisible_by(p)) break;
        if (G.order() / size >= largest_norm) continue;
        if (!centralizers) centralizers.emplace(G);
        task_.progress("characters", lattice_.irreducibles().size(), s_.size());
        const Permutation& z = s_.classes[c].representative;
        const FewerPoints C(c == 0 ? G : (*centralizers)(z, task_), task_);
        const FiniteGroup P = sylow_subgroup(C.group(), p, task_);
        std::vector<Permutation> generators;
        for (const Permutation& x : P.generators()) generators.push_back(C.lifted(x));
        if (c != 0) generators.push_back(z);
        induce_all(FewerPoints(FiniteGroup::with_known_order(z.degree(), std::move(generators), {}, size), task_));
        symmetrizations();
      }
    }
  }

  void induce_all(const FewerPoints& H) {
    const PrimeField& f = s_.field;
    const CharacterTable table = character_table(H.group(), task_);
    const auto& classes = table.classes();
    std::vector<std::size_t> fusion;
    Vector factor;  // |C_G(x)| / |C_H(x)|
    for (std::size_t d = 0; d < classes.size(); ++d) {
      fusion.push_back(s_.classes.index_of_element(H.lifted(classes[d].representative)));
      factor.push_back(f.from(Integer(s_.classes[fusion[d]].centralizer_order / classes[d].centralizer_order)));
    }
    for (std::size_t row = 0; row < table.size() && !lattice_.complete(); ++row) {
      Vector v(s_.size(), 0);
      for (std::size_t d = 0; d < classes.size(); ++d)
        v[fusion[d]] = f.add(v[fusion[d]], f.multiply(factor[d], s_.residue(table(row, d))));
      lattice_.add(std::move(v));
    }
  }

  /// Products of the characters found, small degrees first, and of basis vectors with the smallest ones.
  void products(std::size_t limit) {
    for (std::size_t count = 0; count < limit && !lattice_.complete();) {
      const auto& found = lattice_.irreducibles();
      std::vector<std::size_t> order(found.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return s_.field.residue(found[a][0]) < s_.field.residue(found[b][0]);
      });
      bool any = false;
      for (std::size_t sum = 0; sum < 2 * order.size() && !any; ++sum)
        for (std::size_t i = 0; i <= sum / 2 && !any; ++i) {
          const std::size_t j = sum - i;
          if (j >= order.size()) continue;
          const auto pair = std::minmax(order[i], order[j]);
          if (!used_.insert(pair).second) continue;
          if (!small(found[order[i]][0], found[order[j]][0])) continue;
          Vector v = product(found[order[i]], found[order[j]]);
          if (i == j) {
            Vector square = v;
            for (std::size_t c = 0; c < v.size(); ++c) square[c] = found[order[i]][s_.powers(c, 2)];
            symmetrize(v, square);
          }
          lattice_.add(std::move(v));
          any = true;
          ++count;
        }
      if (!any) return;
    }
  }

  /// The symmetric square (chi^2 + chi(g^2)) / 2; the alternating one follows from it and the square.
  void symmetrize(Vector& v, const Vector& square) {
    const PrimeField& f = s_.field;
    const Element half = f.inverse(f.from(std::int64_t{2}));
    Vector alternating = v;
    for (std::size_t c = 0; c < v.size(); ++c) {
      alternating[c] = f.multiply(half, f.subtract(v[c], square[c]));
      v[c] = f.multiply(half, f.add(v[c], square[c]));
    }
    lattice_.add(std::move(alternating));
  }

  bool small(Element a, Element b) const {
    return static_cast<double>(s_.field.residue(a)) * static_cast<double>(s_.field.residue(b)) < 1e8;
  }

  Vector product(const Vector& a, const Vector& b) const {
    Vector v(a.size());
    for (std::size_t c = 0; c < v.size(); ++c) v[c] = s_.field.multiply(a[c], b[c]);
    return v;
  }

  const ModularCharacters& s_;
  const Task& task_;
  CharacterLattice lattice_;
  std::set<std::pair<std::size_t, std::size_t>> used_;
  std::set<Vector> symmetrized_;
  std::vector<double> centralizer_order_;
  std::vector<char> rational_;  ///< generalized characters are integers on the class
};

}  // namespace

void irreducibles_by_induction(const ModularCharacters& space, const Task& task, ModularTable& known) {
  Search search(space, task);
  try {
    search.run(known);
  } catch (const LimitError&) {
    if (search.found().size() > known.size()) known = search.found();
    throw;
  }
  known = search.found();
  if (known.size() < space.size()) irreducibles_by_class_matrices(space, task, known);
}

}  // namespace intertwine
