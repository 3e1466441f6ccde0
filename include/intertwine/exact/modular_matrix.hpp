// Dense matrices over a prime field of word size, and the way back to the rational numbers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "intertwine/exact/matrix.hpp"
#include "intertwine/random.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The prime number k of a fixed sequence, 2^59 > p_0 > p_1 > ..., for modular methods.
/// \throws DomainError unless k < 10^6.
std::uint64_t word_prime(std::size_t k);
/// The prime number k of 2^23 > p_0 > p_1 > ..., for work in doubles: 256 products of residues between -p/2 and p/2
/// add up exactly. Large matrices modulo these are multiplied and eliminated several times as fast. \throws
/// DomainError unless k < 500,000.
std::uint64_t double_prime(std::size_t k);

struct FlintModularMatrix;  // src/exact/flint_matrix.hpp

/// A dense matrix over Z/p, p a prime below 2^63. A value.
class ModularMatrix {
 public:
  /// The zero matrix. p is trusted to be prime.
  ModularMatrix(std::uint64_t p, std::size_t rows, std::size_t cols);
  static ModularMatrix identity(std::uint64_t p, std::size_t n);
  /// A mod p.
  ModularMatrix(std::uint64_t p, const IntegerMatrix& A);
  /// A mod p; nothing if p divides the denominator.
  static std::optional<ModularMatrix> reduce(std::uint64_t p, const RationalMatrix& A);
  static ModularMatrix random(std::uint64_t p, std::size_t rows, std::size_t cols, Rng& rng);
  ModularMatrix(const ModularMatrix&);
  ModularMatrix(ModularMatrix&&) noexcept;
  ModularMatrix& operator=(ModularMatrix) noexcept;
  ~ModularMatrix();

  std::uint64_t prime() const;
  std::size_t rows() const;
  std::size_t cols() const;
  /// Entry (i, j), reduced. Unchecked, as are set and row: for inner loops.
  std::uint64_t operator()(std::size_t i, std::size_t j) const;
  void set(std::size_t i, std::size_t j, std::uint64_t value);
  std::span<const std::uint64_t> row(std::size_t i) const;
  std::span<std::uint64_t> row(std::size_t i);

  ModularMatrix transpose() const;
  ModularMatrix select_rows(std::span<const std::size_t> rows) const;
  ModularMatrix select_cols(std::span<const std::size_t> cols) const;
  ModularMatrix block(std::size_t i, std::size_t j, std::size_t rows, std::size_t cols) const;
  std::size_t rank(const Task& task = {}) const;
  /// The reduced row echelon form without its zero rows; `pivots`, if given, receives the pivot columns.
  /// A matrix that is a direct sum up to the order of rows and columns is reduced by its summands.
  ModularMatrix echelon(std::vector<std::size_t>* pivots = nullptr, const Task& task = {}) const;
  /// A basis of {x : A x = 0}: its ROWS, in reduced row echelon form read from the right (free variables are
  /// unit vectors, in increasing order).
  ModularMatrix kernel(const Task& task = {}) const;
  /// A^{-1}; nothing if A is singular. \throws DomainError unless A is square.
  std::optional<ModularMatrix> inverse(const Task& task = {}) const;
  /// A solution X of A X = B; nothing if there is none.
  std::optional<ModularMatrix> solve(const ModularMatrix& B) const;
  /// Coefficients, constant term first, monic.
  std::vector<std::uint64_t> characteristic_polynomial() const;
  std::vector<std::uint64_t> minimal_polynomial() const;
  /// Whether A^k = 1 for k >= 0: whether the minimal polynomial divides x^k - 1.
  bool has_order_dividing(const Integer& k) const;

  friend ModularMatrix operator*(const ModularMatrix& A, const ModularMatrix& B);
  friend ModularMatrix operator+(const ModularMatrix& A, const ModularMatrix& B);
  friend ModularMatrix operator-(const ModularMatrix& A, const ModularMatrix& B);
  friend ModularMatrix operator*(std::uint64_t c, const ModularMatrix& A);
  friend bool operator==(const ModularMatrix& A, const ModularMatrix& B);

  const FlintModularMatrix& flint() const { return *data_; }
  FlintModularMatrix& flint() { return *data_; }

 private:
  std::unique_ptr<FlintModularMatrix> data_;
};

ModularMatrix vertical_stack(std::span<const ModularMatrix> parts);
ModularMatrix horizontal_stack(std::span<const ModularMatrix> parts);

/// Collects the images of one unknown rational matrix modulo distinct primes (Chinese remainders) and guesses
/// the matrix by rational reconstruction. The result is a candidate that its user must verify.
class RationalLift {
 public:
  /// \throws DomainError if the shape differs from the first one's or the prime was used before.
  void add(const ModularMatrix& image);
  std::size_t primes() const { return primes_; }
  /// The matrix whose entries n/d have |n|, d <= sqrt(M/2) for the modulus M so far and that stayed the same
  /// when the last prime was added (so at least two primes are needed); nothing if there is none yet.
  std::optional<RationalMatrix> candidate() const;
  /// The lifted matrix without that agreement, so after one prime already. It is likely to be wrong while the modulus
  /// is small.
  const std::optional<RationalMatrix>& guess() const { return last_; }
  /// Forgets everything (when a prime turned out to be better than all before).
  void clear();

 private:
  std::size_t primes_ = 0;
  IntegerMatrix residue_;
  Integer modulus_ = 1;
  std::optional<RationalMatrix> last_;
  bool stable_ = false;
  std::size_t failed_ = 0;  ///< the entry, row by row, at which the last reconstruction failed
};

}  // namespace intertwine
