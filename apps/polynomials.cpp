// `polynomials`: equivariant polynomial maps as sparse monomial tables.
#include <chrono>
#include <memory>

#include "intertwine/io/polynomial_maps_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "layer.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct PolynomialsOptions : LayerOptions {
  unsigned degree = 2;
};

Forms run(const PolynomialsOptions& given, Context& context) {
  PolynomialsOptions options = given;
  complete(options);
  const auto [V, U, names] = parse_sides(options, context.task);
  const auto start = std::chrono::steady_clock::now();
  hom::AnyPolynomials found = hom::polynomial_maps(V, U, options.degree, context.task);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return forms_of(Document("polynomials"),
                  std::visit([&](auto& maps) { return record(std::move(maps), format_seconds(seconds)); }, found),
                  context);
}

}  // namespace

void add_polynomials(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("polynomials", "a basis of the equivariant polynomial maps of one degree");
  const auto options = std::make_shared<PolynomialsOptions>();
  add_layer_options(*command, *options);
  add_checked(*command, "--degree,DEGREE", options->degree, CLI::Range(0, 10'000), "the degree of the maps")
      ->capture_default_str();
  command->footer(
      "The maps F have F(g x) = g F(x) for all g in the group; --out trivial gives the invariant polynomials. Their\n"
      "number is <Sym^D in, out>; `intertwine molien` counts all degrees at once. x1, x2, ... are the "
      "coordinates of x\n"
      "in the basis of V. In JSON: monomials as lists of [variable, exponent], maps as lists of [output, "
      "number of the\n"
      "monomial, coefficient], all from 0.\nRepresentations:\n" +
      indented(known_representations()) + "\n" + continuous_groups_help() +
      "\nExamples:\n  intertwine polynomials S3 perm perm 2\n"
      "  intertwine polynomials Oh coordinates coordinates 3 --output cubic.json\n"
      "  intertwine polynomials 'SO(3)' 'vector + harmonic(2)' trivial 3");
  set_run(command, options, context, run, all_formats);
}

}  // namespace intertwine::app
