// Clebsch-Gordan coefficients of compact groups.
#include "intertwine/classical/compact_clebsch_gordan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "continuous_functors.hpp"
#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/combinatorics/symmetric_algebra.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

using Node = ContinuousNode;
using Family = ClassicalGroup::Family;

FieldMatrix dense_matrix(const SparseMatrix& A) {
  std::vector<Rational> entries(A.rows() * A.cols());
  for (const auto& e : A.entries()) entries[e.row * A.cols() + e.col] = e.value;
  return RationalMatrix(A.rows(), A.cols(), entries);
}

const ClassicalGroup& compact_group(const ContinuousRepresentation& V) {
  const auto* G = V.group().is_product() ? nullptr : std::get_if<ClassicalGroup>(&V.group().factors().front());
  if (G == nullptr || (G->is_orthogonal() && G->positive() != G->dimension()))
    throw DomainError(
        fmt::format("Clebsch-Gordan coefficients are for compact classical groups such as SU(3) and SO(4), not for {}",
                    V.group().name()));
  return *G;
}

void require_irreducible(const ContinuousRepresentation& V, const Task& task) {
  if (continuous_hom_dimension(V, V, task).dimension != 1)
    throw DomainError(
        fmt::format("{} is not irreducible over the complex numbers; Clebsch-Gordan coefficients are those "
                    "of irreducible "
                    "representations",
                    V.to_string()));
}

/// The functor of this node on the dual of the defining module: X acts as -X^T does on V.
ContinuousRepresentation twisted(const Node& node, const Task& task) {
  const auto part = [&](std::size_t k) { return twisted(*node.parts[k], task); };
  if (auto functor = same_functor<ContinuousRepresentation>(node, part, task)) return *functor;
  Node out = node;
  if (auto* adjoint = std::get_if<Node::Adjoint>(&out.form)) adjoint->is_twisted = !adjoint->is_twisted;
  if (auto* given = std::get_if<Node::Given>(&out.form)) given->is_twisted = !given->is_twisted;
  if (auto* irrep = std::get_if<Node::Irrep>(&out.form)) {  // the same subspace, of the functor of the dual
    irrep->is_twisted = true;
    out.parts = {part(0).handle()};
  }
  const ContinuousRepresentation V = made(std::move(out));
  return node.is<Node::Vector>() || node.is<Node::Determinant>() ? dual(V) : V;
}

/// Without full columns of n boxes.
Partition without_full_columns(const Partition& shape, int n) {
  std::vector<int> parts;
  for (int i = 0; i < std::min(n, shape.length()); ++i)
    parts.push_back(shape[i] - (shape.length() >= n ? shape[n - 1] : 0));
  while (!parts.empty() && parts.back() == 0) parts.pop_back();
  return Partition(parts);
}

}  // namespace

FieldMatrix invariant_form(const ContinuousRepresentation& V, const Task& task) {
  const ClassicalGroup& G = compact_group(V);
  require_irreducible(V, task);
  // On real representations of SU(n) and U(n) the Lie algebra acts as that of a compact group of matrices.
  const bool orthogonal = G.is_orthogonal() || (G.is_complex() && V.scalars() == Scalars::real);
  const ContinuousRepresentation target = dual(orthogonal ? V : twisted(V.node(), task));
  const IntertwinerSpace forms = hom_basis(V, target, task).space();
  if (forms.params() != 1) throw InternalError(fmt::format("{} has {} invariant forms", V.to_string(), forms.params()));
  const FieldMatrix H = dense_matrix(forms[0]);
  return H(0, 0).inverse() * H;
}

CompactClebschGordan clebsch_gordan(const ContinuousRepresentation& V, const ContinuousRepresentation& W,
                                    const std::vector<ContinuousRepresentation>& list, const Task& task) {
  const bool square = V == W;
  const FieldMatrix left_form = invariant_form(V, task), right_form = square ? left_form : invariant_form(W, task);
  const ContinuousRepresentation product = V * W;
  CompactClebschGordan answer{V, W, left_form, right_form, {}};
  for (const ContinuousRepresentation& U : list) {
    const IntertwinerSpace maps = hom_basis(U, product, task).space();
    FieldMatrix own_form = invariant_form(U, task);
    if (maps.params() == 0) continue;
    std::vector<FieldMatrix> copies;
    for (std::uint64_t k = 0; k < maps.params(); ++k) copies.push_back(dense_matrix(maps[k]));
    answer.constituents.emplace_back(orthogonal_copies(copies, left_form, right_form, std::move(own_form), square), U);
  }
  if (answer.constituents.empty())
    throw DomainError(fmt::format("{} is not in {} * {}", list.empty() ? "nothing" : list.front().to_string(),
                                  V.to_string(), W.to_string()));
  verify(answer, task);
  return answer;
}

CompactClebschGordan clebsch_gordan(const ContinuousGroup& G, const Partition& left, const Partition& right,
                                    const std::optional<Partition>& only, const Task& task) {
  const ContinuousRepresentation vector = natural_representation(G);
  const ClassicalGroup& classical = compact_group(vector);
  const Family family = classical.family();
  if (classical.is_orthogonal() || family == Family::Sp)
    throw DomainError(
        fmt::format("partitions name the irreducible representations of SU(n), U(n), SL(n) and GL(n); write "
                    "those of {} as "
                    "representations, and the constituent that is looked for with them",
                    G.name()));
  const int n = static_cast<int>(classical.dimension());
  const bool special = family == Family::SU || family == Family::SL;
  for (const Partition* shape : {&left, &right})
    if (shape->length() > n)
      throw DomainError(
          fmt::format("{} has more than {} rows, so that its Schur functor of C^{} is 0", to_string(*shape), n, n));
  const auto module = [&](const Partition& shape) {
    return schur_power(special ? without_full_columns(shape, n) : shape, vector, task);
  };
  std::vector<ContinuousRepresentation> list;
  if (only) {
    list.push_back(module(*only));
  } else {
    for (const auto& [shape, multiplicity] : schur_product(left, right, {n}, task)) list.push_back(module(shape));
  }
  return clebsch_gordan(module(left), module(right), list, task);
}

void verify(const CompactClebschGordan& answer, const Task& task) {
  const auto whole = (answer.left * answer.right).generator_matrices(task);
  for (const CompactConstituent& part : answer.constituents) {
    const std::string name = part.representation.to_string();
    const auto images = part.representation.generator_matrices(task);
    for (std::size_t a = 0; a < part.maps.size(); ++a) {
      const SparseMatrix T = sparse_matrix(part.maps[a]);
      for (std::size_t g = 0; g < images.size(); ++g)
        if (!(whole[g] * T == T * images[g]))
          throw VerificationError(fmt::format("map {} (0-based) to {} does not commute with generator {}", a, name, g));
    }
    verify(part, answer.left_form, answer.right_form, name, task);
  }
}

}  // namespace intertwine
