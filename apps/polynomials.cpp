// `polynomials`: equivariant polynomial maps as sparse monomial tables.
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "intertwine/equivariant/polynomial_maps.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct Options {
  std::string group, in = "perm", out = "perm";
  unsigned degree = 2;
  bool latex = false;
};

/// Maps with more terms than this in all are not printed as text.
constexpr std::size_t shown_terms = 5000;

std::string latex(const Monomial& monomial) {
  std::string text;
  for (const auto& [v, e] : monomial) {
    text += fmt::format("{}x_{{{}}}", text.empty() ? "" : " ", v + 1);
    if (e > 1) text += fmt::format("^{{{}}}", e);
  }
  return text;
}

/// "2*x1*x2 - x3^2", or the same in LaTeX.
std::string coordinate(const PolynomialMaps& F, std::size_t k, std::uint64_t output, bool in_latex) {
  std::string text;
  for (const PolynomialTerm& term : F.maps[k]) {
    if (term.output != output) continue;
    const Monomial& monomial = F.monomials[term.monomial];
    const Integer size = abs(term.coefficient);
    text += term.coefficient < 0 ? (text.empty() ? "-" : " - ") : text.empty() ? "" : " + ";
    if (size != 1 || monomial.empty())
      text += to_string(size) + (monomial.empty() ? "" : in_latex ? " " : "*");
    if (!monomial.empty()) text += in_latex ? latex(monomial) : to_string(monomial);
  }
  return text.empty() ? "0" : text;
}

std::string maps_text(const PolynomialMaps& F, bool in_latex, unsigned width) {
  std::string text;
  for (std::size_t k = 0; k < F.maps.size(); ++k) {
    text += in_latex ? fmt::format("F_{{{}}}(x) = \\begin{{pmatrix}} ", k + 1) : fmt::format("F{}:\n", k + 1);
    for (std::uint64_t output = 0; output < F.target.dimension(); ++output) {
      const std::string y = coordinate(F, k, output, in_latex);
      if (in_latex)
        text += (output == 0 ? "" : " \\\\ ") + y;
      else
        text += wrapped(fmt::format("  y{} = {}", output + 1, y), width);
    }
    if (in_latex) text += " \\end{pmatrix}\n";
  }
  return text;
}

Json table(const PolynomialMaps& F) {
  Json monomials = Json::array(), maps = Json::array();
  for (const Monomial& monomial : F.monomials) {
    Json factors = Json::array();
    for (const auto& [v, e] : monomial) factors.push_back({v, e});
    monomials.push_back(std::move(factors));
  }
  for (const auto& map : F.maps) {
    Json terms = Json::array();
    for (const PolynomialTerm& term : map)
      terms.push_back({term.output, term.monomial, to_string(term.coefficient)});
    maps.push_back(std::move(terms));
  }
  return {{"monomials", std::move(monomials)}, {"maps", std::move(maps)}};
}

void run(const Options& options, Context& context) {
  for (const std::string& file : context.outputs)
    if (!file.ends_with(".json")) throw DomainError("polynomials writes .json files, not " + file);
  const FiniteGroup G = parse_group(options.group, {}, context.task);
  const Representation V = parse_representation(G, options.in, {}, context.task),
                       W = parse_representation(G, options.out, {}, context.task);
  const auto start = std::chrono::steady_clock::now();
  const PolynomialMaps F = polynomial_maps(V, W, options.degree, context.task);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::size_t terms = 0;
  for (const auto& map : F.maps) terms += map.size();
  Json json = answer("polynomials");
  json["group"] = G.name();
  json["in"] = V.to_string();
  json["out"] = W.to_string();
  json["degree"] = options.degree;
  json["variables"] = V.dimension();
  json["outputs"] = W.dimension();
  json["dimension"] = F.maps.size();
  json["certificate"] = {{"character_dimension", to_string(F.character_dimension)}, {"route", F.route}};
  json["convention"] =
      "F(rho_in(g) x) = rho_out(g) F(x); maps are lists of [output, monomial, coefficient], monomials "
      "lists of [variable, exponent], all numbers from 0";
  json.update(table(F));
  json["seconds"] = seconds;
  std::string text;
  if (!options.latex)
    text = fmt::format("{}: equivariant polynomial maps {} -> {} of degree {}\n", G.name(), V.to_string(),
                       W.to_string(), options.degree) +
           fmt::format("  maps         {} in {} variables, {} outputs; {} terms, {} monomials\n",
                       F.maps.size(), V.dimension(), W.dimension(), terms, F.monomials.size()) +
           fmt::format("  complete     yes: <Sym^{} in, out> = {}{}\n", options.degree,
                       to_string(F.character_dimension),
                       F.route.empty() ? "" : ", counted independently (" + F.route + ")") +
           fmt::format("  time         {}\n", format_seconds(seconds));
  if (terms <= shown_terms)
    text += maps_text(F, options.latex, context.width());
  else if (!options.latex)
    text += fmt::format("  more than {} terms: --output FILE.json writes them, --json prints them\n",
                        shown_terms);
  else
    throw LimitError(
        fmt::format("polynomials: {} terms are too many for LaTeX; the limit is {}", terms, shown_terms));
  finish(json, text, context);
}

}  // namespace

void add_polynomials(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("polynomials", "a basis of the equivariant polynomial maps of one degree");
  const auto options = std::make_shared<Options>();
  command->add_option("GROUP", options->group, "a group expression, see `intertwine group --help`")
      ->type_name("")
      ->required();
  command->add_option("--in", options->in, "the representation V of the variables")
      ->type_name("R")
      ->capture_default_str();
  command->add_option("--out", options->out, "the representation W of the values")
      ->type_name("R")
      ->capture_default_str();
  command->add_option("--degree", options->degree, "the degree of the maps")
      ->check(CLI::Range(0, 10'000))
      ->type_name("D")
      ->capture_default_str();
  add_format(*command, options->latex);
  command->footer(
      "The maps F have F(g x) = g F(x) for all g in the group; --out trivial gives the invariant "
      "polynomials. Their\n"
      "number is <Sym^D in, out>; `intertwine molien` counts all degrees at once. x1, x2, ... are the "
      "coordinates of x\n"
      "in the basis of V. In JSON: monomials as lists of [variable, exponent], maps as lists of [output, "
      "number of the\n"
      "monomial, coefficient], all from 0.\nRepresentations:\n" +
      indented(known_representations()) +
      "\nExamples:\n  intertwine polynomials S3 --in perm --out perm --degree 2\n"
      "  intertwine polynomials Oh --in coordinates --out coordinates --degree 3 --output cubic.json");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
