// Reduces flags of modules over the integers of a number field.
#include "module_flag.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

namespace intertwine {

namespace {

using Int64 = std::int64_t;
using Int64Row = std::vector<Int64>;

/// Integers left the words that hold them, or floating point numbers the range in which they tell anything.
struct NumbersFailed {};

Int64 sum_with_multiple(Int64 x, Int64 c, Int64 y) {
  Int64 product = 0, sum = 0;
  if (__builtin_mul_overflow(c, y, &product) || __builtin_add_overflow(x, product, &sum)) throw NumbersFailed();
  if (sum == std::numeric_limits<Int64>::min()) throw NumbersFailed();  // it has no absolute value
  return sum;
}
/// Are all entries at least -2^k and below 2^k, k < 63? One sum and one bit operation an entry, without branches.
bool are_small(const Int64Row& row, int k) {
  const std::uint64_t half = std::uint64_t{1} << k;
  std::uint64_t all = 0;
  for (const Int64 x : row) all |= static_cast<std::uint64_t>(x) + half;
  return all >> (k + 1) == 0;
}

/// x + c y. Most rows hold small numbers, and most factors are 1 or -1.
void add_multiple(Int64Row& x, Int64 c, const Int64Row& y) {
  const auto width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::abs(c))));
  const std::size_t n = x.size();
  if (width <= 61 && are_small(x, 61) && are_small(y, 61 - width)) {
    if (c == 1)
      for (std::size_t l = 0; l < n; ++l) x[l] += y[l];
    else if (c == -1)
      for (std::size_t l = 0; l < n; ++l) x[l] -= y[l];
    else
      for (std::size_t l = 0; l < n; ++l) x[l] += c * y[l];
    return;
  }
  for (std::size_t l = 0; l < n; ++l)
    if (y[l] != 0) x[l] = sum_with_multiple(x[l], c, y[l]);
}

std::vector<Int64Row> to_words(const IntegerMatrix& A) {
  std::vector<Int64Row> result(A.rows(), Int64Row(A.cols()));
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) {
      const Integer x = A(i, j);
      if (abs(x) > std::numeric_limits<Int64>::max()) throw NumbersFailed();
      result[i][j] = x.convert_to<Int64>();
    }
  return result;
}

/// Do operations on columns make these rows triangular, with 1 and -1 on the diagonal? \throws NumbersFailed
bool become_triangular(std::vector<Int64Row> rows) {
  const std::size_t n = rows[0].size();
  if (rows.size() > n) return false;
  for (std::size_t a = 0; a < rows.size(); ++a) {
    Int64Row& row = rows[a];
    for (;;) {
      std::size_t least = n;
      for (std::size_t l = a; l < n; ++l)
        if (row[l] != 0 && (least == n || std::abs(row[l]) < std::abs(row[least]))) least = l;
      if (least == n) return false;
      bool is_only = true;
      for (std::size_t l = a; l < n; ++l) {
        if (l == least || row[l] == 0) continue;
        const Int64 q = row[l] / row[least];
        for (std::size_t b = a; b < rows.size(); ++b) rows[b][l] = sum_with_multiple(rows[b][l], -q, rows[b][least]);
        is_only &= row[l] == 0;
      }
      if (!is_only) continue;
      if (std::abs(row[least]) != 1) return false;
      for (std::size_t b = a; b < rows.size(); ++b) std::swap(rows[b][a], rows[b][least]);
      break;
    }
  }
  return true;
}

/// Do these rows generate a direct summand of the Z^n in which they are? What is not found out within words is none.
bool is_primitive(std::vector<Int64Row> rows) {
  try {
    return become_triangular(std::move(rows));
  } catch (const NumbersFailed&) {
    return false;
  }
}

class FlagReduction {
 public:
  FlagReduction(std::size_t size, const std::vector<IntegerMatrix>& actions, const Task& task)
      : task_(task), basis_(to_words(IntegerMatrix::identity(size))), triangle_(size) {
    for (const IntegerMatrix& action : actions) actions_.push_back(to_words(action));
  }

  /// False where numbers fail, or nothing generates a direct summand that is looked at.
  bool run(const IntegerMatrix& gram) {
    try {
      decompose(gram);
      for (reduce(); first_ + degree() < size(); reduce()) {
        const auto place = summand();
        if (!place) return false;
        take(*place);
      }
      return true;
    } catch (const NumbersFailed&) {
      return false;
    }
  }

