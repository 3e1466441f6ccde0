// Representations of classical groups by given matrices of their generators.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "continuous_character.hpp"
#include "continuous_node.hpp"
#include "continuous_weights.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/echelon.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/lie/continuous_representation.hpp"

namespace intertwine {

namespace {

using Kind = ContinuousNode::Kind;
using Family = ClassicalGroup::Family;

SparseMatrix commutator(const SparseMatrix& A, const SparseMatrix& B, const Task& task) {
  return product(A, B, task) + Rational(-1) * product(B, A, task);
}

/// "E(1,2) - E(2,1)", from 1.
std::string unit_text(const SparseMatrix& X) {
  std::string text;
  for (const auto& e : X.entries()) {
    const bool minus = e.value < 0;
    const Rational size = minus ? Rational(-e.value) : e.value;
    text += text.empty() ? (minus ? "-" : "") : (minus ? " - " : " + ");
    text += fmt::format("{}E({},{})", size == 1 ? "" : to_string(size) + " ", e.row + 1, e.col + 1);
  }
  return text.empty() ? "0" : text;
}

/// A Lie algebra by its basis, and coordinates in it.
struct AlgebraBasis {
  std::vector<SparseMatrix> elements;
  explicit AlgebraBasis(const ClassicalGroup& G) : elements(G.lie_algebra()) {}
  /// The entries at the first places of the basis elements.
  std::vector<Rational> coordinates(const SparseMatrix& X) const {
    std::vector<Rational> out;
    for (const SparseMatrix& B : elements) out.push_back(X(B.entries()[0].row, B.entries()[0].col));
    return out;
  }
};

SparseMatrix combination_of(const std::vector<Rational>& coefficients,
                            const std::vector<SparseMatrix>& matrices, std::uint64_t size) {
  SparseMatrix sum(size, size, {});
  for (std::size_t k = 0; k < matrices.size(); ++k)
    if (coefficients[k] != 0) sum = sum + coefficients[k] * matrices[k];
  return sum;
}

/// The images of the basis, from those of generators: brackets of generators until they span.
std::vector<SparseMatrix> images_of_basis(const AlgebraBasis& basis,
                                          const std::vector<SparseMatrix>& generators,
                                          const std::vector<SparseMatrix>& images, std::uint64_t dimension,
                                          const Task& task) {
  const std::size_t n = basis.elements.size();
  if (n == 0) return {};
  const PrimeField field(word_prime(0));
  IncrementalEchelon<PrimeField> echelon(field, n);
  std::vector<std::pair<SparseMatrix, SparseMatrix>> found;
  std::vector<Rational> coordinates;
  const auto keep = [&](const SparseMatrix& X, const auto& image) {
    const std::vector<Rational> own = basis.coordinates(X);
    std::vector<PrimeField::Element> row;
    for (const Rational& x : own) row.push_back(ModularOperations{field}.from(x));
    if (!echelon.insert(std::move(row))) return;
    found.emplace_back(X, image());
    coordinates.insert(coordinates.end(), own.begin(), own.end());
  };
  for (std::size_t g = 0; g < generators.size(); ++g) keep(generators[g], [&] { return images[g]; });
  for (std::size_t k = 0; k < found.size() && found.size() < n; ++k)
    for (std::size_t g = 0; g < generators.size(); ++g) {
      task.poll();
      const SparseMatrix X = found[k].first, image = found[k].second;
      keep(commutator(generators[g], X, task), [&] { return commutator(images[g], image, task); });
    }
  if (found.size() != n) throw InternalError("the generators of a Lie algebra do not generate it");
  const RationalMatrix inverted = inverse(RationalMatrix(n, n, coordinates), task);  // rows: elements found
  std::vector<SparseMatrix> known, out;
  for (auto& [X, image] : found) known.push_back(std::move(image));
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<Rational> row;
    for (std::size_t j = 0; j < n; ++j) row.push_back(inverted(k, j));
    out.push_back(combination_of(row, known, dimension));
  }
  return out;
}

/// phi([X, B]) = [phi(X), phi(B)] for generators X and all B of the basis, which is enough by Jacobi's identity.
void require_brackets(const ContinuousGroup& G, const AlgebraBasis& basis,
                      const std::vector<SparseMatrix>& generators, const std::vector<SparseMatrix>& images,
                      const std::vector<SparseMatrix>& of_basis, std::uint64_t dimension, const Task& task) {
  for (std::size_t g = 0; g < generators.size(); ++g)
    for (std::size_t k = 0; k < of_basis.size(); ++k) {
      task.progress("checking brackets", g * of_basis.size() + k, generators.size() * of_basis.size());
      const SparseMatrix bracket = commutator(generators[g], basis.elements[k], task);
      if (combination_of(basis.coordinates(bracket), of_basis, dimension) ==
          commutator(images[g], of_basis[k], task))
        continue;
      throw DomainError(
          fmt::format("the matrices are no representation of {}: [X, Y] = {} for X = {}, {}, and Y = {}, but "
                      "their images do not satisfy this",
                      G.name(), unit_text(bracket), unit_text(generators[g]), G.generator_names()[g],
                      unit_text(basis.elements[k])));
    }
}

/// The signs on the diagonal.
std::vector<int> signs_of_component(const SparseMatrix& D, const std::string& name) {
  std::vector<int> signs(static_cast<std::size_t>(D.rows()), 0);
  for (const auto& e : D.entries()) {
    if (e.row != e.col || (e.value != 1 && e.value != -1)) break;
    signs[e.row] = e.value == 1 ? 1 : -1;
  }
  if (D.entries().size() != signs.size() || std::ranges::find(signs, 0) != signs.end())
    throw DomainError(fmt::format(
        "the matrix of {} is not diagonal with entries 1 and -1: take a basis of its eigenvectors", name));
  return signs;
}

SparseMatrix conjugated(const SparseMatrix& X, const std::vector<int>& signs) {
  std::vector<SparseMatrix::Entry> entries(X.entries().begin(), X.entries().end());
  for (auto& e : entries)
    if (signs[e.row] != signs[e.col]) e.value = -e.value;
  return {X.rows(), X.cols(), std::move(entries)};
}

/// The largest sum of sizes of entries in a row: no eigenvalue is larger.
Integer row_bound(const std::vector<SparseMatrix>& matrices) {
  Rational most = 0;
  for (const SparseMatrix& A : matrices) {
    std::vector<Rational> sum(static_cast<std::size_t>(A.rows()));
    for (const auto& e : A.entries()) most = std::max(most, sum[e.row] += abs(e.value));
  }
  return numerator(most) / denominator(most) + 1;
}

/// Of GL(n) and U(n): E(1,1) has integral eigenvalues and is diagonalizable, as polynomial in it with these roots shows.
void require_integral_charges(const SparseMatrix& A, const std::set<int>& eigenvalues,
                              const std::string& group, const Task& task) {
  std::vector<SparseMatrix::Entry> units;
  for (std::uint64_t i = 0; i < A.rows(); ++i) units.push_back({i, i, Rational(1)});
  const SparseMatrix one(A.rows(), A.rows(), units);
  SparseMatrix value = one;
  for (const int c : eigenvalues) value = product(value, A + Rational(-c) * one, task);
  if (!value.entries().empty())
    throw DomainError(
        fmt::format("the matrices are no representation of {}: that of E(1,1) has eigenvalues that are not "
                    "integers, or no basis of "
                    "eigenvectors",
                    group));
}

/// The weights on the component of 1, and on the other one with the sign of the component, both in the coordinates of laurent::Component.
std::vector<ContinuousNode::Given::Eigenvalues> eigenvalues_of(const ContinuousNode& node,
                                                               const ClassicalGroup& G, const Task& task) {
  std::size_t k = 0;
  while (word_prime(k) % 4 != 1) ++k;
  const ModularRoots roots(G, word_prime(k));
  const PrimeField& F = roots.field.field;
  const WeightLeaf leaf(node, roots, task);
  const bool special = G.family() == Family::SL || G.family() == Family::SU;
  std::vector<ContinuousNode::Given::Eigenvalues> out(1);
  for (std::vector<int> weight : leaf.weight) {
    if (special) {  // labels to coordinates with the last one 0
      weight.push_back(0);
      for (std::size_t i = weight.size() - 1; i-- > 0;) weight[i] += weight[i + 1];
    }
    ++out[0][{1, std::move(weight)}];
  }
  if (node.given->components.empty()) return out;
  const std::vector<int>& signs = node.given->components.front();
  std::map<std::vector<int>, std::pair<std::int64_t, PrimeField::Element>> spaces;  // dimension and trace
  std::vector<PrimeField::Element> trace(leaf.size, 0);
  for (std::size_t i = 0; i < leaf.size; ++i)
    for (const auto& [v, p] : leaf.basis[i])
      for (const auto& [w, q] : leaf.dual_basis[i])
        if (v == w) {
          const PrimeField::Element x = F.multiply(p, q);
          trace[v] = F.add(trace[v], signs[i] > 0 ? x : F.negative(x));
        }
  for (std::size_t v = 0; v < leaf.size; ++v) {
    std::vector<int> weight = leaf.weight[v];
    if (G.dimension() % 2 == 0)
      weight.pop_back();  // the reflection of the last axis leaves a smaller torus fixed
    auto& [dimension, sum] = spaces[std::move(weight)];
    ++dimension;
    sum = F.add(sum, trace[v]);
  }
  out.emplace_back();
  for (const auto& [weight, space] : spaces)
    for (const int sign : {1, -1}) {
      // (dimension + sign trace) / 2, between 0 and the dimension
      const PrimeField::Element twice =
          F.add(F.from(space.first), sign > 0 ? space.second : F.negative(space.second));
      const auto count = static_cast<std::int64_t>(F.residue(twice));
      if (count % 2 != 0 || count > 2 * space.first)
        throw InternalError("a component has no integral trace on a weight space");
      if (count != 0) out[1][{sign, weight}] = count / 2;
    }
  return out;
}

}  // namespace

