#include "intertwine/classical/continuous_decomposition.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/lie_expression.hpp"
#include "intertwine/reductive/lie_branching.hpp"

using namespace intertwine;

namespace {

ContinuousRepresentation rep(const std::string& group, const std::string& text) {
  return parse_representation(parse_continuous_group(group), text);
}
/// "harmonic(3) + 2*vector"
std::string parts(const std::string& group, const std::string& text) {
  std::string out;
  for (const ContinuousConstituent& part : decompose(rep(group, text)))
    out +=
        (out.empty() ? "" : " + ") + (part.multiplicity == 1 ? "" : to_string(part.multiplicity) + "*") + part.name();
  return out;
}
/// The sum of the squares of the multiplicities is dim Hom(V, V), which is counted in another way.
Integer squares(const std::vector<ContinuousConstituent>& parts) {
  Integer sum = 0;
  for (const ContinuousConstituent& part : parts) sum += part.multiplicity * part.multiplicity;
  return sum;
}

}  // namespace

TEST_CASE("constituents over O(n), by hand", "[classical][quick]") {
  CHECK(parts("O(3)", "harmonic(2)*vector") == "harmonic(3) + harmonic(2)*det + vector");
  CHECK(parts("O(3)", "vector^2") == "harmonic(2) + vector*det + trivial");
  CHECK(parts("O(3)", "alt(3, vector)") == "det");
  CHECK(parts("O(2)", "vector^2") == "harmonic(2) + det + trivial");
  CHECK(parts("O(2)", "harmonic(3)*det") == "harmonic(3)");  // it is its own associate
  CHECK(parts("O(1)", "vector^3 + trivial") == "det + trivial");
  CHECK(parts("O(4)", "vector^2") == "harmonic(2) + irrep([1,1] as partition) + trivial");
  CHECK(parts("O(4)", "alt(3, vector)") == "vector*det");
  CHECK(parts("O(1,3)", "vector^2*det") == "harmonic(2)*det + irrep([1,1] as partition) + det");
  CHECK(parts("O(5)", "alt(2, vector) + alt(3, vector)") ==
        "irrep([1,1] as partition)*det + irrep([1,1] as partition)");
}

TEST_CASE("constituents of products with finite groups, and of groups of every kind", "[classical][quick]") {
  CHECK(parts("S3 x SO(3)", "perm # vector^2") == "[2,1] # 5 + [2,1] # 3 + [3] # 5 + [3] # 3 + [2,1] # 1 + [3] # 1");
  CHECK(parts("S3 x O(3)", "perm # vector + trivial") == "[2,1] # vector + [3] # vector + [3] # trivial");
  CHECK(parts("O(2) x SU(2)", "(det # vector)^2") == "trivial # 3 + trivial # 1");
  CHECK(parts("SO+(1,3)", "vector^2") == "9 + 3 + 3 + 1");
  CHECK(parts("SU(3)", "irrep([1,1])^2") == "27 + 10 + 10* + 2*8 + 1");
  CHECK(parts("Spin(7)", "spinor^2") == "35 + 21 + 7 + 1");
  CHECK(parts("SO(2)", "vector^2") == "1 + 2*1 + 1*");
  CHECK(parts("SO(1)", "2*vector") == "2*1");
}

TEST_CASE("multiplicities have the squares of their sum that Hom has", "[classical][quick]") {
  for (const auto& [group, text] :
       std::vector<std::pair<std::string, std::string>>{{"O(2)", "vector^4 + det"},
                                                        {"O(3)", "vector^3 + harmonic(2)*vector"},
                                                        {"O(4)", "vector^3 + alt(2, vector)^2"},
                                                        {"O(5)", "alt(2, vector)*vector + schur([2,1], vector)"},
                                                        {"O(6)", "alt(3, vector) + vector^2"},
                                                        {"O(1,2)", "(vector + det)^3"},
                                                        {"SO(4)", "alt(2, vector)^2"},
                                                        {"U(2)", "vector^2*dual(vector)"},
                                                        {"Sp(4)", "vector^3"},
                                                        {"S4 x O(2)", "(perm # vector)^2"},
                                                        {"C3 x SO(3)", "(perm + sign) # vector^2"}}) {
    INFO(group << ": " << text);
    const ContinuousRepresentation V = rep(group, text);
    CHECK(squares(decompose(V)) == continuous_hom_dimension(V, V).dimension);
  }
}

