// Inverses and norms of cyclotomic numbers: by their conjugates, by polynomials, and modulo primes.
#include "intertwine/exact/cyclotomic_inverse.hpp"

#include <flint/fmpz.h>
#include <flint/fmpz_poly.h>
#include <flint/nmod.h>
#include <flint/nmod_poly.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "exact/cyclotomic_data.hpp"
#include "exact/cyclotomic_expansion.hpp"
#include "exact/flint_matrix.hpp"
#include "exact/galois_orbit.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/exact/prime_field.hpp"

namespace intertwine {

namespace {

/// A number as an algebraic integer over a natural number.
struct OverDenominator {
  explicit OverDenominator(const Cyclotomic& x) {
    const auto terms = x.terms();
    for (const auto& [e, c] : terms) denominator = lcm(denominator, boost::multiprecision::denominator(c));
    for (const auto& [e, c] : terms) coefficients.emplace_back(e, numerator(Rational(c * denominator)));
  }

  std::vector<std::pair<std::uint32_t, Integer>> coefficients;  // of powers of zeta_n
  Integer denominator = 1;
};

/// A number as f(zeta_n) / denominator, f integral of degree below phi(n), beside the n-th cyclotomic polynomial.
struct PowerForm {
  explicit PowerForm(const Cyclotomic& x) {
    const OverDenominator form(x);
    for (std::size_t i = form.coefficients.size(); i-- > 0;)
      fmpz_poly_set_coeff_fmpz(f.f, static_cast<slong>(form.coefficients[i].first),
                               FlintInteger(form.coefficients[i].second));
    fmpz_poly_cyclotomic(modulus.f, x.conductor());
    fmpz_poly_rem(f.f, f.f, modulus.f);
    denominator = form.denominator;
  }

  FlintPolynomial f, modulus;
  Integer denominator = 1;
};

/// By the extended Euclidean algorithm: f g = r modulo the cyclotomic polynomial.
Cyclotomic inverse_by_polynomials(const Cyclotomic& x) {
  PowerForm form(x);
  FlintInteger content, r;
  fmpz_poly_content(content, form.f.f);
  fmpz_poly_scalar_divexact_fmpz(form.f.f, form.f.f, content);
  FlintPolynomial g, other;
  fmpz_poly_xgcd(r, g.f, other.f, form.f.f, form.modulus.f);
  std::vector<Integer> coefficients(x.conductor());
  FlintInteger c;
  for (slong i = 0; i < fmpz_poly_length(g.f); ++i) {
    fmpz_poly_get_coeff_fmpz(c, g.f, i);
    coefficients[static_cast<std::size_t>(i)] = integer_from(c);
  }
  return Cyclotomic(form.denominator) *
         CyclotomicArithmetic::from_integers(std::move(coefficients), integer_from(r) * integer_from(content));
}

/// The product of the conjugates of x but x itself, and how many there are with x; none where there are more than
/// twelve.
std::optional<std::pair<Cyclotomic, std::size_t>> product_of_others(const Cyclotomic& x, const Task& task) {
  constexpr std::size_t most = 12;
  std::vector<Cyclotomic> others;
  if (!galois_orbit(x.conductor(), units(x.conductor()), x, most, [&](Cyclotomic&& y) {
         task.poll();
         others.push_back(std::move(y));
       }).complete)
    return std::nullopt;
  Cyclotomic product = 1;
  for (std::size_t i = 1; i < others.size(); ++i) {
    task.poll();
    product *= others[i];
  }
  return std::pair{product, others.size()};
}

/// Polynomials are faster below this degree.
constexpr std::uint64_t small_degree = 48;

/// Fourier transforms of length n modulo primes p = 1 mod n below 2^58: sums over j of x_j w^(j k) for all k, w of
/// order n. Each prime factor of n is a step [CooleyTukey 1965], by sums or by a product of polynomials [Bluestein
/// 1970].
class ModularTransform {
 public:
  ModularTransform(std::uint32_t n, std::span<const std::uint64_t> primes_of_n, std::uint64_t p, const Task& task)
      : n_(n), task_(task), powers_(n) {
    nmod_init(&mod_, p);
    for (const std::uint64_t q : primes_of_n)
      for (std::uint32_t rest = n; rest % q == 0; rest /= static_cast<std::uint32_t>(q))
        steps_.push_back(static_cast<std::uint32_t>(q));
    const auto has_order = [&](std::uint64_t z) {
      return std::ranges::none_of(primes_of_n, [&](std::uint64_t q) { return power_modulo(z, n / q, p) == 1; });
    };
    std::uint64_t w = 0;
    for (std::uint64_t a = 2; w == 0 || !has_order(w); ++a) w = power_modulo(a, (p - 1) / n, p);
    powers_[0] = 1;
    for (std::uint32_t k = 1; k < n; ++k) powers_[k] = nmod_mul(powers_[k - 1], w, mod_);
  }

