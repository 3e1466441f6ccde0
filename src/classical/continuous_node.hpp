// Expression nodes of representations of continuous groups, and how Lie algebras, components and finite factors act on them.
#pragma once
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

namespace intertwine {

/// The `number` of irrep for half-integral weights; 1 and 2 more for the halves whose highest weights end with + and -.
inline constexpr std::uint64_t spin_irrep_number = 4;
/// The `number` of irrep for a real form inside real(V).
inline constexpr std::uint64_t real_form_number = 8;

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

struct ContinuousNode {
  enum class Kind {
    trivial,
    vector,
    determinant,
    harmonic,
    irrep,
    spinor,
    adjoint,
    given,
    finite,
    dual,
    sym,
    alt,
    schur,
    real,
    sum,
    multiple,
    product,
    power,
    external
  };
  Kind kind;
  ContinuousGroup group;
  std::uint64_t dimension;
  /// The parts of the expression. An adjoint has V * dual(V), alt(2, V) or sym(2, V) for the defining module V, which
  /// it is but for a trace; an irrep has the module that it is a part of.
  ContinuousNodes parts;
  /// Degree, multiplicity or exponent; of adjoint and given 1 where -X^T acts in the place of X; of irrep 1 and 2 for the halves whose highest weights end with + and -, 3 where -X^T acts; spin_irrep_number and more for half-integral weights of Spin(n).
  std::uint64_t number = 0;
  Partition shape;  ///< the shape of schur and irrep; for half-integral weights twice their coordinates
  std::optional<Representation> finite;  ///< the representation behind a node of kind finite

  /// For adjoint and given: rho(X) = sum of X(a, b) value at (row, col), over all entries X(a, b); for spinor over those with a < b, `number` being 1 and 2 for
  /// half-spinors and 0 otherwise.
  struct Linear {
    std::uint32_t a, b, row, col;
    Cyclotomic value;
  };
  std::vector<Linear> linear;
  /// For harmonic: coordinates of basis vector `col` at monomial `monomial` of Sym^l, and the basis vector that is known by each
  /// monomial (or none). For irrep the same with the basis of parts[0] in the place of monomials.
  struct Submodule {
    struct Entry {
      std::uint32_t monomial, col;
      Rational value;
    };
    std::vector<Entry> entries;
    std::vector<std::int64_t> selected;
  };
  /// A submodule that is found when its matrices are asked for first: characters and dimensions do without it.
  class LazySubmodule {
   public:
    explicit LazySubmodule(Submodule found) : found_(std::move(found)) {}
    explicit LazySubmodule(std::function<Submodule(const Task&)> find) : find_(std::move(find)) {}
    const Submodule& get(const Task& task) const {
      const std::lock_guard lock(mutex_);
      if (!found_) found_.emplace(find_(task));
      return *found_;
    }

   private:
    mutable std::mutex mutex_;
    mutable std::optional<Submodule> found_;
    std::function<Submodule(const Task&)> find_;
  };
  std::shared_ptr<const LazySubmodule> lazy_submodule = nullptr;
  const Submodule& submodule(const Task& task = {}) const { return lazy_submodule->get(task); }
  /// For given: the matrices of the group's generators over their field, as rational ones (restrict_scalars), the entries of those of components, and
  /// what characters need.
  struct Given {
    using Eigenvalues =
        std::map<std::pair<int, std::vector<int>>, std::int64_t>;  ///< (sign, weight), how often
    AbelianField field;
    std::vector<SparseMatrix> images;
    std::vector<EntryList<Cyclotomic>> components;
    static constexpr int largest_weight = 100'000;
    int bound = 0;  ///< no weight is larger, unless this is largest_weight: larger ones are not looked for
    std::vector<Eigenvalues> eigenvalues;  ///< for every laurent::Component
  };
  std::shared_ptr<const Given> given = nullptr;

