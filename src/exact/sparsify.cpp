// Makes bases of spaces sparse by exchanges of rows.
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

#include "exact/double_elimination.hpp"
#include "exact/field_coordinates.hpp"
#include "exact/flint_matrix.hpp"
#include "exact/row_reduction.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/random.hpp"

namespace intertwine {

namespace {

/// Entries below this bound take part in exchanges; the products in exchange() then fit a word.
constexpr std::int64_t small_entry = std::int64_t{1} << 40;
constexpr std::int64_t small_factor = std::int64_t{1} << 20;

/// The cost of a row: for every nonzero entry 1 and the number of its bits; then the sum of the magnitudes. It weighs
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
  /// All entries of a row of which one is not small; such a row takes no part in exchanges.
  std::vector<std::pair<std::uint32_t, Integer>> large;
  Cost cost;

  std::size_t size() const { return entries.size(); }
  void measure() {
    cost = {};
    for (const Entry& e : entries) {
      const auto magnitude = static_cast<std::uint64_t>(std::abs(e.value));
      cost.add(static_cast<std::uint64_t>(std::bit_width(magnitude)), magnitude);
    }
    for (const auto& [col, value] : large) {
      const std::size_t bits = mpz_sizeinbase(value.backend().data(), 2);
      cost.add(bits, bits < 64 ? mpz_get_ui(value.backend().data()) : ~std::uint64_t{0});
    }
  }
  void change_sign() {
    for (Entry& e : entries) e.value = -e.value;
    for (auto& [col, value] : large) value = -value;
  }
};

using SparseRows = std::vector<SparseRow>;

SparseRow sparse_row(const IntegerMatrix& A, std::size_t i) {
  SparseRow row;
  bool is_small = true;
  for (std::size_t j = 0; j < A.cols(); ++j) {
    const fmpz* a = A.flint().entry(i, j);
    if (fmpz_is_zero(a)) continue;
    is_small = is_small && fmpz_cmp_si(a, small_entry) < 0 && fmpz_cmp_si(a, -small_entry) > 0;
    row.entries.push_back({static_cast<std::uint32_t>(j), is_small ? fmpz_get_si(a) : 0});
  }
  if (!is_small) {
    for (const Entry& e : row.entries) row.large.emplace_back(e.col, A(i, e.col));
    row.entries.clear();
  }
  row.measure();
  return row;
}

SparseRows sparse_rows(const IntegerMatrix& A) {
  SparseRows rows;
  for (std::size_t i = 0; i < A.rows(); ++i) rows.push_back(sparse_row(A, i));
  return rows;
}

IntegerMatrix dense(const SparseRows& rows, std::size_t cols) {
  IntegerMatrix result(rows.size(), cols);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const Entry& e : rows[i].entries) fmpz_set_si(result.flint().entry(i, e.col), e.value);
    for (const auto& [col, value] : rows[i].large) result.set(i, col, value);
  }
  return result;
}

/// Lexicographically, as dense rows.
int compare(const SparseRow& x, const SparseRow& y) {
  const auto sizes = [](const SparseRow& row) { return row.size() + row.large.size(); };
  // The column of the k-th entry of a row: the later its first entry that the other has not, the nearer it is to 0
  // there.
  const auto place = [&](const SparseRow& row, std::size_t k) {
    return k >= sizes(row)     ? std::numeric_limits<std::uint32_t>::max()
           : row.large.empty() ? row.entries[k].col
                               : row.large[k].first;
  };
  const auto sign = [](const SparseRow& row, std::size_t k) {
    return row.large.empty() ? (row.entries[k].value < 0 ? -1 : 1) : row.large[k].second.sign();
  };
  const auto value = [](const SparseRow& row, std::size_t k) {
    return row.large.empty() ? Integer(row.entries[k].value) : row.large[k].second;
  };
  const bool small = x.large.empty() && y.large.empty();
  for (std::size_t k = 0; k < std::max(sizes(x), sizes(y)); ++k) {
    const std::uint32_t a = place(x, k), b = place(y, k);
    if (a != b) return a < b ? sign(x, k) : -sign(y, k);
    if (small && x.entries[k].value == y.entries[k].value) continue;
    const int order = small ? (x.entries[k].value < y.entries[k].value ? -1 : 1) : value(x, k).compare(value(y, k));
    if (order != 0) return order;
  }
  return 0;
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
    if (content != 1) content = std::gcd(content, value);
    large = large || std::abs(value) >= small_entry;
    result.entries.push_back({col, value});
  });
  if (large) return {};
  if (content != 1)
    for (Entry& e : result.entries) e.value /= content;
  result.measure();
  return result;
}

/// Makes rows cheaper by adding multiples of others, one pair at a time, until no pair helps or the work is spent. A pair that
/// did not help is tried again once one of the two has changed.
class Exchange {
 public:
  Exchange(SparseRows& rows, std::size_t cols, std::uint64_t work, const Task& task)
      : rows_(rows),
        changed_(rows.size()),
        overlap_(rows.size()),
        all_(cols),
        recent_(cols),
        work_(work),
        task_(task) {}

