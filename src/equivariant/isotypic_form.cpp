#include "intertwine/equivariant/isotypic_form.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <span>

#include "intertwine/error.hpp"
#include "intertwine/representations/isotypic_decomposition.hpp"

namespace intertwine {

namespace {

using Complex = std::complex<double>;

/// Row-major.
struct ComplexMatrix {
  std::size_t rows = 0, cols = 0;
  std::vector<Complex> entries;
  Complex operator()(std::size_t i, std::size_t j) const { return entries[i * cols + j]; }
  Complex& operator()(std::size_t i, std::size_t j) { return entries[i * cols + j]; }
};

ComplexMatrix rounded(const FieldMatrix& A) {
  ComplexMatrix out{A.rows(), A.cols(), {}};
  out.entries.reserve(A.rows() * A.cols());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) out.entries.push_back(A(i, j).to_complex());
  return out;
}

/// v on the span of orthonormal vectors is taken off; what is left, relative to what there was.
double reduce(std::vector<Complex>& v, const std::vector<std::vector<Complex>>& orthonormal) {
  double before = 0, after = 0;
  for (const Complex& x : v) before += std::norm(x);
  for (int pass = 0; pass < 2; ++pass)
    for (const auto& u : orthonormal) {
      Complex c = 0;
      for (std::size_t i = 0; i < v.size(); ++i) c += std::conj(u[i]) * v[i];
      for (std::size_t i = 0; i < v.size(); ++i) v[i] -= c * u[i];
    }
  for (const Complex& x : v) after += std::norm(x);
  return before == 0 ? 0 : std::sqrt(after / before);
}

void append_normalized(std::vector<std::vector<Complex>>& orthonormal, std::vector<Complex> v) {
  double size = 0;
  for (const Complex& x : v) size += std::norm(x);
  for (Complex& x : v) x /= std::sqrt(size);
  orthonormal.push_back(std::move(v));
}

/// J z = B conj(z) on C^d with J^2 = -1, which commutes with the group, and a basis e_k, J e_k of C^d.
struct QuaternionicStructure {
  ComplexMatrix B;
  ComplexMatrix inverse_basis;  ///< coordinates (x_0, y_0, x_1, y_1, ...) of z = sum x_k e_k + y_k J e_k

  std::vector<Complex> J(const std::vector<Complex>& z) const {
    std::vector<Complex> out(B.rows);
    for (std::size_t i = 0; i < B.rows; ++i)
      for (std::size_t j = 0; j < B.cols; ++j) out[i] += B(i, j) * std::conj(z[j]);
    return out;
  }
};

ComplexMatrix inverse_of(ComplexMatrix A) {
  const std::size_t n = A.rows;
  ComplexMatrix R{n, n, std::vector<Complex>(n * n)};
  for (std::size_t i = 0; i < n; ++i) R(i, i) = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
    for (std::size_t j = 0; j < n; ++j) {
      std::swap(A(k, j), A(pivot, j));
      std::swap(R(k, j), R(pivot, j));
    }
    const Complex scale = 1.0 / A(k, k);
    for (std::size_t j = 0; j < n; ++j) A(k, j) *= scale, R(k, j) *= scale;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const Complex f = A(i, k);
      for (std::size_t j = 0; j < n; ++j) A(i, j) -= f * A(k, j), R(i, j) -= f * R(k, j);
    }
  }
  return R;
}

/// The projection to copy b after the conjugate of the inclusion of copy a maps R's conjugate to R: for the pair where it
/// is largest it is B up to a factor.
QuaternionicStructure quaternionic_structure(const ComplexMatrix& inclusion, const ComplexMatrix& projection,
                                             std::size_t d) {
  const std::size_t m = inclusion.cols / d, n = inclusion.rows;
  ComplexMatrix best;
  double largest = 0;
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t b = 0; b < m; ++b) {
      ComplexMatrix B{d, d, std::vector<Complex>(d * d)};
      double size = 0;
      for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j) {
          for (std::size_t k = 0; k < n; ++k)
            B(i, j) += projection(b * d + i, k) * std::conj(inclusion(k, a * d + j));
          size += std::norm(B(i, j));
        }
      if (size > largest) {
        largest = size;
        best = std::move(B);
      }
    }
  if (best.entries.empty()) throw InternalError("isotypic_form: a quaternionic constituent has no structure");
  // B conj(B) = -s.
  Complex square = 0;
  for (std::size_t j = 0; j < d; ++j) square += best(0, j) * std::conj(best(j, 0));
  if (square.real() >= 0) throw InternalError("isotypic_form: a quaternionic structure has the wrong sign");
  for (Complex& x : best.entries) x /= std::sqrt(-square.real());
  QuaternionicStructure result{std::move(best), {}};
  std::vector<std::vector<Complex>> orthonormal;
  ComplexMatrix basis{d, d, std::vector<Complex>(d * d)};
  std::size_t filled = 0;
  for (std::size_t i = 0; i < d && filled < d; ++i) {
    std::vector<Complex> e(d);
    e[i] = 1;
    std::vector<Complex> rest = e;
    if (reduce(rest, orthonormal) < 1e-6) continue;
    for (const std::vector<Complex>& v : {e, result.J(e)}) {
      for (std::size_t k = 0; k < d; ++k) basis(k, filled) = v[k];
      ++filled;
      rest = v;
      reduce(rest, orthonormal);
      append_normalized(orthonormal, rest);
    }
  }
  if (filled != d) throw InternalError("isotypic_form: a quaternionic space has no basis");
  result.inverse_basis = inverse_of(std::move(basis));
  return result;
}

