// Schur indices: known values, the reference list, laws, and the local indices of cyclotomic algebras against each other.
#include <bit>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "characters/cyclotomic_sections.hpp"
#include "characters/value_field.hpp"
#include "intertwine/characters/class_function.hpp"
#include "intertwine/characters/schur_index.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/sylow.hpp"
#include "support/groups.hpp"
#include "support/paths.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// [dimension, multiplicity, index] of every irreducible representation over Q in the regular one.
using Constituents = std::multiset<std::vector<long>>;

Constituents rational_constituents(const CharacterTable& table) {
  const auto families = galois_families(table);
  const std::vector<SchurIndex> indices = schur_indices(table);
  Constituents result;
  for (std::size_t i = 0; i < table.size(); ++i) {
    REQUIRE(indices[i].undecided.empty());
    REQUIRE(indices[i] == indices[families[i]]);
    if (families[i] != i) continue;
    const long degree = static_cast<long>(table.degree(i)), m = indices[i].index;
    REQUIRE(degree % m == 0);
    const long conjugates = std::count(families.begin(), families.end(), i);
    result.insert({degree * m * conjugates, degree / m, m});
  }
  return result;
}

FiniteGroup c7_c9() { return test_groups::group(16, {"(1,2,3,4,5,6,7)", "(2,3,5)(4,7,6)(8,9,10,11,12,13,14,15,16)"}); }

/// C5 : C8, a generator of C8 acting by an automorphism of this order.
FiniteGroup c5_c8(int order) {
  return test_groups::group(
      13, {"(1,2,3,4,5)", std::string(order == 4 ? "(2,3,5,4)" : "(2,5)(3,4)") + "(6,7,8,9,10,11,12,13)"});
}

}  // namespace

TEST_CASE("Schur indices agree with the reference list", "[characters]") {
  const auto list = nlohmann::json::parse(std::ifstream(test_data() + "/rational_wedderburn.json"));
  REQUIRE(list.size() == 146);
  for (const auto& entry : list) {
    std::vector<Permutation> generators;
    for (const auto& images : entry["generators"]) generators.emplace_back(images.get<std::vector<Point>>());
    CAPTURE(entry["small_group"].dump());
    Constituents expected;
    for (const auto& part : entry["rational_constituents_of_regular"])
      expected.insert(
          {part["dimension"].get<long>(), part["multiplicity"].get<long>(), part["schur_index"].get<long>()});
    CHECK(rational_constituents(
              character_table(FiniteGroup(entry["degree"].get<std::size_t>(), std::move(generators)))) == expected);
  }
}

TEST_CASE("Schur indices of groups that are known", "[characters][quick]") {
  // Ramified at 2 and infinity, at 7 only, at 5 only, at 2 and 3 only.
  const auto q8 = dicyclic_group(2);
  CHECK(rational_constituents(character_table(direct_product({q8, cyclic_group(7)}))).count({24, 1, 2}) == 1);
  CHECK(rational_constituents(character_table(direct_product({q8, cyclic_group(3)}))).count({4, 2, 1}) == 1);
  CHECK(rational_constituents(character_table(c7_c9())).count({36, 1, 3}) == 1);
  CHECK(rational_constituents(character_table(c5_c8(2))).count({16, 1, 2}) == 1);
  CHECK(rational_constituents(character_table(c5_c8(4))).count({8, 2, 2}) == 1);
  const CharacterTable product = character_table(direct_product({q8, dicyclic_group(3)}));
  const SchurIndex index = schur_index(product, 28);
  CHECK(index == SchurIndex{2, 1, {{2, 2}, {3, 2}}, {}});
  CHECK(product.indicator(28) == 1);
  CHECK(schur_indices(product)[28] == index);
  CHECK_THROWS_AS(schur_index(product, 30), DomainError);
  // The division algebra over Q splits over every field of degree 2 that is local at 2 and 3; Q(sqrt(7)) is not at 3.
  const auto sqrt_of = [](int d) {
    return AbelianField::generated_by(
        std::vector<Cyclotomic>{parse_cyclotomic(d == 7    ? "E(28)^3-E(28)^11-E(28)^15+E(28)^19-E(28)^23+E(28)^27"
                                                 : d == -1 ? "E(4)"
                                                           : "E(3)-E(3)^2")});
  };
  CHECK(schur_index_over(sqrt_of(-1), index, product, 28).index == 1);
  CHECK(schur_index_over(sqrt_of(-3), index, product, 28).index == 1);
  CHECK(schur_index_over(sqrt_of(7), index, product, 28) == SchurIndex{2, 1, {{3, 2}}, {}});
  CHECK(schur_index_over(AbelianField(), index, product, 28) == index);
  // The quaternions over Q(sqrt(2)), the generalized quaternion group of order 16: infinite places only.
  const CharacterTable q16 = character_table(dicyclic_group(4));
  CHECK(schur_index(q16, 5) == SchurIndex{2, 2, {}, {}});
  CHECK(division_algebra({2, 2, {}, {}}, 2) == DivisionAlgebra{4, 8});
  CHECK(division_algebra({1, 1, {}, {}}, 6) == DivisionAlgebra{1, 6});
  CHECK_FALSE(division_algebra({1, 1, {}, {{2, 2}}}, 1));
}