  void run() {
    for (bool changed = true; changed && !spent(); ++round_) {
      index();
      changed = false;
      for (std::size_t i = 0; i < rows_.size() && !spent(); ++i) {
        task_.poll();
        changed = improve(i) || changed;
      }
    }
  }

 private:
  using Index = std::vector<std::vector<std::uint32_t>>;  ///< by column: rows with an entry there

  bool spent() const { return used_ >= work_; }
  /// Has the row changed since the index of the round before this one was made?
  bool is_recent(std::size_t i) const { return changed_[i] + 1 >= round_; }

  void index() {
    for (auto& column : all_) column.clear();
    for (auto& column : recent_) column.clear();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto row = static_cast<std::uint32_t>(i);
      for (const Entry& e : rows_[i].entries) {
        all_[e.col].push_back(row);
        if (is_recent(i)) recent_[e.col].push_back(row);
      }
    }
  }

  /// Tries the rows j at least half of whose support lies in that of row i: others add more entries than they
  /// can cancel. (The index may be behind the rows; that only costs chances, which the next round takes.)
  bool improve(std::size_t i) {
    const bool recent = is_recent(i);
    const std::vector<Entry> support = rows_[i].entries;
    met_.clear();
    for (const Entry& e : support) {
      const std::vector<std::uint32_t>& there = (recent ? all_ : recent_)[e.col];
      for (const std::uint32_t j : there)
        if (overlap_[j]++ == 0) met_.push_back(j);
      used_ += there.size();
    }
    if (met_.size() < rows_.size() / 8) {
      std::ranges::sort(met_);
    } else {  // all of them take less time than sorting
      met_.resize(rows_.size());
      std::iota(met_.begin(), met_.end(), std::uint32_t{0});
    }
    bool changed = false;
    for (const std::uint32_t j : met_) {
      const std::size_t common = std::exchange(overlap_[j], 0);
      if (common == 0 || j == i || 2 * common < rows_[j].size() || spent()) continue;
      while (improve(i, j)) changed = true;
    }
    if (!changed) return false;
    if (!recent)
      for (const Entry& e : support) recent_[e.col].push_back(static_cast<std::uint32_t>(i));
    changed_[i] = round_;
    return true;
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

  SparseRows& rows_;
  std::size_t round_ = 1;
  std::vector<std::size_t> changed_;  ///< by row: the round in which it changed last
  std::vector<std::uint32_t> overlap_, met_;
  Index all_, recent_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> ratios_;
  std::uint64_t work_, used_ = 0;
  const Task& task_;
};

/// The primitive rows after exchanges among those with small entries, each primitive again, the first entry positive.
SparseRows exchanged(SparseRows rows, std::size_t cols, std::uint64_t work, const Task& task) {
  Exchange(rows, cols, work, task).run();
  for (SparseRow& row : rows)
    if (!row.entries.empty() && row.entries.front().value < 0) row.change_sign();
  return rows;
}

/// An F-linear map onto fewer coordinates, modulo a split prime: one random multiple of every column in each of two of them.
class Projection {
 public:
  Projection(const AbelianField::SplitPrime& prime, std::size_t cols, std::size_t degree, std::size_t width, Rng& rng)
      : prime_(prime.p), width_(width) {
    nmod_t mod;
    nmod_init(&mod, prime_);
    for (std::size_t k = 0; k < 2 * cols; ++k) terms_.push_back({rng.below(width), 1 + rng.below(prime_ - 1)});
    for (std::size_t k = 2 * cols; k < 2 * cols * degree; ++k) {
      const Term before = terms_[k - 2 * cols];
      terms_.push_back({before.place, nmod_mul(before.factor, prime.roots[0], mod)});
    }
  }

