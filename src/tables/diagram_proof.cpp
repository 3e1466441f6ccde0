// Counts the dimensions of tables of diagrams, and proves the tables.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/tables/diagram_table.hpp"
#include "tables/diagram_axes.hpp"

namespace intertwine {
namespace {

using Series = DiagramGroup::Series;

/// Partitions of the axes into at most so many blocks, with an even number of signed axes in each: axis by axis, by how many
/// blocks have an even and an odd number until then.
std::uint64_t even_partitions(const std::vector<int>& signs, std::uint64_t most_blocks) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> ways{{{0, 0}, 1}};
  for (const int sign : signs) {
    auto before = std::exchange(ways, {});
    for (const auto& [blocks, count] : before) {
      const auto [even, odd] = blocks;
      const auto add = [&, &count = count](std::uint64_t e, std::uint64_t o, std::uint64_t choices) {
        if (choices > 0 && e + o <= most_blocks)
          ways[{e, o}] = counted_sum(ways[{e, o}], counted_product(choices, count));
      };
      if (sign == 0) {
        add(even, odd, even + odd);
        add(even + 1, odd, 1);
      } else {
        add(even - 1, odd + 1, even);
        add(even + 1, odd - 1, odd);
        add(even, odd + 1, 1);
      }
    }
  }
  std::uint64_t total = 0;
  for (const auto& [blocks, count] : ways)
    if (blocks.second == 0) total = counted_sum(total, count);
  return total;
}

/// Walks among the irreducible representations, from the trivial one to `end`, each step a factor V or its dual: a box more or less [Weyl 1946;
/// Koike 1989]. Weights are rows in falling order; those of O(n) have at most n boxes in the first two columns, and rows of GL(n)
/// may be negative.
struct BoxWalks {
  using Rows = std::vector<std::int64_t>;
  const DiagramGroup& group;
  std::uint64_t size;
  const std::vector<int>& signs;
  const Task& task;

  bool is_weight(const Rows& rows) const {
    if (!std::is_sorted(rows.rbegin(), rows.rend())) return false;
    if (group.has_duals()) return true;
    if (!rows.empty() && rows.back() < 0) return false;
    if (group.series == Series::Sp) return true;
    const auto longer = [&](std::int64_t than) {
      return static_cast<std::uint64_t>(std::count_if(rows.begin(), rows.end(), [&](auto r) { return r > than; }));
    };
    return longer(0) + longer(1) <= size;
  }

  std::uint64_t to(const Rows& end) const {
    std::map<Rows, std::uint64_t> walks{{Rows(end.size(), 0), 1}};
    std::int64_t up = 0, down = 0;  // steps to come
    for (const int sign : signs) (sign > 0 ? up : down) += 1;
    for (const int sign : signs) {
      (sign > 0 ? up : down) -= 1;
      auto before = std::exchange(walks, {});
      for (auto& [rows, count] : before) {
        task.poll();
        Rows next = rows;
        for (std::int64_t& row : next)
          for (const int step : {sign, -sign}) {
            if (step != sign && group.has_duals()) break;
            row += step;
            if (is_weight(next) && reaches(next, end, up, down)) walks[next] = counted_sum(walks[next], count);
            row -= step;
          }
      }
    }
    return walks.contains(end) ? walks[end] : 0;
  }

  bool reaches(const Rows& from, const Rows& end, std::int64_t up, std::int64_t down) const {
    std::int64_t more = 0, less = 0;
    for (std::size_t i = 0; i < end.size(); ++i) (end[i] > from[i] ? more : less) += std::abs(end[i] - from[i]);
    return group.has_duals() ? more <= up && less <= down : more + less <= up + down;
  }
};

}  // namespace

std::uint64_t counted_sum(std::uint64_t a, std::uint64_t b) { return std::min(a + b, most_counted); }
std::uint64_t counted_product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > most_counted / b ? most_counted : a * b;
}

std::uint64_t number_of_diagrams(const DiagramGroup& group, const std::vector<int>& signs) {
  if (!group.has_pairs()) return even_partitions(signs, signs.size());
  if (group.has_determinant()) return 0;
  const auto above = static_cast<std::uint64_t>(std::count(signs.begin(), signs.end(), 1));
  if (group.has_duals() ? 2 * above != signs.size() : signs.size() % 2 != 0) return 0;
  std::uint64_t count = 1;
  for (std::uint64_t pair = 1; pair <= signs.size() / 2; ++pair)
    count = counted_product(count, group.has_duals() ? pair : 2 * pair - 1);
  return count;
}

