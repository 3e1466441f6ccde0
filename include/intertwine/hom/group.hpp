// A group of any kind: finite, classical or a product of such with finite ones, or reductive.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "intertwine/classical/continuous_group.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/reductive/lie_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine::hom {

/// A value; copies share. parse_group reads it from its name.
class Group {
 public:
  /// A classical group is a ContinuousGroup of one factor, also where it is connected and reductive; a LieGroup is one
  /// that has factors without a defining module here, such as E8 and Lie(A2 x T1).
  using Kind = std::variant<FiniteGroup, ContinuousGroup, LieGroup>;
  Group(Kind kind) : kind_(std::move(kind)) {}
  Group(FiniteGroup G) : kind_(std::move(G)) {}
  Group(ContinuousGroup G) : kind_(std::move(G)) {}
  /// SU(3) becomes the classical group of this name, and a product whose factors are all classical becomes their
  /// product.
  Group(const LieGroup& G);

  const Kind& kind() const { return kind_; }
  /// The group as one of this kind, or null.
  template <class T>
  const T* as() const {
    return std::get_if<T>(&kind_);
  }
  std::string name() const;
  /// Classical factors without a Lie algebra, O(1), SO(1), SU(1) and SL(1), are finite, too.
  bool is_finite() const;
  /// The number of elements; nothing if there are infinitely many. \throws LimitError through `task`
  std::optional<Integer> order(const Task& task = {}) const;
  /// The number of points that a finite group permutes; nothing for others.
  std::optional<std::uint64_t> degree() const;
  /// The groups that it is given as a product of, in their order; itself alone where it is no product. D∞h has O(2) and
  /// Ci, and C∞v has O(2).
  std::vector<Group> factors() const;
  /// The group whose highest weights name irreducible representations, if all factors are connected and compact,
  /// complex or split; nothing for finite groups, O(n), SO+(p,q), and products with these.
  std::optional<LieGroup> reductive() const;
  /// Has C∞v or D∞h, the group of a linear molecule, a centre? Nothing for all other groups.
  std::optional<bool> centre_of_linear_molecule() const;

  /// Have both the same representations? The kinds and all that representations depend on are the same.
  friend bool operator==(const Group&, const Group&) = default;

 private:
  Kind kind_;
};

/// The product of finite and of classical groups, or of reductive ones. \throws DomainError for a product of a finite
/// group with one that has no defining module here, for products with C∞v and D∞h, and for no factors; LimitError for
/// more than 16 factors that are not all finite
Group direct_product(const std::vector<Group>& factors);

}  // namespace intertwine::hom
