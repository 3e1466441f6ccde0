// Irreducible representations of continuous groups by partitions and weights: src/classical/continuous_irrep.cpp.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "intertwine/classical/continuous_decomposition.hpp"
#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/error.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/io/lie_expression.hpp"

using namespace intertwine;

namespace {

ContinuousRepresentation rep(const std::string& group, const std::string& text) {
  return parse_representation(parse_continuous_group(group), text);
}
Integer pairing(const ContinuousRepresentation& V, const ContinuousRepresentation& U) {
  return continuous_hom_dimension(V, U).dimension;
}

/// All dominant weights of a group with labels at most `most` and dimension at most `largest`; charges 0 where there are none.
std::vector<Weight> small_weights(const LieGroup& G, int most, int largest) {
  std::vector<Weight> out;
  Weight weight(static_cast<std::size_t>(G.type().rank()), 0);
  const auto visit = [&](const auto& self, std::size_t k) -> void {
    if (k == weight.size()) {
      try {
        G.require_weight(weight);
      } catch (const DomainError&) {
        return;
      }
      if (G.type().dimension(weight) <= largest) out.push_back(weight);
      return;
    }
    const bool charge = static_cast<int>(k) >= G.type().semisimple_rank();
    for (weight[k] = charge ? -most : 0; weight[k] <= most; ++weight[k]) self(self, k + 1);
    weight[k] = 0;
  };
  visit(visit, 0);
  return out;
}

/// All maps from V to itself are found and commute with every generator.
bool commutes_with_itself(const ContinuousRepresentation& V) {
  const hom::Basis basis = hom::equivariant_basis(V, V);
  verify(basis);
  return basis.dimension() == pairing(V, V);
}

}  // namespace

TEST_CASE("irreducible representations have Weyl's dimensions, and Schur's lemma holds", "[classical][quick]") {
  const struct {
    const char* group;
    int most, largest;
  } cases[] = {{"SU(2)", 5, 10}, {"SU(3)", 2, 30},   {"SL(4)", 1, 40},   {"GL(2)", 3, 4},  {"U(3)", 2, 8},
               {"Sp(4)", 2, 20}, {"Sp(6)", 1, 20},   {"SO(3)", 8, 9},    {"SO(4)", 4, 16}, {"SO(5)", 2, 14},
               {"SO(8)", 1, 28}, {"SO+(2,2)", 3, 9}, {"SO+(1,4)", 2, 14}};
  for (const auto& c : cases) {
    const ContinuousGroup G = parse_continuous_group(c.group);
    const LieGroup lie = lie_group_of(std::get<ClassicalGroup>(G.factors().front()));
    std::vector<ContinuousRepresentation> all;
    for (const Weight& weight : small_weights(lie, c.most, c.largest)) {
      INFO(c.group << " " << to_string(weight));
      const ContinuousRepresentation V = irreducible_of_weight(G, weight);
      CHECK(Integer(V.dimension()) == lie.type().dimension(weight));
      CHECK(lie.weight_of_partition(*lie.partition_of_weight(weight)) == weight);
      const ContinuousRepresentation again = parse_representation(G, V.to_string());
      CHECK(again == V);
      CHECK(again.generator_matrices() == V.generator_matrices());
      all.push_back(V);
    }
    CHECK(all.size() >= 3);
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t k = 0; k < all.size(); ++k) {
        INFO(all[i].to_string() << " and " << all[k].to_string() << " of " << c.group);
        CHECK(pairing(all[i], all[k]) == (i == k ? 1 : 0));
      }
  }
}

TEST_CASE("traceless parts carry a representation: their bases verify", "[classical][quick]") {
  for (const auto& [group, text] :
       std::vector<std::pair<std::string, std::string>>{{"SO(4)", "irrep([2,1] as partition)"},
                                                        {"SO(4)", "irrep([2,-2] as partition)"},
                                                        {"O(4)", "irrep([2,2] as partition)"},
                                                        {"O(4)", "irrep([2,1,1] as partition)"},
                                                        {"SO(5)", "irrep([2,0])"},
                                                        {"SO+(1,3)", "real(irrep([2,2] as partition))"},
                                                        {"SO+(2,2)", "irrep([4,0])"},
                                                        {"O(1,3)", "irrep([2,2] as partition)"},
                                                        {"Spin(5)", "irrep([2,1] as partition)"},
                                                        {"Sp(4)", "irrep([1,1])"}}) {
    INFO(group << " " << text);
    const ContinuousRepresentation V = rep(group, text);
    CHECK(commutes_with_itself(V));
    // A homomorphism to the tensor power that it is a part of: it would not verify if the matrices were no representation.
    const hom::Basis inside = hom::equivariant_basis(V, rep(group, "vector^4 + vector^3 + vector^2"));
    CHECK_NOTHROW(verify(inside));
  }
}

