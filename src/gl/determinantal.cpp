#include "intertwine/gl/determinantal.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

void require_minors(const char* function, int k) {
  if (k < 1)
    throw DomainError(std::string(function) + ": minors of size " + std::to_string(k) +
                      " do not exist; the size is at least 1");
}

void require_exponent(const char* function, int s) {
  if (s < 0)
    throw DomainError(std::string(function) + ": the exponent " + std::to_string(s) + " is negative");
}

/// sum over k in sizes of max(0, k - j + 1): what gamma_j of the product is at least.
int required(const std::vector<int>& sizes, int j) {
  int sum = 0;
  for (const int k : sizes) sum += std::max(0, k - j + 1);
  return sum;
}

std::vector<Integer> count_outside(MatrixSize size, int max_degree,
                                   const std::function<bool(const Partition&)>& inside) {
  if (max_degree < 0)
    throw DomainError("hilbert_function: the degree " + std::to_string(max_degree) + " is negative");
  std::vector<Integer> dimensions(max_degree + 1);
  for (int d = 0; d <= max_degree; ++d)
    for (const FiltrationPiece& piece : filtration_pieces(d, size))
      if (!inside(piece.shape)) dimensions[d] += piece.dimension;
  return dimensions;
}

}  // namespace

int gamma(const Partition& shape, int k) {
  require_minors("gamma", k);
  // The columns of length >= k contribute one for each of their rows k-1, k, ...
  int sum = 0;
  for (int i = k - 1; i < shape.length(); ++i) sum += shape[i];
  return sum;
}

bool in_symbolic_power(const Partition& shape, int k, int s) {
  require_exponent("in_symbolic_power", s);
  return gamma(shape, k) >= s;
}

bool in_power(const Partition& shape, int k, int s) {
  require_minors("in_power", k);
  require_exponent("in_power", s);
  for (int j = 1; j <= k; ++j)
    if (gamma(shape, j) < std::int64_t{k - j + 1} * s) return false;
  return true;
}

bool in_product(const Partition& shape, const std::vector<int>& sizes) {
  for (const int k : sizes) require_minors("in_product", k);
  const int largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  for (int j = 1; j <= largest; ++j)
    if (gamma(shape, j) < required(sizes, j)) return false;
  return true;
}

bool in_invariant_ideal(const Partition& shape, const Partition& generator) {
  return shape.contains(generator);
}

bool in_symbolic_power(const MatrixPolynomial& f, int k, int s, const Task& task) {
  const auto terms = to_bitableaux(f, task);
  return std::all_of(terms.begin(), terms.end(),
                     [&](const BitableauTerm& t) { return in_symbolic_power(t.bitableau.shape(), k, s); });
}

bool in_power(const MatrixPolynomial& f, int k, int s, const Task& task) {
  const auto terms = to_bitableaux(f, task);
  return std::all_of(terms.begin(), terms.end(),
                     [&](const BitableauTerm& t) { return in_power(t.bitableau.shape(), k, s); });
}

std::vector<Integer> hilbert_function(MatrixSize size, int k, int s, bool symbolic, int max_degree) {
  require_minors("hilbert_function", k);
  require_exponent("hilbert_function", s);
  // Beyond the matrix there are no minors: the ideal is zero, unless s = 0 makes it the ring.
  const bool none = k > std::min(size.rows, size.cols) && s > 0;
  return count_outside(size, max_degree, [&](const Partition& shape) {
    return !none && (symbolic ? in_symbolic_power(shape, k, s) : in_power(shape, k, s));
  });
}

std::vector<Integer> hilbert_function(MatrixSize size, const std::vector<int>& sizes, int max_degree) {
  for (const int k : sizes) require_minors("hilbert_function", k);
  const bool none =
      std::any_of(sizes.begin(), sizes.end(), [&](int k) { return k > std::min(size.rows, size.cols); });
  return count_outside(size, max_degree,
                       [&](const Partition& shape) { return !none && in_product(shape, sizes); });
}

std::vector<Integer> hilbert_function(MatrixSize size, const Partition& generator, int max_degree) {
  return count_outside(size, max_degree,
                       [&](const Partition& shape) { return in_invariant_ideal(shape, generator); });
}

