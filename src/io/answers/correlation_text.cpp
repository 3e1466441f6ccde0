// Writes correlation tables of point groups.
#include "intertwine/io/correlation_text.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/physics/correlation.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "io/answers/json_values.hpp"
#include "io/answers/record_parts.hpp"
#include "io/answers/row_label_cell.hpp"

namespace intertwine {

namespace {

/// "C2 as C4², σv as σh": what the classes of the smaller group are in the larger one.
std::string fusion_text(const CorrelationTable& table, const CorrelationSetting& setting) {
  std::string text;
  for (std::size_t c = 1; c < setting.fusion.size(); ++c) {
    OperationLabel small = table.to.columns[c].label, large = table.from.columns[setting.fusion[c]].label;
    small.count = large.count = 1;
    text += fmt::format("{}{} as {}", c == 1 ? "" : ", ", to_string(small), to_string(large));
  }
  return text.empty() ? "the identity alone" : text;
}

Cell sum_cell(const CorrelationTable& table, const std::vector<std::uint64_t>& counts) {
  Cell cell;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] == 0) continue;
    if (!cell.text.empty()) cell += Cell(" + ", " + ", " + ");
    if (counts[k] > 1) cell += Cell(std::to_string(counts[k]));
    cell += label_cell(table.to.rows[k].label);
  }
  return cell.text.empty() ? Cell("-") : cell;
}

/// The lines of the table: names and, for every setting, the counts.
struct CorrelationLine {
  Cell name;
  std::vector<std::vector<std::uint64_t>> counts;
};
std::vector<CorrelationLine> correlation_lines(const CorrelationReport& report) {
  const CorrelationTable& table = report.table;
  std::vector<CorrelationLine> lines;
  if (report.rep) {
    lines.push_back({Cell(report.rep->first), {}});
    for (const CorrelationSetting& setting : table.settings) {
      std::vector<std::uint64_t> sum(table.to.rows.size());
      for (std::size_t i = 0; i < table.from.rows.size(); ++i)
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += report.rep->second[i] * setting.multiplicities[i][k];
      lines.back().counts.push_back(std::move(sum));
    }
    return lines;
  }
  for (std::size_t i = 0; i < table.from.rows.size(); ++i) {
    lines.push_back({label_cell(table.from.rows[i].label), {}});
    for (const CorrelationSetting& setting : table.settings) lines.back().counts.push_back(setting.multiplicities[i]);
  }
  return lines;
}

}  // namespace

std::vector<std::uint64_t> species_of(const PointGroupTable& table, const std::string& rep, const Task& task) {
  std::vector<std::uint64_t> counts(table.rows.size());
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (table.rows[i].name() == rep) {
      counts[i] = 1;
      return counts;
    }
  const Representation V = parse_representation(table.table.group(), rep, task);
  const std::vector<Integer> parts = multiplicities(character_of(V, table.table, task));
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::vector<std::size_t>& rows = table.rows[i].rows;
    if (parts[rows.front()] != parts[rows.back()])
      throw DomainError(
          fmt::format("{} of {} is not real: it has one of two conjugate species more often; take their sum", rep,
                      table.schoenflies));
    counts[i] = static_cast<std::uint64_t>(parts[rows.front()]);
  }
  return counts;
}

namespace {

Sheet sheet_of(const CorrelationReport& report) {
  const CorrelationTable& table = report.table;
  const auto group = [](const std::string& name) {
    return name.ends_with(')') ? Cell(name) : indexed(name, name.substr(0, 1), name.substr(1));  // double(Oh)
  };
  Sheet sheet{fmt::format("{} restricted to {}", table.from.schoenflies, table.to.schoenflies),
              {group(table.from.schoenflies)},
              {},
              "l"};
  for (std::size_t k = 0; k < table.settings.size(); ++k) {
    sheet.head.push_back(group(table.to.schoenflies));
    if (table.settings.size() > 1) {
      const std::string number = fmt::format(" ({})", k + 1);
      sheet.head.back() += Cell(number, "\\;" + number.substr(1), number);
    }
  }
  for (const CorrelationLine& line : correlation_lines(report)) {
    sheet.rows.push_back({line.name});
    for (const auto& counts : line.counts) sheet.rows.back().push_back(sum_cell(table, counts));
  }
  return sheet;
}

std::string text_of(const CorrelationReport& report, unsigned width) {
  const CorrelationTable& table = report.table;
  const Sheet sheet = sheet_of(report);
  const bool several = table.settings.size() > 1;
  std::string text = sheet.title + (several ? fmt::format(", in {} ways\n", table.settings.size()) : "\n");
  for (std::size_t k = 0; k < table.settings.size(); ++k)
    text += fmt::format("  {}{}\n", several ? fmt::format("({}) ", k + 1) : "", fusion_text(table, table.settings[k]));
  return text + "\n" + to_text(sheet, width);
}

OrderedJson fields_of(const CorrelationReport& report) {
  const CorrelationTable& table = report.table;
  OrderedJson json{{"from", table.from.schoenflies}, {"to", table.to.schoenflies}};
  if (report.rep) json["rep"] = report.rep->first;
  const std::vector<CorrelationLine> lines = correlation_lines(report);
  json["settings"] = OrderedJson::array();
  for (std::size_t s = 0; s < table.settings.size(); ++s) {
    OrderedJson classes = OrderedJson::object(), species = OrderedJson::object();
    for (std::size_t c = 0; c < table.to.columns.size(); ++c)
      classes[to_string(table.to.columns[c].label)] = to_string(table.from.columns[table.settings[s].fusion[c]].label);
    for (const CorrelationLine& line : lines) {
      OrderedJson counts = OrderedJson::object();
      for (std::size_t k = 0; k < table.to.rows.size(); ++k)
        if (line.counts[s][k] != 0) counts[table.to.rows[k].name()] = line.counts[s][k];
      species[line.name.text] = std::move(counts);
    }
    json["settings"].push_back({{"classes", std::move(classes)}, {"species", std::move(species)}});
  }
  return json;
}

}  // namespace

Record record(Kept<CorrelationReport> report) {
  return {.fields = at_once([=](const Task&) { return fields_of(*report); }),
          .text = [=](unsigned width, const Task&) { return text_of(*report, width); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*report)}; }};
}

}  // namespace intertwine
