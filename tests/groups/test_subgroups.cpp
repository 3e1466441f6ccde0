#include "intertwine/groups/subgroups.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <set>

#include <unistd.h>

#include "intertwine/error.hpp"
#include "intertwine/groups/blocks.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "reference_groups.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

Integer power(std::size_t base, unsigned exponent) { return boost::multiprecision::pow(Integer(base), exponent); }

bool is_normal(const FiniteGroup& N, const FiniteGroup& G) {
  for (const Permutation& g : G.generators())
    for (const Permutation& h : N.generators())
      if (!N.contains(g * h * g.inverse())) return false;
  return true;
}

std::vector<Point> image(const Permutation& g, const std::vector<Point>& set) {
  std::vector<Point> result;
  for (const Point x : set) result.push_back(g(x));
  std::sort(result.begin(), result.end());
  return result;
}

/// |G : stabilizer of the set|, by listing the orbit; 0 if it is longer than the limit.
std::size_t orbit_of_set(const FiniteGroup& G, const std::vector<Point>& set, std::size_t limit) {
  std::set<std::vector<Point>> seen{set};
  std::vector<std::vector<Point>> queue{set};
  while (!queue.empty()) {
    const std::vector<Point> current = queue.back();
    queue.pop_back();
    for (const Permutation& g : G.generators())
      if (std::vector<Point> next = image(g, current); seen.insert(next).second) queue.push_back(std::move(next));
    if (seen.size() > limit) return 0;
  }
  return seen.size();
}

std::vector<Point> random_set(std::size_t degree, std::size_t size, Rng& rng) {
  const Permutation shuffle = random_permutation(degree, rng);
  std::vector<Point> set(shuffle.images().begin(), shuffle.images().begin() + static_cast<std::ptrdiff_t>(size));
  std::sort(set.begin(), set.end());
  return set;
}

/// T^l : top in product action on m^l points.
FiniteGroup product_action(const FiniteGroup& T, const FiniteGroup& top) {
  const std::size_t m = T.degree(), l = top.degree();
  std::size_t n = 1;
  for (std::size_t k = 0; k < l; ++k) n *= m;
  const auto digits = [&](std::size_t x) {
    std::vector<std::size_t> d(l);
    for (std::size_t& digit : d) {
      digit = x % m;
      x /= m;
    }
    return d;
  };
  const auto number = [&](const std::vector<std::size_t>& d) {
    std::size_t x = 0;
    for (std::size_t k = l; k-- > 0;) x = x * m + d[k];
    return static_cast<Point>(x);
  };
  std::vector<Permutation> generators;
  for (const Permutation& t : T.generators()) {
    std::vector<Point> images;
    for (std::size_t x = 0; x < n; ++x) {
      auto d = digits(x);
      d[0] = t(static_cast<Point>(d[0]));
      images.push_back(number(d));
    }
    generators.emplace_back(std::move(images));
  }
  for (const Permutation& h : top.generators()) {
    std::vector<Point> images;
    for (std::size_t x = 0; x < n; ++x) {
      const auto d = digits(x);
      std::vector<std::size_t> moved(l);
      for (std::size_t k = 0; k < l; ++k) moved[h(static_cast<Point>(k))] = d[k];
      images.push_back(number(moved));
    }
    generators.emplace_back(std::move(images));
  }
  return FiniteGroup(n, std::move(generators));
}

/// G on the k-subsets of its points.
FiniteGroup on_subsets(const FiniteGroup& G, std::size_t k) {
  std::vector<std::vector<Point>> sets;
  std::vector<char> choice(G.degree(), 0);
  std::fill(choice.end() - static_cast<std::ptrdiff_t>(k), choice.end(), 1);
  do {
    std::vector<Point> set;
    for (Point x = 0; x < G.degree(); ++x)
      if (choice[x]) set.push_back(x);
    sets.push_back(std::move(set));
  } while (std::next_permutation(choice.begin(), choice.end()));
  std::sort(sets.begin(), sets.end());
  std::vector<Permutation> generators;
  for (const Permutation& g : G.generators()) {
    std::vector<Point> images;
    for (const auto& set : sets)
      images.push_back(static_cast<Point>(std::lower_bound(sets.begin(), sets.end(), image(g, set)) - sets.begin()));
    generators.emplace_back(std::move(images));
  }
  return FiniteGroup(sets.size(), std::move(generators));
}

