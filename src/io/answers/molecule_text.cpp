// Writes the report on a molecule.
#include <fmt/format.h>

#include <algorithm>

#include "intertwine/io/latex.hpp"
#include "intertwine/io/molecule_file.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/physics/molecular_motions.hpp"
#include "io/answers/component_text.hpp"
#include "io/answers/json_values.hpp"
#include "io/answers/record_parts.hpp"
#include "io/answers/species_text.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

std::string kind_name(SymmetryCoordinate::Kind kind) {
  return kind == SymmetryCoordinate::Kind::translation ? "translation"
         : kind == SymmetryCoordinate::Kind::rotation  ? "rotation"
                                                       : "vibration";
}

/// The nonzero entries, "0.408 x2 - 0.408 y3".
std::string displacement_text(const std::vector<double>& vector) {
  std::string text;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    if (std::abs(vector[i]) < 5e-7) continue;
    text += text.empty() ? (vector[i] < 0 ? "-" : "") : vector[i] < 0 ? " - " : " + ";
    text += fmt::format("{:.6f} {}{}", std::abs(vector[i]), "xyz"[i % 3], i / 3 + 1);
  }
  return text;
}

std::string coordinates_text(const MoleculeReport& report) {
  std::string text = "symmetry coordinates, orthonormal in the frame (x2 is the shift of atom 2 along x):\n";
  for (const SymmetryCoordinate& c : *report.coordinates) {
    const Species& s = report.motions.species[c.species];
    text += fmt::format("  {} {}{}  {}\n    {}\n", s.name, c.copy + 1,
                        s.degree == 1 ? "" : fmt::format(".{}", c.partner + 1), kind_name(c.kind),
                        displacement_text(c.vector));
  }
  return text;
}

std::string blocks_text(const MoleculeReport& report) {
  std::string text =
      "force constants in 3 x 3 blocks, pairs that the group exchanges once; xy: by x of the first atom and "
      "y of the "
      "second, . is 0\n";
  const auto& atoms = report.symmetry.atoms;
  for (const ForceConstantBlock& b : *report.blocks) {
    text += fmt::format("  {}{} {}{}: {}, {}\n", atoms[b.first].element, b.first + 1, atoms[b.second].element,
                        b.second + 1, counted(std::to_string(b.pairs), "pair", "equivalent pairs"),
                        counted(std::to_string(b.constants()), "constant", "constants"));
    Cells cells(3, {"  "});
    for (std::size_t i = 0; i < 3; ++i) std::ranges::copy(component_cells(b.form, i), std::back_inserter(cells[i]));
    text += aligned(cells);
  }
  return text;
}

/// "C3v at 0.049, Cs at 0; beyond the tolerance Td at 0.12", the nearest first; nothing where there is one group.
std::string ladder_text(const MolecularSymmetry& m) {
  if (m.ladder.size() < 2) return "";
  std::string within, beyond;
  for (const SymmetryRung& rung : m.ladder) {
    const std::string text = fmt::format("{} at {:.2g}", rung.schoenflies, cleaned(rung.deviation));
    if (rung.deviation > m.tolerance)
      beyond = text + (beyond.empty() ? "" : ", ") + beyond;
    else
      within += (within.empty() ? "" : ", ") + text;
  }
  return "groups        " + within + (beyond.empty() ? "" : "; beyond the tolerance " + beyond) + "\n";
}

std::string heading(const MoleculeReport& report) {
  const MolecularSymmetry& m = report.symmetry;
  const std::string order = m.kind == MoleculeKind::nonlinear
                                ? "order " + m.group.order().str()
                                : "infinite order; " + m.group.name() + " stands for it here";
  return fmt::format(
             "{}: {}, {}\npoint group   {} ({}), {}\ntolerance     {:g}; operations take atoms at most "
             "{:.2g} "
             "beside others; "
             "exact symmetry is at most {:.2g} away, atoms were not moved\n",
             report.name, formula(m.atoms), counted(std::to_string(m.atoms.size()), "atom", "atoms"), m.schoenflies,
             m.hermann_mauguin, order, m.tolerance, cleaned(m.deviation), cleaned(m.displacement)) +
         ladder_text(m);
}

std::string text_of(const MoleculeReport& report) {
  constexpr std::size_t shown_atoms = 24;
  const MolecularSymmetry& m = report.symmetry;
  const auto& species = report.motions.species;
  std::string text = heading(report);
  text += fmt::format("all motions   {}\n", sum_of_species(species, &Species::total));
  text += fmt::format("translations  {}\n", sum_of_species(species, &Species::translations));
  text += fmt::format("rotations     {}\n", sum_of_species(species, &Species::rotations));
  text += fmt::format("vibrations    {}\n", sum_of_species(species, &Species::vibrations));
  Cells cells{{"", "degree", "all", "transl.", "rot.", "vibr.", "IR", "Raman", "hyper-Raman"}};
  const auto mark = [](bool active) { return std::string(active ? "active" : "-"); };
  for (const Species& s : species)
    cells.push_back({s.name, std::to_string(s.degree), std::to_string(s.total), std::to_string(s.translations),
                     std::to_string(s.rotations), std::to_string(s.vibrations), mark(s.infrared), mark(s.raman),
                     mark(s.hyper_raman)});
  text += "\n" + aligned(cells);
  text += fmt::format("\nindependent force constants: {} of a symmetric {} x {} matrix, {} among vibrations\n",
                      report.motions.force_constants.str(), 3 * m.atoms.size(), 3 * m.atoms.size(),
                      report.motions.internal_force_constants.str());
  if (m.atoms.size() <= shown_atoms) {
    Cells places{{"atom", "orbit", "x", "y", "z"}};
    for (std::size_t i = 0; i < m.atoms.size(); ++i) {
      places.push_back({fmt::format("{}{}", m.atoms[i].element, i + 1), std::to_string(m.orbits[i] + 1)});
      for (const double x : m.oriented[i]) places.back().push_back(fmt::format("{:.4f}", std::abs(x) < 5e-5 ? 0.0 : x));
    }
    text += "\nin the frame of the group, main axis z, origin at the mean of the atoms:\n" + aligned(places);
  }
  if (report.blocks) text += "\n" + blocks_text(report);
  if (report.coordinates) text += "\n" + coordinates_text(report);
  return text;
}

