// Finite orthogonal groups as people write them: GO(5,3), GO+(4,3), GO-(4,3), or with the sign of the form first, GO(1,4,3), as GAP has it; O8+(2)
// is the ATLAS's name of POmega+(8,2).
#pragma once
#include <fmt/format.h>

#include <functional>
#include <vector>

#include "intertwine/groups/finite_group.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "io/expressions/group_cursor.hpp"

namespace intertwine {

class OrthogonalParser : GroupCursor {
 public:
  /// The text from behind the letters and digits on.
  OrthogonalParser(std::string_view text, std::size_t at, const Task& task) : GroupCursor(text), task_(task) {
    at_ = at;
  }

  /// Is there a bracket, perhaps after a sign, as in GO+(4,3) and O8+(2)? O(3) is a continuous group.
  bool names_group(std::string_view letters, std::string_view digits) const {
    const std::string_view rest = text_.substr(at_);
    if (!rest.starts_with('(') && !rest.starts_with("+(") && !rest.starts_with("-(")) return false;
    return is_orthogonal_family(letters) ? digits.empty() : letters == "O" && (rest[0] != '(' || !digits.empty());
  }

  /// \param start  where the letters begin \param dimension  the digits behind them
  std::function<FiniteGroup()> parse(std::size_t start, std::string_view letters, std::string_view dimension) {
    const bool atlas = letters == "O";
    const std::string_view family = atlas ? "POmega" : letters;
    const bool plus = accept('+'), minus = !plus && accept('-');
    int sign = plus ? 1 : minus ? -1 : 0;
    const std::size_t opened = at_;
    accept('(');
    const std::size_t numbers_at = at_;
    const bool negative = accept('-');
    std::vector<unsigned> numbers;
    if (atlas && !dimension.empty()) numbers.push_back(dimension_of(dimension, start));
    do numbers.push_back(small_number());
    while (accept(','));
    if (!accept(')')) {
      if (at_ == text_.size()) fail("this bracket is not closed with ')'", opened);
      fail("expected ')'", at_);
    }
    if (atlas && dimension.empty() && numbers.size() == 2)
      fail(fmt::format("O{0}({1},{2}) may be all isometries, GO{0}({1},{2}), or the simple group, "
                       "POmega{0}({1},{2}), which is O{1}{0}({2}) in the ATLAS; write one of them",
                       plus ? '+' : '-', numbers[0], numbers[1]),
           start);
    const bool three = numbers.size() == 3 && !atlas && !plus && !minus;
    if (three && numbers[0] > 1)
      fail("the first of three numbers is the sign of the form: 1, -1, or 0 in odd dimension", numbers_at);
    if ((!three && numbers.size() != 2) || (negative && !three))
      fail(fmt::format("expected the dimension and the size of the field, for example {}", example_of_function(family)),
           numbers_at);
    if (three) sign = static_cast<int>(numbers[0]) * (negative ? -1 : 1);
    const unsigned n = numbers[three ? 1 : 0], q = numbers.back();
    if (letters == "SO" && !three && !minus)
      fail(fmt::format("SO{0}({1},{2}) is a continuous group; the finite one over GF({2}) is SO({3},{1},{2})",
                       plus ? "+" : "", n, q, n % 2 == 0 ? 1 : 0),
           start);
    return [=, task = &task_] { return orthogonal_group(family, sign, n, q, *task); };
  }
  /// The place where the text goes on: behind the closing bracket.
  std::size_t end() const { return at_; }

 private:
  const Task& task_;
};

}  // namespace intertwine
