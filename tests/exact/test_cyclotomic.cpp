#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "intertwine/error.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/cyclotomic_inverse.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/exact/sum_text.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

Cyclotomic E(std::uint32_t n, std::int64_t k = 1) { return Cyclotomic::root_of_unity(n, k); }

Cyclotomic random_cyclotomic(Rng& rng, bool rational_coefficients = true) {
  const std::uint32_t orders[] = {1, 3, 4, 5, 7, 8, 9, 12, 15, 16, 20, 21, 24, 25, 30, 36, 45, 60};
  const std::uint32_t n = orders[rng.below(std::size(orders))];
  std::vector<std::pair<std::int64_t, Rational>> terms;
  for (std::uint64_t k = rng.below(5); k > 0; --k) {
    const Integer p = static_cast<int>(rng.below(11)) - 5, q = rational_coefficients ? 1 + rng.below(3) : 1;
    terms.emplace_back(static_cast<std::int64_t>(rng.below(200)) - 100, Rational(p, q));
  }
  return Cyclotomic::from_terms(n, terms);
}

}  // namespace

// Values and forms as GAP 4.12.1 prints them.
TEST_CASE("cyclotomic numbers have the form GAP gives them", "[exact][quick]") {
  const auto [text, form] = GENERATE(table<std::string, std::string>({
      {"E(1)", "1"},
      {"E(2)", "-1"},
      {"E(3)", "E(3)"},
      {"E(6)", "-E(3)^2"},
      {"E(9)", "-E(9)^4-E(9)^7"},
      {"E(10)", "-E(5)^3"},
      {"E(12)", "-E(12)^7"},
      {"E(8)+E(8)^7", "E(8)-E(8)^3"},
      {"E(5)^-1 + E(5)", "E(5)+E(5)^4"},
      {"1+E(3)", "-E(3)^2"},
      {"E(3)+E(3)^2", "-1"},
      {"E(15)", "E(15)"},
      {"1/2*E(4)-1/2*E(4)", "0"},
      {"- 2 * E(8) + 4/6", "2/3-2*E(8)"},
      {"E(7)+E(7)^2+E(7)^4", "E(7)+E(7)^2+E(7)^4"},
      {"E(60)^7", "E(60)^7"},
      {"E(45)^11+E(20)^3", "E(180)^44+E(180)^57+E(180)^177"},
      {"1/2*E(36)^5", "-1/2*E(36)^17-1/2*E(36)^29"},
      {"E(16)^11+E(48)", "E(48)^41"},
      {"E(105)^4", "E(105)^4"},

  }));
  CAPTURE(text);
  const Cyclotomic a = parse_cyclotomic(text);
  CHECK(a == parse_cyclotomic(form));
  CHECK(to_string(a) == form);
  CHECK(parse_cyclotomic(to_string(a)) == a);
}

TEST_CASE("cyclotomic numbers form a field", "[exact][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 300 * test_multiplier(); ++trial) {
    const Cyclotomic a = random_cyclotomic(rng), b = random_cyclotomic(rng), c = random_cyclotomic(rng);
    CAPTURE(to_string(a), to_string(b), to_string(c));
    REQUIRE((a + b) * c == a * c + b * c);
    REQUIRE(a * (b * c) == (a * b) * c);
    REQUIRE(a - b == -(b - a));
    REQUIRE((a - b).is_zero() == (a == b));
    REQUIRE(parse_cyclotomic(to_string(a)) == a);
    REQUIRE((a == b) == (to_string(a) == to_string(b)));
    if (a == b) REQUIRE(a.hash() == b.hash());
    REQUIRE(((a <=> b) == 0) == (a == b));
    REQUIRE((a * b).conjugate() == a.conjugate() * b.conjugate());
    const std::complex<double> x = a.to_complex(), y = b.to_complex(), z = (a * b).to_complex();
    REQUIRE(std::abs(x * y - z) < 1e-9);
    REQUIRE(a.conductor() % 4 != 2);
  }
}

