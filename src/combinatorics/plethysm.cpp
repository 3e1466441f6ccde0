// Plethysms, by power sums on an abacus.
#include <algorithm>
#include <map>

#include "combinatorics/beta_set.hpp"
#include "combinatorics/strips.hpp"
#include "intertwine/combinatorics/symmetric_function.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

using detail::Frame;
using detail::RowSum;

/// A shape on an abacus of k runners with as many beads as rows are allowed.
struct Runners {
  std::vector<int> beads;  ///< how many on each runner; determines the k-core
  std::vector<int> rows;   ///< the partitions of the runners, one after another
  int sign = 1;            ///< the sign of the permutation that sorts runner by runner into the whole
};

Runners to_runners(const Partition& lambda, int k, int rows) {
  Runners result;
  result.beads.resize(k);
  const std::vector<int> beta = detail::beta_set(lambda, rows);
  for (const int b : beta) ++result.beads[b % k];
  std::vector<int> next(k + 1);
  for (int r = 0; r < k; ++r) next[r + 1] = next[r] + result.beads[r];
  result.rows.resize(rows);
  std::vector<int> order(rows), left = result.beads;
  for (int i = 0; i < rows; ++i) {
    const int r = beta[i] % k;
    result.rows[next[r]] = beta[i] / k - --left[r];
    order[next[r]++] = beta[i];
  }
  result.sign = detail::sort_with_sign(order);
  return result;
}

/// The inverse; `sign` is multiplied by the sign of the sorting.
Partition from_runners(const std::vector<int>& beads, const std::vector<int>& rows, int& sign) {
  const int k = static_cast<int>(beads.size());
  std::vector<int> beta(rows.size());
  std::size_t at = 0;
  for (int r = 0; r < k; ++r)
    for (int left = beads[r]; left-- > 0; ++at) beta[at] = (rows[at] + left) * k + r;
  sign *= detail::sort_with_sign(beta);
  return detail::from_beta_set(beta);
}

/// f times p_k[s_mu] in `rows` variables, parts at most max_part.
SchurSum multiply_runners(const SchurSum& f, int k, const Partition& mu, int rows, std::int64_t max_part,
                          const Task& task) {
  std::map<std::vector<int>, RowSum> by_core;
  for (const SchurTerm& term : f) {
    Runners shape = to_runners(term.partition, k, rows);
    by_core[std::move(shape.beads)].emplace_back(std::move(shape.rows), shape.sign * term.coefficient);
  }
  const std::vector<detail::Strip> strips = detail::rows_as_strips(mu.parts(), {});
  std::vector<SchurTerm> terms;
  for (const auto& [beads, start] : by_core) {
    Frame frame;
    frame.rows = rows;
    frame.limit.assign(rows, -1);
    int at = 0;
    for (int r = 0; r < k; ++r) {
      if (beads[r] > 0)
        frame.limit[at] = static_cast<int>(std::max<std::int64_t>(0, (max_part + rows - 1 - r) / k - (beads[r] - 1)));
      at += beads[r];
    }
    for (const auto& [shape, coefficient] : detail::add_strips(start, strips, frame, task)) {
      int sign = 1;
      Partition partition = from_runners(beads, shape, sign);
      terms.push_back({std::move(partition), sign * coefficient});
    }
  }
  return SchurSum(std::move(terms));
}