  /// Also where run() came to no end.
  IntegerMatrix vectors() const {
    IntegerMatrix result(taken_.size(), size());
    for (std::size_t k = 0; k < taken_.size(); ++k)
      for (std::size_t j = 0; j < size(); ++j) result.set(k, j, long{taken_[k][j]});
    return result;
  }
  ModuleFlag flag() const {
    const std::size_t m = degree(), last = size() - m;
    ModuleFlag result{vectors(), IntegerMatrix(m, size()), IntegerMatrix(m, m), {}};
    double largest = 0;
    for (std::size_t i = 0; i < m; ++i) largest = std::max(largest, length(last + i, last));
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < size(); ++j) result.last.set(i, j, long{basis_[last + i][j]});
      for (std::size_t j = 0; j < m; ++j) {
        double sum = 0;
        for (std::size_t l = last; l <= last + std::min(i, j); ++l)
          sum += triangle_[last + i][l] * triangle_[last + j][l];
        result.form.set(i, j, std::lround(0x1p40 * (sum / largest)));
      }
    }
    for (const auto& action : actions_) {
      IntegerMatrix& block = result.actions.emplace_back(m, m);
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j) block.set(i, j, long{action[last + i][last + j]});
    }
    return result;
  }

 private:
  std::size_t size() const { return basis_.size(); }
  std::size_t degree() const { return actions_.size(); }

  /// gram = triangle_ times its transpose.
  void decompose(const IntegerMatrix& gram) {
    for (std::size_t i = 0; i < size(); ++i) {
      task_.poll();
      triangle_[i].assign(size(), 0);
      for (std::size_t j = 0; j <= i; ++j) {
        long double sum = mpz_get_d(gram(i, j).backend().data());
        for (std::size_t l = 0; l < j; ++l) sum -= static_cast<long double>(triangle_[i][l]) * triangle_[j][l];
        if (i == j && !(sum > 0)) throw NumbersFailed();
        triangle_[i][j] = static_cast<double>(i == j ? std::sqrt(sum) : sum / triangle_[j][j]);
      }
    }
  }
  /// Squared, of the part of b_i that is orthogonal to the first vectors.
  double length(std::size_t i, std::size_t first) const {
    double sum = 0;
    for (std::size_t l = first; l <= i; ++l) sum += triangle_[i][l] * triangle_[i][l];
    return sum;
  }

  /// b_k += c b_j, j < k.
  void add(std::size_t k, Int64 c, std::size_t j) {
    if (c == 0) return;
    add_to_triangle(k, c, j);
    add_to_vectors(k, {{j, c}});
  }
  void add_to_triangle(std::size_t k, Int64 c, std::size_t j) {
    for (std::size_t l = 0; l <= j; ++l) triangle_[k][l] += static_cast<double>(c) * triangle_[j][l];
  }
  /// b_k += the sum of c b_j, all j < k. Every row is visited once, for large matrices lie outside of the caches.
  void add_to_vectors(std::size_t k, const std::vector<std::pair<std::size_t, Int64>>& terms) {
    const auto change = [&](Int64Row& coordinates) {
      const Int64 x = coordinates[k];
      if (x == 0) return;
      for (const auto& [j, c] : terms) coordinates[j] = sum_with_multiple(coordinates[j], -c, x);
    };
    for (const auto& [j, c] : terms) add_multiple(basis_[k], c, basis_[j]);
    for (auto& action : actions_) {
      for (const auto& [j, c] : terms) add_multiple(action[k], c, action[j]);
      for (Int64Row& row : action) change(row);
    }
    for (Int64Row& row : multiples_) change(row);
  }
  void swap_with_previous(std::size_t k) {
    std::swap(basis_[k], basis_[k - 1]);
    for (auto& action : actions_) {
      std::swap(action[k], action[k - 1]);
      for (Int64Row& row : action) std::swap(row[k], row[k - 1]);
    }
    for (Int64Row& row : multiples_) std::swap(row[k], row[k - 1]);
    std::swap(triangle_[k], triangle_[k - 1]);
    const double b = triangle_[k - 1][k - 1], c = triangle_[k - 1][k], hypotenuse = std::hypot(b, c);
    if (!(hypotenuse > 0)) throw NumbersFailed();
    for (std::size_t i = k - 1; i < size(); ++i) {
      const double x = triangle_[i][k - 1], y = triangle_[i][k];
      triangle_[i][k - 1] = (b * x + c * y) / hypotenuse;
      triangle_[i][k] = (b * y - c * x) / hypotenuse;
    }
    triangle_[k - 1][k] = 0;
  }
  /// Takes multiples of the vectors before it off b_k, from the last to the first, where that is worth it.
  void shorten(std::size_t k, double least = 0.51) {
    std::vector<std::pair<std::size_t, Int64>> terms;
    for (std::size_t j = k; j-- > 0;) {
      const double ratio = triangle_[k][j] / triangle_[j][j];
      if (std::abs(ratio) < least) continue;
      if (!(std::abs(ratio) < 0x1p52)) throw NumbersFailed();
      terms.emplace_back(j, -std::llround(ratio));
      add_to_triangle(k, terms.back().second, j);
    }
    if (!terms.empty()) add_to_vectors(k, terms);
  }

  /// Reduces the vectors not taken, as a lattice.
  void reduce() {
    std::uint64_t swaps = 0;
    for (std::size_t k = first_; k < size();) {
      task_.poll();
      shorten(k);  // before every comparison: what is left long would grow from place to place
      const double before = k > first_ ? triangle_[k - 1][k - 1] : 0, across = k > first_ ? triangle_[k][k - 1] : 0,
                   own = triangle_[k][k];
      if (across * across + own * own < 0.99 * before * before) {
        if (++swaps > 100'000 + 100 * size() * size()) throw NumbersFailed();
        swap_with_previous(k);
        --k;
      } else {
        ++k;
      }
    }
  }

  /// The coordinates of the multiples of b_i in the quotient.
  std::vector<Int64Row> multiples_in_quotient(std::size_t i) const {
    std::vector<Int64Row> rows;
    for (const auto& action : actions_)
      rows.emplace_back(action[i].begin() + static_cast<std::ptrdiff_t>(first_), action[i].end());
    return rows;
  }
  /// The place of a short vector whose multiples generate a direct summand of the quotient; a basis vector may be changed for it.
  std::optional<std::size_t> summand() {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = first_; i < size(); ++i) order.emplace_back(length(i, 0), i);
    std::sort(order.begin(), order.end());
    for (const auto& [squared, i] : order) {
      task_.poll();
      if (is_primitive(multiples_in_quotient(i))) return i;
    }
    constexpr std::size_t most = 60;
    for (std::size_t j = 1; j < std::min(order.size(), most); ++j)
      for (std::size_t i = 0; i < j; ++i)
        for (const Int64 c : {1, -1, 2, -2}) {
          task_.poll();
          const std::size_t u = std::min(order[i].second, order[j].second),
                            v = std::max(order[i].second, order[j].second);
          add(v, c, u);
          if (is_primitive(multiples_in_quotient(v))) return v;
          add(v, -c, u);
        }
    return std::nullopt;
  }

  /// Makes the multiples of b_i a basis of the next m vectors, modulo those taken.
  void take(std::size_t i) {
    taken_.push_back(basis_[i]);
    for (const auto& action : actions_) multiples_.push_back(action[i]);
    for (Int64Row& x : multiples_) {
      for (std::size_t t = size() - 1; t > first_; --t)  // Euclid's algorithm on two coordinates
        while (x[t] != 0) {
          task_.poll();
          const double quotient = static_cast<double>(x[t - 1]) / static_cast<double>(x[t]);
          if (!(std::abs(quotient) < 0x1p62)) throw NumbersFailed();
          add(t, std::llround(quotient), t - 1);
          swap_with_previous(t);
          for (const std::size_t k : {t - 1, t})  // their sums are short only in the end
            shorten(k, 100);
        }
      if (std::abs(x[first_]) != 1) throw NumbersFailed();
      shorten(first_);
      ++first_;
    }
    multiples_.clear();
  }

  const Task& task_;
  std::vector<Int64Row> basis_;
  std::vector<std::vector<double>> triangle_;   ///< coordinates of b_i in orthonormal directions 0 to i
  std::vector<std::vector<Int64Row>> actions_;  ///< in the basis
  std::vector<Int64Row> multiples_, taken_;     ///< multiples of what is being taken, in the basis
  std::size_t first_ = 0;                       ///< so many are in the span of those taken
};

}  // namespace

ModuleFlag module_flag(const IntegerMatrix& gram, const std::vector<IntegerMatrix>& actions, const Task& task) {
  const std::uint64_t r = gram.rows();
  task.require_memory(8 * r * r * (actions.size() + 2), "a module as a flag");
  try {
    FlagReduction reduction(r, actions, task);
    return reduction.run(gram) ? reduction.flag() : ModuleFlag{reduction.vectors(), {}, {}, {}};
  } catch (const NumbersFailed&) {
    return {IntegerMatrix(0, r), {}, {}, {}};
  }
}

}  // namespace intertwine
