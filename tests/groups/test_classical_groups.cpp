#include <catch2/catch.hpp>
#include <fstream>
#include <numeric>

#include "intertwine/error.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "intertwine/io/group_expression.hpp"
#include "support/paths.hpp"

using namespace intertwine;

namespace {

Integer power(unsigned q, unsigned k) {
  Integer result = 1;
  for (unsigned i = 0; i < k; ++i) result *= q;
  return result;
}

/// |Sp(2m,q)| and |GU(n,q)| [Taylor, The geometry of the classical groups, 1992].
Integer order_of_symplectic(unsigned n, unsigned q) {
  Integer order = power(q, n * n / 4);
  for (unsigned i = 1; i <= n / 2; ++i) order *= power(q, 2 * i) - 1;
  return order;
}
Integer order_of_unitary(unsigned n, unsigned q) {
  Integer order = power(q, n * (n - 1) / 2);
  for (unsigned i = 1; i <= n; ++i) order *= power(q, i) - (i % 2 == 0 ? 1 : -1);
  return order;
}

}  // namespace

TEST_CASE("symplectic groups have their orders", "[classical]") {
  for (const auto& [n, q] : {std::pair{2U, 3U},
                             {2U, 4U},
                             {2U, 9U},
                             {4U, 2U},
                             {4U, 3U},
                             {4U, 4U},
                             {4U, 5U},
                             {4U, 9U},
                             {6U, 2U},
                             {6U, 3U},
                             {8U, 2U}}) {
    INFO(n << ", " << q);
    const Integer order = order_of_symplectic(n, q);
    const FiniteGroup G = symplectic_group(n, q), P = projective_symplectic_group(n, q);
    CHECK(G.order() == order);
    CHECK(G.degree() == power(q, n) - 1);
    CHECK(P.order() == order / std::gcd(2U, q - 1));
    CHECK(parse_finite_group(G.name()) == G);
    CHECK(parse_finite_group(P.name()) == P);
  }
}

TEST_CASE("unitary groups have their orders", "[classical]") {
  for (const auto& [n, q] : {std::pair{2U, 2U},
                             {2U, 3U},
                             {2U, 4U},
                             {3U, 2U},
                             {3U, 3U},
                             {3U, 4U},
                             {3U, 5U},
                             {4U, 2U},
                             {4U, 3U},
                             {5U, 2U},
                             {6U, 2U}}) {
    INFO(n << ", " << q);
    const Integer order = order_of_unitary(n, q);
    const unsigned scalars = std::gcd(n, q + 1);
    CHECK(general_unitary_group(n, q).order() == order);
    CHECK(special_unitary_group(n, q).order() == order / (q + 1));
    CHECK(projective_general_unitary_group(n, q).order() == order / (q + 1));
    CHECK(projective_special_unitary_group(n, q).order() == order / (q + 1) / scalars);
    const FiniteGroup G = projective_special_unitary_group(n, q);
    CHECK(parse_finite_group(G.name()) == G);
  }
  CHECK(parse_finite_group("U3(3)") == projective_special_unitary_group(3, 3));
  CHECK(projective_special_unitary_group(3, 3).degree() == 28);
}

TEST_CASE("Suzuki's groups and the semilinear ones", "[classical]") {
  for (const unsigned q : {8U, 32U}) {
    const FiniteGroup G = suzuki_group(q);
    CHECK(G.degree() == q * q + 1);
    CHECK(G.order() == Integer(q) * q * (Integer(q) * q + 1) * (q - 1));
    CHECK(parse_finite_group(G.name()) == G);
  }
  CHECK(conjugacy_classes(suzuki_group(8)).size() == 11);  // [Suzuki 1962]: q + 3
  CHECK(projective_semilinear_group(2, 8).order() == 1512);
  CHECK(projective_semilinear_group(2, 9).order() == 1440);
  CHECK(projective_special_semilinear_group(2, 9).order() == 720);
  CHECK(semilinear_group(2, 4).order() == 360);
  CHECK(affine_semilinear_group(1, 8).order() == 168);
  CHECK(affine_semilinear_group(2, 3) == FiniteGroup(9, affine_general_linear_group(2, 3).generators()));
  CHECK(parse_finite_group("PGammaL(2,8)").order() == 1512);
  CHECK(parse_finite_group("L2(7)") == projective_special_linear_group(2, 7));
}

