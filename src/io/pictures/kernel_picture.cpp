// Kernels as pictures: stamps of polynomials on a grid of points, and the maps between induced representations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "intertwine/error.hpp"
#include "intertwine/io/kernel_picture.hpp"
#include "intertwine/tables/data_section.hpp"
#include "io/text/kernel_terms.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t most_drawn_entries = 4'194'304;

/// The value of a monomial at an integral point; what does not fit is no grid to draw.
double monomial_at(const std::vector<unsigned>& exponents, const std::vector<std::int64_t>& x) {
  double value = 1;
  for (std::size_t v = 0; v < exponents.size(); ++v)
    for (unsigned k = 0; k < exponents[v]; ++k) value *= static_cast<double>(x[v]);
  return value;
}

void require_drawable_size(std::uint64_t rows, std::uint64_t cols, const std::string& what) {
  if (rows != 0 && cols > most_drawn_entries / rows)
    throw LimitError(
        fmt::format("{}: a picture of {} x {} entries is too large, the limit is {}; draw fewer copies, or "
                    "write .npz",
                    what, rows, cols, most_drawn_entries));
}

/// A sparse element of a table, entries in row-major order.
void add_element(SparseElements& elements,
                 const std::map<std::pair<std::uint64_t, std::uint64_t>, double>& entries) {
  for (const auto& [place, value] : entries) {
    elements.row.push_back(static_cast<std::int32_t>(place.first));
    elements.col.push_back(static_cast<std::int32_t>(place.second));
    elements.value.push_back(value);
  }
  elements.start.push_back(static_cast<std::int64_t>(elements.value.size()));
}

WeightTable table_of(std::uint64_t rows, std::uint64_t cols, SparseElements elements) {
  WeightTable table;
  table.weights.rows = rows;
  table.weights.cols = cols;
  table.weights.params = elements.start.size() - 1;
  table.weights.entries = std::move(elements);
  SparseElements none;
  none.start = {0};
  table.bias.rows = rows;
  table.bias.cols = 1;
  table.bias.entries = std::move(none);
  return table;
}

/// Row or column blocks of one size, numbered from 1.
std::vector<PictureBlock> numbered(std::uint64_t count, std::uint64_t size) {
  std::vector<PictureBlock> blocks;
  if (count > 1)
    for (std::uint64_t k = 0; k < count; ++k) blocks.push_back({std::to_string(k + 1), k * size, size});
  return blocks;
}

}  // namespace

namespace {

/// Where the stamps of several kernels lie, in lines of some kernels each, a gap between them.
struct StampGrid {
  StampGrid(std::uint64_t kernels, std::uint64_t m, std::uint64_t n, unsigned radius)
      : out(m), in(n), side(2 * std::uint64_t{radius} + 1) {
    while (across < kernels && across * across * n < kernels * m) ++across;
    lines = across == 0 ? 0 : (kernels + across - 1) / across;
  }
  std::uint64_t height() const { return out * side + gap; }  ///< of a kernel
  std::uint64_t width() const { return in * side + gap; }
  std::uint64_t rows() const { return lines == 0 ? 0 : lines * height() - gap; }
  std::uint64_t cols() const { return across == 0 ? 0 : across * width() - gap; }
  std::uint64_t top(std::uint64_t k, std::uint64_t i) const { return k / across * height() + i * side; }
  std::uint64_t left(std::uint64_t k, std::uint64_t j) const { return k % across * width() + j * side; }

