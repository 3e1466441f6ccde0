// Solves norm equations in cyclic extensions.
#include "intertwine/exact/norm_equation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/exact/echelon.hpp"
#include "intertwine/exact/finite_field.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/exact/prime_field.hpp"

namespace intertwine {

namespace {

using Complex = std::complex<double>;

/// Numbers tried at most, and primes of degree 1 beyond their number: a combination that is no l-th power passes with
/// probability l^-64.
constexpr std::size_t most_numbers = 600, spare_symbols = 64;
constexpr std::uint64_t least_prime = std::uint64_t{1} << 60;

/// Q(zeta_n) modulo a prime p = 1 mod n: zeta is a root of unity.
class ResidueMap {
 public:
  ResidueMap(std::uint64_t p, std::uint32_t n) : field_(p), powers_(field_.roots_of_unity(n)) {}
  const PrimeField& field() const { return field_; }
  /// The image of x under zeta -> zeta^g; nothing if p divides its denominator.
  std::optional<PrimeField::Element> operator()(const Cyclotomic& x, std::uint64_t g) const {
    const std::uint64_t n = powers_.size(), step = n / x.conductor() * g % n;
    PrimeField::Element sum = 0;
    for (const auto& [e, c] : x.terms()) {
      const PrimeField::Element below = field_.from(Integer(denominator(c)));
      if (below == 0) return std::nullopt;
      PrimeField::Element term = field_.multiply(field_.from(Integer(numerator(c))), powers_[e * step % n]);
      if (below != field_.one()) term = field_.multiply(term, field_.inverse(below));
      sum = field_.add(sum, term);
    }
    return sum;
  }

 private:
  PrimeField field_;
  std::vector<PrimeField::Element> powers_;
};

Integer modulo(const Integer& a, const Integer& m) {
  const Integer r = a % m;
  return r < 0 ? Integer(r + m) : r;
}

Integer inverse_modulo(const Integer& a, const Integer& m) {
  Integer result;
  mpz_invert(result.backend().data(), a.backend().data(), m.backend().data());
  return result;
}

/// One step of Newton's method for a zero of the polynomial modulo m, a power of a prime that does not divide f'(x).
Integer newton(const std::vector<Integer>& f, const Integer& x, const Integer& m) {
  Integer value = 0, slope = 0;
  for (std::size_t i = f.size(); i-- > 0;) {
    slope = modulo(slope * x + value, m);
    value = modulo(value * x + f[i], m);
  }
  return modulo(x - value * inverse_modulo(slope, m), m);
}

/// The number of F whose coordinates z_i / t are smallest with sum z_i a^i = t r modulo q, a having this image.
std::vector<Rational> small_number(std::size_t degree, const Integer& a, const Integer& r, const Integer& q) {
  IntegerMatrix rows(degree + 1, degree + 1);
  rows.set(0, 0, q);
  Integer power = a;
  for (std::size_t i = 1; i < degree; ++i, power = modulo(power * a, q)) {
    rows.set(i, 0, Integer(-power));
    rows.set(i, i, 1L);
  }
  rows.set(degree, 0, r);
  rows.set(degree, degree, 1L);
  const IntegerMatrix reduced = lll(rows);
  std::vector<Rational> coordinates;
  for (std::size_t k = 0; k < reduced.rows() && coordinates.empty(); ++k) {
    const Integer t = reduced(k, degree);
    if (t == 0) continue;
    for (std::size_t i = 0; i < degree; ++i) coordinates.emplace_back(reduced(k, i), t);
  }
  return coordinates;
}

/// Coordinates of x as integers over one denominator.
std::pair<std::vector<Integer>, Integer> integral_coordinates(const AbelianField& F, const Cyclotomic& x) {
  const std::vector<Rational> rational = F.coordinates(x);
  Integer below = 1;
  for (const Rational& c : rational) below = lcm(below, Integer(denominator(c)));
  std::vector<Integer> integral;
  for (const Rational& c : rational) integral.emplace_back(numerator(Rational(c * below)));
  return {std::move(integral), std::move(below)};
}

/// A number of Q(zeta_n) with its images under the embeddings zeta -> zeta^g, g in units(n).
struct Approximate {
  Cyclotomic exact;
  std::vector<Complex> images;
};

/// Numbers of K, those of small norm to Q first.
class SmallNumbers {
 public:
  SmallNumbers(const AbelianField& K, std::uint32_t k, std::uint32_t l, const Task& task)
      : n_(K.conductor()), task_(task), units_(units(n_)), place_(n_ + std::size_t{1}) {
    for (std::size_t i = 0; i < units_.size(); ++i) place_[units_[i]] = i;
    for (std::uint64_t power = 1, i = 0; i < l; ++i, power = power * k % n_) relative_.push_back(power);
    std::set<Cyclotomic> traces, norms;
    std::vector<std::uint32_t> fixing;  // of K
    for (const std::uint32_t h : units_)
      if (K.generator().galois_conjugate(h) == K.generator()) fixing.push_back(h);
    for (std::uint32_t j = 0; j < n_; ++j) {
      Cyclotomic trace = 0, norm = 1;
      for (const std::uint32_t h : fixing) {
        const Cyclotomic root = Cyclotomic::root_of_unity(n_, std::int64_t{j} * h);
        trace += root;
        norm *= 1 - root;
      }
      traces.insert(trace);
      norms.insert(norm);
    }
    for (const Cyclotomic& t : traces) add(t), traces_.push_back(approximate(t));
    for (const Cyclotomic& u : norms) add(u);
    add_sums(static_cast<int>(traces_.front().images.size()) <= 4 ? 12 : 3);
  }

