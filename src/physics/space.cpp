// Vectors and matrices of three-dimensional space, in doubles.
#include "intertwine/physics/space.hpp"

#include <numeric>

namespace intertwine::space {

Spectrum spectrum(std::vector<double> A, std::size_t n) {
  std::vector<double> V(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) V[i * n + i] = 1;
  double scale = 0;
  for (const double a : A) scale = std::max(scale, std::abs(a));
  constexpr int sweeps = 60;  // convergence is quadratic after a few
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double off = 0;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) off = std::max(off, std::abs(A[p * n + q]));
    if (off <= 1e-15 * scale) break;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        if (A[p * n + q] == 0) continue;
        const double theta = (A[q * n + q] - A[p * n + p]) / (2 * A[p * n + q]);
        const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (std::size_t k = 0; k < n; ++k) {
          const double a = A[k * n + p], b = A[k * n + q];
          A[k * n + p] = c * a - s * b, A[k * n + q] = s * a + c * b;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double a = A[p * n + k], b = A[q * n + k];
          A[p * n + k] = c * a - s * b, A[q * n + k] = s * a + c * b;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double a = V[k * n + p], b = V[k * n + q];
          V[k * n + p] = c * a - s * b, V[k * n + q] = s * a + c * b;
        }
      }
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return A[i * n + i] < A[j * n + j]; });
  Spectrum result;
  for (const std::size_t i : order) {
    result.values.push_back(A[i * n + i]);
    std::vector<double> vector(n);
    for (std::size_t k = 0; k < n; ++k) vector[k] = V[k * n + i];
    result.vectors.push_back(std::move(vector));
  }
  return result;
}

Spectrum spectrum(const Matrix3& A) {
  std::vector<double> entries;
  for (const Vector3& row : A) entries.insert(entries.end(), row.begin(), row.end());
  return spectrum(std::move(entries), 3);
}

Matrix3 nearest_rotation(const Matrix3& M) {
  // With S = M^T, S_ij = sum of from_i to_j, the unit quaternion is the eigenvector of the largest eigenvalue of N.
  const Matrix3 S = transpose(M);
  const double yz = S[1][2] - S[2][1], zx = S[2][0] - S[0][2], xy = S[0][1] - S[1][0];
  const double sxy = S[0][1] + S[1][0], szx = S[2][0] + S[0][2], syz = S[1][2] + S[2][1];
  const std::vector<double> N{trace(S),
                              yz,
                              zx,
                              xy,  //
                              yz,
                              S[0][0] - S[1][1] - S[2][2],
                              sxy,
                              szx,  //
                              zx,
                              sxy,
                              S[1][1] - S[0][0] - S[2][2],
                              syz,  //
                              xy,
                              szx,
                              syz,
                              S[2][2] - S[0][0] - S[1][1]};
  const std::vector<double> q = spectrum(N, 4).vectors.back();
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  return {{{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}}};
}

}  // namespace intertwine::space
