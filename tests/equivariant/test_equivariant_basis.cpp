#include "intertwine/hom/equivariant_basis.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/representations/matrix_representations.hpp"
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
    const auto basis = hom::equivariant_basis(V, U);
    const auto u = U.generator_images(), v = V.generator_images();
    REQUIRE(basis.dimension() == test_algebra::hom_dimension(U.dimension(), V.dimension(), u, v));
    const std::vector<SignedPermutation> one(v.size(), SignedPermutation::identity(1));
    REQUIRE(basis.bias_dimension() == test_algebra::hom_dimension(U.dimension(), 1, u, one));
    const hom::Certificate& c = basis.certificate();
    REQUIRE((c.commutes && c.every_entry_checked && c.independent));
    REQUIRE(c.character_dimension == basis.params());
    REQUIRE(c.bias_character_dimension == basis.bias_params());

    const auto single = hom::equivariant_basis(V, U, {.single_pattern = true});
    REQUIRE(single.dimension() == basis.dimension());
    REQUIRE(single.bias_dimension() == basis.bias_dimension());
    if (V.dimension() * U.dimension() == 0) continue;
    REQUIRE(laws::broken_elements(single.blocks().front()) == "");
    for (const auto& block : basis.blocks()) {
      REQUIRE(laws::broken_rows(block.weights.pattern()) == "");
      REQUIRE(laws::broken_order(block.weights.pattern()) == "");
      const Representation &from = laws::finite(block.source), &to = laws::finite(block.target);
      for (const MatrixEntry& entry : block.weights.pattern().vanishing_orbits()) {
        const auto g = vanishing_witness(from, to, entry);
        REQUIRE(g.has_value());
        REQUIRE(negates(*g, from, to, entry));
        ++witnesses;
      }
      for (const MatrixEntry& entry : block.weights.pattern().smallest_entries())
        REQUIRE_FALSE(vanishing_witness(from, to, entry).has_value());
    }
  }
  REQUIRE(witnesses > 10);
}

TEST_CASE("the law rejects a map that does not commute", "[equivariant][quick]") {
  const Representation V = perm(symmetric_group(3));
  REQUIRE_FALSE(laws::commutes(SparseMatrix(3, 3, {{0, 1, Rational(1)}}), V, V));
  REQUIRE(laws::commutes(SparseMatrix(3, 3, {{0, 0, Rational(1)}, {1, 1, Rational(1)}, {2, 2, Rational(1)}}), V, V));
}

TEST_CASE("multiplicities stay multiplicities", "[equivariant][quick]") {
  const FiniteGroup S5 = symmetric_group(5);
  const auto basis = hom::equivariant_basis(64 * perm(S5), 128 * perm(S5));
  REQUIRE(basis.blocks().size() == 1);
  REQUIRE(basis.blocks()[0].channels == Multiplicity{128, 64});
  REQUIRE(basis.blocks()[0].weights.rows() == 5);
  REQUIRE(basis.blocks()[0].weights.cols() == 5);
  REQUIRE(basis.params() == 2);
  REQUIRE(basis.dimension() == 128 * 64 * 2);
  REQUIRE(basis.bias_dimension() == 128);
  REQUIRE(basis.bias_params() == 1);
  REQUIRE(basis.certificate().character_dimension == 2);
  REQUIRE(basis.table().block().channels == Multiplicity{128, 64});
  // Beyond any memory, were they expanded.
  const std::uint64_t huge = std::uint64_t{1} << 40;
  REQUIRE(hom::equivariant_basis(huge * perm(S5), huge * perm(S5)).dimension() == Integer(huge) * huge * 2);
}

