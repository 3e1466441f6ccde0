// The symmetrizer (Reynolds operator), the projection of all matrices onto the equivariant ones:
//   S(W) = 1/|G| sum over g of rho_U(g) W rho_V(g)^{-1}.
// S(W) is equivariant, S fixes equivariant matrices, and S(S(W)) = S(W). [van der Pol et al. 2020]
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A projection S of the matrices from V to U onto the equivariant ones, along those of which a reductive group leaves
/// nothing: the mean over a finite or a compact group.
class EquivariantProjection {
 public:
  virtual ~EquivariantProjection() = default;

  virtual std::size_t rows() const = 0;
  virtual std::size_t cols() const = 0;
  /// The smallest field that contains those over which V and U are given.
  virtual AbelianField field() const = 0;
  /// How many generators of the group equivariance is checked with.
  virtual std::size_t generators() const = 0;
  /// How it works, in words.
  virtual std::string method_text() const = 0;
  /// S(W), exactly, over the smallest field that contains field() and that of W. \throws DomainError unless W is rows() x cols()
  /// (also below).
  virtual FieldMatrix operator()(const FieldMatrix& W, const Task& task = {}) const = 0;
  /// S(W) into `out`, both row-major; they may be the same array. The sums have a fixed order: the result is the same on every
  /// machine. \throws DomainError unless field() is real (also of defect and residual)
  virtual void apply(std::span<const double> W, std::span<double> out, const Task& task = {}) const = 0;
  /// The number of the first generator that W does not commute with, decided exactly; none where W is equivariant.
  virtual std::optional<std::size_t> failing_generator(const FieldMatrix& W, const Task& task = {}) const = 0;
  bool is_equivariant(const FieldMatrix& W, const Task& task = {}) const {
    return !failing_generator(W, task).has_value();
  }
  /// How much a generator moves an entry of W at most, in double precision.
  virtual double defect(std::span<const double> W, const Task& task = {}) const = 0;

  /// W - S(W), the part that no equivariant matrix has.
  FieldMatrix complement(const FieldMatrix& W, const Task& task = {}) const;
  /// ||W - S(W)||^2 / ||W||^2 in the Frobenius norm, exactly, a real number; 0 for W = 0.
  Cyclotomic squared_residual(const FieldMatrix& W, const Task& task = {}) const;
  /// ||W - S(W)|| / ||W||, the equivariance error: 0 for equivariant W; 0 for W = 0.
  double residual(std::span<const double> W, const Task& task = {}) const;

 protected:
  EquivariantProjection() = default;
  EquivariantProjection(const EquivariantProjection&) = default;
  EquivariantProjection& operator=(const EquivariantProjection&) = default;
  /// S of every coordinate of W, for S over Q.
  static FieldMatrix by_coordinates(const FieldMatrix& W,
                                    const std::function<RationalMatrix(const RationalMatrix&)>& S);
};

/// S on Hom(V, U), matrices of m = dim U rows and n = dim V columns, for a group of any order; exact, and in double
/// precision on row-major arrays. Immutable, cheap to copy and safe to use from many threads.
///
/// Two ways, which agree:
/// - Orbits, for monomial V and U: every entry becomes the mean, with signs, of its orbit under G, and 0 where the orbit
///   vanishes. The classes are proved to be whole orbits. O(m n) an application.
/// - Transversals, for all representations: with T_i representatives of the right cosets of the i-th group of the
///   stabilizer chain in the one before, G = T_k ... T_2 T_1, and S is the product of the means over T_k, ..., T_1, the
///   last applied first. A Schreier tree gives the sum over T_i with |T_i| - 1 applications of strong generators at most,
///   so that all takes sum |T_i| of them instead of |G|: each O(m n) for monomial representations, and the product of W
///   with the (sparse) matrices of the generator otherwise. In exact arithmetic the denominators |T_1| |T_2| ... build up on
///   the way: seconds at a sum of some thousands (Sym(100)), where orbits take a millisecond. Over a field of degree d entries
///   have d coordinates: W over a larger field than V and U takes d times as long, products of matrices over it up to d^2.
class Symmetrizer final : public EquivariantProjection {
 public:
  enum class Method { automatic, orbits, transversals };

  /// \throws DomainError if V and U belong to different groups, or for orbits unless both are monomial; LimitError
  /// through `task`, or if m n exceeds 2^40.
  /// \par Cost  Orbits: O(m n) for each generator, 1 to 4 bytes an entry are kept. Transversals: the stabilizer
  /// chain, and the images of its strong generators; matrices of dimension d take O(d^2) each.
  Symmetrizer(const Representation& V, const Representation& U, const Task& task = {},
              Method method = Method::automatic);

  const Representation& source() const;
  const Representation& target() const;
  /// How it works: never automatic.
  Method method() const;

  std::size_t rows() const override;
  std::size_t cols() const override;
  AbelianField field() const override;
  std::size_t generators() const override;
  std::string method_text() const override;
  FieldMatrix operator()(const FieldMatrix& W, const Task& task = {}) const override;
  /// Rounding: orbits are summed with compensation, so that entries are right to a few units in the last place of the largest of
  /// their orbit; transversals add about depth + log |G| roundings.
  void apply(std::span<const double> W, std::span<double> out, const Task& task = {}) const override;
  /// rho_U(g) W = W rho_V(g) for every generator g of the group.
  std::optional<std::size_t> failing_generator(const FieldMatrix& W, const Task& task = {}) const override;
  /// The largest entry of |rho_U(g) W rho_V(g)^{-1} - W| over the generators g.
  double defect(std::span<const double> W, const Task& task = {}) const override;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

/// S(W), and what is said of it.
struct Symmetrization {
  std::size_t rows, cols;
  std::size_t generators;                                 ///< the number of generators of the group
  std::string method;                                     ///< how it was found, in words
  std::variant<FieldMatrix, std::vector<double>> matrix;  ///< exact, or row-major
  double residual = 0;                                    ///< ||W - S(W)|| / ||W||
  std::optional<Cyclotomic> squared_residual;             ///< if exact
  double defect = 0;                                      ///< 0 if exact: equivariance is then checked exactly

  bool is_exact() const { return matrix.index() == 0; }
};
/// \throws as S; InternalError if an exact S(W) is not equivariant.
Symmetrization symmetrize(const EquivariantProjection& S, const FieldMatrix& W, const Task& task = {});
Symmetrization symmetrize(const EquivariantProjection& S, std::span<const double> W, const Task& task = {});

/// The projection of a vector b of U (m x k: of k vectors) onto the invariants U^G, a bias.
/// \throws DomainError unless b has dim U rows.
FieldMatrix invariant_part(const Representation& U, const FieldMatrix& b, const Task& task = {});

/// A symmetric positive definite matrix B with rho(g)^T B rho(g) = B for every g: the mean of rho(g)^T rho(g), scaled
/// to a primitive integral matrix. Positive definite as a mean of such matrices; symmetry and invariance are checked. The
/// identity for monomial V. \throws DomainError unless V is over Q; LimitError through `task`.
IntegerMatrix invariant_form(const Representation& V, const Task& task = {});

}  // namespace intertwine
