// Local indices of cyclotomic algebras.
#include "cyclotomic_algebra.hpp"

#include <algorithm>
#include <numeric>

#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

namespace {

using Number = std::uint64_t;

/// p^0, p^1, ... modulo m, until they repeat.
std::vector<std::uint32_t> powers(std::uint32_t p, std::uint32_t m) {
  std::vector<std::uint32_t> result{1 % m};
  for (Number x = p % m; x != 1 % m; x = x * p % m) result.push_back(static_cast<std::uint32_t>(x));
  return result;
}

std::uint32_t index_at_odd_prime(const CyclotomicAlgebra& A, std::uint32_t p) {
  const std::uint32_t tame = A.n / prime_part(A.n, p);
  std::vector<std::uint32_t> inertia;
  for (const std::uint32_t j : A.galois)
    if (j % tame == 1 % tame) inertia.push_back(j);
  const auto e = static_cast<std::uint32_t>(inertia.size());
  if (e == 1) return 1;  // unramified, and all values are units
  if (e % p == 0 || (p - 1) % e != 0) throw InternalError("local_index: the ramification is not tame");
  // A generator t, the product of the powers below it, and s with u_t^e = zeta^s.
  std::uint32_t t = 1;
  Number s = 0;
  for (const std::uint32_t j : inertia) {
    Number x = j, sum = 0;
    std::uint32_t order = 1;
    for (; x != 1; x = x * j % A.n, ++order) sum += A.f(static_cast<std::uint32_t>(x), j);
    if (order == e) {
      t = j, s = sum;
      break;
    }
  }
  // The residue field of F: the least power of p that an element g of Gamma induces on zeta'.
  const std::vector<std::uint32_t> frobenius = powers(p, tame);
  std::vector<std::uint32_t> lift(tame, 0);
  std::vector<char> induced(tame, 0);
  for (const std::uint32_t j : A.galois) lift[j % tame] = j, induced[j % tame] = 1;
  std::size_t degree = 1;
  while (induced[frobenius[degree % frobenius.size()]] == 0) ++degree;
  const std::uint32_t g = lift[frobenius[degree % frobenius.size()]];
  // (1 - r) / e modulo n': r modulo e n'.
  const Number modulus = static_cast<Number>(e) * tame;
  Number r = 1;
  for (std::size_t i = 0; i < degree; ++i) r = r * (p % modulus) % modulus;
  const Number quotient = (modulus + 1 - r) % modulus / e;
  // u_g u_t = zeta^f(g,t) u_gt, and u_t zeta^z u_g = zeta^(t z + f(t,g)) u_tg; t = 1 modulo n'.
  const Number z = tame + A.f(g, t) % tame - A.f(t, g) % tame;
  const Number exponent = (z + s % tame * quotient) % tame;
  return static_cast<std::uint32_t>(tame / std::gcd(exponent, static_cast<Number>(tame)));
}

/// The 2-part of the cocycle over the completion of F at 2, corestricted to Q_2.
class DyadicCorestriction {
 public:
  explicit DyadicCorestriction(const CyclotomicAlgebra& A)
      : A_(A),
        even_(prime_part(A.n, 2)),
        scale_(even_ < 4 ? 4 / even_ : 1),
        two_(even_ * scale_),
        odd_(A.n / even_),
        frobenius_(powers(2, odd_)) {
    coset_.assign(two_ * frobenius_.size(), none);
    for (std::uint32_t s = 1; s < two_; s += 2)
      for (std::uint32_t i = 0; i < frobenius_.size(); ++i)
        if (A.place(restricted({s, i})) < A.galois.size()) local_.push_back({s, i});
    for (std::uint32_t i = 0; i < frobenius_.size(); ++i)
      for (std::uint32_t s = 1; s < two_; s += 2) {
        if (coset_[number({s, i})] != none) continue;
        for (const Element& h : local_)
          coset_[number(product({s, i}, h))] = static_cast<std::uint32_t>(representatives_.size());
        representatives_.push_back({s, i});
      }
  }

  std::uint32_t two() const { return two_; }

