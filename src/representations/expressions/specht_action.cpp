// The action on standard polytabloids.
#include "specht_action.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

using TableauColumns = std::vector<std::vector<std::uint16_t>>;  ///< from top to bottom
using RowWord = std::vector<std::uint16_t>;                      ///< the row of every entry: a tabloid

TableauColumns columns_of(const Tableau& T) {
  TableauColumns columns(T.rows().empty() ? 0 : T.rows()[0].size());
  for (const auto& row : T.rows())
    for (std::size_t j = 0; j < row.size(); ++j) columns[j].push_back(static_cast<std::uint16_t>(row[j]));
  return columns;
}

RowWord row_word(const Tableau& T, int n) {
  RowWord word(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < T.rows().size(); ++i)
    for (const int entry : T.rows()[i]) word[static_cast<std::size_t>(entry)] = static_cast<std::uint16_t>(i);
  return word;
}

/// The coefficient of a tabloid in the polytabloid of a tableau with these columns: the sign of the only column
/// permutation that could take one to the other, or 0.
int coefficient(const TableauColumns& columns, const RowWord& tabloid) {
  bool odd = false;
  for (const auto& column : columns) {
    const std::size_t length = column.size();
    for (std::size_t p = 0; p < length; ++p) {
      const std::uint16_t row = tabloid[column[p]];
      if (row >= length) return 0;
      for (std::size_t q = 0; q < p; ++q) {
        const std::uint16_t above = tabloid[column[q]];
        if (above == row) return 0;
        odd ^= above > row;
      }
    }
  }
  return odd ? -1 : 1;
}

struct TabloidTerm {
  std::uint32_t place;
  std::int64_t value;
};

/// The standard polytabloids of a shape, written in standard tabloids.
class Polytabloids {
 public:
  Polytabloids(const Partition& shape, const Task& task) {
    const int n = shape.weight();
    for (const Tableau& T : standard_tableaux(shape, SpechtAction::largest_dimension)) {
      columns_.push_back(columns_of(T));
      tabloids_.push_back(row_word(T, n));
      numbers_.emplace(tabloids_.back(), static_cast<std::uint32_t>(numbers_.size()));
    }
    for (std::uint32_t t = 0; t < columns_.size(); ++t) {
      task.poll();
      expansions_.push_back(expansion(columns_[t], t));
    }
  }

  std::size_t size() const { return columns_.size(); }
  std::uint32_t number(const RowWord& tabloid) const { return numbers_.at(tabloid); }
  const RowWord& tabloid(std::uint32_t t) const { return tabloids_[t]; }
  const TableauColumns& columns(std::uint32_t t) const { return columns_[t]; }

  /// The polytabloid of a tableau with these columns, whose tabloid is that of t, in standard polytabloids.
  std::vector<TabloidTerm> straightened(const TableauColumns& columns, std::uint32_t t) const {
    std::vector<std::int64_t> left(t + std::size_t{1}, 0);
    for (const TabloidTerm& term : expansion(columns, t)) left[term.place] = term.value;
    std::vector<TabloidTerm> result;
    for (std::uint32_t u = t + 1; u-- > 0;) {
      const std::int64_t c = left[u];
      if (c == 0) continue;
      result.push_back({u, c});
      for (const TabloidTerm& term : expansions_[u]) left[term.place] -= c * term.value;
    }
    return result;
  }

 private:
  /// The coefficients at the standard tabloids 0, ..., t: there are none beyond.
  std::vector<TabloidTerm> expansion(const TableauColumns& columns, std::uint32_t t) const {
    std::vector<TabloidTerm> terms;
    for (std::uint32_t u = 0; u <= t; ++u)
      if (const int c = coefficient(columns, tabloids_[u]); c != 0) terms.push_back({u, c});
    return terms;
  }

  std::vector<TableauColumns> columns_;
  std::vector<RowWord> tabloids_;
  std::map<RowWord, std::uint32_t> numbers_;
  std::vector<std::vector<TabloidTerm>> expansions_;
};

void require_dimension(const Partition& shape) {
  const Integer dimension = number_of_standard_tableaux(shape);
  if (dimension > SpechtAction::largest_dimension)
    throw LimitError(
        fmt::format("specht: the dimension {} of the Specht module {} exceeds {}, up to which its matrices are built; "
                    "characters still can be asked for",
                    dimension.str(), to_string(shape), SpechtAction::largest_dimension));
}

std::size_t column_of(const TableauColumns& columns, std::uint16_t entry) {
  std::size_t j = 0;
  while (std::find(columns[j].begin(), columns[j].end(), entry) == columns[j].end()) ++j;
  return j;
}

/// (i,i+1) e_t in standard polytabloids.
std::vector<TabloidTerm> transposed(const Polytabloids& basis, std::uint32_t t, std::uint16_t i) {
  const auto next = static_cast<std::uint16_t>(i + 1);
  const TableauColumns& columns = basis.columns(t);
  const std::size_t a = column_of(columns, i), b = column_of(columns, next);
  if (a == b) return {{t, -1}};
  RowWord tabloid = basis.tabloid(t);
  if (tabloid[i] != tabloid[next]) {
    std::swap(tabloid[i], tabloid[next]);
    return {{basis.number(tabloid), 1}};
  }
  TableauColumns swapped = columns;
  *std::find(swapped[a].begin(), swapped[a].end(), i) = next;
  *std::find(swapped[b].begin(), swapped[b].end(), next) = i;
  return basis.straightened(swapped, t);
}

