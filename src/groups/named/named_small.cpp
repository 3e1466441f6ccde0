// The groups of small order: generators and presentations in texts that the build puts into the library.
#include <fmt/format.h>

#include <bit>
#include <string_view>
#include <utility>
#include <vector>

#include "groups/named/numbered_lines.hpp"
#include "groups/named/polycyclic.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine {

namespace embedded {
extern const std::string_view
    small_groups_txt;  ///< "order number degree cycles,cycles,..." a line, by order and number
/// For larger orders: scripts/group_libraries.py describes it.
extern const std::string_view small_groups_large_txt;
}  // namespace embedded

namespace {

constexpr unsigned largest_order = 511;

struct OrderList {
  /// The lists of relative orders that presentations choose from.
  std::vector<std::vector<unsigned>> relative_orders;
  /// By number - 1: "degree cycles,cycles,...", or a presentation as a word of letters.
  std::vector<std::string_view> groups;
};

std::vector<unsigned> relative_orders(std::string_view text) {
  std::vector<unsigned> orders;
  while (!text.empty()) {
    orders.push_back(named::taken_number(text));
    if (text.starts_with('.')) text.remove_prefix(1);
  }
  return orders;
}

bool is_number_first(std::string_view line) {
  const std::size_t blank = line.find(' ');
  return blank != std::string_view::npos &&
         line.substr(0, blank).find_first_not_of("0123456789") == std::string_view::npos;
}

const std::vector<OrderList>& lists_by_order() {
  static const std::vector<OrderList> lists = [] {
    std::vector<OrderList> result(largest_order + 1);
    std::string_view text = embedded::small_groups_txt;
    while (!text.empty()) {
      std::string_view line = named::taken_line(text);
      const unsigned order = named::taken_number(line);
      named::taken_number(line);
      result[order].groups.push_back(line);
    }
    text = embedded::small_groups_large_txt;
    OrderList* list = nullptr;
    while (!text.empty()) {
      std::string_view line = named::taken_line(text);
      if (line.find('(') != std::string_view::npos) {
        list->groups.push_back(line);
        continue;
      }
      if (!is_number_first(line)) {
        while (!line.empty()) list->groups.push_back(named::taken_word(line));
        continue;
      }
      list = &result[named::taken_number(line)];
      while (!line.empty()) {
        const std::size_t end = line.find(' ');
        list->relative_orders.push_back(relative_orders(line.substr(0, end)));
        line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
      }
    }
    return result;
  }();
  return lists;
}

/// The bits of a word in letters, the highest bit of a letter first.
class BitReader {
 public:
  explicit BitReader(std::string_view word) : word_(word) {}
  unsigned take(unsigned bits) {
    unsigned value = 0;
    for (; bits > 0; --bits, ++at_) value = 2 * value + (letter(word_[at_ / 6]) >> (5 - at_ % 6) & 1U);
    return value;
  }

 private:
  static unsigned letter(char c) {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";
    return static_cast<unsigned>(alphabet.find(c));
  }
  std::string_view word_;
  std::size_t at_ = 0;
};

PolycyclicPresentation presentation_of(std::string_view word, const OrderList& list) {
  BitReader bits(word);
  const auto lists = static_cast<unsigned>(list.relative_orders.size());
  PolycyclicPresentation result;
  result.orders = list.relative_orders[bits.take(static_cast<unsigned>(std::bit_width(lists - 1)))];
  const std::size_t n = result.orders.size();
  result.conjugates.assign(n, std::vector<PolycyclicPresentation::Exponents>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j) {
      PolycyclicPresentation::Exponents exponents(n);
      if (bits.take(1) != 0) {
        for (std::size_t k = i + 1; k < n; ++k)
          exponents[k] = bits.take(static_cast<unsigned>(std::bit_width(result.orders[k] - 1)));
      } else if (j > i) {
        exponents[j] = 1;
      }
      if (j == i)
        result.powers.push_back(std::move(exponents));
      else
        result.conjugates[i][j] = std::move(exponents);
    }
  return result;
}

}  // namespace

unsigned number_of_small_groups(unsigned order) {
  if (order == 0 || order > largest_order || lists_by_order()[order].groups.empty())
    throw DomainError(fmt::format(
        "{}groups of order {} are not listed; SmallGroup(order, number) knows the orders from 1 to {} but "
        "for "
        "256 and 384; build the group in another way, as a product {}, by generators <(1,2),(3,4)>, or from "
        "a file @group.g, which GAP writes by PrintTo(\"group.g\", \"G:=\", "
        "GeneratorsOfGroup(Image(IsomorphismPermGroup(SmallGroup({},1)))), \";\")",
        order == 256   ? "the 56092 "
        : order == 384 ? "the 20169 "
                       : "",
        order, largest_order, order == 384 ? "C3 x SmallGroup(128,5)" : "C2^3 x SmallGroup(32,5)", order));
  return static_cast<unsigned>(lists_by_order()[order].groups.size());
}

FiniteGroup small_group(unsigned order, unsigned number) {
  const unsigned count = number_of_small_groups(order);
  if (number == 0 || number > count)
    throw DomainError(count == 1 ? fmt::format("there is one group of order {}, SmallGroup({},1)", order, order)
                                 : fmt::format("there are {} groups of order {}, SmallGroup({},1) to SmallGroup({},{})",
                                               count, order, order, order, count));
  const OrderList& list = lists_by_order()[order];
  std::string_view line = list.groups[number - 1];
  const structure::SmallGroup kind{order, number};
  if (list.relative_orders.empty() || is_number_first(line)) {
    const std::size_t degree = named::taken_number(line);
    return FiniteGroup::built_as(kind, degree, named::generators_in_cycles(line, degree));
  }
  auto [degree, generators] = PolycyclicTable(presentation_of(line, list)).permutations();
  return FiniteGroup::built_as(kind, degree, std::move(generators));
}

}  // namespace intertwine