/// T x T on T by (a, b) x = a x b^-1.
FiniteGroup both_sides(const FiniteGroup& T) {
  const StabilizerChain& chain = T.chain();
  const auto n = static_cast<std::size_t>(T.order());
  std::vector<Permutation> generators;
  for (const Permutation& t : T.generators())
    for (const bool left : {true, false}) {
      std::vector<Point> images;
      for (std::size_t k = 0; k < n; ++k) {
        const Permutation x = chain.unrank(k);
        images.push_back(static_cast<Point>(chain.rank(left ? t * x : x * t.inverse())));
      }
      generators.emplace_back(std::move(images));
    }
  return FiniteGroup(n, std::move(generators));
}

/// SL(d, p) extended by the translations, on the p^d vectors.
FiniteGroup affine_special_linear(unsigned d, unsigned p) {
  std::size_t n = 1;
  for (unsigned k = 0; k < d; ++k) n *= p;
  std::vector<Permutation> generators;
  const auto add = [&](auto f) {
    std::vector<Point> images;
    for (std::size_t x = 0; x < n; ++x) {
      std::vector<std::size_t> v;
      for (std::size_t y = x; v.size() < d; y /= p) v.push_back(y % p);
      f(v);
      std::size_t y = 0;
      for (std::size_t k = d; k-- > 0;) y = y * p + v[k] % p;
      images.push_back(static_cast<Point>(y));
    }
    generators.emplace_back(std::move(images));
  };
  add([](auto& v) { ++v[0]; });
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j)
      if (i != j) add([i, j](auto& v) { v[i] += v[j]; });
  return FiniteGroup(n, std::move(generators));
}

}  // namespace

TEST_CASE("the structure of the reference groups is that found by GAP", "[groups][quick]") {
  for (const ReferenceGroup& reference : reference_groups()) {
    const FiniteGroup& G = reference.group;
    CAPTURE(G.name());
    std::vector<std::string> orders;
    for (const FiniteGroup& H : derived_series(G)) {
      REQUIRE(is_subgroup(H, G));
      REQUIRE(is_normal(H, G));
      orders.push_back(to_string(H.chain().order()));
    }
    REQUIRE(orders == reference.facts.at("derived_series").get<std::vector<std::string>>());
    const FiniteGroup Z = centre(G);
    REQUIRE(Z.chain().order() == reference.integer("centre"));
    for (const Permutation& z : Z.generators()) {
      REQUIRE(G.contains(z));
      for (const Permutation& g : G.generators()) REQUIRE(z * g == g * z);
    }
    REQUIRE(is_abelian(G) == reference.facts.at("abelian").get<bool>());
    REQUIRE(is_solvable(G) == reference.facts.at("solvable").get<bool>());
    REQUIRE(is_perfect(G) == reference.facts.at("perfect").get<bool>());
    REQUIRE(is_simple(G) == std::optional<bool>(reference.facts.at("simple").get<bool>()));
    const std::optional<Integer> e = exponent(G);
    if (reference.facts.contains("exponent") && (e || G.order() * G.degree() <= 5'000'000)) {
      REQUIRE(e);
      REQUIRE(*e == reference.integer("exponent"));
    } else if (e) {
      REQUIRE(G.order() % *e == 0);
    }
  }
}

TEST_CASE("normal closures in the reference groups have the orders found by GAP", "[groups][quick]") {
  for (const ReferenceGroup& reference : reference_groups()) {
    const FiniteGroup& G = reference.group;
    CAPTURE(G.name());
    const Permutation x = parse_permutation(reference.facts.at("closure_of").get<std::string>(), G.degree());
    const FiniteGroup N = normal_closure(G, {x});
    REQUIRE(N.chain().order() == reference.integer("closure"));
    REQUIRE(N.contains(x));
    REQUIRE(is_subgroup(N, G));
    REQUIRE(is_normal(N, G));
  }
}

TEST_CASE("set stabilizers in the reference groups have the orders found by GAP", "[groups][quick]") {
  for (const ReferenceGroup& reference : reference_groups()) {
    for (const auto& known : reference.facts.at("set_stabilizers")) {
      std::vector<Point> set;
      for (const auto& x : known.at("set")) set.push_back(x.get<Point>() - 1);
      CAPTURE(reference.group.name(), set);
      const FiniteGroup S = set_stabilizer(reference.group, set);
      REQUIRE(S.chain().order() == Integer(known.at("order").get<std::string>()));
      REQUIRE(is_subgroup(S, reference.group));
      for (const Permutation& g : S.generators()) REQUIRE(image(g, set) == set);
    }
  }
}

