#include "intertwine/reductive/weight_character.hpp"

#include <catch2/catch.hpp>

#include "intertwine/error.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

LieCharacter irrep(const RootSystem& R, const Weight& w) { return LieCharacter(R, w); }

/// Dimensions with multiplicities, the largest first: "27 10 10 2*8 1".
std::string dimensions(const LieCharacter& chi) {
  std::vector<std::pair<Integer, Integer>> list;
  for (const WeightTerm& term : chi) list.emplace_back(chi.type().dimension(term.weight), term.coefficient);
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return b.first < a.first; });
  std::string text;
  for (const auto& [d, m] : list) text += (text.empty() ? "" : " ") + (m == 1 ? "" : to_string(m) + "*") + to_string(d);
  return text;
}

Weight random_weight(const RootSystem& R, Rng& rng, int most) {
  Weight w(R.rank(), 0);
  for (int k = 0; k < most; ++k) ++w[rng.below(R.rank())];
  return w;
}

const std::vector<std::vector<LieType>> small_types = {
    {{'A', 1}}, {{'A', 2}}, {{'A', 3}}, {{'B', 2}},           {{'B', 3}},           {{'C', 3}},
    {{'D', 4}}, {{'G', 2}}, {{'F', 4}}, {{'A', 2}, {'A', 1}}, {{'B', 2}, {'T', 1}}, {{'A', 1}, {'G', 2}, {'T', 2}}};

}  // namespace

TEST_CASE("tensor products that are in the books", "[reductive][quick]") {
  const RootSystem A2('A', 2), G2('G', 2), E8('E', 8), E6('E', 6), E7('E', 7), D4('D', 4);
  CHECK(dimensions(tensor_product(irrep(A2, {1, 1}), irrep(A2, {1, 1}))) == "27 10 10 2*8 1");
  CHECK(dimensions(tensor_product(irrep(G2, {1, 0}), irrep(G2, {1, 0}))) == "27 14 7 1");
  CHECK(dimensions(tensor_product(irrep(E8, {0, 0, 0, 0, 0, 0, 0, 1}), irrep(E8, {0, 0, 0, 0, 0, 0, 0, 1}))) ==
        "30380 27000 3875 248 1");
  CHECK(dimensions(tensor_product(irrep(E6, {1, 0, 0, 0, 0, 0}), irrep(E6, {0, 0, 0, 0, 0, 1}))) == "650 78 1");
  CHECK(dimensions(tensor_product(irrep(E7, {0, 0, 0, 0, 0, 0, 1}), irrep(E7, {0, 0, 0, 0, 0, 0, 1}))) ==
        "1539 1463 133 1");
  CHECK(dimensions(tensor_product(irrep(D4, {1, 0, 0, 0}), irrep(D4, {0, 0, 1, 0}))) == "56 8");
}

