// Writes decompositions for groups of every kind.
#include "intertwine/io/decomposition_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "intertwine/exact/sum_text.hpp"
#include "intertwine/hom/constituents.hpp"
#include "intertwine/hom/restriction.hpp"
#include "intertwine/io/latex.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/reductive/lie_group.hpp"
#include "io/answers/indicator_text.hpp"
#include "io/answers/json_values.hpp"
#include "io/answers/record_parts.hpp"
#include "io/answers/row_label_cell.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

using Kind = FactorIrrep::Kind;

bool is_by_name(const FactorIrrep& irrep) { return irrep.kind == Kind::row || irrep.kind == Kind::species; }

/// "[2,1]"; of finite groups and linear molecules the name.
std::string label_text(const FactorIrrep& irrep) { return is_by_name(irrep) ? irrep.name : to_string(irrep.label); }

/// The member that says which representation it is.
void add_label(OrderedJson& json, const FactorIrrep& irrep) {
  if (irrep.kind == Kind::row)
    json["irrep"] = irrep.row;
  else
    json[irrep.kind == Kind::weight ? "weight" : "partition"] = irrep.label;
}

OrderedJson constituent_json(const hom::Constituent& part) {
  OrderedJson entry = OrderedJson::object();
  const FactorIrrep& first = part.factors.front();
  if (first.kind == Kind::species) {
    entry["name"] = part.name;
    entry["lambda"] = first.label.front();
  } else if (part.factors.size() == 1) {
    add_label(entry, first);
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
  entry["indicator"] = part.indicator;
  if (first.kind != Kind::species) entry["name"] = part.name;
  return entry;
}

OrderedJson constituents_json(const hom::Decomposition& d) {
  OrderedJson list = OrderedJson::array();
  for (const hom::Constituent& part : d.constituents) list.push_back(constituent_json(part));
  return list;
}

/// The sum of the names; where several constituents have one name, their labels tell them apart.
std::string sum_text(const hom::Decomposition& d) {
  std::map<std::string, int> uses;
  for (const hom::Constituent& part : d.constituents) ++uses[part.name];
  SumText sum;
  for (const hom::Constituent& part : d.constituents) {
    std::string name = part.name;
    if (uses[name] > 1) {
      name.clear();
      for (const FactorIrrep& irrep : part.factors)
        name += (name.empty() ? "" : " # ") + irrep.name + (irrep.kind == Kind::weight ? to_string(irrep.label) : "");
    }
    sum.add(Rational(part.multiplicity), name);
  }
  return sum.str();
}

/// A head and a row for every constituent.
Cells constituent_cells(const hom::Decomposition& d) {
  Cells rows{{}};
  const std::vector<hom::Group> factors = d.group.factors();
  const std::size_t labels = d.constituents.empty() ? 1 : d.constituents.front().factors.size();
  const bool species = d.group.centre_of_linear_molecule().has_value();
  for (std::size_t k = 0; k < labels; ++k) {
    const auto kind = d.constituents.empty() ? Kind::weight : d.constituents.front().factors[k].kind;
    rows[0].push_back(labels > 1                ? factors[k].name()
                      : kind == Kind::weight    ? "weight"
                      : kind == Kind::partition ? "partition"
                                                : "irrep");
  }
  for (const char* head : {"degree", "multiplicity", "indicator", "name"}) rows[0].emplace_back(head);
  for (const hom::Constituent& part : d.constituents) {
    rows.emplace_back();
    for (const FactorIrrep& irrep : part.factors)
      rows.back().push_back(d.table ? fmt::format("{}  {}", irrep.row + 1, irrep.name) : label_text(irrep));
    rows.back().push_back(to_string(part.degree));
    rows.back().push_back(to_string(part.multiplicity));
    rows.back().emplace_back(indicator_text(part.indicator));
    rows.back().push_back(part.name);
  }
  if (species || d.table)  // the labels hold the names, and the indicators of species are 1
    for (auto& row : rows) row.resize(species ? 3 : 4);
  return rows;
}

std::string text_below_head(const hom::Decomposition& d, unsigned width) {
  const std::string text = wrapped_sum(sum_text(d), std::max(width, 40U));
  return d.constituents.empty() ? text : text + aligned(constituent_cells(d));
}

OrderedJson members_of(const hom::Decomposition& d) {
  OrderedJson json{{"group", d.group.name()}};
  if (const auto weights = d.group.reductive()) json["type"] = weights->type().name();
  json["rep"] = d.written;
  json["dimension"] = to_string(d.dimension);
  json["over"] = "complex";
  json["constituents"] = constituents_json(d);
  return json;
}

bool has_one_weight(const hom::Decomposition& d) {
  return d.group.reductive() &&
         (d.constituents.empty() ||
          (d.constituents.front().factors.size() == 1 && d.constituents.front().factors.front().kind == Kind::weight));
}

/// A line for every constituent of a group with highest weights, the larger weights first.
Sheet weights_sheet(std::string title, const hom::Decomposition& d) {
  std::vector<hom::Constituent> parts = d.constituents;
  std::ranges::stable_sort(parts, std::ranges::greater(),
                           [](const hom::Constituent& part) { return part.factors.front().label; });
  Sheet sheet{std::move(title), {"name", "weight", "degree", "multiplicity"}, {}, "llr"};
  for (const hom::Constituent& part : parts)
    sheet.rows.push_back(
        {part.name, to_string(part.factors.front().label), to_string(part.degree), to_string(part.multiplicity)});
  return sheet;
}

/// A line for every row of a character table that occurs.
Sheet rows_sheet(std::string title, const hom::Decomposition& d) {
  Sheet sheet{std::move(title), {"irrep", "degree", "multiplicity"}, {}, "lr"};
  for (const hom::Constituent& part : d.constituents)
    sheet.rows.push_back(
        {label_cell(d.table->label(part.factors.front().row)), to_string(part.degree), to_string(part.multiplicity)});
  return sheet;
}

/// Species have formulas for names.
Sheet constituents_sheet(std::string title, const hom::Decomposition& d) {
  if (d.table) return rows_sheet(std::move(title), d);
  if (has_one_weight(d)) return weights_sheet(std::move(title), d);
  std::vector<std::vector<std::string>> cells = constituent_cells(d);
  const auto centre = d.group.centre_of_linear_molecule();
  Sheet sheet{std::move(title), {}, {}, centre ? "lr" : std::string(cells.front().size() - 4, 'l') + "rrrl"};
  for (const std::string& head : cells.front()) sheet.head.emplace_back(head);
  for (std::size_t k = 1; k < cells.size(); ++k) {
    sheet.rows.emplace_back();
    for (std::string& cell : cells[k])
      if (centre && sheet.rows.back().empty())
        sheet.rows.back().push_back(Cell::formula(cell, to_latex(parse_axial_irrep(*centre, cell))));
      else
        sheet.rows.back().emplace_back(std::move(cell));
  }
  return sheet;
}

/// "\\overline{\\mathbf{10}}", and (\\mathbf{3}, \\mathbf{2})_{-1} for names of products.
std::string bold(const std::string& name) {
  const std::size_t below = std::min(name.find('_'), name.size());
  std::string text;
  for (std::size_t i = 0; i < below;) {
    const std::size_t end = std::min(name.find_first_not_of("0123456789", i), below);
    if (end == i) {
      text += name[i++];
      continue;
    }
    const bool dual = end < below && name[end] == '*';
    text +=
        fmt::format("{}{{{}}}{}", dual ? "\\overline{\\mathbf" : "\\mathbf", name.substr(i, end - i), dual ? "}" : "");
    i = end + dual;
  }
  return below < name.size() ? text + "_{" + name.substr(below + 1) + "}" : text;
}

/// The name of a constituent as a formula; a weight below it where several have one name.
std::string formula_of(const hom::Decomposition& d, const hom::Constituent& part, bool is_one_of_several) {
  std::string text;
  for (const FactorIrrep& irrep : part.factors) {
    if (!text.empty()) text += " \\otimes ";
    if (irrep.kind == Kind::weight)
      text +=
          is_one_of_several ? fmt::format("{{{}}}_{{{}}}", bold(irrep.name), to_string(irrep.label)) : bold(irrep.name);
    else if (irrep.kind == Kind::species)
      text += to_latex(parse_axial_irrep(*d.group.centre_of_linear_molecule(), irrep.name));
    else if (d.table)
      text += label_cell(d.table->label(irrep.row)).latex;
    else
      text += "\\text{" + escaped_latex(irrep.name) + "}";
  }
  return text;
}

std::string sum_formula(const hom::Decomposition& d) {
  std::map<std::string, int> uses;
  for (const hom::Constituent& part : d.constituents) ++uses[part.name];
  SumText sum(Notation::latex);
  for (const hom::Constituent& part : d.constituents)
    sum.add(Rational(part.multiplicity), formula_of(d, part, uses[part.name] > 1));
  return sum.str();
}

}  // namespace

