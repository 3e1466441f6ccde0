// The coordinate ring of matrices: straightening and filtration.
#include "intertwine/gl/coordinate_ring.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "gl/straightener.hpp"
#include "intertwine/combinatorics/rsk.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/checked_words.hpp"

namespace intertwine {

namespace {

void require_matrix(const char* function, MatrixSize size) {
  if (size.rows < 0 || size.cols < 0)
    throw DomainError(std::string(function) + ": a matrix of size " + std::to_string(size.rows) + " x " +
                      std::to_string(size.cols) + " has a negative side");
}

void require_count(const char* function, const Integer& count, std::size_t limit) {
  if (count > limit)
    throw LimitError(std::string(function) + ": there are " + to_string(count) + " elements, more than the limit " +
                     std::to_string(limit));
}

/// The columns of two semistandard tableaux of one shape as row and column sets.
Bitableau from_semistandard(const Tableau& left, const Tableau& right) {
  const Tableau rows = left.transposed(), cols = right.transposed();
  std::vector<MatrixMinor> minors;
  for (std::size_t k = 0; k < rows.rows().size(); ++k) minors.push_back({rows.rows()[k], cols.rows()[k]});
  return Bitableau(std::move(minors));
}

void append_pairs(const std::vector<Tableau>& left, const std::vector<Tableau>& right, std::vector<Bitableau>& out,
                  const Task& task) {
  const std::size_t before = out.size();
  for (const Tableau& L : left) {
    const auto columns = static_cast<std::size_t>(L.shape().empty() ? 0 : L.shape()[0]);
    const std::size_t bytes = sizeof(Bitableau) + columns * (sizeof(MatrixMinor) + 2 * 32);
    task.require_memory((out.size() + right.size()) * bytes, "the standard bitableaux");
    for (const Tableau& R : right) {
      task.poll();
      out.push_back(from_semistandard(L, R));
    }
  }
  std::sort(out.begin() + static_cast<std::ptrdiff_t>(before), out.end(), [&](const Bitableau& a, const Bitableau& b) {
    task.poll();
    return a < b;
  });
}

}  // namespace

std::vector<Bitableau> standard_bitableaux(const Partition& shape, MatrixSize size, std::size_t max_count,
                                           const Task& task) {
  require_matrix("standard_bitableaux", size);
  require_count("standard_bitableaux",
                number_of_semistandard_tableaux(shape, size.rows) * number_of_semistandard_tableaux(shape, size.cols),
                max_count);
  std::vector<Bitableau> result;
  if (shape.length() > std::min(size.rows, size.cols)) return result;
  append_pairs(semistandard_tableaux(shape, size.rows, max_count, task),
               semistandard_tableaux(shape, size.cols, max_count, task), result, task);
  return result;
}

std::vector<Bitableau> standard_bitableaux(int degree, MatrixSize size, std::size_t max_count, const Task& task) {
  Integer count = 0;
  const std::vector<FiltrationPiece> pieces = filtration_pieces(degree, size, task);
  for (const FiltrationPiece& piece : pieces) count += piece.dimension;
  require_count("standard_bitableaux", count, max_count);
  std::vector<Bitableau> result;
  for (const FiltrationPiece& piece : pieces) {
    auto some = standard_bitableaux(piece.shape, size, max_count, task);
    std::move(some.begin(), some.end(), std::back_inserter(result));
  }
  return result;
}

std::vector<Bitableau> standard_bitableaux(const std::vector<int>& row_content, const std::vector<int>& col_content,
                                           std::size_t max_count, const Task& task) {
  require_count("standard_bitableaux", number_of_contingency_tables(row_content, col_content, task), max_count);
  const int degree = std::accumulate(row_content.begin(), row_content.end(), 0);
  std::vector<Bitableau> result;
  for (const Partition& shape :
       partitions(degree, {static_cast<int>(std::min(row_content.size(), col_content.size()))}))
    append_pairs(semistandard_tableaux(shape, row_content, max_count, task),
                 semistandard_tableaux(shape, col_content, max_count, task), result, task);
  return result;
}

namespace {

/// Minors of the matrix as maximal minors of it with an antidiagonal unit matrix on the right: the minor with
/// rows a and columns b is, up to sign, the one with columns b and the unit columns of the rows outside a.
class Border {
 public:
  explicit Border(MatrixSize size)
      : flipped_(size.rows > size.cols), rows_(std::min(size.rows, size.cols)), cols_(std::max(size.rows, size.cols)) {
    if (rows_ + cols_ > 64)
      throw LimitError("straighten: a matrix of size " + std::to_string(size.rows) + " x " + std::to_string(size.cols) +
                       " is too large; rows and columns together may be at most 64");
  }

