// Dense matrices over abelian number fields.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "intertwine/exact/abelian_field.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/exact/modular_matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A matrix A = sum A_i a^i over K = Q(a), of rational matrices A_i. A value. Binary operations on matrices over
/// different fields work over the compositum.
class FieldMatrix {
 public:
  /// The 0 x 0 matrix over Q.
  FieldMatrix() = default;
  /// The zero matrix.
  FieldMatrix(AbelianField K, std::size_t rows, std::size_t cols);
  /// Implicit: a rational matrix is one over Q.
  FieldMatrix(RationalMatrix A);  // NOLINT(google-explicit-constructor)
  /// \param coefficients  [A_0 | A_1 | ... | A_(m-1)], rows x (m cols).
  FieldMatrix(AbelianField K, RationalMatrix coefficients, std::size_t cols);
  /// \param entries  row-major; the field is the smallest with all of them in it.
  FieldMatrix(std::size_t rows, std::size_t cols, std::span<const Cyclotomic> entries);
  static FieldMatrix identity(const AbelianField& K, std::size_t n);

  const AbelianField& field() const { return field_; }
  std::size_t rows() const { return coefficients_.rows(); }
  std::size_t cols() const { return cols_; }
  /// [A_0 | A_1 | ... | A_(m-1)]: what a rational matrix from the left acts on at once.
  const RationalMatrix& coefficients() const { return coefficients_; }
  Cyclotomic operator()(std::size_t i, std::size_t j) const;
  bool is_zero() const { return coefficients_.is_zero(); }
  bool is_rational() const;
  /// This matrix over a field that contains all its entries, larger or smaller. \throws DomainError
  FieldMatrix over(const AbelianField& K) const;
  /// This matrix over Q. \throws DomainError unless is_rational().
  RationalMatrix to_rational() const;
  /// zeta -> zeta^k on every entry. \throws DomainError unless k is coprime to the conductor.
  FieldMatrix galois_conjugate(std::int64_t k) const;
  FieldMatrix conjugate() const { return galois_conjugate(-1); }

  FieldMatrix transpose() const;
  FieldMatrix select_rows(std::span<const std::size_t> rows) const;
  FieldMatrix select_cols(std::span<const std::size_t> cols) const;
  FieldMatrix block(std::size_t i, std::size_t j, std::size_t rows, std::size_t cols) const;
  /// The matrix of another shape with these entries in row-major order.
  FieldMatrix reshape(std::size_t rows, std::size_t cols) const;
  Cyclotomic trace() const;
  /// The largest numerator or denominator of all coordinates, in absolute value.
  Integer height() const;
  /// "[[1, E(3)], [0, -1/2]]".
  std::string to_string() const;
  /// The image modulo the prime under a -> roots[embedding]; nothing if p divides the denominator.
  std::optional<ModularMatrix> reduce(const AbelianField::SplitPrime& prime, std::size_t embedding) const;
  /// The images under all embeddings; nothing if p divides the denominator.
  std::optional<std::vector<ModularMatrix>> reduce(const AbelianField::SplitPrime& prime) const;

  friend FieldMatrix operator*(const FieldMatrix& A, const FieldMatrix& B);
  /// The product with B, by strips of rows between which the task is polled.
  FieldMatrix times(const FieldMatrix& B, const Task& task) const;
  friend FieldMatrix operator+(const FieldMatrix& A, const FieldMatrix& B);
  friend FieldMatrix operator-(const FieldMatrix& A, const FieldMatrix& B);
  friend FieldMatrix operator*(const Cyclotomic& c, const FieldMatrix& A);
  friend bool operator==(const FieldMatrix& A, const FieldMatrix& B);

 private:
  AbelianField field_;
  RationalMatrix coefficients_;
  std::size_t cols_ = 0;
};

FieldMatrix vertical_stack(std::span<const FieldMatrix> parts);
FieldMatrix horizontal_stack(std::span<const FieldMatrix> parts);
FieldMatrix direct_sum(std::span<const FieldMatrix> parts);
FieldMatrix kronecker_product(const FieldMatrix& A, const FieldMatrix& B);

/// Linear algebra over K as in linear_algebra.hpp: modulo split primes under every embedding, interpolated, lifted by
/// Chinese remainders and rational reconstruction, and verified over K.
std::size_t matrix_rank(const FieldMatrix& A, const Task& task = {});
struct FieldEchelon {
  FieldMatrix matrix;
  std::vector<std::size_t> pivots;
};
FieldEchelon reduced_echelon(const FieldMatrix& A, const Task& task = {});
/// A basis of {x : A x = 0} as ROWS, one free variable 1 and the others 0.
FieldMatrix null_space(const FieldMatrix& A, const Task& task = {});
/// X with A X = B, found as by linear_solve of rational matrices.
std::optional<FieldMatrix> linear_solve(const FieldMatrix& A, const FieldMatrix& B, const Task& task = {});
FieldMatrix inverse(const FieldMatrix& A, const Task& task = {});
/// Columns that are independent over K: the first that are so modulo one prime, which nearly every prime shows to be
/// the first over K.
std::vector<std::size_t> independent_columns(const FieldMatrix& A);
/// Prime number k of those that are best for elimination in matrices of this size: small ones, where there are as
/// many and doubles pay.
AbelianField::SplitPrime elimination_prime(const AbelianField& K, std::size_t k, std::size_t rows, std::size_t cols);

/// Independent rows with few and small coordinates that span what the rows of A span over its field K = Q(a): the
/// cheapest of what sparsify() of linear_algebra.hpp makes of their multiples by 1, a, a^2, ..., cheapest first.
/// Coordinates are integral, those of a row without common divisor. For K = Q the rows of sparsify() in their order.
/// \throws DomainError if the rows are dependent; LimitError through `task`.
FieldMatrix sparsify(const FieldMatrix& A, const Task& task = {});

/// Rows over K as coordinates in Q^(m n), m the degree of K = Q(a), those at a^l in columns l n, ..., l n + n - 1: a
/// x for every row x.
IntegerMatrix times_generator(const IntegerMatrix& rows, const AbelianField& K);
/// The rows in this form times 1, a, ..., a^(m-1), one list below the other.
IntegerMatrix times_powers(const IntegerMatrix& rows, const AbelianField& K);

/// The matrix of A over a subfield F of its field K, entry by entry: K^n is F^(rn), r = [K : F], basis b_j e_i ->
/// i r + j with b_0, b_1, ... the powers of K's generator. Multiplicative. \throws DomainError unless F is in K.
FieldMatrix restrict_scalars(const FieldMatrix& A, const AbelianField& F);

/// Collects the images of one unknown matrix over K modulo split primes, under all embeddings of a prime at once.
class FieldLift {
 public:
  explicit FieldLift(AbelianField K) : field_(std::move(K)) {}
  /// images[e] under prime.roots[e]. \throws DomainError
  void add(const AbelianField::SplitPrime& prime, std::span<const ModularMatrix> images);
  /// The matrix lifted from the images, as RationalLift::candidate; the caller has to verify it.
  std::optional<FieldMatrix> candidate() const;
  void clear() { lift_.clear(); }

 private:
  AbelianField field_;
  RationalLift lift_;
  std::size_t cols_ = 0;
};

}  // namespace intertwine
