// Schur functors of matrices.
#include "intertwine/gl/schur_functor.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/gl/minor_products.hpp"

namespace intertwine {

namespace {

using Method = SchurFunctor::Method;
using Word = std::vector<int>;
/// The words that a product is read by: the rows of a tableau for symmetric powers, its columns for minors.
using Lines = RowWords;
using Sum = RowWordSum<std::int64_t>;

constexpr int max_side = 1000, max_weight = 10'000;
constexpr std::uint64_t max_entries = std::uint64_t{1} << 24, max_table = std::uint64_t{1} << 26,
                        max_products = 100'000'000'000, max_arrangements = 10'000'000;
constexpr std::uint64_t endless = std::numeric_limits<std::uint64_t>::max();

/// a b, or `endless` where that is too large.
std::uint64_t capped_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? endless : product;
}

std::uint64_t capped_sum(std::uint64_t a, std::uint64_t b) { return a > endless - b ? endless : a + b; }

std::uint64_t capped(const Integer& a) { return a > endless ? endless : static_cast<std::uint64_t>(a); }

void require_side(std::size_t n) {
  if (n > static_cast<std::size_t>(max_side))
    throw LimitError("the space has dimension " + std::to_string(n) + "; the limit of Schur functors is " +
                     std::to_string(max_side));
}

Lines lines_of(const Tableau& T, Method method) { return method == Method::minors ? T.transposed().rows() : T.rows(); }

Partition line_lengths(const Partition& shape, Method method) {
  return method == Method::minors ? shape.conjugate() : shape;
}

/// The words of length k in n letters that increase, strictly for minors, in lexicographic order.
struct Words {
  std::vector<Word> list;
  std::vector<std::uint32_t> parent;  ///< the word without its last letter, among those of length k - 1
  std::map<Word, std::uint32_t> index;

  static Words empty() { return {{{}}, {0}, {{{}, 0}}}; }
  Words longer(int n, bool strict) const {
    Words result;
    for (std::size_t w = 0; w < list.size(); ++w)
      for (int c = list[w].empty() ? 0 : list[w].back() + (strict ? 1 : 0); c < n; ++c) {
        Word word = list[w];
        word.push_back(c);
        result.index.emplace(word, static_cast<std::uint32_t>(result.list.size()));
        result.list.push_back(std::move(word));
        result.parent.push_back(static_cast<std::uint32_t>(w));
      }
    return result;
  }
};

/// Sym^k(A), or the k-minors of A, for all k up to a degree, row-major in the words of length k.
template <class Number>
class Powers {
 public:
  Powers(std::span<const Number> A, int rows, int cols, int degree, bool exterior, const Task& task)
      : targets_{Words::empty()}, sources_{Words::empty()}, tables_{{Number(1)}} {
    for (int k = 1; k <= degree; ++k) {
      targets_.push_back(targets_.back().longer(rows, exterior));
      sources_.push_back(sources_.back().longer(cols, exterior));
      tables_.push_back(next(A, cols, exterior, task));
    }
  }

  const std::map<Word, std::uint32_t>& target_index(std::size_t k) const { return targets_[k].index; }
  const std::map<Word, std::uint32_t>& source_index(std::size_t k) const { return sources_[k].index; }
  const Number& operator()(std::size_t k, std::uint32_t target, std::uint32_t source) const {
    return tables_[k][target * sources_[k].list.size() + source];
  }

 private:
  /// The longest words: the last factor of the product (the last column of the minor) is expanded.
  std::vector<Number> next(std::span<const Number> A, int cols, bool exterior, const Task& task) const {
    const Words &targets = targets_.back(), &sources = sources_.back();
    const std::vector<Number>& shorter = tables_.back();
    const std::size_t width = sources.list.size(), shorter_width = sources_[sources_.size() - 2].list.size();
    const auto& shorter_index = targets_[targets_.size() - 2].index;
    std::vector<Number> table(targets.list.size() * width);
    for (std::size_t t = 0; t < targets.list.size(); ++t) {
      task.poll();
      const Word& word = targets.list[t];
      for (std::size_t i = 0; i < word.size(); ++i) {
        if (i > 0 && word[i] == word[i - 1]) continue;
        Word rest = word;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        const std::size_t from = shorter_index.at(rest) * shorter_width;
        const bool negative = exterior && (word.size() - 1 - i) % 2 == 1;
        for (std::size_t s = 0; s < width; ++s) {
          const Number& a = A[static_cast<std::size_t>(word[i]) * cols + sources.list[s].back()];
          if (a == 0) continue;
          const Number product = a * shorter[from + sources.parent[s]];
          if (negative)
            table[t * width + s] -= product;
          else
            table[t * width + s] += product;
        }
      }
    }
    return table;
  }