  /// The column set, and the sign of the maximal minor relative to the minor.
  std::pair<detail::ColumnSet, int> to_set(const MatrixMinor& minor) const {
    const auto& [a, b] = flipped_ ? std::tie(minor.cols, minor.rows) : std::tie(minor.rows, minor.cols);
    detail::ColumnSet set = 0;
    for (const int column : b) set |= detail::column_bit(column);
    for (int row = 0; row < rows_; ++row)
      if (!std::binary_search(a.begin(), a.end(), row)) set |= detail::column_bit(cols_ + rows_ - 1 - row);
    return {set, sign_of_rows(a)};
  }

  /// The minor of a set; empty for the unit columns alone.
  std::pair<MatrixMinor, int> to_minor(detail::ColumnSet set) const {
    std::vector<int> a, b;
    for (int column = 0; column < cols_; ++column)
      if (set & detail::column_bit(column)) b.push_back(column);
    for (int row = 0; row < rows_; ++row)
      if (!(set & detail::column_bit(cols_ + rows_ - 1 - row))) a.push_back(row);
    const int sign = sign_of_rows(a);
    return {flipped_ ? MatrixMinor{std::move(b), std::move(a)} : MatrixMinor{std::move(a), std::move(b)}, sign};
  }

 private:
  /// The sign of the permutation (a, the other rows in decreasing order).
  int sign_of_rows(const std::vector<int>& a) const {
    const int others = rows_ - static_cast<int>(a.size());
    int inversions = others * (others - 1) / 2;
    for (std::size_t k = 0; k < a.size(); ++k) inversions += a[k] - static_cast<int>(k);
    return inversions % 2 ? -1 : 1;
  }

