// Elimination modulo small primes in doubles.
#include "exact/double_elimination.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include "exact/double_product.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

namespace {

/// The most products of residues, that are summed before the sum is reduced.
constexpr std::size_t most_products = 256;
constexpr std::size_t narrow = 24;  ///< columns or rows that are eliminated one by one

/// Residues as doubles between -p/2 and p/2.
class Residues {
 public:
  explicit Residues(std::uint64_t p) : p_(static_cast<double>(p)), inverse_(1 / p_) {}

  /// The residue of an integer below 2^53. Adding and subtracting 1.5 2^52 rounds to an integer.
  double reduced(double x) const {
    constexpr double shift = 0x1.8p52;
    const double quotient = (x * inverse_ + shift) - shift;
    return x - quotient * p_;
  }
  double from(std::uint64_t a) const { return reduced(static_cast<double>(a)); }
  std::uint64_t to_word(double x) const { return static_cast<std::uint64_t>(x < 0 ? x + p_ : x); }
  double inverse_of(double x) const {
    std::int64_t a = static_cast<std::int64_t>(to_word(x)), b = static_cast<std::int64_t>(p_), u = 1, v = 0;
    while (b != 0) {
      const std::int64_t q = a / b;
      a = std::exchange(b, a - q * b);
      u = std::exchange(v, u - q * v);
    }
    return reduced(static_cast<double>(u));
  }
  void reduce(double* x, std::size_t count) const {
    for (std::size_t k = 0; k < count; ++k) x[k] = reduced(x[k]);
  }

