// Reads .xyz files of molecules.
#include "intertwine/io/molecule_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/crystal_file.hpp"
#include "io/containers/text.hpp"
#include "io/expressions/atom_words.hpp"

namespace intertwine {

namespace {

class XyzReader {
 public:
  /// The reading of the atoms: as a molecule, as one cell of a crystal by itself, or as a crystal.
  enum class Kind { molecule, cluster, crystal };
  XyzReader(std::string_view text, const std::string& name, Kind kind) : text_(text), name_(name), kind_(kind) {}

  std::vector<Atom> read() {
    if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos)
      throw FileError(name_ + " is empty; an .xyz file begins with the number of its atoms");
    const std::size_t number = count(next_line());
    if (text_.empty()) refuse("there is no line of comment after the number of atoms");
    comment(next_line());
    std::vector<Atom> atoms;
    while (atoms.size() < number) {
      const bool ended = text_.empty();
      const std::string_view line = ended ? std::string_view() : next_line();
      if (words_of_line(line).empty())
        throw FileError(fmt::format("{}: line 1 announces {}, and there {} {}; correct line 1 or the list", name_,
                                    counted(std::to_string(number), "atom", "atoms"), atoms.size() == 1 ? "is" : "are",
                                    atoms.empty() ? "none" : std::to_string(atoms.size())));
      atoms.push_back(atom(line));
      if (moment_at_) moments_.push_back(moment(line));
    }
    while (!text_.empty())
      if (!words_of_line(next_line()).empty())
        refuse(
            fmt::format("there is more after the {} that line 1 announces; correct line 1, or keep one "
                        "molecule of several",
                        counted(std::to_string(number), "atom", "atoms")));
    return atoms;
  }

  /// The edges of the cell, once a crystal has been read.
  const Matrix3& cell() const { return cell_; }
  /// The moments of the atoms; empty if there is no column of them.
  const std::vector<Vector3>& moments() const { return moments_; }
  /// Has a moment one number?
  bool collinear() const { return moment_size_ == 1; }

