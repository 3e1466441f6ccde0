// Descent in symmetry against printed correlation tables [Wilson, Decius & Cross 1955, app. X-8], and Frobenius' reciprocity.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/correlation_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/tensor_text.hpp"
#include "intertwine/physics/correlation.hpp"

using namespace intertwine;
using Json = nlohmann::json;

namespace {

CorrelationTable descent(const char* from, const char* to) {
  return correlation_table(parse_point_or_double_group(from), parse_point_or_double_group(to));
}

/// What a species becomes in a setting: "A1 + E".
std::string becomes(const CorrelationTable& table, const std::string& species, std::size_t setting = 0) {
  std::string text;
  for (std::size_t i = 0; i < table.from.rows.size(); ++i) {
    if (table.from.rows[i].name() != species) continue;
    for (std::size_t k = 0; k < table.to.rows.size(); ++k)
      for (std::uint64_t n = 0; n < table.settings.at(setting).multiplicities[i][k]; ++n)
        text += (text.empty() ? "" : " + ") + table.to.rows[k].name();
  }
  return text;
}

}  // namespace

TEST_CASE("printed correlation tables", "[physics][quick]") {
  const CorrelationTable Td = descent("Oh", "Td");
  REQUIRE(Td.settings.size() == 1);
  for (const auto& [species, wanted] : {std::pair("A1g", "A1"),
                                        {"A2g", "A2"},
                                        {"Eg", "E"},
                                        {"T1g", "T1"},
                                        {"T2g", "T2"},
                                        {"A1u", "A2"},
                                        {"A2u", "A1"},
                                        {"Eu", "E"},
                                        {"T1u", "T2"},
                                        {"T2u", "T1"}})
    REQUIRE(becomes(Td, species) == wanted);
  const CorrelationTable D4h = descent("Oh", "D4h");
  REQUIRE(D4h.settings.size() == 1);
  for (const auto& [species, wanted] :
       {std::pair("A2g", "B1g"), {"Eg", "A1g + B1g"}, {"T1g", "A2g + Eg"}, {"T2g", "B2g + Eg"}, {"T1u", "A2u + Eu"}})
    REQUIRE(becomes(D4h, species) == wanted);
  const CorrelationTable C3v = descent("Td", "C3v");
  REQUIRE(becomes(C3v, "T1") == "A2 + E");
  REQUIRE(becomes(C3v, "T2") == "A1 + E");
  const CorrelationTable D2h = descent("D6h", "D2h");
  REQUIRE(becomes(D2h, "E1u").size() == std::string("B2u + B3u").size());
  REQUIRE(becomes(descent("Ih", "Th"), "Hg") == "Eg + Tg");
  REQUIRE(becomes(descent("D3h", "C3h"), "E'") == "E'");
  REQUIRE(becomes(descent("Oh", "C1"), "T1u") == "A + A + A");
}

TEST_CASE("every way in which a group has a subgroup", "[physics][quick]") {
  // Two kinds of C2v without the main axis and two planes of it, and one of half turns: as tables of D4h print.
  const CorrelationTable table = descent("D4h", "D2h");
  REQUIRE(table.settings.size() == 2);
  REQUIRE(becomes(table, "B1g", 0) == "Ag");
  REQUIRE(becomes(table, "B1g", 1) == "B1g");
  REQUIRE(descent("Oh", "D2h").settings.size() == 2);
  REQUIRE(descent("C3", "C3").settings.size() == 1);
}

