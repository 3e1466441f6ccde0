// Writes decompositions for continuous groups.
#include "intertwine/io/continuous_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "intertwine/exact/sum_text.hpp"
#include "io/containers/text.hpp"
#include "io/text/indicator_text.hpp"
#include "io/text/json_values.hpp"

namespace intertwine {

namespace {

/// "[2,1]"; of finite factors the name.
std::string label_text(const FactorIrrep& irrep) {
  return irrep.kind == FactorIrrep::Kind::row ? irrep.name : to_string(irrep.label);
}

/// The member that says which representation it is.
void add_label(OrderedJson& json, const FactorIrrep& irrep) {
  if (irrep.kind == FactorIrrep::Kind::row)
    json["irrep"] = irrep.row;
  else
    json[irrep.kind == FactorIrrep::Kind::weight ? "weight" : "partition"] = irrep.label;
}

OrderedJson constituents_json(const ContinuousDecomposition& d) {
  OrderedJson list = OrderedJson::array();
  for (const ContinuousConstituent& part : d.constituents) {
    OrderedJson entry = OrderedJson::object();
    if (!d.group.is_product()) {
      add_label(entry, part.factors[0]);
    } else {
      OrderedJson factors = OrderedJson::array();
      for (const FactorIrrep& irrep : part.factors) {
        OrderedJson factor = OrderedJson::object();
        add_label(factor, irrep);
        factor["degree"] = to_string(irrep.degree);
        factor["indicator"] = irrep.indicator;
        factor["name"] = irrep.name;
        factors.push_back(std::move(factor));
      }
      entry["factors"] = std::move(factors);
    }
    entry["degree"] = to_string(part.degree);
    entry["multiplicity"] = to_string(part.multiplicity);
    entry["indicator"] = part.indicator();
    entry["name"] = constituent_name(part);
    list.push_back(std::move(entry));
  }
  return list;
}

/// The sum of the names; where several constituents have one name, their labels tell them apart.
std::string sum_text(const ContinuousDecomposition& d) {
  std::map<std::string, int> uses;
  for (const ContinuousConstituent& part : d.constituents) ++uses[constituent_name(part)];
  SumText sum;
  for (const ContinuousConstituent& part : d.constituents) {
    std::string name = constituent_name(part);
    if (uses[name] > 1) {
      name.clear();
      for (const FactorIrrep& irrep : part.factors)
        name += (name.empty() ? "" : " # ") + irrep.name +
                (irrep.kind == FactorIrrep::Kind::weight ? to_string(irrep.label) : "");
    }
    sum.add(Rational(part.multiplicity), name);
  }
  return sum.str();
}

std::string text_below_head(const ContinuousDecomposition& d, unsigned width) {
  const std::string text = wrapped(sum_text(d), std::max(width, 40U));
  return d.constituents.empty() ? text : text + aligned(constituent_cells(d));
}

}  // namespace

std::string constituent_name(const ContinuousConstituent& part) {
  std::string name;
  for (const FactorIrrep& irrep : part.factors) name += (name.empty() ? "" : " # ") + irrep.name;
  return name;
}

std::vector<std::vector<std::string>> constituent_cells(const ContinuousDecomposition& d) {
  Cells rows{{}};
  for (const auto& factor : d.group.factors()) {
    const auto* classical = std::get_if<ClassicalGroup>(&factor);
    rows[0].push_back(d.group.is_product()
                          ? classical != nullptr ? classical->name() : std::get<FiniteGroup>(factor).name()
                      : classical->family() == ClassicalGroup::Family::O ? "partition"
                                                                         : "weight");
  }
  for (const char* head : {"degree", "multiplicity", "indicator", "name"}) rows[0].emplace_back(head);
  for (const ContinuousConstituent& part : d.constituents) {
    rows.emplace_back();
    for (const FactorIrrep& irrep : part.factors) rows.back().push_back(label_text(irrep));
    rows.back().push_back(to_string(part.degree));
    rows.back().push_back(to_string(part.multiplicity));
    rows.back().emplace_back(indicator_text(part.indicator()));
    rows.back().push_back(constituent_name(part));
  }
  return rows;
}

std::string to_json(const ContinuousDecomposition& d) {
  return json_text(OrderedJson{{"group", d.group.name()},
                               {"rep", d.representation},
                               {"dimension", to_string(d.dimension)},
                               {"over", "complex"},
                               {"constituents", constituents_json(d)}});
}

std::string to_text(const ContinuousDecomposition& d, unsigned width) {
  return fmt::format("{} of {}: dimension {}\n", d.representation, d.group.name(), to_string(d.dimension)) +
         text_below_head(d, width);
}

std::string to_json(const ContinuousRestricted& r) {
  return json_text(OrderedJson{{"from", r.from},
                               {"to", r.result.group.name()},
                               {"rep", r.rep},
                               {"dimension", to_string(r.result.dimension)},
                               {"embedding", r.how},
                               {"terms", constituents_json(r.result)}});
}

std::string to_text(const ContinuousRestricted& r, unsigned width) {
  return fmt::format("{} of {} restricted to {} ({}): dimension {}\n", r.rep, r.from, r.result.group.name(),
                     r.how, to_string(r.result.dimension)) +
         text_below_head(r.result, width);
}

}  // namespace intertwine
