// Abelian number fields: subfields of cyclotomic ones.
#include "intertwine/exact/abelian_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

#include "exact/abelian_field_data.hpp"
#include "exact/flint_matrix.hpp"
#include "exact/galois_orbit.hpp"
#include "exact/row_reduction.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/exact/prime_field.hpp"
#include "intertwine/exact/square_root.hpp"

namespace intertwine {

namespace {

constexpr std::size_t max_cyclotomic_degree = 10'000;
constexpr std::size_t max_field_degree = 500;  // powers of the generator have coefficients of that many bits

std::uint32_t residue(std::uint64_t k, std::uint32_t n) { return n == 1 ? 1 : static_cast<std::uint32_t>(k % n); }

std::uint32_t common_conductor(std::uint32_t m, std::uint32_t n) {
  const std::uint64_t l = std::lcm<std::uint64_t>(m, n);
  if (l > Cyclotomic::max_conductor)
    throw LimitError(
        fmt::format("abelian field: the conductor {} exceeds the limit of {}", l, Cyclotomic::max_conductor));
  return static_cast<std::uint32_t>(l);
}

[[noreturn]] void refuse_degree(std::size_t limit) {
  throw LimitError(fmt::format("abelian field: the degree exceeds the limit of {}{}", limit,
                               limit == max_field_degree ? " for fields that are not cyclotomic" : ""));
}

std::uint32_t unit_power(std::uint32_t k, std::uint64_t e, std::uint32_t n) {
  std::uint32_t result = 1;
  for (; e > 0; e >>= 1U, k = unit_product(k, k, n))
    if ((e & 1U) != 0) result = unit_product(result, k, n);
  return result;
}

/// Does x have as many images as the group G has elements? A larger stabilizer has an element of prime order, and one
/// test for each subgroup of prime order decides: a handful where x is a root of unity of large order.
bool has_trivial_stabilizer(std::uint32_t n, const Units& G, const Cyclotomic& x) {
  std::vector<std::uint8_t> tested(n + std::size_t{1});
  for (const std::uint64_t p : prime_divisors(G.size()))
    for (const std::uint32_t k : G) {
      if (k == 1 || tested[k] != 0 || unit_power(k, p, n) != 1) continue;
      if (x.galois_conjugate(k) == x) return false;
      for (std::uint32_t power = k; power != 1; power = unit_product(power, k, n)) tested[power] = 1;
    }
  return true;
}

/// The k in G with zeta -> zeta^k fixing x.
Units stabilizer(std::uint32_t n, const Units& G, const Cyclotomic& x) {
  // A test takes O(n) steps. Where Q(zeta_n) itself is too large, so is every field of more than max_field_degree.
  const std::size_t most = totient(n) > max_cyclotomic_degree ? max_field_degree : max_cyclotomic_degree;
  const std::size_t most_tests = std::min(most, std::size_t{2'000'000'000} / n);
  if (G.size() <= most_tests && has_trivial_stabilizer(n, G, x)) return {1};
  GaloisOrbit orbit = galois_orbit(n, G, x, most_tests);
  if (!orbit.complete)
    throw LimitError(fmt::format("abelian field: a field of conductor {} has a degree above the limit", n));
  Units result = orbit.fixing.elements();
  std::ranges::sort(result);
  return result;
}

/// The smallest d with the field fixed by H in Q(zeta_d); H is replaced by its image modulo d.
std::uint32_t reduce_conductor(std::uint32_t n, Units& H) {
  const auto kernel_fixes = [&](std::uint32_t d) {
    for (std::uint32_t k = 1; k < n; k += d)
      if (std::gcd(k, n) == 1 && !std::ranges::binary_search(H, k)) return false;
    return true;
  };
  for (const std::uint64_t prime : prime_divisors(n)) {
    const auto p = static_cast<std::uint32_t>(prime);
    while (n % p == 0 && kernel_fixes(n / p)) {
      n /= p;
      for (std::uint32_t& k : H) k = residue(k, n);
      std::ranges::sort(H);
      H.erase(std::unique(H.begin(), H.end()), H.end());
    }
  }
  return n;
}

/// sum over h in H of zeta_n^(j h).
Cyclotomic period(std::uint32_t n, const Units& H, std::uint32_t j) {
  std::vector<std::int64_t> coefficients(n);
  for (const std::uint32_t h : H) ++coefficients[std::uint64_t{j} * h % n];
  return Cyclotomic::from_coefficients(n, coefficients);
}

/// The least number of every orbit of H on Z/n.
std::vector<std::uint32_t> orbit_representatives(std::uint32_t n, const Units& H) {
  std::vector<std::uint8_t> seen(n);
  std::vector<std::uint32_t> result;
  for (std::uint32_t j = 0; j < n; ++j) {
    if (seen[j] != 0) continue;
    result.push_back(j);
    for (const std::uint32_t h : H) seen[std::uint64_t{j} * h % n] = 1;
  }
  return result;
}

/// d for the quadratic field Q(sqrt d) of this conductor.
std::int64_t radicand(const AbelianField::Data& K) {
  const std::int64_t n = K.conductor, discriminant = K.fixes(K.conductor - 1) ? n : -n;
  return n % 4 == 0 ? discriminant / 4 : discriminant;
}

Cyclotomic quadratic_generator(const AbelianField::Data& K) {
  const Cyclotomic root = square_root(Rational(radicand(K)));
  return K.conductor % 4 == 0 ? root : (Cyclotomic(1) + root) * Cyclotomic(Rational(1, 2));
}

AbelianField::Data::Terms terms_over(std::uint32_t n, const Cyclotomic& x) {
  AbelianField::Data::Terms result;
  const std::uint32_t step = n / x.conductor();
  for (const auto& [e, c] : x.terms()) result.emplace_back(e * step, numerator(c));
  return result;
}

std::vector<Integer> cyclotomic_polynomial(std::uint32_t n) {
  FlintPolynomial polynomial;
  fmpz_poly_cyclotomic(polynomial.f, n);
  std::vector<Integer> result(static_cast<std::size_t>(fmpz_poly_length(polynomial.f)));
  FlintInteger c;
  for (std::size_t i = 0; i < result.size(); ++i) {
    fmpz_poly_get_coeff_fmpz(c, polynomial.f, static_cast<slong>(i));
    result[i] = integer_from(c);
  }
  return result;
}

/// prod (x - root) modulo p.
std::vector<PrimeField::Element> polynomial_with_roots(const PrimeField& field, const AbelianField::SplitPrime& prime) {
  std::vector<PrimeField::Element> f{field.one()};
  for (const std::uint64_t residue : prime.roots) {
    const PrimeField::Element root = field.from(static_cast<std::int64_t>(residue));
    f.push_back(f.back());
    for (std::size_t i = f.size() - 2; i > 0; --i) f[i] = field.subtract(f[i - 1], field.multiply(root, f[i]));
    f[0] = field.negative(field.multiply(root, f[0]));
  }
  return f;
}

/// The minimal polynomial of the generator: its coefficients are sums of products of conjugates, none of which exceeds
/// the sum B of the absolute coefficients of the generator, so they are below (1 + B)^m.
std::vector<Integer> polynomial_of_generator(const AbelianField::Data& K) {
  Integer size = 1;
  for (const auto& [e, c] : K.generator.terms()) size += abs(numerator(c));
  const Integer bound = 2 * Integer(pow(size, static_cast<unsigned>(K.degree())));
  std::vector<Integer> result(K.degree() + 1);
  Integer modulus = 1;
  for (std::size_t k = 0; modulus <= bound; ++k) {
    const AbelianField::SplitPrime prime = K.split_prime(k);
    const PrimeField field(prime.p);
    const auto f = polynomial_with_roots(field, prime);
    const PrimeField::Element inverse = field.inverse(field.from(modulus));
    for (std::size_t i = 0; i < f.size(); ++i)
      result[i] += modulus * field.residue(field.multiply(field.subtract(f[i], field.from(result[i])), inverse));
    modulus *= prime.p;
  }
  for (Integer& c : result)
    if (2 * c > modulus) c -= modulus;
  return result;
}

std::string name_of(const AbelianField::Data& K) {
  if (K.degree() == 1) return "Q";
  if (K.conductor == 4) return "Q(i)";
  if (K.is_cyclotomic()) return fmt::format("Q(E({}))", K.conductor);
  if (K.degree() == 2) return fmt::format("Q(sqrt({}))", radicand(K));
  return fmt::format("Q({})", to_string(K.generator));
}

/// A least positive element of every coset of H in (Z/n)^*.
Units coset_representatives(std::uint32_t n, const Units& H, std::size_t limit) {
  std::vector<std::uint8_t> seen(n + std::size_t{1});
  Units result;
  for (std::uint32_t k = 1; k < std::max(n, 2u); ++k) {
    if (seen[k] != 0 || std::gcd(k, n) != 1) continue;
    if (result.size() == limit) refuse_degree(limit);
    result.push_back(k);
    for (const std::uint32_t h : H) seen[unit_product(k, h, n)] = 1;
  }
  return result;
}

/// The fields made last, so that equal ones share the tables that are made when asked for: some megabytes in degree
/// 500.
class RecentFields {
 public:
  using Field = std::shared_ptr<const AbelianField::Data>;
  /// The field of this conductor fixed by H, or nothing.
  Field find(std::uint32_t conductor, const Units& H) {
    const std::scoped_lock lock(mutex_);
    const auto at =
        std::ranges::find_if(fields_, [&](const Field& K) { return K && K->conductor == conductor && K->fixing == H; });
    if (at == fields_.end()) return nullptr;
    std::rotate(fields_.begin(), at, at + 1);
    return fields_.front();
  }
  void add(Field K) {
    const std::scoped_lock lock(mutex_);
    std::rotate(fields_.begin(), fields_.end() - 1, fields_.end());
    fields_.front() = std::move(K);
  }

 private:
  std::mutex mutex_;
  std::array<Field, 8> fields_;  ///< the one asked for last first
};

RecentFields& recent_fields() {
  static RecentFields fields;
  return fields;
}

/// The field of Q(zeta_n) fixed by H.
std::shared_ptr<const AbelianField::Data> fixed_field(std::uint32_t n, Units H) {
  n = reduce_conductor(n, H);
  if (auto known = recent_fields().find(n, H)) return known;
  auto K = std::make_shared<AbelianField::Data>();
  K->conductor = n;
  K->fixing = std::move(H);
  K->automorphisms =
      coset_representatives(K->conductor, K->fixing, K->is_cyclotomic() ? max_cyclotomic_degree : max_field_degree);
  UnitSubgroup group(K->conductor);
  for (const std::uint32_t h : K->fixing) group.add(h);
  K->generators = group.generators();
  if (K->degree() == 1) {
    K->minimal_polynomial = {0, 1};
  } else if (K->is_cyclotomic()) {
    K->generator = Cyclotomic::root_of_unity(K->conductor);
    K->minimal_polynomial = cyclotomic_polynomial(K->conductor);
  } else if (K->degree() == 2) {
    K->generator = quadratic_generator(*K);
    const Integer d = radicand(*K);
    if (K->conductor % 4 == 0)
      K->minimal_polynomial = {Integer(-d), 0, 1};
    else
      K->minimal_polynomial = {Integer((1 - d) / 4), -1, 1};
  } else {
    // It generates: its component at a character of the Galois group is a Gauss sum, which is 0 only if n/f is not
    // squarefree or not prime to the conductor f of the character; and the characters for which it is not 0 generate
    // all of them, since n is the least common multiple of their conductors.
    K->generator = period(K->conductor, K->fixing, 1);
    K->minimal_polynomial = polynomial_of_generator(*K);
  }
  K->name = name_of(*K);
  recent_fields().add(K);
  return K;
}

/// The traces of zeta_n^k, k = 0, ..., n - 1, from Q(zeta_n) to Q: sums of mu(n/d) d over d dividing n and k.
std::vector<std::int64_t> traces_of_roots(std::uint32_t n) {
  std::vector<std::int64_t> result(n);
  const std::vector<std::uint64_t> primes = prime_divisors(n);
  for (std::uint32_t subset = 0; subset < 1u << primes.size(); ++subset) {
    std::uint32_t d = n;
    std::int64_t sign = 1;
    for (std::size_t i = 0; i < primes.size(); ++i)
      if ((subset >> i & 1) != 0) {
        d /= static_cast<std::uint32_t>(primes[i]);
        sign = -sign;
      }
    for (std::uint32_t k = 0; k < n; k += d) result[k] += sign * d;
  }
  return result;
}

Integer trace_at(const AbelianField::Data::Conversion& table, const AbelianField::Data::Terms& terms, std::uint32_t j) {
  Integer sum = 0;
  const std::size_t n = table.trace.size();
  for (const auto& [e, c] : terms)
    if (const std::int64_t t = table.trace[e >= j ? e - j : e + n - j]; t != 0) sum += c * t;
  return sum;
}

}  // namespace

bool AbelianField::Data::fixes(std::uint64_t k) const {
  return std::ranges::binary_search(fixing, residue(k, conductor));
}

const AbelianField::Data::Conversion& AbelianField::Data::conversion() const {
  if (const Conversion* made = made_.load(std::memory_order_acquire)) return *made;
  const std::scoped_lock lock(mutex_);
  if (conversion_) return *conversion_;
  auto table = std::make_shared<Conversion>();
  table->trace = traces_of_roots(conductor);
  Cyclotomic power = 1;
  for (std::size_t i = 0; i < degree(); ++i, power *= generator) table->powers.push_back(terms_over(conductor, power));
  // Traces at j and h j agree for h in H. They separate the elements of the field, so that some rows are independent.
  const std::vector<std::uint32_t> candidates = orbit_representatives(conductor, fixing);
  IntegerMatrix T(candidates.size(), degree());
  for (std::size_t j = 0; j < candidates.size(); ++j)
    for (std::size_t i = 0; i < degree(); ++i) T.set(j, i, trace_at(*table, table->powers[i], candidates[j]));
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; rows.size() < degree(); ++k) rows = rank_profile(ModularMatrix(word_prime(k), T)).rows;
  for (const std::size_t row : rows) table->exponents.push_back(candidates[row]);
  table->inverse = intertwine::inverse(T.select_rows(rows));
  conversion_ = std::move(table);
  made_.store(conversion_.get(), std::memory_order_release);
  return *conversion_;
}

/// At least so many of them; false if there are fewer.
bool AbelianField::Data::find(PrimesBelow& primes, std::size_t count) const {
  const std::uint64_t n = conductor;
  const Terms terms = terms_over(conductor, generator);
  std::uint64_t p = primes.next / n * n + 1;
  while (primes.found.size() < count) {
    do {
      if (p < primes.least + n) return false;
      p -= n;
    } while (!is_prime(p));
    primes.next = p - 1;
    const PrimeField field(p);
    const std::vector<PrimeField::Element> powers = field.roots_of_unity(n);
    SplitPrime prime{p, {}};
    for (const std::uint32_t g : automorphisms) {
      PrimeField::Element image = 0;
      for (const auto& [e, c] : terms)
        image = field.add(image, field.multiply(field.from(c), powers[std::uint64_t{e} * g % n]));
      prime.roots.push_back(field.residue(image));
    }
    // If two conjugates agree, coordinates cannot be interpolated.
    std::vector<std::uint64_t> sorted = prime.roots;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) == sorted.end()) primes.found.push_back(std::move(prime));
  }
  return true;
}

