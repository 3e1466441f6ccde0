// Arithmetic modulo a prime of up to 62 bits, and roots of polynomials there.
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "intertwine/exact/integer.hpp"
#include "intertwine/exact/modular_matrix.hpp"

namespace intertwine {

/// Products of two words.
__extension__ using Wide = unsigned __int128;

/// The field with p elements, p an odd prime below 2^62. Elements are numbers below p in Montgomery's form: only what
/// the member functions return may be passed to them; equal elements are equal numbers and 0 is 0. [Montgomery 1985]
class PrimeField {
 public:
  using Element = std::uint64_t;

  explicit constexpr PrimeField(std::uint64_t p) : p_(p) {
    std::uint64_t inverse = p;
    for (int k = 0; k < 6; ++k) inverse *= 2 - p * inverse;
    minus_inverse_ = 0 - inverse;
    one_ = static_cast<std::uint64_t>((static_cast<Wide>(1) << 64) % p);
    square_ = static_cast<std::uint64_t>(static_cast<Wide>(one_) * one_ % p);
  }

  std::uint64_t p() const { return p_; }
  Element one() const { return one_; }
  Element add(Element a, Element b) const {
    const Element c = a + b;
    return c >= p_ ? c - p_ : c;
  }
  Element subtract(Element a, Element b) const { return a >= b ? a - b : a + p_ - b; }
  Element negative(Element a) const { return a == 0 ? 0 : p_ - a; }
  Element multiply(Element a, Element b) const {
    const Wide t = static_cast<Wide>(a) * b;
    const std::uint64_t m = static_cast<std::uint64_t>(t) * minus_inverse_;
    const auto c = static_cast<std::uint64_t>((t + static_cast<Wide>(m) * p_) >> 64);
    return c >= p_ ? c - p_ : c;
  }
  Element power(Element a, std::uint64_t k) const {
    Element result = one_;
    for (; k > 0; k >>= 1, a = multiply(a, a))
      if (k & 1) result = multiply(result, a);
    return result;
  }
  Element inverse(Element a) const { return power(a, p_ - 2); }
  Element from(std::int64_t a) const {
    const std::int64_t r = a % static_cast<std::int64_t>(p_);
    return multiply(static_cast<std::uint64_t>(r < 0 ? r + static_cast<std::int64_t>(p_) : r), square_);
  }
  Element from(const Integer& a) const { return multiply(mpz_fdiv_ui(a.backend().data(), p_), square_); }
  /// The residue below p.
  std::uint64_t residue(Element a) const { return multiply(a, 1); }
  /// The residue of least absolute value.
  std::int64_t symmetric(Element a) const {
    const std::uint64_t r = residue(a);
    return r > p_ / 2 ? -static_cast<std::int64_t>(p_ - r) : static_cast<std::int64_t>(r);
  }
  /// The entries of a column of a matrix modulo p.
  std::vector<Element> column(const ModularMatrix& A, std::size_t j) const;
  /// An element of multiplicative order e; e must divide p - 1.
  Element root_of_unity(std::uint64_t e) const;
  /// 1, z, ..., z^(e-1) for that element z.
  std::vector<Element> roots_of_unity(std::uint64_t e) const;

 private:
  std::uint64_t p_, minus_inverse_ = 0, one_ = 0, square_ = 0;
};

/// The distinct roots in the field of the polynomial with these coefficients, constant term first, leading one not 0,
/// which must split into linear factors.
std::vector<PrimeField::Element> roots(const PrimeField& field, const std::vector<PrimeField::Element>& polynomial);

/// The distinct roots in Z/p, increasing, of the non-zero polynomial with these coefficients (constant term first,
/// reduced). p is trusted to be prime.
std::vector<std::uint64_t> modular_roots(std::uint64_t p, std::span<const std::uint64_t> coefficients);
/// Its monic irreducible factors in the same form, with multiplicities, by degree, then by coefficients.
std::vector<std::pair<std::vector<std::uint64_t>, unsigned>> modular_factors(
    std::uint64_t p, std::span<const std::uint64_t> coefficients);
/// The monic factor modulo p^k, which must be below 2^63, of the monic polynomial f that is `factor`^multiplicity modulo p; this divides f there, monic
/// and coprime to what it leaves. In the same form. [Hensel 1908]
std::vector<std::uint64_t> lifted_factor(std::span<const Integer> f, std::uint64_t p,
                                         std::span<const std::uint64_t> factor, unsigned multiplicity, unsigned k);

}  // namespace intertwine