  std::vector<Cyclotomic> take(std::size_t most) {
    std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.size < b.size; });
    std::vector<Cyclotomic> result;
    for (const Found& x : found_)
      if (result.size() < most) result.push_back(exact(x));
    return result;
  }

 private:
  /// a + b t_i + c t_j, or number i of those given if all three are 0.
  struct Found {
    double size;
    int a, b, c;
    std::size_t i, j;
  };
  static constexpr std::size_t most_found = 40'000;

  Cyclotomic exact(const Found& x) const {
    if (x.a == 0 && x.b == 0 && x.c == 0) return given_[x.i];
    return Cyclotomic(x.a) + Cyclotomic(x.b) * traces_[x.i].exact + Cyclotomic(x.c) * traces_[x.j].exact;
  }
  Approximate approximate(const Cyclotomic& x) const {
    Approximate result{x, {}};
    const double angle = 2 * std::numbers::pi / n_;
    for (const std::uint64_t g : units_) {
      Complex sum = 0;
      for (const auto& [e, c] : x.terms())
        sum +=
            c.convert_to<double>() * std::polar(1.0, angle * static_cast<double>(n_ / x.conductor() * e % n_ * g % n_));
      result.images.push_back(sum);
    }
    return result;
  }
  /// Keeps the number unless its relative norm was seen before.
  void keep(const std::vector<Complex>& images, Found x) {
    double logarithm = 0;
    Complex norm = 1;
    for (const Complex& z : images) {
      if (std::abs(z) < 1e-9) return;
      logarithm += std::log(std::abs(z));
    }
    for (const std::uint64_t r : relative_) norm *= images[place_[r]];
    if (!seen_.emplace(std::llround(norm.real() * 1e6), std::llround(norm.imag() * 1e6)).second) return;
    x.size = std::round(logarithm * 1e6);
    found_.push_back(x);
  }
  void add(const Cyclotomic& x) {
    if (x.is_zero()) return;
    keep(approximate(x).images, {0, 0, 0, 0, given_.size(), 0});
    given_.push_back(x);
  }
  /// a + b t + c t' with coefficients up to the bound; those with both t and t' as long as there is room.
  void add_sums(int bound) {
    std::vector<Complex> images(units_.size());
    const auto sum = [&](int a, int b, int c, std::size_t i, std::size_t j) {
      for (std::size_t g = 0; g < images.size(); ++g)
        images[g] = static_cast<double>(a) + static_cast<double>(b) * traces_[i].images[g] +
                    static_cast<double>(c) * traces_[j].images[g];
      keep(images, {0, a, b, c, i, j});
    };
    for (std::size_t i = 0; i < traces_.size(); ++i)
      for (int a = 0; a <= bound; ++a)
        for (int b = -bound; b <= bound; ++b)
          if (std::gcd(a, b) == 1) sum(a, b, 0, i, i);
    for (std::size_t i = 0; i < traces_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        task_.poll();
        if (found_.size() > most_found) return;
        for (int a = 0; a <= 2; ++a)
          for (int b = -1; b <= 1; b += 2) sum(a, b, 1, i, j);
      }
  }