TEST_CASE("parts of different multiplicities make blocks, or one pattern where asked", "[equivariant][quick]") {
  const FiniteGroup S4 = symmetric_group(4);
  const Representation V = 6 * perm(S4) + 4 * sign_representation(S4),
                       U = 2 * perm(S4) + 2 * trivial_representation(S4);
  const auto basis = hom::equivariant_basis(V, U);
  REQUIRE(basis.blocks().size() == 2);
  REQUIRE(basis.biases().size() == 1);
  // Hom(perm, perm + 1) has dimension 3, Hom(sign, perm + 1) none.
  REQUIRE(basis.dimension() == 6 * 2 * 3);
  REQUIRE(basis.params() == 3);
  std::uint64_t params = 0;
  for (const auto& block : basis.blocks()) {
    REQUIRE(laws::broken_elements(block) == "");
    const WeightBlock table = block.table();
    REQUIRE_NOTHROW(require_consistent(table));
    REQUIRE(table.channels == block.channels);
    REQUIRE(table.weights.cols == block.source.dimension());
    params += table.weights.params;
  }
  REQUIRE(params == basis.params());
  const auto single = hom::equivariant_basis(V, U, {.single_pattern = true});
  REQUIRE(single.blocks().size() == 1);
  REQUIRE(single.blocks()[0].channels == Multiplicity{2, 2});
  REQUIRE(single.blocks()[0].weights.cols() == 3 * 4 + 2);
  REQUIRE(single.blocks()[0].weights.rows() == 5);
  // The table of V and U is that of the single pattern.
  REQUIRE(digest(basis.single().table()) == digest(single.table()));
  REQUIRE(basis.single().table().block().metadata == single.table().block().metadata);
  REQUIRE(single.params() == 9);
  REQUIRE(single.dimension() == basis.dimension());
  REQUIRE(single.bias_dimension() == basis.bias_dimension());
}

TEST_CASE("a zero Hom says why", "[equivariant][quick]") {
  const FiniteGroup S3 = symmetric_group(3);
  const Representation V = perm(S3), U = sign_representation(S3);
  const auto basis = hom::equivariant_basis(V, U);
  REQUIRE(basis.dimension() == 0);
  REQUIRE(basis.params() == 0);
  const HomBasis& weights = basis.blocks().front().weights;
  REQUIRE(weights.elements().empty());
  REQUIRE_THROWS_AS(weights[0], DomainError);
  REQUIRE(weights.pattern().vanishing_orbits() == std::vector<MatrixEntry>{{0, 0}});
  const auto g = vanishing_witness(V, U, {0, 0});
  REQUIRE(g.has_value());
  REQUIRE(negates(*g, V, U, {0, 0}));
  REQUIRE_FALSE(vanishing_witness(V, V, {0, 1}).has_value());
  REQUIRE_THROWS_WITH(vanishing_witness(V, V, {0, 1}, Task(4, 0, {})), Catch::Contains("images of the generators"));
  REQUIRE_THROWS_AS(vanishing_witness(V, U, {1, 0}), DomainError);
  REQUIRE_THROWS_AS(vanishing_witness(V, U, {0, 3}), DomainError);
}

TEST_CASE("parts are the summands in their order, neighbours of the same multiplicity together",
          "[equivariant][quick]") {
  const FiniteGroup S4 = symmetric_group(4);
  const Representation P = perm(S4), sign = sign_representation(S4), one = trivial_representation(S4);
  const WeightTable table = hom::equivariant_basis(3 * sign + 2 * P + 2 * one + 3 * P, one + 2 * P).table();
  REQUIRE(table.inputs() == std::vector<FeaturePart>{{3, 1, 0}, {2, 5, 3}, {3, 4, 13}});
  REQUIRE(table.outputs() == std::vector<FeaturePart>{{1, 1, 0}, {2, 4, 1}});
  REQUIRE_NOTHROW(require_fitting(table));
  REQUIRE(table.blocks[1][1].metadata.at("rep_in") == "perm + trivial");
  REQUIRE(table.blocks[0][0].weights.params == 0);  // that there is no map sign -> trivial is part of what is proved
  REQUIRE(table.theta_size() == 2 * 2 + 3 + 2 * (2 * 3 + 3 * 2));
  REQUIRE(table.bias_size() == 1 + 2);
  // Each block once, in one pattern.
  const auto basis = hom::equivariant_basis(6 * P + 4 * one, 3 * P);
  const WeightBlock sites = basis.sites().table().block();
  REQUIRE((sites.weights.rows == 4 && sites.weights.cols == 5 && sites.weights.params == basis.params()));
  REQUIRE(sites.channels == Multiplicity{});
  const auto alone = hom::equivariant_basis(6 * P, 3 * P);
  REQUIRE(digest(alone.sites().table()) == digest(alone.table()));
  REQUIRE(digest(alone.table().blocks[0][0]) == digest(alone.table()));
  REQUIRE_THROWS_AS(hom::equivariant_basis(0 * P, P).table(), DomainError);
}

