// Finite fields small enough for tables.
#pragma once
#include <cstdint>
#include <vector>

namespace intertwine {

/// GF(q), elements 0, ..., q-1: the digits in base p are the coefficients, constant term last, of a
/// polynomial in w modulo the least monic primitive polynomial (compared by its lower coefficients, read as
/// such a number). For k = 1 they are residues and w is the least primitive root. Tables of logarithms: O(q)
/// time and memory.
class GaloisField {
 public:
  using Element = std::uint32_t;
  /// q must be a prime power.
  explicit GaloisField(std::uint32_t q);

  std::uint32_t size() const { return size_; }
  std::uint32_t characteristic() const { return prime_; }
  unsigned exponent() const { return exponent_; }
  /// w, a generator of the multiplicative group.
  Element primitive_element() const { return power_[size_ > 2 ? 1 : 0]; }
  Element add(Element a, Element b) const {
    if (exponent_ > 1) return add_digits(a, b);
    return b < size_ - a ? a + b : b - (size_ - a);
  }
  Element negative(Element a) const;
  Element multiply(Element a, Element b) const {
    if (a == 0 || b == 0) return 0;
    const std::uint64_t sum = std::uint64_t{logarithm_[a]} + logarithm_[b];
    return power_[sum < size_ - 1 ? sum : sum - (size_ - 1)];
  }
  /// a must not be 0.
  Element inverse(Element a) const { return power_[logarithm_[a] == 0 ? 0 : size_ - 1 - logarithm_[a]]; }
  /// w^k.
  Element power(std::uint64_t k) const { return power_[k % (size_ - 1)]; }
  /// a^k.
  Element power(Element a, std::uint64_t k) const {
    if (a == 0) return k == 0 ? 1 : 0;
    return power(logarithm_[a] * (k % (size_ - 1)));
  }
  /// The k below q - 1 with w^k = a, which must not be 0.
  std::uint32_t logarithm(Element a) const { return logarithm_[a]; }

 private:
  Element add_digits(Element a, Element b) const;

  std::uint32_t size_;
  std::uint32_t prime_;
  unsigned exponent_;
  std::vector<Element> power_;            ///< w^i for 0 <= i < q - 1
  std::vector<std::uint32_t> logarithm_;  ///< the logarithm of every non-zero element
};

}  // namespace intertwine