TEST_CASE("inverse, norm and trace", "[exact][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 60 * test_multiplier(); ++trial) {
    const Cyclotomic a = random_cyclotomic(rng, false);
    CAPTURE(to_string(a));
    Cyclotomic product = 1, sum = 0;
    const std::uint32_t n = a.conductor();
    for (std::uint32_t k = 1; k <= n; ++k)
      if (std::gcd(k, n) == 1) product *= a.galois_conjugate(k), sum += a.galois_conjugate(k);
    REQUIRE(Cyclotomic(a.norm()) == product);
    REQUIRE(Cyclotomic(a.trace()) == sum);
    if (!a.is_zero()) {
      REQUIRE(a * a.inverse() == Cyclotomic(1));
      REQUIRE(a.power(-3) * a.power(3) == Cyclotomic(1));
    }
    REQUIRE(a.power(5) == a * a * a * a * a);  // over one denominator, and in every product
  }
  CHECK(parse_cyclotomic("1-E(7)").norm() == 7);
  CHECK_THROWS_AS(Cyclotomic(0).inverse(), DomainError);
}

TEST_CASE("conjugates are the different images, in the order of the exponents that give them", "[exact][quick]") {
  auto rng = test_rng();
  const auto every_image = [](const Cyclotomic& a) {
    std::vector<Cyclotomic> images{a};
    for (std::uint32_t k = 2; k < a.conductor(); ++k)
      if (std::gcd(k, a.conductor()) == 1)
        if (const Cyclotomic b = a.galois_conjugate(k); std::ranges::find(images, b) == images.end())
          images.push_back(b);
    return images;
  };
  for (int trial = 0; trial < 60 * test_multiplier(); ++trial) {
    Cyclotomic a = random_cyclotomic(rng, false);
    CAPTURE(to_string(a));
    REQUIRE(a.conjugates() == every_image(a));
    const std::uint32_t n = a.conductor();  // and of a number in the field fixed by some k
    std::uint32_t k = 1 + static_cast<std::uint32_t>(rng.below(n));
    while (std::gcd(k, n) != 1) k = k % n + 1;
    const Cyclotomic start = a;
    for (Cyclotomic b = start.galois_conjugate(k); b != start; b = b.galois_conjugate(k)) a += b;
    REQUIRE(a.conjugates() == every_image(a));
    if (!a.is_zero()) REQUIRE(a * a.inverse() == Cyclotomic(1));
  }
}

TEST_CASE("inverses of numbers with few conjugates, or many, in large fields", "[exact][quick]") {
  // Q(zeta_45260) has degree 17 280, sqrt(11315) two conjugates.
  const Cyclotomic root = parse_cyclotomic("3-ER(11315)-47890/7");
  CHECK(root.conductor() == 45260);
  CHECK(root.conjugates().size() == 2);
  CHECK(root.inverse() * root == Cyclotomic(1));
  const Rational a = Rational(3) - Rational(47890, 7), norm = a * a - 11315;
  Rational power = 1;
  for (int i = 0; i < 17280 / 2; ++i) power *= norm;
  CHECK(root.norm() == power);
  // No proper subfield: 1 + x + x^3 is prime to the cyclotomic polynomial.
  const Cyclotomic whole = parse_cyclotomic("1+E(211)+E(211)^3");
  CHECK(whole.conjugates().size() == 210);
  CHECK(whole.inverse() * whole == Cyclotomic(1));
  CHECK((whole * whole).norm() == whole.norm() * whole.norm());
}

