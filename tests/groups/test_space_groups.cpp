#include "intertwine/groups/space_groups.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <map>
#include <set>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"

using namespace intertwine;

namespace {

std::string space_refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

/// The order of the point group, by number: triclinic to cubic. [Hahn 2002]
std::size_t point_order(unsigned number) {
  const std::pair<unsigned, std::size_t> last_of_class[] = {
      {1, 1},    {2, 2},    {5, 2},    {9, 2},    {15, 4},   {24, 4},   {46, 4},   {74, 8},
      {80, 4},   {82, 4},   {88, 8},   {98, 8},   {110, 8},  {122, 8},  {142, 16}, {146, 3},
      {148, 6},  {155, 6},  {161, 6},  {167, 12}, {173, 6},  {174, 6},  {176, 12}, {182, 12},
      {186, 12}, {190, 12}, {194, 24}, {199, 12}, {206, 24}, {214, 24}, {220, 24}, {230, 48}};
  for (const auto& [last, order] : last_of_class)
    if (number <= last) return order;
  return 0;
}

std::array<int, 3> product(const std::array<std::array<int, 3>, 3>& W, const std::array<int, 3>& v) {
  std::array<int, 3> r{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) r[i] += W[i][j] * v[j];
  return r;
}

/// Do all generators fix the point p / 24 modulo the lattice?
bool is_fixed(const SpaceGroup& G, const std::array<int, 3>& p) {
  for (const SpaceOperation& g : G.generators()) {
    const auto image = product(g.W, p);
    bool found = false;
    for (const auto& t : G.centring()) {
      bool equal = true;
      for (std::size_t i = 0; i < 3; ++i) equal = equal && (image[i] + 2 * (g.w[i] + t[i]) - p[i]) % 24 == 0;
      found = found || equal;
    }
    if (!found) return false;
  }
  return true;
}

/// The kinds of symmetry that a space group has, as its international name spells them: rotations with their screws ("2", "21", "4", "42"),
/// and reflections with their glides ("m", "a", "b", "c", "n", "d", "g" for others), whatever the direction.
std::set<std::string> kinds(const SpaceGroup& G) {
  std::set<std::string> result;
  for (const SpaceOperation& g : G.operations()) {
    const auto& W = g.W;
    const int trace = W[0][0] + W[1][1] + W[2][2];
    const int det = W[0][0] * (W[1][1] * W[2][2] - W[1][2] * W[2][1]) -
                    W[0][1] * (W[1][0] * W[2][2] - W[1][2] * W[2][0]) +
                    W[0][2] * (W[1][0] * W[2][1] - W[1][1] * W[2][0]);
    const int turn = det * trace;
    const int order = turn == 3 ? 1 : turn == 2 ? 6 : turn == 1 ? 4 : turn == 0 ? 3 : 2;
    const bool mirror = det < 0 && order == 2;
    if ((det < 0 && !mirror) || (det > 0 && order == 1)) continue;
    for (const auto& c : G.centring())
      for (int cell = 0; cell < 27; ++cell) {
        // The part of the translation along the axis or plane: the mean over the powers.
        std::array<int, 3> w{g.w[0] + c[0] + 12 * (cell % 3 - 1), g.w[1] + c[1] + 12 * (cell / 3 % 3 - 1),
                             g.w[2] + c[2] + 12 * (cell / 9 - 1)};
        std::array<int, 3> sum{}, v = w;
        for (int k = 0; k < order; ++k) {
          for (std::size_t i = 0; i < 3; ++i) sum[i] += v[i];
          v = product(W, v);
        }
        const auto along = [&](int x, int y, int z) {
          return sum == std::array<int, 3>{order * x, order * y, order * z};
        };
        if (mirror) {
          if (along(0, 0, 0)) result.insert("m");
          if (along(6, 0, 0)) result.insert("a");
          if (along(0, 6, 0)) result.insert("b");
          if (along(0, 0, 6)) result.insert("c");
          for (const int s : {6, -6})
            if (along(6, s, 0) || along(6, 0, s) || along(0, 6, s) || along(6, 6, s) || along(6, -6, s))
              result.insert("n");
          int quarters = 0;
          for (std::size_t i = 0; i < 3; ++i) quarters += sum[i] != 0 && sum[i] % 6 == 0 && sum[i] % 12 != 0 ? 1 : 0;
          if (quarters >= 2) result.insert("d");
          continue;
        }
        // The axis: of a turn about z, and others by the translations along them.
        if (along(0, 0, 0)) result.insert(std::to_string(order));
        for (int k = 1; k < order; ++k) {
          const int step = 12 / order * k;
          // The sense of the turn decides between 31 and 32: that of a, b, c right-handed.
          const bool about_z = W[2][2] == 1 && W[2][0] == 0 && W[2][1] == 0 && W[0][2] == 0 && W[1][2] == 0;
          if (about_z && along(0, 0, step) && (order == 2 || W[1][0] == 1 || (order == 3 && W[1][0] > 0)))
            result.insert(std::to_string(order) + std::to_string(k));
          if (!about_z && order == 2 && (along(6, 0, 0) || along(0, 6, 0) || along(6, 6, 0) || along(6, -6, 0)))
            result.insert("21");
          if (!about_z && order == 4 && (along(step, 0, 0) || along(0, step, 0)) && (W[2][1] == 1 || W[0][2] == 1))
            result.insert(std::to_string(order) + std::to_string(k));
        }
      }
  }
  return result;
}

}  // namespace

