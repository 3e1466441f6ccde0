#include "intertwine/physics/little_group.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <string>

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

TEST_CASE("characters of little groups are orthonormal, and class functions of the group with its translations",
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
    CHECK(little.star * little.operations.size() == little.group_operations().size());
    CHECK(is_orthonormal(little));
    for (int pair = 0; pair < 10; ++pair) {
      const auto& g = little.operations[random.below(little.operations.size())];
      const auto& h = little.operations[random.below(little.operations.size())];
      const std::size_t r = random.below(little.irreps.size());
      CHECK(character_of_operation(little, r, g * h) == character_of_operation(little, r, h * g));
    }
  }
}

namespace {

struct Levels {
  std::vector<unsigned> degrees;  ///< of the co-representations
  std::string types;              ///< of the irreps
  friend bool operator==(const Levels&, const Levels&) = default;
};
Levels levels_of(const LittleGroup& little) {
  Levels levels;
  for (const auto& c : little.corepresentations) levels.degrees.push_back(c.degree);
  std::ranges::sort(levels.degrees);
  for (const auto& irrep : little.irreps) levels.types += to_text(irrep.type);
  return levels;
}
Levels levels_at(unsigned number, const Vector& k, SpinKind spin = SpinKind::none) {
  return levels_of(little_group(SpaceGroup::numbered(number), k, spin));
}

}  // namespace

TEST_CASE("large denominators of wave vectors do not matter", "[physics][quick]") {
  for (const unsigned number : {4U, 62U, 76U, 161U, 198U, 230U}) {
    // On a line through Gamma along b, c or the diagonal.
    const Rational x(7, 2003);
    const Vector k = number == 4 ? Vector{0, x, 0} : number >= 195 ? Vector{x, x, x} : Vector{0, 0, x};
    CAPTURE(number);
    for (const SpinKind spin : {SpinKind::none, SpinKind::half}) {
      const LittleGroup little = little_group(SpaceGroup::numbered(number), k, spin);
      CHECK(little.operations.size() > 1);
      CHECK(is_orthonormal(little));
      if (spin == SpinKind::half) continue;
      for (std::size_t r = 0; r < little.irreps.size(); ++r)
        for (const auto& g : little.operations)
          for (const auto& h : little.operations) {
            CHECK(character_of_operation(little, r, g * h) == character_of_operation(little, r, h * g));
            if (little.irreps[r].degree == 1)
              CHECK(character_of_operation(little, r, g * h) ==
                    character_of_operation(little, r, g) * character_of_operation(little, r, h));
          }
    }
  }
  CHECK_THROWS_AS(little_group(SpaceGroup::numbered(4), {0, Rational(1, 1'000'003), 0}), LimitError);
}

TEST_CASE("time reversal joins levels as published", "[physics][quick]") {
  const Rational half(1, 2), third(1, 3);
  // Screw axes make levels of a whole face of the zone twofold [Heine 1960].
  CHECK(levels_at(4, {0, half, 0}) == Levels{{2}, "cc"});
  CHECK(levels_at(4, {0, 0, 0}) == Levels{{1, 1}, "aa"});
  CHECK(levels_at(4, {Rational(1, 5), half, Rational(1, 7)}) == Levels{{2}, "b"});
  CHECK(levels_at(1, {Rational(1, 5), 0, 0}) == Levels{{1}, "x"});
  // Bradley and Cracknell 1972, table 5.7: the third kinds of reality of R in P212121, H in P6_3, Gamma in P3.
  CHECK(levels_at(19, {half, half, half}) == Levels{{4}, "b"});
  CHECK(levels_at(143, {0, 0, 0}) == Levels{{1, 2}, "acc"});
  CHECK(levels_at(143, {third, third, 0}) == Levels{{1, 1, 1}, "xxx"});
  CHECK(levels_at(198, {half, half, half}).degrees == std::vector<unsigned>{4, 4});
}

