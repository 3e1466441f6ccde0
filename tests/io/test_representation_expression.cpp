#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/row_name.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/matrix_representations.hpp"
#include "io/representations.hpp"
#include "laws/field_representation.hpp"
#include "laws/matrix_representation.hpp"
#include "laws/representation.hpp"
#include "support/groups.hpp"
#include "support/random.hpp"

using namespace intertwine;
using test_groups::group;
using test_groups::symmetric;
using test_io::from_file;
using test_io::same;

namespace {

/// Parses the text and what comes back from it; the representations must agree.
Representation round_trip(const FiniteGroup& G, const std::string& text) {
  CAPTURE(text);
  const Representation V = parse_representation(G, text);
  CAPTURE(V.to_string());
  const Representation again = parse_representation(G, V.to_string());
  REQUIRE(same(V, again));
  REQUIRE(again.to_string() == V.to_string());
  return V;
}

/// The position and message of the error that the text causes.
std::pair<std::size_t, std::string> trouble(const FiniteGroup& G, const std::string& text) {
  try {
    static_cast<void>(parse_representation(G, text));
  } catch (const ParseError& e) {
    REQUIRE(e.text() == text);
    return {e.position(), e.what()};
  }
  return {~std::size_t{0}, "no error"};
}

}  // namespace

TEST_CASE("expressions give the representations they name", "[io][quick]") {
  const FiniteGroup G = symmetric(4);
  const Representation perm = natural_permutation_representation(G), sign = sign_representation(G);
  REQUIRE(same(parse_representation(G, "16*perm + 4*sign"), 16 * perm + 4 * sign));
  REQUIRE(same(parse_representation(G, " perm ^ 2 "), tensor_power(perm, 2)));
  REQUIRE(same(parse_representation(G, "2*sym(2,perm)"), 2 * sym(2, perm)));
  REQUIRE(
      same(parse_representation(G, "perm*sign^2+trivial"), perm * tensor_power(sign, 2) + trivial_representation(G)));
  REQUIRE(same(parse_representation(G, "2*perm*sign"), 2 * (perm * sign)));
  REQUIRE(same(parse_representation(G, "(perm+sign)*perm"), (perm + sign) * perm));
  REQUIRE(same(parse_representation(G, "alt(3, dual(perm + sign))"), alt(3, perm + sign)));
  REQUIRE(same(parse_representation(G, "orbit({1,3})"), set_orbit_action(G, {0, 2})));
  REQUIRE(same(parse_representation(G, "cosets(<(1,2,3)>)"), coset_action(G, group(4, {"(1,2,3)"}))));
  REQUIRE(same(parse_representation(G, "induced(<(1,2,3,4),(1,3)>, character(-1,1))"),
               induction(linear_character(test_groups::square(), {-1, 1}), G)));
  REQUIRE(same(parse_representation(G, "partitions([2,2])"), set_partition_action(G, {2, 2})));
  REQUIRE(same(parse_representation(G, "character(-,-)"), sign));
  REQUIRE(same(parse_representation(G, "character( - , - 1 )"), sign));
  REQUIRE(same(parse_representation(G, "specht(4)"), trivial_representation(G)));
  REQUIRE(same(parse_representation(G, "specht(1,1,1,1)"), sign));
  REQUIRE(same(parse_representation(G, "schur([1,1],perm)"), alt(2, perm)));
  REQUIRE(same(parse_representation(G, "schur([2],perm)"), sym(2, perm)));
  REQUIRE(parse_representation(G, "schur([2,1],perm)").to_string() == "schur([2,1], perm)");
  REQUIRE(same(parse_representation(G, "perm^0"), trivial_representation(G)));
  REQUIRE(parse_representation(G, "0*perm").dimension() == 0);
  REQUIRE(parse_representation(G, "128*perm").summands()[0].multiplicity == 128);
}

