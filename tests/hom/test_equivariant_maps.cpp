#include "intertwine/hom/equivariant_maps.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/hom/series.hpp"
#include "intertwine/io/any_expression.hpp"
#include "intertwine/io/basis_text.hpp"
#include "intertwine/io/records.hpp"

using namespace intertwine;

namespace {

hom::Representation rep(const std::string& group, const std::string& text) {
  return parse_representation(parse_group(group), text, Form::only_matrices);
}

}  // namespace

TEST_CASE("bases for groups of every kind that has matrices", "[hom][quick]") {
  for (const auto& [group, in, out, several] : {std::tuple{"S4", "perm^2", "perm", false},
                                                {"S4", "2*perm + trivial", "perm", true},
                                                {"SO(3)", "vector^2", "vector", false},
                                                {"SO(3)", "2*vector + trivial", "vector", true},
                                                {"S3 x O(3)", "perm # vector", "perm # vector", false}}) {
    CAPTURE(group, in);
    const hom::Representation V = rep(group, in), U = rep(group, out);
    const hom::Basis basis = hom::equivariant_basis(V, U), one = hom::equivariant_basis(V, U, {.single_pattern = true});
    CHECK(basis.is_several() == several);
    CHECK_FALSE(one.is_several());
    CHECK_FALSE(basis.is_empty());
    CHECK(basis.dimension() == hom::hom_dimension(V, U));
    CHECK(one.dimension() == basis.dimension());
    CHECK(basis.bias_dimension() == one.bias_dimension());
    CHECK(basis.is_tied() == (V.as<Representation>() != nullptr));
    CHECK_FALSE(basis.sites().is_several());
    CHECK(one.table().block().weights.rows * one.table().block().channels.out ==
          static_cast<std::uint64_t>(U.dimension()));
    CHECK((basis.table().blocks.front().size() > 1) == several);
    CHECK(to_text(record(basis, {.names = {group, in, out}})).starts_with(std::string(group) + ": Hom("));
    CHECK((to_text(record(basis, {.names = {group, in, out}, .features = true})).find("  features  ") ==
           std::string::npos) == (!several && !basis.is_tied()));
    const auto S = hom::symmetrizer(V, U);
    CHECK(S->rows() == static_cast<std::size_t>(U.dimension()));
    CHECK(S->cols() == static_cast<std::size_t>(V.dimension()));
    const auto maps = hom::polynomial_maps(V, U, 1);
    CHECK(std::visit([](const auto& F) { return Integer(F.maps.size()); }, maps) == basis.dimension());
  }
  CHECK(hom::equivariant_basis(rep("SO(3)", "0*vector"), rep("SO(3)", "vector")).is_empty());
  CHECK(hom::equivariant_basis(rep("S3", "0*perm"), rep("S3", "perm")).is_empty());
  const hom::Basis tied = hom::equivariant_basis(rep("S3", "perm"), rep("S3", "perm"));
  CHECK(hom::largest_group(tied, tied.table().block(), 10)->order == 6);
  const hom::Basis sparse = hom::equivariant_basis(rep("SO(3)", "vector"), rep("SO(3)", "vector"));
  CHECK_FALSE(hom::largest_group(sparse, sparse.table().block(), 10));
}

TEST_CASE("maps of representations without matrices are refused", "[hom][quick]") {
  const hom::Representation V = parse_representation(parse_group("G2"), "vector");
  CHECK_THROWS_WITH(hom::equivariant_basis(V, V), Catch::Contains("known by their characters only"));
  CHECK_THROWS_AS(hom::symmetrizer(V, V), DomainError);
  CHECK_THROWS_AS(hom::polynomial_maps(V, V, 2), DomainError);
  CHECK_THROWS_WITH(hom::equivariant_basis(rep("S3", "perm"), rep("SO(3)", "vector")),
                    Catch::Contains("different groups"));
  CHECK_THROWS_WITH(rep("E8", "adjoint"), Catch::Contains("known by their characters only"));
  CHECK_THROWS_AS(rep("SO(100)", "vector"), LimitError);
  CHECK_THROWS_WITH(hom::equivariant_basis(rep("SO(3)", "2*vector + trivial"), rep("SO(3)", "vector")).table().block(),
                    Catch::Contains("has 1 x 2 blocks"));
}
