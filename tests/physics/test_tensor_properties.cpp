#include "intertwine/physics/tensor_properties.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/tensor_text.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/matrix_representations.hpp"

using namespace intertwine;

namespace {

std::size_t number(const char* property, const std::string& group) {
  return tensor_report(property, group).form.independent.size();
}

/// The matrix as text, rows by "; ".
std::string form(const char* property, const char* group) {
  const TensorForm f = tensor_report(property, group).form;
  std::string text;
  for (std::size_t i = 0; i < f.property.rows; ++i) {
    text += i == 0 ? "" : "; ";
    for (std::size_t j = 0; j < f.property.cols; ++j) text += (j == 0 ? "" : ", ") + f.entry(i, j);
  }
  return text;
}

constexpr const char* crystal_classes[] = {"C1",  "Ci",  "C2",  "Cs",  "C2h", "D2", "C2v", "D2h", "C4",  "S4", "C4h",
                                           "D4",  "C4v", "D2d", "D4h", "C3",  "S6", "D3",  "C3v", "D3d", "C6", "C3h",
                                           "C6h", "D6",  "C6v", "D3h", "D6h", "T",  "Th",  "O",   "Td",  "Oh"};

}  // namespace

TEST_CASE("numbers of independent constants are those of Nye's tables for the 32 classes", "[physics][quick]") {
  // [Nye 1957], tables 9 and 8 and those of chapters VIII, XIII, XIV. In the order of crystal_classes: pyroelectric, dielectric,
  // piezoelectric, gyration, elastic, elasto-optic.
  constexpr int expected[32][6] = {
      {3, 6, 18, 6, 21, 36}, {0, 6, 0, 0, 21, 36}, {1, 4, 8, 4, 13, 20}, {2, 4, 10, 2, 13, 20}, {0, 4, 0, 0, 13, 20},
      {0, 3, 3, 3, 9, 12},   {1, 3, 5, 1, 9, 12},  {0, 3, 0, 0, 9, 12},  {1, 2, 4, 2, 7, 10},   {0, 2, 4, 2, 7, 10},
      {0, 2, 0, 0, 7, 10},   {0, 2, 1, 2, 6, 7},   {1, 2, 3, 0, 6, 7},   {0, 2, 2, 1, 6, 7},    {0, 2, 0, 0, 6, 7},
      {1, 2, 6, 2, 7, 12},   {0, 2, 0, 0, 7, 12},  {0, 2, 2, 2, 6, 8},   {1, 2, 4, 0, 6, 8},    {0, 2, 0, 0, 6, 8},
      {1, 2, 4, 2, 5, 8},    {0, 2, 2, 0, 5, 8},   {0, 2, 0, 0, 5, 8},   {0, 2, 1, 2, 5, 6},    {1, 2, 3, 0, 5, 6},
      {0, 2, 1, 0, 5, 6},    {0, 2, 0, 0, 5, 6},   {0, 1, 1, 1, 3, 4},   {0, 1, 0, 0, 3, 4},    {0, 1, 0, 1, 3, 3},
      {0, 1, 1, 0, 3, 3},    {0, 1, 0, 0, 3, 3}};
  for (std::size_t k = 0; k < 32; ++k) {
    INFO(crystal_classes[k]);
    std::size_t column = 0;
    for (const char* property :
         {"pyroelectric", "dielectric", "piezoelectric", "gyration", "elastic", "elasto-optic"}) {
      INFO(property);
      CHECK(number(property, crystal_classes[k]) == static_cast<std::size_t>(expected[k][column++]));
    }
  }
}

