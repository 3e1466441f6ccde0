// Writes the forms of tensor properties.
#include "intertwine/io/tensor_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/latex.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/physics/raman_tensors.hpp"
#include "intertwine/physics/tensor_projection.hpp"
#include "io/answers/component_text.hpp"
#include "io/answers/json_values.hpp"
#include "io/answers/record_parts.hpp"
#include "io/answers/species_text.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

struct Endless {
  std::string_view name, ascii, standing;
};
constexpr Endless endless[] = {{"C∞", "Coo", "C8"},      {"C∞v", "Coov", "C8v"}, {"C∞h", "Cooh", "C8h"},
                               {"D∞", "Doo", "D8"},      {"D∞h", "Dooh", "D8h"}, {"K", "SO(3)", "I"},
                               {"Kh", "isotropic", "Ih"}};

const structure::PointGroup& symbol_of(const TensorReport& report) {
  return *report.form.group.structure().as<structure::PointGroup>();
}

std::string constants(const TensorReport& report) {
  return counted(std::to_string(report.form.independent.size()), "independent constant", "independent constants");
}

std::string projection_text(const TensorProjection& projection) {
  const TensorForm& form = projection.form;
  std::string text =
      fmt::format("nearest to the given tensor: {:.6g} of its norm {:.6g} is lost ({:.3g} %)\n", projection.lost,
                  projection.size, projection.size > 0 ? 100 * projection.lost / projection.size : 0.0);
  const auto value = [](double x) { return fmt::format("{:.6g}", std::abs(x) < 1e-12 ? 0.0 : x); };
  for (std::size_t k = 0; k < form.independent.size(); ++k)
    text += fmt::format("  {} = {}\n", form.component(form.independent[k].first, form.independent[k].second),
                        value(projection.constants[k]));
  if (projection.axes) text += "in the axes that were given:\n";
  Cells cells(form.rows, {""});
  for (std::size_t i = 0; i < form.rows; ++i)
    for (std::size_t j = 0; j < form.cols; ++j) cells[i].push_back(value(projection.nearest[i * form.cols + j]));
  return text + aligned(cells);
}

/// The icosahedral group fixes a tensor of rank 6 that rotations move. The cubic one with a turn of infinite order moves it.
TensorReport under_all_rotations(const TensorProperty& asked, std::string_view name, const Task& task) {
  MagneticPointGroup M = magnetic_point_group(name == "Kh" ? "m-3m" : "432");
  const Rational c(3, 5), s(4, 5);
  M.generators.push_back({RationalMatrix(3, 3, std::vector<Rational>{c, -s, 0, s, c, 0, 0, 0, 1}), false});
  TensorForm form = tensor_form(asked, M, task);
  form.magnetic.clear();
  return {std::move(form), std::string(name), "its cubic subgroup with a turn of infinite order"};
}

}  // namespace

FiniteGroup parse_point_or_double_group(std::string_view text) {
  if (const auto G = crystal_class(text)) return *G;
  try {
    return point_group(text);
  } catch (const DomainError&) {
    const FiniteGroup G = parse_finite_group(std::string(text));
    if (G.structure().as<structure::PointGroup>() || G.structure().as<structure::DoubleGroup>()) return G;
    throw DomainError(
        fmt::format("{} is no point group; name one by Schoenflies, as C3v, D4, S4, Oh, or by its international "
                    "symbol, as 4mm, -42m, 32",
                    shown(text, 40)));
  }
}

FiniteGroup parse_point_group(std::string_view text) {
  const FiniteGroup G = parse_point_or_double_group(text);
  if (const auto* doubled = G.structure().as<structure::DoubleGroup>())
    throw DomainError(
        fmt::format("{} is no point group, but the double group of {}", shown(text, 40), doubled->base.symbol()));
  return G;
}

TensorReport tensor_report(std::string_view property, std::string_view group, const Task& task) {
  const TensorProperty& asked = tensor_property(property);
  for (const Endless& known : endless)
    if (group == known.name || group == known.ascii) {
      if (asked.cols == 21 && known.standing.front() == 'I') return under_all_rotations(asked, known.name, task);
      return {tensor_form(asked, point_group(known.standing), task), std::string(known.name),
              std::string(known.standing)};
    }
  if (group.find('\'') != std::string_view::npos) {
    const MagneticPointGroup M = magnetic_point_group(group);
    return {tensor_form(asked, M, task), M.symbol, {}};
  }
  if (const auto M = class_with_axes(group)) return {tensor_form(asked, *M, task), M->symbol, {}};
  const FiniteGroup G = parse_point_group(group);
  return {tensor_form(asked, G, task), G.structure().as<structure::PointGroup>()->symbol(), {}};
}

