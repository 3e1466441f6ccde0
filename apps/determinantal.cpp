#include <fmt/format.h>

#include <memory>

#include "intertwine/error.hpp"
#include "intertwine/gl/determinantal.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

namespace {

struct Options {
  MatrixSize size;
  int minors = 0, power = 1, hilbert = -1;
  bool symbolic = false, primary = false;
  std::string invariant, member;
};

std::string ideal_name(const Options& options) {
  if (!options.invariant.empty())
    return "the invariant ideal I_" + to_string(parse_partition(options.invariant));
  std::string name = fmt::format("the ideal I_{} of {}-minors", options.minors, options.minors);
  if (options.power != 1 || options.symbolic)
    name = fmt::format("the {}power {} of {}", options.symbolic ? "symbolic " : "", options.power, name);
  return name;
}

/// Is a product of minors in the ideal?
bool is_member(const Options& options, Context& context) {
  const Bitableau product = parse_bitableau(options.member, options.size);
  for (const BitableauTerm& term : straighten(product, options.size, context.task)) {
    const Partition shape = term.bitableau.shape();
    if (options.symbolic ? !in_symbolic_power(shape, options.minors, options.power)
                         : !in_power(shape, options.minors, options.power))
      return false;
  }
  return true;
}

void add_hilbert(const Options& options, Json& json, std::string& text) {
  const auto values =
      options.invariant.empty()
          ? hilbert_function(options.size, options.minors, options.power, options.symbolic, options.hilbert)
          : hilbert_function(options.size, parse_partition(options.invariant), options.hilbert);
  Json list = Json::array();
  text += "Hilbert function of the quotient:";
  for (const Integer& value : values) {
    list.push_back(to_string(value));
    text += " " + to_string(value);
  }
  text += "\n";
  json["hilbert_function"] = std::move(list);
}

void add_primary(const Options& options, Json& json, std::string& text) {
  Json list = Json::array();
  text += "primary components:";
  const std::vector<SymbolicPower> components =
      options.symbolic ? std::vector<SymbolicPower>{{options.minors, options.power}}
                       : primary_decomposition(std::vector<int>(options.power, options.minors), options.size);
  for (const SymbolicPower& component : components) {
    list.push_back({{"minors", component.minors}, {"exponent", component.exponent}});
    text += fmt::format(" I_{}^({})", component.minors, component.exponent);
  }
  text += "\n";
  json["primary_decomposition"] = std::move(list);
}

void run(const Options& options, Context& context) {
  if ((options.minors == 0) == options.invariant.empty())
    throw DomainError("determinantal takes one of --minors k and --invariant [2,1]");
  if (!options.invariant.empty() &&
      (!options.member.empty() || options.primary || options.symbolic || options.power != 1))
    throw DomainError("determinantal --invariant goes with --hilbert only");
  if (options.hilbert < 0 && options.member.empty() && !options.primary)
    throw DomainError("determinantal needs a question: --hilbert D, --member PRODUCT or --primary");
  Json json = answer("determinantal");
  json["rows"] = options.size.rows;
  json["cols"] = options.size.cols;
  std::string text =
      ideal_name(options) + fmt::format(" of a {} x {} matrix\n", options.size.rows, options.size.cols);
  if (options.invariant.empty()) {
    json["minors"] = options.minors;
    json["power"] = options.power;
    json["symbolic"] = options.symbolic;
  } else {
    json["invariant"] = to_json(parse_partition(options.invariant));
  }
  if (options.hilbert >= 0) add_hilbert(options, json, text);
  if (!options.member.empty()) {
    const bool member = is_member(options, context);
    json["member"] = member;
    text += to_string(parse_bitableau(options.member, options.size)) +
            (member ? " lies in it\n" : " does not lie in it\n");
  }
  if (options.primary) add_primary(options, json, text);
  finish(json, text, context);
}

}  // namespace

void add_determinantal(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand(
      "determinantal", "ideals of minors: Hilbert functions, powers, membership (characteristic 0)");
  const auto options = std::make_shared<Options>();
  add_matrix_size(*command, options->size);
  command->add_option("--minors", options->minors, "the ideal of minors of this size")
      ->check(CLI::PositiveNumber);
  command->add_option("--power", options->power, "its power with this exponent")
      ->check(CLI::Range(0, 1'000'000));
  command->add_flag("--symbolic", options->symbolic, "the symbolic power instead");
  command->add_option("--invariant", options->invariant, "the invariant ideal of this partition instead");
  command
      ->add_option("--hilbert", options->hilbert, "dimensions of the degrees 0 to this of the quotient ring")
      ->check(CLI::Range(0, 10'000));
  command->add_option("--member", options->member, "does this product of minors lie in the ideal");
  command->add_flag("--primary", options->primary, "the primary decomposition");
  command->footer("Example:\n  intertwine determinantal --rows 3 --cols 3 --minors 2 --hilbert 5");
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace intertwine::app
