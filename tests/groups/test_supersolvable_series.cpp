// Chief series with factors of prime order: against GAP, words of elements, large groups that nobody lists.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "intertwine/groups/supersolvable_series.hpp"
#include "support/paths.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

nlohmann::json data(const std::string& file) { return nlohmann::json::parse(std::ifstream(test_data() + "/" + file)); }

Permutation product_of(const SupersolvableSeries& series, const SupersolvableSeries::Word& word, std::size_t degree) {
  Permutation g = Permutation::identity(degree);
  for (const auto& x : word) g = g * series.generator(x.generator).power(x.exponent);
  return g;
}

/// Prime indices that multiply to |G|, normal subgroups, words that are the elements.
void check_series(const FiniteGroup& G, const SupersolvableSeries& series, Rng& rng) {
  Integer order = 1;
  for (std::size_t i = 0; i < series.length(); ++i) {
    const Permutation& h = series.generator(i);
    REQUIRE(G.contains(h));
    REQUIRE(SupersolvableSeries::depth(series.word(h)) == i + 1);
    REQUIRE(SupersolvableSeries::depth(series.word(h.power(series.prime(i)))) <= i);
    for (const Permutation& s : G.generators())
      REQUIRE(SupersolvableSeries::depth(series.word(s * h * s.inverse())) == i + 1);
    order *= series.prime(i);
  }
  REQUIRE(order == G.order());
  for (int k = 0; k < 5; ++k) {
    const Permutation g = G.random_element(rng);
    const auto word = series.word(g);
    REQUIRE(product_of(series, word, G.degree()) == g);
    std::vector<int> used(series.length(), 0);
    for (const auto& x : word) {
      REQUIRE((x.exponent > 0 && x.exponent < series.prime(x.generator)));
      REQUIRE(++used[x.generator] == 1);
    }
  }
}

}  // namespace

TEST_CASE("exactly the supersolvable groups have a series", "[supersolvable][quick]") {
  auto rng = test_rng();
  const auto expected = data("supersolvable_groups.json");
  std::size_t yes = 0, no = 0;
  for (const auto& g : data("groups.json")) {
    const auto at = expected.find(g["name"]);
    if (at == expected.end()) continue;
    CAPTURE(g["name"]);
    std::vector<Permutation> generators;
    for (const auto& text : g["generators"])
      generators.push_back(parse_permutation(text.get<std::string>(), g["degree"]));
    const FiniteGroup G(g["degree"], generators);
    const auto series = SupersolvableSeries::find(G);
    REQUIRE(series.has_value() == at->get<bool>());
    ++(series ? yes : no);
    if (series) check_series(G, *series, rng);
  }
  REQUIRE(yes == 67);
  REQUIRE(no == 120);
}

TEST_CASE("a series depends on the group, not on its generators", "[supersolvable][quick]") {
  auto rng = test_rng();
  for (const FiniteGroup& G : {dihedral_group(30), direct_product({cyclic_group(12), dihedral_group(9)}),
                               wreath_product(cyclic_group(3), cyclic_group(3))}) {
    for (int k = 0; k < 5; ++k) {
      std::vector<Permutation> generators;
      for (int j = 0; j < 6; ++j) generators.push_back(G.random_element(rng));
      const FiniteGroup H(G.degree(), generators);  // G or a subgroup, supersolvable as well
      const auto series = SupersolvableSeries::find(H);
      REQUIRE(series);
      check_series(H, *series, rng);
    }
  }
  // Nearly supersolvable: A4 and the like beside a group that is.
  CHECK_FALSE(SupersolvableSeries::find(direct_product({alternating_group(4), dihedral_group(15)})));
  CHECK_FALSE(SupersolvableSeries::find(direct_product({cyclic_group(7), symmetric_group(4)})));
  CHECK_FALSE(SupersolvableSeries::find(wreath_product(cyclic_group(2), cyclic_group(3))));
  const auto trivial = SupersolvableSeries::find(cyclic_group(1));
  REQUIRE(trivial);
  CHECK(trivial->length() == 0);
}

TEST_CASE("series of groups too large to list", "[supersolvable][quick]") {
  auto rng = test_rng();
  FiniteGroup P = cyclic_group(2);  // Sylow 2-subgroups of symmetric groups: 2^(2^k - 1) elements
  for (int k = 1; k < 6; ++k) {
    const FiniteGroup next = wreath_product(P, cyclic_group(2));
    P = FiniteGroup(next.degree(), next.generators());
  }
  REQUIRE(P.degree() == 64);
  const auto of_P = SupersolvableSeries::find(P);
  REQUIRE(of_P);
  REQUIRE(of_P->length() == 63);
  check_series(P, *of_P, rng);
  // A large prime, and p - 1 with several prime factors: x -> a x + b modulo 1009.
  std::vector<Point> shift(1009), times(1009);
  for (Point x = 0; x < 1009; ++x) shift[x] = (x + 1) % 1009, times[x] = x * 11 % 1009;  // 11 is a primitive root
  const FiniteGroup A(1009, {Permutation(shift), Permutation(times)});
  REQUIRE(A.order() == 1009 * 1008);
  const auto of_A = SupersolvableSeries::find(A);
  REQUIRE(of_A);
  check_series(A, *of_A, rng);
}
