// Values of Schur polynomials, by determinants without division.
#include "intertwine/combinatorics/schur_polynomial.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"

namespace intertwine {

namespace {

constexpr int max_side = 1000, max_weight = 1'000'000;

/// s_lambda = det(f_{line_i - i + j}) with f = h on the rows of lambda or f = e on its columns, whichever are fewer.
struct Determinant {
  Partition lines;
  bool elementary;
  int size() const { return lines.length(); }
  int degree() const { return lines.empty() ? 0 : lines[0] + size() - 1; }
};

Determinant shorter(const Partition& lambda) {
  if (lambda.weight() > max_weight)
    throw LimitError("the Schur polynomial of a partition of weight " + std::to_string(lambda.weight()) +
                     " is asked for; the limit is 10^6");
  const bool elementary = lambda[0] < lambda.length();
  const Determinant result{elementary ? lambda.conjugate() : lambda, elementary};
  if (result.size() > max_side)
    throw LimitError("the Schur polynomial of a partition with " + std::to_string(lambda.length()) + " rows and " +
                     std::to_string(lambda[0]) + " columns is asked for; one of the two may be at most 1000");
  return result;
}

Rational value(int n, const std::vector<Rational>& entries, const Task&) {
  return determinant(RationalMatrix(n, n, entries));
}

/// Without division, since inverses of cyclotomic numbers are dear: Bird's algorithm, n - 1 products of an upper
/// triangular with the full matrix. [Bird 2011]
Cyclotomic value(int n, const std::vector<Cyclotomic>& A, const Task& task) {
  if (n == 0) return 1;
  std::vector<Cyclotomic> F = A;
  for (int step = 1; step < n; ++step) {
    // mu(F): the part above the diagonal, with minus the sums of what follows on the diagonal.
    std::vector<Cyclotomic> mu(F.size());
    Cyclotomic tail = 0;
    for (int i = n - 1; i >= 0; --i) {
      mu[static_cast<std::size_t>(i * n + i)] = -tail;
      tail += F[static_cast<std::size_t>(i * n + i)];
      for (int j = i + 1; j < n; ++j) mu[static_cast<std::size_t>(i * n + j)] = F[static_cast<std::size_t>(i * n + j)];
    }
    std::vector<Cyclotomic> next(F.size());
    for (int i = 0; i < n; ++i)
      for (int k = i; k < n; ++k) {
        task.poll();
        const Cyclotomic& a = mu[static_cast<std::size_t>(i * n + k)];
        if (a.is_zero()) continue;
        for (int j = 0; j < n; ++j)
          next[static_cast<std::size_t>(i * n + j)] += a * A[static_cast<std::size_t>(k * n + j)];
      }
    F = std::move(next);
  }
  return n % 2 == 1 ? F[0] : -F[0];
}

/// det(f_{line_i - i + j}).
template <class Number>
Number jacobi_trudi(const Determinant& D, const std::vector<Number>& f, const Task& task) {
  const int n = D.size();
  std::vector<Number> entries(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (const int k = D.lines[i] - i + j; k >= 0)
        entries[static_cast<std::size_t>(i * n + j)] = f[static_cast<std::size_t>(k)];
  return value(n, entries, task);
}

template <class Number>
Number at_numbers(const Partition& lambda, std::span<const Number> x, const Task& task) {
  if (static_cast<std::size_t>(lambda.length()) > x.size()) return Number(0);
  const Determinant D = shorter(lambda);
  std::vector<Number> f(static_cast<std::size_t>(D.degree()) + 1);
  f[0] = Number(1);
  for (const Number& a : x) {
    task.poll();
    if (D.elementary)
      for (std::size_t k = f.size() - 1; k > 0; --k) f[k] += a * f[k - 1];
    else
      for (std::size_t k = 1; k < f.size(); ++k) f[k] += a * f[k - 1];
  }
  return jacobi_trudi(D, f, task);
}

template <class Number>
Number from_power_sums(const Partition& lambda, std::span<const Number> p, const Task& task) {
  const Determinant D = shorter(lambda);
  const auto degree = static_cast<std::size_t>(D.degree());
  if (p.size() < degree)
    throw DomainError("schur_from_power_sums: " + to_string(lambda) + " needs " + std::to_string(degree) +
                      " power sums, not " + std::to_string(p.size()));
  // k h_k = sum p_i h_(k-i), and the same with signs for e_k.
  std::vector<Number> f{Number(1)};
  for (std::size_t k = 1; k <= degree; ++k) {
    task.poll();
    Number sum(0);
    for (std::size_t i = 1; i <= k; ++i) {
      const Number term = p[i - 1] * f[k - i];
      if (D.elementary && i % 2 == 0)
        sum -= term;
      else
        sum += term;
    }
    f.push_back(Number(Rational(1, static_cast<long>(k))) * sum);
  }
  return jacobi_trudi(D, f, task);
}

/// tr(A B) without the product.
Rational trace_of_product(const RationalMatrix& A, const RationalMatrix& B) {
  Integer sum = 0;
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j)
      if (A.numerator().sign(i, j) != 0 && B.numerator().sign(j, i) != 0)
        sum += A.numerator()(i, j) * B.numerator()(j, i);
  return Rational(sum, A.denominator() * B.denominator());
}

}  // namespace

Rational schur_polynomial(const Partition& lambda, std::span<const Rational> x, const Task& task) {
  return at_numbers(lambda, x, task);
}
Cyclotomic schur_polynomial(const Partition& lambda, std::span<const Cyclotomic> x, const Task& task) {
  return at_numbers(lambda, x, task);
}

Rational schur_from_power_sums(const Partition& lambda, std::span<const Rational> p, const Task& task) {
  return from_power_sums(lambda, p, task);
}
Cyclotomic schur_from_power_sums(const Partition& lambda, std::span<const Cyclotomic> p, const Task& task) {
  return from_power_sums(lambda, p, task);
}

std::vector<Rational> traces_of_powers(const RationalMatrix& A, std::size_t count, const Task& task) {
  if (A.rows() != A.cols())
    throw DomainError("traces_of_powers: the matrix is " + std::to_string(A.rows()) + " x " + std::to_string(A.cols()) +
                      ", not square");
  // A^1 ... A^s and A^s, A^2s, ...: every power is a product of one of each, and only its trace is needed.
  std::size_t step = 1;
  while (step * step < count) ++step;
  std::vector<RationalMatrix> small{RationalMatrix::identity(A.rows())};
  for (std::size_t k = 1; k < step; ++k) {
    task.poll();
    small.push_back(small.back() * A);
  }
  const RationalMatrix giant = small.back() * A;
  RationalMatrix base = RationalMatrix::identity(A.rows());
  std::vector<Rational> result;
  for (std::size_t k = 1; k <= count; ++k) {
    task.poll();
    if (k % step == 0) base = base * giant;
    result.push_back(k % step == 0 ? base.trace() : trace_of_product(base, small[k % step]));
  }
  return result;
}

Rational schur_at_eigenvalues(const Partition& lambda, const RationalMatrix& A, const Task& task) {
  const Determinant D = shorter(lambda);
  const std::vector<Rational> p = traces_of_powers(A, static_cast<std::size_t>(D.degree()), task);
  if (static_cast<std::size_t>(lambda.length()) > A.rows()) return 0;
  return from_power_sums(lambda, std::span<const Rational>(p), task);
}

}  // namespace intertwine
