// The proof that matrices are a basis of Hom_G(V, U), from the matrices and the representations alone.
#include <fmt/format.h>

#include "intertwine/equivariant/basis_methods.hpp"
#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

void require_size(std::uint64_t rows, std::uint64_t cols, const Representation& V, const Representation& U) {
  if (rows != U.dimension() || cols != V.dimension())
    throw VerificationError(
        fmt::format("verify: the elements are {} x {}, and the representations have dimensions {} -> {}", rows, cols,
                    V.dimension(), U.dimension()));
}

void require_number(std::uint64_t params, const Representation& V, const Representation& U, const Task& task) {
  const CountedDimension counted = hom_dimension(V, U, task);
  if (counted.dimension != params)
    throw VerificationError(fmt::format("verify: there are {} elements, and the dimension is {} ({})", params,
                                        counted.dimension.str(), counted.route));
}

/// Label of entry (i, j) at i * cols + j.
std::vector<std::int32_t> labels_of(const OrbitalPattern& pattern, const Task& task) {
  const std::uint64_t cols = pattern.cols();
  task.require_memory(8 * pattern.rows() * cols, "the labels of all entries");
  std::vector<std::int32_t> labels(pattern.rows() * cols);
  const auto rows = pattern.view();
  const auto P = static_cast<std::int32_t>(pattern.params());
  for (std::uint64_t i = 0; i < pattern.rows(); ++i) {
    task.poll();
    const std::span<std::int32_t> row = std::span(labels).subspan(i * cols, cols);
    rows->row(i, row);
    for (std::int32_t& code : row)
      if (code > P) code = P - code;
  }
  return labels;
}

}  // namespace

void verify(const IntertwinerSpace& basis, const Representation& V, const Representation& U, const Task& task) {
  require_size(basis.rows(), basis.cols(), V, U);
  if (const auto k = first_that_does_not_commute(basis, V, U, task))
    throw VerificationError(fmt::format("verify: element {} does not commute with the group", *k));
  if (!are_independent(basis, task)) throw VerificationError("verify: the elements are linearly dependent");
  require_number(basis.params(), V, U, task);
}

void verify(const OrbitalPattern& basis, const Representation& V, const Representation& U, const Task& task) {
  require_size(basis.rows(), basis.cols(), V, U);
  const std::uint64_t m = basis.rows(), n = basis.cols();
  const std::vector<std::int32_t> labels = labels_of(basis, task);
  const auto rows = U.generator_images(), cols = V.generator_images();
  for (std::size_t g = 0; g < rows.size(); ++g)
    for (std::uint64_t i = 0; i < m; ++i) {
      task.poll();
      const SignedPoint to = rows[g](static_cast<Point>(i));
      const std::int32_t* image = labels.data() + to.point() * n;
      for (std::uint64_t j = 0; j < n; ++j) {
        const SignedPoint at = cols[g](static_cast<Point>(j));
        if (image[at.point()] != (to.negative() == at.negative() ? labels[i * n + j] : -labels[i * n + j]))
          throw VerificationError(
              fmt::format("verify: generator {} does not carry entry ({}, {}) to an equal one", g + 1, i, j));
      }
    }
  std::vector<char> seen(basis.params() + 1, 0);
  for (const std::int32_t label : labels) seen[static_cast<std::size_t>(std::abs(label))] = 1;
  for (std::size_t k = 1; k < seen.size(); ++k)
    if (seen[k] == 0) throw VerificationError(fmt::format("verify: element {} is zero", k - 1));
  require_number(basis.params(), V, U, task);
}

}  // namespace intertwine
