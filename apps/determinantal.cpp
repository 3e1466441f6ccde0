#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "intertwine/error.hpp"
#include "intertwine/gl/determinantal.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct Options {
  MatrixSize size;
  std::vector<int> minors;
  int power = 1, hilbert = -1, pieces = -1;
  bool symbolic = false, primary = false, latex = false;
  std::string invariant, member;
};

/// The ideal that the options speak of.
class Ideal {
 public:
  explicit Ideal(const Options& options) : options_(options), size_(options.size) {
    if (!options.invariant.empty()) generator_ = parse_partition(options.invariant);
    for (int k = 0; k < options.power && is_product(); ++k)
      sizes_.insert(sizes_.end(), options.minors.begin(), options.minors.end());
  }

  bool is_invariant() const { return !options_.invariant.empty(); }
  bool is_product() const { return options_.minors.size() > 1; }
  const Partition& generator() const { return generator_; }
  /// The sizes of the minors in the product, repeated.
  const std::vector<int>& sizes() const { return sizes_; }

  bool contains(const Partition& shape) const {
    if (is_invariant()) return in_invariant_ideal(shape, generator_);
    if (is_product()) return in_product(shape, sizes_);
    return options_.symbolic ? in_symbolic_power(shape, options_.minors[0], options_.power)
                             : in_power(shape, options_.minors[0], options_.power);
  }

  std::vector<Integer> hilbert() const {
    if (is_invariant()) return hilbert_function(size_, generator_, options_.hilbert);
    if (is_product()) return hilbert_function(size_, sizes_, options_.hilbert);
    return hilbert_function(size_, options_.minors[0], options_.power, options_.symbolic, options_.hilbert);
  }

  std::string name() const {
    if (is_invariant()) return "the invariant ideal I_" + to_string(generator_);
    if (is_product()) {
      std::string text;
      for (const int k : sizes_) text += fmt::format("{}I_{}", text.empty() ? "the product " : " ", k);
      return text + " of ideals of minors";
    }
    std::string text = fmt::format("the ideal I_{} of {}-minors", options_.minors[0], options_.minors[0]);
    if (options_.power != 1 || options_.symbolic)
      text = fmt::format("the {}power {} of {}", options_.symbolic ? "symbolic " : "", options_.power, text);
    return text;
  }

  std::string latex() const {
    if (is_invariant()) return "I_{(" + latex_parts(generator_) + ")}";
    if (is_product()) {
      std::string text;
      for (const int k : sizes_) text += fmt::format("{}I_{{{}}}", text.empty() ? "" : " ", k);
      return text;
    }
    const std::string power = options_.symbolic     ? fmt::format("^{{({})}}", options_.power)
                              : options_.power != 1 ? fmt::format("^{{{}}}", options_.power)
                                                    : "";
    return fmt::format("I_{{{}}}{}", options_.minors[0], power);
  }

 private:
  const Options& options_;
  MatrixSize size_;
  Partition generator_;
  std::vector<int> sizes_;
};

/// Is a product of minors in the ideal?
bool is_member(const Options& options, const Ideal& ideal, Context& context) {
  const auto terms = straighten(parse_bitableau(options.member, options.size), options.size, context.task);
  return std::all_of(terms.begin(), terms.end(),
                     [&](const BitableauTerm& term) { return ideal.contains(term.bitableau.shape()); });
}

void add_hilbert(const Options& options, const Ideal& ideal, Json& json, std::string& text,
                 const Context& context) {
  Json list = Json::array();
  std::string line, series;
  const auto values = ideal.hilbert();
  for (std::size_t d = 0; d < values.size(); ++d) {
    list.push_back(to_string(values[d]));
    line += " " + to_string(values[d]);
    if (values[d] == 0) continue;
    series += series.empty() ? "" : " + ";
    if (d == 0 || values[d] != 1) series += to_string(values[d]);
    if (d > 0) series += d == 1 ? "t" : fmt::format("t^{{{}}}", d);
  }
  text += options.latex
              ? wrapped("H(R/" + ideal.latex() + ", t) = " + (series.empty() ? "0" : series) + " + \\cdots",
                        context.width())
              : "Hilbert function of the quotient:" + line + "\n";
  json["hilbert_function"] = std::move(list);
}

void add_pieces(const Options& options, const Ideal& ideal, Json& json, std::string& text) {
  Json list = Json::array();
  std::string line;
  for (const Partition& shape :
       partitions(options.pieces, {std::min(options.size.rows, options.size.cols)})) {
    if (!ideal.contains(shape)) continue;
    list.push_back(to_json(shape));
    if (options.latex)
      line += fmt::format("{0}S_{{{1}}}V \\otimes S_{{{1}}}W^*", line.empty() ? "" : " \\oplus ",
                          latex_parts(shape));
    else
      line += " s" + to_string(shape);
  }
  if (options.latex)
    text += fmt::format("({})_{{{}}} = {}\n", ideal.latex(), options.pieces, line.empty() ? "0" : line);
  else
    text += fmt::format("pieces of degree {}:{}\n", options.pieces, line.empty() ? " none" : line);
  json["pieces"] = std::move(list);
}