TEST_CASE("all 230 space groups are what the International Tables say", "[groups][quick]") {
  // The 73 symmorphic ones. [Hahn 2002]
  const std::set<unsigned> symmorphic{1,   2,   3,   5,   6,   8,   10,  12,  16,  21,  22,  23,  25,  35,  38,
                                      42,  44,  47,  65,  69,  71,  75,  79,  81,  82,  83,  87,  89,  97,  99,
                                      107, 111, 115, 119, 121, 123, 139, 143, 146, 147, 148, 149, 150, 155, 156,
                                      157, 160, 162, 164, 166, 168, 174, 175, 177, 183, 187, 189, 191, 195, 196,
                                      197, 200, 202, 204, 207, 209, 211, 215, 216, 217, 221, 225, 229};
  REQUIRE(symmorphic.size() == 73);
  const std::map<char, std::size_t> lattice_points{{'P', 1}, {'A', 2}, {'C', 2}, {'I', 2}, {'R', 3}, {'F', 4}};
  std::set<std::string> halls;
  for (unsigned number = 1; number <= 230; ++number) {
    const SpaceGroup G = SpaceGroup::numbered(number);
    const std::string name(space_group_name(number));
    CAPTURE(number, name, G.hall());
    CHECK(halls.insert(G.hall()).second);
    CHECK(space_group_number(name) == number);
    CHECK(G.operations().size() == point_order(number));
    CHECK(G.centring().size() == lattice_points.at(name[0]));
    // A subgroup of the affine group modulo the lattice: products are there, and with the translations the torus of 1, 2 or 3 cells has
    // |point group| * lattice points * cells elements.
    const std::size_t n = number % 3 + 1;
    const FiniteGroup torus = crystal_group(G, {n, n, n}, {}, "crystal");
    CHECK(torus.chain().order() == Integer(point_order(number) * G.centring().size() * n * n * n));
    CHECK(torus.degree() == torus.order());
    bool fixed = false;
    for (int p = 0; p < 24 * 24 * 24 && !fixed; ++p) fixed = is_fixed(G, {p % 24, p / 24 % 24, p / 576});
    CHECK(fixed == symmorphic.contains(number));
    // Every axis, screw and glide of the name is there. e is a glide along both axes of a plane.
    std::string rest = name.substr(1);
    const std::set<std::string> found = kinds(G);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (rest[i] == '-' || rest[i] == '/' || rest[i] == '1') {
        i += rest[i] == '-' ? 1 : 0;  // the order of an improper turn
        continue;
      }
      std::string kind(1, rest[i]);
      if (i + 2 < rest.size() && rest[i + 1] == '_') {
        kind += rest[i + 2];
        i += 2;
      }
      if (kind == "e") continue;
      CAPTURE(kind);
      CHECK(found.contains(kind));
    }
  }
}

