// Semidefinite programs with exact data, and the groups that fix them.
//
// A problem is: minimize <C, X> subject to <A_i, X> = b_i for all i, X symmetric, block diagonal and positive semidefinite.
// <A, X> is the trace of A X. The rows of all blocks are numbered one after the other, from 0.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "intertwine/exact/integer.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine::sdp {

/// A block of a symmetric matrix. A diagonal block stands for as many blocks of size 1.
struct Block {
  std::uint32_t size = 0;
  bool diagonal = false;
  friend bool operator==(const Block&, const Block&) = default;
};

/// An entry of a symmetric matrix with row <= col: it stands for the entry (col, row) as well.
struct SymmetricEntry {
  std::uint32_t row = 0, col = 0;
  Rational value;
  friend bool operator==(const SymmetricEntry&, const SymmetricEntry&) = default;
};
using SymmetricMatrix = std::vector<SymmetricEntry>;

class Problem {
 public:
  /// Sorts the entries, adds those of equal place, drops zeros. \throws DomainError for an entry below the diagonal or outside of
  /// the blocks, naming the matrix, or unless there are as many numbers b as matrices A
  Problem(std::vector<Block> blocks, SymmetricMatrix C, std::vector<SymmetricMatrix> A, std::vector<Rational> b);

  const std::vector<Block>& blocks() const { return blocks_; }
  const SymmetricMatrix& objective() const { return C_; }
  const std::vector<SymmetricMatrix>& constraints() const { return A_; }
  const std::vector<Rational>& right_sides() const { return b_; }
  /// Rows of all blocks together.
  std::uint32_t rows() const { return rows_; }
  /// The numbers that a symmetric X is made of.
  std::uint64_t variables() const;
  friend bool operator==(const Problem&, const Problem&) = default;

 private:
  std::vector<Block> blocks_;
  SymmetricMatrix C_;
  std::vector<SymmetricMatrix> A_;
  std::vector<Rational> b_;
  std::uint32_t rows_ = 0;
};

/// The representation of a group on the rows by these signed permutations, a group of permutations of the rows, or, where there
/// are signs, of the rows and their negatives. \throws DomainError for no generators, or of different degrees
Representation action_on_rows(const std::vector<SignedPermutation>& generators);

/// All permutations of rows, within and between blocks, that leave C fixed and permute the constraints.
/// \par Method  automorphisms() of a graph with a vertex for every row, entry place and constraint, whose edges have the values as labels.
/// \throws LimitError as automorphisms()
Representation symmetries(const Problem& problem, const Task& task = {});

/// Decides whether every generator takes rows of a block to rows of one block, C to C, and every constraint to a multiple of one.
/// \throws DomainError naming the generator, and the entry of C or the constraint, where one does not; LimitError through `task`
void require_fixed(const Problem& problem, const Representation& rows, const Task& task = {});
/// The part about blocks alone. \throws as require_fixed
void require_blocks_fixed(const Problem& problem, const Representation& rows);

}  // namespace intertwine::sdp
