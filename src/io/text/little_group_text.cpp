// Writes representations at a wave vector.
#include "intertwine/io/little_group_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/answer_sheets.hpp"
#include "intertwine/io/latex.hpp"
#include "intertwine/io/structure_file.hpp"
#include "io/containers/text.hpp"
#include "io/text/json_values.hpp"
#include "io/text/little_group_json.hpp"
#include "io/text/species_text.hpp"

namespace intertwine {

namespace {

std::string wave_vector_text(const LittleGroup& little) {
  return fmt::format("({}, {}, {})", little.k[0].str(), little.k[1].str(), little.k[2].str());
}

/// "k = (0, 0, 1/2)", "the line from k = (0, 0, 0) along (1, 0, 0)".
std::string place_of(const LittleGroup& little) {
  if (!little.direction) return "k = " + wave_vector_text(little);
  const auto& d = *little.direction;
  return fmt::format("the line from k = {} along ({}, {}, {})", wave_vector_text(little), d[0].str(),
                     d[1].str(), d[2].str());
}

std::string group_text(const LittleGroup& little) {
  if (const auto* magnetic = std::get_if<MagneticSpaceGroup>(&little.group))
    return fmt::format("a magnetic space group of type {}", magnetic->type());
  const auto& group = std::get<SpaceGroup>(little.group);
  const auto setting = listed_setting(group);
  return setting ? fmt::format("{} (number {})", setting->name, setting->number) : group.hall();
}

/// "2", "4, with 3", "4, twice".
std::vector<std::string> level_texts(const LittleGroup& little) {
  std::vector<std::string> texts(little.irreps.size());
  for (const auto& level : little.corepresentations) {
    const std::size_t a = level.irreps.front(), b = level.irreps.back();
    texts[a] = std::to_string(level.degree);
    if (a != b) {
      texts[b] = fmt::format("{}, with {}", level.degree, a + 1);
      texts[a] += fmt::format(", with {}", b + 1);
    } else if (level.irreps.size() == 2) {
      texts[a] += ", twice";
    }
  }
  return texts;
}

/// "2 x 4 + 2" for degrees 4, 4, 2.
std::string sum_of_degrees(const std::vector<unsigned>& degrees) {
  std::map<unsigned, std::size_t> counts;
  for (const unsigned d : degrees) ++counts[d];
  std::string text;
  for (const auto& [degree, count] : counts)
    text += fmt::format("{}{} of dimension {}", text.empty() ? "" : ", ", count, degree);
  return text;
}

std::vector<unsigned> level_degrees(const LittleGroup& little) {
  std::vector<unsigned> degrees;
  for (const auto& level : little.corepresentations) degrees.push_back(level.degree);
  return degrees;
}
std::vector<unsigned> irrep_degrees(const LittleGroup& little) {
  std::vector<unsigned> degrees;
  for (const auto& irrep : little.irreps) degrees.push_back(irrep.degree);
  return degrees;
}

/// "4: [0 0 1]", the turn by a quarter about c.
std::string lift_text(const SpinRotation& r) {
  return r.order == 1 ? "1" : fmt::format("{}: [{} {} {}]", r.order, r.axis[0], r.axis[1], r.axis[2]);
}

std::string spin_text(const LittleGroup& little) {
  if (little.spin == SpinKind::none) return "none: amplitudes are numbers";
  return "1/2: operations turn spinors as they are listed, n: [axis] by 2 pi / n; inversion leaves them";
}

OrderedJson operation_json(const SpaceOperation& g) {
  OrderedJson translation = OrderedJson::array();
  for (const int w : g.w) translation.push_back(Rational(w, 12).str());
  return {{"operation", operation_text(g)}, {"rotation", g.W}, {"translation", std::move(translation)}};
}

}  // namespace

std::array<Rational, 3> parse_wave_vector(std::string_view text) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  if (parts.size() != 3)
    throw DomainError(
        fmt::format("a wave vector is three rational numbers between commas, as 1/2,0,0, and {} has {}",
                    shown(text, 40), parts.size()));
  std::array<Rational, 3> k;
  for (std::size_t i = 0; i < 3; ++i) {
    try {
      const Cyclotomic x = parse_cyclotomic(parts[i]);
      if (!x.is_rational()) throw DomainError("it is irrational");
      k[i] = x.to_rational();
    } catch (const ParseError& error) {
      throw DomainError(fmt::format("coordinate {} of the wave vector: {}", i + 1, error.what()));
    } catch (const DomainError&) {
      throw DomainError(
          fmt::format("coordinate {} of the wave vector, {}, is not rational", i + 1, shown(parts[i], 40)));
    }
  }
  return k;
}

