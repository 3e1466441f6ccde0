// Bitableaux: products of minors as text.
#include "intertwine/gl/bitableau.hpp"

#include <algorithm>
#include <numeric>

#include "intertwine/error.hpp"
#include "intertwine/exact/sum_text.hpp"
#include "text_cursor.hpp"

namespace intertwine {

namespace {

void require_square(const MatrixMinor& minor) {
  if (minor.rows.empty() || minor.rows.size() != minor.cols.size())
    throw DomainError("Bitableau: a minor has " + std::to_string(minor.rows.size()) + " rows and " +
                      std::to_string(minor.cols.size()) + " columns; it must be square and not empty");
}

/// Sorts; the sign of the permutation, 0 if an index occurs twice.
int sort_with_sign(std::vector<int>& indices) {
  int sign = 1;
  for (std::size_t i = 1; i < indices.size(); ++i) {
    const auto at = std::upper_bound(indices.begin(), indices.begin() + i, indices[i]);
    if (at != indices.begin() && *(at - 1) == indices[i]) return 0;
    if ((indices.begin() + i - at) % 2 != 0) sign = -sign;
    std::rotate(at, indices.begin() + i, indices.begin() + i + 1);
  }
  return sign;
}

void require_increasing(const std::vector<int>& indices, const char* what) {
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < 0)
      throw DomainError(std::string("Bitableau: the ") + what + " " + std::to_string(indices[i]) + " is negative");
    if (i > 0 && indices[i] <= indices[i - 1])
      throw DomainError(std::string("Bitableau: the ") + what + "s of a minor must increase, but " +
                        std::to_string(indices[i]) + " follows " + std::to_string(indices[i - 1]));
  }
}

/// Sizes decreasing, then the sets.
bool comes_before(const MatrixMinor& a, const MatrixMinor& b) {
  if (a.rows.size() != b.rows.size()) return a.rows.size() > b.rows.size();
  return a < b;
}

bool weakly_below(const std::vector<int>& a, const std::vector<int>& b) {
  for (std::size_t i = 0; i < b.size(); ++i)
    if (a[i] > b[i]) return false;
  return true;
}

}  // namespace

Bitableau::Bitableau(std::vector<MatrixMinor> minors) : minors_(std::move(minors)) {
  for (const MatrixMinor& minor : minors_) {
    require_square(minor);
    require_increasing(minor.rows, "row");
    require_increasing(minor.cols, "column");
  }
  std::sort(minors_.begin(), minors_.end(), comes_before);
}

BitableauTerm product_of_minors(std::vector<MatrixMinor> minors) {
  int sign = 1;
  for (MatrixMinor& minor : minors) {
    require_square(minor);
    for (std::vector<int>* indices : {&minor.rows, &minor.cols}) sign *= sort_with_sign(*indices);
  }
  if (sign == 0) return {0, {}};
  return {sign, Bitableau(std::move(minors))};
}

int Bitableau::degree() const {
  int sum = 0;
  for (const MatrixMinor& minor : minors_) sum += static_cast<int>(minor.rows.size());
  return sum;
}

Partition Bitableau::shape() const {
  std::vector<int> sizes;
  for (const MatrixMinor& minor : minors_) sizes.push_back(static_cast<int>(minor.rows.size()));
  return Partition(std::move(sizes)).conjugate();
}

bool Bitableau::is_standard() const {
  for (std::size_t k = 1; k < minors_.size(); ++k)
    if (!weakly_below(minors_[k - 1].rows, minors_[k].rows) || !weakly_below(minors_[k - 1].cols, minors_[k].cols))
      return false;
  return true;
}

void Bitableau::require_inside(MatrixSize size) const {
  for (const MatrixMinor& minor : minors_) {
    if (minor.rows.back() >= size.rows)
      throw DomainError("Bitableau " + to_string(*this) + ": row " + std::to_string(minor.rows.back() + 1) +
                        " (from 1) is outside a matrix of " + std::to_string(size.rows) + " rows");
    if (minor.cols.back() >= size.cols)
      throw DomainError("Bitableau " + to_string(*this) + ": column " + std::to_string(minor.cols.back() + 1) +
                        " (from 1) is outside a matrix of " + std::to_string(size.cols) + " columns");
  }
}

