// Constituents in bases in which a subgroup acts by small blocks.
#include <catch2/catch.hpp>

#include <numeric>

#include "groups/reference_groups.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "representations/irreducible/adapted_basis.hpp"

using namespace intertwine;

namespace {

AbelianField field_of(const CharacterTable& table, std::size_t row, const Cyclotomic& more) {
  std::vector<Cyclotomic> values = table.row(row);
  values.push_back(more);
  return AbelianField::generated_by(values);
}

/// The matrices of a row in an adapted basis.
struct Adapted {
  FieldMatrix C;
  AdaptedBasis basis;
  std::vector<std::size_t> places;

  FieldMatrix operator()(const Permutation& g) const {
    const auto X = linear_solve(C, basis.images(g, places));
    REQUIRE(X);
    return *X;
  }
};

std::optional<Adapted> adapted(const GaloisTable& galois, std::size_t row, const LinearPair& pair) {
  const CharacterTable& table = galois.table();
  const MonomialModule M(table.group(), pair, {});
  const SphericalVector v(M, galois, row, {});
  std::vector<std::size_t> all(M.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  auto basis = AdaptedBasis::find(v, galois, row, field_of(table, row, M.root(1)), all, {});
  if (!basis) return std::nullopt;
  FieldMatrix C = basis->images(Permutation::identity(table.group().degree()), all);
  REQUIRE(C.cols() == table.degree(row));
  REQUIRE(matrix_rank(C) == C.cols());
  return Adapted{std::move(C), std::move(*basis), std::move(all)};
}

/// The matrices are a representation with the character, and those of the subgroup fall apart into equal blocks.
void check(const GaloisTable& galois, std::size_t row, const Adapted& rho, const AdaptedSubgroup& H) {
  const CharacterTable& table = galois.table();
  for (const Permutation& s : table.group().generators())
    for (const Permutation& t : table.group().generators()) REQUIRE(rho(s) * rho(t) == rho(s * t));
  for (std::size_t c = 0; c < table.size(); ++c)
    REQUIRE(rho(table.classes()[c].representative).trace() == table(row, c));
  bool keeps_blocks = true;
  for (const Permutation& g : table.group().generators()) {
    const FieldMatrix A = rho(g);
    std::size_t at = 0;
    for (const AdaptedConstituent& piece : H.constituents)
      for (std::size_t k = 0; k < piece.multiplicity; ++k, at += piece.degree)
        keeps_blocks &= A.block(at, 0, piece.degree, at).is_zero();
  }
  const bool one_block = H.constituents.size() == 1 && H.constituents[0].multiplicity == 1;
  REQUIRE(keeps_blocks == one_block);
  for (const Permutation& h : H.group.generators()) {
    const FieldMatrix A = rho(h);
    std::size_t at = 0;
    for (const AdaptedConstituent& piece : H.constituents) {
      const FieldMatrix first = A.block(at, at, piece.degree, piece.degree);
      for (std::size_t k = 0; k < piece.multiplicity; ++k, at += piece.degree) {
        REQUIRE(A.block(at, at, piece.degree, piece.degree) == first);
        REQUIRE(A.block(at, 0, piece.degree, at).is_zero());
        const std::size_t end = at + piece.degree;
        REQUIRE(A.block(at, end, piece.degree, A.cols() - end).is_zero());
      }
    }
    REQUIRE(at == A.cols());
  }
}

}  // namespace

TEST_CASE("a subgroup acts by equal blocks on equal constituents", "[adapted_basis][quick]") {
  // All kinds: one constituent over Q, several, some of them several times, with irrational characters inside the field of the row and outside.
  // Of degree 12 twice and once over Q(sqrt(5)) are constituents of J1 in degree 56 on PSL(2,11) [ATLAS].
  const auto [name, row] = GENERATE(table<std::string, std::size_t>({{"A5", 1},
                                                                     {"A5", 4},
                                                                     {"PSL(2,7)", 5},
                                                                     {"PSL(2,8)", 2},
                                                                     {"PSL(2,8)", 6},
                                                                     {"PSL(2,11)", 6},
                                                                     {"M11", 5},
                                                                     {"M11", 9},
                                                                     {"M12", 8},
                                                                     {"J1", 1}}));
  CAPTURE(name, row);
  const CharacterTable table = character_table(reference_group(name).group);
  const GaloisTable galois(table);
  const auto pairs = multiplicity_one_pairs(galois, {galois.member(row).source}, {});
  REQUIRE(pairs[0].once);
  const std::size_t source = galois.member(row).source;
  const auto rho = adapted(galois, source, *pairs[0].once);
  REQUIRE(rho);
  const AbelianField K = rho->C.field();
  const auto H = AdaptedSubgroup::find(galois, source, K, 200, {});
  REQUIRE(H);
  std::size_t sum = 0;
  for (const AdaptedConstituent& piece : H->constituents) sum += piece.degree * piece.multiplicity;
  REQUIRE(table.degree(source) == sum);
  check(galois, source, *rho, *H);
}

TEST_CASE("small constituents are asked for", "[adapted_basis][quick]") {
  // M11 in degree 55 (row 9): the smaller the constituents may be, the smaller is the subgroup.
  const CharacterTable table = character_table(reference_group("M11").group);
  const GaloisTable galois(table);
  Integer order = table.group().order();
  int served = 0;
  for (const std::size_t largest : {45U, 20U, 10U, 4U}) {
    const auto H = AdaptedSubgroup::find(galois, 9, AbelianField(), largest, {});
    if (!H) continue;
    ++served;
    REQUIRE(H->group.order() <= order);
    order = H->group.order();
    for (const AdaptedConstituent& piece : H->constituents) REQUIRE(piece.degree <= largest);
  }
  REQUIRE(served >= 3);
}

TEST_CASE("no subgroup with forms over the field, none said", "[adapted_basis][quick]") {
  // SL(2,3) in degree 2 over Q(E(3)): of Schur index 2 over Q on Q8, and reducible only on subgroups of order at most 6 with characters of order 3.
  const CharacterTable table = character_table(reference_group("SL(2,3)").group);
  const GaloisTable galois(table);
  int tried = 0;
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (table.degree(row) != 2) continue;
    const auto H = AdaptedSubgroup::find(galois, row, AbelianField::generated_by(table.row(row)), 200, {});
    if (H) REQUIRE(H->group.order() < 8);
    ++tried;
  }
  REQUIRE(tried == 3);
}

