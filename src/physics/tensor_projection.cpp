// Least squares for the constants of a tensor property.
#include "intertwine/physics/tensor_projection.hpp"

#include <fmt/format.h>

#include <cmath>

#include "intertwine/error.hpp"
#include "intertwine/physics/space.hpp"
#include "physics/tensor_index.hpp"

namespace intertwine {

namespace {

/// How often each component counts in the norm: a pair 23 stands for 23 and 32, each the component less its factor.
std::vector<double> weights_of(std::size_t dimension, int factor) {
  std::vector<double> weights;
  for (const auto& places : tensor_index(dimension).classes)
    weights.push_back(places.size() == 1 ? 1.0 : static_cast<double>(places.size()) / (factor * factor));
  return weights;
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

/// Unit vectors along the axes.
Matrix3 unit_axes(const Matrix3& axes) {
  Matrix3 units = axes;
  for (Vector3& axis : units) {
    const double length = space::length(axis);
    if (!std::isfinite(length) || length == 0)
      throw DomainError("axes: the rows are three directions, and one of them is 0 or no finite vector");
    axis = space::unit(axis);
  }
  for (std::size_t i = 0; i < 3; ++i)
    if (std::abs(space::dot(units[i], units[(i + 1) % 3])) > 1e-6)
      throw DomainError(fmt::format("axes: directions {} and {} are not at right angles", i + 1, (i + 1) % 3 + 1));
  if (space::determinant(units) < 0)
    throw DomainError("axes: these three directions are left-handed; exchange two of them, or turn one round");
  return units;
}

/// How a rotation acts on an index, row by row.
std::vector<double> rotation_on_index(const Matrix3& R, std::size_t dimension, int factor) {
  const auto entry = [&](std::size_t i, std::size_t j) { return R[i][j]; };
  return action_on_index(tensor_index(dimension), entry, static_cast<double>(factor));
}

/// The components of a tensor when R takes its axes to others.
std::vector<double> rotated_tensor(const TensorProperty& p, const Matrix3& R, std::span<const double> matrix) {
  const std::vector<double> left = rotation_on_index(R, p.rows, p.row_factor),
                            right = rotation_on_index(R, p.cols, p.col_factor);
  std::vector<double> half(p.rows * p.cols, 0), result(p.rows * p.cols, 0);
  for (std::size_t i = 0; i < p.rows; ++i)
    for (std::size_t k = 0; k < p.rows; ++k)
      for (std::size_t j = 0; j < p.cols; ++j) half[i * p.cols + j] += left[i * p.rows + k] * matrix[k * p.cols + j];
  for (std::size_t i = 0; i < p.rows; ++i)
    for (std::size_t j = 0; j < p.cols; ++j)
      for (std::size_t k = 0; k < p.cols; ++k) result[i * p.cols + j] += half[i * p.cols + k] * right[j * p.cols + k];
  return result;
}

}  // namespace

TensorProjection project_tensor(const TensorForm& form, std::span<const double> matrix,
                                const std::optional<Matrix3>& axes) {
  const TensorProperty& p = form.property;
  if (axes) {
    const Matrix3 units = unit_axes(*axes);
    if (matrix.size() == p.rows * p.cols) {
      TensorProjection result = project_tensor(form, rotated_tensor(p, space::transpose(units), matrix));
      result.given.assign(matrix.begin(), matrix.end());
      result.nearest = rotated_tensor(p, units, result.nearest);
      result.axes = axes;
      return result;
    }
  }
  const std::size_t size = p.rows * p.cols, n = form.independent.size();
  if (matrix.size() != size)
    throw DomainError(fmt::format("{} is a matrix of {} x {} numbers in Voigt's notation, not {}", p.name, p.rows,
                                  p.cols, matrix.size()));
  for (std::size_t k = 0; k < size; ++k)
    if (!std::isfinite(matrix[k]))
      throw DomainError(fmt::format("component {} of the tensor is no finite number", form.names[k]));
  std::vector<double> weights, columns;
  for (const double row : weights_of(p.rows, p.row_factor))
    for (const double col : weights_of(p.cols, p.col_factor)) weights.push_back(row * col);
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t c = 0; c < n; ++c) columns.push_back(form.coefficients(k, c).to_complex().real());
  std::vector<double> gram(n * n, 0), products(n, 0);
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t a = 0; a < n; ++a) {
      products[a] += weights[k] * columns[k * n + a] * matrix[k];
      for (std::size_t b = 0; b < n; ++b) gram[a * n + b] += weights[k] * columns[k * n + a] * columns[k * n + b];
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