OrderedJson fields_of(const MoleculeReport& report) {
  const MolecularSymmetry& m = report.symmetry;
  OrderedJson json;
  json["name"] = report.name;
  json["formula"] = formula(m.atoms);
  json["point_group"] = {
      {"schoenflies", m.schoenflies},
      {"hermann_mauguin", m.hermann_mauguin},
      {"order", m.kind == MoleculeKind::nonlinear ? OrderedJson(m.group.order().str()) : OrderedJson()},
      {"group", m.group.name()},
      {"linear", m.kind == MoleculeKind::linear}};
  json["tolerance"] = m.tolerance;
  json["deviation"] = m.deviation;
  json["displacement"] = m.displacement;
  json["ladder"] = OrderedJson::array();
  for (const SymmetryRung& rung : m.ladder)
    json["ladder"].push_back({{"schoenflies", rung.schoenflies},
                              {"order", rung.order == 0 ? OrderedJson() : OrderedJson(std::to_string(rung.order))},
                              {"deviation", rung.deviation},
                              {"within_tolerance", rung.deviation <= m.tolerance}});
  json["frame"] = {{"centre", m.centre}, {"rotation", m.rotation}};
  for (std::size_t i = 0; i < m.atoms.size(); ++i)
    json["atoms"].push_back({{"element", m.atoms[i].element},
                             {"orbit", m.orbits[i]},
                             {"position", cleaned(m.oriented[i])},
                             {"symmetrized", cleaned(m.symmetrized[i])}});
  for (std::size_t s = 0; s < m.images.size(); ++s)
    json["generators"].push_back({{"atoms", m.images[s].to_string()}, {"matrix", m.matrices[s]}});
  json["species"] = OrderedJson::array();
  for (const Species& s : report.motions.species)
    json["species"].push_back({{"name", s.name},
                               {"degree", s.degree},
                               {"rows", s.rows},
                               {"all", s.total},
                               {"translations", s.translations},
                               {"rotations", s.rotations},
                               {"vibrations", s.vibrations},
                               {"infrared", s.infrared},
                               {"raman", s.raman},
                               {"hyper_raman", s.hyper_raman}});
  json["force_constants"] = {{"all", report.motions.force_constants.str()},
                             {"vibrations", report.motions.internal_force_constants.str()}};
  if (report.blocks) {
    json["force_constants"]["blocks"] = OrderedJson::array();
    for (const ForceConstantBlock& b : *report.blocks) {
      OrderedJson block{{"atoms", {b.first, b.second}}, {"pairs", b.pairs}, {"constants", b.constants()}};
      put_components(b.form, block);
      json["force_constants"]["blocks"].push_back(std::move(block));
    }
  }
  if (!report.coordinates) return json;
  json["coordinates"] = OrderedJson::array();
  for (const SymmetryCoordinate& c : *report.coordinates) {
    std::vector<double> vector;
    for (const double x : c.vector) vector.push_back(cleaned(x));
    json["coordinates"].push_back({{"species", report.motions.species[c.species].name},
                                   {"kind", kind_name(c.kind)},
                                   {"copy", c.copy},
                                   {"partner", c.partner},
                                   {"vector", std::move(vector)}});
  }
  return json;
}

std::string latex_of(const MoleculeReport& report) {
  Cells cells{{latex_symbol(report.symmetry.schoenflies), "\\Gamma_{3N}", "\\Gamma_{\\mathrm{trans}}",
               "\\Gamma_{\\mathrm{rot}}", "\\Gamma_{\\mathrm{vib}}", "\\mathrm{IR}", "\\mathrm{Raman}",
               "\\mathrm{hyper}"}};
  const auto mark = [](bool active) { return active ? "\\bullet" : ""; };
  for (const Species& s : report.motions.species)
    cells.push_back({latex_species(s.name), std::to_string(s.total), std::to_string(s.translations),
                     std::to_string(s.rotations), std::to_string(s.vibrations), mark(s.infrared), mark(s.raman),
                     mark(s.hyper_raman)});
  return latex_table(cells, 1, "lrrrrc");
}

Sheet sheet_of(const MoleculeReport& report) {
  const MolecularSymmetry& m = report.symmetry;
  Sheet sheet{fmt::format("{}: point group {} ({})", report.name, m.schoenflies, m.hermann_mauguin),
              {"species", "degree", "all", "translations", "rotations", "vibrations", "IR", "Raman", "hyper-Raman"},
              {},
              "lrrrrrl"};
  const auto mark = [](bool active) { return active ? "active" : "-"; };
  for (const Species& s : report.motions.species)
    sheet.rows.push_back({s.name, std::to_string(s.degree), std::to_string(s.total), std::to_string(s.translations),
                          std::to_string(s.rotations), std::to_string(s.vibrations), mark(s.infrared), mark(s.raman),
                          mark(s.hyper_raman)});
  return sheet;
}

}  // namespace

Record record(Kept<MoleculeReport> report) {
  return {.fields = at_once([=](const Task&) { return fields_of(*report); }),
          .text = [=](unsigned, const Task&) { return text_of(*report); },
          .latex = [=](const Task&) { return latex_of(*report); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*report)}; }};
}

}  // namespace intertwine
