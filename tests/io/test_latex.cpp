#include "intertwine/io/latex.hpp"

#include <catch2/catch.hpp>

#include "support/latex.hpp"

using namespace intertwine;

TEST_CASE("words and formulas in LaTeX", "[io][quick]") {
  CHECK(escaped_latex("50% of {a_b} & #1^2 ~ \\") == "50\\% of \\{a\\_b\\} \\& \\#1\\^{}2 \\~{} \\textbackslash{}");
  CHECK(escaped_latex("D∞h × C2 ⊗ σ€") == "D$\\infty$h $\\times$ C2 $\\otimes$ $\\sigma$?");
  CHECK(latex_words("over Q(E(5))") == "\\noindent over Q(E(5))\n\n");
  CHECK(latex_display("a + b") == "\\[\na + b\n\\]\n");
  CHECK(latex_equations({{"", "a - b"}}) == "\\[\na - b\n\\]\n");
  CHECK(latex_equations({{"x", "1"}, {"y", "2"}}) == "\\begin{align*}\nx ={}& 1 \\\\\ny ={}& 2\n\\end{align*}\n");
  CHECK(latex_equations({}).empty());
}

TEST_CASE("sums wider than a page are broken between their terms", "[io][quick]") {
  std::string sum = "-s_{1}";
  for (int k = 2; k <= 60; ++k) sum += " + (a - b) s_{" + std::to_string(k) + "}";
  const std::string text = latex_equations({{"f", sum}});
  CHECK(text.starts_with("\\begin{align*}\nf ={}& -s_{1} + (a - b) s_{2}"));
  CHECK(text.find(" \\\\\n&{} + (a - b) s_{") != std::string::npos);
  CHECK(test_support::latex_fault(text).empty());
  // A single term, however long, stays whole.
  CHECK(latex_equations({{"f", std::string(300, 'x')}}).find("\\\\") == std::string::npos);
}

TEST_CASE("tables wider or longer than a page are several", "[io][quick]") {
  std::vector<std::vector<std::string>> cells{{"", "a", "b"}};
  for (int k = 0; k < 50; ++k) cells.push_back({std::to_string(k), "1", "2"});
  const std::string tall = latex_table(cells, 1, "rl");
  CHECK(tall.starts_with("\\[\n\\begin{array}{r|ll}\n& a & b \\\\ \\hline\n0 & 1 & 2 \\\\\n"));
  CHECK(tall.find("\\]\n\\[\n\\begin{array}{r|ll}\n& a & b \\\\ \\hline\n40 & 1 & 2") != std::string::npos);
  std::vector<std::vector<std::string>> wide{{"k"}, {"1"}};
  for (int k = 0; k < 100; ++k) wide[0].push_back("c"), wide[1].push_back("0");
  const std::string split = latex_table(wide, 1, "r");
  std::size_t arrays = 0;
  for (std::size_t at = 0; (at = split.find("k & c", at)) != std::string::npos; ++at) ++arrays;
  CHECK(arrays > 1);
  CHECK(test_support::latex_fault(tall + split).empty());
  CHECK(latex_table({{"x"}, {"1"}}, 1, "l") == "\\[\n\\begin{array}{l}\nx \\\\ \\hline\n1 \\\\\n\\end{array}\n\\]\n");
  CHECK(latex_table({}, 0, "l").empty());
}

TEST_CASE("the check of LaTeX finds faults", "[io][quick]") {
  using test_support::latex_fault;
  CHECK(latex_fault("\\[\n{a}\n\\]\n").empty());
  for (const char* bad : {"\\begin{array}{l}", "\\[ {a \\]", "\\[ a", "\\[ \\begin{align*} \\end{array} \\]", "a_1",
                          "\\[ \xCF\x83 \\]", "\\begin{align*}\\[ a \\]\\end{align*}", "x & y"})
    CHECK_FALSE(latex_fault(bad).empty());
}
