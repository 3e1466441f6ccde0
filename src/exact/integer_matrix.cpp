// Matrices of integers over FLINT.
#include <flint/fmpz.h>
#include <flint/fmpz_mat.h>
#include <flint/fmpz_vec.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>
#include <vector>

#include "exact/double_product.hpp"
#include "exact/flint_matrix.hpp"
#include "exact/stacking.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/matrix.hpp"
#include "workers.hpp"

namespace intertwine {

namespace {

/// FLINT has a store of integers for every thread, which is lost with the thread unless it is given back.
[[maybe_unused]] const bool stores_are_given_back = (Workers::set_farewell(flint_cleanup), true);

constexpr std::size_t max_entries = std::size_t{1} << 40;

std::string shape(const IntegerMatrix& A) { return fmt::format("{} x {}", A.rows(), A.cols()); }

void require_shape(std::size_t rows, std::size_t cols) {
  const bool overflow = rows != 0 && cols > max_entries / rows;
  if (overflow || rows > max_entries || cols > max_entries)
    throw LimitError(fmt::format("IntegerMatrix: {} x {} entries exceed the limit of 2^40", rows, cols));
  // FLINT ends the program when memory runs out; what cannot be had at all is found out before it asks.
  constexpr std::size_t large = std::size_t{1} << 27;
  if (rows * cols < large) return;
  void* const probe = std::malloc(rows * cols * sizeof(fmpz));
  std::free(probe);
  if (probe == nullptr) throw LimitError(fmt::format("IntegerMatrix: no memory for {} x {} entries", rows, cols));
}

void require_entry(const IntegerMatrix& A, std::size_t i, std::size_t j) {
  if (i >= A.rows() || j >= A.cols())
    throw DomainError(fmt::format("IntegerMatrix: entry ({}, {}) is outside a {} matrix (0-based)", i, j, shape(A)));
}

void require_same_shape(const IntegerMatrix& A, const IntegerMatrix& B, const char* what) {
  if (A.rows() != B.rows() || A.cols() != B.cols())
    throw DomainError(fmt::format("{} of a {} and a {} matrix", what, shape(A), shape(B)));
}

}  // namespace

IntegerMatrix::IntegerMatrix() : IntegerMatrix(0, 0) {}

IntegerMatrix::IntegerMatrix(std::size_t rows, std::size_t cols) {
  require_shape(rows, cols);
  data_ = std::make_unique<FlintMatrix>(rows, cols);
}

IntegerMatrix::IntegerMatrix(std::size_t rows, std::size_t cols, std::span<const Integer> entries)
    : IntegerMatrix(rows, cols) {
  if (entries.size() != rows * cols)
    throw DomainError(fmt::format("IntegerMatrix: {} entries for a {} x {} matrix", entries.size(), rows, cols));
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) fmpz_set_mpz(data_->entry(i, j), entries[i * cols + j].backend().data());
}

IntegerMatrix::IntegerMatrix(std::initializer_list<std::initializer_list<long>> rows)
    : IntegerMatrix(rows.size(), rows.size() == 0 ? 0 : rows.begin()->size()) {
  std::size_t i = 0;
  for (const auto& row : rows) {
    if (row.size() != cols())
      throw DomainError(fmt::format("IntegerMatrix: row {} has {} entries, the first one {}", i, row.size(), cols()));
    std::size_t j = 0;
    for (const long value : row) fmpz_set_si(data_->entry(i, j++), value);
    ++i;
  }
}

IntegerMatrix IntegerMatrix::identity(std::size_t n) {
  IntegerMatrix result(n, n);
  fmpz_mat_one(result.data_->m);
  return result;
}

IntegerMatrix::IntegerMatrix(const IntegerMatrix& other) : data_(std::make_unique<FlintMatrix>(*other.data_)) {}
IntegerMatrix::IntegerMatrix(IntegerMatrix&&) noexcept = default;
IntegerMatrix& IntegerMatrix::operator=(IntegerMatrix other) noexcept {
  data_.swap(other.data_);
  return *this;
}
IntegerMatrix::~IntegerMatrix() = default;

std::size_t IntegerMatrix::rows() const { return data_->rows(); }
std::size_t IntegerMatrix::cols() const { return data_->cols(); }

Integer IntegerMatrix::operator()(std::size_t i, std::size_t j) const {
  require_entry(*this, i, j);
  return integer_from(data_->entry(i, j));
}

int IntegerMatrix::sign(std::size_t i, std::size_t j) const {
  require_entry(*this, i, j);
  return fmpz_sgn(data_->entry(i, j));
}

void IntegerMatrix::set(std::size_t i, std::size_t j, const Integer& value) {
  require_entry(*this, i, j);
  fmpz_set_mpz(data_->entry(i, j), value.backend().data());
}

