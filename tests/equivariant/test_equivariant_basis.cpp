#include "intertwine/equivariant/equivariant_basis.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "intertwine/error.hpp"
#include "laws/intertwiner.hpp"
#include "support/random.hpp"
#include "support/representations.hpp"

using namespace intertwine;

namespace {

Representation perm(const FiniteGroup& G) { return natural_permutation_representation(G); }

/// Is g an element that fixes the entry and negates it?
bool negates(const Permutation& g, const Representation& V, const Representation& U, MatrixEntry e) {
  if (!V.group().contains(g)) return false;
  const SignedPoint i = U.image(g)(static_cast<Point>(e.row)), j = V.image(g)(static_cast<Point>(e.col));
  return i.point() == e.row && j.point() == e.col && i.negative() != j.negative();
}

}  // namespace

TEST_CASE("random bases obey the laws and have the dimension of the nullspace", "[equivariant][quick]") {
  auto rng = test_rng();
  int witnesses = 0;
  for (int trial = 0; trial < 300 * test_multiplier(); ++trial) {
    const FiniteGroup G = test_representations::random_group(rng);
    const Representation V = test_representations::random_representation(G, rng, 8),
                         U = test_representations::random_representation(G, rng, 8);
    CAPTURE(trial, G.name(), V.to_string(), U.to_string());
    const auto basis = equivariant_basis(V, U);
    const auto u = U.generator_images(), v = V.generator_images();
    REQUIRE(basis.dimension() == test_algebra::hom_dimension(U.dimension(), V.dimension(), u, v));
    const std::vector<SignedPermutation> one(v.size(), SignedPermutation::identity(1));
    REQUIRE(basis.bias_dimension() == test_algebra::hom_dimension(U.dimension(), 1, u, one));
    const Certificate& c = basis.certificate();
    REQUIRE((c.commutes && c.every_entry_checked && c.independent));
    REQUIRE(c.character_dimension == basis.params());
    REQUIRE(c.bias_character_dimension == basis.bias_params());

    const auto single = equivariant_basis(V, U, {}, {.single_pattern = true});
    REQUIRE(single.dimension() == basis.dimension());
    REQUIRE(single.bias_dimension() == basis.bias_dimension());
    if (V.dimension() * U.dimension() == 0) continue;
    REQUIRE(laws::broken_elements(single) == "");
    for (const auto& block : basis.blocks()) {
      REQUIRE(laws::broken_rows(block.elements.pattern()) == "");
      REQUIRE(laws::broken_order(block.elements.pattern()) == "");
      for (const MatrixEntry& entry : block.elements.pattern().vanishing_orbits()) {
        const auto g = vanishing_witness(block.source, block.target, entry);
        REQUIRE(g.has_value());
        REQUIRE(negates(*g, block.source, block.target, entry));
        ++witnesses;
      }
      for (const MatrixEntry& entry : block.elements.pattern().smallest_entries())
        REQUIRE_FALSE(vanishing_witness(block.source, block.target, entry).has_value());
    }
  }
  REQUIRE(witnesses > 10);
}

TEST_CASE("the law rejects a map that does not commute", "[equivariant][quick]") {
  const Representation V = perm(symmetric_group(3));
  REQUIRE_FALSE(laws::commutes(SparseMatrix(3, 3, {{0, 1, Rational(1)}}), V, V));
  REQUIRE(laws::commutes(SparseMatrix(3, 3, {{0, 0, Rational(1)}, {1, 1, Rational(1)}, {2, 2, Rational(1)}}),
                         V, V));
}