TEST_CASE("spinors have the degeneracies of published tables", "[physics][quick]") {
  const Rational half(1, 2), quarter(1, 4);
  const auto degrees = [](unsigned number, const Vector& k) {
    std::vector<unsigned> list;
    for (const auto& irrep : little_group(SpaceGroup::numbered(number), k, SpinKind::half).irreps)
      list.push_back(irrep.degree);
    return list;
  };
  CHECK(degrees(227, {0, 0, 0}) == std::vector<unsigned>{2, 2, 2, 2, 4, 4});  // G6 to G8, even and odd [Koster 1963]
  CHECK(degrees(227, {1, 0, 0}) == std::vector<unsigned>{4});                 // X5 [Elliott 1954]
  CHECK(degrees(216, {half, half, half}) == std::vector<unsigned>{1, 1, 2});  // L4, L5, L6 [Dresselhaus 1955]
  // Threefold, sixfold and eightfold points [Bradlyn et al. 2016, table 1].
  const auto largest = [](unsigned number, const Vector& k) {
    return levels_at(number, k, SpinKind::half).degrees.back();
  };
  for (const unsigned number : {199U, 214U, 220U}) {
    CAPTURE(number);
    CHECK(largest(number, {half, half, half}) == 3);
  }
  for (const unsigned number : {198U, 205U, 206U, 212U, 213U, 230U}) {
    CAPTURE(number);
    CHECK(largest(number, {half, half, half}) == 6);
  }
  for (const unsigned number : {130U, 135U, 218U, 222U, 223U}) {
    CAPTURE(number);
    CHECK(largest(number, {half, half, half}) == 8);
  }
  for (const unsigned number : {220U, 230U}) {
    CAPTURE(number);
    CHECK(largest(number, {1, 1, 1}) == 8);
  }
}

TEST_CASE("levels of spinors come in pairs where time reversal leaves the wave vector", "[physics][quick]") {
  auto random = test_rng();
  for (unsigned trial = 0; trial < 60; ++trial) {
    const unsigned number = 1 + static_cast<unsigned>(random.below(230));
    const auto group = SpaceGroup::numbered(number);
    Vector k;
    // Twice of it is in the reciprocal lattice, as Kramers' theorem wants it.
    const std::size_t points = group.centring().size();
    const Rational step = points == 3 ? Rational(3, 2) : points == 1 ? Rational(1, 2) : Rational(1);
    for (Rational& x : k) x = step * static_cast<long>(random.below(2));
    CAPTURE(number, k[0].str(), k[1].str(), k[2].str());
    const LittleGroup little = little_group(group, k, SpinKind::half);
    CHECK(is_orthonormal(little));
    std::size_t squares = 0;
    for (const auto& irrep : little.irreps) squares += std::size_t{irrep.degree} * irrep.degree;
    CHECK(squares == little.operations.size());
    for (const auto& c : little.corepresentations) CHECK(c.degree % 2 == 0);
    std::size_t used = 0;
    for (const auto& c : little.corepresentations) used += c.irreps.size();
    for (const auto& irrep : little.irreps) used -= irrep.type == WignerType::b ? 2 : 1;
    CHECK(used == 0);
  }
}

