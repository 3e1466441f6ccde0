// Writes character tables of point groups as chemists print them.
#include "intertwine/io/point_group_text.hpp"

#include <fmt/format.h>

#include <numeric>
#include <optional>

#include "intertwine/io/irrationalities.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/physics/printed_classes.hpp"
#include "io/answers/json_values.hpp"
#include "io/answers/proof_values.hpp"
#include "io/answers/record_parts.hpp"
#include "io/answers/row_label_cell.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

Cell cell_of(const OperationLabel& label) {
  OperationLabel bare = label;
  bare.count = 1;
  bare.axes = {};
  bare.full_turn = label.full_turn && label.kind == OperationLabel::Kind::identity;
  Cell cell(label.count == 1 ? "" : label.count.str());
  const std::string power = label.power == 1 ? "" : std::to_string(label.power);
  if (label.kind == OperationLabel::Kind::identity || label.kind == OperationLabel::Kind::inversion)
    cell += indexed(to_string(bare), to_string(bare), "");
  else if (label.kind == OperationLabel::Kind::reflection)
    cell += indexed(to_string(bare), "σ", std::string(label.suffix != 0, label.suffix), power, label.primes);
  else
    cell += indexed(to_string(bare), label.kind == OperationLabel::Kind::rotation ? "C" : "S",
                    std::to_string(label.order), power, label.primes);
  const bool alone = label.kind == OperationLabel::Kind::identity;
  if (label.full_turn && !alone) cell += Cell("R", "R", "R");
  if (!label.axes.empty()) cell += indexed(fmt::format("({})", label.axes), fmt::format("({})", label.axes), "");
  return cell;
}

/// (1+√5)/2.
Cell with_roots(const Cyclotomic& a) {
  std::string text = in_notation(a, IrrationalNotation::square_roots);
  for (std::size_t at; (at = text.find("ER(")) != std::string::npos;) {  // ER(5) is √5
    text.erase(text.find(')', at), 1);
    text.replace(at, 3, "√");
  }
  if (quadratic_form(a)) std::erase(text, '*');
  return Cell::formula(text, latex_in_notation(a, IrrationalNotation::square_roots));
}

Cell cell_of(const CartesianFunction& f) {
  constexpr const char* powers[] = {"", "", "²", "³"};
  Cell cell;
  for (const auto& [exponents, coefficient] : f.terms) {
    const bool minus = coefficient.is_rational() && coefficient.to_rational() < 0;
    const Cyclotomic size = minus ? -coefficient : coefficient;
    if (minus || !cell.text.empty()) cell += Cell(minus ? "-" : "+", minus ? "-" : "+", minus ? "−" : "+");
    if (size != Cyclotomic(1)) {
      const Cell number = with_roots(size);
      const std::string open = size.is_integer() ? "" : "(", close = size.is_integer() ? "" : ")";
      cell += Cell(open + number.text + close, open + number.latex + close, open + number.html + close);
    }
    for (std::size_t v = 0; v < 3; ++v) {
      const unsigned k = exponents[v];
      const std::string letter(1, "xyz"[v]), power = k > 1 ? std::to_string(k) : "";
      if (k == 0) continue;
      cell += f.rotation ? indexed("R" + letter, "R", letter) : indexed(letter + powers[k], letter, "", power);
    }
  }
  return cell;
}

Cell cell_of(const FunctionSet& set) {
  Cell cell;
  for (const CartesianFunction& f : set) {
    if (!cell.text.empty()) cell += Cell(", ", ", ", ", ");
    cell += cell_of(f);
  }
  if (set.size() == 1) return cell;
  Cell pair("(", "(", "(");
  pair += cell;
  return pair += Cell(")", ")", ")");
}

Cell cell_of(const std::vector<FunctionSet>& sets, const std::vector<FunctionSet>& more = {}) {
  Cell cell;
  for (const auto* list : {&sets, &more})
    for (const FunctionSet& set : *list) {
      if (!cell.text.empty()) cell += Cell(", ", ",\\; ", ", ");
      cell += cell_of(set);
    }
  return cell;
}

/// 2cos72°, -2cos144°, 2cos(4π/7): twice a cosine in the fewest degrees.
std::optional<Cell> twice_cosine(const Cyclotomic& a) {
  const std::uint32_t n = a.conductor();
  for (const bool minus : {false, true})
    for (std::uint32_t k = 1; 2 * k < n; ++k) {
      const Cyclotomic z = Cyclotomic::root_of_unity(n, k);
      if (z + z.conjugate() != (minus ? -a : a)) continue;
      const std::string sign = minus ? "-" : "";
      if (360 * k % n == 0) {
        const std::string angle = std::to_string(360 * k / n);
        return Cell(fmt::format("{}2cos{}°", sign, angle), fmt::format("{}2\\cos {}^{{\\circ}}", sign, angle),
                    fmt::format("{}2 cos {}°", minus ? "−" : "", angle));
      }
      const std::uint32_t g = std::gcd(2 * k, n), above = 2 * k / g, below = n / g;
      const std::string times = above == 1 ? "" : std::to_string(above);
      return Cell(fmt::format("{}2cos({}π/{})", sign, times, below),
                  fmt::format("{}2\\cos({}\\pi/{})", sign, times, below),
                  fmt::format("{}2 cos({}π/{})", minus ? "−" : "", times, below));
    }
  return std::nullopt;
}

