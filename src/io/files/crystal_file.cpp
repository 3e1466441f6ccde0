// Reads crystals from POSCAR, and from files by what they are.
#include "intertwine/io/crystal_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/molecule_file.hpp"
#include "io/containers/text.hpp"
#include "io/expressions/atom_words.hpp"

namespace intertwine {

namespace {

/// The files of VASP: a comment, a scale, three edges, elements, their numbers, how places are given, places.
class PoscarReader {
 public:
  PoscarReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  CrystalStructure read() {
    const std::string_view comment = next_line();
    const std::vector<double> scale = numbers(next_line(), "the scale, one number or three");
    if (scale.size() != 1 && scale.size() != 3) refuse("the scale is one number, or three");
    CrystalStructure crystal;
    for (Vector3& edge : crystal.cell) {
      const auto row = numbers(next_line(), "an edge of the cell");
      if (row.size() != 3)
        refuse(fmt::format("an edge of the cell has x, y and z, and here are {} numbers", row.size()));
      std::ranges::copy(row, edge.begin());
    }
    const Vector3 factors = scale_factors(crystal.cell, scale);
    for (Vector3& edge : crystal.cell)
      for (std::size_t i = 0; i < 3; ++i) edge[i] *= factors[i];
    try {
      in_edges(crystal.cell, {});
    } catch (const DomainError& e) {
      throw FileError(fmt::format("{}: line 3: {}", name_, e.what()));
    }
    std::string_view line = next_line();
    std::vector<std::string> kinds = elements_of_comment(comment, line);
    if (kinds.empty()) {
      kinds = elements(line);
      line = next_line();
    }
    const auto counts = counts_of(line, kinds.size());
    std::string_view mode = next_line();
    if (first_letter(mode) == 's') mode = next_line();  // Selective dynamics
    const char letter = first_letter(mode);
    if (letter != 'd' && letter != 'c' && letter != 'k')
      refuse(fmt::format("'{}' says neither Direct nor Cartesian", shown(mode, 40)));
    read_places(crystal, kinds, counts);
    if (letter != 'd') to_edges(crystal, factors);
    return crystal;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw FileError(fmt::format("{}: line {}: {}", name_, line_, why));
  }
  std::string_view next_line() {
    if (text_.empty()) {
      ++line_;
      refuse(
          "the file ends here; a POSCAR has a comment, a scale, three edges, elements, their numbers, Direct "
          "or "
          "Cartesian, and the places of the atoms");
    }
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    const std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    ++line_;
    return line;
  }
  static char first_letter(std::string_view line) {
    const auto words = words_of_line(line);
    return words.empty() ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(words[0][0])));
  }
  /// Numbers up to a comment.
  std::vector<double> numbers(std::string_view line, const char* what) const {
    std::vector<double> result;
    for (const std::string_view word : words_of_line(line)) {
      const auto value = decimal_number(word);
      if (!value && !result.empty() && (word[0] == '#' || word[0] == '!')) break;
      if (!value) refuse(fmt::format("'{}' is no number; this line has {}", shown(word, 40), what));
      result.push_back(*value);
    }
    return result;
  }
  /// One number is a factor, or if negative the volume; three are factors of x, y and z.
  Vector3 scale_factors(const Matrix3& cell, const std::vector<double>& scale) const {
    if (scale.size() == 3) return {scale[0], scale[1], scale[2]};
    if (scale[0] >= 0) return {scale[0], scale[0], scale[0]};
    const double volume = std::abs(cell_volume({cell, {}}));
    const double factor = volume > 0 ? std::cbrt(-scale[0] / volume) : 0;
    return {factor, factor, factor};
  }
  /// Files of VASP 4 have no line of elements, and phonopy's have them as the comment: "Na Cl". None if the line
  /// behind the edges has no numbers of atoms, or if the comment does not have an element for each of them.
  static std::vector<std::string> elements_of_comment(std::string_view comment, std::string_view line) {
    const auto counts = words_of_line(line), names = words_of_line(comment);
    const auto is_count = [](std::string_view word) {
      return std::ranges::all_of(word, [](unsigned char c) { return std::isdigit(c) != 0; });
    };
    if (counts.empty() || counts.size() != names.size() || !std::ranges::all_of(counts, is_count)) return {};
    std::vector<std::string> kinds;
    for (const std::string_view word : names) {
      const std::string symbol = element_named(word);
      if (symbol.empty() || symbol != word) return {};
      kinds.push_back(symbol);
    }
    return kinds;
  }
  /// "Si", and "Fe_pv" and "O/4a1b" as VASP writes the names of potentials.
  std::vector<std::string> elements(std::string_view line) const {
    std::vector<std::string> result;
    for (const std::string_view word : words_of_line(line)) {
      const std::string symbol = element_named(word.substr(0, word.find_first_of("_/")));
      if (symbol.empty() || std::isdigit(static_cast<unsigned char>(word[0])) != 0)
        refuse(decimal_number(word)
                   ? "the elements are missing: this line has numbers, as in files of VASP 4; put a line "
                     "with the symbols "
                     "of the elements before it, or write them into the first line"
                   : fmt::format("'{}' is no element; write its symbol, such as C or Cl", shown(word, 20)));
      result.push_back(symbol);
    }
    if (result.empty()) refuse("the elements are missing; this line has their symbols, such as Na Cl");
    return result;
  }
  std::vector<std::size_t> counts_of(std::string_view line, std::size_t kinds) const {
    std::vector<std::size_t> result;
    std::size_t sum = 0;
    constexpr std::size_t most = 100'000;
    for (const std::string_view word : words_of_line(line)) {
      if (word[0] == '#' || word[0] == '!') break;
      std::size_t count = 0;
      const auto [rest, status] = std::from_chars(word.data(), word.data() + word.size(), count);
      if (status != std::errc() || rest != word.data() + word.size() || count > most)
        refuse(fmt::format("'{}' is no number of atoms", shown(word, 20)));
      sum += count;
      result.push_back(count);
    }
    if (result.size() != kinds || sum == 0 || sum > most)
      refuse(
          fmt::format("this line has {} numbers of atoms for {} elements, {} atoms in all", result.size(), kinds, sum));
    return result;
  }
  void read_places(CrystalStructure& crystal, const std::vector<std::string>& kinds,
                   const std::vector<std::size_t>& counts) {
    for (std::size_t k = 0; k < kinds.size(); ++k)
      for (std::size_t i = 0; i < counts[k]; ++i) {
        const auto words = words_of_line(next_line());
        if (words.size() < 3)
          refuse(fmt::format("atom {} ({}) has {} of three coordinates", crystal.atoms.size() + 1, kinds[k],
                             words.size()));
        Atom atom{kinds[k], {}};
        for (std::size_t j = 0; j < 3; ++j) {
          const auto value = decimal_number(words[j]);
          if (!value) refuse(fmt::format("'{}' is no coordinate", shown(words[j], 40)));
          atom.position[j] = *value;
        }
        crystal.atoms.push_back(std::move(atom));
        crystal.lines.push_back(line_);
      }
  }
  static void to_edges(CrystalStructure& crystal, const Vector3& factors) {
    std::vector<Vector3> places;
    for (const Atom& atom : crystal.atoms) {
      places.push_back(atom.position);
      for (std::size_t i = 0; i < 3; ++i) places.back()[i] *= factors[i];
    }
    places = in_edges(crystal.cell, places);
    for (std::size_t k = 0; k < places.size(); ++k) crystal.atoms[k].position = places[k];
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t line_ = 0;
};

bool ends_with_any(const std::string& name, std::initializer_list<const char*> endings) {
  return std::ranges::any_of(endings, [&](const char* ending) { return name.ends_with(ending); });
}

}  // namespace