void IntegerMatrix::set(std::size_t i, std::size_t j, long value) {
  require_entry(*this, i, j);
  fmpz_set_si(data_->entry(i, j), value);
}

IntegerMatrix IntegerMatrix::transpose() const {
  IntegerMatrix result(cols(), rows());
  constexpr std::size_t side = 32;  // of squares that stay in the cache
  for (std::size_t top = 0; top < rows(); top += side)
    for (std::size_t left = 0; left < cols(); left += side)
      for (std::size_t i = top; i < std::min(top + side, rows()); ++i)
        for (std::size_t j = left; j < std::min(left + side, cols()); ++j)
          copy_fresh(result.data_->entry(j, i), data_->entry(i, j));
  return result;
}

IntegerMatrix IntegerMatrix::select_rows(std::span<const std::size_t> chosen) const {
  IntegerMatrix result(chosen.size(), cols());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i] >= rows()) throw DomainError(fmt::format("IntegerMatrix: row {} of {} (0-based)", chosen[i], rows()));
    for (std::size_t j = 0; j < cols(); ++j) copy_fresh(result.data_->entry(i, j), data_->entry(chosen[i], j));
  }
  return result;
}

IntegerMatrix IntegerMatrix::select_cols(std::span<const std::size_t> chosen) const {
  for (const std::size_t j : chosen)
    if (j >= cols()) throw DomainError(fmt::format("IntegerMatrix: column {} of {} (0-based)", j, cols()));
  IntegerMatrix result(rows(), chosen.size());
  for (std::size_t i = 0; i < rows(); ++i)
    for (std::size_t j = 0; j < chosen.size(); ++j) copy_fresh(result.data_->entry(i, j), data_->entry(i, chosen[j]));
  return result;
}

IntegerMatrix IntegerMatrix::block(std::size_t i, std::size_t j, std::size_t height, std::size_t width) const {
  if (i > rows() || height > rows() - i || j > cols() || width > cols() - j)
    throw DomainError(
        fmt::format("IntegerMatrix: a {} x {} block at ({}, {}) of a {} matrix", height, width, i, j, shape(*this)));
  IntegerMatrix result(height, width);
  for (std::size_t r = 0; r < height; ++r)
    for (std::size_t c = 0; c < width; ++c) copy_fresh(result.data_->entry(r, c), data_->entry(i + r, j + c));
  return result;
}

IntegerMatrix IntegerMatrix::reshape(std::size_t new_rows, std::size_t new_cols) const {
  IntegerMatrix result(new_rows, new_cols);
  if (new_rows * new_cols != rows() * cols())
    throw DomainError(fmt::format("IntegerMatrix: a {} matrix does not fit {} x {}", shape(*this), new_rows, new_cols));
  std::size_t i = 0, j = 0;
  const std::size_t width = cols();
  for (std::size_t k = 0; k < new_rows; ++k)
    for (std::size_t l = 0; l < new_cols; ++l) {
      copy_fresh(result.data_->entry(k, l), data_->entry(i, j));
      if (++j == width) ++i, j = 0;
    }
  return result;
}

bool IntegerMatrix::is_zero() const { return fmpz_mat_is_zero(data_->m) != 0; }

Integer IntegerMatrix::height() const {
  const fmpz* best = nullptr;
  for (std::size_t i = 0; i < rows(); ++i)
    for (std::size_t j = 0; j < cols(); ++j)
      if (best == nullptr || fmpz_cmpabs(data_->entry(i, j), best) > 0) best = data_->entry(i, j);
  return best == nullptr ? Integer(0) : Integer(abs(integer_from(best)));
}

std::size_t IntegerMatrix::nonzeros() const {
  std::size_t count = 0;
  const std::size_t width = cols();
  for (std::size_t i = 0; i < rows() && width != 0; ++i) {
    const fmpz* row = data_->entry(i, 0);
    for (std::size_t j = 0; j < width; ++j) count += row[j] == 0 ? 0 : 1;
  }
  return count;
}

Integer IntegerMatrix::content() const {
  FlintInteger gcd;
  for (std::size_t i = 0; i < rows() && !fmpz_is_one(gcd); ++i)
    for (std::size_t j = 0; j < cols() && !fmpz_is_one(gcd); ++j)
      if (!fmpz_is_zero(data_->entry(i, j))) fmpz_gcd(gcd, gcd, data_->entry(i, j));
  return integer_from(gcd);
}

Integer IntegerMatrix::trace() const {
  if (rows() != cols()) throw DomainError(fmt::format("trace of a {} matrix", shape(*this)));
  FlintInteger sum;
  for (std::size_t i = 0; i < rows(); ++i) fmpz_add(sum, sum, data_->entry(i, i));
  return integer_from(sum);
}

std::string IntegerMatrix::to_string() const { return matrix_text(*this); }

