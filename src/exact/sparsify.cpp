#include <flint/fmpz.h>
#include <flint/fmpz_mat.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "exact/flint_matrix.hpp"
#include "exact/row_reduction.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/random.hpp"

namespace intertwine {

namespace {

/// Entries below this bound take part in exchanges; the products in exchange() then fit a word.
constexpr std::int64_t small_entry = std::int64_t{1} << 40;
constexpr std::int64_t small_factor = std::int64_t{1} << 20;

/// What a row costs: for every nonzero entry 1 and the number of its bits; then the sum of the magnitudes. It weighs
/// zeros against small entries: of a dense random space the short vectors win, of a combinatorial one the sparse.
struct Cost {
  std::uint64_t weight = 0, size = 0;
  void add(std::uint64_t bits, std::uint64_t magnitude) {
    weight += 1 + bits;
    size += std::min<std::uint64_t>(magnitude, small_entry);
  }
  friend auto operator<=>(const Cost&, const Cost&) = default;
};

struct Entry {
  std::uint32_t col;
  std::int64_t value;
};

struct SparseRow {
  std::vector<Entry> entries;
  Cost cost;

  std::size_t size() const { return entries.size(); }
  void measure() {
    cost = {};
    for (const Entry& e : entries) {
      const auto magnitude = static_cast<std::uint64_t>(std::abs(e.value));
      cost.add(static_cast<std::uint64_t>(std::bit_width(magnitude)), magnitude);
    }
  }
};

/// Whether all entries of row i are small.
bool is_small(const IntegerMatrix& A, std::size_t i) {
  for (std::size_t j = 0; j < A.cols(); ++j)
    if (fmpz_cmp_si(A.flint().entry(i, j), small_entry) >= 0 ||
        fmpz_cmp_si(A.flint().entry(i, j), -small_entry) <= 0)
      return false;
  return true;
}

SparseRow sparse_row(const IntegerMatrix& A, std::size_t i) {
  SparseRow row;
  for (std::size_t j = 0; j < A.cols(); ++j)
    if (const fmpz* a = A.flint().entry(i, j); !fmpz_is_zero(a))
      row.entries.push_back({static_cast<std::uint32_t>(j), fmpz_get_si(a)});
  row.measure();
  return row;
}

Cost cost_of(const IntegerMatrix& A, std::size_t i) {
  Cost cost;
  for (std::size_t j = 0; j < A.cols(); ++j) {
    const fmpz* a = A.flint().entry(i, j);
    if (fmpz_is_zero(a)) continue;
    const bool word = fmpz_fits_si(a) != 0 && fmpz_cmp_si(a, std::numeric_limits<long>::min()) != 0;
    const auto magnitude = word ? static_cast<std::uint64_t>(std::abs(fmpz_get_si(a))) : ~std::uint64_t{0};
    cost.add(static_cast<std::uint64_t>(fmpz_bits(a)), magnitude);
  }
  return cost;
}

/// Visits the columns of the union of two supports: visit(col, a, b).
template <class Visit>
void merge(const SparseRow& x, const SparseRow& y, const Visit& visit) {
  auto a = x.entries.begin();
  auto b = y.entries.begin();
  while (a != x.entries.end() || b != y.entries.end()) {
    if (b == y.entries.end() || (a != x.entries.end() && a->col < b->col)) {
      visit(a->col, a->value, std::int64_t{0});
      ++a;
    } else if (a == x.entries.end() || b->col < a->col) {
      visit(b->col, std::int64_t{0}, b->value);
      ++b;
    } else {
      visit(a->col, a->value, b->value);
      ++a;
      ++b;
    }
  }
}

/// q x - p y, made primitive; empty if an entry grows too large.
SparseRow combination(const SparseRow& x, const SparseRow& y, std::int64_t q, std::int64_t p) {
  SparseRow result;
  std::int64_t content = 0;
  bool large = false;
  merge(x, y, [&](std::uint32_t col, std::int64_t a, std::int64_t b) {
    const std::int64_t value = q * a - p * b;
    if (value == 0) return;
    content = std::gcd(content, value);
    large = large || std::abs(value) >= small_entry;
    result.entries.push_back({col, value});
  });
  if (large) return {};
  for (Entry& e : result.entries) e.value /= content;
  result.measure();
  return result;
}

/// Makes rows cheaper by adding multiples of others, one pair at a time, until no pair helps or the work is spent.
class Exchange {
 public:
  Exchange(std::vector<SparseRow>& rows, std::size_t cols, std::uint64_t work, const Task& task)
      : rows_(rows), at_(cols), overlap_(rows.size()), work_(work), task_(task) {}

  void run() {
    for (bool changed = true; changed && !spent();) {
      index();
      changed = false;
      for (std::size_t i = 0; i < rows_.size() && !spent(); ++i) {
        task_.poll();
        changed = improve(i) || changed;
      }
    }
  }