CrystalStructure parse_poscar(std::string_view text, const std::string& name) {
  return PoscarReader(text, name).read();
}

namespace {

CrystalStructure parse_by_kind(std::string_view text, const std::string& name, Occupancy occupancy) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // the mark of UTF-8
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw FileError(name +
                    " is empty; a crystal is read from a CIF, a POSCAR, an extended .xyz file, phonopy.yaml, "
                    "geometry.in or a .cell file of CASTEP");
  std::string low = name;
  for (char& c : low) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (ends_with_any(low, {".cif", ".mcif"})) return parse_cif(text, name, occupancy);
  if (ends_with_any(low, {".vasp", "poscar", "contcar"})) return parse_poscar(text, name);
  if (ends_with_any(low, {".xyz"})) return parse_crystal_xyz(text, name);
  if (ends_with_any(low, {".yaml", ".yml"})) return parse_phonopy_yaml(text, name);
  if (ends_with_any(low, {".in"})) return parse_geometry_in(text, name);
  if (ends_with_any(low, {".cell"})) return parse_castep_cell(text, name);
  // By its contents: a number alone begins .xyz, a line that begins with data_ is CIF's.
  std::size_t lines = 0;
  for (std::string_view rest = text; !rest.empty() && lines < 1000; ++lines) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const auto words = words_of_line(line);
    if (words.empty()) continue;
    std::size_t count = 0;
    if (lines == 0 && words.size() == 1 &&
        std::from_chars(words[0].data(), words[0].data() + words[0].size(), count).ptr ==
            words[0].data() + words[0].size())
      return parse_crystal_xyz(text, name);
    if (line.starts_with("data_")) return parse_cif(text, name, occupancy);
    if (words[0] == "lattice_vector") return parse_geometry_in(text, name);
    if (words.size() == 2 && (words[0] == "%BLOCK" || words[0] == "%block" || words[0] == "%Block"))
      return parse_castep_cell(text, name);
    if (line.starts_with("unit_cell:") || line.starts_with("primitive_cell:")) return parse_phonopy_yaml(text, name);
  }
  return parse_poscar(text, name);
}

}  // namespace

