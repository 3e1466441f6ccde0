// How an abelian number field is held.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "intertwine/exact/abelian_field.hpp"
#include "intertwine/exact/matrix.hpp"

namespace intertwine {

/// The field of conductor n fixed by a subgroup H of (Z/n)^*. Residues are in 0, ..., n - 1, except that the only one
/// modulo 1 is called 1.
struct AbelianField::Data {
  std::uint32_t conductor = 1;
  std::vector<std::uint32_t> fixing{1};      ///< H, increasing
  std::vector<std::uint32_t> generators;     ///< the generators of H
  std::vector<std::uint32_t> automorphisms;  ///< the least elements of the cosets of H
  Cyclotomic generator;
  std::vector<Integer> minimal_polynomial;
  std::string name;

  /// Coefficients at powers of zeta_n, for exponents from 0 to n - 1.
  using Terms = std::vector<std::pair<std::uint32_t, Integer>>;
  /// The way between coordinates and sums of roots of unity. The coordinates of x follow from the traces from Q(zeta_n)
  /// of x zeta_n^(-j) for m suitable exponents j: these need no canonical form of x.
  struct Conversion {
    std::vector<Terms> powers;             ///< the powers of the generator
    std::vector<std::uint32_t> exponents;  ///< the j
    std::vector<std::int64_t> trace;       ///< the trace of zeta_n^k, from Q(zeta_n) to Q
    RationalMatrix inverse;                ///< the inverse of the matrix trace(a^i zeta_n^(-j)), rows j
  };
  /// Made when first asked for; not for cyclotomic fields, which reduce by their minimal polynomial.
  const Conversion& conversion() const;
  SplitPrime split_prime(std::size_t k) const;
  std::optional<SplitPrime> small_split_prime(std::size_t k) const;

  std::size_t degree() const { return automorphisms.size(); }
  bool is_cyclotomic() const { return fixing.size() == 1; }
  bool fixes(std::uint64_t k) const;

 private:
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Conversion> conversion_;
  mutable std::atomic<const Conversion*> made_ = nullptr;  ///< the same once it is there, read without the lock
  /// Split primes from a bound downwards, as far as they were asked for.
  struct PrimesBelow {
    std::uint64_t next, least;
    std::vector<SplitPrime> found;
  };
  bool find(PrimesBelow& primes, std::size_t count) const;
  mutable PrimesBelow large_{std::uint64_t{1} << 59, 2, {}}, small_{std::uint64_t{1} << 23, std::uint64_t{1} << 21, {}};
};

}  // namespace intertwine
