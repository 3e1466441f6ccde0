#include "intertwine/io/sheet.hpp"

#include <catch2/catch.hpp>

#include "intertwine/characters/class_report.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/character_table_text.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/io/systems_text.hpp"

using namespace intertwine;

namespace {

const Sheet hostile{"a < b & \"c\"", {"x|y", "<b>"}, {{"1,2", "\"q\""}, {"_{}%", "5"}}, "lr"};

}  // namespace

TEST_CASE("sheets escape what is special", "[io][quick]") {
  CHECK(to_markdown({hostile}) == "| x\\|y | <b> |\n| --- | --: |\n| 1,2 | \"q\" |\n| _{}% | 5 |\n");
  CHECK(to_csv({hostile}) == "x|y,<b>\n\"1,2\",\"\"\"q\"\"\"\n_{}%,5\n");
  CHECK(to_latex(Sheets{hostile}) ==
        "\\[\n\\begin{array}{l|r}\n\\text{x|y} & \\text{<b>} \\\\ \\hline\n\\text{1,2} & \\text{\"q\"} \\\\\n"
        "\\text{\\_\\{\\}\\%} & 5 \\\\\n\\end{array}\n\\]\n");
  const std::string html = to_html({hostile});
  CHECK(html.find("<title>a &lt; b &amp; &quot;c&quot;</title>") != std::string::npos);
  CHECK(html.find("&lt;b&gt;</th>") != std::string::npos);
  CHECK(html.find("<td class=\"r\">&quot;q&quot;</td>") != std::string::npos);
  CHECK(html.find("<b>") == std::string::npos);
  CHECK(html.find("http") == std::string::npos);  // it needs no other file
  CHECK(to_text(hostile, 0) == "x|y   <b>\n1,2   \"q\"\n_{}%    5\n");
}

TEST_CASE("sheets with several tables, without heads and with short rows", "[io][quick]") {
  const Sheet bare{"second", {}, {{"1", "2"}, {"3"}}, "r"};
  CHECK(to_markdown({hostile, bare}).ends_with("**second**\n\n|  |  |\n| --: | --: |\n| 1 | 2 |\n| 3 |  |\n"));
  CHECK(to_csv({bare, bare}) == "1,2\n3,\n\n1,2\n3,\n");
  CHECK(to_latex(Sheets{bare}) == "\\[\n\\begin{array}{r|r}\n1 & 2 \\\\\n3 &  \\\\\n\\end{array}\n\\]\n");
  CHECK_THROWS_AS(to_format({bare}, Format::npy), InternalError);
}

TEST_CASE("texts of character tables and matrices stop at the task's limits", "[io][quick]") {
  const CharacterTable table = character_table(parse_finite_group("S5"));
  Task stopped(0, 0, {});
  stopped.cancel();
  CHECK_THROWS_AS(to_text(record(table), 80, stopped), Interrupted);
  CHECK_THROWS_AS(to_latex(record(table), stopped), Interrupted);
  CHECK_THROWS_AS(record(table).sheets(stopped), Interrupted);
  CHECK_THROWS_AS(in_format(record(table), Format::csv, 0, stopped), Interrupted);
  for (const Format system : {Format::gap, Format::sage, Format::magma}) {
    CHECK_THROWS_AS(to_system(system, record(table), stopped), Interrupted);
    CHECK_THROWS_AS(to_system(system, FieldMatrix(IntegerMatrix::identity(3)), stopped), Interrupted);
  }
  const Task small(100, 0, {});
  CHECK_THROWS_WITH(to_latex(record(table), small), Catch::Contains("the table as text"));
  CHECK_THROWS_WITH(to_system(Format::gap, record(table), small), Catch::Contains("the table as text"));
  CHECK_THROWS_WITH(record(table).sheets(small), Catch::Contains("the table of cells"));
  CHECK_THROWS_WITH(to_system(Format::sage, FieldMatrix(IntegerMatrix::identity(30)), small),
                    Catch::Contains("the matrix as text"));
}

TEST_CASE("columns of text are as wide as their characters", "[io][quick]") {
  const Sheet greek{"", {"", "σh", "C3²"}, {{"A1″", "1", "1"}}, "lr"};
  CHECK(to_text(greek, 0) == "     σh  C3²\nA1″   1    1\n");
  CHECK(to_text(greek, 8) == "     σh\nA1″   1\n\n     C3²\nA1″    1\n");
}