Occupancy occupancy_named(std::string_view word) {
  if (word == "refuse") return Occupancy::refuse;
  if (word == "average") return Occupancy::average;
  if (word == "split") return Occupancy::split;
  throw DomainError(fmt::format("the occupancy '{}' is none of average, split and refuse", shown(word, 20)));
}

CrystalStructure parse_crystal(std::string_view text, const std::string& name, Occupancy occupancy) {
  CrystalStructure crystal = parse_by_kind(text, name, occupancy);
  // Programs write moments of 0 for crystals that have none.
  if (std::ranges::all_of(crystal.moments, [](const Vector3& m) { return m == Vector3{}; })) crystal.moments.clear();
  if (crystal.moments.empty()) crystal.collinear = false;
  return crystal;
}

void give_moments(CrystalStructure& crystal, std::string_view magmom) {
  const auto refuse = [](const std::string& why) {
    throw DomainError("MAGMOM " + why + "; write it as VASP has it, 2*5 2*-5 4*0, or x y z for every atom");
  };
  std::string text(magmom.substr(std::min(magmom.find('=') + 1, magmom.size())));
  if (magmom.find('=') == std::string_view::npos) text = std::string(magmom);
  std::ranges::replace(text, ',', ' ');
  std::vector<double> numbers;
  constexpr std::size_t most = 300'000;
  for (const std::string_view word : words_of_line(text)) {
    const std::size_t star = word.find('*');
    std::size_t count = 1;
    if (star != std::string_view::npos) {
      const auto [rest, status] = std::from_chars(word.data(), word.data() + star, count);
      if (status != std::errc() || rest != word.data() + star || count > most)
        refuse(fmt::format("has '{}', which is no count and value", shown(word, 20)));
    }
    const auto value = decimal_number(word.substr(star == std::string_view::npos ? 0 : star + 1));
    if (!value) refuse(fmt::format("has '{}', which is no number", shown(word, 20)));
    if (numbers.size() + count > most) refuse("has too many numbers");
    numbers.insert(numbers.end(), count, *value);
  }
  const std::size_t atoms = crystal.atoms.size();
  if (numbers.size() != atoms && numbers.size() != 3 * atoms)
    refuse(fmt::format("has {} for {}", counted(std::to_string(numbers.size()), "number", "numbers"),
                       counted(std::to_string(atoms), "atom", "atoms")));
  crystal.collinear = numbers.size() == atoms;
  crystal.magnetic_name.clear();
  crystal.moments.assign(atoms, Vector3{});
  for (std::size_t k = 0; k < numbers.size(); ++k)
    crystal.collinear ? crystal.moments[k][2] = numbers[k] : crystal.moments[k / 3][k % 3] = numbers[k];
}

CrystalStructure read_crystal(const std::filesystem::path& path, Occupancy occupancy) {
  constexpr std::uint64_t largest_file = 64U << 20;
  const std::string text = read_file(path, largest_file);
  for (const auto& [magic, tool] : {std::pair<std::string_view, std::string_view>{"\xFD"
                                                                                  "7zXZ",
                                                                                  "unxz"},
                                    {"\x1F\x8B", "gunzip"},
                                    {"BZh", "bunzip2"},
                                    {"\x28\xB5\x2F\xFD", "unzstd"}})
    if (text.starts_with(magic))
      throw FileError(fmt::format("{} is compressed; unpack it before, by {}", shown_path(path), tool));
  return parse_crystal(text, shown_path(path), occupancy);
}

}  // namespace intertwine
