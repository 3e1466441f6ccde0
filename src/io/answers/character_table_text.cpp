// Writes character tables.
#include "intertwine/io/character_table_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <ostream>
#include <unordered_map>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/io/latex.hpp"
#include "intertwine/io/lean_text.hpp"
#include "intertwine/io/records.hpp"
#include "io/answers/made_once.hpp"
#include "io/answers/number_arrays.hpp"
#include "io/answers/record_parts.hpp"
#include "io/answers/row_label_cell.hpp"
#include "io/answers/system_values.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

/// Irrational values as they stand in the table: short ones as they are, in LaTeX and in the notation of the ATLAS, others as
/// letters in the order in which they are met: A, B, ..., Z, AA, AB, ... A complex conjugate is written with a slash or a bar,
/// a negative with a minus, as GAP does.
class Legend {
 public:
  Legend(IrrationalNotation notation, bool latex) : notation_(notation), latex_(latex) {}
  const std::string& operator()(const Cyclotomic& a) {
    return met_(a, [this](const Cyclotomic& value) { return entry(value); });
  }

  /// The letters, each with its meaning.
  std::vector<std::pair<std::string, std::string>> meanings() const {
    std::vector<std::pair<std::string, std::string>> result;
    for (const auto& [letter, value] : values_) result.emplace_back(letter, in_words(value));
    return result;
  }

 private:
  std::string entry(const Cyclotomic& a) {
    if (a.is_zero()) return latex_ ? "0" : ".";
    if (a.is_rational()) return in_words(a);
    if (const std::string own = in_words(a); (latex_ || notation_ == IrrationalNotation::atlas) && is_short(own))
      return own;
    for (const bool minus : {false, true})
      for (const bool bar : {false, true}) {
        const Cyclotomic b = minus ? -a : a;
        const auto at = letters_.find(bar ? b.conjugate() : b);
        if (at == letters_.end()) continue;
        const std::string letter = !bar ? at->second : latex_ ? "\\overline{" + at->second + "}" : "/" + at->second;
        return (minus ? "-" : "") + letter;
      }
    std::string letter;
    for (std::size_t k = values_.size() + 1; k > 0; k = (k - 1) / 26)
      letter.insert(letter.begin(), static_cast<char>('A' + (k - 1) % 26));
    letters_.emplace(a, letter);
    values_.emplace_back(letter, a);
    return letter;
  }
  std::string in_words(const Cyclotomic& a) const {
    return latex_ ? latex_in_notation(a, notation_) : in_notation(a, notation_);
  }
  bool is_short(const std::string& text) const { return text.size() <= (latex_ ? 24U : 6U); }

  IrrationalNotation notation_;
  bool latex_;
  std::unordered_map<Cyclotomic, std::string> letters_;
  MadeOnce<std::string> met_;
  std::vector<std::pair<std::string, Cyclotomic>> values_;
};

std::string joined(const std::vector<std::string>& parts, const std::string& separator) {
  std::string text;
  for (std::size_t k = 0; k < parts.size(); ++k) text += (k ? separator : "") + parts[k];
  return text;
}

std::string text_of(const CharacterTable& table, unsigned width, IrrationalNotation notation, const Task& task) {
  const std::size_t n = table.size();
  const auto names = table.class_names();
  Cells cells;
  for (const auto& [p, map] : table.power_maps()) {  // powers of p in the centralizer orders
    std::vector<std::string> row{std::to_string(p)};
    for (std::size_t c = 0; c < n; ++c) {
      Integer rest = table.classes()[c].centralizer_order;
      unsigned k = 0;
      for (; rest % p == 0; rest /= p) ++k;
      row.push_back(k == 0 ? "." : std::to_string(k));
    }
    cells.push_back(std::move(row));
  }
  cells.emplace_back(n + 1);
  cells.emplace_back(names.begin(), names.end());
  cells.back().insert(cells.back().begin(), "");
  for (const auto& [p, map] : table.power_maps()) {
    std::vector<std::string> row{std::to_string(p) + "P"};
    for (const std::uint32_t c : map) row.push_back(names[c]);
    cells.push_back(std::move(row));
  }
  const std::size_t head = cells.size();
  Legend legend(notation, false);
  for (std::size_t i = 0; i < n; ++i) {
    const int nu = table.indicator(i);
    std::vector<std::string> row{table.name(i) + (nu == 1 ? " +" : nu == 0 ? " o" : " -")};
    for (std::size_t c = 0; c < n; ++c) {
      task.poll();
      row.push_back(legend(table(i, c)));
    }
    cells.push_back(std::move(row));
  }
  std::string letters;
  for (const auto& [letter, value] : legend.meanings()) letters += '\n' + letter + " = " + value;
  task.poll();
  return in_blocks(cells, head, width) + (letters.empty() ? "" : letters + "\n");
}

}  // namespace

