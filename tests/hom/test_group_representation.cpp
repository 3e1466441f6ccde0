#include "intertwine/hom/group_representation.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/hom/constituents.hpp"
#include "intertwine/io/any_expression.hpp"

using namespace intertwine;

namespace {

hom::Representation rep(const std::string& group, const std::string& text, Form form = Form::matrices) {
  return parse_representation(parse_group(group), text, form);
}
/// Names and multiplicities.
std::map<std::string, Integer> parts(const hom::Representation& V) {
  std::map<std::string, Integer> found;
  for (const hom::Constituent& part : hom::decompose(V).constituents) found[part.name] += part.multiplicity;
  return found;
}

struct Sample {
  const char *group, *V, *W;
};
constexpr Sample samples[] = {{"S4", "perm", "std"},
                              {"O(3)", "vector", "harmonic(2)"},
                              {"SU(3)", "vector", "adjoint"},
                              {"S3 x SO(3)", "perm # vector", "sign # trivial"},
                              {"G2", "vector", "irrep([0,1])"},
                              {"SU(2) x G2", "irrep([1,1,0])", "irrep([0,0,1])"},
                              {"D∞h", "vector", "irrep(Πg)"},
                              {"U(2)", "vector", "irrep([1,-1])"}};

}  // namespace

TEST_CASE("the algebra of representations of every kind", "[hom][quick]") {
  for (const Sample& sample : samples) {
    CAPTURE(sample.group);
    const hom::Representation V = rep(sample.group, sample.V), W = rep(sample.group, sample.W);
    const Integer v = V.dimension(), w = W.dimension();
    CHECK(sum(V, W).dimension() == v + w);
    CHECK(tensor_product(V, W).dimension() == v * w);
    CHECK(multiple(3, V).dimension() == 3 * v);
    CHECK(tensor_power(V, 3).dimension() == v * v * v);
    CHECK(dual(V).dimension() == v);
    CHECK(parts(tensor_product(V, W)) == parts(tensor_product(W, V)));
    CHECK(parts(tensor_power(V, 2)) == parts(sum(sym(2, V), alt(2, V))));
    CHECK(parts(schur_power(Partition({2}), V)) == parts(sym(2, V)));
    CHECK(parts(sum(V, W)) == parts(sum(W, V)));
    CHECK(parts(V) == parts(parse_representation(V.group(), V.to_string())));
    Integer degrees = 0;
    for (const hom::Constituent& part : hom::decompose(V).constituents) degrees += part.degree * part.multiplicity;
    CHECK(degrees == v);
    CHECK(V == rep(sample.group, sample.V));
    CHECK_FALSE(V == W);
  }
}

TEST_CASE("matrices and characters give the same constituents", "[hom][quick]") {
  for (const auto& [group, text] : {std::pair{"SU(3)", "vector^2*adjoint"},
                                    {"SO(4)", "vector^3 + adjoint"},
                                    {"SO(2)", "harmonic(2)^2"},
                                    {"U(2)", "vector*dual(vector) + sym(2, vector)"},
                                    {"Sp(4)", "alt(2, vector)*vector"},
                                    {"Spin(8)", "vector + spinor"}}) {
    CAPTURE(group, text);
    const hom::Representation V = rep(group, text), W = rep(group, text, Form::character);
    CHECK(V.has_matrices());
    CHECK_FALSE(W.has_matrices());
    CHECK(V.dimension() == W.dimension());
    CHECK(parts(V) == parts(W));
    CHECK(character(V) == character(W));
  }
  // Over a product of groups weights are the labels of all factors, then the charges.
  const hom::Representation V = rep("U(2) x SU(3)", "vector # dual(vector)");
  CHECK(character(V).terms().front().weight == Weight({1, 0, 1, 1}));
}

TEST_CASE("what is too large for matrices is known by its character", "[hom][quick]") {
  const hom::Representation V = rep("SU(3)", "adjoint");
  const hom::Representation S = sym(10, V);
  CHECK(V.has_matrices());
  CHECK_FALSE(S.has_matrices());
  CHECK(S.dimension() == 19448);
  CHECK(sum(S, V).dimension() == 19456);
  CHECK_THROWS_WITH(S.require_matrices("basis"),
                    Catch::Contains("known by its character only") && Catch::Contains("1500"));
  CHECK_THROWS_AS(sym(10, rep("O(3)", "harmonic(3)")), LimitError);  // no highest weights
  const hom::Representation spinor = rep("Spin(3)", "spinor");
  CHECK(spinor.dimension() == 2);
  CHECK_THROWS_WITH(spinor.require_matrices("basis"), Catch::Contains("real(spinor)"));
}

TEST_CASE("differences of representations", "[hom][quick]") {
  CHECK(difference(rep("S4", "perm"), rep("S4", "trivial")).dimension() == 3);
  const hom::Representation d = difference(rep("SU(3)", "vector"), rep("SU(3)", "adjoint"));
  CHECK(d.dimension() == -5);
  CHECK(d.to_string() == "-irrep([1,1]) + irrep([1,0])");
  CHECK(difference(rep("C∞v", "vector"), rep("C∞v", "vector")).to_string() == "0*trivial");
  CHECK_THROWS_AS(difference(rep("O(3)", "vector"), rep("O(3)", "det")), DomainError);
}

TEST_CASE("questions that a kind of group cannot answer are refused", "[hom][quick]") {
  CHECK_THROWS_WITH(sum(rep("SU(3)", "vector"), rep("SU(2)", "vector")),
                    Catch::Contains("different groups, SU(3) and SU(2)"));
  CHECK_THROWS_AS(sum(rep("C∞v", "vector"), rep("D∞h", "vector")), DomainError);
  CHECK_THROWS_AS(tensor_product(rep("S3", "perm"), rep("G2", "vector")), DomainError);
  CHECK_THROWS_WITH(character(rep("O(3)", "vector")), Catch::Contains("no highest weights"));
  CHECK_THROWS_WITH(hom::decompose(rep("SU(3)", "vector"), BaseField::real),
                    Catch::Contains("over the complex numbers"));
  CHECK_THROWS_WITH(real(rep("G2", "vector")), Catch::Contains("characters only"));
  CHECK_THROWS_AS(multiple(-1, rep("S3", "perm")), DomainError);
  CHECK_THROWS_AS(rep("SU(3)", "vectr"), ParseError);
  CHECK_THROWS_AS(rep("SU(3)", "vectr", Form::character), ParseError);
  CHECK_THROWS_AS(hom::Representation(parse_group("SO(3)"), LieCharacter(RootSystem('A', 1), Weight{1})),
                  DomainError);  // the spinor does not descend
}