TEST_CASE("short integral matrices over fields of large degree", "[adapted_basis][quick]") {
  // Degrees q - 1 over the fields of E(k) + E(k)^-1 for k = 19 and 21, odd divisors of q + 1 = 38 and 42 [Fulton & Harris 1991, 5.2].
  const auto [q, row, k] = GENERATE(table<unsigned, std::size_t, std::uint32_t>({{37, 3, 19}, {41, 7, 21}}));
  CAPTURE(q);
  const CharacterTable table = character_table(projective_special_linear_group(2, q));
  const auto R = irreducible_representation(table, row).representation;
  REQUIRE(R.dimension() == q - 1);
  REQUIRE(R.field() ==
          AbelianField::generated_by(std::vector{Cyclotomic::root_of_unity(k) + Cyclotomic::root_of_unity(k, k - 1)}));
  for (const Permutation& s : table.group().generators()) {
    const FieldMatrix A = R.field_matrix(s);
    REQUIRE(A.coefficients().is_integral());
    REQUIRE(A.height() < 1'000'000);
  }
  for (std::size_t c = 0; c < table.size(); ++c)
    REQUIRE(R.field_matrix(table.classes()[c].representative).trace() == table(row, c));
}

TEST_CASE("rows whose lattices would be too large", "[adapted_basis][slow][.]") {
  // M23 in degree 231 over Q(sqrt(-15)) and 770 over Q(sqrt(-23)), HS in degree 770 over Q [ATLAS]: lattices of rank 462, 1540 and 770.
  const auto [name, row, degree, field] = GENERATE(table<std::string, std::size_t, unsigned, std::string>(
      {{"M23", 5, 231, "Q(sqrt(-15))"}, {"M23", 9, 770, "Q(sqrt(-23))"}, {"HS", 11, 770, "Q"}}));
  CAPTURE(name, row);
  const CharacterTable table = character_table(reference_group(name).group);
  const auto R = irreducible_representation(table, row);
  REQUIRE(R.representation.dimension() == degree);
  REQUIRE(R.representation.field().to_string() == field);
  const auto& generators = table.group().generators();
  std::vector<FieldMatrix> images;
  for (const Permutation& s : generators) {
    images.push_back(R.representation.field_matrix(s));
    REQUIRE(images.back().coefficients().is_integral());
    REQUIRE(images.back().height() < Integer(field == "Q" ? 1'000'000'000 : 1'000'000'000'000'000'000));
  }
  // A word of the generators on a vector: what the matrices are for.
  FieldMatrix x = R.seed.vector.over(R.representation.field());
  FieldMatrix y = x;
  Permutation g = Permutation::identity(table.group().degree());
  for (const std::size_t k : {0U, 1U, 1U, 0U, 1U}) {
    y = images[k] * y;
    g = generators[k] * g;
  }
  REQUIRE(R.representation.field_matrix(g) * x == y);
}