namespace {

/// C += A B, row by row over the entries of A that are not 0.
void add_sparse_product(fmpz_mat_t C, const fmpz_mat_t A, const fmpz_mat_t B) {
  for (slong i = 0; i < fmpz_mat_nrows(A); ++i)
    for (slong k = 0; k < fmpz_mat_ncols(A); ++k) {
      const fmpz* a = fmpz_mat_entry(A, i, k);
      if (fmpz_is_zero(a)) continue;
      _fmpz_vec_scalar_addmul_fmpz(fmpz_mat_entry(C, i, 0), fmpz_mat_entry(B, k, 0), fmpz_mat_ncols(B), a);
    }
}

std::size_t bits_of(const IntegerMatrix& A) {
  return static_cast<std::size_t>(std::abs(fmpz_mat_max_bits(A.flint().m)));
}

/// The bits of the lower half of the factor with larger numbers, where the products of its halves with the other one fit doubles and are
/// together faster than FLINT's product; otherwise 0.
unsigned bits_of_half(const IntegerMatrix& A, const IntegerMatrix& B) {
  constexpr std::size_t least_side = 384;
  if (std::min({A.rows(), A.cols(), B.cols()}) < least_side) return 0;
  const auto [few, many] = std::minmax({bits_of(A), bits_of(B)});  // values, not references
  const std::size_t half = (many + 1) / 2;
  const std::size_t sums = half + few + static_cast<std::size_t>(std::bit_width(A.cols()));
  return sums < double_bits ? static_cast<unsigned>(half) : 0;
}

/// Is the product large, and are all sums in it below 2^53?
bool fits_doubles(const IntegerMatrix& A, const IntegerMatrix& B) {
  const std::size_t m = A.rows(), k = A.cols(), n = B.cols();
  if (std::min({m, k, n}) < 8 || m * k * n < 30'000) return false;
  return bits_of(A) + bits_of(B) + static_cast<std::size_t>(std::bit_width(k)) < double_bits;
}

void write_doubles(const FlintMatrix& A, std::size_t i, std::size_t j, std::size_t rows, std::size_t cols,
                   std::vector<double>& to) {
  to.resize(rows * cols);
  for (std::size_t r = 0; r < rows; ++r)
    std::copy_n(A.entry(i + r, j), cols, to.begin() + static_cast<std::ptrdiff_t>(r * cols));
}

/// A B, block by block, so that doubles take little memory beside the matrices. Small integers are words in FLINT.
void write_product_in_doubles(FlintMatrix& C, const FlintMatrix& A, const FlintMatrix& B) {
  constexpr std::size_t side = 512, depth = 2048;
  std::vector<double> left, right, sums;
  for (std::size_t j = 0; j < C.cols(); j += side)
    for (std::size_t i = 0; i < C.rows(); i += side) {
      const std::size_t height = std::min(side, C.rows() - i), width = std::min(side, C.cols() - j);
      sums.assign(height * width, 0);
      for (std::size_t l = 0; l < A.cols(); l += depth) {
        const std::size_t steps = std::min(depth, A.cols() - l);
        write_doubles(A, i, l, height, steps, left);
        write_doubles(B, l, j, steps, width, right);
        add_double_product(height, width, steps, left.data(), steps, right.data(), width, sums.data(), width);
      }
      for (std::size_t r = 0; r < height; ++r)
        for (std::size_t c = 0; c < width; ++c) *C.entry(i + r, j + c) = static_cast<slong>(sums[r * width + c]);
    }
}

/// A B as low B + 2^bits high B, if the numbers of A are larger, otherwise with halves of B.
IntegerMatrix product_by_halves(const IntegerMatrix& A, const IntegerMatrix& B, unsigned bits) {
  if (bits_of(A) < bits_of(B)) return product_by_halves(B.transpose(), A.transpose(), bits).transpose();
  IntegerMatrix low(A.rows(), A.cols()), high(A.rows(), A.cols());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) {
      fmpz_tdiv_r_2exp(low.flint().entry(i, j), A.flint().entry(i, j), bits);
      fmpz_tdiv_q_2exp(high.flint().entry(i, j), A.flint().entry(i, j), bits);
    }
  IntegerMatrix result = high * B;
  fmpz_mat_scalar_mul_2exp(result.flint().m, result.flint().m, bits);
  return result + low * B;
}

}  // namespace

