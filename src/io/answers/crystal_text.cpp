// Writes the report on a crystal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "intertwine/io/crystal_file.hpp"
#include "intertwine/io/latex.hpp"
#include "intertwine/io/little_group_text.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/structure_file.hpp"
#include "intertwine/physics/crystal_report.hpp"
#include "io/answers/json_values.hpp"
#include "io/answers/little_group_json.hpp"
#include "io/answers/record_parts.hpp"
#include "io/answers/species_text.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

std::string place_text(double x) { return fmt::format("{:.5f}", std::abs(x) < 5e-6 ? 0.0 : x); }
std::string crystal_mark(bool active) { return active ? "active" : "-"; }

/// "Ti 2a".
std::string site_name(const CrystalSite& site) {
  return fmt::format("{} {}{}", site.element, site.multiplicity, site.wyckoff);
}

/// The species that occur, and which of the sites' numbers belong to them.
std::vector<std::size_t> occurring(const CrystalModes& modes) {
  std::vector<std::size_t> list;
  for (std::size_t k = 0; k < modes.species.size(); ++k)
    if (modes.species[k].total != 0) list.push_back(k);
  return list;
}

/// Does the file have the standard cell and origin?
bool has_standard_axes(const CrystalSymmetry& m) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      if (std::abs(m.transformation[i][j] - (i == j ? 1 : 0)) > 5e-5 || std::abs(m.shift[i]) > 5e-5) return false;
  return true;
}

std::string axes_text(const CrystalSymmetry& m) {
  Cells cells;
  for (std::size_t i = 0; i < 3; ++i) {
    cells.push_back({fmt::format("{} =", "xyz"[i])});
    for (std::size_t j = 0; j < 3; ++j)
      cells.back().push_back(fmt::format("{:.4f} {}'", cleaned(m.transformation[i][j]), "xyz"[j]));
    cells.back().push_back(fmt::format("+ {:.4f}", cleaned(m.shift[i])));
  }
  return aligned(cells);
}

std::string force_constant_text(const std::pair<ForceConstantQuestion, ForceConstantCount>& answer) {
  const auto& [question, count] = answer;
  return fmt::format(
      "force const.  order {}, {} x {} x {} cells of the file with {}{}\n"
      "              tied by {} and exchange of indices: {}; free under sum rules: {}\n",
      question.order, question.supercell[0], question.supercell[1], question.supercell[2],
      counted(std::to_string(count.atoms), "atom", "atoms"),
      question.cutoff ? fmt::format(", closer than {:g}", *question.cutoff) : "",
      counted(std::to_string(count.operations), "symmetry", "symmetries"), count.tied.str(), count.dimension.str());
}

std::string atom_numbers(const std::vector<std::uint32_t>& atoms) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(atoms.size(), most); ++k)
    text += (k == 0 ? "" : ",") + std::to_string(atoms[k] + 1);
  return text + (atoms.size() > most ? ",..." : "");
}

std::string magnetic_text(const MagneticSymmetry& m, const std::string& file_name) {
  constexpr const char* types[] = {"", "nothing reverses time", "grey", "some operations reverse time",
                                   "a translation reverses time"};
  std::string text = "magnetic      ";
  if (m.kind)
    text += magnetic_kind_text(*m.kind) + "\n              ";
  else if (has_magnetic_numbers())
    text += "spglib does not name this group; ";
  else
    text += "this build has no spglib to name the group; ";
  text += fmt::format("type {}: {}; {}, {} with time reversal, in a cell of {}\n", m.type, types[m.type],
                      counted(std::to_string(m.operations), "operation", "operations"), m.antiunitary,
                      counted(std::to_string(m.cells), "primitive cell of the atoms", "primitive cells of the atoms"));
  if (!file_name.empty()) text += fmt::format("              the file calls it {}\n", file_name);
  text += fmt::format("moments       {}; images are at most {:.2g} off, of {:g} allowed\n",
                      m.collinear ? "collinear, along a direction that is not said" : "vectors", cleaned(m.deviation),
                      m.tolerance);
  return text;
}

/// Sites with their moments and what is allowed there.
std::string moments_text(const MagneticSymmetry& m) {
  Cells cells{{"atoms", "number", "x", "y", "z", "moment", "allowed"}};
  for (const MagneticSite& site : m.sites) {
    const auto& v = site.moment;
    cells.push_back({site.element + " " + atom_numbers(site.atoms), std::to_string(site.atoms.size()),
                     place_text(site.position[0]), place_text(site.position[1]), place_text(site.position[2]),
                     m.collinear ? fmt::format("{:.3f}", cleaned(v[2]))
                                 : fmt::format("({:.3f},{:.3f},{:.3f})", cleaned(v[0]), cleaned(v[1]), cleaned(v[2])),
                     site.allowed});
  }
  return std::string("\nmoments") + (m.collinear ? "" : " along the edges of the cell") +
         " of the file, and those that the magnetic group allows:\n" + aligned(cells);
}

