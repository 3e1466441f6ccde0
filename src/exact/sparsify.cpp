#include <flint/fmpz.h>
#include <flint/fmpz_mat.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "exact/field_coordinates.hpp"
#include "exact/flint_matrix.hpp"
#include "exact/row_reduction.hpp"
#include "exact/sparse_field_basis.hpp"
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

/// Row i of A; nothing if an entry is not small.
std::optional<SparseRow> sparse_row(const IntegerMatrix& A, std::size_t i) {
  SparseRow row;
  for (std::size_t j = 0; j < A.cols(); ++j) {
    const fmpz* a = A.flint().entry(i, j);
    if (fmpz_is_zero(a)) continue;
    if (fmpz_cmp_si(a, small_entry) >= 0 || fmpz_cmp_si(a, -small_entry) <= 0) return std::nullopt;
    row.entries.push_back({static_cast<std::uint32_t>(j), fmpz_get_si(a)});
  }
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

/// The primitive rows of A after exchanges among those with small entries, each primitive again.
IntegerMatrix exchanged(const IntegerMatrix& A, std::uint64_t work, const Task& task) {
  std::vector<SparseRow> rows;
  std::vector<std::size_t> places;
  IntegerMatrix result(A.rows(), A.cols());
  for (std::size_t i = 0; i < A.rows(); ++i)
    if (std::optional<SparseRow> row = sparse_row(A, i)) {
      rows.push_back(std::move(*row));
      places.push_back(i);
    } else {
      for (std::size_t j = 0; j < A.cols(); ++j) fmpz_set(result.flint().entry(i, j), A.flint().entry(i, j));
    }
  Exchange(rows, A.cols(), work, task).run();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::int64_t sign = rows[k].entries.front().value < 0 ? -1 : 1;
    for (const Entry& e : rows[k].entries)
      fmpz_set_si(result.flint().entry(places[k], e.col), sign * e.value);
  }
  return result;
}

/// Row i of a matrix of several.
struct RowOf {
  const IntegerMatrix* matrix;
  std::size_t i;
  const fmpz* operator[](std::size_t j) const { return matrix->flint().entry(i, j); }
};

std::vector<RowOf> rows_of(const IntegerMatrix& A) {
  std::vector<RowOf> rows;
  for (std::size_t i = 0; i < A.rows(); ++i) rows.push_back({&A, i});
  return rows;
}

int compare_rows(const RowOf& a, const RowOf& b) {
  for (std::size_t j = 0; j < a.matrix->cols(); ++j)
    if (const int order = fmpz_cmp(a[j], b[j]); order != 0) return order;
  return 0;
}

/// An F-linear map onto fewer coordinates, modulo a split prime: one random multiple of every column in each of two of them.
class Projection {
 public:
  Projection(const AbelianField::SplitPrime& prime, std::size_t cols, std::size_t degree, std::size_t width,
             Rng& rng)
      : prime_(prime.p), width_(width) {
    nmod_t mod;
    nmod_init(&mod, prime_);
    for (std::size_t k = 0; k < 2 * cols; ++k)
      terms_.push_back({rng.below(width), 1 + rng.below(prime_ - 1)});
    for (std::size_t k = 2 * cols; k < 2 * cols * degree; ++k) {
      const Term before = terms_[k - 2 * cols];
      terms_.push_back({before.place, nmod_mul(before.factor, prime.roots[0], mod)});
    }
  }

  ModularMatrix operator()(std::span<const RowOf> rows) const {
    ModularMatrix result(prime_, rows.size(), width_);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto out = result.row(i);
      for (std::size_t j = 0; 2 * j < terms_.size(); ++j) {
        const fmpz* a = rows[i][j];
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
  std::vector<Term> terms_;  ///< by coordinate, two each
};

/// A projection under which the rows of A stay independent. \throws DomainError if they are dependent.
Projection injective_projection(const FieldMatrix& A, const Task& task) {
  const std::vector<RowOf> rows = rows_of(A.coefficients().numerator());
  Rng rng(3);
  for (std::size_t k = 0;; ++k) {
    task.poll();
    Projection projection(A.field().split_prime(k), std::max<std::size_t>(A.cols(), 1), A.field().degree(),
                          A.rows() + 16, rng);
    if (projection(rows).rank() == A.rows()) return projection;
    if (k % 4 != 3) continue;
    if (const std::size_t true_rank = rank(A, task); true_rank < A.rows())
      throw DomainError(fmt::format("sparsify: {} rows of rank {}; take a basis first", A.rows(), true_rank));
  }
}

/// The first `rank` independent rows, by their numbers; fewer if the prime divides a determinant, which is as good as never. Independence after a
/// projection modulo a prime is independence. They are mostly among the first rows.
std::vector<std::size_t> first_independent(std::span<const RowOf> rows, std::size_t rank,
                                           const Projection& projection) {
  for (std::size_t count = 2 * rank;; count *= 2) {
    count = std::min(count, rows.size());
    std::vector<std::size_t> chosen = rank_profile(projection(rows.first(count)).transpose()).cols;
    if (chosen.size() >= rank || count == rows.size()) return chosen;
  }
}

/// Of the rows of all bases of one space the cheapest independent ones. A greedy choice is the cheapest there is, independent sets being a
/// matroid.
IntegerMatrix cheapest_basis(std::span<const IntegerMatrix> bases, const Projection& projection) {
  struct Candidate {
    RowOf row;
    Cost cost;
  };
  std::vector<Candidate> candidates;
  for (const IntegerMatrix& basis : bases)
    for (const RowOf& row : rows_of(basis)) candidates.push_back({row, cost_of(basis, row.i)});
  std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
    return a.cost != b.cost ? a.cost < b.cost : compare_rows(a.row, b.row) > 0;
  });
  std::vector<RowOf> rows;
  for (const Candidate& c : candidates)
    if (rows.empty() || compare_rows(rows.back(), c.row) != 0) rows.push_back(c.row);
  const std::vector<std::size_t> chosen = first_independent(rows, bases[0].rows(), projection);
  if (chosen.size() < bases[0].rows()) return bases[0];
  IntegerMatrix result(chosen.size(), bases[0].cols());
  for (std::size_t i = 0; i < result.rows(); ++i)
    for (std::size_t j = 0; j < result.cols(); ++j)
      copy_fresh(result.flint().entry(i, j), rows[chosen[i]][j]);
  return result;
}

