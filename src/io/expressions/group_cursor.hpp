// The common part of the readers of names of groups: numbers and commas.
#pragma once
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>

#include "intertwine/error.hpp"
#include "io/expressions/group_names.hpp"
#include "text_cursor.hpp"

namespace intertwine {

/// The common part of the readers of parameters of groups.
class GroupCursor : protected TextCursor {
 protected:
  using TextCursor::TextCursor;

  /// A non-negative number below 10^18. \throws LimitError for a larger one.
  std::uint64_t number() {
    peek();
    const std::size_t start = at_;
    constexpr std::uint64_t most = 999'999'999'999'999'999U;
    const auto value = TextCursor::number(most);
    if (!value)
      throw LimitError(
          fmt::format("the number {}... in the group expression is larger than any group that can be built",
                      text_.substr(start, 18)));
    if (at_ == start) fail("expected a whole number", start);
    return *value;
  }
  unsigned small_number() {
    const std::uint64_t value = number();
    if (value > std::numeric_limits<unsigned>::max())
      throw LimitError(
          fmt::format("the parameter {} in the group expression is too large for any group that can be built", value));
    return static_cast<unsigned>(value);
  }
  void comma(std::string_view word) {
    if (!accept(','))
      fail(fmt::format("expected ',': {} takes more parameters, for example {}", word, example_of_function(word)), at_);
  }
  /// The number that these digits are. \param at  of the name with them
  unsigned dimension_of(std::string_view digits, std::size_t at) const {
    unsigned n = 0;
    const auto [rest, status] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    if (status != std::errc()) fail("the dimension is too large", at);
    return n;
  }
};

}  // namespace intertwine
