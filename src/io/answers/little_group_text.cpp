// Writes representations at a wave vector.
#include "intertwine/io/little_group_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/latex.hpp"
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

std::string wave_vector_text(const LittleGroup& little) {
  return fmt::format("({}, {}, {})", little.k[0].str(), little.k[1].str(), little.k[2].str());
}

/// "k = (0, 0, 1/2)", "the line from k = (0, 0, 0) along (1, 0, 0)".
std::string place_of(const LittleGroup& little) {
  if (!little.direction) return "k = " + wave_vector_text(little);
  const auto& d = *little.direction;
  return fmt::format("the line from k = {} along ({}, {}, {})", wave_vector_text(little), d[0].str(), d[1].str(),
                     d[2].str());
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

/// `space_group` or `magnetic_space_group`.
void add_group(OrderedJson& json, const WaveVectorReport& report) {
  const LittleGroup& little = report.at;
  if (const auto* magnetic = std::get_if<MagneticSpaceGroup>(&little.group)) {
    OrderedJson& group = json["magnetic_space_group"];
    if (!report.name.empty()) group["name"] = report.name;
    if (report.kind) add_magnetic_kind(group, *report.kind);
    group["type"] = magnetic->type();
    group["operations"] = magnetic->operations().size();
    group["antiunitary"] = magnetic->antiunitary().size();
    return;
  }
  const auto& group = std::get<SpaceGroup>(little.group);
  const auto setting = listed_setting(group);
  json["space_group"] = {{"number", setting ? OrderedJson(setting->number) : OrderedJson()},
                         {"hall", group.hall()},
                         {"setting", setting ? OrderedJson(setting->name) : OrderedJson()}};
}

/// "q1^2 q3"; empty for order 0.
std::string monomial_text(const KpTerm::Exponents& exponents) {
  std::string text;
  for (std::size_t i = 0; i < 3; ++i) {
    if (exponents[i] == 0) continue;
    text += fmt::format("{}q{}", text.empty() ? "" : " ", i + 1);
    if (exponents[i] > 1) text += fmt::format("^{}", exponents[i]);
  }
  return text;
}

/// "3", "3 + 5", "2 x 4": numbers from 1 with how often they occur.
std::string parts_text(const std::vector<unsigned>& multiplicities) {
  std::string text;
  for (std::size_t r = 0; r < multiplicities.size(); ++r) {
    if (multiplicities[r] == 0) continue;
    text += text.empty() ? "" : " + ";
    if (multiplicities[r] > 1) text += fmt::format("{} x ", multiplicities[r]);
    text += std::to_string(r + 1);
  }
  return text;
}

/// "3", or the label where there is one.
std::string column_of_irrep(const std::vector<std::string>& labels, std::size_t r) {
  return labels.empty() ? std::to_string(r + 1) : labels[r];
}

/// A row for every irrep at k, a column for every one of the line: how often.
Sheet compatibility_sheet(const WaveVectorReport& report) {
  Sheet sheet{"how irreps at k split into those of the line", {"irrep at k"}, {}, "r"};
  const auto table = compatibility(report.at, *report.line);
  for (std::size_t c = 0; c < report.line->irreps.size(); ++c) sheet.head.emplace_back(std::to_string(c + 1));
  for (std::size_t r = 0; r < table.size(); ++r) {
    sheet.rows.push_back({column_of_irrep(report.labels, r)});
    for (const unsigned count : table[r]) sheet.rows.back().emplace_back(std::to_string(count));
  }
  return sheet;
}

/// An entry of a term's matrix in LaTeX.
std::string latex_kp_entry(const KpTerm& term, std::size_t row, std::size_t column) {
  std::string text;
  for (const auto& [exponents, matrix] : term.monomials) {
    const Cyclotomic x = matrix(row, column);
    if (x.is_zero()) continue;
    std::string monomial;
    for (std::size_t i = 0; i < 3; ++i) {
      if (exponents[i] == 0) continue;
      monomial += fmt::format("q_{{{}}}", i + 1);
      if (exponents[i] > 1) monomial += fmt::format("^{{{}}}", exponents[i]);
    }
    std::string factor = to_latex(x);
    const bool sum = factor.find_first_of("+-", 1) != std::string::npos;
    if (sum && (!monomial.empty() || !text.empty())) factor = "\\left(" + factor + "\\right)";
    if (!monomial.empty() && (factor == "1" || factor == "-1")) factor.pop_back();
    text += (text.empty() || factor.starts_with('-') ? "" : " + ") + factor + monomial;
  }
  return text.empty() ? "0" : text;
}

/// "level 2, irreps 3 and 4, dimension 2".
std::string level_heading(const LittleGroup& little, std::size_t level) {
  const auto& [irreps, degree] = little.corepresentations[level];
  const std::size_t a = irreps.front() + 1, b = irreps.back() + 1;
  const std::string which = a != b               ? fmt::format("irreps {} and {}", a, b)
                            : irreps.size() == 2 ? fmt::format("irrep {} twice", a)
                                                 : fmt::format("irrep {}", a);
  return fmt::format("level {}, {}, dimension {}", level + 1, which, degree);
}

std::string kp_text(const WaveVectorReport& report) {
  if (report.kp.empty()) return {};
  std::string text =
      "\nk.p Hamiltonians H(k + q), q in the basis dual to the edges: every matrix has a real parameter\n";
  for (std::size_t level = 0; level < report.kp.size(); ++level) {
    text += "\n" + level_heading(report.at, level) + "\n";
    for (std::size_t order = 0; order < report.kp[level].size(); ++order) {
      const auto& terms = report.kp[level][order];
      text += fmt::format("  order {}: {}\n", order,
                          terms.empty() ? "nothing" : counted(std::to_string(terms.size()), "parameter", "parameters"));
      for (std::size_t t = 0; t < terms.size(); ++t) {
        Cells cells;
        const std::size_t n = report.at.corepresentations[level].degree;
        for (std::size_t i = 0; i < n; ++i) {
          cells.emplace_back();
          for (std::size_t j = 0; j < n; ++j) cells.back().push_back(kp_entry(terms[t], i, j));
        }
        if (t > 0) text += "\n";
        const std::string matrix = aligned(cells);
        for (std::size_t at = 0; at < matrix.size();) {
          const std::size_t end = std::min(matrix.find('\n', at), matrix.size());
          text += "    " + matrix.substr(at, end - at) + "\n";
          at = end + 1;
        }
      }
    }
  }
  return text;
}

}  // namespace

