// Classes, and character tables with what is said beside them.
#include <fmt/format.h>

#include <sstream>
#include <unordered_map>
#include <utility>

#include "intertwine/characters/character_details.hpp"
#include "intertwine/characters/class_report.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/character_table_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/systems_text.hpp"
#include "io/answers/json_values.hpp"
#include "io/answers/made_once.hpp"
#include "io/answers/proof_values.hpp"
#include "io/answers/record_parts.hpp"
#include "io/answers/system_values.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

/// The classes that are known, all or some of them, as an argument of f.
template <class Function>
auto with_classes(const std::optional<ConjugacyClasses>& all, const std::vector<ConjugacyClass>& some, Function f) {
  return all ? f(*all) : f(some);
}

/// The list of the classes.
template <class Classes>
void write_classes(JsonWriter& json, const Classes& classes) {
  json.open_list();
  for (std::size_t c = 0; c < classes.size(); ++c) json.value(json_text(json_value(classes[c])));
  json.close();
}

/// Titles, then number (from 1, as in every text for people), order, size and centralizer of every class.
constexpr auto class_cells = [](const auto& classes) {
  Cells rows{{"", "order", "size", "centralizer"}};
  for (std::size_t c = 0; c < classes.size(); ++c)
    rows.push_back({std::to_string(c + 1), std::to_string(classes[c].element_order), classes[c].size.str(),
                    classes[c].centralizer_order.str()});
  return rows;
};

/// "in S5", over a column with the classes of a larger group.
std::string within(const FiniteGroup& G) {
  constexpr std::size_t shown = 17;
  return G.name().size() > shown ? "in G" : "in " + G.name();
}

/// The cells of class_cells, and representatives as long as a line takes.
template <class Classes>
std::string class_lines(const Classes& classes, const Cells& cells) {
  constexpr std::size_t longest = 100;
  const std::string text = aligned(cells);
  std::string result;
  for (std::size_t k = 0, at = 0; k < cells.size(); ++k) {
    const std::size_t end = text.find('\n', at);
    std::string last = k == 0 ? "representative" : classes[k - 1].representative.to_string();
    if (last.size() > longest) last = last.substr(0, longest - 3) + "...";
    result += text.substr(at, end - at) + "  " + last + "\n";
    at = end + 1;
  }
  return result;
}

constexpr auto class_table = [](const auto& classes) { return class_lines(classes, class_cells(classes)); };

std::string classes_of_elements(const FiniteGroup& G, const std::string& number) {
  return fmt::format("{}: {} of {}", G.name(), counted(number, "class", "classes"),
                     counted(G.order().str(), "element", "elements"));
}

std::size_t number_of(const PartialConjugacyClasses& known) {
  return known.classes ? known.classes->size() : known.found.size();
}

std::string index_in(const FiniteGroup& G, const FiniteGroup& H) { return Integer(G.order() / H.order()).str(); }

std::string text_of(const ClassReport& report) {
  const FiniteGroup& G = report.group;
  if (report.formula)
    return classes_of_elements(G, report.formula->count.str()) + ", too many to list\n  " +
           report.formula->description + "\n";
  std::string text = classes_of_elements(G, std::to_string(number_of(report.known))) +
                     (report.known.classes ? "" : ", there are more: " + report.known.reason) + "\n" +
                     with_classes(report.known.classes, report.known.found, class_table);
  if (!report.subgroup) return text;
  const ConjugacyClasses& H = report.subgroup->classes;
  Cells cells = class_cells(H);
  cells[0].push_back(within(G));
  for (std::size_t c = 0; c < H.size(); ++c) cells[c + 1].push_back(std::to_string(report.subgroup->fusion[c] + 1));
  return text + "\n" + classes_of_elements(H.group(), std::to_string(H.size())) + ", index " + index_in(G, H.group()) +
         "\n" + class_lines(H, cells);
}