TEST_CASE("weights of irreducible representations", "[reductive][quick]") {
  const RootSystem E8('E', 8), A2('A', 2), G2('G', 2);
  CHECK(dominant_character(E8, {0, 0, 0, 0, 0, 0, 0, 1}).terms() ==
        std::vector<WeightTerm>{{{0, 0, 0, 0, 0, 0, 0, 1}, 1}, {{0, 0, 0, 0, 0, 0, 0, 0}, 8}});
  // 3875: the weights 0, the roots and 2160 more [Bremner, Moody & Patera 1985]
  const DominantCharacter chi = dominant_character(E8, {1, 0, 0, 0, 0, 0, 0, 0});
  CHECK(chi.multiplicity({0, 0, 0, 0, 0, 0, 0, 0}) == 35);
  CHECK(chi.multiplicity({0, 0, 0, 0, 0, 0, 0, 1}) == 7);
  CHECK(chi.multiplicity({0, 0, 0, 0, 0, 0, 1, -1}) == 7);  // any weight of the orbit
  CHECK(chi.dimension() == 3875);
  CHECK(chi.number_of_weights() == 1 + 240 + 2160);
  CHECK(dominant_character(G2, {0, 1}).multiplicity({0, 0}) == 2);
  // Of one string there is no recursion; in a product with another one there is.
  const RootSystem A1('A', 1), twice = parse_root_system("A1 x A1"), charged = parse_root_system("A1 x T1");
  for (int k = 0; k < 9; ++k)
    for (int m = 0; m <= k; ++m) {
      const Integer once = dominant_character(A1, {k}).multiplicity({m});
      CHECK(once == Integer((k - m) % 2 == 0 ? 1 : 0));
      CHECK(once == dominant_character(twice, {k, 0}).multiplicity({m, 0}));
      CHECK(once == dominant_character(charged, {k, -3}).multiplicity({m, -3}));
    }
  CHECK(dominant_character(A1, {100'001}).dimension() == 100'002);
  CHECK(dominant_character(A2, {2, 2}).multiplicity({0, 0}) == 3);
  CHECK(dominant_character(A2, {2, 2}).multiplicity({5, 5}) == 0);
}

TEST_CASE("Freudenthal's weights add up to Weyl's dimension, and give the representation back", "[reductive][quick]") {
  Rng rng = test_rng();
  for (const auto& factors : small_types) {
    const RootSystem R(factors);
    CAPTURE(R.name());
    for (int trial = 0; trial < 2 * test_multiplier(); ++trial) {
      const Weight w = random_weight(R, rng, R.rank() > 3 ? 2 : 3);
      CAPTURE(to_string(w));
      const DominantCharacter weights = dominant_character(R, w);
      CHECK(weights.dimension() == R.dimension(w));
      CHECK(weights.multiplicity(w) == 1);
      CHECK(decompose(weights) == irrep(R, w));
    }
  }
  // Multiplicities beyond 64 bits, and the same of rho by the product of e^(alpha/2) + e^(-alpha/2).
  const RootSystem E6('E', 6);
  CHECK(dominant_character(E6, Weight(6, 1)).dimension() == Integer(1) << 36);
  CHECK(dominant_character(E6, Weight(6, 2)).dimension() == E6.dimension(Weight(6, 2)));
}

TEST_CASE("tensor products: dimensions, commutativity, associativity, duals", "[reductive][quick]") {
  Rng rng = test_rng();
  for (const auto& factors : small_types) {
    const RootSystem R(factors);
    CAPTURE(R.name());
    for (int trial = 0; trial < test_multiplier(); ++trial) {
      const LieCharacter a = irrep(R, random_weight(R, rng, 2)), b = irrep(R, random_weight(R, rng, 2)),
                         c = irrep(R, random_weight(R, rng, 1));
      const LieCharacter ab = tensor_product(a, b);
      CHECK(ab.is_character());
      CHECK(ab.dimension() == a.dimension() * b.dimension());
      CHECK(ab == tensor_product(b, a));
      CHECK(tensor_product(ab, c) == tensor_product(a, tensor_product(b, c)));
      CHECK(ab.dual() == tensor_product(a.dual(), b.dual()));
      CHECK(tensor_product(a, a.dual()).multiplicity(Weight(R.rank(), 0)) == 1);
      CHECK(tensor_product(a + c, b) == ab + tensor_product(c, b));
    }
  }
}

TEST_CASE("type A: weights and Littlewood-Richardson agree", "[reductive][quick]") {
  Rng rng = test_rng();
  for (const int n : {2, 3, 4, 5}) {
    const RootSystem R('A', n);
    for (int trial = 0; trial < 2 * test_multiplier(); ++trial) {
      const LieCharacter a = irrep(R, random_weight(R, rng, 12 / n)), b = irrep(R, random_weight(R, rng, 12 / n));
      CHECK(tensor_product(a, b) == tensor_product_by_weights(a, dominant_character(b)));
    }
  }
  const RootSystem R('A', 4);  // too large for the way of few weights
  const LieCharacter a = irrep(R, {2, 1, 1, 2}), b = irrep(R, {1, 2, 2, 1});
  CHECK(tensor_product(a, b) == tensor_product_by_weights(a, dominant_character(b)));
}

TEST_CASE("long orbits: chains of subgroups agree with dimensions and with the factors exchanged",
          "[reductive][quick]") {
  for (const auto& [type, a, b] : {std::tuple{LieType{'B', 4}, Weight{2, 2, 2, 2}, Weight{2, 3, 2, 1}},
                                   {LieType{'C', 5}, Weight{1, 1, 1, 1, 1}, Weight{1, 1, 0, 1, 2}},
                                   {LieType{'D', 5}, Weight{2, 1, 1, 1, 1}, Weight{2, 2, 1, 1, 1}},
                                   {LieType{'F', 4}, Weight{2, 1, 2, 1}, Weight{1, 2, 1, 2}},
                                   {LieType{'E', 6}, Weight{1, 1, 0, 1, 0, 1}, Weight{0, 1, 1, 1, 0, 1}}}) {
    const RootSystem R({type});
    CAPTURE(R.name());
    const LieCharacter A = irrep(R, a), B = irrep(R, b);
    REQUIRE(dominant_character(A).number_of_weights() > 20'000);
    const LieCharacter product = tensor_product_by_weights(A, dominant_character(B));
    CHECK(product.is_character());
    CHECK(product.dimension() == A.dimension() * B.dimension());
    CHECK(product == tensor_product_by_weights(B, dominant_character(A)));
  }
}

TEST_CASE("powers and Schur functors", "[reductive][quick]") {
  const RootSystem A1('A', 1), A2('A', 2), E8('E', 8), B3('B', 3), E7('E', 7);
  // Invariants of binary forms: the quartic has one of degree 2 and one of degree 3.
  CHECK(symmetric_power(2, irrep(A1, {4})).multiplicity({0}) == 1);
  CHECK(symmetric_power(3, irrep(A1, {4})).multiplicity({0}) == 1);
  CHECK(exterior_power(2, irrep(A1, {4})).multiplicity({0}) == 0);
  CHECK(dimensions(exterior_power(2, irrep(E8, {0, 0, 0, 0, 0, 0, 0, 1}))) == "30380 248");
  CHECK(dimensions(symmetric_power(2, irrep(E8, {0, 0, 0, 0, 0, 0, 0, 1}))) == "27000 3875 1");
  CHECK(dimensions(exterior_power(3, irrep(B3, {0, 0, 1}))) == "48 8");
  CHECK(exterior_power(9, irrep(B3, {0, 0, 1})).size() == 0);
  // The quartic invariant of 56 [Cartan 1894].
  CHECK(symmetric_power(4, irrep(E7, {0, 0, 0, 0, 0, 0, 1})).multiplicity(Weight(7, 0)) == 1);
  // The Schur functors of C^3 are the irreducible representations.
  CHECK(schur_functor({3, 1}, irrep(A2, {1, 0})) == irrep(A2, {2, 1}));
  CHECK(schur_functor({1, 1, 1, 1}, irrep(A2, {1, 0})).size() == 0);
  CHECK(schur_functor({}, irrep(A2, {1, 0})) == irrep(A2, {0, 0}));
  Rng rng = test_rng();
  for (const auto& factors : small_types) {
    const RootSystem R(factors);
    if (R.rank() > 4) continue;
    CAPTURE(R.name());
    const LieCharacter v = irrep(R, random_weight(R, rng, 1)) + irrep(R, random_weight(R, rng, 1));
    const LieCharacter square = tensor_product(v, v);
    CHECK(symmetric_power(2, v) + exterior_power(2, v) == square);
    CHECK(symmetric_power(3, v) + Integer(2) * schur_functor({2, 1}, v) + exterior_power(3, v) ==
          tensor_product(square, v));
    CHECK(schur_functor({2, 1}, v.dual()) == schur_functor({2, 1}, v).dual());
  }
}

TEST_CASE("characters are values with an algebra", "[reductive][quick]") {
  const RootSystem R('A', 2);
  const LieCharacter a(R, std::vector<WeightTerm>{{{0, 1}, 2}, {{1, 0}, 1}, {{0, 1}, -2}});
  CHECK(a == irrep(R, {1, 0}));
  CHECK((a - a).size() == 0);
  CHECK(Integer(3) * a == a + a + a);
  CHECK_FALSE((a - irrep(R, {1, 1})).is_character());
  CHECK((a - irrep(R, {1, 1})).dimension() == -5);
  CHECK(a.dual() == irrep(R, {0, 1}));
  CHECK(decompose(dominant_character(a - irrep(R, {2, 0}))) == a - irrep(R, {2, 0}));
  CHECK(adams(dominant_character(a), 2).terms() == std::vector<WeightTerm>{{{2, 0}, 1}});
}

TEST_CASE("what is no character is refused", "[reductive][quick]") {
  const RootSystem R('A', 2), S('B', 2);
  CHECK_THROWS_WITH(LieCharacter(R, {1, 0, 0}), Catch::Contains("3 labels"));
  CHECK_THROWS_WITH(LieCharacter(R, {-1, 0}), Catch::Contains("not dominant"));
  CHECK_THROWS_WITH(irrep(R, {1, 0}) + irrep(S, {1, 0}), Catch::Contains("A2 and B2"));
  CHECK_THROWS_AS(tensor_product(irrep(R, {1, 0}), irrep(S, {1, 0})), DomainError);
  CHECK_THROWS_AS(dominant_character(R, {0, -1}), DomainError);
  CHECK_THROWS_AS(dominant_character(R, {2'000'000'000, 2'000'000'000}), LimitError);
  CHECK_THROWS_AS(adams(dominant_character(irrep(R, {1, 0})), 0), DomainError);
  CHECK_THROWS_AS(symmetric_power(-1, irrep(R, {1, 0})), DomainError);
  CHECK_THROWS_AS(dominant_character(RootSystem('E', 8), Weight(8, 2), Task(100'000, 0, {})), LimitError);
  const Task stopped;
  stopped.cancel();
  CHECK_NOTHROW(dominant_character(R, {1, 0}, stopped));  // the default Task cannot be cancelled
  const Task cancelled(0, 0, {});
  cancelled.cancel();
  CHECK_THROWS_AS(dominant_character(R, {5, 5}, cancelled), Interrupted);
}