TEST_CASE("texts read back", "[io][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = symmetric(4);
  for (const char* text : {"trivial",
                           "perm",
                           "sign",
                           "regular",
                           "tuples(2)",
                           "arrangements(2)",
                           "subsets(2)",
                           "orbit({2,1})",
                           "orbit({})",
                           "partitions([1,2,1])",
                           "cosets(<(1,2),(3,4)>)",
                           "cosets(<>)",
                           "induced(<(1,2,3),(1,2)>, sign + 2*perm)",
                           "induced(<(1,2,3)>, regular*perm)",
                           "character(1,1)",
                           "character(-1,-1)",
                           "rep([[2,-1,3],[-1,3,2]])",
                           "rep([[],[]])",
                           "dual(perm)",
                           "sym(3, perm + sign)",
                           "alt(2, 2*perm)",
                           "(perm + sign)^2*perm",
                           "2*(perm + 3*sign)*perm",
                           "(perm^2)^2",
                           "(2*perm)*(3*sign)",
                           "0*perm",
                           "3*(perm + sign)",
                           "(((perm)))",
                           "5*2*sign"})
    laws::require_representation(round_trip(G, text), rng, 2);
  const FiniteGroup H = group(4, {"(1,2,3)"});
  laws::require_representation(round_trip(H, "restricted(<(1,2,3,4),(1,2)>, rep([[2,-1,3],[-1,3,2]]) + regular)"), rng,
                               2);
  const FiniteGroup none = group(3, {});
  REQUIRE(round_trip(none, "rep([], 4)").dimension() == 4);
  round_trip(none, "character() + perm");
}

TEST_CASE("differences in expressions", "[io][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = symmetric(4);
  const Representation pairs = round_trip(G, "perm^2 - perm");
  REQUIRE(pairs.is_permutation());
  REQUIRE(pairs.to_string() == "perm^2 - perm");
  laws::require_representation(pairs, rng, 2);
  laws::require_representation(round_trip(G, "2*(perm^2 - perm)*sign + perm^2−perm"), rng, 2);
  laws::require_representation(round_trip(G, "perm^2 + perm - perm - perm"), rng, 2);
  REQUIRE(parse_representation(G, "irrep(X.3)").to_string() == parse_representation(G, "irrep(3)").to_string());
  for (const char* text : {"perm - trivial", "perm^3 - perm - perm", "perm^3 - perm - (perm + perm)",
                           "regular - std - 2*std", "perm + sign - trivial", "perm - (trivial + std)", "perm^2 ⊖ [3,1]",
                           "[3,1]^2 - [2,2] - trivial", "sym(2, perm - trivial)", "[3,1]+[2,2]-[2,2]"}) {
    const Representation V = parse_representation(G, text);
    CAPTURE(text, V.to_string());
    const Representation again = parse_representation(G, V.to_string());
    REQUIRE(again.to_string() == V.to_string());
    for (const Permutation& g : G.generators()) REQUIRE(again.field_matrix(g) == V.field_matrix(g));
  }
  const FiniteGroup A = alternating_group(4), product = direct_product({A, A});
  REQUIRE(parse_representation(A, "[2,2]+ + [2,2]- + [3,1] - [2,2]-").dimension() == 4);
  REQUIRE(parse_representation(product, "[2,2]- # perm - [2,2]- # trivial").dimension() == 3);
  REQUIRE_THROWS_AS(parse_representation(G, "perm - sign"), DomainError);
  REQUIRE(trouble(G, "perm -").first == 6);
  REQUIRE(trouble(G, "- perm").first == 0);
}