  std::vector<Words> targets_, sources_;
  std::vector<std::vector<Number>> tables_;
};

void drop_zeros(Sum& sum) {
  std::erase_if(sum, [](const auto& term) { return term.second == 0; });
}

/// The products of minors, as the columns they take, in which the diagonal monomial of T occurs, with signs.
Sum rows_permuted(const Tableau& T, const Task& task) {
  Sum sum{{Lines(T.rows().empty() ? 0 : T.rows()[0].size()), 1}};
  for (const Word& row : T.rows()) {
    Sum next;
    for (const auto& [columns, c] : sum) {
      task.poll();
      Word permuted = row;  // increasing; entry j goes to column j
      do {
        Lines longer = columns;
        bool vanishes = false;
        std::size_t passed = 0;
        for (std::size_t j = 0; j < permuted.size() && !vanishes; ++j) {
          const auto place = std::lower_bound(longer[j].begin(), longer[j].end(), permuted[j]);
          vanishes = place != longer[j].end() && *place == permuted[j];
          passed += static_cast<std::size_t>(longer[j].end() - place);
          longer[j].insert(place, permuted[j]);
        }
        if (!vanishes) next[std::move(longer)] += passed % 2 == 1 ? -c : c;
      } while (std::next_permutation(permuted.begin(), permuted.end()));
    }
    drop_zeros(next);
    sum = std::move(next);
  }
  return sum;
}

Sum expansion(const Tableau& T, Method method, const Task& task) {
  return method == Method::minors ? rows_permuted(T, task) : product_of_column_minors(T.rows(), task);
}

/// The coefficients of the products [T] at the diagonal monomials of the tableaux U: row U holds those before U,
/// T = U has 1, those after U have 0.
class Triangle {
 public:
  Triangle(const std::vector<Tableau>& basis, Method method, const Task& task) : below_(basis.size()) {
    std::map<Lines, std::size_t> index;
    for (std::size_t i = 0; i < basis.size(); ++i) index.emplace(lines_of(basis[i], method), i);
    for (std::size_t i = 0; i < basis.size(); ++i)
      for (const auto& [lines, c] : expansion(basis[i], method, task)) {
        const auto found = index.find(lines);
        if (found == index.end() || found->second == i) continue;
        const std::size_t monomial = method == Method::minors ? i : found->second,
                          product = method == Method::minors ? found->second : i;
        if (product > monomial) throw InternalError("SchurFunctor: the products of minors are not triangular");
        below_[monomial].emplace_back(product, c);
      }
  }

  /// Coefficients at the monomials become coordinates in the products; `values` has `width` columns.
  template <class Number>
  void solve(std::vector<Number>& values, std::size_t width, const Task& task) const {
    for (std::size_t u = 0; u < below_.size(); ++u) {
      task.poll();
      for (const auto& [t, c] : below_[u])
        for (std::size_t j = 0; j < width; ++j) values[u * width + j] -= static_cast<Number>(c) * values[t * width + j];
    }
  }

