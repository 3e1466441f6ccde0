// Matrices over abelian number fields.
#include "intertwine/exact/field_matrix.hpp"

#include <flint/fmpz.h>
#include <flint/nmod.h>
#include <flint/nmod_vec.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <utility>

#include "exact/double_product.hpp"
#include "exact/field_coordinates.hpp"
#include "exact/flint_matrix.hpp"
#include "exact/stacking.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

std::string shape(const FieldMatrix& A) { return fmt::format("{} x {}", A.rows(), A.cols()); }

/// A matrix of this shape over A's field whose entry (i, j) is that of A at source(i, j).
template <class Source>
FieldMatrix rearranged(const FieldMatrix& A, std::size_t rows, std::size_t cols, const Source& source) {
  const std::size_t m = A.field().degree();
  const FlintMatrix& from = A.coefficients().numerator().flint();
  IntegerMatrix result(rows, m * cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) {
      const auto [k, l] = source(i, j);
      for (std::size_t t = 0; t < m; ++t)
        copy_fresh(result.flint().entry(i, t * cols + j), from.entry(k, t * A.cols() + l));
    }
  return {A.field(), RationalMatrix(std::move(result), A.coefficients().denominator()), cols};
}

void require_inside(const FieldMatrix& A, std::span<const std::size_t> chosen, std::size_t bound, const char* what) {
  for (const std::size_t k : chosen)
    if (k >= bound) throw DomainError(fmt::format("FieldMatrix: {} {} of a {} matrix", what, k, shape(A)));
}

/// Both over the compositum of their fields.
class Common {
 public:
  Common(const FieldMatrix& A, const FieldMatrix& B) : field_(AbelianField::compositum(A.field(), B.field())) {
    if (A.field() != field_) a_ = A.over(field_);
    if (B.field() != field_) b_ = B.over(field_);
    left_ = a_ ? &*a_ : &A;
    right_ = b_ ? &*b_ : &B;
  }
  const AbelianField& field() const { return field_; }
  const FieldMatrix& left() const { return *left_; }
  const FieldMatrix& right() const { return *right_; }

 private:
  AbelianField field_;
  std::optional<FieldMatrix> a_, b_;
  const FieldMatrix *left_, *right_;
};

/// All over the compositum of their fields.
class OverCommonField {
 public:
  explicit OverCommonField(std::span<const FieldMatrix> parts) {
    for (const FieldMatrix& part : parts) field_ = AbelianField::compositum(field_, part.field());
    moved_.reserve(parts.size());
    for (const FieldMatrix& part : parts) {
      if (part.field() != field_) moved_.push_back(part.over(field_));
      parts_.push_back(part.field() == field_ ? &part : &moved_.back());
    }
  }
  const AbelianField& field() const { return field_; }
  const std::vector<const FieldMatrix*>& parts() const { return parts_; }

 private:
  AbelianField field_;
  std::vector<FieldMatrix> moved_;
  std::vector<const FieldMatrix*> parts_;
};

/// Polynomials in the generator of degree below 2m - 1, entry by entry, row by row in blocks of `width` columns: reduced
/// in place, so that the first m blocks are coordinates.
void reduce_powers(IntegerMatrix& D, const AbelianField& K, std::size_t width) {
  const std::vector<Integer>& f = K.minimal_polynomial();
  const std::size_t m = K.degree();
  std::vector<std::pair<std::size_t, FlintInteger>> relation;
  for (std::size_t v = 0; v < m; ++v)
    if (f[v] != 0) relation.emplace_back(v, FlintInteger(f[v]));
  for (std::size_t i = 0; i < D.rows(); ++i)
    for (std::size_t u = D.cols() / width; u-- > m;)
      for (std::size_t j = 0; j < width; ++j) {
        const fmpz* high = D.flint().entry(i, u * width + j);
        if (fmpz_is_zero(high)) continue;
        for (const auto& [v, c] : relation) fmpz_submul(D.flint().entry(i, (u - m + v) * width + j), high, c);
      }
}

/// Every entry, a polynomial of degree below m, at 2^bits.
IntegerMatrix packed(const IntegerMatrix& A, std::size_t m, slong bits) {
  const std::size_t cols = A.cols() / m;
  IntegerMatrix result(A.rows(), cols);
  FlintPolynomial entry;
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < cols; ++j) {
      fmpz_poly_zero(entry.f);
      for (std::size_t t = 0; t < m; ++t)
        fmpz_poly_set_coeff_fmpz(entry.f, static_cast<slong>(t), A.flint().entry(i, t * cols + j));
      fmpz_poly_bit_pack(result.flint().entry(i, j), entry.f, static_cast<flint_bitcnt_t>(bits));
    }
  return result;
}

