// Writes decompositions of representations of finite groups, and how often irreducible ones occur in symmetric powers.
#include <fmt/format.h>

#include <map>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/exact/sum_text.hpp"
#include "intertwine/io/character_table_text.hpp"
#include "intertwine/io/npy.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_text.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "intertwine/representations/orthonormal_basis.hpp"
#include "io/answers/indicator_text.hpp"
#include "io/answers/matrix_values.hpp"
#include "io/answers/record_parts.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

std::string text_of(const Decomposition& d, bool columns) {
  constexpr std::size_t shown = 16;  // columns that fit a terminal
  Cells rows{{"irrep", "degree", "multiplicity", "indicator"}};
  if (d.over == BaseField::rational)
    for (const char* title : {"Schur index", "division algebra"}) rows.front().emplace_back(title);
  for (const Constituent& part : d.constituents) {
    const std::size_t row = part.irreps.front();
    const int indicator = d.table.indicator(row);
    rows.push_back({fmt::format("{}  {}", row + 1, row_names(d.table, part.irreps)), part.degree.str(),
                    part.multiplicity.str(), indicator_text(indicator)});
    if (d.over == BaseField::rational)
      for (const std::string& text : {to_text(part.index), to_text(division_algebra(part.index, part.irreps.size()))})
        rows.back().push_back(text);
  }
  std::string text = fmt::format("{} of {}: dimension {}, over the {} numbers\n", d.representation,
                                 d.table.group().name(), d.dimension, to_string(d.over)) +
                     aligned(rows);
  if (!d.components || !columns) return text;
  text += "change of basis T: its columns are the new basis vectors, T^-1 rho(g) T is block diagonal" +
          std::string(d.orthonormal ? ",\nand unitary: the vectors are orthonormal" : "") + "\n";
  std::size_t first = 1;
  Cells matrix(static_cast<std::size_t>(d.dimension), {"  "});
  if (d.orthonormal && !(d.orthonormal->form == FieldMatrix::identity(AbelianField(), d.dimension)))
    text += "  for the invariant form\n" + to_text(d.orthonormal->form, "    ");
  for (std::size_t c = 0; c < d.components->size(); ++c) {
    const IsotypicComponent& part = (*d.components)[c];
    const std::size_t n = part.inclusion.cols();
    const auto T = d.orthonormal ? std::optional(d.orthonormal->components[c].basis()) : std::nullopt;
    text += fmt::format("  columns {}-{}: {} x {} over {}\n", first, first + n - 1, part.multiplicity,
                        row_names(d.table, part.irreps), part.field.to_string());
    first += n;
    for (std::size_t i = 0; d.dimension <= shown && i < d.dimension; ++i)
      for (std::size_t j = 0; j < n; ++j) matrix[i].push_back(T ? T->entry(i, j) : to_string(part.inclusion(i, j)));
  }
  return text + (d.dimension <= shown ? aligned(matrix) : "  (large: write it with --output T.json or T.npy)\n");
}

OrderedJson constituent_json(const Decomposition& d, const Constituent& part) {
  const std::size_t row = part.irreps.front();
  OrderedJson entry{{"irrep", row},
                    {"degree", part.degree.str()},
                    {"multiplicity", part.multiplicity.str()},
                    {"indicator", d.table.indicator(row)},
                    {"name", row_names(d.table, part.irreps)}};
  if (d.over == BaseField::rational) {
    entry["schur_index"] = json_value(part.index);
    entry["division_algebra"] = json_value(division_algebra(part.index, part.irreps.size()));
  }
  if (part.irreps.size() > 1) entry["conjugates"] = std::vector(part.irreps.begin() + 1, part.irreps.end());
  return entry;
}

void write_orthonormal(JsonWriter& json, const OrthonormalComponent& part) {
  json.key("orthonormal").open_object();
  write_rows(json.key("vectors"), part.vectors);
  write_member(json, "norms", json_value(part.norms));
  write_numbers(json.key("basis"), part.basis());
  write_unitary(json, part.matrices);
  json.close();
}

void write_fields(JsonWriter& json, const Decomposition& d) {
  write_member(json, "group", d.table.group().name());
  write_member(json, "rep", d.representation);
  write_member(json, "dimension", std::to_string(d.dimension));
  write_member(json, "over", to_string(d.over));
  json.key("constituents");
  write_list(json, d.constituents, [&](const Constituent& part) { return constituent_json(d, part); });
  if (!d.components) return;
  if (d.orthonormal) write_rows(json.key("form"), d.orthonormal->form);
  json.key("components").open_list();
  for (std::size_t c = 0; c < d.components->size(); ++c) {
    const IsotypicComponent& part = (*d.components)[c];
    json.open_object();
    write_member(json, "irreps", part.irreps);
    write_member(json, "name", row_names(d.table, part.irreps));
    write_member(json, "field", part.field.to_string());
    write_member(json, "degree", part.degree);
    write_member(json, "multiplicity", part.multiplicity);
    json.key("matrices").open_list();
    for (const FieldMatrix& A : part.matrices) write_rows(json, A);
    json.close();
    write_rows(json.key("inclusion"), part.inclusion);
    write_rows(json.key("projection"), part.projection);
    if (d.orthonormal) write_orthonormal(json, d.orthonormal->components[c]);
    json.close();
  }
  json.close();
}

