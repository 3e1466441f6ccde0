#include "intertwine/physics/little_group.hpp"

#include <catch2/catch.hpp>

#include <map>

#include "intertwine/error.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

using Vector = std::array<Rational, 3>;

std::vector<unsigned> degrees_at(unsigned number, const Vector& k) {
  std::vector<unsigned> list;
  for (const auto& irrep : little_group(SpaceGroup::numbered(number), k).irreps) list.push_back(irrep.degree);
  return list;
}

/// Are the characters orthonormal on the operations modulo translations, and are they those of a representation in which
/// translations are exp(-2 pi i k.t)? The latter is tried by chi(g h) = chi(h g), which are equal up to such a factor.
bool is_orthonormal(const LittleGroup& little) {
  for (std::size_t a = 0; a < little.irreps.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      Cyclotomic sum;
      for (std::size_t g = 0; g < little.operations.size(); ++g)
        sum += little.irreps[a].characters[g] * little.irreps[b].characters[g].conjugate();
      if (sum != Cyclotomic(a == b ? static_cast<long>(little.operations.size()) : 0)) return false;
    }
  return true;
}

SpaceOperation product(const SpaceOperation& g, const SpaceOperation& h) {
  SpaceOperation gh{{}, g.w};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      gh.w[i] += g.W[i][j] * h.w[j];
      for (std::size_t r = 0; r < 3; ++r) gh.W[i][j] += g.W[i][r] * h.W[r][j];
    }
  return gh;
}

/// The character of any operation of the little group: that of the listed one times exp(-2 pi i k.t).
Cyclotomic character_of_operation(const LittleGroup& little, std::size_t irrep, const SpaceOperation& g) {
  for (std::size_t k = 0; k < little.operations.size(); ++k) {
    if (little.operations[k].W != g.W) continue;
    Rational phase = 0;
    for (std::size_t i = 0; i < 3; ++i) phase += little.k[i] * (g.w[i] - little.operations[k].w[i]) / 12;
    const auto n = denominator(phase).convert_to<std::uint32_t>();
    return little.irreps[irrep].characters[k] *
           Cyclotomic::root_of_unity(n, -(numerator(phase) % denominator(phase)).convert_to<std::int64_t>());
  }
  throw InternalError("no operation of the little group");
}

}  // namespace

TEST_CASE("little groups have the degrees of published tables", "[physics][quick]") {
  const Rational half(1, 2), third(1, 3), quarter(1, 4);
  using Degrees = std::vector<unsigned>;
  // Bradley and Cracknell 1972, table 5.7, by the dimensions of single-valued representations.
  CHECK(degrees_at(227, {0, 0, 0}) == Degrees{1, 1, 1, 1, 2, 2, 3, 3, 3, 3});
  CHECK(degrees_at(227, {1, 0, 0}) == Degrees{2, 2, 2, 2});  // X: four of dimension 2 alone
  CHECK(degrees_at(227, {half, half, half}) == Degrees{1, 1, 1, 1, 2, 2});
  CHECK(degrees_at(227, {1, half, 0}) == Degrees{2, 2});  // W
  CHECK(degrees_at(225, {1, 0, 0}) == Degrees{1, 1, 1, 1, 1, 1, 1, 1, 2, 2});
  CHECK(degrees_at(230, {1, 1, 1}) == Degrees{2, 2, 2, 6});        // H
  CHECK(degrees_at(230, {half, half, half}) == Degrees{2, 2, 4});  // P
  CHECK(degrees_at(14, {half, 0, 0}) == Degrees{1, 1, 1, 1});
  CHECK(degrees_at(14, {0, half, 0}) == Degrees{2});
  CHECK(degrees_at(194, {0, 0, half}) == Degrees{2, 2, 4});  // A
  CHECK(degrees_at(194, {third, third, 0}) == Degrees{1, 1, 1, 1, 2, 2});
  CHECK(degrees_at(19, {half, half, half}) == Degrees{2});
  CHECK(degrees_at(1, {Rational(1, 7), Rational(2, 11), quarter}) == Degrees{1});
}

TEST_CASE(
    "characters of little groups are orthonormal, and class functions of the group with its translations",
    "[physics][quick]") {
  auto random = test_rng();
  const std::array<Rational, 5> values{0, Rational(1, 2), Rational(1, 3), Rational(1, 4), Rational(2, 5)};
  for (unsigned trial = 0; trial < 60; ++trial) {
    const unsigned number = 1 + static_cast<unsigned>(random.below(230));
    Vector k;
    for (Rational& x : k) x = values[random.below(trial % 2 == 0 ? 2 : 5)];
    CAPTURE(number, k[0].str(), k[1].str(), k[2].str());
    const LittleGroup little = little_group(SpaceGroup::numbered(number), k);
    std::size_t squares = 0;
    for (const auto& irrep : little.irreps) squares += std::size_t{irrep.degree} * irrep.degree;
    CHECK(squares == little.operations.size());
    CHECK(little.star * little.operations.size() == little.group.operations().size());
    CHECK(is_orthonormal(little));
    for (int pair = 0; pair < 10; ++pair) {
      const auto& g = little.operations[random.below(little.operations.size())];
      const auto& h = little.operations[random.below(little.operations.size())];
      const std::size_t r = random.below(little.irreps.size());
      CHECK(character_of_operation(little, r, product(g, h)) ==
            character_of_operation(little, r, product(h, g)));
    }
  }
}

TEST_CASE("wrong characters are seen, and questions without an answer refused", "[physics][quick]") {
  LittleGroup little = little_group(SpaceGroup::numbered(227), {1, 0, 0});
  little.irreps[0].characters[0] = 1;
  CHECK_FALSE(is_orthonormal(little));
  CHECK_THROWS_AS(little_group(SpaceGroup::layer(7), {0, 0, 0}), DomainError);
  CHECK_THROWS_AS(little_group(SpaceGroup::numbered(4), {0, Rational(1, 1'000'003), 0}), LimitError);
}
