#include "intertwine/representations/representation.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "intertwine/error.hpp"
#include "intertwine/representations/actions.hpp"
#include "laws/representation.hpp"
#include "support/groups.hpp"
#include "support/random.hpp"

using namespace intertwine;
using test_groups::group;
using test_groups::symmetric;

namespace {

/// A representation with signs of S4: the rotations of the cube on signed axes.
Representation axes(const FiniteGroup& S4) {
  return monomial_representation(S4, {SignedPermutation({SignedPoint(1), SignedPoint(0, true), SignedPoint(2)}),
                                      SignedPermutation({SignedPoint(0, true), SignedPoint(2), SignedPoint(1)})});
}

/// Sym^k and Lambda^k from the definition: lists sorted one by one, numbered by a map.
SignedPermutation symmetrized_naively(const SignedPermutation& g, unsigned k, bool symmetric) {
  const auto n = static_cast<Point>(g.degree());
  std::vector<std::vector<Point>> lists = {{}};
  for (unsigned d = 0; d < k; ++d) {
    std::vector<std::vector<Point>> longer;
    for (const auto& list : lists)
      for (Point v = list.empty() ? 0 : list.back() + (symmetric ? 0 : 1); v < n; ++v) {
        longer.push_back(list);
        longer.back().push_back(v);
      }
    lists = longer;
  }
  std::map<std::vector<Point>, Point> number;
  for (const auto& list : lists) number.emplace(list, static_cast<Point>(number.size()));
  std::vector<SignedPoint> images;
  for (const auto& list : lists) {
    std::vector<Point> image;
    bool negative = false;
    for (const Point v : list) {
      negative ^= g(v).negative();
      image.push_back(g(v).point());
    }
    for (std::size_t i = 0; i < image.size(); ++i)
      for (std::size_t j = 0; j + 1 < image.size() - i; ++j)
        if (image[j] > image[j + 1]) {
          std::swap(image[j], image[j + 1]);
          if (!symmetric) negative = !negative;
        }
    images.emplace_back(number.at(image), negative);
  }
  return SignedPermutation(images);
}

}  // namespace

TEST_CASE("the algebra obeys the laws", "[representations][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = symmetric(4);
  const Representation perm = natural_permutation_representation(G), sign = sign_representation(G),
                       signed_axes = axes(G);
  laws::require_representation(signed_axes, rng);
  for (const Representation& V : {perm, sign, signed_axes, perm + sign, 0 * perm, 3 * signed_axes}) {
    for (const Representation& W : {perm, sign, 2 * sign, signed_axes + perm}) {
      laws::require_representation(V + W, rng);
      laws::require_representation(V * W, rng);
      laws::require_representation(V * W * V, rng);
    }
    laws::require_representation(dual(V), rng);
    laws::require_representation(5 * V, rng);
    for (unsigned k = 0; k <= 5; ++k) {
      laws::require_representation(sym(k, V), rng);
      laws::require_representation(alt(k, V), rng);
      if (k <= 3) laws::require_representation(tensor_power(V, k), rng);
    }
  }
}

TEST_CASE("sym and alt agree with sorting one by one", "[representations][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 60 * test_multiplier(); ++trial) {
    const std::size_t n = 1 + rng.below(6);
    std::vector<SignedPoint> images;
    const Permutation p = random_permutation(n, rng);
    for (Point i = 0; i < n; ++i) images.emplace_back(p(i), rng.below(2) == 1);
    const SignedPermutation g(images);
    const FiniteGroup C(static_cast<std::size_t>(2 * n), {[&] {
                          std::vector<Point> cover;
                          for (Point i = 0; i < n; ++i) {
                            cover.push_back(g(i).code());
                            cover.push_back(g(i).flipped(true).code());
                          }
                          return Permutation(cover);
                        }()});
    const Representation V = monomial_representation(C, {g});
    for (unsigned k = 0; k <= n + 3; ++k) {
      CAPTURE(n, k, g.to_string());
      REQUIRE(sym(k, V).generator_images()[0] == symmetrized_naively(g, k, true));
      if (k <= n) REQUIRE(alt(k, V).generator_images()[0] == symmetrized_naively(g, k, false));
    }
  }
}