TEST_CASE("set stabilizers agree with the orbit of the set", "[groups][quick]") {
  auto rng = test_rng();
  int compared = 0;
  for (const ReferenceGroup& reference : reference_groups()) {
    const FiniteGroup& G = reference.group;
    if (G.degree() > 100 || rng.below(3) != 0) continue;
    const std::vector<Point> set = random_set(G.degree(), rng.below(G.degree() + 1), rng);
    CAPTURE(G.name(), set);
    const std::size_t length = orbit_of_set(G, set, 3000);
    if (length == 0) continue;
    ++compared;
    REQUIRE(set_stabilizer(G, set).chain().order() * length == G.order());
  }
  REQUIRE(compared > 10);
}

TEST_CASE("set stabilizers where the orbit of the set is astronomic", "[groups][quick]") {
  auto rng = test_rng();
  for (const std::size_t k : {1, 2, 37, 50, 99, 100}) {
    const std::vector<Point> set = random_set(100, k, rng);
    REQUIRE(set_stabilizer(make::symmetric(100), set).chain().order() == factorial(k) * factorial(100 - k));
    const FiniteGroup even = set_stabilizer(make::alternating(100), set);
    REQUIRE(even.order() * 2 == factorial(k) * factorial(100 - k));
    for (const Permutation& g : even.generators()) REQUIRE(image(g, set) == set);
  }
  // A_3 and A_4: sets so small that the even half is everything.
  REQUIRE(set_stabilizer(make::alternating(3), {0}).chain().order() == 1);
  REQUIRE(set_stabilizer(make::alternating(4), {0, 1}).chain().order() == 2);
  REQUIRE(set_stabilizer(make::symmetric(2), {0}).chain().order() == 1);
  // In S_20 wr S_5 with k_b points of the set in block b: the product of k_b! (20 - k_b)!, and the blocks
  // with equal k_b permuted.
  const FiniteGroup W = make::wreath(make::symmetric(20), make::symmetric(5));
  std::vector<Point> set;
  Integer order = 2;
  Point block = 0;
  for (const Point k : {10, 9, 9, 3, 0}) {
    for (Point x = 0; x < k; ++x) set.push_back(20 * block + (x * 7) % 20);
    order *= factorial(k) * factorial(20 - k);
    ++block;
  }
  REQUIRE(set_stabilizer(W, set).chain().order() == order);
  // An octad and a dodecad of the Golay code; M24 has 759 octads and 2576 dodecads.
  const FiniteGroup& M = reference_group("M24").group;
  const std::vector<Point> five{0, 1, 2, 3, 4};
  const FiniteGroup F = set_stabilizer(M, five);
  std::vector<Point> octad;
  for (const auto& orbit : orbits(24, F.generators()))
    if (orbit.size() == 5 || orbit.size() == 3) octad.insert(octad.end(), orbit.begin(), orbit.end());
  REQUIRE(octad.size() == 8);
  REQUIRE(set_stabilizer(M, octad).chain().order() * 759 == M.order());
  std::vector<Point> dodecad;
  while (dodecad.size() != 12) {
    // The sum of two octads that share two points.
    const std::vector<Point> other = image(M.random_element(rng), octad);
    dodecad.clear();
    std::sort(octad.begin(), octad.end());
    std::set_symmetric_difference(octad.begin(), octad.end(), other.begin(), other.end(), std::back_inserter(dodecad));
  }
  REQUIRE(set_stabilizer(M, dodecad).chain().order() == 95040);
  for (int trial = 0; trial < 5; ++trial) {
    const std::vector<Point> any = random_set(24, 12, rng);
    REQUIRE(M.order() % set_stabilizer(M, any).chain().order() == 0);
  }
}

