// Irreducible representations of classical groups by partitions and highest weights.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "continuous_node.hpp"
#include "continuous_weights.hpp"
#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/echelon.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/reductive/classical_form.hpp"

namespace intertwine {

namespace {

using Node = ContinuousNode;
using Family = ClassicalGroup::Family;

const ClassicalGroup& classical_group_of(const ContinuousGroup& G) {
  if (G.is_product() || !std::holds_alternative<ClassicalGroup>(G.factors().front()))
    throw DomainError(fmt::format(
        "irrep(...) belongs to one classical group, not to {}; join the representations of the factors by #",
        G.name()));
  return std::get<ClassicalGroup>(G.factors().front());
}

/// S_shape of the defining module, by the functor that is cheapest to write down.
ContinuousRepresentation functor_of_vector(const ContinuousGroup& G, const Partition& shape, const Task& task) {
  if (shape.empty()) return trivial_representation(G);
  const ContinuousRepresentation V = natural_representation(G);
  if (shape.weight() == 1) return V;
  if (shape.length() == 1) return sym(static_cast<unsigned>(shape[0]), V);
  if (shape[0] == 1) return alt(static_cast<unsigned>(shape.length()), V);
  return schur_power(shape, V, task);
}

/// The submodule that vectors of given highest weights generate, modulo one prime: a basis in reduced echelon form. The
/// weights occur `copies` times each.
ModularMatrix generated_modulo(const Node& whole, const ModularRoots& roots,
                               const std::vector<std::vector<int>>& highest, std::uint64_t copies, const Task& task) {
  const PrimeField& F = roots.field.field;
  const WeightLeaf leaf(whole, roots, task);
  const WeightModule module({&leaf}, roots);
  IncrementalEchelon<PrimeField> echelon(F, leaf.size);
  std::vector<WeightModule::Vector> images;
  const auto keep = [&](WeightModule::Vector v) {
    if (echelon.insert(v)) images.push_back(std::move(v));
  };
  for (const std::vector<int>& weight : highest) {
    std::vector<std::uint32_t> space;
    for (std::uint32_t i = 0; i < leaf.size; ++i)
      if (leaf.weight[i] == weight) space.push_back(i);
    const ModularMatrix killed = module.killed(WeightModule::Root::raising, space, task);
    if (killed.rows() != copies)
      throw InternalError("a highest weight does not occur as often in a module as it should");
    for (std::size_t k = 0; k < killed.rows(); ++k) {
      WeightModule::Vector v(leaf.size, 0);
      for (std::size_t c = 0; c < space.size(); ++c) v[space[c]] = F.from(Integer(killed(k, c)));
      keep(std::move(v));
    }
  }
  for (std::size_t k = 0; k < images.size(); ++k)
    for (std::size_t root = 0; root < roots.lowering.size(); ++root) {
      task.poll();
      keep(module.apply(WeightModule::Root::lowering, root, images[k]));
    }
  ModularMatrix rows(F.p(), images.size(), leaf.size);
  for (std::size_t i = 0; i < images.size(); ++i) {
    const WeightModule::Vector v = module.to_rational(std::move(images[i]));
    for (std::size_t j = 0; j < v.size(); ++j)
      if (v[j] != 0) rows.set(i, j, F.residue(v[j]));
  }
  return rows;
}

/// The submodule over the rational numbers, where it is known to be defined: a candidate, for require_submodule to
/// prove.
RationalMatrix generated_submodule(const Node& whole, const std::vector<std::vector<int>>& highest,
                                   std::uint64_t copies, std::uint64_t dimension, std::vector<std::size_t>& pivots,
                                   const Task& task) {
  RationalLift lift;
  std::optional<RationalMatrix> basis;
  for (std::size_t k = 0; !basis; ++k) {
    if (word_prime(k) % 4 != 1) continue;
    const ModularRoots roots(whole.classical(), word_prime(k));
    std::vector<std::size_t> found;
    const ModularMatrix reduced = generated_modulo(whole, roots, highest, copies, task).echelon(&found, task);
    if (found.size() != dimension)
      throw InternalError("the dimension of an irreducible module is not that of Weyl's formula");
    if (!pivots.empty() && found > pivots) continue;  // an unlucky prime has later pivots
    if (found != pivots) lift.clear();
    pivots = std::move(found);
    lift.add(reduced);
    basis = lift.candidate();
  }
  return std::move(*basis);
}

/// X B = B (X B at the pivots) for every generator X of the Lie algebra, B the matrix whose columns are the basis
/// vectors.
void require_submodule(const Node& whole, const Node::Submodule& module, std::uint64_t dimension, const Task& task) {
  std::vector<SparseMatrix::Entry> entries;
  for (const auto& e : module.entries) entries.push_back({e.monomial, e.col, e.value});
  const SparseMatrix basis(whole.dimension, dimension, std::move(entries));
  for (const SparseMatrix& X : whole.classical().lie_generators()) {
    EntryList<Rational> list;
    for (const auto& e : X.entries())
      list.entries.push_back({static_cast<std::uint32_t>(e.row), static_cast<std::uint32_t>(e.col), e.value});
    std::vector<SparseMatrix::Entry> action, coordinates;
    for (auto& e : lie_action(whole, 0, list, RationalOperations{}).entries)
      action.push_back({e.row, e.col, std::move(e.value)});
    const SparseMatrix image = SparseMatrix(whole.dimension, whole.dimension, std::move(action)).times(basis, task);
    for (const auto& e : image.entries())
      if (const std::int64_t row = module.selected[e.row]; row >= 0)
        coordinates.push_back({static_cast<std::uint64_t>(row), e.col, e.value});
    if (!(basis.times(SparseMatrix(dimension, dimension, std::move(coordinates)), task) == image))
      throw InternalError("a submodule of a Schur functor is not invariant");
  }
}

/// The coordinates of the submodule that these highest weights generate, proved invariant.
Node::Submodule found_submodule(const Node& whole, const std::vector<std::vector<int>>& highest, std::uint64_t copies,
                                std::uint64_t dimension, const Task& task) {
  find_submodules(whole, task);
  std::vector<std::size_t> pivots;
  const RationalMatrix basis = generated_submodule(whole, highest, copies, dimension, pivots, task);
  Node::Submodule module;
  module.selected.assign(whole.dimension, -1);
  for (std::size_t i = 0; i < pivots.size(); ++i) module.selected[pivots[i]] = static_cast<std::int64_t>(i);
  for (std::size_t j = 0; j < basis.cols(); ++j)
    for (std::size_t i = 0; i < basis.rows(); ++i)
      if (basis.numerator().sign(i, j) != 0)
        module.entries.push_back({static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(i), basis(i, j)});
  require_submodule(whole, module, dimension, task);
  return module;
}

/// The submodule of `whole` that these highest weights generate, found when its matrices are asked for.
Node::PartOf generated_part(const ContinuousRepresentation& whole, std::vector<std::vector<int>> highest,
                            std::uint64_t copies, std::uint64_t dimension) {
  return Node::PartOf([whole = whole.handle(), highest = std::move(highest), copies, dimension](const Task& task) {
    return found_submodule(*whole, highest, copies, dimension, task);
  });
}

/// The traceless part of S_shape(V), of an orthogonal or symplectic group, or the half of it (`half` +1 or -1) whose
/// highest weight ends with this sign.
ContinuousRepresentation traceless_part(const ContinuousGroup& G, const Partition& shape, int half,
                                        std::uint64_t dimension, const Task& task) {
  const ClassicalGroup& classical = std::get<ClassicalGroup>(G.factors().front());
  const ContinuousRepresentation whole = functor_of_vector(G, shape, task);
  const std::size_t rank = classical.dimension() / 2;
  std::vector<int> highest(rank);
  for (std::size_t k = 0; k < rank; ++k)
    highest[k] = shape[static_cast<int>(k)] * (classical.family() == Family::Spin ? 2 : 1);
  std::vector<std::vector<int>> weights;
  if (half >= 0) weights.push_back(highest);
  if (const bool ends = classical.is_orthogonal() && classical.dimension() % 2 == 0 && highest.back() != 0;
      ends && half <= 0) {
    highest.back() = -highest.back();
    weights.push_back(highest);
  }
  return made({Node::Irrep{generated_part(whole, std::move(weights), 1, dimension), shape, half},
               G,
               dimension,
               {whole.handle()}});
}

std::uint64_t bounded_weyl_dimension(const LieGroup& lie, const std::vector<int>& partition) {
  const Integer d = lie.type().dimension(lie.weight_of_partition(partition));
  if (d > ContinuousRepresentation::max_functor_dimension)
    throw LimitError(
        fmt::format("irrep({} as partition) of {} has dimension {}; functors of continuous groups have at most {}",
                    to_string(partition), lie.name(), to_string(d), ContinuousRepresentation::max_functor_dimension));
  return static_cast<std::uint64_t>(d);
}

/// The irreducible representation of SO(n), Spin(n), SO+(p,q), or of O(n) and O(p,q) (`whole`) where the partition has
/// at most n/2 rows.
ContinuousRepresentation orthogonal_irrep(const ContinuousGroup& G, std::vector<int> rows, bool whole,
                                          const Task& task) {
  const auto& classical = std::get<ClassicalGroup>(G.factors().front());
  const unsigned n = classical.dimension(), m = n / 2, minus = n - classical.positive();
  const int sign = !rows.empty() && rows.back() < 0 ? -1 : 1;
  if (!rows.empty()) rows.back() = std::abs(rows.back());
  const Partition shape(rows);
  const bool splits = n % 2 == 0 && shape.length() == static_cast<int>(m) && m > 0;
  // Halves are interchanged by complex conjugation unless (-1)^m times the determinant of the form is a square.
  const int half = splits && !whole && (m + minus) % 2 == 0 ? sign : 0;
  if (half == 0) {
    if (shape.length() == 1 && shape[0] > 1) return harmonic_representation(G, static_cast<unsigned>(shape[0]));
    if (shape.empty() || shape[0] == 1) return functor_of_vector(G, shape, task);
  }
  const LieGroup lie = LieGroup::classical("SO", static_cast<int>(n));
  const std::uint64_t d = bounded_weyl_dimension(lie, shape.parts());
  return traceless_part(G, shape, half, splits && half == 0 ? 2 * d : d, task);
}

ContinuousRepresentation full_orthogonal_irrep(const ContinuousGroup& G, const std::vector<int>& rows,
                                               const Task& task) {
  const int n = static_cast<int>(std::get<ClassicalGroup>(G.factors().front()).dimension());
  const Partition label(rows), columns = label.conjugate();
  if (columns[0] + columns[1] > n)
    throw DomainError(
        fmt::format("{} is no label of {}: the first two columns of a partition have at most {} cells together",
                    to_string(label), G.name(), n));
  if (2 * label.length() <= n) return orthogonal_irrep(G, label.parts(), true, task);
  std::vector<int> associated = label.parts();  // the first column to n minus its length
  associated.resize(static_cast<std::size_t>(n - label.length()));
  const ContinuousRepresentation det = determinant_representation(G);
  return associated.empty() ? det : orthogonal_irrep(G, associated, true, task) * det;
}

ContinuousRepresentation determinant_power(const ContinuousGroup& G, int k) {
  const ContinuousRepresentation det = determinant_representation(G), base = k < 0 ? dual(det) : det;
  return std::abs(k) == 1 ? base : tensor_power(base, static_cast<unsigned>(std::abs(k)));
}

/// The irreducible representation of SU(n), SL(n), U(n), GL(n): S_shape(V) or the dual of another S_shape(V), times a
/// power of the determinant.
ContinuousRepresentation linear_irrep(const ContinuousGroup& G, std::vector<int> rows, const Task& task) {
  const auto& classical = std::get<ClassicalGroup>(G.factors().front());
  const bool special = classical.family() == Family::SL || classical.family() == Family::SU;
  const std::size_t n = classical.dimension();
  rows.resize(n, 0);
  std::vector<int> shape = rows, opposite(n);
  for (std::size_t k = 0; k < n; ++k) {
    shape[k] -= rows.back();
    opposite[k] = rows.front() - rows[n - 1 - k];
  }
  const Partition own(shape), other(opposite);
  std::vector<int> roots(n, 1);  // the label of the adjoint representation
  roots.front() = 2;
  roots.back() = 0;
  if (special && n > 2 && shape == roots) return adjoint_representation(G);
  const int own_power = special ? 0 : rows.back(), other_power = special ? 0 : rows.front();
  const bool dually = std::pair(other_power != 0, other.weight()) < std::pair(own_power != 0, own.weight());
  const int power = dually ? other_power : own_power;
  const ContinuousRepresentation V = functor_of_vector(G, dually ? other : own, task),
                                 W = dually && !other.empty() ? dual(V) : V;
  if (power == 0) return W;
  return own.empty() ? determinant_power(G, power) : W * determinant_power(G, power);
}

/// Half-integral weights of Spin(n): what the highest weight vectors of spinor (x) the representation without the
/// spinor's weight generate.
ContinuousRepresentation spin_irrep(const ContinuousGroup& G, const LieGroup& lie, const Weight& weight,
                                    const Task& task) {
  const int n = lie.degree(), rank = lie.type().rank();
  int denominator = 1;
  const auto rows = coordinate_rows(classical_form(lie), rank, denominator);
  std::vector<int> doubled, rest;  // twice the coordinates
  for (const auto& row : rows) doubled.push_back(std::inner_product(row.begin(), row.end(), weight.begin(), 0));
  const int sign = doubled.back() < 0 ? -1 : 1;
  // The halves are complex conjugates for n = 2 modulo 4, and both in one real representation.
  const int half = n % 4 == 0 ? sign : 0;
  for (const int d : doubled) rest.push_back((std::abs(d) - 1) / 2);
  doubled.back() = std::abs(doubled.back());
  rest.back() *= half == 0 ? 1 : sign;
  const ContinuousRepresentation S = spinor_representation(G, half);
  while (!rest.empty() && rest.back() == 0) rest.pop_back();
  if (rest.empty()) return S;
  const ContinuousRepresentation whole = S * irreducible_representation(G, rest, task);
  if (whole.dimension() > ContinuousRepresentation::max_functor_dimension)
    throw LimitError(
        fmt::format("irrep({}) of {} is found in a product of dimension {}; functors of continuous groups have at most "
                    "{}",
                    to_string(weight), lie.name(), whole.dimension(), ContinuousRepresentation::max_functor_dimension));
  std::vector<std::vector<int>> weights{doubled};
  if (half < 0) weights[0].back() = -weights[0].back();
  if (n % 4 == 2) {
    weights.push_back(doubled);
    weights[1].back() = -weights[1].back();
  }
  const std::uint64_t copies =
      S.dimension() >> (half == 0 ? n / 2 : n / 2 - 1);  // of the spinor over the complex numbers
  const Partition shape(doubled);
  Integer dimension = 0;
  for (const Weight& highest : spin_highest_weights(shape, half, static_cast<unsigned>(n)))
    dimension += lie.type().dimension(highest);
  const std::uint64_t d = copies * static_cast<std::uint64_t>(dimension);
  return made(
      {Node::Irrep{generated_part(whole, std::move(weights), copies, d), shape, half, true}, G, d, {whole.handle()}});
}

}  // namespace

std::vector<std::vector<int>> spin_highest_weights(const Partition& doubled, int half, unsigned n) {
  std::vector<int> rows = doubled.parts(), labels;
  if (half < 0) rows.back() = -rows.back();
  for (std::size_t k = 0; k + 1 < rows.size(); ++k) labels.push_back((rows[k] - rows[k + 1]) / 2);
  labels.push_back(n % 2 == 1 ? rows.back() : (rows[rows.size() - 2] + rows.back()) / 2);
  std::vector<std::vector<int>> out{labels};
  if (n % 4 == 2) {
    std::swap(labels[labels.size() - 1], labels[labels.size() - 2]);
    out.push_back(labels);
  }
  return out;
}

LieGroup lie_group_of(const ClassicalGroup& G) {
  const int n = static_cast<int>(G.dimension());
  switch (G.family()) {
    case Family::SO:
      return LieGroup::classical("SO", n);
    case Family::Spin:
      return LieGroup::classical("Spin", n);
    case Family::Sp:
      return LieGroup::classical("Sp", n);
    case Family::SL:
      return LieGroup::classical("SL", n);
    case Family::SU:
      return LieGroup::classical("SU", n);
    case Family::GL:
      return LieGroup::classical("GL", n);
    case Family::U:
      return LieGroup::classical("U", n);
    case Family::O:
      break;
  }
  throw DomainError(
      fmt::format("{} is not connected, and has no highest weights: write irrep([2] as partition)", G.name()));
}

ContinuousRepresentation irreducible_representation(const ContinuousGroup& G, const std::vector<int>& partition,
                                                    const Task& task) {
  const ClassicalGroup& classical = classical_group_of(G);
  if (classical.family() == Family::O) return full_orthogonal_irrep(G, partition, task);
  const LieGroup lie = lie_group_of(classical);
  std::vector<int> rows = partition;
  static_cast<void>(lie.weight_of_partition(rows));  // what is wrong with it
  while (!rows.empty() && rows.back() == 0) rows.pop_back();
  if (classical.is_orthogonal()) return orthogonal_irrep(G, rows, false, task);
  if (classical.family() != Family::Sp) return linear_irrep(G, rows, task);
  if (rows.size() < 2) return functor_of_vector(G, Partition(rows), task);
  return traceless_part(G, Partition(rows), 0, bounded_weyl_dimension(lie, rows), task);
}

ContinuousRepresentation irreducible_of_weight(const ContinuousGroup& G, const Weight& highest, const Task& task) {
  const LieGroup lie = lie_group_of(classical_group_of(G));
  lie.require_weight(highest);
  lie.type().require_dominant(highest);
  if (const auto partition = lie.partition_of_weight(highest)) return irreducible_representation(G, *partition, task);
  return spin_irrep(G, lie, highest, task);
}

}  // namespace intertwine
