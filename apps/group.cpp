#include <fmt/format.h>

#include <memory>

#include "context.hpp"
#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/table_file.hpp"

namespace intertwine::app {

namespace {

/// What is decided without --full: these take longer than the order for large groups.
struct Structure {
  std::optional<bool> solvable, perfect, simple;
  std::optional<Integer> exponent, classes;
  std::string description;  ///< of the classes
};

/// The least common multiple of the orders of representatives.
Integer exponent_by_classes(const FiniteGroup& G, const Task& task) {
  const ConjugacyClasses classes = conjugacy_classes(G, task);
  Integer result = 1;
  for (std::size_t c = 0; c < classes.size(); ++c) result = lcm(result, Integer(classes[c].element_order));
  return result;
}

Json or_null(const std::optional<bool>& value) { return value ? Json(*value) : Json(nullptr); }

std::string or_unknown(const std::optional<bool>& value) {
  return value ? (*value ? "yes" : "no") : "not computed (--full)";
}

void run_group(const std::string& expression, bool full, Context& context) {
  const FiniteGroup G = parse_group(expression, {}, context.task);
  const Integer& order = G.chain(context.task).order();
  const bool cheap = full || G.degree() <= 1000;
  Structure s;
  if (cheap) {
    s.solvable = is_solvable(G, context.task);
    s.perfect = is_perfect(G, context.task);
    s.simple = is_simple(G, context.task);
  }
  s.exponent = exponent(G, context.task);
  if (full) {
    constexpr unsigned listable = 1'000'000;
    const auto formula = class_formula(G, context.task);
    s.classes = formula ? formula->count : number_of_conjugacy_classes(G, context.task);
    if (formula) s.description = formula->description;
    if (!s.exponent && *s.classes <= listable) s.exponent = exponent_by_classes(G, context.task);
  }
  std::vector<std::string> generators;
  for (const Permutation& g : G.generators()) generators.push_back(g.to_string());
  Json json = answer("group");
  json["group"] = G.name();
  json["order"] = order.str();
  json["degree"] = G.degree();
  json["generators"] = generators;
  json["abelian"] = is_abelian(G);
  json["solvable"] = or_null(s.solvable);
  json["perfect"] = or_null(s.perfect);
  json["simple"] = or_null(s.simple);
  json["transitive"] = is_transitive(G);
  json["exponent"] = s.exponent ? Json(s.exponent->str()) : Json(nullptr);
  json["classes"] = s.classes ? Json(s.classes->str()) : Json(nullptr);
  if (!s.description.empty()) json["classes_description"] = s.description;
  for (const std::string& file : context.outputs) write_file(file, json.dump(2) + "\n");
  context.finish_progress();
  if (context.json) return context.print(json);
  const std::string name = G.name().size() > 100 ? G.name().substr(0, 97) + "..." : G.name();
  context.out << fmt::format(
      "{}\n  order       {}\n  degree      {}\n  abelian     {}\n  solvable    {}\n  perfect     {}\n  "
      "simple      {}\n  transitive  {}\n  exponent    {}\n",
      name, order.str(), G.degree(), is_abelian(G) ? "yes" : "no", or_unknown(s.solvable),
      or_unknown(s.perfect), or_unknown(s.simple), is_transitive(G) ? "yes" : "no",
      s.exponent ? s.exponent->str() : "not cheap");
  if (s.classes)
    context.out << "  classes     " << s.classes->str()
                << (s.description.empty() ? "" : " (" + s.description + ")") << '\n';
  context.out << "  generators  " << (generators.empty() ? "none" : "");
  for (std::size_t k = 0; k < generators.size(); ++k) {
    const std::string& text = generators[k];
    context.out << (k ? "              " : "") << (text.size() > 200 ? text.substr(0, 200) + "..." : text)
                << (k + 1 < generators.size() ? "\n" : "");
  }
  context.out << '\n';
}

}  // namespace

void add_group(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("group", "order, structure and generators of a group");
  struct Options {
    std::string group;
    bool full = false;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("GROUP", options->group, "a group expression, see below")->type_name("")->required();
  command->add_flag("--full", options->full, "decide everything, however long it takes");
  command->footer("Groups:\n" + known_groups() +
                  "\nExamples:\n  intertwine group 'PSL(2,7)'\n  intertwine group 'S20 wr S5' --json");
  command->callback([options, &context] { run_group(options->group, options->full, context); });
}

}  // namespace intertwine::app
