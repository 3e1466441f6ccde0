#include "intertwine/physics/point_group_table.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <map>
#include <set>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/point_group_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/physics/molecule.hpp"
#include "intertwine/representations/matrix_representations.hpp"

using namespace intertwine;

namespace {

PointGroupTable table_of(const std::string& name, bool cubic = false) {
  return point_group_table(point_group(name), cubic);
}

/// The table in one block, cells a blank apart.
std::string text(const std::string& name) {
  std::string result;
  for (const char c : to_text(record(table_of(name)).sheets({}).front(), 0))
    if (c != ' ' || (!result.empty() && result.back() != ' ' && result.back() != '\n')) result += c;
  return result;
}

std::vector<std::string> names(const PointGroupTable& table) {
  std::vector<std::string> list;
  for (const auto& column : table.columns) list.push_back(to_string(column.label));
  return list;
}

double at(const CartesianFunction& f, const Vector3& p) {
  double sum = 0;
  for (const auto& [exponents, c] : f.terms) {
    double term = c.to_complex().real();
    for (std::size_t v = 0; v < 3; ++v) term *= std::pow(p[v], exponents[v]);
    sum += term;
  }
  return sum;
}

constexpr const char* many_groups[] = {
    "C1",  "Ci",  "Cs",  "C2",  "C3",  "C4", "C5", "C6", "C7",  "C2h", "C3h", "C4h", "C5h", "C6h", "C2v", "C3v", "C4v",
    "C5v", "C6v", "C8v", "D2",  "D3",  "D4", "D5", "D6", "D7",  "D2h", "D3h", "D4h", "D5h", "D6h", "D8h", "D9h", "D2d",
    "D3d", "D4d", "D5d", "D6d", "D7d", "S4", "S6", "S8", "S10", "S12", "T",   "Th",  "Td",  "O",   "Oh",  "I",   "Ih"};

}  // namespace