std::string to_latex(const AxialIrrep& irrep) {
  constexpr const char* letters[] = {"\\Sigma", "\\Pi", "\\Delta", "\\Phi", "\\Gamma"};
  const auto k = static_cast<std::size_t>(irrep.lambda);
  const std::string parity = irrep.parity == 0 ? "" : irrep.parity > 0 ? "g" : "u";
  const std::string below = k < std::size(letters) ? parity : std::to_string(k) + parity;
  return (k < std::size(letters) ? letters[k] : "E") + (below.empty() ? "" : "_{" + below + "}") +
         (k > 0         ? ""
          : irrep.minus ? "^{-}"
                        : "^{+}");
}

namespace {

OrderedJson fields_of(const hom::Restriction& r) {
  OrderedJson json{
      {"from", r.from}, {"to", r.result.group.name()}, {"rep", r.rep}, {"dimension", to_string(r.result.dimension)}};
  if (!r.how.empty()) json["embedding"] = r.how;
  if (r.weights && !r.weights->along.others.empty()) json["other_embeddings"] = r.weights->along.others;
  if (r.weights) {
    json["matrix"] = r.weights->along.matrix;
    json["denominator"] = r.weights->along.denominator;
  }
  json["terms"] = constituents_json(r.result);
  return json;
}

std::string text_of(const hom::Restriction& r, unsigned width) {
  return fmt::format("{} of {} restricted to {}{}: dimension {}\n", r.rep, r.from, r.result.group.name(),
                     r.how.empty() ? "" : " (" + r.how + ")", to_string(r.result.dimension)) +
         text_below_head(r.result, width) +
         (r.weights && !r.weights->along.others.empty()
              ? fmt::format("  {} lies in {} otherwise, too: {}\n", r.result.group.name(), r.from,
                            fmt::join(r.weights->along.others, "; "))
              : "");
}

std::string latex_of(const hom::Restriction& r) {
  const std::string to = escaped_latex(r.result.group.name());
  return latex_equations({{r.weights ? fmt::format("{} \\downarrow {}", sum_formula(r.weights->whole), to)
                                     : fmt::format("\\text{{{}}} \\downarrow \\text{{{}}}", escaped_latex(r.rep), to),
                           sum_formula(r.result)}});
}

Sheet sheet_of(const hom::Restriction& r) {
  return constituents_sheet(fmt::format("{} of {} restricted to {}", r.rep, r.from, r.result.group.name()), r.result);
}

}  // namespace

Record record(Kept<hom::Decomposition> d, bool columns) {
  if (d->finite) return record(Kept<Decomposition>(d, *d->finite), columns);
  return {.fields = at_once([=](const Task&) { return members_of(*d); }),
          .text =
              [=](unsigned width, const Task&) {
                return fmt::format("{} of {}: dimension {}\n", d->written, d->group.name(), to_string(d->dimension)) +
                       text_below_head(*d, width);
              },
          .sheets = [=](const Task&) { return Sheets{constituents_sheet(d->written + " of " + d->group.name(), *d)}; }};
}

Record record(Kept<hom::Restriction> r) {
  return {.fields = at_once([=](const Task&) { return fields_of(*r); }),
          .text = [=](unsigned width, const Task&) { return text_of(*r, width); },
          .latex = [=](const Task&) { return latex_of(*r); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*r)}; }};
}

}  // namespace intertwine
