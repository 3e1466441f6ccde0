// Answers as tables.
#include "intertwine/io/answer_sheets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "intertwine/error.hpp"
#include "intertwine/io/character_table_text.hpp"
#include "io/text/made_once.hpp"
#include "io/text/row_label_cell.hpp"

namespace intertwine {

namespace {

Cell yes_or_no(const std::optional<bool>& value) { return !value ? "not computed" : *value ? "yes" : "no"; }

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

}  // namespace

Sheet to_sheet(const GroupReport& report) {
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

Sheet to_sheet(const ClassReport& report) {
  const FiniteGroup& G = report.group;
  if (report.formula)
    throw DomainError(
        fmt::format("{} has {} classes, too many to list", G.name(), report.formula->count.str()));
  const PartialConjugacyClasses& known = report.known;
  return {"Conjugacy classes of " + G.name(),
          {"class", spaced("element_order"), "size", spaced("centralizer_order"), "representative"},
          known.classes ? class_rows(*known.classes) : class_rows(known.found),
          "lrrrl"};
}

Sheet to_sheet(const CharacterTable& table, IrrationalNotation notation, const Task& task) {
  Sheet sheet{"Character table of " + table.group().name(), {table.group().name()}, {}, "lr"};
  for (const std::string& name : table.class_names()) sheet.head.emplace_back(name);
  MadeOnce<Cell> cells;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    sheet.rows.push_back({label_cell(table.label(i))});
    for (const Cyclotomic& value : table.row(i)) {
      task.poll();
      sheet.rows.back().push_back(cells(value, [&](const Cyclotomic& a) {
        return Cell::formula(in_notation(a, notation), latex_in_notation(a, notation));
      }));
      const Cell& cell = sheet.rows.back().back();
      bytes += sizeof(Cell) + cell.text.size() + cell.latex.size() + cell.html.size();
    }
    task.require_memory(bytes, "the table of cells");
  }
  return sheet;
}

Sheet to_sheet(const Decomposition& d) {
  Sheet sheet{fmt::format("{} of {}: dimension {}, over the {} numbers", d.representation,
                          d.table.group().name(), d.dimension, to_string(d.over)),
              {"irrep", "degree", "multiplicity"},
              {},
              "lr"};
  for (const Constituent& part : d.constituents)
    sheet.rows.push_back({row_names(d.table, part.irreps), part.degree.str(), part.multiplicity.str()});
  return sheet;
}

Sheet to_sheet(const LieWeights& d) {
  Sheet sheet{
      "weights of " + d.rep + " of " + d.group.name(), {"weight", "multiplicity", "orbit"}, {}, "lrr"};
  for (const WeightTerm& term : d.weights)
    sheet.rows.push_back(
        {to_string(term.weight), term.coefficient.str(), d.weights.type().orbit_size(term.weight).str()});
  return sheet;
}

Sheet to_sheet(const Branching& branching) {
  Sheet sheet{fmt::format("S_{0}(C^{1}) restricted from GL({1}) to {2}", to_string(branching.functor),
                          branching.n, branching.group),
              {"constituent", "multiplicity", "dimension"},
              {},
              "lr"};
  for (const Branching::Constituent& part : branching.constituents)
    sheet.rows.push_back({branching.kind == Branching::Kind::finite ? part.name : to_string(part.label),
                          to_string(part.multiplicity), to_string(part.dimension)});
  return sheet;
}

Sheet to_sheet(const MolienReport& report) {
  Sheet sheet{molien_heading(report), {"degree", "multiplicity"}, {}, "r"};
  for (std::size_t k = 0; k < report.series.coefficients.size(); ++k)
    sheet.rows.push_back({std::to_string(k), report.series.coefficients[k].str()});
  return sheet;
}

Sheet to_sheet(const SymmetricFunction& f) {
  Sheet sheet{to_string(f), {"partition", "coefficient"}, {}, "lr"};
  for (const auto& [partition, coefficient] : f.terms)
    sheet.rows.push_back({to_string(partition), to_string(coefficient)});
  return sheet;
}

Sheet to_sheet(const MoleculeReport& report) {
  const MolecularSymmetry& m = report.symmetry;
  Sheet sheet{
      fmt::format("{}: point group {} ({})", report.name, m.schoenflies, m.hermann_mauguin),
      {"species", "degree", "all", "translations", "rotations", "vibrations", "IR", "Raman", "hyper-Raman"},
      {},
      "lrrrrrl"};
  const auto mark = [](bool active) { return active ? "active" : "-"; };
  for (const Species& s : report.motions.species)
    sheet.rows.push_back({s.name, std::to_string(s.degree), std::to_string(s.total),
                          std::to_string(s.translations), std::to_string(s.rotations),
                          std::to_string(s.vibrations), mark(s.infrared), mark(s.raman),
                          mark(s.hyper_raman)});
  return sheet;
}

Sheet to_sheet(const TensorReport& report) {
  const TensorForm& form = report.turned ? *report.turned : report.form;
  const TensorProperty& p = form.property;
  Sheet sheet{fmt::format("{} of {}{}: {}", p.name, report.group,
                          report.turned ? " in the axes " + report.axes : "", p.meaning),
              {""},
              {},
              "lr"};
  for (std::size_t j = 0; j < p.cols; ++j) sheet.head.emplace_back(std::to_string(j + 1));
  for (std::size_t i = 0; i < p.rows; ++i) {
    sheet.rows.push_back({std::to_string(i + 1)});
    for (std::size_t j = 0; j < p.cols; ++j) sheet.rows.back().emplace_back(form.entry(i, j));
  }
  return sheet;
}

Sheet to_sheet(const RamanReport& report) {
  Sheet sheet{fmt::format("Raman tensors of {}", report.group),
              {"species", "partner", "xx", "yy", "zz", "yz", "xz", "xy"},
              {},
              "ll"};
  constexpr std::pair<std::size_t, std::size_t> voigt[] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
  for (const RamanSpecies& s : report.species)
    for (std::size_t k = 0; k < s.form.rows / 3; ++k) {
      sheet.rows.push_back({s.name, s.partners.empty() ? "" : s.partners[k]});
      for (const auto& [i, j] : voigt) sheet.rows.back().emplace_back(s.form.entry(3 * k + i, j));
    }
  return sheet;
}

}  // namespace intertwine