TEST_CASE("forms of tensors are Nye's", "[physics][quick]") {
  // [Nye 1957], chapter VIII
  CHECK(form("elastic", "Oh") ==
        "c11, c12, c12, 0, 0, 0; c12, c11, c12, 0, 0, 0; c12, c12, c11, 0, 0, 0; 0, 0, 0, c44, 0, 0; "
        "0, 0, 0, 0, c44, 0; 0, 0, 0, 0, 0, c44");
  CHECK(form("elastic", "6mm") ==
        "c11, c12, c13, 0, 0, 0; c12, c11, c13, 0, 0, 0; c13, c13, c33, 0, 0, 0; 0, 0, 0, c44, 0, 0; "
        "0, 0, 0, 0, c44, 0; 0, 0, 0, 0, 0, (c11 - c12)/2");
  CHECK(form("elastic", "3m") ==
        "c11, c12, c13, c14, 0, 0; c12, c11, c13, -c14, 0, 0; c13, c13, c33, 0, 0, 0; "
        "c14, -c14, 0, c44, 0, 0; 0, 0, 0, 0, c44, c14; 0, 0, 0, 0, c14, (c11 - c12)/2");
  CHECK(form("compliance", "32") ==
        "s11, s12, s13, s14, 0, 0; s12, s11, s13, -s14, 0, 0; s13, s13, s33, 0, 0, 0; "
        "s14, -s14, 0, s44, 0, 0; 0, 0, 0, 0, s44, 2 s14; 0, 0, 0, 0, 2 s14, 2 s11 - 2 s12");
  CHECK(form("compliance", "isotropic") ==
        "s11, s12, s12, 0, 0, 0; s12, s11, s12, 0, 0, 0; s12, s12, s11, 0, 0, 0; "
        "0, 0, 0, 2 s11 - 2 s12, 0, 0; 0, 0, 0, 0, 2 s11 - 2 s12, 0; "
        "0, 0, 0, 0, 0, 2 s11 - 2 s12");
  // Chapter VII: quartz, barium titanate, ammonium dihydrogen phosphate, tourmaline, and -6m2.
  CHECK(form("piezoelectric", "32") == "d11, -d11, 0, d14, 0, 0; 0, 0, 0, 0, -d14, -2 d11; 0, 0, 0, 0, 0, 0");
  CHECK(form("piezoelectric", "4mm") == "0, 0, 0, 0, d15, 0; 0, 0, 0, d15, 0, 0; d31, d31, d33, 0, 0, 0");
  CHECK(form("piezoelectric", "-42m") == "0, 0, 0, d14, 0, 0; 0, 0, 0, 0, d14, 0; 0, 0, 0, 0, 0, d36");
  CHECK(form("piezoelectric", "3m") == "0, 0, 0, 0, d15, -2 d22; -d22, d22, 0, d15, 0, 0; d31, d31, d33, 0, 0, 0");
  CHECK(form("shg", "3m") == "0, 0, 0, 0, d15, -d22; -d22, d22, 0, d15, 0, 0; d31, d31, d33, 0, 0, 0");
  CHECK(form("piezoelectric", "-6m2") == "0, 0, 0, 0, 0, -2 d22; -d22, d22, 0, 0, 0, 0; 0, 0, 0, 0, 0, 0");
  CHECK(form("piezoelectric", "23") == "0, 0, 0, d14, 0, 0; 0, 0, 0, 0, d14, 0; 0, 0, 0, 0, 0, d14");
  CHECK(form("piezoelectric", "432") == "0, 0, 0, 0, 0, 0; 0, 0, 0, 0, 0, 0; 0, 0, 0, 0, 0, 0");
  CHECK(form("piezoelectric", "C2") == "0, 0, 0, d14, 0, d16; d21, d22, d23, 0, d25, 0; 0, 0, 0, d34, 0, d36");
  // Chapter XIV and XIII
  CHECK(form("gyration", "-42m") == "g11, 0, 0; 0, -g11, 0; 0, 0, 0");
  CHECK(form("gyration", "C2v") == "0, g12, 0; g12, 0, 0; 0, 0, 0");
  CHECK(form("elasto-optic", "Td") ==
        "p11, p12, p12, 0, 0, 0; p12, p11, p12, 0, 0, 0; p12, p12, p11, 0, 0, 0; "
        "0, 0, 0, p44, 0, 0; 0, 0, 0, 0, p44, 0; 0, 0, 0, 0, 0, p44");
  CHECK(form("hall", "4") == "R11, R12, 0; -R12, R11, 0; 0, 0, R33");
  CHECK(form("pyroelectric", "Cs") == "p1, 0, p3");
}

