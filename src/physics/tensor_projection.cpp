// Least squares for the constants of a tensor property.
#include "intertwine/physics/tensor_projection.hpp"

#include <fmt/format.h>

#include <cmath>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

/// How often a component counts in the norm: a pair 23 stands for 23 and 32, each the component less its factor.
double weight_of(std::size_t dimension, std::size_t index, int factor) {
  return dimension == 6 && index >= 3 ? 2.0 / (factor * factor) : 1.0;
}

/// x with A x = b for a positive matrix, by Cholesky's factors.
std::vector<double> solved_positive(std::vector<double> A, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double x = A[i * n + j];
      for (std::size_t k = 0; k < j; ++k) x -= A[i * n + k] * A[j * n + k];
      A[i * n + j] = i == j ? std::sqrt(x) : x / A[j * n + j];
    }
    for (std::size_t k = 0; k < i; ++k) b[i] -= A[i * n + k] * b[k];
    b[i] /= A[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= A[k * n + i] * b[k];
    b[i] /= A[i * n + i];
  }
  return b;
}

}  // namespace

TensorProjection project_tensor(const TensorForm& form, std::span<const double> matrix) {
  const TensorProperty& p = form.property;
  const std::size_t size = p.rows * p.cols, n = form.independent.size();
  if (matrix.size() != size)
    throw DomainError(fmt::format("{} is a matrix of {} x {} numbers in Voigt's notation, not {}", p.name,
                                  p.rows, p.cols, matrix.size()));
  for (std::size_t k = 0; k < size; ++k)
    if (!std::isfinite(matrix[k]))
      throw DomainError(fmt::format("component {} of the tensor is no finite number", form.names[k]));
  std::vector<double> weights, columns;
  for (std::size_t i = 0; i < p.rows; ++i)
    for (std::size_t j = 0; j < p.cols; ++j)
      weights.push_back(weight_of(p.rows, i, p.row_factor) * weight_of(p.cols, j, p.col_factor));
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t c = 0; c < n; ++c) columns.push_back(form.coefficients(k, c).to_complex().real());
  std::vector<double> gram(n * n, 0), products(n, 0);
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t a = 0; a < n; ++a) {
      products[a] += weights[k] * columns[k * n + a] * matrix[k];
      for (std::size_t b = 0; b < n; ++b)
        gram[a * n + b] += weights[k] * columns[k * n + a] * columns[k * n + b];
    }
  TensorProjection result{form,
                          {matrix.begin(), matrix.end()},
                          std::vector<double>(size, 0),
                          solved_positive(std::move(gram), std::move(products)),
                          0,
                          0};
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t a = 0; a < n; ++a) result.nearest[k] += columns[k * n + a] * result.constants[a];
    const double off = matrix[k] - result.nearest[k];
    result.size += weights[k] * matrix[k] * matrix[k];
    result.lost += weights[k] * off * off;
  }
  result.size = std::sqrt(result.size);
  result.lost = std::sqrt(result.lost);
  return result;
}

}  // namespace intertwine