 private:
  std::vector<std::vector<std::pair<std::size_t, std::int64_t>>> below_;
};

struct Cost {
  std::uint64_t arrangements = 1, products = 0, table = 0;
};

/// Upper bounds: terms of an expansion, products of table entries, entries and letters of the tables.
Cost cost(const Partition& shape, Method method, std::uint64_t entries, std::size_t rows, std::size_t cols) {
  const Partition lengths = line_lengths(shape, method), permuted = lengths.conjugate();
  Cost result;
  for (const int k : permuted)
    for (int i = 2; i <= k && result.arrangements != endless; ++i)
      result.arrangements = capped_product(result.arrangements, i);
  result.products = capped_product(capped_product(entries, std::max(1, lengths.length())), result.arrangements);
  for (int k = 1; k <= lengths[0] && result.table <= max_table; ++k) {
    const auto words = [&](std::size_t n) {
      if (method == Method::minors) return capped(binomial(n, k));
      return n == 0 ? 0 : capped(binomial(n + k - 1, k));
    };
    const std::uint64_t targets = words(rows), sources = words(cols);
    result.table = capped_sum(
        result.table, capped_sum(capped_product(targets, sources), capped_product(capped_sum(targets, sources), k)));
  }
  return result;
}

/// The method to take. \throws LimitError if the work is too large.
Method require_feasible(const Partition& shape, Method asked, std::size_t rows, std::size_t cols,
                        std::uint64_t entry_bytes, const Task& task) {
  require_side(std::max(rows, cols));
  const Integer entries = number_of_semistandard_tableaux(shape, static_cast<int>(rows)) *
                          number_of_semistandard_tableaux(shape, static_cast<int>(cols));
  if (entries > max_entries)
    throw LimitError("S_" + to_string(shape) + " of a " + std::to_string(rows) + " x " + std::to_string(cols) +
                     " matrix has " + to_string(entries) + " entries; the limit is 2^24");
  // The expansions are needed even where there is no entry to fill: count one at least.
  const std::uint64_t number = std::max<std::uint64_t>(1, capped(entries));
  const Cost symmetric = cost(shape, Method::symmetric_powers, number, rows, cols),
             minors = cost(shape, Method::minors, number, rows, cols);
  const auto feasible = [](const Cost& c) {
    return c.arrangements <= max_arrangements && c.products <= max_products && c.table <= max_table;
  };
  Method method = asked;
  if (asked == Method::cheaper) {
    const auto total = [](const Cost& c) { return capped_sum(c.products, c.table); };
    const bool take_minors = feasible(minors) && (!feasible(symmetric) || total(minors) <= total(symmetric));
    method = take_minors ? Method::minors : Method::symmetric_powers;
  }
  const Cost& taken = method == Method::minors ? minors : symmetric;
  if (!feasible(taken))
    throw LimitError("SchurFunctor: S_" + to_string(shape) + " of a " + std::to_string(rows) + " x " +
                     std::to_string(cols) +
                     " matrix needs too much work (limits: 10^7 arrangements of a tableau, 10^11 products, 2^26 table "
                     "entries); take a smaller partition or matrix");
  const std::uint64_t term_bytes = 128 + 32 * static_cast<std::uint64_t>(line_lengths(shape, method).length());
  task.require_memory(
      capped_sum(capped_product(number + taken.table, entry_bytes), capped_product(taken.arrangements, term_bytes)),
      "the matrix of a Schur functor");
  return method;
}

/// A product of table entries, one for every line.
struct Product {
  std::int64_t coefficient;
  std::vector<std::uint32_t> words;
};

template <class Index>
std::vector<std::uint32_t> positions(const Lines& lines, const Index& index) {
  std::vector<std::uint32_t> result;
  for (const Word& word : lines) result.push_back(index(word.size()).at(word));
  return result;
}

/// The coefficients of [T](X A) at the diagonal monomials of the target basis, row-major.
template <class Number>
std::vector<Number> coefficients(const std::vector<Tableau>& targets, const std::vector<Tableau>& sources,
                                 const Powers<Number>& powers, Method method, const Task& task) {
  const bool minors = method == Method::minors;
  const auto target_index = [&](std::size_t k) -> const auto& { return powers.target_index(k); };
  const auto source_index = [&](std::size_t k) -> const auto& { return powers.source_index(k); };
  const std::vector<Tableau>&expanded = minors ? targets : sources, &plain = minors ? sources : targets;
  std::vector<std::vector<std::uint32_t>> plain_words;
  for (const Tableau& T : plain) {
    const Lines lines = lines_of(T, method);
    plain_words.push_back(minors ? positions(lines, source_index) : positions(lines, target_index));
  }
  std::vector<std::size_t> lengths;
  if (!plain.empty())
    for (const Word& line : lines_of(plain[0], method)) lengths.push_back(line.size());
  std::vector<Number> values(targets.size() * sources.size());
  if (values.empty()) return values;
  for (std::size_t e = 0; e < expanded.size(); ++e) {
    task.progress("filling the matrix", e, expanded.size());
    std::vector<Product> products;
    for (const auto& [lines, c] : expansion(expanded[e], method, task))
      products.push_back({c, minors ? positions(lines, target_index) : positions(lines, source_index)});
    for (std::size_t p = 0; p < plain.size(); ++p) {
      task.poll();
      Number& value = minors ? values[e * sources.size() + p] : values[p * sources.size() + e];
      for (const Product& product : products) {
        const auto factor = [&](std::size_t i) -> const Number& {
          return minors ? powers(lengths[i], product.words[i], plain_words[p][i])
                        : powers(lengths[i], plain_words[p][i], product.words[i]);
        };
        bool vanishes = false;  // as most products do for sparse matrices: looked at before a number is made
        for (std::size_t i = 0; i < lengths.size() && !vanishes; ++i) vanishes = factor(i) == 0;
        if (vanishes) continue;
        auto term = static_cast<Number>(product.coefficient);
        for (std::size_t i = 0; i < lengths.size(); ++i) term *= factor(i);
        value += term;
      }
    }
  }
  task.progress("filling the matrix", expanded.size(), expanded.size());
  return values;
}

/// A partition of n rows as k columns of length n and the rest: S_lambda(K^n) is det^k times that of the rest, with the
/// same tableaux but for these columns.
struct Columns {
  int full = 0;
  Partition rest;
};

Columns full_columns(const Partition& shape, Method method, std::size_t rows, std::size_t cols) {
  if (method != Method::cheaper || shape.empty() || rows != cols || static_cast<std::size_t>(shape.length()) != rows)
    return {0, shape};
  std::vector<int> rest = shape.parts();
  const int full = rest.back();
  for (int& part : rest) part -= full;
  return {full, Partition(rest)};
}

/// By elimination with pivots of largest size.
double determinant(std::span<const double> A, std::size_t n) {
  std::vector<double> M(A.begin(), A.end());
  double result = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(M[i * n + k]) > std::abs(M[pivot * n + k])) pivot = i;
    if (M[pivot * n + k] == 0) return 0;
    if (pivot != k) {
      std::swap_ranges(M.begin() + static_cast<std::ptrdiff_t>(k * n),
                       M.begin() + static_cast<std::ptrdiff_t>((k + 1) * n),
                       M.begin() + static_cast<std::ptrdiff_t>(pivot * n));
      result = -result;
    }
    result *= M[k * n + k];
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = M[i * n + k] / M[k * n + k];
      for (std::size_t j = k + 1; j < n; ++j) M[i * n + j] -= factor * M[k * n + j];
    }
  }
  return result;
}