TEST_CASE("names of constituents give them back", "[classical][quick]") {
  const std::vector<ContinuousConstituent> d = decompose(rep("O(4)", "(vector + det)^3"));
  for (const ContinuousConstituent& part : d) {
    const std::string name = part.name();
    INFO(name);
    const ContinuousRepresentation irrep = rep("O(4)", name);
    CHECK(Integer(irrep.dimension()) == part.degree);
    CHECK(continuous_hom_dimension(irrep, rep("O(4)", "(vector + det)^3")).dimension == part.multiplicity);
    CHECK(irreducible_representation(irrep.group(), part.factors[0].label) == irrep);
  }
}

TEST_CASE("representations of GL(n) are restricted along representations of other groups", "[classical][quick]") {
  const ContinuousRepresentation d_shell = rep("O(3)", "harmonic(2)");
  const auto restricted = [&](const std::string& text) {
    std::string out;
    for (const ContinuousConstituent& part : decompose(restricted_along(rep("GL(5)", text), d_shell)))
      out += (out.empty() ? "" : " + ") + part.name();
    return out;
  };
  CHECK(restricted("sym(2, vector)") == "harmonic(4) + harmonic(2) + trivial");
  CHECK(restricted("alt(2, vector)") == "harmonic(3)*det + vector*det");
  CHECK(restricted("det + dual(vector)") == "harmonic(2) + trivial");
  CHECK_THROWS_WITH(restricted_along(rep("GL(4)", "vector"), d_shell), Catch::Contains("has dimension 5"));
  CHECK_THROWS_WITH(restricted_along(rep("SO(5)", "vector"), d_shell), Catch::Contains("SU(n), SL(n)"));
  CHECK_THROWS_WITH(restricted_along(rep("SU(5)", "2*adjoint"), d_shell), Catch::Contains("vector*dual(vector)"));
  // Over SO(3) reductive branching says the same.
  const LieGroup from = parse_lie_group("SU(5)"), to = parse_lie_group("SO(3)");
  const LieRestriction f = restriction_by_vector(from, to, parse_lie_representation(to, "irrep([4])"));
  const LieCharacter by_weights = restrict(parse_lie_representation(from, "schur([2,1], vector)"), f);
  for (const ContinuousConstituent& part :
       decompose(restricted_along(rep("SU(5)", "schur([2,1], vector)"), rep("SO(3)", "harmonic(2)"))))
    CHECK(part.multiplicity == by_weights.multiplicity(part.factors[0].label));
}

TEST_CASE("indicators are those of invariant forms", "[classical][quick]") {
  const std::pair<const char*, const char*> cases[] = {{"O(3)", "harmonic(2)*det"},
                                                       {"O(4)", "irrep([2,1] as partition)"},
                                                       {"SO+(1,3)", "vector"},
                                                       {"O(1,3)", "irrep([1,1,1] as partition)"},
                                                       {"S3 x SU(2)", "std # vector"},
                                                       {"S3 x SU(3)", "std # vector"},
                                                       {"SU(2) x SU(2)", "vector # vector"},
                                                       {"SU(2) x SO(3)", "vector # vector"},
                                                       {"C2 x SU(3)", "sign # irrep([1,1])"}};
  for (const auto& [group, text] : cases) {
    INFO(group << " " << text);
    const ContinuousGroup G = parse_continuous_group(group);
    const ContinuousRepresentation V = parse_representation(G, text);
    const auto parts = decompose(V);
    REQUIRE(parts.size() == 1);
    const auto forms = [&](const ContinuousRepresentation& W) {
      return continuous_hom_dimension(W, trivial_representation(G)).dimension;
    };
    CHECK(forms(sym(2, V)) == (parts[0].indicator() == 1 ? 1 : 0));
    CHECK(forms(alt(2, V)) == (parts[0].indicator() == -1 ? 1 : 0));
  }
  // Of finite factors the table's: the quaternion group, and what is not self-dual.
  const auto indicators = [](const char* group, const char* text) {
    std::vector<int> out;
    for (const auto& part : decompose(parse_representation(parse_continuous_group(group), text)))
      out.push_back(part.indicator());
    return out;
  };
  CHECK(indicators("Q8 x SU(2)", "rational(irrep(5)) # vector") == std::vector<int>{1});
  CHECK(indicators("C3 x SO(3)", "(perm - trivial) # vector") == std::vector<int>{0, 0});
}
