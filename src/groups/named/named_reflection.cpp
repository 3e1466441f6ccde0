// Weyl groups and the Coxeter groups H3 and H4 on their roots.
#include <fmt/format.h>

#include <map>

#include "groups/named/golden_integer.hpp"
#include "groups/named/named_support.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine {

namespace {

using named::GoldenInteger;
using Root = std::vector<GoldenInteger>;  // coordinates in the simple roots

/// How many positive roots W(X_n) has; 0 if there is no such group.
Integer positive_roots(char type, unsigned rank) {
  const Integer n(rank);
  switch (type) {
    case 'A':
      return rank >= 1 ? Integer(n * (n + 1) / 2) : Integer(0);
    case 'B':
    case 'C':
      return rank >= 2 ? Integer(n * n) : Integer(0);
    case 'D':
      return rank >= 3 ? Integer(n * (n - 1)) : Integer(0);
    case 'E':
      return rank == 6 ? 36 : rank == 7 ? 63 : rank == 8 ? 120 : 0;
    case 'F':
      return rank == 4 ? 24 : 0;
    case 'G':
      return rank == 2 ? 6 : 0;
    case 'H':
      return rank == 3 ? 15 : rank == 4 ? 60 : 0;
    default:
      return 0;
  }
}

/// Row i of the Cartan matrix without its diagonal: the entries <alpha_j, alpha_i^vee> that are not zero.
struct Neighbour {
  unsigned root;
  GoldenInteger entry;
};
using CartanMatrix = std::vector<std::vector<Neighbour>>;

/// Bourbaki, Lie groups and Lie algebras, ch. 6, plates I-IX; in H_n the bond of order 5 has both entries
/// -phi.
CartanMatrix cartan_matrix(char type, unsigned n) {
  CartanMatrix rows(n);
  const auto join = [&](unsigned i, unsigned j, GoldenInteger ij = {-1, 0}, GoldenInteger ji = {-1, 0}) {
    rows[i].push_back({j, ij});
    rows[j].push_back({i, ji});
  };
  const GoldenInteger two{-2, 0};
  if (type == 'E') {
    join(0, 2);
    join(1, 3);
    for (unsigned i = 2; i + 1 < n; ++i) join(i, i + 1);
    return rows;
  }
  for (unsigned i = 0; i + 1 < n; ++i) {
    const bool last = i + 2 == n;
    if (type == 'B' && last)
      join(i, i + 1, {-1, 0}, two);
    else if (type == 'C' && last)
      join(i, i + 1, two);
    else if (type == 'D' && last)
      join(i - 1, i + 1);
    else if (type == 'F' && i == 1)
      join(i, i + 1, {-1, 0}, two);
    else if (type == 'G')
      join(i, i + 1, {-3, 0});
    else if (type == 'H' && i == 0)
      join(i, i + 1, {0, -1}, {0, -1});
    else
      join(i, i + 1);
  }
  return rows;
}

/// s_i(v) = v - <v, alpha_i^vee> alpha_i; this is the coordinate i of it, the others are those of v.
GoldenInteger reflected_coordinate(const Root& v, unsigned i, const CartanMatrix& cartan) {
  GoldenInteger coordinate = -v[i];
  for (const Neighbour& neighbour : cartan[i]) coordinate = coordinate - neighbour.entry * v[neighbour.root];
  return coordinate;
}

/// The simple reflections on the simple roots.
std::vector<FieldMatrix> simple_reflections(const CartanMatrix& cartan) {
  std::vector<FieldMatrix> matrices;
  const std::size_t rank = cartan.size();
  for (std::size_t i = 0; i < rank; ++i) {
    std::vector<Cyclotomic> entries(rank * rank);
    for (std::size_t j = 0; j < rank; ++j) entries[j * rank + j] = i == j ? -1 : 1;
    for (const Neighbour& neighbour : cartan[i]) entries[i * rank + neighbour.root] = -neighbour.entry.to_cyclotomic();
    matrices.emplace_back(rank, rank, entries);
  }
  return matrices;
}

/// The simple reflections of W(A_n), W(B_n), W(D_n) as permutations of the basis vectors (A) or of the vectors +-e_i,
/// i and i + n [Bourbaki, loc. cit.].
FiniteGroup classical_model(char type, unsigned rank) {
  const std::size_t n = type == 'A' ? rank + 1 : rank;
  const auto swapped = [n, type](std::size_t a, std::size_t b) {
    return named::permutation_by(type == 'A' ? n : 2 * n, [&](std::size_t i) {
      return i % n == a ? b + i / n * n : i % n == b ? a + i / n * n : i;
    });
  };
  std::vector<Permutation> generators;
  for (std::size_t i = 0; i + 1 < n; ++i) generators.push_back(swapped(i, i + 1));
  if (type == 'A') return FiniteGroup(n, std::move(generators), fmt::format("S{}", n));
  const bool even = type == 'D';  // the last reflection is in e_(n-1) + e_n, otherwise in e_n
  generators.push_back(named::permutation_by(2 * n, [&](std::size_t i) {
    const std::size_t axis = i % n, opposite = i < n ? n : 0;
    if (!even) return axis == n - 1 ? axis + opposite : i;
    return axis == n - 1 ? n - 2 + opposite : axis == n - 2 ? n - 1 + opposite : i;
  }));
  return FiniteGroup(2 * n, std::move(generators), fmt::format("W({}{})", type, rank));
}

}  // namespace

