// Subgroups under which an irreducible representation falls apart into small pieces, and what tells the pieces apart.
#pragma once
#include <optional>
#include <vector>

#include "multiplicity_one.hpp"

namespace intertwine {

/// A constituent over K of the restriction to H of an irreducible character chi with values in K.
struct AdaptedConstituent {
  std::size_t degree, multiplicity;
  /// U <= H and l with values 1 and -1 that occurs once in every absolutely irreducible constituent.
  LinearPair pair;
  /// The sum of the elements of a conjugacy class of H minus `value` is 0 on some of the other constituents and not on this one:
  /// all such together leave this one alone.
  struct Factor {
    Permutation representative;
    Cyclotomic value;  ///< |C| psi(c) / psi(1) of the others
  };
  std::vector<Factor> factors;
};

struct AdaptedSubgroup {
  FiniteGroup group;
  std::vector<AdaptedConstituent> constituents;

  /// The first of the SubgroupCandidates that has only constituents of degree at most `largest` over K, with such pairs and short conjugacy classes
  /// that tell them apart; nothing if none of the first sixty has.
  /// \par Cost  the conjugacy classes, a character table and a search for pairs for some of them
  static std::optional<AdaptedSubgroup> find(const GaloisTable& table, std::size_t row, const AbelianField& K,
                                             std::size_t largest, const Task& task);
};

}  // namespace intertwine
