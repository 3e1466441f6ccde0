// Bases of irreducible constituents in which a subgroup acts over the rational numbers.
//
// Let chi be an irreducible character of G with values in K, and H a subgroup on which it is irreducible and rational; let a linear character l with
// values 1 and -1 of a subgroup U of H occur once in it. In a representation over K with the character chi the vector u that U moves by l is unique up to
// a factor. A form over Q of the restriction to H exists, as l occurs once, and has such a vector, too: the images of u under H span over Q a
// space of dimension chi(1), and a basis of it is one of the whole space over K. The lattice of these images has the rank chi(1) in place of
// chi(1) [K : Q], and is free without more ado. M24, degree 231, over Q(sqrt(-15)): H = M22.
#pragma once
#include <optional>
#include <span>

#include "spherical.hpp"

namespace intertwine {

struct RationalRestriction {
  FiniteGroup subgroup;  ///< H
  LinearPair pair;       ///< U and l, of H

  /// Nothing if none of the first sixty SubgroupCandidates serves: stabilizers of points and sets are among them.
  /// \par Cost  the conjugacy classes of some of a few dozen subgroups; a character table and a search for pairs for at most two that have no pair
  static std::optional<RationalRestriction> find(const GaloisTable& table, std::size_t row, const Task& task);

  /// A short basis of the lattice that images of u under H generate in the constituent of degree d that v generates, at these cosets: d rows, the
  /// coordinates at a^l of K = Q(a) in columns l n, ..., l n + n - 1. Some 2 d images where there are as many.
  /// \param places  cosets that determine a vector of the constituent
  IntegerMatrix lattice(const SphericalVector& v, std::size_t d, const AbelianField& K,
                        std::span<const std::size_t> places, const Task& task) const;
};

}  // namespace intertwine
