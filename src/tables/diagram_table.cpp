#include "intertwine/tables/diagram_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <set>

#include "intertwine/error.hpp"

namespace intertwine {
namespace {

using Series = DiagramGroup::Series;
using Word = std::vector<std::int32_t>;

constexpr std::array<std::string_view, 9> series_names = {"S", "B", "O", "Sp", "GL", "U", "SO", "SL", "SU"};
constexpr std::uint64_t most_diagrams = 200'000;
constexpr std::size_t most_axes = 12;  // of one letter: Bell(12) partitions are looked at

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string letters_of(const std::string& axes) {
  std::string out;
  for (const char c : axes)
    if (is_letter(c) && out.find(c) == std::string::npos) out += c;
  return out;
}

/// The places of the axes of a letter, and what the diagrams look at there: for B(n) whether signs act on the axis; for groups with
/// duals 1 for vectors and -1 for duals, those of inputs the other way round.
struct LetterAxes {
  std::vector<std::size_t> places;
  std::vector<int> signs;
};

LetterAxes axes_of(const std::vector<DiagramAxis>& axes, std::size_t letter, const DiagramGroup& group) {
  LetterAxes out;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (axes[a].letter != letter) continue;
    out.places.push_back(a);
    out.signs.push_back(group.has_duals() ? (axes[a].marked != axes[a].output ? 1 : -1)
                                          : (axes[a].marked ? 0 : 1));
  }
  return out;
}

/// Whether these are the blocks of a diagram of the group, numbered as they first occur.
bool is_diagram(const DiagramGroup& group, std::span<const std::int32_t> word,
                const std::vector<int>& signs) {
  std::int32_t next = 0, next_determinant = -1;
  for (const std::int32_t block : word) {
    if (block > next || block < next_determinant) return false;
    next += block == next;
    next_determinant -= block == next_determinant;
  }
  if (next_determinant < -1 && !group.has_determinant()) return false;
  if (next_determinant < -2 && group.series == Series::SO) return false;
  int determinant_sign = 0;
  for (std::int32_t block = next_determinant + 1; block < next; ++block) {
    std::uint64_t size = 0;
    int sum = 0;
    for (std::size_t a = 0; a < word.size(); ++a)
      if (word[a] == block) ++size, sum += signs[a];
    if (block < 0) {
      if (size != group.size) return false;
      if (!group.has_duals()) continue;
      if (static_cast<std::uint64_t>(std::abs(sum)) != size || sum * determinant_sign < 0) return false;
      determinant_sign = sum;
    } else if (group.has_pairs()) {
      if (size != 2 || (group.has_duals() && sum != 0)) return false;
    } else if (group.series == Series::B && sum % 2 != 0) {
      return false;
    }
  }
  return true;
}

void require_few(std::uint64_t count) {
  if (count > most_diagrams)
    throw LimitError(fmt::format("there are more than {} diagrams; use fewer axes", most_diagrams));
}

/// The diagrams of a group on axes with these signs, in lexicographic order.
std::vector<Word> diagrams_of(const DiagramGroup& group, const std::vector<int>& signs, const Task& task) {
  if (signs.size() > most_axes)
    throw LimitError(
        fmt::format("{} axes of one letter; diagrams are listed for {} at most", signs.size(), most_axes));
  std::vector<Word> found;
  Word word;
  const auto room = [&](std::int32_t block) {
    const auto size = static_cast<std::uint64_t>(std::count(word.begin(), word.end(), block));
    return block < 0 ? size < group.size : size < 2 || !group.has_pairs();
  };
  const std::function<void()> extend = [&] {
    task.poll();
    if (word.size() == signs.size()) {
      if (is_diagram(group, word, signs)) found.push_back(word);
      return require_few(found.size());
    }
    std::int32_t first = 0, last = 0;
    for (const std::int32_t block : word) first = std::min(first, block), last = std::max(last, block + 1);
    for (std::int32_t block = group.has_determinant() ? first - 1 : 0; block <= last; ++block)
      if (room(block)) {
        word.push_back(block);
        extend();
        word.pop_back();
      }
  };
  extend();
  return found;
}

/// The diagrams of all letters together, in lexicographic order, one after the other.
Word joined(const std::vector<DiagramAxis>& axes, const std::vector<DiagramGroup>& groups, const Task& task) {
  std::vector<Word> words{Word(axes.size())};
  for (std::size_t letter = 0; letter < groups.size(); ++letter) {
    const LetterAxes mine = axes_of(axes, letter, groups[letter]);
    if (mine.places.empty()) continue;
    std::vector<Word> longer;
    const std::vector<Word> parts = diagrams_of(groups[letter], mine.signs, task);
    require_few(words.size() * parts.size());
    for (const Word& word : words)
      for (const Word& part : parts) {
        longer.push_back(word);
        for (std::size_t a = 0; a < part.size(); ++a) longer.back()[mine.places[a]] = part[a];
      }
    words = std::move(longer);
  }
  std::sort(words.begin(), words.end());
  Word out;
  for (const Word& word : words) out.insert(out.end(), word.begin(), word.end());
  return out;
}

void require_diagrams(const std::vector<DiagramAxis>& axes, const std::vector<DiagramGroup>& groups,
                      std::uint64_t count, const Word& words, std::string_view what, const Task& task) {
  require_few(count);
  if (words.size() != count * axes.size())
    throw DomainError(fmt::format("{} diagrams of the {} on {} axes have {} numbers, and {} are there", count,
                                  what, axes.size(), count * axes.size(), words.size()));
  std::set<Word> seen;
  for (std::uint64_t p = 0; p < count; ++p) {
    task.poll();
    const std::span word(words.data() + p * axes.size(), axes.size());
    for (std::size_t letter = 0; letter < groups.size(); ++letter) {
      const LetterAxes mine = axes_of(axes, letter, groups[letter]);
      Word part;
      for (const std::size_t a : mine.places) part.push_back(word[a]);
      if (!is_diagram(groups[letter], part, mine.signs))
        throw DomainError(
            fmt::format("diagram {} of the {} is none of {}", p, what, to_string(groups[letter])));
    }
    if (!seen.emplace(word.begin(), word.end()).second)
      throw DomainError(fmt::format("diagram {} of the {} is there twice", p, what));
  }
}

void require_groups(const DiagramTable& table, const std::vector<DiagramAxis>& axes) {
  const std::string letters = table.letters();
  if (table.groups.size() != letters.size())
    throw DomainError(fmt::format("there are {} groups for {} letters", table.groups.size(), letters.size()));
  for (const DiagramGroup& group : table.groups) {
    const std::uint64_t least = group.has_duals() && group.has_determinant() ? 2 : 1;
    if (group.size == 0 && group.has_determinant())
      throw DomainError(
          fmt::format("the determinant of {} is a diagram on n axes: say which n", to_string(group)));
    if (group.size != 0 && (group.size < least || (group.series == Series::Sp && group.size % 2 != 0)))
      throw DomainError(fmt::format("{} is no group here: the size must be {}", to_string(group),
                                    group.series == Series::Sp ? "even" : "at least 2"));
  }
  for (const DiagramAxis& axis : axes) {
    const DiagramGroup& group = table.groups[axis.letter];
    if (axis.marked && !group.has_duals() && group.series != Series::B)
      throw DomainError(
          fmt::format("the axes '{}' of {} take no mark: * is for duals of GL, SL, U and SU, + for axes of B "
                      "without signs",
                      letters[axis.letter], to_string(group)));
  }
}

}  // namespace