TEST_CASE("stabilizers of points", "[groups][quick]") {
  auto rng = test_rng();
  for (const ReferenceGroup& reference : reference_groups()) {
    const FiniteGroup& G = reference.group;
    CAPTURE(G.name());
    const auto x = static_cast<Point>(rng.below(G.degree()));
    const FiniteGroup H = stabilizer(G, x);
    REQUIRE(H.chain().order() * orbit_tree(x, G.degree(), G.generators()).points.size() == G.order());
    for (const Permutation& h : H.generators()) REQUIRE((h(x) == x && G.contains(h)));
    const std::vector<Point> some = random_set(G.degree(), std::min<std::size_t>(G.degree(), rng.below(6)), rng);
    const FiniteGroup P = pointwise_stabilizer(G, some);
    FiniteGroup step = G;
    for (const Point y : some) step = stabilizer(step, y);
    REQUIRE(P.chain().order() == step.order());
    REQUIRE(is_subgroup(P, set_stabilizer(G, some)));
    for (const Permutation& h : P.generators())
      for (const Point y : some) REQUIRE(h(y) == y);
  }
  REQUIRE(pointwise_stabilizer(make::symmetric(100), make::range(0, 100)).chain().order() == 1);
  REQUIRE(pointwise_stabilizer(make::alternating(100), make::range(3, 98)).chain().order() == 60);
  REQUIRE(pointwise_stabilizer(make::symmetric(12), {3, 3, 3}).chain().order() == factorial(11));
}

TEST_CASE("derived subgroups of large groups", "[groups][quick]") {
  const FiniteGroup A = derived_subgroup(make::symmetric(100));
  REQUIRE(A.order() * 2 == factorial(100));
  REQUIRE(is_perfect(A));
  REQUIRE(is_simple(A) == std::optional<bool>(true));
  REQUIRE_FALSE(is_solvable(A));
  const FiniteGroup R = reference_group("Rubik3x3x3").group;
  REQUIRE(to_string(derived_subgroup(R).chain().order()) == "21626001637244928000");
  REQUIRE(centre(R).chain().order() == 2);
  REQUIRE(is_simple(R) == std::optional<bool>(false));
  // (S_20 wr S_5)' has index 4: the total sign and the sign of the top.
  const FiniteGroup W = make::wreath(make::symmetric(20), make::symmetric(5));
  REQUIRE(derived_subgroup(W).chain().order() * 4 == W.order());
  REQUIRE(derived_series(make::symmetric(4)).size() == 4);
  REQUIRE(derived_series(make::alternating(4)).size() == 3);
  REQUIRE(derived_series(FiniteGroup(3, {})).size() == 1);
}

TEST_CASE("centres of large groups", "[groups][quick]") {
  REQUIRE(centre(make::symmetric(100)).chain().order() == 1);
  REQUIRE(centre(make::symmetric(2)).chain().order() == 2);
  REQUIRE(centre(make::alternating(3)).chain().order() == 3);
  const FiniteGroup C5(5, {make::cycle(5, {0, 1, 2, 3, 4})}, "C5");
  // The diagonal of the base group.
  REQUIRE(centre(make::wreath(C5, make::symmetric(30))).chain().order() == 5);
  REQUIRE(centre(make::wreath(reference_group("Q8").group, make::alternating(10))).chain().order() == 2);
  REQUIRE(centre(make::wreath(make::symmetric(20), make::symmetric(5))).chain().order() == 1);
  // 20 factors D_4, as one group and as a product; and the subgroup generated by the sums of neighbours.
  const FiniteGroup D = reference_group("D4").group;
  const FiniteGroup product = direct_product(std::vector<FiniteGroup>(20, D));
  const FiniteGroup plain(product.degree(), product.generators());
  REQUIRE(centre(product).chain().order() == power(2, 20));
  REQUIRE(centre(plain).chain().order() == power(2, 20));
  // S_3 x C_4 amalgamated over the sign, acting on 3 + 4 points: the centre is what has even C_4-part, of
  // order 2.
  const FiniteGroup subdirect(7, {make::cycle(7, {0, 1, 2}), make::cycle(7, {0, 1}) * make::cycle(7, {3, 4, 5, 6})});
  REQUIRE(subdirect.order() == 12);
  REQUIRE(centre(subdirect).chain().order() == 2);
  REQUIRE(centre(subdirect).contains(make::cycle(7, {3, 5}) * make::cycle(7, {4, 6})));
}