TEST_CASE("inverses and norms modulo primes", "[exact][quick]") {
  auto rng = test_rng();
  // Squarefree conductors, powers of primes, a prime above 1024, whose transform is by polynomials, and proper
  // subfields.
  for (const std::uint32_t n : {53, 64, 105, 121, 180, 256, 385})
    for (int trial = 0; trial < 2; ++trial) {
      std::vector<std::pair<std::int64_t, Rational>> terms;
      for (std::size_t i = 0; i < 3 + rng.below(4); ++i)
        terms.emplace_back(rng.below(n), Rational(Integer(rng.below(19)) - 9, Integer(1 + rng.below(5))));
      Cyclotomic a = Cyclotomic::from_terms(n, terms);
      if (trial == 1) a += a.conjugate() + Cyclotomic(pow(Integer(10), 20));
      if (a.is_zero()) continue;
      CAPTURE(to_string(a));
      const Cyclotomic b = inverse(a, {});
      REQUIRE(a * b == Cyclotomic(1));
      if (n > 64) continue;  // 1 / b has a bound of phi(n) times as many digits as b
      REQUIRE(inverse(b, {}) == a);
      REQUIRE(norm(a, {}) * norm(b, {}) == 1);
      Cyclotomic product = 1;
      for (const std::uint32_t k : units(a.conductor())) product *= a.galois_conjugate(k);
      REQUIRE(Cyclotomic(norm(a, {})) == product);
    }
  CHECK(norm(parse_cyclotomic("1-E(997)"), {}) == 997);
  CHECK(norm(parse_cyclotomic("1-E(385)"), {}) == 1);
  CHECK(norm(parse_cyclotomic("2-E(127)"), {}) == pow(Integer(2), 127) - 1);
  CHECK(norm(parse_cyclotomic("(1+E(101)+E(101)^3)/2"), {}) ==
        norm(parse_cyclotomic("1+E(101)+E(101)^3"), {}) / pow(Integer(2), 100));
  // 1 + z + z^2 + z^3 = (1 - z^4) / (1 - z) is a unit.
  CHECK(abs(norm(parse_cyclotomic("1+E(211)+E(211)^2+E(211)^3"), {})) == 1);
  for (const std::uint32_t n : {211, 1031}) {
    CAPTURE(n);
    CHECK(inverse(1 + E(n), {}) == (1 - E(n)) * inverse(1 - E(n, 2), {}));
    CHECK(inverse(1 + E(n) + E(n, 3), {}) * (1 + E(n) + E(n, 3)) == Cyclotomic(1));
  }
  CHECK_THROWS_AS(inverse(Cyclotomic(0), {}), DomainError);
}

TEST_CASE("inverses of large fields keep to their limits", "[exact][quick]") {
  const Cyclotomic a = E(7) + E(11) + E(13) + E(17) + 1;
  CHECK_THROWS_AS(inverse(a, Task(1 << 20, 0, {})), LimitError);
  Task stopped(0, 0, {});
  stopped.cancel();
  CHECK_THROWS_AS(inverse(a, stopped), Interrupted);
  CHECK_THROWS_AS(norm(a, stopped), Interrupted);
  const Task pair(0, 0, {}, {}, 2);
  const Cyclotomic b = E(5) + E(7) + E(11) + 1;
  CHECK(inverse(b, pair) == b.inverse());
}

TEST_CASE("powers of every exponent are numbers or refused", "[exact][quick]") {
  constexpr std::int64_t huge = std::int64_t{1} << 62;
  CHECK(E(5).power(huge) == E(5, 4));  // 2^62 = 4 modulo 5
  CHECK(Cyclotomic(-1).power(std::numeric_limits<std::int64_t>::min()) == Cyclotomic(1));
  CHECK(Cyclotomic(Rational(2) / 3).power(-3) == Cyclotomic(Rational(27) / 8));
  CHECK_THROWS_AS((E(5) + Cyclotomic(1)).power(huge + 1), LimitError);
  CHECK_THROWS_AS((E(5) + Cyclotomic(Rational(1) / 3)).power(-huge), LimitError);
  const Task stopped(0, 0, {});
  stopped.cancel();
  CHECK_THROWS_AS(E(5).power(7, stopped), Interrupted);
}

TEST_CASE("conductors are smallest", "[exact][quick]") {
  for (std::uint32_t n = 1; n <= 120; ++n)
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t order = n / std::gcd(n, k);
      CAPTURE(n, k);
      REQUIRE(E(n, k).conductor() == (order % 4 == 2 ? order / 2 : order));
    }
  // Gauss sums: sqrt 5, sqrt -7, sqrt 2.
  CHECK((E(5) + E(5, 4) - E(5, 2) - E(5, 3)).power(2) == Cyclotomic(5));
  CHECK((E(7) + E(7, 2) + E(7, 4) - E(7, 3) - E(7, 5) - E(7, 6)).power(2) == Cyclotomic(-7));
  CHECK((E(8) + E(8, 7)).conductor() == 8);
}