TEST_CASE("tables of point groups are those that are printed", "[physics][quick]") {
  // [Cotton 1990, app. IIA], degenerate pairs of complex rows added up; C2' in O and Oh as in [Atkins et al. 2006].
  CHECK(text("C2v") ==
        "C2v E C2 σv(xz) σv'(yz) linear, rotations quadratic\n"
        "A1 1 1 1 1 z x², y², z²\nA2 1 1 -1 -1 Rz xy\nB1 1 -1 1 -1 x, Ry xz\nB2 1 -1 -1 1 y, Rx yz\n");
  CHECK(text("C3v") ==
        "C3v E 2C3 3σv linear, rotations quadratic\n"
        "A1 1 1 1 z x²+y², z²\nA2 1 1 -1 Rz\nE 2 -1 0 (x, y), (Rx, Ry) (x²-y², xy), (xz, yz)\n");
  CHECK(text("C3") ==
        "C3 E C3 C3² linear, rotations quadratic\n"
        "A 1 1 1 z, Rz x²+y², z²\nE 2 -1 -1 (x, y), (Rx, Ry) (x²-y², xy), (xz, yz)\n");
  CHECK(text("Cs") ==
        "Cs E σh linear, rotations quadratic\nA' 1 1 x, y, Rz x², y², z², xy\nA'' 1 -1 z, Rx, Ry xz, yz\n");
  CHECK(text("Ci") ==
        "Ci E i linear, rotations quadratic\nAg 1 1 Rx, Ry, Rz x², y², z², xy, xz, yz\nAu 1 -1 x, y, z\n");
  CHECK(text("S4") ==
        "S4 E S4 C2 S4³ linear, rotations quadratic\n"
        "A 1 1 1 1 Rz x²+y², z²\nB 1 -1 1 -1 z x²-y², xy\nE 2 0 -2 0 (x, y), (Rx, Ry) (xz, yz)\n");
  CHECK(text("D3h") ==
        "D3h E 2C3 3C2 σh 2S3 3σv linear, rotations quadratic\n"
        "A1' 1 1 1 1 1 1 x²+y², z²\nA2' 1 1 -1 1 1 -1 Rz\nE' 2 -1 0 2 -1 0 (x, y) (x²-y², xy)\n"
        "A1'' 1 1 1 -1 -1 -1\nA2'' 1 1 -1 -1 -1 1 z\nE'' 2 -1 0 -2 1 0 (Rx, Ry) (xz, yz)\n");
  CHECK(text("D4h") ==
        "D4h E 2C4 C2 2C2' 2C2'' i 2S4 σh 2σv 2σd linear, rotations quadratic\n"
        "A1g 1 1 1 1 1 1 1 1 1 1 x²+y², z²\nA2g 1 1 1 -1 -1 1 1 1 -1 -1 Rz\n"
        "B1g 1 -1 1 1 -1 1 -1 1 1 -1 x²-y²\nB2g 1 -1 1 -1 1 1 -1 1 -1 1 xy\n"
        "Eg 2 0 -2 0 0 2 0 -2 0 0 (Rx, Ry) (xz, yz)\n"
        "A1u 1 1 1 1 1 -1 -1 -1 -1 -1\nA2u 1 1 1 -1 -1 -1 -1 -1 1 1 z\n"
        "B1u 1 -1 1 1 -1 -1 1 -1 -1 1\nB2u 1 -1 1 -1 1 -1 1 -1 1 -1\nEu 2 0 -2 0 0 -2 0 2 0 0 (x, y)\n");
  CHECK(text("D6h") ==
        "D6h E 2C6 2C3 C2 3C2' 3C2'' i 2S3 2S6 σh 3σd 3σv linear, rotations quadratic\n"
        "A1g 1 1 1 1 1 1 1 1 1 1 1 1 x²+y², z²\nA2g 1 1 1 1 -1 -1 1 1 1 1 -1 -1 Rz\n"
        "B1g 1 -1 1 -1 1 -1 1 -1 1 -1 1 -1\nB2g 1 -1 1 -1 -1 1 1 -1 1 -1 -1 1\n"
        "E1g 2 1 -1 -2 0 0 2 1 -1 -2 0 0 (Rx, Ry) (xz, yz)\nE2g 2 -1 -1 2 0 0 2 -1 -1 2 0 0 (x²-y², xy)\n"
        "A1u 1 1 1 1 1 1 -1 -1 -1 -1 -1 -1\nA2u 1 1 1 1 -1 -1 -1 -1 -1 -1 1 1 z\n"
        "B1u 1 -1 1 -1 1 -1 -1 1 -1 1 -1 1\nB2u 1 -1 1 -1 -1 1 -1 1 -1 1 1 -1\n"
        "E1u 2 1 -1 -2 0 0 -2 -1 1 2 0 0 (x, y)\nE2u 2 -1 -1 2 0 0 -2 1 1 -2 0 0\n");
  CHECK(text("D5d") ==
        "D5d E 2C5 2C5² 5C2 i 2S10³ 2S10 5σd linear, rotations quadratic\n"
        "A1g 1 1 1 1 1 1 1 1 x²+y², z²\nA2g 1 1 1 -1 1 1 1 -1 Rz\n"
        "E1g 2 2cos72° 2cos144° 0 2 2cos72° 2cos144° 0 (Rx, Ry) (xz, yz)\n"
        "E2g 2 2cos144° 2cos72° 0 2 2cos144° 2cos72° 0 (x²-y², xy)\n"
        "A1u 1 1 1 1 -1 -1 -1 -1\nA2u 1 1 1 -1 -1 -1 -1 1 z\n"
        "E1u 2 2cos72° 2cos144° 0 -2 -2cos72° -2cos144° 0 (x, y)\n"
        "E2u 2 2cos144° 2cos72° 0 -2 -2cos144° -2cos72° 0\n");
  CHECK(text("Td") ==
        "Td E 8C3 3C2 6S4 6σd linear, rotations quadratic\n"
        "A1 1 1 1 1 1 x²+y²+z²\nA2 1 1 1 -1 -1\nE 2 -1 2 0 0 (2z²-x²-y², x²-y²)\n"
        "T1 3 0 -1 1 -1 (Rx, Ry, Rz)\nT2 3 0 -1 -1 1 (x, y, z) (xy, xz, yz)\n");
  CHECK(text("Oh") ==
        "Oh E 8C3 6C2' 6C4 3C2 i 6S4 8S6 3σh 6σd linear, rotations quadratic\n"
        "A1g 1 1 1 1 1 1 1 1 1 1 x²+y²+z²\nA2g 1 1 -1 -1 1 1 -1 1 1 -1\n"
        "Eg 2 -1 0 0 2 2 0 -1 2 0 (2z²-x²-y², x²-y²)\nT1g 3 0 -1 1 -1 3 1 0 -1 -1 (Rx, Ry, Rz)\n"
        "T2g 3 0 1 -1 -1 3 -1 0 -1 1 (xy, xz, yz)\n"
        "A1u 1 1 1 1 1 -1 -1 -1 -1 -1\nA2u 1 1 -1 -1 1 -1 1 -1 -1 1\nEu 2 -1 0 0 2 -2 0 1 -2 0\n"
        "T1u 3 0 -1 1 -1 -3 -1 0 1 1 (x, y, z)\nT2u 3 0 1 -1 -1 -3 1 0 1 -1\n");
  CHECK(text("Ih") ==
        "Ih E 12C5 12C5² 20C3 15C2 i 12S10 12S10³ 20S6 15σ linear, rotations quadratic\n"
        "Ag 1 1 1 1 1 1 1 1 1 1 x²+y²+z²\n"
        "T1g 3 (1+√5)/2 (1-√5)/2 0 -1 3 (1-√5)/2 (1+√5)/2 0 -1 (Rx, Ry, Rz)\n"
        "T2g 3 (1-√5)/2 (1+√5)/2 0 -1 3 (1+√5)/2 (1-√5)/2 0 -1\n"
        "Gg 4 -1 -1 1 0 4 -1 -1 1 0\nHg 5 0 0 -1 1 5 0 0 -1 1 (2z²-x²-y², x²-y², xy, xz, yz)\n"
        "Au 1 1 1 1 1 -1 -1 -1 -1 -1\n"
        "T1u 3 (1+√5)/2 (1-√5)/2 0 -1 -3 (-1+√5)/2 (-1-√5)/2 0 1 (x, y, z)\n"
        "T2u 3 (1-√5)/2 (1+√5)/2 0 -1 -3 (-1-√5)/2 (-1+√5)/2 0 1\n"
        "Gu 4 -1 -1 1 0 -4 1 1 -1 0\nHu 5 0 0 -1 1 -5 0 0 1 -1\n");
}