TEST_CASE("numbers of constants of rank 4 and 6 are those of the literature", "[physics][quick]") {
  // Third-order elastic constants [Hearmon 1953], flexoelectric ones [Shu et al. 2011], and susceptibilities of third order
  // [Boyd 2020, table 1.5.4].
  const std::vector<std::tuple<const char*, std::size_t, std::size_t, std::size_t>> known = {
      {"-1", 56, 54, 81},   {"2/m", 32, 28, 41}, {"mmm", 20, 15, 21}, {"4/m", 16, 14, 21},
      {"4/mmm", 12, 8, 11}, {"-3", 20, 18, 27},  {"-3m", 14, 10, 14}, {"6/m", 12, 12, 19},
      {"6/mmm", 10, 7, 10}, {"m-3", 8, 5, 7},    {"m-3m", 6, 3, 4},   {"isotropic", 3, 2, 3}};
  for (const auto& [group, elastic, flexoelectric, chi3] : known) {
    INFO(group);
    CHECK(tensor_report("third-order-elastic", group).form.independent.size() == elastic);
    CHECK(tensor_report("flexoelectric", group).form.independent.size() == flexoelectric);
    CHECK(tensor_report("chi3", group).form.independent.size() == chi3);
  }
  const TensorForm cubic = tensor_report("third-order-elastic", "m-3m").form;
  CHECK((cubic.entry(0, 0) == "c111" && cubic.entry(0, 1) == "c112" && cubic.entry(1, 0) == "c112"));
  CHECK(tensor_report("thg", "m-3m").form.independent.size() == 2);
  CHECK(tensor_report("chi(3)", "isotropic").form.component(0, 1) == "x1122");
}

TEST_CASE("numbers of constants by kernels and by characters agree", "[physics][quick]") {
  std::vector<std::string> groups(std::begin(crystal_classes), std::end(crystal_classes));
  for (const char* more : {"C5", "C5v", "C5h", "D5", "D5d", "D5h", "S8", "D4d", "S10", "C7", "D8h", "D6d", "I", "Ih"})
    groups.emplace_back(more);
  for (const std::string& name : groups) {
    INFO(name);
    const FiniteGroup G = point_group(name);
    const CharacterTable table = character_table(G);
    const ClassFunction v = character_of(coordinate_representation(G), table), pair = symmetric_power(2, v),
                        one = ClassFunction::constant(table, 1);
    for (const TensorProperty& p : tensor_properties()) {
      INFO(p.name);
      const auto side = [&](std::size_t n) {
        return n == 1 ? one : n == 3 ? v : n == 6 ? pair : n == 9 ? v * v : symmetric_power(3, v);
      };
      ClassFunction f = p.cols == 21  ? symmetric_power(3, pair)
                        : p.symmetric ? symmetric_power(2, side(p.rows))
                                      : side(p.rows) * side(p.cols);
      if (p.axial) f = f * exterior_power(3, v);
      CHECK(inner_product(f, one) == Cyclotomic(static_cast<long>(tensor_form(p, G).independent.size())));
    }
  }
}

TEST_CASE("what is no property or point group is refused in a sentence", "[physics][quick]") {
  using Catch::Contains;
  CHECK_THROWS_WITH(tensor_report("elasticc", "Oh"),
                    Contains("no tensor property called 'elasticc'; there are pyroelectric"));
  CHECK_THROWS_WITH(tensor_report("", "Oh"), Contains("no tensor property called ''"));
  CHECK_THROWS_WITH(tensor_report("elastic", "A5"), Contains("A5 is no point group"));
  CHECK_THROWS_AS(tensor_report("elastic", "qq"), Error);
  CHECK_THROWS_AS(tensor_report("magnetization", "q'q"), ParseError);
  CHECK_THROWS_AS(tensor_form(tensor_property("elastic"), cyclic_group(3)), DomainError);
  std::set<std::string> words;  // no name means two properties
  for (const TensorProperty& p : tensor_properties()) CHECK(words.insert(std::string(p.name)).second);
}

TEST_CASE("responses to magnetic fields", "[physics][quick]") {
  const auto constants = [](const char* property, const char* group) {
    return tensor_form(tensor_property(property), parse_point_group(group)).independent.size();
  };
  REQUIRE(constants("magnetic-susceptibility", "Oh") == 1);
  REQUIRE(constants("magnetic-susceptibility", "D6h") == 2);
  REQUIRE(constants("permeability", "Ci") == 6);
  REQUIRE(constants("verdet", "Oh") == 1);
  REQUIRE(constants("faraday", "C4") == constants("hall", "C4"));
  // Like elasto-optic constants [Nye 1957, table 15].
  for (const char* property : {"piezoresistive", "cotton-mouton", "magnetoresistance", "magnetostriction"}) {
    REQUIRE(constants(property, "Ci") == 36);
    REQUIRE(constants(property, "C4h") == 10);
    REQUIRE(constants(property, "D3d") == 8);
    REQUIRE(constants(property, "Th") == 4);
    REQUIRE(constants(property, "Oh") == 3);
  }
}