TEST_CASE("conventions of bases", "[representations][quick]") {
  const FiniteGroup G = symmetric(3);
  const Representation perm = natural_permutation_representation(G), sign = sign_representation(G);
  const Permutation g = parse_permutation("(1,2,3)", 3);
  REQUIRE((perm * perm).image(g) == tuple_action(G, 2).image(g));
  REQUIRE(tensor_power(perm, 3).image(g) == tuple_action(G, 3).image(g));
  REQUIRE((perm + sign).image(g)(3) == SignedPoint(3));
  REQUIRE((2 * perm).image(g) == (perm + perm).image(g));
  const Permutation t = parse_permutation("(1,2)", 3);
  REQUIRE(alt(2, perm).image(t)(0) == SignedPoint(0, true));   // e1^e2 -> e2^e1
  REQUIRE(alt(2, perm).image(t)(1) == SignedPoint(2, false));  // e1^e3 -> e2^e3
  REQUIRE(sym(2, perm).basis_label(4) == "2*3");
  REQUIRE(alt(2, perm).basis_label(2) == "2^3");
  REQUIRE((perm + 2 * sign).basis_label(0) == "1:1");
  REQUIRE((perm * perm).basis_label(5) == "(2,3)");
  REQUIRE(dual(perm).image(g) == perm.image(g.inverse()).inverse());
}

TEST_CASE("characters never touch the basis", "[representations][quick]") {
  // Dimensions far beyond any memory; Burnside's count of multisets under S_100 needs only cycle types.
  const FiniteGroup G = symmetric(100);
  const Representation perm = natural_permutation_representation(G);
  const Permutation one = Permutation::identity(100), t = parse_permutation("(1,2)(3,4,5)", 100);
  REQUIRE(tensor_power(perm, 9).character(t) == pow(Integer(95), 9));
  REQUIRE(sym(8, perm).character(one) == binomial(107, 8));
  REQUIRE(alt(9, perm).character(one) == binomial(100, 9));
  REQUIRE(subset_action(G, 90).character(one) == binomial(100, 10));
  // Fixed 3-subsets: three fixed points, the 2-cycle and a fixed point, or the 3-cycle.
  REQUIRE(subset_action(G, 3).character(t) == binomial(95, 3) + 95 + 1);
  REQUIRE(subset_action(G, 97).character(t) == subset_action(G, 3).character(t));
  REQUIRE(arrangement_action(G, 3).character(t) == 95 * 94 * 93);
  REQUIRE(alt(99, perm).character(t) == -alt(1, perm).character(t));
  REQUIRE(alt(100, perm).character(t) == -1);
  REQUIRE(sym(1000000000, trivial_representation(G)).dimension() == 1);
  REQUIRE(tensor_power(sign_representation(G), 1000001).character(t) == -1);
  REQUIRE((4000000000000ULL * perm).character(t) == Integer(95) * 4000000000000ULL);
}

TEST_CASE("summands carry multiplicities", "[representations][quick]") {
  const FiniteGroup G = symmetric(4);
  const Representation perm = natural_permutation_representation(G), sign = sign_representation(G);
  const auto parts = (16 * perm + 4 * sign).summands();
  REQUIRE(parts.size() == 2);
  REQUIRE(parts[0].multiplicity == 16);
  REQUIRE(parts[0].representation.to_string() == "perm");
  REQUIRE(parts[1].multiplicity == 4);
  REQUIRE(parts[1].representation.to_string() == "sign");
  const auto nested = (3 * (2 * perm + perm * sign)).summands();
  REQUIRE(nested.size() == 2);
  REQUIRE(nested[0].multiplicity == 6);
  REQUIRE(nested[1].multiplicity == 3);
  REQUIRE(nested[1].representation.to_string() == "perm*sign");
  REQUIRE(perm.summands().size() == 1);
}