  static constexpr std::uint64_t gap = 2;
  std::uint64_t out, in, side, across = 1, lines = 0;
};

/// The values of a kernel in the disc, each at its place in the picture.
template <class Kernels>
std::map<std::pair<std::uint64_t, std::uint64_t>, double> stamps_of(const Kernels& kernels,
                                                                    const typename Kernels::Degree& part,
                                                                    std::uint64_t in_part, std::uint64_t k,
                                                                    const StampGrid& grid, const Task& task) {
  const auto reach = static_cast<std::int64_t>(grid.side / 2);
  std::map<std::pair<std::uint64_t, std::uint64_t>, double> entries;
  for (std::int64_t down = -reach; down <= reach; ++down)
    for (std::int64_t right = -reach; right <= reach; ++right) {
      task.poll();
      if (right * right + down * down > reach * reach) continue;
      // y points up; of more axes the plane where they are 1, on which no monomial is lost.
      std::vector<std::int64_t> x(kernels.group.dimension(), 1);
      x[0] = right;
      x[1] = -down;
      each_term(part, in_part, [&](std::size_t row, std::uint64_t entry, const Cyclotomic& value) {
        const std::uint64_t i = grid.top(k, entry / grid.in) + static_cast<std::uint64_t>(down + reach),
                            j = grid.left(k, entry % grid.in) + static_cast<std::uint64_t>(right + reach);
        entries[{i, j}] += value.to_complex().real() * monomial_at(part.monomials[row], x);
      });
    }
  std::erase_if(entries, [](const auto& entry) { return entry.second == 0; });
  return entries;
}

template <class Kernels>
KernelPicture stamp_picture(const Kernels& kernels, unsigned radius, const Task& task) {
  const StampGrid grid(kernels.params(), kernels.target.dimension(), kernels.source.dimension(), radius);
  const std::string name = fmt::format("{}: {} → {}", kernels.group.name(), kernels.source.to_string(),
                                       kernels.target.to_string());
  if (kernels.params() == 0) throw DomainError(name + ": there are no kernels to draw");
  require_drawable_size(grid.rows(), grid.cols(), name);
  SparseElements elements;
  elements.start = {0};
  std::uint64_t number = 0;
  for (const auto& part : kernels.degrees)
    for (std::uint64_t k = 0; k < number_of_kernels(part); ++k) {
      const auto entries = stamps_of(kernels, part, k, number++, grid, task);
      if (std::any_of(entries.begin(), entries.end(),
                      [](const auto& entry) { return std::abs(entry.second) > double{max_exact_double}; }))
        throw LimitError(
            fmt::format("{}: a kernel of degree {} is too large to draw; write .npz", name, part.degree));
      if (!entries.empty()) add_element(elements, entries);
    }
  KernelPicture picture{table_of(grid.rows(), grid.cols(), std::move(elements)), {}};
  picture.text.bias = false;
  picture.text.title = name;
  picture.text.subtitle = fmt::format(
      "{} kernels on {}, line by line: each has a stamp for every output (down) and input (across)", number,
      kernels.group.dimension() == 2 ? "the plane" : "the plane z = 1");
  picture.text.input = kernels.source.to_string();
  picture.text.output = kernels.target.to_string();
  for (std::uint64_t k = 0; k < grid.across; ++k)
    for (std::uint64_t j = 0; j < grid.in; ++j)
      picture.text.input_blocks.push_back({fmt::format("x{}", j + 1), grid.left(k, j), grid.side});
  for (std::uint64_t line = 0; line < grid.lines; ++line)
    for (std::uint64_t i = 0; i < grid.out; ++i)
      picture.text.output_blocks.push_back(
          {fmt::format("y{}", i + 1), grid.top(line * grid.across, i), grid.side});
  return picture;
}

}  // namespace

KernelPicture kernel_picture(const SteerableKernels& kernels, unsigned radius, const Task& task) {
  return stamp_picture(kernels, radius, task);
}

KernelPicture kernel_picture(const PointKernels& kernels, unsigned radius, const Task& task) {
  if (!kernels.field().is_real())
    throw DomainError(
        fmt::format("{}: the kernels are over {}, and pictures are of real numbers; write .npz or .csv",
                    kernels.group.name(), kernels.field().to_string()));
  return stamp_picture(kernels, radius, task);
}

KernelPicture kernel_picture(const KernelSpace& kernels, const Task& task) {
  const std::string name = fmt::format("{}: {} → {}", kernels.group().name(), kernels.source().to_string(),
                                       kernels.target().to_string());
  if (!kernels.field().is_rational())
    throw DomainError(
        fmt::format("{}: the kernels are over {}, and pictures are of rational numbers; write .npz or .csv",
                    name, kernels.field().to_string()));
  const std::uint64_t m = kernels.target().dimension(), n = kernels.source().dimension();
  const auto cosets = [&](const Representation& V) {
    return static_cast<std::uint64_t>(kernels.group().order() / V.group().order());
  };
  const std::uint64_t rows = saturated_product(m, cosets(kernels.target())),
                      cols = saturated_product(n, cosets(kernels.source()));
  if (kernels.dimension() == 0) throw DomainError(name + ": there are no kernels to draw");
  require_drawable_size(rows, cols, name);
  SparseElements elements;
  elements.start = {0};
  for (std::uint64_t k = 0; k < kernels.dimension(); ++k) {
    const RationalMatrix A = kernels.intertwiner(k, task).to_rational();
    Integer scale = 1;
    for (std::size_t i = 0; i < A.rows(); ++i)
      for (std::size_t j = 0; j < A.cols(); ++j) scale = lcm(scale, denominator(A(i, j)));
    std::map<std::pair<std::uint64_t, std::uint64_t>, double> entries;
    for (std::size_t i = 0; i < A.rows(); ++i)
      for (std::size_t j = 0; j < A.cols(); ++j)
        if (A(i, j) != 0) entries[{i, j}] = Cyclotomic(Rational(A(i, j) * scale)).to_complex().real();
    add_element(elements, entries);
  }
  KernelPicture picture{table_of(rows, cols, std::move(elements)), {}};
  picture.text.bias = false;
  picture.text.title = name;
  picture.text.subtitle =
      fmt::format("{} kernels on {} double cosets, as maps from {} to {} cosets", kernels.dimension(),
                  kernels.blocks().size(), cosets(kernels.source()), cosets(kernels.target()));
  picture.text.input = kernels.source().to_string();
  picture.text.output = kernels.target().to_string();
  if (n > 1) picture.text.input_blocks = numbered(cosets(kernels.source()), n);
  if (m > 1) picture.text.output_blocks = numbered(cosets(kernels.target()), m);
  return picture;
}

}  // namespace intertwine