 private:
  std::string_view next_line() {
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    const std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    ++line_;
    return line;
  }
  [[noreturn]] void refuse(const std::string& why, Remedy remedy = Remedy::none) const {
    throw FileError(fmt::format("{}: line {}: {}", name_, line_, why), remedy);
  }
  std::size_t count(std::string_view line) const {
    const auto words = words_of_line(line);
    std::size_t number = 0;
    if (words.size() == 1) {
      const char* end = words[0].data() + words[0].size();
      const auto [rest, status] = std::from_chars(words[0].data(), end, number);
      if (status == std::errc() && rest == end && number > 0) return number;
    }
    refuse(
        fmt::format("'{}' is no number of atoms; an .xyz file begins with it, then a line of comment, then a line like "
                    "'O 0.0 0.0 0.117' for every atom",
                    shown(line, 40)));
  }
  static std::size_t after_blanks(std::string_view line, std::size_t at) {
    return std::min(line.find_first_not_of(" \t\r", at), line.size());
  }
  /// The end of the value that begins here: behind its closing quotation mark or bracket, or before the next blank.
  static std::size_t end_of_value(std::string_view line, std::size_t at) {
    constexpr std::string_view opening = "\"'[{", closing = "\"']}";
    const std::size_t kind = at < line.size() ? opening.find(line[at]) : std::string_view::npos;
    if (kind == std::string_view::npos) return std::min(line.find_first_of(" \t\r", at), line.size());
    return std::min(line.find(closing[kind], at + 1), line.size() - 1) + 1;
  }
  /// The value of a key in the comment of an extended .xyz file, "key=value key2 = [1, 2] key3=\"a b\"", without its quotation marks or
  /// brackets. Text in the values of other keys is no key.
  static std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
    for (std::size_t at = after_blanks(line, 0); at < line.size();) {
      const std::size_t begin = at;
      const bool quoted = line[at] == '"' || line[at] == '\'';
      at = quoted ? end_of_value(line, at) : std::min(line.find_first_of("= \t\r", at), line.size());
      const std::string_view word = line.substr(begin, at - begin);
      const std::size_t sign = after_blanks(line, at);
      if (sign == line.size() || line[sign] != '=') {
        at = std::max(sign, begin + 1);
        continue;
      }
      const std::size_t from = after_blanks(line, sign + 1), to = end_of_value(line, from);
      at = after_blanks(line, to);
      const bool equal = std::ranges::equal(word, key, [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
      });
      if (!equal) continue;
      std::string_view value = line.substr(from, to - from);
      if (value.find_first_of("\"'[{") == 0)
        value = value.substr(1, value.size() - std::min<std::size_t>(value.size(), 2));
      return value;
    }
    return {};
  }
  /// The value of pbc= with what belongs to it where the quotation marks are forgotten: pbc=F F T.
  static std::string_view pbc_of(std::string_view line, std::string_view value) {
    const auto from = static_cast<std::size_t>(value.data() - line.data());
    std::size_t to = from + value.size();
    for (std::size_t at = after_blanks(line, to); at < line.size(); at = after_blanks(line, to)) {
      const std::size_t end = end_of_value(line, at);
      const std::string_view word = line.substr(at, end - at);
      if (word.find('=') != std::string_view::npos ||
          std::string_view("TtFf01").find(word[0]) == std::string_view::npos)
        break;
      to = end;
    }
    return line.substr(from, to - from);
  }
  /// Is some direction of pbc= not known to be open? What is neither F, false nor 0 repeats.
  static bool repeats(std::string_view pbc) {
    std::string words(pbc);
    for (char& c : words)
      c = c == ',' || c == '[' || c == ']' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return std::ranges::any_of(words_of_line(words),
                               [](std::string_view word) { return word != "f" && word != "false" && word != "0"; });
  }
  /// The edges of a crystal, from Lattice="ax ay az bx by bz cx cy cz".
  void edges(const std::optional<std::string_view>& lattice, const std::string& directions) {
    if (!lattice)
      refuse(
          "there is no Lattice= with the edges of a cell, so these are the atoms of a molecule, whose point "
          "group "
          "`molecule` finds");
    if (std::ranges::count(directions, 'F') != 0)
      refuse(
          fmt::format("pbc=\"{}\" says that the atoms repeat along some edges alone, as a slab or a wire does; space "
                      "groups are those of atoms that repeat along all three",
                      directions));
    std::string words(*lattice);
    std::ranges::replace(words, ',', ' ');
    const auto numbers = words_of_line(words);
    if (numbers.size() != 9)
      refuse(fmt::format("Lattice= has {} of nine numbers, x, y and z of three edges", numbers.size()));
    for (std::size_t k = 0; k < 9; ++k) cell_[k / 3][k % 3] = coordinate(numbers[k]);
  }
  /// "T T F"; empty if pbc= is not said.
  static std::string open_directions(std::string_view line, const std::optional<std::string_view>& pbc) {
    if (!pbc) return "";
    std::string text;
    std::string words(pbc_of(line, *pbc));
    std::ranges::replace_if(
        words, [](char c) { return c == ',' || c == '[' || c == ']'; }, ' ');
    for (const std::string_view word : words_of_line(words))
      text += std::string(text.empty() ? "" : " ") + (repeats(word) ? "T" : "F");
    return text;
  }
  void comment(std::string_view line) {
    const auto lattice = value_of(line, "Lattice"), pbc = value_of(line, "pbc");
    if (kind_ == Kind::crystal) edges(lattice, open_directions(line, pbc));
    const bool directions = pbc && repeats(pbc_of(line, *pbc));
    const bool cell = line.find("CELL(") != std::string_view::npos || line.find("CELL{") != std::string_view::npos;
    if (kind_ == Kind::molecule && (directions || (lattice && !pbc) || cell))
      refuse(fmt::format("{} says that the atoms repeat as a crystal does, whose space group `crystal` finds; to "
                         "read the atoms of this one cell as a cluster, say so",
                         directions ? "pbc="
                         : lattice  ? "Lattice="
                                    : "CELL"),
             Remedy::cluster);
    if (const auto properties = value_of(line, "Properties")) columns(*properties);
  }
  /// "species:S:1:pos:R:3:forces:R:3": names, types and how many words each has.
  void columns(std::string_view properties) {
    std::vector<std::string_view> parts;
    for (std::string_view rest = properties; !rest.empty();) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      parts.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    std::optional<std::size_t> species, numbers, position;
    // The first of these that is there; ASE writes what was found as magmoms.
    constexpr std::array<std::string_view, 5> moment_columns{"magmoms", "magmom", "magnetic_moments", "initial_magmoms",
                                                             "initial_magmom"};
    auto moment_rank = static_cast<std::ptrdiff_t>(moment_columns.size());
    std::size_t at = 0;
    for (std::size_t k = 0; k + 2 < parts.size(); k += 3) {
      std::size_t count = 0;
      const std::string_view word = parts[k + 2];
      const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), count);
      if (status != std::errc() || end != word.data() + word.size() || count > 1000) return unknown_columns(properties);
      if (parts[k] == "species") species = at;
      if (parts[k] == "Z" || parts[k] == "numbers") numbers = at;
      if (parts[k] == "pos" && count == 3) position = at;
      const auto rank = std::ranges::find(moment_columns, parts[k]) - moment_columns.begin();
      if (rank < moment_rank && (count == 1 || count == 3)) moment_rank = rank, moment_at_ = at, moment_size_ = count;
      at += count;
    }
    if (parts.size() % 3 != 0 || !position || (!species && !numbers)) return unknown_columns(properties);
    element_at_ = species ? *species : *numbers;
    position_at_ = *position;
  }
  void unknown_columns(std::string_view properties) const {
    refuse(
        fmt::format("Properties={} does not say in which columns the element, species:S:1, and the position, "
                    "pos:R:3, are",
                    shown(properties, 60)));
  }
  double coordinate(std::string_view word) const {
    const auto value = decimal_number(word);
    if (!value) refuse(fmt::format("'{}' is no coordinate; x, y and z are decimal numbers", shown(word, 40)));
    return *value;
  }
  /// One number is a moment along a direction that is not said.
  Vector3 moment(std::string_view line) const {
    const auto words = words_of_line(line);
    if (words.size() < *moment_at_ + moment_size_)
      refuse(fmt::format("the moment of this atom has {} of {} numbers",
                         words.size() - std::min(*moment_at_, words.size()), moment_size_));
    Vector3 result{};
    for (std::size_t i = 0; i < moment_size_; ++i) {
      const auto value = decimal_number(words[*moment_at_ + i]);
      if (!value)
        refuse(fmt::format("'{}' is no moment, which is a decimal number", shown(words[*moment_at_ + i], 40)));
      result[moment_size_ == 1 ? 2 : i] = *value;
    }
    return result;
  }
  Atom atom(std::string_view line) const {
    const auto words = words_of_line(line);
    const std::string_view name = words[std::min(element_at_, words.size() - 1)];
    std::string element = element_named(name);
    if (element.empty())
      refuse(fmt::format("'{}' is no element; write its symbol, such as C, Cl or D, or its number", shown(name, 20)));
    if (words.size() < position_at_ + 3 || words.size() <= element_at_)
      refuse(
          fmt::format("{} has {} of three coordinates", element, words.size() - std::min(position_at_, words.size())));
    return {
        std::move(element),
        {coordinate(words[position_at_]), coordinate(words[position_at_ + 1]), coordinate(words[position_at_ + 2])}};
  }

  std::string_view text_;
  const std::string& name_;
  Kind kind_;
  Matrix3 cell_{};
  std::vector<Vector3> moments_;
  std::optional<std::size_t> moment_at_;
  std::size_t moment_size_ = 0;
  std::size_t line_ = 0, element_at_ = 0, position_at_ = 1;
};

}  // namespace

