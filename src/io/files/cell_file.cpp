// Reads crystals from phonopy.yaml and from geometry.in of FHI-aims.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/io/crystal_file.hpp"
#include "io/containers/text.hpp"
#include "io/expressions/atom_words.hpp"

namespace intertwine {

namespace {

/// Lines one by one, with their number for messages.
class CellLines {
 public:
  CellLines(std::string_view text, const std::string& name) : text_(text), name_(name) {}
  /// The next line, without its end and what stands behind #.
  bool next(std::string_view& line) {
    if (text_.empty()) return false;
    line = text_.substr(0, text_.find('\n'));
    text_.remove_prefix(std::min(line.size() + 1, text_.size()));
    ++number_;
    line = line.substr(0, line.find('#'));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    return true;
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw FileError(fmt::format("{}: line {}: {}", name_, number_, why));
  }
  /// Exactly three numbers.
  Vector3 three(const std::vector<std::string_view>& words, const char* what) const {
    if (words.size() != 3) refuse(fmt::format("{} has three numbers, and here are {}", what, words.size()));
    Vector3 x{};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto value = decimal_number(words[i]);
      if (!value) refuse(fmt::format("'{}' is no number; {} has three", shown(words[i], 40), what));
      x[i] = *value;
    }
    return x;
  }
  std::string element(std::string_view word) const {
    std::string symbol = element_named(word);
    if (symbol.empty()) refuse(fmt::format("'{}' is no element; write its symbol, such as C or Cl", shown(word, 20)));
    return symbol;
  }
  std::size_t number() const { return number_; }

 private:
  std::string_view text_;
  const std::string& name_;
  std::size_t number_ = 0;
};

/// The three numbers of "[ 1, 2, 3 ]".
Vector3 bracketed(const CellLines& lines, std::string_view text, const char* what) {
  const std::size_t open = text.find('['), close = text.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    lines.refuse(fmt::format("{} is written [ x, y, z ]", what));
  std::string inner(text.substr(open + 1, close - open - 1));
  std::ranges::replace(inner, ',', ' ');
  return lines.three(words_of_line(inner), what);
}

/// One cell of a file of phonopy: the indented lines behind its key.
struct YamlCell {
  CrystalStructure crystal{};
  std::size_t edges = 0;
  bool in_lattice = false;
  std::optional<std::string> symbol;  ///< of the atom whose coordinates have not come

  void read(const CellLines& lines, std::string_view line) {
    const std::string_view text = line.substr(std::min(line.find_first_not_of(" -"), line.size()));
    const auto value = [&] { return text.substr(text.find(':') + 1); };
    if (text.starts_with('[') && in_lattice) {
      if (edges == 3) lines.refuse("a lattice has three edges");
      crystal.cell[edges++] = bracketed(lines, text, "an edge of the lattice");
      return;
    }
    in_lattice = text.starts_with("lattice:");
    if (text.starts_with("symbol:")) {
      const auto words = words_of_line(value());
      if (symbol || words.size() != 1) lines.refuse("an atom has a symbol, and then its coordinates");
      symbol = lines.element(words[0]);
    } else if (text.starts_with("coordinates:")) {
      if (!symbol) lines.refuse("an atom has a symbol, and then its coordinates");
      crystal.atoms.push_back({*symbol, bracketed(lines, value(), "a place")});
      crystal.lines.push_back(lines.number());
      symbol.reset();
    }
  }
};

}  // namespace

CrystalStructure parse_phonopy_yaml(std::string_view text, const std::string& name) {
  constexpr const char* keys[] = {"unit_cell:", "primitive_cell:", "supercell:"};
  std::optional<YamlCell> cells[3];
  YamlCell* current = nullptr;
  CellLines lines(text, name);
  for (std::string_view line; lines.next(line);) {
    if (line.empty()) continue;
    if (line[0] != ' ' && line[0] != '-') {
      current = nullptr;
      for (std::size_t k = 0; k < 3; ++k)
        if (line == keys[k]) current = &cells[k].emplace();
      continue;
    }
    if (current != nullptr) current->read(lines, line);
  }
  for (const auto& cell : cells) {
    if (!cell) continue;
    if (cell->edges != 3 || cell->symbol || cell->crystal.atoms.empty())
      throw FileError(name +
                      ": a cell of phonopy has a lattice of three edges, and points with symbol and coordinates");
    return cell->crystal;
  }
  throw FileError(name + ": this file has no unit_cell, primitive_cell or supercell, as phonopy.yaml has");
}

CrystalStructure parse_geometry_in(std::string_view text, const std::string& name) {
  CrystalStructure crystal{};
  std::size_t edges = 0;
  std::vector<std::pair<std::size_t, Vector3>> cartesian;
  CellLines lines(text, name);
  for (std::string_view line; lines.next(line);) {
    auto words = words_of_line(line);
    if (words.empty()) continue;
    const std::string_view key = words[0];
    words.erase(words.begin());
    if (key == "lattice_vector") {
      if (edges == 3) lines.refuse("a cell has three edges, and this is the fourth lattice_vector");
      crystal.cell[edges++] = lines.three(words, "a lattice_vector");
    } else if (key == "atom" || key == "atom_frac") {
      if (words.size() != 4) lines.refuse(fmt::format("an atom has x, y, z and its element behind '{}'", key));
      const std::string element = lines.element(words.back());
      words.pop_back();
      const Vector3 x = lines.three(words, "the place of an atom");
      if (key == "atom") cartesian.emplace_back(crystal.atoms.size(), x);
      crystal.atoms.push_back({element, x});
      crystal.lines.push_back(lines.number());
      crystal.moments.push_back({});
    } else if (key == "initial_moment") {
      const auto moment = words.size() == 1 ? decimal_number(words[0]) : std::nullopt;
      if (crystal.atoms.empty() || !moment)
        lines.refuse("initial_moment stands behind its atom and has one number, the moment of its spin");
      crystal.moments.back()[2] = *moment;
      crystal.collinear = true;
    }
  }
  if (edges == 0)
    throw FileError(name +
                    ": there is no lattice_vector, so these atoms do not repeat; `molecule` finds the symmetry "
                    "of a cluster, from an .xyz file");
  if (edges != 3 || crystal.atoms.empty())
    throw FileError(fmt::format("{}: a crystal has three lines lattice_vector and atoms, and here are {} and {}", name,
                                edges, crystal.atoms.size()));
  std::vector<Vector3> places;
  for (const auto& atom : cartesian) places.push_back(atom.second);
  try {
    places = in_edges(crystal.cell, places);
  } catch (const DomainError& e) {
    throw FileError(name + ": " + e.what());
  }
  for (std::size_t k = 0; k < places.size(); ++k) crystal.atoms[cartesian[k].first].position = places[k];
  if (!crystal.collinear) crystal.moments.clear();
  return crystal;
}

}  // namespace intertwine
