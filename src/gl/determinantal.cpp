// Ideals of minors: powers, symbolic powers and Hilbert series.
#include "intertwine/gl/determinantal.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

void require_minors(const char* function, int k) {
  if (k < 1)
    throw DomainError(std::string(function) + ": minors of size " + std::to_string(k) +
                      " do not exist; the size is at least 1");
}

}  // namespace

int vanishing_order(const Partition& shape, int k) {
  require_minors("vanishing_order", k);
  // The columns of length >= k contribute one for each of their rows k-1, k, ...
  int sum = 0;
  for (int i = k - 1; i < shape.length(); ++i) sum += shape[i];
  return sum;
}

MinorIdeal::MinorIdeal(MatrixSize size, Kind kind, std::vector<int> minors, int exponent, Partition generator)
    : size_(size), kind_(kind), minors_(std::move(minors)), exponent_(exponent), generator_(std::move(generator)) {
  for (const int k : minors_) require_minors("MinorIdeal", k);
  if (exponent < 0) throw DomainError("MinorIdeal: the exponent " + std::to_string(exponent) + " is negative");
}

MinorIdeal MinorIdeal::power(MatrixSize size, std::vector<int> minors, int exponent) {
  return {size, Kind::power, std::move(minors), exponent, {}};
}

MinorIdeal MinorIdeal::symbolic_power(MatrixSize size, int minors, int exponent) {
  return {size, Kind::symbolic, {minors}, exponent, {}};
}

MinorIdeal MinorIdeal::invariant(MatrixSize size, Partition generator) {
  return {size, Kind::invariant, {}, 1, std::move(generator)};
}

std::int64_t MinorIdeal::bound(int j) const {
  std::int64_t sum = 0;
  for (const int k : minors_) sum += std::max(0, k - j + 1);
  return sum * exponent_;
}

bool MinorIdeal::contains(const Partition& shape) const {
  if (kind_ == Kind::invariant) return shape.contains(generator_);
  if (kind_ == Kind::symbolic) return vanishing_order(shape, minors_[0]) >= exponent_;
  const int largest = minors_.empty() ? 0 : *std::max_element(minors_.begin(), minors_.end());
  for (int j = 1; j <= largest; ++j)
    if (vanishing_order(shape, j) < bound(j)) return false;
  return true;
}

namespace {

bool all_inside(const MinorIdeal& ideal, const std::vector<BitableauTerm>& terms) {
  return std::all_of(terms.begin(), terms.end(),
                     [&](const BitableauTerm& term) { return ideal.contains(term.bitableau.shape()); });
}

}  // namespace

bool MinorIdeal::contains(const Bitableau& product, const Task& task) const {
  return all_inside(*this, straighten(product, size_, task));
}

bool MinorIdeal::contains(const BitableauTerm& product, const Task& task) const {
  return product.coefficient == 0 || contains(product.bitableau, task);
}

bool MinorIdeal::contains(const MatrixPolynomial& f, const Task& task) const {
  return all_inside(*this, to_bitableaux(f, task));
}

std::vector<Partition> MinorIdeal::pieces(int degree) const {
  std::vector<Partition> shapes = partitions(degree, {std::min(size_.rows, size_.cols)});
  std::erase_if(shapes, [&](const Partition& shape) { return !contains(shape); });
  return shapes;
}

std::vector<Integer> MinorIdeal::hilbert_function(int highest_degree, const Task& task) const {
  if (highest_degree < 0)
    throw DomainError("hilbert_function: the degree " + std::to_string(highest_degree) + " is negative");
  std::vector<Integer> dimensions(highest_degree + 1);
  for (int d = 0; d <= highest_degree; ++d)
    for (const FiltrationPiece& piece : filtration_pieces(d, size_, task))
      if (!contains(piece.shape)) dimensions[d] += piece.dimension;
  return dimensions;
}

