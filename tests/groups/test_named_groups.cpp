// Orders are from the formulas for the families and from the ATLAS of Finite Groups for the sporadic groups.
#include "intertwine/groups/named_groups.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "intertwine/error.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "support/paths.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

Integer power(const Integer& base, unsigned exponent) {
  Integer result = 1;
  for (unsigned i = 0; i < exponent; ++i) result *= base;
  return result;
}

/// |GL(n,q)| = (q^n - 1)(q^n - q) ... (q^n - q^(n-1)).
Integer order_of_gl(unsigned n, unsigned q) {
  Integer result = 1;
  for (unsigned i = 0; i < n; ++i) result *= power(Integer(q), n) - power(Integer(q), i);
  return result;
}

bool is_transitive(const FiniteGroup& G) { return orbits(G.degree(), G.generators()).size() == 1; }

/// The lengths of the orbits of successive stabilizers of the first `count` points.
std::vector<std::size_t> stabilizer_orbits(const FiniteGroup& G, std::size_t count) {
  std::vector<Point> base(count);
  std::iota(base.begin(), base.end(), Point{0});
  const StabilizerChain chain(G.degree(), G.generators(), base);
  std::vector<std::size_t> lengths;
  for (std::size_t k = 0; k < count; ++k) lengths.push_back(chain.orbit(k).size());
  return lengths;
}

/// How many elements have each order.
std::map<int, int> element_orders(const FiniteGroup& G) {
  std::map<int, int> count;
  G.chain().for_each_element([&](const Permutation& g) {
    ++count[static_cast<int>(g.order())];
    return true;
  });
  return count;
}

using Orders = std::map<int, int>;

}  // namespace

