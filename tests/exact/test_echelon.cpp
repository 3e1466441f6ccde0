// One vector at a time against whole matrices, over the fields that there are.
#include "intertwine/exact/echelon.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "intertwine/exact/finite_field.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/exact/prime_field.hpp"
#include "support/random.hpp"

using namespace intertwine;

TEST_CASE("PrimeField computes with residues", "[exact][quick]") {
  Rng rng = test_rng();
  for (const std::uint64_t p : {std::uint64_t{3}, std::uint64_t{65537}, (std::uint64_t{1} << 61) - 1}) {
    const PrimeField field(p);
    const auto residue = [&](const Integer& x) { return static_cast<std::uint64_t>((x % p + p) % p); };
    for (int trial = 0; trial < 200; ++trial) {
      const Integer a = static_cast<std::int64_t>(rng() >> 2), b = -Integer(static_cast<std::int64_t>(rng() >> 2));
      const auto x = field.from(a), y = field.from(b);
      REQUIRE(field.residue(x) == residue(a));
      REQUIRE(field.residue(field.add(x, y)) == residue(a + b));
      REQUIRE(field.residue(field.subtract(x, y)) == residue(a - b));
      REQUIRE(field.residue(field.multiply(x, y)) == residue(a * b));
      if (y != 0) REQUIRE(field.multiply(y, field.inverse(y)) == field.one());
    }
  }
  const PrimeField field(61);
  const auto powers = field.roots_of_unity(12);
  for (std::size_t k = 1; k < 12; ++k) CHECK(powers[k] != field.one());
  CHECK(field.multiply(powers[11], powers[1]) == field.one());
  CHECK(field.symmetric(field.from(std::int64_t{60})) == -1);
  CHECK(modular_roots(2, std::vector<std::uint64_t>{0, 1, 1}) == std::vector<std::uint64_t>{0, 1});
  CHECK(modular_roots(7, std::vector<std::uint64_t>{1, 0, 1}).empty());  // -1 is no square
}

TEST_CASE("factors of polynomials modulo a prime and its powers", "[exact][quick]") {
  using Coefficients = std::vector<std::uint64_t>;
  const std::vector<Integer> f{-10, 1, 0, 0, 0, 1};  // x^5 + x - 10
  const auto reduced = [&](std::uint64_t q) {
    Coefficients result;
    for (const Integer& c : f) result.push_back(static_cast<std::uint64_t>(Integer((c + 10 * Integer(q)) % q)));
    return result;
  };
  const auto product = [](const Coefficients& a, const Coefficients& b, std::uint64_t q) {
    Coefficients result(a.size() + b.size() - 1);
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j)
        result[i + j] = static_cast<std::uint64_t>((static_cast<Wide>(a[i]) * b[j] + result[i + j]) % q);
    return result;
  };
  // (x + 1)^4 x modulo 2, x^5 + x.
  const auto of_two = modular_factors(2, reduced(2));
  REQUIRE(of_two.size() == 2);
  CHECK(of_two[0] == std::pair(Coefficients{0, 1}, 1U));
  CHECK(of_two[1] == std::pair(Coefficients{1, 1}, 4U));
  for (const std::uint64_t p : {2, 3, 5, 7, 11, 13, 1'000'003}) {
    Coefficients all{1};
    for (const auto& [factor, multiplicity] : modular_factors(p, reduced(p))) {
      Coefficients power{1};
      for (unsigned k = 0; k < multiplicity; ++k) power = product(power, factor, p);
      all = product(all, power, p);
      // The lifted factor divides f modulo p^3: what is left by it is 0.
      const std::uint64_t q = p * p * p;
      const Coefficients lifted = lifted_factor(f, p, factor, multiplicity, 3);
      REQUIRE(lifted.size() == power.size());
      for (std::size_t i = 0; i < power.size(); ++i) REQUIRE(lifted[i] % p == power[i]);
      Coefficients rest = reduced(q);
      for (std::size_t k = rest.size(); k-- >= lifted.size();) {
        const Coefficients shifted = product(lifted, {(q - rest[k]) % q}, q);
        for (std::size_t i = 0; i < lifted.size(); ++i)
          rest[k + 1 - lifted.size() + i] = (rest[k + 1 - lifted.size() + i] + shifted[i]) % q;
      }
      REQUIRE(std::ranges::all_of(rest, [](std::uint64_t c) { return c == 0; }));
    }
    CHECK(all == reduced(p));
  }
}

