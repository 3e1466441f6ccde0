// classes, chartable, decompose, molien: what they share, and classes and chartable.
#include "character_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/io/character_table_text.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/table_file.hpp"

namespace intertwine::app {

Json to_json(const std::vector<ConjugacyClass>& classes) {
  Json list = Json::array();
  for (const ConjugacyClass& c : classes) {
    const auto images = c.representative.images();
    list.push_back({{"representative", std::vector<Point>(images.begin(), images.end())},
                    {"size", c.size.str()},
                    {"element_order", c.element_order},
                    {"centralizer_order", c.centralizer_order.str()}});
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

Json to_json(const FieldMatrix& A) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < A.rows(); ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < A.cols(); ++j) row.push_back(to_json(A(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

CLI::Validator whole_number(unsigned least) {
  return {[least](std::string& text) {
            const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
            return digits && text.size() < 20 &&
                           (least == 0 || text.find_first_not_of('0') != std::string::npos)
                       ? std::string()
                       : fmt::format("takes a whole number from {} on", least);
          },
          ""};
}

std::size_t irreducible_row(const CharacterTable& table, std::size_t k) {
  if (k == 0 || k > table.size())
    throw DomainError(fmt::format("{} has the irreducible characters 1 to {}, not {}", table.group().name(),
                                  table.size(), k));
  return k - 1;
}

CharacterTable table_of(const FiniteGroup& G, const Context& context) {
  return character_table(G, context.task);
}

namespace {

/// Too many to list: how many there are, and what they are.
void print_formula(const FiniteGroup& G, const ClassFormula& formula, Context& context) {
  Json json = answer("classes");
  json["group"] = G.name();
  json["order"] = G.order().str();
  json["number_of_classes"] = formula.count.str();
  json["description"] = formula.description;
  json["classes"] = nullptr;
  for (const std::string& file : context.outputs) write_file(file, json.dump(2) + "\n");
  context.finish_progress();
  if (context.json) return context.print(json);
  context.out << G.name() << ": " << formula.count.str() << " classes of " << G.order().str()
              << " elements, too many to list\n  " << formula.description << "\n";
}

std::vector<ConjugacyClass> listed(const ConjugacyClasses& classes) {
  std::vector<ConjugacyClass> list;
  for (std::size_t c = 0; c < classes.size(); ++c) list.push_back(classes[c]);
  return list;
}

/// \param fusion  the class of a larger group for each, or empty
void print_classes(const std::vector<ConjugacyClass>& classes, const Context& context,
                   const std::vector<std::uint32_t>& fusion = {}, const std::string& larger = {}) {
  std::vector<std::vector<std::string>> rows{{"", "order", "size", "centralizer"}};
  if (!fusion.empty()) rows[0].push_back(larger.size() > 20 ? "in G" : "in " + larger);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    rows.push_back({std::to_string(c), std::to_string(classes[c].element_order), classes[c].size.str(),
                    classes[c].centralizer_order.str()});
    if (!fusion.empty()) rows.back().push_back(std::to_string(fusion[c]));
  }
  const std::string text = aligned(rows);
  std::size_t at = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::size_t end = text.find('\n', at);
    std::string representative = k == 0 ? "representative" : classes[k - 1].representative.to_string();
    if (representative.size() > 100) representative = representative.substr(0, 97) + "...";
    context.out << text.substr(at, end - at) << "  " << representative << "\n";
    at = end + 1;
  }
}

/// What only the characters tell apart gets the order of the table where that is at hand.
ConjugacyClasses in_table_order(const ConjugacyClasses& classes, const Task& task) {
  constexpr unsigned small_order = 20'000, few_classes = 100;
  if (classes.group().order() > small_order || classes.size() > few_classes) return classes;
  return character_table(classes, task).classes();
}

std::string size_text(const FiniteGroup& G, std::size_t classes) {
  return fmt::format("{}: {} of {}", G.name(), counted(std::to_string(classes), "class", "classes"),
                     counted(G.order().str(), "element", "elements"));
}

Json json_of(const FiniteGroup& G, const PartialConjugacyClasses& known,
             const std::vector<ConjugacyClass>& classes, const std::optional<ConjugacyClasses>& smaller,
             const std::vector<std::uint32_t>& into, const Task& task) {
  constexpr std::uint64_t number = 24;  // bytes that a number of a JSON document takes in memory and as text
  task.require_memory(number * classes.size() * (G.degree() + 20), "the classes in JSON");
  Json json = answer("classes");
  json["group"] = G.name();
  json["order"] = G.order().str();
  if (known.classes) json["number_of_classes"] = std::to_string(classes.size());
  if (!known.classes) json["partial"] = true, json["reason"] = known.reason;
  json["classes"] = to_json(classes);
  if (smaller)
    json["subgroup"] = {{"group", smaller->group().name()},
                        {"order", smaller->group().order().str()},
                        {"index", Integer(G.order() / smaller->group().order()).str()},
                        {"classes", to_json(listed(*smaller))},
                        {"fusion", into}};
  return json;
}

struct ClassesOptions {
  std::string group;
  std::optional<std::string> subgroup;
  bool partial = false;
};

void run_classes(const ClassesOptions& options, Context& context) {
  constexpr unsigned listable = 1'000'000;
  const FiniteGroup G = parse_group(options.group, {}, context.task);
  if (const auto formula = class_formula(G, context.task); formula && formula->count > listable) {
    if (options.subgroup)
      throw LimitError(fmt::format("{} has {} classes, too many to list and to find those of a subgroup in",
                                   G.name(), formula->count.str()));
    return print_formula(G, *formula, context);
  }
  PartialConjugacyClasses known;
  if (options.partial)
    known = partial_conjugacy_classes(G, context.task);
  else
    known.classes = conjugacy_classes(G, context.task);
  if (known.classes) known.classes = in_table_order(*known.classes, context.task);
  const std::vector<ConjugacyClass> classes = known.classes ? listed(*known.classes) : known.found;
  std::optional<ConjugacyClasses> smaller;
  std::vector<std::uint32_t> into;
  if (known.classes && options.subgroup) {
    const FiniteGroup H = subgroup_of(G, *options.subgroup, context.task);
    smaller = in_table_order(conjugacy_classes(H, context.task), context.task);
    into = fusion(*smaller, *known.classes);
  }
  if (context.json || !context.outputs.empty()) {
    const Json json = json_of(G, known, classes, smaller, into, context.task);
    for (const std::string& file : context.outputs) write_file(file, json.dump(2) + "\n");
    context.finish_progress();
    if (context.json) return context.print(json);
  }
  context.finish_progress();
  context.out << size_text(G, classes.size()) << (known.classes ? "" : ", there are more: " + known.reason)
              << "\n";
  print_classes(classes, context);
  if (!smaller) return;
  context.out << "\n"
              << size_text(smaller->group(), smaller->size()) << ", index "
              << Integer(G.order() / smaller->group().order()).str() << "\n";
  print_classes(listed(*smaller), context, into, G.name());
}

Json json_of(const CharacterTable& table) {
  Json json = answer("chartable");
  json["group"] = table.group().name();
  json["order"] = table.group().order().str();
  json["classes"] = to_json(listed(table.classes()));
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

struct TableOptions {
  std::string group, format = "text", notation = "gap", method = "auto";
  std::optional<std::string> subgroup;
  bool partial = false, details = false;
};

/// A complete table and what was asked for beside it.
struct TableAnswer {
  CharacterTable table;
  std::optional<std::vector<CharacterDetails>> details;
  std::optional<SubgroupTable> subgroup;
};

Json json_of(const TableAnswer& answer) {
  Json json = json_of(answer.table);
  if (answer.details) json["details"] = to_json(*answer.details);
  if (answer.subgroup)
    json["subgroup"] =
        to_json(*answer.subgroup, json_of(answer.subgroup->table), answer.table.group().order());
  return json;
}

std::string text_of(const TableAnswer& answer, unsigned width, Notation notation) {
  return to_text(answer.table, width, notation) +
         (answer.details ? "\n" + to_text(answer.table, *answer.details) : "") +
         (answer.subgroup ? "\n" + to_text(answer.table, *answer.subgroup, width) : "");
}

std::string in_format(const TableAnswer& answer, const std::string& format, const TableOptions& options,
                      unsigned width) {
  const Notation notation = options.notation == "atlas" ? Notation::atlas
                            : options.notation == "er"  ? Notation::square_roots
                                                        : Notation::gap;
  if (format == "json") return json_of(answer).dump(2) + "\n";
  if (format == "latex") return to_latex(answer.table, notation);
  if (format == "gap") return to_gap(answer.table);
  return text_of(answer, width, notation);
}

/// A table that is not complete, in JSON or as text.
void print_partial(const FiniteGroup& G, const PartialCharacterTable& known, bool as_json, Context& context) {
  const std::vector<ConjugacyClass> classes = known.classes ? listed(*known.classes) : known.found_classes;
  Json json = answer("chartable");
  json["group"] = G.name();
  json["order"] = G.chain().order().str();
  json["partial"] = true;
  json["reason"] = known.reason;
  json["classes_complete"] = known.classes.has_value();
  json["classes"] = to_json(classes);
  Json rows = Json::array();
  for (const auto& character : known.characters) {
    Json row = Json::array();
    for (const Cyclotomic& value : character) row.push_back(to_json(value));
    rows.push_back(std::move(row));
  }
  json["irreducibles"] = std::move(rows);
  for (const std::string& file : context.outputs) write_file(file, json.dump(2) + "\n");
  context.finish_progress();
  if (as_json) return context.print(json);
  context.out << fmt::format("{}, order {}: not complete, {}\n{}, {} of the irreducible characters\n\n",
                             G.name(), G.chain().order().str(), known.reason,
                             known.classes ? fmt::format("all {} classes", classes.size())
                                           : fmt::format("{} of the classes", classes.size()),
                             known.characters.size());
  print_classes(classes, context);
  if (known.characters.empty()) return;
  std::vector<std::vector<std::string>> cells{{"character"}};
  for (std::size_t c = 0; c < classes.size(); ++c) cells[0].push_back(std::to_string(c));
  for (const auto& character : known.characters) {
    cells.push_back({"degree " + to_string(character[0])});
    for (const Cyclotomic& value : character) cells.back().push_back(to_string(value));
  }
  context.out << "\n" << aligned(cells);
}

CharacterTable table_by(const std::string& method, const FiniteGroup& G, const Context& context) {
  if (method == "monomial") return character_table_by_monomial_representations(G, context.task);
  if (method == "class-matrices") return character_table_by_class_matrices(G, context.task);
  if (method == "induction") return character_table_by_induction(G, context.task);
  return table_of(G, context);
}

void run_chartable(const TableOptions& options, Context& context) {
  if ((options.details || options.subgroup) && (options.format == "latex" || options.format == "gap"))
    throw DomainError("chartable: --details and --subgroup are for --format text and json, not " +
                      options.format);
  const FiniteGroup G = parse_group(options.group, {}, context.task);
  const std::string& format = options.format;
  std::optional<CharacterTable> complete;
  if (options.partial && options.method != "auto")
    throw DomainError("chartable: --partial chooses the method itself; leave out --method");
  if (options.partial) {
    PartialCharacterTable known = partial_character_table(G, context.task);
    if (!known.table) return print_partial(G, known, context.json || format == "json", context);
    complete = std::move(known.table);
  } else {
    complete = table_by(options.method, G, context);
  }
  TableAnswer answer{*complete, {}, {}};
  const CharacterTable& table = answer.table;
  if (options.details) answer.details = details_of(table, context.task);
  if (options.subgroup) answer.subgroup = subgroup_table(table, *options.subgroup, context.task);
  for (const std::string& file : context.outputs) {
    const std::string by_name = file.ends_with(".json")                          ? "json"
                                : file.ends_with(".tex")                         ? "latex"
                                : file.ends_with(".g") || file.ends_with(".gap") ? "gap"
                                                                                 : format;
    write_file(file, in_format(answer, by_name, options, 0));
  }
  context.finish_progress();
  if (context.json || format == "json") return context.print(json_of(answer));
  if (format == "text")
    context.out << fmt::format("{}, order {}, {}\n\n", table.group().name(), table.group().order().str(),
                               counted(std::to_string(table.size()), "class", "classes"));
  context.out << in_format(answer, format, options, std::max(context.width(), 40u));
}

}  // namespace

void add_classes(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("classes", "conjugacy classes of a group");
  const auto options = std::make_shared<ClassesOptions>();
  command->add_option("GROUP", options->group, "a group expression, see `intertwine group --help`")
      ->type_name("")
      ->required();
  command
      ->add_option("--subgroup", options->subgroup,
                   "the classes of this subgroup as well, and the class of GROUP that each is in")
      ->type_name("H");
  command->add_flag("--partial", options->partial,
                    "at --time-limit or --max-memory give the classes found so far");
  command->footer(
      "Classes are numbered from 0, by element order, size and power maps. Where there are more than a "
      "million, their\n"
      "number and a description are given. A subgroup on fewer points fixes the others.\nExamples:\n  "
      "intertwine "
      "classes M11\n  intertwine classes 'S20 wr S5'\n  intertwine classes S6 --subgroup "
      "'<(1,2,3,4,5),(1,2)(3,4)>'");
  command->callback([options, &context] { run_classes(*options, context); });
}

void add_chartable(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("chartable", "the character table of a group");
  const auto options = std::make_shared<TableOptions>();
  command->add_option("GROUP", options->group, "a group expression, see `intertwine group --help`")
      ->type_name("")
      ->required();
  command->add_option("--format", options->format, "text, json, latex or gap (input that GAP reads)")
      ->check(CLI::IsMember({"text", "json", "latex", "gap"}))
      ->type_name("FORMAT");
  command
      ->add_option(
          "--notation", options->notation,
          "irrational values in text and LaTeX: gap (E(5)+E(5)^4), er (square roots, (-1+ER(5))/2) or atlas "
          "(b5, i3, r2, z7*3, y9)")
      ->check(CLI::IsMember({"gap", "er", "atlas"}))
      ->type_name("STYLE");
  command->add_flag(
      "--details", options->details,
      "in text and JSON for every character its field, kernel, centre, determinant, Schur index over Q "
      "(and the primes and inf where the local index is above 1) and algebraic conjugates");
  command
      ->add_option("--subgroup", options->subgroup,
                   "in text and JSON the classes and characters of this subgroup: fusion, restriction and "
                   "induction")
      ->type_name("H");
  command
      ->add_option("--method", options->method,
                   "auto (formulas where there are some, otherwise the fastest), monomial (supersolvable "
                   "groups only), "
                   "class-matrices or induction; all give the same values, formulas also name the rows")
      ->check(CLI::IsMember({"auto", "monomial", "class-matrices", "induction"}))
      ->type_name("METHOD");
  command->add_flag("--partial", options->partial,
                    "at --time-limit or --max-memory give the classes and characters found so far");
  command->footer(
      "The text has, from above: the powers of the primes in the centralizer orders, the names of the "
      "classes (element\n"
      "order and letter), the classes of p-th powers, then a row for every irreducible character with its\n"
      "Frobenius-Schur indicator (+ real, o complex, - quaternionic). A dot is 0; letters are explained "
      "below, /A is the\n"
      "complex conjugate of A. E(n) is exp(2 pi i / n).\nExamples:\n  intertwine chartable A5\n"
      "  intertwine chartable 'SL(2,3)' --format latex\n  intertwine chartable M11 --output m11.json "
      "--output m11.g\n  intertwine chartable S5 --subgroup S4\n  intertwine chartable 'GL(2,3)' --details");
  command->callback([options, &context] { run_chartable(*options, context); });
}

}  // namespace intertwine::app