TEST_CASE("the order of a large cyclic or dihedral group needs no chain", "[groups][quick]") {
  REQUIRE(cyclic_group(720'720).order() == 720'720);
  REQUIRE(dihedral_group(1'000'000).order() == 2'000'000);
  REQUIRE(dicyclic_group(250'000).order() == 1'000'000);
  REQUIRE(direct_product({cyclic_group(720'720), dicyclic_group(30'000)}).order() == Integer(720'720) * 120'000);
}

TEST_CASE("S_n, A_n, C_n, D_n, Dic_n, B_n have the right orders", "[groups][quick]") {
  for (std::size_t n = 1; n <= 24; ++n) {
    CAPTURE(n);
    const Integer f = factorial(n);
    REQUIRE(symmetric_group(n).order() == f);
    REQUIRE(alternating_group(n).order() == (n == 1 ? Integer(1) : Integer(f / 2)));
    REQUIRE(cyclic_group(n).order() == n);
    REQUIRE(dihedral_group(n).order() == 2 * n);
    REQUIRE(dicyclic_group(n).order() == 4 * n);
    REQUIRE(hyperoctahedral_group(n).order() == power(2, static_cast<unsigned>(n)) * f);
    for (const FiniteGroup& G : {cyclic_group(n), dihedral_group(n), dicyclic_group(n),
                                 direct_product({cyclic_group(n), dihedral_group(5)})}) {
      const FiniteGroup plain(G.degree(), G.generators());  // of which nothing is known
      REQUIRE(G.order() == plain.order());
      REQUIRE(G.chain().order() == plain.order());
      for (Integer rank = 0; rank < G.order(); rank += 7)  // the elements are numbered alike
        REQUIRE(G.chain().unrank(rank) == plain.chain().unrank(rank));
    }
    const FiniteGroup A = alternating_group(n);
    REQUIRE(
        std::all_of(A.generators().begin(), A.generators().end(), [](const Permutation& g) { return g.is_even(); }));
    REQUIRE(dicyclic_group(n).degree() == 4 * n);
    REQUIRE(is_transitive(dicyclic_group(n)));
  }
  REQUIRE(symmetric_group(1'000'000).degree() == 1'000'000);
}

TEST_CASE("semidirect products of cyclic groups have their relations", "[groups][quick]") {
  for (const auto& [n, m, r] :
       {std::array<std::size_t, 3>{7, 3, 2}, {4, 4, 3}, {8, 2, 3}, {1, 5, 0}, {9, 6, 2}, {5, 3, 1}, {13, 4, 5}}) {
    CAPTURE(n, m, r);
    const FiniteGroup G = metacyclic_group(n, m, r);
    CHECK(G.chain().order() == n * m);
    const Permutation &a = G.generators()[0], &b = G.generators()[1];
    for (std::size_t i = 0; i < G.degree(); ++i) {  // b(a(x)) = a^r(b(x))
      Point turned = b(static_cast<Point>(i));
      for (std::size_t k = 0; k < r; ++k) turned = a(turned);
      CHECK(b(a(static_cast<Point>(i))) == turned);
    }
  }
  CHECK_THROWS_AS(metacyclic_group(7, 3, 3), DomainError);
  CHECK_THROWS_AS(metacyclic_group(4, 2, 2), DomainError);
  CHECK_THROWS_AS(metacyclic_group(0, 2, 1), DomainError);
}

TEST_CASE("dicyclic groups have one involution, quaternion groups are named Q", "[groups][quick]") {
  REQUIRE(element_orders(dicyclic_group(2)) == Orders{{1, 1}, {2, 1}, {4, 6}});
  REQUIRE(element_orders(dicyclic_group(3)) == Orders{{1, 1}, {2, 1}, {3, 2}, {4, 6}, {6, 2}});
  REQUIRE(element_orders(dicyclic_group(4)) == Orders{{1, 1}, {2, 1}, {4, 10}, {8, 4}});
  REQUIRE(dicyclic_group(2).name() == "Q8");
  REQUIRE(dicyclic_group(3).name() == "Dic3");
  REQUIRE(element_orders(dihedral_group(4)) == Orders{{1, 1}, {2, 5}, {4, 2}});
  REQUIRE(element_orders(dihedral_group(2)) == Orders{{1, 1}, {2, 3}});
}

TEST_CASE("signed permutations commute with the sign change of all axes", "[groups][quick]") {
  for (std::size_t n = 1; n <= 8; ++n) {
    const FiniteGroup B = hyperoctahedral_group(n);
    std::vector<Point> images(2 * n);
    for (std::size_t i = 0; i < 2 * n; ++i) images[i] = static_cast<Point>((i + n) % (2 * n));
    const Permutation minus_one(images);
    REQUIRE(B.contains(minus_one));
    for (const Permutation& g : B.generators()) REQUIRE(g * minus_one == minus_one * g);
  }
}

TEST_CASE("linear groups have the right orders and orbits", "[groups][quick]") {
  const std::vector<std::pair<unsigned, std::vector<unsigned>>> cases{
      {1, {2, 3, 4, 5, 7, 8, 9, 11, 16, 25, 27, 32, 49, 64, 81, 121, 125, 128}},
      {2, {2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 25, 27}},
      {3, {2, 3, 4, 5, 7}},
      {4, {2, 3, 4}},
      {5, {2}},
      {6, {2}}};
  for (const auto& [n, fields] : cases)
    for (const unsigned q : fields) {
      CAPTURE(n, q);
      const Integer gl = order_of_gl(n, q);
      const Integer sl = gl / (q - 1);
      const Integer vectors = power(Integer(q), n);
      REQUIRE(general_linear_group(n, q).order() == gl);
      REQUIRE(special_linear_group(n, q).order() == sl);
      REQUIRE(projective_general_linear_group(n, q).order() == sl);
      REQUIRE(projective_special_linear_group(n, q).order() == sl / std::gcd(n, q - 1));
      REQUIRE(affine_general_linear_group(n, q).order() == gl * vectors);
      REQUIRE(affine_special_linear_group(n, q).order() == sl * vectors);
      REQUIRE(is_transitive(general_linear_group(n, q)));
      REQUIRE(is_transitive(affine_special_linear_group(n, q)));
      const FiniteGroup G = projective_special_linear_group(n, q);
      REQUIRE(Integer(G.degree()) == (vectors - 1) / (q - 1));
      if (n > 1) REQUIRE(stabilizer_orbits(G, 2) == std::vector<std::size_t>{G.degree(), G.degree() - 1});
    }
}

// The field is pinned by the action of the primitive element: w^2 + w + 2 = 0 in GF(9), w^3 + w + 1 = 0 in
// GF(8).
TEST_CASE("finite fields use the least primitive polynomial", "[groups][quick]") {
  const auto powers = [](unsigned q) {
    const FiniteGroup G = general_linear_group(1, q);
    std::vector<unsigned> list;
    Point x = 0;  // the vector 1
    do {
      list.push_back(x + 1);
      x = G.generators()[0](x);
    } while (x != 0);
    return list;
  };
  REQUIRE(powers(4) == std::vector<unsigned>{1, 2, 3});
  REQUIRE(powers(7) == std::vector<unsigned>{1, 3, 2, 6, 4, 5});
  REQUIRE(powers(8) == std::vector<unsigned>{1, 2, 4, 3, 6, 7, 5});
  REQUIRE(powers(9) == std::vector<unsigned>{1, 3, 7, 8, 2, 6, 5, 4});
  for (const unsigned q : {16U, 243U, 256U, 343U, 1024U, 2187U, 10007U}) REQUIRE(powers(q).size() == q - 1);
}

TEST_CASE("matrices act on column vectors in lexicographic order", "[groups][quick]") {
  const FiniteGroup G = affine_general_linear_group(2, 3);  // (v1, v2) is point 3 v1 + v2
  const auto image = [&](std::size_t k, unsigned v1, unsigned v2) {
    const Point y = G.generators()[k](3 * v1 + v2);
    return std::pair<unsigned, unsigned>(y / 3, y % 3);
  };
  using Pair = std::pair<unsigned, unsigned>;
  REQUIRE(image(0, 1, 2) == Pair{2, 2});  // diag(2, 1)
  REQUIRE(image(1, 1, 2) == Pair{0, 2});  // 1 + E_12
  REQUIRE(image(2, 1, 2) == Pair{1, 1});  // e1 -> e2, e2 -> -e1
  REQUIRE(image(3, 1, 2) == Pair{2, 2});  // + e1
}

TEST_CASE("sporadic groups have the right orders and point stabilizers", "[groups][quick]") {
  const auto [name, degree, order, orbit_lengths] =
      GENERATE(table<const char*, std::size_t, const char*, std::vector<std::size_t>>(
          {{"M11", 11, "7920", {11, 10, 9, 8}},
           {"M12", 12, "95040", {12, 11, 10, 9, 8}},
           {"M22", 22, "443520", {22, 21, 20}},
           {"M23", 23, "10200960", {23, 22, 21, 20}},
           {"M24", 24, "244823040", {24, 23, 22, 21, 20}},
           {"J1", 266, "175560", {266}},
           {"J2", 100, "604800", {100}},
           {"J3", 6156, "50232960", {6156}},
           {"HS", 100, "44352000", {100}},
           {"McL", 275, "898128000", {275}},
           {"Co3", 276, "495766656000", {276, 275}},
           {"Co2", 2300, "42305421312000", {2300}},
           {"Suz", 1782, "448345497600", {1782}},
           {"He", 2058, "4030387200", {2058}},
           {"Ru", 4060, "145926144000", {4060}},
           {"Fi22", 3510, "64561751654400", {3510}}}));
  CAPTURE(name);
  const FiniteGroup G = sporadic_group(name);
  REQUIRE(G.degree() == degree);
  REQUIRE(G.order() == Integer(order));
  REQUIRE(stabilizer_orbits(G, orbit_lengths.size()) == orbit_lengths);
}

// [Conway et al. 1985]
TEST_CASE("actions of low rank have the subdegrees of the ATLAS", "[groups][quick]") {
  const auto [name, subdegrees] =
      GENERATE(table<std::string, std::multiset<std::size_t>>({{"J1", {1, 11, 12, 110, 132}},
                                                               {"J2", {1, 36, 63}},
                                                               {"J3", {1, 85, 120, 510, 680, 1360, 1360, 2040}},
                                                               {"HS", {1, 22, 77}},
                                                               {"McL", {1, 112, 162}},
                                                               {"G2(4)", {1, 100, 315}},
                                                               {"Suz", {1, 416, 1365}},
                                                               {"He", {1, 136, 136, 425, 1360}},
                                                               {"Co2", {1, 891, 1408}},
                                                               {"Fi22", {1, 693, 2816}},
                                                               {"Ru", {1, 1755, 2304}}}));
  CAPTURE(name);
  const FiniteGroup G = name == "G2(4)" ? g2_group(4) : sporadic_group(name);
  const std::vector<Point> base{0};
  const StabilizerChain chain(G.degree(), G.generators(), base);
  std::multiset<std::size_t> found;
  for (const auto& orbit : orbits(G.degree(), chain.stabilizer_generators(1))) found.insert(orbit.size());
  REQUIRE(found == subdegrees);
}

TEST_CASE("the chain of Suzuki: point stabilizers, other names, limits", "[groups][quick]") {
  const FiniteGroup G = g2_group(4), Suz = sporadic_group("Suz");
  CHECK(G.degree() == 416);
  CHECK(G.order() == 251'596'800);
  CHECK(G.name() == "G2(4)");
  CHECK(Suz.order() == G.order() * Suz.degree());
  CHECK(G.order() == sporadic_group("J2").order() * G.degree());
  CHECK_THROWS_WITH(g2_group(6), "G2(6): the field size 6 is not a power of a prime");
  CHECK_THROWS_AS(sporadic_group("Co1"), DomainError);
  const Task stopped(0, 0, {});
  stopped.cancel();
  CHECK_THROWS_AS(sporadic_group("Suz", stopped), Interrupted);
}

TEST_CASE("M24 has 759 octads, a Steiner system, and M23 fixes infinity", "[groups][quick]") {
  const FiniteGroup M24 = sporadic_group("M24");
  std::set<std::vector<Point>> octads{{0, 1, 2, 3, 4, 7, 10, 12}};
  std::vector<std::vector<Point>> queue(octads.begin(), octads.end());
  while (!queue.empty()) {
    const std::vector<Point> octad = queue.back();
    queue.pop_back();
    for (const Permutation& g : M24.generators()) {
      std::vector<Point> image;
      for (const Point x : octad) image.push_back(g(x));
      std::sort(image.begin(), image.end());
      if (octads.insert(image).second) queue.push_back(image);
    }
  }
  REQUIRE(octads.size() == 759);
  for (const auto& a : octads)
    for (const auto& b : octads) {
      std::vector<Point> common;
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
      const bool allowed = common.size() == 0 || common.size() == 2 || common.size() == 4 || a == b;
      if (!allowed) FAIL("two octads meet in " << common.size() << " points");
    }
  const FiniteGroup M23 = sporadic_group("M23");
  for (const Permutation& g : M23.generators()) {
    std::vector<Point> images(g.images().begin(), g.images().end());
    images.push_back(23);
    REQUIRE(M24.contains(Permutation(images)));
  }
  const FiniteGroup M12 = sporadic_group("M12");
  const FiniteGroup M11 = sporadic_group("M11");
  for (const Permutation& g : M11.generators()) {
    std::vector<Point> images(g.images().begin(), g.images().end());
    images.push_back(11);
    REQUIRE(M12.contains(Permutation(images)));
  }
}

TEST_CASE("Weyl groups have the right orders, roots and Coxeter relations", "[groups][quick]") {
  struct Case {
    char type;
    unsigned rank;
    std::size_t roots;
    Integer order;
  };
  std::vector<Case> cases{{'E', 6, 72, 51840}, {'E', 7, 126, 2903040}, {'E', 8, 240, 696729600}, {'F', 4, 48, 1152},
                          {'G', 2, 12, 12},    {'H', 3, 30, 120},      {'H', 4, 120, 14400}};
  for (unsigned n = 1; n <= 9; ++n) {
    const std::size_t m = n;
    cases.push_back({'A', n, m * (m + 1), factorial(n + 1)});
    if (n >= 2) cases.push_back({'B', n, 2 * m * m, power(2, n) * factorial(n)});
    if (n >= 2) cases.push_back({'C', n, 2 * m * m, power(2, n) * factorial(n)});
    if (n >= 3) cases.push_back({'D', n, 2 * m * (m - 1), power(2, n - 1) * factorial(n)});
  }
  for (const Case& c : cases) {
    CAPTURE(c.type, c.rank);
    const FiniteGroup W = weyl_group(c.type, c.rank);
    REQUIRE(W.degree() == c.roots);
    REQUIRE(W.order() == c.order);
    REQUIRE(W.generators().size() == c.rank);
    const std::size_t N = c.roots / 2;
    int edges = 0;
    for (std::size_t i = 0; i < c.rank; ++i) {
      const Permutation& s = W.generators()[i];
      REQUIRE(s.order() == 2);
      REQUIRE(s(static_cast<Point>(i)) == i + N);
      for (std::size_t k = 0; k < N; ++k)
        REQUIRE((s(static_cast<Point>(k)) + N) % (2 * N) == s(static_cast<Point>(k + N)));
      for (std::size_t j = 0; j < i; ++j) edges += (s * W.generators()[j]).order() > 2 ? 1 : 0;
    }
    REQUIRE(edges == static_cast<int>(c.rank) - 1);  // a connected diagram without cycles
  }
  const FiniteGroup H4 = weyl_group('H', 4);
  REQUIRE((H4.generators()[0] * H4.generators()[1]).order() == 5);
  const FiniteGroup F4 = weyl_group('F', 4);
  REQUIRE((F4.generators()[1] * F4.generators()[2]).order() == 4);
}

TEST_CASE("polyhedral point groups are what they should be", "[groups][quick]") {
  const auto [symbol, degree, orders] = GENERATE(
      table<const char*, std::size_t, Orders>({{"T", 4, {{1, 1}, {2, 3}, {3, 8}}},
                                               {"Td", 4, {{1, 1}, {2, 9}, {3, 8}, {4, 6}}},
                                               {"Th", 6, {{1, 1}, {2, 7}, {3, 8}, {6, 8}}},
                                               {"O", 6, {{1, 1}, {2, 9}, {3, 8}, {4, 6}}},
                                               {"Oh", 6, {{1, 1}, {2, 19}, {3, 8}, {4, 12}, {6, 8}}},
                                               {"I", 12, {{1, 1}, {2, 15}, {3, 20}, {5, 24}}},
                                               {"Ih", 12, {{1, 1}, {2, 31}, {3, 20}, {5, 24}, {6, 20}, {10, 24}}}}));
  CAPTURE(symbol);
  const FiniteGroup G = point_group(symbol);
  REQUIRE(G.degree() == degree);
  REQUIRE(element_orders(G) == orders);
  REQUIRE(is_transitive(G));
  REQUIRE(G.name() == symbol);
}

TEST_CASE("axial point groups are what they should be", "[groups][quick]") {
  for (std::size_t n = 1; n <= 12; ++n) {
    CAPTURE(n);
    const std::string k = std::to_string(n);
    REQUIRE(point_group("C" + k).order() == n);
    REQUIRE(point_group("C" + k + "v").order() == 2 * n);
    REQUIRE(point_group("C" + k + "h").order() == 2 * n);
    REQUIRE(point_group("D" + k).order() == 2 * n);
    REQUIRE(point_group("D" + k + "d").order() == 4 * n);
    REQUIRE(point_group("D" + k + "h").order() == 4 * n);
    REQUIRE(point_group("S" + k).order() == (n % 2 == 0 ? n : 2 * n));
  }
  REQUIRE(element_orders(point_group("S4")) == Orders{{1, 1}, {2, 1}, {4, 2}});
  REQUIRE(element_orders(point_group("C2h")) == Orders{{1, 1}, {2, 3}});
  REQUIRE(element_orders(point_group("S6")) == Orders{{1, 1}, {2, 1}, {3, 2}, {6, 2}});
  REQUIRE(element_orders(point_group("C3h")) == Orders{{1, 1}, {2, 1}, {3, 2}, {6, 2}});
  REQUIRE(element_orders(point_group("D2h")) == Orders{{1, 1}, {2, 7}});
  REQUIRE(element_orders(point_group("D2d")) == Orders{{1, 1}, {2, 5}, {4, 2}});
  REQUIRE(element_orders(point_group("D3d")) == Orders{{1, 1}, {2, 7}, {3, 2}, {6, 2}});
  REQUIRE(element_orders(point_group("D4h")) == Orders{{1, 1}, {2, 11}, {4, 4}});
  REQUIRE(element_orders(point_group("D4d")) == Orders{{1, 1}, {2, 9}, {4, 2}, {8, 4}});
  REQUIRE(point_group("D1h").name() == "C2v");
  REQUIRE(point_group("S5").name() == "C5h");
  REQUIRE(point_group("S2").name() == "Ci");
  REQUIRE(point_group("S4").name() == "point(S4)");
  // Cs fixes four of the six axis ends, Ci none.
  REQUIRE(point_group("Cs").generators()[0].number_of_fixed_points() == 4);
  REQUIRE(point_group("Ci").generators()[0].number_of_fixed_points() == 0);
  for (const char* bad :
       {"", "X", "C", "C0", "C01", "C3x", "C3vv", "S4h", "D3v", "Sd", "c3v", "C-1", "C99999999999999999999"}) {
    CAPTURE(bad);
    REQUIRE_THROWS_AS(point_group(bad), DomainError);
  }
}

TEST_CASE("Rubik's cube groups", "[groups][quick]") {
  REQUIRE(rubik_group(2).order() == 88179840);
  REQUIRE(rubik_group(3).order() == Integer("43252003274489856000"));
  for (const unsigned size : {2U, 3U}) {
    const FiniteGroup G = rubik_group(size);
    REQUIRE(G.generators().size() == 6);
    for (const Permutation& g : G.generators()) REQUIRE(g.order() == 4);
    REQUIRE(orbits(G.degree(), G.generators()).size() == size - 1);  // corners, and edges
  }
  // The numbering and the turns of the widely used net with U = 1-8, L = 9-16, F = 17-24, R = 25-32, B =
  // 33-40, D = 41-48.
  const FiniteGroup cube = rubik_group(3);
  const char* const turns[] = {"(1,3,8,6)(2,5,7,4)(9,33,25,17)(10,34,26,18)(11,35,27,19)",
                               "(9,11,16,14)(10,13,15,12)(1,17,41,40)(4,20,44,37)(6,22,46,35)",
                               "(17,19,24,22)(18,21,23,20)(6,25,43,16)(7,28,42,13)(8,30,41,11)",
                               "(25,27,32,30)(26,29,31,28)(3,38,43,19)(5,36,45,21)(8,33,48,24)",
                               "(33,35,40,38)(34,37,39,36)(3,9,46,32)(2,12,47,29)(1,14,48,27)",
                               "(41,43,48,46)(42,45,47,44)(14,22,30,38)(15,23,31,39)(16,24,32,40)"};
  for (std::size_t k = 0; k < 6; ++k) REQUIRE(cube.generators()[k] == parse_permutation(turns[k], 48));
  REQUIRE_THROWS_AS(rubik_group(4), DomainError);
}

TEST_CASE("wreath products have the right orders in both actions", "[groups][quick]") {
  const std::vector<FiniteGroup> groups{cyclic_group(1),    cyclic_group(2),
                                        symmetric_group(3), cyclic_group(3),
                                        dihedral_group(4),  direct_product({cyclic_group(2), cyclic_group(1)})};
  for (const FiniteGroup& G : groups)
    for (const FiniteGroup& H : groups) {
      CAPTURE(G.name(), H.name());
      const Integer expected = power(G.order(), static_cast<unsigned>(H.degree())) * H.order();
      REQUIRE(wreath_product(G, H).order() == expected);
      const FiniteGroup P = wreath_product_in_product_action(G, H);
      REQUIRE(Integer(P.degree()) == power(Integer(G.degree()), static_cast<unsigned>(H.degree())));
      // On one point for each coordinate H cannot be seen.
      if (G.degree() > 1) REQUIRE(P.order() == expected);
    }
  // Imprimitive: blocks go to blocks. Product action: the Hamming distance is kept.
  const FiniteGroup imprimitive = wreath_product(symmetric_group(3), symmetric_group(4));
  for (const Permutation& g : imprimitive.generators())
    for (Point i = 0; i < 12; ++i) REQUIRE(g(i) / 3 == g(i / 3 * 3) / 3);
  const FiniteGroup action = wreath_product_in_product_action(symmetric_group(3), cyclic_group(3));
  const auto distance = [](Point a, Point b) { return (a / 9 != b / 9) + (a / 3 % 3 != b / 3 % 3) + (a % 3 != b % 3); };
  for (const Permutation& g : action.generators())
    for (Point a = 0; a < 27; ++a)
      for (Point b = 0; b < 27; ++b) REQUIRE(distance(a, b) == distance(g(a), g(b)));
  // (h f)(h(b)) = f(b): the 3-cycle of coordinates takes (1, 0, 0) to (0, 1, 0).
  REQUIRE(action.generators().back()(9) == 3);
  REQUIRE_THROWS_AS(wreath_product(symmetric_group(100'000), symmetric_group(100'000)), LimitError);
  REQUIRE_THROWS_AS(wreath_product_in_product_action(symmetric_group(100), symmetric_group(100)), LimitError);
}

TEST_CASE("named groups agree with reference generators", "[groups][quick]") {
  std::ifstream file(test_data() + "/named_groups.json");
  const auto entries = nlohmann::json::parse(file);
  REQUIRE(entries.size() > 100);
  for (const auto& entry : entries) {
    CAPTURE(entry["name"].get<std::string>());
    const auto degree = entry["degree"].get<std::size_t>();
    std::vector<Permutation> generators;
    for (const auto& text : entry["generators"])
      generators.push_back(parse_permutation(text.get<std::string>(), degree));
    REQUIRE(FiniteGroup(degree, generators).order() == Integer(entry["order"].get<std::string>()));
  }
}

TEST_CASE("parameters outside the families are refused", "[groups][quick]") {
  REQUIRE_THROWS_AS(symmetric_group(0), DomainError);
  REQUIRE_THROWS_AS(alternating_group(0), DomainError);
  REQUIRE_THROWS_AS(cyclic_group(0), DomainError);
  REQUIRE_THROWS_AS(dihedral_group(0), DomainError);
  REQUIRE_THROWS_AS(dicyclic_group(0), DomainError);
  REQUIRE_THROWS_AS(hyperoctahedral_group(0), DomainError);
  for (const unsigned q : {0U, 1U, 6U, 10U, 12U, 100U, 4294967295U}) {
    CAPTURE(q);
    REQUIRE_THROWS_AS(general_linear_group(2, q), DomainError);
    REQUIRE_THROWS_AS(projective_special_linear_group(1, q), DomainError);
  }
  REQUIRE_THROWS_AS(special_linear_group(0, 5), DomainError);
  REQUIRE_THROWS_AS(special_linear_group(24, 2), LimitError);
  REQUIRE_THROWS_AS(affine_general_linear_group(4294967295U, 2), LimitError);
  REQUIRE_THROWS_AS(projective_general_linear_group(2, 4294967291U), LimitError);
  REQUIRE_THROWS_AS(symmetric_group(2'000'000'000), LimitError);
  REQUIRE_THROWS_AS(dicyclic_group(~std::size_t{0}), LimitError);
  REQUIRE_THROWS_AS(hyperoctahedral_group(~std::size_t{0} / 2), LimitError);
  REQUIRE_THROWS_AS(sporadic_group("M13"), DomainError);
  REQUIRE_THROWS_AS(sporadic_group(""), DomainError);
  for (const auto& [type, rank] : std::vector<std::pair<char, unsigned>>{{'A', 0},
                                                                         {'B', 1},
                                                                         {'C', 1},
                                                                         {'D', 2},
                                                                         {'E', 5},
                                                                         {'E', 9},
                                                                         {'F', 3},
                                                                         {'G', 3},
                                                                         {'H', 2},
                                                                         {'H', 5},
                                                                         {'X', 3}})
    REQUIRE_THROWS_AS(weyl_group(type, rank), DomainError);
  REQUIRE_THROWS_AS(weyl_group('A', 5000), LimitError);
  try {
    symmetric_group(2'000'000'000);
  } catch (const LimitError& e) {
    REQUIRE(std::string(e.what()).find("2000000000 points") != std::string::npos);
  }
}

TEST_CASE("families over finite fields ask whether they may go on", "[groups][quick]") {
  Task stopped(0, 0, {});
  stopped.cancel();
  for (const auto family :
       {general_linear_group, special_linear_group, projective_general_linear_group, projective_special_linear_group,
        affine_general_linear_group, affine_special_linear_group, semilinear_group, projective_semilinear_group,
        projective_special_semilinear_group, affine_semilinear_group, symplectic_group, projective_symplectic_group,
        general_unitary_group, special_unitary_group, projective_general_unitary_group,
        projective_special_unitary_group}) {
    REQUIRE_THROWS_AS(family(2, 9, stopped), Interrupted);
    REQUIRE(family(2, 9, Task()).order() == family(2, 9, Task(0, 1000, {})).order());
  }
  REQUIRE_THROWS_AS(suzuki_group(8, stopped), Interrupted);
}
