// Schur functors on matrices: S_lambda(A) in the basis of semistandard tableaux.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The Schur functor S_lambda of the spaces K^n, with S_(d) = Sym^d and S_(1^d) = the exterior power. A value.
///
/// S_lambda(K^n) is the space spanned by the products of minors [T] = prod_j det X[{0 ... k_j - 1}, column j of T]
/// of a generic matrix X with n columns, T a filling of the diagram of lambda and k_j the length of its column j; the
/// [T] with T semistandard are a basis over the integers. A matrix A of size m x n, a map K^n -> K^m, sends [T](X) to
/// [T](X A), X with m columns. So S_(d)(A) is Sym^d(A) on monomials and S_(1^d)(A) consists of the minors of A;
/// S(A B) = S(A) S(B), S(identity) = identity, and integral matrices go to integral ones.
class SchurFunctor {
 public:
  /// How the products are expanded. Both give the same matrix; the cheaper one is taken unless a caller
  /// asks, and columns of n cells of a shape of n rows are taken out as powers of the determinant.
  enum class Method {
    cheaper,
    symmetric_powers,  ///< the columns of T permuted, entries of Sym^k(A) for the parts k of lambda
    minors             ///< the rows of T permuted, minors of A of the sizes of the columns of lambda
  };

  /// \throws LimitError if the weight of the partition exceeds 10^4.
  explicit SchurFunctor(Partition shape, Method method = Method::cheaper);

  const Partition& shape() const { return shape_; }
  /// dim S_lambda(K^n), by the hook content formula. \throws DomainError if n < 0.
  Integer dimension(int n) const;
  /// The tableaux that number the basis, lexicographic by rows (the order of Tableau), so that S_(1)(A) is A and the
  /// bases of symmetric and exterior powers are in lexicographic order.
  /// \throws DomainError if n < 0; LimitError if n exceeds 1000 or there are more than 2^24.
  std::vector<Tableau> basis(int n) const;
  /// Entry i: the weight of basis vector i, how often each of 0 ... n-1 occurs in its tableau; diag(t) multiplies that
  /// vector by t^weight. \throws as basis; LimitError if dimension times n exceeds 2^26.
  std::vector<std::vector<int>> weights(int n) const;

  /// S_lambda(A), dimension(A.rows()) x dimension(A.cols()).
  /// \throws LimitError, before the work, if a side of A exceeds 1000, the answer 2^24 entries, the tables of powers
  /// 2^26 entries, the arrangements of a tableau 10^7 or all products 10^11; also through `task`.
  /// \par Cost   one product for every entry and every arrangement of a tableau: at most prod_j k_j! (symmetric
  /// powers) or prod_i lambda_i! (minors) arrangements, fewer where some agree; then a sparse triangular system
  /// with unit diagonal, exact over the integers.
  /// \par Source the diagonal monomials of [T] are distinct and leading [Sturmfels 1993, section 3.1], so that the
  /// coefficients at them determine the coordinates.
  RationalMatrix operator()(const RationalMatrix& A, const Task& task = {}) const;
  /// The matrix of the functor in double precision; `A` and the answer are row-major.
  /// \throws DomainError unless A has rows * cols entries, all finite; LimitError as above.
  std::vector<double> operator()(std::span<const double> A, std::size_t rows, std::size_t cols,
                                 const Task& task = {}) const;
  /// The matrix of the functor over cyclotomic fields, row-major likewise.
  /// \throws DomainError unless A has rows * cols entries; LimitError as above.
  std::vector<Cyclotomic> operator()(std::span<const Cyclotomic> A, std::size_t rows, std::size_t cols,
                                     const Task& task = {}) const;

 private:
  Partition shape_;
  Method method_;
};

/// S_shape(A) with the tableaux that number its rows and columns.
struct SchurFunctorMatrix {
  Partition shape;
  std::size_t source, target;  ///< A is target x source
  RationalMatrix matrix;
  std::vector<Tableau> row_tableaux, column_tableaux;
  std::optional<Rational> trace;  ///< if A is square
};
/// \throws as SchurFunctor.
SchurFunctorMatrix schur_functor_matrix(const SchurFunctor& S, const RationalMatrix& A, const Task& task = {});

/// The value of a Schur polynomial: at numbers, or at the eigenvalues of a matrix, its trace on S_lambda.
struct SchurValue {
  Partition shape;
  std::vector<Cyclotomic> at;            ///< the numbers
  std::optional<std::size_t> rows = {};  ///< the rows of the square matrix, where it is a trace
  std::string matrix = {};               ///< the name of its file
  Cyclotomic value;
};

}  // namespace intertwine