void append_row(std::vector<double>& T, std::span<const Complex> row, bool imaginary, double sign = 1) {
  for (const Complex& x : row) T.push_back(sign * (imaginary ? x.imag() : x.real()));
}

std::span<const Complex> row_of(const ComplexMatrix& A, std::size_t i) {
  return std::span(A.entries).subspan(i * A.cols, A.cols);
}

/// The rows of T for the copies of a quaternionic constituent: half of the copies over C, such that these and what J makes
/// of them are independent.
std::size_t append_quaternionic(std::vector<double>& T, const ComplexMatrix& projection,
                                const QuaternionicStructure& structure, std::size_t d) {
  const std::size_t m = projection.rows / d, n = projection.cols;
  std::vector<std::vector<Complex>> orthonormal;
  std::size_t copies = 0;
  for (std::size_t a = 0; a < m && 2 * copies < m; ++a) {
    // J P_a, as a linear map of real vectors, is B conj(P_a).
    std::vector<Complex> own(projection.entries.begin() + static_cast<std::ptrdiff_t>(a * d * n),
                             projection.entries.begin() + static_cast<std::ptrdiff_t>((a + 1) * d * n));
    std::vector<Complex> other(d * n);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j)
        for (std::size_t k = 0; k < n; ++k) other[i * n + k] += structure.B(i, j) * std::conj(own[j * n + k]);
    std::vector<Complex> rest = own;
    if (reduce(rest, orthonormal) < 1e-6) continue;
    append_normalized(orthonormal, rest);
    reduce(other, orthonormal);
    append_normalized(orthonormal, other);
    ++copies;
    for (std::size_t q = 0; q < d / 2; ++q) {
      std::vector<Complex> x(n), y(n);
      for (std::size_t j = 0; j < d; ++j)
        for (std::size_t k = 0; k < n; ++k) {
          x[k] += structure.inverse_basis(2 * q, j) * own[j * n + k];
          y[k] += structure.inverse_basis(2 * q + 1, j) * own[j * n + k];
        }
      // The quaternion x + j y: complex numbers and J then multiply from the right.
      append_row(T, x, false);
      append_row(T, x, true);
      append_row(T, y, false);
      append_row(T, y, true, -1);
    }
  }
  return copies;
}

/// The rows of T for the copies of a constituent; how many copies over R there are.
std::size_t append_copies(std::vector<double>& T, const ComplexMatrix& projection, int indicator,
                          std::size_t d, const std::optional<QuaternionicStructure>& structure) {
  if (indicator == -1) return append_quaternionic(T, projection, *structure, d);
  for (std::size_t i = 0; i < projection.rows; ++i) {
    append_row(T, row_of(projection, i), false);
    if (indicator == 0) append_row(T, row_of(projection, i), true);
  }
  return projection.rows / d;
}

}  // namespace

IsotypicForm isotypic_form(const Representation& V, const Representation& U, const CharacterTable& table,
                           const Task& task) {
  if (!V.field().is_real() || !U.field().is_real())
    throw DomainError("isotypic_form: " + (V.field().is_real() ? U : V).to_string() +
                      " is not over a real field; take its real form: real(R)");
  const auto in = multiplicities(character_of(V, table, task)),
             out = multiplicities(character_of(U, table, task));
  task.require_memory(64 * (V.dimension() * V.dimension() + U.dimension() * U.dimension()),
                      "the changes of basis");
  IsotypicForm form;
  std::vector<char> done(table.size(), 0);
  for (std::size_t i = 0; i < table.size(); ++i) {
    if ((in[i] == 0 && out[i] == 0) || done[i] != 0) continue;
    if (table.indicator(i) == 0) {
      const ClassFunction bar = ClassFunction::irreducible(table, i).conjugate();
      for (std::size_t k = i; k < table.size(); ++k)
        if (table.row(k) == bar.values()) done[k] = 1;
    }
    const IrreducibleRepresentation R = irreducible_representation(table, i, task);
    const int indicator = table.indicator(i);
    if (indicator == 1 && !R.representation.field().is_real())
      throw LimitError("isotypic_form: " + table.name(i) + " is of real type, but known over " +
                       R.representation.field().to_string() + " only");
    const std::size_t d = R.representation.dimension();
    const IsotypicMaps source = isotypic_maps(V, R, static_cast<std::size_t>(in[i]), task),
                       target = isotypic_maps(U, R, static_cast<std::size_t>(out[i]), task);
    std::optional<QuaternionicStructure> structure;
    if (indicator == -1) {
      const IsotypicMaps& some = in[i] != 0 ? source : target;
      structure = quaternionic_structure(rounded(some.inclusion), rounded(some.projection), d);
    }
    RealConstituent part{i, indicator == 1 ? 1U : indicator == 0 ? 2U : 4U, indicator == 1 ? d : 2 * d, 0, 0};
    part.copies_in = append_copies(form.T_in, rounded(source.projection), indicator, d, structure);
    part.copies_out = append_copies(form.T_out, rounded(target.projection), indicator, d, structure);
    form.constituents.push_back(part);
  }
  if (form.T_in.size() != V.dimension() * V.dimension() || form.T_out.size() != U.dimension() * U.dimension())
    throw InternalError("isotypic_form: the constituents do not add up");
  return form;
}

}  // namespace intertwine