  ModularMatrix operator()(std::span<const SparseRow* const> rows) const {
    ModularMatrix result(prime_, rows.size(), width_);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto out = result.row(i);
      const auto add = [&](std::size_t j, std::uint64_t residue) {
        for (const auto& [place, factor] : {terms_[2 * j], terms_[2 * j + 1]})
          NMOD_ADDMUL(out[place], residue, factor, result.flint().m->mod);
      };
      const auto p = static_cast<std::int64_t>(prime_);
      for (const auto& [col, value] : rows[i]->entries)
        add(col, static_cast<std::uint64_t>(value % p < 0 ? value % p + p : value % p));
      for (const auto& [col, value] : rows[i]->large) add(col, mpz_fdiv_ui(value.backend().data(), prime_));
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

std::vector<const SparseRow*> pointers(const SparseRows& rows) {
  std::vector<const SparseRow*> result;
  for (const SparseRow& row : rows) result.push_back(&row);
  return result;
}

/// A projection under which the rows of A stay independent. \throws DomainError if they are dependent.
Projection injective_projection(const FieldMatrix& A, const Task& task) {
  const SparseRows rows = sparse_rows(A.coefficients().numerator());
  Rng rng(3);
  for (std::size_t k = 0;; ++k) {
    task.poll();
    const auto prime = A.field().is_rational() ? AbelianField::SplitPrime{double_prime(k), {1}}  // elimination is fast
                                               : A.field().split_prime(k);
    Projection projection(prime, std::max<std::size_t>(A.cols(), 1), A.field().degree(), A.rows() + 16, rng);
    if (projection(pointers(rows)).rank() == A.rows()) return projection;
    if (k % 4 != 3) continue;
    if (const std::size_t true_rank = matrix_rank(A, task); true_rank < A.rows())
      throw DomainError(fmt::format("sparsify: {} rows of rank {}; take a basis first", A.rows(), true_rank));
  }
}

/// The first `rank` independent rows, by their numbers; fewer if the prime divides a determinant, which is as good as never. Independence after a
/// projection modulo a prime is independence. They are mostly among the first rows.
std::vector<std::size_t> first_independent(std::span<const SparseRow* const> rows, std::size_t rank,
                                           const Projection& projection) {
  const std::size_t count = std::min(2 * rank, rows.size());
  const ModularMatrix first = projection(rows.first(count));
  std::vector<std::size_t> chosen = rank_profile(first.transpose()).cols;
  if (chosen.size() >= rank || count == rows.size()) return chosen;
  // The other rows count modulo the chosen ones: few coordinates are left.
  const ModularMatrix functionals = first.select_rows(chosen).kernel();
  const ModularMatrix rest = projection(rows.subspan(count)) * functionals.transpose();
  for (const std::size_t k : rank_profile(rest.transpose()).cols) chosen.push_back(count + k);
  return chosen;
}

/// The cheapest independent rows among all bases of one space. A greedy choice is the cheapest there is, independent
/// sets being a matroid.
SparseRows cheapest_basis(std::span<const SparseRows> bases, const Projection& projection) {
  std::vector<const SparseRow*> candidates, rows;
  for (const SparseRows& basis : bases)
    for (const SparseRow& row : basis) candidates.push_back(&row);
  std::ranges::stable_sort(candidates, [](const SparseRow* a, const SparseRow* b) {
    return a->cost != b->cost ? a->cost < b->cost : compare(*a, *b) > 0;
  });
  for (const SparseRow* row : candidates)
    if (rows.empty() || compare(*rows.back(), *row) != 0) rows.push_back(row);
  const std::vector<std::size_t> chosen = first_independent(rows, bases[0].size(), projection);
  if (chosen.size() < bases[0].size()) return bases[0];
  SparseRows result;
  for (const std::size_t k : chosen) result.push_back(*rows[k]);
  return result;
}

/// By the place of the first nonzero entry, then lexicographically.
SparseRows in_canonical_order(SparseRows rows) {
  const auto first = [](const SparseRow& row) {
    return row.large.empty() ? row.entries.front().col : row.large.front().first;
  };
  std::ranges::stable_sort(rows, [&](const SparseRow& a, const SparseRow& b) {
    return first(a) != first(b) ? first(a) < first(b) : compare(a, b) < 0;
  });
  return rows;
}

/// The rows of the reduced echelon form, without denominators.
IntegerMatrix echelon_rows(IntegerMatrix A, const Task& task) {
  return reduced_echelon(RationalMatrix(std::move(A)), task).matrix.numerator();
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
  std::vector<SparseRows> bases;
  const auto add = [&](const IntegerMatrix& basis) {
    bases.push_back(sparse_rows(basis));
    bases.push_back(exchanged(bases.back(), n, work / 8, task));
  };
  const IntegerMatrix given = primitive_rows(A);
  add(given);
  if (r <= most_for_echelon / r / n) {
    add(primitive_rows(echelon_rows(given, task)));
    add(primitive_rows(reversed_cols(echelon_rows(reversed_cols(given), task))));
  }
  if (r <= most_for_lattice) {
    bases = {cheapest_basis(bases, projection)};
    add(primitive_rows(lll(saturate(dense(bases[0], n), task), task)));
  }
  return dense(in_canonical_order(exchanged(cheapest_basis(bases, projection), n, work / 2, task)), n);
}

FieldMatrix sparsify(const FieldMatrix& A, const Task& task) {
  const AbelianField& F = A.field();
  const IntegerMatrix& numerator = A.coefficients().numerator();
  if (F.is_rational()) return RationalMatrix(sparsify(numerator, task));
  const IntegerMatrix lattice = sparsify(times_powers(numerator, F), task);
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
  const SparseRows rows = sparse_rows(lattice);
  std::vector<const SparseRow*> cheapest_first;
  std::vector<std::size_t> order;
  for (const Candidate& c : candidates) {
    cheapest_first.push_back(&rows[c.i]);
    order.push_back(c.i);
  }
  const FieldMatrix sorted(F, RationalMatrix(lattice.select_rows(order)), A.cols());
  std::vector<std::size_t> chosen = first_independent(cheapest_first, A.rows(), injective_projection(A, task));
  if (chosen.size() < A.rows()) chosen = reduced_echelon(sorted.transpose(), task).pivots;
  return sorted.select_rows(chosen);
}

}  // namespace intertwine