std::uint64_t number_of_maps(const DiagramGroup& group, const std::vector<int>& signs, std::uint64_t size,
                             const Task& task) {
  if (!group.has_pairs()) return even_partitions(signs, size);
  // No walk is longer than there are axes, so further rows stay empty.
  const std::uint64_t rows = std::min<std::uint64_t>(group.series == Series::Sp ? size / 2 : size, signs.size());
  const BoxWalks walks{group, size, signs, task};
  std::int64_t total = 0;
  for (const int sign : signs) total += sign;
  if (!group.has_determinant()) return group.has_duals() && total != 0 ? 0 : walks.to(BoxWalks::Rows(rows, 0));
  // Invariants of SO(n) and SL(n): what is trivial or a power of the determinant for O(n) and GL(n).
  const auto n = static_cast<std::int64_t>(size);
  if (group.has_duals()) return total % n != 0 ? 0 : walks.to(BoxWalks::Rows(rows, total / n));
  const std::uint64_t even = walks.to(BoxWalks::Rows(rows, 0));
  return rows < size ? even : counted_sum(even, walks.to(BoxWalks::Rows(rows, 1)));
}

DiagramDimensions dimensions(const DiagramTable& table, std::span<const std::uint64_t> sizes, const Task& task) {
  require_sizes(table, sizes);
  std::vector<DiagramAxis> axes = table.axes();
  const auto maps = [&] {
    std::uint64_t count = 1;
    for (std::size_t letter = 0; letter < sizes.size(); ++letter)
      count = counted_product(
          count,
          number_of_maps(table.groups[letter], axes_of(axes, letter, table.groups[letter]).signs, sizes[letter], task));
    if (count == most_counted) throw LimitError("there are more than 2^62 independent equivariant maps");
    return count;
  };
  DiagramDimensions out;
  out.weights = maps();
  std::erase_if(axes, [](const DiagramAxis& axis) { return !axis.output; });
  out.bias = maps();
  return out;
}

std::vector<std::uint64_t> sizes_at(const DiagramTable& table, std::uint64_t n) {
  std::vector<std::uint64_t> sizes;
  for (const DiagramGroup& group : table.groups)
    sizes.push_back(group.size != 0 ? group.size : n + (group.series == Series::Sp ? n % 2 : 0));
  return sizes;
}

namespace {

/// Are diagrams missing, and do the metadata say so? What else these say is added to the claims.
void check_selection(DiagramProof& proof) {
  const auto stated = proof.table.metadata.find("selection");
  const bool selection = stated != proof.table.metadata.end() && stated->second == diagram_selection;
  if (!proof.is_complete() && !selection)
    throw VerificationError(
        fmt::format("the table has {} of {} diagrams and {} of {} of the bias: it is not complete, and does not "
                    "say that it is a selection",
                    proof.table.params, proof.diagrams, proof.table.bias_params, proof.bias_diagrams));
  if (proof.is_complete() && selection)
    throw VerificationError("the table says that it has some of the diagrams, but it has all");
  for (const auto& [key, value] : proof.table.metadata)
    if (key != "selection" || !selection) proof.claims.push_back(key);
}

}  // namespace

DiagramProof verify(DiagramTable table, const Task& task) {
  require_consistent(table, task);
  const DiagramTable all = diagram_table(table.axes_out, table.axes_in, table.groups, table.mean, table.channels, task);
  DiagramProof proof{std::move(table), all.params, all.bias_params, {}, {}};
  check_selection(proof);
  const bool free =
      std::any_of(all.groups.begin(), all.groups.end(), [](const DiagramGroup& group) { return group.size == 0; });
  // From n = k + l on all diagrams are independent.
  const std::uint64_t last = std::max<std::uint64_t>(all.axes().size(), 1);
  for (std::uint64_t n = 1; n <= last; ++n) {
    const std::vector<std::uint64_t> sizes = sizes_at(all, n);
    const DiagramDimensions found = dimensions(all, sizes, task);
    if (found.weights > all.params || found.bias > all.bias_params)
      throw VerificationError(fmt::format("the characters count {} maps and {} biases, more than there are diagrams",
                                          found.weights, found.bias));
    if (proof.dimensions.empty() || sizes != proof.dimensions.back().first) proof.dimensions.emplace_back(sizes, found);
    if (!free || (found.weights == all.params && found.bias == all.bias_params)) break;
  }
  const DiagramDimensions& most = proof.dimensions.back().second;
  const bool fixed =
      std::any_of(all.groups.begin(), all.groups.end(), [](const DiagramGroup& group) { return group.size != 0; });
  if (!fixed && (most.weights != all.params || most.bias != all.bias_params))
    throw VerificationError(
        fmt::format("the characters count {} maps and {} biases for large n, and there are {} and {} diagrams",
                    most.weights, most.bias, all.params, all.bias_params));
  return proof;
}

}  // namespace intertwine
