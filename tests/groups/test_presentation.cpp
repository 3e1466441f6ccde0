#include "intertwine/groups/presentation.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

#include <catch2/catch.hpp>

#include "groups/named/infinite_quotient.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/homomorphism.hpp"
#include "intertwine/groups/identification.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/group_expression.hpp"
#include "io/expressions/presentation_parser.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

Permutation image(const Word& w, const FiniteGroup& G) {
  Permutation g = Permutation::identity(G.degree());
  for (const std::int32_t x : w) {
    const Permutation& s = G.generators()[static_cast<std::size_t>(std::abs(x)) - 1];
    g = g * (x > 0 ? s : s.inverse());
  }
  return g;
}

}  // namespace

TEST_CASE("finitely presented groups have the orders that are known", "[presentation]") {
  struct Known {
    const char* text;
    long order;
    std::size_t degree;
  };
  // Coxeter and Moser, Generators and relations for discrete groups, 4th edition: (2,3,7;4) is PSL(2,7), (2,3,7;7) of
  // order 1092, (2,5,4;.) ...; Fibonacci groups F(2,5) = C11, F(2,7) = C29 (Johnson); the binary icosahedral group;
  // M11 (Leech).
  const Known known[] = {
      {"<a | a^7>", 7, 7},
      {"<a | a>", 1, 1},
      {"<a,b | a^2, b^3, (a*b)^4>", 24, 4},
      {"<a,b | a^2, b^3, (a*b)^5>", 60, 5},
      {"<s, t | (s*t)^2 = s^3 = t^5>", 120, 24},
      {"<a,b | a^2, b^3, (a*b)^7, [a,b]^4>", 168, 7},
      {"<a,b | a^2, b^3, (ab)^7, (a^-1b^-1ab)^7>", 1092, 14},
      {"<a,b,c,d,e | ab=c, bc=d, cd=e, de=a, ea=b>", 11, 11},
      {"<a,b,c,d,e,f,g | ab=c, bc=d, cd=e, de=f, ef=g, fg=a, ga=b>", 29, 29},
      {"<r,s | r^6, s^2, r^s = r^-1>", 12, 6},
      {"<i,j | i^2 = j^2, i^j = i^-1, i^4>", 8, 8},
      {"<a,b,c | a^11, b^5, c^4, (a^4*c^2)^3, (b*c^2)^2, (a*b*c)^3, b^-1*a*b = a^4, c^-1*b*c = b^2>", 7920, 12},
      {"<a,b | a^3, b^3, (a*b)^3, (a*b^-1)^3>", 27, 9},
  };
  for (const Known& k : known) {
    INFO(k.text);
    const FiniteGroup G = parse_finite_group(k.text);
    CHECK(G.chain().order() == k.order);
    CHECK(FiniteGroup(G.degree(), G.generators()).order() == k.order);
    CHECK(G.degree() == k.degree);
    CHECK(parse_finite_group(G.name()) == G);
  }
  CHECK(identify(parse_finite_group("<a,b | a^2, b^3, (a*b)^4>"))->number == 12);
  CHECK(identify(parse_finite_group("<s, t | (s*t)^2 = s^3 = t^5>"))->number == 5);
}

TEST_CASE("relators hold in the group, words multiply as written", "[presentation]") {
  const Presentation P{{"a", "b"},
                       {{1, 1},
                        {2, 2, 2},
                        {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2},
                        {-1, -2, 1, 2, -1, -2, 1, 2, -1, -2, 1, 2, -1, -2, 1, 2}}};
  const FiniteGroup G = finitely_presented_group(P);
  for (const Word& w : P.relators) CHECK(image(w, G).is_identity());
  CHECK_FALSE(image({1, 2}, G).is_identity());
  // A presentation that is no presentation of its mirror image: a^b = a^4 is another relation than b^a = b^4.
  const FiniteGroup H = parse_finite_group("<a,b | a^11, b^5, a^b = a^4>");
  CHECK(H.order() == 55);
  CHECK(image({-2, 1, 2}, H) == image({1, 1, 1, 1}, H));
}

