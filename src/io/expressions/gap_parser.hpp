// Groups by the functions that make them in GAP and take something other than the families here: DihedralGroup(8), of order 8, AbelianGroup([2,4]),
// ElementaryAbelianGroup(8), MathieuGroup(11), ExtraspecialGroup(27,'+').
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "io/expressions/group_cursor.hpp"
#include "io/expressions/word_list.hpp"

namespace intertwine {

class GapParser : GroupCursor {
 public:
  /// The text from behind the name on.
  GapParser(std::string_view text, std::size_t at, const Task& task) : GroupCursor(text), task_(task) { at_ = at; }

  static bool names_group(std::string_view word) {
    return is_listed("DihedralGroup MathieuGroup ElementaryAbelianGroup AbelianGroup ExtraspecialGroup", word);
  }

  /// \param start  where the name begins
  std::function<FiniteGroup()> parse(std::size_t start, std::string_view word) {
    const std::size_t opened = at_;
    if (!accept('('))
      fail(fmt::format("{} needs its parameters in parentheses, for example {}", word, example(word)), start);
    std::function<FiniteGroup()> group = word == "DihedralGroup"            ? dihedral()
                                         : word == "MathieuGroup"           ? mathieu()
                                         : word == "ElementaryAbelianGroup" ? elementary()
                                         : word == "ExtraspecialGroup"      ? extraspecial()
                                                                            : abelian();
    if (!accept(')')) {
      if (at_end()) fail("this bracket is not closed with ')'", opened);
      fail("expected ')'", at_);
    }
    return group;
  }
  /// The place where the text goes on: behind the closing bracket.
  std::size_t end() const { return at_; }

 private:
  static std::string_view example(std::string_view word) {
    return word == "DihedralGroup"            ? "DihedralGroup(8)"
           : word == "MathieuGroup"           ? "MathieuGroup(11)"
           : word == "ElementaryAbelianGroup" ? "ElementaryAbelianGroup(8)"
           : word == "ExtraspecialGroup"      ? "ExtraspecialGroup(27,'+')"
                                              : "AbelianGroup([2,4])";
  }

  std::function<FiniteGroup()> dihedral() {
    peek();
    const std::size_t at = at_;
    const unsigned order = small_number();
    if (order == 0 || order % 2 == 1)
      fail(fmt::format("DihedralGroup takes the order, which is even, as in GAP; D{} is the group of the {}-gon, of "
                       "order {}",
                       order, order, 2 * std::uint64_t{order}),
           at);
    return [order] { return dihedral_group(order / 2); };
  }

  std::function<FiniteGroup()> mathieu() {
    peek();
    const std::size_t at = at_;
    const unsigned degree = small_number();
    if (degree == 10) return [] { return mathieu_10_group(); };
    if (degree == 21) return [task = &task_] { return projective_special_linear_group(3, 4, *task); };
    if (degree != 11 && degree != 12 && degree != 22 && degree != 23 && degree != 24)
      fail("MathieuGroup takes the degree: 10, 11, 12, 21, 22, 23 or 24", at);
    return [degree, task = &task_] { return sporadic_group(fmt::format("M{}", degree), *task); };
  }

  std::function<FiniteGroup()> elementary() {
    peek();
    const std::size_t at = at_;
    const unsigned order = small_number();
    if (order == 1) return [] { return cyclic_group(1); };
    const auto power = prime_power(order);
    if (!power) fail("ElementaryAbelianGroup takes the order, a power of a prime, as in ElementaryAbelianGroup(8)", at);
    return product_of_cyclic(std::vector<std::size_t>(power->exponent, static_cast<std::size_t>(power->prime)));
  }

  std::function<FiniteGroup()> abelian() {
    if (!accept('[')) fail("AbelianGroup takes a list of orders, as in AbelianGroup([2,4])", at_);
    std::vector<std::size_t> orders;
    do {
      peek();
      const std::size_t at = at_;
      orders.push_back(static_cast<std::size_t>(number()));
      if (orders.back() == 0) fail("the orders of cyclic groups are at least 1", at);
    } while (accept(','));
    if (!accept(']')) fail("expected ',' or ']' in the list of orders", at_);
    return product_of_cyclic(orders);
  }
  static std::function<FiniteGroup()> product_of_cyclic(const std::vector<std::size_t>& orders) {
    return [orders] {
      Integer degree = 0;
      for (const std::size_t n : orders) degree += Integer(n);
      named::require_size("the direct product", degree, orders.size());
      std::vector<FiniteGroup> factors;
      for (const std::size_t n : orders) factors.push_back(cyclic_group(n));
      return factors.size() == 1 ? factors[0] : direct_product(factors);
    };
  }

  /// The order, and the sign or for odd p the exponent, p or p^2.
  std::function<FiniteGroup()> extraspecial() {
    peek();
    const std::size_t at = at_;
    const unsigned order = small_number();
    const auto power = prime_power(order);
    if (!power || power->exponent < 3 || power->exponent % 2 == 0)
      fail("ExtraspecialGroup takes the order p^(2n+1), as 8, 27 and 32", at);
    const auto p = static_cast<unsigned>(power->prime);
    bool plus = false, minus = false;
    if (accept(',')) {
      const char quote = accept('\'') ? '\'' : accept('"') ? '"' : '\0';
      if (quote == '\0' && peek_digit()) {
        const std::uint64_t exponent = number();
        plus = p > 2 && exponent == p;
        minus = p > 2 && exponent == std::uint64_t{p} * p;
      } else {
        plus = accept('+');
        minus = !plus && accept('-');
        if (quote != '\0' && !accept(quote)) plus = minus = false;
      }
    }
    if (!plus && !minus)
      fail(
          "ExtraspecialGroup takes the order and a sign, as in ExtraspecialGroup(27,'+'), or for odd p the "
          "exponent",
          at_);
    return [p, n = (power->exponent - 1) / 2, plus] { return extraspecial_group(p, static_cast<unsigned>(n), plus); };
  }

  const Task& task_;
};

}  // namespace intertwine
