#include "intertwine/io/group_text.hpp"

#include <fmt/format.h>

#include "io/text/json_values.hpp"

namespace intertwine {

std::string to_text(const GroupReport& report) {
  const auto yes_or_no = [](const std::optional<bool>& value) {
    return value ? (*value ? "yes" : "no") : "not computed (--full)";
  };
  const auto cut = [](const std::string& text, std::size_t letters) {
    return text.size() > letters ? text.substr(0, letters) + "..." : text;
  };
  const FiniteGroup& G = report.group;
  std::string text = fmt::format(
      "{}\n  order       {}\n  degree      {}\n  abelian     {}\n  solvable    {}\n  perfect     {}\n  "
      "simple      {}\n  transitive  {}\n  exponent    {}\n",
      G.name().size() > 100 ? cut(G.name(), 97) : G.name(), report.order.str(), G.degree(),
      yes_or_no(report.abelian), yes_or_no(report.solvable), yes_or_no(report.perfect),
      yes_or_no(report.simple), yes_or_no(report.transitive),
      report.exponent ? report.exponent->str() : "not cheap");
  if (report.small_group) text += "  type        " + to_string(*report.small_group) + "\n";
  if (report.classes)
    text += "  classes     " + report.classes->str() +
            (report.class_description.empty() ? "" : " (" + report.class_description + ")") + "\n";
  text += "  generators  ";
  if (G.generators().empty()) text += "none\n";
  for (std::size_t k = 0; k < G.generators().size(); ++k)
    text += (k == 0 ? "" : "              ") + cut(G.generators()[k].to_string(), 200) + "\n";
  return text;
}

std::string to_json(const GroupReport& report) {
  const auto number = [](const std::optional<Integer>& n) {
    return n ? OrderedJson(n->str()) : OrderedJson();
  };
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
  return json.dump(2);
}

}  // namespace intertwine
