// Finds the largest group to which a table of weights is equivariant.
#include "intertwine/equivariant/closure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "intertwine/error.hpp"
#include "intertwine/groups/automorphism_group.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

namespace {

/// The pair (row, col) on the points of rows and columns; see TableClosure.
std::vector<Point> paired_images(const SignedPermutation& row, const SignedPermutation& col, bool has_signs) {
  const std::size_t rows = row.degree(), lines = rows + col.degree();
  std::vector<Point> images;
  images.reserve(has_signs ? 2 * lines : lines);
  for (std::size_t line = 0; line < lines; ++line) {
    const bool is_row = line < rows;
    const SignedPoint image = is_row ? row(static_cast<Point>(line)) : col(static_cast<Point>(line - rows));
    const Point to = image.point() + static_cast<Point>(is_row ? 0 : rows);
    if (!has_signs) {
      images.push_back(to);
    } else {
      images.push_back(SignedPoint(to, image.negative()).code());
      images.push_back(SignedPoint(to, !image.negative()).code());
    }
  }
  return images;
}

void check_images(std::uint64_t rows, std::uint64_t cols, const std::vector<SignedPermutation>& row_images,
                  const std::vector<SignedPermutation>& col_images, const char* who) {
  if (row_images.size() != col_images.size())
    throw DomainError(fmt::format("{}: {} images on rows and {} on columns; give one of each for every symmetry", who,
                                  row_images.size(), col_images.size()));
  for (std::size_t k = 0; k < row_images.size(); ++k)
    if (row_images[k].degree() != rows || col_images[k].degree() != cols)
      throw DomainError(fmt::format("{}: symmetry {} acts on {} rows and {} columns, the table has {} and {}", who, k,
                                    row_images[k].degree(), col_images[k].degree(), rows, cols));
}

bool any_minus(const std::vector<SignedPermutation>& images) {
  return std::ranges::any_of(images, [](const SignedPermutation& g) { return !g.is_unsigned(); });
}

bool has_minus_code(const CodeRows& table, std::uint64_t params, const Task& task) {
  std::vector<std::int32_t> codes(table.cols());
  for (std::uint64_t i = 0; i < table.rows(); ++i) {
    task.poll();
    table.row(i, codes);
    if (std::ranges::any_of(codes, [&](std::int32_t c) { return c > 0 && static_cast<std::uint64_t>(c) > params; }))
      return true;
  }
  return false;
}

std::optional<TableClosure> closure(const CodeRows& table, std::uint64_t params, const ClosureOptions& options,
                                    const Task& task) {
  const bool has_signs = options.with_signs || any_minus(options.row_images) || any_minus(options.col_images) ||
                         has_minus_code(table, params, task);
  std::vector<std::vector<Point>> known;
  for (std::size_t k = 0; k < options.row_images.size(); ++k)
    known.push_back(paired_images(options.row_images[k], options.col_images[k], has_signs));
  const auto found = table_automorphisms(table, params, has_signs, known, options.max_nodes, task);
  if (!found) return std::nullopt;
  return TableClosure{found->group("closure", ~std::uint64_t{0}, task), found->order, has_signs};
}

}  // namespace

std::optional<TableClosure> table_closure(const CodeRows& table, std::uint64_t params, const ClosureOptions& options,
                                          const Task& task) {
  const std::uint64_t rows = table.rows(), cols = table.cols();
  check_images(rows, cols, options.row_images, options.col_images, "table_closure");
  if (rows > options.max_entries || cols > options.max_entries || rows > max_degree / 4 || cols > max_degree / 4 ||
      rows * cols > options.max_entries || params > max_degree / 2)
    return std::nullopt;
  try {
    return closure(table, params, options, task);
  } catch (const LimitError&) {
    return std::nullopt;
  }
}

FiniteGroup paired_group(std::uint64_t rows, std::uint64_t cols, const std::vector<SignedPermutation>& row_images,
                         const std::vector<SignedPermutation>& col_images, bool has_signs) {
  check_images(rows, cols, row_images, col_images, "paired_group");
  if (!has_signs && (any_minus(row_images) || any_minus(col_images)))
    throw DomainError("paired_group: an image has a minus; ask for the group with signs");
  std::vector<Permutation> generators;
  for (std::size_t k = 0; k < row_images.size(); ++k)
    generators.push_back(Permutation(paired_images(row_images[k], col_images[k], has_signs)));
  return FiniteGroup((has_signs ? 2 : 1) * (rows + cols), std::move(generators), "image");
}

Integer paired_order(std::uint64_t rows, std::uint64_t cols, const std::vector<SignedPermutation>& row_images,
                     const std::vector<SignedPermutation>& col_images, bool has_signs, const Integer& group_order,
                     const Task& task) {
  // One side alone is cheaper: its chain is short, and Sym(n) is recognized on n points but not on n + n.
  const std::vector<SignedPermutation> nothing(row_images.size(), SignedPermutation::identity(0));
  for (const bool row_side : {rows <= cols, rows > cols}) {
    const FiniteGroup side = row_side ? paired_group(rows, 0, row_images, nothing, has_signs)
                                      : paired_group(0, cols, nothing, col_images, has_signs);
    if (side.order(task) == group_order) return group_order;
  }
  return paired_group(rows, cols, row_images, col_images, has_signs).order(task);
}

std::optional<LargestGroup> largest_group(const WeightPattern& pattern, const Representation& V,
                                          const Representation& U, double seconds, const Task& task) {
  ClosureOptions options;
  options.max_entries = 4'000'000;
  // No product of the sides, which may be large: there are at least as many entries as lines.
  if (pattern.rows > options.max_entries || pattern.cols > options.max_entries) return std::nullopt;
  options.row_images = U.generator_images();
  options.col_images = V.generator_images();
  options.with_signs = !U.is_permutation() || !V.is_permutation();
  const Task brief(task.memory(), seconds, {});
  const auto closure = table_closure(*pattern.tied().codes, pattern.params, options, brief);
  task.poll();
  if (!closure) return std::nullopt;
  LargestGroup largest{closure->order, std::nullopt};
  try {
    largest.index = closure->order / paired_order(pattern.rows, pattern.cols, options.row_images, options.col_images,
                                                  closure->has_signs, V.group().order(), brief);
  } catch (const LimitError&) {
    // The order stands without it.
  }
  return largest;
}

}  // namespace intertwine