 private:
  double p_, inverse_;
};

/// A rectangle of a row-major matrix.
struct Part {
  double* at;
  std::size_t rows, cols, stride;
  double* row(std::size_t i) const { return at + i * stride; }
  Part block(std::size_t i, std::size_t j, std::size_t height, std::size_t width) const {
    return {at + i * stride + j, height, width, stride};
  }
};

struct Buffer {
  Buffer(std::size_t rows, std::size_t cols) : numbers(rows * cols), part{numbers.data(), rows, cols, cols} {}
  Buffer(Buffer&&) = default;
  std::vector<double> numbers;
  Part part;
};

Buffer residues_of(const ModularMatrix& A, const Residues& field) {
  Buffer result(A.rows(), A.cols());
  for (std::size_t i = 0; i < A.rows(); ++i) {
    const auto from = A.row(i);
    double* to = result.part.row(i);
    for (std::size_t j = 0; j < from.size(); ++j) to[j] = field.from(from[j]);
  }
  return result;
}

ModularMatrix words_of(const Part& A, std::uint64_t p, const Residues& field) {
  ModularMatrix result(p, A.rows, A.cols);
  for (std::size_t i = 0; i < A.rows; ++i) {
    const auto to = result.row(i);
    const double* from = A.row(i);
    for (std::size_t j = 0; j < A.cols; ++j) to[j] = field.to_word(from[j]);
  }
  return result;
}

/// C += A B, reduced.
void add_product(const Part& C, const Part& A, const Part& B, const Residues& field, const Task& task = {}) {
  constexpr std::size_t worthwhile = 1U << 20;  // products of numbers
  const std::size_t grain = std::max<std::size_t>(64, worthwhile / std::max<std::size_t>(1, A.cols * C.cols));
  task.share(C.rows, grain, [&](std::uint64_t first, std::uint64_t last) {
    for (std::size_t l = 0; l < A.cols; l += most_products) {
      add_double_product(last - first, C.cols, std::min(most_products, A.cols - l), A.row(first) + l, A.stride,
                         B.row(l), B.stride, C.row(first), C.stride);
      for (std::size_t i = first; i < last; ++i) field.reduce(C.row(i), C.cols);
    }
  });
}

/// y += c x, with as many terms before the next reduction as most_products says.
void add_multiple(double* y, double c, const double* x, std::size_t count) {
  for (std::size_t j = 0; j < count; ++j) y[j] += c * x[j];
}

/// B becomes T^(-1) B for a triangular matrix given by N = -T outside of the diagonal; on the diagonal N has the inverses of
/// the entries of T (for lower ones they are 1 and not looked at).
void solve_triangular(const Part& N, const Part& B, bool lower, const Residues& field) {
  const std::size_t r = N.rows;
  if (r > narrow) {
    const std::size_t half = r / 2, rest = r - half;
    const Part top = B.block(0, 0, half, B.cols), bottom = B.block(half, 0, rest, B.cols);
    if (lower) {
      solve_triangular(N.block(0, 0, half, half), top, lower, field);
      add_product(bottom, N.block(half, 0, rest, half), top, field);
      solve_triangular(N.block(half, half, rest, rest), bottom, lower, field);
    } else {
      solve_triangular(N.block(half, half, rest, rest), bottom, lower, field);
      add_product(top, N.block(0, half, half, rest), bottom, field);
      solve_triangular(N.block(0, 0, half, half), top, lower, field);
    }
    return;
  }
  for (std::size_t step = 0; step < r; ++step) {
    const std::size_t i = lower ? step : r - 1 - step;
    double* row = B.row(i);
    for (std::size_t k = lower ? 0 : i + 1; k < (lower ? i : r); ++k) add_multiple(row, N.row(i)[k], B.row(k), B.cols);
    field.reduce(row, B.cols);
    if (lower) continue;
    for (std::size_t j = 0; j < B.cols; ++j) row[j] = field.reduced(row[j] * N.row(i)[i]);
  }
}

/// Solves the triangular system with the columns of B shared among threads.
void solve_triangular(const Part& N, const Part& B, bool lower, const Residues& field, const Task& task) {
  constexpr std::size_t worthwhile = 1U << 20;
  const std::size_t grain = std::max<std::size_t>(64, worthwhile / std::max<std::size_t>(1, N.rows * N.rows / 2));
  task.share(B.cols, grain, [&](std::uint64_t first, std::uint64_t last) {
    solve_triangular(N, B.block(0, first, B.rows, last - first), lower, field);
  });
}

/// P A = L U, in the place of A: row k of U starts at pivots[k], and column pivots[k] below it holds minus column k of L.
class Elimination {
 public:
  Elimination(Buffer& A, const Residues& field, const Task& task)
      : A_(A.part), field_(field), task_(task), order_(A.part.rows) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    run(0, A_.cols);
  }
  const std::vector<std::size_t>& pivots() const { return pivots_; }
  /// The rows of the pivots in A.
  std::vector<std::size_t> rows() const { return {order_.begin(), order_.begin() + pivots_.size()}; }

 private:
  /// Eliminates columns first, ..., end - 1 in the rows without a pivot; these columns know of all pivots before.
  void run(std::size_t first, std::size_t end) {
    task_.poll();
    const std::size_t start = pivots_.size();
    if (start == A_.rows) return;
    if (end - first <= narrow) return one_by_one(first, end);
    const std::size_t middle = first + (end - first) / 2;
    run(first, middle);
    const std::size_t found = pivots_.size() - start, below = A_.rows - pivots_.size();
    if (found != 0) {
      Buffer lower(A_.rows - start, found);  // minus the new columns of L
      for (std::size_t i = 0; i < lower.part.rows; ++i)
        for (std::size_t k = 0; k < std::min(i, found); ++k)
          lower.part.row(i)[k] = A_.row(start + i)[pivots_[start + k]];
      const Part top = A_.block(start, middle, found, end - middle);
      solve_triangular(lower.part.block(0, 0, found, found), top, true, field_, task_);
      add_product(A_.block(start + found, middle, below, end - middle), lower.part.block(found, 0, below, found), top,
                  field_, task_);
    }
    run(middle, end);
  }

