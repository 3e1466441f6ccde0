#include <catch2/catch.hpp>
#include <string>

#include "intertwine/classical/compact_clebsch_gordan.hpp"
#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/classical/orthonormal_form.hpp"
#include "intertwine/error.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "intertwine/reductive/lie_group.hpp"

using namespace intertwine;

namespace {

ContinuousRepresentation module_of(const std::string& group, const std::string& text) {
  return parse_representation(parse_continuous_group(group), text);
}

/// The number of maps by the basis, which certifies itself, and again by characters.
std::size_t number_of_maps(const std::string& group, const std::string& in, const std::string& out) {
  CAPTURE(group, in, out);
  const hom::Basis basis = hom::equivariant_basis(module_of(group, in), module_of(group, out));
  CHECK(continuous_hom_dimension(module_of(group, in), module_of(group, out)).dimension == basis.params());
  CHECK_NOTHROW(verify(basis));
  return basis.params();
}

}  // namespace

TEST_CASE("the adjoint representation is the bracket with a basis of the Lie algebra", "[classical][quick]") {
  for (const char* name : {"SO(1)", "SO(2)", "O(3)", "SO(5)", "SO+(1,3)", "O(2,2)", "SL(1)", "SL(2)", "SU(4)", "GL(3)",
                           "U(2)", "Sp(2)", "Sp(6)", "Spin(5)"}) {
    CAPTURE(name);
    const ContinuousGroup G = parse_continuous_group(name);
    const auto& classical = std::get<ClassicalGroup>(G.factors().front());
    const std::vector<SparseMatrix> basis = classical.lie_algebra();
    const ContinuousRepresentation ad = adjoint_representation(G);
    REQUIRE(ad.dimension() == basis.size());
    const auto images = ad.generator_matrices();
    const std::vector<SparseMatrix> X = classical.lie_generators();
    for (std::size_t g = 0; g < X.size(); ++g)
      for (std::uint64_t k = 0; k < basis.size(); ++k) {
        SparseMatrix sum(classical.dimension(), classical.dimension(), {});
        for (const auto& e : images[g].entries())
          if (e.col == k) sum = sum + e.value * basis[e.row];
        CHECK(sum == X[g] * basis[k] + Rational(-1) * (basis[k] * X[g]));
      }
  }
}

TEST_CASE("the adjoint representation of classical groups in other words", "[classical][quick]") {
  const auto same_matrices = [](const char* group, const char* text) {
    CAPTURE(group);
    CHECK(module_of(group, "adjoint").generator_matrices() == module_of(group, text).generator_matrices());
  };
  for (const char* group : {"SO(3)", "SO(6)", "O(2)", "O(5)", "Spin(7)"}) same_matrices(group, "alt(2, vector)");
  for (const char* group : {"GL(3)", "U(2)"}) same_matrices(group, "vector*dual(vector)");
  // Hom to its twin has the dimension of End: they are isomorphic. The number of simple ideals over C, and the centre.
  const struct {
    const char *group, *twin;
    std::size_t maps;
  } cases[] = {{"SO(2)", "trivial", 1},
               {"O(2)", "det", 1},
               {"SO(3)", "vector", 1},
               {"SO(4)", "alt(2, vector)", 2},
               {"O(4)", "alt(2, vector)", 1},
               {"SO(5)", "alt(2, vector)", 1},
               {"SO+(1,3)", "alt(2, vector)", 2},
               {"O(1,3)", "alt(2, vector)", 1},
               {"Sp(4)", "sym(2, vector)", 1},
               {"Sp(2)", "sym(2, vector)", 1},
               {"SL(3)", "schur([2,1], vector)", 1},
               {"SU(2)", "sym(2, vector)", 1},
               {"U(3)", "vector*dual(vector)", 2},
               {"Spin(3)", "vector", 1},
               {"SU(4)", "dual(adjoint)", 1}};
  for (const auto& c : cases) {
    CHECK(number_of_maps(c.group, "adjoint", "adjoint") == c.maps);
    CHECK(number_of_maps(c.group, "adjoint", c.twin) == c.maps);
  }
  // Controls: a pseudovector is no vector, and the octet is no sextet.
  CHECK(number_of_maps("O(3)", "adjoint", "vector") == 0);
  CHECK(number_of_maps("O(3)", "adjoint", "vector*det") == 1);
  CHECK(number_of_maps("SL(3)", "adjoint", "sym(2, vector)") == 0);
  CHECK(number_of_maps("U(3)", "trivial", "adjoint") == 1);
  CHECK(number_of_maps("SU(3)", "trivial", "adjoint") == 0);
  CHECK(number_of_maps("O(1)", "adjoint", "vector") == 0);  // of dimension 0
}