TEST_CASE("operations have their customary names and order", "[physics][quick]") {
  using Names = std::vector<std::string>;
  CHECK(names(table_of("C6h")) == Names{"E", "C6", "C3", "C2", "C3²", "C6⁵", "i", "S3⁵", "S6⁵", "σh", "S6", "S3"});
  CHECK(names(table_of("C5h")) == Names{"E", "C5", "C5²", "C5³", "C5⁴", "σh", "S5", "S5⁷", "S5³", "S5⁹"});
  CHECK(names(table_of("S8")) == Names{"E", "S8", "C4", "S8³", "C2", "S8⁵", "C4³", "S8⁷"});
  CHECK(names(table_of("D2")) == Names{"E", "C2(z)", "C2(y)", "C2(x)"});
  CHECK(names(table_of("D2h")) == Names{"E", "C2(z)", "C2(y)", "C2(x)", "i", "σ(xy)", "σ(xz)", "σ(yz)"});
  CHECK(names(table_of("D2d")) == Names{"E", "2S4", "C2", "2C2'", "2σd"});
  CHECK(names(table_of("D4d")) == Names{"E", "2S8", "2C4", "2S8³", "C2", "4C2'", "4σd"});
  CHECK(names(table_of("D6d")) == Names{"E", "2S12", "2C6", "2S4", "2C3", "2S12⁵", "C2", "6C2'", "6σd"});
  CHECK(names(table_of("C6v")) == Names{"E", "2C6", "2C3", "C2", "3σv", "3σd"});
  CHECK(names(table_of("D3d")) == Names{"E", "2C3", "3C2", "i", "2S6", "3σd"});
  CHECK(names(table_of("Th")) == Names{"E", "4C3", "4C3²", "3C2", "i", "4S6", "4S6⁵", "3σh"});
  CHECK(names(table_of("O")) == Names{"E", "6C4", "3C2", "8C3", "6C2'"});
}

TEST_CASE("functions of degree 3", "[physics][quick]") {
  // [Atkins et al. 2006]: f orbitals; in Oh A2u, T1u and T2u.
  std::map<std::string, std::string> found;
  for (const auto& row : table_of("Oh", true).rows)
    for (const FunctionSet& set : row.cubic) found[row.name()] += to_string(set) + " ";
  CHECK(found == std::map<std::string, std::string>{{"A2u", "xyz "},
                                                    {"T1u", "(x³, y³, z³) (xy²+xz², x²y+yz², x²z+y²z) "},
                                                    {"T2u", "(xz²-xy², x²y-yz², x²z-y²z) "}});
  found.clear();
  for (const auto& row : table_of("C3v", true).rows)
    for (const FunctionSet& set : row.cubic) found[row.name()] += to_string(set) + " ";
  CHECK(found["A1"] == "z³ x²z+y²z x³-3xy² ");
  CHECK(found["A2"] == "3x²y-y³ ");
}

