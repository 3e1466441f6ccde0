// Matrices modulo a prime.
#include "intertwine/exact/modular_matrix.hpp"

#include <flint/nmod_mat.h>
#include <flint/nmod_poly.h>
#include <flint/ulong_extras.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>
#include <numeric>
#include <utility>

#include "exact/double_elimination.hpp"
#include "exact/flint_matrix.hpp"
#include "exact/row_reduction.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

namespace {

constexpr std::size_t max_residues = std::size_t{1} << 40;

std::string shape(const ModularMatrix& A) { return fmt::format("{} x {}", A.rows(), A.cols()); }

void require_same(const ModularMatrix& A, const ModularMatrix& B, const char* what) {
  if (A.prime() != B.prime())
    throw DomainError(fmt::format("{} of a matrix modulo {} and one modulo {}", what, A.prime(), B.prime()));
}

void require_same_shape(const ModularMatrix& A, const ModularMatrix& B, const char* what) {
  require_same(A, B, what);
  if (A.rows() != B.rows() || A.cols() != B.cols())
    throw DomainError(fmt::format("{} of a {} and a {} matrix", what, shape(A), shape(B)));
}

void require_square(const ModularMatrix& A, const char* what) {
  if (A.rows() != A.cols()) throw DomainError(fmt::format("{} of a {} matrix", what, shape(A)));
}

bool is_empty(const ModularMatrix& A) { return A.rows() == 0 || A.cols() == 0; }

/// Rows and columns of a matrix that is, up to their order, a direct sum.
struct Block {
  std::vector<std::size_t> rows, cols;
};

/// Below this, looking for zeros costs as much as what they would save.
bool is_small(const ModularMatrix& A) { return std::min(A.rows(), A.cols()) < 32; }

/// The connected components of rows and columns joined by nonzero entries, without rows and columns of zeros; where there is one with all
/// columns, no block at all is written down. O(entries).
std::optional<std::vector<Block>> direct_summands(const ModularMatrix& A) {
  if (is_small(A)) return std::nullopt;
  const std::size_t m = A.rows(), n = A.cols();
  std::vector<std::size_t> parent(n), first(m, n);  // of columns; the first nonzero entry of a row
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](std::size_t j) {
    while (parent[j] != j) j = parent[j] = parent[parent[j]];
    return j;
  };
  std::size_t joined = 0;
  std::vector<std::uint8_t> is_used(n);
  for (std::size_t i = 0; i < m && joined + 1 < n; ++i) {
    const auto row = A.row(i);
    for (std::size_t j = 0; j < n; ++j) {
      if (row[j] == 0) continue;
      is_used[j] = 1;
      if (first[i] == n) first[i] = j;
      const std::size_t a = root(first[i]), b = root(j);
      if (a != b) ++joined;
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  if (joined + 1 == n) return std::nullopt;
  std::vector<Block> blocks;
  std::vector<std::size_t> number(n, n);  // of the block of a root
  for (std::size_t j = 0; j < n; ++j) {
    if (is_used[j] == 0) continue;
    std::size_t& at = number[root(j)];
    if (at == n) {
      at = blocks.size();
      blocks.emplace_back();
    }
    blocks[at].cols.push_back(j);
  }
  for (std::size_t i = 0; i < m; ++i)
    if (first[i] != n) blocks[number[root(first[i])]].rows.push_back(i);
  return blocks;
}

/// The reduced echelon form of one block, without zero rows.
ModularMatrix echelon_of(const ModularMatrix& A, std::vector<std::size_t>& pivots, const Task& task) {
  if (!pays_in_doubles(A) && A.rows() * std::min(A.rows(), A.cols()) * A.cols() <= flint_at_once) {
    ModularMatrix reduced = A;
    const auto rank = static_cast<std::size_t>(nmod_mat_rref(reduced.flint().m));
    for (std::size_t i = 0, j = 0; i < rank; ++i, ++j) {
      while (reduced(i, j) == 0) ++j;
      pivots.push_back(j);
    }
    return rank == A.rows() ? reduced : reduced.block(0, 0, rank, A.cols());
  }
  std::optional<ModularMatrix> X;
  pivots = rank_profile(A, &X, task).cols;
  const std::vector<std::size_t> free = complement_of(pivots, A.cols());
  ModularMatrix reduced(A.prime(), pivots.size(), A.cols());
  for (std::size_t i = 0; i < pivots.size(); ++i) {
    reduced.set(i, pivots[i], 1);
    for (std::size_t j = 0; j < free.size(); ++j) reduced.set(i, free[j], (*X)(i, j));
  }
  return reduced;
}

/// A B for an A with few entries that are not 0.
ModularMatrix product_of_sparse(const ModularMatrix& A, const ModularMatrix& B) {
  ModularMatrix result(A.prime(), A.rows(), B.cols());
  for (std::size_t i = 0; i < A.rows(); ++i) {
    const auto row = A.row(i);
    for (std::size_t k = 0; k < row.size(); ++k)
      if (row[k] != 0)
        _nmod_vec_scalar_addmul_nmod(result.row(i).data(), B.row(k).data(), static_cast<slong>(B.cols()), row[k],
                                     A.flint().m->mod);
  }
  return result;
}

/// Are less than an eighth of the entries not 0, and does that pay for products with so many rows or columns?
bool is_sparse(const ModularMatrix& A, std::size_t others) {
  if (is_small(A) || others < 16) return false;
  std::size_t left = A.rows() * A.cols() / 8;
  for (std::size_t i = 0; i < A.rows(); ++i) {
    const auto used = static_cast<std::size_t>(A.cols() - std::ranges::count(A.row(i), std::uint64_t{0}));
    if (used >= left) return false;
    left -= used;
  }
  return true;
}

/// A polynomial of FLINT as a vector.
template <class Compute>
std::vector<std::uint64_t> coefficients(std::uint64_t p, const Compute& compute) {
  nmod_poly_t f;
  nmod_poly_init(f, p);
  compute(f);
  std::vector<std::uint64_t> result(static_cast<std::size_t>(nmod_poly_length(f)));
  for (std::size_t k = 0; k < result.size(); ++k) result[k] = nmod_poly_get_coeff_ui(f, static_cast<slong>(k));
  nmod_poly_clear(f);
  return result;
}

}  // namespace

std::uint64_t word_prime(std::size_t k) {
  if (k >= 1'000'000) throw DomainError(fmt::format("word_prime: number {} of 10^6 primes", k));
  static std::mutex mutex;
  static std::vector<std::uint64_t> primes;
  const std::scoped_lock lock(mutex);
  // Products of residues below 2^59 can be summed 1024 at a time in two words: the size FLINT likes best.
  std::uint64_t p = primes.empty() ? (std::uint64_t{1} << 59) + 1 : primes.back();
  while (primes.size() <= k) {
    do p -= 2;
    while (!is_prime(p));
    primes.push_back(p);
  }
  return primes[k];
}

ModularMatrix::ModularMatrix(std::uint64_t p, std::size_t rows, std::size_t cols) {
  if (p < 2 || p >= (std::uint64_t{1} << 63)) throw DomainError(fmt::format("ModularMatrix: the modulus {}", p));
  if (rows > max_residues || cols > max_residues || (rows != 0 && cols > max_residues / rows))
    throw LimitError(fmt::format("ModularMatrix: {} x {} entries exceed the limit of 2^40", rows, cols));
  data_ = std::make_unique<FlintModularMatrix>(p, rows, cols);
}

ModularMatrix ModularMatrix::identity(std::uint64_t p, std::size_t n) {
  ModularMatrix result(p, n, n);
  for (std::size_t i = 0; i < n; ++i) result.set(i, i, 1);
  return result;
}

ModularMatrix::ModularMatrix(std::uint64_t p, const IntegerMatrix& A) : ModularMatrix(p, A.rows(), A.cols()) {
  fmpz_mat_get_nmod_mat(data_->m, A.flint().m);
}

std::optional<ModularMatrix> ModularMatrix::reduce(std::uint64_t p, const RationalMatrix& A) {
  ModularMatrix result(p, A.numerator());
  if (A.denominator() == 1) return result;
  const std::uint64_t d = static_cast<std::uint64_t>(Integer(A.denominator() % p));
  if (d == 0) return std::nullopt;
  return n_invmod(d, p) * result;
}

ModularMatrix ModularMatrix::random(std::uint64_t p, std::size_t rows, std::size_t cols, Rng& rng) {
  ModularMatrix result(p, rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::uint64_t& entry : result.row(i)) entry = rng.below(p);
  return result;
}

ModularMatrix::ModularMatrix(const ModularMatrix& other) : data_(std::make_unique<FlintModularMatrix>(*other.data_)) {}
ModularMatrix::ModularMatrix(ModularMatrix&&) noexcept = default;
ModularMatrix& ModularMatrix::operator=(ModularMatrix other) noexcept {
  data_.swap(other.data_);
  return *this;
}
ModularMatrix::~ModularMatrix() = default;

std::uint64_t ModularMatrix::prime() const { return data_->m->mod.n; }
std::size_t ModularMatrix::rows() const { return static_cast<std::size_t>(nmod_mat_nrows(data_->m)); }
std::size_t ModularMatrix::cols() const { return static_cast<std::size_t>(nmod_mat_ncols(data_->m)); }

std::uint64_t ModularMatrix::operator()(std::size_t i, std::size_t j) const {
  return nmod_mat_entry(data_->m, static_cast<slong>(i), static_cast<slong>(j));
}
void ModularMatrix::set(std::size_t i, std::size_t j, std::uint64_t value) {
  nmod_mat_entry(data_->m, static_cast<slong>(i), static_cast<slong>(j)) = value;
}
std::span<const std::uint64_t> ModularMatrix::row(std::size_t i) const {
  if (cols() == 0) return {};
  return {&nmod_mat_entry(data_->m, static_cast<slong>(i), 0), cols()};
}
std::span<std::uint64_t> ModularMatrix::row(std::size_t i) {
  if (cols() == 0) return {};
  return {&nmod_mat_entry(data_->m, static_cast<slong>(i), 0), cols()};
}

ModularMatrix ModularMatrix::transpose() const {
  ModularMatrix result(prime(), cols(), rows());
  if (!is_empty(*this)) nmod_mat_transpose(result.data_->m, data_->m);
  return result;
}

ModularMatrix ModularMatrix::select_rows(std::span<const std::size_t> chosen) const {
  ModularMatrix result(prime(), chosen.size(), cols());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i] >= rows()) throw DomainError(fmt::format("ModularMatrix: row {} of {} (0-based)", chosen[i], rows()));
    std::ranges::copy(row(chosen[i]), result.row(i).begin());
  }
  return result;
}

