// Semidefinite programs reduced by their symmetry.
//
// If a group fixes a problem, the mean of a solution over the group is a solution with the same value. Invariant
// matrices X have
// one block for every irreducible representation, whose size is how often it occurs in the rows. [Gatermann & Parrilo
// 2004]
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "intertwine/exact/integer.hpp"
#include "intertwine/sdp/semidefinite_problem.hpp"
#include "intertwine/task.hpp"

namespace intertwine::sdp {

/// A block of the reduced problem.
struct ReducedBlock {
  std::size_t size = 0;  ///< of the real symmetric matrix: the real form of a Hermitian one is of twice the size
  std::string type;      ///< "real", "complex" or "quaternionic"; a variable of its own is "real"
  std::uint64_t multiplicity = 1;  ///< how often each of its eigenvalues is one of X
  std::string name;                ///< of the irreducible representation
};

/// An entry of a symmetric matrix of doubles, row <= col.
struct NumericEntry {
  std::uint32_t block = 0, row = 0, col = 0;  ///< within the block
  double value = 0;
};

/// minimize <C, Z> subject to <A_i, Z> = b_i, Z block diagonal and positive semidefinite.
struct ReducedProblem {
  std::vector<ReducedBlock> blocks;
  std::vector<NumericEntry> C;
  std::vector<std::vector<NumericEntry>> A;
  std::vector<Rational> b;
};

/// A constraint <A, X> = 0 whose mean over the group is semidefinite: X lies in a face, where blocks have fewer rows.
/// [Borwein & Wolkowicz 1981]
struct FaceStep {
  std::size_t constraint = 0;  ///< before
  int sign = 1;  ///< this times the mean of A is positive semidefinite on the face before the step, exactly
  struct Rows {
    std::size_t block = 0;  ///< among those of all irreducible representations, from 0
    std::string name;
    std::size_t before = 0, after = 0;  ///< rows; none after: the block is zero, and is left out
    friend bool operator==(const Rows&, const Rows&) = default;
  };
  std::vector<Rows> blocks;
  friend bool operator==(const FaceStep&, const FaceStep&) = default;
};

struct ReduceOptions {
  /// Every constraint stands for all of its images under the group, and C for its mean: the group has to take blocks
  /// to blocks, no more.
  bool images = false;
  bool faces = true;  ///< blocks that constraints hold in faces become smaller
};

/// Immutable; copies share.
class Reduction {
 public:
  struct Data;
  explicit Reduction(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  const ReducedProblem& problem() const;
  const Integer& group_order() const;
  std::uint64_t variables_before() const;
  /// The dimension of the invariant symmetric matrices, counted as orbits of entries and as what the blocks hold:
  /// they agree. On a face it
  /// is what its blocks hold.
  std::uint64_t variables_after() const;
  /// The constraints of the reduced problem as numbers of constraints before: the others follow from these.
  const std::vector<std::size_t>& kept() const;
  /// The steps that made blocks smaller, in turn.
  const std::vector<FaceStep>& faces() const;
  /// The invariant solution of the problem before, a dense matrix row-major for every block, for a diagonal one its
  /// diagonal.
  /// \param Z  a dense symmetric matrix for every block of the reduced problem. \throws DomainError for other sizes
  std::vector<std::vector<double>> lift(const std::vector<std::vector<double>>& Z) const;

 private:
  std::shared_ptr<const Data> data_;
};

/// The problem reduced by the group that acts on its rows.
///
/// \par Method  Orbits of entries carry the invariant matrices, and the mean of a matrix over the group is its mean
/// on every orbit. Blocks that
///              the group permutes are one block with its stabilizer. first_rows() have one vector a copy of every
///              irreducible
///              representation; of the matrix of an orbit the rows at their pivots are enough. All of this is exact,
///              as is the elimination
///              that removes dependent constraints. The entries of the reduced problem are rounded: vectors are made
///              orthonormal.
///              A constraint with b = 0 holds X in a face if its blocks are semidefinite, which elimination decides
///              over Q; blocks over
///              larger fields have to vanish for that. Constraints that follow on the face are left out where they
///              are counted exactly.
/// \throws DomainError as require_fixed, or unless the representation permutes the rows up to signs; LimitError
/// through `task`
Reduction reduce(const Problem& problem, const Representation& rows, const Task& task = {},
                 const ReduceOptions& options = {});

}  // namespace intertwine::sdp