OrderedJson magnetic_json(const MagneticSymmetry& m, const std::string& file_name) {
  OrderedJson json;
  if (m.kind) add_magnetic_kind(json, *m.kind);
  json["type"] = m.type;
  json["operations"] = m.operations;
  json["antiunitary"] = m.antiunitary;
  json["cells"] = m.cells;
  json["name_in_file"] = file_name.empty() ? OrderedJson() : OrderedJson(file_name);
  json["collinear"] = m.collinear;
  json["tolerance"] = m.tolerance;
  json["deviation"] = cleaned(m.deviation);
  json["sites"] = OrderedJson::array();
  for (const MagneticSite& site : m.sites)
    json["sites"].push_back(
        {{"element", site.element},
         {"atoms", site.atoms},
         {"position", cleaned(site.position)},
         {"moment", m.collinear ? OrderedJson(cleaned(site.moment[2])) : OrderedJson(cleaned(site.moment))},
         {"allowed", site.allowed},
         {"freedom", site.freedom}});
  return json;
}

std::string text_of(const CrystalReport& report) {
  const CrystalSymmetry& m = report.symmetry;
  const auto& species = report.modes.species;
  const auto cell = cell_parameters(m.cell);
  std::string text = fmt::format(
      "{}: {}, {} in the cell, {} in a primitive one\nspace group   {} (number {}), setting {}, Hall's "
      "symbol {}\n"
      "point group   {}, order {}\ntolerance     {:g}; operations take atoms at most {:.2g} beside others; "
      "exact "
      "symmetry is at most {:.2g} away\n"
      "cell          a = {:.6g}, b = {:.6g}, c = {:.6g}, alpha = {:.6g}, beta = {:.6g}, gamma = {:.6g}\n",
      report.name, formula(m.atoms, true), counted(std::to_string(m.crystal.atoms.size()), "atom", "atoms"),
      m.atoms.size(), m.hermann_mauguin(), m.setting.number, m.setting.name, m.group.hall(),
      point_group_symbol(m.group), m.point_group.order().str(), m.tolerance, cleaned(m.deviation),
      cleaned(m.displacement), cell[0], cell[1], cell[2], cell[3], cell[4], cell[5]);
  text +=
      fmt::format("mechanical    {}\nacoustic      {}\noptical       {}\n", sum_of_species(species, &Species::total),
                  sum_of_species(species, &Species::translations), sum_of_species(species, &Species::vibrations));
  if (report.magnetic) text += magnetic_text(*report.magnetic, m.crystal.magnetic_name);
  if (report.force_constants) text += force_constant_text(*report.force_constants);
  Cells sites{{"site", "symmetry", "group", "x", "y", "z"}};
  for (const CrystalSite& site : m.sites)
    sites.push_back({site_name(site), site.site_symmetry, site.schoenflies, place_text(site.position[0]),
                     place_text(site.position[1]), place_text(site.position[2])});
  Cells cells{{"", "degree", "all", "acoustic", "optical", "IR", "Raman", "hyper-Raman"}};
  for (const CrystalSite& site : m.sites) cells[0].push_back(site_name(site));
  for (const std::size_t k : occurring(report.modes)) {
    const Species& s = species[k];
    cells.push_back({s.name, std::to_string(s.degree), std::to_string(s.total), std::to_string(s.translations),
                     std::to_string(s.vibrations), crystal_mark(s.infrared), crystal_mark(s.raman),
                     crystal_mark(s.hyper_raman)});
    for (const auto& site : report.modes.sites) cells.back().push_back(std::to_string(site[k]));
  }
  text += "\n" + aligned(cells) + "\nsites, in edges of the standard cell:\n" + aligned(sites);
  if (!has_standard_axes(m)) text += "\nfrom the positions x', y', z' of the file to this cell:\n" + axes_text(m);
  if (report.magnetic) text += moments_text(*report.magnetic);
  return report.at_k ? text + "\n" + to_text(record(*report.at_k)) : text;
}