ModularMatrix ModularMatrix::select_cols(std::span<const std::size_t> chosen) const {
  for (const std::size_t j : chosen)
    if (j >= cols()) throw DomainError(fmt::format("ModularMatrix: column {} of {} (0-based)", j, cols()));
  ModularMatrix result(prime(), rows(), chosen.size());
  for (std::size_t i = 0; i < rows(); ++i) {
    const auto from = row(i);
    const auto to = result.row(i);
    for (std::size_t j = 0; j < chosen.size(); ++j) to[j] = from[chosen[j]];
  }
  return result;
}

ModularMatrix ModularMatrix::block(std::size_t i, std::size_t j, std::size_t height, std::size_t width) const {
  if (i > rows() || height > rows() - i || j > cols() || width > cols() - j)
    throw DomainError(
        fmt::format("ModularMatrix: a {} x {} block at ({}, {}) of a {} matrix", height, width, i, j, shape(*this)));
  ModularMatrix result(prime(), height, width);
  for (std::size_t r = 0; r < height; ++r) std::ranges::copy(row(i + r).subspan(j, width), result.row(r).begin());
  return result;
}

std::size_t ModularMatrix::rank(const Task& task) const { return rank_profile(*this, nullptr, task).cols.size(); }

ModularMatrix ModularMatrix::echelon(std::vector<std::size_t>* pivots, const Task& task) const {
  if (pivots != nullptr) pivots->clear();
  if (is_empty(*this)) return {prime(), 0, cols()};
  const std::optional<std::vector<Block>> blocks = direct_summands(*this);
  std::vector<std::size_t> own;
  if (!blocks) {
    ModularMatrix reduced = echelon_of(*this, own, task);
    if (pivots != nullptr) *pivots = std::move(own);
    return reduced;
  }
  // The form is unique, so it is that of the blocks, their rows in the order of the pivots.
  std::vector<ModularMatrix> parts;
  std::vector<std::array<std::size_t, 3>> order;  // pivot, block, row
  for (std::size_t b = 0; b < blocks->size(); ++b) {
    const auto& [rows_of_block, cols_of_block] = (*blocks)[b];
    own.clear();
    parts.push_back(echelon_of(select_rows(rows_of_block).select_cols(cols_of_block), own, task));
    for (std::size_t i = 0; i < own.size(); ++i) order.push_back({cols_of_block[own[i]], b, i});
  }
  std::ranges::sort(order);
  ModularMatrix reduced(prime(), order.size(), cols());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& [pivot, b, row] = order[i];
    if (pivots != nullptr) pivots->push_back(pivot);
    const std::vector<std::size_t>& places = (*blocks)[b].cols;
    for (std::size_t j = 0; j < places.size(); ++j) reduced.set(i, places[j], parts[b](row, j));
  }
  return reduced;
}