bool DiagramGroup::has_duals() const {
  return series == Series::GL || series == Series::U || series == Series::SL || series == Series::SU;
}

std::string to_string(const DiagramGroup& group) {
  return fmt::format("{}({})", series_names[static_cast<std::size_t>(group.series)],
                     group.size == 0 ? "n" : std::to_string(group.size));
}

DiagramGroup parse_diagram_group(std::string_view text) {
  const std::size_t open = text.find('(');
  const std::string_view name = text.substr(0, open);
  const auto found = std::find(series_names.begin(), series_names.end(), name);
  if (found != series_names.end() && open != std::string_view::npos && text.ends_with(')')) {
    DiagramGroup group{static_cast<Series>(found - series_names.begin()), 0};
    const std::string_view size = text.substr(open + 1, text.size() - open - 2);
    if (size == "n") return group;
    const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), group.size);
    if (error == std::errc{} && end == size.data() + size.size() && group.size > 0 &&
        group.size <= 1'000'000'000)
      return group;
  }
  throw DomainError(
      fmt::format("'{}' has no diagrams; S(n), B(n), O(n), Sp(n), GL(n), U(n), SO(3), SL(3) and SU(3) have, "
                  "with a number for n where there is one size",
                  text.substr(0, 40)));
}

std::string DiagramTable::letters() const { return letters_of(axes_out + axes_in); }