TEST_CASE("texts", "[representations][quick]") {
  const FiniteGroup G = symmetric(4);
  const Representation perm = natural_permutation_representation(G), sign = sign_representation(G);
  REQUIRE((16 * perm + 4 * sign).to_string() == "16*perm + 4*sign");
  REQUIRE((2 * (3 * perm)).to_string() == "6*perm");
  REQUIRE(((perm + sign) * perm).to_string() == "(perm + sign)*perm");
  REQUIRE((2 * (perm * sign)).to_string() == "2*perm*sign");
  REQUIRE(((2 * perm) * sign).to_string() == "(2*perm)*sign");
  REQUIRE(tensor_power(perm + sign, 2).to_string() == "(perm + sign)^2");
  REQUIRE(tensor_power(tensor_power(perm, 2), 2).to_string() == "(perm^2)^2");
  REQUIRE(sym(2, perm + sign).to_string() == "sym(2, perm + sign)");
  REQUIRE(axes(G).to_string() == "rep([[2,-1,3],[-1,3,2]])");
  REQUIRE(set_orbit_action(G, {1, 3}).to_string() == "orbit({1,2})");
  REQUIRE(restriction(perm, group(4, {"(1,2,3)"})).to_string() == "restricted(<(1,2,3,4),(1,2)>, perm)");
}

TEST_CASE("restriction and induction", "[representations][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = symmetric(4), H = test_groups::square(), K = group(4, {"(1,2)(3,4)", "(1,3)(2,4)"});
  const Representation V = axes(G);
  const Representation res = restriction(V + sym(2, V), H);
  laws::require_representation(res, rng);
  // Sums and multiples stay what they are, basis vector by basis vector.
  const Representation sums = 2 * (3 * V + sym(2, V)) + V, restricted = restriction(sums, H);
  REQUIRE(restricted.summands().size() == 3);
  REQUIRE(restricted.summands()[0].multiplicity == 6);
  for (const Permutation& h : H.generators()) REQUIRE(restricted.image(h) == sums.image(h));
  const Representation chi = linear_character(H, {-1, 1});
  laws::require_representation(induction(chi, G), rng);
  laws::require_representation(induction(natural_permutation_representation(H), G), rng);
  laws::require_representation(induction(restriction(V, K), G), rng);
  REQUIRE(induction(chi, G).dimension() == 3);
  for (int trial = 0; trial < 20; ++trial) {
    const Permutation g = G.random_element(rng);
    // Transitivity, and Ind(chi Res psi) = Ind(chi) psi.
    REQUIRE(induction(induction(trivial_representation(K), H), G).character(g) == coset_action(G, K).character(g));
    REQUIRE(induction(chi * restriction(V, H), G).character(g) == induction(chi, G).character(g) * V.character(g));
  }
  REQUIRE(induction(trivial_representation(H), G).generator_images() == coset_action(G, H).generator_images());
  REQUIRE_THROWS_AS(restriction(chi, G), DomainError);
  REQUIRE_THROWS_AS(restriction(V, symmetric(3)), DomainError);
  REQUIRE_THROWS_AS(induction(V, H), DomainError);
}

TEST_CASE("conjugates of representations", "[representations][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = symmetric(4), H = test_groups::square();
  const Permutation g = parse_permutation("(1,2,3)", 4);
  const Representation chi = linear_character(H, {-1, 1}), perm = natural_permutation_representation(H);
  for (const Representation& V : {chi, perm, restriction(axes(G), H)}) {
    const Representation W = conjugation(V, g);
    laws::require_representation(W, rng);
    REQUIRE(W.group().order() == 8);
    REQUIRE(W.generator_images() == V.generator_images());
    const Permutation h = H.random_element(rng);
    REQUIRE(W.image(g * h * g.inverse()) == V.image(h));
    REQUIRE(W.apply(g * h * g.inverse(), RationalMatrix::identity(V.dimension())) == V.matrix(h));
    // Induced representations do not notice.
    const Permutation x = G.random_element(rng);
    REQUIRE(induction(W, G).character(x) == induction(V, G).character(x));
  }
  REQUIRE(conjugation(chi, g).to_string() == "rep([[-1],[1]])");
  REQUIRE_THROWS_AS(conjugation(chi, parse_permutation("(1,2,3)", 3)), DomainError);
}

