// Sparse elimination modulo a prime, with a proof over Q by size.
#include "intertwine/exact/sparse_equations.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/prime_field.hpp"

namespace intertwine {

namespace {

constexpr std::uint64_t equation_prime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint32_t no_row = std::numeric_limits<std::uint32_t>::max();

struct ModularRow {
  std::vector<std::uint32_t> columns;
  std::vector<PrimeField::Element> values;
};

/// One row written out, to which multiples of others are added.
class WrittenRow {
 public:
  WrittenRow(const PrimeField& field, std::size_t width) : field_(&field), values_(width, 0), touched_(width, false) {}
  void write(const ModularRow& row) {
    for (std::size_t k = 0; k < row.columns.size(); ++k) add(row.columns[k], row.values[k]);
  }
  void subtract(PrimeField::Element factor, const ModularRow& row) {
    const PrimeField::Element minus = field_->negative(factor);
    for (std::size_t k = 0; k < row.columns.size(); ++k) add(row.columns[k], field_->multiply(minus, row.values[k]));
  }
  PrimeField::Element operator[](std::uint32_t column) const { return values_[column]; }
  /// Gives the entries that are not 0, by columns; the row is empty afterwards.
  ModularRow take() {
    std::ranges::sort(list_);
    ModularRow row;
    for (const std::uint32_t j : list_) {
      if (values_[j] != 0) {
        row.columns.push_back(j);
        row.values.push_back(values_[j]);
      }
      values_[j] = 0;
      touched_[j] = false;
    }
    list_.clear();
    return row;
  }

 private:
  void add(std::uint32_t j, PrimeField::Element x) {
    if (!touched_[j]) touched_[j] = true, list_.push_back(j);
    values_[j] = field_->add(values_[j], x);
  }

