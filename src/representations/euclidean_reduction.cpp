#include "euclidean_reduction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

using Word = std::int64_t;
using LongReal = long double;  // lengths of orthogonal parts may differ by 10^10 on the way
using LongComplex = std::complex<LongReal>;

/// The numbers of a computation left the words that hold them.
struct TooLarge {};

Word checked_sum(Word a, Word b) {
  Word sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw TooLarge();
  return sum;
}
Word checked_product(Word a, Word b) {
  Word product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw TooLarge();
  return product;
}

Word to_word(const Integer& x) {
  if (x > std::numeric_limits<Word>::max() || x < std::numeric_limits<Word>::min()) throw TooLarge();
  return x.convert_to<Word>();
}

/// x + y a
struct QuadraticNumber {
  Word x = 0, y = 0;
  bool is_zero() const { return x == 0 && y == 0; }
};

/// Z[a] with a^2 = t a - n.
struct QuadraticOrder {
  Word t, n;
  std::vector<LongComplex> roots;  ///< a under the embeddings: both real ones, or one of two complex ones

  explicit QuadraticOrder(const AbelianField& K)
      : t(-to_word(K.minimal_polynomial().at(1))), n(to_word(K.minimal_polynomial().at(0))) {
    const double discriminant = static_cast<double>(t) * static_cast<double>(t) - 4 * static_cast<double>(n);
    const double half = static_cast<double>(t) / 2, root = std::sqrt(std::abs(discriminant)) / 2;
    if (discriminant > 0) {
      roots = {LongComplex(half + root), LongComplex(half - root)};
    } else {
      roots = {LongComplex(half, root)};
    }
  }
  bool is_real() const { return roots.size() == 2; }
  /// c - q b
  QuadraticNumber without(const QuadraticNumber& c, const QuadraticNumber& q,
                          const QuadraticNumber& b) const {
    const Word top = checked_product(q.y, b.y);
    const Word x = checked_sum(checked_product(q.x, b.x), -checked_product(n, top));
    const Word y = checked_sum(checked_sum(checked_product(q.x, b.y), checked_product(q.y, b.x)),
                               checked_product(t, top));
    return {checked_sum(c.x, -x), checked_sum(c.y, -y)};
  }
  template <class Scalar>
  Scalar value(const QuadraticNumber& c, std::size_t e) const {
    const LongReal x = static_cast<LongReal>(c.x), y = static_cast<LongReal>(c.y);
    if constexpr (std::is_same_v<Scalar, LongReal>) {
      return x + y * roots[e].real();
    } else {
      return x + y * roots[e];
    }
  }
};

using Plane = std::array<LongReal, 2>;
LongReal dot(const Plane& u, const Plane& v) { return u[0] * v[0] + u[1] * v[1]; }