/// The product of matrices of polynomials of degree below m, coefficient by coefficient in blocks of columns: as one
/// product of integers in which the coefficients do not meet (Kronecker's substitution). The cost of m^2 products of
/// matrices falls to that of one with entries 2m times as long, which fast multiplication makes several times less.
IntegerMatrix packed_product(const IntegerMatrix& A, const IntegerMatrix& B, std::size_t m) {
  const std::size_t inner = A.cols() / m, cols = B.cols() / m;
  const slong bits = std::abs(fmpz_mat_max_bits(A.flint().m)) + std::abs(fmpz_mat_max_bits(B.flint().m)) +
                     static_cast<slong>(std::bit_width(inner * m)) + 2;  // a sign, and a carry from below
  const IntegerMatrix P = packed(A, m, bits) * packed(B, m, bits);
  IntegerMatrix D(A.rows(), (2 * m - 1) * cols);
  FlintPolynomial entry;
  for (std::size_t i = 0; i < P.rows(); ++i)
    for (std::size_t j = 0; j < cols; ++j) {
      fmpz_poly_bit_unpack(entry.f, P.flint().entry(i, j), static_cast<flint_bitcnt_t>(bits));
      for (slong t = 0; t < fmpz_poly_length(entry.f); ++t)
        fmpz_poly_get_coeff_fmpz(D.flint().entry(i, static_cast<std::size_t>(t) * cols + j), entry.f, t);
    }
  return D;
}

/// Measured on dense factors: below these sizes the products of coefficients cost less than the packing; where they fit doubles they cost half to an
/// eighth of it for m < 10, and for m = 2 they cost less as long as coefficients are words.
bool packing_pays(const IntegerMatrix& A, const IntegerMatrix& B, std::size_t m) {
  const std::size_t inner = A.cols() / m;
  if (m >= 10) return true;
  if (m * inner < 250) return false;
  const auto bits = [](const IntegerMatrix& M) {
    return static_cast<std::size_t>(std::abs(fmpz_mat_max_bits(M.flint().m)));
  };
  const std::size_t left = bits(A), right = bits(B);
  const bool in_doubles = left + right + static_cast<std::size_t>(std::bit_width(inner)) < double_bits;
  return !in_doubles && (m > 2 || std::max(left, right) > 62);
}

/// The product of field matrices by the m^2 products of their coefficients, taken together.
IntegerMatrix coefficientwise_product(const IntegerMatrix& A, const IntegerMatrix& B, std::size_t m) {
  const std::size_t rows = A.rows(), cols = B.cols() / m;
  const IntegerMatrix P = A.reshape(rows * m, A.cols() / m) * B;
  IntegerMatrix D(rows, (2 * m - 1) * cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t s = 0; s < m; ++s)
      for (std::size_t j = 0; j < m * cols; ++j) {
        fmpz* sum = D.flint().entry(i, s * cols + j);
        fmpz_add(sum, sum, P.flint().entry(i * m + s, j));
      }
  return D;
}

/// The coefficients over K of the matrix whose entry k, in the order of rows, is entry(k).
template <class Entry>
RationalMatrix coefficients_of(const AbelianField& K, std::size_t rows, std::size_t cols, Entry entry) {
  const std::size_t m = K.degree();
  std::vector<Rational> flat(rows * cols * m);
  for (std::size_t k = 0; k < rows * cols; ++k) {
    std::vector<Rational> at = K.coordinates(entry(k));
    for (std::size_t t = 0; t < m; ++t) flat[(k / cols * m + t) * cols + k % cols] = std::move(at[t]);
  }
  return {rows, m * cols, flat};
}

}  // namespace

FieldMatrix::FieldMatrix(AbelianField K, std::size_t rows, std::size_t cols) : field_(std::move(K)), cols_(cols) {
  if (cols > (std::size_t{1} << 40))
    throw LimitError(fmt::format("FieldMatrix: {} columns exceed the limit of 2^40", cols));
  coefficients_ = RationalMatrix(rows, field_.degree() * cols);
}

FieldMatrix::FieldMatrix(RationalMatrix A) : coefficients_(std::move(A)), cols_(coefficients_.cols()) {}