OrderedJson fields_of(const CrystalReport& report) {
  const CrystalSymmetry& m = report.symmetry;
  OrderedJson json;
  json["name"] = report.name;
  json["formula"] = formula(m.atoms, true);
  json["space_group"] = {{"number", m.setting.number},
                         {"name", m.hermann_mauguin()},
                         {"hall", m.group.hall()},
                         {"setting", m.setting.name}};
  json["point_group"] = {{"schoenflies", point_group_symbol(m.group)}, {"order", m.point_group.order().str()}};
  json["tolerance"] = m.tolerance;
  json["deviation"] = cleaned(m.deviation);
  json["displacement"] = cleaned(m.displacement);
  const auto cell = cell_parameters(m.cell);
  json["cell"] = {{"a", cell[0]},     {"b", cell[1]},    {"c", cell[2]},
                  {"alpha", cell[3]}, {"beta", cell[4]}, {"gamma", cell[5]}};
  json["transformation"] = OrderedJson::array();
  for (const Vector3& row : m.transformation) json["transformation"].push_back(cleaned(row));
  json["shift"] = cleaned(m.shift);
  const auto part = [](const Species& s, std::uint64_t multiplicity) {
    return OrderedJson{{"name", s.name},   {"multiplicity", multiplicity}, {"degree", s.degree}, {"ir", s.infrared},
                       {"raman", s.raman}, {"hyper_raman", s.hyper_raman}};
  };
  json["sites"] = OrderedJson::array();
  for (std::size_t i = 0; i < m.sites.size(); ++i) {
    const CrystalSite& site = m.sites[i];
    OrderedJson modes = OrderedJson::array();
    for (std::size_t k = 0; k < report.modes.species.size(); ++k)
      if (report.modes.sites[i][k] != 0)
        modes.push_back({{"name", report.modes.species[k].name}, {"multiplicity", report.modes.sites[i][k]}});
    json["sites"].push_back({{"element", site.element},
                             {"wyckoff", std::string(1, site.wyckoff)},
                             {"multiplicity", site.multiplicity},
                             {"site_symmetry", site.site_symmetry},
                             {"point_group", site.schoenflies},
                             {"position", cleaned(site.position)},
                             {"modes", std::move(modes)}});
    for (const auto& [symbol, share] : site_species(site.element))
      json["sites"].back()["species"].push_back({{"element", symbol}, {"share", share}});
  }
  const std::pair<const char*, std::uint64_t Species::*> parts[] = {
      {"mechanical", &Species::total}, {"acoustic", &Species::translations}, {"optical", &Species::vibrations}};
  for (const auto& [name, member] : parts) {
    json["modes"][name] = OrderedJson::array();
    for (const Species& s : report.modes.species)
      if (s.*member != 0) json["modes"][name].push_back(part(s, s.*member));
  }
  if (report.force_constants) {
    const auto& [question, count] = *report.force_constants;
    json["force_constants"] = {{"order", question.order},
                               {"supercell", question.supercell},
                               {"cutoff", question.cutoff ? OrderedJson(*question.cutoff) : OrderedJson()},
                               {"atoms", count.atoms},
                               {"symmetries", count.operations},
                               {"tied", count.tied.str()},
                               {"dimension", count.dimension.str()}};
  }
  if (report.magnetic) json["magnetic"] = magnetic_json(*report.magnetic, m.crystal.magnetic_name);
  if (report.at_k) json["k"] = wave_vector_json(*report.at_k);
  return json;
}

std::string latex_of(const CrystalReport& report) {
  Cells cells{{latex_symbol(point_group_symbol(report.symmetry.group)), "\\Gamma_{\\mathrm{mech}}",
               "\\Gamma_{\\mathrm{ac}}", "\\Gamma_{\\mathrm{opt}}", "\\mathrm{IR}", "\\mathrm{Raman}",
               "\\mathrm{hyper}"}};
  const auto bullet = [](bool active) { return active ? "\\bullet" : ""; };
  for (const std::size_t k : occurring(report.modes)) {
    const Species& s = report.modes.species[k];
    cells.push_back({latex_species(s.name), std::to_string(s.total), std::to_string(s.translations),
                     std::to_string(s.vibrations), bullet(s.infrared), bullet(s.raman), bullet(s.hyper_raman)});
  }
  const std::string table = latex_table(cells, 1, "lrrrc");
  return report.at_k ? table + to_latex(record(*report.at_k)) : table;
}

Sheet sheet_of(const CrystalReport& report) {
  const CrystalSymmetry& m = report.symmetry;
  Sheet sheet{fmt::format("{}: space group {} (number {})", report.name, m.hermann_mauguin(), m.setting.number),
              {"species", "degree", "all", "acoustic", "optical", "IR", "Raman", "hyper-Raman"},
              {},
              "lrrrrl"};
  for (const CrystalSite& site : m.sites) sheet.head.emplace_back(site_name(site));
  for (const std::size_t k : occurring(report.modes)) {
    const Species& s = report.modes.species[k];
    sheet.rows.push_back({s.name, std::to_string(s.degree), std::to_string(s.total), std::to_string(s.translations),
                          std::to_string(s.vibrations), crystal_mark(s.infrared), crystal_mark(s.raman),
                          crystal_mark(s.hyper_raman)});
    for (const auto& site : report.modes.sites) sheet.rows.back().emplace_back(std::to_string(site[k]));
  }
  return sheet;
}

Sheets sheets_of(const CrystalReport& report) {
  Sheets sheets{sheet_of(report)};
  if (report.at_k) std::ranges::move(record(*report.at_k).sheets({}), std::back_inserter(sheets));
  return sheets;
}

}  // namespace

Record record(Kept<CrystalReport> report) {
  return {.fields = at_once([=](const Task&) { return fields_of(*report); }),
          .text = [=](unsigned, const Task&) { return text_of(*report); },
          .latex = [=](const Task&) { return latex_of(*report); },
          .sheets = [=](const Task&) { return sheets_of(*report); }};
}

Record record(Kept<MagneticSymmetry> magnetic) {
  return {.fields = at_once([=](const Task&) { return magnetic_json(*magnetic, ""); })};
}

}  // namespace intertwine
