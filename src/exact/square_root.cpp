// Square roots of cyclotomic numbers.
#include "intertwine/exact/square_root.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "exact/square_part.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

namespace {

/// x + y sqrt(d), d squarefree, and y = 0 with d = 1 for rational numbers.
struct QuadraticNumber {
  Rational x, y;
  Integer d = 1;
  Rational norm() const { return x * x - y * y * d; }
};

std::uint32_t conductor_of_roots(const Integer& n, const Integer& root) {
  if (n > Cyclotomic::max_conductor)
    throw LimitError(fmt::format("sqrt({}): the conductor exceeds the limit of {}", root.str().substr(0, 40),
                                 Cyclotomic::max_conductor));
  return n.convert_to<std::uint32_t>();
}

bool is_one_modulo_four(const Integer& d) { return mpz_fdiv_ui(d.backend().data(), 4) == 1; }

/// sqrt(d), d squarefree: the Gauss sum of the quadratic character of the discriminant D of Q(sqrt d) is sqrt(D), positive
/// or positive times i. [Ireland & Rosen 1990, ch. 6]
Cyclotomic root_of_squarefree(const Integer& d) {
  const bool odd = is_one_modulo_four(d);
  const Integer discriminant = odd ? d : Integer(4 * d);
  const std::uint32_t n = conductor_of_roots(abs(discriminant), d);
  std::vector<std::int64_t> coefficients(n);
  for (std::uint32_t k = 0; k < n; ++k) coefficients[k] = mpz_kronecker_ui(discriminant.backend().data(), k);
  const Cyclotomic sum = Cyclotomic::from_coefficients(n, coefficients);
  return odd ? sum : sum * Cyclotomic(Rational(1, 2));
}

/// Nothing unless a is the square of a rational number; then the one that is not negative.
std::optional<Rational> rational_root(const Rational& a) {
  const Integer p = numerator(a), q = denominator(a);
  if (p < 0) return {};
  const Integer r = sqrt(p), s = sqrt(q);
  if (r * r != p || s * s != q) return {};
  return Rational(r, s);
}

/// Nothing if the degree of a is above 2.
std::optional<QuadraticNumber> quadratic_number(const Cyclotomic& a) {
  if (a.is_rational()) return QuadraticNumber{a.to_rational(), 0, 1};
  std::optional<Cyclotomic> other;
  for (const std::uint64_t k : unit_generators(a.conductor())) {
    const Cyclotomic b = a.galois_conjugate(static_cast<std::int64_t>(k));
    if (b == a) continue;
    if (other ? b != *other : b.galois_conjugate(static_cast<std::int64_t>(k)) != a) return {};
    other = b;
  }
  // The other generators fix a, and with it the other conjugate, or exchange the two, since the group is abelian.
  const Cyclotomic half(Rational(1, 2)), root = (a - *other) * half;
  const Integer conductor = root.conductor(), discriminant = root.is_real() ? conductor : Integer(-conductor);
  const Integer d = is_one_modulo_four(discriminant) ? discriminant : Integer(discriminant / 4);
  const Rational y = root.terms().front().second / root_of_squarefree(d).terms().front().second;
  return QuadraticNumber{((a + *other) * half).to_rational(), y, d};
}

/// An eta outside Q(sqrt d), d > 1 squarefree, with eta^2 in it and eta in a cyclic field of degree 4: the real part, in
/// this sense, of the Gauss sum of a character of order 4 whose square is the quadratic character. Nothing if there is
/// none: a prime 3 modulo 4 divides d.
std::optional<Cyclotomic> cyclic_quartic_root(const Integer& d) {
  const bool even = d % 2 == 0;
  const Integer odd_part = even ? Integer(d / 2) : d;
  const std::uint32_t n = conductor_of_roots(even ? Integer(16 * odd_part) : odd_part, d);
  std::vector<std::uint32_t> logarithm(n);  // of the value of the character, base i
  std::vector<std::uint8_t> unit(n, 1);
  const auto add = [&](std::uint64_t q, const std::vector<std::uint32_t>& logs) {  // 4: no unit
    for (std::uint32_t k = 0; k < n; ++k)
      if (logs[k % q] == 4)
        unit[k] = 0;
      else
        logarithm[k] += logs[k % q];
  };
  if (even) add(16, {4, 0, 4, 3, 4, 1, 4, 2, 4, 2, 4, 1, 4, 3, 4, 0});
  for (const std::uint64_t p : prime_divisors(odd_part.convert_to<std::uint64_t>())) {
    if (p % 4 == 3) return {};
    std::vector<std::uint32_t> logs(p, 4);
    std::uint64_t power = 1;
    for (std::uint32_t j = 0; j + 1 < p; ++j) {
      logs[power] = j % 4;
      power = power * unit_generators(p)[0] % p;
    }
    add(p, logs);
  }
  std::vector<std::int64_t> coefficients(n);
  for (std::uint32_t k = 0; k < n; ++k)
    if (unit[k] != 0) coefficients[k] = logarithm[k] % 4 == 0 ? 1 : logarithm[k] % 4 == 2 ? -1 : 0;
  return Cyclotomic::from_coefficients(n, coefficients);
}

/// The root where the norm of a is the square of c >= 0: sqrt(u) +- sqrt(v) with u, v = (x +- c) / 2, since u v = y^2 d / 4.
Cyclotomic biquadratic_root(const QuadraticNumber& a, const Rational& c) {
  const Rational u = (a.x + c) / 2, v = (a.x - c) / 2;
  const bool both_negative = u < 0;
  const bool minus = (a.y < 0) != both_negative;
  const Cyclotomic first = square_root(u), second = square_root(v);
  if (!minus) return first + second;
  return both_negative ? second - first : first - second;
}

/// The root of r (2 sin(pi k / n))^2, r rational, where a is such a number and n its conductor; nothing otherwise.
std::optional<Cyclotomic> root_by_sines(const Cyclotomic& a, const Task& task) {
  const std::uint32_t n = a.conductor();
  const auto mean = [](const Cyclotomic& b) { return Rational(b.trace() / totient(b.conductor())); };
  const Rational mean_of_a = mean(a);
  const auto root = [](std::uint32_t m, std::uint32_t k) { return Cyclotomic::root_of_unity(m, k); };
  for (std::uint32_t k = 1; 2 * k <= n; ++k) {
    task.poll();
    const Cyclotomic square = Cyclotomic(2) - root(n, k) - root(n, n - k);  // 2 - 2 cos(2 pi k / n)
    const Rational r = mean_of_a / mean(square);                            // of positive conjugates only
    if (Cyclotomic(r) * square != a) continue;
    return square_root(r) * root(4, 3) * (root(2 * n, k) - root(2 * n, 2 * n - k));
  }
  return {};
}

}  // namespace