TEST_CASE("exceptional isomorphisms", "[classical]") {
  // Sp(4,2) = S6, PSp(4,3) = PSU(4,2), SU(2,q) = SL(2,q) = Sp(2,q): as many classes, and orders of elements.
  CHECK(conjugacy_classes(symplectic_group(4, 2)).size() == 11);
  CHECK(conjugacy_classes(projective_symplectic_group(4, 3)).size() ==
        conjugacy_classes(projective_special_unitary_group(4, 2)).size());
  CHECK(conjugacy_classes(special_unitary_group(2, 5)).size() == conjugacy_classes(special_linear_group(2, 5)).size());
  CHECK(conjugacy_classes(symplectic_group(2, 7)).size() == conjugacy_classes(special_linear_group(2, 7)).size());
}

TEST_CASE("parameters that name no classical group are refused", "[classical]") {
  CHECK_THROWS_WITH(parse_finite_group("Sp(3,3)"), Catch::Contains("even dimension"));
  CHECK_THROWS_WITH(parse_finite_group("Sp(0,3)"), Catch::Contains("even dimension"));
  CHECK_THROWS_WITH(parse_finite_group("Sp(4,6)"), Catch::Contains("not a power of a prime"));
  CHECK_THROWS_WITH(parse_finite_group("SU(1,3)"), Catch::Contains("at least 2"));
  CHECK_THROWS_WITH(parse_finite_group("Sz(16)"), Catch::Contains("Sz(8)"));
  CHECK_THROWS_WITH(parse_finite_group("Sz(4)"), Catch::Contains("Sz(8)"));
  CHECK_THROWS_WITH(parse_finite_group("Sz(27)"), Catch::Contains("Sz(8)"));
  CHECK_THROWS_AS(parse_finite_group("Sp(40,3)"), LimitError);
  CHECK_THROWS_AS(parse_finite_group("SU(20,101)"), LimitError);
  CHECK_THROWS_AS(parse_finite_group("Sz(8192)"), LimitError);
  CHECK_THROWS_WITH(parse_finite_group("U3"), Catch::Contains("PSU(3,3)"));
}

TEST_CASE("orthogonal groups have the orders that GAP gives them", "[classical]") {
  std::ifstream file(test_data() + "/orthogonal_orders/orders.txt");
  std::string heading;
  std::getline(file, heading);
  int sign = 0, count = 0;
  for (unsigned n = 0, q = 0; file >> sign >> n >> q; ++count)
    for (const char* family : {"GO", "SO", "Omega", "PGO", "PSO", "POmega"}) {
      std::string order;
      file >> order;
      INFO(family << "(" << sign << "," << n << "," << q << ")");
      const FiniteGroup G = orthogonal_group(family, sign, n, q);
      CHECK(to_string(G.order()) == order);
      CHECK(parse_finite_group(G.name()) == G);
    }
  CHECK(count == 40);
}

TEST_CASE("orthogonal groups act on singular points, or vectors where -1 is in them", "[classical][quick]") {
  CHECK(parse_finite_group("GO(5,3)").degree() == 80);
  CHECK(parse_finite_group("SO(0,5,3)").degree() == 40);
  CHECK(parse_finite_group("GO+(4,4)").degree() == 25);
  CHECK(parse_finite_group("Omega+(4,3)").degree() == 32);  // -1 is of square spinor norm
  CHECK(parse_finite_group("Omega-(4,3)").degree() == 10);  // and here it is not
  CHECK(parse_finite_group("O8+(2)").degree() == 135);
  CHECK(parse_finite_group("O8-(2)").degree() == 119);
}