void add_primary(const Options& options, const Ideal& ideal, Json& json, std::string& text) {
  Json list = Json::array();
  const std::vector<int> sizes =
      ideal.is_product() ? ideal.sizes() : std::vector<int>(options.power, options.minors[0]);
  const std::vector<SymbolicPower> components =
      options.symbolic ? std::vector<SymbolicPower>{{options.minors[0], options.power}}
                       : primary_decomposition(sizes, options.size);
  std::string line;
  for (const SymbolicPower& component : components) {
    list.push_back({{"minors", component.minors}, {"exponent", component.exponent}});
    if (options.latex)
      line += fmt::format("{}I_{{{}}}^{{({})}}", line.empty() ? "" : " \\cap ", component.minors,
                          component.exponent);
    else
      line += fmt::format(" I_{}^({})", component.minors, component.exponent);
  }
  text += options.latex ? ideal.latex() + " = " + line + "\n" : "primary components:" + line + "\n";
  json["primary_decomposition"] = std::move(list);
}

void require_question(const Options& options) {
  if (options.minors.empty() == options.invariant.empty())
    throw DomainError("determinantal takes one of --minors k and --invariant [2,1]");
  if (!options.invariant.empty() &&
      (!options.member.empty() || options.primary || options.symbolic || options.power != 1))
    throw DomainError("determinantal --invariant goes with --hilbert and --pieces only");
  if (options.minors.size() > 1 && options.symbolic)
    throw DomainError("determinantal --symbolic takes one size of minors");
  if (options.hilbert < 0 && options.pieces < 0 && options.member.empty() && !options.primary)
    throw DomainError(
        "determinantal needs a question: --hilbert D, --pieces D, --member PRODUCT or --primary");
}

void run(const Options& options, Context& context) {
  require_question(options);
  const Ideal ideal(options);
  Json json = answer("determinantal");
  json["rows"] = options.size.rows;
  json["cols"] = options.size.cols;
  std::string text = options.latex ? ""
                                   : ideal.name() + fmt::format(" of a {} x {} matrix\n", options.size.rows,
                                                                options.size.cols);
  if (ideal.is_invariant()) {
    json["invariant"] = to_json(ideal.generator());
  } else {
    json["minors"] = ideal.is_product() ? Json(options.minors) : Json(options.minors[0]);
    json["power"] = options.power;
    json["symbolic"] = options.symbolic;
  }
  if (options.hilbert >= 0) add_hilbert(options, ideal, json, text, context);
  if (options.pieces >= 0) add_pieces(options, ideal, json, text);
  if (!options.member.empty()) {
    const bool member = is_member(options, ideal, context);
    const Bitableau product = parse_bitableau(options.member, options.size);
    json["member"] = member;
    text += options.latex ? to_latex(product) + (member ? " \\in " : " \\notin ") + ideal.latex() + "\n"
                          : to_string(product) + (member ? " lies in it\n" : " does not lie in it\n");
  }
  if (options.primary) add_primary(options, ideal, json, text);
  finish(json, text, context);
}

}  // namespace

void add_determinantal(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand(
      "determinantal", "ideals of minors: Hilbert functions, powers, membership (characteristic 0)");
  const auto options = std::make_shared<Options>();
  add_matrix_size(*command, options->size);
  command
      ->add_option(
          "--minors", options->minors,
          "the ideal of minors of this size; of several sizes, as in 3,2,2, the product of the ideals")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->expected(1, 64)
      ->allow_extra_args(false);
  command->add_option("--power", options->power, "its power with this exponent")
      ->check(CLI::Range(0, 1'000'000));
  command->add_flag("--symbolic", options->symbolic, "the symbolic power instead");
  command->add_option("--invariant", options->invariant, "the invariant ideal of this partition instead");
  command
      ->add_option("--hilbert", options->hilbert, "dimensions of the degrees 0 to this of the quotient ring")
      ->check(CLI::Range(0, 10'000));
  command->add_option("--pieces", options->pieces, "the shapes of this degree that lie in the ideal")
      ->check(CLI::Range(0, 100));
  command->add_option("--member", options->member, "does this product of minors lie in the ideal");
  command->add_flag("--primary", options->primary, "the primary decomposition");
  add_format(*command, options->latex);
  command->footer(
      "Examples:\n  intertwine determinantal --rows 3 --cols 3 --minors 2 --hilbert 5\n"
      "  intertwine determinantal --rows 4 --cols 4 --minors 3,2 --primary");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