TEST_CASE("lifts of rotations are those of SU(2) in any setting", "[physics][quick]") {
  // In cubic axes a turn by 90 degrees about z, twice, is a half turn about z, and four times minus the identity.
  const SpaceGroup cubic = SpaceGroup::numbered(221);
  const SpinLifts lifts(cubic.operations());
  const SpaceOperation quarter{{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}, {}}, half = quarter * quarter;
  CHECK(lifts.rotation(quarter) == SpinRotation{4, {0, 0, 1}});
  CHECK(lifts.rotation(half) == SpinRotation{2, {0, 0, 1}});
  CHECK(lifts.rotation(half * quarter) == SpinRotation{4, {0, 0, -1}});
  CHECK_FALSE(lifts.changes_sign(quarter, quarter));
  CHECK(lifts.changes_sign(half, half));
  CHECK(lifts.changes_sign(half, quarter));  // 270 degrees about z is minus the lift of 90 degrees about -z
  CHECK(lifts.rotation({{{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}, {}}) == SpinRotation{1, {0, 0, 0}});
  CHECK(lifts.rotation({{{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}}, {}}) == SpinRotation{3, {1, 1, 1}});
  CHECK(SpinRotation{4, {0, 0, 1}}.trace() * SpinRotation{4, {0, 0, 1}}.trace() == 2);
  // The factors are a cocycle in all groups, also in axes that are not orthogonal.
  auto random = test_rng();
  for (const char* name : {"R 3 2:R", "P 6/m m m", "F d -3 m", "P 21/c", "hall:-P 2xa"}) {
    const SpaceGroup group = SpaceGroup::named(name);
    const SpinLifts all(group.operations());
    for (int trial = 0; trial < 100; ++trial) {
      const auto any = [&] { return group.operations()[random.below(group.operations().size())]; };
      const SpaceOperation a = any(), b = any(), c = any();
      CHECK((all.changes_sign(a, b) != all.changes_sign(a * b, c)) ==
            (all.changes_sign(b, c) != all.changes_sign(a, b * c)));
    }
  }
}

TEST_CASE("magnetic groups are found from generators, and grey ones are space groups with time reversal",
          "[physics][quick]") {
  const SpaceGroup group = SpaceGroup::named("P 21/c");
  const MagneticSpaceGroup grey(group), alone(group, false);
  CHECK((alone.type() == 1 && grey.type() == 2));
  std::vector<MagneticOperation> generators;
  for (const auto& g : group.generators()) generators.push_back({g, false});
  CHECK(MagneticSpaceGroup(generators) == alone);
  generators.push_back({group.operations().front(), true});
  CHECK(MagneticSpaceGroup(generators) == grey);
  generators.back().operation.w = {6, 0, 0};
  const MagneticSpaceGroup fourth(generators);
  CHECK((fourth.type() == 4 && fourth.antiunitary().size() == 4 && fourth.centring().size() == 1));
  for (auto& g : generators) g.reverses_time = true;
  CHECK(MagneticSpaceGroup(std::span(generators).first(2)).type() == 3);
  CHECK_THROWS_AS(
      MagneticSpaceGroup(std::vector<MagneticOperation>{{{{{{1, 1, 0}, {0, 1, 0}, {0, 0, 1}}}, {}}, false}}),
      DomainError);
  CHECK_THROWS_AS(
      MagneticSpaceGroup(std::vector<MagneticOperation>{{{{{{2, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {}}, false}}),
      DomainError);
  // Matrices that grow without end are refused before their numbers are too large.
  CHECK_THROWS_AS(
      MagneticSpaceGroup(std::vector<MagneticOperation>{{{{{{199, 198, 0}, {200, 199, 0}, {0, 0, 1}}}, {}}, false}}),
      DomainError);
  const Vector B{0, Rational(1, 2), 0};
  for (const SpinKind spin : {SpinKind::none, SpinKind::half})
    CHECK(levels_of(little_group(grey, B, spin)).degrees == levels_of(little_group(group, B, spin)).degrees);
  CHECK(little_group(alone, B).antiunitary.empty());
  CHECK(levels_of(little_group(alone, B)).types == "x");
}

TEST_CASE("levels split along lines as published", "[physics][quick]") {
  const auto splits = [](unsigned number, const Vector& k, const Vector& direction, SpinKind spin = SpinKind::none) {
    const LittleGroup at = little_group(SpaceGroup::numbered(number), k, spin);
    const LittleGroup line = little_group_along(at, direction);
    std::vector<std::vector<unsigned>> parts;  // of every irrep the degrees that it splits into
    const auto table = compatibility(at, line);
    for (std::size_t r = 0; r < table.size(); ++r) {
      parts.emplace_back();
      for (std::size_t s = 0; s < table[r].size(); ++s)
        parts.back().insert(parts.back().end(), table[r][s], line.irreps[s].degree);
      unsigned sum = 0;
      for (const unsigned d : parts.back()) sum += d;
      CHECK(sum == at.irreps[r].degree);
    }
    return parts;
  };
  using Parts = std::vector<std::vector<unsigned>>;
  // Gamma to Delta in Oh [Bouckaert & Smoluchowski & Wigner 1936]: G12 becomes D1 + D2, G15 and G25 become D1 or D2 and
  // D5.
  CHECK(splits(221, {0, 0, 0}, {1, 0, 0}) == Parts{{1}, {1}, {1}, {1}, {1, 1}, {1, 1}, {1, 2}, {1, 2}, {1, 2}, {1, 2}});
  CHECK(splits(221, {0, 0, 0}, {1, 1, 1}) == Parts{{1}, {1}, {1}, {1}, {2}, {2}, {1, 2}, {1, 2}, {1, 2}, {1, 2}});
  // X to Delta in diamond: X1 and X2 split, X3 and X4 become D5 [Elliott 1954].
  auto diamond = splits(227, {1, 0, 0}, {1, 0, 0});
  std::ranges::sort(diamond);
  CHECK(diamond == Parts{{1, 1}, {1, 1}, {2}, {2}});
  CHECK(splits(216, {0, 0, 0}, {1, 1, 1}, SpinKind::half) == Parts{{2}, {2}, {1, 1, 2}});  // G8 to L4 + L5 + L6
  const LittleGroup at = little_group(SpaceGroup::numbered(221), {0, 0, 0});
  CHECK_THROWS_AS(little_group_along(at, {0, 0, 0}), DomainError);
  CHECK_THROWS_AS(little_group_along(little_group_along(at, {1, 0, 0}), {1, 0, 0}), DomainError);
  CHECK_THROWS_AS(compatibility(at, at), DomainError);
}

TEST_CASE("a line near its end is the line a little further on", "[physics][quick]") {
  auto random = test_rng();
  for (unsigned trial = 0; trial < 40; ++trial) {
    const unsigned number = 1 + static_cast<unsigned>(random.below(230));
    const auto group = SpaceGroup::numbered(number);
    const SpinKind spin = trial % 2 == 0 ? SpinKind::none : SpinKind::half;
    Vector k, d, on;
    for (Rational& x : k) x = Rational(static_cast<long>(random.below(2)), 2);
    do
      for (Rational& x : d) x = static_cast<long>(random.below(3)) - 1;
    while (d == Vector{});
    for (std::size_t i = 0; i < 3; ++i) on[i] = k[i] + d[i] / 7;
    CAPTURE(number, k[0].str(), k[1].str(), k[2].str(), d[0].str(), d[1].str(), d[2].str());
    const LittleGroup limit = little_group_along(little_group(group, k, spin), d),
                      point = little_group(group, on, spin);
    CHECK(limit.operations == point.operations);
    CHECK(limit.antiunitary == point.antiunitary);
    const auto sorted = [](const LittleGroup& little) {
      Levels levels = levels_of(little);
      std::ranges::sort(levels.types);
      return levels;
    };
    CHECK(sorted(limit) == sorted(point));
  }
}

TEST_CASE("k.p Hamiltonians have as many parameters as published", "[physics][quick]") {
  const auto terms = [](unsigned number, const Vector& k, SpinKind spin, unsigned order) {
    return kp_dimensions(little_group(SpaceGroup::numbered(number), k, spin), order);
  };
  using Terms = std::vector<std::uint64_t>;
  const Rational third(1, 3);
  // A doublet of Kramers without other symmetry: an energy, all k_i sigma_j, six masses.
  CHECK(terms(1, {0, 0, 0}, SpinKind::half, 0) == Terms{1});
  CHECK(terms(1, {0, 0, 0}, SpinKind::half, 1) == Terms{9});
  CHECK(terms(1, {0, 0, 0}, SpinKind::half, 2) == Terms{6});
  // Luttinger's three parameters of G8, even and odd [Luttinger 1956]; a linear term without inversion [Dresselhaus
  // 1955].
  CHECK(terms(227, {0, 0, 0}, SpinKind::half, 1) == Terms(6, 0));
  CHECK(terms(227, {0, 0, 0}, SpinKind::half, 2) == Terms{1, 1, 1, 1, 3, 3});
  CHECK(terms(216, {0, 0, 0}, SpinKind::half, 1) == Terms{0, 0, 1});
  CHECK(terms(216, {0, 0, 0}, SpinKind::half, 3) == Terms{1, 1, 4});  // [Winkler 2003, table C.5]
  // Graphene's cone at K: one velocity for each of the doublets.
  CHECK(terms(191, {third, third, 0}, SpinKind::none, 1) == Terms{0, 0, 0, 0, 1, 1});
  CHECK_THROWS_AS(terms(1, {0, 0, 0}, SpinKind::none, 101), LimitError);
}

TEST_CASE("wrong characters are seen, and questions without an answer refused", "[physics][quick]") {
  LittleGroup little = little_group(SpaceGroup::numbered(227), {1, 0, 0});
  little.irreps[0].characters[0] = 1;
  CHECK_FALSE(is_orthonormal(little));
  CHECK_THROWS_AS(little_group(SpaceGroup::layer(7), {0, 0, 0}), DomainError);
  CHECK_THROWS_AS(little_group(SpaceGroup::numbered(4), {0, Rational(1, 1'000'003), 0}), LimitError);
}
