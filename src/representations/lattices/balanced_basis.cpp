// Bases that are short together with their dual.
#include "balanced_basis.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>

namespace intertwine {

namespace {

using Complex = std::complex<double>;

/// A dense square matrix of complex numbers.
struct Gram {
  explicit Gram(std::size_t size) : d(size), entries(size * size) {}
  Complex& operator()(std::size_t i, std::size_t j) { return entries[i * d + j]; }
  const Complex& operator()(std::size_t i, std::size_t j) const { return entries[i * d + j]; }
  std::size_t d;
  std::vector<Complex> entries;
};

/// The inverse by elimination with pivots; false if it is singular as far as doubles show.
bool invert(Gram A, Gram& inverse) {
  const std::size_t d = A.d;
  for (std::size_t i = 0; i < d; ++i) inverse(i, i) = 1;
  for (std::size_t k = 0; k < d; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < d; ++i)
      if (std::norm(A(i, k)) > std::norm(A(pivot, k))) pivot = i;
    if (!(std::norm(A(pivot, k)) > 1e-200)) return false;
    for (std::size_t j = 0; j < d; ++j) {
      std::swap(A(k, j), A(pivot, j));
      std::swap(inverse(k, j), inverse(pivot, j));
    }
    const Complex factor = 1.0 / A(k, k);
    for (std::size_t j = 0; j < d; ++j) A(k, j) *= factor, inverse(k, j) *= factor;
    for (std::size_t i = 0; i < d; ++i) {
      if (i == k || A(i, k) == Complex(0)) continue;
      const Complex c = A(i, k);
      for (std::size_t j = 0; j < d; ++j) A(i, j) -= c * A(k, j), inverse(i, j) -= c * inverse(k, j);
    }
  }
  return true;
}

/// Does D (A x) = x hold for one x, to some digits?
bool is_inverse(const Gram& A, const Gram& D) {
  const auto times = [](const Gram& B, const std::vector<Complex>& x) {
    std::vector<Complex> y(B.d);
    for (std::size_t i = 0; i < B.d; ++i)
      for (std::size_t j = 0; j < B.d; ++j) y[i] += B(i, j) * x[j];
    return y;
  };
  std::vector<Complex> x(A.d);
  for (std::size_t i = 0; i < A.d; ++i) x[i] = static_cast<double>(i % 7) - 3.5;
  const std::vector<Complex> y = times(D, times(A, x));
  return std::equal(x.begin(), x.end(), y.begin(),
                    [](const Complex& u, const Complex& v) { return std::abs(u - v) < 0.1; });
}

using LongComplex = std::complex<long double>;
using LongColumn = std::vector<LongComplex>;

/// Inner products of the basis dual to these columns, from their orthogonalization: right to more digits than the inverse of their own inner
/// products, which loses all where those of the dual are 10^16 times as large as the others allow. Here lengths may be as different.
bool dual_gram(std::vector<LongColumn> columns, Gram& dual, const Task& task) {
  const std::size_t d = columns.size();
  std::vector<LongColumn> R(d, LongColumn(d)),
      S(d, LongColumn(d));  // R[j][i]: of column j in direction i; S is its inverse
  const auto product = [](const LongColumn& u, const LongColumn& v) {
    LongComplex sum = 0;
    for (std::size_t x = 0; x < u.size(); ++x) sum += u[x] * std::conj(v[x]);
    return sum;
  };
  for (std::size_t j = 0; j < d; ++j) {
    task.poll();
    for (int pass = 0; pass < 2; ++pass)  // the second takes away what the first leaves by rounding
      for (std::size_t i = 0; i < j; ++i) {
        const LongComplex c = product(columns[j], columns[i]);
        R[j][i] += c;
        for (std::size_t x = 0; x < columns[j].size(); ++x) columns[j][x] -= c * columns[i][x];
      }
    R[j][j] = std::sqrt(product(columns[j], columns[j]).real());
    if (!(R[j][j].real() > 0)) return false;
    for (LongComplex& x : columns[j]) x /= R[j][j].real();
  }
  for (std::size_t j = 0; j < d; ++j) {
    task.poll();
    S[j][j] = LongComplex(1) / R[j][j];
    for (std::size_t i = j; i-- > 0;) {
      LongComplex sum = 0;
      for (std::size_t k = i + 1; k <= j; ++k) sum += R[k][i] * S[j][k];
      S[j][i] = -sum / R[i][i];
    }
  }
  for (std::size_t i = 0; i < d; ++i) {
    task.poll();
    for (std::size_t j = 0; j < d; ++j) {
      LongComplex sum = 0;
      for (std::size_t k = std::max(i, j); k < d; ++k) sum += std::conj(S[k][i]) * S[k][j];
      dual(i, j) = Complex(sum);
    }
  }
  return true;
}

double to_double(const Integer& a) { return mpz_get_d(a.backend().data()); }

class Balancing {
 public:
  Balancing(const FieldMatrix& C, const AbelianField& K, const Task& task) : d_(C.cols()), m_(K.degree()) {
    for (const std::uint32_t k : K.automorphisms())
      roots_.push_back(m_ == 1 ? Complex(0) : K.generator().galois_conjugate(k).to_complex());
    for (const Integer& c : K.minimal_polynomial()) relation_.push_back(c.convert_to<std::int64_t>());
    Gram powers(m_);
    for (std::size_t s = 0; s < m_; ++s)
      for (std::size_t l = 0; l < m_; ++l) powers(s, l) = l == 0 ? Complex(1) : powers(s, l - 1) * roots_[s];
    Gram inverse(m_);
    valid_ = invert(powers, inverse);
    coordinates_ = inverse.entries;
    for (std::size_t s = 0; s < m_; ++s) {
      primal_.push_back(gram(C, roots_[s]));
      dual_.emplace_back(d_);
      if (valid_ && !(invert(primal_[s], dual_[s]) && is_inverse(primal_[s], dual_[s]))) {
        far_ = true;
        task.require_memory(sizeof(LongComplex) * d_ * (C.rows() + 2 * d_), "a dual basis");
        valid_ = dual_gram(columns(C, roots_[s]), dual_[s], task);
      }
    }
    transform_.assign(d_ * d_ * m_, 0);
    for (std::size_t i = 0; i < d_; ++i) transform_[(i * d_ + i) * m_] = 1;
  }