/// s_outer[s_inner] in `rows` variables and at most `max_part` columns.
SchurSum plethysm_in_rows(const Partition& outer, const Partition& inner, int rows, std::int64_t max_part,
                          const Task& task) {
  std::map<Partition, SchurSum> known;
  known.emplace(Partition(), SchurSum(Partition()));
  const auto inside = partitions_inside(outer, 1'000'000, task);
  std::uint64_t done = 0, kept = 0;
  const std::uint64_t term_bytes = sizeof(SchurTerm) + 64 + sizeof(int) * static_cast<std::uint64_t>(rows);
  for (const Partition& tau : inside) {
    task.progress("plethysm", done++, inside.size());
    if (tau.empty()) continue;
    std::vector<SchurTerm> terms;
    for (int k = 1; k <= tau.weight(); ++k) {
      std::vector<SchurTerm> smaller;
      for (const Ribbon& ribbon : removable_ribbons(tau, k))
        for (const SchurTerm& term : known.at(ribbon.partition))
          smaller.push_back({term.partition, ribbon.height % 2 ? Integer(-term.coefficient) : term.coefficient});
      if (smaller.empty()) continue;
      const SchurSum product = multiply_runners(SchurSum(std::move(smaller)), k, inner, rows, max_part, task);
      terms.insert(terms.end(), product.begin(), product.end());
      task.require_memory((kept + 2 * terms.size()) * term_bytes, "the terms of the plethysms of smaller shapes");
    }
    SchurSum sum(std::move(terms));
    std::vector<SchurTerm> divided = sum.terms();
    for (SchurTerm& term : divided) {
      if (term.coefficient % tau.weight() != 0 || term.coefficient < 0)
        throw InternalError("plethysm: the coefficient " + to_string(term.coefficient) + " of s" +
                            to_string(term.partition) + " should be a non-negative multiple of " +
                            std::to_string(tau.weight()));
      term.coefficient /= tau.weight();
    }
    kept += divided.size();
    known.insert_or_assign(tau, SchurSum(std::move(divided)));
  }
  return known.at(outer);
}

}  // namespace

SchurSum multiply_by_power_plethysm(const SchurSum& f, int k, const Partition& mu, const PartitionBox& box,
                                    const Task& task) {
  if (k < 1) throw DomainError("multiply_by_power_plethysm: k = " + std::to_string(k) + " is not positive");
  int length = 0, weight = 0;
  std::vector<SchurTerm> inside;
  for (const SchurTerm& term : f)
    if (term.partition.length() <= box.rows && term.partition[0] <= box.cols) {
      length = std::max(length, term.partition.length());
      weight = std::max(weight, term.partition.weight());
      inside.push_back(term);
    }
  const std::int64_t degree = std::int64_t{k} * mu.weight();
  const std::int64_t rows = std::min<std::int64_t>(box.rows, length + degree);
  if (rows > 100'000 || weight + degree > std::numeric_limits<int>::max())
    throw LimitError("multiply_by_power_plethysm: the answer would have degree " + std::to_string(weight + degree) +
                     "; bound the rows or use smaller partitions");
  return multiply_runners(SchurSum(std::move(inside)), k, mu, static_cast<int>(rows),
                          std::min<std::int64_t>(box.cols, weight + degree), task);
}

SchurSum plethysm(const Partition& outer, const Partition& inner, const PartitionBox& box, const Task& task) {
  if (box.rows < 0 || box.cols < 0) throw DomainError("PartitionBox: the bound on rows or columns is negative");
  const std::int64_t degree = std::int64_t{outer.weight()} * inner.weight();
  if (degree > 1'000'000)
    throw LimitError("plethysm: the answer would have degree " + std::to_string(degree) + "; the limit is 1000000");
  if (outer.empty()) return SchurSum(Partition());
  if (inner.empty()) return outer.length() <= 1 ? SchurSum(Partition()) : SchurSum();
  const auto rows_for = [&](const Partition& g, int bound) {
    return static_cast<int>(std::min<std::int64_t>({degree, std::int64_t{outer.weight()} * g.length(), bound}));
  };
  const Partition columns = inner.conjugate();
  const int rows = rows_for(inner, box.rows), conjugate_rows = rows_for(columns, box.cols);
  if (rows * std::int64_t{inner.length()} <= conjugate_rows * std::int64_t{columns.length()})
    return plethysm_in_rows(outer, inner, rows, std::min<std::int64_t>(box.cols, degree), task);
  // omega(f[g]) = f[omega g] for g of even degree, (omega f)[omega g] for odd.
  return omega_involution(plethysm_in_rows(inner.weight() % 2 ? outer.conjugate() : outer, columns, conjugate_rows,
                                           std::min<std::int64_t>(box.rows, degree), task));
}

}  // namespace intertwine