TEST_CASE("answers as expressions of other systems", "[io][quick]") {
  const FiniteGroup S3 = symmetric_group(3), one = parse_finite_group("C1");
  CHECK(to_system(Format::gap, S3) == "Group([(1,2,3), (1,2)])");
  CHECK(to_system(Format::sage, S3) == "PermutationGroup([\"(1,2,3)\", \"(1,2)\"], domain=range(1, 4))");
  CHECK(to_system(Format::magma, S3) == "PermutationGroup<3 | (1,2,3), (1,2)>");
  CHECK(to_system(Format::gap, one) == "Group(())");
  CHECK_THROWS_AS(to_system(Format::json, S3), InternalError);
  const Representation V = parse_representation(S3, "std");
  const std::string images = "matrix(QQ, [[-1, 1], [-1, 0]]), matrix(QQ, [[0, 1], [1, 0]])";
  CHECK(to_system(Format::sage, V) == "(lambda E: [" + images + "])(UniversalCyclotomicField().gen)");
  CHECK(to_system(Format::magma, V) ==
        "GModule(G, [Matrix(K, [[-1, 1], [-1, 0]]), Matrix(K, [[0, 1], [1, 0]])]) where G is " +
            to_system(Format::magma, S3) + " where K is Rationals()");
  CHECK(to_system(Format::gap, V) == to_gap(V));
  CHECK(to_gap(parse_representation(S3, "alt(3,std)")).ends_with("[[],\n []]])"));
  CHECK(to_system(Format::magma, parse_representation(one, "trivial")).starts_with("TrivialModule(G, K) where"));
  CHECK(to_latex(V) ==
        "\\begin{align*}\n(1,2,3) &\\mapsto \\begin{pmatrix} -1 & -1 \\\\ 1 & 0 \\end{pmatrix} \\\\\n"
        "(1,2) &\\mapsto \\begin{pmatrix} 0 & 1 \\\\ 1 & 0 \\end{pmatrix}\n\\end{align*}\n");
  CHECK_THROWS_AS(to_system(Format::json, V), InternalError);
  const SymmetricFunction f = basis_element(SymmetricBasis::forgotten, {2, 1});
  CHECK(to_system(Format::gap, f) == "[[[2,1], 1]]");
  CHECK(to_system(Format::sage, f) == "(lambda f: 1*f([2,1]))(SymmetricFunctions(QQ).forgotten())");
  CHECK_THROWS_WITH(to_system(Format::magma, f),
                    "Magma has no forgotten symmetric functions; ask for another basis, as s or m");
  CHECK_THROWS_AS(to_system(Format::sage, record(class_report(symmetric_group(100)))), DomainError);
  CHECK(statement(Format::gap, "1") == "intertwine := 1;\n");
  CHECK(statement(Format::sage, "1") == "intertwine = 1\n");
}

TEST_CASE("tables are lists for GAP, Sage and Magma", "[io][quick]") {
  const Sheet sheet{"t",
                    {"name", "partition", "number"},
                    {{"a \"b\"", "[2,1]", "-3/2"},
                     {"1a", "[]", "0.25"},
                     {"[1,]", "E(3)", "-1.5e-07"},
                     {"", "A1", "12"},
                     {"[1,-1]", "[-2]", "[-]"},
                     {"[1,2", "[1]]", "[1-2]"}},
                    "l"};
  CHECK(to_format({sheet}, Format::gap) ==
        "intertwine := [[ \"a \\\"b\\\"\", [2,1], -3/2 ],\n[ \"1a\", [], 0.25 ],\n[ \"[1,]\", E(3), -1.5e-07 "
        "],\n[ \"\", \"A1\", 12 ],\n[ [1,-1], [-2], \"[-]\" ],\n[ \"[1,2\", \"[1]]\", \"[1-2]\" ]];\n");
  const std::string sage = to_format({sheet}, Format::sage);
  CHECK(sage.find("(\"[1,]\", E(3, 1), -1.5e-07)") != std::string::npos);
  const std::string magma = to_format({sheet}, Format::magma);
  CHECK(magma.find("<\"[1,]\", z^1, -1.5e-07>") != std::string::npos);
  CHECK(magma.ends_with("*] where z is K.1 where K is CyclotomicField(3);\n"));
  const Sheet line{"", {}, {{"7"}}, "r"};
  CHECK(to_format({line}, Format::sage) == "intertwine = [(7,)]\n");
  CHECK(to_format({line, line}, Format::gap) == "intertwine := [[[ 7 ]],\n[[ 7 ]]];\n");
  CHECK(to_format({line, line}, Format::magma) == "intertwine := [* [* <7> *],\n[* <7> *] *];\n");
  CHECK(to_format({Sheet{"", {"x"}, {}, "l"}}, Format::magma) == "intertwine := [*  *];\n");
}
