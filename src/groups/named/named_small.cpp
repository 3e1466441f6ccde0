// The groups of order at most 127: generators in a text that the build puts into the library.
#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine {

namespace embedded {
extern const std::string_view
    small_groups_txt;  ///< "order number degree cycles,cycles,..." a line, by order and number
}

namespace {

constexpr unsigned largest_order = 127;

/// The number at the front, which it takes off with the blank behind it.
unsigned taken(std::string_view& line) {
  unsigned value = 0;
  const auto [end, status] = std::from_chars(line.data(), line.data() + line.size(), value);
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  if (line.starts_with(' ')) line.remove_prefix(1);
  return value;
}

/// By order and number - 1: "degree cycles,cycles,...".
const std::vector<std::vector<std::string_view>>& lines_by_order() {
  static const std::vector<std::vector<std::string_view>> lines = [] {
    std::vector<std::vector<std::string_view>> result(largest_order + 1);
    std::string_view text = embedded::small_groups_txt;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      const unsigned order = taken(line);
      taken(line);
      result[order].push_back(line);
      text.remove_prefix(end + 1);
    }
    return result;
  }();
  return lines;
}

}  // namespace

unsigned number_of_small_groups(unsigned order) {
  if (order == 0 || order > largest_order)
    throw DomainError(fmt::format(
        "groups of order {} are not listed; SmallGroup(order, number) knows the orders from 1 to {}", order,
        largest_order));
  return static_cast<unsigned>(lines_by_order()[order].size());
}

FiniteGroup small_group(unsigned order, unsigned number) {
  const unsigned count = number_of_small_groups(order);
  if (number == 0 || number > count)
    throw DomainError(
        count == 1 ? fmt::format("there is one group of order {}, SmallGroup({},1)", order, order)
                   : fmt::format("there are {} groups of order {}, SmallGroup({},1) to SmallGroup({},{})",
                                 count, order, order, order, count));
  std::string_view line = lines_by_order()[order][number - 1];
  const std::size_t degree = taken(line);
  std::vector<Permutation> generators;
  while (!line.empty()) {
    // Generators are separated by ",(" behind a bracket.
    const std::size_t end = line.find("),(");
    generators.push_back(
        parse_permutation(line.substr(0, end == std::string_view::npos ? end : end + 1), degree));
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 2);
  }
  return FiniteGroup::built_as(structure::SmallGroup{order, number}, degree, std::move(generators));
}

}  // namespace intertwine