AbelianField::SplitPrime AbelianField::Data::split_prime(std::size_t k) const {
  if (k >= 1'000'000) throw DomainError(fmt::format("split_prime: number {} of 10^6 primes", k));
  const std::scoped_lock lock(mutex_);
  find(large_, k + 1);
  return large_.found[k];
}

std::optional<AbelianField::SplitPrime> AbelianField::Data::small_split_prime(std::size_t k) const {
  const std::scoped_lock lock(mutex_);
  if (!find(small_, k + 1)) return std::nullopt;
  return small_.found[k];
}

AbelianField::AbelianField() {
  static const std::shared_ptr<const Data> rationals = fixed_field(1, {1});
  data_ = rationals;
}

AbelianField AbelianField::cyclotomic(std::uint32_t n) {
  if (n == 0) throw DomainError("cyclotomic field: Q(E(0)), where E(n) needs n > 0");
  common_conductor(n, 1);
  if (n % 4 == 2) n /= 2;
  return AbelianField(fixed_field(n, {1}));
}

AbelianField AbelianField::generated_by(std::span<const Cyclotomic> numbers) {
  std::vector<const Cyclotomic*> irrational;
  std::uint32_t n = 1;
  for (const Cyclotomic& x : numbers) {
    if (x.is_rational()) continue;
    irrational.push_back(&x);
    n = common_conductor(n, x.conductor());
  }
  if (irrational.empty()) return {};
  const auto less = [](const Cyclotomic* a, const Cyclotomic* b) { return *a < *b; };
  const auto equal = [](const Cyclotomic* a, const Cyclotomic* b) { return *a == *b; };
  std::ranges::sort(irrational, less);
  irrational.erase(std::unique(irrational.begin(), irrational.end(), equal), irrational.end());
  Units H = units(n);
  for (const Cyclotomic* x : irrational)
    if (H.size() > 1) H = stabilizer(n, H, *x);
  return AbelianField(fixed_field(n, std::move(H)));
}

