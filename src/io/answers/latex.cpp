// LaTeX documents, equations and tables.
#include "intertwine/io/latex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "io/containers/text.hpp"

namespace intertwine {

namespace {

/// About how many letters and how many rows a page of the document below takes.
constexpr std::size_t page_width = 100, page_rows = 40;

/// About how many letters wide this is in print.
std::size_t printed_width(std::string_view latex) {
  std::size_t width = 0;
  for (std::size_t k = 0; k < latex.size(); ++k) {
    if (latex[k] == '\\')
      while (k + 1 < latex.size() && std::isalpha(static_cast<unsigned char>(latex[k + 1])) != 0) ++k;
    width += std::string_view("{}^_ ").find(latex[k]) == std::string_view::npos ? 1 : 0;
  }
  return width;
}

/// The terms of a sum, each with its sign: it is cut before every + and - that is in no brackets and not in front.
std::vector<std::string_view> terms_of(std::string_view sum) {
  std::vector<std::string_view> terms;
  std::size_t from = 0;
  int open = 0;
  for (std::size_t k = 0; k < sum.size(); ++k) {
    open += sum[k] == '{' || sum[k] == '(' || sum[k] == '[' ? 1 : 0;
    open -= sum[k] == '}' || sum[k] == ')' || sum[k] == ']' ? 1 : 0;
    const bool sign = sum[k] == '+' || sum[k] == '-';
    if (!sign || open != 0 || sum.find_first_not_of(' ', from) == k) continue;
    terms.push_back(sum.substr(from, k - from));
    from = k;
  }
  terms.push_back(sum.substr(from));
  return terms;
}

/// The lines of an equation in align*.
std::vector<std::string> lines_of(const std::string& left, std::string_view right) {
  std::vector<std::string> lines = {left.empty() ? "&" : left + " ={}& "};
  std::size_t used = printed_width(left);
  for (const std::string_view term : terms_of(right)) {
    const std::size_t width = printed_width(term);
    if (used + width > page_width && !lines.back().ends_with("& ") && !lines.back().ends_with('&')) {
      lines.emplace_back("&{} ");
      used = printed_width(left);
    }
    lines.back() += term;
    used += width;
  }
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  return lines;
}

std::string array(const std::vector<std::vector<std::string>>& cells, std::size_t head, const std::string& columns,
                  std::pair<std::size_t, std::size_t> rows, std::pair<std::size_t, std::size_t> shown) {
  std::string text = "\\begin{array}{" + columns + "}\n";
  const auto add = [&](std::size_t r) {
    text += cells[r][0];
    for (std::size_t c = shown.first; c < shown.second; ++c) text += (text.back() == '\n' ? "& " : " & ") + cells[r][c];
    text += r + 1 == head ? " \\\\ \\hline\n" : " \\\\\n";
  };
  for (std::size_t r = 0; r < head; ++r) add(r);
  for (std::size_t r = rows.first; r < rows.second; ++r) add(r);
  return text + "\\end{array}";
}

}  // namespace

std::string escaped_latex(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> commands[] = {
      {"∞", "$\\infty$"}, {"×", "$\\times$"}, {"⊗", "$\\otimes$"}, {"⊕", "$\\oplus$"}, {"σ", "$\\sigma$"},
      {"Σ", "$\\Sigma$"}, {"Π", "$\\Pi$"},    {"Δ", "$\\Delta$"},  {"Φ", "$\\Phi$"},   {"Γ", "$\\Gamma$"}};
  std::string result;
  for (std::size_t k = 0; k < text.size();) {
    if (static_cast<unsigned char>(text[k]) > 126) {
      const std::size_t from = k;
      next_code_point(text, k);
      const auto known = std::find_if(std::begin(commands), std::end(commands), [&](const auto& command) {
        return command.first == text.substr(from, k - from);
      });
      result += known == std::end(commands) ? "?" : known->second;
      continue;
    }
    const char c = text[k++];
    if (c == '\\')
      result += "\\textbackslash{}";
    else if (c == '^' || c == '~')
      result += std::string("\\") + c + "{}";
    else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
      result += std::string("\\") + c;
    else
      result += c;
  }
  return result;
}

std::string latex_words(std::string_view text) { return "\\noindent " + escaped_latex(text) + "\n\n"; }

std::string latex_display(std::string_view formula) { return fmt::format("\\[\n{}\n\\]\n", formula); }

std::string latex_equations(const std::vector<std::pair<std::string, std::string>>& equations) {
  if (equations.empty()) return {};
  if (equations.size() == 1) {
    const auto& [left, right] = equations.front();
    if (printed_width(left) + printed_width(right) <= page_width)
      return latex_display(left.empty() ? right : left + " = " + right);
  }
  std::string text;
  for (const auto& [left, right] : equations)
    for (const std::string& line : lines_of(left, right)) text += (text.empty() ? "" : " \\\\\n") + line;
  return "\\begin{align*}\n" + text + "\n\\end{align*}\n";
}

std::string latex_table(const std::vector<std::vector<std::string>>& cells, std::size_t head,
                        const std::string& alignment, const Task& task) {
  if (cells.empty() || cells[0].empty()) return {};
  const std::size_t n = cells[0].size();
  const auto letter = [&](std::size_t c) { return alignment[std::min(c, alignment.size() - 1)]; };
  std::vector<std::size_t> widths(n, 0);
  for (const auto& row : cells)
    for (std::size_t c = 0; c < n; task.poll(), ++c) widths[c] = std::max(widths[c], printed_width(row[c]) + 2);
  std::string text;
  for (std::size_t from = 1; from == 1 || from < n;) {
    std::size_t to = from, used = widths[0];
    std::string columns(1, letter(0));
    if (n > 1) columns += '|';
    while (to < n && (to == from || used + widths[to] <= page_width)) used += widths[to], columns += letter(to++);
    for (std::size_t row = head; row == head || row < cells.size(); row += page_rows) {
      task.poll();
      task.require_memory(2 * text.size(), "the table as text");
      text += latex_display(array(cells, head, columns, {row, std::min(row + page_rows, cells.size())}, {from, to}));
    }
    from = std::max(to, std::size_t{2});
  }
  return text;
}

std::pair<std::string_view, std::string_view> latex_document() {
  return {
      "\\documentclass{article}\n"
      "\\usepackage[a4paper,margin=15mm]{geometry}\n"
      "\\usepackage{amsmath,amssymb}\n"
      "\\allowdisplaybreaks\n"
      "\\begin{document}\n",
      "\\end{document}\n"};
}

}  // namespace intertwine
