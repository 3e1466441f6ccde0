#include "intertwine/exact/abelian_field.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <set>

#include "exact/random_field_matrix.hpp"
#include "intertwine/error.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

AbelianField field(const char* text) {
  const Cyclotomic x = parse_cyclotomic(text);
  return AbelianField::generated_by({&x, 1});
}

Cyclotomic value(const std::vector<Integer>& polynomial, const Cyclotomic& x) {
  Cyclotomic result;
  for (std::size_t i = polynomial.size(); i-- > 0;) result = result * x + Cyclotomic(polynomial[i]);
  return result;
}

/// The degree by definition: different images under all of (Z/n)^*.
std::size_t number_of_conjugates(const AbelianField& K) { return K.generator().conjugates().size(); }

}  // namespace

TEST_CASE("known fields: names, degrees, conductors, generators", "[exact][quick]") {
  struct Known {
    const char *number, *name, *generator;
    std::size_t degree;
    std::uint32_t conductor;
    bool real;
  };
  const Known table[] = {
      {"3/7", "Q", "0", 1, 1, true},
      {"E(5)+E(5)^4", "Q(sqrt(5))", "-E(5)^2-E(5)^3", 2, 5, true},
      {"E(8)", "Q(E(8))", "E(8)", 4, 8, false},
      {"E(8)-E(8)^3", "Q(sqrt(2))", "E(8)-E(8)^3", 2, 8, true},
      {"E(8)+E(8)^3", "Q(sqrt(-2))", "E(8)+E(8)^3", 2, 8, false},
      {"5-2*E(4)", "Q(i)", "E(4)", 2, 4, false},
      {"E(6)", "Q(E(3))", "E(3)", 2, 3, false},
      {"E(7)+E(7)^2+E(7)^4", "Q(sqrt(-7))", "-E(7)^3-E(7)^5-E(7)^6", 2, 7, false},
      {"E(7)+E(7)^6", "Q(E(7)+E(7)^6)", "E(7)+E(7)^6", 3, 7, true},
      {"E(10)", "Q(E(5))", "E(5)", 4, 5, false},
      {"E(12)^7-E(12)^11", "Q(sqrt(3))", nullptr, 2, 12, true},
      {"E(24)+E(24)^23", nullptr, nullptr, 4, 24, true},
      {"E(9)^2+E(9)^7", nullptr, nullptr, 3, 9, true},
      {"E(15)+E(15)^4", nullptr, nullptr, 4, 15, false},
  };
  for (const Known& known : table) {
    CAPTURE(known.number);
    const AbelianField K = field(known.number);
    CHECK(K.degree() == known.degree);
    CHECK(K.conductor() == known.conductor);
    CHECK(K.is_real() == known.real);
    CHECK(K.is_rational() == (known.degree == 1));
    if (known.name != nullptr) CHECK(K.to_string() == known.name);
    if (known.generator != nullptr) CHECK(K.generator() == parse_cyclotomic(known.generator));
    CHECK(K.contains(parse_cyclotomic(known.number)));
  }
  // (1 + sqrt 5)/2 is positive, and so is sqrt 2.
  CHECK(field("E(5)+E(5)^4").generator().sign() > 0);
  CHECK(field("E(8)-E(8)^3").generator().power(2) == Cyclotomic(2));
  CHECK(field("E(8)-E(8)^3").generator().sign() > 0);
}