TEST_CASE("external products", "[io][quick]") {
  auto rng = test_rng();
  const FiniteGroup A = symmetric(3), B = test_groups::square(), C = test_groups::cyclic(2);
  const FiniteGroup G = direct_product({A, B});
  const Representation V = natural_permutation_representation(A), W = natural_permutation_representation(B);
  REQUIRE(same(parse_representation(G, "perm # perm"), external_product({V, W}, G)));
  REQUIRE(same(parse_representation(G, "trivial # perm"), inflation(W, G, 1)));
  REQUIRE(round_trip(G, "2*perm*sign # sym(2, perm) + trivial # character(1,-1) + perm").summands().size() == 3);
  laws::require_representation(round_trip(G, "(perm + sign # trivial)^2 * (perm # perm)"), rng, 1);
  laws::require_representation(round_trip(G, "3*(perm # perm)"), rng, 1);
  const FiniteGroup nested = direct_product({G, C});
  laws::require_representation(round_trip(nested, "perm # perm # sign"), rng, 1);
  REQUIRE(
      same(parse_representation(nested, "perm # perm # sign"), parse_representation(nested, "(perm # perm) # sign")));
  // Subgroups written by generators know no factors: such representations are written by their images.
  const Representation induced = induction(external_product({V, W}, G), G);
  REQUIRE(same(parse_representation(G, induced.to_string()), induced));
  REQUIRE(trouble(A, "perm # perm").first == 5);
  REQUIRE(trouble(G, "perm # perm # perm").first == 5);
}

TEST_CASE("errors point at their place", "[io][quick]") {
  const FiniteGroup G = symmetric(4);
  const auto at = [&](const std::string& text, std::size_t position, const std::string& part) {
    CAPTURE(text);
    const auto [where, message] = trouble(G, text);
    CAPTURE(message);
    REQUIRE(where == position);
    REQUIRE(message.find(part) != std::string::npos);
  };
  at("", 0, "expected a representation");
  at("perm +", 6, "expected a representation");
  at("perm perm", 5, "unexpected text");
  at("perm)", 4, "no '('");
  at("(perm", 5, "expected ')'");
  at("16 perm", 3, "expected '*'");
  at("perm*3", 5, "write 3*perm");
  at("pern + sign", 0, "nearest known one is perm");
  at("perm + Sgn", 7, "nearest known one is sign");
  at("2*syn(2, perm)", 2, "sym(k, R)");
  at("perm^", 5, "exponent");
  at("perm^-1", 5, "exponent");
  at("perm^99999999999", 5, "too large");
  at("99999999999999999999*perm", 0, "too large");
  at("10000000000*10000000000*perm", 0, "2^64");
  at("subsets", 7, "expected '('");
  at("subsets()", 8, "size k");
  at("orbit({1,5})", 9, "points 1 to 4");
  at("orbit({0})", 7, "points 1 to 4");
  at("orbit({1,1})", 9, "twice");
  at("cosets(<(1,5)>)", 11, "exceeds");
  at("cosets(<(1,2),(3,4>)", 7, "not closed");
  at("cosets(<(1,2)", 7, "not closed");
  at("cosets(A4)", 7, "given by generators");
  at("induced(<(1,2)>, 9)", 17, "numbered from 1 to 2");
  at("character(1)", 0, "2 generators");
  at("character(1,2)", 12, "a sign is");
  at("character(1,)", 12, "a sign is");
  at("partitions([2,0,2])", 14, "positive");
  at("irrep(0)", 6, "numbered from 1");
  at("irrep(99)", 6, "numbered from 1");
  at("irrep([9,9])", 6, "is called [9,9]");
  at("irrep(X.9)", 6, "is called X.9; they are [4], [1,1,1,1]");
  at("irrep(+)", 6, "the number of an irreducible representation");
  at("schur([1,2], perm)", 0, "weakly decreasing");
  at("specht(5)", 0, "groups on 5 points");
  at("rep([[[1,2],[1]],[[1]]])", 12, "different lengths, 2 and 1");
  at("rep([[[1,2]],[[1]]])", 5, "1 x 2, not square");
  at("rep([[[1]],[1]])", 11, "cannot be mixed");
  at("rep([[[1/]],[[1]]])", 7, "exact number");
  at("rep([[[1/0]],[[1]]])", 7, "exact number");
  at("rep([[[x]],[[1]]])", 7, "exact number");
  at("rep([[[1.5]],[[1]]])", 7, "write 3/2 if that is meant");
  at("rep([[[E(0)]],[[1]]])", 7, "exact number");
  at("rep([[[E(3)^]],[[1]]])", 7, "exact number");
  at("rep([[[E(3)", 11, "expected ']'");
  at("real(E(3))", 5, "no representation named 'E'");
  at("specht(1,3)", 0, "decreasing");
  at("rep([[2,1]])", 0, "2 generators");
  at("rep([[2,1],[1,1]])", 11, "no signed permutation");
  at("rep([[2,1],[0,1]])", 12, "from 1");
  at("rep([[2,1],[1,2]], 3)", 19, "2 entries");
  at("rep(@)", 5, "file name");
  at("rep(@\"x)", 5, "not closed");
  at(std::string(100000, '('), 200, "nested");
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += "dual(";
  at(deep, 1000, "nested");
}

