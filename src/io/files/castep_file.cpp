// Reads crystals from .cell files of CASTEP.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/crystal_file.hpp"
#include "io/containers/text.hpp"
#include "io/expressions/atom_words.hpp"

namespace intertwine {

namespace {

std::string castep_lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

class CastepReader {
 public:
  CastepReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  CrystalStructure read() {
    while (const auto words = next_line()) {
      const std::string key = castep_lower((*words)[0]);
      if (key != "%block" || words->size() < 2) continue;
      const std::string block = castep_lower((*words)[1]);
      const std::size_t start = number_;
      if (block == "lattice_cart" || block == "lattice_abc") {
        if (has_cell_) refuse("a second cell begins here; keep one of the blocks LATTICE_CART and LATTICE_ABC");
        has_cell_ = true;
        block == "lattice_cart" ? read_edges(start) : read_lengths(start);
      } else if (block == "positions_frac" || block == "positions_abs") {
        if (!crystal_.atoms.empty())
          refuse("a second list of atoms begins here; keep one of the blocks POSITIONS_FRAC and POSITIONS_ABS");
        read_atoms(start, block == "positions_abs");
      } else {
        while (in_block(start, block)) {
        }
      }
    }
    if (!has_cell_ || crystal_.atoms.empty())
      throw FileError(name_ +
                      ": a .cell file has a block LATTICE_CART or LATTICE_ABC, and a block POSITIONS_FRAC or "
                      "POSITIONS_ABS with atoms");
    if (cartesian_) to_edges();
    if (!has_moments_) crystal_.moments.clear();
    return std::move(crystal_);
  }

 private:
  using Words = std::vector<std::string_view>;

