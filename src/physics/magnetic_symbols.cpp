// Magnetic space groups by symbols: the letters of a Hermann-Mauguin symbol stand for operations, and primes say which
// of them reverse time. [Belov & Neronova & Smirnova 1957]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/physics/magnetic_space_group.hpp"
#include "intertwine/physics/spin_lifts.hpp"
#include "physics/og_symbols.hpp"

namespace intertwine {

namespace {

using RotationMatrix = std::array<std::array<int, 3>, 3>;
using AxisInEdges = std::array<int, 3>;

/// One letter of a symbol: a turn of this order, perhaps with an inversion, so that 2 with one is a mirror.
struct SymbolLetter {
  std::size_t position;  ///< among the up to three positions behind the letter of the lattice
  int order;
  bool inverts, reverses_time;
};

[[noreturn]] void refuse_magnetic_symbol(std::string_view text, const std::string& reason) {
  throw DomainError(fmt::format(
      "MagneticSpaceGroup: \"{}\" is no symbol or number of a magnetic space group: {}; give a symbol "
      "such as Pn'm'a, P21/c1' or P_c4/mnc, a BNS number such as 62.448, an OG number such as 62.8.509, or a "
      "UNI number from 1 to 1651",
      text.substr(0, 40), reason));
}

std::vector<std::string> words_of_name(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : text) {
    if (c == ' ') {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    words.back() += c;
  }
  return words;
}

/// The letters of the text if it is the name with primes in it; `name`: the words of a setting behind the lattice.
std::optional<std::vector<SymbolLetter>> letters_by(const std::vector<std::string>& name, std::string_view text,
                                                    bool cubic) {
  std::vector<SymbolLetter> letters;
  std::size_t at = 0;
  const auto taken = [&](char c) { return at < text.size() && text[at] == c ? (++at, true) : false; };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::string& word = name[i];
    for (std::size_t k = 0; k < word.size();) {
      if (word[k] == '/') {
        if (!taken('/')) return {};
        ++k;
        continue;
      }
      SymbolLetter letter{i, 2, true, false};
      if (word[k] == '-' || (word[k] >= '1' && word[k] <= '6')) {
        letter.inverts = word[k] == '-';
        const bool bar = !letter.inverts || taken('-');
        if (letter.inverts) ++k;
        if (!bar && !(cubic && i == 1)) return {};  // m3m is m-3m
        letter.order = word[k] - '0';
        if (!taken(word[k++])) return {};
        while (k < word.size() && word[k] >= '1' && word[k] <= '5')  // a screw
          if (!taken(word[k++])) return {};
      } else {
        // The glide e was written a, b or c until 1992.
        const char c = at < text.size() ? text[at] : ' ';
        const std::string_view glides = "abce";
        if (c != word[k] && !((c == 'e' || word[k] == 'e') && glides.find(c) != std::string_view::npos &&
                              glides.find(word[k]) != std::string_view::npos))
          return {};
        ++at, ++k;
      }
      letter.reverses_time = taken('\'');
      letters.push_back(letter);
    }
  }
  if (at != text.size()) return {};
  // In cubic groups the inversion goes with the mirror, since half turns are products of commutators.
  if (cubic && letters.size() > 1 && letters[0].inverts && letters[1].inverts && letters[0].order == 2)
    letters[1].reverses_time |= letters[0].reverses_time;
  return letters;
}

/// The directions of the axes of the positions, in edges of the cell.
AxisInEdges axis_at(std::size_t position, const SpaceSetting& setting) {
  const unsigned number = setting.number;
  const bool rhombohedral = setting.name.ends_with(":R");
  if (number <= 74) return {position == 0 ? 1 : 0, position == 1 ? 1 : 0, position == 2 ? 1 : 0};
  if (position == 0) return rhombohedral ? AxisInEdges{1, 1, 1} : AxisInEdges{0, 0, 1};
  if (number <= 142) return position == 1 ? AxisInEdges{1, 0, 0} : AxisInEdges{1, 1, 0};
  if (number <= 194) return position == 1 && !rhombohedral ? AxisInEdges{1, 0, 0} : AxisInEdges{1, -1, 0};
  return position == 1 ? AxisInEdges{1, 1, 1} : AxisInEdges{1, 1, 0};
}

int matrix_handedness(const RotationMatrix& W) {
  return W[0][0] * (W[1][1] * W[2][2] - W[1][2] * W[2][1]) - W[0][1] * (W[1][0] * W[2][2] - W[1][2] * W[2][0]) +
         W[0][2] * (W[1][0] * W[2][1] - W[1][1] * W[2][0]);
}

/// The matrix that a letter stands for.
RotationMatrix letter_matrix(const SymbolLetter& letter, const SpaceGroup& group, const SpaceSetting& setting) {
  const SpinLifts lifts(group.operations());
  const AxisInEdges axis = axis_at(letter.position, setting);
  const AxisInEdges other{-axis[0], -axis[1], -axis[2]};
  const bool any_axis = setting.number <= 15;  // there is one
  for (const SpaceOperation& g : group.operations()) {
    const SpinRotation turn = lifts.rotation(g);
    if (turn.order != letter.order || (matrix_handedness(g.W) < 0) != letter.inverts) continue;
    if (any_axis || turn.order == 1 || turn.axis == axis || turn.axis == other) return g.W;
  }
  throw InternalError("MagneticSpaceGroup: a letter of " + setting.name + " is no operation");
}

/// The operations with their time reversals, those of the letters multiplied out.
std::vector<MagneticOperation> with_reversals(const std::vector<SymbolLetter>& letters, const SpaceGroup& group,
                                              const SpaceSetting& setting, std::string_view text) {
  std::vector<std::pair<RotationMatrix, bool>> generators;
  for (const SymbolLetter& letter : letters)
    if (letter.order > 1 || letter.inverts)
      generators.emplace_back(letter_matrix(letter, group, setting), letter.reverses_time);
    else if (letter.reverses_time)
      refuse_magnetic_symbol(text, "a prime stands behind a 1 that is not the last letter");
  std::map<RotationMatrix, bool> reverses{{group.operations().front().W, false}};
  std::vector<RotationMatrix> found{group.operations().front().W};
  for (std::size_t k = 0; k < found.size(); ++k)
    for (const auto& [W, reversal] : generators) {
      const RotationMatrix product = (SpaceOperation{W, {}} * SpaceOperation{found[k], {}}).W;
      const bool wanted = reverses.at(found[k]) != reversal;
      const auto [at, added] = reverses.emplace(product, wanted);
      if (added) found.push_back(product);
      if (at->second != wanted)
        throw DomainError(
            fmt::format("MagneticSpaceGroup: the primes of \"{}\" contradict one another: some product of its "
                        "operations would both "
                        "reverse time and not",
                        text.substr(0, 40)));
    }
  std::vector<MagneticOperation> operations;
  for (const SpaceOperation& g : group.operations()) {
    const auto at = reverses.find(g.W);
    if (at == reverses.end()) throw InternalError("MagneticSpaceGroup: letters do not generate " + setting.name);
    operations.push_back({g, at->second});
  }
  return operations;
}

SpaceGroup family_of(std::string_view name, std::string_view text) {
  try {
    return SpaceGroup::named("hm:" + std::string(name));
  } catch (const DomainError&) {
    refuse_magnetic_symbol(text, fmt::format("\"{}\" is no Hermann-Mauguin symbol", name.substr(0, 40)));
  }
}

void add_centring(std::vector<MagneticOperation>& operations, const SpaceGroup& group) {
  for (const auto& t : group.centring()) operations.push_back({{group.operations().front().W, t}, false});
}

/// P_c4/mnc: a space group and a translation that reverses time.
MagneticSpaceGroup with_translation(std::string_view text, const Task& task) {
  std::string inside(text);
  std::erase_if(inside, [](char c) { return c == '{' || c == '}'; });
  const char kind = inside.size() > 2 ? inside[2] : ' ';
  if (kind >= '1' && kind <= '9')
    refuse_magnetic_symbol(text,
                           "a number stands behind the letter of the lattice in symbols of Opechowski and "
                           "Guccione, and their tables have no such one; P_2cmm'2' is one of theirs");
  const std::string name = inside.substr(0, 1) + inside.substr(std::min<std::size_t>(3, inside.size()));
  if (name.find('\'') != std::string::npos)
    refuse_magnetic_symbol(text, "behind a translation that reverses time BNS symbols have no primes");
  const SpaceGroup group = family_of(name, text);
  const auto setting = listed_setting(group);
  const bool rhombohedral = setting && setting->name.ends_with(":R");
  std::array<int, 3> t{};
  switch (kind) {
    case 'a':
      t = {6, 0, 0};
      break;
    case 'b':
      t = {0, 6, 0};
      break;
    case 'c':
      t = {0, 0, 6};
      break;
    case 'A':
      t = {0, 6, 6};
      break;
    case 'B':
      t = {6, 0, 6};
      break;
    case 'C':
      t = {6, 6, 0};
      break;
    case 'I':
      if (std::string_view("ABC").find(inside[0]) != std::string_view::npos)
        refuse_magnetic_symbol(text, "in BNS symbols no I stands behind the letters A, B and C of the lattice");
      t = inside[0] == 'R' && !rhombohedral ? std::array{0, 0, 6} : std::array{6, 6, 6};
      break;
    case 'S':
      t = inside[0] == 'F' ? std::array{6, 6, 6} : std::array{0, 0, 6};
      break;
    default:
      refuse_magnetic_symbol(text, "behind the letter of the lattice stands _ with one of a b c A B C I S");
  }
  std::vector<MagneticOperation> operations;
  for (const SpaceOperation& g : group.operations()) operations.push_back({g, false});
  add_centring(operations, group);
  operations.push_back({{group.operations().front().W, t}, true});
  MagneticSpaceGroup result(operations, task);
  if (result.type() != 4 || result.centring().size() != group.centring().size())
    throw DomainError(
        fmt::format("MagneticSpaceGroup: in \"{}\" no translation _{} can reverse time, since it would "
                    "bring translations into {} that this does not have",
                    text.substr(0, 40), kind, setting ? setting->name : name));
  return result;
}

/// P_C222 is a symbol of BNS and of OG, for different groups.
bool is_bns_with_translation(std::string_view text, const Task& task) {
  try {
    with_translation(text, task);
    return true;
  } catch (const DomainError&) {
    return false;
  }
}

/// n' m' a: letters with primes, or none of them.
MagneticSpaceGroup with_primes(std::string_view text, const Task& task) {
  std::string plain(text);
  std::erase(plain, '\'');
  const SpaceGroup group = family_of(plain, text);
  if (plain.size() == text.size()) return MagneticSpaceGroup(group, false);
  const auto setting = listed_setting(group);
  if (!setting) refuse_magnetic_symbol(text, "primes are read in settings that tables list");
  const auto before_choice = [](std::string_view name) { return name.substr(0, name.find(':')); };
  std::vector<std::string> words = words_of_name(before_choice(setting->name));
  words.erase(words.begin());
  const std::string tight = tight_symbol(before_choice(text));
  const std::string_view behind_lattice = std::string_view(tight).substr(1);
  const bool cubic = setting->number >= 195;
  auto letters = letters_by(words, behind_lattice, cubic);
  if (!letters && setting->number <= 15) {  // P21/c for P 1 21/c 1
    std::erase(words, "1");
    letters = letters_by(words, behind_lattice, cubic);
  }
  if (!letters)
    refuse_magnetic_symbol(
        text, fmt::format("primes are read in the short symbol, and without them it is {}", setting->name));
  std::vector<MagneticOperation> operations = with_reversals(*letters, group, *setting, text);
  add_centring(operations, group);
  return MagneticSpaceGroup(operations, task);
}

/// What ends with 1': a grey group, or a screw 2_1' whose underscore may be missing.
MagneticSpaceGroup grey_or_screw(std::string_view text, const Task& task) {
  const std::string_view before = text.substr(0, text.size() - 2);
  if (before.ends_with('_') || before.ends_with('-')) return with_primes(text, task);
  std::optional<MagneticSpaceGroup> grey, screw;
  std::string reason;
  try {
    grey = MagneticSpaceGroup(family_of(before, text));
  } catch (const DomainError& error) {
    reason = error.what();
  }
  // Blanks and underscores say which 1 is part of a screw.
  const bool blanks = before.find(' ', 2) != std::string_view::npos || before.find(' ') == 1;
  if (grey && (before.ends_with(' ') || (!blanks && before.find('_') != std::string_view::npos))) return *grey;
  try {
    screw = with_primes(text, task);
  } catch (const DomainError& error) {
    if (!grey && reason.empty()) reason = error.what();
  }
  if (grey && screw && !blanks)
    throw DomainError(
        fmt::format("MagneticSpaceGroup: \"{}\" may be the grey group \"{} 1'\" or \"{}_1'\", with a "
                    "screw; write one of these",
                    text.substr(0, 40), before.substr(0, 40), before.substr(0, 40)));
  if (screw) return *screw;
  if (grey) return *grey;
  throw DomainError(reason);
}

}  // namespace

MagneticSpaceGroup MagneticSpaceGroup::named(std::string_view text, const Task& task) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  const bool says_og = text.starts_with("og:"), says_bns = text.starts_with("bns:");
  text.remove_prefix(says_og ? 3 : says_bns ? 4 : 0);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  if (text.empty()) refuse_magnetic_symbol(text, "it is empty");
  if (text.size() > 60) refuse_magnetic_symbol(text, "it is too long");
  if (text[0] >= '0' && text[0] <= '9') return magnetic_group_numbered(text, task);
  const auto uni = says_bns ? std::nullopt : uni_of_og_symbol(text);
  if (uni && (says_og || !is_bns_with_translation(text, task)))
    return magnetic_group_numbered(std::to_string(*uni), task);
  if (text.size() > 1 && text[1] == '_') {
    if (says_og) refuse_magnetic_symbol(text, "the tables of Opechowski and Guccione have no such symbol");
    return with_translation(text, task);
  }
  if (text.ends_with("1'") && std::ranges::count(text, '\'') == 1) return grey_or_screw(text, task);
  return with_primes(text, task);
}

}  // namespace intertwine
