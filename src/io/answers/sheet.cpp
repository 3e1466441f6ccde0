// Tables as text, Markdown, HTML, LaTeX and CSV.
#include "intertwine/io/sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "intertwine/error.hpp"
#include "intertwine/io/latex.hpp"
#include "intertwine/io/systems_text.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789+-./") == std::string::npos;
}

char alignment_of(const Sheet& sheet, std::size_t column) {
  return sheet.alignment[std::min(column, sheet.alignment.size() - 1)];
}

std::size_t columns_of(const Sheet& sheet) {
  std::size_t columns = sheet.head.size();
  for (const CellRow& row : sheet.rows) columns = std::max(columns, row.size());
  return columns;
}

Cells cells_of(const Sheet& sheet, std::string Cell::*form = &Cell::text) {
  Cells cells;
  const auto add = [&](const CellRow& row) {
    cells.emplace_back(columns_of(sheet));
    for (std::size_t c = 0; c < row.size(); ++c) cells.back()[c] = row[c].*form;
  };
  if (!sheet.head.empty()) add(sheet.head);
  for (const CellRow& row : sheet.rows) add(row);
  return cells;
}

std::string markdown_line(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) {
    line += ' ';
    for (const char c : cell) line += c == '|' ? std::string("\\|") : c == '\n' ? " " : std::string(1, c);
    line += " |";
  }
  return line + '\n';
}

constexpr std::string_view style =
    ":root { color-scheme: light dark; }\n"
    "body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; }\n"
    "h1 { font-size: 1.2rem; font-weight: 600; margin: 2rem 0 .6rem; }\n"
    "div { overflow-x: auto; }\n"
    "table { border-collapse: collapse; font-variant-numeric: tabular-nums; }\n"
    "th, td { padding: .25rem .8rem; border-bottom: 1px solid #8886; white-space: nowrap; text-align: left; "
    "}\n"
    "thead th { border-bottom: 2px solid #888c; }\n"
    "th { font-weight: 600; }\n"
    ".r { text-align: right; }\n"
    "sub, sup { line-height: 0; font-size: .75em; }\n";

void write_html_row(std::string& text, const Sheet& sheet, const CellRow& row, bool head) {
  text += "<tr>";
  for (std::size_t c = 0; c < columns_of(sheet); ++c) {
    const bool title = head || (c == 0 && !sheet.head.empty());
    text += fmt::format("<{}{}{}>{}</{}>", title ? "th" : "td",
                        !title ? ""
                        : head ? " scope=\"col\""
                               : " scope=\"row\"",
                        alignment_of(sheet, c) == 'r' ? " class=\"r\"" : "", c < row.size() ? row[c].html : "",
                        title ? "th" : "td");
  }
  text += "</tr>\n";
}

}  // namespace

std::string escaped_html(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

Cell::Cell(std::string plain)
    : text(std::move(plain)),
      latex(text.empty() || is_number(text) ? text : "\\text{" + escaped_latex(text) + "}"),
      html(is_number(text) && text.front() == '-' ? "−" + text.substr(1) : escaped_html(text)) {}

Cell Cell::formula(std::string plain, std::string latex) {
  std::string html = escaped_html(plain);
  return {std::move(plain), std::move(latex), std::move(html)};
}

Cell& Cell::operator+=(const Cell& more) {
  text += more.text;
  latex += more.latex;
  html += more.html;
  return *this;
}

Cell indexed(std::string plain, std::string_view letter, std::string_view below, std::string_view above,
             unsigned primes) {
  std::string latex = letter == "σ" ? "\\sigma" : letter == "Σ" ? "\\Sigma" : std::string(letter);
  std::string html = escaped_html(letter);
  if (!below.empty()) latex += fmt::format("_{{{}}}", below), html += fmt::format("<sub>{}</sub>", below);
  const std::string marks(primes, '\'');
  if (!above.empty()) latex += fmt::format("^{{{}}}", above), html += fmt::format("<sup>{}</sup>", above);
  return {std::move(plain), latex + marks, html + (primes == 1 ? "′" : primes == 2 ? "″" : marks)};
}

std::string to_text(const Sheet& sheet, unsigned width) {
  return in_blocks(cells_of(sheet), 0, width, sheet.alignment, 2);
}

std::string to_markdown(const Sheets& sheets) {
  std::string text;
  for (const Sheet& sheet : sheets) {
    if (!text.empty()) text += '\n';
    if (sheets.size() > 1 && !sheet.title.empty()) text += "**" + sheet.title + "**\n\n";
    Cells cells = cells_of(sheet);
    if (sheet.head.empty()) cells.insert(cells.begin(), std::vector<std::string>(columns_of(sheet)));
    std::vector<std::string> rules;
    for (std::size_t c = 0; c < columns_of(sheet); ++c)
      rules.emplace_back(alignment_of(sheet, c) == 'r' ? "--:" : "---");
    text += markdown_line(cells[0]) + markdown_line(rules);
    for (std::size_t r = 1; r < cells.size(); ++r) text += markdown_line(cells[r]);
  }
  return text;
}

std::string to_html(const Sheets& sheets) {
  const std::string title = escaped_html(sheets.empty() ? "" : sheets.front().title);
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n",
      title, style);
  for (const Sheet& sheet : sheets) {
    if (!sheet.title.empty()) text += "<h1>" + escaped_html(sheet.title) + "</h1>\n";
    text += "<div><table>\n";
    if (!sheet.head.empty()) {
      text += "<thead>\n";
      write_html_row(text, sheet, sheet.head, true);
      text += "</thead>\n";
    }
    text += "<tbody>\n";
    for (const CellRow& row : sheet.rows) write_html_row(text, sheet, row, false);
    text += "</tbody>\n</table></div>\n";
  }
  return text + "</body>\n</html>\n";
}

std::string to_latex(const Sheets& sheets) {
  std::string text;
  for (const Sheet& sheet : sheets)
    text += latex_table(cells_of(sheet, &Cell::latex), sheet.head.empty() ? 0 : 1, sheet.alignment);
  return text;
}

std::string to_csv(const Sheets& sheets) {
  std::string text;
  for (const Sheet& sheet : sheets) text += (text.empty() ? "" : "\n") + to_csv(cells_of(sheet));
  return text;
}

std::string to_format(const Sheets& sheets, Format format) {
  if (format == Format::latex) return to_latex(sheets);
  if (format == Format::csv) return to_csv(sheets);
  if (format == Format::markdown) return to_markdown(sheets);
  if (format == Format::html) return to_html(sheets);
  if (is_system(format)) return statement(format, to_system(format, sheets));
  throw InternalError("to_format: " + to_string(format) + " is no format of sheets");
}

}  // namespace intertwine