FieldMatrix::FieldMatrix(AbelianField K, RationalMatrix coefficients, std::size_t cols)
    : field_(std::move(K)), coefficients_(std::move(coefficients)), cols_(cols) {
  if (coefficients_.cols() % field_.degree() != 0 || coefficients_.cols() / field_.degree() != cols)
    throw DomainError(fmt::format("FieldMatrix: {} columns of coefficients for {} columns over {}, which has degree {}",
                                  coefficients_.cols(), cols, field_.to_string(), field_.degree()));
}

FieldMatrix::FieldMatrix(std::size_t rows, std::size_t cols, std::span<const Cyclotomic> entries)
    : field_(AbelianField::generated_by(entries)), cols_(cols) {
  if ((rows != 0 && cols > entries.size() / rows) || entries.size() != rows * cols)
    throw DomainError(fmt::format("FieldMatrix: {} entries for a {} x {} matrix", entries.size(), rows, cols));
  coefficients_ = coefficients_of(field_, rows, cols, [&](std::size_t k) { return entries[k]; });
}

FieldMatrix FieldMatrix::identity(const AbelianField& K, std::size_t n) {
  IntegerMatrix result(n, K.degree() * n);
  for (std::size_t i = 0; i < n; ++i) result.set(i, i, 1);
  return {K, std::move(result), n};
}

Cyclotomic FieldMatrix::operator()(std::size_t i, std::size_t j) const {
  if (i >= rows() || j >= cols())
    throw DomainError(fmt::format("FieldMatrix: entry ({}, {}) of a {} matrix", i, j, shape(*this)));
  std::vector<Rational> at;
  for (std::size_t t = 0; t < field_.degree(); ++t) at.push_back(coefficients_(i, t * cols_ + j));
  return field_.element(at);
}

bool FieldMatrix::is_rational() const {
  for (std::size_t i = 0; i < rows(); ++i)
    for (std::size_t j = cols_; j < coefficients_.cols(); ++j)
      if (coefficients_.numerator().sign(i, j) != 0) return false;
  return true;
}

FieldMatrix FieldMatrix::over(const AbelianField& K) const {
  if (K == field_) return *this;
  if (K.contains(field_)) {
    // A few numbers are sooner read one by one than all powers of the generator.
    if (rows() * cols_ < field_.degree())
      return {K, coefficients_of(K, rows(), cols_, [&](std::size_t k) { return (*this)(k / cols_, k % cols_); }),
              cols_};
    const RationalMatrix T = powers(K, K.coordinates(field_.generator()), field_.degree());
    return transformed(*this, K, T);
  }
  if (!field_.contains(K)) return over(AbelianField::compositum(field_, K)).over(K);
  if (K.is_rational()) return to_rational();
  const RationalMatrix T = powers(field_, field_.coordinates(K.generator()), K.degree());
  const std::optional<RationalMatrix> at = linear_solve(T.transpose(), entry_coordinates(*this).transpose());
  if (!at) throw DomainError(fmt::format("FieldMatrix: not all entries are in {}", K.to_string()));
  return from_entry_coordinates(K, at->transpose(), rows(), cols());
}

RationalMatrix FieldMatrix::to_rational() const {
  if (field_.is_rational()) return coefficients_;
  if (!is_rational()) throw DomainError("FieldMatrix: not all entries are rational");
  return coefficients_.block(0, 0, rows(), cols());
}

FieldMatrix FieldMatrix::galois_conjugate(std::int64_t k) const {
  if (field_.is_rational()) return *this;
  const std::int64_t n = field_.conductor();
  const Cyclotomic image = field_.generator().galois_conjugate((k % n + n) % n);
  if (image == field_.generator()) return *this;
  // A matrix of fewer entries than the field has coordinates is mapped entry by entry, as over() does.
  if (rows() * cols_ < field_.degree())
    return {field_,
            coefficients_of(field_, rows(), cols_,
                            [&](std::size_t e) { return (*this)(e / cols_, e % cols_).galois_conjugate(k); }),
            cols_};
  return transformed(*this, field_, powers(field_, field_.coordinates(image), field_.degree()));
}

FieldMatrix FieldMatrix::transpose() const {
  if (field_.is_rational()) return coefficients_.transpose();
  return rearranged(*this, cols(), rows(), [](std::size_t i, std::size_t j) { return std::pair(j, i); });
}

FieldMatrix FieldMatrix::select_rows(std::span<const std::size_t> chosen) const {
  return {field_, coefficients_.select_rows(chosen), cols_};
}

