// Ideals of minors in the coordinate ring of rows x cols matrices: powers, symbolic powers, products,
// invariant ideals.
//
// All of them are spanned by standard bitableaux or, in characteristic 0, are sums of isotypic pieces; which
// shapes lie in one is decided by the functions gamma_k (vanishing_order). I_k is the ideal of the k-minors.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "intertwine/gl/coordinate_ring.hpp"

namespace intertwine {

/// gamma_k(lambda) = sum over the columns of lambda of max(0, length - k + 1): the order to which a product
/// of minors of this shape vanishes along the matrices of rank < k. \throws DomainError if k < 1.
int vanishing_order(const Partition& shape, int k);

/// The symbolic power I_minors^(exponent), a primary ideal.
struct SymbolicPower {
  int minors = 1;
  int exponent = 1;
  friend bool operator==(const SymbolicPower&, const SymbolicPower&) = default;
};

/// An ideal of the ring of matrices of one size: a power of a product of ideals of minors, a symbolic power I_k^(s), or the
/// ideal that an isotypic piece generates. A value. Symbolic powers are what they are in every characteristic, the others
/// in characteristic 0 (or large).
class MinorIdeal {
 public:
  /// The power with this exponent of the product of I_k over k in `minors`: I_k^s for one size. k larger than the matrix
  /// gives the zero ideal. \throws DomainError if a size is below 1 or the exponent below 0.
  static MinorIdeal power(MatrixSize size, std::vector<int> minors, int exponent = 1);
  static MinorIdeal symbolic_power(MatrixSize size, int minors, int exponent);
  /// The invariant ideal I_generator.
  static MinorIdeal invariant(MatrixSize size, Partition generator);

  MatrixSize size() const { return size_; }
  bool is_invariant() const { return kind_ == Kind::invariant; }
  bool is_symbolic() const { return kind_ == Kind::symbolic; }
  /// One number, unless the ideal is invariant or a product of several.
  const std::vector<int>& minors() const { return minors_; }
  int exponent() const { return exponent_; }
  const Partition& generator() const { return generator_; }

  /// Are the pieces of this shape in it? With minors k_1, ..., k_r and exponent s: gamma_j >= s sum_i max(0, k_i - j + 1)
  /// for all j; gamma_k >= s for the symbolic power; containment of diagrams for the invariant ideal.
  /// \par Source [De Concini, Eisenbud & Procesi 1980, section 7]
  bool contains(const Partition& shape) const;
  /// By straightening. \throws as straighten and to_bitableaux.
  bool contains(const Bitableau& product, const Task& task = {}) const;
  bool contains(const BitableauTerm& product, const Task& task = {}) const;
  bool contains(const MatrixPolynomial& f, const Task& task = {}) const;
  /// The shapes of this degree whose pieces are in it. \throws as partitions.
  std::vector<Partition> pieces(int degree) const;
  /// The dimensions of the pieces of degree 0 ... highest_degree of the ring modulo the ideal. Cost: all partitions of at most
  /// min(rows, cols) rows. \throws DomainError if a side or highest_degree is negative.
  std::vector<Integer> hilbert_function(int highest_degree, const Task& task = {}) const;
  /// The symbolic powers whose intersection it is, with those left out that the others imply. Characteristic 0.
  /// \par Method  I_j^(b_j) for j = 1 ... t, the largest size, where b_j = s sum_i max(0, k_i - j + 1) [De Concini, Eisenbud &
  ///              Procesi 1980, section 7]. With n = min(rows, cols), the shape with gamma_j = b_j - 1 and the largest gamma_i
  ///              for i > j at once is the balanced one in the rows j ... n: the component j is left out if that shape misses
  ///              another bound. For the powers of one size the components from max(1, n - s (n - t)) on remain
  ///              [Bruns & Vetter 1988, section 10].
  /// \throws DomainError for invariant ideals and sizes beyond the matrix; LimitError for minors of more than 1000 rows or
  /// exponents beyond 2^31 - 1.
  /// \par Example  I_2^2 in 3 x 3 matrices: I_1^(4) and I_2^(2), that is, I_2^2 is I_2^(2) in degrees 4 and more
  std::vector<SymbolicPower> primary_decomposition() const;

  friend bool operator==(const MinorIdeal&, const MinorIdeal&) = default;

 private:
  enum class Kind { power, symbolic, invariant };
  MinorIdeal(MatrixSize size, Kind kind, std::vector<int> minors, int exponent, Partition generator);
  /// The least value that gamma_j has in a power.
  std::int64_t bound(int j) const;
  MatrixSize size_;
  Kind kind_;
  std::vector<int> minors_;
  int exponent_;
  Partition generator_;
};

/// "the ideal I_2 of 2-minors", "the symbolic power 2 of ...", "the product I_3 I_2 of ideals of minors".
std::string to_string(const MinorIdeal& ideal);
/// "I_{2}^{(2)}".
std::string to_latex(const MinorIdeal& ideal);

/// The numerator of the Hilbert series of the ring modulo I_k, over (1 - t)^((rows + cols - k + 1)(k - 1));
/// coefficient of t^i at i. \throws DomainError if k < 1 or k > min(rows, cols).
/// \par Source  [Conca & Herzog 1994], from Abhyankar's count of non-intersecting paths.
std::vector<Integer> determinantal_hilbert_numerator(MatrixSize size, int k);

/// The answers to the questions asked of an ideal; members that were not asked for are empty.
struct MinorIdealAnswer {
  MinorIdeal ideal;
  std::optional<std::vector<Integer>> hilbert_function;
  std::optional<int> degree;  ///< the degree of `pieces`
  std::vector<Partition> pieces;
  std::optional<BitableauTerm> product;
  bool member = false;  ///< the product is in the ideal
  std::optional<std::vector<SymbolicPower>> primary_decomposition;
};

}  // namespace intertwine
