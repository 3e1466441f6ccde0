// Bases in blocks that a group permutes: systems of imprimitivity.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "intertwine/exact/matrix.hpp"
#include "intertwine/representations/representation.hpp"

namespace intertwine {

/// A basis in blocks, each of which group elements take to one of them, by a rational matrix: the copies in an
/// induced representation, the weight spaces of a Schur functor of a monomial one. Blocks of one orbit have the same
/// size.
class BlockAction {
 public:
  struct Move {
    std::uint64_t block;
    RationalMatrix matrix;
  };
  virtual ~BlockAction() = default;
  virtual std::uint64_t size() const = 0;
  /// The basis vectors of a block, in the order that matrices have.
  virtual std::vector<std::uint64_t> places(std::uint64_t block) const = 0;
  /// The moves of the blocks by an element. The function refers to this action.
  virtual std::function<Move(std::uint64_t)> at(const Permutation& g) const = 0;

  /// rho(g) X, or rho(g)^T X, for X with a row for every basis vector.
  RationalMatrix apply(const Permutation& g, const RationalMatrix& X, bool transposed) const;
};

/// The subgroup K of the stabilizer of a block on its vectors. \throws DomainError if K does not fix the block
Representation block_module(const FiniteGroup& K, std::shared_ptr<const BlockAction> blocks, std::uint64_t block);

}  // namespace intertwine
