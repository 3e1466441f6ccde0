// classes, chartable, decompose, molien: what they share, and classes and chartable.
#include "character_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "intertwine/error.hpp"
#include "intertwine/io/character_table_text.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/table_file.hpp"

namespace intertwine::app {

Json to_json(const ConjugacyClasses& classes) {
  Json list = Json::array();
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const auto images = classes[c].representative.images();
    list.push_back({{"representative", std::vector<Point>(images.begin(), images.end())},
                    {"size", classes[c].size.str()},
                    {"element_order", classes[c].element_order},
                    {"centralizer_order", classes[c].centralizer_order.str()}});
  }
  return list;
}

Json to_json(const Cyclotomic& a) {
  if (a.is_rational()) return to_string(a);
  Json terms = Json::array();
  for (const auto& [e, c] : a.terms()) terms.push_back({to_string(c), std::to_string(e)});
  for (auto& term : terms) term[1] = std::stoul(term[1].get<std::string>());
  return {{"n", a.conductor()}, {"c", terms}};
}

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line +=
          c == 0 ? fmt::format("  {:<{}}", row[c], widths[c]) : fmt::format("  {:>{}}", row[c], widths[c]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

CharacterTable table_of(const FiniteGroup& G, const Context& context) {
  return character_table(G, context.task);
}

namespace {

void run_classes(const std::string& expression, Context& context) {
  const FiniteGroup G = parse_group(expression);
  ConjugacyClasses classes = conjugacy_classes(G, context.task);
  // What only the characters tell apart gets the order of the table where that is at hand.
  constexpr unsigned small_order = 20'000, few_classes = 100;
  if (G.order() <= small_order && classes.size() <= few_classes)
    classes = character_table(classes, context.task).classes();
  Json json = answer("classes");
  json["group"] = G.name();
  json["order"] = G.order().str();
  json["classes"] = to_json(classes);
  for (const std::string& file : context.outputs) write_file(file, json.dump(2) + "\n");
  context.finish_progress();
  if (context.json) return print(json);
  std::vector<std::vector<std::string>> rows{{"", "order", "size", "centralizer"}};
  for (std::size_t c = 0; c < classes.size(); ++c)
    rows.push_back({std::to_string(c), std::to_string(classes[c].element_order), classes[c].size.str(),
                    classes[c].centralizer_order.str()});
  std::cout << G.name() << ": " << counted(std::to_string(classes.size()), "class", "classes") << " of "
            << counted(G.order().str(), "element", "elements") << "\n";
  const std::string text = aligned(rows);
  std::size_t at = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::size_t end = text.find('\n', at);
    std::string representative = k == 0 ? "representative" : classes[k - 1].representative.to_string();
    if (representative.size() > 100) representative = representative.substr(0, 97) + "...";
    std::cout << text.substr(at, end - at) << "  " << representative << "\n";
    at = end + 1;
  }
}

Json json_of(const CharacterTable& table) {
  Json json = answer("chartable");
  json["group"] = table.group().name();
  json["order"] = table.group().order().str();
  json["classes"] = to_json(table.classes());
  json["class_names"] = table.class_names();
  json["power_maps"] = Json::object();
  for (const auto& [p, map] : table.power_maps()) json["power_maps"][std::to_string(p)] = map;
  Json rows = Json::array(), indicators = Json::array(), names = Json::array();
  for (std::size_t i = 0; i < table.size(); ++i) {
    Json row = Json::array();
    for (std::size_t c = 0; c < table.size(); ++c) row.push_back(to_json(table(i, c)));
    rows.push_back(std::move(row));
    indicators.push_back(table.indicator(i));
    names.push_back(table.name(i));
  }
  json["irreducibles"] = std::move(rows);
  json["indicators"] = std::move(indicators);
  json["names"] = std::move(names);
  return json;
}

std::string in_format(const CharacterTable& table, const std::string& format, unsigned width) {
  if (format == "json") return json_of(table).dump(2) + "\n";
  if (format == "latex") return to_latex(table);
  if (format == "gap") return to_gap(table);
  return to_text(table, width);
}

void run_chartable(const std::string& expression, const std::string& format, Context& context) {
  const CharacterTable table = table_of(parse_group(expression), context);
  for (const std::string& file : context.outputs) {
    const std::string by_name = file.ends_with(".json")                          ? "json"
                                : file.ends_with(".tex")                         ? "latex"
                                : file.ends_with(".g") || file.ends_with(".gap") ? "gap"
                                                                                 : format;
    write_file(file, in_format(table, by_name, 0));
  }
  context.finish_progress();
  if (context.json || format == "json") return print(json_of(table));
  if (format == "text")
    std::cout << fmt::format("{}, order {}, {}\n\n", table.group().name(), table.group().order().str(),
                             counted(std::to_string(table.size()), "class", "classes"));
  std::cout << in_format(table, format, std::max(terminal_width(), 40u));
}

}  // namespace

void add_classes(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("classes", "conjugacy classes of a group");
  const auto group = std::make_shared<std::string>();
  command->add_option("GROUP", *group, "a group expression, see `intertwine group --help`")
      ->type_name("")
      ->required();
  command->footer(
      "Classes are numbered from 0, by element order, size and power maps.\nExample:\n  intertwine classes "
      "M11");
  command->callback([group, &context] { run_classes(*group, context); });
}

void add_chartable(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("chartable", "the character table of a group");
  struct Options {
    std::string group, format = "text";
  };
  const auto options = std::make_shared<Options>();
  command->add_option("GROUP", options->group, "a group expression, see `intertwine group --help`")
      ->type_name("")
      ->required();
  command->add_option("--format", options->format, "text, json, latex or gap (input that GAP reads)")
      ->check(CLI::IsMember({"text", "json", "latex", "gap"}))
      ->type_name("FORMAT");
  command->footer(
      "The text has, from above: the powers of the primes in the centralizer orders, the names of the "
      "classes (element\n"
      "order and letter), the classes of p-th powers, then a row for every irreducible character with its\n"
      "Frobenius-Schur indicator (+ real, o complex, - quaternionic). A dot is 0; letters are explained "
      "below, /A is the\n"
      "complex conjugate of A. E(n) is exp(2 pi i / n).\nExamples:\n  intertwine chartable A5\n"
      "  intertwine chartable 'SL(2,3)' --format latex\n  intertwine chartable M11 --output m11.json "
      "--output m11.g");
  command->callback([options, &context] { run_chartable(options->group, options->format, context); });
}

}  // namespace intertwine::app