  [[noreturn]] void refuse(const std::string& why) const {
    throw FileError(fmt::format("{}: line {}: {}", name_, number_, why));
  }
  /// The words of the next line that has some, without comments; nothing at the end.
  std::optional<Words> next_line() {
    while (!text_.empty()) {
      std::string_view line = text_.substr(0, text_.find('\n'));
      text_.remove_prefix(std::min(line.size() + 1, text_.size()));
      ++number_;
      line = line.substr(0, line.find_first_of("#!;"));
      Words words = words_of_line(line);
      if (!words.empty() && castep_lower(words[0]) != "comment") return words;
    }
    return {};
  }
  /// The next line of a block; nothing at its end.
  std::optional<Words> in_block(std::size_t start, std::string_view block) {
    auto words = next_line();
    if (!words) {
      number_ = start;
      refuse(fmt::format("the block {} that begins here has no %ENDBLOCK", shown(block, 40)));
    }
    const std::string key = castep_lower((*words)[0]);
    if (key == "%block") refuse(fmt::format("a block begins inside of that of line {}", start));
    if (key == "%endblock") return {};
    return words;
  }
  /// The unit of a block in angstrom, if the line has one.
  std::optional<double> unit(const Words& words) const {
    constexpr std::pair<std::string_view, double> known[] = {
        {"ang", 1},  {"angstrom", 1}, {"bohr", 0.529177210903}, {"a0", 0.529177210903}, {"nm", 10}, {"pm", 0.01},
        {"cm", 1e8}, {"m", 1e10}};
    if (words.size() != 1 || decimal_number(words[0])) return {};
    const std::string word = castep_lower(words[0]);
    for (const auto& [name, factor] : known)
      if (name == word) return factor;
    refuse(fmt::format("'{}' is no unit of length; take ang, bohr, nm or pm", shown(words[0], 20)));
  }
  Vector3 three(const Words& words, std::size_t from, const char* what) const {
    if (words.size() < from + 3)
      refuse(fmt::format("{} has three numbers, and here are {}", what, words.size() - std::min(from, words.size())));
    Vector3 x{};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto value = decimal_number(words[from + i]);
      if (!value) refuse(fmt::format("'{}' is no number; {} has three", shown(words[from + i], 40), what));
      x[i] = *value;
    }
    return x;
  }
  /// The rows of a block, multiplied by its unit where `scaled` says so.
  std::vector<Vector3> rows(std::size_t start, std::size_t count, std::size_t scaled, const char* what) {
    std::vector<Vector3> result;
    double factor = 1;
    while (const auto words = in_block(start, what)) {
      if (const auto f = result.empty() ? unit(*words) : std::nullopt) {
        factor = *f;
        continue;
      }
      if (result.size() == count) refuse(fmt::format("{} has {} lines, and this is one more", what, count));
      if (words->size() != 3) refuse(fmt::format("{} has three numbers in a line", what));
      result.push_back(three(*words, 0, what));
      if (result.size() <= scaled)
        for (double& x : result.back()) x *= factor;
    }
    if (result.size() != count) refuse(fmt::format("{} has {} lines, and here are {}", what, count, result.size()));
    return result;
  }
  void read_edges(std::size_t start) {
    const auto edges = rows(start, 3, 3, "LATTICE_CART");
    std::ranges::copy(edges, crystal_.cell.begin());
  }
  void read_lengths(std::size_t start) {
    const auto both = rows(start, 2, 1, "LATTICE_ABC");
    const auto& [a, b, c] = both[0];
    // Exact for the angles that most cells have.
    const auto cosine = [](double angle) {
      return angle == 90 ? 0 : angle == 120 ? -0.5 : angle == 60 ? 0.5 : std::cos(angle * std::numbers::pi / 180);
    };
    const double alpha = cosine(both[1][0]), beta = cosine(both[1][1]), gamma = cosine(both[1][2]);
    const double sine = std::sqrt(1 - gamma * gamma), y = (alpha - beta * gamma) / sine,
                 height = 1 - beta * beta - y * y;
    if (!(a > 0) || !(b > 0) || !(c > 0) || !(sine > 1e-6) || !(height > 1e-6))
      refuse("lengths and angles are those of no cell");
    crystal_.cell = {{{a, 0, 0}, {b * gamma, b * sine, 0}, {c * beta, c * y, c * std::sqrt(height)}}};
  }
  void read_atoms(std::size_t start, bool cartesian) {
    double factor = 1;
    cartesian_ = cartesian;
    while (const auto words = in_block(start, cartesian ? "POSITIONS_ABS" : "POSITIONS_FRAC")) {
      if (const auto f = cartesian && crystal_.atoms.empty() ? unit(*words) : std::nullopt) {
        factor = *f;
        continue;
      }
      const std::string_view word = (*words)[0];
      const std::string symbol = element_named(word.substr(0, word.find(':')));
      if (symbol.empty()) refuse(fmt::format("'{}' is no element; write its symbol, such as C or Cl", shown(word, 20)));
      Vector3 x = three(*words, 1, "the place of an atom");
      for (double& v : x) v *= factor;
      crystal_.atoms.push_back({symbol, x});
      crystal_.moments.push_back({});
      crystal_.lines.push_back(number_);
      read_flags(*words);
      constexpr std::size_t most = 100'000;
      if (crystal_.atoms.size() > most) refuse("the cell has more than 100000 atoms");
    }
  }
  /// The words behind the place of an atom: SPIN=2.0, LABEL=x, MIXTURE:(1 0.5).
  void read_flags(const Words& words) {
    std::string rest;
    for (std::size_t k = 4; k < words.size(); ++k) rest += castep_lower(words[k]) + " ";
    if (rest.find("mixture") != std::string::npos)
      refuse(
          "MIXTURE says that species share this place, and symmetry is that of whole atoms; keep one of "
          "them, or "
          "give a CIF with occupancies");
    const std::size_t spin = rest.find("spin");
    if (spin == std::string::npos) return;
    std::string value = rest.substr(spin + 4);
    std::ranges::replace_if(
        value, [](char c) { return c == '=' || c == ':' || c == '(' || c == ')' || c == ','; }, ' ');
    std::vector<double> numbers;
    for (const std::string_view word : words_of_line(value)) {
      const auto number = decimal_number(word);
      if (!number) break;
      numbers.push_back(*number);
    }
    if (numbers.size() != 1 && numbers.size() != 3) refuse("SPIN has one number behind it, as in SPIN=2.0, or three");
    if (has_moments_ && crystal_.collinear != (numbers.size() == 1))
      refuse("SPIN has one number here and three in a line before, or the other way round");
    has_moments_ = true;
    crystal_.collinear = numbers.size() == 1;
    crystal_.moments.back() =
        crystal_.collinear ? Vector3{0, 0, numbers[0]} : Vector3{numbers[0], numbers[1], numbers[2]};
  }
  void to_edges() {
    std::vector<Vector3> places;
    for (const Atom& atom : crystal_.atoms) places.push_back(atom.position);
    try {
      places = in_edges(crystal_.cell, places);
    } catch (const DomainError& e) {
      throw FileError(name_ + ": " + e.what());
    }
    for (std::size_t k = 0; k < places.size(); ++k) crystal_.atoms[k].position = places[k];
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t number_ = 0;
  CrystalStructure crystal_{};
  bool has_cell_ = false, cartesian_ = false, has_moments_ = false;
};

}  // namespace

CrystalStructure parse_castep_cell(std::string_view text, const std::string& name) {
  return CastepReader(text, name).read();
}

}  // namespace intertwine