TEST_CASE("products of irreducible representations have the multiplicities of their characters", "[classical][quick]") {
  const struct {
    const char *group, *left, *right;
  } cases[] = {{"SU(3)", "irrep([1,1])", "irrep([1,1])"},
               {"SO(5)", "irrep([1,0])", "irrep([0,2])"},
               {"SO(4)", "irrep([2,2])", "irrep([4,0])"},
               {"Sp(4)", "irrep([0,1])", "irrep([0,1])"}};
  for (const auto& c : cases) {
    const LieGroup lie = parse_lie_group(c.group);
    const LieCharacter product =
        tensor_product(parse_lie_representation(lie, c.left), parse_lie_representation(lie, c.right));
    const ContinuousGroup G = parse_continuous_group(c.group);
    const ContinuousRepresentation V = rep(c.group, c.left) * rep(c.group, c.right);
    Integer dimension = 0;
    for (const WeightTerm& term : product) {
      INFO(c.group << " " << to_string(term.weight));
      const ContinuousRepresentation U = irreducible_of_weight(G, term.weight);
      CHECK(pairing(U, V) == term.coefficient);
      dimension += term.coefficient * Integer(U.dimension());
    }
    CHECK(dimension == Integer(V.dimension()));
  }
  const hom::Basis bracket =
      hom::equivariant_basis(rep("SO(5)", "irrep([2,1] as partition)"), rep("SO(5)", "vector^3"));
  CHECK(bracket.dimension() == 2);
  CHECK_NOTHROW(verify(bracket));
}

TEST_CASE("labels of O(n) are Weyl's: all are different, with the determinant where there are many rows",
          "[classical][quick]") {
  for (const char* group : {"O(1)", "O(2)", "O(3)", "O(4)", "O(1,2)"}) {
    const ContinuousGroup G = parse_continuous_group(group);
    const int n = static_cast<int>(std::get<ClassicalGroup>(G.factors().front()).dimension());
    std::vector<ContinuousRepresentation> all;
    for (const Partition& label : partitions_in_box(n, 2)) {
      const Partition columns = label.conjugate();
      if (columns[0] + columns[1] > n) {
        CHECK_THROWS_AS(irreducible_representation(G, label.parts()), DomainError);
        continue;
      }
      all.push_back(irreducible_representation(G, label.parts()));
      CHECK(parse_representation(G, all.back().to_string()) == all.back());
    }
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t k = 0; k < all.size(); ++k) {
        INFO(group << ": " << all[i].to_string() << " and " << all[k].to_string());
        CHECK(pairing(all[i], all[k]) == (i == k ? 1 : 0));
      }
  }
  CHECK(rep("O(3)", "irrep([2,1] as partition)").to_string() == "harmonic(2)*det");
  CHECK(rep("O(3)", "irrep([1,1,1] as partition)").to_string() == "det");
}

TEST_CASE("halves that complex conjugation interchanges are taken together", "[classical][quick]") {
  // Over the complex numbers 10 + 10* of SO(6), (1,0) + (0,1) of the Lorentz group: two maps to itself each.
  for (const auto& [group, text, dimension] :
       std::vector<std::tuple<std::string, std::string, unsigned>>{{"SO(6)", "real(irrep([1,1,1] as partition))", 20},
                                                                   {"SO(6)", "real(irrep([0,2,0]))", 20},
                                                                   {"SO+(1,3)", "real(irrep([1,1] as partition))", 6},
                                                                   {"SO(2)", "real(irrep([3] as partition))", 2}}) {
    INFO(group << " " << text);
    const ContinuousRepresentation V = rep(group, text);
    CHECK(V.dimension() == dimension);
    CHECK(pairing(V, V) == 2);
  }
  CHECK(rep("SO(4)", "irrep([1,1] as partition)").dimension() == 3);
  CHECK(rep("SO+(1,1)", "irrep([2] as partition)").dimension() == 1);
  // A half and its other half differ: the control.
  CHECK(pairing(rep("SO(4)", "irrep([2,2] as partition)"), rep("SO(4)", "irrep([2,-2] as partition)")) == 0);
  CHECK(pairing(rep("SO(4)", "irrep([2,0])"), rep("SO(4)", "irrep([0,2])")) == 0);
}

