// Kernels as pictures: stamps of polynomials on a grid of points, and the maps between induced representations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "intertwine/equivariant/exact_values.hpp"
#include "intertwine/error.hpp"
#include "intertwine/io/kernel_picture.hpp"
#include "intertwine/tables/data_section.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t most_drawn_entries = 4'194'304;

void require_drawable_size(std::uint64_t rows, std::uint64_t cols, const std::string& what) {
  if (rows != 0 && cols > most_drawn_entries / rows)
    throw LimitError(
        fmt::format("{}: a picture of {} x {} entries is too large, the limit is {}; draw fewer copies, or "
                    "write .npz",
                    what, rows, cols, most_drawn_entries));
}

/// A sparse element of a table, entries in row-major order.
void add_element(SparseElements& elements, const std::map<std::pair<std::uint64_t, std::uint64_t>, double>& entries) {
  for (const auto& [place, value] : entries) {
    elements.row.push_back(static_cast<std::int32_t>(place.first));
    elements.col.push_back(static_cast<std::int32_t>(place.second));
    elements.value.push_back(value);
  }
  elements.start.push_back(static_cast<std::int64_t>(elements.value.size()));
}

WeightBlock table_of(std::uint64_t rows, std::uint64_t cols, SparseElements elements) {
  WeightBlock table;
  SparseElements none;  // no bias, over the field of the weights
  none.start = {0};
  none.exact.field = elements.exact.field;
  none.exact.generator = elements.exact.generator;
  none.exact.degree = elements.exact.degree;
  table.weights.rows = rows;
  table.weights.cols = cols;
  table.weights.params = elements.start.size() - 1;
  table.weights.entries = std::move(elements);
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

/// The places of the stamps of several kernels, in lines of some kernels each, a gap between them.
struct StampGrid {
  StampGrid(std::uint64_t kernels, std::uint64_t m, std::uint64_t n, unsigned radius)
      : out(m), in(n), side(2 * std::uint64_t{radius} + 1) {
    while (across < kernels && across * across * n < kernels * m) ++across;
    lines = across == 0 ? 0 : (kernels + across - 1) / across;
  }
  std::uint64_t height() const { return out * side + gap; }  ///< the height of a kernel
  std::uint64_t width() const { return in * side + gap; }
  std::uint64_t rows() const { return lines == 0 ? 0 : lines * height() - gap; }
  std::uint64_t cols() const { return across == 0 ? 0 : across * width() - gap; }
  std::uint64_t top(std::uint64_t k, std::uint64_t i) const { return k / across * height() + i * side; }
  std::uint64_t left(std::uint64_t k, std::uint64_t j) const { return k % across * width() + j * side; }

  static constexpr std::uint64_t gap = 2;
  std::uint64_t out, in, side, across = 1, lines = 0;
};

/// A coefficient of a kernel: its monomial, its entry i dim V + j, and integral coordinates over the field.
struct StampTerm {
  std::size_t monomial;
  std::uint64_t entry;
  std::vector<Integer> value;
};

/// The coefficients of kernel k, times what makes their coordinates integers.
template <class Degree>
std::vector<StampTerm> integral_terms(const Degree& part, std::size_t k, const AbelianField& field) {
  std::vector<std::vector<Rational>> coordinates;
  std::vector<StampTerm> terms;
  Integer bottom = 1;
  part.each_term(k, [&](std::size_t monomial, std::uint64_t entry, const Cyclotomic& value) {
    coordinates.push_back(field.coordinates(value));
    for (const Rational& c : coordinates.back()) bottom = lcm(bottom, Integer(denominator(c)));
    terms.push_back({monomial, entry, {}});
  });
  for (std::size_t t = 0; t < terms.size(); ++t)
    for (const Rational& c : coordinates[t]) terms[t].value.push_back(Integer(numerator(c * Rational(bottom))));
  return terms;
}

using Stamps = std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Integer>>;

/// The values of a kernel in the disc, each at its place in the picture, by their coordinates.
Stamps stamps_of(const std::vector<StampTerm>& terms, const std::vector<std::vector<unsigned>>& monomials,
                 std::uint64_t k, const StampGrid& grid, const Task& task) {
  const auto reach = static_cast<std::int64_t>(grid.side / 2);
  Stamps entries;
  for (std::int64_t down = -reach; down <= reach; ++down)
    for (std::int64_t right = -reach; right <= reach; ++right) {
      task.poll();
      if (down * down + right * right > reach * reach) continue;
      for (const StampTerm& term : terms) {
        const std::vector<unsigned>& exponents = monomials[term.monomial];  // other coordinates are 1
        const Integer at = pow(Integer(right), exponents[0]) * pow(Integer(-down), exponents[1]);
        const std::uint64_t i = grid.top(k, term.entry / grid.in) + static_cast<std::uint64_t>(down + reach),
                            j = grid.left(k, term.entry % grid.in) + static_cast<std::uint64_t>(right + reach);
        auto& sum = entries.try_emplace({i, j}, std::vector<Integer>(term.value.size())).first->second;
        for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += term.value[c] * at;
      }
    }
  std::erase_if(entries, [](const auto& entry) {
    return std::all_of(entry.second.begin(), entry.second.end(), [](const Integer& c) { return c == 0; });
  });
  return entries;
}

template <class Kernels>
KernelPicture stamp_picture(const Kernels& kernels, const AbelianField& field, unsigned radius, const Task& task) {
  const StampGrid grid(kernels.params(), kernels.target.dimension(), kernels.source.dimension(), radius);
  const std::string name =
      fmt::format("{}: {} → {}", kernels.group.name(), kernels.source.to_string(), kernels.target.to_string());
  if (kernels.params() == 0) throw DomainError(name + ": there are no kernels to draw");
  require_drawable_size(grid.rows(), grid.cols(), name);
  SparseElements elements;
  elements.start = {0};
  std::vector<std::vector<Integer>> values;
  std::uint64_t number = 0;
  for (const auto& part : kernels.degrees)
    for (std::uint64_t k = 0; k < part.params(); ++k) {
      const Stamps stamps = stamps_of(integral_terms(part, k, field), part.monomials, number++, grid, task);
      for (const auto& [place, value] : stamps) {
        if (std::any_of(value.begin(), value.end(), [](const Integer& c) { return abs(c) > max_exact_double; }))
          throw LimitError(
              fmt::format("{}: a kernel of degree {} is too large to draw; write .npz", name, part.degree));
        elements.row.push_back(static_cast<std::int32_t>(place.first));
        elements.col.push_back(static_cast<std::int32_t>(place.second));
        values.push_back(value);
      }
      if (!stamps.empty()) elements.start.push_back(static_cast<std::int64_t>(values.size()));
    }
  IntegerMatrix coordinates(field.degree(), values.size());
  for (std::size_t e = 0; e < values.size(); ++e)
    for (std::size_t c = 0; c < field.degree(); ++c) coordinates.set(c, e, values[e][c]);
  set_exact_values(elements, field, coordinates);
  KernelPicture picture{table_of(grid.rows(), grid.cols(), std::move(elements)), {}};
  picture.text.bias = false;
  picture.text.title = name;
  picture.text.subtitle =
      fmt::format("{} kernels on {}, line by line: each has a stamp for every output (down) and input (across)", number,
                  kernels.group.dimension() == 2 ? "the plane" : "the plane z = 1");
  picture.text.input = kernels.source.to_string();
  picture.text.output = kernels.target.to_string();
  for (std::uint64_t k = 0; k < grid.across; ++k)
    for (std::uint64_t j = 0; j < grid.in; ++j)
      picture.text.input_blocks.push_back({fmt::format("x{}", j + 1), grid.left(k, j), grid.side});
  for (std::uint64_t line = 0; line < grid.lines; ++line)
    for (std::uint64_t i = 0; i < grid.out; ++i)
      picture.text.output_blocks.push_back({fmt::format("y{}", i + 1), grid.top(line * grid.across, i), grid.side});
  return picture;
}

}  // namespace

KernelPicture kernel_picture(const SteerableKernels& kernels, unsigned radius, const Task& task) {
  return stamp_picture(kernels, AbelianField(), radius, task);
}

KernelPicture kernel_picture(const PointKernels& kernels, unsigned radius, const Task& task) {
  if (!kernels.field().is_real())
    throw DomainError(fmt::format("{}: the kernels are over {}, and pictures are of real numbers; write .npz or .csv",
                                  kernels.group.name(), kernels.field().to_string()));
  return stamp_picture(kernels, kernels.field(), radius, task);
}

KernelPicture kernel_picture(const KernelSpace& kernels, const Task& task) {
  const std::string name =
      fmt::format("{}: {} → {}", kernels.group().name(), kernels.source().to_string(), kernels.target().to_string());
  if (!kernels.field().is_rational())
    throw DomainError(
        fmt::format("{}: the kernels are over {}, and pictures are of rational numbers; write .npz or .csv", name,
                    kernels.field().to_string()));
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