// Numbers with many terms are multiplied as polynomials.
TEST_CASE("products of numbers with many terms", "[exact][quick]") {
  // Gauss: the square of the sum of (k/p) zeta^k is p or -p, as p is 1 or 3 modulo 4.
  for (const std::uint32_t p : {1009U, 1019U}) {
    std::vector<std::int64_t> symbol(p, -1);
    symbol[0] = 0;
    for (std::uint64_t k = 1; k < p; ++k) symbol[k * k % p] = 1;
    const Cyclotomic sum = Cyclotomic::from_coefficients(p, symbol);
    const Rational third(1, 3), large = Rational(Integer(1) << 70, 7);
    const int square = p % 4 == 1 ? static_cast<int>(p) : -static_cast<int>(p);
    CHECK(sum * sum == Cyclotomic(square));
    CHECK((Cyclotomic(third) * sum) * (Cyclotomic(large) * sum) == Cyclotomic(Rational(square) * third * large));
  }
  auto rng = test_rng();
  const auto dense = [&](std::uint32_t n, bool fractions) {
    std::vector<std::pair<std::int64_t, Rational>> terms;
    for (std::int64_t k = 0; k < n; ++k)
      terms.emplace_back(k, Rational(static_cast<int>(rng.below(2001)) - 1000, fractions ? 1 + rng.below(12) : 1));
    return terms;
  };
  for (const auto& [n, m, fractions] : {std::tuple(211U, 211U, false),
                                        {211U, 211U, true},
                                        {360U, 120U, true},
                                        {256U, 256U, false},
                                        {701U, 701U, false}}) {
    const auto left = dense(n, fractions);
    const Cyclotomic b = Cyclotomic::from_terms(m, dense(m, fractions));
    Cyclotomic one_by_one;
    for (const auto& term : left) one_by_one += Cyclotomic::from_terms(n, std::array{term}) * b;
    CAPTURE(n, m, fractions);
    CHECK(Cyclotomic::from_terms(n, left) * b == one_by_one);
    CHECK(b * Cyclotomic::from_terms(n, left) == one_by_one);
  }
  // Different primes below: over one denominator all coefficients would be as long as these together.
  constexpr std::uint32_t n = 1009;
  std::vector<std::pair<std::int64_t, Rational>> terms, few;
  std::uint64_t p = std::uint64_t{1} << 40;
  for (std::int64_t k = 0; k < n; ++k) {
    do ++p;
    while (!is_prime(p));
    terms.emplace_back(k, Rational(1, p));
  }
  for (std::int64_t k = 0; k < 12; ++k) few.emplace_back(k, k + 1);
  Cyclotomic one_by_one;
  for (const auto& term : few)
    one_by_one += Cyclotomic::from_terms(n, std::array{term}) * Cyclotomic::from_terms(n, terms);
  CHECK(Cyclotomic::from_terms(n, few) * Cyclotomic::from_terms(n, terms) == one_by_one);
}

TEST_CASE("signs of real numbers are exact", "[exact][quick]") {
  const Cyclotomic golden = -(E(5, 2) + E(5, 3));  // (1 + sqrt 5) / 2
  // Fibonacci numbers: F_(k+1) - golden F_k alternates in sign and is below golden^-k.
  Integer f = 1, g = 1;
  for (int k = 1; k < 400; ++k) {
    const Cyclotomic difference = Cyclotomic(g) - golden * Cyclotomic(f);
    REQUIRE(difference.sign() == (k % 2 == 0 ? 1 : -1));
    const Integer next = f + g;
    f = g;
    g = next;
  }
  CHECK(compare_real(golden, parse_cyclotomic(
                                 "161803398874989484820458683436563811772/100000000000000000000000000000000000000")) ==
        std::strong_ordering::greater);
  CHECK(compare_real(golden, golden) == std::strong_ordering::equal);
  CHECK_THROWS_AS(E(4).sign(), DomainError);
  CHECK_THROWS_AS(compare_real(1, E(3)), DomainError);
}