TEST_CASE("roots of polynomials that split are those they were made of", "[exact][quick]") {
  Rng rng = test_rng();
  for (const std::uint64_t p : {std::uint64_t{7}, std::uint64_t{65537}, word_prime(0), (std::uint64_t{1} << 61) - 1}) {
    const PrimeField field(p);
    for (int trial = 0; trial < 200; ++trial) {
      std::vector<PrimeField::Element> polynomial{field.from(static_cast<std::int64_t>(1 + rng.below(6)))};
      std::set<std::uint64_t> expected;
      for (std::uint64_t degree = 1 + rng.below(3); degree > 0; --degree) {
        const auto root = field.from(static_cast<std::int64_t>(trial % 2 == 0 ? rng.below(3) : rng() >> 2));
        expected.insert(field.residue(root));
        polynomial.push_back(0);  // times x - root
        for (std::size_t k = polynomial.size(); k-- > 0;)
          polynomial[k] = field.subtract(k == 0 ? 0 : polynomial[k - 1], field.multiply(root, polynomial[k]));
      }
      std::set<std::uint64_t> found;
      const auto list = roots(field, polynomial);
      for (const auto r : list) found.insert(field.residue(r));
      REQUIRE(found == expected);
      REQUIRE(list.size() == found.size());
    }
  }
}

TEST_CASE("the echelon form of vectors one by one is that of their matrix", "[exact][quick]") {
  Rng rng = test_rng();
  for (int trial = 0; trial < 60; ++trial) {
    const std::uint64_t p = trial % 2 == 0 ? 5 : word_prime(0);
    const PrimeField field(p);
    const std::size_t n = 1 + rng.below(8), m = rng.below(10);
    // Few different rows, so that many depend on others.
    const std::size_t r = rng.below(n + 1);
    const ModularMatrix A = ModularMatrix::random(p, m, r, rng) * ModularMatrix::random(p, r, n, rng);
    IncrementalEchelon echelon(field, n);
    std::vector<std::size_t> pivots;
    const ModularMatrix B = A.transpose(), R = A.echelon(&pivots);
    for (std::size_t i = 0; i < m; ++i) {
      const auto v = field.column(B, i);
      const bool inside = echelon.contains(v);
      REQUIRE(echelon.insert(v) == !inside);
      REQUIRE(echelon.contains(v));
    }
    REQUIRE(echelon.rank() == R.rows());
    echelon.reduce_rows();
    for (std::size_t k = 0; k < echelon.rank(); ++k) {
      const auto row = static_cast<std::size_t>(std::ranges::find(pivots, echelon.pivots()[k]) - pivots.begin());
      REQUIRE(row < pivots.size());
      for (std::size_t j = 0; j < n; ++j) REQUIRE(field.residue(echelon.rows()[k][j]) == R(row, j));
    }
  }
}

TEST_CASE("entries behind the width are coordinates", "[exact][quick]") {
  Rng rng = test_rng();
  const PrimeField field(101);
  constexpr std::size_t n = 6, m = 4;
  std::vector<std::vector<PrimeField::Element>> vectors(m);
  IncrementalEchelon echelon(field, n);
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t j = 0; j < n; ++j) vectors[k].push_back(field.from(static_cast<std::int64_t>(rng.below(101))));
    auto v = vectors[k];
    v.resize(n + m, 0);
    v[n + k] = field.one();
    echelon.insert(std::move(v));
  }
  for (const auto& row : echelon.rows())
    for (std::size_t j = 0; j < n; ++j) {
      PrimeField::Element sum = 0;
      for (std::size_t k = 0; k < m; ++k) sum = field.add(sum, field.multiply(row[n + k], vectors[k][j]));
      REQUIRE(sum == row[j]);
    }
  echelon.truncate(1);
  CHECK(echelon.rank() == 1);
}

TEST_CASE("GaloisField is a field whose elements are powers of one", "[exact][quick]") {
  for (const std::uint32_t q : {2, 3, 4, 7, 8, 9, 25, 27, 49}) {
    INFO(q);
    const GaloisField field(q);
    std::uint32_t power = 1, order = 0;
    do power = field.multiply(power, field.primitive_element()), ++order;
    while (power != 1);
    REQUIRE(order == q - 1);
    for (std::uint32_t a = 0; a < q; ++a) {
      REQUIRE(field.add(a, field.negative(a)) == 0);
      if (a != 0) {
        REQUIRE(field.multiply(a, field.inverse(a)) == 1);
        REQUIRE(field.power(field.logarithm(a)) == a);
        REQUIRE(field.logarithm(a) < order);
      }
      REQUIRE(field.power(a, 0) == 1);
      REQUIRE(field.power(a, 3) == field.multiply(a, field.multiply(a, a)));
      REQUIRE(field.power(a, q) == a);
      std::uint32_t multiple = 0;
      for (std::uint32_t k = 0; k < field.characteristic(); ++k) multiple = field.add(multiple, a);
      REQUIRE(multiple == 0);
      for (std::uint32_t b = 0; b < q; ++b)
        for (std::uint32_t c = 0; c < q; c += 3) {
          REQUIRE(field.multiply(a, field.add(b, c)) == field.add(field.multiply(a, b), field.multiply(a, c)));
          REQUIRE(field.add(a, field.add(b, c)) == field.add(field.add(a, b), c));
        }
    }
  }
}