TEST_CASE("spinors of double groups descend as printed", "[physics][quick]") {
  // [Koster 1963], with E1/2, E5/2 and F3/2 for Γ6, Γ7 and Γ8 of O, E1/2 and E3/2 for Γ6 and Γ7 of D4.
  const CorrelationTable D4h = descent("double(Oh)", "double(D4h)");
  REQUIRE(D4h.settings.size() == 1);
  for (const auto& [species, wanted] : {std::pair("E1/2g", "E1/2g"),
                                        {"E5/2g", "E3/2g"},
                                        {"F3/2g", "E1/2g + E3/2g"},
                                        {"E1/2u", "E1/2u"},
                                        {"E5/2u", "E3/2u"},
                                        {"F3/2u", "E1/2u + E3/2u"},
                                        {"A2g", "B1g"},
                                        {"T1u", "A2u + Eu"}})
    REQUIRE(becomes(D4h, species) == wanted);
  const CorrelationTable Td = descent("double(Oh)", "double(Td)");
  REQUIRE(becomes(Td, "E1/2g") == "E1/2");
  REQUIRE(becomes(Td, "E1/2u") == "E5/2");  // of odd parity: the improper turns have the other sign
  REQUIRE(becomes(Td, "E5/2u") == "E1/2");
  REQUIRE(becomes(Td, "F3/2u") == "F3/2");
  const CorrelationTable D2d = descent("double(Td)", "double(D2d)");
  REQUIRE(becomes(D2d, "E1/2") == "E1/2");
  REQUIRE(becomes(D2d, "E5/2") == "E3/2");
  REQUIRE(becomes(D2d, "F3/2") == "E1/2 + E3/2");
  const CorrelationTable C3v = descent("double(Td)", "double(C3v)");
  REQUIRE(becomes(C3v, "E5/2") == "E1/2");
  REQUIRE(becomes(C3v, "F3/2") == "E1/2 + E3/2");
  REQUIRE(becomes(descent("double(D6h)", "double(D3d)"), "E5/2g") == "E1/2g");
  REQUIRE(becomes(descent("double(D6h)", "double(D2h)"), "E3/2u") == "E1/2u");
  // Spins 3/2 and 5/2.
  REQUIRE(becomes(descent("double(I)", "double(T)"), "F3/2") == "F3/2");
  REQUIRE(becomes(descent("double(I)", "double(T)"), "I5/2") == "E1/2 + F3/2");
  REQUIRE(descent("double(D4h)", "double(C2v)").settings.size() == descent("D4h", "C2v").settings.size());
}

TEST_CASE("classes of double groups are named by those of the point group", "[physics][quick]") {
  const PointGroupTable O = descent("double(O)", "double(C1)").from;
  std::string names;
  for (const auto& column : O.columns) names += to_string(column.label) + " ";
  REQUIRE(names == "E R 6C4 6C4R 6C2 8C3 8C3R 12C2' ");
  REQUIRE(O.rows.size() == 8);
  REQUIRE(O.rows.back().name() == "E5/2");
  REQUIRE(O.rows[3].linear.size() == 1);  // T1: x, y, z
  Integer elements = 0;
  for (const auto& column : descent("double(D5h)", "double(D5h)").from.columns) elements += column.label.count;
  REQUIRE(elements == 40);
  const PointGroupTable C4 = descent("double(C4)", "double(C4)").from;
  REQUIRE(C4.columns.size() == 8);
}

TEST_CASE("embeddings of double groups respect powers", "[physics][quick]") {
  for (const auto& [from, to] : {std::pair("double(Oh)", "double(D3d)"),
                                 {"double(D6h)", "double(C2v)"},
                                 {"double(Ih)", "double(D5d)"},
                                 {"double(D4d)", "double(C4v)"},
                                 {"double(Td)", "double(S4)"}}) {
    const CorrelationTable table = descent(from, to);
    CAPTURE(from, to);
    const auto column_of_power = [](const PointGroupTable& t, std::size_t column, int power) {
      const auto& classes = t.table.classes();
      const std::size_t number = classes.power_map(power)[t.columns[column].number];
      for (std::size_t c = 0; c < t.columns.size(); ++c)
        if (t.columns[c].number == number) return c;
      return t.columns.size();
    };
    for (const CorrelationSetting& setting : table.settings)
      for (std::size_t c = 0; c < setting.fusion.size(); ++c)
        for (const int power : {2, 3, 5})
          REQUIRE(column_of_power(table.from, setting.fusion[c], power) ==
                  setting.fusion[column_of_power(table.to, c, power)]);
  }
}