namespace {

using Univariate = std::vector<Integer>;

Univariate product(const Univariate& f, const Univariate& g) {
  if (f.empty() || g.empty()) return {};
  Univariate result(f.size() + g.size() - 1);
  for (std::size_t i = 0; i < f.size(); ++i)
    for (std::size_t j = 0; j < g.size(); ++j) result[i + j] += f[i] * g[j];
  return result;
}

void add(Univariate& f, const Univariate& g, int sign) {
  f.resize(std::max(f.size(), g.size()));
  for (std::size_t i = 0; i < g.size(); ++i) f[i] += sign * g[i];
}

/// By expansion along the first row over sets of columns.
Univariate determinant(const std::vector<std::vector<Univariate>>& a) {
  const std::size_t n = a.size();
  std::vector<Univariate> minor(std::size_t{1} << n);
  minor[0] = {1};
  for (std::size_t columns = 1; columns < minor.size(); ++columns) {
    const int row = std::popcount(columns) - 1;
    int sign = row % 2 ? -1 : 1;
    for (std::size_t j = 0; j < n; ++j) {
      if (!(columns >> j & 1)) continue;
      add(minor[columns], product(a[row][j], minor[columns & ~(std::size_t{1} << j)]), sign);
      sign = -sign;
    }
  }
  return minor.back();
}

}  // namespace

std::vector<Integer> determinantal_hilbert_numerator(MatrixSize size, int k) {
  require_minors("determinantal_hilbert_numerator", k);
  if (k > std::min(size.rows, size.cols))
    throw DomainError("determinantal_hilbert_numerator: a matrix of size " + std::to_string(size.rows) +
                      " x " + std::to_string(size.cols) + " has no minors of size " + std::to_string(k));
  if (k > 16)
    throw LimitError("determinantal_hilbert_numerator: minors of size " + std::to_string(k) +
                     " exceed the limit 16");
  const int r = k - 1;
  std::vector<std::vector<Univariate>> entries(r, std::vector<Univariate>(r));
  for (int i = 1; i <= r; ++i)
    for (int j = 1; j <= r; ++j)
      for (int e = 0; e <= std::min(size.rows - i, size.cols - j); ++e)
        entries[i - 1][j - 1].push_back(binomial(size.rows - i, e) * binomial(size.cols - j, e));
  Univariate numerator = determinant(entries);
  numerator.erase(numerator.begin(), numerator.begin() + r * (r - 1) / 2);
  while (!numerator.empty() && numerator.back() == 0) numerator.pop_back();
  return numerator;
}

namespace {

/// Is gamma_j >= bound[j] for every shape of at most `rows` rows with gamma_i >= bound[i] for the other i in
/// `kept`? gamma_j is the sum of the rows from j on, so the smallest shape is searched from the bottom row
/// up: row i lies between row i+1 and what the bounds ask.
bool implied(int j, const std::vector<int>& kept, const std::vector<int>& bound, int rows) {
  const int fail = bound[j] - 1;  // search a shape with gamma_j <= fail that satisfies the others
  const std::function<bool(int, int, int)> search = [&](int row, int below, int sum) -> bool {
    if (row == 0) return true;
    const bool asked = std::find(kept.begin(), kept.end(), row) != kept.end() && row != j;
    const int need = asked ? bound[row] : 0;
    // Above row j nothing limits the rows: they can be as long as needed.
    if (row < j) return true;
    for (int part = std::max(below, need - sum); sum + part <= fail; ++part)
      if (search(row - 1, part, sum + part)) return true;
    return false;
  };
  return !search(rows, 0, 0);
}

}  // namespace

std::vector<SymbolicPower> primary_decomposition(const std::vector<int>& sizes, MatrixSize size) {
  const int rows = std::min(size.rows, size.cols);
  if (rows > 12 || std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}) > 64)
    throw LimitError(
        "primary_decomposition: the matrix or the product is too large; the limits are 12 rows and sizes "
        "that add up to 64");
  std::vector<int> kept, bound(rows + 2);
  for (const int k : sizes) {
    require_minors("primary_decomposition", k);
    if (k > rows)
      throw DomainError("primary_decomposition: a matrix of size " + std::to_string(size.rows) + " x " +
                        std::to_string(size.cols) + " has no minors of size " + std::to_string(k));
  }
  const int largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  for (int j = 1; j <= largest; ++j) {
    bound[j] = required(sizes, j);
    kept.push_back(j);
  }
  for (int j = 1; j <= largest; ++j)
    if (implied(j, kept, bound, rows)) std::erase(kept, j);
  std::vector<SymbolicPower> result;
  for (const int j : kept) result.push_back({j, bound[j]});
  return result;
}

}  // namespace intertwine