/// By the place of the first nonzero entry, then lexicographically.
IntegerMatrix in_canonical_order(const IntegerMatrix& A) {
  std::vector<std::size_t> first(A.rows(), 0), order(A.rows());
  for (std::size_t i = 0; i < A.rows(); ++i)
    while (first[i] < A.cols() && fmpz_is_zero(A.flint().entry(i, first[i]))) ++first[i];
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t i, std::size_t k) {
    if (first[i] != first[k]) return first[i] < first[k];
    const int difference = compare_rows({&A, i}, {&A, k});
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
// of time r^3 to r^4, is left out above r = 160. Memory: eight matrices of the size of A.
IntegerMatrix sparsify(const IntegerMatrix& A, const Task& task) {
  const std::size_t r = A.rows(), n = A.cols();
  if (r == 0) return A;
  constexpr std::size_t most_for_lattice = 160;
  constexpr std::uint64_t most_for_echelon = 2'000'000'000, work = 100'000'000;
  task.require_memory(std::uint64_t{8} * r * n * sizeof(fmpz), "a sparse basis");
  const Projection projection = injective_projection(FieldMatrix(A), task);
  std::vector<IntegerMatrix> bases;
  const auto add = [&](IntegerMatrix basis) {
    IntegerMatrix cheaper = exchanged(basis, work / 8, task);
    bases.push_back(std::move(basis));
    bases.push_back(std::move(cheaper));
  };
  add(primitive_rows(A));
  if (r <= most_for_echelon / r / n) {
    add(echelon_rows(row_reduction(bases[0], task)));
    add(primitive_rows(reversed_cols(echelon_rows(row_reduction(reversed_cols(bases[0]), task)))));
  }
  if (r <= most_for_lattice) {
    bases = {cheapest_basis(bases, projection)};
    add(primitive_rows(lll(saturate(bases[0], task), task)));
  }
  return in_canonical_order(exchanged(cheapest_basis(bases, projection), work / 2, task));
}

FieldMatrix sparsify(const FieldMatrix& A, const Task& task) {
  const AbelianField& F = A.field();
  std::vector<IntegerMatrix> multiples{A.coefficients().numerator()};
  if (F.is_rational()) return RationalMatrix(sparsify(multiples[0], task));
  while (multiples.size() < F.degree()) multiples.push_back(times_generator(multiples.back(), F));
  const IntegerMatrix lattice = sparsify(vertical_stack(multiples), task);
  struct Candidate {
    std::size_t nonzeros, i;
    Integer height;
  };
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < lattice.rows(); ++i) {
    const IntegerMatrix row = lattice.block(i, 0, 1, lattice.cols());
    candidates.push_back({row.nonzeros(), i, row.height()});
  }
  std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
    return a.nonzeros != b.nonzeros ? a.nonzeros < b.nonzeros : a.height < b.height;
  });
  std::vector<RowOf> rows;
  std::vector<std::size_t> order;
  for (const Candidate& c : candidates) {
    rows.push_back({&lattice, c.i});
    order.push_back(c.i);
  }
  const FieldMatrix sorted(F, RationalMatrix(lattice.select_rows(order)), A.cols());
  std::vector<std::size_t> chosen = first_independent(rows, A.rows(), injective_projection(A, task));
  if (chosen.size() < A.rows()) chosen = reduced_echelon(sorted.transpose(), task).pivots;
  return sorted.select_rows(chosen);
}

}  // namespace intertwine