std::string to_string(const MinorIdeal& ideal) {
  if (ideal.is_invariant()) return "the invariant ideal I_" + to_string(ideal.generator());
  if (ideal.minors().size() != 1) {
    std::string text = ideal.exponent() == 1 ? "" : "the power " + std::to_string(ideal.exponent()) + " of ";
    text += "the product";
    for (const int k : ideal.minors()) text += " I_" + std::to_string(k);
    return text + " of ideals of minors";
  }
  const std::string k = std::to_string(ideal.minors()[0]);
  const std::string text = "the ideal I_" + k + " of " + k + "-minors";
  if (ideal.exponent() == 1 && !ideal.is_symbolic()) return text;
  return (ideal.is_symbolic() ? "the symbolic power " : "the power ") + std::to_string(ideal.exponent()) + " of " +
         text;
}

std::string to_latex(const MinorIdeal& ideal) {
  if (ideal.is_invariant()) return "I_{(" + to_latex(ideal.generator()) + ")}";
  if (ideal.minors().size() == 1) {
    const std::string text = "I_{" + std::to_string(ideal.minors()[0]) + "}", s = std::to_string(ideal.exponent());
    return ideal.is_symbolic() ? text + "^{(" + s + ")}" : ideal.exponent() == 1 ? text : text + "^{" + s + "}";
  }
  std::string text;
  for (const int k : ideal.minors()) text += (text.empty() ? "I_{" : " I_{") + std::to_string(k) + "}";
  return ideal.exponent() == 1 ? text : "(" + text + ")^{" + std::to_string(ideal.exponent()) + "}";
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
    throw DomainError("determinantal_hilbert_numerator: a matrix of size " + std::to_string(size.rows) + " x " +
                      std::to_string(size.cols) + " has no minors of size " + std::to_string(k));
  if (k > 16)
    throw LimitError("determinantal_hilbert_numerator: minors of size " + std::to_string(k) + " exceed the limit 16");
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

/// Is gamma_j >= bound[j] for every shape of at most `rows` rows with gamma_i >= bound[i] for i > j? Rows above j do not limit
/// the others. Among the shapes with gamma_j = q the balanced one, q distributed evenly over the rows j ... `rows`, has
/// the largest gamma_i for all i > j, and these grow with q: it is enough to look at q = bound[j] - 1.
bool implied(std::size_t j, const std::vector<int>& bound, std::size_t rows) {
  const std::size_t below = rows - j + 1;
  const int fail = bound[j] - 1;
  const auto part = static_cast<std::int64_t>(fail / below), longer = static_cast<std::int64_t>(fail % below);
  for (std::size_t i = j + 1; i < bound.size(); ++i) {
    const auto left_out = static_cast<std::int64_t>(i - j), counted = static_cast<std::int64_t>(below) - left_out;
    if (counted * part + std::max<std::int64_t>(0, longer - left_out) < bound[i]) return true;
  }
  return false;
}

}  // namespace

std::vector<SymbolicPower> MinorIdeal::primary_decomposition() const {
  if (kind_ == Kind::invariant)
    throw DomainError("primary_decomposition: the decompositions of invariant ideals are not known here");
  if (kind_ == Kind::symbolic) return {{minors_[0], exponent_}};
  const int rows = std::min(size_.rows, size_.cols);
  const int largest = minors_.empty() || exponent_ == 0 ? 0 : *std::max_element(minors_.begin(), minors_.end());
  if (largest > rows)
    throw DomainError("primary_decomposition: a matrix of size " + std::to_string(size_.rows) + " x " +
                      std::to_string(size_.cols) + " has no minors of size " + std::to_string(largest));
  constexpr int most = std::numeric_limits<int>::max();
  if (largest > 1000 ||
      (largest > 0 && std::accumulate(minors_.begin(), minors_.end(), std::int64_t{0}) > most / exponent_))
    throw LimitError(
        "primary_decomposition: minors have at most 1000 rows here, and sizes times the power add up to at "
        "most "
        "2147483647; choose smaller ones");
  std::vector<int> bounds(static_cast<std::size_t>(largest) + 1);
  for (int j = 1; j <= largest; ++j) bounds[j] = static_cast<int>(bound(j));
  std::vector<SymbolicPower> result;
  for (int j = 1; j <= largest; ++j)
    if (!implied(j, bounds, rows)) result.push_back({j, bounds[j]});
  return result;
}

}  // namespace intertwine