TEST_CASE("Schur indices of simple groups and their covers", "[characters][quick]") {
  // [Feit 1983]: of the sporadic groups treated there J2 in degree 336 and McL in 3520 and 4752; SL(2,p) after Janusz 1974.
  const auto above_one = [](const FiniteGroup& G) {
    const CharacterTable table = character_table(G);
    const auto indices = schur_indices(table);
    std::map<long, SchurIndex> result;
    for (std::size_t i = 0; i < table.size(); ++i)
      if (indices[i].index > 1) result[static_cast<long>(table.degree(i))] = indices[i];
    return result;
  };
  using Answer = std::map<long, SchurIndex>;
  CHECK(above_one(test_groups::mathieu24()) == Answer{});
  CHECK(above_one(symmetric_group(9)) == Answer{});
  CHECK(above_one(special_linear_group(2, 5)) ==
        Answer{{2, {2, 2, {}, {}}}, {4, {2, 2, {{3, 2}}, {}}}, {6, {2, 2, {{2, 2}}, {}}}});
  CHECK(above_one(sporadic_group("J2")) == Answer{{336, {2, 1, {{2, 2}, {3, 2}}, {}}}});
}

TEST_CASE("laws of Schur indices", "[characters][quick]") {
  for (const auto& G : {direct_product({dicyclic_group(2), dicyclic_group(3)}), special_linear_group(2, 7),
                        wreath_product(dicyclic_group(2), symmetric_group(2)), c7_c9(), c5_c8(4),
                        direct_product({special_linear_group(2, 3), dicyclic_group(5)})}) {
    CAPTURE(G.name());
    const CharacterTable table = character_table(G);
    const auto indices = schur_indices(table);
    // A cyclic subgroup's trivial character induces a rational character.
    for (std::size_t c = 0; c < table.size(); ++c) {
      const CharacterTable C = character_table(FiniteGroup(G.degree(), {table.classes()[c].representative}));
      const auto m = multiplicities(induction(ClassFunction::constant(C, 1), table));
      for (std::size_t i = 0; i < table.size(); ++i) REQUIRE(m[i] % indices[i].index == 0);
    }
    for (std::size_t i = 0; i < table.size(); ++i) {
      REQUIRE(indices[i] == schur_index(table, i));
      REQUIRE(table.degree(i) % indices[i].index == 0);
      REQUIRE((indices[i].real == 2) == (table.indicator(i) == -1));
      const ValueField F(table.row(i));
      REQUIRE(F.has_roots_of_unity(indices[i].index));  // [Benard & Schacher 1972]
      if (F.has_roots_of_unity(4)) continue;
      std::size_t halves = indices[i].real == 2 ? F.degree() : 0;
      for (const auto& [p, index] : indices[i].finite)
        if (index % 2 == 0) halves += F.primes_above(p);
      REQUIRE(halves % 2 == 0);
    }
  }
}

namespace {

/// Units g_1, g_2, ... modulo n that generate the direct product of cyclic groups of orders e_1, e_2, ..., and an algebra with
/// u_i^e_i = zeta^s_i and u_i u_j = zeta^c_ij u_j u_i for i > j.
struct Presentation {
  std::uint32_t n;
  std::vector<std::uint32_t> g, e, s;
  std::vector<std::vector<std::uint32_t>> c;