ModularMatrix ModularMatrix::kernel(const Task& task) const {
  std::vector<std::size_t> pivots;
  const ModularMatrix R = echelon(&pivots, task);
  ModularMatrix result(prime(), cols() - pivots.size(), cols());
  std::size_t next = 0, at = 0;
  for (std::size_t f = 0; f < cols(); ++f) {
    if (next < pivots.size() && pivots[next] == f) {
      ++next;
      continue;
    }
    result.set(at, f, 1);
    for (std::size_t i = 0; i < next; ++i)
      if (const std::uint64_t entry = R(i, f); entry != 0) result.set(at, pivots[i], prime() - entry);
    ++at;
  }
  return result;
}

std::optional<ModularMatrix> ModularMatrix::inverse(const Task& task) const {
  require_square(*this, "inverse");
  const std::size_t n = rows();
  if (n < 32 || (!pays_in_doubles(*this) && n * n * n <= flint_at_once && !direct_summands(*this))) {
    ModularMatrix result(prime(), rows(), rows());
    if (rows() != 0 && nmod_mat_inv(result.data_->m, data_->m) == 0) return std::nullopt;
    return result;
  }
  task.require_memory(std::uint64_t{8} * 6 * n * n, "the inverse of a matrix modulo a prime");
  const ModularMatrix parts[] = {*this, identity(prime(), n)};
  std::vector<std::size_t> pivots;
  const ModularMatrix R = horizontal_stack(parts).echelon(&pivots, task);
  if (pivots.back() >= cols()) return std::nullopt;
  return R.block(0, cols(), rows(), rows());
}