TEST_CASE("brackets and the symmetric coupling d are all maps from two adjoints to one", "[classical][quick]") {
  // sl(n) with n >= 3 has d_abc beside f_abc, and so(6) is sl(4); reflections take d to -d.
  const struct {
    const char* group;
    std::size_t maps;
  } cases[] = {{"SO(3)", 1},    {"O(3)", 1},  {"SU(2)", 1}, {"Sp(4)", 1},   {"SO(4)", 2}, {"SO(5)", 1},
               {"SO+(1,3)", 2}, {"SL(3)", 2}, {"SU(3)", 2}, {"Spin(6)", 2}, {"O(6)", 1},  {"U(3)", 6}};
  for (const auto& c : cases) {
    CHECK(number_of_maps(c.group, "adjoint^2", "adjoint") == c.maps);
    CHECK(number_of_maps(c.group, "alt(2, adjoint)", "adjoint") +
              number_of_maps(c.group, "sym(2, adjoint)", "adjoint") ==
          c.maps);
  }
  // Against highest weights: [adjoint^2 : adjoint] of the simply connected groups.
  for (const char* name : {"SU(5)", "SU(6)", "Sp(6)", "SO(7)", "SO(8)"}) {
    const LieGroup G = LieGroup::classical(std::string(name).substr(0, 2), name[3] - '0');
    const LieCharacter ad = G.adjoint();
    CHECK(continuous_hom_dimension(module_of(name, "adjoint^2"), module_of(name, "adjoint")).dimension ==
          tensor_product(ad, ad).multiplicity(ad.terms()[0].weight));
    CHECK(ad.dimension() == module_of(name, "adjoint").dimension());
  }
}

TEST_CASE("the adjoint representation in products, orthonormal bases and couplings", "[classical][quick]") {
  CHECK(number_of_maps("S4 x SO(3)", "perm # adjoint", "perm # vector") == 2);
  CHECK(number_of_maps("O(2) x SU(2)", "adjoint # adjoint", "det # sym(2, vector)") == 1);
  const ContinuousRepresentation V = module_of("S4 x O(3)", "perm # 2*adjoint + trivial");
  CHECK(parse_representation(V.group(), V.to_string()) == V);
  CHECK(orthonormal_form(module_of("O(4)", "adjoint*vector")).norms == std::vector<Rational>(24, 1));
  const ContinuousRepresentation octet = module_of("SU(3)", "adjoint"), ten = module_of("Sp(4)", "adjoint");
  const CompactClebschGordan couplings = clebsch_gordan(octet, octet, {octet});
  REQUIRE(couplings.constituents.size() == 1);
  CHECK(couplings.constituents[0].maps.size() == 2);  // d and f
  CHECK(clebsch_gordan(ten, ten, {ten}).constituents[0].maps.size() == 1);
  CHECK_THROWS_WITH(clebsch_gordan(module_of("U(2)", "adjoint"), module_of("U(2)", "adjoint"), {}),
                    Catch::Contains("not irreducible"));
}

TEST_CASE("where adjoint is not understood", "[classical][quick]") {
  CHECK_THROWS_WITH(module_of("S3 x SO(3)", "adjoint"),
                    Catch::Contains("adjoint belongs to one factor") && Catch::Contains("perm # vector"));
  CHECK_THROWS_WITH(adjoint_representation(parse_continuous_group("SO(3) x SO(2)")),
                    Catch::Contains("adjoint belongs to one classical group"));
  CHECK_THROWS_WITH(module_of("SO(3)", "adjiont"), Catch::Contains("did you mean adjoint?"));
  CHECK_THROWS_AS(module_of("SO(3)", "adjoint(2)"), ParseError);
}