TEST_CASE("an abelian regular group of a thousand points is its own centre and its even part simple to list",
          "[groups][quick]") {
  const FiniteGroup C(1000, {make::cycle(1000, make::range(0, 1000))});
  REQUIRE(centre(C).chain().order() == 1000);
  REQUIRE(derived_subgroup(C).chain().order() == 1);
  REQUIRE(exponent(C) == std::optional<Integer>(1000));
  // The regular action of Q_8 on itself has a commuting copy that is not central.
  REQUIRE(centre(reference_group("Q8").group).chain().order() == 2);
}

TEST_CASE("simple groups are recognized in every kind of action", "[groups][quick]") {
  const auto yes = std::optional<bool>(true), no = std::optional<bool>(false);
  for (const char* name : {"M11", "M12", "M22", "M23", "M24", "J1", "J2", "HS", "McL", "Co3", "Sz(8)", "PSU(4,2)"})
    REQUIRE(is_simple(reference_group(name).group) == yes);
  // Degrees that are squares, cubes and higher powers: 36, 27, 121, 3^6, 8^2 = 2^6 ...
  REQUIRE(is_simple(on_subsets(make::alternating(9), 2)) == yes);
  REQUIRE(is_simple(on_subsets(make::alternating(10), 4)) == yes);
  REQUIRE(is_simple(on_subsets(reference_group("M24").group, 3)) == yes);
  REQUIRE(is_simple(on_subsets(reference_group("M12").group, 2)) == yes);
  // PSU(4,2) on the 27 lines of a cubic surface, inside W(E6): the smallest orbit of the derived group on
  // cosets.
  const FiniteGroup E = derived_subgroup(reference_group("W(E6)").group);
  REQUIRE(E.order() == 25920);
  REQUIRE(is_simple(E) == yes);
  // An intransitive action, and one with blocks and fixed points.
  const FiniteGroup& M = reference_group("M11").group;
  std::vector<Permutation> doubled;
  for (const Permutation& g : M.generators()) {
    std::vector<Point> images = make::range(0, 25);
    for (Point x = 0; x < 11; ++x) images[x + 1] = g(x) + 1, images[x + 14] = g(x) + 14;
    doubled.emplace_back(std::move(images));
  }
  REQUIRE(is_simple(FiniteGroup(25, doubled)) == yes);
  for (const std::size_t n : {5, 6, 7, 8, 9, 16, 25, 27, 32, 60, 81, 121, 125, 243})
    REQUIRE(is_simple(make::alternating(n)) == yes);
  for (const std::size_t n : {1, 2, 3, 4, 5, 8, 9, 27}) {
    CAPTURE(n);
    REQUIRE(is_simple(make::symmetric(n)) == std::optional<bool>(n == 2));
  }
  REQUIRE(is_simple(make::alternating(3)) == yes);
  REQUIRE(is_simple(make::alternating(4)) == no);
  REQUIRE(is_simple(FiniteGroup(0, {})) == no);
  REQUIRE(is_simple(FiniteGroup(6, {make::cycle(6, {0, 1, 2, 3, 4, 5})})) == no);
}

TEST_CASE("perfect groups that are not simple", "[groups][quick]") {
  const auto no = std::optional<bool>(false);
  const FiniteGroup A5 = make::alternating(5), A6 = make::alternating(6);
  const auto refuse = [&](const FiniteGroup& G) {
    REQUIRE(is_perfect(G));
    REQUIRE(is_simple(G) == no);
  };
  refuse(make::wreath(A5, A5));
  refuse(direct_product({A5, A6}));
  refuse(direct_product({A5, A5}));
  refuse(both_sides(A5));  // primitive of degree 60 with two regular normal subgroups
  REQUIRE(is_primitive(both_sides(A5)));
  refuse(both_sides(reference_group("PSL(2,7)").group));
  refuse(product_action(A5, A5));  // primitive of degree 5^5
  REQUIRE(is_primitive(product_action(A5, A5)));
  for (const auto& [d, p] :
       std::vector<std::pair<unsigned, unsigned>>{{3, 2}, {4, 2}, {5, 2}, {3, 3}, {2, 5}, {2, 11}}) {
    const FiniteGroup G = affine_special_linear(d, p);
    REQUIRE(is_primitive(G));
    refuse(G);
  }
}

TEST_CASE("a primitive product of simple groups of degree 6^5 is not simple", "[groups][slow][.]") {
  const FiniteGroup G = product_action(make::alternating(6), make::alternating(5));
  REQUIRE(is_primitive(G));
  REQUIRE(is_simple(G) == std::optional<bool>(false));
}