bool means_raman(std::string_view property) {
  return property == "raman" || property == "raman-tensor" || property == "raman-tensors";
}

RamanReport raman_report(std::string_view group, const Task& task) {
  const auto without_end =
      std::ranges::find_if(endless, [&](const Endless& known) { return group == known.name || group == known.ascii; });
  const bool has_end = without_end == std::end(endless);
  if (!has_end || group.find('\'') != std::string_view::npos)
    throw DomainError(fmt::format("Raman tensors are those of the species of a point group such as D4h; {} is {}",
                                  has_end ? shown(group, 40) : std::string(without_end->name),
                                  has_end ? "a magnetic one" : "a group without end"));
  if (const auto M = class_with_axes(group))
    throw DomainError(
        fmt::format("Raman tensors have the axes of the species' names, and {} has axes of its own: write {}",
                    M->symbol, M->group.structure().as<structure::PointGroup>()->symbol()));
  const FiniteGroup G = parse_point_group(group);
  const auto& symbol = *G.structure().as<structure::PointGroup>();
  return {raman_tensors(G, task), symbol.symbol(), symbol.hermann_mauguin()};
}

namespace {

std::string text_of(const RamanReport& report) {
  std::size_t count = 0;
  for (const RamanSpecies& s : report.species) count += s.form.independent.size();
  std::string text = fmt::format(
      "raman of {} ({}): polarizability by a normal mode, for every species that is active; {}\n", report.group,
      report.hermann_mauguin, counted(std::to_string(count), "independent constant", "independent constants"));
  for (const RamanSpecies& s : report.species) {
    text += s.name + (s.partners.empty() ? "" : fmt::format(", of {}", fmt::join(s.partners, "; "))) + "\n";
    Cells cells(3, {""});
    for (std::size_t k = 0; k < s.form.rows / 3; ++k)
      for (std::size_t i = 0; i < 3; ++i) {
        if (k > 0) cells[i].emplace_back(" ");
        std::ranges::copy(component_cells(s.form, 3 * k + i), std::back_inserter(cells[i]));
      }
    text += aligned(cells);
  }
  return text;
}

OrderedJson fields_of(const RamanReport& report) {
  OrderedJson json;
  json["property"] = "raman";
  json["group"] = report.group;
  json["hermann_mauguin"] = report.hermann_mauguin;
  json["species"] = OrderedJson::array();
  for (const RamanSpecies& s : report.species) {
    OrderedJson entry{{"name", s.name}, {"degree", s.form.rows / 3}, {"partners", s.partners}};
    put_components(s.form, entry);
    OrderedJson tensors = OrderedJson::array();
    for (std::size_t i = 0; i < s.form.rows; ++i) {
      if (i % 3 == 0) tensors.push_back(OrderedJson::array());
      tensors.back().push_back(entry["matrix"][i]);
    }
    entry.erase("matrix");
    entry["tensors"] = std::move(tensors);
    json["species"].push_back(std::move(entry));
  }
  return json;
}

std::string latex_of(const RamanReport& report) {
  const auto formula = [](std::string entry) {  // sqrt(3) becomes \sqrt{3}
    for (std::size_t at = entry.find("sqrt("); at != entry.npos; at = entry.find("sqrt(", at + 2)) {
      const std::size_t end = entry.find(')', at);
      entry.replace(end, 1, "}").replace(at, 5, "\\sqrt{");
    }
    return entry;
  };
  std::vector<std::pair<std::string, std::string>> equations;
  for (const RamanSpecies& s : report.species) {
    std::string right;
    for (std::size_t i = 0; i < s.form.rows; ++i) {
      right += i % 3 > 0 ? " \\\\ " : right.empty() ? "\\begin{pmatrix}" : ",\\ \\begin{pmatrix}";
      for (std::size_t j = 0; j < 3; ++j) right += (j > 0 ? " & " : "") + formula(s.form.entry(i, j));
      if (i % 3 == 2) right += "\\end{pmatrix}";
    }
    equations.emplace_back(latex_species(s.name), std::move(right));
  }
  return latex_equations(equations);
}

std::string text_of(const TensorReport& report) {
  const TensorForm& form = report.form;
  const TensorProperty& p = form.property;
  const std::string also =
      report.standing.empty() ? symbol_of(report).hermann_mauguin() : report.standing + " stands for it";
  std::string text = fmt::format("{} of {} ({}): {}; {}\n", p.name, report.group, also, p.meaning, constants(report));
  Cells cells(p.rows, {""});
  for (std::size_t i = 0; i < p.rows; ++i) std::ranges::copy(component_cells(form, i), std::back_inserter(cells[i]));
  text += aligned(cells);
  if (report.turned) {
    Cells turned(p.rows, {""});
    for (std::size_t i = 0; i < p.rows; ++i)
      std::ranges::copy(component_cells(*report.turned, i), std::back_inserter(turned[i]));
    text += fmt::format("in the axes {}, by the same constants:\n{}", report.axes, aligned(turned));
  }
  return report.projection ? text + projection_text(*report.projection) : text;
}

OrderedJson fields_of(const TensorReport& report) {
  const TensorForm& form = report.form;
  const TensorProperty& p = form.property;
  OrderedJson json;
  json["property"] = p.name;
  json["meaning"] = p.meaning;
  json["group"] = report.group;
  json["hermann_mauguin"] = report.standing.empty() ? OrderedJson(symbol_of(report).hermann_mauguin()) : OrderedJson();
  json["rows"] = p.rows;
  json["cols"] = p.cols;
  json["symmetric"] = p.symmetric;
  json["axial"] = p.axial;
  json["factors"] = {p.row_factor, p.col_factor};
  json["number"] = form.independent.size();
  put_components(form, json);
  if (report.turned) {
    OrderedJson entries;
    put_components(*report.turned, entries);
    json["in_axes"] = {{"axes", report.axes}, {"matrix", entries["matrix"]}};
  }
  if (report.projection) {
    const TensorProjection& projection = *report.projection;
    OrderedJson values;
    for (std::size_t k = 0; k < form.independent.size(); ++k)
      values[form.component(form.independent[k].first, form.independent[k].second)] = projection.constants[k];
    json["projection"] = {{"constants", values}, {"size", projection.size}, {"lost", projection.lost}};
    if (projection.axes) json["projection"]["axes"] = *projection.axes;
    for (std::size_t i = 0; i < p.rows; ++i) {
      const auto row = projection.nearest.begin() + static_cast<std::ptrdiff_t>(i * p.cols);
      json["projection"]["nearest"].push_back(std::vector<double>(row, row + static_cast<std::ptrdiff_t>(p.cols)));
    }
  }
  return json;
}

std::string latex_of(const TensorReport& report) {
  const TensorForm& form = report.turned ? *report.turned : report.form;
  const TensorProperty& p = form.property;
  std::string text = "\\begin{pmatrix}";
  for (std::size_t i = 0; i < p.rows; ++i) {
    text += i == 0 ? "\n  " : " \\\\\n  ";
    for (std::size_t j = 0; j < p.cols; ++j) {
      std::string entry, indices;
      for (const char c : form.entry(i, j) + " ") {  // c11 becomes c_{11}
        const bool index =
            !entry.empty() && c >= '0' && c <= '9' && (!indices.empty() || entry.back() == p.letter.back());
        if (index) {
          indices += c;
          continue;
        }
        if (!indices.empty()) entry += "_{" + indices + "}", indices.clear();
        entry += c;
      }
      entry.pop_back();
      text += (j == 0 ? "" : " & ") + entry;
    }
  }
  return latex_display(text + "\n\\end{pmatrix}");
}

}  // namespace