ContinuousRepresentation matrix_representation(const ContinuousGroup& G,
                                               const std::vector<SparseMatrix>& images, const Task& task) {
  const auto* classical = G.is_product() ? nullptr : std::get_if<ClassicalGroup>(&G.factors().front());
  if (classical == nullptr)
    throw DomainError(
        fmt::format("matrices are given for one classical group, not for {}; join the representations of the "
                    "factors by #",
                    G.name()));
  const std::vector<std::string> names = G.generator_names();
  const auto generators = classical->lie_generators();
  if (classical->component_generators().size() > 1)
    throw DomainError(
        fmt::format("representations by matrices are of connected groups and of O(n), not of {}", G.name()));
  if (images.size() != names.size() || images.empty())
    throw DomainError(fmt::format("{} matrices are given, but {} has {} generators: {}", images.size(),
                                  G.name(), names.size(), fmt::join(names, ", ")));
  const std::uint64_t d = images.front().rows();
  for (std::size_t k = 0; k < images.size(); ++k)
    if (images[k].rows() != d || images[k].cols() != d)
      throw DomainError(fmt::format("the matrix of {} is {} x {}, and that of {} has {} rows", names[k],
                                    images[k].rows(), images[k].cols(), names[0], d));
  if (d > ContinuousRepresentation::max_functor_dimension)
    throw LimitError(fmt::format("representations by matrices have at most {} dimensions, not {}",
                                 ContinuousRepresentation::max_functor_dimension, d));
  const std::vector<SparseMatrix> of_algebra(images.begin(),
                                             images.begin() + static_cast<std::ptrdiff_t>(generators.size()));
  const AlgebraBasis basis(*classical);
  const auto of_basis = images_of_basis(basis, generators, of_algebra, d, task);
  require_brackets(G, basis, generators, of_algebra, of_basis, d, task);
  ContinuousNode::Given given{images, {}, 0, {}};
  for (std::size_t k = generators.size(); k < images.size(); ++k) {
    given.components.push_back(signs_of_component(images[k], names[k]));
    const std::vector<int> own = classical->component_generators()[k - generators.size()];
    for (std::size_t g = 0; g < generators.size(); ++g)
      if (!(combination_of(basis.coordinates(conjugated(generators[g], own)), of_basis, d) ==
            conjugated(images[g], given.components.back())))
        throw DomainError(fmt::format(
            "the matrices are no representation of {}: that of {} does not take the image of X = {} to that "
            "of {}",
            G.name(), names[k], unit_text(generators[g]), unit_text(conjugated(generators[g], own))));
  }
  // Sums of at most two basis elements are in the torus; weights of Spin(n) are counted twice, and labels of other semisimple groups are below the dimension.
  constexpr int most = 100'000;
  const bool with_charges = classical->family() == Family::GL || classical->family() == Family::U ||
                            (classical->is_orthogonal() && classical->dimension() == 2);
  Integer bound = 4 * row_bound(of_basis);
  if (!with_charges) bound = std::min(bound, Integer(2 * d));
  given.bound = static_cast<int>(std::min(bound, Integer(most)));
  ContinuousNode node{Kind::given, G, d, {}, 0, {}, {}, {}, {}, {}};
  for (std::size_t k = 0; k < of_basis.size(); ++k) {
    const auto& place = basis.elements[k].entries()[0];
    for (const auto& e : of_basis[k].entries())
      node.linear.push_back({static_cast<std::uint32_t>(place.row), static_cast<std::uint32_t>(place.col),
                             static_cast<std::uint32_t>(e.row), static_cast<std::uint32_t>(e.col), e.value});
  }
  node.given = std::make_shared<const ContinuousNode::Given>(given);
  given.eigenvalues = eigenvalues_of(node, *classical, task);
  if (classical->family() == Family::GL || classical->family() == Family::U) {
    std::set<int> charges;
    for (const auto& [eigenvalue, count] : given.eigenvalues[0]) charges.insert(eigenvalue.second[0]);
    require_integral_charges(of_basis[0], charges, G.name(), task);
  }
  node.given = std::make_shared<const ContinuousNode::Given>(std::move(given));
  return ContinuousRepresentation(std::make_shared<const ContinuousNode>(std::move(node)));
}

}  // namespace intertwine