Cell label_cell(const RowLabel& label) {
  const std::string name = to_string(label);
  if (const auto* number = std::get_if<NumberLabel>(&label))
    return {name, fmt::format("\\chi_{{{}}}", number->k), fmt::format("χ<sub>{}</sub>", number->k)};
  if (const auto* symbol = std::get_if<MullikenLabel>(&label)) {
    std::string below = symbol->index == 0 ? "" : std::to_string(symbol->index);
    if (symbol->parity != 0) below += symbol->parity;
    Cell cell = indexed(name, std::string(1, symbol->letter), below, {}, symbol->primes);
    if (symbol->member == 0) return cell;
    return {name, fmt::format("{{}}^{{{}}}", symbol->member) + cell.latex,
            fmt::format("<sup>{}</sup>", symbol->member) + cell.html};
  }
  std::string escaped;
  for (const char c : name) escaped += c == '{' || c == '}' ? std::string("\\") + c : std::string(1, c);
  return Cell::formula(name, "\\chi^{" + escaped + "}");
}

namespace {

std::string latex_of(const CharacterTable& table, IrrationalNotation notation, const Task& task) {
  Cells cells{{""}, {""}};
  for (const auto& name : table.class_names()) cells[0].push_back("\\mathrm{" + name + "}");
  for (std::size_t c = 0; c < table.size(); ++c) cells[1].push_back(table.classes()[c].size.str());
  Legend legend(notation, true);
  for (std::size_t i = 0; i < table.size(); ++i) {
    task.require_memory(2 * cells.size() * cells[0].size() * sizeof(std::string), "the table as text");
    cells.push_back({label_cell(table.label(i)).latex});
    for (const Cyclotomic& value : table.row(i)) {
      task.poll();
      cells.back().push_back(legend(value));
    }
  }
  return latex_table(cells, 2, "r", task) + latex_equations(legend.meanings());
}

Sheet sheet_of(const CharacterTable& table, IrrationalNotation notation, const Task& task) {
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

std::string names_of(const CharacterTable& table) {
  OrderedJson names = OrderedJson::array();
  for (std::size_t i = 0; i < table.size(); ++i) names.push_back(table.name(i));
  return json_text(names, -1);
}

AnswerArrays arrays_of(const CharacterTable& table, const Task& task) {
  const std::uint64_t k = table.size();
  Numbers values(k * k, task);
  std::vector<Integer> sizes, centralizers;
  std::vector<std::int64_t> orders, indicators;
  for (std::size_t i = 0; i < k; ++i) {
    task.poll();
    for (const Cyclotomic& value : table.row(i)) values.add(value);
    const ConjugacyClass c = table.classes()[i];
    sizes.push_back(c.size);
    centralizers.push_back(c.centralizer_order);
    orders.push_back(static_cast<std::int64_t>(c.element_order));
    indicators.push_back(table.indicator(i));
  }
  OrderedJson classes = OrderedJson::array();
  for (const std::string& name : table.class_names()) classes.push_back(name);
  return {
      {{"characters", {k, k}, std::move(values).complex()},
       {"class_sizes", {k}, whole_numbers(sizes)},
       {"centralizer_orders", {k}, whole_numbers(centralizers)},
       {"element_orders", {k}, std::move(orders)},
       {"indicators", {k}, std::move(indicators)}},
      described({{"group", table.group().name()}, {"irreps", names_of(table)}, {"classes", json_text(classes, -1)}})};
}

std::string system_of(Format system, const CharacterTable& table, const Task& task) {
  std::uint32_t n = 1;
  for (std::size_t i = 0; i < table.size(); ++i) {
    task.poll();
    for (const Cyclotomic& value : table.row(i)) n = std::lcm(n, value.conductor());
  }
  MadeOnce<std::string> words;
  std::string rows;
  for (std::size_t i = 0; i < table.size(); ++i) {
    task.poll();
    task.require_memory(4 * rows.size(), "the table as text");  // twice while it grows and is put together
    rows += i == 0 ? "[" : ", [";
    rows += list_of(table.row(i), ", ", [&](const Cyclotomic& value) -> const std::string& {
      return words(value, [&](const Cyclotomic& a) { return system_number(system, a, n); });
    });
    rows += "]";
  }
  return with_roots(system, system_matrix(system, rows, n == 1), n);
}

std::string gap_of(const CharacterTable& table, const Task& task) {
  const std::size_t n = table.size();
  std::vector<std::string> centralizers, orders, sizes;
  for (std::size_t c = 0; c < n; ++c) {
    centralizers.push_back(table.classes()[c].centralizer_order.str());
    orders.push_back(std::to_string(table.classes()[c].element_order));
    sizes.push_back(table.classes()[c].size.str());
  }
  std::uint32_t last = 0;
  std::string maps = table.power_maps().empty() ? ",[1]" : "";  // GAP wants one for the trivial group too
  for (const auto& [p, map] : table.power_maps()) {
    for (std::uint32_t k = std::max(last, 1U); k < p; ++k) maps += ",";  // the map of p is entry p of the list
    last = p;
    std::vector<std::string> images;
    for (const std::uint32_t c : map) images.push_back(std::to_string(c + 1));
    maps += "[" + joined(images, ",") + "]";
  }
  MadeOnce<std::string> words;
  std::string rows;
  for (std::size_t i = 0; i < n; ++i) {
    task.poll();
    task.require_memory(4 * rows.size(), "the table as text");  // twice while it grows and is put together
    rows += i == 0 ? "  [" : ",\n  [";
    for (const Cyclotomic& value : table.row(i)) {
      if (rows.back() != '[') rows += ',';
      rows += words(value, [](const Cyclotomic& a) { return to_string(a); });
    }
    rows += "]";
  }
  std::string name;
  for (const char ch : table.group().name())
    name += ch == '"' || ch == '\\' ? std::string("\\") + ch : std::string(1, ch);
  return fmt::format(
      "ConvertToCharacterTable(rec(UnderlyingCharacteristic:=0,\n Identifier:=\"{}\",\n Size:={},\n"
      " SizesCentralizers:=[{}],\n SizesConjugacyClasses:=[{}],\n OrdersClassRepresentatives:=[{}],\n"
      " ComputedPowerMaps:=[{}],\n Irr:=[\n{}\n ]))",
      name, table.group().order().str(), joined(centralizers, ","), joined(sizes, ","), joined(orders, ","), maps,
      rows);
}

void write_csv(std::ostream& out, const CharacterTable& table, const Task& task) {
  std::vector<std::string> cells = table.class_names();
  cells.insert(cells.begin(), "");
  out << to_csv({cells});
  MadeOnce<std::string> words;
  for (std::size_t i = 0; i < table.size(); ++i) {
    task.poll();
    cells = {table.name(i)};
    for (const Cyclotomic& value : table.row(i))
      cells.push_back(words(value, [](const Cyclotomic& a) { return to_string(a); }));
    out << to_csv({cells});
  }
}

}  // namespace

Record record(Kept<CharacterTable> table, IrrationalNotation notation) {
  return {.text = [=](unsigned width, const Task& task) { return text_of(*table, width, notation, task); },
          .latex = [=](const Task& task) { return latex_of(*table, notation, task); },
          .sheets = [=](const Task& task) { return Sheets{sheet_of(*table, notation, task)}; },
          .csv = [=](std::ostream& out, const Task& task) { write_csv(out, *table, task); },
          .expression =
              [=](Format system, const Task& task) {
                return system == Format::gap ? gap_of(*table, task) : system_of(system, *table, task);
              },
          .arrays = [=](const Task& task) { return arrays_of(*table, task); },
          .lean = [=](const Task& task) { return to_lean(*table, task); }};
}

}  // namespace intertwine