std::string known_tensor_properties() {
  std::string text;
  for (const TensorProperty& p : tensor_properties())
    text += fmt::format("  {:<21} {}{}, {} x {}; {}{}\n", p.name, p.letter, p.symmetric ? ", symmetric" : "", p.rows,
                        p.cols, p.meaning, p.synonyms.empty() ? "" : fmt::format(" (also {})", p.synonyms));
  return text;
}

namespace {

Sheet sheet_of(const TensorReport& report) {
  const TensorForm& form = report.turned ? *report.turned : report.form;
  const TensorProperty& p = form.property;
  Sheet sheet{fmt::format("{} of {}{}: {}", p.name, report.group, report.turned ? " in the axes " + report.axes : "",
                          p.meaning),
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

Sheet sheet_of(const RamanReport& report) {
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

}  // namespace

Record record(Kept<TensorReport> report) {
  return {.fields = at_once([=](const Task&) { return fields_of(*report); }),
          .text = [=](unsigned, const Task&) { return text_of(*report); },
          .latex = [=](const Task&) { return latex_of(*report); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*report)}; }};
}

Record record(Kept<RamanReport> report) {
  return {.fields = at_once([=](const Task&) { return fields_of(*report); }),
          .text = [=](unsigned, const Task&) { return text_of(*report); },
          .latex = [=](const Task&) { return latex_of(*report); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*report)}; }};
}

}  // namespace intertwine