  const nmod_t& mod() const { return mod_; }

  /// \param sign  of j k
  std::vector<std::uint64_t> run(const std::vector<std::uint64_t>& x, int sign) {
    std::vector<std::uint64_t> result(n_);
    if (sign < 0) std::reverse(powers_.begin() + 1, powers_.end());
    step(x.data(), 1, n_, 0, result.data());
    if (sign < 0) std::reverse(powers_.begin() + 1, powers_.end());
    return result;
  }

 private:
  /// The transform of every stride-th number of x, n in all.
  void step(const std::uint64_t* x, std::uint32_t stride, std::uint32_t n, std::size_t level, std::uint64_t* out) {
    if (n == 1) {
      *out = *x;
      return;
    }
    const std::uint32_t q = steps_[level], m = n / q;
    for (std::uint32_t r = 0; r < q; ++r)
      step(x + std::size_t{r} * stride, stride * q, m, level + 1, out + std::size_t{r} * m);
    std::vector<std::uint64_t> column(q), roots(q);
    for (std::uint32_t r = 0; r < q; ++r) roots[r] = powers_[std::size_t{r} * (n_ / q)];
    for (std::uint32_t k = 0; k < m; ++k) {
      task_.poll();
      for (std::uint32_t r = 0; r < q; ++r)
        column[r] = nmod_mul(out[std::size_t{r} * m + k], powers_[std::uint64_t{r} * k * (n_ / n)], mod_);
      constexpr std::uint32_t longest_sum = 1024;  // 2^10 products below 2^116 are below 2^128
      if (q > longest_sum)
        bluestein(column, roots, out + k, m);
      else
        sums(column, roots, out + k, m);
    }
  }

  void sums(const std::vector<std::uint64_t>& column, const std::vector<std::uint64_t>& roots, std::uint64_t* out,
            std::uint32_t stride) const {
    const std::size_t q = column.size();
    for (std::size_t s = 0; s < q; ++s) {
      Wide sum = column[0];
      for (std::size_t r = 1, e = s; r < q; ++r) {
        sum += static_cast<Wide>(column[r]) * roots[e];
        e += s;
        if (e >= q) e -= q;
      }
      NMOD2_RED2(out[s * stride], static_cast<std::uint64_t>(sum >> 64), static_cast<std::uint64_t>(sum), mod_);
    }
  }

  /// r s = b(r + s) - b(r) - b(s) with b(t) = t (t - 1) / 2 [Bluestein 1970].
  void bluestein(const std::vector<std::uint64_t>& column, const std::vector<std::uint64_t>& roots, std::uint64_t* out,
                 std::uint32_t stride) const {
    const std::uint64_t q = column.size();
    const auto exponent = [q](std::uint64_t t) { return t * (t - (t == 0 ? 0 : 1)) / 2 % q; };
    const auto inverse_root = [&](std::uint64_t e) { return roots[e == 0 ? 0 : q - e]; };
    nmod_poly_t f, chirp;
    nmod_poly_init2_preinv(f, mod_.n, mod_.ninv, static_cast<slong>(2 * q));
    nmod_poly_init2_preinv(chirp, mod_.n, mod_.ninv, static_cast<slong>(2 * q));
    for (std::uint64_t r = 0; r < q; ++r)
      nmod_poly_set_coeff_ui(f, static_cast<slong>(q - 1 - r), nmod_mul(column[r], inverse_root(exponent(r)), mod_));
    for (std::uint64_t t = 0; t + 1 < 2 * q; ++t)
      nmod_poly_set_coeff_ui(chirp, static_cast<slong>(t), roots[exponent(t)]);
    nmod_poly_mullow(f, f, chirp, static_cast<slong>(2 * q - 1));
    for (std::uint64_t s = 0; s < q; ++s)
      out[s * stride] =
          nmod_mul(nmod_poly_get_coeff_ui(f, static_cast<slong>(q - 1 + s)), inverse_root(exponent(s)), mod_);
    nmod_poly_clear(f);
    nmod_poly_clear(chirp);
  }

