// Quaternions of a quadratic form with integral coefficients.
#include "intertwine/physics/spin_lifts.hpp"

#include <numeric>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

using IntegerVector = std::array<Integer, 3>;
using RotationPart = std::array<std::array<int, 3>, 3>;

int rotation_determinant(const RotationPart& W) {
  return W[0][0] * (W[1][1] * W[2][2] - W[1][2] * W[2][1]) - W[0][1] * (W[1][0] * W[2][2] - W[1][2] * W[2][0]) +
         W[0][2] * (W[1][0] * W[2][1] - W[1][1] * W[2][0]);
}

/// The proper one of W and -W.
RotationPart proper_rotation(const RotationPart& W) {
  const int sign = rotation_determinant(W);
  if (sign != 1 && sign != -1) throw InternalError("spin_lifts: an operation without determinant 1 or -1");
  RotationPart R = W;
  for (auto& row : R)
    for (int& x : row) x *= sign;
  return R;
}

/// By the adjoint matrix: the determinant is 1.
RotationPart inverse_rotation(const RotationPart& R) {
  RotationPart S{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      S[i][j] = R[a][c] * R[b][d] - R[a][d] * R[b][c];
    }
  return S;
}

int rotation_trace(const RotationPart& R) { return R[0][0] + R[1][1] + R[2][2]; }

IntegerVector lattice_cross(const IntegerVector& a, const IntegerVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

IntegerVector form_times(const std::array<IntegerVector, 3>& A, const IntegerVector& x) {
  IntegerVector y;
  for (std::size_t i = 0; i < 3; ++i) y[i] = A[i][0] * x[0] + A[i][1] * x[1] + A[i][2] * x[2];
  return y;
}

}  // namespace

Cyclotomic SpinRotation::trace() const {
  return order == 2 ? Cyclotomic(0)
                    : Cyclotomic::root_of_unity(2 * static_cast<std::uint32_t>(order)) +
                          Cyclotomic::root_of_unity(2 * static_cast<std::uint32_t>(order), -1);
}

SpinLifts::SpinLifts(std::span<const SpaceOperation> operations) {
  for (const SpaceOperation& g : operations)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t r = 0; r < 3; ++r) form_[i][j] += g.W[r][i] * g.W[r][j];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      adjoint_[i][j] = form_[a][c] * form_[b][d] - form_[a][d] * form_[b][c];
    }
  for (std::size_t j = 0; j < 3; ++j) determinant_ += form_[0][j] * adjoint_[j][0];
}

/// A positive multiple of the lift: 1 + cos of the angle, and sin times the axis, or the axis itself for half turns.
SpinLifts::Quaternion SpinLifts::lift(const SpaceOperation& g) const {
  const RotationPart R = proper_rotation(g.W), S = inverse_rotation(R);
  const int t = rotation_trace(R);
  Quaternion q;
  if (t == 3) {
    q.s = 1;
  } else if (t == -1) {
    for (std::size_t j = 0; j < 3; ++j) {  // a column of R + 1 that is not 0 lies along the axis
      IntegerVector axis;
      for (std::size_t i = 0; i < 3; ++i) axis[i] = R[i][j] + (i == j ? 1 : 0);
      const Integer first = axis[0] != 0 ? axis[0] : axis[1] != 0 ? axis[1] : axis[2];
      if (first == 0) continue;
      for (std::size_t i = 0; i < 3; ++i) q.w[i] = first < 0 ? Integer(-axis[i]) : axis[i];
      break;
    }
  } else {
    // G (R - R^-1) = 2 sin sqrt(det G) [n], [n] the matrix of the cross product: [n]_21 = n_1, [n]_02 = n_2, [n]_10 =
    // n_3
    std::array<IntegerVector, 3> M;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t r = 0; r < 3; ++r) M[i][j] += form_[i][r] * (R[r][j] - S[r][j]);
    q = {(1 + t) * determinant_, {M[2][1], M[0][2], M[1][0]}};
  }
  return q;
}

SpinLifts::Quaternion SpinLifts::times(const Quaternion& a, const Quaternion& b) const {
  const IntegerVector Gb = form_times(form_, b.w), across = form_times(adjoint_, lattice_cross(a.w, b.w));
  Quaternion c;
  c.s = a.s * b.s - determinant_ * (a.w[0] * Gb[0] + a.w[1] * Gb[1] + a.w[2] * Gb[2]);
  for (std::size_t i = 0; i < 3; ++i) c.w[i] = a.s * b.w[i] + b.s * a.w[i] + across[i];
  return c;
}

SpinRotation SpinLifts::rotation(const SpaceOperation& g) const {
  const Quaternion q = lift(g);
  const int t = rotation_trace(proper_rotation(g.W));
  const int order = t == 3 ? 1 : t == -1 ? 2 : t == 0 ? 3 : t == 1 ? 4 : 6;
  SpinRotation rotation{order, {}};
  if (order == 1) return rotation;
  const Integer common = gcd(gcd(q.w[0], q.w[1]), q.w[2]);
  for (std::size_t i = 0; i < 3; ++i) rotation.axis[i] = Integer(q.w[i] / common).convert_to<int>();
  return rotation;
}

bool SpinLifts::changes_sign(const SpaceOperation& g, const SpaceOperation& h) const {
  const Quaternion product = times(lift(g), lift(h)), stated = lift(g * h);
  const auto sign_of = [](const Integer& a, const Integer& b) { return a == 0 ? 0 : (a > 0) == (b > 0) ? 1 : -1; };
  int sign = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const Integer &a = i == 3 ? product.s : product.w[i], &b = i == 3 ? stated.s : stated.w[i];
    const int s = sign_of(a, b);
    if ((a == 0) != (b == 0) || (s != 0 && sign != 0 && s != sign))
      throw InternalError("spin_lifts: a product of lifts is none");
    if (s != 0) sign = s;
  }
  return sign < 0;
}

}  // namespace intertwine