  void run(const Task& task) {
    constexpr int most_sweeps = 100;
    for (int sweep = 0; valid_ && sweep < most_sweeps; ++sweep) {
      bool changed = false;
      for (std::size_t i = 0; i < d_ && valid_; ++i) {
        task.poll();
        for (std::size_t j = 0; j < d_ && valid_; ++j)
          if (i != j && improve(i, j)) changed = true;
      }
      if (!changed) break;
      changed_ = true;
    }
  }

  /// Is the dual basis so long that accuracy gets lost while it becomes short?
  bool is_far() const { return far_; }
  bool is_changed() const { return changed_; }

  FieldMatrix transform(const AbelianField& K) const {
    IntegerMatrix coefficients(d_, d_ * m_);
    for (std::size_t i = 0; i < d_; ++i)
      for (std::size_t j = 0; j < d_; ++j)
        for (std::size_t l = 0; l < m_; ++l)
          coefficients.set(i, l * d_ + j, static_cast<long>(transform_[(j * d_ + i) * m_ + l]));
    return {K, RationalMatrix(std::move(coefficients)), d_};
  }

 private:
  /// (c_i, c_j) in one embedding, linear in the first argument.
  Gram gram(const FieldMatrix& C, Complex root) const {
    const IntegerMatrix& A = C.coefficients().numerator();
    const double scale = 1 / to_double(C.coefficients().denominator());
    Gram result(d_);
    std::vector<Complex> row(d_);
    for (std::size_t x = 0; x < C.rows(); ++x) {
      std::vector<std::size_t> support;
      for (std::size_t j = 0; j < d_; ++j) {
        row[j] = 0;
        for (std::size_t l = m_; l-- > 0;) {
          row[j] *= root;
          if (A.sign(x, l * d_ + j) != 0) row[j] += scale * to_double(A(x, l * d_ + j));
        }
        if (row[j] != Complex(0)) support.push_back(j);
      }
      for (const std::size_t i : support)
        for (const std::size_t j : support) result(i, j) += row[i] * std::conj(row[j]);
    }
    return result;
  }

  static std::vector<LongColumn> columns(const FieldMatrix& C, Complex root) {
    const IntegerMatrix& A = C.coefficients().numerator();
    const std::size_t d = C.cols(), m = A.cols() / d;
    std::vector<LongColumn> result(d, LongColumn(C.rows()));
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t x = 0; x < C.rows(); ++x)
        for (std::size_t l = m; l-- > 0;)
          result[j][x] = result[j][x] * LongComplex(root) + static_cast<long double>(to_double(A(x, l * d + j)));
    const long double scale = 1 / static_cast<long double>(to_double(C.coefficients().denominator()));
    for (LongColumn& column : result)
      for (LongComplex& x : column) x *= scale;
    return result;
  }