  const PrimeField* field_;
  std::vector<PrimeField::Element> values_;
  std::vector<bool> touched_;
  std::vector<std::uint32_t> list_;
};

/// n / d with |n|, d < 2^30 for a residue, if there is one; it is unique.
std::optional<std::pair<std::int64_t, std::int64_t>> small_fraction(std::uint64_t residue) {
  constexpr std::int64_t bound = std::int64_t{1} << 30;
  std::int64_t r0 = static_cast<std::int64_t>(equation_prime), r1 = static_cast<std::int64_t>(residue), t0 = 0, t1 = 1;
  while (r1 >= bound) {
    const std::int64_t q = r0 / r1;
    r0 = std::exchange(r1, r0 - q * r1);
    t0 = std::exchange(t1, t0 - q * t1);
  }
  if (t1 == 0 || std::abs(t1) >= bound) return std::nullopt;
  if (t1 < 0) r1 = -r1, t1 = -t1;
  const std::int64_t common = std::gcd(r1, t1);
  return std::pair{r1 / common, t1 / common};
}

/// Rows of the reduced echelon form modulo the prime, each with its pivot, which is 1.
struct ModularEchelon {
  std::vector<ModularRow> rows;
  std::vector<std::uint32_t> pivots;
};
ModularEchelon eliminated(const PrimeField& field, const std::vector<IntegralEquation>& equations, std::size_t unknowns,
                          const Task& task) {
  std::vector<std::uint32_t> occurrences(unknowns, 0);
  for (const IntegralEquation& e : equations)
    for (const auto& term : e.terms) ++occurrences[term.first];
  ModularEchelon echelon;
  WrittenRow written(field, unknowns);
  std::uint64_t stored = 0;
  for (std::size_t k = 0; k < equations.size(); ++k) {
    task.progress("solving sum rules", k, 2 * equations.size());
    ModularRow row;
    for (const auto& [column, value] : equations[k].terms) {
      row.columns.push_back(column);
      row.values.push_back(field.from(value));
    }
    written.write(row);
    for (std::size_t p = 0; p < echelon.rows.size(); ++p)
      if (const auto x = written[echelon.pivots[p]]; x != 0) {
        task.poll();
        written.subtract(x, echelon.rows[p]);
      }
    row = written.take();
    if (row.columns.empty()) continue;
    std::size_t best = 0;
    for (std::size_t j = 1; j < row.columns.size(); ++j)
      if (occurrences[row.columns[j]] < occurrences[row.columns[best]]) best = j;
    const auto scale = field.inverse(row.values[best]);
    for (auto& x : row.values) x = field.multiply(scale, x);
    stored += row.columns.size();
    task.require_memory(12 * stored, "the sum rules of force constants");
    echelon.pivots.push_back(row.columns[best]);
    echelon.rows.push_back(std::move(row));
  }
  std::vector<std::uint32_t> row_of(unknowns, no_row);
  for (std::size_t p = echelon.rows.size(); p-- > 0;) {
    task.progress("solving sum rules", 2 * equations.size() - p, 2 * equations.size());
    const ModularRow row = std::move(echelon.rows[p]);
    written.write(row);
    for (std::size_t j = 0; j < row.columns.size(); ++j)
      if (const std::uint32_t other = row_of[row.columns[j]]; other != no_row)
        written.subtract(written[row.columns[j]], echelon.rows[other]);
    stored -= row.columns.size();
    echelon.rows[p] = written.take();
    stored += echelon.rows[p].columns.size();
    task.require_memory(12 * stored, "the sum rules of force constants");
    row_of[echelon.pivots[p]] = static_cast<std::uint32_t>(p);
  }
  return echelon;
}

/// The solution lifted to Q, if sizes prove it.
std::optional<SolvedEquations> lifted(const PrimeField& field, const std::vector<IntegralEquation>& equations,
                                      const ModularEchelon& echelon, std::size_t unknowns, const Task& task) {
  SolvedEquations solved;
  std::vector<bool> is_pivot(unknowns, false);
  for (const std::uint32_t j : echelon.pivots) is_pivot[j] = true;
  for (std::uint32_t j = 0; j < unknowns; ++j)
    if (!is_pivot[j]) solved.free.push_back(j);
  // The solution with free unknown j 1, times common[j], has entries of at most largest[j].
  constexpr std::int64_t most = std::int64_t{1} << 40;
  std::vector<std::int64_t> common(unknowns, 1), largest(unknowns, 1);
  for (std::size_t p = 0; p < echelon.rows.size(); ++p) {
    task.poll();
    solved.determined.emplace_back(echelon.pivots[p], std::vector<SolvedEquations::Term>{});
    const ModularRow& row = echelon.rows[p];
    for (std::size_t k = 0; k < row.columns.size(); ++k) {
      if (row.columns[k] == echelon.pivots[p]) continue;
      const auto fraction = small_fraction(field.residue(field.negative(row.values[k])));
      if (!fraction) return std::nullopt;
      solved.determined.back().second.push_back({row.columns[k], fraction->first, fraction->second});
      common[row.columns[k]] = std::lcm(common[row.columns[k]], fraction->second);
      if (common[row.columns[k]] > most) return std::nullopt;
    }
  }
  for (const std::uint32_t j : solved.free) largest[j] = common[j];
  for (const auto& [pivot, sum] : solved.determined)
    for (const auto& term : sum) {
      const Wide size = static_cast<Wide>(std::abs(term.numerator)) *
                        static_cast<std::uint64_t>(common[term.unknown] / term.denominator);
      if (size > static_cast<Wide>(most)) return std::nullopt;
      largest[term.unknown] = std::max(largest[term.unknown], static_cast<std::int64_t>(size));
    }
  std::uint64_t norm = 0;
  for (const IntegralEquation& e : equations) {
    std::uint64_t sum = 0;
    for (const auto& term : e.terms) sum += static_cast<std::uint64_t>(std::abs(term.second));
    norm = std::max(norm, sum);
  }
  for (const std::uint32_t j : solved.free)
    if (static_cast<Wide>(norm) * static_cast<std::uint64_t>(largest[j]) >= equation_prime) return std::nullopt;
  std::ranges::sort(solved.determined, {}, [](const auto& d) { return d.first; });
  return solved;
}

/// By dense matrices over Q, for what the prime does not prove.
SolvedEquations solved_densely(const std::vector<IntegralEquation>& equations, std::size_t unknowns, const Task& task) {
  task.require_memory(8 * equations.size() * unknowns, "the sum rules of force constants");
  IntegerMatrix matrix(equations.size(), unknowns);
  for (std::size_t i = 0; i < equations.size(); ++i)
    for (const auto& [column, value] : equations[i].terms) matrix.set(i, column, static_cast<long>(value));
  const Echelon echelon = reduced_echelon(matrix, task);
  SolvedEquations solved;
  for (std::uint32_t j = 0; j < unknowns; ++j)
    if (!std::ranges::binary_search(echelon.pivots, std::size_t{j})) solved.free.push_back(j);
  for (std::size_t p = 0; p < echelon.pivots.size(); ++p) {
    solved.determined.emplace_back(static_cast<std::uint32_t>(echelon.pivots[p]), std::vector<SolvedEquations::Term>{});
    for (const std::uint32_t j : solved.free)
      if (const Rational x = -echelon.matrix(p, j); x != 0) {
        const Integer n = numerator(x), d = denominator(x);
        if (abs(n) > std::numeric_limits<std::int64_t>::max() || d > std::numeric_limits<std::int64_t>::max())
          throw LimitError("the solution of the sum rules has numbers of more than 63 bits");
        solved.determined.back().second.push_back({j, n.convert_to<std::int64_t>(), d.convert_to<std::int64_t>()});
      }
  }
  return solved;
}

}  // namespace

SolvedEquations solve_equations(std::vector<IntegralEquation> equations, std::size_t unknowns, const Task& task) {
  std::ranges::stable_sort(equations, {}, [](const IntegralEquation& e) { return e.terms.size(); });
  const PrimeField field(equation_prime);
  const ModularEchelon echelon = eliminated(field, equations, unknowns, task);
  if (auto solved = lifted(field, equations, echelon, unknowns, task)) return *std::move(solved);
  return solved_densely(equations, unknowns, task);
}

}  // namespace intertwine