 private:
  bool spent() const { return used_ >= work_; }

  void index() {
    for (auto& column : at_) column.clear();
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (const Entry& e : rows_[i].entries) at_[e.col].push_back(static_cast<std::uint32_t>(i));
  }

  /// Tries the rows j at least half of whose support lies in that of row i: others add more entries than they
  /// can cancel. (The index may be behind the rows; that only costs chances, which the next round takes.)
  bool improve(std::size_t i) {
    std::vector<std::uint32_t> met;
    for (const Entry& e : rows_[i].entries) {
      for (const std::uint32_t j : at_[e.col])
        if (overlap_[j]++ == 0) met.push_back(j);
      used_ += at_[e.col].size();
    }
    std::ranges::sort(met);
    bool changed = false;
    for (const std::uint32_t j : met) {
      const std::size_t common = std::exchange(overlap_[j], 0);
      if (j == i || 2 * common < rows_[j].size() || spent()) continue;
      while (improve(i, j)) changed = true;
    }
    return changed;
  }

  bool improve(std::size_t i, std::size_t j) {
    const SparseRow &x = rows_[i], &y = rows_[j];
    used_ += x.size() + y.size();
    ratios_.clear();
    std::size_t common = 0;
    merge(x, y, [&](std::uint32_t, std::int64_t a, std::int64_t b) {
      if (a == 0 || b == 0) return;
      ++common;
      const std::int64_t g = std::gcd(a, b) * (b < 0 ? -1 : 1);
      const std::int64_t p = a / g, q = b / g;
      if (q < small_factor && std::abs(p) < small_factor) ++ratios_[{p, q}];
    });
    for (const auto& [ratio, count] : ratios_) {
      if (count + common < y.size()) continue;  // cancels `count`, adds y.size() - common
      const auto [p, q] = ratio;
      SparseRow next = combination(x, y, q, p);
      used_ += x.size() + y.size();
      if (next.size() == 0 || next.cost >= x.cost) continue;
      rows_[i] = std::move(next);
      return true;
    }
    return false;
  }

  std::vector<SparseRow>& rows_;
  std::vector<std::vector<std::uint32_t>> at_;  ///< by column: the rows with an entry there
  std::vector<std::uint32_t> overlap_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> ratios_;
  std::uint64_t work_, used_ = 0;
  const Task& task_;
};

/// The rows of A after exchanges among those with small entries.
IntegerMatrix exchanged(const IntegerMatrix& A, std::uint64_t work, const Task& task) {
  std::vector<SparseRow> rows;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < A.rows(); ++i)
    if (is_small(A, i)) {
      rows.push_back(sparse_row(A, i));
      places.push_back(i);
    }
  Exchange(rows, A.cols(), work, task).run();
  IntegerMatrix result = A;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (std::size_t j = 0; j < A.cols(); ++j) fmpz_zero(result.flint().entry(places[k], j));
    for (const Entry& e : rows[k].entries) fmpz_set_si(result.flint().entry(places[k], e.col), e.value);
  }
  return primitive_rows(result);
}

int compare_rows(const IntegerMatrix& A, std::size_t i, std::size_t k) {
  for (std::size_t j = 0; j < A.cols(); ++j)
    if (const int order = fmpz_cmp(A.flint().entry(i, j), A.flint().entry(k, j)); order != 0) return order;
  return 0;
}

/// A linear map onto fewer coordinates modulo a prime, one random multiple of every column in each of two of them.
class Projection {
 public:
  Projection(std::uint64_t p, std::size_t cols, std::size_t width, Rng& rng) : prime_(p), width_(width) {
    for (std::size_t k = 0; k < 2 * cols; ++k) terms_.push_back({rng.below(width), 1 + rng.below(p - 1)});
  }

  ModularMatrix operator()(const IntegerMatrix& rows) const {
    ModularMatrix result(prime_, rows.rows(), width_);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const auto out = result.row(i);
      for (std::size_t j = 0; j < rows.cols(); ++j) {
        const fmpz* a = rows.flint().entry(i, j);
        if (fmpz_is_zero(a)) continue;
        const std::uint64_t residue = fmpz_fdiv_ui(a, prime_);
        for (const auto& [place, factor] : {terms_[2 * j], terms_[2 * j + 1]})
          NMOD_ADDMUL(out[place], residue, factor, result.flint().m->mod);
      }
    }
    return result;
  }

 private:
  struct Term {
    std::size_t place;
    std::uint64_t factor;
  };
  std::uint64_t prime_;
  std::size_t width_;
  std::vector<Term> terms_;  ///< by column, two each
};