TEST_CASE("blocks", "[groups][quick]") {
  const FiniteGroup W = make::wreath(make::symmetric(3), make::wreath(make::symmetric(2), make::symmetric(4)));
  REQUIRE_FALSE(is_primitive(W));
  const std::vector<Point> block = maximal_block_system(W);
  REQUIRE(action_on_blocks(W, block).order() == 24);
  REQUIRE(block_system(24, W.generators(), 0, 2) ==
          std::vector<Point>{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7});
  REQUIRE(block_system(24, W.generators(), 0, 23) == std::vector<Point>(24, 0));
  for (const char* name : {"M24", "PSL(5,2)", "HS", "AGL(1,31)", "C5", "S5", "A4"})
    REQUIRE(is_primitive(reference_group(name).group));
  for (const char* name : {"D6", "Q8", "W(E8)", "C12", "C1", "A5xA5"})
    REQUIRE_FALSE(is_primitive(reference_group(name).group));
  REQUIRE_THROWS_AS(maximal_block_system(reference_group("A5xA5").group), DomainError);
  REQUIRE_THROWS_AS(action_on_blocks(W, std::vector<Point>{0, 1}), DomainError);
  REQUIRE_THROWS_AS(block_system(3, {}, 0, 3), DomainError);
  const std::vector<Point> broken{0, 0, 1, 1, 2};
  REQUIRE_THROWS_AS(action_on_blocks(make::symmetric(5), broken), DomainError);
  REQUIRE_THROWS_AS(restriction(make::symmetric(5), std::vector<Point>{0, 1}), DomainError);
  REQUIRE_THROWS_AS(restriction(make::symmetric(2), std::vector<Point>{0, 0}), DomainError);
}

TEST_CASE("exponents by formula and by enumeration", "[groups][quick]") {
  for (std::size_t n = 3; n <= 9; ++n) {
    Integer symmetric = 1, alternating = 1;
    make::symmetric(n).chain().for_each_element([&](const Permutation& g) {
      symmetric = lcm(symmetric, g.order());
      if (g.is_even()) alternating = lcm(alternating, g.order());
      return true;
    });
    CAPTURE(n);
    REQUIRE(exponent(make::symmetric(n)) == std::optional<Integer>(symmetric));
    REQUIRE(exponent(make::alternating(n)) == std::optional<Integer>(alternating));
  }
  REQUIRE(exponent(direct_product({make::symmetric(50), make::symmetric(3)})) == exponent(make::symmetric(50)));
}

TEST_CASE("subgroups and refusals", "[groups][quick]") {
  const FiniteGroup S = make::symmetric(5), A = make::alternating(5);
  REQUIRE(is_subgroup(A, S));
  REQUIRE_FALSE(is_subgroup(S, A));
  REQUIRE_FALSE(is_subgroup(make::symmetric(4), S));
  REQUIRE(subgroup(S, {make::cycle(5, {0, 1, 2})}, "C3").name() == "C3");
  REQUIRE(is_transitive(A));
  REQUIRE_FALSE(is_transitive(stabilizer(A, 0)));
  REQUIRE_THROWS_AS(subgroup(A, {make::cycle(5, {0, 1})}), DomainError);
  REQUIRE_THROWS_AS(subgroup(A, {make::cycle(6, {0, 1, 2})}), DomainError);
  REQUIRE_THROWS_AS(normal_closure(A, {make::cycle(5, {0, 1})}), DomainError);
  REQUIRE_THROWS_AS(normal_closure(A, {make::cycle(6, {0, 1, 2})}), DomainError);
  REQUIRE_THROWS_AS(stabilizer(A, 5), DomainError);
  REQUIRE_THROWS_AS(set_stabilizer(A, {0, 7}), DomainError);
  REQUIRE(normal_closure(A, {}).order() == 1);
  REQUIRE(set_stabilizer(A, {}).chain().order() == 60);
  REQUIRE(set_stabilizer(A, {2, 0, 2}).chain().order() == 6);
  const Task task(0, 0, {});
  task.cancel();
  REQUIRE_THROWS_AS(set_stabilizer(reference_group("M24").group, {0, 1, 2, 3, 4, 5, 6}, task), Interrupted);
}

