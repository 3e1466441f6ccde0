// Class functions modulo primes: the powers of classes, roots of unity, and inner products.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/exact/prime_field.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"

namespace intertwine {

/// The classes of all powers of the representatives.
struct PowerTable {
  explicit PowerTable(const ConjugacyClasses& classes);
  /// The class of g^k, g the representative of class c; k is reduced modulo its order.
  std::uint32_t operator()(std::size_t c, std::uint64_t k) const { return of[c][k % of[c].size()]; }
  std::uint32_t inverse(std::size_t c) const { return of[c].size() == 1 ? 0 : of[c].back(); }
  std::vector<std::vector<std::uint32_t>> of;  ///< of[c][k] for k below the element order
  std::uint64_t exponent = 1;
};

/// A prime p >= least that is 1 mod `conductor`. \throws LimitError if it would leave 62 bits.
std::uint64_t splitting_prime(std::uint64_t conductor, const Integer& least);

/// The powers of an element z of order e in a prime field, e | p - 1: all of them where e is small, otherwise from
/// two tables of some sqrt(e) elements (for the exponent of S20, 232792560, a list would take 1.7 GiB).
class RootTable {
 public:
  using Element = PrimeField::Element;

  RootTable(const PrimeField& field, std::uint64_t e);
  /// z^k for k < e.
  Element operator[](std::uint64_t k) const {
    if (k < low_.size()) return low_[k];
    return field_.multiply(low_[k & (low_.size() - 1)], high_[k >> bits_]);
  }

 private:
  PrimeField field_;
  unsigned bits_ = 0;
  std::vector<Element> low_,
      high_;  ///< z^k for k below 2^bits, and the powers of z^(2^bits); low alone where that is all
};

/// The image modulo p of a cyclotomic integer of conductor n, where root(k) is that of zeta_n^k.
template <class Root>
PrimeField::Element residue(const PrimeField& f, const Cyclotomic& a, const Root& root) {
  if (const std::int64_t* small = a.small_integer()) return f.from(*small);
  PrimeField::Element sum = 0;
  if (const auto small = a.small_terms()) {
    for (std::size_t i = 0; i < small->exponents.size(); ++i)
      sum = f.add(sum, f.multiply(f.from(small->coefficients[i]), root(small->exponents[i])));
  } else {
    for (const auto& [e, c] : a.terms()) sum = f.add(sum, f.multiply(f.from(Integer(numerator(c))), root(e)));
  }
  return sum;
}

/// Class functions with values in a prime field that has the e-th roots of unity, e the exponent of G.
class ModularCharacters {
 public:
  using Element = PrimeField::Element;
  using Vector = std::vector<Element>;

  /// `least` is a lower bound for the prime.
  ModularCharacters(const ConjugacyClasses& classes, const PowerTable& powers, const Integer& least);

  const ConjugacyClasses& classes;  ///< these and the powers must outlive this object
  const PowerTable& powers;
  PrimeField field;
  RootTable zeta;  ///< zeta[k] = z^k, z of order e, k < e
  Vector weight;   ///< |C| / |G|
  Element root(std::uint64_t n, std::uint64_t k) const { return zeta[powers.exponent / n * (k % n)]; }
  /// The residue of an algebraic integer whose conductor divides the exponent.
  Element residue(const Cyclotomic& a) const {
    return intertwine::residue(field, a, [&](std::uint64_t k) { return root(a.conductor(), k); });
  }

  std::size_t size() const { return weight.size(); }
  /// \<a, b> as an integer, exact if it is below p/2 in size.
  std::int64_t inner(const Vector& a, const Vector& b) const;
  /// Weights times b on inverse classes: inner(a, b) = sum of a[c] dual(b)[c].
  Vector dual(const Vector& b) const;
  std::int64_t inner_with_dual(const Vector& a, const Vector& dual_b) const;
  /// a -= q b.
  void subtract(Vector& a, std::int64_t q, const Vector& b) const;
};

/// Algebraic integers of the field of roots of unity of order `conductor` modulo p = 1 mod conductor.
std::vector<PrimeField::Element> residues(const PrimeField& field, std::span<const Cyclotomic> numbers,
                                          std::uint64_t conductor);

}  // namespace intertwine