std::optional<ModularMatrix> ModularMatrix::solve(const ModularMatrix& B) const {
  require_same(*this, B, "solve");
  if (rows() != B.rows())
    throw DomainError(fmt::format("solve: {} equations with right sides of height {}", rows(), B.rows()));
  ModularMatrix result(prime(), cols(), B.cols());
  if (rows() == cols() && !is_empty(*this) && !is_empty(B) &&
      nmod_mat_solve(result.data_->m, data_->m, B.data_->m) != 0)
    return result;
  const ModularMatrix parts[] = {*this, B};
  std::vector<std::size_t> pivots;
  const ModularMatrix R = horizontal_stack(parts).echelon(&pivots);
  if (!pivots.empty() && pivots.back() >= cols()) return std::nullopt;
  for (std::size_t i = 0; i < pivots.size(); ++i)
    std::ranges::copy(R.row(i).subspan(cols()), result.row(pivots[i]).begin());
  return result;
}

std::vector<std::uint64_t> ModularMatrix::characteristic_polynomial() const {
  require_square(*this, "characteristic_polynomial");
  if (rows() == 0) return {1};
  return coefficients(prime(), [&](nmod_poly_t f) { nmod_mat_charpoly(f, data_->m); });
}

std::vector<std::uint64_t> ModularMatrix::minimal_polynomial() const {
  require_square(*this, "minimal_polynomial");
  if (rows() == 0) return {1};
  return coefficients(prime(), [&](nmod_poly_t f) { nmod_mat_minpoly(f, data_->m); });
}