namespace {

constexpr const char* black_and_white[] = {
    "-1'",     "2'",       "m'",     "2'/m",   "2/m'",   "2'/m'",   "2'2'2",    "m'm'2",   "m'm2'",    "m'mm",
    "m'm'm",   "m'm'm'",   "4'",     "-4'",    "4'/m",   "4/m'",    "4'/m'",    "4'22'",   "42'2'",    "4'mm'",
    "4m'm'",   "-4'2'm",   "-4'2m'", "-42'm'", "4/m'mm", "4'/mm'm", "4'/m'm'm", "4/mm'm'", "4/m'm'm'", "32'",
    "3m'",     "-3'",      "-3'm",   "-3'm'",  "-3m'",   "6'",      "-6'",      "6'/m",    "6/m'",     "6'/m'",
    "6'22'",   "62'2'",    "6'mm'",  "6m'm'",  "-6'm'2", "-6'm2'",  "-6m'2'",   "6/m'mm",  "6'/mmm'",  "6'/m'mm'",
    "6/mm'm'", "6/m'm'm'", "m'-3'",  "4'32'",  "-4'3m'", "m'-3'm",  "m-3m'",    "m'-3'm'"};

/// The 122: ordinary ones, those with time reversal itself, and those with half of the operations primed.
std::vector<std::string> magnetic_symbols() {
  std::vector<std::string> list(std::begin(black_and_white), std::end(black_and_white));
  for (const char* name : crystal_classes) {
    const std::string symbol = point_group(name).structure().as<structure::PointGroup>()->hermann_mauguin();
    list.push_back(symbol);
    list.push_back(symbol + "1'");
  }
  return list;
}

/// All of them, by products with the generators.
std::vector<MagneticPointGroup::Operation> operations_of(const MagneticPointGroup& M) {
  std::vector<MagneticPointGroup::Operation> all{{FieldMatrix::identity(AbelianField(), 3), false}};
  for (std::size_t k = 0; k < all.size(); ++k)
    for (const auto& g : M.generators) {
      const MagneticPointGroup::Operation next{g.matrix * all[k].matrix, g.reverses_time != all[k].reverses_time};
      if (std::none_of(all.begin(), all.end(), [&](const auto& one) {
            return one.reverses_time == next.reverses_time && one.matrix == next.matrix;
          }))
        all.push_back(next);
    }
  return all;
}

}  // namespace

TEST_CASE("numbers of magnetic point groups with an effect", "[physics][quick]") {
  // [Birss 1966], tables of forms: of the 122, 31 allow a magnetization, 58 the magnetoelectric effect and 66 piezomagnetism; 31 a toroidal
  // moment [Litvin 2008].
  std::map<std::string, int> found;
  const std::vector<std::string> symbols = magnetic_symbols();
  REQUIRE(std::set(symbols.begin(), symbols.end()).size() == 122);
  for (const std::string& symbol : symbols) {
    const MagneticPointGroup M = magnetic_point_group(symbol);
    INFO(symbol);
    REQUIRE(M.grey == (symbol.ends_with("1'") && symbol != "-1'"));
    for (const char* property : {"magnetization", "magnetoelectric", "piezomagnetic", "toroidization"}) {
      const std::size_t constants = tensor_form(tensor_property(property), M).independent.size();
      found[property] += constants != 0 ? 1 : 0;
      if (M.grey) REQUIRE(constants == 0);
    }
    // What does not see time is that of the operations without their primes.
    const TensorProperty& elastic = tensor_property("elastic");
    REQUIRE(tensor_form(elastic, M).independent.size() == tensor_form(elastic, M.group).independent.size());
  }
  CHECK(found["magnetization"] == 31);
  CHECK(found["magnetoelectric"] == 58);
  CHECK(found["piezomagnetic"] == 66);
  CHECK(found["toroidization"] == 31);
}