TEST_CASE("multiplicities stay multiplicities", "[equivariant][quick]") {
  const FiniteGroup S5 = symmetric_group(5);
  const auto basis = equivariant_basis(64 * perm(S5), 128 * perm(S5));
  REQUIRE(basis.blocks().size() == 1);
  REQUIRE(basis.blocks()[0].multiplicity_in == 64);
  REQUIRE(basis.blocks()[0].multiplicity_out == 128);
  REQUIRE(basis.pattern().rows() == 5);
  REQUIRE(basis.pattern().cols() == 5);
  REQUIRE(basis.params() == 2);
  REQUIRE(basis.dimension() == 128 * 64 * 2);
  REQUIRE(basis.bias_dimension() == 128);
  REQUIRE(basis.bias_params() == 1);
  REQUIRE(basis.certificate().character_dimension == 2);
  const TableHeader header = basis.table_header();
  REQUIRE(header.multiplicity_in == 64);
  REQUIRE(header.multiplicity_out == 128);
  // Beyond any memory, were they expanded.
  const std::uint64_t huge = std::uint64_t{1} << 40;
  REQUIRE(equivariant_basis(huge * perm(S5), huge * perm(S5)).dimension() == Integer(huge) * huge * 2);
}

TEST_CASE("parts of different multiplicities make blocks, or one pattern where asked",
          "[equivariant][quick]") {
  const FiniteGroup S4 = symmetric_group(4);
  const Representation V = 6 * perm(S4) + 4 * sign_representation(S4),
                       U = 2 * perm(S4) + 2 * trivial_representation(S4);
  const auto basis = equivariant_basis(V, U);
  REQUIRE(basis.blocks().size() == 2);
  REQUIRE(basis.bias_blocks().size() == 1);
  // Hom(perm, perm + 1) has dimension 3, Hom(sign, perm + 1) none.
  REQUIRE(basis.dimension() == 6 * 2 * 3);
  REQUIRE(basis.params() == 3);
  REQUIRE_THROWS_AS(basis.pattern(), DomainError);
  REQUIRE_THROWS_AS(basis[0], DomainError);
  REQUIRE_THROWS_AS(basis.elements(), DomainError);
  REQUIRE_THROWS_AS(basis.table_header(), DomainError);
  const auto single = equivariant_basis(V, U, {}, {.single_pattern = true});
  REQUIRE(single.blocks().size() == 1);
  REQUIRE(single.blocks()[0].multiplicity_in == 2);
  REQUIRE(single.blocks()[0].multiplicity_out == 2);
  REQUIRE(single.pattern().cols() == 3 * 4 + 2);
  REQUIRE(single.pattern().rows() == 5);
  REQUIRE(single.params() == 9);
  REQUIRE(single.dimension() == basis.dimension());
  REQUIRE(single.bias_dimension() == basis.bias_dimension());
}

TEST_CASE("a zero Hom says why", "[equivariant][quick]") {
  const FiniteGroup S3 = symmetric_group(3);
  const Representation V = perm(S3), U = sign_representation(S3);
  const auto basis = equivariant_basis(V, U);
  REQUIRE(basis.dimension() == 0);
  REQUIRE(basis.params() == 0);
  REQUIRE(basis.elements().empty());
  REQUIRE_THROWS_AS(basis[0], DomainError);
  REQUIRE(basis.pattern().vanishing_orbits() == std::vector<MatrixEntry>{{0, 0}});
  const auto g = vanishing_witness(V, U, {0, 0});
  REQUIRE(g.has_value());
  REQUIRE(negates(*g, V, U, {0, 0}));
  REQUIRE_FALSE(vanishing_witness(V, V, {0, 1}).has_value());
  REQUIRE_THROWS_AS(vanishing_witness(V, U, {1, 0}), DomainError);
  REQUIRE_THROWS_AS(vanishing_witness(V, U, {0, 3}), DomainError);
}

TEST_CASE("representations of dimension zero", "[equivariant][quick]") {
  const FiniteGroup S3 = symmetric_group(3);
  for (const bool single : {false, true}) {
    const BasisOptions options{.single_pattern = single};
    for (const auto& basis : {equivariant_basis(0 * perm(S3), perm(S3), {}, options),
                              equivariant_basis(perm(S3), alt(4, perm(S3)), {}, options),
                              equivariant_basis(0 * perm(S3), 0 * perm(S3), {}, options)}) {
      REQUIRE(basis.dimension() == 0);
      REQUIRE(basis.params() == 0);
      REQUIRE(basis.certificate().character_dimension == 0);
      REQUIRE_THROWS_AS(basis.pattern(), DomainError);
    }
    REQUIRE(equivariant_basis(0 * perm(S3), perm(S3), {}, options).bias_dimension() == 1);
  }
}