  std::uint32_t n_;
  const Task& task_;
  std::vector<std::uint32_t> units_;
  std::vector<std::size_t> place_;
  std::vector<std::uint64_t> relative_;  ///< the powers of the automorphism
  std::vector<Approximate> traces_;
  std::vector<Cyclotomic> given_;
  std::set<std::pair<long long, long long>> seen_;
  std::vector<Found> found_;
};

/// The l-th power residue symbols of numbers of F at primes of degree 1, as exponents of one root of unity. The primes need
/// not split in any extension of F: numbers that are l-th powers there are not 1 at all of them.
class Symbols {
 public:
  Symbols(const AbelianField& F, std::uint32_t l, std::size_t count, const Task& task) : F_(F), l_(l), task_(task) {
    const std::uint32_t n = F.conductor();
    const auto splits = [&](std::uint64_t p) {
      return std::gcd(p, std::uint64_t{n}) == 1 &&
             F.generator().galois_conjugate(static_cast<std::int64_t>(p % n)) == F.generator();
    };
    for (Integer least = least_prime; places_.size() * F.degree() < count;) {
      task.poll();
      const std::uint64_t p = prime_with_roots(l, least).value();
      least = Integer(p) + 1;
      if (splits(p)) places_.emplace_back(F, p, l);
    }
  }
  std::size_t size() const { return places_.size() * F_.degree(); }

  /// Nothing if x has no residue that is not 0 at one of the primes.
  std::optional<std::vector<GaloisField::Element>> operator()(const Cyclotomic& x) const {
    task_.poll();
    const auto [integral, below] = integral_coordinates(F_, x);
    std::vector<GaloisField::Element> result;
    for (const Place& place : places_) {
      const PrimeField& field = place.field;
      std::vector<PrimeField::Element> coefficients;
      for (const Integer& c : integral) coefficients.push_back(field.from(c));
      const PrimeField::Element denominator = field.from(below);
      if (denominator == 0) return std::nullopt;
      for (const PrimeField::Element a : place.generator) {
        PrimeField::Element value = 0;
        for (std::size_t i = coefficients.size(); i-- > 0;)
          value = field.add(field.multiply(value, a), coefficients[i]);
        if (value == 0) return std::nullopt;
        value = field.multiply(value, field.power(denominator, l_ - 1));  // x times an l-th power
        const PrimeField::Element symbol = field.power(value, (field.p() - 1) / l_);
        result.push_back(static_cast<GaloisField::Element>(std::find(place.roots.begin(), place.roots.end(), symbol) -
                                                           place.roots.begin()));
      }
    }
    return result;
  }

 private:
  struct Place {
    Place(const AbelianField& F, std::uint64_t p, std::uint32_t l) : field(p), roots(field.roots_of_unity(l)) {
      std::vector<std::uint64_t> polynomial;
      for (const Integer& c : F.minimal_polynomial()) polynomial.push_back(field.residue(field.from(c)));
      for (const std::uint64_t a : modular_roots(p, polynomial)) generator.push_back(field.from(Integer(a)));
      if (generator.size() != F.degree()) throw InternalError("norm equations: a prime does not split");
    }
    PrimeField field;
    std::vector<PrimeField::Element> roots;      ///< the roots of unity
    std::vector<PrimeField::Element> generator;  ///< the images of the generator of F
  };

  const AbelianField& F_;
  std::uint32_t l_;
  const Task& task_;
  std::vector<Place> places_;
};

Cyclotomic relative_norm(const Cyclotomic& a, std::uint32_t k, std::uint32_t l) {
  Cyclotomic norm = 1, image = a;
  for (std::uint32_t i = 0; i < l; ++i) {
    norm *= image;
    image = image.galois_conjugate(k);
  }
  return norm;
}

}  // namespace

AbelianField fixed_field(const AbelianField& K, std::uint32_t k) {
  if (std::gcd(k, K.conductor()) != 1)
    throw DomainError(fmt::format("fixed_field: zeta -> zeta^{} is no automorphism of {}", k, K.to_string()));
  std::vector<Cyclotomic> traces;  // of a basis: they span the field
  Cyclotomic power = 1;
  for (std::size_t i = 0; i < K.degree(); ++i, power *= K.generator()) {
    Cyclotomic trace = power;
    for (Cyclotomic image = power.galois_conjugate(k); image != power; image = image.galois_conjugate(k))
      trace += image;
    traces.push_back(trace);
  }
  return AbelianField::generated_by(traces);
}