TEST_CASE("forms under magnetic point groups", "[physics][quick]") {
  // [Birss 1966] and [Rivera 1994]: Cr2O3 is -3'm', LiCoPO4 mmm', TbPO4 4'/m'mm', and CoF2 4'/mmm'.
  CHECK(form("magnetoelectric", "-3'm'") == "a11, 0, 0; 0, a11, 0; 0, 0, a33");
  CHECK(form("magnetoelectric", "-3'm") == "0, a12, 0; -a12, 0, 0; 0, 0, 0");
  CHECK(form("magnetoelectric", "mmm'") == "0, a12, 0; a21, 0, 0; 0, 0, 0");
  CHECK(form("magnetoelectric", "m'm'm'") == "a11, 0, 0; 0, a22, 0; 0, 0, a33");
  CHECK(form("magnetoelectric", "4'/m'm'm") == "a11, 0, 0; 0, -a11, 0; 0, 0, 0");
  CHECK(form("magnetoelectric", "4'/m'mm'") == "0, a12, 0; a12, 0, 0; 0, 0, 0");
  CHECK(form("magnetoelectric", "4/m'mm") == "0, a12, 0; -a12, 0, 0; 0, 0, 0");
  CHECK(form("magnetoelectric", "m'-3'm'") == "a11, 0, 0; 0, a11, 0; 0, 0, a11");
  CHECK(form("magnetoelectric", "2/m'") == "a11, 0, a13; 0, a22, 0; a31, 0, a33");
  CHECK(form("magnetoelectric", "2'/m") == "0, a12, 0; a21, 0, a23; 0, a32, 0");
  CHECK(form("magnetoelectric", "mmm1'") == "0, 0, 0; 0, 0, 0; 0, 0, 0");
  CHECK(form("piezomagnetic", "4'/mmm'") == "0, 0, 0, q14, 0, 0; 0, 0, 0, 0, q14, 0; 0, 0, 0, 0, 0, q36");
  CHECK(form("piezomagnetic", "m-3m'") == "0, 0, 0, q14, 0, 0; 0, 0, 0, 0, q14, 0; 0, 0, 0, 0, 0, q14");
  CHECK(form("magnetization", "4/mm'm'") == "0, 0, M3");
  CHECK(form("magnetization", "2'/m'") == "M1, 0, M3");
  CHECK(form("magnetization", "C4v") == "0, 0, 0");
  CHECK(form("magnetization", "6m'm'") == "0, 0, M3");
  CHECK(form("toroidization", "4/m'mm") == "0, 0, T3");
  // One group by several symbols, in other axes or not.
  CHECK(magnetic_point_group("1'").grey);
  CHECK(magnetic_point_group("1'").group.order() == 1);
  CHECK(form("magnetization", "1'") == form("magnetization", "11'"));
  CHECK(form("magnetization", "1'") == "0, 0, 0");
  CHECK_FALSE(magnetic_point_group("-1'").grey);
  CHECK(form("magnetoelectric", "m'3m'") == form("magnetoelectric", "m'-3'm'"));
  CHECK(form("piezomagnetic", "-4m'2'") == form("piezomagnetic", "-42'm'"));
  // Symbols without primes are the point groups, in the same axes.
  for (const char* name : crystal_classes) {
    const FiniteGroup G = point_group(name);
    const MagneticPointGroup M = magnetic_point_group(G.structure().as<structure::PointGroup>()->hermann_mauguin());
    INFO(M.symbol);
    for (const TensorProperty& p : tensor_properties()) {
      INFO(p.name);
      const TensorForm one = tensor_form(p, G), other = tensor_form(p, M);
      for (std::size_t i = 0; i < p.rows; ++i)
        for (std::size_t j = 0; j < p.cols; ++j) REQUIRE(one.entry(i, j) == other.entry(i, j));
    }
  }
}

