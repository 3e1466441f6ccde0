// Vectors and matrices of three-dimensional space, in doubles: measured geometry.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "intertwine/physics/molecule.hpp"

namespace intertwine::space {

constexpr Matrix3 identity{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

inline Vector3 operator+(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vector3 operator-(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector3 operator*(double c, const Vector3& a) { return {c * a[0], c * a[1], c * a[2]}; }
inline double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double length(const Vector3& a) { return std::sqrt(dot(a, a)); }
inline Vector3 unit(const Vector3& a) { return (1 / length(a)) * a; }
inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
/// The part of a perpendicular to the unit vector e.
inline Vector3 across(const Vector3& a, const Vector3& e) { return a - dot(a, e) * e; }

inline Vector3 operator*(const Matrix3& A, const Vector3& v) { return {dot(A[0], v), dot(A[1], v), dot(A[2], v)}; }
inline Matrix3 transpose(const Matrix3& A) {
  Matrix3 B;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) B[i][j] = A[j][i];
  return B;
}
inline Matrix3 operator*(const Matrix3& A, const Matrix3& B) {
  const Matrix3 columns = transpose(B);
  return transpose({A * columns[0], A * columns[1], A * columns[2]});
}
inline double determinant(const Matrix3& A) { return dot(A[0], cross(A[1], A[2])); }
/// The inverse of a matrix whose determinant is not 0.
inline Matrix3 inverse(const Matrix3& A) {
  const double d = determinant(A);
  return transpose({(1 / d) * cross(A[1], A[2]), (1 / d) * cross(A[2], A[0]), (1 / d) * cross(A[0], A[1])});
}
/// The edges with these products: a along x, b in the plane xy. Cholesky's factor.
inline Matrix3 cell_of_metric(const Matrix3& metric) {
  Matrix3 rows{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double x = metric[i][j];
      for (std::size_t k = 0; k < j; ++k) x -= rows[i][k] * rows[j][k];
      rows[i][j] = i == j ? std::sqrt(x) : x / rows[j][j];
      if (std::abs(rows[i][j]) < 1e-12 * std::sqrt(metric[i][i])) rows[i][j] = 0;
    }
  return rows;
}
/// Does x -> W x, in edges that are the rows of a cell, leave their lengths and angles as they are, within one part in
/// twenty? Cells of relaxed crystals have less symmetry than their names.
inline bool keeps_cell(const std::array<std::array<int, 3>, 3>& W, const Matrix3& cell) {
  constexpr double far = 0.05;
  const Matrix3 metric = cell * transpose(cell);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      double moved = 0;
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l) moved += W[k][i] * metric[k][l] * W[l][j];
      if (std::abs(moved - metric[i][j]) > far * std::sqrt(metric[i][i] * metric[j][j])) return false;
    }
  return true;
}
inline double trace(const Matrix3& A) { return A[0][0] + A[1][1] + A[2][2]; }
inline Matrix3 negative(const Matrix3& A) { return {-1.0 * A[0], -1.0 * A[1], -1.0 * A[2]}; }
/// The largest difference of two entries.
inline double difference(const Matrix3& A, const Matrix3& B) {
  double most = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) most = std::max(most, std::abs(A[i][j] - B[i][j]));
  return most;
}

/// Eigenvalues of a symmetric matrix, increasing, and orthonormal eigenvectors, by Jacobi's rotations. `matrix` is n
/// x n, row-major.
struct Spectrum {
  std::vector<double> values;
  std::vector<std::vector<double>> vectors;
};
Spectrum spectrum(std::vector<double> matrix, std::size_t n);
Spectrum spectrum(const Matrix3& A);

/// The rotation R, of determinant 1, with the least sum of |R from_i - to_i|², for the matrix sum of to_i from_i^T.
/// [Horn 1987]
Matrix3 nearest_rotation(const Matrix3& correlation);

}  // namespace intertwine::space
