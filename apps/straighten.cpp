#include <memory>

#include "intertwine/error.hpp"
#include "intertwine/gl/coordinate_ring.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct Options {
  MatrixSize size;
  std::string product;
  bool check = false, latex = false;
};

void run(const Options& options, Context& context) {
  const Bitableau product = parse_bitableau(options.product, options.size);
  const auto terms = straighten(product, options.size, context.task);
  if (options.check &&
      expand(terms, options.size, context.task) != expand(product, options.size, context.task))
    throw VerificationError("straighten: the answer differs from the product written out");
  Json list = Json::array();
  std::string text = to_string(product) + "\n", sum;
  for (const BitableauTerm& term : terms) {
    Json entry = {{"coefficient", to_string(term.coefficient)}};
    entry.update(to_json(term.bitableau));
    list.push_back(std::move(entry));
    sum += latex_coefficient(Rational(term.coefficient), sum.empty()) + to_latex(term.bitableau);
    text += (term.coefficient < 0 ? "- " : "+ ") + to_string(Integer(abs(term.coefficient))) + " *\n";
    std::string tableaux = side_by_side(term.bitableau);
    for (std::size_t at = 0; at < tableaux.size(); at = tableaux.find('\n', at) + 1)
      text += "    " + tableaux.substr(at, tableaux.find('\n', at) + 1 - at);
  }
  Json json = answer("straighten");
  json["rows"] = options.size.rows;
  json["cols"] = options.size.cols;
  json["product"] = to_string(product);
  json["terms"] = std::move(list);
  if (options.check) json["checked"] = true;
  if (options.latex) text = wrapped(to_latex(product) + " = " + (sum.empty() ? "0" : sum), context.width());
  finish(json, text, context);
}

}  // namespace

void add_straighten(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("straighten", "a product of minors in standard bitableaux");
  const auto options = std::make_shared<Options>();
  add_matrix_size(*command, options->size);
  command->add_option("PRODUCT", options->product, "minors [rows|columns], for example '[1,2|1,3][2|2]'")
      ->required();
  command->add_flag("--check", options->check, "compare with the expansion in the polynomial ring");
  add_format(*command, options->latex);
  command->footer("Example:\n  intertwine straighten --rows 2 --cols 2 '[1|2][2|1]'");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