TEST_CASE("transport under magnetic point groups", "[physics][quick]") {
  // [Kleiner 1966] and [Seemann et al. 2015], tables of the shapes of the electrical conductivity: the anomalous Hall effect is its
  // antisymmetric part, which iron (4/mm'm'), cobalt (6/mm'm') and nickel (-3m') have.
  for (const char* ferromagnet : {"4/mm'm'", "6/mm'm'", "-3m'", "42'2'", "4m'm'", "32'", "-42'm'"})
    CHECK(form("conductivity", ferromagnet) == "s11, s12, 0; -s12, s11, 0; 0, 0, s33");
  CHECK(form("conductivity", "m'm'm") == "s11, s12, 0; -s12, s22, 0; 0, 0, s33");
  CHECK(form("conductivity", "2'/m'") == "s11, s12, s13; -s12, s22, s23; s13, -s23, s33");
  for (const char* without : {"4'/mm'm", "4'/mmm'", "4/mmm1'", "4'22'", "6'/m'mm'"})
    CHECK(form("conductivity", without) == "s11, 0, 0; 0, s11, 0; 0, 0, s33");
  CHECK(form("conductivity", "4'") == "s11, 0, 0; 0, s11, 0; 0, 0, s33");
  CHECK(form("conductivity", "m'-3'm'") == "s11, 0, 0; 0, s11, 0; 0, 0, s11");
  CHECK(form("conductivity", "-1'") == "s11, s12, s13; s12, s22, s23; s13, s23, s33");
  // Of Seebeck's and Peltier's coefficients each has the form that the operations without time reversal leave: of 4/mm'm' those of 4/m.
  CHECK(form("thermoelectric", "4/mm'm'") == "S11, S12, 0; -S12, S11, 0; 0, 0, S33");
  CHECK(form("thermoelectric", "m'm'm") == "S11, S12, 0; S21, S22, 0; 0, 0, S33");
  CHECK(form("thermoelectric", "-1'") == form("thermoelectric", "1"));
  CHECK(form("thermoelectric", "mmm1'") == form("thermoelectric", "mmm"));
  // Counted by traces of all operations R: (tr R)^2, and tr R^2 where R is followed by the transposition.
  for (const std::string& symbol : magnetic_symbols()) {
    const MagneticPointGroup M = magnetic_point_group(symbol);
    if (std::none_of(M.generators.begin(), M.generators.end(), [](const auto& g) { return g.reverses_time; })) continue;
    INFO(symbol);
    Cyclotomic all, half;
    const auto operations = operations_of(M);
    for (const auto& [R, reverses] : operations) {
      const Cyclotomic trace = R.trace() * R.trace();
      all += reverses ? (R * R).trace() : trace;
      if (!reverses) half += trace;
    }
    const auto size = static_cast<std::int64_t>(operations.size());
    const auto constants = [&](const char* property) {
      return static_cast<std::int64_t>(tensor_form(tensor_property(property), M).independent.size());
    };
    REQUIRE(all == Cyclotomic(constants("conductivity") * size));
    REQUIRE(half + half == Cyclotomic(constants("thermoelectric") * size));
    // Symmetric tensors by fields that time reversal leaves do not see the primes.
    for (const char* even : {"hall", "kerr", "optical-activity", "magnetoresistance"})
      REQUIRE(tensor_form(tensor_property(even), M).independent.size() ==
              tensor_form(tensor_property(even), M.group).independent.size());
  }
}

TEST_CASE("what is no magnetic point group is refused", "[physics][quick]") {
  using Catch::Contains;
  for (const char* contradiction : {"3'", "1'2", "4'/mm'm'", "2'2'2'", "6'/mmm", "4'32", "m-3'm", "2'3", "4'22"})
    CHECK_THROWS_AS(magnetic_point_group(contradiction), Error);
  CHECK_THROWS_WITH(magnetic_point_group("3'"), Contains("contradict"));
  CHECK_THROWS_WITH(magnetic_point_group("4'/mm'm'"), Contains("contradict"));
  CHECK_THROWS_WITH(magnetic_point_group("4'/m1'"), Contains("leave out"));
  CHECK_THROWS_AS(magnetic_point_group("1'1'"), DomainError);
  for (const char* nothing : {"", "'", "5'", "mm'", "4''", "4/'m", "7'm", "2'm", "m'm'm'm'", "é'"})
    CHECK_THROWS_AS(magnetic_point_group(nothing), ParseError);
  CHECK_THROWS_WITH(tensor_report("shg", "4'/mm'm"), Contains("whose sign it changes"));
  CHECK_NOTHROW(tensor_report("shg", "4/mmm"));
  CHECK(tensor_report("conductivity", "4/mmm").form.independent.size() == 2);
  CHECK(tensor_report("elastic", "4'/mm'm").form.independent.size() == 6);
}