void write_fields(JsonWriter& json, const ClassReport& report) {
  const FiniteGroup& G = report.group;
  const PartialConjugacyClasses& known = report.known;
  write_member(json, "group", G.name());
  write_member(json, "order", G.order().str());
  if (report.formula) {
    write_member(json, "number_of_classes", report.formula->count.str());
    write_member(json, "description", report.formula->description);
    write_member(json, "classes", nullptr);
    return;
  }
  if (known.classes) {
    write_member(json, "number_of_classes", std::to_string(known.classes->size()));
  } else {
    write_member(json, "partial", true);
    write_member(json, "reason", known.reason);
  }
  json.key("classes");
  with_classes(known.classes, known.found, [&](const auto& classes) { write_classes(json, classes); });
  if (!report.subgroup) return;
  const FiniteGroup& H = report.subgroup->classes.group();
  json.key("subgroup").open_object();
  write_member(json, "group", H.name());
  write_member(json, "order", H.order().str());
  write_member(json, "index", index_in(G, H));
  json.key("classes");
  write_classes(json, report.subgroup->classes);
  write_member(json, "fusion", report.subgroup->fusion);
  json.close();
}

/// A complete table.
void write_table(JsonWriter& json, const CharacterTable& table) {
  write_member(json, "group", table.group().name());
  write_member(json, "order", table.group().order().str());
  json.key("classes");
  write_classes(json, table.classes());
  write_member(json, "class_names", table.class_names());
  OrderedJson powers = OrderedJson::object();
  for (const auto& [p, map] : table.power_maps()) powers[std::to_string(p)] = map;
  write_member(json, "power_maps", powers);
  OrderedJson indicators = OrderedJson::array(), names = OrderedJson::array();
  std::unordered_map<Cyclotomic, std::string> texts;  // few values are different
  json.key("irreducibles").open_list();
  for (std::size_t i = 0; i < table.size(); ++i) {
    json.open_list();
    for (const Cyclotomic& a : table.row(i)) {
      const auto [text, fresh] = texts.try_emplace(a);
      if (fresh) text->second = json_text(json_value(a));
      json.value(text->second);
    }
    json.close();
    indicators.push_back(table.indicator(i));
    names.push_back(table.name(i));
  }
  json.close();
  write_member(json, "indicators", indicators);
  write_member(json, "names", names);
}

OrderedJson details_json(const CharacterDetails& d) {
  return {{"field", d.field},
          {"kernel", d.kernel},
          {"kernel_order", d.kernel_order.str()},
          {"centre", d.centre},
          {"centre_order", d.centre_order.str()},
          {"determinant", d.determinant},
          {"galois_family", d.family},
          {"schur_index", json_value(d.index)},
          {"division_algebra", json_value(division_algebra(d.index, d.family.size()))}};
}

void write_proof(JsonWriter& json, const FiniteGroup& G, const CharacterProof& proof) {
  OrderedJson object = json_proof("characters", G, proof.order);
  for (const char* list : {"subgroups", "linear_characters", "combinations"}) object[list] = OrderedJson::array();
  for (const auto& generators : proof.subgroups) object["subgroups"].push_back(json_value(generators));
  for (const auto& lambda : proof.linear)
    object["linear_characters"].push_back(
        {{"subgroup", lambda.subgroup}, {"order", lambda.order}, {"exponents", lambda.exponents}});
  for (const auto& row : proof.combinations) {
    OrderedJson terms = OrderedJson::array();
    for (const auto& [k, c] : row) terms.push_back({OrderedJson(k), json_value(c)});
    object["combinations"].push_back(std::move(terms));
  }
  write_member(json, "proof", object);
}

void write_subgroup(JsonWriter& json, const FiniteGroup& G, const SubgroupCharacters& subgroup) {
  json.open_object();
  write_table(json, subgroup.table);
  write_member(json, "index", index_in(G, subgroup.table.group()));
  write_member(json, "fusion", subgroup.fusion);
  json.key("multiplicities");
  write_list(json, subgroup.multiplicities, [](const auto& row) { return json_value(row); });
  json.close();
}