/// A projection under which the rows of A stay independent. \throws DomainError if they are dependent.
Projection injective_projection(const IntegerMatrix& A, const Task& task) {
  Rng rng(3);
  for (std::size_t k = 0;; ++k) {
    task.poll();
    Projection projection(word_prime(k), std::max<std::size_t>(A.cols(), 1), A.rows() + 16, rng);
    if (projection(A).rank() == A.rows()) return projection;
    if (k % 4 != 3) continue;
    if (const std::size_t true_rank = rank(A, task); true_rank < A.rows())
      throw DomainError(fmt::format("sparsify: {} rows of rank {}; take a basis first", A.rows(), true_rank));
  }
}

/// Of the rows of `basis` and `others`, which lie in its span, the cheapest independent ones. A greedy choice is
/// the cheapest there is, independent sets being a matroid; independence after a projection modulo a prime is
/// independence.
IntegerMatrix cheapest_basis(const IntegerMatrix& basis, std::span<const IntegerMatrix> others,
                             const Projection& projection) {
  std::vector<IntegerMatrix> parts = {basis};
  parts.insert(parts.end(), others.begin(), others.end());
  const IntegerMatrix rows = vertical_stack(parts);
  std::vector<Cost> cost;
  for (std::size_t i = 0; i < rows.rows(); ++i) cost.push_back(cost_of(rows, i));
  std::vector<std::size_t> order(rows.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t i, std::size_t k) {
    if (cost[i] != cost[k]) return cost[i] < cost[k];
    const int difference = compare_rows(rows, i, k);
    return difference != 0 ? difference > 0 : i < k;
  });
  const RankProfile profile = rank_profile(projection(rows).select_rows(order).transpose());
  if (profile.cols.size() < basis.rows()) return basis;  // the prime divides a determinant: as good as never
  std::vector<std::size_t> chosen;
  for (const std::size_t c : profile.cols) chosen.push_back(order[c]);
  return rows.select_rows(chosen);
}

/// By the place of the first nonzero entry, then lexicographically.
IntegerMatrix in_canonical_order(const IntegerMatrix& A) {
  std::vector<std::size_t> first(A.rows(), 0), order(A.rows());
  for (std::size_t i = 0; i < A.rows(); ++i)
    while (first[i] < A.cols() && fmpz_is_zero(A.flint().entry(i, first[i]))) ++first[i];
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t i, std::size_t k) {
    if (first[i] != first[k]) return first[i] < first[k];
    const int difference = compare_rows(A, i, k);
    return difference != 0 ? difference < 0 : i < k;
  });
  return A.select_rows(order);
}

/// The primitive rows of a reduced echelon matrix.
IntegerMatrix echelon_rows(const RowReduction& reduction) {
  IntegerMatrix R(reduction.pivots.size(), reduction.pivots.size() + reduction.free.size());
  for (std::size_t i = 0; i < R.rows(); ++i) {
    R.set(i, reduction.pivots[i], reduction.X.denominator());
    for (std::size_t j = 0; j < reduction.free.size(); ++j)
      fmpz_set(R.flint().entry(i, reduction.free[j]), reduction.X.numerator().flint().entry(i, j));
  }
  return primitive_rows(R);
}

IntegerMatrix reversed_cols(const IntegerMatrix& A) {
  std::vector<std::size_t> order(A.cols());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  return A.select_cols(order);
}

}  // namespace

// Cost. Exchanges: at most `work` entries looked at, less than a second. The echelon bases take r^2 n operations
// modulo two primes or more and are left out above 2 10^9, which is reached at r = 450, n = 10^4; the lattice basis,
// of time r^3 to r^4, is left out above r = 160. Memory: six matrices of the size of A.
IntegerMatrix sparsify(const IntegerMatrix& A, const Task& task) {
  const std::size_t r = A.rows(), n = A.cols();
  if (r == 0) return A;
  constexpr std::size_t most_for_lattice = 160;
  constexpr std::uint64_t most_for_echelon = 2'000'000'000, work = 100'000'000;
  task.require_memory(std::uint64_t{6} * r * n * sizeof(fmpz), "a sparse basis");
  const Projection projection = injective_projection(A, task);
  IntegerMatrix best = primitive_rows(A);
  // Merging basis by basis gives the cheapest basis of all of them together.
  const auto merge_in = [&](const IntegerMatrix& basis) {
    const IntegerMatrix others[] = {basis, exchanged(basis, work / 8, task)};
    best = cheapest_basis(best, others, projection);
  };
  merge_in(best);
  if (r <= most_for_echelon / r / n) {
    merge_in(echelon_rows(row_reduction(best, task)));
    merge_in(primitive_rows(reversed_cols(echelon_rows(row_reduction(reversed_cols(best), task)))));
  }
  if (r <= most_for_lattice) merge_in(primitive_rows(lll(saturate(best, task))));
  return in_canonical_order(exchanged(best, work / 2, task));
}

}  // namespace intertwine