LongReal conjugate(LongReal x) { return x; }
LongComplex conjugate(const LongComplex& x) { return std::conj(x); }
LongReal times(LongReal a, LongReal b) { return a * b; }
/// Without the care for infinite numbers that std::complex takes.
LongComplex times(const LongComplex& a, const LongComplex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Scalar: real for real fields, complex for the others.
template <class Scalar>
class EuclideanReduction {
 public:
  EuclideanReduction(const IntegerMatrix& rows, const AbelianField& K)
      : order_(K), embeddings_(order_.roots.size()) {
    const std::size_t n = rows.cols() / 2;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      auto& v = vectors_.emplace_back(n);
      for (std::size_t j = 0; j < n; ++j) v[j] = {to_word(rows(i, j)), to_word(rows(i, n + j))};
    }
    parts_.assign(embeddings_, std::vector<std::vector<Scalar>>(vectors_.size()));
    ratios_ = parts_;
    lengths_.assign(embeddings_, std::vector<LongReal>(vectors_.size()));
  }

  /// False if it does not come to an end.
  bool run(const Task& task) {
    std::uint64_t steps = 0;
    const std::uint64_t most_steps = 400 * std::uint64_t{vectors_.size()} * vectors_.size() + 1000;
    for (std::size_t k = 0; k < vectors_.size();) {
      if ((++steps & 63U) == 0) task.poll();
      if (steps > most_steps || !shorten(k)) return false;
      const auto& v = vectors_[k];
      if (std::all_of(v.begin(), v.end(), [](const QuadraticNumber& c) { return c.is_zero(); })) {
        vectors_.erase(vectors_.begin() + static_cast<std::ptrdiff_t>(k));
      } else if (k > 0 && ratio_after_swap(k) < LongReal(0.99)) {
        std::swap(vectors_[k], vectors_[k - 1]);
        --k;
      } else if (is_dependent(k)) {
        return false;  // the integers have no Euclidean algorithm
      } else {
        ++k;
      }
    }
    return true;
  }

  IntegerMatrix rows() const {
    const std::size_t n = vectors_.empty() ? 0 : vectors_[0].size();
    IntegerMatrix result(vectors_.size(), 2 * n);
    for (std::size_t i = 0; i < vectors_.size(); ++i)
      for (std::size_t j = 0; j < n; ++j) {
        result.set(i, j, Integer(vectors_[i][j].x));
        result.set(i, n + j, Integer(vectors_[i][j].y));
      }
    return result;
  }

 private:
  /// Row k of the orthogonalization, under every embedding, from the vectors themselves; twice where much is taken off, so
  /// that rounding errors stay those of b_k.
  void orthogonalize(std::size_t k) {
    for (std::size_t e = 0; e < embeddings_; ++e) {
      auto& part = parts_[e][k];
      auto& ratios = ratios_[e][k];
      part.clear();
      for (const QuadraticNumber& c : vectors_[k]) part.push_back(order_.template value<Scalar>(c, e));
      const LongReal whole = square(part);
      ratios.assign(k + 1, 0);
      ratios[k] = 1;
      lengths_[e][k] = whole;
      LongReal before = 0;
      do {
        before = lengths_[e][k];
        for (std::size_t j = 0; j < k; ++j) {
          const auto& other = parts_[e][j];
          Scalar sum = 0;
          for (std::size_t i = 0; i < part.size(); ++i) sum += times(part[i], conjugate(other[i]));
          sum /= lengths_[e][j];
          for (std::size_t i = 0; i < part.size(); ++i) part[i] -= times(sum, other[i]);
          ratios[j] += sum;
        }
        lengths_[e][k] = square(part);
        if (lengths_[e][k] < LongReal(1e-28) * whole) lengths_[e][k] = 0;  // a dependent vector
      } while (lengths_[e][k] < before / 100 && lengths_[e][k] > 0);
    }
  }
  static LongReal square(const std::vector<Scalar>& v) {
    LongReal sum = 0;
    for (const Scalar& c : v) sum += std::norm(c);
    return sum;
  }

  /// Takes multiples of the vectors before off vector k. False if rounding errors keep it from ending.
  bool shorten(std::size_t k) {
    for (int round = 0; round < 60; ++round) {
      orthogonalize(k);
      bool changed = false;
      for (std::size_t j = k; j-- > 0;) {
        const QuadraticNumber q = nearest(k, j);
        if (q.is_zero()) continue;
        changed = true;
        subtract(k, j, q);
        for (std::size_t e = 0; e < embeddings_; ++e) {
          const auto c = order_.template value<Scalar>(q, e);
          for (std::size_t i = 0; i <= j; ++i) ratios_[e][k][i] -= times(c, ratios_[e][j][i]);
        }
      }
      if (!changed) return true;
    }
    return false;
  }

  /// The number q that makes the part of b_k - q b_j along b_j shortest, 0 if that gains nothing.
  QuadraticNumber nearest(std::size_t k, std::size_t j) const {
    Plane u, v, target;  // 1, a and what is to be rounded, in a plane where length is that of the part
    if (order_.is_real()) {
      for (std::size_t e = 0; e < 2; ++e) {
        const LongReal weight = std::sqrt(lengths_[e][j]);
        u[e] = weight;
        v[e] = weight * order_.roots[e].real();
        target[e] = weight * std::real(ratios_[e][k][j]);
      }
    } else {
      u = {1, 0};
      v = {order_.roots[0].real(), order_.roots[0].imag()};
      target = {std::real(ratios_[0][k][j]), std::imag(ratios_[0][k][j])};
    }
    LongReal us[2] = {1, 0}, vs[2] = {0, 1};  // the coordinates of u and v while they are reduced
    for (int step = 0; step < 100; ++step) {
      if (dot(u, u) > dot(v, v)) {
        std::swap(u, v);
        std::swap(us, vs);
      }
      const LongReal m = std::round(dot(u, v) / dot(u, u));
      if (m == 0) break;
      for (std::size_t e = 0; e < 2; ++e) v[e] -= m * u[e], vs[e] -= m * us[e];
    }
    const LongReal det = u[0] * v[1] - u[1] * v[0];
    const LongReal x = std::round((target[0] * v[1] - target[1] * v[0]) / det),
                   y = std::round((u[0] * target[1] - u[1] * target[0]) / det);
    LongReal best = dot(target, target) * LongReal(1 - 1e-9);
    QuadraticNumber q;
    for (int dx = -1; dx <= 1; ++dx)
      for (int dy = -1; dy <= 1; ++dy) {
        const LongReal a = x + dx, b = y + dy;
        const Plane rest{target[0] - a * u[0] - b * v[0], target[1] - a * u[1] - b * v[1]};
        if (dot(rest, rest) >= best) continue;
        const LongReal first = a * us[0] + b * vs[0], second = a * us[1] + b * vs[1];
        if (!(std::abs(first) <= 1e15L && std::abs(second) <= 1e15L)) throw TooLarge();
        best = dot(rest, rest);
        q = {static_cast<Word>(first), static_cast<Word>(second)};
      }
    return q;
  }

  bool is_dependent(std::size_t k) const {
    return std::any_of(lengths_.begin(), lengths_.end(), [&](const auto& of) { return of[k] == 0; });
  }

  /// b_k -= q b_j
  void subtract(std::size_t k, std::size_t j, const QuadraticNumber& q) {
    for (std::size_t i = 0; i < vectors_[k].size(); ++i)
      vectors_[k][i] = order_.without(vectors_[k][i], q, vectors_[j][i]);
  }

  /// The norm of the part of b_k orthogonal to b_0 ... b_(k-2) by that of b_(k-1).
  LongReal ratio_after_swap(std::size_t k) const {
    LongReal product = 1;
    for (std::size_t e = 0; e < embeddings_; ++e)
      product *= lengths_[e][k] / lengths_[e][k - 1] + std::norm(ratios_[e][k][k - 1]);
    return product;
  }

  QuadraticOrder order_;
  std::size_t embeddings_;
  std::vector<std::vector<QuadraticNumber>> vectors_;
  /// For every embedding: the orthogonal part of b_k, its length squared, and the multiples of parts that add up to b_k.
  std::vector<std::vector<std::vector<Scalar>>> parts_, ratios_;
  std::vector<std::vector<LongReal>> lengths_;
};

}  // namespace

std::optional<IntegerMatrix> euclidean_basis(const IntegerMatrix& rows, const AbelianField& K,
                                             const Task& task) {
  if (K.degree() != 2) throw InternalError("euclidean_basis: the field is not quadratic");
  const std::uint64_t n = rows.rows();
  task.require_memory(n * (2 * n + rows.cols()) * 48, "the reduction of a module over a quadratic field");
  try {
    const auto reduced = [&](auto reduction) -> std::optional<IntegerMatrix> {
      if (!reduction.run(task)) return std::nullopt;
      return reduction.rows();
    };
    return K.is_real() ? reduced(EuclideanReduction<LongReal>(rows, K))
                       : reduced(EuclideanReduction<LongComplex>(rows, K));
  } catch (const TooLarge&) {
    return std::nullopt;
  }
}

}  // namespace intertwine
