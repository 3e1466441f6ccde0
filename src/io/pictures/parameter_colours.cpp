// Colours of parameters by distance, for translations of a torus.
#include "io/pictures/parameter_colours.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <iterator>
#include <numeric>
#include <span>

#include "intertwine/representations/basis_layout.hpp"
#include "intertwine/tables/data_section.hpp"
#include "io/pictures/picture_source.hpp"

namespace intertwine {
namespace {

using Axes = std::vector<std::uint64_t>;
using CodeRow = std::vector<std::int32_t>;

std::uint64_t sites_of(std::span<const std::uint64_t> axes) {
  return std::accumulate(axes.begin(), axes.end(), std::uint64_t{1}, std::multiplies<>());
}

/// Basis vectors on the sites of a torus, so many at each, the site first.
struct TorusBlock {
  std::uint64_t start, fibre;
};

/// The blocks of V on a torus of these axes, if all of them are there.
std::optional<std::vector<TorusBlock>> torus_blocks(const std::vector<BasisBlock>& layout,
                                                    std::span<const std::uint64_t> axes) {
  std::vector<TorusBlock> out;
  for (const BasisBlock& block : layout) {
    if (block.axes.size() < axes.size() || !std::equal(axes.begin(), axes.end(), block.axes.begin()))
      return std::nullopt;
    out.push_back({block.start, sites_of(std::span(block.axes).subspan(axes.size()))});
  }
  return out;
}

/// Site t - s.
std::uint64_t site_difference(std::uint64_t t, std::uint64_t s, std::span<const std::uint64_t> axes) {
  std::uint64_t out = 0, unit = 1;
  for (std::size_t k = axes.size(); k-- > 0; t /= axes[k], s /= axes[k], unit *= axes[k])
    out += unit * ((t % axes[k] + axes[k] - s % axes[k]) % axes[k]);
  return out;
}

/// Whether a row at site s is the one at site 0, moved: in pieces along the last axis, which stay together but for one cut.
bool is_moved(std::span<const std::byte> row, std::span<const std::byte> first, unsigned code_width, std::uint64_t s,
              const std::vector<TorusBlock>& columns, std::span<const std::uint64_t> axes) {
  const std::uint64_t last = axes.back(), lines = sites_of(axes) / last;
  const auto outer = axes.first(axes.size() - 1);
  for (const TorusBlock& block : columns) {
    const std::uint64_t length = last * block.fibre * code_width, cut = s % last * block.fibre * code_width;
    for (std::uint64_t line = 0; line < lines; ++line) {
      const std::byte* to = row.data() + block.start * code_width + line * length;
      const std::byte* from = first.data() + block.start * code_width + site_difference(line, s / last, outer) * length;
      if (std::memcmp(from, to + cut, length - cut) != 0 || std::memcmp(from + (length - cut), to, cut) != 0)
        return false;
    }
  }
  return true;
}

/// Squares of distances, of which only the order counts: of steps along axes at right angles, or two at 120 degrees.
enum class Metric { squares, hexagons };

std::int64_t square_of(std::span<const std::int64_t> steps, Metric metric) {
  std::int64_t sum = 0;
  for (const std::int64_t x : steps) sum += x * x;
  return metric == Metric::squares ? sum : sum - steps[0] * steps[1];
}

/// From site 0 to site t, the shortest way around.
std::int64_t torus_square(std::uint64_t t, std::span<const std::uint64_t> axes, Metric metric) {
  std::vector<std::int64_t> steps(axes.size());
  for (std::size_t k = axes.size(); k-- > 0; t /= axes[k]) {
    steps[k] = static_cast<std::int64_t>(t % axes[k]);
    if (metric == Metric::squares) steps[k] = std::min(steps[k], static_cast<std::int64_t>(axes[k]) - steps[k]);
  }
  std::int64_t least = square_of(steps, metric);
  if (metric == Metric::hexagons)  // steps are 0 or more: the nearest of the four corners of a cell
    for (const std::int64_t a : {0, 1})
      for (const std::int64_t b : {0, 1}) {
        const std::array moved{steps[0] - a * static_cast<std::int64_t>(axes[0]),
                               steps[1] - b * static_cast<std::int64_t>(axes[1])};
        least = std::min(least, square_of(moved, metric));
      }
  return least;
}

/// From the middle of a kernel, in half steps.
std::int64_t kernel_square(std::uint64_t site, std::span<const std::uint64_t> axes, Metric metric) {
  std::vector<std::int64_t> steps(axes.size());
  for (std::size_t k = axes.size(); k-- > 0; site /= axes[k])
    steps[k] = static_cast<std::int64_t>(2 * (site % axes[k]) + 1) - static_cast<std::int64_t>(axes[k]);
  return square_of(steps, metric);
}

/// The distance of each parameter, gathered from entries.
class ParameterDistances {
 public:
  explicit ParameterDistances(std::uint64_t params) : of_(params, unknown) {}
  /// False if the parameter has another distance elsewhere.
  bool add(std::int32_t code, std::int64_t square) {
    const CodeMeaning meaning = meaning_of(code, of_.size());
    if (meaning.zero) return true;
    std::int64_t& own = of_[meaning.parameter];
    if (own == unknown) own = square;
    return own == square;
  }
  /// Nothing below three distances, where there is no order to be seen.
  std::optional<std::vector<std::int64_t>> result() && {
    std::vector<std::int64_t> values = of_;
    std::sort(values.begin(), values.end());
    if (std::unique(values.begin(), values.end()) - values.begin() < 3) return std::nullopt;
    return std::move(of_);
  }

