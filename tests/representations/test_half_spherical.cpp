// One of two equal constituents of an induced module.
#include <catch2/catch.hpp>

#include "groups/reference_groups.hpp"
#include "intertwine/characters/character_table.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "representations/irreducible/half_spherical.hpp"
#include "representations/irreducible/sampled_constituent.hpp"

using namespace intertwine;

namespace {

/// The trivial character of the subgroup that some elements generate.
LinearPair trivial_pair(const FiniteGroup& G, std::vector<Permutation> generators) {
  const FiniteGroup H(G.degree(), std::move(generators));
  auto linear = std::make_shared<const LinearCharacters>(H, Task{});
  std::vector<std::uint32_t> exponents(linear->size(), 0);
  return {std::move(linear), 1, std::move(exponents), (G.order() / H.order()).convert_to<std::uint64_t>(), 1};
}

/// w for row k of the table, in the module of the trivial character of H.
std::optional<SphericalVector> half(const CharacterTable& table, std::size_t k, const LinearPair& pair,
                                    const AbelianField& K) {
  const MonomialModule M(table.group(), pair, {});
  const GaloisTable galois(table);
  return half_spherical(SphericalVector(M, galois, k, {}), table.degree(k).convert_to<std::size_t>(), K, {});
}

/// Its images span a module with the character of row k: by traces of all classes, exactly.
void check_half(const CharacterTable& table, std::size_t k, const LinearPair& pair, const AbelianField& K) {
  const auto w = half(table, k, pair, K);
  REQUIRE(w);
  const SampledConstituent V(*w, GaloisTable(table), k, K, {});
  const AbelianField::SplitPrime prime = K.split_prime(0);
  const auto trace = V.traces(prime);
  for (std::size_t c = 0; c < table.size(); ++c) {
    const Permutation& g = table.classes()[c].representative;
    const FieldMatrix R = V.matrix(g);
    REQUIRE(R.trace() == table(k, c));
    const auto residues = R.reduce(prime, 0);
    REQUIRE(residues);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < R.rows(); ++i) sum = (sum + (*residues)(i, i)) % prime.p;
    REQUIRE(trace(g) == sum);
  }
  for (const Permutation& s : table.group().generators())
    for (const Permutation& t : table.group().generators()) REQUIRE(V.matrix(s) * V.matrix(t) == V.matrix(s * t));
}

std::vector<std::size_t> rows_of_degree(const CharacterTable& table, int degree) {
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < table.size(); ++k)
    if (table.degree(k) == degree) result.push_back(k);
  return result;
}

}  // namespace

TEST_CASE("a character that occurs twice over its field", "[half_spherical][quick]") {
  // On the cosets of <(1,2,3)> in S5 the characters of degree 4 and 6, with the values 1 and 0 at a 3-cycle, occur twice:
  // (4 + 2)/3 and 6/3; in the regular module of S3 that of degree 2.
  const auto [n, generator, degrees] =
      GENERATE(table<int, std::string, std::vector<int>>({{3, "()", {2}}, {5, "(1,2,3)", {4, 6}}}));
  const CharacterTable table = character_table(symmetric_group(static_cast<std::size_t>(n)));
  const LinearPair pair = trivial_pair(table.group(), {parse_permutation(generator, static_cast<std::size_t>(n))});
  for (const int degree : degrees)
    for (const std::size_t k : rows_of_degree(table, degree)) check_half(table, k, pair, AbelianField());
}

TEST_CASE("Hamilton's quaternions have no zero divisors", "[half_spherical][quick]") {
  // The regular module of Q8 has its character of degree 2 twice, of index 2 over Q, ramified at 2 and infinity.
  const CharacterTable table = character_table(reference_group("Q8").group);
  const std::size_t k = rows_of_degree(table, 2).at(0);
  const LinearPair pair = trivial_pair(table.group(), {Permutation::identity(table.group().degree())});
  REQUIRE_FALSE(half(table, k, pair, AbelianField()));
  check_half(table, k, pair, AbelianField::cyclotomic(4));
  check_half(table, k, pair, AbelianField::cyclotomic(3));
  const std::vector<Cyclotomic> root_of_two{Cyclotomic::root_of_unity(8) + Cyclotomic::root_of_unity(8, 7)};
  REQUIRE_FALSE(half(table, k, pair, AbelianField::generated_by(root_of_two)));
}

TEST_CASE("a character of index 2 whose descent is out of reach", "[half_spherical][slow][.]") {
  // J2 in degree 336: index 2, at 2 and 3 [Feit 1983]; real, so that a real quadratic field in which 2 and 3 are inert serves.
  const CharacterTable table = character_table(reference_group("J2").group);
  const std::size_t k = rows_of_degree(table, 336).at(0);
  const auto R = irreducible_representation(table, k);
  REQUIRE(R.representation.dimension() == 336);
  REQUIRE(R.representation.field().to_string() == "Q(sqrt(5))");
  REQUIRE_FALSE(R.over_character_field);
  // The seed: a vector of the subgroup's linear character, modulo a prime that splits in its field.
  const AbelianField& L = R.seed.vector.field();
  const auto prime = L.split_prime(0);
  const auto w = R.seed.vector.reduce(prime, 0);
  REQUIRE(w);
  for (std::size_t i = 0; i < R.seed.generators.size(); ++i) {
    const auto A = R.representation.field_matrix(R.seed.generators[i]).over(L).reduce(prime, 0);
    const auto image = (R.seed.values[i] * R.seed.vector).over(L).reduce(prime, 0);
    REQUIRE(A);
    REQUIRE(*A * *w == *image);
  }
}