FieldMatrix FieldMatrix::select_cols(std::span<const std::size_t> chosen) const {
  require_inside(*this, chosen, cols(), "column");
  if (field_.is_rational()) return coefficients_.select_cols(chosen);
  return rearranged(*this, rows(), chosen.size(),
                    [&](std::size_t i, std::size_t j) { return std::pair(i, chosen[j]); });
}

FieldMatrix FieldMatrix::block(std::size_t i, std::size_t j, std::size_t height, std::size_t width) const {
  if (i > rows() || height > rows() - i || j > cols() || width > cols() - j)
    throw DomainError(
        fmt::format("FieldMatrix: the {} x {} block at ({}, {}) of a {} matrix", height, width, i, j, shape(*this)));
  if (field_.is_rational()) return coefficients_.block(i, j, height, width);
  return rearranged(*this, height, width, [&](std::size_t k, std::size_t l) { return std::pair(i + k, j + l); });
}

FieldMatrix FieldMatrix::reshape(std::size_t new_rows, std::size_t new_cols) const {
  const std::size_t entries = rows() * cols();
  if ((new_rows != 0 && new_cols > entries / new_rows) || new_rows * new_cols != entries)
    throw DomainError(fmt::format("FieldMatrix: {} entries in the shape {} x {}", entries, new_rows, new_cols));
  if (field_.is_rational()) return coefficients_.reshape(new_rows, new_cols);
  return rearranged(*this, new_rows, new_cols, [&](std::size_t i, std::size_t j) {
    const std::size_t k = i * new_cols + j;
    return std::pair(k / cols(), k % cols());
  });
}

Cyclotomic FieldMatrix::trace() const {
  if (rows() != cols()) throw DomainError(fmt::format("trace of a {} matrix", shape(*this)));
  std::vector<Rational> at(field_.degree());
  for (std::size_t t = 0; t < at.size(); ++t) {
    Integer sum = 0;
    for (std::size_t i = 0; i < rows(); ++i)
      if (coefficients_.numerator().sign(i, t * cols_ + i) != 0) sum += coefficients_.numerator()(i, t * cols_ + i);
    at[t] = Rational(sum, coefficients_.denominator());
  }
  return field_.element(at);
}

Integer FieldMatrix::height() const {
  return is_zero() ? Integer(0) : std::max(coefficients_.numerator().height(), coefficients_.denominator());
}

std::string FieldMatrix::to_string() const { return matrix_text(*this); }

std::optional<ModularMatrix> FieldMatrix::reduce(const AbelianField::SplitPrime& prime, std::size_t embedding) const {
  if (prime.roots.size() != field_.degree() || embedding >= prime.roots.size())
    throw DomainError(fmt::format("FieldMatrix: embedding {} of a prime with {} of them, over {} of degree {}",
                                  embedding, prime.roots.size(), field_.to_string(), field_.degree()));
  const std::optional<ModularMatrix> all = ModularMatrix::reduce(prime.p, coefficients_);
  if (!all) return std::nullopt;
  return evaluated(*all, cols_, prime, embedding);
}

FieldMatrix operator*(const FieldMatrix& A, const FieldMatrix& B) {
  if (A.cols() != B.rows()) throw DomainError(fmt::format("product of a {} and a {} matrix", shape(A), shape(B)));
  if (A.field().is_rational()) return {B.field(), A.coefficients_ * B.coefficients_, B.cols()};
  const std::size_t r = A.rows(), c = B.cols(), inner = A.cols();
  if (B.field().is_rational()) {
    // Row i m + t of the reshaped left factor is row i of A_t.
    const std::size_t m = A.field().degree();
    return {A.field(), (A.coefficients_.reshape(r * m, inner) * B.coefficients_).reshape(r, m * c), c};
  }
  const Common both(A, B);
  const std::size_t m = both.field().degree();
  const RationalMatrix &left = both.left().coefficients_, &right = both.right().coefficients_;
  const bool pack = packing_pays(left.numerator(), right.numerator(), m);
  IntegerMatrix D = pack ? packed_product(left.numerator(), right.numerator(), m)
                         : coefficientwise_product(left.numerator(), right.numerator(), m);
  if (c != 0) reduce_powers(D, both.field(), c);
  return {both.field(), RationalMatrix(D.block(0, 0, r, m * c), left.denominator() * right.denominator()), c};
}