bool ModularMatrix::has_order_dividing(const Integer& k) const {
  require_square(*this, "has_order_dividing");
  if (rows() == 0) return true;
  const auto power = coefficients(prime(), [&](nmod_poly_t result) {
    FlintInteger exponent(k);  // not const, for FLINT asks for that
    nmod_poly_t x, f;
    nmod_poly_init(x, prime());
    nmod_poly_init(f, prime());
    nmod_poly_set_coeff_ui(x, 1, 1);
    nmod_mat_minpoly(f, data_->m);
    nmod_poly_rem(x, x, f);
    nmod_poly_powmod_fmpz_binexp(result, x, exponent, f);
    nmod_poly_clear(f);
    nmod_poly_clear(x);
  });
  return power == std::vector<std::uint64_t>{1};
}

ModularMatrix operator*(const ModularMatrix& A, const ModularMatrix& B) {
  require_same(A, B, "product");
  if (A.cols() != B.rows()) throw DomainError(fmt::format("product of a {} and a {} matrix", shape(A), shape(B)));
  if (pays_in_doubles(A.prime(), A.rows(), A.cols(), B.cols())) return product_in_doubles(A, B);
  if (is_sparse(A, B.cols())) return product_of_sparse(A, B);
  if (is_sparse(B, A.rows())) return product_of_sparse(B.transpose(), A.transpose()).transpose();
  ModularMatrix result(A.prime(), A.rows(), B.cols());
  if (!is_empty(A) && !is_empty(B)) nmod_mat_mul(result.data_->m, A.data_->m, B.data_->m);
  return result;
}

ModularMatrix operator+(const ModularMatrix& A, const ModularMatrix& B) {
  require_same_shape(A, B, "sum");
  ModularMatrix result(A.prime(), A.rows(), A.cols());
  if (!is_empty(A)) nmod_mat_add(result.data_->m, A.data_->m, B.data_->m);
  return result;
}

ModularMatrix operator-(const ModularMatrix& A, const ModularMatrix& B) {
  require_same_shape(A, B, "difference");
  ModularMatrix result(A.prime(), A.rows(), A.cols());
  if (!is_empty(A)) nmod_mat_sub(result.data_->m, A.data_->m, B.data_->m);
  return result;
}

ModularMatrix operator*(std::uint64_t c, const ModularMatrix& A) {
  ModularMatrix result(A.prime(), A.rows(), A.cols());
  if (!is_empty(A)) nmod_mat_scalar_mul(result.data_->m, A.data_->m, c % A.prime());
  return result;
}

bool operator==(const ModularMatrix& A, const ModularMatrix& B) {
  return A.prime() == B.prime() && A.rows() == B.rows() && A.cols() == B.cols() &&
         (is_empty(A) || nmod_mat_equal(A.data_->m, B.data_->m) != 0);
}

ModularMatrix vertical_stack(std::span<const ModularMatrix> parts) {
  if (parts.empty()) throw DomainError("vertical_stack: no matrix, hence no modulus");
  std::size_t rows = 0;
  for (const ModularMatrix& part : parts) {
    require_same(parts[0], part, "vertical_stack");
    if (part.cols() != parts[0].cols())
      throw DomainError(fmt::format("vertical_stack: widths {} and {}", parts[0].cols(), part.cols()));
    rows += part.rows();
  }
  ModularMatrix result(parts[0].prime(), rows, parts[0].cols());
  std::size_t at = 0;
  for (const ModularMatrix& part : parts)
    for (std::size_t i = 0; i < part.rows(); ++i) std::ranges::copy(part.row(i), result.row(at++).begin());
  return result;
}

ModularMatrix horizontal_stack(std::span<const ModularMatrix> parts) {
  if (parts.empty()) throw DomainError("horizontal_stack: no matrix, hence no modulus");
  std::size_t cols = 0;
  for (const ModularMatrix& part : parts) {
    require_same(parts[0], part, "horizontal_stack");
    if (part.rows() != parts[0].rows())
      throw DomainError(fmt::format("horizontal_stack: heights {} and {}", parts[0].rows(), part.rows()));
    cols += part.cols();
  }
  ModularMatrix result(parts[0].prime(), parts[0].rows(), cols);
  std::size_t at = 0;
  for (const ModularMatrix& part : parts) {
    for (std::size_t i = 0; i < part.rows(); ++i) std::ranges::copy(part.row(i), result.row(i).subspan(at).begin());
    at += part.cols();
  }
  return result;
}

}  // namespace intertwine
