// The check that every table passes before it is returned.
#include <fmt/format.h>

#include <numeric>
#include <unordered_map>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/error.hpp"
#include "prime_field.hpp"

namespace intertwine {

namespace {

using Element = PrimeField::Element;

/// Generators of the group of units modulo e.
std::vector<std::uint64_t> unit_generators(std::uint64_t e) {
  std::vector<std::uint64_t> generators;
  for (std::uint64_t q = 2, rest = e; rest > 1; ++q) {
    if (q > rest / q) q = rest;
    if (rest % q != 0) continue;
    std::uint64_t power = 1;
    for (; rest % q == 0; rest /= q) power *= q;
    const std::uint64_t other = e / power;
    const auto lift = [&](std::uint64_t k) {  // k modulo the power of q, 1 modulo the rest
      while (k % other != 1 % other) k += power;
      return k % e;
    };
    if (q == 2) {
      if (power >= 4) generators.push_back(lift(power - 1));
      if (power >= 8) generators.push_back(lift(5));
      continue;
    }
    const std::uint64_t phi = power / q * (q - 1);
    for (std::uint64_t g = 2;; ++g) {  // the least primitive root
      if (g % q == 0) continue;
      std::uint64_t order = 1;
      for (std::uint64_t x = g % power; x != 1; x = x * g % power) ++order;
      if (order != phi) continue;
      generators.push_back(lift(g));
      break;
    }
  }
  return generators;
}

class Check {
 public:
  Check(const CharacterTable& table, const Task& task) : t_(table), task_(task), n_(table.size()) {
    for (std::size_t c = 0; c < n_; ++c) exponent_ = std::lcm(exponent_, t_.classes()[c].element_order);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t c = 0; c < n_; ++c) {
        const Cyclotomic value = t_(i, c);
        const auto [at, fresh] = number_.try_emplace(value, pool_.size());
        if (fresh) {
          pool_.push_back(value);
          conductor_ = std::lcm(conductor_, std::uint64_t{value.conductor()});
        }
        values_.push_back(static_cast<std::uint32_t>(at->second));
      }
  }

  void run() {
    integrality();
    galois_action();
    Integer largest = 0, sum = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const Integer degree = t_.degree(i);
      largest = std::max(largest, degree);
      sum += degree * degree;
    }
    if (sum != t_.group().order())
      throw VerificationError("verify: the squares of the degrees do not add up to |G|");
    // Norms first: <a, a> is known from residues once their modulus exceeds |G| (1 + d^2). Then |<a, b>| |G| <= |G| for
    // all other pairs by Cauchy and Schwarz, and fewer primes do.
    const Integer order = t_.group().order(), norms = 2 * order * (largest * largest + 1), pairs = 2 * order;
    // Small primes make the inner loop fast; a large exponent needs large ones.
    const Integer usual = conductor_ < small_prime / 64 ? Integer(small_prime / 2) : Integer(1) << 60;
    Integer least = std::min(norms, usual), product = 1;
    while (product <= norms) {
      const PrimeField f(PrimeField::prime(conductor_, least));
      if (product > pairs)
        check_norms(f);
      else if (f.p() < small_prime)
        orthogonality_with_small_prime(f);
      else
        orthogonality(f);
      product *= f.p();
      least = Integer(f.p()) + 1;
    }
  }

 private:
  static constexpr std::uint64_t small_prime = std::uint64_t{1} << 28;

  void integrality() const {
    for (const Cyclotomic& a : pool_) {
      if (a.small_integer()) continue;
      for (const auto& [e, c] : a.terms())
        if (denominator(c) != 1)
          throw VerificationError("verify: " + to_string(a) + " is no algebraic integer");
      if (exponent_ % a.conductor() != 0)
        throw VerificationError("verify: " + to_string(a) +
                                " has a conductor that does not divide the exponent");
    }
  }