std::optional<Cyclotomic> field_root(const AbelianField& F, std::uint32_t l, const Cyclotomic& x, const Task& task) {
  if (x.is_zero()) return x;
  // (r t)^l = x t^l, so that denominators need not be guessed.
  const auto [integral, below] = integral_coordinates(F, x);
  const Integer size = *std::max_element(integral.begin(), integral.end(),
                                         [](const Integer& a, const Integer& b) { return abs(a) < abs(b); });
  const std::size_t m = F.degree(), bits = (msb(Integer(abs(size) + below)) + 1) / l + 8 * m + 32;
  const std::uint64_t p = prime_with_roots(F.conductor(), least_prime).value();
  const ResidueMap map(p, F.conductor());
  const auto image = map(x, 1), generator = map(F.generator(), 1);
  if (!image || *image == 0) return std::nullopt;
  std::vector<std::uint64_t> polynomial(l + std::size_t{1}, 0);
  polynomial[0] = map.field().residue(map.field().negative(*image));
  polynomial[l] = 1;
  // If F has l-th roots of unity, one residue leads to a root if any does.
  for (const std::uint64_t residue : modular_roots(p, polynomial)) {
    Integer q = p, a = map.field().residue(*generator), r = residue;
    while (msb(q) < 2 * (m + 1) * bits) {
      task.poll();
      q *= q;
      if (m > 1) a = newton(F.minimal_polynomial(), a, q);
      Integer value = 0;
      for (std::size_t i = m; i-- > 0;) value = modulo(value * a + integral[i], q);
      std::vector<Integer> f(l + std::size_t{1}, 0);
      f[0] = modulo(-value * inverse_modulo(below, q), q);
      f[l] = 1;
      r = newton(f, r, q);
      const std::vector<Rational> coordinates = small_number(m, a, r, q);
      if (coordinates.empty()) continue;
      const Cyclotomic root = F.element(coordinates);
      if (msb(Integer(abs(numerator(coordinates[0])) + denominator(coordinates[0]))) < 2 * bits && root.power(l) == x)
        return root;
    }
    if (F.contains(Cyclotomic::root_of_unity(l))) break;
  }
  return std::nullopt;
}

std::optional<Cyclotomic> solve_norm_equation(const AbelianField& K, std::uint32_t k, const Cyclotomic& c,
                                              const Task& task) {
  const std::uint32_t n = K.conductor();
  std::uint32_t l = 1;
  Cyclotomic moved = K.generator();
  if (std::gcd(k, n) == 1)
    for (moved = moved.galois_conjugate(k); moved != K.generator(); ++l) moved = moved.galois_conjugate(k);
  if (!is_prime(l))
    throw DomainError(
        fmt::format("solve_norm_equation: zeta -> zeta^{} is no automorphism of {} of prime order", k, K.to_string()));
  const AbelianField F = fixed_field(K, k);
  if (c.is_zero() || !F.contains(c))
    throw DomainError(fmt::format("solve_norm_equation: {} is 0 or not in {}, the field that the automorphism fixes",
                                  to_string(c), F.to_string()));
  const std::vector<Cyclotomic> numbers = SmallNumbers(K, k, l, task).take(most_numbers);
  const Symbols symbols(F, l, numbers.size() + spare_symbols, task);
  const GaloisField field(l);
  auto goal = symbols(c);
  if (!goal) return std::nullopt;
  goal->resize(symbols.size() + numbers.size(), 0);
  IncrementalEchelon<GaloisField> echelon(field, symbols.size());
  std::size_t left = echelon.reduce(*goal);
  for (std::size_t i = 0; i < numbers.size() && left < symbols.size(); ++i) {
    auto v = symbols(relative_norm(numbers[i], k, l));
    if (!v) continue;
    v->resize(symbols.size() + numbers.size(), 0);
    (*v)[symbols.size() + i] = 1;
    if (echelon.insert(std::move(*v))) left = echelon.reduce(*goal);
  }
  if (left < symbols.size()) return std::nullopt;
  // c times the product of the norms to these exponents is an l-th power.
  Cyclotomic power = c, divisor = 1;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (const auto e = static_cast<std::int64_t>((*goal)[symbols.size() + i]); e != 0) {
      power *= relative_norm(numbers[i], k, l).power(e);
      divisor *= numbers[i].power(e);
    }
  const auto root = field_root(F, l, power, task);
  if (!root) return std::nullopt;
  const Cyclotomic a = *root * divisor.inverse();
  if (relative_norm(a, k, l) != c) throw InternalError("solve_norm_equation: the norm of the solution is wrong");
  return a;
}

}  // namespace intertwine
