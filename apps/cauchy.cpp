#include <fmt/format.h>

#include <memory>

#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "intertwine/gl/decomposition.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct Options {
  MatrixSize size;
  int degree = -1;
  std::string functor;
};

void run(const Options& options, Context& context) {
  if ((options.degree < 0) == options.functor.empty())
    throw DomainError("cauchy takes one of --degree d and --functor [3,1]");
  const Partition nu = options.functor.empty() ? Partition{options.degree} : parse_partition(options.functor);
  const auto [m, n] = options.size;
  const auto terms = schur_functor_decomposition(nu, m, n, context.task);
  Json list = Json::array();
  std::string text = fmt::format("S{}(Hom(V, W)) for dim W = {}, dim V = {}, as S_left(W) (x) S_right(V*)\n",
                                 to_string(nu), m, n);
  for (const GlGlTerm& term : terms) {
    const Integer dimension = term.multiplicity * number_of_semistandard_tableaux(term.left, m) *
                              number_of_semistandard_tableaux(term.right, n);
    list.push_back({{"left", to_json(term.left)},
                    {"right", to_json(term.right)},
                    {"multiplicity", to_string(term.multiplicity)},
                    {"dimension", to_string(dimension)}});
    text += fmt::format("  {}s{} (x) s{}   dimension {}\n",
                        term.multiplicity == 1 ? "" : to_string(term.multiplicity) + " * ",
                        to_string(term.left), to_string(term.right), to_string(dimension));
  }
  Json json = answer("cauchy");
  json["functor"] = to_json(nu);
  json["rows"] = m;
  json["cols"] = n;
  json["dimension"] = to_string(dimension(terms, m, n));
  json["terms"] = std::move(list);
  text += fmt::format("dimension {}\n", to_string(dimension(terms, m, n)));
  finish(json, text, context);
}

}  // namespace

void add_cauchy(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("cauchy", "a Schur functor of Hom(V, W) under GL(V) x GL(W)");
  const auto options = std::make_shared<Options>();
  add_matrix_size(*command, options->size);
  command->add_option("--degree", options->degree, "the symmetric power of this degree")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--functor", options->functor, "the Schur functor of this partition instead");
  command->footer("Example:\n  intertwine cauchy --rows 2 --cols 3 --degree 2");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