TEST_CASE("the tables of point groups obey the laws", "[physics][quick]") {
  for (const char* name : many_groups) {
    INFO(name);
    const bool cubic = name != std::string("D9h") && name != std::string("S12");
    const PointGroupTable t = table_of(name, cubic);
    const FiniteGroup& G = t.table.group();
    Integer order = 0;
    std::set<std::string> different;
    for (const auto& column : t.columns) {
      order += column.label.count;
      different.insert(to_string(column.label));
    }
    REQUIRE(order == G.order());
    REQUIRE(different.size() == t.columns.size());
    std::size_t sizes[4] = {0, 0, 0, 0};
    for (const auto& a : t.rows) {
      for (const auto& b : t.rows) {
        Cyclotomic sum;
        for (std::size_t c = 0; c < t.columns.size(); ++c)
          sum += Cyclotomic(t.columns[c].label.count) * a.values[c] * b.values[c];
        REQUIRE(sum == Cyclotomic(&a == &b ? Integer(G.order() * a.rows.size()) : Integer(0)));
      }
      std::size_t k = 0;
      for (const auto* list : {&a.linear, &a.rotations, &a.quadratic, &a.cubic}) {
        for (const FunctionSet& set : *list) {
          REQUIRE(Cyclotomic(Integer(set.size())) == a.values[0]);
          sizes[k] += set.size();
        }
        ++k;
      }
    }
    REQUIRE(sizes[0] == 3);
    REQUIRE(sizes[1] == 3);
    REQUIRE(sizes[2] == 6);
    REQUIRE(sizes[3] == (cubic ? 10 : 0));
  }
}

TEST_CASE("functions of nondegenerate species are multiplied by their characters", "[physics][quick]") {
  // Against the matrices of frames, in doubles.
  const Vector3 p{0.3, -0.7, 1.1};
  for (const char* name : {"C2v", "D2", "D2h", "C4v", "D3", "D3h", "D6h", "D4d", "D5d", "C6h", "S8", "Td", "Oh"}) {
    INFO(name);
    const PointGroupTable t = table_of(name, true);
    const auto matrices = cartesian_matrices(t.table.group());
    for (const auto& row : t.rows)
      if (row.values[0] == Cyclotomic(1))
        for (std::size_t s = 0; s < matrices.size(); ++s) {
          Vector3 q{0, 0, 0};
          for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) q[i] += matrices[s][i][j] * p[j];
          const std::size_t c = t.table.classes().index_of(t.table.group().generators()[s]);
          const double chi = t.table(row.rows[0], c).to_complex().real();
          for (const auto* list : {&row.linear, &row.quadratic, &row.cubic})
            for (const FunctionSet& set : *list) REQUIRE(std::abs(at(set[0], q) - chi * at(set[0], p)) < 1e-9);
        }
  }
}

TEST_CASE("what is no point group has no such table", "[physics][quick]") {
  REQUIRE_THROWS_WITH(point_group_table(symmetric_group(4)),
                      "S4 is no point group; name one by Schoenflies, as C3v, D6h, Td; point(S4), point(D3) "
                      "and point(C2) are "
                      "those of these names");
  REQUIRE_THROWS_AS(species_rows(character_table(symmetric_group(3))), DomainError);
}

TEST_CASE("a table of a point group in the formats of sheets", "[physics][quick]") {
  const PointGroupTable t = table_of("D6d");
  const std::string latex = to_latex(record(t)), html = in_format(record(t), Format::html),
                    markdown = in_format(record(t), Format::markdown);
  CHECK(latex.find("D_{6d} & E & 2S_{12} & 2C_{6} & 2S_{4} & 2C_{3} & 2S_{12}^{5} & C_{2} & 6C_{2}' & 6\\sigma_{d}") !=
        std::string::npos);
  CHECK(latex.find("E_{1} & 2 & \\sqrt{3} & 1") != std::string::npos);
  CHECK(html.find("<th scope=\"col\" class=\"r\">2S<sub>12</sub><sup>5</sup></th>") != std::string::npos);
  CHECK(html.find("x<sup>2</sup>") != std::string::npos);
  CHECK(markdown.find("| E5 | 2 | -√3 | 1 | 0 | -1 | √3 | -2 | 0 | 0 | (Rx, Ry) | (xz, yz) |") != std::string::npos);
  CHECK(in_format(record(t), Format::csv)
            .starts_with("D6d,E,2S12,2C6,2S4,2C3,2S12⁵,C2,6C2',6σd,\"linear, rotations\",quadratic\n"));
}
