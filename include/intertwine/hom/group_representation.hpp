// A representation of a group of any kind, by matrices or by its character alone, and the algebra of these.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/hom/group.hpp"
#include "intertwine/reductive/axial_character.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine::hom {

/// An immutable value. Representations of finite groups, of classical groups and of products of both are by matrices.
/// Those of exceptional groups, and those of classical groups whose matrices would be too large, are by their
/// characters.
class Representation {
 public:
  using Kind = std::variant<intertwine::Representation, ContinuousRepresentation, LieCharacter, AxialCharacter>;
  Representation(intertwine::Representation V);
  Representation(ContinuousRepresentation V);
  /// Of C∞v or D∞h. \param reason  as below
  Representation(AxialCharacter V, std::string reason = {});
  /// \param reason  why it is known by its character only, for what asks for matrices. \throws DomainError unless
  /// characters of G are of this type, and G has the weights
  Representation(Group G, LieCharacter V, std::string reason = {});

  const Group& group() const { return group_; }
  const Kind& kind() const { return kind_; }
  /// The representation as one of this kind, or null.
  template <class T>
  const T* as() const {
    return std::get_if<T>(&kind_);
  }
  /// Is it given by matrices?
  bool has_matrices() const { return kind_.index() < 2; }
  /// Why it has none where others over its group have.
  const std::string& reason() const { return reason_; }
  /// \param what  what asks for them. \throws DomainError, saying why there are none, unless it is given by matrices
  void require_matrices(const std::string& what) const;

  Integer dimension() const;
  /// Text that parse_representation reads back, if no constituent occurs a negative number of times.
  std::string to_string() const;
  /// Is it complex by nature, as those of SU(n) are but for real(V)? Characters are.
  bool is_complex() const;

  /// Are both written the same over the same group, or are their characters the same where these are all that is known?
  friend bool operator==(const Representation& V, const Representation& W) {
    return V.group_ == W.group_ && V.kind_ == W.kind_;
  }

 private:
  Group group_;
  Kind kind_;
  std::string reason_;
};

/// The character of a representation whose group has highest weights (Group::reductive). \throws DomainError for other
/// groups; LimitError through `task`
LieCharacter character(const Representation& V, const Task& task = {});

/// The species of a representation of C∞v or D∞h. \throws DomainError for other groups; LimitError through `task`
AxialCharacter axial_character(const Representation& V, const Task& task = {});

/// The representation that a group is given by: on its points, its defining module, `perm # vector` of a product, R^3
/// for C∞v and D∞h. \throws DomainError for products that are known by their type, which have none
Representation natural_representation(const Group& G);
Representation trivial_representation(const Group& G);

/// V on the cells of a grid that a point group turns: Hom(V * cells, U) are its convolution kernels.
struct AtKernelSites {
  Representation V;                  ///< the multiplicities of V kept as such
  std::vector<std::uint64_t> sizes;  ///< of every axis
};
/// \param sizes  of all axes, or one for all. \throws DomainError unless the group is finite; as kernel_extents and
/// kernel_sites
AtKernelSites at_kernel_sites(const Representation& V, std::vector<std::uint64_t> sizes, const Task& task = {});

/// Sums, tensor products, powers and functors. They are by matrices where both sides are. Where these would be too
/// large, and the group has highest weights, they are by characters. \throws DomainError for two groups; LimitError
/// through `task`
Representation sum(const Representation& V, const Representation& W, const Task& task = {});
/// V - W: a difference of characters, or the kernel of an equivariant map onto W (intertwine::difference). \throws
/// DomainError for classical groups that have no highest weights, and for finite groups unless it is a representation
Representation difference(const Representation& V, const Representation& W, const Task& task = {});
Representation tensor_product(const Representation& V, const Representation& W, const Task& task = {});
/// k copies, kept as a multiplicity. \throws DomainError for negative k where there are matrices
Representation multiple(const Integer& k, const Representation& V, const Task& task = {});
Representation tensor_power(const Representation& V, std::uint64_t k, const Task& task = {});
Representation dual(const Representation& V);
Representation sym(unsigned k, const Representation& V, const Task& task = {});
Representation alt(unsigned k, const Representation& V, const Task& task = {});
Representation schur_power(const Partition& shape, const Representation& V, const Task& task = {});
/// V over the real numbers, of twice the dimension if it was not real. \throws DomainError for characters
Representation real(const Representation& V);

}  // namespace intertwine::hom
