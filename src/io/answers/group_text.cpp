// Writes the facts found out about a group.
#include "intertwine/groups/automorphism_group.hpp"
#include "intertwine/groups/group_report.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/systems_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "io/answers/json_values.hpp"
#include "io/answers/record_parts.hpp"
#include "io/answers/system_values.hpp"

namespace intertwine {

namespace {

std::string cut(const std::string& text, std::size_t letters) {
  return text.size() > letters ? text.substr(0, letters) + "..." : text;
}

/// The lines "generators  ...", whose cycles `words` writes.
template <class Generator, class Words>
std::string generator_lines(const std::vector<Generator>& generators, Words words) {
  std::string text = "  generators  ";
  if (generators.empty()) text += "none\n";
  for (std::size_t k = 0; k < generators.size(); ++k)
    text += (k == 0 ? "" : "              ") + cut(words(generators[k]), 200) + "\n";
  return text;
}

std::string text_of(const GroupReport& report) {
  const auto yes_or_no = [](const std::optional<bool>& value) {
    return value ? (*value ? "yes" : "no") : "not computed (--full)";
  };
  const FiniteGroup& G = report.group;
  std::string text = fmt::format(
      "{}\n  order       {}\n  degree      {}\n  abelian     {}\n  solvable    {}\n  perfect     {}\n  "
      "simple      {}\n  transitive  {}\n  exponent    {}\n",
      G.name().size() > 100 ? cut(G.name(), 97) : G.name(), report.order.str(), G.degree(), yes_or_no(report.abelian),
      yes_or_no(report.solvable), yes_or_no(report.perfect), yes_or_no(report.simple), yes_or_no(report.transitive),
      report.exponent ? report.exponent->str() : "not cheap");
  if (report.small_group) text += "  type        " + to_string(*report.small_group) + "\n";
  if (report.classes)
    text += "  classes     " + report.classes->str() +
            (report.class_description.empty() ? "" : " (" + report.class_description + ")") + "\n";
  return text + generator_lines(G.generators(), [](const Permutation& g) { return g.to_string(); });
}

OrderedJson fields_of(const GroupReport& report) {
  const auto number = [](const std::optional<Integer>& n) { return n ? OrderedJson(n->str()) : OrderedJson(); };
  const auto decided = [](const std::optional<bool>& b) { return b ? OrderedJson(*b) : OrderedJson(); };
  OrderedJson json;
  json["group"] = report.group.name();
  json["order"] = report.order.str();
  json["degree"] = report.group.degree();
  json["generators"] = json_value(report.group.generators());
  json["abelian"] = report.abelian;
  json["solvable"] = decided(report.solvable);
  json["perfect"] = decided(report.perfect);
  json["simple"] = decided(report.simple);
  json["transitive"] = report.transitive;
  json["exponent"] = number(report.exponent);
  if (report.small_group) json["small_group"] = {report.small_group->order, report.small_group->number};
  json["classes"] = number(report.classes);
  if (!report.class_description.empty()) json["classes_description"] = report.class_description;
  return json;
}

/// Do the labels count from this number?
bool count_from(std::size_t first, const std::vector<std::string>& labels) {
  return std::ranges::all_of(labels, [&](const std::string& label) { return label == std::to_string(first++); });
}

/// The labels that a file gives the points, unless these are 1 to N, as in cycles.
std::string point_labels(const Automorphisms& found) {
  if (count_from(1, found.labels)) return "";
  return cut(fmt::format("  vertices    {}", fmt::join(found.labels, ", ")), 200) + "\n";
}

std::string text_of(const Automorphisms& found) {
  std::map<std::size_t, std::size_t> lengths;
  for (const auto& orbit : found.orbits()) ++lengths[orbit.size()];
  std::size_t count = 0;
  std::string list;
  for (const auto& [length, times] : lengths) {
    count += times;
    list += fmt::format("{}{} of {}", list.empty() ? "" : ", ", times, length);
  }
  return fmt::format("automorphisms of {} points\n  order       {}\n  orbits      {}: {}\n", found.degree,
                     found.order.str(), count, cut(list, 200)) +
         point_labels(found) +
         generator_lines(found.generators, [&](const MovedPoints& g) { return to_cycles(g, found.labels); });
}

void write_fields(JsonWriter& json, const Automorphisms& found) {
  write_member(json, "degree", found.degree);
  write_member(json, "order", json_value(found.order));
  const bool numbers = found.labels_are_numbers();
  if (!count_from(0, found.labels)) {
    json.key("labels");
    write_list(json, found.labels, [&](const std::string& label) {
      return numbers ? OrderedJson(std::stoull(label)) : OrderedJson(label);
    });
  }
  json.key("orbits");
  write_list(json, found.orbits(), [](const std::vector<Point>& orbit) { return orbit; });
  json.key("generators");
  write_list(json, found.generators, [](const MovedPoints& g) { return to_cycles(g); });
}

Cell yes_or_no(const std::optional<bool>& value) { return !value ? "not computed" : *value ? "yes" : "no"; }

Sheet sheet_of(const GroupReport& report) {
  const FiniteGroup& G = report.group;
  Sheet sheet{G.name(), {"property", "value"}, {}, "l"};
  const auto add = [&](const char* property, const Cell& value) { sheet.rows.push_back({property, value}); };
  add("order", report.order.str());
  add("degree", std::to_string(G.degree()));
  add("abelian", yes_or_no(report.abelian));
  add("solvable", yes_or_no(report.solvable));
  add("perfect", yes_or_no(report.perfect));
  add("simple", yes_or_no(report.simple));
  add("transitive", yes_or_no(report.transitive));
  add("exponent", report.exponent ? report.exponent->str() : "not computed");
  if (report.small_group) add("type", to_string(*report.small_group));
  if (report.classes) add("classes", report.classes->str());
  for (const Permutation& g : G.generators()) add("generator", g.to_string());
  return sheet;
}

}  // namespace

Record record(Kept<GroupReport> report) {
  return {.fields = at_once([=](const Task&) { return fields_of(*report); }),
          .text = [=](unsigned, const Task&) { return text_of(*report); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*report)}; },
          .expression = [=](Format system, const Task&) { return to_system(system, report->group); }};
}

Record record(Kept<Automorphisms> found) {
  return {.fields = piecewise([=](JsonWriter& json) { write_fields(json, *found); }),
          .text = [=](unsigned, const Task&) { return text_of(*found); },
          .expression = [=](Format system, const Task&) { return system_of(system, *found); }};
}

}  // namespace intertwine
