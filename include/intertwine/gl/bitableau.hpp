// Minors of a generic matrix, their products (bitableaux), and polynomials in its entries.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The size of a generic matrix X = (x_ij), i < rows, j < cols; its entries generate the coordinate ring
/// K[Hom(V, W)] with dim W = rows and dim V = cols.
struct MatrixSize {
  int rows = 0;
  int cols = 0;
  friend bool operator==(const MatrixSize&, const MatrixSize&) = default;
};

/// The minor of X with these rows and columns: two strictly increasing lists of one length k >= 1, 0-based.
struct MatrixMinor {
  std::vector<int> rows, cols;
  friend bool operator==(const MatrixMinor&, const MatrixMinor&) = default;
  friend auto operator<=>(const MatrixMinor&, const MatrixMinor&) = default;
};

/// A product of minors, sizes weakly decreasing. The row sets are the rows of the left tableau, the column
/// sets those of the right one. The empty product is 1.
class Bitableau {
 public:
  Bitableau() = default;
  /// Sorted by size (decreasing), then rows, then columns. \throws DomainError if a minor is empty, not
  /// square, or its rows or columns are negative or not strictly increasing.
  explicit Bitableau(std::vector<MatrixMinor> minors);

  const std::vector<MatrixMinor>& minors() const { return minors_; }
  int degree() const;
  /// The partition lambda whose conjugate lists the sizes of the minors: the product belongs to S_lambda (x)
  /// S_lambda.
  Partition shape() const;
  /// Both tableaux strictly increasing along rows and weakly increasing down columns.
  bool is_standard() const;
  /// \throws DomainError naming the index if a row or column lies outside the matrix.
  void require_inside(MatrixSize size) const;

  friend bool operator==(const Bitableau&, const Bitableau&) = default;
  /// By degree, then shape in the order of Partition, then the minors.
  friend std::strong_ordering operator<=>(const Bitableau& a, const Bitableau& b);

 private:
  std::vector<MatrixMinor> minors_;
};

/// coefficient * bitableau.
struct BitableauTerm {
  Integer coefficient;
  Bitableau bitableau;
  friend bool operator==(const BitableauTerm&, const BitableauTerm&) = default;
};
/// A product of minors whose rows and columns stand in any order: the coefficient is the sign of sorting them, and 0, with the
/// empty product, where a row or column is repeated in a minor. \throws as the constructor for what is not a minor.
/// \par Example  [2,1|1,2][1|2] = -[1,2|1,2][1|2]
BitableauTerm product_of_minors(std::vector<MatrixMinor> minors);

/// "[1,2|1,3][2|2]", 1-based; "1" for the empty product.
std::string to_string(const Bitableau& b);
/// "(1,2 \\mid 1,3)(2 \\mid 2)".
std::string to_latex(const Bitableau& b);
/// Reads "[1,2|1,3][2|2]", spaces allowed, minors in any order; a minor with rows or columns out of order is
/// refused. \throws ParseError also for an index outside the matrix, and for more than 4096 minors.
Bitableau parse_bitableau(const std::string& text, MatrixSize size);
/// Reads minors with rows and columns in any order, as product_of_minors.
BitableauTerm parse_product_of_minors(const std::string& text, MatrixSize size);

/// A polynomial in the entries of X with integer coefficients: exponent matrices, row-major, to nonzero
/// coefficients.
struct MatrixPolynomial {
  using Exponents = std::vector<std::uint16_t>;
  MatrixSize size;
  std::map<Exponents, Integer> terms;
  /// The product with g. Cost: the number of pairs of terms.
  /// \throws DomainError if the sizes differ; LimitError if an exponent exceeds 65535.
  MatrixPolynomial times(const MatrixPolynomial& g, const Task& task = {}) const;
  friend bool operator==(const MatrixPolynomial&, const MatrixPolynomial&) = default;
};
/// "x[1,1]*x[2,2] - x[1,2]*x[2,1]"; "0" for zero.
std::string to_string(const MatrixPolynomial& f);
/// "x_{11} x_{22}^{2} - x_{12} x_{21}", indices set off by commas where the matrix has more than 9 rows or columns.
std::string to_latex(const MatrixPolynomial& f);
/// \throws DomainError if the sizes differ.
MatrixPolynomial operator+(const MatrixPolynomial& f, const MatrixPolynomial& g);
MatrixPolynomial operator*(const Integer& c, const MatrixPolynomial& f);
/// \throws as times
inline MatrixPolynomial operator*(const MatrixPolynomial& f, const MatrixPolynomial& g) { return f.times(g); }
/// The product of minors written out. Cost: the product of the factorials of the sizes, before merging.
/// \throws DomainError if b does not fit the matrix; LimitError if a minor has more than 9 rows.
MatrixPolynomial expand(const Bitableau& b, MatrixSize size, const Task& task = {});

}  // namespace intertwine