TEST_CASE("space groups by any name, and their point groups", "[groups][quick]") {
  // The last number of every class. [Hahn 2002]
  const std::vector<std::pair<unsigned, const char*>> classes{
      {1, "C1"},    {2, "Ci"},    {5, "C2"},    {9, "Cs"},    {15, "C2h"},  {24, "D2"},   {46, "C2v"},  {74, "D2h"},
      {80, "C4"},   {82, "S4"},   {88, "C4h"},  {98, "D4"},   {110, "C4v"}, {122, "D2d"}, {142, "D4h"}, {146, "C3"},
      {148, "S6"},  {155, "D3"},  {161, "C3v"}, {167, "D3d"}, {173, "C6"},  {174, "C3h"}, {176, "C6h"}, {182, "D6"},
      {186, "C6v"}, {190, "D3h"}, {194, "D6h"}, {199, "T"},   {206, "Th"},  {214, "O"},   {220, "Td"},  {230, "Oh"}};
  for (unsigned number = 1; number <= 230; ++number) {
    const SpaceGroup G = SpaceGroup::numbered(number);
    const auto last = std::ranges::find_if(classes, [&](const auto& c) { return number <= c.first; });
    CAPTURE(number);
    const std::string symbol = point_group_symbol(G);
    CHECK(symbol == last->second);
    CHECK(point_group(symbol).order() == G.operations().size());
    CHECK(SpaceGroup::named(std::to_string(number)) == G);
    CHECK(SpaceGroup::named(space_group_name(number)) == G);
    CHECK(SpaceGroup::named(readable_hall(G)) == G);
  }
  CHECK(number_of_setting(SpaceGroup::named("-F 4vw 2vw 3")) == 227U);
  CHECK(number_of_setting(SpaceGroup::named("P 2y")) == 3U);
  CHECK(number_of_setting(SpaceGroup::named("hall:P 2")) == std::nullopt);      // the axis is c
  CHECK(number_of_setting(SpaceGroup::named("F 4d 2 3 -1d")) == std::nullopt);  // the other origin
  CHECK(SpaceGroup::named("hall:P 2") != SpaceGroup::named("P2"));
  CHECK(SpaceGroup::from_hall("P 4 2 -1ab") != SpaceGroup::numbered(129));
  CHECK(crystal_name("space(225", {2, 3, 1}, {Rational(1, 2), 0, 0}) == "space(225,2,3,1; 1/2,0,0)");
  for (const char* wrong : {"", "0", "231", "99999999999999999999", "Fd5", "-1"})
    CHECK(space_refusal([&] { SpaceGroup::named(wrong); }) != "");
  CHECK(space_refusal([] { SpaceGroup::named("-1"); }) ==
        "there is no space group number -1; they are numbered from 1 to 230");
}

TEST_CASE("rod and layer groups that are called like space groups have their symbols", "[groups][quick]") {
  for (unsigned k = 23; k <= 75; ++k) {
    std::string name(rod_group_name(k));
    name[0] = 'P';
    CHECK(SpaceGroup::rod(k).hall() == SpaceGroup::numbered(space_group_number(name)).hall());
  }
  // Layer groups: those whose names are the usual ones of space groups with the same axes.
  for (const unsigned k :
       {19U, 21U, 23U, 25U, 37U, 39U, 41U, 44U, 46U, 49U, 50U, 51U, 52U, 53U, 54U, 55U, 56U, 57U, 58U, 59U, 60U,
        61U, 62U, 63U, 64U, 65U, 66U, 67U, 68U, 69U, 70U, 71U, 72U, 73U, 74U, 75U, 76U, 77U, 78U, 79U, 80U}) {
    std::string name(layer_group_name(k));
    name[0] = 'P';
    CHECK(SpaceGroup::layer(k).hall() == SpaceGroup::numbered(space_group_number(name)).hall());
  }
}

