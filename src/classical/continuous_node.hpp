// Expression nodes of representations of continuous groups, and how Lie algebras, components and finite factors act on
// them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "intertwine/classical/continuous_group.hpp"
#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/exact/abelian_field.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/exact/prime_field.hpp"
#include "intertwine/exact/sparse_matrix.hpp"
#include "intertwine/task.hpp"
#include "overloaded.hpp"

namespace intertwine {

using ContinuousNodes = std::vector<std::shared_ptr<const ContinuousNode>>;

/// Entries of a matrix in any order; those at the same place are to be added.
template <class Element>
struct EntryList {
  struct Entry {
    std::uint32_t row, col;
    Element value;
  };
  std::vector<Entry> entries;
};

/// An expression: an operation on `parts`, or a module of one group that stands for itself.
struct ContinuousNode {
  struct Trivial {};
  struct Vector {};
  struct Determinant {};
  struct Finite {
    Representation V;
  };

  /// rho(X) = sum of X(a, b) value at (row, col), over all entries X(a, b); for spinors over those with a < b.
  struct LinearAction {
    struct Entry {
      std::uint32_t a, b, row, col;
      Cyclotomic value;
    };
    std::vector<Entry> entries;
    bool is_twisted = false;  ///< -X^T acts in the place of X
  };
  struct Spinor : LinearAction {
    int half = 0;  ///< +1 and -1 for half-spinors
  };
  /// Its part is V * dual(V), alt(2, V) or sym(2, V) for the defining module V, which it is but for a trace.
  struct Adjoint : LinearAction {};
  struct GivenMatrices {
    using Eigenvalues = std::map<std::pair<int, std::vector<int>>, std::int64_t>;  ///< (sign, weight), how often
    AbelianField field;
    std::vector<SparseMatrix> images;  ///< of the group's generators, as rational ones (restrict_scalars)
    std::vector<EntryList<Cyclotomic>> components;
    static constexpr int largest_weight = 100'000;
    int bound = 0;  ///< no weight is larger, unless this is largest_weight: larger ones are not looked for
    std::vector<Eigenvalues> eigenvalues;  ///< for every laurent::Component
  };
  struct Given : LinearAction {
    std::shared_ptr<const GivenMatrices> matrices;
  };

  /// The coordinates of basis vector `col` at basis vector `monomial` of parts[0], and the basis vector that is known
  /// by each of these alone (or -1).
  struct Submodule {
    struct Entry {
      std::uint32_t monomial, col;
      Rational value;
    };
    std::vector<Entry> entries;
    std::vector<std::int64_t> selected;
  };
  /// A submodule of parts[0], found when its matrices are asked for first: characters and dimensions do without it.
  class PartOf {
   public:
    explicit PartOf(Submodule found) : lazy_(std::make_shared<Lazy>()) { lazy_->found = std::move(found); }
    explicit PartOf(std::function<Submodule(const Task&)> find) : lazy_(std::make_shared<Lazy>()) {
      lazy_->find = std::move(find);
    }
    const Submodule& submodule(const Task& task = {}) const {
      const std::lock_guard lock(lazy_->mutex);
      if (!lazy_->found) lazy_->found.emplace(lazy_->find(task));
      return *lazy_->found;
    }

   private:
    struct Lazy {
      std::mutex mutex;
      std::optional<Submodule> found;
      std::function<Submodule(const Task&)> find;
    };
    std::shared_ptr<Lazy> lazy_;
  };
  struct Harmonic : PartOf {
    unsigned degree;
  };
  struct Irrep : PartOf {
    Partition shape;          ///< for half-integral weights of Spin(n) twice their coordinates
    int half = 0;             ///< the sign at the end of the highest weight, where the other one is another module
    bool is_spin = false;     ///< the weight is half-integral
    bool is_twisted = false;  ///< -X^T acts in the place of X
  };
  struct RealForm : PartOf {};  ///< of V in real(V)

  struct Dual {};
  struct Real {};
  struct Functor {
    enum class Name { sym, alt, schur };
    Name name;
    Partition shape;
    unsigned degree() const { return static_cast<unsigned>(shape.weight()); }
  };
  struct Sum {};
  struct Multiple {
    std::uint64_t times;
  };
  struct Product {};
  struct Power {
    unsigned exponent;
  };
  struct External {};

  using Form = std::variant<Trivial, Vector, Determinant, Finite, Spinor, Adjoint, Given, Harmonic, Irrep, RealForm,
                            Dual, Real, Functor, Sum, Multiple, Product, Power, External>;
  Form form;
  ContinuousGroup group;
  std::uint64_t dimension;
  ContinuousNodes parts = {};
  std::string written = {};  ///< the name that it is printed by, where it has one of its own