TEST_CASE("random groups against GAP, where it is installed", "[groups][slow][.]") {
  if (std::system("command -v gap > /dev/null 2>&1") != 0) {
    WARN("skipped: gap is not on the PATH");
    return;
  }
  auto rng = test_rng();
  std::string input, expected;
  for (int trial = 0; trial < 60 * test_multiplier(); ++trial) {
    const auto& all = reference_groups();
    const FiniteGroup& G = all[rng.below(all.size())].group;
    if (G.degree() > 60) continue;
    std::vector<Permutation> generators;
    for (std::size_t k = 2 + rng.below(2); k > 0; --k)
      generators.push_back(G.random_element(rng).power(Integer(1 + rng.below(3))));
    const FiniteGroup H(G.degree(), generators);
    const std::vector<Point> set = random_set(H.degree(), 1 + rng.below(H.degree()), rng);
    input += "H:=Group([";
    for (const Permutation& g : generators) input += g.to_string() + ",";
    input +=
        "()]);;Print(Size(H),\" \",Size(DerivedSubgroup(H)),\" \",Size(Centre(H)),\" "
        "\",IsSolvableGroup(H),\" \","
        "Size(H)>1 and IsSimpleGroup(H),\" \",Size(Stabilizer(H,[";
    for (const Point x : set) input += std::to_string(x + 1) + ",";
    input.back() = ']';
    input += ",OnSets)),\"\\n\");\n";
    const auto word = [](bool b) { return std::string(b ? "true" : "false"); };
    const std::optional<bool> simple = is_simple(H);
    REQUIRE(simple);
    expected += to_string(H.chain().order()) + " " + to_string(derived_subgroup(H).chain().order()) + " " +
                to_string(centre(H).chain().order()) + " " + word(is_solvable(H)) + " " + word(*simple) + " " +
                to_string(set_stabilizer(H, set).chain().order()) + "\n";
  }
  char file[] = "/tmp/intertwine_gap_XXXXXX";
  const int descriptor = mkstemp(file);
  REQUIRE(descriptor >= 0);
  close(descriptor);
  std::ofstream(file) << input << "QUIT;\n";
  std::string answer;
  FILE* pipe = popen(("gap -q -A --quitonbreak " + std::string(file) + " < /dev/null").c_str(), "r");
  REQUIRE(pipe != nullptr);
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) answer.append(buffer, count);
  pclose(pipe);
  std::remove(file);
  REQUIRE(answer == expected);
}

TEST_CASE("questions about generators ask whether they may go on", "[groups][quick]") {
  Task stopped(0, 0, {});
  stopped.cancel();
  const FiniteGroup G(6, {parse_permutation("(1,2,3)", 6), parse_permutation("(4,5,6)", 6)});
  REQUIRE(is_abelian(G));
  REQUIRE_THROWS_AS(is_abelian(G, stopped), Interrupted);
  REQUIRE_THROWS_AS(exponent(G, stopped), Interrupted);
  REQUIRE_THROWS_AS(conjugacy_classes(symmetric_group(9), stopped), Interrupted);
  // Refused before the partitions are listed: 966467 classes of permutations of 60 points.
  REQUIRE_THROWS_AS(conjugacy_classes(symmetric_group(60), Task(std::uint64_t{200} << 20U, 0, {})), LimitError);
}

TEST_CASE("a finished chain is not bound by the task that made it", "[groups][quick]") {
  const Task task(0, 1000, {});
  const FiniteGroup G = dihedral_group(5000);  // products of that many points are polled for
  const StabilizerChain chain(G.degree(), G.generators(), {}, task);
  task.cancel();
  REQUIRE(chain.order() == 10000);
  Rng rng;
  for (int k = 0; k < 10; ++k) REQUIRE(chain.contains(chain.random_element(rng)));
}

// lcm(1, ..., 100) [OEIS A003418]; the same without the factor 2 that a single cycle of 64 points may have in Alt(65).
TEST_CASE("exponents of large symmetric and alternating groups", "[groups][quick]") {
  REQUIRE(exponent(symmetric_group(100)).value() == Integer("69720375229712477164533808935312303556800"));
  REQUIRE(exponent(symmetric_group(65)).value() == exponent(alternating_group(66)).value());
  REQUIRE(exponent(symmetric_group(65)).value() == 2 * exponent(alternating_group(65)).value());
}