TEST_CASE("rod and layer groups keep their edges and are what their names say", "[groups][quick]") {
  std::set<std::string> seen;
  const auto check = [&](const SpaceGroup& G, const std::string& name, bool rod, std::size_t order) {
    CAPTURE(name, G.hall());
    CHECK(seen.insert((rod ? "rod " : "layer ") + G.hall()).second);
    CHECK(G.operations().size() == order);
    const std::array<std::size_t, 3> cells =
        rod ? std::array<std::size_t, 3>{0, 0, 3} : std::array<std::size_t, 3>{3, 3, 0};
    for (const SpaceOperation& g : G.generators())
      for (std::size_t i = 0; i < 3; ++i) CHECK((G.periodic()[i] || g.w[i] == 0));
    for (const auto& t : G.centring())
      for (std::size_t i = 0; i < 3; ++i) CHECK((G.periodic()[i] || t[i] == 0));
    const FiniteGroup torus = crystal_group(G, cells, {}, "torus");
    CHECK(torus.chain().order() == Integer(order * G.centring().size() * (rod ? 3 : 9)));
    CHECK(torus.degree() == torus.order());
    // Screws and glides of the name are there, whatever the direction; e is both a and b.
    const std::set<std::string> there = kinds(G);
    const std::size_t screw = name.find('_');
    if (screw != std::string::npos) CHECK(there.contains(std::string{name[screw - 1], name[screw + 1]}));
    for (const char letter : name.substr(1)) {
      if (letter == 'e') CHECK((there.contains("a") && there.contains("b")));
      if (std::string_view("mabcn").find(letter) != std::string_view::npos)
        CHECK(there.contains(std::string(1, letter)));
    }
  };
  // Orders of the point groups along the two tables. [Kopsky 2010]
  using Run = std::pair<unsigned, std::size_t>;
  const auto order_of = [](const std::vector<Run>& last, unsigned k) {
    return std::find_if(last.begin(), last.end(), [&](const Run& r) { return k <= r.first; })->second;
  };
  const std::vector<Run> rods{{1, 1},   {5, 2},  {7, 4},  {10, 2},  {19, 4}, {22, 8},  {27, 4}, {38, 8},
                              {41, 16}, {44, 3}, {50, 6}, {52, 12}, {59, 6}, {72, 12}, {75, 24}};
  const std::vector<Run> layers{{1, 1},   {5, 2},  {7, 4},  {13, 2},  {36, 4}, {48, 8},  {50, 4}, {60, 8},
                                {64, 16}, {65, 3}, {70, 6}, {72, 12}, {74, 6}, {79, 12}, {80, 24}};
  for (unsigned k = 1; k <= 75; ++k) check(SpaceGroup::rod(k), std::string(rod_group_name(k)), true, order_of(rods, k));
  for (unsigned k = 1; k <= 80; ++k)
    check(SpaceGroup::layer(k), std::string(layer_group_name(k)), false, order_of(layers, k));
  CHECK(seen.size() == 155);
  for (unsigned k = 1; k <= 75; ++k) CHECK(rod_group_number(rod_group_name(k)) == k);
  for (unsigned k = 1; k <= 80; ++k) CHECK(layer_group_number(layer_group_name(k)) == k);
  // Seventeen layer groups keep the sides of the plane: those without operations that turn c round.
  std::size_t plane = 0;
  for (unsigned k = 1; k <= 80; ++k) {
    const SpaceGroup G = SpaceGroup::layer(k);
    plane += std::ranges::all_of(G.operations(), [](const auto& g) { return g.W[2][2] == 1; }) ? 1U : 0U;
  }
  CHECK(plane == 17);
}

