// `polynomials`: equivariant polynomial maps as sparse monomial tables.
#include <chrono>
#include <memory>

#include "intertwine/error.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/polynomial_maps_text.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct PolynomialsOptions {
  std::string group, in = "perm", out;
  unsigned degree = 2;
};

Forms run(const PolynomialsOptions& options, Context& context) {
  const FiniteGroup G = parse_group(options.group, {}, context.task);
  const Representation V = parse_representation(G, options.in, {}, context.task),
                       W = parse_representation(G, options.out.empty() ? options.in : options.out, {},
                                                context.task);
  const auto start = std::chrono::steady_clock::now();
  const auto F = std::make_shared<PolynomialMaps>(polynomial_maps(V, W, options.degree, context.task));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return [=, &context](Format format, unsigned width) -> Answer {
    if (format == Format::json) return Document("polynomials").add_all_of(*F).add_seconds(context, seconds);
    if (format == Format::text) return to_text(*F, width, format_seconds(seconds));
    if (format == Format::latex) return to_latex(*F);
    return to_format({to_sheet(*F)}, format);
  };
}

}  // namespace

void add_polynomials(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("polynomials", "a basis of the equivariant polynomial maps of one degree");
  const auto options = std::make_shared<PolynomialsOptions>();
  command->add_option("GROUP", options->group, "a group expression, see `intertwine group --help`")
      ->type_name("")
      ->required();
  command->add_option("--in,IN", options->in, "the representation V of the variables")
      ->check(expression())
      ->capture_default_str();
  command->add_option("--out,OUT", options->out, "the representation W of the values (default: that of --in)")
      ->check(expression());
  command->add_option("--degree,DEGREE", options->degree, "the degree of the maps")
      ->check(CLI::Range(0, 10'000))
      ->capture_default_str();
  command->footer(
      "The maps F have F(g x) = g F(x) for all g in the group; --out trivial gives the invariant "
      "polynomials. Their\n"
      "number is <Sym^D in, out>; `intertwine molien` counts all degrees at once. x1, x2, ... are the "
      "coordinates of x\n"
      "in the basis of V. In JSON: monomials as lists of [variable, exponent], maps as lists of [output, "
      "number of the\n"
      "monomial, coefficient], all from 0.\nRepresentations:\n" +
      indented(known_representations()) +
      "\nExamples:\n  intertwine polynomials S3 perm perm 2\n"
      "  intertwine polynomials Oh coordinates coordinates 3 --output cubic.json");
  set_run(command, options, context, run);
}

}  // namespace intertwine::app