TEST_CASE("generators, minimal polynomials and automorphisms by definition", "[exact][quick]") {
  std::vector<AbelianField> fields;
  for (std::uint32_t n = 1; n <= 40; ++n) {
    fields.push_back(AbelianField::cyclotomic(n));
    fields.push_back(fields.back().real_subfield());
    // The fields of all periods of one generator.
    for (std::uint32_t k = 2; k < n; ++k) {
      if (std::gcd(k, n) != 1) continue;
      Cyclotomic sum = Cyclotomic::root_of_unity(n);
      for (std::uint64_t e = k; e != 1; e = e * k % n) sum += Cyclotomic::root_of_unity(n, static_cast<long>(e));
      fields.push_back(AbelianField::generated_by({&sum, 1}));
      const Cyclotomic shifted = sum * sum + Cyclotomic::root_of_unity(4);
      fields.push_back(AbelianField::generated_by({&shifted, 1}));
    }
  }
  std::set<std::string> names;
  for (const AbelianField& K : fields) {
    if (!names.insert(K.to_string()).second) continue;
    CAPTURE(K.to_string());
    CHECK(number_of_conjugates(K) == K.degree());
    CHECK((K.is_rational() ? 1 : K.generator().conductor()) == K.conductor());
    CHECK(K.automorphisms().size() == K.degree());
    CHECK(K.automorphisms()[0] == 1);
    CHECK(std::ranges::is_sorted(K.automorphisms()));
    CHECK(K.minimal_polynomial().size() == K.degree() + 1);
    CHECK(K.minimal_polynomial().back() == 1);
    CHECK(value(K.minimal_polynomial(), K.generator()).is_zero());
    CHECK(K.is_real() == K.generator().is_real());
    CHECK(AbelianField::generated_by({&K.generator(), 1}) == K);
    std::set<Cyclotomic> images;
    for (const std::uint32_t k : K.automorphisms()) images.insert(K.generator().galois_conjugate(k));
    CHECK(images.size() == K.degree());
  }
  CHECK(names.size() > 100);
}

TEST_CASE("coordinates and elements are inverse to each other", "[exact][quick]") {
  auto rng = test_rng();
  for (const AbelianField& K : test_exact::some_fields()) {
    CAPTURE(K.to_string());
    for (int trial = 0; trial < 10 * test_multiplier(); ++trial) {
      const std::vector<Rational> x = test_exact::random_coordinates(rng, K.degree());
      Cyclotomic by_powers;
      for (std::size_t i = 0; i < K.degree(); ++i)
        by_powers += Cyclotomic(x[i]) * K.generator().power(static_cast<long>(i));
      const Cyclotomic element = K.element(x);
      REQUIRE(element == by_powers);
      REQUIRE(K.contains(element));
      REQUIRE(K.coordinates(element) == x);
      // An element lies in a subfield exactly when the field it generates does.
      const AbelianField F = AbelianField::generated_by({&element, 1});
      REQUIRE(K.contains(F));
      REQUIRE(F.contains(element));
      for (const AbelianField& L : test_exact::some_fields()) REQUIRE(L.contains(element) == L.contains(F));
    }
  }
}

TEST_CASE("composita, subfields and equality", "[exact][quick]") {
  const AbelianField Q, root2 = field("E(8)-E(8)^3"), i = field("E(4)"), zeta8 = AbelianField::cyclotomic(8);
  CHECK(AbelianField::compositum(root2, i) == zeta8);
  CHECK(AbelianField::compositum(field("E(8)+E(8)^3"), root2) == zeta8);
  CHECK(AbelianField::compositum(Q, i) == i);
  CHECK(zeta8.real_subfield() == root2);
  CHECK(i.real_subfield() == Q);
  CHECK(AbelianField::cyclotomic(5).real_subfield() == field("E(5)+E(5)^4"));
  CHECK(AbelianField::cyclotomic(30) == AbelianField::cyclotomic(15));
  CHECK(AbelianField::cyclotomic(2) == Q);
  CHECK(root2 != i);
  CHECK(zeta8.contains(root2));
  CHECK_FALSE(root2.contains(zeta8));
  CHECK_FALSE(root2.contains(field("E(8)+E(8)^3")));
  // Q(i, sqrt 5) has the real subfield Q(sqrt 5), of smaller conductor.
  const AbelianField both = AbelianField::compositum(i, field("E(5)+E(5)^4"));
  CHECK(both.degree() == 4);
  CHECK(both.conductor() == 20);
  CHECK(both.real_subfield() == field("E(5)+E(5)^4"));
  for (const AbelianField& K : test_exact::some_fields())
    for (const AbelianField& L : test_exact::some_fields()) {
      CAPTURE(K.to_string(), L.to_string());
      const AbelianField KL = AbelianField::compositum(K, L);
      CHECK(KL.contains(K));
      CHECK(KL.contains(L));
      const Cyclotomic generators[] = {K.generator(), L.generator()};
      CHECK(KL == AbelianField::generated_by(generators));
      CHECK((K == L) == (K.contains(L) && L.contains(K)));
      CHECK((K == L) == (K.to_string() == L.to_string()));
    }
}