std::string details_text(const CharacterTable& table, const std::vector<CharacterDetails>& details) {
  const auto names = table.class_names();
  const auto classes = [&](const std::vector<std::uint32_t>& list) {
    constexpr std::size_t shown = 24;
    std::string text;
    for (const std::uint32_t c : list) text += (text.empty() ? "" : " ") + names[c];
    return list.size() == table.size() ? "all" : text.size() > shown ? fmt::format("{} classes", list.size()) : text;
  };
  Cells rows{{"", "degree", "field", "kernel", "order", "centre", "order", "determinant", "Schur index",
              "division algebra", "conjugates"}};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const CharacterDetails& d = details[i];
    std::string conjugates;
    for (const std::size_t j : d.family)
      if (j != i && conjugates.size() < 40) conjugates += (conjugates.empty() ? "" : " ") + table.name(j);
    rows.push_back({table.name(i), table.degree(i).str(), d.field, classes(d.kernel), d.kernel_order.str(),
                    classes(d.centre), d.centre_order.str(), table.name(d.determinant), to_text(d.index),
                    to_text(division_algebra(d.index, d.family.size())), conjugates});
  }
  return aligned(rows);
}

std::string subgroup_text(const CharacterTable& G, const SubgroupCharacters& subgroup, unsigned width) {
  const CharacterTable& H = subgroup.table;
  Cells classes{{"class"}, {within(G.group())}}, cells{{""}};
  const auto names = H.class_names(), larger = G.class_names();
  for (std::size_t c = 0; c < H.size(); ++c) {
    classes[0].push_back(names[c]);
    classes[1].push_back(larger[subgroup.fusion[c]]);
    cells[0].push_back(H.name(c));
  }
  for (std::size_t i = 0; i < G.size(); ++i) {
    cells.push_back({G.name(i)});
    for (const Integer& m : subgroup.multiplicities[i]) cells.back().push_back(m == 0 ? "." : m.str());
  }
  return fmt::format("{}, order {}, index {}, {}\n\n", H.group().name(), H.group().order().str(),
                     index_in(G.group(), H.group()), counted(std::to_string(H.size()), "class", "classes")) +
         in_blocks(classes, 0, width) + "\nrows restricted to it, columns induced from it\n\n" +
         in_blocks(cells, 1, width);
}

/// A table that is not complete.
std::string partial_text(const FiniteGroup& G, const PartialCharacterTable& known) {
  const std::size_t n = known.classes ? known.classes->size() : known.found_classes.size();
  const std::string text =
      fmt::format("{}, order {}: not complete, {}\n{}, {} of the irreducible characters\n\n", G.name(), G.order().str(),
                  known.reason, known.classes ? fmt::format("all {} classes", n) : fmt::format("{} of the classes", n),
                  known.characters.size()) +
      with_classes(known.classes, known.found_classes, class_table);
  if (known.characters.empty()) return text;
  Cells cells{{"character"}};
  for (std::size_t c = 1; c <= n; ++c) cells[0].push_back(std::to_string(c));
  for (const auto& character : known.characters) {
    cells.push_back({"degree " + to_string(character[0])});
    for (const Cyclotomic& value : character) cells.back().push_back(to_string(value));
  }
  return text + "\n" + aligned(cells);
}

}  // namespace

std::string to_text(const SchurIndex& index) {
  std::string places = index.real > 1 ? "inf" : "";
  for (const LocalIndex& local : index.finite) places += fmt::format("{}{}", places.empty() ? "" : ", ", local.prime);
  for (const LocalIndex& local : index.undecided)
    places += fmt::format("{}{} undecided", places.empty() ? "" : ", ", local.prime);
  return places.empty() ? "1" : fmt::format("{} (at {})", index.index, places);
}

std::string to_text(const std::optional<DivisionAlgebra>& algebra) {
  if (!algebra) return "undecided";
  return fmt::format("dim {}", algebra->over_centre.str()) +
         (algebra->over_rationals == algebra->over_centre ? ""
                                                          : fmt::format(", {} over Q", algebra->over_rationals.str()));
}