  /// An element of (Z/2^a)^* x <phi>: zeta_(2^a) -> its power s, zeta_n' -> its power 2^i.
  struct Element {
    std::uint32_t s, i;
  };
  /// The exponent of zeta_(2^a).
  std::uint32_t operator()(Element g, Element h) const {
    Number sum = 0;
    for (const Element& r : representatives_) {
      const Element after_h = representative(product(h, r)), after = representative(product(g, after_h));
      const Number value =
          A_.f(restricted(quotient(product(g, after_h), after)), restricted(quotient(product(h, r), after_h)));
      sum += value % even_ * scale_ * after.s;
    }
    return static_cast<std::uint32_t>(sum % two_);
  }
  std::uint32_t commutator(Element g, Element h) const { return ((*this)(g, h) + two_ - (*this)(h, g)) % two_; }
  bool has_frobenius() const { return frobenius_.size() > 1; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::size_t number(Element g) const { return g.i * two_ + g.s; }
  Element product(Element g, Element h) const {
    return {static_cast<std::uint32_t>(static_cast<Number>(g.s) * h.s % two_),
            static_cast<std::uint32_t>((g.i + h.i) % frobenius_.size())};
  }
  Element quotient(Element g, Element h) const {
    std::uint32_t inverse = 1;  // h.s^-1 by Newton's iteration modulo powers of 2
    for (int k = 0; k < 5; ++k) inverse *= 2 - h.s * inverse;
    return {static_cast<std::uint32_t>(static_cast<Number>(g.s) * (inverse % two_) % two_),
            static_cast<std::uint32_t>((g.i + frobenius_.size() - h.i) % frobenius_.size())};
  }
  Element representative(Element g) const { return representatives_[coset_[number(g)]]; }
  /// The exponent to which g takes zeta_n, by the Chinese remainder theorem.
  std::uint32_t restricted(Element g) const {
    std::uint32_t x = frobenius_[g.i];
    while (x % even_ != g.s % even_) x += odd_;
    return x % A_.n;
  }

  const CyclotomicAlgebra& A_;
  std::uint32_t even_, scale_, two_, odd_;
  std::vector<std::uint32_t> frobenius_;
  std::vector<Element> local_, representatives_;  ///< the Galois group over F_2, and its cosets
  std::vector<std::uint32_t> coset_;
};

std::uint32_t index_at_two(const CyclotomicAlgebra& A) {
  const DyadicCorestriction f(A);
  const std::uint32_t two = f.two(), minus = two - 1;
  const bool ramified = f({minus, 0}, {minus, 0}) == two / 2;
  bool odd_valuation = false;
  if (f.has_frobenius()) {
    // c is trivial on <5>: c_5 = zeta^(-4 w), and zeta^w u_phi commutes with u_5.
    const std::uint32_t c5 = f.commutator({5 % two, 0}, {1, 1});
    const std::uint32_t c = f.commutator({minus, 0}, {1, 1});
    if (c5 % 4 != 0) throw InternalError("local_index: no cocycle at 2");
    const std::uint32_t w = (two - c5) % two / 4;
    const std::uint32_t normalized = (c + 2 * (two - w % two)) % two;
    if (normalized % (two / 4) != 0) throw InternalError("local_index: no cocycle at 2");
    odd_valuation = normalized / (two / 4) % 2 != 0;
  }
  return ramified != odd_valuation ? 2 : 1;
}

}  // namespace

std::size_t CyclotomicAlgebra::place(std::uint32_t j) const {
  const auto found = std::lower_bound(galois.begin(), galois.end(), j);
  return found != galois.end() && *found == j ? static_cast<std::size_t>(found - galois.begin()) : galois.size();
}

std::uint32_t real_index(const CyclotomicAlgebra& A) {
  const std::uint32_t conjugation = A.n - 1;
  if (A.n <= 2 || A.place(conjugation) == A.galois.size()) return 1;
  return A.f(conjugation, conjugation) == 0 ? 1 : 2;
}

std::uint32_t local_index(const CyclotomicAlgebra& A, std::uint32_t p) {
  return p == 2 ? index_at_two(A) : A.n % p == 0 ? index_at_odd_prime(A, p) : 1;
}

std::uint32_t primes_above(const CyclotomicAlgebra& A, std::uint32_t p) {
  const std::uint32_t tame = A.n / prime_part(A.n, p);
  std::vector<char> decomposed(tame, 0), reached(A.n, 0);
  for (const std::uint32_t k : powers(p, tame)) decomposed[k] = 1;
  std::uint32_t units = 0, group = 0;
  for (std::uint32_t k = 0; k < A.n; ++k) {
    if (std::gcd(k, A.n) != 1) continue;
    ++units;
    if (decomposed[k % tame] == 0) continue;
    for (const std::uint32_t j : A.galois) {
      char& seen = reached[static_cast<Number>(j) * k % A.n];
      group += seen == 0 ? 1 : 0;
      seen = 1;
    }
  }
  return units / group;
}

}  // namespace intertwine
