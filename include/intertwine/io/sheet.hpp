// Answers as tables: one value that is written as text, Markdown, HTML, LaTeX and CSV.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "intertwine/io/format.hpp"

namespace intertwine {

/// The contents of a cell, in the three ways in which formulas are written.
struct Cell {
  std::string text, latex, html;
  Cell() = default;
  /// Words or a number: LaTeX has words upright, HTML escapes them.
  Cell(std::string plain);                               // NOLINT(google-explicit-constructor)
  Cell(const char* plain) : Cell(std::string(plain)) {}  // NOLINT(google-explicit-constructor)
  Cell(std::string plain, std::string as_latex, std::string as_html)
      : text(std::move(plain)), latex(std::move(as_latex)), html(std::move(as_html)) {}
  /// A cell whose formula is given in LaTeX.
  static Cell formula(std::string plain, std::string latex);
  Cell& operator+=(const Cell& more);
};
/// A letter with an index and an exponent: "C3²" is C_3^2; `plain` is how text has it.
Cell indexed(std::string plain, std::string_view letter, std::string_view below, std::string_view above = {},
             unsigned primes = 0);

using CellRow = std::vector<Cell>;

/// A table with its heading. A value.
struct Sheet {
  std::string title;
  CellRow head;  ///< empty: none
  std::vector<CellRow> rows;
  std::string alignment = "l";  ///< l or r for the columns from the left; those after the last letter are as this
};
using Sheets = std::vector<Sheet>;

/// Aligned columns in blocks that fit the width (0: one block), each with the first column in front.
std::string to_text(const Sheet& sheet, unsigned width);
/// Tables of GitHub's Markdown; titles stand above where there are several.
std::string to_markdown(const Sheets& sheets);
/// One file that needs no other.
std::string to_html(const Sheets& sheets);
/// Displayed arrays [latex.hpp].
std::string to_latex(const Sheets& sheets);
/// Comma-separated values [RFC 4180] without titles; an empty line between two tables.
std::string to_csv(const Sheets& sheets);
/// The sheets as LaTeX, CSV, Markdown or HTML, or as lists for GAP, Sage and Magma [systems_text.hpp].
std::string to_format(const Sheets& sheets, Format format);

/// Text with what is special in HTML escaped.
std::string escaped_html(std::string_view text);

}  // namespace intertwine