TEST_CASE("representations of dimension zero", "[equivariant][quick]") {
  const FiniteGroup S3 = symmetric_group(3);
  for (const bool single : {false, true}) {
    const hom::BasisOptions options{.single_pattern = single};
    for (const auto& basis : {hom::equivariant_basis(0 * perm(S3), perm(S3), options),
                              hom::equivariant_basis(perm(S3), alt(4, perm(S3)), options),
                              hom::equivariant_basis(0 * perm(S3), 0 * perm(S3), options)}) {
      REQUIRE(basis.dimension() == 0);
      REQUIRE(basis.params() == 0);
      REQUIRE(basis.certificate().character_dimension == 0);
      REQUIRE(basis.blocks().empty());
      REQUIRE_THROWS_AS(basis.table(), DomainError);
    }
    REQUIRE(hom::equivariant_basis(0 * perm(S3), perm(S3), options).bias_dimension() == 1);
  }
}

TEST_CASE("the trivial group, one row, one column", "[equivariant][quick]") {
  const FiniteGroup trivial(3, {});
  const auto dense = hom::equivariant_basis(perm(trivial), 2 * perm(trivial));
  REQUIRE(dense.params() == 9);
  REQUIRE(dense.dimension() == 18);
  REQUIRE(dense.bias_dimension() == 6);
  REQUIRE(laws::broken_elements(dense.blocks()[0]) == "");
  const FiniteGroup C4 = cyclic_group(4);
  const auto row = hom::equivariant_basis(perm(C4), trivial_representation(C4)),
             column = hom::equivariant_basis(sign_representation(C4), perm(C4));
  REQUIRE(row.params() == 1);
  REQUIRE(row.blocks()[0].weights[0].entries().size() == 4);
  REQUIRE(laws::broken_elements(row.blocks()[0]) == "");
  REQUIRE(column.params() == 1);
  REQUIRE(laws::broken_elements(column.blocks()[0]) == "");
  REQUIRE(column.blocks()[0].weights[0](1, 0) == -1);
}

TEST_CASE("counts beyond the entries: every proof that the options allow", "[equivariant][quick]") {
  const FiniteGroup S6 = symmetric_group(6);
  const auto basis = hom::equivariant_basis(tensor_power(perm(S6), 2), tensor_power(perm(S6), 2), {.max_checked = 100});
  REQUIRE(basis.params() == 15);
  REQUIRE(basis.certificate().commutes);
  REQUIRE_FALSE(basis.certificate().every_entry_checked);
  REQUIRE(basis.blocks()[0].weights.certificate().commutation == Commutation::by_count);
  REQUIRE(basis.blocks()[0].weights.pattern().check());
}

TEST_CASE("tables carry what verification needs", "[equivariant][quick]") {
  const FiniteGroup D4 = dihedral_group(4);
  const auto basis = hom::equivariant_basis(perm(D4), perm(D4) + sign_representation(D4));
  const WeightBlock table = basis.table().block();
  REQUIRE_NOTHROW(require_consistent(table));
  REQUIRE(table.weights.rows == 5);
  REQUIRE(table.weights.cols == 4);
  REQUIRE(table.weights.params == 3);
  REQUIRE(table.weights.tied().orbit_size == std::vector<std::int64_t>{4, 8, 4});
  REQUIRE(table.bias.params == 1);
  REQUIRE(table.bias.tied().orbit_size == std::vector<std::int64_t>{4});
  REQUIRE(std::get<0>(all_codes(*table.bias.tied().codes, 1)) == std::vector<std::uint8_t>{1, 1, 1, 1, 0});
  const auto group = nlohmann::json::parse(table.metadata.at("group"));
  REQUIRE(group["order"] == "8");
  REQUIRE(group["degree"] == 4);
  REQUIRE(group["expression"] == "D4");
  REQUIRE(group["generators"].size() == 2);
  const auto proof = nlohmann::json::parse(table.metadata.at("certificate"));
  REQUIRE(proof["character_dimension"] == "3");
  REQUIRE(proof["commutes"] == true);
  REQUIRE(table.metadata.at("convention") == table_convention);
}