TEST_CASE("doubles are correctly rounded", "[exact][quick]") {
  CHECK((E(8) + E(8, 7)).to_complex() == std::complex<double>(0x1.6a09e667f3bcdp0, 0));  // sqrt 2
  CHECK((-(E(5, 2) + E(5, 3))).to_decimal(40).first == "1.618033988749894848204586834365638117720e+00");
  CHECK((-(E(5, 2) + E(5, 3))).to_decimal(40).second == "0.000000000000000000000000000000000000000e+00");
  CHECK(E(4).to_decimal(3) == std::pair<std::string, std::string>("0.00e+00", "1.00e+00"));
  CHECK(E(3).to_decimal(5) == std::pair<std::string, std::string>("-5.0000e-01", "8.6603e-01"));
  CHECK(Cyclotomic(Rational(5, 4)).to_decimal(2).first == "1.2e+00");  // a tie, to even
  CHECK(Cyclotomic(Rational(-999, 1000)).to_decimal(2).first == "-1.0e+00");
  CHECK(Cyclotomic(Rational(1, 300)).to_decimal(1).first == "3e-03");
  CHECK_THROWS_AS(E(4).to_decimal(0), DomainError);
  CHECK(E(3).to_complex() == std::complex<double>(-0.5, 0x1.bb67ae8584caap-1));  // sqrt(3) / 2
  CHECK(Cyclotomic(Rational(1, 3)).to_complex().real() == 1.0 / 3.0);
  CHECK(Cyclotomic(Integer("9007199254740993")).to_complex().real() == 9007199254740992.0);  // a tie, to even
  CHECK(Cyclotomic(Integer("36028797018963970") * 4 + 1).to_complex().real() == 144115188075855881.0);
}

TEST_CASE("coefficients beyond 64 bits", "[exact][quick]") {
  const Cyclotomic a = parse_cyclotomic("4000000000000000000*E(3)+3");
  const Cyclotomic square = a * a;
  CHECK(square == parse_cyclotomic("16000000000000000000000000000000000000*E(3)^2+24000000000000000000*E(3)+9"));
  CHECK(to_string(square) == "23999999999999999991*E(3)+15999999999999999999999999999999999991*E(3)^2");
  CHECK(square * square.inverse() == Cyclotomic(1));
  CHECK(square - square == Cyclotomic(0));
  CHECK((square - parse_cyclotomic("16000000000000000000000000000000000000*E(3)^2")) ==
        parse_cyclotomic("24000000000000000000*E(3)+9"));
}

TEST_CASE("fractions in words are those without a bound", "[exact][quick]") {
  // Times a number beyond 64 bits everything is done with rational numbers; up to there with integers over one denominator, to near their bounds.
  auto rng = test_rng();
  const Cyclotomic large(pow(Integer(10), 40) + 7), one_over = large.inverse();
  for (int trial = 0; trial < 300 * test_multiplier(); ++trial) {
    const auto scale = [&]() -> Cyclotomic {
      return Rational(Integer(1) << static_cast<unsigned>(rng.below(62)),
                      pow(Integer(3), static_cast<unsigned>(rng.below(42))));
    };
    const Cyclotomic a = random_cyclotomic(rng) * scale(), b = random_cyclotomic(rng) * scale();
    CAPTURE(to_string(a), to_string(b));
    REQUIRE((a * large + b * large) * one_over == a + b);
    REQUIRE((a * large - b * large) * one_over == a - b);
    REQUIRE((a * large) * (b * one_over) == a * b);
    REQUIRE((a * large).conjugate() * one_over == a.conjugate());
    REQUIRE(parse_cyclotomic(to_string(a)) == a);
    REQUIRE(a - a == Cyclotomic(0));
    for (const Cyclotomic& x : {a, b, Cyclotomic(a + b)}) {
      const auto terms = x.terms();
      const auto small = x.small_terms();
      const bool integral = std::ranges::all_of(terms, [](const auto& term) {
        return denominator(term.second) == 1 && abs(numerator(term.second)) < Integer(1) << 62;
      });
      REQUIRE(small.has_value() == integral);
      if (!small) continue;
      REQUIRE(small->exponents.size() == terms.size());
      for (std::size_t i = 0; i < terms.size(); ++i)
        REQUIRE((small->exponents[i] == terms[i].first && small->coefficients[i] == terms[i].second));
    }
  }
}

TEST_CASE("text that is no cyclotomic number is refused", "[exact][quick]") {
  const auto [text, position] = GENERATE(table<std::string, std::size_t>({{"", 0},
                                                                          {"E", 1},
                                                                          {"E(", 2},
                                                                          {"E(0)", 2},
                                                                          {"E(3", 3},
                                                                          {"E(3)^", 5},
                                                                          {"1/0", 2},
                                                                          {"1+", 2},
                                                                          {"1 2", 2},
                                                                          {"x", 0},
                                                                          {"E(3)E(3)", 4},
                                                                          {"--1", 1},
                                                                          {"E(-3)", 2},
                                                                          {"1.5", 0},
                                                                          {"sqrt", 4},
                                                                          {"sqrt(", 5},
                                                                          {"sqrt(2", 6},
                                                                          {"sqrt(1+sqrt(2))", 5},
                                                                          {"sqrt(1+E(7))", 5},
                                                                          {"cos(2/5)", 7},
                                                                          {"cos(pi*pi)", 9},
                                                                          {"cos(1/pi)", 8},
                                                                          {"1/(1-1)", 2},
                                                                          {"(1", 2},
                                                                          {"1)", 1},
                                                                          {"tan(pi/5)", 0}}));
  CAPTURE(text);
  try {
    parse_cyclotomic(text);
    FAIL("accepted");
  } catch (const ParseError& e) {
    CHECK(e.position() == position);
  }
}