std::array<Rational, 3> parse_wave_vector(std::string_view text, const Task& task) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  if (parts.size() != 3)
    throw DomainError(fmt::format("a wave vector is three rational numbers between commas, as 1/2,0,0, and {} has {}",
                                  shown(text, 40), parts.size()));
  std::array<Rational, 3> k;
  for (std::size_t i = 0; i < 3; ++i) {
    try {
      const Cyclotomic x = parse_cyclotomic(parts[i], task);
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

namespace {

/// Operations as rows; columns D_1, D_2, ..., or labels.
std::string latex_characters(const LittleGroup& little, const std::vector<std::string>& labels) {
  Cells cells{{"\\text{operation}"}};
  for (std::size_t r = 0; r < little.irreps.size(); ++r)
    cells[0].push_back(labels.empty() ? fmt::format("D_{{{}}}", r + 1) : "\\text{" + labels[r] + "}");
  for (std::size_t g = 0; g < little.operations.size(); ++g) {
    cells.push_back({operation_text(little.operations[g])});
    for (const auto& irrep : little.irreps) cells.back().push_back(to_latex(irrep.characters[g]));
  }
  return latex_table(cells, 1, "lr");
}

/// The answer, with labels of the irreps unless there are none.
std::string labelled_text(const LittleGroup& little, const std::vector<std::string>& labels,
                          const std::string& name = {}, const std::optional<MagneticKind>& kind = {}) {
  const std::size_t order = little.group_operations().size();
  std::string text = fmt::format(
      "{} of {}{}, in the basis dual to the edges of its cell\n"
      "{}"
      "co-group      {}: {} of {} modulo translations leave it where it is\n"
      "star          {}\n"
      "spin          {}\n"
      "irreps        {}\n"
      "levels        {}\n",
      place_of(little), name.empty() ? "" : name + ", ", group_text(little),
      kind ? "group         " + magnetic_kind_text(*kind) + "\n" : "", point_group_symbol(little.operations),
      little.operations.size(), counted(std::to_string(order), "operation", "operations"),
      counted(std::to_string(little.star), "wave vector", "wave vectors"), spin_text(little),
      sum_of_degrees(irrep_degrees(little)),
      little.antiunitary.empty()
          ? "the same: nothing that reverses time leaves it where it is"
          : sum_of_degrees(level_degrees(little)) +
                fmt::format(" under {} that reverse time",
                            counted(std::to_string(little.antiunitary.size()), "operation", "operations")));
  Cells cells{{"irrep", "dimension", "type", "level"}};
  if (!labels.empty()) cells[0].insert(cells[0].begin() + 1, "label");
  const std::vector<std::string> levels = level_texts(little);
  for (std::size_t r = 0; r < little.irreps.size(); ++r) {
    cells.push_back({std::to_string(r + 1), std::to_string(little.irreps[r].degree),
                     std::string(to_text(little.irreps[r].type)), levels[r]});
    if (!labels.empty()) cells.back().insert(cells.back().begin() + 1, labels[r]);
  }
  text += "\n" + aligned(cells) + "\ncharacters; a translation t is exp(-2 pi i k.t):\n";
  Cells table{{"operation"}};
  if (little.spin == SpinKind::half) table[0].push_back("turn");
  for (std::size_t r = 0; r < little.irreps.size(); ++r) table[0].push_back(column_of_irrep(labels, r));
  for (std::size_t g = 0; g < little.operations.size(); ++g) {
    table.push_back({operation_text(little.operations[g])});
    if (little.spin == SpinKind::half) table.back().push_back(lift_text(little.rotations[g]));
    for (const auto& irrep : little.irreps) table.back().push_back(to_string(irrep.characters[g]));
  }
  return text + aligned(table);
}

std::string compatibility_text(const WaveVectorReport& report) {
  Cells cells{{"irrep at k", "irreps of the line"}};
  const auto table = compatibility(report.at, *report.line);
  for (std::size_t r = 0; r < table.size(); ++r) cells.push_back({std::to_string(r + 1), parts_text(table[r])});
  return "\n" + labelled_text(*report.line, {}) + "\n" + aligned(cells);
}

Sheet sheet_of(const LittleGroup& little) {
  Sheet sheet{fmt::format("{} of {}", place_of(little), group_text(little)), {"operation"}, {}, "lr"};
  for (std::size_t r = 0; r < little.irreps.size(); ++r) sheet.head.push_back(std::to_string(r + 1));
  for (std::size_t g = 0; g < little.operations.size(); ++g) {
    sheet.rows.push_back({operation_text(little.operations[g])});
    for (const auto& irrep : little.irreps) sheet.rows.back().emplace_back(to_string(irrep.characters[g]));
  }
  return sheet;
}

}  // namespace

std::string magnetic_kind_text(const MagneticKind& kind) {
  return fmt::format("{} (BNS {}), OG {}{}, UNI {}", kind.bns_symbol.empty() ? "group" : kind.bns_symbol,
                     kind.bns_number, kind.og_symbol.empty() ? "" : kind.og_symbol + " ", kind.og_number, kind.uni);
}

void add_magnetic_kind(OrderedJson& json, const MagneticKind& kind) {
  const auto or_null = [](const std::string& text) { return text.empty() ? OrderedJson() : OrderedJson(text); };
  json["bns"] = {{"number", kind.bns_number}, {"symbol", or_null(kind.bns_symbol)}};
  json["og"] = {{"number", kind.og_number}, {"symbol", or_null(kind.og_symbol)}};
  json["uni"] = kind.uni;
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
  json["co_group"] = {{"schoenflies", point_group_symbol(little.operations)}, {"order", little.operations.size()}};
  json["spin"] = little.spin == SpinKind::none ? "0" : "1/2";
  json["operations"] = OrderedJson::array();
  for (std::size_t g = 0; g < little.operations.size(); ++g) {
    json["operations"].push_back(operation_json(little.operations[g]));
    if (little.spin == SpinKind::half)
      json["operations"].back()["turn"] = {{"order", little.rotations[g].order}, {"axis", little.rotations[g].axis}};
  }
  json["antiunitary"] = OrderedJson::array();
  for (const SpaceOperation& g : little.antiunitary) json["antiunitary"].push_back(operation_json(g));
  json["irreps"] = OrderedJson::array();
  for (const auto& irrep : little.irreps)
    json["irreps"].push_back(
        {{"dimension", irrep.degree}, {"type", to_text(irrep.type)}, {"characters", json_value(irrep.characters)}});
  json["levels"] = OrderedJson::array();
  for (const auto& level : little.corepresentations)
    json["levels"].push_back({{"irreps", level.irreps}, {"dimension", level.degree}});
  return json;
}

std::vector<std::vector<std::vector<KpTerm>>> kp_of_levels(const LittleGroup& little, unsigned order,
                                                           const Task& task) {
  std::vector<std::vector<std::vector<KpTerm>>> levels(little.corepresentations.size());
  for (std::size_t level = 0; level < levels.size(); ++level)
    for (unsigned m = 0; m <= order; ++m) levels[level].push_back(kp_terms(little, level, m, {}, task));
  return levels;
}

std::string kp_entry(const KpTerm& term, std::size_t row, std::size_t column) {
  std::string text;
  for (const auto& [exponents, matrix] : term.monomials) {
    const Cyclotomic x = matrix(row, column);
    if (x.is_zero()) continue;
    std::string factor = to_string(x);
    const std::string monomial = monomial_text(exponents);
    const bool sum = factor.find_first_of("+-", 1) != std::string::npos;
    if (sum && (!monomial.empty() || !text.empty())) factor = "(" + factor + ")";
    const bool minus = factor.front() == '-';
    if (!text.empty()) text += minus ? " - " : " + ";
    if (!text.empty() && minus) factor.erase(0, 1);
    if (monomial.empty())
      text += factor;
    else if (factor == "1" || factor == "-1")
      text += factor.substr(0, factor.size() - 1) + monomial;
    else
      text += factor + " " + monomial;
  }
  return text.empty() ? "0" : text;
}

namespace {

std::string text_of(const WaveVectorReport& report) {
  return labelled_text(report.at, report.labels, report.name, report.kind) +
         (report.line ? compatibility_text(report) : "") + kp_text(report);
}

}  // namespace

OrderedJson wave_vector_json(const WaveVectorReport& report) {
  OrderedJson json = little_group_json(report.at);
  for (std::size_t r = 0; r < report.labels.size(); ++r) json["irreps"][r]["label"] = report.labels[r];
  if (report.line) {
    json["line"] = little_group_json(*report.line);
    json["line"]["compatibility"] = compatibility(report.at, *report.line);
  }
  if (report.kp.empty()) return json;
  json["kp"] = OrderedJson::array();
  for (const auto& orders : report.kp) {
    OrderedJson level = OrderedJson::array();
    for (const auto& terms : orders) {
      OrderedJson list = OrderedJson::array();
      for (const KpTerm& term : terms) {
        list.push_back(OrderedJson::array());
        for (const auto& [exponents, matrix] : term.monomials) {
          OrderedJson rows = OrderedJson::array();
          for (std::size_t i = 0; i < matrix.rows(); ++i) {
            std::vector<Cyclotomic> row;
            for (std::size_t j = 0; j < matrix.cols(); ++j) row.push_back(matrix(i, j));
            rows.push_back(json_value(row));
          }
          list.back().push_back({{"exponents", exponents}, {"matrix", std::move(rows)}});
        }
      }
      level.push_back(std::move(list));
    }
    json["kp"].push_back(std::move(level));
  }
  return json;
}

namespace {

OrderedJson fields_of(const WaveVectorReport& report) {
  OrderedJson json;
  add_group(json, report);
  json["k"] = wave_vector_json(report);
  return json;
}

std::string latex_of(const WaveVectorReport& report) {
  std::string text = latex_characters(report.at, report.labels);
  if (report.line) text += latex_characters(*report.line, {}) + to_latex(Sheets{compatibility_sheet(report)});
  std::vector<std::pair<std::string, std::string>> equations;
  for (std::size_t level = 0; level < report.kp.size(); ++level) {
    const std::size_t n = report.at.corepresentations[level].degree;
    for (std::size_t order = 0; order < report.kp[level].size(); ++order)
      for (std::size_t t = 0; t < report.kp[level][order].size(); ++t) {
        std::string matrix = "\\begin{pmatrix}";
        for (std::size_t i = 0; i < n; ++i) {
          matrix += i == 0 ? "" : " \\\\ ";
          for (std::size_t j = 0; j < n; ++j)
            matrix += (j == 0 ? "" : " & ") + latex_kp_entry(report.kp[level][order][t], i, j);
        }
        equations.emplace_back(fmt::format("H_{{{}}}^{{({},{})}}", level + 1, order, t + 1), matrix + "\\end{pmatrix}");
      }
  }
  return equations.empty() ? text : text + latex_equations(equations);
}

Sheets sheets_of(const WaveVectorReport& report) {
  Sheets sheets{sheet_of(report.at)};
  for (std::size_t r = 0; r < report.labels.size(); ++r) sheets[0].head[r + 1] = report.labels[r];
  if (report.line) {
    sheets.push_back(sheet_of(*report.line));
    sheets.push_back(compatibility_sheet(report));
  }
  if (report.kp.empty()) return sheets;
  Sheet sheet{"k.p Hamiltonians H(k + q), q in the basis dual to the edges: entries that are not 0",
              {"level", "dimension", "order", "parameter", "row", "column", "entry"},
              {},
              "rrrrrrl"};
  for (std::size_t level = 0; level < report.kp.size(); ++level) {
    const std::size_t n = report.at.corepresentations[level].degree;
    for (std::size_t order = 0; order < report.kp[level].size(); ++order)
      for (std::size_t t = 0; t < report.kp[level][order].size(); ++t)
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j) {
            const std::string entry = kp_entry(report.kp[level][order][t], i, j);
            if (entry == "0") continue;
            sheet.rows.push_back({std::to_string(level + 1), std::to_string(n), std::to_string(order),
                                  std::to_string(t + 1), std::to_string(i + 1), std::to_string(j + 1), entry});
          }
  }
  sheets.push_back(std::move(sheet));
  return sheets;
}

}  // namespace

Record record(Kept<LittleGroup> little) {
  return {.fields = at_once([=](const Task&) { return fields_of(WaveVectorReport{*little}); }),
          .text = [=](unsigned, const Task&) { return labelled_text(*little, {}); },
          .latex = [=](const Task&) { return latex_characters(*little, {}); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*little)}; }};
}

Record record(Kept<WaveVectorReport> report) {
  return {.fields = at_once([=](const Task&) { return fields_of(*report); }),
          .text = [=](unsigned, const Task&) { return text_of(*report); },
          .latex = [=](const Task&) { return latex_of(*report); },
          .sheets = [=](const Task&) { return sheets_of(*report); }};
}

}  // namespace intertwine