  struct Element {
    std::uint32_t exponent;
    std::vector<std::uint32_t> a;
  };
  /// u_i zeta^k u_1^a_1 u_2^a_2 ...
  Element times(std::size_t i, Element x) const {
    std::uint64_t k = std::uint64_t{g[i]} * x.exponent, before = 1;
    for (std::size_t j = 0; j < i; ++j)
      for (std::uint32_t t = 0; t < x.a[j]; ++t) k += before * c[i][j], before = before * g[j] % n;
    if (++x.a[i] == e[i]) x.a[i] = 0, k += before * s[i];
    x.exponent = static_cast<std::uint32_t>(k % n);
    return x;
  }
  CyclotomicAlgebra algebra() const {
    std::map<std::uint32_t, std::vector<std::uint32_t>> words{{1, std::vector<std::uint32_t>(g.size(), 0)}};
    for (std::size_t i = 0; i < g.size(); ++i)
      for (const auto& [j, word] : std::map(words)) {
        std::uint64_t x = j;
        for (std::uint32_t t = 1; t < e[i]; ++t) {
          auto longer = word;
          longer[i] = t;
          words[static_cast<std::uint32_t>(x = x * g[i] % n)] = longer;
        }
      }
    CyclotomicAlgebra A{n, {}, {}};
    for (const auto& [j, word] : words) A.galois.push_back(j);
    for (const auto& [j, word] : words)
      for (const auto& [k, other] : words) {
        Element x{0, other};
        for (std::size_t i = g.size(); i-- > 0;)
          for (std::uint32_t t = 0; t < word[i]; ++t) x = times(i, x);
        A.cocycle.push_back(x.exponent);
      }
    return A;
  }
};

bool is_associative(const CyclotomicAlgebra& A) {
  for (const std::uint32_t j : A.galois)
    for (const std::uint32_t k : A.galois)
      for (const std::uint32_t l : A.galois) {
        const auto jk = static_cast<std::uint32_t>(std::uint64_t{j} * k % A.n);
        const auto kl = static_cast<std::uint32_t>(std::uint64_t{k} * l % A.n);
        if ((A.f(j, k) + A.f(jk, l)) % A.n != (std::uint64_t{j} * A.f(k, l) + A.f(j, kl)) % A.n) return false;
      }
  return true;
}

/// A random algebra of a random 2-group of automorphisms; not always associative.
Presentation random_presentation(std::uint32_t n, Rng& rng) {
  Presentation P{n, {}, {}, {}, {}};
  std::set<std::uint64_t> group{1};
  for (int trial = 0; trial < 12 && P.g.size() < 3; ++trial) {
    const auto g = static_cast<std::uint32_t>(rng.below(n));
    std::set<std::uint64_t> powers{1};
    std::uint64_t x = g;
    if (std::gcd(g, n) != 1) continue;
    for (; x != 1; x = x * g % n) powers.insert(x);
    const bool direct =
        std::count_if(powers.begin(), powers.end(), [&](std::uint64_t y) { return group.count(y) != 0; }) == 1;
    if (g == 1 || !direct || !std::has_single_bit(powers.size()) || group.size() * powers.size() > 16) continue;
    P.g.push_back(g);
    P.e.push_back(static_cast<std::uint32_t>(powers.size()));
    for (const std::uint64_t y : std::set(group))
      for (const std::uint64_t z : powers) group.insert(y * z % n);
  }
  for (std::size_t i = 0; i < P.g.size(); ++i) {
    P.c.emplace_back();
    for (std::size_t j = 0; j < i; ++j) P.c[i].push_back(static_cast<std::uint32_t>(rng.below(n)));
    P.s.push_back(static_cast<std::uint32_t>(rng.below(n)));
  }
  return P;
}

}  // namespace

TEST_CASE("invariants of random cyclotomic algebras add up to 0", "[characters]") {
  auto rng = test_rng();
  std::map<std::uint32_t, int> ramified;
  for (const std::uint32_t n : {8u, 12u, 15u, 16u, 20u, 24u, 28u, 30u, 32u, 40u, 48u, 60u, 65u, 68u, 80u, 84u, 120u})
    for (int trial = 0; trial < 4000; ++trial) {
      CyclotomicAlgebra A = random_presentation(n, rng).algebra();
      const ValueField F(n, A.galois);
      if (F.has_roots_of_unity(4) || !is_associative(A)) continue;
      std::size_t halves = real_index(A) == 2 ? F.degree() : 0;
      ramified[0] += real_index(A) == 2;
      for (const std::uint32_t p : {2u, 3u, 5u, 7u, 13u, 17u}) {
        REQUIRE(primes_above(A, p) == F.primes_above(p));
        if (local_index(A, p) % 2 != 0) continue;
        ++ramified[p];
        halves += F.primes_above(p);
      }
      CAPTURE(n, A.galois, A.cocycle);
      REQUIRE(halves % 2 == 0);
    }
  // The sums are not empty: every kind of place occurs (0 stands for the real ones).
  for (const std::uint32_t p : {0u, 2u, 3u, 5u}) REQUIRE(ramified[p] > 0);
}