IntegerMatrix operator*(const IntegerMatrix& A, const IntegerMatrix& B) {
  if (A.cols() != B.rows()) throw DomainError(fmt::format("product of a {} and a {} matrix", shape(A), shape(B)));
  IntegerMatrix result(A.rows(), B.cols());
  if (A.cols() == 0) return result;
  // An entry of a sparse factor meets a row of the other one, at a few times the cost that a product has in FLINT.
  const bool doubles = fits_doubles(A, B);
  const std::size_t advantage = doubles ? 40 : 16, small = 4096;
  const std::size_t m = A.rows(), k = A.cols(), n = B.cols();
  if (m * k > small && A.nonzeros() < m * k / advantage)
    add_sparse_product(result.data_->m, A.data_->m, B.data_->m);
  else if (k * n > small && B.nonzeros() < k * n / advantage)
    return (B.transpose() * A.transpose()).transpose();
  else if (doubles)
    write_product_in_doubles(*result.data_, *A.data_, *B.data_);
  else if (const unsigned half = bits_of_half(A, B); half != 0)
    return product_by_halves(A, B, half);
  else
    fmpz_mat_mul(result.data_->m, A.data_->m, B.data_->m);
  return result;
}

IntegerMatrix operator+(const IntegerMatrix& A, const IntegerMatrix& B) {
  require_same_shape(A, B, "sum");
  IntegerMatrix result(A.rows(), A.cols());
  fmpz_mat_add(result.data_->m, A.data_->m, B.data_->m);
  return result;
}

IntegerMatrix operator-(const IntegerMatrix& A, const IntegerMatrix& B) {
  require_same_shape(A, B, "difference");
  IntegerMatrix result(A.rows(), A.cols());
  fmpz_mat_sub(result.data_->m, A.data_->m, B.data_->m);
  return result;
}

IntegerMatrix operator*(const Integer& c, const IntegerMatrix& A) {
  IntegerMatrix result(A.rows(), A.cols());
  const FlintInteger factor(c);
  fmpz_mat_scalar_mul_fmpz(result.data_->m, A.data_->m, factor);
  return result;
}

bool operator==(const IntegerMatrix& A, const IntegerMatrix& B) {
  return A.rows() == B.rows() && A.cols() == B.cols() && fmpz_mat_equal(A.data_->m, B.data_->m) != 0;
}

IntegerMatrix exact_quotient(const IntegerMatrix& A, const Integer& c) {
  if (c == 0) throw DomainError("exact_quotient: the divisor is 0");
  const FlintInteger divisor(c);
  IntegerMatrix result(A.rows(), A.cols());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) {
      const fmpz* entry = A.data_->entry(i, j);
      if (!fmpz_divisible(entry, divisor))
        throw DomainError(fmt::format("exact_quotient: entry ({}, {}) is no multiple of {}", i, j, to_string(c)));
      fmpz_divexact(result.data_->entry(i, j), entry, divisor);
    }
  return result;
}

IntegerMatrix stacked(Stacking way, std::span<const IntegerMatrix* const> parts) {
  if (parts.empty()) return {};
  const bool vertical = way == Stacking::vertical;
  std::size_t rows = vertical ? 0 : parts[0]->rows(), cols = vertical ? parts[0]->cols() : 0;
  for (const IntegerMatrix* part : parts) {
    if (vertical && part->cols() != cols)
      throw DomainError(fmt::format("vertical_stack: widths {} and {}", cols, part->cols()));
    if (!vertical && part->rows() != rows)
      throw DomainError(fmt::format("horizontal_stack: heights {} and {}", rows, part->rows()));
    (vertical ? rows : cols) += vertical ? part->rows() : part->cols();
  }
  IntegerMatrix result(rows, cols);
  std::size_t top = 0, left = 0;
  for (const IntegerMatrix* part : parts) {
    for (std::size_t i = 0; i < part->rows(); ++i)
      for (std::size_t j = 0; j < part->cols(); ++j)
        copy_fresh(result.flint().entry(top + i, left + j), part->flint().entry(i, j));
    (vertical ? top : left) += vertical ? part->rows() : part->cols();
  }
  return result;
}

IntegerMatrix vertical_stack(std::span<const IntegerMatrix> parts) {
  return stacked(Stacking::vertical, pointers_to(parts));
}

IntegerMatrix horizontal_stack(std::span<const IntegerMatrix> parts) {
  return stacked(Stacking::horizontal, pointers_to(parts));
}

IntegerMatrix kronecker_product(const IntegerMatrix& A, const IntegerMatrix& B) {
  const auto times = [](std::size_t a, std::size_t b) {
    if (a != 0 && b > max_entries / a)
      throw LimitError(fmt::format("kronecker_product: {} * {} rows or columns exceed the limit of 2^40", a, b));
    return a * b;
  };
  IntegerMatrix result(times(A.rows(), B.rows()), times(A.cols(), B.cols()));
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) {
      const fmpz* a = A.flint().entry(i, j);
      if (fmpz_is_zero(a)) continue;
      for (std::size_t k = 0; k < B.rows(); ++k)
        for (std::size_t l = 0; l < B.cols(); ++l)
          fmpz_mul(result.flint().entry(i * B.rows() + k, j * B.cols() + l), a, B.flint().entry(k, l));
    }
  return result;
}

}  // namespace intertwine
