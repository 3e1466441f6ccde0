// Rotations of a crystal on spinors: exact lifts to SU(2), in any setting, without Cartesian axes.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/groups/space_groups.hpp"

namespace intertwine {

/// A rotation by 2 pi / order about an axis, in edges of the cell: a column of coprime integers.
/// On spinors it is exp(-i pi / order n.sigma), with n the unit vector along the axis in a right-handed cell, and sigma
/// the matrices of Pauli.
struct SpinRotation {
  int order;                ///< 1, 2, 3, 4 or 6
  std::array<int, 3> axis;  ///< (0, 0, 0) for order 1; its first coordinate that is not 0 is positive for order 2

  Cyclotomic trace() const;  ///< of its lift: 2 cos(pi / order), 0 for half turns
  friend bool operator==(const SpinRotation&, const SpinRotation&) = default;
};

/// Lifts of a finite group of matrices of integers to SU(2). Inversion is the identity on spinors, so W and -W have one
/// lift: the one of positive trace, and for half turns the one by SpinRotation. A value.
///
/// \par Method  A form G that the group leaves fixed makes the quaternions s + sqrt(det G) w, of rational s and w in
///              edges of the cell, an algebra. A lift is one of them up to a positive factor, and signs of products are
///              signs of rational numbers.
class SpinLifts {
 public:
  /// \param operations  all of a group modulo translations, which leaves the sum of their W^T W fixed
  explicit SpinLifts(std::span<const SpaceOperation> operations);

  SpinRotation rotation(const SpaceOperation& g) const;
  /// Is the lift of g times that of h minus the one of g h?
  bool changes_sign(const SpaceOperation& g, const SpaceOperation& h) const;

 private:
  struct Quaternion {
    Integer s;
    std::array<Integer, 3> w;
  };
  Quaternion lift(const SpaceOperation& g) const;
  Quaternion times(const Quaternion& a, const Quaternion& b) const;

  std::array<std::array<Integer, 3>, 3> form_, adjoint_;
  Integer determinant_;
};

}  // namespace intertwine
