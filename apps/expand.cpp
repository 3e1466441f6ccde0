// `expand`: a symmetric function, or the character of a module of GL(n), in one of the classical bases.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/symmetric_expression.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct Options {
  std::string expression, basis = "s";
  int rows = -1;
  bool latex = false;
};

constexpr const char* letters = "sphem";

SymmetricBasis basis_of(char letter) {
  constexpr SymmetricBasis bases[] = {SymmetricBasis::schur, SymmetricBasis::power,
                                      SymmetricBasis::homogeneous, SymmetricBasis::elementary,
                                      SymmetricBasis::monomial};
  return bases[std::string(letters).find(letter)];
}

void run(const Options& options, Context& context) {
  SymmetricFunction f = parse_symmetric_function(options.expression, context.task);
  Json json = answer("expand");
  json["expression"] = options.expression;
  if (options.rows >= 0) {
    std::erase_if(f.terms, [&](const auto& term) { return term.first.length() > options.rows; });
    Rational dimension = 0;
    for (const auto& [lambda, c] : f.terms)
      dimension += c * Rational(number_of_semistandard_tableaux(lambda, options.rows));
    json["rows"] = options.rows;
    json["dimension"] = to_string(dimension);
  }
  json["basis"] = options.basis;
  f = in_basis(f, basis_of(options.basis[0]), context.task);
  Json terms = Json::array();
  std::string latex;
  for (const auto& [lambda, c] : f.terms) {
    terms.push_back({{"partition", to_json(lambda)}, {"coefficient", to_string(c)}});
    latex += latex_coefficient(c, latex.empty()) + options.basis + "_{" + latex_parts(lambda) + "}";
  }
  json["terms"] = std::move(terms);
  finish(json, wrapped(options.latex ? (latex.empty() ? "0" : latex) : to_string(f), context.width()),
         context);
}

}  // namespace

void add_expand(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand(
      "expand",
      "an expression in symmetric functions (a character of GL(n)) in Schur functions or another basis");
  const auto options = std::make_shared<Options>();
  command->add_option("EXPRESSION", options->expression, "for example 's[2,1]*h[2] - e[5]'")->required();
  command->add_option("--basis", options->basis, "s, p, h, e or m")
      ->check(CLI::IsMember({"s", "p", "h", "e", "m"}))
      ->type_name("BASIS");
  command
      ->add_option("--rows", options->rows,
                   "as a character of GL(ROWS): drops Schur functions of more rows first")
      ->check(CLI::NonNegativeNumber);
  add_format(*command, options->latex);
  command->footer(
      "Bases: s[...] Schur, p[...] power sums, h[...] complete (Sym), e[...] elementary (exterior), m[...] "
      "monomial (a\n"
      "weight and its permutations, so that a character given by its weights is a sum of m's). Operations: + "
      "- *,\n"
      "division by a number, ^ with an exponent, parentheses, and f[g] for plethysm (composition of "
      "functors).\n"
      "Examples:\n  intertwine expand 'h[2][s[1,1]] * s[1]'\n  intertwine expand --basis p 's[2,1]'\n"
      "  intertwine expand --rows 3 'm[2,1] + 2*m[1,1,1]'");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