TEST_CASE("external products and inflation", "[representations][quick]") {
  auto rng = test_rng();
  const FiniteGroup A = symmetric(3), B = test_groups::square(), G = direct_product({A, B});
  const Representation V = alt(2, natural_permutation_representation(A)), W = natural_permutation_representation(B);
  const Representation both = external_product({V, W}, G);
  laws::require_representation(both, rng);
  laws::require_representation(inflation(V, G, 0), rng);
  laws::require_representation(inflation(W, G, 1), rng);
  REQUIRE(both.generator_images() == (inflation(V, G, 0) * inflation(W, G, 1)).generator_images());
  REQUIRE(both.to_string() == "alt(2, perm) # perm");
  REQUIRE(inflation(W, G, 1).to_string() == "trivial # perm");
  REQUIRE_THROWS_AS(external_product({V}, G), DomainError);
  REQUIRE_THROWS_AS(external_product({W, V}, G), DomainError);
  REQUIRE_THROWS_AS(external_product({V, W}, A), DomainError);
  REQUIRE_THROWS_AS(inflation(V, G, 1), DomainError);
  REQUIRE_THROWS_AS(inflation(V, G, 2), DomainError);
  REQUIRE_THROWS_AS(both.image(parse_permutation("(1,4)", 7)), DomainError);
}

TEST_CASE("limits and mismatches of the algebra are refused", "[representations][quick]") {
  const FiniteGroup G = symmetric(4);
  const Representation perm = natural_permutation_representation(G);
  REQUIRE_THROWS_AS(perm + natural_permutation_representation(symmetric(3)), DomainError);
  REQUIRE_THROWS_AS(perm * natural_permutation_representation(symmetric(3)), DomainError);
  REQUIRE_THROWS_WITH(tensor_power(perm, 40), Catch::Contains("1208925819614629174706176"));
  REQUIRE_THROWS_AS(tensor_power(perm, 4000000000U), LimitError);
  REQUIRE_THROWS_AS(sym(4000000000U, sym(20, perm)), LimitError);
  REQUIRE_THROWS_AS((1ULL << 62) * perm, LimitError);
  REQUIRE_THROWS_AS(4 * ((1ULL << 62) * (0 * perm)) + (1ULL << 63) * (2 * perm), LimitError);
  REQUIRE_THROWS_AS(((1ULL << 40) * perm).image(G.generators()[0]), LimitError);
  Representation deep = trivial_representation(G);
  REQUIRE_THROWS_AS(
      [&] {
        for (int i = 0; i < 2000; ++i) deep = tensor_power(deep, 2);
      }(),
      LimitError);
}

namespace {

/// A representation with one thing wrong.
struct Faulty {
  Representation V;
  enum class Fault { none, character, homomorphism, label, signs } fault;

  const FiniteGroup& group() const { return V.group(); }
  std::uint64_t dimension() const { return V.dimension(); }
  bool is_permutation() const { return fault == Fault::signs ? !V.is_permutation() : V.is_permutation(); }
  Cyclotomic character(const Permutation& g) const {
    return fault == Fault::character ? V.character(g) + 1 : V.character(g);
  }
  SignedPermutation image(const Permutation& g) const {
    return fault == Fault::homomorphism ? V.image(g.inverse()) : V.image(g);
  }
  std::vector<SignedPermutation> generator_images() const {
    std::vector<SignedPermutation> images;
    for (const Permutation& g : group().generators()) images.push_back(image(g));
    return images;
  }
  std::string basis_label(std::uint64_t i) const { return fault == Fault::label ? "x" : V.basis_label(i); }
  std::vector<Representation::Summand> summands() const { return V.summands(); }
};

}  // namespace

TEST_CASE("the laws reject what is no representation", "[representations][quick]") {
  auto rng = test_rng();
  const Representation V = natural_permutation_representation(symmetric(5));
  using Fault = Faulty::Fault;
  REQUIRE(laws::broken_law(Faulty{V, Fault::none}, rng, 20).empty());
  for (const Fault fault : {Fault::character, Fault::homomorphism, Fault::label, Fault::signs})
    REQUIRE_FALSE(laws::broken_law(Faulty{V, fault}, rng, 20).empty());
}

TEST_CASE("equal expressions over equal groups are equal values", "[representations][quick]") {
  const FiniteGroup S4 = symmetric(4), again(4, S4.generators(), "another name"), A4 = group(4, {"(1,2,3)", "(2,3,4)"});
  const Representation V = natural_permutation_representation(S4);
  REQUIRE(V == natural_permutation_representation(again));
  REQUIRE(2 * V + sym(2, V) == 2 * natural_permutation_representation(again) + sym(2, V));
  REQUIRE_FALSE(V == natural_permutation_representation(A4));
  REQUIRE_FALSE(V == trivial_representation(S4));
  REQUIRE_FALSE(V * V == tuple_action(S4, 2));  // isomorphic
}
