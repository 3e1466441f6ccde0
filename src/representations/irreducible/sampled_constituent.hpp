// Irreducible constituents of induced modules that are too large to be written down.
#pragma once
#include <functional>
#include <memory>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/representations/representation.hpp"
#include "spherical.hpp"

namespace intertwine {

/// Lattices of larger ranks are not reduced.
constexpr std::size_t largest_reduced_rank = 700;

/// The constituent of degree d that the spherical vector v of M generates, or another vector that H moves by l, by d of its images and by their coordinates at d cosets,
/// which determine a vector of the constituent. A value; copies share their data.
///
/// \par Method  As constituent_basis, with some 2 d coordinates in place of all: by Schur's relations their sum of squares is nearly the
///              invariant form. The lattice is the one that some 2 d images generate, d of them over Q where d exceeds 300, and
///              where d [K : Q] exceeds 500. Above 400, and over Q above 300, an AdaptedBasis is taken, if
///              there is one. Where matrices have denominators, the basis becomes one of a lattice that the group maps to itself (integral_form).
/// \par Proof   The span of the images of v is invariant and has the dimension d, so that rho(g) is known by what it does at the chosen
///              cosets; both the images and the cosets are independent there modulo a prime.
/// \par Cost    d^2 images under M for a matrix, and three products; lattice reduction in rank d [K : Q], left out above 700, or in rank d.
class SampledConstituent {
 public:
  /// The constituent of the row `row`; K must contain the values of the character and of the linear character.
  SampledConstituent(const SphericalVector& v, const GaloisTable& table, std::size_t row, const AbelianField& K,
                     const Task& task);

  std::size_t dimension() const;
  const AbelianField& field() const;
  FieldMatrix matrix(const Permutation& g, const Task& task = {}) const;
  /// The coordinates of v, dimension() x 1, up to a rational factor.
  FieldMatrix seed(const Task& task = {}) const;
  /// The coordinates of a vector w with h w = l(h) w for another subgroup and a linear character of it that occurs once, up to a factor, over
  /// the compositum of the field and that of l: the sum over that subgroup of l(h)^-1 h x for the first image x for which it is not 0.
  /// \par Cost  its order times dimension()
  FieldMatrix seed(const LinearPair& pair, const Task& task) const;
  /// The traces of matrix(g) modulo a prime that splits in the field, under its first embedding, each by d^2 images and multiplications.
  /// \throws InternalError if the prime divides a denominator.
  std::function<std::uint64_t(const Permutation&)> traces(const AbelianField::SplitPrime& prime,
                                                          const Task& task = {}) const;
  /// The constituent's image under zeta -> zeta^k.
  SampledConstituent galois_conjugate(std::uint32_t k) const;
  /// The constituent as a representation of the group, in matrices.
  Representation representation(const Task& task = {}) const;

 private:
  struct Data;
  std::shared_ptr<const Data> data_;
  std::uint32_t automorphism_ = 1;
};

}  // namespace intertwine
