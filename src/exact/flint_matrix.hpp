// The objects of which the matrices of this module are made, those of FLINT as values, and the way between its integers
// and ours. FLINT 2.9 and 3.x: entries are reached through fmpz_mat_entry and nmod_mat_entry only, since the layout
// behind them differs.
#pragma once
#include <flint/fmpz.h>
#include <flint/fmpz_mat.h>
#include <flint/fmpz_poly.h>
#include <flint/nmod_mat.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "intertwine/exact/integer.hpp"

namespace intertwine {

/// An entry onto one of a new matrix, which is still 0: most integers are words, and matrices are copied often.
inline void copy_fresh(fmpz* to, const fmpz* from) {
  if (COEFF_IS_MPZ(*from))
    fmpz_set(to, from);
  else
    *to = *from;
}

struct FlintMatrix {
  FlintMatrix(std::size_t rows, std::size_t cols) {
    fmpz_mat_init(m, static_cast<slong>(rows), static_cast<slong>(cols));
  }
  FlintMatrix(const FlintMatrix& other) : FlintMatrix(other.rows(), other.cols()) {
    for (std::size_t i = 0; i < rows(); ++i)
      for (std::size_t j = 0; j < cols(); ++j) copy_fresh(entry(i, j), other.entry(i, j));
  }
  FlintMatrix& operator=(const FlintMatrix&) = delete;
  ~FlintMatrix() { fmpz_mat_clear(m); }

  fmpz* entry(std::size_t i, std::size_t j) { return fmpz_mat_entry(m, static_cast<slong>(i), static_cast<slong>(j)); }
  const fmpz* entry(std::size_t i, std::size_t j) const {
    return fmpz_mat_entry(m, static_cast<slong>(i), static_cast<slong>(j));
  }
  std::size_t rows() const { return static_cast<std::size_t>(fmpz_mat_nrows(m)); }
  std::size_t cols() const { return static_cast<std::size_t>(fmpz_mat_ncols(m)); }

  fmpz_mat_t m;
};

struct FlintModularMatrix {
  FlintModularMatrix(std::uint64_t p, std::size_t rows, std::size_t cols) {
    nmod_mat_init(m, static_cast<slong>(rows), static_cast<slong>(cols), p);
  }
  FlintModularMatrix(const FlintModularMatrix& other) { nmod_mat_init_set(m, other.m); }
  FlintModularMatrix& operator=(const FlintModularMatrix&) = delete;
  ~FlintModularMatrix() { nmod_mat_clear(m); }

  nmod_mat_t m;
};

/// An fmpz that frees itself.
class FlintInteger {
 public:
  FlintInteger() { fmpz_init(value_); }
  explicit FlintInteger(const Integer& a) : FlintInteger() { fmpz_set_mpz(value_, a.backend().data()); }
  FlintInteger(const FlintInteger& other) { fmpz_init_set(value_, other.value_); }
  FlintInteger& operator=(const FlintInteger& other) {
    fmpz_set(value_, other.value_);
    return *this;
  }
  ~FlintInteger() { fmpz_clear(value_); }
  operator fmpz*() { return value_; }              // NOLINT(google-explicit-constructor)
  operator const fmpz*() const { return value_; }  // NOLINT(google-explicit-constructor)

 private:
  fmpz_t value_;
};

/// A polynomial that frees itself.
struct FlintPolynomial {
  FlintPolynomial() { fmpz_poly_init(f); }
  FlintPolynomial(const FlintPolynomial&) = delete;
  FlintPolynomial& operator=(const FlintPolynomial&) = delete;
  ~FlintPolynomial() { fmpz_poly_clear(f); }

  fmpz_poly_t f;
};

inline Integer integer_from(const fmpz* a) {
  Integer result;
  fmpz_get_mpz(result.backend().data(), a);
  return result;
}

/// "[[1, 2], [3, 4]]".
template <class Matrix>
std::string matrix_text(const Matrix& A) {
  std::string text = "[";
  for (std::size_t i = 0; i < A.rows(); ++i) {
    text += i == 0 ? "[" : ", [";
    for (std::size_t j = 0; j < A.cols(); ++j) text += (j == 0 ? "" : ", ") + to_string(A(i, j));
    text += "]";
  }
  return text + "]";
}

}  // namespace intertwine
