#include "intertwine/hom/series.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/any_expression.hpp"

using namespace intertwine;

namespace {

hom::Representation rep(const std::string& group, const std::string& text, Form form = Form::matrices) {
  return parse_representation(parse_group(group), text, form);
}

}  // namespace

TEST_CASE("invariants of exceptional groups", "[hom][quick]") {
  // The 7 of G2 has a quadratic invariant, the adjoint representations one of each degree: 2 and 6 of G2, 2, 6, 8, 12 of F4.
  CHECK(hom::molien_series(rep("G2", "vector"), std::nullopt, 5).coefficients == std::vector<Integer>{1, 0, 1, 0, 1});
  CHECK(hom::molien_series(rep("G2", "adjoint"), std::nullopt, 7).coefficients ==
        std::vector<Integer>{1, 0, 1, 0, 1, 0, 2});
  CHECK(hom::molien_series(rep("F4", "vector"), std::nullopt, 4).coefficients ==
        std::vector<Integer>{1, 0, 1, 1});  // the trace and the determinant of Albert's algebra
  // z^2 and x^2 + y^2 of C∞v on vectors: generators z and x^2 + y^2.
  CHECK(hom::molien_series(rep("C∞v", "vector"), std::nullopt, 6).coefficients ==
        std::vector<Integer>{1, 1, 2, 2, 3, 3});
}

TEST_CASE("series and dimensions by matrices and by characters", "[hom][quick]") {
  for (const auto& [group, V, W] :
       {std::tuple{"SU(3)", "adjoint", "vector*dual(vector)"}, {"SO(4)", "vector + trivial", "adjoint"}}) {
    const auto one = rep(group, V), two = rep(group, W), a = rep(group, V, Form::character),
               b = rep(group, W, Form::character);
    CHECK(hom::hom_dimension(one, two) == hom::hom_dimension(a, b));
    CHECK(hom::hom_dimension(one, b) == hom::hom_dimension(a, two));
    CHECK(hom::molien_series(one, two, 6).coefficients == hom::molien_series(a, b, 6).coefficients);
  }
  CHECK(hom::hom_dimension(rep("S4", "perm^2"), rep("S4", "perm")) == 5);
  CHECK(hom::hom_dimension(rep("D∞h", "vector"), rep("D∞h", "vector + irrep(Πu)")) == 3);
  CHECK_THROWS_WITH(hom::hom_dimension(rep("S4", "perm"), rep("D∞h", "vector")), Catch::Contains("different groups"));
  CHECK_THROWS_AS(hom::molien_series(rep("SU(2)", "vector"), rep("SU(3)", "vector"), 3), DomainError);
  for (const char* group : {"G2", "D∞h"}) {
    const auto X = rep(group, "vector"), virtual_one = hom::difference(X, hom::multiple(2, X));
    CHECK_THROWS_WITH(hom::hom_dimension(virtual_one, X), Catch::Contains("no representation"));
    CHECK_THROWS_AS(hom::molien_series(virtual_one, std::nullopt, 3), DomainError);
  }
}