  void one_by_one(std::size_t first, std::size_t end) {
    for (std::size_t j = first; j < end && pivots_.size() < A_.rows; ++j) {
      const std::size_t at = pivots_.size();
      std::size_t i = at;
      while (i < A_.rows && A_.row(i)[j] == 0) ++i;
      if (i == A_.rows) continue;
      if (i != at) {
        std::swap_ranges(A_.row(i), A_.row(i) + A_.cols, A_.row(at));
        std::swap(order_[i], order_[at]);
      }
      pivots_.push_back(j);
      const double* row = A_.row(at);
      const double minus_inverse = -field_.inverse_of(row[j]);
      for (std::size_t k = std::max(i, at + 1); k < A_.rows; ++k) {
        double* other = A_.row(k);
        if (other[j] == 0) continue;
        other[j] = field_.reduced(other[j] * minus_inverse);
        add_multiple(other + j + 1, other[j], row + j + 1, end - j - 1);
        field_.reduce(other + j + 1, end - j - 1);
      }
    }
  }

  Part A_;
  const Residues& field_;
  const Task& task_;
  std::vector<std::size_t> order_, pivots_;
};

}  // namespace

std::uint64_t double_prime(std::size_t k) {
  if (k >= 500'000) throw DomainError("double_prime: there are no more than 500000 primes");
  static std::mutex mutex;
  static std::vector<std::uint64_t> primes;
  const std::scoped_lock lock(mutex);
  std::uint64_t p = primes.empty() ? (std::uint64_t{1} << 23) + 1 : primes.back();
  while (primes.size() <= k) {
    do p -= 2;
    while (!is_prime(p));
    primes.push_back(p);
  }
  return primes[k];
}

bool pays_in_doubles(std::uint64_t p, std::size_t rows, std::size_t inner, std::size_t cols) {
  // In one dimension of 1 conversions are all there is.
  return p < (std::uint64_t{1} << 23) && std::min({rows, inner, cols}) >= 8 && rows * inner * cols >= 30'000;
}

bool pays_in_doubles(const ModularMatrix& A) {
  return pays_in_doubles(A.prime(), A.rows(), std::min(A.rows(), A.cols()), A.cols());
}

ModularMatrix product_in_doubles(const ModularMatrix& A, const ModularMatrix& B) {
  const Residues field(A.prime());
  Buffer C(A.rows(), B.cols());
  add_product(C.part, residues_of(A, field).part, residues_of(B, field).part, field);
  return words_of(C.part, A.prime(), field);
}

RankProfile rank_profile_in_doubles(const ModularMatrix& A, std::optional<ModularMatrix>* X, const Task& task) {
  const Residues field(A.prime());
  Buffer lu = residues_of(A, field);
  const Elimination elimination(lu, field, task);
  RankProfile result{elimination.rows(), elimination.pivots()};
  if (X != nullptr) {
    // U on the pivots, with the signs that solve_triangular asks for, and on the other columns.
    const std::size_t rank = result.cols.size();
    Buffer upper(rank, rank), right(rank, A.cols() - rank);
    std::vector<std::size_t> free;
    for (std::size_t j = 0, next = 0; j < A.cols(); ++j)
      if (next < rank && result.cols[next] == j)
        ++next;
      else
        free.push_back(j);
    for (std::size_t i = 0; i < rank; ++i) {
      const double* from = lu.part.row(i);
      upper.part.row(i)[i] = field.inverse_of(from[result.cols[i]]);
      for (std::size_t k = i + 1; k < rank; ++k) upper.part.row(i)[k] = -from[result.cols[k]];
      for (std::size_t j = 0; j < free.size(); ++j)
        if (free[j] > result.cols[i]) right.part.row(i)[j] = from[free[j]];
    }
    solve_triangular(upper.part, right.part, false, field, task);
    X->emplace(words_of(right.part, A.prime(), field));
  }
  std::ranges::sort(result.rows);
  return result;
}

}  // namespace intertwine
