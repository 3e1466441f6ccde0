// Theta of graphs as semidefinite programs.
#include "intertwine/sdp/graph_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "intertwine/equivariant/basis_methods.hpp"
#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/error.hpp"
#include "intertwine/representations/actions.hpp"

namespace intertwine::sdp {

namespace {

/// The orbits of a permutation group on the pairs i < j, and whether each is one of edges.
struct PairOrbits {
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> pairs;
  std::vector<char> is_edge;
};

PairOrbits pair_orbits(const LabelledGraph& graph, const Representation& V, const Task& task) {
  const auto n = static_cast<std::uint32_t>(graph.vertices);
  task.require_memory(std::uint64_t{16} * n * n, "the pairs of vertices of a graph");
  std::vector<char> joined(std::size_t{n} * n, 0);
  for (const LabelledGraph::Edge& e : graph.edges)
    joined[std::size_t{std::min(e.from, e.to)} * n + std::max(e.from, e.to)] = 1;
  const OrbitalPattern pattern = equivariant_basis_by_orbitals(V, V, task);
  PairOrbits found;
  std::vector<std::int64_t> number(pattern.params(), -1);
  for (std::uint32_t i = 0; i < n; ++i) {
    task.poll();
    for (std::uint32_t j = i + 1; j < n; ++j) {
      const std::int64_t label = pattern.label(i, j) - 1, other = pattern.label(j, i) - 1;
      const auto at = static_cast<std::size_t>(std::min(label, other));
      const char is_edge = joined[std::size_t{i} * n + j];
      if (number[at] < 0) {
        number[at] = static_cast<std::int64_t>(found.pairs.size());
        found.pairs.emplace_back();
        found.is_edge.push_back(is_edge);
      }
      const auto k = static_cast<std::size_t>(number[at]);
      if (found.is_edge[k] != is_edge)
        throw DomainError(
            fmt::format("the group does not fix the graph: it takes an edge to a pair that is none, or "
                        "back, as vertices {} and {} (from 0)",
                        i, j));
      found.pairs[k].emplace_back(i, j);
    }
  }
  return found;
}

}  // namespace

ThetaVariant theta_variant(std::string_view name) {
  if (name == "lovasz") return ThetaVariant::lovasz;
  if (name == "schrijver") return ThetaVariant::schrijver;
  if (name == "szegedy") return ThetaVariant::szegedy;
  throw DomainError(fmt::format("variant={} is none of lovasz, schrijver, szegedy", name));
}

Representation vertex_symmetries(const LabelledGraph& graph, const Task& task) {
  const Automorphisms found = automorphisms(graph, task);
  if (found.generators.empty()) return natural_permutation_representation(FiniteGroup(graph.vertices, {}, "1"));
  return natural_permutation_representation(found.group("Aut", Automorphisms::most_images, task));
}

ThetaProblem theta_problem(const LabelledGraph& graph, const Representation& vertices, ThetaVariant variant,
                           const Task& task) {
  if (graph.directed) throw DomainError("theta is of graphs without directions");
  if (graph.vertices == 0) throw DomainError("theta is of a graph with at least one vertex, and this one has none");
  const auto n = static_cast<std::uint32_t>(graph.vertices);
  if (!vertices.is_monomial() ||
      std::ranges::any_of(vertices.generator_images(), [](const SignedPermutation& g) { return !g.is_unsigned(); }))
    throw DomainError("the group of theta permutes the vertices; " + vertices.to_string() + " acts by other matrices");
  if (vertices.dimension() != n)
    throw DomainError(fmt::format("the group acts on {} vertices, and the graph has {}", vertices.dimension(), n));
  const PairOrbits orbits = pair_orbits(graph, vertices, task);
  task.require_memory(std::uint64_t{100} * n * n, "the entries of the problem of theta");
  SymmetricMatrix C, trace;
  for (std::uint32_t i = 0; i < n; ++i) {
    trace.push_back({i, i, 1});
    for (std::uint32_t j = i; j < n; ++j) C.push_back({i, j, -1});
  }
  std::vector<SymmetricMatrix> A{std::move(trace)};
  std::vector<Rational> b{1};
  std::uint32_t signed_orbits = 0;
  const auto sum_over = [&](std::size_t k) {
    SymmetricMatrix sum;
    for (const auto& [i, j] : orbits.pairs[k]) sum.push_back({i, j, 1});
    return sum;
  };
  for (const bool with_sign : {false, true})
    for (std::size_t k = 0; k < orbits.pairs.size(); ++k) {
      const bool is_edge = orbits.is_edge[k] != 0;
      const bool has_sign = variant == ThetaVariant::schrijver ? !is_edge : variant == ThetaVariant::szegedy && is_edge;
      if (has_sign != with_sign || (!is_edge && !has_sign)) continue;
      task.poll();
      SymmetricMatrix sum = sum_over(k);
      // The sum over an orbit is >= 0 (Schrijver) or <= 0 (Szegedy): so is every entry of its mean over the group.
      if (has_sign) {
        const std::uint32_t row = n + signed_orbits++;
        sum.push_back({row, row, variant == ThetaVariant::schrijver ? -1 : 1});
      }
      A.push_back(std::move(sum));
      b.emplace_back(0);
    }
  std::vector<Block> blocks{{n, false}};
  if (signed_orbits > 0) blocks.push_back({signed_orbits, true});
  Representation rows =
      signed_orbits > 0 ? vertices + signed_orbits * trivial_representation(vertices.group()) : vertices;
  return {Problem(std::move(blocks), std::move(C), std::move(A), std::move(b)), std::move(rows)};
}

}  // namespace intertwine::sdp