AbelianField AbelianField::compositum(const AbelianField& K, const AbelianField& L) {
  if (K.contains(L)) return K;
  if (L.contains(K)) return L;
  const std::uint32_t n = common_conductor(K.conductor(), L.conductor());
  Units H;
  for (const std::uint32_t k : units(n))
    if (K.data_->fixes(k) && L.data_->fixes(k)) H.push_back(k);
  return AbelianField(fixed_field(n, std::move(H)));
}

AbelianField AbelianField::real_subfield() const {
  if (is_real()) return *this;
  const std::uint32_t n = conductor();
  Units H = data_->fixing;
  for (const std::uint32_t h : data_->fixing) H.push_back(n - h);
  std::ranges::sort(H);
  return AbelianField(fixed_field(n, std::move(H)));
}

std::size_t AbelianField::degree() const { return data_->degree(); }
std::uint32_t AbelianField::conductor() const { return data_->conductor; }
bool AbelianField::is_real() const { return conductor() == 1 || data_->fixes(conductor() - 1); }

bool AbelianField::contains(const Cyclotomic& number) const {
  if (number.is_rational()) return true;
  return conductor() % number.conductor() == 0 &&
         std::ranges::all_of(data_->generators, [&](std::uint32_t h) { return number.galois_conjugate(h) == number; });
}

