// Sums and lists as people write them.
#include "intertwine/exact/sum_text.hpp"

#include <algorithm>

#include "intertwine/error.hpp"

namespace intertwine {

SumText& SumText::add(const Cyclotomic& coefficient, std::string_view what) {
  bool negative = false;
  std::string number;
  if (const std::int64_t* small = coefficient.small_integer()) {  // nearly always
    if (*small == 0) return *this;
    negative = *small < 0;
    number = std::to_string(negative ? -*small : *small);
  } else {
    const auto terms = coefficient.terms();
    negative = terms.size() == 1 && terms[0].second < 0;
    const Cyclotomic size = negative ? -coefficient : coefficient;
    number = notation_ == Notation::latex ? to_latex(size) : to_string(size);
    if (terms.size() > 1) number = "(" + number + ")";
  }
  text_ += negative ? (text_.empty() ? "-" : " - ") : text_.empty() ? "" : " + ";
  if (what.empty())
    text_ += number;
  else if (number != "1")
    text_.append(number).append(notation_ == Notation::latex ? " " : "*");
  text_ += what;
  return *this;
}

std::string wrapped_sum(const std::string& sum, unsigned width) {
  const std::size_t limit = std::max(width, 40U);
  const auto begins_term = [&](std::size_t at) {
    return at + 2 < sum.size() && (sum[at + 1] == '+' || sum[at + 1] == '-') && sum[at + 2] == ' ';
  };
  std::string text;
  text.reserve(sum.size() + sum.size() / 16 + 2);
  std::size_t line = 0;  // where the current line begins
  for (std::size_t at = 0; at < sum.size();) {
    std::size_t next = sum.find(' ', at + 1);
    while (next < sum.size() && !begins_term(next)) next = sum.find(' ', next + 1);
    next = std::min(next, sum.size());
    if (!text.empty() && text.size() - line + (next - at) > limit) {
      text += "\n ";
      line = text.size() - 1;
    }
    text.append(sum, at, next - at);
    at = next;
  }
  text += '\n';
  return text;
}

std::vector<Cyclotomic> parse_cyclotomic_list(std::string_view text, const Task& task) {
  std::vector<Cyclotomic> result;
  for (std::size_t from = 0; from <= text.size() && !text.empty();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    try {
      result.push_back(parse_cyclotomic(text.substr(from, to - from), task));
    } catch (const ParseError& e) {
      throw ParseError(e.what(), std::string(text), from + e.position());
    }
    from = to + 1;
  }
  return result;
}

}  // namespace intertwine