 private:
  static constexpr std::int64_t unknown = -1;
  std::vector<std::int64_t> of_;
};

constexpr std::array metrics{Metric::squares, Metric::hexagons};
bool fits(Metric metric, std::span<const std::uint64_t> axes) {
  return metric == Metric::squares || (axes.size() == 2 && axes[0] == axes[1]);
}

using Distances = std::optional<std::vector<std::int64_t>>;

/// The rows at site 0 of every block, one for each place of its fibre, in the order of the blocks.
std::vector<CodeRow> rows_at_origin(const WeightPattern& W, const std::vector<TorusBlock>& rows, const Task& task) {
  std::uint64_t count = 0;
  for (const TorusBlock& block : rows) count += block.fibre;
  task.require_memory(saturated_product(count, sizeof(std::int32_t) * W.cols), "the rows at one site of a torus");
  std::vector<CodeRow> out;
  for (const TorusBlock& block : rows)
    for (std::uint64_t f = 0; f < block.fibre; ++f) {
      task.poll();
      read_row(W, block.start + f, out.emplace_back());
    }
  return out;
}

/// Whether translations along the axes take codes to codes.
bool commutes_with_translations(const WeightPattern& W, std::span<const std::uint64_t> axes,
                                const std::vector<TorusBlock>& rows, const std::vector<TorusBlock>& columns,
                                const std::vector<CodeRow>& firsts, const Task& task) {
  std::vector<std::size_t> before;  // where the first rows of a block begin
  for (std::size_t k = 0, n = 0; k < rows.size(); n += rows[k++].fibre) before.push_back(n);
  // One step along each axis, which says no for most others than translations, before all rows are made.
  CodeRow row;
  std::uint64_t step = 1;
  for (std::size_t k = axes.size(); k-- > 0; step *= axes[k])
    for (std::size_t b = 0; b < rows.size() && axes[k] > 1; ++b) {
      task.poll();
      read_row(W, rows[b].start + step * rows[b].fibre, row);
      if (!is_moved(std::as_bytes(std::span(row)), std::as_bytes(std::span(firsts[before[b]])), sizeof(row[0]), step,
                    columns, axes))
        return false;
    }
  // Rows in the order that costs least, in the width that they have there.
  const unsigned width = code_bytes(W.params);
  std::vector<std::vector<std::uint8_t>> narrow;
  if (width == 1)
    for (const CodeRow& first : firsts) narrow.emplace_back(first.begin(), first.end());
  bool all = true;
  W.tied().codes->for_each_row(
      width,
      [&](std::uint64_t i, std::span<const std::byte> codes) {
        if (!all) return;
        const auto block = std::prev(std::upper_bound(
            rows.begin(), rows.end(), i, [](std::uint64_t at, const TorusBlock& b) { return at < b.start; }));
        const std::uint64_t within = i - block->start;
        const std::size_t first = before[static_cast<std::size_t>(block - rows.begin())] + within % block->fibre;
        all = is_moved(codes,
                       width == 1 ? std::as_bytes(std::span(narrow[first])) : std::as_bytes(std::span(firsts[first])),
                       width, within / block->fibre, columns, axes);
      },
      task);
  return all;
}

Distances torus_distances(const WeightPattern& W, std::span<const std::uint64_t> axes,
                          const std::vector<TorusBlock>& rows, const std::vector<TorusBlock>& columns,
                          const Task& task) {
  const std::uint64_t sites = sites_of(axes);
  const std::vector<CodeRow> firsts = rows_at_origin(W, rows, task);
  if (!commutes_with_translations(W, axes, rows, columns, firsts, task)) return std::nullopt;
  const auto measured = [&](Metric metric) -> Distances {
    ParameterDistances found(W.params);
    for (std::uint64_t t = 0; t < sites; ++t) {
      task.poll();
      const std::int64_t square = torus_square(t, axes, metric);
      for (const CodeRow& first : firsts)
        for (const TorusBlock& block : columns)
          for (std::uint64_t g = 0; g < block.fibre; ++g)
            if (!found.add(first[block.start + t * block.fibre + g], square)) return std::nullopt;
    }
    return std::move(found).result();
  };
  for (const Metric metric : metrics)
    if (fits(metric, axes))
      if (Distances found = measured(metric)) return found;
  return std::nullopt;
}

Distances kernel_distances(const WeightPattern& W, const Axes& axes, const Task& task) {
  const std::uint64_t sites = sites_of(axes);
  CodeRow row;
  const auto measured = [&](Metric metric) -> Distances {
    ParameterDistances found(W.params);
    for (std::uint64_t i = 0; i < W.rows; ++i) {
      task.poll();
      read_row(W, i, row);
      for (std::uint64_t j = 0; j < W.cols; ++j)
        if (!found.add(row[j], kernel_square(j % sites, axes, metric))) return std::nullopt;
    }
    return std::move(found).result();
  };
  for (const Metric metric : metrics)
    if (fits(metric, axes))
      if (Distances found = measured(metric)) return found;
  return std::nullopt;
}

Distances distances_of(const WeightBlock& table, const std::optional<TableClaim>& source, bool kernel,
                       const Task& task) {
  const WeightPattern& W = table.weights;
  if (!table.is_tied() || W.params < 3) return std::nullopt;
  task.require_memory(saturated_product(W.params, 4 * sizeof(std::int64_t)), "the distances of parameters");
  if (kernel) return kernel_distances(W, kernel_sizes(table), task);
  if (!source) return std::nullopt;
  const auto in = basis_layout(source->in), out = basis_layout(source->out);
  if (in.empty() || out.empty()) return std::nullopt;
  for (std::size_t count = in[0].axes.size(); count > 0; --count) {
    const auto axes = std::span(in[0].axes).first(count);
    const auto rows = torus_blocks(out, axes), columns = torus_blocks(in, axes);
    if (!rows || !columns) continue;
    if (Distances found = torus_distances(W, axes, *rows, *columns, task)) return found;
  }
  return std::nullopt;
}

}  // namespace

ParameterColours plain_colours(const WeightBlock& table) {
  ParameterColours out;
  const std::uint64_t all = table.weights.params + table.bias.params;
  for (std::uint64_t k = 0; k < std::clamp<std::uint64_t>(all, 1, distinct_colours); ++k)
    out.colours.push_back(parameter_colour(k));
  return out;
}

ParameterColours parameter_colours(const WeightBlock& table, const std::optional<TableClaim>& source,
                                   const Task& task) {
  const bool kernel = table.metadata.contains("kernel");
  const Distances distances = distances_of(table, source, kernel, task);
  if (!distances) return plain_colours(table);
  ParameterColours out;
  out.meaning = kernel ? "Colours go with the distance from the centre of the kernel: dark is near."
                       : "Colours go with the distance between the sites of row and column: dark is near.";
  const std::uint64_t params = distances->size();
  out.order.resize(params);
  std::iota(out.order.begin(), out.order.end(), std::uint64_t{0});
  std::stable_sort(out.order.begin(), out.order.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return (*distances)[a] < (*distances)[b]; });
  std::vector<std::uint64_t> start;  // where each distance begins
  for (std::uint64_t k = 0; k < params; ++k)
    if (k == 0 || (*distances)[out.order[k]] != (*distances)[out.order[k - 1]]) start.push_back(k);
  start.push_back(params);
  out.colours.resize(params + table.bias.params);
  const std::uint64_t levels = start.size() - 1;
  for (std::uint64_t level = 0; level < levels; ++level) {
    task.poll();
    for (std::uint64_t k = start[level]; k < start[level + 1]; ++k)
      out.colours[out.order[k]] = distance_colour(level, levels, k - start[level], start[level + 1] - start[level]);
  }
  // The parameters of the bias are not among them: warm colours come first.
  for (std::uint64_t k = 0; k < table.bias.params; ++k) out.colours[params + k] = parameter_colour(1 + k);
  return out;
}

}  // namespace intertwine