  std::uint32_t n_;
  const Task& task_;
  nmod_t mod_{};
  std::vector<std::uint32_t> steps_;
  std::vector<std::uint64_t> powers_;
};

/// The norm of an algebraic integer x over its own field, and the quotient by x, from their residues.
class ModularInverse {
 public:
  ModularInverse(const Cyclotomic& x, const OverDenominator& form, const Task& task)
      : form_(form), n_(x.conductor()), task_(task), units_(units(n_)), primes_of_n_(prime_divisors(n_)) {
    find_conjugates(x);
    // The mean of |x|^2 is rounded up, and so is its log2, which comes from a power.
    const Cyclotomic integral = Cyclotomic(form.denominator) * x;
    const Cyclotomic square = integral * integral.conjugate();
    const Rational mean = square.trace() / Integer(totient(square.conductor()));
    const Integer bound = numerator(mean) / denominator(mean) + 1;
    constexpr unsigned parts = 64;
    const std::uint64_t log = msb(Integer(pow(bound, parts))) + 1;
    bits_ = degree() * log / (2 * parts) + msb(Integer(units_.size())) + 5;
  }

  /// How many different conjugates there are.
  std::size_t degree() const { return representatives_.size(); }

  Integer norm() {
    collect(false);
    return lifted()[0];
  }

  /// n N / x as coefficients of 1, ..., zeta_n^(n-1), and the norm N.
  std::pair<std::vector<Integer>, Integer> quotient() {
    collect(true);
    std::vector<Integer> numbers = lifted();
    Integer norm = std::move(numbers.back());
    numbers.pop_back();
    return {std::move(numbers), std::move(norm)};
  }

 private:
  std::vector<std::uint64_t> images(ModularTransform& transform) const {
    std::vector<std::uint64_t> x(n_);
    for (const auto& [e, c] : form_.coefficients) x[e] = mpz_fdiv_ui(c.backend().data(), transform.mod().n);
    return transform.run(x, 1);
  }

  /// One unit for each different conjugate: images modulo a prime say which units may fix x, and x itself whether they
  /// do.
  void find_conjugates(const Cyclotomic& x) {
    ModularTransform transform(n_, primes_of_n_, next_prime(), task_);
    const std::vector<std::uint64_t> values = images(transform);
    UnitSubgroup fixing(n_);
    for (const std::uint32_t k : units_) {
      if (values[k] != values[1] || fixing.contains(k)) continue;
      task_.poll();
      if (x.galois_conjugate(k) == x) fixing.add(k);
    }
    std::vector<std::uint8_t> known(n_ + std::size_t{1});
    for (const std::uint32_t k : units_) {
      if (known[k] != 0) continue;
      representatives_.push_back(k);
      for (const std::uint32_t h : fixing.elements()) known[unit_product(k, h, n_)] = 1;
    }
  }

  std::uint64_t next_prime() {
    last_prime_ = prime_with_roots(n_, Integer(last_prime_ + 1)).value();
    return last_prime_;
  }

  /// Residues modulo enough primes: of the norm, and before it those of n N / x.
  void collect(bool whole) {
    constexpr std::uint64_t bits_of_prime = 57;
    const std::uint64_t needed = bits_ / bits_of_prime + 1;
    width_ = whole ? n_ + std::size_t{1} : 1;
    task_.require_memory(needed * width_ * 8 * 6, "the inverse of a cyclotomic number");
    residues_.reserve(needed);
    while (residues_.size() < needed) {
      std::vector<std::uint64_t> primes(needed - residues_.size());
      for (std::uint64_t& p : primes) {
        task_.poll();
        p = next_prime();
      }
      std::vector<std::vector<std::uint64_t>> found(primes.size());
      task_.share(primes.size(), 1, [&](std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t i = first; i < last; ++i) found[i] = residues(primes[i], whole);
      });
      for (std::size_t i = 0; i < primes.size(); ++i) {
        if (found[i].empty()) continue;
        primes_.push_back(primes[i]);
        residues_.push_back(std::move(found[i]));
      }
    }
  }

  /// None where the prime divides the norm.
  std::vector<std::uint64_t> residues(std::uint64_t p, bool whole) const {
    ModularTransform transform(n_, primes_of_n_, p, task_);
    const nmod_t mod = transform.mod();
    const std::vector<std::uint64_t> values = images(transform);
    std::uint64_t norm = 1;
    for (const std::uint32_t k : representatives_) norm = nmod_mul(norm, values[k], mod);
    if (norm == 0) return {};
    if (!whole) return {norm};
    // All inverses by one: `before` holds the products of the values before each.
    std::vector<std::uint64_t> before, quotients(n_);
    std::uint64_t product = 1;
    for (const std::uint32_t k : units_) {
      before.push_back(product);
      product = nmod_mul(product, values[k], mod);
    }
    std::uint64_t rest = nmod_inv(product, mod);
    for (std::size_t i = units_.size(); i-- > 0;) {
      const std::uint32_t k = units_[i];
      quotients[k] = nmod_mul(norm, nmod_mul(rest, before[i], mod), mod);
      rest = nmod_mul(rest, values[k], mod);
    }
    std::vector<std::uint64_t> result = transform.run(quotients, -1);
    result.push_back(norm);
    return result;
  }

