// Parses groups and features of tables of diagrams.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/io/continuous_expression.hpp"
#include "io/expressions/group_factors.hpp"
#include "text_cursor.hpp"

namespace intertwine {

namespace {

/// A product of tensor powers over one factor as a word of axes of its letter: "vector^2 * dual(vector)" is "aaa*".
/// Numbers in front are channels.
class AxesParser : TextCursor {
 public:
  AxesParser(std::string_view text, const DiagramGroup& group, char letter, std::uint64_t& channels)
      : TextCursor(text), group_(group), letter_(letter), channels_(channels) {}

  std::string parse() {
    std::string word = product();
    if (peek('+'))
      fail("a layer for every size is between two tensors: a sum is a layer of its own for every summand", at_);
    if (!at_end()) fail("unexpected text after the representation; join representations by * or #", at_);
    return word;
  }

  static std::string natural(const DiagramGroup& group) {
    using Series = DiagramGroup::Series;
    return group.series == Series::S ? "perm" : group.series == Series::B ? "coordinates" : "vector";
  }

 private:
  static constexpr std::size_t most_axes = 64;

  std::string product() {
    while (peek_digit()) {
      channels_ *= number(1'000'000, "a multiplicity");
      if (channels_ > 1'000'000'000) fail("there are too many channels", at_);
      expect('*', "expected '*' after a multiplicity, as in 16*vector");
    }
    std::string word = power();
    while (accept('*')) word += power();
    return limited(std::move(word));
  }
  std::string power() {
    std::string word = atom();
    while (accept('^')) {
      const std::uint64_t exponent = number(most_axes, "an exponent");
      std::string repeated;
      for (std::uint64_t i = 0; i < exponent; ++i) repeated += word;
      word = limited(std::move(repeated));
    }
    return word;
  }
  std::string atom() {
    if (accept('(')) {
      if (++depth_ > deepest_continuous) fail("the expression is nested too deep", at_);
      std::string word = product();
      expect(')', "expected ')' to close the bracket");
      return word;
    }
    const std::size_t start = at_;
    const std::string_view name = word_here();
    const std::string mine = natural(group_);
    if (name == "trivial") return "";
    if (name == mine) return {letter_};
    if (name == "unsigned" && group_.series == DiagramGroup::Series::B) return {letter_, '+'};
    if (name == "dual" && group_.has_duals()) {
      expect('(', "expected '(' with the argument");
      if (word_here() != mine) fail("dual(vector) is the dual of one axis", start);
      expect(')', "expected ')' after the argument");
      return {letter_, '*'};
    }
    fail(fmt::format("expected {}{}, a product or a power: what {} acts on for every n", mine,
                     group_.has_duals()                         ? ", dual(vector)"
                     : group_.series == DiagramGroup::Series::B ? ", unsigned"
                                                                : "",
                     to_string(group_)),
         start);
  }
  std::string_view word_here() {
    skip();
    const std::size_t start = at_;
    while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) ++at_;
    return text_.substr(start, at_ - start);
  }
  std::string limited(std::string word) const {
    if (word.size() > 2 * most_axes) throw LimitError(fmt::format("tensors here have {} axes at most", most_axes));
    return word;
  }
  std::uint64_t number(std::uint64_t most, const char* what) {
    const std::size_t start = at_;
    const auto value = peek_digit() ? TextCursor::number(most) : std::nullopt;
    if (!value || *value == 0) fail(fmt::format("expected {}, a number from 1 to {}", what, most), start);
    return *value;
  }

  const DiagramGroup& group_;
  char letter_;
  std::uint64_t& channels_;
  unsigned depth_ = 0;
};

/// The axes of one side, and its channels.
std::string parse_axes(std::string_view text, const std::vector<DiagramGroup>& groups, std::uint64_t& channels) {
  Excerpt part = trimmed({text, 0});
  // 8*(perm # vector): the number and the brackets around all.
  for (bool more = true; std::exchange(more, false);) {
    const std::size_t digits = std::min(part.text.find_first_not_of("0123456789"), part.text.size());
    const Excerpt rest = trimmed({part.text.substr(digits), part.start + digits});
    if (digits > 0 && digits < 10 && rest.text.starts_with('*') && is_bracket(trimmed({rest.text.substr(1), 0}).text)) {
      channels *= std::stoull(std::string(part.text.substr(0, digits)));
      part = trimmed({rest.text.substr(1), rest.start + 1});
    }
    if ((more = is_bracket(part.text))) part = trimmed({part.text.substr(1, part.text.size() - 2), part.start + 1});
    if (channels == 0 || channels > 1'000'000'000) throw ParseError("channels are 1 to 10^9", std::string(text), 0);
  }
  const auto operands =
      split(part, [](std::string_view all, std::size_t i) { return static_cast<std::size_t>(all[i] == '#'); });
  if (operands.size() != groups.size())
    throw ParseError(fmt::format("the group has {} factors, and a representation for each is joined by #, as "
                                 "in perm # vector; {} are here",
                                 groups.size(), operands.size()),
                     std::string(text), part.start);
  std::string axes;
  for (std::size_t k = 0; k < groups.size(); ++k)
    axes += within(text, operands[k], [&] {
      return AxesParser(operands[k].text, groups[k], static_cast<char>('a' + k), channels).parse();
    });
  return axes;
}

}  // namespace

bool names_every_size(std::string_view text) {
  const auto factors = group_factors(text);
  return std::any_of(factors.begin(), factors.end(), [](const Excerpt& part) {
    const std::size_t size = part.text.size();
    return (size == 4 || size == 5) && part.text[size - 3] == '(' && part.text[size - 2] >= 'a' &&
           part.text[size - 2] <= 'z' && part.text.ends_with(')');
  });
}

std::optional<DiagramTable> parse_diagrams(std::string_view group, std::string_view in, std::string_view out, bool mean,
                                           const Task& task) {
  if (!names_every_size(group)) return std::nullopt;
  std::vector<DiagramGroup> groups;
  std::string natural;
  const auto factors = group_factors(group);
  if (factors.size() > 26) throw LimitError("a layer for every size has at most 26 groups");
  for (const Excerpt& part : factors) {
    groups.push_back(parse_diagram_group(part.text));
    natural += (natural.empty() ? "" : " # ") + AxesParser::natural(groups.back());
  }
  Multiplicity channels;
  const std::string_view source = in.empty() ? std::string_view(natural) : in, target = out.empty() ? source : out;
  DiagramTable words;
  words.axes_in = parse_axes(source, groups, channels.in);
  words.axes_out = parse_axes(target, groups, channels.out);
  std::vector<DiagramGroup> used;  // by their letters as they occur
  for (const char letter : words.letters()) used.push_back(groups[static_cast<std::size_t>(letter - 'a')]);
  return diagram_table(words.axes_out, words.axes_in, std::move(used), mean, channels, task);
}

}  // namespace intertwine
