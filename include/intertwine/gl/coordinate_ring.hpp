// The coordinate ring K[Hom(V, W)] of rows x cols matrices: standard bitableaux, straightening, the
// filtration by shape, highest-weight vectors and isotypic pieces. Everything but the isotypic pieces holds
// over the integers.
#pragma once
#include <optional>
#include <vector>

#include "intertwine/gl/bitableau.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The standard bitableaux of this shape: dim S_lambda(C^rows) * dim S_lambda(C^cols) many, left tableau
/// outermost. \throws DomainError if the matrix has a negative side; LimitError if there are more than
/// max_count, or they take more memory than the task allows (below, too).
std::vector<Bitableau> standard_bitableaux(const Partition& shape, MatrixSize size, std::size_t max_count = 1'000'000,
                                           const Task& task = {});
/// The standard bitableaux of all shapes of this degree: a basis of the degree-d piece [De Concini, Eisenbud & Procesi
/// 1980, Theorem 2.1].
std::vector<Bitableau> standard_bitableaux(int degree, MatrixSize size, std::size_t max_count = 1'000'000,
                                           const Task& task = {});
/// The standard bitableaux of a weight space: row i occurs row_content[i] times, column j col_content[j] times; their
/// number is that of the contingency tables with these margins. \throws DomainError if the lengths are not those of the
/// matrix or a content is negative.
std::vector<Bitableau> standard_bitableaux(const std::vector<int>& row_content, const std::vector<int>& col_content,
                                           std::size_t max_count = 1'000'000, const Task& task = {});

/// The expansion of a product of minors in standard bitableaux, sorted, no zero coefficients. Every shape in
/// the answer has the sizes of its minors dominating (or equal to) those of the given product.
///
/// \par Method   the matrix is bordered by an antidiagonal unit matrix, so that its minors are the maximal minors of a
///               rows x (rows + cols) matrix; neighbours that are not in order are exchanged by Pluecker relations,
///               each pair once, and equal intermediate products are merged.
/// \throws DomainError if b does not fit the matrix; LimitError if rows + cols > 64.
/// \par Source   [De Concini, Eisenbud & Procesi 1980]; [Bruns & Vetter 1988, section 4]
/// \par Example  straighten([1|2][2|1], {2, 2}) = [1|1][2|2] - [1,2|1,2]
std::vector<BitableauTerm> straighten(const Bitableau& b, MatrixSize size, const Task& task = {});
/// A product, the way it was to be straightened, and the terms found.
struct Straightening {
  MatrixSize size;
  Bitableau product;
  std::vector<BitableauTerm> terms;
  bool checked = false;  ///< the caller called verify()
  int sign = 1;          ///< the terms are those of sign * product: 1, -1, or 0
  bool graded = false;   ///< the product in the associated graded algebra: only the terms of its shape
};
/// Straightens a product as it was given; \throws DomainError if its coefficient is not 1, -1 or 0, as straighten.
Straightening straightening_of(const BitableauTerm& product, MatrixSize size, bool graded = false,
                               const Task& task = {});
/// Multiplies the product and the terms out in the polynomial ring; for a graded one, whose terms must be those of the
/// product's shape, with the other terms that straighten finds. \throws VerificationError if they differ or a term is not
/// standard; as expand.
void verify(const Straightening& answer, const Task& task = {});
/// A polynomial in standard bitableaux. \throws LimitError as straighten.
std::vector<BitableauTerm> to_bitableaux(const MatrixPolynomial& f, const Task& task = {});
/// The sum written out.
MatrixPolynomial expand(const std::vector<BitableauTerm>& terms, MatrixSize size, const Task& task = {});

/// The product in the associated graded algebra of the filtration by shape: of the standard bitableaux in a*b
/// only those of shape lambda + mu (parts added) remain. a and b must be standard. \throws DomainError
/// otherwise.
std::vector<BitableauTerm> graded_product(const Bitableau& a, const Bitableau& b, MatrixSize size,
                                          const Task& task = {});
/// The product there of the minors of b, one after another: of straighten(b) the terms of the shape of b.
std::vector<BitableauTerm> graded_product(const Bitableau& b, MatrixSize size, const Task& task = {});

/// One graded piece of the filtration by shape: L_shape V (x) L_shape W*.
struct FiltrationPiece {
  Partition shape;
  Integer left_dimension;   ///< dim S_shape(C^rows)
  Integer right_dimension;  ///< dim S_shape(C^cols)
  Integer dimension;        ///< their product
  friend bool operator==(const FiltrationPiece&, const FiltrationPiece&) = default;
};
/// The pieces of the degree-d part, in the order of Partition; the dimensions add up to binomial(rows*cols +
/// d - 1, d). \throws DomainError if the degree or a side is negative.
std::vector<FiltrationPiece> filtration_pieces(int degree, MatrixSize size, const Task& task = {});
/// The dimension of A_{>= shape}: the span of the standard bitableaux of this degree whose sizes of minors
/// dominate those of `shape`.
Integer filtration_dimension(const Partition& shape, MatrixSize size, const Task& task = {});

/// The product of corner minors [1..k|1..k], one for each column of the shape: the vector of S_shape (x)
/// S_shape that is invariant, up to scalars, under upper unitriangular row and column operations. \throws
/// DomainError if the shape has more rows than the matrix has rows or columns.
Bitableau highest_weight_vector(const Partition& shape, MatrixSize size);
/// In characteristic 0: a basis of the isotypic piece S_shape(C^rows) (x) S_shape(C^cols), from the
/// highest-weight vector by divided powers of the polarizations that a semistandard tableau prescribes, one
/// for each pair of semistandard tableaux. \throws DomainError if the shape does not fit; LimitError if there
/// are more than max_count elements.
/// \par Source  [Carter & Lusztig 1974]
std::vector<MatrixPolynomial> isotypic_basis(const Partition& shape, MatrixSize size, std::size_t max_count = 100'000,
                                             const Task& task = {});

/// dim of the pieces of degree 0 ... highest_degree of the ring. \throws DomainError if a side is negative.
std::vector<Integer> hilbert_function(MatrixSize size, int highest_degree);

/// A degree of the ring, by shape.
struct CoordinateRingDegree {
  struct Piece : FiltrationPiece {
    Integer at_least_dimension;  ///< filtration_dimension
    std::optional<Bitableau> highest_weight_vector;
    std::optional<std::vector<Bitableau>> standard_bitableaux;
    std::optional<std::vector<MatrixPolynomial>> isotypic_basis;
  };
  MatrixSize size;
  int degree = 0;
  Integer dimension;
  std::vector<Piece> pieces;
  std::optional<std::vector<Integer>> hilbert_function;  ///< the Hilbert function of the whole ring
};
/// The lists wanted beside the dimensions.
struct CoordinateRingLists {
  bool highest_weight_vectors = false, standard_bitableaux = false, isotypic_bases = false;
};
/// \throws as filtration_pieces, standard_bitableaux and isotypic_basis.
CoordinateRingDegree coordinate_ring_degree(int degree, MatrixSize size, const CoordinateRingLists& lists = {},
                                            const Task& task = {});

}  // namespace intertwine