  void galois_action() const {
    for (std::uint64_t k : unit_generators(conductor_)) {
      while (std::gcd(k, exponent_) != 1) k += conductor_;  // a unit modulo the exponent with the same action
      const std::vector<std::uint32_t> map = t_.classes().power_map(Integer(k));
      std::vector<std::uint32_t> image(pool_.size());
      for (std::size_t v = 0; v < pool_.size(); ++v) {
        if (pool_[v].is_rational()) {
          image[v] = static_cast<std::uint32_t>(v);
          continue;
        }
        const auto at = number_.find(pool_[v].galois_conjugate(static_cast<std::int64_t>(k)));
        image[v] = at == number_.end() ? 0xffffffffU : static_cast<std::uint32_t>(at->second);
      }
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t c = 0; c < n_; ++c)
          if (values_[i * n_ + map[c]] != image[values_[i * n_ + c]])
            throw VerificationError(
                fmt::format("verify: row {} breaks the Galois action at class {} and exponent {}", i, c, k));
    }
  }

  /// The same as orthogonality, with plain residues below 2^28: up to 2^7 products fit a sum of 64 bits.
  void orthogonality_with_small_prime(const PrimeField& f) const {
    constexpr std::size_t products = 128;
    const std::uint64_t p = f.p();
    std::vector<std::uint64_t> values;
    for (const Element x : residues_of_pool(f)) values.push_back(f.residue(x));
    const std::vector<std::uint32_t> inverse = t_.classes().power_map(-1);
    const std::uint64_t whole = f.residue(f.from(t_.group().order()));
    std::vector<std::uint32_t> y(n_ * n_);
    for (std::size_t c = 0; c < n_; ++c) {
      const std::uint64_t size = f.residue(f.from(t_.classes()[c].size));
      for (std::size_t i = 0; i < n_; ++i)
        y[c * n_ + i] = static_cast<std::uint32_t>(size * values[values_[i * n_ + inverse[c]]] % p);
    }
    std::vector<std::uint64_t> row(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      task_.poll();
      std::fill(row.begin(), row.end(), 0);
      std::size_t added = 0;
      for (std::size_t c = 0; c < n_; ++c) {
        const auto x = static_cast<std::uint32_t>(values[values_[i * n_ + c]]);
        if (x == 0) continue;
        const std::uint32_t* column = y.data() + c * n_;
        for (std::size_t j = i; j < n_; ++j) row[j] += std::uint64_t{x} * column[j];
        if (++added % products == 0)
          for (std::size_t j = i; j < n_; ++j) row[j] %= p;
      }
      for (std::size_t j = i; j < n_; ++j)
        if (row[j] % p != (i == j ? whole : 0))
          throw VerificationError(fmt::format("verify: rows {} and {} are not orthonormal", i, j));
    }
  }

  void check_norms(const PrimeField& f) const {
    const auto residues = residues_of_pool(f);
    const std::vector<std::uint32_t> inverse = t_.classes().power_map(-1);
    std::vector<Element> size;
    for (std::size_t c = 0; c < n_; ++c) size.push_back(f.from(t_.classes()[c].size));
    const Element whole = f.from(t_.group().order());
    for (std::size_t i = 0; i < n_; ++i) {
      const std::uint32_t* row = values_.data() + i * n_;
      Element sum = 0;
      for (std::size_t c = 0; c < n_; ++c)
        sum = f.add(sum, f.multiply(size[c], f.multiply(residues[row[c]], residues[row[inverse[c]]])));
      if (sum != whole)
        throw VerificationError(fmt::format("verify: rows {} and {} are not orthonormal", i, i));
    }
  }

  void orthogonality(const PrimeField& f) const {
    const auto residues = residues_of_pool(f);
    std::vector<std::uint32_t> inverse = t_.classes().power_map(-1);
    const Element whole = f.inverse(f.from(t_.group().order()));
    // X: values by rows; Y: weighted values on inverse classes, by columns.
    std::vector<Element> y(n_ * n_);
    for (std::size_t c = 0; c < n_; ++c) {
      const Element weight = f.multiply(whole, f.from(t_.classes()[c].size));
      for (std::size_t i = 0; i < n_; ++i)
        y[c * n_ + i] = f.multiply(weight, residues[values_[i * n_ + inverse[c]]]);
    }
    std::vector<Element> row(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      task_.poll();
      std::fill(row.begin(), row.end(), 0);
      for (std::size_t c = 0; c < n_; ++c) {
        const Element x = residues[values_[i * n_ + c]];
        if (x == 0) continue;
        const Element* column = y.data() + c * n_;
        for (std::size_t j = i; j < n_; ++j) row[j] = f.add(row[j], f.multiply(x, column[j]));
      }
      for (std::size_t j = i; j < n_; ++j)
        if (row[j] != (i == j ? f.one() : 0))
          throw VerificationError(fmt::format("verify: rows {} and {} are not orthonormal", i, j));
    }
  }

  std::vector<Element> residues_of_pool(const PrimeField& f) const {
    std::vector<Element> zeta(conductor_, f.one()), result;
    if (conductor_ > 1) {
      const Element z = f.root_of_unity(conductor_);
      for (std::size_t k = 1; k < zeta.size(); ++k) zeta[k] = f.multiply(zeta[k - 1], z);
    }
    for (const Cyclotomic& a : pool_) {
      if (const std::int64_t* small = a.small_integer()) {
        result.push_back(f.from(*small));
        continue;
      }
      Element sum = 0;
      for (const auto& [e, c] : a.terms())
        sum = f.add(sum, f.multiply(f.from(Integer(numerator(c))), zeta[conductor_ / a.conductor() * e]));
      result.push_back(sum);
    }
    return result;
  }

  const CharacterTable& t_;
  const Task& task_;
  std::size_t n_;
  std::uint64_t exponent_ = 1;   ///< of the group
  std::uint64_t conductor_ = 1;  ///< of the field that the values generate
  std::unordered_map<Cyclotomic, std::size_t> number_;
  std::vector<Cyclotomic> pool_;
  std::vector<std::uint32_t> values_;
};

}  // namespace

void verify(const CharacterTable& table, const Task& task) { Check(table, task).run(); }

}  // namespace intertwine
