// Classical groups, and products of them with finite permutation groups, as layers use them: SO(3), O(1,3), S5 x O(3).
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "intertwine/exact/sparse_matrix.hpp"
#include "intertwine/groups/finite_group.hpp"

namespace intertwine {

/// A classical group, given exactly by its defining module: matrices that generate its Lie algebra, and representatives of
/// its components. A value.
///
/// Its representations here are the algebraic ones (what sums, tensor products, duals and Schur functors make of the defining
/// module), so that the group may be replaced by any group with the same Zariski closure. That is why rational matrices
/// serve all of them:
/// - SO(n), O(n), SO+(p,q), O(p,q): antisymmetric matrices for the form with p times +1, then q times -1 (q = 0 for SO(n));
/// - Spin(n), n >= 3, acts on R^n as SO(n) does, which it covers twice; beside what SO(n) has it has spinors;
/// - SL(n), GL(n), Sp(2n): real groups, by root vectors; GL(n) is Zariski connected although it is not connected;
/// - SU(n), U(n): complex representations. The complex span of su(n) is that of the rational matrices sl(n, Q), so that the
///   equivariant maps have a rational basis; a layer with these weights takes complex inputs. Layers with real inputs have real representations
///   (restriction_of_scalars), on which su(n) itself acts, by compact_generators. Sp(2n) stands for its compact form
///   in the same way.
class ClassicalGroup {
 public:
  enum class Family { SO, O, SL, GL, Sp, SU, U, Spin };
  /// SO(n), O(n), Spin(n) on R^n; SL(n), GL(n) on R^n; Sp(n) on R^n, n even; SU(n), U(n) on C^n.
  /// \throws DomainError for n = 0, for n < 3 of Spin(n), and for odd n of Sp(n); LimitError above max_dimension.
  ClassicalGroup(Family family, unsigned n);
  /// SO+(p,q), the component of 1 of O(p,q). \throws DomainError unless p, q >= 1 and the family is SO or O; LimitError
  ClassicalGroup(Family family, unsigned p, unsigned q);

  /// The largest dimension of a defining module. Beyond it the dense steps of the modular solver would take minutes.
  static constexpr unsigned max_dimension = 32;

  Family family() const { return family_; }
  bool is_orthogonal() const { return family_ == Family::SO || family_ == Family::O || family_ == Family::Spin; }
  /// The dimension of the defining module.
  unsigned dimension() const { return p_ + q_; }
  /// How many of the form's signs are +1 (orthogonal groups), or the dimension.
  unsigned positive() const { return p_; }
  /// +1 or -1: the form's value at basis vector i of an orthogonal group.
  int form(unsigned i) const { return i < p_ ? 1 : -1; }
  /// Representations are over the complex numbers, their equivariant maps still have a rational basis: SU(n), U(n).
  bool is_complex() const { return family_ == Family::SU || family_ == Family::U; }
  /// "SO(3)", "SO+(1,3)", "Sp(4)".
  std::string name() const;

  /// Matrices on the defining module that generate its Lie algebra.
  std::vector<SparseMatrix> lie_generators() const;
  /// A matrix X, antisymmetric, or i X, X symmetric.
  struct CompactGenerator {
    SparseMatrix matrix;
    bool imaginary;
  };
  /// The antihermitian matrices that generate the Lie algebra of SU(n) or U(n) over the real numbers: E_ij - E_ji and i
  /// (E_ij + E_ji) for neighbours i, j, for U(n) also i E_11. They are as many as lie_generators; other groups have
  /// none.
  std::vector<CompactGenerator> compact_generators() const;
  /// A basis of its Lie algebra: the first entry of each matrix, row by row, is 1 at a place where all others are 0, and they are ordered by these
  /// places. E_ij - f_i f_j E_ji for i < j of an orthogonal group, f its form; E_ij of GL(n) and U(n); E_ij and E_ii - E_nn of SL(n) and SU(n); for
  /// Sp(2m), with coordinates q_1 ... q_m, p_1 ... p_m: E(q_i,q_j) - E(p_j,p_i), E(q_i,p_j) + E(q_j,p_i), E(p_i,q_j) + E(p_j,q_i), and E_ij alone
  /// where both are the same.
  std::vector<SparseMatrix> lie_algebra() const;
  /// Diagonal matrices (their entries +-1) that generate the group together with the component of 1, up to Zariski closure:
  /// minus the identity for O(n) of odd n, a reflection for even n; the reflections of the first and the last axis for O(p,q).
  std::vector<std::vector<int>> component_generators() const;

  friend bool operator==(const ClassicalGroup&, const ClassicalGroup&) = default;

 private:
  Family family_;
  unsigned p_, q_;
};

/// A direct product of classical groups and finite permutation groups. A value; copies share.
class ContinuousGroup {
 public:
  using Factor = std::variant<ClassicalGroup, FiniteGroup>;
  /// \throws DomainError for no factors, LimitError for more than 16.
  explicit ContinuousGroup(std::vector<Factor> factors);

  const std::vector<Factor>& factors() const { return *factors_; }
  bool is_product() const { return factors().size() > 1; }
  /// The group under another name, whose representations have words of their own: another value (linear_molecules.hpp).
  ContinuousGroup with_name(std::string name) const;
  /// Its own name, or the factors' names joined by " x "; parse_continuous_group reads it back.
  std::string name() const;
  bool is_complex() const;
  /// Is this factor SU(n) or U(n)?
  static bool is_complex(const Factor& factor);
  /// "so(3) number 1", "component 1 of O(3)", "(1,2,3)": one for each generator matrix of a representation, in their order.
  std::vector<std::string> generator_names() const;

  friend bool operator==(const ContinuousGroup& G, const ContinuousGroup& H);

 private:
  std::shared_ptr<const std::vector<Factor>> factors_;
  std::string name_;  // empty: those of the factors
};

}  // namespace intertwine