TEST_CASE("split primes: the roots are those of the minimal polynomial, embedded alike", "[exact][quick]") {
  for (const AbelianField& K : test_exact::some_fields()) {
    CAPTURE(K.to_string());
    std::set<std::uint64_t> primes;
    for (std::size_t k = 0; k < 3; ++k) {
      const AbelianField::SplitPrime prime = K.split_prime(k);
      CHECK(primes.insert(prime.p).second);
      CHECK(prime.p % K.conductor() == 1 % K.conductor());
      CHECK(prime.p > std::uint64_t{1} << 58);
      CHECK(prime.p < std::uint64_t{1} << 59);
      CHECK(std::set(prime.roots.begin(), prime.roots.end()).size() == K.degree());
      const auto evaluate = [&](const std::vector<Integer>& f, std::uint64_t at) {
        Integer sum = 0;
        for (std::size_t i = f.size(); i-- > 0;) sum = (sum * at + f[i]) % prime.p;
        return sum;
      };
      for (std::size_t e = 0; e < K.degree(); ++e) {
        CHECK(evaluate(K.minimal_polynomial(), prime.roots[e]) == 0);
        // The conjugate of a under automorphism e, as a polynomial in a, takes root 0 to root e.
        const std::vector<Rational> at = K.coordinates(K.generator().galois_conjugate(K.automorphisms()[e]));
        std::vector<Integer> polynomial;
        Integer common = 1;
        for (const Rational& c : at) common = lcm(common, denominator(c));
        for (const Rational& c : at) polynomial.push_back(numerator(c) * (common / denominator(c)));
        CHECK((evaluate(polynomial, prime.roots[0]) - common * prime.roots[e]) % prime.p == 0);
      }
    }
  }
}

TEST_CASE("large fields, and requests that are refused", "[exact][quick]") {
  CHECK(AbelianField::cyclotomic(1009).degree() == 1008);
  const AbelianField real = AbelianField::cyclotomic(101).real_subfield();
  CHECK(real.degree() == 50);
  CHECK(real.coordinates(real.generator())[1] == 1);
  CHECK_THROWS_AS(AbelianField::cyclotomic(0), DomainError);
  CHECK_THROWS_AS(AbelianField::cyclotomic(1'000'001), LimitError);
  CHECK_THROWS_AS(AbelianField::cyclotomic(999'983), LimitError);
  CHECK_THROWS_AS(AbelianField::cyclotomic(9973).real_subfield(), LimitError);
  CHECK_THROWS_AS(AbelianField::compositum(AbelianField::cyclotomic(1009), AbelianField::cyclotomic(1013)), LimitError);
  CHECK_THROWS_AS(field("E(5)+E(5)^4").coordinates(Cyclotomic::root_of_unity(5)), DomainError);
  CHECK_THROWS_AS(field("E(5)+E(5)^4").coordinates(Cyclotomic::root_of_unity(8)), DomainError);
  CHECK_THROWS_AS(AbelianField().coordinates(Cyclotomic::root_of_unity(3)), DomainError);
  const std::vector<Rational> three(3);
  CHECK_THROWS_AS(AbelianField::cyclotomic(5).element(three), DomainError);
  CHECK_THROWS_AS(AbelianField().element({}), DomainError);
}