FieldMatrix FieldMatrix::times(const FieldMatrix& B, const Task& task) const {
  const FieldMatrix& A = *this;
  using Clock = std::chrono::steady_clock;
  if (A.cols() != B.rows()) return A * B;  // says so
  std::vector<FieldMatrix> strips;
  // The cost of a row is known when the row is done. A strip may take a tenth of a second, and more as long as twice
  // the height takes less than 1.7 times as long: then most of it is the preparation of B, which the rows of a strip
  // share. Below some 64 rows products are those of the definition.
  double before = std::numeric_limits<double>::infinity();
  std::size_t height =
      std::clamp<std::size_t>((std::size_t{1} << 22) / (A.cols() * B.cols() + 1), 64, std::size_t{1} << 22);
  for (std::size_t i = 0; i < A.rows();) {
    const std::size_t rows = std::min(height, A.rows() - i);
    task.poll();
    const auto begun = Clock::now();
    strips.push_back(A.block(i, 0, rows, A.cols()) * B);
    const double took = std::chrono::duration<double>(Clock::now() - begun).count();
    const bool grows = took < 0.05 || took < 1.7 * before;
    before = grows ? took : 0;
    if (grows) height *= 2;
    i += rows;
  }
  return strips.empty() ? A * B : strips.size() == 1 ? std::move(strips.front()) : vertical_stack(strips);
}

FieldMatrix operator+(const FieldMatrix& A, const FieldMatrix& B) {
  if (A.rows() != B.rows() || A.cols() != B.cols())
    throw DomainError(fmt::format("sum of a {} and a {} matrix", shape(A), shape(B)));
  const Common both(A, B);
  return {both.field(), both.left().coefficients_ + both.right().coefficients_, A.cols()};
}

FieldMatrix operator-(const FieldMatrix& A, const FieldMatrix& B) { return A + Cyclotomic(-1) * B; }

FieldMatrix operator*(const Cyclotomic& c, const FieldMatrix& A) {
  if (c.is_rational()) return {A.field(), c.to_rational() * A.coefficients_, A.cols()};
  const AbelianField K = AbelianField::compositum(A.field(), AbelianField::generated_by({&c, 1}));
  const std::vector<Rational> by_c = K.coordinates(c);
  // The products of rational numbers with c need no more than c itself, which matters in fields of degree some
  // hundreds.
  if (A.is_rational())
    return from_entry_coordinates(K, entry_coordinates(A.to_rational()) * RationalMatrix(1, K.degree(), by_c), A.rows(),
                                  A.cols());
  return transformed(A.over(K), K, multiplication(K, by_c));
}

bool operator==(const FieldMatrix& A, const FieldMatrix& B) {
  if (A.rows() != B.rows() || A.cols() != B.cols()) return false;
  if (A.field() == B.field()) return A.coefficients_ == B.coefficients_;
  if (!A.field().contains(B.field()) && !B.field().contains(A.field())) {
    // The compositum may be large beside both fields, and equal numbers have equal forms without it.
    for (std::size_t i = 0; i < A.rows(); ++i)
      for (std::size_t j = 0; j < A.cols(); ++j)
        if (A(i, j) != B(i, j)) return false;
    return true;
  }
  const Common both(A, B);
  return both.left().coefficients_ == both.right().coefficients_;
}

FieldMatrix vertical_stack(std::span<const FieldMatrix> parts) {
  if (parts.empty()) return {};
  const OverCommonField over(parts);
  std::vector<const RationalMatrix*> coefficients;
  for (const FieldMatrix* part : over.parts()) {
    if (part->cols() != parts[0].cols())
      throw DomainError(fmt::format("vertical_stack of a {} and a {} matrix", shape(parts[0]), shape(*part)));
    coefficients.push_back(&part->coefficients());
  }
  return {over.field(), stacked(Stacking::vertical, coefficients), parts[0].cols()};
}

FieldMatrix horizontal_stack(std::span<const FieldMatrix> parts) {
  if (parts.empty()) return {};
  const OverCommonField over(parts);
  std::size_t cols = 0;
  for (const FieldMatrix* part : over.parts()) {
    if (part->rows() != parts[0].rows())
      throw DomainError(fmt::format("horizontal_stack of a {} and a {} matrix", shape(parts[0]), shape(*part)));
    cols += part->cols();
  }
  std::vector<const RationalMatrix*> coefficients;
  if (over.field().is_rational()) {
    for (const FieldMatrix* part : over.parts()) coefficients.push_back(&part->coefficients());
    return stacked(Stacking::horizontal, coefficients);
  }
  std::vector<RationalMatrix> blocks;
  for (std::size_t t = 0; t < over.field().degree(); ++t)
    for (const FieldMatrix* part : over.parts())
      blocks.push_back(part->coefficients().block(0, t * part->cols(), part->rows(), part->cols()));
  return {over.field(), horizontal_stack(blocks), cols};
}