TEST_CASE("the cosets of a subgroup, and permutation groups presented by what they satisfy", "[presentation]") {
  const Presentation S6{{"a", "b"},
                        {{1, 1, 1, 1, 1, 1},
                         {2, 2},
                         {1, 2, 1, 2, 1, 2, 1, 2, 1, 2},
                         {1, 1, 2, -1, -1, 2, 1, 1, 2, -1, -1, 2},
                         {1, 1, 1, 2, -1, -1, -1, 2, 1, 1, 1, 2, -1, -1, -1, 2},
                         {1, 2, -1, 2, 1, 2, -1, 2, 1, 2, -1, 2}}};
  const FiniteGroup G = finitely_presented_group(S6);
  CHECK(G.order() == 720);
  CHECK(G.degree() == 6);
  const Word all[] = {{1}, {2}};
  CHECK(enumerate_cosets(S6, all).cosets == 1);
  const Word a[] = {{1}};
  CHECK(enumerate_cosets(S6, a).cosets == 120);
  CHECK(enumerate_cosets(S6, {}).cosets == 720);
  // The same with little room: what is dead is swept out, and a table that is too small is refused.
  CHECK(enumerate_cosets(S6, {}, 1500).cosets == 720);
  CHECK_THROWS_AS(enumerate_cosets(S6, {}, 700), LimitError);
}

// The kernel of (2,3,7) on PSL(2,7) is the group of Klein's quartic, a surface of genus 3, with Z^6.
// The space group p6 = (2,3,6) has Z^2. The group of the cube extended by nothing is finite, and has no such
// quotient.
TEST_CASE("infinite groups are told by abelian quotients of normal subgroups of small index", "[presentation]") {
  const auto quotient = [](const char* text) { return infinite_quotient(PresentationParser(text, 0).parse(), {}); };
  const auto klein = quotient("<a,b | a^2, b^3, (a*b)^7>");
  REQUIRE(klein);
  CHECK(klein->index == 168);
  CHECK(klein->rank == 6);
  const auto plane = quotient("<a,b | a^2, b^3, (a*b)^6>");
  REQUIRE(plane);
  CHECK(plane->rank == 2);
  const auto modular = quotient("<a,b | a^2, b^3>");
  REQUIRE(modular);
  CHECK(modular->index == 6);
  CHECK(modular->rank == 2);
  CHECK_FALSE(quotient("<a,b | a^2, b^3, (a*b)^4>"));
  CHECK_FALSE(quotient("<a,b | a^2, b^3, (a*b)^7, [a,b]^4>"));
  CHECK_THROWS_WITH(parse_finite_group("<a,b | a^3, b^3, (a*b)^6, (a*b^2)^4>"),
                    Catch::Contains("the group is infinite") && Catch::Contains("index 24 has Z^4"));
}

TEST_CASE("the ranks of abelian quotients of subgroups of free groups are those of Schreier", "[presentation]") {
  const Presentation free{{"a", "b"}, {}};
  std::size_t actions = 0;
  for_each_small_action(free, 4, 100'000,
                        [&](const CosetTable& table) {
                          CHECK(free_abelian_rank(free, table, {}) == table.cosets + 1);  // k (n - 1) + 1
                          actions += table.cosets == 4;
                          return false;
                        },
                        {});
  CHECK(actions == 26);  // classes of subgroups of index 4 of the free group of rank 2: 1, 3, 7, 26 [OEIS A057005]
}

TEST_CASE("random products of relators and conjugates change nothing", "[presentation]") {
  Rng rng(7);
  const Presentation P{{"a", "b"}, {{1, 1}, {2, 2, 2}, {1, 2, 1, 2, 1, 2, 1, 2, 1, 2}}};
  for (int trial = 0; trial < 20; ++trial) {
    Presentation Q = P;
    for (int k = 0; k < 4; ++k) {
      Word w = Q.relators[rng.below(Q.relators.size())];
      const Word v = Q.relators[rng.below(Q.relators.size())];
      const std::int32_t x = rng.below(2) ? 1 : -2;
      w.insert(w.end(), v.begin(), v.end());
      w.insert(w.begin(), x);
      w.push_back(-x);
      Q.relators.push_back(w);
    }
    CHECK(finitely_presented_group(Q).order() == 60);
  }
}

