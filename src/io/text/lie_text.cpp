// Writes answers on reductive groups.
#include "intertwine/io/lie_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "intertwine/exact/sum_text.hpp"
#include "intertwine/io/latex.hpp"
#include "io/containers/text.hpp"
#include "io/text/indicator_text.hpp"
#include "io/text/json_values.hpp"
#include "io/text/row_label_cell.hpp"

namespace intertwine {

namespace {

struct NamedConstituent {
  WeightTerm term;
  Integer degree;
  std::string name;
};

/// The largest first, then by weight.
std::vector<NamedConstituent> named_constituents(const LieCharacter& chi) {
  std::vector<NamedConstituent> list;
  for (const WeightTerm& term : chi)
    list.push_back({term, chi.type().dimension(term.weight), dimension_name(chi.type(), term.weight)});
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.degree > b.degree; });
  return list;
}

OrderedJson lie_constituents_json(const LieCharacter& chi) {
  OrderedJson list = OrderedJson::array();
  for (const NamedConstituent& part : named_constituents(chi))
    list.push_back({{"weight", part.term.weight},
                    {"degree", to_string(part.degree)},
                    {"multiplicity", to_string(part.term.coefficient)},
                    {"indicator", chi.type().indicator(part.term.weight)},
                    {"name", part.name}});
  return list;
}

/// The sum of the names; where several constituents have one name, their weights tell them apart.
std::string sum_of_constituents(const std::vector<NamedConstituent>& list, Notation notation) {
  std::map<std::string, int> uses;
  for (const NamedConstituent& part : list) ++uses[part.name];
  SumText sum(notation);
  for (const NamedConstituent& part : list) {
    std::string name = part.name;
    if (notation == Notation::latex) {
      const bool dual = name.back() == '*';
      name = fmt::format("{}{{{}}}{}", dual ? "\\overline{\\mathbf" : "\\mathbf",
                         name.substr(0, name.size() - dual), dual ? "}" : "");
    }
    if (uses[part.name] > 1)
      name += notation == Notation::latex ? "_{" + to_string(part.term.weight) + "}"
                                          : to_string(part.term.weight);
    sum.add(Rational(part.term.coefficient), name);
  }
  return sum.str();
}

std::string lie_character_text(const LieCharacter& chi, unsigned width) {
  const std::vector<NamedConstituent> list = named_constituents(chi);
  std::string text = wrapped(sum_of_constituents(list, Notation::text), std::max(width, 40U));
  if (list.empty()) return text;
  Cells rows{{"weight", "degree", "multiplicity", "indicator", "name"}};
  for (const NamedConstituent& part : list) {
    const int indicator = chi.type().indicator(part.term.weight);
    rows.push_back({to_string(part.term.weight), to_string(part.degree), to_string(part.term.coefficient),
                    indicator_text(indicator), part.name});
  }
  return text + aligned(rows);
}

}  // namespace

std::string to_json(const LieWeights& d) {
  OrderedJson list = OrderedJson::array();
  for (const WeightTerm& term : d.weights)
    list.push_back({{"weight", term.weight},
                    {"multiplicity", to_string(term.coefficient)},
                    {"orbit", to_string(d.weights.type().orbit_size(term.weight))}});
  return json_text(OrderedJson{{"group", d.group.name()},
                               {"type", d.group.type().name()},
                               {"rep", d.rep},
                               {"dimension", to_string(d.weights.dimension())},
                               {"weights", std::move(list)}});
}

std::string to_text(const LieWeights& d, unsigned) {
  Cells rows{{"weight", "multiplicity", "orbit"}};
  for (const WeightTerm& term : d.weights)
    rows.push_back({to_string(term.weight), to_string(term.coefficient),
                    to_string(d.weights.type().orbit_size(term.weight))});
  return fmt::format("{} of {}: dimension {}, {} different weights\n", d.rep, d.group.name(),
                     to_string(d.weights.dimension()), to_string(d.weights.number_of_weights())) +
         (rows.size() == 1 ? "" : aligned(rows));
}

std::string to_json(const LieRestricted& r) {
  const LieRestriction& f = r.restriction;
  return json_text(OrderedJson{{"from", f.from.name()},
                               {"to", f.to.name()},
                               {"rep", r.rep},
                               {"dimension", to_string(r.character.dimension())},
                               {"embedding", f.how},
                               {"matrix", f.matrix},
                               {"denominator", f.denominator},
                               {"terms", lie_constituents_json(r.result)}});
}

std::string to_text(const LieRestricted& r, unsigned width) {
  const LieRestriction& f = r.restriction;
  return fmt::format("{} of {} restricted to {} ({}): dimension {}\n", r.rep, f.from.name(), f.to.name(),
                     f.how, to_string(r.character.dimension())) +
         lie_character_text(r.result, width);
}

std::string to_latex(const LieRestricted& r) {
  return latex_equations({{fmt::format("{} \\downarrow {}",
                                       sum_of_constituents(named_constituents(r.character), Notation::latex),
                                       escaped_latex(r.restriction.to.name())),
                           sum_of_constituents(named_constituents(r.result), Notation::latex)}});
}

namespace {

std::string sum_of_irreducibles(const ClassFunction& f, Notation notation) {
  SumText sum(notation);
  const std::vector<Integer> parts = multiplicities(f);
  for (std::size_t i = 0; i < parts.size(); ++i)
    sum.add(Cyclotomic(parts[i]),
            notation == Notation::latex ? label_cell(f.table().label(i)).latex : f.table().name(i));
  return sum.str();
}

}  // namespace

std::string to_json(const FiniteRestricted& r) {
  const CharacterTable& table = r.character.table();
  const std::vector<Integer> parts = multiplicities(r.character);
  OrderedJson terms = OrderedJson::array();
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i] != 0)
      terms.push_back({{"irrep", i},
                       {"degree", to_string(table.degree(i))},
                       {"multiplicity", to_string(parts[i])},
                       {"indicator", table.indicator(i)},
                       {"name", table.name(i)}});
  return json_text(OrderedJson{{"from", r.from},
                               {"to", table.group().name()},
                               {"rep", r.rep},
                               {"dimension", to_string(r.character.degree())},
                               {"embedding", r.how},
                               {"terms", std::move(terms)}});
}

std::string to_text(const FiniteRestricted& r, unsigned width) {
  const CharacterTable& table = r.character.table();
  const std::vector<Integer> parts = multiplicities(r.character);
  Cells rows{{"irrep", "degree", "multiplicity", "indicator"}};
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i] != 0)
      rows.push_back({fmt::format("{}  {}", i + 1, table.name(i)), to_string(table.degree(i)),
                      to_string(parts[i]), indicator_text(table.indicator(i))});
  return fmt::format("{} of {} restricted to {} ({}): dimension {}\n", r.rep, r.from, table.group().name(),
                     r.how, to_string(r.character.degree())) +
         wrapped(sum_of_irreducibles(r.character, Notation::text), std::max(width, 40U)) +
         (rows.size() == 1 ? "" : aligned(rows));
}

std::string to_latex(const FiniteRestricted& r) {
  return latex_equations({{fmt::format("\\text{{{}}} \\downarrow \\text{{{}}}", escaped_latex(r.rep),
                                       escaped_latex(r.character.table().group().name())),
                           sum_of_irreducibles(r.character, Notation::latex)}});
}

}  // namespace intertwine