TEST_CASE("faults of the mathematics keep their kind", "[io][quick]") {
  const FiniteGroup G = symmetric(4);
  REQUIRE_THROWS_WITH(parse_representation(G, "character(-1,1)"), Catch::Contains("= 1"));
  REQUIRE_THROWS_AS(parse_representation(G, "character(-1,1)"), DomainError);
  REQUIRE_THROWS_AS(parse_representation(group(4, {"(1,2,3)"}), "cosets(<(1,2)>)"), DomainError);
  REQUIRE_THROWS_AS(parse_representation(G, "partitions([2,1])"), DomainError);
  REQUIRE_THROWS_AS(parse_representation(G, "perm^64"), LimitError);
  REQUIRE_THROWS_AS(parse_representation(G, "tuples(4000000000)"), LimitError);
  std::string power = "trivial";
  for (int i = 0; i < 3000; ++i) power += "^2";
  REQUIRE_THROWS_AS(parse_representation(G, power), LimitError);
  std::string longest = "perm";
  for (int i = 0; i < 20000; ++i) longest += "+perm*trivial";
  REQUIRE(parse_representation(G, longest).dimension() == 80004);
}

TEST_CASE("representations over number fields", "[io][quick]") {
  auto rng = test_rng();
  const auto check = [&](const FiniteGroup& H, const std::string& text, const std::string& field) {
    CAPTURE(text);
    const Representation V = parse_representation(H, text);
    CAPTURE(V.to_string());
    REQUIRE(V.field().to_string() == field);
    const Representation again = parse_representation(H, V.to_string());
    REQUIRE(again.to_string() == V.to_string());
    REQUIRE(again.field() == V.field());
    for (const Permutation& g : H.generators()) REQUIRE(again.field_matrix(g) == V.field_matrix(g));
    laws::require_field_representation(V, rng, 1);
    return V;
  };
  const FiniteGroup C5 = group(5, {"(1,2,3,4,5)"}), I = point_group("I"), S5 = symmetric(5);
  REQUIRE(check(C5, "rep([[[E(5)]]])", "Q(E(5))").dimension() == 1);
  check(C5, "rep([ [ [ E(5) + E(5)^4 , -1 ] , [ +1 , 0 ] ] ])", "Q(sqrt(5))");
  check(C5, "dual(rep([[[E(5)]]]))^3 + perm", "Q(E(5))");
  check(C5, "sym(2, rep([[[E(5)]]]) + trivial)", "Q(E(5))");
  check(C5, "real(rep([[[E(5)]]]))", "Q(sqrt(5))");
  REQUIRE(check(C5, "rational(real(rep([[[E(5)]]])))", "Q").dimension() == 4);
  REQUIRE(check(C5, "rational(rep([[[E(5)]]]))", "Q").dimension() == 4);
  REQUIRE(parse_representation(C5, "rational(perm)").to_string() == "perm");
  REQUIRE(parse_representation(C5, "real(perm)").to_string() == "perm");
  REQUIRE(check(I, "coordinates", "Q(sqrt(5))").dimension() == 3);
  REQUIRE(check(I, "rational(coordinates)", "Q").dimension() == 6);
  REQUIRE(check(I, "real(coordinates*perm)", "Q(sqrt(5))").to_string() == "coordinates*perm");
  check(S5, "induced(<(1,2,3,4,5)>, rep([[[E(5)]]]))", "Q(E(5))");
  check(direct_product({C5, group(3, {"(1,2,3)"})}), "rep([[[E(5)]]]) # rep([[[E(3)^2]]])", "Q(E(15))");
  // Subgroups know no coordinates: the text has the matrices.
  const FiniteGroup half(I.degree(), {I.generators()[2]});
  const Representation V = restriction(coordinate_representation(I), half);
  REQUIRE(parse_representation(half, V.to_string()).field_matrix(half.generators()[0]) ==
          V.field_matrix(half.generators()[0]));
  // Over neither Q nor the real subfield.
  const Representation partial =
      restriction_of_scalars(parse_representation(cyclic_group(15), "rep([[[E(15)]]])"), AbelianField::cyclotomic(3));
  REQUIRE(partial.dimension() == 4);
  REQUIRE(parse_representation(cyclic_group(15), partial.to_string()).field() == AbelianField::cyclotomic(3));

  const Representation from_json =
      from_file(C5, R"x({"type": "matrix", "dimension": 2, "images": [[["E(5)+E(5)^4", "-1"], ["1", 0]]]})x");
  REQUIRE(from_json.field().to_string() == "Q(sqrt(5))");
  laws::require_field_representation(from_json, rng, 1);
  // As JSON answers write them.
  const auto of_entry = [&](const std::string& entry) {
    return from_file(C5, R"x({"type": "matrix", "dimension": 1, "images": [[[)x" + entry + "]]]}");
  };
  REQUIRE(of_entry(R"x({"n": 5, "c": [["1", 3]]})x").field_matrix(C5.generators()[0])(0, 0) ==
          parse_cyclotomic("E(5)^3"));
  REQUIRE(of_entry(R"x({"c": [["-1/2", 1], ["3/2", 1], ["-0", 2]], "n": 5})x").field_matrix(C5.generators()[0])(0, 0) ==
          parse_cyclotomic("E(5)"));
  for (const char* entry :
       {R"x({"n": 0, "c": []})x", R"x({"n": 5})x", R"x({"n": 5, "c": [["1", 5]]})x", R"x({"n": 5, "c": [["1", -1]]})x",
        R"x({"n": 5, "c": [[1, 1]]})x", R"x({"n": 5, "c": [["", 1]]})x", R"x({"n": 5, "c": [["1/0", 1]]})x",
        R"x({"n": 5, "c": [["1-1", 1]]})x", R"x({"n": 5, "c": [["--1", 1]]})x", R"x({"n": -5, "c": [["1", 1]]})x",
        R"x({"n": 1, "c": [["1", 0], ["1", 0]]})x", R"x({"n": 18446744073709551615, "c": [["1", 1]]})x",
        R"x({"n": 5, "c": [["1", 1]], "d": 1})x", R"x({})x"}) {
    CAPTURE(entry);
    REQUIRE_THROWS_WITH(of_entry(entry), Catch::Contains("no exact number"));
  }
  const auto refused = [&](const std::string& contents, const std::string& says) {
    CAPTURE(contents);
    REQUIRE_THROWS_WITH(from_file(C5, contents), Catch::Contains(says));
  };
  refused(R"x({"type": "matrix", "dimension": 1, "images": [[["E(5"]]]})x", "no exact number");
  refused(R"x({"type": "matrix", "dimension": 1, "images": [[["E(9999999999)"]]]})x", "");
  refused(R"x({"type": "matrix", "dimension": 1, "images": [[["E(999983)"]]]})x", "degree above the limit");
  refused(R"x({"type": "matrix", "dimension": 1, "images": [[["E(9973)"]]]})x", "exceeds the limit of 4096 over Q");
  refused(R"x({"type": "matrix", "dimension": 1, "images": [[["E(3)"]]]})x", "a^5 = 1");
}

TEST_CASE("representations by general matrices", "[io][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = symmetric(4);
  const auto check = [&](const FiniteGroup& H, const std::string& text) {
    CAPTURE(text);
    const Representation V = parse_representation(H, text);
    CAPTURE(V.to_string());
    const Representation again = parse_representation(H, V.to_string());
    REQUIRE(again.to_string() == V.to_string());
    REQUIRE(again.generator_matrices() == V.generator_matrices());
    laws::require_matrix_representation(V, rng, 1);
    return V;
  };
  REQUIRE(check(G, "std").dimension() == 3);
  REQUIRE(check(G, "specht(2,1,1)").dimension() == 3);
  REQUIRE(check(G, "specht([2,2]) + 2*std").dimension() == 8);
  check(G, "dual(std*specht(2,2))");
  check(G, "sym(2, std) + alt(2, specht(3,1)) + std^2");
  check(G, "schur([2], std)");
  check(G, "schur([2,1], std + sign)");
  check(G, "induced(<(1,2,3),(1,2)>, std)");
  check(group(4, {"(1,2,3)"}), "restricted(<(1,2,3,4),(1,2)>, specht(3,1))");
  check(group(4, {"(1,2,3)"}), "specht(3,1)");
  check(group(3, {"(1,2,3)"}), "rep([[[0,-1],[1,-1]]])");
  check(group(3, {"(1,2,3)"}), "rep([ [ [0 , -1/2] , [+2 , -1] ] ])");
  check(point_group("C3v"), "coordinates");
  check(weyl_group('F', 4), "coordinates + sym(2, coordinates)");
  check(direct_product({symmetric(3), symmetric(4)}), "std # specht(2,2) + perm");
  // Subgroups know no coordinates: the text has the matrices.
  const FiniteGroup D6 = point_group("D6");
  const FiniteGroup half(D6.degree(), {D6.generators()[0]});
  const Representation V = restriction(coordinate_representation(D6), half);
  REQUIRE(parse_representation(half, V.to_string()).generator_matrices() == V.generator_matrices());
  REQUIRE_THROWS_WITH(parse_representation(group(3, {"(1,2,3)"}), "rep([[[0,-1],[1,0]]])"), Catch::Contains("a^3 = 1"));
  REQUIRE_THROWS_AS(parse_representation(group(1, {}), "std"), DomainError);
  REQUIRE_THROWS_AS(parse_representation(symmetric(20), "specht(8,6,4,2)").matrix(Permutation::identity(20)),
                    LimitError);
}

TEST_CASE("random text never does worse than an error", "[io][quick]") {
  auto rng = test_rng();
  const FiniteGroup G = direct_product({symmetric(3), test_groups::cyclic(2)});
  const std::vector<std::string> tokens = {"perm",    "sign",    "trivial", "sym(",        "alt(",
                                           "2",       "1",       ",",       "(",           ")",
                                           "*",       "+",       "^",       "#",           "<",
                                           ">",       "(1,2)",   "[",       "]",           "{",
                                           "}",       "rep(",    "orbit({", "cosets(<",    "induced(<(1,2)>,",
                                           "-",       "dual(",   " ",       "subsets(",    "@",
                                           "\"",      "regular", "std",     "specht(2,1)", "coordinates",
                                           "rep([[[", "]]]",     "1/2"};
  int parsed = 0;
  for (int trial = 0; trial < 3000 * test_multiplier(); ++trial) {
    std::string text;
    for (std::uint64_t i = 0, n = 1 + rng.below(8); i < n; ++i) text += tokens[rng.below(tokens.size())];
    try {
      const Representation V = parse_representation(G, text);
      ++parsed;
      if (V.dimension() < 5000) {
        CAPTURE(text, V.to_string());
        const Representation again = parse_representation(G, V.to_string());
        if (V.is_monomial())
          REQUIRE(same(V, again));
        else if (V.dimension() < 300)
          REQUIRE(V.generator_matrices() == again.generator_matrices());
      }
    } catch (const Error&) {
    }
  }
  REQUIRE(parsed > 0);
}

TEST_CASE("the help names every form", "[io][quick]") {
  const std::string help = known_representations();
  for (const char* name : {"perm", "sign", "tuples(k)", "induced(", "rep(@file.json)", "R # R"})
    REQUIRE(help.find(name) != std::string::npos);
  REQUIRE(help.find("irrep(k)") != std::string::npos);
}

TEST_CASE("words of other systems name the same representations", "[io][quick]") {
  const FiniteGroup S4 = parse_finite_group("S4"), Oh = parse_finite_group("Oh"),
                    product = parse_finite_group("S3 x C2");
  const auto same_matrices = [](const FiniteGroup& G, const char* theirs, const char* ours) {
    const Representation V = parse_representation(G, theirs), W = parse_representation(G, ours);
    return V.dimension() == W.dimension() &&
           std::all_of(G.generators().begin(), G.generators().end(),
                       [&](const Permutation& g) { return V.field_matrix(g) == W.field_matrix(g); });
  };
  for (const auto& [theirs, ours] :
       std::vector<std::pair<const char*, const char*>>{{"V**2", "perm^2"},
                                                        {"V \u2297 sgn", "perm * sign"},
                                                        {"permutation \u2295 triv", "perm + trivial"},
                                                        {"Sym^2(V)", "sym(2, perm)"},
                                                        {"Lambda^2(standard)", "alt(2, std)"},
                                                        {"wedge(2, V)", "alt(2, perm)"},
                                                        {"T(2)", "perm^2"},
                                                        {"T(1,1)", "perm * dual(perm)"},
                                                        {"[3,1]", "irrep([3,1])"},
                                                        {"irrep(3,1)", "irrep([3,1])"},
                                                        {"schur((2,1), V)", "schur([2,1], perm)"},
                                                        {"regular_repr", "regular"},
                                                        {"V²", "perm^2"},
                                                        {"V^⊗2", "perm^2"},
                                                        {"V^{2}", "perm^2"},
                                                        {"V^{⊗2}", "perm^2"},
                                                        {"V*", "dual(perm)"},
                                                        {"V^* ⊗ V", "dual(perm) * perm"},
                                                        {"V* * V", "dual(perm) * perm"},
                                                        {"(V* + V*)^2", "(dual(perm) + dual(perm))^2"},
                                                        {"1 + V", "trivial + perm"},
                                                        {"2*1", "2*trivial"},
                                                        {"1*V", "perm"},
                                                        {"Λ^2 V", "alt(2, perm)"},
                                                        {"Λ²(V)", "alt(2, perm)"},
                                                        {"Sym²V ⊗ V", "sym(2, perm) * perm"},
                                                        {"S^2(V)", "sym(2, perm)"},
                                                        {"3perm", "3*perm"},
                                                        {"2*T(0)", "2*perm^0"}}) {
    CAPTURE(theirs);
    REQUIRE(same_matrices(S4, theirs, ours));
  }
  REQUIRE(same_matrices(Oh, "vector", "coordinates"));
  REQUIRE(same_matrices(Oh, "V", "coordinates"));
  REQUIRE(same_matrices(Oh, "pseudovector", "alt(2, coordinates)"));
  REQUIRE(same_matrices(product, "perm \u22a0 sign", "perm # sign"));
  REQUIRE_THROWS_AS(parse_representation(parse_finite_group("D5"), "pseudovector"), ParseError);
  REQUIRE_THROWS_AS(parse_representation(S4, "T2g"), ParseError);
  REQUIRE_THROWS_AS(parse_representation(S4, "perm***2"), ParseError);
}

TEST_CASE("every named form has one line of meaning", "[io][quick]") {
  std::istringstream lines(known_representations());
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    REQUIRE(line.find("  ") != std::string::npos);
    REQUIRE(line.back() != ' ');
  }
}

