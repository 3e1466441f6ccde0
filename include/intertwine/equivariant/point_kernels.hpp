// Kernels on R^n under finite groups of rotations and reflections: crystal point groups and whatever else is given by orthogonal matrices.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/equivariant/orbital_pattern.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// R^n : G, the translations of R^n and a finite group G that turns R^n by orthogonal matrices. An immutable value.
class OrthogonalAction {
 public:
  /// \param name  how it is called; empty: "R^3 : Oh", with the representation where it is not `cartesian`
  /// \throws DomainError unless the matrices of A are real and orthogonal, of dimension 2 to max_harmonic_variables
  explicit OrthogonalAction(Representation A, std::string name = {});
  const FiniteGroup& group() const { return matrices_.group(); }
  /// How G turns R^n.
  const Representation& matrices() const { return matrices_; }
  /// n.
  unsigned dimension() const { return static_cast<unsigned>(matrices_.dimension()); }
  const std::string& name() const { return name_; }

 private:
  Representation matrices_;
  std::string name_;
};

constexpr unsigned max_kernel_degree = 1000;

/// The functions kappa : R^n -> Hom(V, U) with kappa(g x) = rho_U(g) kappa(x) rho_V(g)^-1 for all g in G: for these, and only for
/// them, the convolution with kappa commutes with R^n : G. On the sphere they are a space without end, the sum over all degrees L of those with values
/// that are harmonic polynomials of degree L; here are those up to a given one. All kernels of such frequencies are sums of radial functions times
/// kappa_k(x / |x|) [Weiler & Cesa 2019].
struct PointKernels {
  OrthogonalAction group;
  Representation source, target;  ///< V and U of G without multiplicities in front, which are
  Multiplicity channels;          ///< the kernels are those of one copy
  unsigned most;                  ///< the largest degree that was asked for
  struct Degree {
    unsigned degree;                               ///< L
    std::vector<std::vector<unsigned>> monomials;  ///< all exponents of n variables of this degree, x_1^L first
    /// Entry (m, i dim V + j) of an element is the coefficient of monomial m in entry (i, j).
    IntertwinerSpace kernels;
    /// <chi_V chi_L, chi_U>, chi_L = Sym^L - Sym^(L-2) of the matrices of G: counted without harmonics.
    CountedDimension by_characters;

    std::uint64_t params() const { return kernels.params(); }
    /// Calls it with the number of the monomial, i dim V + j for entry (i, j), and the coefficient of kernel k.
    template <class Call>
    void each_term(std::uint64_t k, const Call& call) const {
      for (std::uint64_t e = kernels.start()[k]; e < kernels.start()[k + 1]; ++e)
        call(std::uint64_t{kernels.row()[e]}, std::uint64_t{kernels.col()[e]}, kernels.value(e));
    }
  };
  std::vector<Degree> degrees;  ///< the degrees with kernels, increasing

  /// The number of kernels, and how many there are with multiplicities counted.
  std::uint64_t params() const;
  Integer dimension() const { return Integer(params()) * channels.in * channels.out; }
  /// The field of the coefficients: the smallest with the matrices of G, V and U in it.
  AbelianField field() const;
};

/// The basis of all degrees up to `most`, proved: verify() below.
/// \throws DomainError if V or U is no representation of G, or `most` is above max_kernel_degree; LimitError as intertwiner_space, and through `task`
/// \par Method  Hom_G(V, harmonic(L) (x) U) for L = 0, ..., most, its vectors of harmonic(L) written as polynomials.
PointKernels point_kernels(const OrthogonalAction& group, const Representation& V, const Representation& U,
                           unsigned most, const Task& task = {});

/// dim of the kernels of degree L by characters alone, <chi_V Sym^L, chi_U> - <chi_V Sym^(L-2), chi_U>, for one L after the other: each
/// symmetric power is counted once.
class PointKernelCount {
 public:
  PointKernelCount(const OrthogonalAction& group, Representation V, Representation U, const Task& task = {});
  /// \throws as hom_dimension
  CountedDimension operator()(unsigned degree);

 private:
  const CountedDimension& symmetric(unsigned degree);
  Representation matrices_, source_, target_;
  Task task_;
  std::map<unsigned, CountedDimension> symmetric_;
};

/// Proves the basis from its polynomials: each obeys kappa(g x) rho_V(g) = rho_U(g) kappa(x) for the generators g, and its Laplacian is 0; those of one
/// degree are independent; and of every degree up to `most` there are as many as characters, counted again, say.
/// \throws VerificationError naming what fails
void verify(const PointKernels& kernels, const Task& task = {});

}  // namespace intertwine