TEST_CASE("long sums of fractions are read by halves", "[exact][quick]") {
  std::string text;
  Rational whole = 0, part = 0;
  for (int k = 1; k <= 3000; ++k) {
    const bool root = k % 3 == 0;
    (root ? part : whole) += Rational(1, 2 * k + 1);
    text += (k == 1 ? "1/" : "+1/") + std::to_string(2 * k + 1) + (root ? "*E(12)" : "");
  }
  CHECK(parse_cyclotomic(text) == Cyclotomic(whole) + Cyclotomic(part) * E(12));
}

TEST_CASE("numbers that are read ask their task", "[exact][quick]") {
  const Task stopped(0, 0, {});
  stopped.cancel();
  for (const char* text : {"1", "E(5)+E(5)^4", "(1+E(7))*(1-E(7))", "1/(1+E(101))", "sqrt(2+sqrt(2+sqrt(2)))"})
    CHECK_THROWS_AS(parse_cyclotomic(text, stopped), Interrupted);
  CHECK_THROWS_AS(parse_cyclotomic_list("1,2", stopped), Interrupted);

  // Hosts are asked some 200 times a second, and these texts take longer than three questions.
  std::string sum, product = "1";
  for (int k = 0; k < 150'000; ++k) sum += "+1/7";
  for (int k = 0; k < 2'000; ++k) product += "*(1+E(97))";
  for (const std::string& text : {sum, product, std::string("sqrt(2-2*cos(3800*pi/4001))")}) {
    int asked = 0;
    CHECK_THROWS_AS(parse_cyclotomic(text, Task(0, 0, {}, [&] { return ++asked == 3; })), Interrupted);
    CHECK(asked == 3);
  }

  const Task small(std::uint64_t{8} << 20, 0, {});
  CHECK_THROWS_AS(parse_cyclotomic("sqrt(99989)", small), LimitError);  // 99988 terms
  CHECK_THROWS_AS(parse_cyclotomic(sum, small), LimitError);
  CHECK(parse_cyclotomic("sqrt(9973)", small).conductor() == 9973);
}

TEST_CASE("products and inverses of long numbers are counted by their lengths", "[exact][quick]") {
  std::string sum;
  for (int k = 0; k < 316; ++k)
    sum += (k == 0 ? "(" : "+") + std::string(300, '7') + "/" + std::string(300, '9') + std::to_string(k) + "*E(317)^" +
           std::to_string(k);
  sum += ")";
  CHECK(parse_cyclotomic(sum).conductor() == 317);
  CHECK_THROWS_AS(parse_cyclotomic("1/" + sum), LimitError);
  CHECK_THROWS_AS(parse_cyclotomic(sum + "*" + sum), LimitError);
  CHECK(parse_cyclotomic("1/(1+E(317)+E(317)^3)").conductor() == 317);
  CHECK(parse_cyclotomic("(1+" + std::string(300, '7') + "*E(5))/(1+E(5))").conductor() == 5);
}

TEST_CASE("conductors are limited", "[exact][quick]") {
  CHECK_THROWS_AS(parse_cyclotomic("E(99999999999999999999)"), LimitError);
  CHECK_THROWS_AS(parse_cyclotomic("E(99991)+E(99989)"), LimitError);
  CHECK_THROWS_AS(E(99991) * E(99989), LimitError);
  CHECK_THROWS_AS(Cyclotomic::root_of_unity(0), DomainError);
  CHECK_THROWS_AS(E(9).galois_conjugate(3), DomainError);
  CHECK_THROWS_AS(E(9).to_rational(), DomainError);
  CHECK_THROWS_AS(Cyclotomic(Rational(1, 2)).to_integer(), DomainError);
}