TEST_CASE("atoms of rods and layers: across there are no cells", "[groups][quick]") {
  // Two planes at +-1/2 are two planes, not one modulo c.
  const SpaceGroup layer = SpaceGroup::layer(61);
  CHECK(crystal_group(layer, {2, 2, 0}, {0, 0, Rational(1, 2)}, "x").degree() == 8);
  CHECK(crystal_group(SpaceGroup::numbered(123), {2, 2, 1}, {0, 0, Rational(1, 2)}, "x").degree() == 4);
  // A nanotube's axis: four atoms in a ring, three rings.
  CHECK(crystal_group(SpaceGroup::rod(39), {0, 0, 3}, {1, 0, 0}, "x").degree() == 12);
  CHECK(SpaceGroup::layer(61) != SpaceGroup::rod(39));
  CHECK(SpaceGroup::layer(61) != SpaceGroup::numbered(123));
  CHECK((layer.kind() == "layer" && number_of_setting(layer) == 61U && name_of_setting(layer) == "p4/mmm"));
  CHECK((SpaceGroup::rod(39).kind() == "rod" && number_of_setting(SpaceGroup::rod(39)) == 39U));
  CHECK(name_of_setting(SpaceGroup::named("hall:P 2")) == std::nullopt);
  CHECK(crystal_name("layer(61", {2, 3, 0}, {}) == "layer(61,2,3)");
  CHECK(space_refusal([&] {
          crystal_group(layer, {2, 2, 1}, {}, "x");
        }) == "x: this group has no translations along edge c, and takes 0 cells there, not 1");
  CHECK(space_refusal([&] {
          crystal_group(layer, {2, 0, 0}, {}, "x");
        }) == "x: there is at least one cell along edge b");
  CHECK(space_refusal([&] {
          crystal_group(layer, {2, 3, 0}, {}, "x");
        }).find("as many cells along both") != std::string::npos);
  CHECK(space_refusal([] { SpaceGroup::rod(76); }) ==
        "there is no rod group number 76; they are numbered from 1 to 75");
  CHECK(space_refusal([] { SpaceGroup::layer(0); }) ==
        "there is no layer group number 0; they are numbered from 1 to 80");
  CHECK(space_refusal([] { SpaceGroup::rod("-1"); }) ==
        "there is no rod group number -1; they are numbered from 1 to 75");
  CHECK(space_refusal([] {
          SpaceGroup::layer("Fd-3m");
        }).starts_with("'Fd-3m' is no short international name of a layer group"));
  CHECK(space_refusal([] { layer_group_number("p5"); }) ==
        "'p5' is no short international name of a layer group, such as p4/nmm, p2_1/b11 or c2/m11");
}

TEST_CASE("settings of one space group", "[groups][quick]") {
  // The origin at -43m or at -3m: a shift by 1/8 1/8 1/8; other axes; the same with the origin shifted by Hall's suffix.
  for (const auto& [a, b] : std::vector<std::pair<const char*, const char*>>{{"-F 4vw 2vw 3", "F 4d 2 3 -1d"},
                                                                             {"P 2y", "P 2"},
                                                                             {"-P 4a 2b", "P 4 2 -1ab"},
                                                                             {"R 3", "S 3y"},
                                                                             {"R 3", "T 3x"},
                                                                             {"P 61 2 (0 0 5)", "P 61 2 (0 0 -1)"}}) {
    const FiniteGroup G = crystal_group(SpaceGroup::from_hall(a), {2, 2, 2}, {}, "a"),
                      H = crystal_group(SpaceGroup::from_hall(b), {2, 2, 2}, {}, "b");
    CHECK(G.chain().order() == H.chain().order());
  }
  CHECK(SpaceGroup::from_hall("P 3*").operations()[1].w == std::array<int, 3>{0, 0, 0});
  CHECK(SpaceGroup::from_hall("P 2y").operations()[1].W ==
        std::array<std::array<int, 3>, 3>{{{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}}});
  CHECK(SpaceGroup::from_hall("P 2yb").operations()[1].w == std::array<int, 3>{0, 6, 0});
  CHECK(space_group_number("P21/c") == 14);
  CHECK(space_group_number("Cmca") == 64);
}

