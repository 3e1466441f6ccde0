// Orthonormal bases of representations of SO(n) and O(n), exact under square roots: real spherical harmonics.
#pragma once
#include <vector>

#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/exact/signed_root.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The polar axis of spherical harmonics on R^3. For z the order m = -l, ..., l begins y, z, x for l = 1; for y, which is e3nn's
/// convention, x, y, z there stand for y, z, x here, so that l = 1 is x, y, z.
enum class PolarAxis { z, y };

/// Orthonormal vectors f_k / sqrt(norms[k]), f_k rational, in which the group acts by orthogonal matrices. T, whose columns they are,
/// makes T^-1 rho(g) T of rho(g).
struct OrthonormalForm {
  RationalMatrix columns;       ///< column k: f_k in the basis of V
  std::vector<Rational> norms;  ///< positive
  /// Entry (i, k) of T. A map W : V -> U is T_U^-1 W T_V in these bases, diag(norms_U)^(1/2) (columns_U^-1 W columns_V)
  /// diag(norms_V)^(-1/2).
  SignedRoot entry(std::size_t i, std::size_t k) const;
};

/// The orthonormal basis of V:
/// - vector: the basis itself.
/// - harmonic(l) over n = 3: real spherical harmonics for m = -l, ..., l, each a positive multiple of sin(|m| phi), 1 or cos(m phi)
///   times the derivative of a Legendre polynomial, without Condon's and Shortley's sign; over n = 2 the real and imaginary part of
///   (x + iy)^l; over other n the rational basis of harmonic(l) made orthogonal in its order. The sum of the squares of the polynomials is
///   |x|^2l: e3nn's normalization `norm`. Clebsch-Gordan coefficients with CouplingBasis::real intertwine them.
/// - V + W, V * W, k * V, V^k, duals and #: what these make of them; sym(k, V) and alt(k, V) where V has its own basis.
/// \throws DomainError for other groups, schur(...), and finite factors that do not act by signed permutations; LimitError through
///         `task` and above dimension 2000
OrthonormalForm orthonormal_form(const ContinuousRepresentation& V, PolarAxis axis = PolarAxis::z,
                                 const Task& task = {});

}  // namespace intertwine