std::string to_text(const LittleGroup& little) {
  const std::size_t order = little.group_operations().size();
  std::string text = fmt::format(
      "{} of {}, in the basis dual to the edges of its cell\n"
      "co-group      {}: {} of {} modulo translations leave it where it is\n"
      "star          {}\n"
      "spin          {}\n"
      "irreps        {}\n"
      "levels        {}\n",
      place_of(little), group_text(little), point_group_symbol(little.operations), little.operations.size(),
      counted(std::to_string(order), "operation", "operations"),
      counted(std::to_string(little.star), "wave vector", "wave vectors"), spin_text(little),
      sum_of_degrees(irrep_degrees(little)),
      little.antiunitary.empty()
          ? "the same: nothing that reverses time leaves it where it is"
          : sum_of_degrees(level_degrees(little)) +
                fmt::format(" under {} that reverse time",
                            counted(std::to_string(little.antiunitary.size()), "operation", "operations")));
  Cells cells{{"irrep", "dimension", "type", "level"}};
  const std::vector<std::string> levels = level_texts(little);
  for (std::size_t r = 0; r < little.irreps.size(); ++r)
    cells.push_back({std::to_string(r + 1), std::to_string(little.irreps[r].degree),
                     std::string(to_text(little.irreps[r].type)), levels[r]});
  text += "\n" + aligned(cells) + "\ncharacters; a translation t is exp(-2 pi i k.t):\n";
  Cells table{{"operation"}};
  if (little.spin == SpinKind::half) table[0].push_back("turn");
  for (std::size_t r = 0; r < little.irreps.size(); ++r) table[0].push_back(std::to_string(r + 1));
  for (std::size_t g = 0; g < little.operations.size(); ++g) {
    table.push_back({operation_text(little.operations[g])});
    if (little.spin == SpinKind::half) table.back().push_back(lift_text(little.rotations[g]));
    for (const auto& irrep : little.irreps) table.back().push_back(to_string(irrep.characters[g]));
  }
  return text + aligned(table);
}

OrderedJson little_group_json(const LittleGroup& little) {
  OrderedJson json;
  json["coordinates"] = OrderedJson::array();
  for (const Rational& x : little.k) json["coordinates"].push_back(x.str());
  if (little.direction) {
    json["direction"] = OrderedJson::array();
    for (const Rational& x : *little.direction) json["direction"].push_back(x.str());
  }
  json["star"] = little.star;
  json["co_group"] = {{"schoenflies", point_group_symbol(little.operations)},
                      {"order", little.operations.size()}};
  json["spin"] = little.spin == SpinKind::none ? "0" : "1/2";
  json["operations"] = OrderedJson::array();
  for (std::size_t g = 0; g < little.operations.size(); ++g) {
    json["operations"].push_back(operation_json(little.operations[g]));
    if (little.spin == SpinKind::half)
      json["operations"].back()["turn"] = {{"order", little.rotations[g].order},
                                           {"axis", little.rotations[g].axis}};
  }
  json["antiunitary"] = OrderedJson::array();
  for (const SpaceOperation& g : little.antiunitary) json["antiunitary"].push_back(operation_json(g));
  json["irreps"] = OrderedJson::array();
  for (const auto& irrep : little.irreps)
    json["irreps"].push_back({{"dimension", irrep.degree},
                              {"type", to_text(irrep.type)},
                              {"characters", json_value(irrep.characters)}});
  json["levels"] = OrderedJson::array();
  for (const auto& level : little.corepresentations)
    json["levels"].push_back({{"irreps", level.irreps}, {"dimension", level.degree}});
  return json;
}

std::string to_json(const LittleGroup& little) {
  OrderedJson json;
  if (const auto* group = std::get_if<SpaceGroup>(&little.group)) {
    const auto setting = listed_setting(*group);
    json["space_group"] = {{"number", setting ? OrderedJson(setting->number) : OrderedJson()},
                           {"hall", group->hall()},
                           {"setting", setting ? OrderedJson(setting->name) : OrderedJson()}};
  }
  json["k"] = little_group_json(little);
  return json_text(json);
}

std::string to_latex(const LittleGroup& little) {
  Cells cells{{"\\text{operation}"}};
  for (std::size_t r = 0; r < little.irreps.size(); ++r) cells[0].push_back(fmt::format("D_{{{}}}", r + 1));
  for (std::size_t g = 0; g < little.operations.size(); ++g) {
    cells.push_back({operation_text(little.operations[g])});
    for (const auto& irrep : little.irreps) cells.back().push_back(to_latex(irrep.characters[g]));
  }
  return latex_table(cells, 1, "lr");
}

Sheet to_sheet(const LittleGroup& little) {
  Sheet sheet{fmt::format("{} of {}", place_of(little), group_text(little)), {"operation"}, {}, "lr"};
  for (std::size_t r = 0; r < little.irreps.size(); ++r) sheet.head.push_back(std::to_string(r + 1));
  for (std::size_t g = 0; g < little.operations.size(); ++g) {
    sheet.rows.push_back({operation_text(little.operations[g])});
    for (const auto& irrep : little.irreps) sheet.rows.back().emplace_back(to_string(irrep.characters[g]));
  }
  return sheet;
}

}  // namespace intertwine