TEST_CASE("irreducible representations by number and name", "[io][quick]") {
  const FiniteGroup S4 = parse_finite_group("S4"), A5 = parse_finite_group("A5"), A4 = parse_finite_group("A4");
  std::uint64_t squares = 0;
  for (const char* k : {"1", "2", "3", "4", "5"}) {
    const Representation V = parse_representation(A5, std::string("irrep(") + k + ")");
    REQUIRE(V.to_string() == std::string("irrep(") + k + ")");
    squares += V.dimension() * V.dimension();
  }
  REQUIRE(squares == 60);
  REQUIRE(parse_representation(S4, "irrep([3,1])").dimension() == 3);
  REQUIRE(parse_representation(A5, "irrep([3,1,1]+)").field().to_string() == "Q(sqrt(5))");
  const Representation induced = parse_representation(A4, "induced(<(1,2,3)>, 2) + 2*irrep([3,1])");
  REQUIRE(induced.dimension() == 10);
  REQUIRE(induced.field().to_string() == "Q(E(3))");
  const Permutation g = A4.generators()[0], h = A4.generators()[1];
  REQUIRE(induced.field_matrix(g) * induced.field_matrix(h) == induced.field_matrix(g * h));
  REQUIRE(parse_representation(A4, induced.to_string()).field_matrix(g) == induced.field_matrix(g));
}

