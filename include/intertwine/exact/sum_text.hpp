// Sums and lists as people write them: "2*s[2,1] - 1/3*s[3]", the same in LaTeX, "2,1/3,E(5)".
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

enum class Notation { text, latex };

/// A sum with its signs between the terms. A coefficient 1 is not written; one that is itself a sum, such as
/// E(5)+E(5)^4, stands in parentheses.
/// \par Example  SumText().add(Rational(-1, 3), "p[3]").add(2, "p[1]").str() = "-1/3*p[3] + 2*p[1]"
class SumText {
 public:
  explicit SumText(Notation notation = Notation::text) : notation_(notation) {}
  /// coefficient * what, or the coefficient alone if `what` is empty. Nothing for 0.
  SumText& add(const Cyclotomic& coefficient, std::string_view what);
  /// "0" if there are no terms.
  std::string str() const& { return text_.empty() ? "0" : text_; }
  std::string str() && { return text_.empty() ? "0" : std::move(text_); }

 private:
  Notation notation_;
  std::string text_;
};

/// Breaks a sum between its terms into lines of at most `width` (at least 40) columns, every further line indented by
/// one; the last line is ended too.
std::string wrapped_sum(const std::string& sum, unsigned width);

/// Reads "2,1/3,E(5)+E(5)^4"; none for the empty text. \throws as parse_cyclotomic.
std::vector<Cyclotomic> parse_cyclotomic_list(std::string_view text, const Task& task = {});

}  // namespace intertwine
