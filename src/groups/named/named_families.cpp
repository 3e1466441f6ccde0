// Symmetric, alternating, cyclic, dihedral, dicyclic and hyperoctahedral groups.
#include <fmt/format.h>

#include <utility>

#include "groups/named/named_coordinates.hpp"
#include "groups/named/named_support.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine {

namespace {

using named::permutation_by;

/// \throws DomainError or LimitError unless there is such a group and it is small enough.
void require_index(std::size_t n, const GroupStructure& structure, const Integer& points, std::uint64_t generators) {
  const std::string name = to_string(structure);
  if (n == 0) throw DomainError(fmt::format("{}: the index must be at least 1", name));
  named::require_size(name, points, generators);
}

/// The cycle first -> first + 1 -> ... -> n - 1 -> first.
Permutation long_cycle(std::size_t n, std::size_t first = 0) {
  return permutation_by(n, [&](std::size_t i) { return i < first ? i : i + 1 < n ? i + 1 : first; });
}

/// Signed permutation matrices from the action on the ends i and i + n of the axes.
std::vector<FieldMatrix> on_signed_axes(std::size_t n, const std::vector<Permutation>& generators) {
  std::vector<FieldMatrix> matrices;
  for (const Permutation& g : generators) {
    IntegerMatrix A(n, n);
    for (std::size_t i = 0; i < n; ++i) {
      const Point end = g(static_cast<Point>(i));
      A.set(end % n, i, end < n ? 1L : -1L);
    }
    matrices.emplace_back(RationalMatrix(std::move(A)));
  }
  return matrices;
}

}  // namespace

FiniteGroup symmetric_group(std::size_t n) {
  const GroupStructure structure = structure::Symmetric{n};
  require_index(n, structure, Integer(n), 2);
  std::vector<Permutation> generators{long_cycle(n)};
  if (n > 2) generators.push_back(permutation_by(n, [](std::size_t i) { return i < 2 ? 1 - i : i; }));
  return FiniteGroup::built_as(structure, n, named::without_redundant(std::move(generators)));
}

FiniteGroup alternating_group(std::size_t n) {
  const GroupStructure structure = structure::Alternating{n};
  require_index(n, structure, Integer(n), 2);
  std::vector<Permutation> generators;
  if (n >= 3) {
    generators.push_back(permutation_by(n, [](std::size_t i) { return i < 3 ? (i + 1) % 3 : i; }));
    generators.push_back(long_cycle(n, n % 2 == 0 ? 1 : 0));
  }
  return FiniteGroup::built_as(structure, n, named::without_redundant(std::move(generators)));
}

FiniteGroup cyclic_group(std::size_t n) {
  const GroupStructure structure = structure::Cyclic{n};
  require_index(n, structure, Integer(n), 1);
  return FiniteGroup::built_as(structure, n, named::without_redundant({long_cycle(n)}), n);
}

FiniteGroup dihedral_group(std::size_t n) {
  const GroupStructure structure = structure::Dihedral{n};
  require_index(n, structure, Integer(n), 2);
  if (n == 1) return FiniteGroup::built_as(structure, 2, {long_cycle(2)}, 2);
  if (n == 2) return FiniteGroup::built_as(structure, 4, {Permutation({1, 0, 3, 2}), Permutation({2, 3, 0, 1})}, 4);
  return FiniteGroup::built_as(structure, n,
                               {long_cycle(n), permutation_by(n, [n](std::size_t i) { return (n - i) % n; })}, 2 * n)
      .with_coordinates(named::planar_coordinates(n, {{true, false, false}, {false, true, false}}));
}

FiniteGroup metacyclic_group(std::size_t n, std::size_t m, std::uint64_t r) {
  named::require_size("the semidirect product", Integer(n) + Integer(m), 2);
  if (n == 0 || m == 0) throw DomainError("a semidirect product of cyclic groups has orders of at least 1");
  r %= n;
  std::size_t order = 1;  // of x -> r x
  std::uint64_t power = r;
  for (; power != 1 % n && order <= m; ++order) power = power * r % n;
  if (power != 1 % n || m % order != 0)
    throw DomainError(
        fmt::format("C{0}:C{1}({2}): {2}^{1} is not 1 modulo {0}, so that x -> x^{2} is no action of C{1}", n, m, r));
  const std::size_t more = order == m ? 0 : m;
  Permutation a = permutation_by(n + more, [&](std::size_t i) { return i < n ? (i + 1) % n : i; });
  Permutation b = permutation_by(n + more, [&](std::size_t i) { return i < n ? i * r % n : n + (i - n + 1) % m; });
  return FiniteGroup::with_known_order(n + more, {std::move(a), std::move(b)}, fmt::format("C{}:C{}({})", n, m, r),
                                       Integer(n) * Integer(m));
}

FiniteGroup dicyclic_group(std::size_t n) {
  const GroupStructure structure = structure::Dicyclic{n};
  require_index(n, structure, Integer(n) * 4, 2);
  const std::size_t m = 2 * n;
  // Left multiplication: a (a^k x^e) = a^(k+1) x^e, x (a^k x^e) = a^-k x^(e+1), where x^2 = a^n.
  Permutation a = permutation_by(2 * m, [&](std::size_t i) { return (i % m + 1) % m + i / m * m; });
  Permutation x = permutation_by(2 * m, [&](std::size_t i) {
    const std::size_t inverse = (m - i % m) % m;
    return i < m ? inverse + m : (inverse + n) % m;
  });
  return FiniteGroup::built_as(structure, 2 * m, {std::move(a), std::move(x)}, 4 * n);
}

FiniteGroup hyperoctahedral_group(std::size_t n) {
  const GroupStructure structure = structure::SignedPermutations{n};
  require_index(n, structure, Integer(n) * 2, 3);
  const auto on_axes = [n](const Permutation& g) {
    return permutation_by(2 * n, [&](std::size_t i) { return g(static_cast<Point>(i % n)) + i / n * n; });
  };
  std::vector<Permutation> generators;
  const FiniteGroup axes = symmetric_group(n);
  for (const Permutation& g : axes.generators()) generators.push_back(on_axes(g));
  generators.push_back(permutation_by(2 * n, [n](std::size_t i) { return i % n == n - 1 ? 3 * n - 2 - i : i; }));
  auto matrices = [n, generators] { return on_signed_axes(n, generators); };
  return FiniteGroup::built_as(structure, 2 * n, std::move(generators), factorial(n) << n)
      .with_coordinates({n, std::move(matrices), {}});
}

}  // namespace intertwine