FiniteGroup weyl_group(char type, unsigned rank) {
  const GroupStructure structure = structure::Weyl{type, rank};
  const std::string name = to_string(structure);
  const Integer expected = positive_roots(type, rank);
  if (expected == 0)
    throw DomainError(
        fmt::format("{}: no such finite reflection group; there are A1, A2, ..., B2, ..., C2, ..., D3, ..., "
                    "E6, E7, E8, F4, G2, H3, H4",
                    name));
  // The roots themselves, as coordinates, take the memory of several images.
  named::require_size(name, expected * 2, std::uint64_t{rank} * 8);

  const CartanMatrix cartan = cartan_matrix(type, rank);
  const auto positive = static_cast<std::size_t>(expected);
  std::vector<const Root*> roots;  // into the map, whose keys stay in place
  std::map<Root, Point> index;
  for (unsigned i = 0; i < rank; ++i) {
    Root simple(rank);
    simple[i] = {1, 0};
    roots.push_back(&index.emplace(std::move(simple), i).first->first);
  }
  // A simple reflection permutes the positive roots other than its own, so that only these are kept.
  std::vector<std::vector<Point>> images(rank);
  for (std::size_t k = 0; k < roots.size(); ++k)
    for (unsigned i = 0; i < rank; ++i) {
      if (k == i) {
        images[i].push_back(static_cast<Point>(positive + i));
        continue;
      }
      const GoldenInteger coordinate = reflected_coordinate(*roots[k], i, cartan);
      if (coordinate == (*roots[k])[i]) {
        images[i].push_back(static_cast<Point>(k));
        continue;
      }
      Root image = *roots[k];
      image[i] = coordinate;
      const auto [place, is_new] = index.emplace(std::move(image), static_cast<Point>(roots.size()));
      if (is_new) roots.push_back(&place->first);
      if (roots.size() > positive) throw InternalError(fmt::format("weyl_group: more roots than {} has", name));
      images[i].push_back(place->second);
    }
  if (roots.size() != positive) throw InternalError(fmt::format("weyl_group: fewer roots than {} has", name));

  std::vector<Permutation> generators;
  for (unsigned i = 0; i < rank; ++i)
    generators.push_back(named::permutation_by(2 * positive, [&](std::size_t k) {
      return k < positive ? images[i][k] : (images[i][k - positive] + positive) % (2 * positive);
    }));
  FiniteGroup W = FiniteGroup::built_as(structure, 2 * positive, std::move(generators))
                      .with_coordinates({rank, [cartan] { return simple_reflections(cartan); }, {}});
  if (type != 'A' && type != 'B' && type != 'C' && type != 'D') return W;
  return W.with_model(classical_model(type, rank));
}

}  // namespace intertwine