  /// The integers with these residues, of least size.
  std::vector<Integer> lifted() {
    struct Comb {
      Comb(const std::vector<std::uint64_t>& primes) {
        fmpz_comb_init(comb, primes.data(), static_cast<slong>(primes.size()));
      }
      Comb(const Comb&) = delete;
      Comb& operator=(const Comb&) = delete;
      ~Comb() { fmpz_comb_clear(comb); }
      fmpz_comb_t comb;
    } const all(primes_);
    struct Scratch {
      explicit Scratch(const Comb& comb) { fmpz_comb_temp_init(temp, comb.comb); }
      Scratch(const Scratch&) = delete;
      Scratch& operator=(const Scratch&) = delete;
      ~Scratch() { fmpz_comb_temp_clear(temp); }
      fmpz_comb_temp_t temp;
    };
    std::vector<Integer> result(width_);
    task_.share(width_, 256, [&](std::uint64_t first, std::uint64_t last) {
      Scratch scratch(all);
      std::vector<std::uint64_t> column(primes_.size());
      FlintInteger lifted;
      for (std::uint64_t j = first; j < last; ++j) {
        task_.poll();
        for (std::size_t i = 0; i < primes_.size(); ++i) column[i] = residues_[i][j];
        fmpz_multi_CRT_ui(lifted, column.data(), all.comb, scratch.temp, 1);
        result[j] = integer_from(lifted);
      }
    });
    residues_.clear();
    return result;
  }

  const OverDenominator& form_;
  std::uint32_t n_;
  const Task& task_;
  Units units_, representatives_;
  std::vector<std::uint64_t> primes_of_n_, primes_;
  std::vector<std::vector<std::uint64_t>> residues_;
  std::uint64_t bits_ = 0, last_prime_ = std::uint64_t{1} << 57;
  std::size_t width_ = 0;
};

Cyclotomic inverse_by_primes(const Cyclotomic& x, const Task& task) {
  const OverDenominator form(x);
  const std::uint32_t n = x.conductor();
  auto [numbers, norm] = ModularInverse(x, form, task).quotient();
  const Cyclotomic multiple = CyclotomicArithmetic::from_integers(std::move(numbers), 1);
  // Fractions are reduced one by one, so that the task is asked.
  const Integer divisor = norm * n;
  std::vector<std::pair<std::int64_t, Rational>> terms;
  for (const auto& [e, c] : multiple.terms()) {
    task.poll();
    terms.emplace_back(std::int64_t{e} * (n / multiple.conductor()), Rational(c * form.denominator / divisor));
  }
  return Cyclotomic::from_terms(n, terms);
}

}  // namespace

Cyclotomic inverse(const Cyclotomic& a, const Task& task) {
  if (a.is_zero()) throw DomainError("division by zero: 0 has no inverse");
  if (a.is_rational()) return Cyclotomic(Rational(1 / a.to_rational()));
  constexpr std::size_t few = 1000;  // terms whose square is a matter of milliseconds
  if (detail::View(a).size() <= few) {
    const Cyclotomic bar = a.conjugate(), square = a * bar;
    if (square.is_rational()) return bar * Cyclotomic(Rational(1 / square.to_rational()));
  }
  if (const auto others = product_of_others(a, task))
    return others->first * Cyclotomic(Rational(1 / (a * others->first).to_rational()));
  if (totient(a.conductor()) <= small_degree) return inverse_by_polynomials(a);
  return inverse_by_primes(a, task);
}

Rational norm(const Cyclotomic& a, const Task& task) {
  if (a.is_rational()) return a.to_rational();
  const std::uint64_t degree = totient(a.conductor());
  const auto power = [&](const Rational& x, std::size_t conjugates) {
    return Cyclotomic(x).power(static_cast<std::int64_t>(degree / conjugates), task).to_rational();
  };
  if (const auto others = product_of_others(a, task)) return power((a * others->first).to_rational(), others->second);
  if (degree <= small_degree) {
    PowerForm form(a);
    FlintInteger resultant;
    fmpz_poly_resultant(resultant, form.modulus.f, form.f.f);
    return Rational(integer_from(resultant), pow(form.denominator, static_cast<unsigned>(degree)));
  }
  const OverDenominator form(a);
  ModularInverse modular(a, form, task);
  const auto conjugates = static_cast<unsigned>(modular.degree());
  return power(Rational(modular.norm(), pow(form.denominator, conjugates)), conjugates);
}

Rational Cyclotomic::norm() const { return intertwine::norm(*this, {}); }

Cyclotomic Cyclotomic::inverse() const { return intertwine::inverse(*this, {}); }

}  // namespace intertwine