// Coxeter groups by parabolic subgroups (Humphreys 1990, 2.4: orders), an elementary abelian group and a product of
// cyclic ones.
TEST_CASE("large groups are found on the cosets of large subgroups", "[presentation]") {
  const auto coxeter = [](std::size_t n, const std::vector<std::pair<std::pair<int, int>, int>>& edges) {
    Presentation P;
    for (std::size_t i = 0; i < n; ++i) {
      P.generators.push_back("s" + std::to_string(i + 1));
      P.relators.push_back({static_cast<std::int32_t>(i) + 1, static_cast<std::int32_t>(i) + 1});
    }
    for (int i = 1; i <= static_cast<int>(n); ++i)
      for (int j = i + 1; j <= static_cast<int>(n); ++j) {
        int m = 2;
        for (const auto& [edge, label] : edges)
          if (edge == std::pair(i, j)) m = label;
        Word w;
        for (int k = 0; k < m; ++k) w.insert(w.end(), {i, j});
        P.relators.push_back(w);
      }
    return P;
  };
  const FiniteGroup S10 = finitely_presented_group(coxeter(
      9, {{{1, 2}, 3}, {{2, 3}, 3}, {{3, 4}, 3}, {{4, 5}, 3}, {{5, 6}, 3}, {{6, 7}, 3}, {{7, 8}, 3}, {{8, 9}, 3}}));
  CHECK((S10.order() == 3628800 && S10.degree() == 10));
  const FiniteGroup E7 = finitely_presented_group(
      coxeter(7, {{{1, 2}, 3}, {{2, 3}, 3}, {{3, 4}, 3}, {{4, 5}, 3}, {{5, 6}, 3}, {{3, 7}, 3}}));
  CHECK(E7.order() == 2903040);
  CHECK(FiniteGroup(E7.degree(), E7.generators()).order() == 2903040);
  const FiniteGroup E8 = finitely_presented_group(
      coxeter(8, {{{1, 2}, 3}, {{2, 3}, 3}, {{3, 4}, 3}, {{4, 5}, 3}, {{5, 6}, 3}, {{6, 7}, 3}, {{3, 8}, 3}}));
  CHECK((E8.order() == 696729600 && E8.degree() == 240));  // A4 x A3 alone has index 241920
  const FiniteGroup two = finitely_presented_group(coxeter(20, {}));
  CHECK((two.order() == Integer(1) << 20U && two.degree() == 40));
  const FiniteGroup abelian = parse_finite_group("<a,b,c | a^60, b^100, c^7, [a,b], [a,c], [b,c]>");
  CHECK((abelian.order() == 42000 && abelian.degree() == 167));
  for (const Word& w : coxeter(20, {}).relators) CHECK(image(w, two).is_identity());
}

TEST_CASE("bad presentations are refused in one sentence", "[presentation]") {
  CHECK_THROWS_WITH(parse_finite_group("<a,b | a^2, b^3>"), Catch::Contains("normal subgroup of index 6 has Z^2"));
  CHECK_THROWS_WITH(parse_finite_group("<a,b | a^2>"), Catch::Contains("infinite"));
  CHECK_THROWS_WITH(parse_finite_group("<a,b | [a,b]>"), Catch::Contains("Z^2"));
  CHECK_THROWS_WITH(parse_finite_group("<a,b | a^2, c^2>"), Catch::Contains("'c' is none of the generators"));
  CHECK_THROWS_WITH(parse_finite_group("<a,a | a^2>"), Catch::Contains("twice"));
  CHECK_THROWS_WITH(parse_finite_group("<a,b | a^2, b^3"), Catch::Contains("not closed"));
  CHECK_THROWS_WITH(parse_finite_group("<a,b | a^999999999>"), Catch::Contains("more than"));
  CHECK_THROWS_WITH(parse_finite_group("<a b | a^2>"), Catch::Contains("'|'"));
  CHECK_THROWS_WITH(parse_finite_group("<a | a^>"), Catch::Contains("expected"));
  CHECK_THROWS_WITH(parse_finite_group("<a | (a>"), Catch::Contains("expected ')'"));
  CHECK_THROWS_AS(finitely_presented_group({{}, {}}), DomainError);
  CHECK_THROWS_AS(enumerate_cosets({{"a"}, {{2}}}, {}), DomainError);
  const Task tight(1 << 20, 0, {});
  CHECK_THROWS_AS(parse_finite_group("<a,b | a^2, b^3, (a*b)^7, [a,b]^16>", tight), LimitError);
}