  template <class T>
  const T* as() const {
    return std::get_if<T>(&form);
  }
  template <class T>
  bool is() const {
    return std::holds_alternative<T>(form);
  }
  /// The submodule that it is, or nothing.
  const PartOf* part_of() const {
    return std::visit(
        [](const auto& own) -> const PartOf* {
          if constexpr (std::is_base_of_v<PartOf, std::decay_t<decltype(own)>>)
            return &own;
          else
            return nullptr;
        },
        form);
  }
  /// The factors of a product: a power has its part so many times.
  ContinuousNodes factors() const {
    const auto* power = as<Power>();
    return power != nullptr ? ContinuousNodes(power->exponent, parts[0]) : parts;
  }
  const ClassicalGroup& classical() const { return std::get<ClassicalGroup>(group.factors().front()); }
};

inline ContinuousRepresentation made(ContinuousNode node) {
  return ContinuousRepresentation(std::make_shared<const ContinuousNode>(std::move(node)));
}

/// A bound on what adds up along products, from its values `leaf` of modules without parts; at factor number `factor`
/// of the group.
template <class Leaf>
std::uint64_t additive_bound(const ContinuousNode& node, std::size_t factor, const Leaf& leaf) {
  if (node.parts.empty()) return leaf(node);
  if (node.is<ContinuousNode::External>()) return additive_bound(*node.parts[factor], factor, leaf);
  std::uint64_t largest = 0, sum = 0;
  for (const auto& part : node.parts) {
    const std::uint64_t bound = additive_bound(*part, factor, leaf);
    largest = std::max(largest, bound);
    sum += bound;
  }
  if (node.is<ContinuousNode::Product>()) return sum;
  if (const auto* power = node.as<ContinuousNode::Power>()) return power->exponent * largest;
  const auto* functor = node.as<ContinuousNode::Functor>();
  return functor != nullptr ? functor->degree() * largest : largest;
}

/// The Dynkin labels of Spin(n) for twice the coordinates of a half-integral weight: one list, or with that of its
/// conjugate where these are different and both are in the real representation.
std::vector<std::vector<int>> spin_highest_weights(const Partition& doubled, int half, unsigned n);

/// In representations that are real (restriction_of_scalars) an element of a Lie algebra is X, antisymmetric, or i
/// times X, symmetric, as ClassicalGroup::CompactGenerator has it.
template <class Number>
struct ExactOperations {
  using Element = Number;
  bool imaginary = false;
  const Task* task = nullptr;  ///< the task that long loops poll
  void poll() const {
    if (task != nullptr) task->poll();
  }
  /// The limits of what is done with it.
  Task limits() const { return task != nullptr ? *task : Task(); }
  Element add(const Element& a, const Element& b) const { return a + b; }
  Element multiply(const Element& a, const Element& b) const { return a * b; }
  Element negative(const Element& a) const { return -a; }
  Element inverse(const Element& a) const { return Element(1) / a; }
  Element from(const Element& a) const { return a; }
  Element from(const Integer& a) const { return Element(a); }
  Element from(const std::conditional_t<std::is_same_v<Number, Rational>, Cyclotomic, Rational>& a) const {
    if constexpr (std::is_same_v<Number, Rational>)
      return a.to_rational();
    else
      return Element(a);
  }
  Element integer(std::int64_t a) const { return Element(static_cast<long long>(a)); }
};
using RationalOperations = ExactOperations<Rational>;
using CyclotomicOperations = ExactOperations<Cyclotomic>;  ///< for representations whose matrices are not rational

/// A prime field that takes rational numbers whose denominators it does not divide, as all do here but for bad luck,
/// which the exact checks would find out; and cyclotomic ones by a root of unity.
struct ModularOperations {
  using Element = PrimeField::Element;
  PrimeField field;
  std::uint32_t order = 1;     ///< a multiple of all conductors
  Element root = field.one();  ///< the image of exp(2 pi i / order)
  /// The image of i: that of the root, so that complex numbers mean the same everywhere.
  Element imaginary_unit() const { return order % 4 == 0 ? field.power(root, order / 4) : field.root_of_unity(4); }
  /// The other image of complex numbers, that of their conjugates.
  ModularOperations conjugate() const { return {field, order, order == 1 ? root : field.inverse(root)}; }
  void poll() const {}  // modules of their size are small
  Task limits() const { return {}; }
  Element add(Element a, Element b) const { return field.add(a, b); }
  Element multiply(Element a, Element b) const { return field.multiply(a, b); }
  Element negative(Element a) const { return field.negative(a); }
  Element from(const Integer& a) const { return field.from(a); }
  Element from(const Rational& a) const {
    return field.multiply(field.from(Integer(numerator(a))), field.inverse(field.from(Integer(denominator(a)))));
  }
  Element from(const Cyclotomic& a) const {
    if (const std::int64_t* small = a.small_integer()) return field.from(*small);
    const std::uint32_t step = order / a.conductor();
    Element sum = 0;
    for (const auto& [exponent, c] : a.terms())
      sum = field.add(sum, field.multiply(from(c), field.power(root, std::uint64_t{exponent} * step)));
    return sum;
  }
  Element integer(std::int64_t a) const { return field.from(a); }
};

/// \throws DomainError if one is complex and another one real
void require_one_kind_of_scalars(const std::vector<ContinuousRepresentation>& V);

/// The monomials of degree k in n variables as lists i_1 <= ... <= i_k of variables (i_1 < ... < i_k if strict),
/// lexicographic.
std::vector<std::vector<std::uint32_t>> index_lists(std::uint64_t n, std::uint64_t k, bool strict);

/// The action of an element X of the Lie algebra of classical factor number `factor`, given on the defining module.
/// Modulo a prime X is any element of the complex span of the algebra, on real representations too: p is 1 modulo 4.
EntryList<Rational> lie_action(const ContinuousNode& node, std::size_t factor, const EntryList<Rational>& X,
                               const RationalOperations& field);
EntryList<Cyclotomic> lie_action(const ContinuousNode& node, std::size_t factor, const EntryList<Cyclotomic>& X,
                                 const CyclotomicOperations& field);
EntryList<PrimeField::Element> lie_action(const ContinuousNode& node, std::size_t factor,
                                          const EntryList<PrimeField::Element>& X, const ModularOperations& field);
/// The matrix of an element of factor number `factor`: of such a diagonal matrix, or of a permutation of a finite one.
/// No place occurs twice.
EntryList<Cyclotomic> element_action(const ContinuousNode& node, std::size_t factor,
                                     const std::variant<std::vector<int>, Permutation>& element, const Task& task);
bool is_diagonal(const EntryList<Cyclotomic>& A);
/// A (x) B, B being of this size.
EntryList<Cyclotomic> kronecker_product(const EntryList<Cyclotomic>& A, const EntryList<Cyclotomic>& B,
                                        std::uint64_t size, const Task& task);
EntryList<Cyclotomic> identity_entries(std::uint64_t n);

SparseMatrix diagonal_matrix(const std::vector<int>& signs);
SparseMatrix identity_matrix(std::uint64_t n);
/// \throws DomainError if A is not rational
SparseMatrix sparse_matrix(const FieldMatrix& A);
/// Refuses matrices whose weights were not found: as a limit where there may be larger ones than were looked for.
/// \throws DomainError; LimitError
[[noreturn]] void refuse_weights(const ContinuousNode::GivenMatrices& given, const std::string& why);
/// The entries over K of a matrix as ContinuousNode::GivenMatrices has it, row by row.
EntryList<Cyclotomic> given_entries(const SparseMatrix& A, const AbelianField& K);

/// The part of a term that belongs to one factor of the group.
struct ContinuousPiece {
  ContinuousNodes leaves;  ///< classical factor: a tensor product of these; none for the trivial representation
  std::optional<Representation> finite;  ///< finite factor
  std::uint64_t dimension = 1;
  std::string key() const;  ///< equal for equal modules
};
/// An external tensor product inside V: its pieces, one for each factor of the group, and the coordinate of V at each
/// of its basis vectors (the index of the first piece is the slowest); or, where these are no basis vectors of V, their
/// coordinates and the covectors that give coordinates in them.
struct ContinuousTerm {
  using Vector = std::vector<std::pair<std::uint32_t, Rational>>;
  struct Spread {
    std::vector<Vector> inclusion, projection;  ///< for every basis vector
  };
  std::vector<ContinuousPiece> pieces;
  std::vector<std::uint32_t> coordinates;
  std::shared_ptr<const Spread> spread;  ///< then there are no `coordinates`

  std::size_t size() const { return spread ? spread->inclusion.size() : coordinates.size(); }
  Vector included(std::size_t k) const { return spread ? spread->inclusion[k] : Vector{{coordinates[k], Rational(1)}}; }
  Vector projected(std::size_t k) const {
    return spread ? spread->projection[k] : Vector{{coordinates[k], Rational(1)}};
  }
};
/// a (x) b in V (x) W, W of this dimension, its basis vectors in the order of the pieces a_1, b_1, a_2, b_2, ...
ContinuousTerm tensor_product(const ContinuousTerm& a, const ContinuousTerm& b, std::uint64_t dimension);
/// \throws LimitError for more than 100000
void require_few_terms(std::size_t count);
/// Finds the submodules of a node and of its parts, where they are not known yet, under the limits of the task.
void find_submodules(const ContinuousNode& node, const Task& task);
/// V as the direct sum of such. \throws LimitError through `task`, or for more than 100000 terms
std::vector<ContinuousTerm> terms_of(const ContinuousNode& node, const Task& task);

}  // namespace intertwine
