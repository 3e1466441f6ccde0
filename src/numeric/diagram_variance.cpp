// The variances of outputs of layers of diagrams.
#include <algorithm>
#include <cmath>
#include <map>

#include "intertwine/error.hpp"
#include "intertwine/numeric/diagram_layer.hpp"
#include "numeric/normal_numbers.hpp"

namespace intertwine {
namespace {

using Block = std::pair<std::size_t, std::int32_t>;  // letter and number

/// The blocks of a diagram: how many axes each has on either side.
struct Sides {
  std::map<Block, std::pair<std::uint64_t, std::uint64_t>> axes;  // of the output and of the input

  Sides(std::span<const std::int32_t> word, const std::vector<DiagramAxis>& of) {
    for (std::size_t a = 0; a < word.size(); ++a) {
      auto& [above, below] = axes[{of[a].letter, word[a]}];
      ++(of[a].output ? above : below);
    }
  }
  /// The letters that are carried over.
  std::vector<std::size_t> carried() const {
    std::vector<std::size_t> letters;
    for (const auto& [block, count] : axes)
      if (count.first > 0 && count.second > 0) letters.push_back(block.first);
    return letters;
  }
  /// Has y entries where no two indices agree?
  bool reaches_all() const {
    return std::all_of(axes.begin(), axes.end(), [](const auto& entry) { return entry.second.first <= 1; });
  }
  /// The product over the blocks that are summed.
  double summed(std::span<const std::uint64_t> sizes) const {
    double product = 1;
    for (const auto& [block, count] : axes)
      if (block.second >= 0 && count.first == 0) product *= static_cast<double>(sizes[block.first]);
    return product;
  }
  /// The squared norm of the matrix without means, by its rows.
  double squared_norm(std::span<const std::uint64_t> sizes) const {
    double value = 1;
    for (const auto& [block, count] : axes) {
      const auto n = static_cast<double>(sizes[block.first]);
      value *= block.second < 0 ? std::tgamma(n + 1) : n;
      value /= std::pow(n, static_cast<double>(count.first));
    }
    return value;
  }
};

}  // namespace

std::vector<double> initial_variance(const DiagramTable& table, std::span<const std::uint64_t> sizes, double gain) {
  require_sizes(table, sizes);
  if (std::ranges::find(sizes, 0U) != sizes.end())
    throw DomainError("parameters to begin with are for sizes of at least 1; these have none to sum over");
  const std::vector<DiagramAxis> axes = table.axes();
  const bool by_level =
      std::all_of(table.groups.begin(), table.groups.end(),
                  [](const DiagramGroup& group) { return group == DiagramGroup{}; }) &&
      dimensions(table, sizes_at(table, std::max<std::size_t>(axes.size(), 1))).weights == table.params;
  std::map<std::vector<std::size_t>, std::uint64_t> reached;  // of every level, the diagrams that reach all entries
  for (std::uint64_t p = 0; p < table.params; ++p) {
    const Sides sides(table.diagram(p), axes);
    reached[sides.carried()] += sides.reaches_all();
  }
  std::vector<double> variances;
  const double share = gain * gain / static_cast<double>(table.channels.in);
  for (std::uint64_t p = 0; p < table.params; ++p) {
    const Sides sides(table.diagram(p), axes);
    const double points = sides.summed(sizes), scale = table.mean ? points * points : 1;
    if (by_level)
      variances.push_back(share * scale / (points * points) /
                          static_cast<double>(reached[sides.carried()] * reached.size()));
    else
      variances.push_back(share * scale / (static_cast<double>(table.params) * sides.squared_norm(sizes)));
  }
  return variances;
}

template <class T>
std::vector<T> random_theta(const DiagramTable& table, std::span<const std::uint64_t> sizes, std::uint64_t seed) {
  return normal_numbers<T>(initial_variance(table, sizes), table.channels.in * table.channels.out, seed);
}

template std::vector<float> random_theta(const DiagramTable&, std::span<const std::uint64_t>, std::uint64_t);
template std::vector<double> random_theta(const DiagramTable&, std::span<const std::uint64_t>, std::uint64_t);

}  // namespace intertwine