TEST_CASE("exceptional isomorphisms of orthogonal groups", "[classical]") {
  // [Taylor 1992, ch. 11 and 12]: as many classes; PSp(4,3) = PSU(4,2) = POmega(5,3) = POmega-(6,2).
  const auto classes = [](const char* name) { return conjugacy_classes(parse_finite_group(name)).size(); };
  CHECK(classes("O5(3)") == classes("PSp(4,3)"));
  CHECK(classes("POmega-(6,2)") == classes("PSU(4,2)"));
  CHECK(classes("POmega+(6,2)") == classes("A8"));
  CHECK(classes("GO+(6,2)") == classes("S8"));
  CHECK(classes("GO(5,2)") == classes("S6"));
  for (const auto& [orthogonal, linear] :
       {std::pair{"Omega-(4,2)", "PSL(2,4)"}, {"Omega-(4,3)", "PSL(2,9)"}, {"Omega-(4,4)", "PSL(2,16)"}})
    CHECK(classes(orthogonal) == classes(linear));
}

TEST_CASE("G2(q), 3D4(2) and Ree(27)", "[classical]") {
  // Orders and numbers of classes: [Conway et al. 1985].
  struct Entry {
    const char* name;
    std::size_t degree;
    const char* order;
  };
  for (const Entry& entry : {Entry{"G2(2)", 63, "12096"}, Entry{"G2(3)", 364, "4245696"},
                             Entry{"G2(4)", 416, "251596800"}, Entry{"G2(5)", 3906, "5859000000"},
                             Entry{"3D4(2)", 819, "211341312"}, Entry{"Ree(27)", 19684, "10073444472"}}) {
    const FiniteGroup G = parse_finite_group(entry.name);
    CHECK(G.degree() == entry.degree);
    CHECK(to_string(G.order()) == entry.order);
  }
  CHECK(conjugacy_classes(parse_finite_group("G2(2)")).size() == 16);
  CHECK(conjugacy_classes(parse_finite_group("G2(3)")).size() == 23);
}

TEST_CASE("parameters that name no orthogonal or exceptional group are refused", "[classical][quick]") {
  CHECK_THROWS_WITH(parse_finite_group("GO(4,3)"), Catch::Contains("GO(1,4,3) or GO(-1,4,3)"));
  CHECK_THROWS_WITH(parse_finite_group("GO+(5,3)"), Catch::Contains("GO(0,5,3)"));
  CHECK_THROWS_WITH(parse_finite_group("GO(2,4,3)"), Catch::Contains("the sign of the form"));
  CHECK_THROWS_WITH(parse_finite_group("GO(1,4)"), Catch::Contains("at least 2"));
  CHECK_THROWS_WITH(parse_finite_group("GO-(4,6)"), Catch::Contains("not a power of a prime"));
  CHECK_THROWS_WITH(parse_finite_group("GO(1,2,3,4)"), Catch::Contains("size of the field"));
  CHECK_THROWS_WITH(parse_finite_group("SO(5,3)"), Catch::Contains("SO(0,5,3)"));
  CHECK_THROWS_WITH(parse_finite_group("SO+(4,3)"), Catch::Contains("SO(1,4,3)"));
  CHECK_THROWS_WITH(parse_finite_group("O(5,3)"), Catch::Contains("GO(0,5,3)"));
  CHECK_THROWS_WITH(parse_finite_group("O+(8,2)"), Catch::Contains("POmega+(8,2)"));
  CHECK_THROWS_WITH(parse_finite_group("Ree(81)"), Catch::Contains("Ree(27)"));
  CHECK_THROWS_WITH(parse_finite_group("G2(6)"), Catch::Contains("not a power of a prime"));
  CHECK_THROWS_AS(parse_finite_group("GO+(40,3)"), LimitError);
  CHECK_THROWS_AS(parse_finite_group("3D4(7)"), LimitError);
  CHECK_THROWS_AS(orthogonal_group("Spin", 1, 4, 3), DomainError);
}