template <class Number>
std::vector<Number> image(const SchurFunctor& S, std::span<const Number> A, std::size_t rows, std::size_t cols,
                          Method method, const Task& task) {
  const std::vector<Tableau> targets = S.basis(static_cast<int>(rows)), sources = S.basis(static_cast<int>(cols));
  if (targets.empty() || sources.empty()) return {};
  const Powers<Number> powers(A, static_cast<int>(rows), static_cast<int>(cols), line_lengths(S.shape(), method)[0],
                              method == Method::minors, task);
  std::vector<Number> values = coefficients(targets, sources, powers, method, task);
  Triangle(targets, method, task).solve(values, sources.size(), task);
  return values;
}

}  // namespace

SchurFunctor::SchurFunctor(Partition shape, Method method) : shape_(std::move(shape)), method_(method) {
  if (shape_.weight() > max_weight)
    throw LimitError("SchurFunctor: the partition has weight " + std::to_string(shape_.weight()) + "; the limit is " +
                     std::to_string(max_weight));
}

Integer SchurFunctor::dimension(int n) const { return number_of_semistandard_tableaux(shape_, n); }

std::vector<Tableau> SchurFunctor::basis(int n) const {
  if (n > 0) require_side(static_cast<std::size_t>(n));
  std::vector<Tableau> tableaux = semistandard_tableaux(shape_, n, max_entries);
  std::sort(tableaux.begin(), tableaux.end());
  return tableaux;
}