  bool flipped_;
  int rows_, cols_;
};

using TermMap = std::map<Bitableau, Integer>;

template <class Count>
void add_straightened(const Bitableau& b, const Integer& coefficient, const Border& border,
                      detail::Straightener<Count>& straightener, TermMap& sum) {
  std::vector<detail::ColumnSet> factors;
  int sign = 1;
  for (const MatrixMinor& minor : b.minors()) {
    const auto [set, s] = border.to_set(minor);
    factors.push_back(set);
    sign *= s;
  }
  for (const auto& [rows, c] : straightener.product(factors)) {
    std::vector<MatrixMinor> minors;
    int s = sign;
    for (const detail::ColumnSet set : rows) {
      auto [minor, minor_sign] = border.to_minor(set);
      s *= minor_sign;
      if (!minor.rows.empty()) minors.push_back(std::move(minor));
    }
    sum[Bitableau(std::move(minors))] += s * coefficient * Integer(c);
  }
}

std::vector<BitableauTerm> collect(const TermMap& sum) {
  std::vector<BitableauTerm> terms;
  for (const auto& [bitableau, coefficient] : sum)
    if (coefficient != 0) terms.push_back({coefficient, bitableau});
  return terms;
}

/// Straightens a sum of products, in machine words if they suffice.
std::vector<BitableauTerm> straighten_sum(const std::vector<BitableauTerm>& products, MatrixSize size,
                                          const Task& task) {
  const Border border(size);
  const auto run = [&]<class Count>(Count) {
    detail::Straightener<Count> straightener(task);
    TermMap sum;
    for (const auto& [coefficient, b] : products) add_straightened(b, coefficient, border, straightener, sum);
    return collect(sum);
  };
  try {
    return run(std::int64_t{});
  } catch (const checked::Overflow&) {
    return run(Integer());
  }
}

}  // namespace

std::vector<BitableauTerm> straighten(const Bitableau& b, MatrixSize size, const Task& task) {
  require_matrix("straighten", size);
  b.require_inside(size);
  return straighten_sum({{1, b}}, size, task);
}

std::vector<BitableauTerm> to_bitableaux(const MatrixPolynomial& f, const Task& task) {
  std::vector<BitableauTerm> products;
  for (const auto& [exponents, c] : f.terms) {
    std::vector<MatrixMinor> minors;
    for (std::size_t k = 0; k < exponents.size(); ++k)
      minors.insert(minors.end(), exponents[k],
                    MatrixMinor{{static_cast<int>(k) / f.size.cols}, {static_cast<int>(k) % f.size.cols}});
    products.push_back({c, Bitableau(std::move(minors))});
  }
  return straighten_sum(products, f.size, task);
}

MatrixPolynomial expand(const std::vector<BitableauTerm>& terms, MatrixSize size, const Task& task) {
  MatrixPolynomial sum{size, {}};
  for (const BitableauTerm& term : terms) sum = sum + term.coefficient * expand(term.bitableau, size, task);
  return sum;
}

namespace {

void keep_shape(std::vector<BitableauTerm>& terms, const Partition& shape) {
  std::erase_if(terms, [&](const BitableauTerm& term) { return term.bitableau.shape() != shape; });
}

}  // namespace

Straightening straightening_of(const BitableauTerm& product, MatrixSize size, bool graded, const Task& task) {
  const Integer& sign = product.coefficient;
  if (abs(sign) > 1)
    throw DomainError("straightening_of: the coefficient " + to_string(sign) + " of the product is not 1, -1 or 0");
  Straightening answer{size, product.bitableau, {}, false, static_cast<int>(sign), graded};
  if (sign == 0) return answer;
  answer.terms = graded ? graded_product(product.bitableau, size, task) : straighten(product.bitableau, size, task);
  for (BitableauTerm& term : answer.terms) term.coefficient *= sign;
  return answer;
}

void verify(const Straightening& answer, const Task& task) {
  for (const BitableauTerm& term : answer.terms)
    if (term.coefficient == 0 || !term.bitableau.is_standard())
      throw VerificationError("straighten: " + to_string(term.bitableau) + " is not standard, or occurs 0 times");
  if (answer.graded) {
    Straightening whole = straightening_of({answer.sign, answer.product}, answer.size, false, task);
    verify(whole, task);
    keep_shape(whole.terms, answer.product.shape());
    if (whole.terms != answer.terms)
      throw VerificationError("straighten: the answer is not the part of the product that has its shape");
    return;
  }
  if (expand(answer.terms, answer.size, task) !=
      expand(std::vector<BitableauTerm>{{answer.sign, answer.product}}, answer.size, task))
    throw VerificationError("straighten: the answer differs from the product written out");
}

std::vector<BitableauTerm> graded_product(const Bitableau& a, const Bitableau& b, MatrixSize size, const Task& task) {
  for (const Bitableau* factor : {&a, &b})
    if (!factor->is_standard())
      throw DomainError("graded_product: " + to_string(*factor) + " is not standard; straighten it first");
  std::vector<MatrixMinor> minors = a.minors();
  minors.insert(minors.end(), b.minors().begin(), b.minors().end());
  return graded_product(Bitableau(std::move(minors)), size, task);
}

std::vector<BitableauTerm> graded_product(const Bitableau& b, MatrixSize size, const Task& task) {
  std::vector<BitableauTerm> terms = straighten(b, size, task);
  keep_shape(terms, b.shape());
  return terms;
}

std::vector<FiltrationPiece> filtration_pieces(int degree, MatrixSize size, const Task& task) {
  require_matrix("filtration_pieces", size);
  if (degree < 0) throw DomainError("filtration_pieces: the degree " + std::to_string(degree) + " is negative");
  std::vector<FiltrationPiece> pieces;
  for (const Partition& shape : partitions(degree, {std::min(size.rows, size.cols)}, 20'000'000, task)) {
    task.poll();
    FiltrationPiece piece{shape, number_of_semistandard_tableaux(shape, size.rows),
                          number_of_semistandard_tableaux(shape, size.cols), 0};
    piece.dimension = piece.left_dimension * piece.right_dimension;
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

namespace {

/// Conjugation turns the order of dominance round.
Integer dimension_above(const Partition& shape, const std::vector<FiltrationPiece>& pieces, const Task& task) {
  Integer total = 0;
  for (const FiltrationPiece& piece : pieces) {
    task.poll();
    if (shape.dominates(piece.shape)) total += piece.dimension;
  }
  return total;
}

}  // namespace

Integer filtration_dimension(const Partition& shape, MatrixSize size, const Task& task) {
  return dimension_above(shape, filtration_pieces(shape.weight(), size, task), task);
}

Bitableau highest_weight_vector(const Partition& shape, MatrixSize size) {
  require_matrix("highest_weight_vector", size);
  if (shape.length() > std::min(size.rows, size.cols))
    throw DomainError("highest_weight_vector: " + to_string(shape) + " has more rows than a matrix of size " +
                      std::to_string(size.rows) + " x " + std::to_string(size.cols) + " allows");
  std::vector<MatrixMinor> minors;
  for (const int k : shape.conjugate()) {
    std::vector<int> corner(k);
    std::iota(corner.begin(), corner.end(), 0);
    minors.push_back({corner, corner});
  }
  return Bitableau(std::move(minors));
}

namespace {

/// The divided power of the polarization that turns `times` letters of line `from` into line `to`; lines are
/// rows or columns.
MatrixPolynomial polarize(const MatrixPolynomial& f, bool rows, int from, int to, int times) {
  MatrixPolynomial result{f.size, {}};
  const int places = rows ? f.size.cols : f.size.rows;
  const auto index = [&](int line, int place) {
    return static_cast<std::size_t>(rows ? line * f.size.cols + place : place * f.size.cols + line);
  };
  for (const auto& [exponents, coefficient] : f.terms) {
    MatrixPolynomial::Exponents current = exponents;
    const std::function<void(int, int, const Integer&)> move = [&](int place, int left, const Integer& c) {
      if (left == 0 || place == places) {
        if (left == 0) {
          Integer& sum = result.terms[current];
          sum += c;
          if (sum == 0) result.terms.erase(current);
        }
        return;
      }
      std::uint16_t &source = current[index(from, place)], &target = current[index(to, place)];
      const std::uint16_t was = source, had = target;
      for (int g = 0; g <= std::min<int>(was, left); ++g) {
        source = static_cast<std::uint16_t>(was - g);
        target = static_cast<std::uint16_t>(had + g);
        move(place + 1, left - g, c * binomial(was, g));
      }
      source = was;
      target = had;
    };
    move(0, times, coefficient);
  }
  return result;
}

/// For each semistandard tableau T: the product of the polarizations i -> j, once for each j in row i < j of
/// T, applied to f.
std::vector<MatrixPolynomial> lower(const MatrixPolynomial& f, bool rows, const std::vector<Tableau>& tableaux) {
  std::vector<MatrixPolynomial> result;
  for (const Tableau& T : tableaux) {
    MatrixPolynomial g = f;
    for (std::size_t i = T.rows().size(); i-- > 0;) {  // from the bottom: a letter moved down is not moved again
      std::map<int, int> count;
      for (const int entry : T.rows()[i])
        if (entry > static_cast<int>(i)) ++count[entry];
      for (const auto& [entry, times] : count) g = polarize(g, rows, static_cast<int>(i), entry, times);
    }
    result.push_back(std::move(g));
  }
  return result;
}

}  // namespace

std::vector<MatrixPolynomial> isotypic_basis(const Partition& shape, MatrixSize size, std::size_t max_count,
                                             const Task& task) {
  const Bitableau top = highest_weight_vector(shape, size);
  require_count("isotypic_basis",
                number_of_semistandard_tableaux(shape, size.rows) * number_of_semistandard_tableaux(shape, size.cols),
                max_count);
  auto left = semistandard_tableaux(shape, size.rows), right = semistandard_tableaux(shape, size.cols);
  std::sort(left.begin(), left.end());  // the highest weight first
  std::sort(right.begin(), right.end());
  std::vector<MatrixPolynomial> result;
  for (const MatrixPolynomial& f : lower(expand(top, size, task), true, left)) {
    task.poll();
    auto row = lower(f, false, right);
    std::move(row.begin(), row.end(), std::back_inserter(result));
  }
  return result;
}

std::vector<Integer> hilbert_function(MatrixSize size, int highest_degree) {
  require_matrix("hilbert_function", size);
  const auto variables = static_cast<unsigned long>(size.rows) * static_cast<unsigned long>(size.cols);
  std::vector<Integer> result;
  for (int d = 0; d <= highest_degree; ++d)
    result.push_back(d == 0           ? Integer(1)
                     : variables == 0 ? Integer(0)
                                      : binomial(variables + static_cast<unsigned long>(d) - 1, d));
  return result;
}

CoordinateRingDegree coordinate_ring_degree(int degree, MatrixSize size, const CoordinateRingLists& lists,
                                            const Task& task) {
  CoordinateRingDegree result{size, degree, 0, {}, {}};
  const std::vector<FiltrationPiece> pieces = filtration_pieces(degree, size, task);
  for (const FiltrationPiece& found : pieces) {
    auto& piece = result.pieces.emplace_back(
        CoordinateRingDegree::Piece{found, dimension_above(found.shape, pieces, task), {}, {}, {}});
    if (lists.highest_weight_vectors) piece.highest_weight_vector = highest_weight_vector(piece.shape, size);
    if (lists.standard_bitableaux) piece.standard_bitableaux = standard_bitableaux(piece.shape, size, 1'000'000, task);
    if (lists.isotypic_bases) piece.isotypic_basis = isotypic_basis(piece.shape, size, 100'000, task);
    result.dimension += piece.dimension;
  }
  return result;
}

}  // namespace intertwine