  /// c_j += t c_i for the t in Z[a] that makes the sum smallest, as far as rounding of coordinates finds it.
  bool improve(std::size_t i, std::size_t j) {
    Complex target[max_degree];
    double largest = 0;
    for (std::size_t s = 0; s < m_; ++s) {
      const Gram &A = primal_[s], &D = dual_[s];
      target[s] = 0.5 * std::conj(D(i, j) / D(j, j).real() - A(i, j) / A(i, i).real());
      largest = std::max(largest, std::norm(target[s]));
    }
    if (largest < least_step * least_step) return false;
    std::int64_t t[max_degree];
    bool zero = true;
    for (std::size_t l = 0; l < m_; ++l) {
      double c = 0;
      for (std::size_t s = 0; s < m_; ++s) c += (coordinates_[l * m_ + s] * target[s]).real();
      if (!(std::abs(c) < largest_step)) return false;
      t[l] = std::llround(c);
      zero = zero && t[l] == 0;
    }
    if (zero) return false;
    Complex value[max_degree];
    double change = 0, size = 0;
    for (std::size_t s = 0; s < m_; ++s) {
      value[s] = 0;
      for (std::size_t l = m_; l-- > 0;) value[s] = value[s] * roots_[s] + static_cast<double>(t[l]);
      const double both = primal_[s](i, i).real() * dual_[s](j, j).real();
      change += both * (std::norm(value[s]) - 2 * (value[s] * std::conj(target[s])).real());
      size += both;
    }
    if (!(change < -1e-6 * size)) return false;
    return step(i, j, t, value);
  }

  bool step(std::size_t i, std::size_t j, const std::int64_t* t, const Complex* value) {
    if (!add_column(i, j, t)) return valid_ = false;
    for (std::size_t s = 0; s < m_; ++s) {
      Gram &A = primal_[s], &D = dual_[s];
      const Complex c = value[s];
      for (std::size_t k = 0; k < d_; ++k) A(j, k) += c * A(i, k);
      for (std::size_t k = 0; k < d_; ++k) A(k, j) += std::conj(c) * A(k, i);
      for (std::size_t k = 0; k < d_; ++k) D(i, k) -= std::conj(c) * D(j, k);
      for (std::size_t k = 0; k < d_; ++k) D(k, i) -= c * D(k, j);
    }
    return true;
  }

  /// Does the step for the transformation, exactly; false, and nothing changes, when its entries grow beyond words.
  bool add_column(std::size_t i, std::size_t j, const std::int64_t* t) {
    constexpr std::int64_t bound = std::int64_t{1} << 40;
    std::int64_t x[max_degree];
    const auto place = transform_.begin() + static_cast<std::ptrdiff_t>(j * d_ * m_);
    std::vector<std::int64_t> column(place, place + static_cast<std::ptrdiff_t>(d_ * m_));
    for (std::size_t row = 0; row < d_; ++row) {
      const std::int64_t* source = transform_.data() + (i * d_ + row) * m_;
      std::int64_t* target = column.data() + row * m_;
      std::copy(source, source + m_, x);
      for (std::size_t l = 0; l < m_; ++l) {
        for (std::size_t k = 0; k < m_; ++k) target[k] += t[l] * x[k];
        const std::int64_t top = x[m_ - 1];  // x becomes a x
        for (std::size_t k = m_; k-- > 1;) x[k] = x[k - 1] - top * relation_[k];
        x[0] = -top * relation_[0];
      }
      for (std::size_t k = 0; k < m_; ++k)
        if (std::abs(target[k]) > bound) return false;
    }
    std::copy(column.begin(), column.end(), place);
    return true;
  }

 public:
  static constexpr std::size_t max_degree = 16;

 private:
  static constexpr double least_step = 0.4, largest_step = 1 << 16;
  std::size_t d_, m_;
  bool valid_ = true, far_ = false, changed_ = false;
  std::vector<Complex> roots_;          ///< the conjugates of a
  std::vector<std::int64_t> relation_;  ///< the minimal polynomial of a
  std::vector<Complex> coordinates_;    ///< from the values of a number in all embeddings
  std::vector<Gram> primal_, dual_;
  std::vector<std::int64_t> transform_;  ///< column j, row i, coefficient l at (j d + i) m + l
};

}  // namespace

FieldMatrix balanced_basis(const FieldMatrix& C, const AbelianField& K, const Task& task) {
  if (K.degree() > Balancing::max_degree || C.cols() < 2) return C;
  FieldMatrix result = C;
  constexpr int most_rounds = 40;
  for (int round = 0; round < most_rounds; ++round) {
    Balancing balancing(result, K, task);
    balancing.run(task);
    if (balancing.is_changed()) result = result * balancing.transform(K);
    if (!balancing.is_far()) return result;
    if (!balancing.is_changed()) break;
  }
  return C;  // the dual basis never became short enough to be known
}

}  // namespace intertwine
