#include "intertwine/io/character_table_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace intertwine {

namespace {

/// Letters for irrational values, in the order in which they are met: A, B, ..., Z, AA, AB, ... A complex conjugate is
/// written with a slash, a negative with a minus, as GAP does.
class Legend {
 public:
  explicit Legend(Notation notation) : notation_(notation) {}
  std::string operator()(const Cyclotomic& a) {
    if (a.is_zero()) return ".";
    if (a.is_rational()) return to_string(a);
    for (const bool minus : {false, true})
      for (const bool bar : {false, true}) {
        const Cyclotomic b = minus ? -a : a;
        const auto at = letters_.find(bar ? b.conjugate() : b);
        if (at != letters_.end()) return (minus ? "-" : "") + std::string(bar ? "/" : "") + at->second;
      }
    std::string letter;
    for (std::size_t k = values_.size() + 1; k > 0; k = (k - 1) / 26)
      letter.insert(letter.begin(), static_cast<char>('A' + (k - 1) % 26));
    letters_.emplace(a, letter);
    values_.emplace_back(letter, a);
    return letter;
  }

  std::string text() const {
    std::string result;
    for (const auto& [letter, value] : values_)
      result += letter + " = " + in_notation(value, notation_) + "\n";
    return result;
  }

 private:
  Notation notation_;
  std::unordered_map<Cyclotomic, std::string> letters_;
  std::vector<std::pair<std::string, Cyclotomic>> values_;
};

using Cells = std::vector<std::vector<std::string>>;  ///< rows; column 0 holds the labels

std::string joined(const std::vector<std::string>& parts, const std::string& separator) {
  std::string text;
  for (std::size_t k = 0; k < parts.size(); ++k) text += (k ? separator : "") + parts[k];
  return text;
}

}  // namespace

std::string in_blocks(const Cells& cells, std::size_t head, unsigned width) {
  const std::size_t columns = cells[0].size();
  std::vector<std::size_t> widths(columns, 0);
  for (const auto& row : cells)
    for (std::size_t c = 0; c < columns; ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string text;
  for (std::size_t from = 1; from < columns;) {
    std::size_t to = from, used = widths[0];
    while (to < columns && (to == from || width == 0 || used + 1 + widths[to] <= width))
      used += 1 + widths[to++];
    if (!text.empty()) text += "\n";
    for (std::size_t r = 0; r < cells.size(); ++r) {
      std::string line = fmt::format("{:<{}}", cells[r][0], widths[0]);
      for (std::size_t c = from; c < to; ++c) line += fmt::format(" {:>{}}", cells[r][c], widths[c]);
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      if (r + 1 == head) text += "\n";
    }
    from = to;
  }
  return text;
}

std::string to_text(const CharacterTable& table, unsigned width, Notation notation) {
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
  Legend legend(notation);
  for (std::size_t i = 0; i < n; ++i) {
    const int nu = table.indicator(i);
    std::vector<std::string> row{table.name(i) + (nu == 1 ? " +" : nu == 0 ? " o" : " -")};
    for (std::size_t c = 0; c < n; ++c) row.push_back(legend(table(i, c)));
    cells.push_back(std::move(row));
  }
  const std::string letters = legend.text();
  return in_blocks(cells, head, width) + (letters.empty() ? "" : "\n" + letters);
}

std::string to_latex(const CharacterTable& table, Notation notation) {
  const std::size_t n = table.size();
  std::string text = "\\begin{array}{r|" + std::string(n, 'r') + "}\n";
  const auto names = table.class_names();
  std::vector<std::string> row;
  for (const auto& name : names) row.push_back("\\mathrm{" + name + "}");
  text += "& " + joined(row, " & ") + " \\\\\n";
  row.clear();
  for (std::size_t c = 0; c < n; ++c) row.push_back(table.classes()[c].size.str());
  text += "& " + joined(row, " & ") + " \\\\ \\hline\n";
  for (std::size_t i = 0; i < n; ++i) {
    row.clear();
    for (std::size_t c = 0; c < n; ++c) row.push_back(latex_in_notation(table(i, c), notation));
    const bool number = table.name(i).starts_with("X.");
    text += (number ? fmt::format("\\chi_{{{}}}", i + 1) : "\\chi^{" + table.name(i) + "}") + " & " +
            joined(row, " & ") + " \\\\\n";
  }
  return text + "\\end{array}\n";
}

std::string to_gap(const CharacterTable& table) {
  const std::size_t n = table.size();
  std::vector<std::string> centralizers, orders, sizes, powers, rows;
  for (std::size_t c = 0; c < n; ++c) {
    centralizers.push_back(table.classes()[c].centralizer_order.str());
    orders.push_back(std::to_string(table.classes()[c].element_order));
    sizes.push_back(table.classes()[c].size.str());
  }
  std::uint32_t last = 0;
  std::string maps;
  for (const auto& [p, map] : table.power_maps()) {
    for (std::uint32_t k = std::max(last, 1U); k < p; ++k)
      maps += ",";  // the map of p is entry p of the list
    last = p;
    std::vector<std::string> images;
    for (const std::uint32_t c : map) images.push_back(std::to_string(c + 1));
    maps += "[" + joined(images, ",") + "]";
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::string> values;
    for (std::size_t c = 0; c < n; ++c) values.push_back(to_string(table(i, c)));
    rows.push_back("  [" + joined(values, ",") + "]");
  }
  std::string name;
  for (const char ch : table.group().name())
    name += ch == '"' || ch == '\\' ? std::string("\\") + ch : std::string(1, ch);
  return fmt::format(
      "ConvertToCharacterTable(rec(UnderlyingCharacteristic:=0,\n Identifier:=\"{}\",\n Size:={},\n"
      " SizesCentralizers:=[{}],\n SizesConjugacyClasses:=[{}],\n OrdersClassRepresentatives:=[{}],\n"
      " ComputedPowerMaps:=[{}],\n Irr:=[\n{}\n ]));\n",
      name, table.group().order().str(), joined(centralizers, ","), joined(sizes, ","), joined(orders, ","),
      maps, joined(rows, ",\n"));
}

}  // namespace intertwine