std::vector<DiagramAxis> DiagramTable::axes() const {
  const std::string all = letters();
  std::vector<DiagramAxis> out;
  for (const std::string* word : {&axes_out, &axes_in})
    for (std::size_t i = 0; i < word->size(); ++i) {
      const char c = (*word)[i];
      if (is_letter(c))
        out.push_back({all.find(c), false, word == &axes_out});
      else if ((c == '*' || c == '+') && i > 0 && is_letter((*word)[i - 1]))
        out.back().marked = true;
      else
        throw DomainError(fmt::format(
            "'{}' is no word of axes: it has a letter for every axis, with * or + behind it, such as "
            "'vv*'",
            word->substr(0, 40)));
    }
  return out;
}

std::span<const std::int32_t> DiagramTable::diagram(std::uint64_t p) const {
  const std::size_t length = params == 0 ? 0 : diagrams.size() / params;
  return std::span(diagrams).subspan(p * length, length);
}
std::span<const std::int32_t> DiagramTable::bias_diagram(std::uint64_t q) const {
  const std::size_t length = bias_params == 0 ? 0 : bias_diagrams.size() / bias_params;
  return std::span(bias_diagrams).subspan(q * length, length);
}

DiagramTable diagram_table(std::string axes_out, std::string axes_in, std::vector<DiagramGroup> groups,
                           bool mean, Multiplicity channels, const Task& task) {
  DiagramTable table{
      std::move(axes_out), std::move(axes_in), std::move(groups), mean, channels, 0, 0, {}, {}, {}};
  std::vector<DiagramAxis> axes = table.axes();
  if (table.groups.size() == 1) table.groups.resize(table.letters().size(), table.groups[0]);
  require_groups(table, axes);
  // Words without axes have one diagram, which is empty.
  const auto count = [&](const Word& words, std::size_t length) {
    return length == 0 ? std::uint64_t{1} : words.size() / length;
  };
  table.diagrams = joined(axes, table.groups, task);
  table.params = count(table.diagrams, axes.size());
  std::erase_if(axes, [](const DiagramAxis& axis) { return !axis.output; });
  table.bias_diagrams = joined(axes, table.groups, task);
  table.bias_params = count(table.bias_diagrams, axes.size());
  return table;
}

void require_consistent(const DiagramTable& table, const Task& task) {
  std::vector<DiagramAxis> axes = table.axes();
  require_groups(table, axes);
  if (table.channels.out == 0 || table.channels.in == 0)
    throw DomainError("a layer has at least one channel on each side");
  require_diagrams(axes, table.groups, table.params, table.diagrams, "weights", task);
  std::erase_if(axes, [](const DiagramAxis& axis) { return !axis.output; });
  require_diagrams(axes, table.groups, table.bias_params, table.bias_diagrams, "bias", task);
}

void require_sizes(const DiagramTable& table, std::span<const std::uint64_t> sizes) {
  const std::string letters = table.letters();
  if (sizes.size() != letters.size())
    throw DomainError(fmt::format("{} sizes are given, and there is one for each of the {} letters {}",
                                  sizes.size(), letters.size(), letters));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const DiagramGroup& group = table.groups[i];
    if (group.size != 0 && sizes[i] != group.size)
      throw DomainError(fmt::format("the axes '{}' are those of {}: their size is not {}", letters[i],
                                    to_string(group), sizes[i]));
    if (group.series == Series::Sp && sizes[i] % 2 != 0)
      throw DomainError(
          fmt::format("the axes '{}' have the length {}; Sp(n) acts on spaces of even dimension only",
                      letters[i], sizes[i]));
  }
}

}  // namespace intertwine
