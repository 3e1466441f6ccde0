// Abelian number fields: the fields between Q and a cyclotomic field, in which characters have their values.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/integer.hpp"

namespace intertwine {

/// A subfield K of some Q(zeta_n), with a basis 1, a, ..., a^(m-1) over Q of powers of an algebraic integer a. An
/// immutable value, cheap to copy; equal fields have equal generators, so coordinates mean the same everywhere.
class AbelianField {
 public:
  /// Q.
  AbelianField();
  /// Q(zeta_n). \throws DomainError if n = 0; LimitError above degree 10,000 (500 for fields that are not cyclotomic) or
  /// Cyclotomic::max_conductor (also below).
  static AbelianField cyclotomic(std::uint32_t n);
  /// The smallest field with these numbers in it.
  static AbelianField generated_by(std::span<const Cyclotomic> numbers);
  /// The smallest field that contains both.
  static AbelianField compositum(const AbelianField& K, const AbelianField& L);
  /// The numbers of K fixed by complex conjugation: K itself or a subfield of index 2.
  AbelianField real_subfield() const;

  /// The degree m over Q.
  std::size_t degree() const;
  /// The smallest n with K in Q(zeta_n).
  std::uint32_t conductor() const;
  bool is_rational() const { return degree() == 1; }
  bool is_real() const;
  bool contains(const Cyclotomic& number) const;
  bool contains(const AbelianField& F) const;
  /// The generator a: 0 for Q (whose basis is 1), zeta_n for cyclotomic fields, sqrt(d) or (1 + sqrt(d))/2 for
  /// quadratic ones, otherwise the trace of zeta_n.
  const Cyclotomic& generator() const;
  /// The monic polynomial of a over Q, of degree m and integral, constant term first; "x" for Q.
  const std::vector<Integer>& minimal_polynomial() const;
  /// One k coprime to the conductor for every automorphism zeta -> zeta^k of K, increasing, so 1 first.
  const std::vector<std::uint32_t>& automorphisms() const;
  /// The m coordinates of a number. \throws DomainError if it is not in K.
  std::vector<Rational> coordinates(const Cyclotomic& number) const;
  /// sum of coordinates[i] a^i. \throws DomainError unless there are m of them.
  Cyclotomic element(std::span<const Rational> coordinates) const;
  /// "Q", "Q(i)", "Q(sqrt(-7))", "Q(E(5))", "Q(E(7)+E(7)^6)".
  std::string to_string() const;

  friend bool operator==(const AbelianField& K, const AbelianField& L);

  /// A prime p that splits completely in K, with the m images of a modulo p, in the order of automorphisms(): a map
  /// from the a-integral numbers of K to Z/p for each. k = 0, 1, ...: a fixed sequence of different primes near 2^59.
  struct SplitPrime {
    std::uint64_t p;
    std::vector<std::uint64_t> roots;
  };
  SplitPrime split_prime(std::size_t k) const;
  /// Splitting prime number k between 2^21 and 2^23, where elimination is fast; nothing if there are no more than k.
  std::optional<SplitPrime> small_split_prime(std::size_t k) const;

  struct Data;
  const Data& data() const { return *data_; }

 private:
  explicit AbelianField(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

}  // namespace intertwine