/// \param icosahedral  where (1+√5)/2 is usual and not the cosine
Cell value_cell(const Cyclotomic& a, bool icosahedral) {
  if (a.is_rational()) return {to_string(a)};
  const auto q = quadratic_form(a);
  const bool root = q && q->x == 0;  // √2, √3
  if (!root && !icosahedral)
    if (const auto cell = twice_cosine(a)) return *cell;
  return with_roots(a);
}

OrderedJson json_of(const std::vector<FunctionSet>& sets) {
  OrderedJson list = OrderedJson::array();
  for (const FunctionSet& set : sets) {
    list.push_back(OrderedJson::array());
    for (const CartesianFunction& f : set) list.back().push_back(to_string(f));
  }
  return list;
}

}  // namespace

std::string to_string(const CartesianFunction& f) { return cell_of(f).text; }
std::string to_string(const FunctionSet& set) { return cell_of(set).text; }

namespace {

Sheet sheet_of(const PointGroupTable& table) {
  Sheet sheet;
  const FiniteGroup& G = table.table.group();
  sheet.title = fmt::format("{} ({}), order {}", table.schoenflies, table.hermann_mauguin, G.order().str());
  const bool doubled = table.schoenflies.ends_with(')');  // double(Oh)
  sheet.head = {doubled ? Cell(table.schoenflies)
                        : indexed(table.schoenflies, table.schoenflies.substr(0, 1), table.schoenflies.substr(1))};
  for (const auto& column : table.columns) sheet.head.push_back(cell_of(column.label));
  sheet.alignment = "l" + std::string(table.columns.size(), 'r') + "l";
  for (const char* title : {"linear, rotations", "quadratic"}) sheet.head.emplace_back(title);
  if (table.with_cubic) sheet.head.emplace_back("cubic");
  for (const PointGroupTable::Row& row : table.rows) {
    CellRow cells{label_cell(row.label)};
    for (const Cyclotomic& value : row.values) cells.push_back(value_cell(value, table.schoenflies[0] == 'I'));
    cells.push_back(cell_of(row.linear, row.rotations));
    cells.push_back(cell_of(row.quadratic));
    if (table.with_cubic) cells.push_back(cell_of(row.cubic));
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

std::string text_of(const PointGroupTable& table, unsigned width) {
  const Sheet sheet = sheet_of(table);
  return (width == 0 ? "" : sheet.title + "\n\n") + to_text(sheet, width);
}

OrderedJson fields_of(const PointGroupTable& table) {
  OrderedJson json;
  json["group"] = table.schoenflies;
  json["hermann_mauguin"] = table.hermann_mauguin;
  json["order"] = table.table.group().order().str();
  json["classes"] = OrderedJson::array();
  for (const auto& column : table.columns) {
    OrderedJson entry{{"name", to_string(column.label)}, {"class", column.number}};
    entry.update(json_value(table.table.classes()[column.number]));
    json["classes"].push_back(std::move(entry));
  }
  json["species"] = OrderedJson::array();
  for (const PointGroupTable::Row& row : table.rows) {
    OrderedJson entry{{"name", row.name()},
                      {"rows", row.rows},
                      {"characters", json_value(row.values)},
                      {"linear", json_of(row.linear)},
                      {"rotations", json_of(row.rotations)},
                      {"quadratic", json_of(row.quadratic)}};
    if (table.with_cubic) entry["cubic"] = json_of(row.cubic);
    json["species"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace

std::string to_json(const ClassFunction& f, const Task& task) {
  const PrintedClasses printed = printed_classes(f.table(), task);
  OrderedJson list = OrderedJson::array();
  for (std::size_t k = 0; k < printed.names.size(); ++k)
    list.push_back(
        {{"class", printed.names[k]}, {"number", printed.numbers[k]}, {"value", json_value(f[printed.numbers[k]])}});
  return json_text(list);
}

Record record(Kept<PointGroupTable> table) {
  return {.fields = at_once([=](const Task&) { return fields_of(*table); }),
          .text = [=](unsigned width, const Task&) { return text_of(*table, width); },
          .sheets = [=](const Task&) { return Sheets{sheet_of(*table)}; }};
}

}  // namespace intertwine