  const ClassicalGroup& classical() const { return std::get<ClassicalGroup>(group.factors().front()); }
};

/// The Dynkin labels of irrep with a half-integral weight: one, or with that of its conjugate where these are different and both are in the real representation.
std::vector<std::vector<int>> spin_highest_weights(const ContinuousNode& node);

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
using CyclotomicOperations =
    ExactOperations<Cyclotomic>;  ///< for representations whose matrices are not rational

/// A prime field that takes rational numbers whose denominators it does not divide, as all do here but for bad luck, which the
/// exact checks would find out; and cyclotomic ones by a root of unity.
struct ModularOperations {
  using Element = PrimeField::Element;
  PrimeField field;
  std::uint32_t order = 1;     ///< a multiple of all conductors
  Element root = field.one();  ///< the image of exp(2 pi i / order)
  /// The image of i: that of the root, so that complex numbers mean the same everywhere.
  Element imaginary_unit() const {
    return order % 4 == 0 ? field.power(root, order / 4) : field.root_of_unity(4);
  }
  /// The other image of complex numbers, that of their conjugates.
  ModularOperations conjugate() const { return {field, order, order == 1 ? root : field.inverse(root)}; }
  void poll() const {}  // modules of their size are small
  Task limits() const { return {}; }
  Element add(Element a, Element b) const { return field.add(a, b); }
  Element multiply(Element a, Element b) const { return field.multiply(a, b); }
  Element negative(Element a) const { return field.negative(a); }
  Element from(const Integer& a) const { return field.from(a); }
  Element from(const Rational& a) const {
    return field.multiply(field.from(Integer(numerator(a))),
                          field.inverse(field.from(Integer(denominator(a)))));
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

/// The monomials of degree k in n variables as lists i_1 <= ... <= i_k of variables (i_1 < ... < i_k if strict), lexicographic.
std::vector<std::vector<std::uint32_t>> index_lists(std::uint64_t n, std::uint64_t k, bool strict);

/// The action of an element X of the Lie algebra of classical factor number `factor`, given on the defining module. Modulo a prime X is any element of the complex
/// span of the algebra, on real representations too: p is 1 modulo 4.
EntryList<Rational> lie_action(const ContinuousNode& node, std::size_t factor, const EntryList<Rational>& X,
                               const RationalOperations& field);
EntryList<Cyclotomic> lie_action(const ContinuousNode& node, std::size_t factor,
                                 const EntryList<Cyclotomic>& X, const CyclotomicOperations& field);
EntryList<PrimeField::Element> lie_action(const ContinuousNode& node, std::size_t factor,
                                          const EntryList<PrimeField::Element>& X,
                                          const ModularOperations& field);
/// Does the diagonal matrix with these signs on the defining module of classical factor number `factor` act by signs? The modules that are made of the defining one have
/// bases of weight vectors of the diagonal matrices; those by given matrices need not.
bool acts_by_signs(const ContinuousNode& node, std::size_t factor, const std::vector<int>& signs);
/// The diagonal of that matrix, where it acts by signs.
std::vector<int> component_action(const ContinuousNode& node, std::size_t factor,
                                  const std::vector<int>& signs);
/// The matrix of an element of factor number `factor`: of such a diagonal matrix, or of a permutation of a finite one. No place occurs twice.
EntryList<Cyclotomic> element_action(const ContinuousNode& node, std::size_t factor,
                                     const std::variant<std::vector<int>, Permutation>& element,
                                     const Task& task);
/// A (x) B, B being of this size.
EntryList<Cyclotomic> kronecker_product(const EntryList<Cyclotomic>& A, const EntryList<Cyclotomic>& B,
                                        std::uint64_t size, const Task& task);
EntryList<Cyclotomic> diagonal_entries(const std::vector<int>& signs);

SparseMatrix diagonal_matrix(const std::vector<int>& signs);
SparseMatrix identity_matrix(std::uint64_t n);
/// \throws DomainError if A is not rational
SparseMatrix sparse_matrix(const FieldMatrix& A);
/// Refuses matrices whose weights were not found: as a limit where there may be larger ones than were looked for. \throws DomainError; LimitError
[[noreturn]] void refuse_weights(const ContinuousNode::Given& given, const std::string& why);
/// The entries over K of a matrix as ContinuousNode::Given has it, row by row.
EntryList<Cyclotomic> given_entries(const SparseMatrix& A, const AbelianField& K);

/// The part of a term that belongs to one factor of the group.
struct ContinuousPiece {
  ContinuousNodes
      leaves;  ///< classical factor: a tensor product of these; none for the trivial representation
  std::optional<Representation> finite;  ///< finite factor
  std::uint64_t dimension = 1;
  std::string key() const;  ///< equal for equal modules
};
/// An external tensor product inside V: its pieces, one for each factor of the group, and the coordinate of V at each of its basis
/// vectors (the index of the first piece is the slowest); or, where these are no basis vectors of V, their coordinates and the covectors that give coordinates in them.
struct ContinuousTerm {
  using Vector = std::vector<std::pair<std::uint32_t, Rational>>;
  struct Spread {
    std::vector<Vector> inclusion, projection;  ///< for every basis vector
  };
  std::vector<ContinuousPiece> pieces;
  std::vector<std::uint32_t> coordinates;
  std::shared_ptr<const Spread> spread;  ///< then there are no `coordinates`

  std::size_t size() const { return spread ? spread->inclusion.size() : coordinates.size(); }
  Vector included(std::size_t k) const {
    return spread ? spread->inclusion[k] : Vector{{coordinates[k], Rational(1)}};
  }
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