namespace {

std::string text_of(const CharacterTableReport& report, unsigned width, IrrationalNotation notation, const Task& task) {
  if (!report.known.table) return partial_text(report.group, report.known);
  const CharacterTable& table = *report.known.table;
  std::string heading;
  if (width != 0)
    heading = fmt::format("{}, order {}, {}\n\n", report.group.name(), report.group.order().str(),
                          counted(std::to_string(table.size()), "class", "classes"));
  return heading + to_text(record(table, notation), width, task) +
         (report.details ? "\n" + details_text(table, *report.details) : "") +
         (report.subgroup ? "\n" + subgroup_text(table, *report.subgroup, width) : "");
}

void write_fields(JsonWriter& json, const CharacterTableReport& report) {
  const PartialCharacterTable& known = report.known;
  if (known.table) {
    write_table(json, *known.table);
    if (report.details) {
      json.key("details");
      write_list(json, *report.details, details_json);
    }
    if (report.subgroup) write_subgroup(json.key("subgroup"), report.group, *report.subgroup);
    if (report.proof) write_proof(json, report.group, *report.proof);
    return;
  }
  write_member(json, "group", report.group.name());
  write_member(json, "order", report.group.order().str());
  write_member(json, "partial", true);
  write_member(json, "reason", known.reason);
  write_member(json, "classes_complete", known.classes.has_value());
  json.key("classes");
  with_classes(known.classes, known.found_classes, [&](const auto& classes) { write_classes(json, classes); });
  json.key("irreducibles");
  write_list(json, known.characters, [](const auto& row) { return json_value(row); });
}

/// A title that is one word where programs read it.
Cell spaced(const std::string& title) {
  std::string words = title;
  std::replace(words.begin(), words.end(), '_', ' ');
  return {title, "\\text{" + words + "}", words};
}

template <class Classes>
std::vector<CellRow> class_rows(const Classes& classes) {
  std::vector<CellRow> rows;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const ConjugacyClass& known = classes[c];
    rows.push_back({std::to_string(c + 1), std::to_string(known.element_order), known.size.str(),
                    known.centralizer_order.str(), known.representative.to_string()});
  }
  return rows;
}

Sheet sheet_of(const ClassReport& report) {
  const FiniteGroup& G = report.group;
  if (report.formula)
    throw DomainError(fmt::format("{} has {} classes, too many to list", G.name(), report.formula->count.str()));
  const PartialConjugacyClasses& known = report.known;
  return {"Conjugacy classes of " + G.name(),
          {"class", spaced("element_order"), "size", spaced("centralizer_order"), "representative"},
          known.classes ? class_rows(*known.classes) : class_rows(known.found),
          "lrrrl"};
}

template <class Classes>
std::string class_list(Format system, const FiniteGroup& G, const Classes& classes) {
  std::vector<ConjugacyClass> list;
  for (std::size_t c = 0; c < classes.size(); ++c) list.push_back(classes[c]);
  const auto words = [](const ConjugacyClass& c) { return c.representative.to_string(); };
  if (system == Format::gap)
    return fmt::format("CallFuncList(function(G,l) return List(l,g->ConjugacyClass(G,g)); end,\n[{},[{}]])",
                       to_system(system, G), list_of(list, ",", words));
  if (system == Format::sage)
    return fmt::format("(lambda G: [G.conjugacy_class(G(g)) for g in [{}]])({})",
                       list_of(list, ", ", [&](const auto& c) { return '"' + words(c) + '"'; }), to_system(system, G));
  return fmt::format("[{}] where G is {}",
                     list_of(list, ", ",
                             [&](const auto& c) {
                               const bool identity = c.element_order == 1;
                               return fmt::format("<{}, {}, {}>", c.element_order, c.size.str(),
                                                  identity ? "Id(G)" : "G!" + words(c));
                             }),
                     to_system(system, G));
}

std::string system_of(Format system, const ClassReport& report) {
  if (report.formula)
    throw DomainError(
        fmt::format("{} has {} classes, too many to list", report.group.name(), report.formula->count.str()));
  return report.known.classes ? class_list(system, report.group, *report.known.classes)
                              : class_list(system, report.group, report.known.found);
}

}  // namespace

Record record(Kept<ClassReport> report) {
  return {.fields = piecewise([=](JsonWriter& json) { write_fields(json, *report); }),
          .text = [=](unsigned, const Task&) { return text_of(*report); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*report)}; },
          .expression = [=](Format system, const Task&) { return system_of(system, *report); }};
}

Record record(Kept<CharacterTableReport> report, IrrationalNotation notation) {
  Record made;
  if (report->known.table) made = record(Kept<CharacterTable>(report, *report->known.table), notation);
  made.fields = piecewise([=](JsonWriter& json) { write_fields(json, *report); });
  made.text = [=](unsigned width, const Task& task) { return text_of(*report, width, notation, task); };
  return made;
}

}  // namespace intertwine