std::strong_ordering operator<=>(const Bitableau& a, const Bitableau& b) {
  if (const auto order = a.shape() <=> b.shape(); order != 0) return order;
  return a.minors_ <=> b.minors_;
}

namespace {

/// Rows and columns of every minor between the given brackets.
std::string written(const Bitableau& b, const char* open, const char* bar, const char* close) {
  const auto list = [](const std::vector<int>& indices) {
    std::string text;
    for (const int i : indices) text.append(text.empty() ? "" : ",").append(std::to_string(i + 1));
    return text;
  };
  std::string text;
  for (const MatrixMinor& minor : b.minors())
    text.append(open).append(list(minor.rows)).append(bar).append(list(minor.cols)).append(close);
  return text.empty() ? "1" : text;
}

}  // namespace

std::string to_string(const Bitableau& b) { return written(b, "[", "|", "]"); }
std::string to_latex(const Bitableau& b) { return written(b, "(", " \\mid ", ")"); }

namespace {

/// Reads the bracket form; every complaint points at the byte.
class BitableauParser : TextCursor {
 public:
  BitableauParser(const std::string& text, MatrixSize size) : TextCursor(text), size_(size) {}

  /// `sorted`: rows and columns must increase.
  std::vector<MatrixMinor> parse(bool sorted) {
    std::vector<MatrixMinor> minors;
    if (accept('1')) {
      if (at_end()) return {};
      --at_;
    }
    if (at_end()) fail("expected a product of minors such as [1,2|1,3][2|2]", at_);
    while (!at_end()) {
      const std::size_t start = at_;
      expect('[', "expected '[' at the beginning of a minor");
      MatrixMinor minor;
      minor.rows = indices(size_.rows, "row", "rows", sorted);
      expect('|', "expected ',' or '|' after a row of the minor");
      minor.cols = indices(size_.cols, "column", "columns", sorted);
      expect(']', "expected ',' or ']' after a column of the minor");
      if (minor.rows.size() != minor.cols.size())
        fail("a minor has as many rows as columns, not " + std::to_string(minor.rows.size()) + " and " +
                 std::to_string(minor.cols.size()),
             start);
      minors.push_back(std::move(minor));
      if (minors.size() > 4096) fail("a product may have at most 4096 minors", start);
    }
    return minors;
  }

 private:
  std::vector<int> indices(int bound, const char* one, const char* many, bool sorted) {
    std::vector<int> result;
    for (;;) {
      skip();
      const std::size_t start = at_;
      const auto value = static_cast<int>(number(999'999).value_or(1'000'000));
      if (at_ == start) fail(std::string("expected the number of a ") + one, at_);
      if (value < 1 || value > bound)
        fail(std::string(one) + " " + std::to_string(value) + " is outside the matrix; its " + many + " are 1 to " +
                 std::to_string(bound),
             start);
      if (sorted && !result.empty() && value - 1 <= result.back())
        fail(std::string("the ") + many + " of a minor must increase", start);
      result.push_back(value - 1);
      if (!accept(',')) return result;
    }
  }

  MatrixSize size_;
};

void require_equal_sizes(const MatrixPolynomial& f, const MatrixPolynomial& g) {
  if (f.size != g.size)
    throw DomainError("MatrixPolynomial: the two polynomials belong to matrices of different sizes");
}

void add_term(MatrixPolynomial& f, const MatrixPolynomial::Exponents& exponents, const Integer& c) {
  if (c == 0) return;
  const auto [at, fresh] = f.terms.emplace(exponents, c);
  if (fresh) return;
  at->second += c;
  if (at->second == 0) f.terms.erase(at);
}

/// Asks, from time to time while f grows.
void watch_growth(const MatrixPolynomial& f, std::uint64_t step, const Task& task) {
  const std::uint64_t entries = static_cast<std::uint64_t>(f.size.rows) * static_cast<std::uint64_t>(f.size.cols);
  if (step % (1 + 255 / (1 + entries / 4096)) != 0) return;  // more often where terms are large
  constexpr std::uint64_t node = 120;  // of the map, its coefficient, and the heads of the exponents
  task.poll();
  task.require_memory(f.terms.size() * (node + sizeof(std::uint16_t) * entries), "the terms of a polynomial");
}

MatrixPolynomial determinant(const MatrixMinor& minor, MatrixSize size, const Task& task) {
  MatrixPolynomial f{size, {}};
  const std::size_t k = minor.rows.size();
  std::vector<std::size_t> order(k);
  std::iota(order.begin(), order.end(), 0);
  do {
    watch_growth(f, f.terms.size(), task);
    int sign = 1;
    MatrixPolynomial::Exponents exponents(static_cast<std::size_t>(size.rows) * size.cols);
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < i; ++j)
        if (order[j] > order[i]) sign = -sign;
      exponents[static_cast<std::size_t>(minor.rows[i]) * size.cols + minor.cols[order[i]]] = 1;
    }
    f.terms.emplace(std::move(exponents), sign);
  } while (std::next_permutation(order.begin(), order.end()));
  return f;
}

}  // namespace