std::vector<Atom> parse_xyz(std::string_view text, const std::string& name, bool cluster) {
  return XyzReader(text, name, cluster ? XyzReader::Kind::cluster : XyzReader::Kind::molecule).read();
}

CrystalStructure parse_crystal_xyz(std::string_view text, const std::string& name) {
  XyzReader reader(text, name, XyzReader::Kind::crystal);
  CrystalStructure crystal{{}, reader.read()};
  crystal.cell = reader.cell();
  crystal.moments = reader.moments();
  crystal.collinear = reader.collinear();
  std::vector<Vector3> places;
  for (const Atom& atom : crystal.atoms) places.push_back(atom.position);
  try {
    places = in_edges(crystal.cell, places);
  } catch (const DomainError& e) {
    throw FileError(fmt::format("{}: line 2: {}", name, e.what()));
  }
  for (std::size_t k = 0; k < places.size(); ++k) {
    crystal.atoms[k].position = places[k];
    crystal.lines.push_back(k + 3);
  }
  return crystal;
}

std::vector<Atom> read_xyz(const std::filesystem::path& path, bool cluster) {
  constexpr std::uint64_t largest_file = 64U << 20;
  return parse_xyz(read_file(path, largest_file), shown_path(path), cluster);
}

}  // namespace intertwine