TEST_CASE("what irrep does not have is refused where it stands", "[classical][quick]") {
  const struct {
    const char *group, *text, *message;
  } cases[] = {{"O(3)", "vector + irrep([2])", "write irrep([2] as partition)"},
               {"O(3)", "irrep([2,2] as partition)", "the first two columns"},
               {"SO(3)", "irrep([1])", "it is one of Spin(3) only"},
               {"SO(5)", "irrep([1])", "has 1 numbers"},
               {"SU(3)", "irrep([-1,0])", "dominant"},
               {"SU(3)", "irrep([1,2] as partition)", "its parts increase"},
               {"SU(3)", "irrep(4)", "no irreducible representation 4"},
               {"SO(4)", "irrep(9)", "has 3 irreducible representations 9"},
               {"GL(2)", "irrep(2)", "infinitely many"},
               {"S3 x SO(3)", "irrep([2])", "belongs to one factor"},
               {"SO(3)", "irrep", "irrep takes a highest weight"},
               {"SO(3)", "irrep([2] as)", "expected 'as partition'"},
               {"SO(3)", "irrep([2", "expected ',' or ']'"}};
  for (const auto& c : cases) {
    INFO(c.group << " " << c.text);
    CHECK_THROWS_WITH(rep(c.group, c.text), Catch::Contains(c.message));
    CHECK_THROWS_AS(rep(c.group, c.text), ParseError);
  }
  CHECK_THROWS_AS(rep("SO(5)", "irrep([40,40])"), LimitError);
  CHECK_THROWS_AS(rep("SU(3)", "irrep([40,40])"), LimitError);
}

TEST_CASE("half-integral weights of Spin(n)", "[classical][quick]") {
  // (group, weight, dimension of the real representation, of its commutant): H, H + ..., H, C, R, R, R, C for n = 3, ..., 10
  const struct {
    const char *group, *weight;
    std::uint64_t dimension, commutant;
  } cases[] = {{"Spin(3)", "[1]", 4, 4},        {"Spin(3)", "[3]", 8, 4},        {"Spin(3)", "[5]", 12, 4},
               {"Spin(4)", "[2,1]", 12, 4},     {"Spin(4)", "[1,2]", 12, 4},     {"Spin(4)", "[3,0]", 8, 4},
               {"Spin(5)", "[0,1]", 8, 4},      {"Spin(5)", "[1,1]", 32, 4},     {"Spin(5)", "[0,3]", 40, 4},
               {"Spin(6)", "[0,0,1]", 8, 2},    {"Spin(6)", "[1,1,0]", 40, 2},   {"Spin(7)", "[1,0,1]", 48, 1},
               {"Spin(8)", "[1,0,0,1]", 56, 1}, {"Spin(8)", "[1,0,1,0]", 56, 1}, {"Spin(9)", "[1,0,0,1]", 128, 1}};
  for (const auto& c : cases) {
    INFO(c.group << " " << c.weight);
    const ContinuousGroup G = parse_continuous_group(c.group);
    const std::string text = std::string("irrep(") + c.weight + ")";
    const ContinuousRepresentation V = parse_representation(G, c.commutant == 1 ? text : "real(" + text + ")");
    CHECK(V.dimension() == c.dimension);
    if (c.commutant != 1) CHECK_THROWS_WITH(parse_representation(G, text), Catch::Contains("real(" + text + ")"));
    const hom::Basis own = hom::equivariant_basis(V, V);
    CHECK(own.dimension() == c.commutant);
    CHECK_NOTHROW(verify(own));
    CHECK(parse_representation(G, V.to_string()) == V);
    Integer sum = 0;  // the weight that was asked for, and the dimension again
    for (const auto& part : decompose(V)) {
      sum += part.multiplicity * part.degree;
      CHECK(part.multiplicity * part.multiplicity * Integer(decompose(V).size()) == c.commutant);
    }
    CHECK(sum == V.dimension());
  }
  const ContinuousGroup G = parse_continuous_group("Spin(7)");
  const auto one = [&](const char* text) { return parse_representation(G, text); };
  // 8 x 7 = 48 + 8 and 8 x 27 = 168 + 48.
  CHECK(hom::equivariant_basis(one("irrep([1,0,1])"), one("spinor*vector")).dimension() == 1);
  CHECK(hom::equivariant_basis(one("spinor*harmonic(2)"), one("irrep([1,0,1])")).dimension() == 1);
  CHECK(hom::equivariant_basis(one("irrep([1,0,1])*spinor"), one("vector + alt(2, vector) + alt(3, vector)"))
            .dimension() ==
        continuous_hom_dimension(one("irrep([1,0,1])"), one("spinor*(vector + alt(2, vector) + alt(3, vector))"))
            .dimension);
  CHECK_THROWS_AS(one("irrep([5,0,1])"), LimitError);
}
