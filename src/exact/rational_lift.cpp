// Rational matrices from their residues.
#include <flint/fmpq.h>
#include <flint/fmpz.h>
#include <flint/fmpz_mat.h>
#include <fmt/format.h>

#include <utility>

#include "exact/flint_matrix.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/modular_matrix.hpp"

namespace intertwine {

namespace {

/// The fractions n/d with |n|, d <= sqrt(M/2): at most one of them has a given residue modulo M, since two would
/// differ by less than M after multiplication by both denominators.
class Reconstruction {
 public:
  Reconstruction(const IntegerMatrix& residue, const Integer& modulus)
      : residue_(residue.flint()), modulus_(modulus), numerators_(residue.rows(), residue.cols()) {
    fmpz_sub_ui(bound_, modulus_, 1);
    fmpz_fdiv_q_2exp(bound_, bound_, 1);
    fmpz_sqrt(bound_, bound_);
  }

  /// Whether the entry number k, row by row, is the residue of such a fraction.
  bool possible(std::size_t k) {
    const fmpz* a = residue_.entry(k / residue_.cols(), k % residue_.cols());
    return fmpz_cmpabs(a, bound_) <= 0 || fraction(a);
  }

  /// The whole matrix, or nothing and in `failed` the number of the first entry that is no such residue.
  std::optional<RationalMatrix> run(std::size_t& failed) {
    Integer common = 1;
    std::vector<Integer> of_row(residue_.rows(), 1);
    for (std::size_t i = 0; i < residue_.rows(); ++i) {
      if (const std::size_t j = run_row(i); j < residue_.cols()) {
        failed = i * residue_.cols() + j;
        return std::nullopt;
      }
      of_row[i] = integer_from(row_denominator_);
      common = lcm(common, of_row[i]);
    }
    FlintMatrix& N = numerators_.flint();
    for (std::size_t i = 0; i < residue_.rows(); ++i) {
      if (of_row[i] == common) continue;
      const FlintInteger factor(Integer(common / of_row[i]));
      for (std::size_t j = 0; j < residue_.cols(); ++j) fmpz_mul(N.entry(i, j), N.entry(i, j), factor);
    }
    return RationalMatrix(std::move(numerators_), common);
  }

 private:
  bool fraction(const fmpz* a) {
    fmpz_mod(scaled_, a, modulus_);
    return _fmpq_reconstruct_fmpz_2(n_, d_, scaled_, modulus_, bound_, bound_) != 0;
  }

  /// One row; returns the column where it failed. The entries of a row mostly share their denominators: each is
  /// first multiplied by `known`, a common multiple of those met so far, and is done if that makes it small.
  std::size_t run_row(std::size_t i) {
    FlintMatrix& N = numerators_.flint();
    FlintInteger known;
    fmpz_one(known);
    fmpz_one(row_denominator_);
    for (std::size_t j = 0; j < residue_.cols(); ++j) {
      const fmpz* a = residue_.entry(i, j);
      fmpz* out = N.entry(i, j);
      if (fmpz_is_zero(a)) {
        fmpz_zero(out);
        continue;
      }
      if (fmpz_is_one(known)) {
        fmpz_set(scaled_, a);
      } else {
        fmpz_mul(scaled_, a, known);
        fmpz_smod(scaled_, scaled_, modulus_);
      }
      if (fmpz_cmpabs(scaled_, bound_) <= 0) {
        fmpz_divexact(factor_, row_denominator_, known);
        fmpz_mul(out, scaled_, factor_);
        continue;
      }
      if (!fraction(a)) return j;
      fmpz_lcm(factor_, row_denominator_, d_);
      if (!fmpz_equal(factor_, row_denominator_)) {
        fmpz_divexact(scaled_, factor_, row_denominator_);
        for (std::size_t k = 0; k < j; ++k) fmpz_mul(N.entry(i, k), N.entry(i, k), scaled_);
        fmpz_set(row_denominator_, factor_);
      }
      if (fmpz_cmp(row_denominator_, bound_) <= 0) fmpz_set(known, row_denominator_);
      fmpz_divexact(factor_, row_denominator_, d_);
      fmpz_mul(out, n_, factor_);
    }
    return residue_.cols();
  }

  const FlintMatrix& residue_;
  FlintInteger modulus_, bound_, n_, d_, scaled_, factor_, row_denominator_;
  IntegerMatrix numerators_;
};

bool agrees(const RationalMatrix& candidate, const ModularMatrix& image) {
  const auto reduced = ModularMatrix::reduce(image.prime(), candidate);
  return reduced && *reduced == image;
}

}  // namespace

void RationalLift::add(const ModularMatrix& image) {
  const Integer p = image.prime();
  if (primes_ == 0) {
    residue_ = IntegerMatrix(image.rows(), image.cols());
    fmpz_mat_set_nmod_mat(residue_.flint().m, image.flint().m);
    modulus_ = p;
  } else {
    if (image.rows() != residue_.rows() || image.cols() != residue_.cols())
      throw DomainError(fmt::format("RationalLift: a {} x {} image after one of {} x {}", image.rows(), image.cols(),
                                    residue_.rows(), residue_.cols()));
    if (modulus_ % p == 0) throw DomainError(fmt::format("RationalLift: the prime {} comes twice", image.prime()));
    stable_ = last_ && agrees(*last_, image);
    const FlintInteger modulus(modulus_);
    fmpz_mat_CRT_ui(residue_.flint().m, residue_.flint().m, modulus, image.flint().m, 1);
    modulus_ *= p;
  }
  ++primes_;
  if (stable_) return;
  last_.reset();
  // A modulus that is too small mostly still fails where the one before it failed.
  Reconstruction reconstruction(residue_, modulus_);
  const bool empty = residue_.rows() == 0 || residue_.cols() == 0;
  if (empty || reconstruction.possible(failed_)) last_ = reconstruction.run(failed_);
}

std::optional<RationalMatrix> RationalLift::candidate() const { return stable_ ? last_ : std::nullopt; }

void RationalLift::clear() { *this = RationalLift(); }

}  // namespace intertwine
