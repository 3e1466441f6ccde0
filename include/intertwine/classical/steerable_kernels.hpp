// Steerable kernels: the kernels of convolutions on R^n that commute with SE(n) or E(n), by exact polynomials.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "intertwine/classical/continuous_group.hpp"
#include "intertwine/classical/continuous_representation.hpp"
#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/exact/sparse_matrix.hpp"
#include "intertwine/tables/weight_block.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// R^n : H, the translations of R^n and a group H of which one factor, SO(n), O(n) or Spin(n), turns R^n: SE(n), E(n), ISpin(n), S5 x SE(3).
/// Spin(n) turns R^n as SO(n) does, and fields of its spinors take the other sign under a full turn.
class EuclideanGroup {
 public:
  /// \throws DomainError unless factor number `factor` of H is SO(n) or O(n) with n >= 2, or Spin(n)
  EuclideanGroup(ContinuousGroup H, std::size_t factor);
  /// H, the stabilizer of the origin.
  const ContinuousGroup& point_group() const { return H_; }
  std::size_t factor() const { return factor_; }
  const ClassicalGroup& rotations() const { return std::get<ClassicalGroup>(H_.factors()[factor_]); }
  /// n.
  unsigned dimension() const { return rotations().dimension(); }
  /// "SE(3)", "S5 x E(2)", "ISpin(3)".
  std::string name() const;

 private:
  ContinuousGroup H_;
  std::size_t factor_;
};

/// The functions kappa : R^n -> Hom(V, U) with kappa(h x) = rho_U(h) kappa(x) rho_V(h)^-1 for all h in H. For these, and only for them, the
/// convolution (kappa * f)(x) = integral of kappa(x - y) f(y) dy commutes with the Euclidean group [Weiler et al. 2018].
///
/// On each sphere around the origin they are a space of finite dimension: that of Hom over the stabilizer of a point. A basis are
/// polynomials kappa_k, each homogeneous and harmonic of some degree L_k in the coordinates of x; all kernels are the sums of
/// radial functions times kappa_k(x / |x|). kappa_k(x) = W (eta_L(x) (x) 1) with W in Hom(harmonic(L) (x) V, U), and eta_L(x) the
/// vector of spherical harmonics of x: for irreducible representations of SO(3) the coefficients are those of Clebsch and Gordan.
struct SteerableKernels {
  EuclideanGroup group;
  ContinuousRepresentation source, target;  ///< V and U of H without multiplicities in front, which are
  Multiplicity channels;                    ///< as in hom::Basis: the kernels are those of one copy
  struct Degree {
    unsigned degree;                               ///< L
    std::vector<std::vector<unsigned>> monomials;  ///< all exponents of n variables of this degree, x_1^L first
    /// One for each kernel: entry (m, i dim V + j) is the coefficient of monomial m in entry (i, j). Integers without a common
    /// factor, the first positive.
    std::vector<SparseMatrix> kernels;

    std::uint64_t params() const { return kernels.size(); }
    /// Calls it with the number of the monomial, i dim V + j for entry (i, j), and the coefficient of kernel k.
    template <class Call>
    void each_term(std::uint64_t k, const Call& call) const {
      for (const auto& e : kernels[k].entries()) call(std::uint64_t{e.row}, std::uint64_t{e.col}, Cyclotomic(e.value));
    }
  };
  std::vector<Degree> degrees;  ///< the degrees with kernels, increasing
  /// dim Hom over the stabilizer of a point, V and U restricted to it: the dimension counted without harmonics and without matrices.
  CountedDimension by_stabilizer;
  std::string stabilizer;  ///< "SO(2)"

  /// The number of kernels, and how many there are with multiplicities counted.
  std::uint64_t params() const;
  Integer dimension() const { return Integer(params()) * channels.in * channels.out; }
};

/// The basis, proved: verify() below.
/// \throws DomainError if V or U is no representation of H; LimitError as hom_basis, and through `task`
/// \par Method  hom_basis of harmonic(L) (x) V -> U for L = 0, 1, ... until as many are found as the stabilizer says.
SteerableKernels steerable_kernels(const EuclideanGroup& group, const ContinuousRepresentation& V,
                                   const ContinuousRepresentation& U, const Task& task = {});

/// dim Hom over the stabilizer of a point of the sphere, and what that is: "SO(2)". \throws DomainError for representations by matrices
struct StabilizerCount {
  CountedDimension count;
  std::string stabilizer;
};
StabilizerCount count_by_stabilizer(const EuclideanGroup& group, const ContinuousRepresentation& V,
                                    const ContinuousRepresentation& U, const Task& task = {});

/// Proves the basis from its polynomials: each is harmonic and obeys d/dt kappa(exp(tX) x) = rho_U(X) kappa - kappa rho_V(X) for the generators X of
/// the Lie algebra, and the finite form of it for components and finite factors, as polynomials; those of one degree are
/// independent, and their number is that of the stabilizer, counted again. \throws VerificationError naming what fails
void verify(const SteerableKernels& kernels, const Task& task = {});

}  // namespace intertwine