bool AbelianField::contains(const AbelianField& F) const {
  return data_ == F.data_ ||
         (conductor() % F.conductor() == 0 &&
          std::ranges::all_of(data_->generators, [&](std::uint32_t h) { return F.data_->fixes(h); }));
}

const Cyclotomic& AbelianField::generator() const { return data_->generator; }
const std::vector<Integer>& AbelianField::minimal_polynomial() const { return data_->minimal_polynomial; }
const std::vector<std::uint32_t>& AbelianField::automorphisms() const { return data_->automorphisms; }

std::vector<Rational> AbelianField::coordinates(const Cyclotomic& number) const {
  std::vector<Rational> result(degree());
  if (number.is_rational()) {
    result[0] = number.to_rational();
    return result;
  }
  if (!contains(number))
    throw DomainError(fmt::format("{} is not in the field {}", intertwine::to_string(number), to_string()));
  const std::uint32_t n = conductor(), step = n / number.conductor();
  if (data_->is_cyclotomic()) {
    std::vector<Rational> at(n);
    for (const auto& [e, c] : number.terms()) at[std::size_t{e} * step] = c;
    const std::vector<Integer>& f = minimal_polynomial();
    for (std::size_t e = n; e-- > degree();) {
      if (at[e] == 0) continue;
      for (std::size_t i = 0; i < degree(); ++i)
        if (f[i] != 0) at[e - degree() + i] -= at[e] * f[i];
    }
    std::move(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(degree()), result.begin());
    return result;
  }
  const Data::Conversion& table = data_->conversion();
  Integer denominator_of_all = 1;
  const auto terms = number.terms();
  for (const auto& [e, c] : terms) denominator_of_all = lcm(denominator_of_all, denominator(c));
  Data::Terms integral;
  for (const auto& [e, c] : terms)
    integral.emplace_back(e * step, numerator(c) * (denominator_of_all / denominator(c)));
  std::vector<Integer> traces;
  for (const std::uint32_t j : table.exponents) traces.push_back(trace_at(table, integral, j));
  const IntegerMatrix& N = table.inverse.numerator();
  const Integer divisor = table.inverse.denominator() * denominator_of_all;
  for (std::size_t i = 0; i < degree(); ++i) {
    Integer sum = 0;
    for (std::size_t j = 0; j < traces.size(); ++j)
      if (N.sign(i, j) != 0 && traces[j] != 0) sum += N(i, j) * traces[j];
    result[i] = Rational(sum, divisor);
  }
  return result;
}

