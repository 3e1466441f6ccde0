// Space, rod and layer groups as people write them: space(225,2,2,2), space(P 21/c,2,2,2),
// space("-F 4 2 3",2,2,2; 0,0,1/2), rod(p4_2/mmc,3), layer(64,2,2).
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/groups/space_groups.hpp"
#include "io/expressions/group_cursor.hpp"

namespace intertwine {

class CrystalParser : GroupCursor {
 public:
  /// The text from behind the opening bracket on.
  CrystalParser(std::string_view text, std::size_t at, const Task& task) : GroupCursor(text), task_(task) { at_ = at; }

  /// \param word  space, rod or layer
  std::function<FiniteGroup()> parse(std::string_view word) {
    peek();
    const std::size_t start = at_;
    std::string name;
    std::optional<SpaceGroup> group;
    const std::string_view written = name_of_group(word);
    try {
      group = word == "rod"     ? SpaceGroup::rod(written)
              : word == "layer" ? SpaceGroup::layer(written)
                                : SpaceGroup::named(written);
    } catch (const ParseError& e) {
      fail(e.what(), static_cast<std::size_t>(written.data() - text_.data()) + e.position());
    } catch (const DomainError& e) {
      fail(e.what(), start);
    }
    const auto usual = number_of_setting(*group);
    name = usual ? fmt::format("{}({}", word, *usual) : fmt::format("{}(\"{}\"", word, readable_hall(*group));
    std::array<std::size_t, 3> cells{};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!group->periodic()[i]) continue;
      comma(word);
      const std::size_t number_at = at_;
      cells[i] = static_cast<std::size_t>(number());
      if (cells[i] == 0) fail(fmt::format("there is at least one cell along edge {}", "abc"[i]), number_at);
    }
    std::vector<Rational> position;
    if (accept(';'))
      for (int i = 0; i < 3; ++i) {
        if (i > 0) comma(word);
        position.push_back(coordinate());
      }
    return [group = *group, cells, position, name = crystal_name(name, cells, position), task = task_] {
      return crystal_group(group, cells, position, name, task);
    };
  }
  /// The place where the text goes on: the closing bracket.
  std::size_t end() const { return at_; }

 private:
  /// The name before the numbers of cells, perhaps in quotation marks.
  std::string_view name_of_group(std::string_view word) {
    if (word == "space" && accept('"')) {
      // Hall's symbol itself may end with a quotation mark, an axis: the last one before the comma closes.
      const std::size_t comma_at = text_.find(',', at_);
      const std::size_t close = text_.rfind('"', comma_at);
      if (comma_at == std::string_view::npos || close < at_)
        fail("expected '\"' and the numbers of cells after the symbol, as in space(\"-F 4 2 3\",2,2,2)", text_.size());
      const std::string_view symbol = text_.substr(at_, close - at_);
      at_ = close + 1;
      return symbol;
    }
    const std::size_t start = at_;
    for (int depth = 0; at_ < text_.size() && text_[at_] != ',' && (text_[at_] != ')' || depth > 0); ++at_)
      depth += text_[at_] == '(' ? 1 : text_[at_] == ')' ? -1 : 0;  // "P2(1)/c" has brackets
    std::size_t end = at_;
    while (end > start && is_space(text_[end - 1])) --end;
    return text_.substr(start, end - start);
  }
  /// "1/2", "-1/3", "0".
  Rational coordinate() {
    const bool minus = accept('-');
    peek();
    const Integer above(number());
    Integer below = 1;
    if (accept('/')) {
      peek();
      const std::size_t start = at_;
      below = Integer(number());
      if (below == 0) fail("a coordinate is divided by 0", start);
    }
    return Rational(minus ? Integer(-above) : above, below);
  }

  const Task& task_;
};

}  // namespace intertwine
