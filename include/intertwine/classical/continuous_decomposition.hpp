// Representations of classical groups, connected or not, and of their products with finite groups as sums of irreducible ones, by characters.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "intertwine/classical/continuous_representation.hpp"

namespace intertwine {

/// An irreducible representation of one factor of a group, over the complex numbers; `name` is the label of species.
struct FactorIrrep {
  enum class Kind {
    weight,     ///< the highest weight for a connected classical group: Dynkin labels, as those of LieGroup
    partition,  ///< Weyl's label for O(n) and O(p,q)
    row,        ///< a row of the character table of a finite group
    species     ///< an irreducible representation of C∞v or D∞h, by its name
  };
  Kind kind;
  std::vector<int> label;  ///< the label, for the kinds weight and partition; {Λ} for species
  std::size_t row = 0;     ///< the row, for the kind row
  Integer degree;
  /// The indicator of Frobenius and Schur: 1 with a symmetric invariant form, -1 with an alternating one, 0 not
  /// self-dual.
  int indicator;
  std::string name;  ///< "27", "10*"; "harmonic(2)*det"; "X.3"
};

struct ContinuousConstituent {
  std::vector<FactorIrrep> factors;
  Integer degree, multiplicity;
  /// "harmonic(2)*det"; over a product "E # 5", one name for each factor.
  std::string name() const;
  /// The indicator of the external product.
  int indicator() const {
    int product = 1;
    for (const FactorIrrep& irrep : factors) product *= irrep.indicator;
    return product;
  }
};

/// The constituents of V over the complex numbers, the largest first: its character on every component of the classical factors is divided by Weyl's denominators, and those of the finite
/// factors by their tables. Their degrees are checked to add up. \throws LimitError through `task` and for character tables that are too large
/// \par Source  the component of O(2m) that is not that of 1 has the characters of Sp(2m - 2) [Weyl 1946]
std::vector<ContinuousConstituent> decompose(const ContinuousRepresentation& V, const Task& task = {});

/// V, a representation of SU(n), SL(n), U(n) or GL(n), with `vector`, of dimension n, in the place of its defining module: V restricted along a homomorphism.
/// \throws DomainError unless V's group is one of these and n is the dimension of `vector`; LimitError as the functors
ContinuousRepresentation restricted_along(const ContinuousRepresentation& V, const ContinuousRepresentation& vector,
                                          const Task& task = {});

}  // namespace intertwine