std::vector<std::vector<int>> SchurFunctor::weights(int n) const {
  if (n > 0 && dimension(n) * n > max_table)
    throw LimitError("the list of weights: S_" + to_string(shape_) + " has " + to_string(dimension(n)) +
                     " weights of length " + std::to_string(n) + "; the limit is 2^26 numbers");
  std::vector<std::vector<int>> result;
  for (const Tableau& T : basis(n)) result.push_back(T.content(n));
  return result;
}

RationalMatrix SchurFunctor::operator()(const RationalMatrix& A, const Task& task) const {
  if (const Columns columns = full_columns(shape_, method_, A.rows(), A.cols()); columns.full > 0) {
    const Rational det = intertwine::determinant(A);
    Rational power = 1;
    for (int k = 0; k < columns.full; ++k) power *= det;
    return power * SchurFunctor(columns.rest, method_)(A, task);
  }
  const Method method = require_feasible(shape_, method_, A.rows(), A.cols(), 2 * sizeof(Integer) + 16, task);
  const auto rows = static_cast<std::size_t>(dimension(static_cast<int>(A.rows()))),
             cols = static_cast<std::size_t>(dimension(static_cast<int>(A.cols())));
  std::vector<Integer> entries;
  entries.reserve(A.rows() * A.cols());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) entries.push_back(A.numerator()(i, j));
  const std::vector<Integer> values = image<Integer>(*this, entries, A.rows(), A.cols(), method, task);
  // Homogeneous of degree |lambda|.
  return {IntegerMatrix(rows, cols, values),
          boost::multiprecision::pow(A.denominator(), static_cast<unsigned>(shape_.weight()))};
}

std::vector<Cyclotomic> SchurFunctor::operator()(std::span<const Cyclotomic> A, std::size_t rows, std::size_t cols,
                                                 const Task& task) const {
  if (A.size() != rows * cols)
    throw DomainError("SchurFunctor: a " + std::to_string(rows) + " x " + std::to_string(cols) +
                      " matrix does not have " + std::to_string(A.size()) + " entries");
  const Method method = require_feasible(shape_, method_, rows, cols, 2 * sizeof(Cyclotomic), task);
  return image<Cyclotomic>(*this, A, rows, cols, method, task);
}

std::vector<double> SchurFunctor::operator()(std::span<const double> A, std::size_t rows, std::size_t cols,
                                             const Task& task) const {
  if (A.size() != rows * cols)
    throw DomainError("SchurFunctor: a " + std::to_string(rows) + " x " + std::to_string(cols) +
                      " matrix does not have " + std::to_string(A.size()) + " entries");
  for (std::size_t k = 0; k < A.size(); ++k)
    if (!std::isfinite(A[k]))
      throw DomainError("SchurFunctor: entry " + std::to_string(k) +
                        " (0-based, row-major) is not finite; the entries must be numbers");
  if (const Columns columns = full_columns(shape_, method_, rows, cols); columns.full > 0) {
    std::vector<double> rest = SchurFunctor(columns.rest, method_)(A, rows, cols, task);
    const double power = std::pow(determinant(A, rows), columns.full);
    for (double& entry : rest) entry *= power;
    return rest;
  }
  const Method method = require_feasible(shape_, method_, rows, cols, sizeof(double), task);
  return image<double>(*this, A, rows, cols, method, task);
}

SchurFunctorMatrix schur_functor_matrix(const SchurFunctor& S, const RationalMatrix& A, const Task& task) {
  RationalMatrix B = S(A, task);
  const std::optional<Rational> trace = A.rows() == A.cols() ? std::optional(B.trace()) : std::nullopt;
  return {S.shape(),
          A.cols(),
          A.rows(),
          std::move(B),
          S.basis(static_cast<int>(A.rows())),
          S.basis(static_cast<int>(A.cols())),
          trace};
}

}  // namespace intertwine