Sheet sheet_of(const Decomposition& d) {
  Sheet sheet{fmt::format("{} of {}: dimension {}, over the {} numbers", d.representation, d.table.group().name(),
                          d.dimension, to_string(d.over)),
              {"irrep", "degree", "multiplicity"},
              {},
              "lr"};
  for (const Constituent& part : d.constituents)
    sheet.rows.push_back({row_names(d.table, part.irreps), part.degree.str(), part.multiplicity.str()});
  return sheet;
}

}  // namespace

std::string to_npy(const Decomposition& d) {
  if (!d.components) throw DomainError("to_npy: the decomposition has no components");
  const auto n = static_cast<std::size_t>(d.dimension);
  std::vector<double> values(n * n);
  std::size_t first = 0;
  for (std::size_t c = 0; c < d.components->size(); ++c) {
    const IsotypicComponent& part = (*d.components)[c];
    const auto T = d.orthonormal ? std::optional(d.orthonormal->components[c].basis()) : std::nullopt;
    if (!part.field.is_real())
      throw DomainError("decompose: the component of the irreducible representation in row " +
                        std::to_string(part.irreps.front()) + " is over " + part.field.to_string() +
                        ", and .npy files hold real numbers; decompose --over real, or write .json");
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < part.inclusion.cols(); ++j)
        values[i * n + first + j] = (T ? (*T)(i, j) : part.inclusion(i, j).to_complex()).real();
    first += part.inclusion.cols();
  }
  return to_npy(NpyArray{{n, n}, std::move(values)});
}

Record record(Kept<Decomposition> d, bool columns) {
  return {.fields = piecewise([=](JsonWriter& json) { write_fields(json, *d); }),
          .text = [=](unsigned, const Task&) { return text_of(*d, columns); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*d)}; }};
}

namespace {

/// "1 - 2t + t^3".
std::string polynomial(const std::vector<Integer>& coefficients) {
  std::string text;
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    const Integer& c = coefficients[k];
    if (c == 0) continue;
    const Integer size = abs(c);
    text += c < 0 ? (text.empty() ? "-" : " - ") : text.empty() ? "" : " + ";
    const std::string power = k == 0 ? "" : k == 1 ? "t" : "t^" + std::to_string(k);
    text += size != 1 || k == 0 ? size.str() + power : power;
  }
  return text.empty() ? "0" : text;
}

}  // namespace

std::string molien_heading(const MolienReport& report) {
  return fmt::format(
      fmt::runtime(report.row ? "{} of {}: how often {} occurs in Sym^k" : "{} of {}: dim Hom(Sym^k, {})"),
      report.representation, report.group, report.target);
}

std::string to_text(const MolienSeries& series) {
  std::string text(" ");
  for (const Integer& a : series.coefficients) text += " " + a.str();
  text += "\n";
  if (series.numerator.empty()) return text;
  std::map<std::uint64_t, std::size_t> powers;
  for (const std::uint64_t d : series.degrees) ++powers[d];
  std::string below;
  for (const auto& [d, times] : powers)
    below += (d == 1 ? "(1 - t)" : fmt::format("(1 - t^{})", d)) + (times == 1 ? "" : fmt::format("^{}", times));
  constexpr unsigned width = 100;
  const std::string above = "  = (" + polynomial(series.numerator) + ")",
                    divided = below.empty() ? "" : " / (" + below + ")";
  if (above.size() + divided.size() <= width) return text + above + divided + "\n";
  return text + wrapped_sum(above, width) + (divided.empty() ? "" : " " + divided + "\n");
}

namespace {

std::string text_of(const MolienReport& report) {
  return fmt::format("{}, k = 0 ... {}\n", molien_heading(report), report.series.coefficients.size() - 1) +
         to_text(report.series);
}

OrderedJson fields_of(const MolienReport& report) {
  const MolienSeries& series = report.series;
  OrderedJson json;
  json["group"] = report.group;
  json["rep"] = report.representation;
  json["dimension"] = std::to_string(report.dimension);
  if (report.row)
    json["irrep"] = *report.row;
  else
    json["out"] = report.target;
  json["coefficients"] = json_value(series.coefficients);
  json["numerator"] = series.numerator.empty() ? OrderedJson() : json_value(series.numerator);
  json["denominator_degrees"] = series.degrees;
  return json;
}

Sheet sheet_of(const MolienReport& report) {
  Sheet sheet{molien_heading(report), {"degree", "multiplicity"}, {}, "r"};
  for (std::size_t k = 0; k < report.series.coefficients.size(); ++k)
    sheet.rows.push_back({std::to_string(k), report.series.coefficients[k].str()});
  return sheet;
}

}  // namespace

Record record(Kept<MolienReport> report) {
  return {.fields = at_once([=](const Task&) { return fields_of(*report); }),
          .text = [=](unsigned, const Task&) { return text_of(*report); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*report)}; }};
}

}  // namespace intertwine
