// Spherical functions on points: eigenvectors of all orbits of pairs, with the eigenvalues of the representation named.
#include "sdp/spherical_rows.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/sdp/graph_bounds.hpp"

using namespace intertwine;

namespace {

OrbitalPattern pattern_of(const Representation& V) {
  const auto images = V.generator_images();
  const auto n = static_cast<std::size_t>(V.dimension());
  return OrbitalPattern(n, n, images, images, V.group().order(), 16U, {});
}

/// c with A v = c v for the matrix A of an orbit of pairs; v is not 0 where it is looked at first.
Cyclotomic eigenvalue(const OrbitalPattern& pattern, std::int64_t orbit, const std::vector<Cyclotomic>& v) {
  std::size_t first = 0;
  while (v[first].is_zero()) ++first;
  Cyclotomic c;
  for (std::size_t pass = 0; pass < 2; ++pass)
    for (std::size_t i = pass == 0 ? first : 0; i < (pass == 0 ? first + 1 : v.size()); ++i) {
      Cyclotomic sum;
      for (std::size_t j = 0; j < v.size(); ++j)
        if (pattern.label(i, j) == orbit) sum += v[j];
      if (pass == 0) c = sum / v[first];
      REQUIRE(sum == c * v[i]);
    }
  return c;
}

std::vector<Cyclotomic> column(const SparseColumns& X) {
  std::vector<Cyclotomic> v(X.rows);
  for (std::uint64_t e = X.starts[0]; e < X.starts[1]; ++e) v[X.row[e]] = X.value[e];
  return v;
}

void check_spherical(const Representation& V) {
  const CharacterTable table = character_table(V.group());
  const OrbitalPattern pattern = pattern_of(V);
  const auto found = sdp::spherical_rows(V, table, pattern, {});
  REQUIRE(found);
  const auto known = first_rows(V, table, BaseField::complex);
  REQUIRE(found->size() == known.size());
  for (std::size_t k = 0; k < known.size(); ++k) {
    const FirstRows& part = (*found)[k];
    CHECK(part.irreps == known[k].irreps);
    CHECK(part.degree == known[k].degree);
    CHECK(part.multiplicity == known[k].multiplicity);
    CHECK(part.indicator == known[k].indicator);
    CHECK(part.pivots == std::vector<std::uint32_t>{0});
    CHECK(part.basis.value[0].is_integer());
    for (std::int64_t orbit = 1; orbit <= static_cast<std::int64_t>(pattern.params()); ++orbit)
      CHECK(eigenvalue(pattern, orbit, column(part.basis)) == eigenvalue(pattern, orbit, column(known[k].basis)));
  }
}

LabelledGraph cube(unsigned bits) {
  LabelledGraph graph;
  graph.vertices = std::size_t{1} << bits;
  for (std::uint32_t x = 0; x < graph.vertices; ++x)
    for (unsigned k = 0; k < bits; ++k)
      if ((x >> k & 1) == 0) graph.edges.push_back({x, x | 1U << k, 0});
  return graph;
}

}  // namespace

TEST_CASE("spherical functions are first rows", "[sdp][quick]") {
  check_spherical(parse_representation(parse_finite_group("S5"), "subsets(2)"));
  check_spherical(parse_representation(parse_finite_group("S7"), "subsets(3)"));
  check_spherical(parse_representation(parse_finite_group("D7"), "perm"));  // over the cubic field
  check_spherical(parse_representation(parse_finite_group("PSL(2,7)"), "perm"));
  check_spherical(sdp::vertex_symmetries(cube(4)));
}

// The eigenvalues of the cube of n bits are n - 2 k, k = 0, ..., n, with the multiplicities of binomial numbers.
TEST_CASE("spherical functions of the cube of eight bits", "[sdp][quick]") {
  const Representation V = sdp::vertex_symmetries(cube(8));
  const OrbitalPattern pattern = pattern_of(V);
  const auto found = sdp::spherical_rows(V, character_table(V.group()), pattern, {});
  REQUIRE(found);
  const long binomial[] = {1, 8, 28, 56, 70, 56, 28, 8, 1};
  std::vector<int> seen(9, 0);
  for (const FirstRows& part : *found) {
    const Cyclotomic c = eigenvalue(pattern, pattern.label(0, 1), column(part.basis));
    REQUIRE(c.is_integer());
    const auto k = static_cast<std::size_t>((8 - c.to_integer().convert_to<long>()) / 2);
    REQUIRE(k < seen.size());
    ++seen[k];
    CHECK(static_cast<long>(part.degree) == binomial[k]);
  }
  CHECK(seen == std::vector<int>(9, 1));
}

TEST_CASE("no spherical functions where orbits of pairs are not symmetric, or points not one orbit", "[sdp][quick]") {
  for (const auto& [group, action] : {std::pair<std::string, std::string>{"C5", "perm"},
                                      {"C7:C3", "perm"},
                                      {"S4", "perm + perm"},
                                      {"S4", "perm + trivial"},
                                      {"S3", "regular"},
                                      {"S4", "sign*perm"}}) {
    INFO(group << " " << action);
    const Representation V = parse_representation(parse_finite_group(group), action);
    CHECK_FALSE(sdp::spherical_rows(V, character_table(V.group()), pattern_of(V), {}));
  }
}
