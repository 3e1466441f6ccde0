// Representations of classical groups by given matrices of their generators.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "continuous_character.hpp"
#include "continuous_node.hpp"
#include "continuous_weights.hpp"
#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/echelon.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/linear_algebra.hpp"

namespace intertwine {

namespace {

using Node = ContinuousNode;
using Family = ClassicalGroup::Family;

SparseMatrix commutator(const SparseMatrix& A, const SparseMatrix& B, const Task& task) {
  return A.times(B, task) + Rational(-1) * B.times(A, task);
}

Cyclotomic power_of_generator(const AbelianField& K, std::size_t t) {
  return K.generator().power(static_cast<std::int64_t>(t));
}

/// c A as a matrix over Q: entry x is the matrix of multiplication by c x on K.
SparseMatrix restricted(const SparseMatrix& A, const Cyclotomic& c, const AbelianField& K) {
  if (K.is_rational()) return A;
  const SparseMatrix block =
      sparse_matrix(restrict_scalars(FieldMatrix(1, 1, std::vector<Cyclotomic>{c}).over(K), AbelianField()));
  std::vector<SparseMatrix::Entry> entries;
  for (const auto& a : A.entries())
    for (const auto& b : block.entries())
      entries.push_back({a.row * block.rows() + b.row, a.col * block.cols() + b.col, a.value * b.value});
  return {A.rows() * block.rows(), A.cols() * block.cols(), std::move(entries)};
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

/// A Lie algebra over a field K = Q(a), its matrices as rational ones (restrict_scalars): the basis a^t B, and
/// coordinates in it.
struct AlgebraBasis {
  std::vector<SparseMatrix> elements;
  std::size_t degree;
  explicit AlgebraBasis(const ClassicalGroup& G, const AbelianField& K = {}) : degree(K.degree()) {
    const auto f = static_cast<std::uint64_t>(degree);
    for (const SparseMatrix& B : G.lie_algebra()) {
      const auto& first = B.entries()[0];
      for (std::uint64_t t = 0; t < f; ++t) {
        places_.emplace_back(first.row * f + t, first.col * f);
        elements.push_back(restricted(B, power_of_generator(K, t), K));
      }
    }
  }
  /// The entries at places where each basis element alone has one, a 1.
  std::vector<Rational> coordinates(const SparseMatrix& X) const {
    std::vector<Rational> out;
    for (const auto& [row, col] : places_) out.push_back(X(row, col));
    return out;
  }

 private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places_;
};

SparseMatrix combination_of(const std::vector<Rational>& coefficients, const std::vector<SparseMatrix>& matrices,
                            std::uint64_t size) {
  SparseMatrix sum(size, size, {});
  for (std::size_t k = 0; k < matrices.size(); ++k)
    if (coefficients[k] != 0) sum = sum + coefficients[k] * matrices[k];
  return sum;
}

/// Elements of a Lie algebra, their images, and their coordinates one after the other.
struct SpannedAlgebra {
  std::vector<std::pair<SparseMatrix, SparseMatrix>> found;
  std::vector<Rational> coordinates;
};

/// Brackets of generators that are independent over the field, to which `to_element` takes rational numbers; of
/// coordinates without denominators.
template <class Field, class ToElement>
SpannedAlgebra brackets_of(const Field& field, const ToElement& to_element, const AlgebraBasis& basis,
                           const std::vector<SparseMatrix>& generators, const std::vector<SparseMatrix>& images,
                           const Task& task) {
  const std::size_t n = basis.elements.size();
  IncrementalEchelon<Field> echelon(field, n);
  SpannedAlgebra span;
  const auto keep = [&](const SparseMatrix& X, const auto& image) {
    const std::vector<Rational> own = basis.coordinates(X);
    Integer scale = 1;
    for (const Rational& x : own) scale = lcm(scale, Integer(denominator(x)));
    std::vector<typename Field::Element> row;
    for (const Rational& x : own) row.push_back(to_element(x * scale));
    if (!echelon.insert(std::move(row))) return;
    span.found.emplace_back(X, image());
    span.coordinates.insert(span.coordinates.end(), own.begin(), own.end());
  };
  for (std::size_t g = 0; g < generators.size(); ++g) keep(generators[g], [&] { return images[g]; });
  for (std::size_t k = 0; k < span.found.size() && span.found.size() < n; ++k)
    for (std::size_t g = 0; g < generators.size(); ++g) {
      task.poll();
      const auto [X, image] = span.found[k];
      keep(commutator(generators[g], X, task), [&, &Y = image] { return commutator(images[g], Y, task); });
    }
  return span;
}

/// The images of the basis, from those of generators: brackets of generators until they span. Nothing if they do not.
/// Matrices independent modulo a prime are independent; if these are too few, rational numbers decide.
std::optional<std::vector<SparseMatrix>> images_of_basis(const AlgebraBasis& basis,
                                                         const std::vector<SparseMatrix>& generators,
                                                         const std::vector<SparseMatrix>& images,
                                                         std::uint64_t dimension, const Task& task) {
  const std::size_t n = basis.elements.size();
  if (n == 0) return std::vector<SparseMatrix>{};
  const PrimeField field(word_prime(0));
  const auto residue = [&](const Rational& x) { return field.from(Integer(numerator(x))); };
  SpannedAlgebra span = brackets_of(field, residue, basis, generators, images, task);
  if (span.found.size() != n)
    span = brackets_of(
        RationalOperations{}, [](const Rational& x) { return x; }, basis, generators, images, task);
  if (span.found.size() != n) return std::nullopt;
  const RationalMatrix inverted = inverse(RationalMatrix(n, n, span.coordinates), task);  // rows: elements found
  std::vector<SparseMatrix> known, out;
  for (auto& [X, image] : span.found) known.push_back(std::move(image));
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<Rational> row;
    for (std::size_t j = 0; j < n; ++j) row.push_back(inverted(k, j));
    out.push_back(combination_of(row, known, dimension));
  }
  return out;
}

/// phi([X, B]) = [phi(X), phi(B)] for generators X and all B of the basis, which is enough by Jacobi's identity.
void require_brackets(const ContinuousGroup& G, const AlgebraBasis& basis, const std::vector<SparseMatrix>& generators,
                      const std::vector<SparseMatrix>& images, const std::vector<SparseMatrix>& of_basis,
                      std::uint64_t dimension, const Task& task) {
  for (std::size_t g = 0; g < generators.size(); ++g)
    for (std::size_t k = 0; k < of_basis.size(); ++k) {
      task.progress("checking brackets", g * of_basis.size() + k, generators.size() * of_basis.size());
      const SparseMatrix bracket = commutator(generators[g], basis.elements[k], task);
      if (combination_of(basis.coordinates(bracket), of_basis, dimension) == commutator(images[g], of_basis[k], task))
        continue;
      throw DomainError(
          fmt::format("the matrices are no representation of {}: [X, Y] = {} for X = {}, {}, and Y = {}, but "
                      "their images do not satisfy this",
                      G.name(), unit_text(bracket), unit_text(generators[g]), G.generator_names()[g],
                      unit_text(basis.elements[k])));
    }
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

/// Checks for GL(n) and U(n) that E(1,1) has integral eigenvalues and is diagonalizable, as polynomial in it with these
/// roots shows.
void require_integral_charges(const Node::GivenMatrices& given, const SparseMatrix& A, const std::set<int>& eigenvalues,
                              const std::string& group, const Task& task) {
  const SparseMatrix one = identity_matrix(A.rows());
  SparseMatrix value = one;
  for (const int c : eigenvalues) value = value.times(A + Rational(-c) * one, task);
  if (!value.entries().empty())
    refuse_weights(given,
                   fmt::format("the matrices are no representation of {}: that of E(1,1) has eigenvalues that are not "
                               "integers, or no basis of "
                               "eigenvectors",
                               group));
}

/// The weights on the component of 1, and on the other one with the sign of the component, both in the coordinates of
/// laurent::Component.
std::vector<Node::GivenMatrices::Eigenvalues> eigenvalues_of(const Node& node, const ClassicalGroup& G,
                                                             const Task& task) {
  const Node::GivenMatrices& given = *node.as<Node::Given>()->matrices;
  const std::uint32_t order = std::lcm(4U, given.field.conductor());
  const AbelianField::SplitPrime split = AbelianField::cyclotomic(order).split_prime(0);
  const PrimeField field(split.p);
  const ModularRoots roots(G, ModularOperations{field, order, field.from(Integer(split.roots[0]))});
  const PrimeField& F = roots.field.field;
  const WeightLeaf leaf(node, roots, task);
  const bool special = G.family() == Family::SL || G.family() == Family::SU;
  std::vector<Node::GivenMatrices::Eigenvalues> out(1);
  for (std::vector<int> weight : leaf.weight) {
    if (special) {  // labels to coordinates with the last one 0
      weight.push_back(0);
      for (std::size_t i = weight.size() - 1; i-- > 0;) weight[i] += weight[i + 1];
    }
    ++out[0][{1, std::move(weight)}];
  }
  if (given.components.empty()) return out;
  const EntryList<Cyclotomic>& C = given.components.back();
  std::map<std::vector<int>, std::pair<std::int64_t, PrimeField::Element>> spaces;  // dimension and trace
  std::vector<PrimeField::Element> trace(leaf.size, 0);
  for (const auto& e : C.entries) {
    const PrimeField::Element c = roots.field.from(e.value);
    for (const auto& [v, p] : leaf.basis[e.col])
      for (const auto& [w, q] : leaf.dual_basis[e.row])
        if (v == w) trace[v] = F.add(trace[v], F.multiply(c, F.multiply(p, q)));
  }
  const bool odd = G.dimension() % 2 == 1;
  for (std::size_t v = 0; v < leaf.size; ++v) {
    std::vector<int> weight = leaf.weight[v];
    if (!odd) weight.pop_back();  // the reflection of the last axis leaves a smaller torus fixed
    // The component of laurent::Component is that of -1: the reflection of the last axis and half turns of the other
    // ones.
    const bool minus = odd && G.positive() < G.dimension() && std::accumulate(weight.begin(), weight.end(), 0) % 2 != 0;
    auto& [dimension, sum] = spaces[std::move(weight)];
    ++dimension;
    sum = F.add(sum, minus ? F.negative(trace[v]) : trace[v]);
  }
  out.emplace_back();
  for (const auto& [weight, space] : spaces)
    for (const int sign : {1, -1}) {
      // (dimension + sign trace) / 2, between 0 and the dimension
      const PrimeField::Element twice = F.add(F.from(space.first), sign > 0 ? space.second : F.negative(space.second));
      const auto count = static_cast<std::int64_t>(F.residue(twice));
      if (count % 2 != 0 || count > 2 * space.first)
        throw InternalError("a component has no integral trace on a weight space");
      if (count != 0) out[1][{sign, weight}] = count / 2;
    }
  return out;
}

/// The sum of (-1)^k P_k over the eigenvalues k of A with projections P_k: is it M? A is diagonalizable with these
/// eigenvalues.
bool is_exponential_of_half_turn(const SparseMatrix& M, const SparseMatrix& A, const std::set<int>& eigenvalues,
                                 const Task& task) {
  const SparseMatrix one = identity_matrix(A.rows());
  for (const int k : eigenvalues) {
    SparseMatrix projected = M + Rational(k % 2 == 0 ? -1 : 1) * one;
    for (const int j : eigenvalues)
      if (j != k) projected = projected.times(A + Rational(-j) * one, task);
    if (!projected.entries().empty()) return false;
  }
  return true;
}

/// Checks matrices, all of them rational ones of restrict_scalars, and makes the representation.
class GivenModule {
 public:
  GivenModule(const ContinuousGroup& G, const AbelianField& K, std::vector<SparseMatrix> images,
              std::uint64_t dimension, const Task& task)
      : G_(G),
        classical_(std::get<ClassicalGroup>(G.factors().front())),
        K_(K),
        images_(std::move(images)),
        names_(G.generator_names()),
        generators_(classical_.lie_generators()),
        basis_(classical_),
        d_(dimension),
        size_(dimension * K.degree()),
        task_(task) {
    const std::vector<SparseMatrix> of_algebra(images_.begin(),
                                               images_.begin() + static_cast<std::ptrdiff_t>(generators_.size()));
    auto found = images_of_basis(basis_, generators_, of_algebra, size_, task);
    if (!found) throw InternalError("the generators of a Lie algebra do not generate it");
    of_basis_ = std::move(*found);
    require_brackets(G, basis_, generators_, of_algebra, of_basis_, size_, task);
    require_components();
  }

  /// The image of an element of the Lie algebra over K.
  SparseMatrix image(const SparseMatrix& X) const {
    const std::vector<Rational> coordinates = AlgebraBasis(classical_, K_).coordinates(X);
    const std::size_t f = K_.degree();
    SparseMatrix sum(size_, size_, {});
    for (std::size_t k = 0; k < coordinates.size(); ++k)
      if (coordinates[k] != 0)
        sum =
            sum + coordinates[k] *
                      restricted(identity_matrix(d_), power_of_generator(K_, k % f), K_).times(of_basis_[k / f], task_);
    return sum;
  }

  ContinuousRepresentation representation() const {
    Node::GivenMatrices given{K_, images_, {}, bound(), {}};
    for (std::size_t k = generators_.size(); k < images_.size(); ++k)
      given.components.push_back(given_entries(images_[k], K_));
    Node::Given own;
    const std::vector<SparseMatrix> algebra = classical_.lie_algebra();
    for (std::size_t k = 0; k < of_basis_.size(); ++k) {
      const auto& place = algebra[k].entries()[0];
      for (const auto& [row, col, value] : given_entries(of_basis_[k], K_).entries)
        own.entries.push_back(
            {static_cast<std::uint32_t>(place.row), static_cast<std::uint32_t>(place.col), row, col, value});
    }
    own.matrices = std::make_shared<const Node::GivenMatrices>(given);
    given.eigenvalues = eigenvalues_of({own, G_, d_}, classical_, task_);
    require_torus(given);
    own.matrices = std::make_shared<const Node::GivenMatrices>(std::move(given));
    return made({std::move(own), G_, d_});
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw DomainError(fmt::format("the matrices are no representation of {}: {}", G_.name(), why));
  }

  /// Involutions that commute with one another and turn the images as they turn the Lie algebra.
  void require_components() const {
    const SparseMatrix one = identity_matrix(size_);
    for (std::size_t k = generators_.size(); k < images_.size(); ++k) {
      const SparseMatrix& C = images_[k];
      if (!(C.times(C, task_) == one)) fail(fmt::format("the square of that of {} is not 1", names_[k]));
      for (std::size_t j = generators_.size(); j < k; ++j)
        if (!(C.times(images_[j], task_) == images_[j].times(C, task_)))
          fail(fmt::format("those of {} and {} do not commute", names_[j], names_[k]));
      const SparseMatrix own = diagonal_matrix(classical_.component_generators()[k - generators_.size()]);
      for (std::size_t g = 0; g < generators_.size(); ++g) {
        const SparseMatrix turned = own.times(generators_[g], task_).times(own, task_);
        if (!(combination_of(basis_.coordinates(turned), of_basis_, size_).times(C, task_) ==
              C.times(images_[g], task_)))
          fail(fmt::format("that of {} does not take the image of X = {} to that of {}", names_[k],
                           unit_text(generators_[g]), unit_text(turned)));
      }
    }
  }

  /// Sums of at most two basis elements are in the torus; weights of Spin(n) are counted twice, and labels of other
  /// semisimple groups are below the dimension.
  int bound() const {
    constexpr int most = Node::GivenMatrices::largest_weight;
    const bool with_charges = classical_.family() == Family::GL || classical_.family() == Family::U ||
                              (classical_.is_orthogonal() && classical_.dimension() == 2);
    Integer bound = 4 * row_bound(of_basis_);
    if (!with_charges) bound = std::min(bound, Integer(2 * d_));
    return static_cast<int>(std::min(bound, Integer(most)));
  }

  /// Checks the properties of the torus that eigenvalues modulo a prime do not show.
  void require_torus(const Node::GivenMatrices& given) const {
    std::set<int> first;
    for (const auto& [eigenvalue, count] : given.eigenvalues[0])
      if (!eigenvalue.second.empty())
        for (const int sign : {1, -1}) first.insert(sign * eigenvalue.second[0]);
    if (classical_.family() == Family::GL || classical_.family() == Family::U) {
      std::set<int> charges;
      for (const auto& [eigenvalue, count] : given.eigenvalues[0]) charges.insert(eigenvalue.second[0]);
      require_integral_charges(given, of_basis_[0], charges, G_.name(), task_);
    }
    if (classical_.is_orthogonal() && classical_.dimension() == 2) require_integral_turns(given);
    if (given.components.size() < 2) return;
    // The reflections of the first and the last axis together are exp(i pi X), X = E(1,n) + E(n,1).
    const std::uint64_t n = classical_.dimension();
    const SparseMatrix X(n, n, {{0, n - 1, Rational(1)}, {n - 1, 0, Rational(1)}});
    const SparseMatrix both = images_[generators_.size()].times(images_[generators_.size() + 1], task_);
    if (!is_exponential_of_half_turn(both, combination_of(basis_.coordinates(X), of_basis_, size_), first, task_))
      fail(
          fmt::format("the product of those of {} and {} is not exp(i pi X) for the image of X = {}, as in "
                      "algebraic representations",
                      names_[generators_.size()], names_[generators_.size() + 1], unit_text(X)));
  }

  /// Checks for SO(2), O(2) and SO+(1,1) that the generator is diagonalizable with eigenvalues i k (or k), k integers.
  void require_integral_turns(const Node::GivenMatrices& given) const {
    const int square = classical_.positive() == 2 ? 1 : -1;
    std::set<int> turns;
    for (const auto& [eigenvalue, count] : given.eigenvalues[0]) turns.insert(std::abs(eigenvalue.second[0]));
    SparseMatrix value = identity_matrix(size_);
    const SparseMatrix A2 = images_[0].times(images_[0], task_);
    for (const int k : turns)
      value = value.times(
          k == 0 ? images_[0] : A2 + Rational(square) * Rational(k) * Rational(k) * identity_matrix(size_), task_);
    if (!value.entries().empty())
      refuse_weights(given, fmt::format("the matrices are no representation of {}: that of {} has eigenvalues that are "
                                        "not those of turns, or no basis of eigenvectors",
                                        G_.name(), names_[0]));
  }

  const ContinuousGroup& G_;
  const ClassicalGroup& classical_;
  AbelianField K_;
  std::vector<SparseMatrix> images_;
  std::vector<std::string> names_;
  std::vector<SparseMatrix> generators_;
  AlgebraBasis basis_;
  std::vector<SparseMatrix> of_basis_;
  std::uint64_t d_, size_;
  const Task& task_;
};

const ClassicalGroup& group_with_matrices(const ContinuousGroup& G) {
  const auto* classical = G.is_product() ? nullptr : std::get_if<ClassicalGroup>(&G.factors().front());
  if (classical == nullptr)
    throw DomainError(
        fmt::format("matrices are given for one classical group, not for {}; join the representations of the "
                    "factors by #",
                    G.name()));
  return *classical;
}

AbelianField common_field(const std::vector<FieldMatrix>& A, AbelianField K = {}) {
  for (const FieldMatrix& X : A) K = AbelianField::compositum(K, X.field());
  return K;
}

std::vector<SparseMatrix> restricted_to_rationals(const std::vector<FieldMatrix>& A, const AbelianField& K) {
  std::vector<SparseMatrix> out;
  for (const FieldMatrix& X : A) out.push_back(sparse_matrix(restrict_scalars(X.over(K), AbelianField())));
  return out;
}

/// Matrices of d rows over K become rational ones of d [K:Q] rows.
void require_restrictable(std::uint64_t d, const AbelianField& K, std::size_t count, const Task& task) {
  const std::uint64_t rows = d * K.degree();
  if (rows > ContinuousRepresentation::max_functor_dimension)
    throw LimitError(
        fmt::format("matrices of {} rows over a field of degree {} are rational ones of {} rows, and there may be {}",
                    d, K.degree(), rows, ContinuousRepresentation::max_functor_dimension));
  task.require_memory(count * rows * rows * sizeof(Rational), "the rational matrices of a representation");
}

/// Square matrices of one size, which is returned.
std::uint64_t require_square(const std::vector<FieldMatrix>& images, const std::vector<std::string>& names) {
  const std::uint64_t d = images.front().rows();
  for (std::size_t k = 0; k < images.size(); ++k)
    if (images[k].rows() != d || images[k].cols() != d)
      throw DomainError(fmt::format("the matrix of {} is {} x {}, and that of {} has {} rows", names[k],
                                    images[k].rows(), images[k].cols(), names[0], d));
  if (d > ContinuousRepresentation::max_functor_dimension)
    throw LimitError(fmt::format("representations by matrices have at most {} dimensions, not {}",
                                 ContinuousRepresentation::max_functor_dimension, d));
  return d;
}

}  // namespace

void refuse_weights(const Node::GivenMatrices& given, const std::string& why) {
  constexpr int most = Node::GivenMatrices::largest_weight;
  if (given.bound < most) throw DomainError(why);
  throw LimitError(fmt::format("{}; weights above {} are not looked for", why, most));
}

EntryList<Cyclotomic> given_entries(const SparseMatrix& A, const AbelianField& K) {
  const std::uint64_t f = K.degree();
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Rational>> coordinates;
  for (const auto& e : A.entries())
    if (e.col % f == 0) {  // the image of 1
      auto& value = coordinates[{e.row / f, e.col / f}];
      value.resize(f);
      value[e.row % f] = e.value;
    }
  EntryList<Cyclotomic> out;
  for (const auto& [place, value] : coordinates)
    out.entries.push_back(
        {static_cast<std::uint32_t>(place.first), static_cast<std::uint32_t>(place.second), K.element(value)});
  return out;
}

ContinuousRepresentation matrix_representation(const ContinuousGroup& G, const std::vector<FieldMatrix>& images,
                                               const Task& task) {
  static_cast<void>(group_with_matrices(G));
  const std::vector<std::string> names = G.generator_names();
  if (images.size() != names.size() || images.empty())
    throw DomainError(fmt::format("{} matrices are given, but {} has {} generators: {}", images.size(), G.name(),
                                  names.size(), fmt::join(names, ", ")));
  const std::uint64_t d = require_square(images, names);
  const AbelianField K = common_field(images);
  require_restrictable(d, K, images.size(), task);
  return GivenModule(G, K, restricted_to_rationals(images, K), d, task).representation();
}

ContinuousRepresentation matrix_representation(const ContinuousGroup& G, const std::vector<FieldMatrix>& generators,
                                               const std::vector<FieldMatrix>& images, const Task& task) {
  const ClassicalGroup& classical = group_with_matrices(G);
  const std::size_t components = classical.component_generators().size(), r = generators.size();
  std::vector<std::string> names;
  for (std::size_t k = 0; k < r; ++k) names.push_back(fmt::format("given generator {}", k + 1));
  for (std::size_t k = 0; k < components; ++k)
    names.push_back(fmt::format("component {} of {}", k + 1, classical.name()));
  if (images.size() != names.size() || images.empty())
    throw DomainError(fmt::format("{} matrices are given for {} generators of the Lie algebra and {} components",
                                  images.size(), r, components));
  const std::uint64_t d = require_square(images, names), n = classical.dimension();
  const AbelianField K = common_field(images, common_field(generators));
  require_restrictable(std::max(d, n), K, images.size() + r, task);
  const AlgebraBasis basis(classical, K);
  for (std::size_t k = 0; k < r; ++k)
    if (generators[k].rows() != n || generators[k].cols() != n)
      throw DomainError(
          fmt::format("{} is a matrix of {} x {} entries, and those of the Lie algebra of {} have {} x {}", names[k],
                      generators[k].rows(), generators[k].cols(), G.name(), n, n));
  const std::vector<SparseMatrix> X = restricted_to_rationals(generators, K), Y = restricted_to_rationals(images, K);
  std::vector<SparseMatrix> from, to;  // times 1, a, a^2, ...
  for (std::size_t k = 0; k < r; ++k) {
    if (!(combination_of(basis.coordinates(X[k]), basis.elements, n * K.degree()) == X[k]))
      throw DomainError(fmt::format("{} is not in the Lie algebra of {}, or its complex span", names[k], G.name()));
    for (std::size_t t = 0; t < K.degree(); ++t) {
      const Cyclotomic power = power_of_generator(K, t);
      from.push_back(restricted(identity_matrix(n), power, K).times(X[k], task));
      to.push_back(restricted(identity_matrix(d), power, K).times(Y[k], task));
    }
  }
  const auto of_basis = images_of_basis(basis, from, to, d * K.degree(), task);
  if (!of_basis) throw DomainError(fmt::format("the given generators do not generate the Lie algebra of {}", G.name()));
  std::vector<SparseMatrix> standard;
  for (const SparseMatrix& generator : classical.lie_generators())
    standard.push_back(combination_of(basis.coordinates(restricted(generator, 1, K)), *of_basis, d * K.degree()));
  standard.insert(standard.end(), Y.begin() + static_cast<std::ptrdiff_t>(r), Y.end());
  const GivenModule module(G, K, standard, d, task);
  for (std::size_t k = 0; k < r; ++k)
    if (!(module.image(X[k]) == Y[k]))
      throw DomainError(
          fmt::format("the matrices are no representation of {}: that of {} is not what brackets of the others "
                      "make it",
                      G.name(), names[k]));
  std::vector<FieldMatrix> smallest;  // the field of the images themselves may be smaller
  for (const SparseMatrix& A : standard) {
    std::vector<Cyclotomic> entries(d * d);
    for (const auto& e : given_entries(A, K).entries) entries[e.row * d + e.col] = e.value;
    smallest.emplace_back(d, d, entries);
  }
  return matrix_representation(G, smallest, task);
}

}  // namespace intertwine