TEST_CASE("atoms of crystals", "[groups][quick]") {
  const auto orbit = [](const char* name, std::array<std::size_t, 3> cells, std::vector<Rational> x) {
    return crystal_group(SpaceGroup::numbered(space_group_number(name)), cells, x, "crystal");
  };
  // Rock salt, diamond, and wurtzite's 2b: multiplicities of Wyckoff's positions [Hahn 2002].
  CHECK(orbit("Fm-3m", {1, 1, 1}, {0, 0, 0}).degree() == 4);
  CHECK(orbit("Fm-3m", {2, 2, 2}, {Rational(1, 4), Rational(1, 4), Rational(1, 4)}).degree() == 64);
  CHECK(orbit("Fd-3m", {1, 1, 1}, {Rational(1, 8), Rational(1, 8), Rational(1, 8)}).degree() == 8);
  CHECK(orbit("P6_3mc", {1, 1, 1}, {Rational(1, 3), Rational(2, 3), 0}).degree() == 2);
  CHECK(orbit("Fm-3m", {1, 1, 1}, {Rational(1, 10), Rational(1, 5), Rational(1, 3)}).degree() == 192);
  // On a torus of 3 x 3 x 3 cells the action on the atoms is faithful, on one cell it is not.
  const FiniteGroup large = orbit("Pm-3m", {3, 3, 3}, {0, 0, 0}), small = orbit("Pm-3m", {1, 1, 1}, {0, 0, 0});
  CHECK(large.order() == 48 * 27);
  CHECK(large.coordinates().dimension == 3);
  CHECK(small.order() == 1);
  CHECK(small.coordinates().dimension == 0);
  // The layer and the rod: one cell across.
  CHECK(orbit("P4mm", {4, 4, 1}, {0, 0, 0}).order() == grid_group("p4m", 4, 4).order());
}

TEST_CASE("what is no Hall symbol and no torus", "[groups][quick]") {
  const auto hall = [](const char* symbol) { return space_refusal([&] { SpaceGroup::from_hall(symbol); }); };
  CHECK(hall("").find("the letter of a lattice") != std::string::npos);
  CHECK(hall("Q 2").find("the letter of a lattice") != std::string::npos);
  CHECK(hall("P").find("expected a rotation") != std::string::npos);
  CHECK(hall("P 5").find("order 1, 2, 3, 4 or 6") != std::string::npos);
  CHECK(hall("P 2e").find("expected translations") != std::string::npos);
  CHECK(hall("P 23").find("a screw is smaller") != std::string::npos);
  CHECK(hall("P 2 4").find("the axis of this rotation") != std::string::npos);
  CHECK(hall("P 4*").find("the axis *") != std::string::npos);
  CHECK(hall("P 3'").find("are of rotations of order 2") != std::string::npos);
  CHECK(hall("P 2 (0 0").find("three whole numbers") != std::string::npos);
  CHECK(hall("P 2 (x,y,z)").find("twelfths") != std::string::npos);
  CHECK(hall("P 2 (0 0 1) 2").find("did not expect more") != std::string::npos);
  CHECK(hall("P 2 2 2 2 2").find("the axis of this rotation") != std::string::npos);
  CHECK(hall("C 4x").find("do not keep the lattice") != std::string::npos);
  CHECK(hall("P 2 2c 3").find("more translations") != std::string::npos);
  CHECK(hall("P 6 4x").find("no point group") != std::string::npos);
  const auto torus = [](unsigned number, std::array<std::size_t, 3> cells, std::vector<Rational> x) {
    return space_refusal([&] { crystal_group(SpaceGroup::numbered(number), cells, x, "space"); });
  };
  CHECK(torus(225, {2, 2, 3}, {}) ==
        "space: symmetries take edge c of the cell to edge a, so that there are as many cells along both, "
        "not 3 and 2");
  CHECK(torus(75, {2, 2, 3}, {}).empty());
  CHECK(torus(1, {0, 1, 1}, {}).find("at least one cell") != std::string::npos);
  CHECK(torus(1, {1, 1, 1}, {0, 0}).find("three coordinates") != std::string::npos);
  CHECK(torus(1, {1, 1, 1}, {Rational(1, 20'000), 0, 0}).find("denominator up to 10000") != std::string::npos);
  CHECK(torus(225, {1000, 1000, 1000}, {}).find("space") != std::string::npos);
  CHECK(space_refusal([] { SpaceGroup::numbered(231); }).find("from 1 to 230") != std::string::npos);
  CHECK(space_refusal([] { space_group_number("Qm-3m"); }).find("no Hermann-Mauguin symbol") != std::string::npos);
}
