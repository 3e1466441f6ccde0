// What the commands on symmetric functions and coordinate rings share.
#pragma once
#include "context.hpp"
#include "intertwine/combinatorics/symmetric_function.hpp"
#include "intertwine/gl/bitableau.hpp"

namespace intertwine::app {

void add_lr(CLI::App& app, Context& context);
void add_skew(CLI::App& app, Context& context);
void add_plethysm(CLI::App& app, Context& context);
void add_kronecker(CLI::App& app, Context& context);
void add_cauchy(CLI::App& app, Context& context);
void add_coordinate_ring(CLI::App& app, Context& context);
void add_straighten(CLI::App& app, Context& context);
void add_determinantal(CLI::App& app, Context& context);
void add_schur_functor(CLI::App& app, Context& context);
void add_expand(CLI::App& app, Context& context);
void add_branch(CLI::App& app, Context& context);
void add_polynomials(CLI::App& app, Context& context);

Json to_json(const Partition& lambda);
/// {"coefficient": ..., "rows": [...], "columns": [...]} without the coefficient; 1-based, as in the text form.
Json to_json(const Bitableau& b);
/// A list of {"partition", "multiplicity"}.
Json to_json(const SchurSum& f);

/// Prints and writes an answer: JSON with --json, else the text; files as JSON where they end in .json, else the text.
void finish(const Json& json, const std::string& text, Context& context);

/// Breaks a sum between its terms, so that lines fit the columns, 40 at least.
std::string wrapped(const std::string& sum, unsigned columns);
/// "s_{3,2,1} + 2 s_{2,2}".
std::string to_latex(const SchurSum& f);

/// The text of a sum in the form asked for.
std::string sum_text(const SchurSum& f, bool latex, unsigned width);

/// "3,2,1", or "\\emptyset" for the empty partition.
std::string latex_parts(const Partition& lambda);
/// "(1,2 \\mid 1,3)(2 \\mid 2)", 1-based; "1" for the empty product.
std::string to_latex(const Bitableau& b);
/// "x_{11} x_{22}^{2} - x_{12} x_{21}", indices set off by commas where one has two digits.
std::string to_latex(const MatrixPolynomial& f);
/// A coefficient in front of something in a LaTeX sum: "", "-", "2 ", " + ", " - 3 ", ...
std::string latex_coefficient(const Rational& c, bool first);

/// Option --format text|latex, and --latex for short.
void add_format(CLI::App& command, bool& latex);
/// Options --rows and --cols that bound the partitions of an answer.
void add_box(CLI::App& command, Box& box);
/// Required options --rows and --cols, the size of a matrix.
void add_matrix_size(CLI::App& command, MatrixSize& size);

/// Two tableaux side by side, 1-based; "1" for the empty product.
std::string side_by_side(const Bitableau& b);

}  // namespace intertwine::app
