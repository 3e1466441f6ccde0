// The action of Galois groups on cyclotomic numbers: orbits, conjugates and inverses.
#include "exact/galois_orbit.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "exact/cyclotomic_data.hpp"
#include "exact/flint_matrix.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

void UnitSubgroup::add(std::uint32_t k) {
  if (contains(k)) return;
  generators_.push_back(k);
  const std::size_t old = elements_.size();
  for (std::uint32_t power = k; !contains(power); power = unit_product(power, k, n_))
    for (std::size_t i = 0; i < old; ++i) {
      const std::uint32_t next = unit_product(elements_[i], power, n_);
      elements_.push_back(next);
      has_[next] = 1;
    }
}

GaloisOrbit galois_orbit(std::uint32_t n, std::span<const std::uint32_t> G, const Cyclotomic& x,
                         std::size_t most, const std::function<void(Cyclotomic&&)>& found) {
  GaloisOrbit orbit{0, UnitSubgroup(n), false};
  std::vector<std::uint32_t> first;  // the k that gave an image
  std::unordered_multimap<std::size_t, std::uint32_t> by_hash;
  std::vector<std::uint8_t> known(n + std::size_t{1});  // the cosets of `fixing` that `first` represents
  const auto mark = [&](std::uint32_t k) {
    for (const std::uint32_t h : orbit.fixing.elements()) known[unit_product(k, h, n)] = 1;
  };
  // Two units with the same image differ by one that fixes x.
  const auto quotient = [&](std::uint32_t k, const Cyclotomic& image) -> std::optional<std::uint32_t> {
    const auto [begin, end] = by_hash.equal_range(image.hash());
    for (auto at = begin; at != end; ++at) {
      const std::uint32_t h = unit_product(k, inverse_modulo(at->second, n), n);
      if (x.galois_conjugate(h) == x) return h;
    }
    return std::nullopt;
  };
  for (const std::uint32_t k : G) {
    if (known[k] != 0) continue;
    Cyclotomic image = x.galois_conjugate(k);
    if (const auto h = quotient(k, image)) {
      orbit.fixing.add(*h);
      for (const std::uint32_t j : first) mark(j);
      continue;
    }
    if (orbit.size == most) return orbit;
    by_hash.emplace(image.hash(), k);
    first.push_back(k);
    ++orbit.size;
    mark(k);
    found(std::move(image));
  }
  orbit.complete = true;
  return orbit;
}

std::vector<Cyclotomic> Cyclotomic::conjugates() const {
  if (is_rational()) return {*this};
  const std::uint32_t n = conductor();
  std::vector<Cyclotomic> result;
  galois_orbit(n, units(n), *this, n, [&](Cyclotomic&& image) { result.push_back(std::move(image)); });
  return result;
}

namespace {

/// A number as f(zeta_n) / denominator, f integral of degree below phi(n), beside the n-th cyclotomic polynomial.
struct PowerForm {
  explicit PowerForm(const Cyclotomic& x) {
    const auto terms = x.terms();
    for (const auto& [e, c] : terms) denominator = lcm(denominator, boost::multiprecision::denominator(c));
    for (std::size_t i = terms.size(); i-- > 0;) {
      const FlintInteger c(Integer(numerator(Rational(terms[i].second * denominator))));
      fmpz_poly_set_coeff_fmpz(f.f, static_cast<slong>(terms[i].first), c);
    }
    fmpz_poly_cyclotomic(modulus.f, x.conductor());
    fmpz_poly_rem(f.f, f.f, modulus.f);
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
  return Cyclotomic(form.denominator) * CyclotomicArithmetic::from_integers(
                                            std::move(coefficients), integer_from(r) * integer_from(content));
}

/// The product of the conjugates of x but x itself, and how many there are with x; none where there are so many that
/// polynomials are faster, which give the coefficients bits for each of phi(n) conjugates, however many differ: 250 different
/// ones in Q(zeta_4001) are faster by 19 times.
std::optional<std::pair<Cyclotomic, std::size_t>> product_of_others(const Cyclotomic& x) {
  const Units G = units(x.conductor());
  const std::size_t most = std::max(G.size() / 5, std::size_t{3});
  std::vector<Cyclotomic> others;
  if (!galois_orbit(x.conductor(), G, x, most, [&](Cyclotomic&& y) {
         others.push_back(std::move(y));
       }).complete)
    return std::nullopt;
  Cyclotomic product = 1;
  for (std::size_t i = 1; i < others.size(); ++i) product *= others[i];
  return std::pair{product, others.size()};
}

}  // namespace

Rational Cyclotomic::norm() const {
  const std::uint64_t degree = totient(conductor());
  if (is_rational()) return to_rational();
  if (const auto others = product_of_others(*this))
    return Cyclotomic((*this * others->first).to_rational())
        .power(static_cast<std::int64_t>(degree / others->second))
        .to_rational();
  PowerForm form(*this);
  FlintInteger resultant;
  fmpz_poly_resultant(resultant, form.modulus.f, form.f.f);
  return Rational(integer_from(resultant), pow(form.denominator, static_cast<unsigned>(degree)));
}

Rational Cyclotomic::trace() const {
  const std::uint32_t n = conductor(), phi = static_cast<std::uint32_t>(totient(n));
  Rational result = 0;
  for (const auto& [e, c] : terms()) {
    const std::uint32_t order = n / std::gcd(n, e);  // of zeta^e; its trace is mu(order) phi(n) / phi(order)
    result += c * moebius(order) * static_cast<int>(phi / totient(order));
  }
  return result;
}

Cyclotomic Cyclotomic::inverse() const {
  if (is_zero()) throw DomainError("division by zero: 0 has no inverse");
  if (is_rational()) return Cyclotomic(Rational(1 / to_rational()));
  const Cyclotomic bar = conjugate(), square = *this * bar;
  if (square.is_rational()) return bar * square.inverse();
  if (const auto others = product_of_others(*this)) return others->first * (*this * others->first).inverse();
  return inverse_by_polynomials(*this);
}

}  // namespace intertwine