TEST_CASE("dimensions and reciprocity", "[physics][quick]") {
  for (const auto& [from, to] : {std::pair("Oh", "D3d"),
                                 {"Oh", "C2v"},
                                 {"D6h", "C3v"},
                                 {"Ih", "D5d"},
                                 {"D5h", "C2v"},
                                 {"D4d", "C4v"},
                                 {"Td", "S4"},
                                 {"D8h", "C4h"},
                                 {"double(Oh)", "double(D3d)"},
                                 {"double(D6h)", "double(C3v)"},
                                 {"double(Ih)", "double(Th)"},
                                 {"double(D4d)", "double(C4v)"},
                                 {"double(Th)", "double(C2h)"}}) {
    const CorrelationTable table = descent(from, to);
    CAPTURE(from, to);
    REQUIRE_FALSE(table.settings.empty());
    for (const CorrelationSetting& setting : table.settings)
      for (std::size_t i = 0; i < table.from.rows.size(); ++i) {
        Cyclotomic dimension;
        for (std::size_t k = 0; k < table.to.rows.size(); ++k)
          dimension += Cyclotomic(static_cast<long>(setting.multiplicities[i][k])) * table.to.rows[k].values[0];
        REQUIRE(dimension == table.from.rows[i].values[0]);
      }
    // The regular representation of G is that of H [G : H] times.
    for (const CorrelationSetting& setting : table.settings)
      for (std::size_t k = 0; k < table.to.rows.size(); ++k) {
        if (table.to.rows[k].rows.size() > 1) continue;
        Cyclotomic times;
        for (std::size_t i = 0; i < table.from.rows.size(); ++i)
          if (table.from.rows[i].rows.size() == 1)
            times += Cyclotomic(static_cast<long>(setting.multiplicities[i][k])) * table.from.rows[i].values[0];
          else  // a pair of conjugates counts half its dimension for each
            times += Cyclotomic(static_cast<long>(setting.multiplicities[i][k])) * table.from.rows[i].values[0] *
                     Cyclotomic(Rational(1, 2));
        const Integer index = table.from.table.group().order() / table.to.table.group().order();
        REQUIRE(times == Cyclotomic(Rational(index)) * table.to.rows[k].values[0]);
      }
  }
}

TEST_CASE("what is no descent is refused", "[physics][quick]") {
  REQUIRE_THROWS_WITH(descent("Td", "D4"), Catch::Contains("D4 is no subgroup of Td"));
  REQUIRE_THROWS_AS(descent("C2v", "D2"), DomainError);
  REQUIRE_THROWS_WITH(descent("double(Td)", "double(D4)"), Catch::Contains("is no subgroup of double(Td)"));
  REQUIRE_THROWS_WITH(descent("double(Oh)", "D4h"), Catch::Contains("take two of one kind"));
  REQUIRE_THROWS_AS(correlation_table(symmetric_group(4), parse_point_group("C2")), DomainError);
}

TEST_CASE("correlation tables as text and JSON", "[physics][quick]") {
  const CorrelationReport report{descent("D4h", "C2v"), {}};
  REQUIRE(to_text(record(report)).starts_with("D4h restricted to C2v, in "));
  const Json json = Json::parse(to_json(record(report)));
  REQUIRE(json["settings"].size() == report.table.settings.size());
  REQUIRE(json["settings"][0]["species"]["A1g"] == Json::parse(R"({"A1": 1})"));
  const PointGroupTable& Oh = descent("Oh", "O").from;
  REQUIRE(species_of(Oh, "harmonic(2)") == [&] {
    std::vector<std::uint64_t> sum = species_of(Oh, "Eg");
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += species_of(Oh, "T2g")[i];
    return sum;
  }());
  CorrelationReport one{descent("Oh", "O"), {}};
  one.rep = {"T1u", species_of(one.table.from, "T1u")};
  REQUIRE(Json::parse(to_json(record(one)))["settings"][0]["species"].size() == 1);
  REQUIRE(to_latex(record(one)).find("T_{1") != std::string::npos);
}