TEST_CASE("kernels do not depend on names", "[io][quick]") {
  // D1 and C2 have the same permutations and move the axes in other ways: a text that knows generators only says how.
  for (const char* name : {"C2", "D1", "C4", "D4"}) {
    CAPTURE(name);
    const FiniteGroup G = parse_finite_group(name);
    const Representation V = restriction(parse_representation(G, "kernel(3,3)"), G);
    const Representation again = parse_representation(G, V.to_string());
    REQUIRE(again.generator_images() == V.generator_images());
  }
  const FiniteGroup square = parse_finite_group("D4");
  const FiniteGroup called(square.degree(), square.generators(), "C2");
  REQUIRE_THROWS_AS(parse_representation(called, "kernel(3,3)"), DomainError);
}

TEST_CASE("species of printed tables are representations", "[io][quick]") {
  const auto constituents = [](const char* group, const char* text) {
    const FiniteGroup G = parse_finite_group(group);
    const Representation V = parse_representation(G, text);
    std::vector<std::string> names;
    const CharacterTable table = character_table(G);
    for (const Constituent& part : decompose(V, table, BaseField::complex))
      names.push_back(table.name(part.irreps.front()));
    std::sort(names.begin(), names.end());
    return names;
  };
  using Names = std::vector<std::string>;
  CHECK(constituents("point(C4)", "E") == Names{"1E", "2E"});
  CHECK(constituents("point(C4)", "1E * 2E") == Names{"A"});
  CHECK(constituents("C3h", "E' * E''") == Names{"1E''", "2E''", "A''"});
  CHECK(constituents("C3h", "irrep(e\")") == Names{"1E''", "2E''"});
  CHECK(constituents("C2v", "b1*b2") == Names{"A2"});
  CHECK(constituents("Oh", "eg*t2g") == Names{"T1g", "T2g"});
  CHECK(constituents("Oh", "2T1u") == Names{"T1u"});
  // The same names where the group stands on its polygon alone.
  const auto same_products = [](const char* plain, const char* points, const char* text) {
    const FiniteGroup G = parse_finite_group(plain), H = parse_finite_group(points);
    const auto multiplicities = [&](const FiniteGroup& group) {
      std::vector<Integer> found;
      for (const Constituent& part :
           decompose(parse_representation(group, text), character_table(group), BaseField::complex))
        found.push_back(part.multiplicity);
      std::sort(found.begin(), found.end());
      return found;
    };
    return multiplicities(G) == multiplicities(H);
  };
  for (const char* text : {"E * E", "A * E", "B * B", "E^3"}) CHECK(same_products("C4", "point(C4)", text));
  for (const char* text : {"E1 * E2", "E1^2", "A2 * E1"}) CHECK(same_products("D5", "point(D5)", text));
  for (const char* text : {"B1 * B2", "E * E", "A2 * E"}) CHECK(same_products("D4", "point(D4)", text));
  CHECK(trouble(parse_finite_group("D3h"), "E").second.starts_with("no irreducible representation of D3h is called E"));
  CHECK(trouble(symmetric(4), "E").first == 0);
  const auto [at, why] = trouble(parse_finite_group("D4h"), "A1g + E1u");
  CHECK(at == 6);
  CHECK(why.find("D4h is called E1u; they are A1g") != std::string::npos);
}
