// The character tables of symmetric groups, column by column.
#include "intertwine/combinatorics/symmetric_group_characters.hpp"

#include <fmt/format.h>

#include <map>

#include "combinatorics/ribbon_table.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

Integer symmetric_group_character(const Partition& lambda, const Partition& cycle_type, const Task& task) {
  if (lambda.weight() != cycle_type.weight())
    throw DomainError("symmetric_group_character: " + to_string(lambda) + " and the cycle type " +
                      to_string(cycle_type) + " have different weights");
  std::map<Partition, Integer> rest{{lambda, 1}};
  for (const int cycle : cycle_type) {
    if (cycle == 1) break;  // only fixed points are left
    std::map<Partition, Integer> next;
    for (const auto& [shape, value] : rest) {
      task.poll();
      for (const Ribbon& ribbon : removable_ribbons(shape, cycle)) {
        Integer& sum = next[ribbon.partition];
        if (ribbon.height % 2) {
          sum -= value;
        } else {
          sum += value;
        }
      }
    }
    rest = std::move(next);
  }
  Integer total = 0;
  for (const auto& [shape, value] : rest) total += value * number_of_standard_tableaux(shape);
  return total;
}

namespace {

/// Fills the columns of the table: p_rho as a combination of Schur functions, parts added in increasing
/// order, so that the expensive last step starts from a small degree.
class TableFiller {
 public:
  TableFiller(const detail::RibbonTable& ribbons, SymmetricGroupTable& table, const Task& task)
      : ribbons_(ribbons), table_(table), task_(task) {}

  void extend(const std::vector<std::uint64_t>& column, std::vector<int>& parts, int degree) {
    const int n = ribbons_.weight(), least = parts.empty() ? 1 : parts.back();
    if (degree == n) {
      store(column, parts);
      return;
    }
    for (int k = least; degree + k <= n; ++k) {
      if (degree + k != n && n - degree - k < k) continue;
      std::vector<std::uint64_t> next(ribbons_.partitions_of(degree + k).size());
      ribbons_.for_each(degree + k, k, [&](std::uint32_t from, detail::RibbonTable::Move move) {
        next[from] += static_cast<std::uint64_t>(std::int64_t{move.sign}) * column[move.to];
      });
      parts.push_back(k);
      extend(next, parts, degree + k);
      parts.pop_back();
    }
  }

 private:
  void store(const std::vector<std::uint64_t>& column, const std::vector<int>& parts) {
    task_.progress("the character table of the symmetric group", done_++, table_.partitions.size());
    const std::size_t at = ribbons_.number(Partition(std::vector<int>(parts.rbegin(), parts.rend())));
    for (std::size_t row = 0; row < column.size(); ++row)
      table_.values[row * column.size() + at] = static_cast<std::int64_t>(column[row]);
  }

  const detail::RibbonTable& ribbons_;
  SymmetricGroupTable& table_;
  const Task& task_;
  std::uint64_t done_ = 0;
};

}  // namespace

SymmetricGroupTable symmetric_group_character_table(int n, const Task& task) {
  if (n < 0) throw DomainError("symmetric_group_character_table: n = " + std::to_string(n) + " is negative");
  // |chi(g)| <= chi(1) fits 64 bits up to n = 33, where chi(1) <= sqrt(n!) < 2^63, and a little beyond, where the largest
  // degree is looked up. Sums on the way are only needed modulo 2^64.
  constexpr int always = 33, never = 60;
  const auto too_large = [&] {
    return LimitError(
        fmt::format("symmetric_group_character_table: the table of S_{} has {} rows and values beyond 64 "
                    "bits; ask for single values instead",
                    n, to_string(number_of_partitions(n))));
  };
  if (n > never) throw too_large();
  const auto size = number_of_partitions(n).convert_to<std::uint64_t>();
  task.require_memory(size * size * sizeof(std::int64_t), "the character table");
  SymmetricGroupTable table;
  table.partitions = partitions(n);
  if (n > always)
    for (const Partition& lambda : table.partitions) {
      task.poll();
      if (number_of_standard_tableaux(lambda) >= Integer(1) << 63) throw too_large();
    }
  table.values.resize(size * size);
  const detail::RibbonTable ribbons(n, task);
  std::vector<int> parts;
  TableFiller(ribbons, table, task).extend({1}, parts, 0);
  return table;
}

}  // namespace intertwine