Bitableau parse_bitableau(const std::string& text, MatrixSize size) {
  return Bitableau(BitableauParser(text, size).parse(true));
}

BitableauTerm parse_product_of_minors(const std::string& text, MatrixSize size) {
  return product_of_minors(BitableauParser(text, size).parse(false));
}

namespace {

std::string written(const MatrixPolynomial& f, Notation notation) {
  const bool latex = notation == Notation::latex;
  const std::string comma = !latex || f.size.rows > 9 || f.size.cols > 9 ? "," : "";
  SumText sum(notation);
  for (auto term = f.terms.rbegin(); term != f.terms.rend(); ++term) {
    std::string monomial;
    for (std::size_t k = 0; k < term->first.size(); ++k) {
      const unsigned exponent = term->first[k];
      if (exponent == 0) continue;
      const auto cols = static_cast<std::size_t>(f.size.cols);
      if (!monomial.empty()) monomial += latex ? " " : "*";
      monomial.append(latex ? "x_{" : "x[").append(std::to_string(k / cols + 1)).append(comma);
      monomial.append(std::to_string(k % cols + 1)).append(latex ? "}" : "]");
      if (exponent == 1) continue;
      monomial.append(latex ? "^{" : "^").append(std::to_string(exponent)).append(latex ? "}" : "");
    }
    sum.add(term->second, monomial);
  }
  return sum.str();
}

}  // namespace

std::string to_string(const MatrixPolynomial& f) { return written(f, Notation::text); }
std::string to_latex(const MatrixPolynomial& f) { return written(f, Notation::latex); }

MatrixPolynomial operator+(const MatrixPolynomial& f, const MatrixPolynomial& g) {
  require_equal_sizes(f, g);
  MatrixPolynomial sum = f;
  for (const auto& [exponents, c] : g.terms) add_term(sum, exponents, c);
  return sum;
}

MatrixPolynomial operator*(const Integer& c, const MatrixPolynomial& f) {
  if (c == 0) return {f.size, {}};
  MatrixPolynomial result = f;
  for (auto& [exponents, coefficient] : result.terms) coefficient *= c;
  return result;
}

MatrixPolynomial MatrixPolynomial::times(const MatrixPolynomial& g, const Task& task) const {
  const MatrixPolynomial& f = *this;
  require_equal_sizes(f, g);
  MatrixPolynomial result{f.size, {}};
  std::uint64_t step = 0;
  for (const auto& [a, c] : f.terms)
    for (const auto& [b, d] : g.terms) {
      watch_growth(result, step++, task);
      MatrixPolynomial::Exponents exponents = a;
      for (std::size_t k = 0; k < exponents.size(); ++k) {
        if (exponents[k] + b[k] > 65535) throw LimitError("MatrixPolynomial: an exponent exceeds 65535");
        exponents[k] = static_cast<std::uint16_t>(exponents[k] + b[k]);
      }
      add_term(result, exponents, c * d);
    }
  return result;
}

MatrixPolynomial expand(const Bitableau& b, MatrixSize size, const Task& task) {
  b.require_inside(size);
  MatrixPolynomial f{size, {}};
  f.terms.emplace(MatrixPolynomial::Exponents(static_cast<std::size_t>(size.rows) * size.cols), 1);
  for (const MatrixMinor& minor : b.minors()) {
    if (minor.rows.size() > 9)
      throw LimitError("expand: a minor of " + std::to_string(minor.rows.size()) +
                       " rows has more than 362880 terms; the limit is 9 rows");
    f = f.times(determinant(minor, size, task), task);
  }
  return f;
}

}  // namespace intertwine
