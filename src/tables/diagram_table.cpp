// Tables of diagrams and their groups.
#include "intertwine/tables/diagram_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <set>

#include "intertwine/error.hpp"
#include "tables/diagram_axes.hpp"

namespace intertwine {
namespace {

using Series = DiagramGroup::Series;
using Word = std::vector<std::int32_t>;

constexpr std::array<std::string_view, 9> series_names = {"S", "B", "O", "Sp", "GL", "U", "SO", "SL", "SU"};
constexpr std::uint64_t most_diagrams = 200'000;
constexpr std::size_t most_axes = 64;  // of one letter

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string letters_of(const std::string& axes) {
  std::string out;
  for (const char c : axes)
    if (is_letter(c) && out.find(c) == std::string::npos) out += c;
  return out;
}

/// Can the word be continued to a diagram on axes with these signs? Exact: every word that can be has an end, so that looking for all takes as long as
/// there are many. A whole word is one by this, if its blocks are numbered as they first occur.
bool can_be_continued(const DiagramGroup& group, std::span<const std::int32_t> word, const std::vector<int>& signs) {
  std::array<std::int64_t, 3> rest{}, open{};  // by sign: axes to come, blocks that ask for one more
  struct Block {
    std::uint64_t size = 0;
    int sum = 0;  // of its signs
  };
  const auto last = static_cast<std::int32_t>(word.size());
  std::vector<Block> blocks(2 * word.size() + 1);  // from -last to last
  std::int64_t total = 0;
  for (std::size_t a = 0; a < signs.size(); ++a) {
    total += signs[a];
    if (a >= word.size()) ++rest[static_cast<std::size_t>(signs[a] + 1)];
    if (a >= word.size()) continue;
    Block& block = blocks[static_cast<std::size_t>(word[a] + last)];
    ++block.size, block.sum += signs[a];
  }
  const bool duals = group.has_duals();
  const auto n = static_cast<std::int64_t>(group.size);
  if (duals && (group.has_determinant() ? total % n : total) != 0) return false;
  std::int64_t determinants = 0, taken = 0;
  for (std::int32_t number = -last; number <= last; ++number) {
    const auto [size, sum] = blocks[static_cast<std::size_t>(number + last)];
    if (size == 0) continue;
    if (number < 0) {
      if (!group.has_determinant() || size > group.size) return false;
      if (duals && (static_cast<std::uint64_t>(std::abs(sum)) != size || sum * total <= 0)) return false;
      ++determinants, taken += static_cast<std::int64_t>(size);
    } else if (group.has_pairs()) {
      if (size > 2 || (size == 2 && duals && sum != 0)) return false;
      if (size == 1) ++open[static_cast<std::size_t>(sum + 1)];
    } else if (group.series == Series::B && sum % 2 != 0) {
      ++open[2];
    }
  }
  const std::int64_t others = rest[2] - open[2];
  if (!group.has_pairs()) return others >= 0 && others % 2 == 0;
  if (!duals) {
    const auto pairs = [](std::int64_t axes) { return axes >= 0 && axes % 2 == 0; };
    if (determinants > 1) return false;
    return pairs(others - determinants * n + taken) ||
           (n > 0 && group.has_determinant() && determinants == 0 && pairs(others - n));
  }
  if (determinants * n > std::abs(total)) return false;
  const std::int64_t missing = std::abs(total) - taken;
  return rest[2] - open[0] >= (total > 0 ? missing : 0) && rest[0] - open[2] >= (total < 0 ? missing : 0);
}

/// Whether these are the blocks of a diagram of the group, numbered as they first occur.
bool is_diagram(const DiagramGroup& group, std::span<const std::int32_t> word, const std::vector<int>& signs) {
  std::int32_t next = 0, next_determinant = -1;
  for (const std::int32_t block : word) {
    if (block > next || block < next_determinant) return false;
    next += block == next;
    next_determinant -= block == next_determinant;
  }
  return can_be_continued(group, word, signs);
}

/// The diagrams of a group on axes with these signs, in lexicographic order; no more than one above the limit.
std::vector<Word> diagrams_of(const DiagramGroup& group, const std::vector<int>& signs, const Task& task) {
  std::vector<Word> found;
  Word word;
  const std::function<void(std::int32_t, std::int32_t)> extend = [&](std::int32_t first, std::int32_t last) {
    task.poll();
    if (found.size() > most_diagrams || !can_be_continued(group, word, signs)) return;
    if (word.size() == signs.size()) return found.push_back(word);
    for (std::int32_t block = group.has_determinant() ? first - 1 : 0; block <= last; ++block) {
      word.push_back(block);
      extend(std::min(first, block), std::max(last, block + 1));
      word.pop_back();
    }
  };
  extend(0, 0);
  return found;
}

void require_few(std::uint64_t count) {
  if (count > most_diagrams)
    throw LimitError(fmt::format("there are {} diagrams, and {} are the most that a layer takes: use fewer axes",
                                 count == most_counted ? "more than 2^62" : std::to_string(count), most_diagrams));
}

/// The diagrams of all letters together, in lexicographic order, one after the other.
Word joined(const std::vector<DiagramAxis>& axes, const std::vector<DiagramGroup>& groups, const Task& task) {
  std::vector<LetterAxes> letters;
  std::uint64_t count = 1;
  for (std::size_t letter = 0; letter < groups.size(); ++letter) {
    letters.push_back(axes_of(axes, letter, groups[letter]));
    if (letters.back().signs.size() > most_axes)
      throw LimitError(fmt::format("{} axes of one letter; diagrams are listed for {} at most",
                                   letters.back().signs.size(), most_axes));
    if (!groups[letter].has_determinant())
      count = counted_product(count, number_of_diagrams(groups[letter], letters.back().signs));
  }
  require_few(count);
  std::vector<Word> words{Word(axes.size())};
  for (std::size_t letter = 0; letter < groups.size(); ++letter) {
    const LetterAxes& mine = letters[letter];
    if (mine.places.empty()) continue;
    std::vector<Word> longer;
    const std::vector<Word> parts = diagrams_of(groups[letter], mine.signs, task);
    if (words.size() * parts.size() > most_diagrams)
      throw LimitError(
          fmt::format("there are more than {} diagrams, the most that a layer takes: use fewer axes", most_diagrams));
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
    throw DomainError(fmt::format("{} diagrams of the {} on {} axes have {} numbers, and {} are there", count, what,
                                  axes.size(), count * axes.size(), words.size()));
  std::set<Word> seen;
  for (std::uint64_t p = 0; p < count; ++p) {
    task.poll();
    const std::span word(words.data() + p * axes.size(), axes.size());
    for (std::size_t letter = 0; letter < groups.size(); ++letter) {
      const LetterAxes mine = axes_of(axes, letter, groups[letter]);
      Word part;
      for (const std::size_t a : mine.places) part.push_back(word[a]);
      if (!is_diagram(groups[letter], part, mine.signs))
        throw DomainError(fmt::format("diagram {} of the {} is none of {}", p, what, to_string(groups[letter])));
    }
    if (!seen.emplace(word.begin(), word.end()).second)
      throw DomainError(fmt::format("diagram {} of the {} is there twice", p, what));
  }
}

void require_group(const DiagramGroup& group) {
  const bool even = group.series == Series::Sp, two = group.has_duals() && group.has_determinant();
  if (group.size == 0 && group.has_determinant())
    throw DomainError(
        fmt::format("the determinant of {0}(n) is a diagram on n axes, so that its layers are for one n: say "
                    "which, as in '{0}(3)'",
                    series_names[static_cast<std::size_t>(group.series)]));
  if (group.size != 0 && ((two && group.size < 2) || (even && group.size % 2 != 0)))
    throw DomainError(fmt::format("{} is no group here: the size must be {}", to_string(group),
                                  even ? "even and at least 2" : "at least 2"));
}

void require_groups(const DiagramTable& table, const std::vector<DiagramAxis>& axes) {
  const std::string letters = table.letters();
  if (table.groups.size() != letters.size())
    throw DomainError(fmt::format("there are {} groups for {} letters", table.groups.size(), letters.size()));
  for (const DiagramGroup& group : table.groups) require_group(group);
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

LetterAxes axes_of(const std::vector<DiagramAxis>& axes, std::size_t letter, const DiagramGroup& group) {
  LetterAxes out;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (axes[a].letter != letter) continue;
    out.places.push_back(a);
    if (group.has_duals())
      out.signs.push_back(axes[a].marked != axes[a].output ? 1 : -1);
    else
      out.signs.push_back(group.series != Series::S && !axes[a].marked);
  }
  return out;
}

bool DiagramGroup::has_duals() const {
  return series == Series::GL || series == Series::U || series == Series::SL || series == Series::SU;
}

std::string to_string(const DiagramGroup& group) {
  return fmt::format("{}({})", series_names[static_cast<std::size_t>(group.series)],
                     group.size == 0 ? "n" : std::to_string(group.size));
}

DiagramGroup parse_diagram_group(std::string_view text) {
  const std::size_t letters = static_cast<std::size_t>(
      std::find_if(text.begin(), text.end(), [](char c) { return c == '(' || c == 'n' || (c >= '0' && c <= '9'); }) -
      text.begin());
  const auto found = std::find(series_names.begin(), series_names.end(), text.substr(0, letters));
  std::string_view size = text.substr(letters);
  if (size.starts_with('(') && size.ends_with(')')) size = size.substr(1, size.size() - 2);
  const bool every = size.size() == 1 && size[0] >= 'a' && size[0] <= 'z';  // S(n), S(m)
  if (found != series_names.end()) {
    DiagramGroup group{static_cast<Series>(found - series_names.begin()), 0};
    const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), group.size);
    if (every ||
        (error == std::errc{} && end == size.data() + size.size() && group.size > 0 && group.size <= 1'000'000'000)) {
      require_group(group);
      return group;
    }
    if (error == std::errc{} && end == size.data() + size.size() && group.size == 0)
      throw DomainError(fmt::format("{} is no group here: the size must be at least 1", text));
  }
  throw DomainError(
      fmt::format("there are diagrams for S(n), B(n), O(n), SO(3), Sp(n), GL(n), SL(3), U(n) and SU(3), with "
                  "a number instead of n for one size; not for "
                  "'{}'",
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
        throw DomainError(
            fmt::format("'{}' is no word of axes: it has a letter for every axis, with * or + behind it, such as "
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

DiagramTable diagram_table(std::string axes_out, std::string axes_in, std::vector<DiagramGroup> groups, bool mean,
                           Multiplicity channels, const Task& task) {
  DiagramTable table{std::move(axes_out), std::move(axes_in), std::move(groups), mean, channels, 0, 0, {}, {}, {}};
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

DiagramTable selected_diagrams(const DiagramTable& table, std::span<const std::uint64_t> weights,
                               std::span<const std::uint64_t> biases) {
  DiagramTable out = table;
  const auto take = [](std::span<const std::uint64_t> places, std::uint64_t count, const Word& from) {
    std::set<std::uint64_t> seen;
    const std::size_t length = count == 0 ? 0 : from.size() / count;
    Word words;
    for (const std::uint64_t place : places) {
      if (place >= count || !seen.insert(place).second)
        throw DomainError(
            fmt::format("diagram {} {}", place,
                        place >= count ? fmt::format("is not there: there are {}", count) : "is there twice"));
      words.insert(words.end(), from.begin() + static_cast<std::ptrdiff_t>(place * length),
                   from.begin() + static_cast<std::ptrdiff_t>((place + 1) * length));
    }
    return words;
  };
  out.diagrams = take(weights, table.params, table.diagrams);
  out.bias_diagrams = take(biases, table.bias_params, table.bias_diagrams);
  out.params = weights.size(), out.bias_params = biases.size();
  if (out.params != table.params || out.bias_params != table.bias_params) out.metadata["selection"] = diagram_selection;
  return out;
}

void require_sizes(const DiagramTable& table, std::span<const std::uint64_t> sizes) {
  const std::string letters = table.letters();
  if (sizes.size() != letters.size())
    throw DomainError(fmt::format("{} sizes are given, and there is one for each of the {} letters {}", sizes.size(),
                                  letters.size(), letters));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const DiagramGroup& group = table.groups[i];
    if (group.size != 0 && sizes[i] != group.size)
      throw DomainError(
          fmt::format("the axes '{}' are those of {}: their size is not {}", letters[i], to_string(group), sizes[i]));
    if (group.series == Series::Sp && sizes[i] % 2 != 0)
      throw DomainError(fmt::format("the axes '{}' have the length {}; Sp(n) acts on spaces of even dimension only",
                                    letters[i], sizes[i]));
  }
}

}  // namespace intertwine
