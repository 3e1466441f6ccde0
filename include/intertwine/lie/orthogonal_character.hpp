// Characters of O(n), n odd: there O(n) is SO(n) x {1, -1}.
#pragma once
#include <string>
#include <vector>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/lie/lie_group.hpp"

namespace intertwine {

/// An irreducible representation of O(n) and how often it occurs.
struct OrthogonalConstituent {
  Partition shape;  ///< the first two columns have at most n cells together
  Integer degree, multiplicity;
  /// -1 acts as 1 or as -1.
  int parity() const { return shape.weight() % 2 == 0 ? 1 : -1; }
};

/// O(n), n odd. Its characters are written as those of SO(n) x U(1) whose charges count modulo 2, so that the algebra of reductive groups
/// serves them: a charge is odd where -1 acts as -1. \par Source [Weyl 1946], chapter V
class OddOrthogonalGroup {
 public:
  /// \throws DomainError unless n is odd and at least 3; LimitError as LieGroup
  explicit OddOrthogonalGroup(int n);

  int n() const { return n_; }
  std::string name() const;
  /// SO(n) x U(1).
  const LieGroup& with_charge() const { return with_charge_; }
  /// That of a partition whose first two columns have at most n cells together; with the first column of n - k cells in place of k it is multiplied
  /// by the determinant. \throws DomainError for others
  LieCharacter irrep(const Partition& shape) const;
  /// The determinant.
  LieCharacter parity() const;
  /// The largest first, then by their partitions. \param chi  of SO(n) x U(1)
  std::vector<OrthogonalConstituent> constituents(const LieCharacter& chi) const;

 private:
  int n_;
  LieGroup rotations_, with_charge_;
};

/// "harmonic(2)", "parity*harmonic(1)", "irrep([2,1] as partition)": as parse_odd_orthogonal_representation reads it back.
std::string name_in_expressions(const OddOrthogonalGroup& G, const Partition& shape);

}  // namespace intertwine