Cyclotomic square_root(const Rational& a) {
  if (a == 0) return 0;
  const Integer p = numerator(a), q = denominator(a);
  const auto part = square_part(p * q, Cyclotomic::max_conductor);
  if (!part)
    throw LimitError(fmt::format("sqrt({}): the conductor exceeds the limit of {}", a.str().substr(0, 40),
                                 Cyclotomic::max_conductor));
  return Cyclotomic(Rational(part->root, q)) * root_of_squarefree(part->squarefree);
}

std::optional<Cyclotomic> cyclotomic_square_root(const Cyclotomic& a, const Task& task) {
  if (a.is_rational()) return square_root(a.to_rational());
  const auto number = quadratic_number(a);
  if (!number) {
    if (auto root = root_by_sines(a, task)) return root;
    throw DomainError(
        "square roots are taken of rational and quadratic numbers, such as 2/3 and (5+sqrt(5))/8, and of "
        "multiples of 2-2*cos(2*pi*k/n); write others "
        "with E(n)");
  }
  // Q(sqrt a) is Galois if and only if the norm is a square in Q(sqrt d): of a rational number, or d times one.
  if (const auto c = rational_root(number->norm())) return biquadratic_root(*number, *c);
  if (!rational_root(number->norm() / number->d)) return {};
  const auto eta = cyclic_quartic_root(number->d);
  if (!eta) throw InternalError("a norm d c^2 from Q(sqrt d) makes d a sum of two squares");
  // a / eta^2 has a square as its norm, since that of eta^2 is d times a square as well
  const auto square = *quadratic_number(*eta * *eta);
  const Rational norm = square.norm();
  const QuadraticNumber quotient{(number->x * square.x - number->y * square.y * number->d) / norm,
                                 (number->y * square.x - number->x * square.y) / norm, number->d};
  const auto c = rational_root(quotient.norm());
  if (!c) throw InternalError("a quotient of two norms d c^2 is no square");
  const Cyclotomic rest = quotient.y == 0 ? square_root(quotient.x) : biquadratic_root(quotient, *c);
  const Cyclotomic root = *eta * rest;
  const int sign = (root.is_real() ? root : root * Cyclotomic::root_of_unity(4, -1)).sign();
  return sign < 0 ? -root : root;
}

}  // namespace intertwine