constexpr std::uint64_t safe = std::uint64_t{1} << 62;

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? ~std::uint64_t{0} : product;
}

std::uint64_t height(const std::vector<std::int64_t>& X) {
  std::uint64_t largest = 0;
  for (const std::int64_t x : X) largest = std::max(largest, static_cast<std::uint64_t>(std::abs(x)));
  return largest;
}

/// The positions i of the adjacent transpositions whose product, the last one leftmost, is g.
std::vector<std::size_t> word_of(const Permutation& g) {
  std::vector<Point> images(g.images().begin(), g.images().end());
  std::vector<std::size_t> word;
  for (std::size_t end = images.size(); end > 1; --end)
    for (std::size_t i = 0; i + 1 < end; ++i)
      if (images[i] > images[i + 1]) {
        std::swap(images[i], images[i + 1]);
        word.push_back(i);
      }
  return word;
}

}  // namespace

/// Entries come column by column; they are wanted by rows, and columns within.
void SpechtAction::by_rows(std::vector<Entry>& entries, std::size_t rows, const Task& task) {
  std::vector<std::size_t> place(rows + 1, 0);
  for (const Entry& e : entries) ++place[e.row + 1];
  for (std::size_t r = 0; r < rows; ++r) place[r + 1] += place[r];
  task.require_memory(entries.size() * sizeof(Entry), "the matrix of a transposition");
  std::vector<Entry> sorted(entries.size());
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (k % 4096 == 0) task.poll();
    sorted[place[entries[k].row]++] = entries[k];
  }
  entries = std::move(sorted);
}

SpechtAction::SpechtAction(const Partition& shape, const Task& task) : dimension_(0) {
  require_dimension(shape);
  const Polytabloids basis(shape, task);
  dimension_ = basis.size();
  for (std::uint16_t i = 0; i + 1 < shape.weight(); ++i) {
    Transposition s{{}, 0, 0};
    std::vector<std::uint64_t> row_sums(dimension_, 0);
    for (std::uint32_t t = 0; t < dimension_; ++t) {
      task.poll();
      std::uint64_t col_sum = 0;
      for (const TabloidTerm& term : transposed(basis, t, i)) {
        s.entries.push_back({term.place, t, term.value});
        const auto size = static_cast<std::uint64_t>(std::abs(term.value));
        row_sums[term.place] += size;
        col_sum += size;
      }
      s.col_sum = std::max(s.col_sum, col_sum);
    }
    s.row_sum = *std::max_element(row_sums.begin(), row_sums.end());
    by_rows(s.entries, dimension_, task);
    transpositions_.push_back(std::move(s));
  }
}

template <class Scalar>
std::vector<Scalar> SpechtAction::product(const Transposition& s, const std::vector<Scalar>& X, std::size_t cols,
                                          bool transposed) const {
  std::vector<Scalar> Y(X.size());
  for (const Entry& e : s.entries) {
    const Scalar* from = X.data() + (transposed ? e.row : e.col) * cols;
    Scalar* to = Y.data() + (transposed ? e.col : e.row) * cols;
    if (e.value == 1)
      for (std::size_t j = 0; j < cols; ++j) to[j] += from[j];
    else if (e.value == -1)
      for (std::size_t j = 0; j < cols; ++j) to[j] -= from[j];
    else
      for (std::size_t j = 0; j < cols; ++j) to[j] += e.value * from[j];
  }
  return Y;
}

RationalMatrix SpechtAction::apply(const Permutation& g, const RationalMatrix& X, bool transposed) const {
  std::vector<std::size_t> word = word_of(g);
  if (transposed) std::reverse(word.begin(), word.end());
  if (word.empty()) return X;
  const IntegerMatrix& N = X.numerator();
  const std::size_t rows = N.rows(), cols = N.cols();
  std::size_t done = 0;
  std::vector<std::int64_t> small;
  std::vector<Integer> large;
  if (N.height() < safe) {
    small.resize(rows * cols);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < cols; ++j)
        if (N.sign(i, j) != 0) small[i * cols + j] = static_cast<std::int64_t>(N(i, j));
    for (std::uint64_t bound = height(small); done < word.size(); ++done) {
      const Transposition& s = transpositions_[word[done]];
      const std::uint64_t growth = transposed ? s.col_sum : s.row_sum;
      if (saturating_product(bound, growth) >= safe) bound = height(small);
      if (saturating_product(bound, growth) >= safe) break;
      bound *= growth;
      small = product(s, small, cols, transposed);
    }
    if (done < word.size()) large.assign(small.begin(), small.end());
  } else {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < cols; ++j) large.push_back(N(i, j));
  }
  IntegerMatrix result(rows, cols);
  if (done == word.size()) {
    for (std::size_t k = 0; k < small.size(); ++k)
      if (small[k] != 0) result.set(k / cols, k % cols, static_cast<long>(small[k]));
  } else {
    for (; done < word.size(); ++done) large = product(transpositions_[word[done]], large, cols, transposed);
    result = IntegerMatrix(rows, cols, large);
  }
  return {std::move(result), X.denominator()};
}

}  // namespace intertwine
