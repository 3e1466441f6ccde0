// The isotypic form of equivariant layers: in coordinates adapted to the irreducible representations W consists of one small
// block for each of them, so that a product costs sum_i m_i n_i d_i multiplications instead of M N, and two changes of basis.
//
// Numbers say all that is needed of the group: the two matrices of the change of basis and, for each irreducible
// representation over R, its endomorphism ring, its degree and how often each side contains it (Schur's lemma does the rest).
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "intertwine/numeric/equivariant_layer.hpp"
#include "intertwine/numeric/prepared_pattern.hpp"

namespace intertwine {

/// One irreducible representation of real dimension `degree` whose endomorphisms are R, C or H (division 1, 2 or 4), copies_out
/// times in the output and copies_in times in the input. Its block has copies_out x copies_in numbers of that ring.
using IsotypicBlock = IsotypicBlocks::Block;

/// The changes of basis of IsotypicBlocks and their inverses: x' = T_in x, y' = T_out y, in which every equivariant W becomes
/// T_out W T_in^{-1} = a block for each irreducible representation. Immutable, cheap to copy, safe to use from many threads.
///
/// Coordinates: the blocks in their order; in a block the copies, one after the other; in a copy the `degree` coordinates
/// of the representation, in the same basis for every copy. For the rings C and H these are degree / 2 complex numbers (re,
/// im) or degree / 4 quaternions (1, i, j, k), on which the ring acts by multiplication from the right. In block i, W then maps
/// copy c of the input to copy r of the output by the number theta'_{rc} of the ring, on all coordinates alike.
///
/// Parameters theta' [P', out, in]: the blocks in their order, in a block index ((r * copies_in + c) * dim(ring) + part).
class IsotypicDecomposition {
 public:
  /// T_out is M x M, row-major, M = sum of copies_out * degree, and T_in N x N, N = sum of copies_in * degree.
  /// \throws DomainError if a matrix has another size, is singular (to rounding) or has an entry that is not finite, or if a
  /// degree is not a multiple of the dimension of its ring.
  /// \par Cost  the inverses of the matrices
  explicit IsotypicDecomposition(IsotypicBlocks blocks);

  std::uint64_t rows() const;
  std::uint64_t cols() const;
  std::uint64_t params() const;  ///< P'
  const std::vector<IsotypicBlock>& blocks() const;

  struct Data;
  const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

/// theta' = A theta: the parameters of the blocks of W = sum_k theta_k B_k, for one pair of channels. Immutable, cheap to copy.
class IsotypicMap {
 public:
  /// \throws DomainError if the sizes differ, or if some W of the basis is not made of such blocks: it does not commute with the
  /// representations of the decomposition.
  /// \par Cost  P' multiplications an entry of the basis, and the change of basis of one W
  IsotypicMap(PreparedPattern basis, IsotypicDecomposition decomposition);

  const PreparedPattern& basis() const;
  const IsotypicDecomposition& decomposition() const;
  /// A [P', P], row-major.
  std::span<const double> matrix() const;
  /// The parameters of the blocks, [P', out, in], of theta [P, out, in].
  /// \throws DomainError for arrays of other sizes (also below)
  std::vector<double> to_blocks(std::span<const double> theta, Multiplicity channels) const;
  /// theta of the given blocks: exact when the basis spans all of Hom (P = P'), otherwise the nearest in the norm of theta'.
  /// \throws DomainError if the elements of the basis are linearly dependent
  std::vector<double> to_basis(std::span<const double> blocks, Multiplicity channels) const;

 private:
  struct Data;
  std::shared_ptr<const Data> data_;
};

namespace numeric_detail {
template <class T>
struct IsotypicState;
}

/// The layer y = W x + b whose parameters are those of the blocks, theta' [P', out, in]. T is float or double. Immutable, cheap
/// to copy, safe to use from many threads. Equivariant to rounding. Results have the same bits on every instruction-set
/// level and for every number of threads.
template <class T>
class IsotypicLinear {
 public:
  using Number = T;
  using Options = LayerOptions;
  using Input = std::span<const T>;
  using Output = std::span<T>;
  using Gradient = std::span<T>;

  /// Parameters are zero. `bias` has one column and as many rows as the decomposition.
  /// \throws DomainError if it has not
  IsotypicLinear(IsotypicDecomposition decomposition, PreparedPattern bias, Multiplicity channels);

  /// \throws DomainError if theta is not [P', out, in] or bias not [Q, out] (empty: zero).
  IsotypicLinear with_parameters(std::span<const T> theta, std::span<const T> bias = {}) const;

  const IsotypicDecomposition& decomposition() const;
  Multiplicity channels() const;
  std::span<const T> theta() const;
  std::span<const T> bias_parameters() const;
  std::uint64_t inputs() const;   ///< in N
  std::uint64_t outputs() const;  ///< out M
  /// The only form is LayerForm::isotypic, whatever the mode.
  std::vector<LayerForm> forms() const { return {LayerForm::isotypic}; }
  LayerForm pick(std::uint64_t batch, const LayerOptions& options = {}) const;
  /// The seconds that the cost model expects of a forward product.
  double expected_seconds(LayerForm form, std::uint64_t batch, const LayerOptions& options = {}) const;
  /// Floating-point operations of a forward product.
  double operations(std::uint64_t batch) const;

  /// y = W x + b, x [batch, in, N], y [batch, out, M]. \throws DomainError for arrays of other sizes
  LayerForm forward(std::uint64_t batch, std::span<const T> x, std::span<T> y, const LayerOptions& options = {}) const;
  /// Gradients of a scalar whose gradient with respect to y is dy; empty ones are left out. \throws DomainError as forward
  LayerForm backward(std::uint64_t batch, std::span<const T> x, std::span<const T> dy, std::span<T> dx,
                     std::span<T> dtheta, std::span<T> dbias, const LayerOptions& options = {}) const;

 private:
  explicit IsotypicLinear(std::shared_ptr<const numeric_detail::IsotypicState<T>> state) : state_(std::move(state)) {}
  std::shared_ptr<const numeric_detail::IsotypicState<T>> state_;
};

static_assert(EquivariantLayer<IsotypicLinear<float>>);

}  // namespace intertwine