TEST_CASE("certificates say what was checked, block by block", "[equivariant][quick]") {
  const FiniteGroup G = sporadic_group("M11");
  const Representation P = perm(G);
  const auto mixed = hom::equivariant_basis(2 * P + 3 * tensor_power(P, 3), P);
  REQUIRE(mixed.blocks().size() == 2);
  std::set<std::string> routes;
  for (const auto& block : mixed.blocks()) routes.insert(block.weights.certificate().route);
  for (const std::string& route : routes) REQUIRE(mixed.certificate().route.find(route) != std::string::npos);
  REQUIRE((mixed.certificate().route.find(',') != std::string::npos) == (routes.size() > 1));
  for (const auto& block : mixed.blocks())
    REQUIRE(block.weights.certificate().independence == Independence::disjoint_supports);

  // Elements that share their first entries: their rank is what shows them independent, where it is not too large.
  const FiniteGroup S4 = symmetric_group(4);
  const Representation S = specht_module(S4, Partition({3, 1})), V = tensor_power(S, 2);
  const auto checked = hom::equivariant_basis(V, V), unchecked = hom::equivariant_basis(V, V, {.max_checked = 10});
  const HomCertificate& full = checked.blocks()[0].weights.certificate();
  REQUIRE(full.commutation == Commutation::every_entry);
  REQUIRE(full.independence == Independence::rank);
  REQUIRE(checked.certificate().independent);
  const HomCertificate& less = unchecked.blocks()[0].weights.certificate();
  REQUIRE(less.commutation == Commutation::by_factors);
  REQUIRE(less.independence == Independence::unchecked);
  REQUIRE_FALSE(unchecked.certificate().independent);
  REQUIRE_FALSE(unchecked.certificate().every_entry_checked);
  REQUIRE(nlohmann::json::parse(unchecked.table().block().metadata.at("certificate"))["independent"] == false);
  REQUIRE(nlohmann::json::parse(checked.table().block().metadata.at("certificate"))["independent"] == true);
  // One element alone is independent by its first entry, however little is checked.
  const auto one = hom::equivariant_basis(S, S, {.max_checked = 0});
  REQUIRE(one.blocks()[0].weights.certificate().independence == Independence::leading_entries);
  REQUIRE(one.certificate().independent);
}

TEST_CASE("representations of different groups are refused, limits hold", "[equivariant][quick]") {
  const Representation V = perm(symmetric_group(3)), W = perm(symmetric_group(4));
  REQUIRE_THROWS_AS(hom::equivariant_basis(V, W), DomainError);
  const FiniteGroup S50 = symmetric_group(50);
  const Task small(1 << 16, 0, {}), cancelled(0, 0, {});
  REQUIRE_THROWS_AS(hom::equivariant_basis(tensor_power(perm(S50), 3), perm(S50), {}, small), LimitError);
  REQUIRE_THROWS_AS(hom::equivariant_basis(tensor_power(perm(S50), 20), perm(S50)), LimitError);
  cancelled.cancel();
  REQUIRE_THROWS_AS(hom::equivariant_basis(perm(S50), perm(S50), {}, cancelled), Interrupted);
  const auto basis = hom::equivariant_basis(tensor_power(perm(symmetric_group(8)), 2), perm(symmetric_group(8)));
  REQUIRE_THROWS_AS(basis.blocks()[0].weights.elements(Task(1 << 10, 0, {})), LimitError);
}