TEST_CASE("the trivial group, one row, one column", "[equivariant][quick]") {
  const FiniteGroup trivial(3, {});
  const auto dense = equivariant_basis(perm(trivial), 2 * perm(trivial));
  REQUIRE(dense.params() == 9);
  REQUIRE(dense.dimension() == 18);
  REQUIRE(dense.bias_dimension() == 6);
  REQUIRE(laws::broken_elements(dense) == "");
  const FiniteGroup C4 = cyclic_group(4);
  const auto row = equivariant_basis(perm(C4), trivial_representation(C4)),
             column = equivariant_basis(sign_representation(C4), perm(C4));
  REQUIRE(row.params() == 1);
  REQUIRE(row[0].entries().size() == 4);
  REQUIRE(laws::broken_elements(row) == "");
  REQUIRE(column.params() == 1);
  REQUIRE(laws::broken_elements(column) == "");
  REQUIRE(column[0](1, 0) == -1);
}

TEST_CASE("counts beyond the entries: every proof that the options allow", "[equivariant][quick]") {
  const FiniteGroup S6 = symmetric_group(6);
  const auto basis =
      equivariant_basis(tensor_power(perm(S6), 2), tensor_power(perm(S6), 2), {}, {.max_checked = 100});
  REQUIRE(basis.params() == 15);
  REQUIRE(basis.certificate().commutes);
  REQUIRE_FALSE(basis.certificate().every_entry_checked);
  REQUIRE(basis.pattern().check());
}

TEST_CASE("headers of tables carry what verification needs", "[equivariant][quick]") {
  const FiniteGroup D4 = dihedral_group(4);
  const auto basis = equivariant_basis(perm(D4), perm(D4) + sign_representation(D4));
  const TableHeader header = basis.table_header();
  REQUIRE(header.rows == 5);
  REQUIRE(header.cols == 4);
  REQUIRE(header.params == 3);
  REQUIRE(header.orbit_size == std::vector<std::int64_t>{4, 8, 4});
  REQUIRE(header.bias_params == 1);
  REQUIRE(std::get<0>(header.bias_code) == std::vector<std::uint8_t>{1, 1, 1, 1, 0});
  const auto group = nlohmann::json::parse(header.metadata.at("group"));
  REQUIRE(group["order"] == "8");
  REQUIRE(group["degree"] == 4);
  REQUIRE(group["expression"] == "D4");
  REQUIRE(group["generators"].size() == 2);
  const auto proof = nlohmann::json::parse(header.metadata.at("certificate"));
  REQUIRE(proof["character_dimension"] == "3");
  REQUIRE(proof["commutes"] == true);
  REQUIRE(header.metadata.at("convention") == table_convention);
}

TEST_CASE("representations of different groups are refused, limits hold", "[equivariant][quick]") {
  const Representation V = perm(symmetric_group(3)), W = perm(symmetric_group(4));
  REQUIRE_THROWS_AS(equivariant_basis(V, W), DomainError);
  const FiniteGroup S50 = symmetric_group(50);
  const Task small(1 << 16, 0, {}), cancelled(0, 0, {});
  REQUIRE_THROWS_AS(equivariant_basis(tensor_power(perm(S50), 3), perm(S50), small), LimitError);
  REQUIRE_THROWS_AS(equivariant_basis(tensor_power(perm(S50), 20), perm(S50)), LimitError);
  cancelled.cancel();
  REQUIRE_THROWS_AS(equivariant_basis(perm(S50), perm(S50), cancelled), Interrupted);
  const auto basis = equivariant_basis(tensor_power(perm(symmetric_group(8)), 2), perm(symmetric_group(8)));
  REQUIRE_THROWS_AS(basis.elements(Task(1 << 10, 0, {})), LimitError);
}