FieldMatrix direct_sum(std::span<const FieldMatrix> parts) {
  if (parts.empty()) return {};
  const OverCommonField over(parts);
  std::size_t cols = 0;
  std::vector<RationalMatrix> layers;
  for (const FieldMatrix& part : parts) cols += part.cols();
  for (std::size_t t = 0; t < over.field().degree(); ++t) {
    std::vector<RationalMatrix> blocks;
    for (const FieldMatrix* part : over.parts())
      blocks.push_back(part->coefficients().block(0, t * part->cols(), part->rows(), part->cols()));
    layers.push_back(direct_sum(blocks));
  }
  return {over.field(), horizontal_stack(layers), cols};
}

FieldMatrix kronecker_product(const FieldMatrix& A, const FieldMatrix& B) {
  if (A.field().is_rational() && B.field().is_rational()) return kronecker_product(A.coefficients(), B.coefficients());
  const Common both(A, B);
  const std::size_t m = both.field().degree(), cols = A.cols() * B.cols();
  const IntegerMatrix &left = both.left().coefficients().numerator(), &right = both.right().coefficients().numerator();
  const std::size_t height = B.rows(), width = B.cols();
  IntegerMatrix D(A.rows() * height, (2 * m - 1) * cols);
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t s = 0; s < m; ++s)
      for (std::size_t j = 0; j < A.cols(); ++j) {
        const fmpz* a = left.flint().entry(i, s * A.cols() + j);
        if (fmpz_is_zero(a)) continue;
        for (std::size_t k = 0; k < height; ++k)
          for (std::size_t t = 0; t < m; ++t)
            for (std::size_t l = 0; l < width; ++l)
              fmpz_addmul(D.flint().entry(i * height + k, (s + t) * cols + j * width + l), a,
                          right.flint().entry(k, t * width + l));
      }
  if (cols != 0) reduce_powers(D, both.field(), cols);
  return {both.field(),
          RationalMatrix(D.block(0, 0, D.rows(), m * cols),
                         both.left().coefficients().denominator() * both.right().coefficients().denominator()),
          cols};
}

void FieldLift::add(const AbelianField::SplitPrime& prime, std::span<const ModularMatrix> images) {
  const std::size_t m = field_.degree();
  if (prime.roots.size() != m || images.size() != m)
    throw DomainError(fmt::format("FieldLift: {} images and {} roots over {}, which has degree {}", images.size(),
                                  prime.roots.size(), field_.to_string(), m));
  const std::size_t rows = images[0].rows();
  cols_ = images[0].cols();
  for (const ModularMatrix& image : images)
    if (image.prime() != prime.p || image.rows() != rows || image.cols() != cols_)
      throw DomainError(fmt::format("FieldLift: a {} x {} image modulo {} beside one of {} x {} modulo {}",
                                    image.rows(), image.cols(), image.prime(), rows, cols_, prime.p));
  // images[e] = sum over t of A_t roots[e]^t
  ModularMatrix vandermonde(prime.p, m, m);
  nmod_t mod;
  nmod_init(&mod, prime.p);
  for (std::size_t e = 0; e < m; ++e) {
    std::uint64_t power = 1;
    for (std::size_t t = 0; t < m; ++t, power = nmod_mul(power, prime.roots[e], mod)) vandermonde.set(e, t, power);
  }
  const std::optional<ModularMatrix> back = vandermonde.inverse();
  if (!back) throw DomainError(fmt::format("FieldLift: two roots modulo {} agree", prime.p));
  ModularMatrix coefficients(prime.p, rows, m * cols_);
  if (cols_ != 0)
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t t = 0; t < m; ++t) {
        std::uint64_t* out = coefficients.row(i).data() + t * cols_;
        for (std::size_t e = 0; e < m; ++e)
          _nmod_vec_scalar_addmul_nmod(out, images[e].row(i).data(), static_cast<slong>(cols_), (*back)(t, e), mod);
      }
  lift_.add(coefficients);
}

std::optional<FieldMatrix> FieldLift::candidate() const {
  std::optional<RationalMatrix> coefficients = lift_.candidate();
  if (!coefficients) return std::nullopt;
  return FieldMatrix(field_, std::move(*coefficients), cols_);
}

}  // namespace intertwine