Cyclotomic AbelianField::element(std::span<const Rational> coordinates) const {
  if (coordinates.size() != degree())
    throw DomainError(fmt::format("{} coordinates of an element of {}, which has degree {}", coordinates.size(),
                                  to_string(), degree()));
  if (std::ranges::all_of(coordinates.subspan(1), [](const Rational& c) { return c == 0; })) return coordinates[0];
  std::vector<std::pair<std::int64_t, Rational>> terms;
  for (std::size_t i = 0; i < degree(); ++i) {
    if (coordinates[i] == 0) continue;
    if (data_->is_cyclotomic())
      terms.emplace_back(i, coordinates[i]);
    else
      for (const auto& [e, c] : data_->conversion().powers[i]) terms.emplace_back(e, coordinates[i] * c);
  }
  return Cyclotomic::from_terms(conductor(), terms);
}

std::string AbelianField::to_string() const { return data_->name; }

bool operator==(const AbelianField& K, const AbelianField& L) {
  return K.data_ == L.data_ || (K.conductor() == L.conductor() && K.data_->fixing == L.data_->fixing);
}

AbelianField::SplitPrime AbelianField::split_prime(std::size_t k) const { return data_->split_prime(k); }
std::optional<AbelianField::SplitPrime> AbelianField::small_split_prime(std::size_t k) const {
  return data_->small_split_prime(k);
}

}  // namespace intertwine
