// Littlewood-Richardson products: plans the strips that are added.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "combinatorics/beta_set.hpp"
#include "combinatorics/skew_multiply.hpp"
#include "combinatorics/strips.hpp"
#include "intertwine/combinatorics/symmetric_function.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

using detail::Frame;
using detail::RowSum;
using detail::Strip;

/// One way to do a multiplication: strips added to a start shape in a frame; the answer is conjugated back if
/// `conjugated`.
struct Plan {
  Partition start;
  std::vector<Strip> strips;
  int rows = 0;
  int max_part = 0;
  Partition target;
  bool conjugated = false;

  /// Strips and rows are what the number of states grows with.
  std::int64_t cost() const { return static_cast<std::int64_t>(strips.size()) * rows; }
};

int bounded(std::int64_t wanted, int limit) { return static_cast<int>(std::min<std::int64_t>(wanted, limit)); }

void require_box(const PartitionBox& box) {
  if (box.rows < 0 || box.cols < 0) throw DomainError("PartitionBox: the bound on rows or columns is negative");
}

bool fits(const Partition& lambda, const PartitionBox& box) {
  return lambda.length() <= box.rows && lambda[0] <= box.cols;
}

/// Conjugates of very wide partitions cost more than they can save.
bool worth_conjugating(const Partition& lambda) { return lambda[0] <= 4096; }

/// start times mu, keeping shapes in the box.
Plan product_plan(const Partition& start, const Partition& mu, const PartitionBox& box, bool conjugated) {
  Plan plan;
  plan.conjugated = conjugated;
  plan.start = conjugated ? start.conjugate() : start;
  const Partition added = conjugated ? mu.conjugate() : mu;
  plan.strips = detail::rows_as_strips(added.parts(), {});
  plan.rows = bounded(std::int64_t{plan.start.length()} + added.length(), conjugated ? box.cols : box.rows);
  plan.max_part = bounded(std::int64_t{plan.start[0]} + added[0], conjugated ? box.rows : box.cols);
  return plan;
}

RowSum run(const Plan& plan, const Task& task) {
  Frame frame;
  frame.rows = plan.rows;
  frame.limit.assign(plan.rows, -1);
  if (plan.rows > 0) frame.limit[0] = plan.max_part;
  if (!plan.target.empty()) {
    frame.target = plan.target.parts();
    frame.target.resize(plan.rows);
  }
  std::vector<int> start = plan.start.parts();
  start.resize(std::max<std::size_t>(start.size(), plan.rows));
  return detail::add_strips({{start, 1}}, plan.strips, frame, task);
}

SchurSum collect(RowSum&& sum, bool conjugated) {
  std::vector<SchurTerm> terms;
  terms.reserve(sum.size());
  for (auto& [rows, coefficient] : sum) {
    Partition shape(std::move(rows));
    terms.push_back({conjugated ? shape.conjugate() : std::move(shape), std::move(coefficient)});
  }
  return SchurSum(std::move(terms));
}

template <class Plans>
const Plan& cheapest(const Plans& plans) {
  return *std::min_element(plans.begin(), plans.end(),
                           [](const Plan& a, const Plan& b) { return a.cost() < b.cost(); });
}

/// Keeps the rows of outer/inner that have cells, and counts them.
int nonempty_rows(const Partition& outer, const Partition& inner) {
  int count = 0;
  for (int i = 0; i < outer.length(); ++i) count += outer[i] > inner[i];
  return count;
}

Plan skew_plan(const Partition& outer, const Partition& inner, const PartitionBox& box, bool conjugated) {
  Plan plan;
  plan.conjugated = conjugated;
  const Partition out = conjugated ? outer.conjugate() : outer, in = conjugated ? inner.conjugate() : inner;
  plan.strips = detail::rows_as_strips(out.parts(), in.parts());
  plan.rows = bounded(nonempty_rows(out, in), conjugated ? box.cols : box.rows);
  plan.max_part = bounded(out.weight() - in.weight(), conjugated ? box.rows : box.cols);
  return plan;
}

}  // namespace

SchurSum schur_product(const Partition& lambda, const Partition& mu, const PartitionBox& box, const Task& task) {
  require_box(box);
  if (!fits(lambda, box) || !fits(mu, box)) return {};
  std::vector<Plan> plans{product_plan(lambda, mu, box, false), product_plan(mu, lambda, box, false)};
  if (worth_conjugating(lambda) && worth_conjugating(mu)) {
    plans.push_back(product_plan(lambda, mu, box, true));
    plans.push_back(product_plan(mu, lambda, box, true));
  }
  const Plan& plan = cheapest(plans);
  return collect(run(plan, task), plan.conjugated);
}

SchurSum detail::multiply_by_skew(const SchurSum& f, const Partition& outer, const Partition& inner,
                                  const PartitionBox& box, const Task& task) {
  // All of f at once: states of different terms merge.
  RowSum start;
  int rows = 0, part = 0;
  for (const SchurTerm& term : f) {
    if (!fits(term.partition, box)) continue;
    rows = std::max(rows, term.partition.length());
    part = std::max(part, term.partition[0]);
    start.emplace_back(term.partition.parts(), term.coefficient);
  }
  Frame frame;
  frame.rows = bounded(std::int64_t{rows} + nonempty_rows(outer, inner), box.rows);
  frame.limit.assign(frame.rows, -1);
  if (frame.rows > 0) frame.limit[0] = bounded(std::int64_t{part} + outer.weight() - inner.weight(), box.cols);
  for (auto& [shape, coefficient] : start) shape.resize(frame.rows);
  return collect(add_strips(start, rows_as_strips(outer.parts(), inner.parts()), frame, task), false);
}

SchurSum schur_product(const SchurSum& f, const SchurSum& g, const PartitionBox& box, const Task& task) {
  require_box(box);
  if (f.size() < g.size()) return schur_product(g, f, box, task);
  std::vector<SchurTerm> terms;
  for (const SchurTerm& factor : g) {
    if (!fits(factor.partition, box)) continue;
    const SchurSum product = factor.coefficient * detail::multiply_by_skew(f, factor.partition, {}, box, task);
    terms.insert(terms.end(), product.begin(), product.end());
  }
  return SchurSum(std::move(terms));
}

SchurSum skew_schur(const Partition& outer, const Partition& inner, const PartitionBox& box, const Task& task) {
  require_box(box);
  if (!outer.contains(inner)) return {};
  std::vector<Plan> plans{skew_plan(outer, inner, box, false)};
  if (worth_conjugating(outer)) plans.push_back(skew_plan(outer, inner, box, true));
  const Plan& plan = cheapest(plans);
  return collect(run(plan, task), plan.conjugated);
}

Integer littlewood_richardson(const Partition& nu, const Partition& lambda, const Partition& mu, const Task& task) {
  if (nu.weight() != std::int64_t{lambda.weight()} + mu.weight() || !nu.contains(lambda) || !nu.contains(mu)) return 0;
  if (lambda.empty() || mu.empty()) return 1;
  std::vector<Plan> plans;
  for (const bool conjugated : {false, true}) {
    if (conjugated && !worth_conjugating(nu)) break;
    const Partition outer = conjugated ? nu.conjugate() : nu;
    for (const Partition* start : {&lambda, &mu}) {
      const Partition& added = start == &lambda ? mu : lambda;
      Plan product = product_plan(*start, added, {}, conjugated);
      product.rows = outer.length();
      product.max_part = outer[0];
      product.target = outer;
      plans.push_back(std::move(product));
      Plan skew = skew_plan(nu, *start, {}, conjugated);
      skew.target = conjugated ? added.conjugate() : added;
      skew.rows = skew.target.length();
      skew.max_part = skew.target[0];
      plans.push_back(std::move(skew));
    }
  }
  const RowSum sum = run(cheapest(plans), task);
  return sum.empty() ? Integer(0) : sum[0].second;
}

std::vector<SchurPair> schur_coproduct(const Partition& nu, const Task& task) {
  std::vector<SchurPair> result;
  for (const Partition& lambda : partitions_inside(nu, 10'000'000, task)) {
    const SchurSum skew = skew_schur(nu, lambda, {}, task);
    if (const std::size_t terms = result.size() + skew.size(); terms > result.capacity()) {
      // While it grows, the old terms stand beside room for twice as many.
      task.require_memory(result.size() * (sizeof(SchurPair) + 2 * 32) + 2 * terms * sizeof(SchurPair),
                          "the terms of the coproduct");
      result.reserve(2 * terms);
    }
    for (const SchurTerm& term : skew) result.push_back({lambda, term.partition, term.coefficient});
  }
  return result;
}

namespace {

/// Each term is held by a number for every row.
void require_rows(const char* function, int rows, const Task& task) {
  constexpr int most = 100'000'000;
  if (rows > most) throw LimitError(fmt::format("{}: {} rows are more than the limit of {}", function, rows, most));
  task.require_memory(2 * sizeof(int) * static_cast<std::uint64_t>(rows), "the rows of a term");
}

}  // namespace

SchurSum fusion_product(const Partition& lambda, const Partition& mu, int n, int level, const Task& task) {
  if (n < 1 || level < 0)
    throw DomainError("fusion_product: n = " + std::to_string(n) + ", level = " + std::to_string(level) +
                      "; n must be positive and the level not negative");
  for (const Partition* factor : {&lambda, &mu})
    if (factor->length() > n || (*factor)[0] - (*factor)[n - 1] > level)
      throw DomainError("fusion_product: " + to_string(*factor) + " has more than " + std::to_string(n) +
                        " rows or exceeds level " + std::to_string(level));
  require_rows("fusion_product", n, task);
  std::vector<SchurTerm> terms;
  const std::int64_t period = std::int64_t{level} + n;
  for (const SchurTerm& term : schur_product(lambda, mu, {n}, task)) {
    // Translations of the affine Weyl group move the shifted parts by multiples of the period with sum zero.
    // Within the alcove the largest and the smallest differ by less than the period.
    std::vector<int> beta = detail::beta_set(term.partition, n);
    int sign = 1;
    while (beta.front() - beta.back() > period && sign != 0) {
      beta.front() -= static_cast<int>(period);
      beta.back() += static_cast<int>(period);
      sign *= detail::sort_with_sign(beta);
    }
    if (sign == 0 || beta.front() - beta.back() == period) continue;
    terms.push_back({detail::from_beta_set(beta), sign * term.coefficient});
  }
  return SchurSum(std::move(terms));
}

std::vector<QuantumTerm> quantum_product(const Partition& lambda, const Partition& mu, int rows, int cols,
                                         const Task& task) {
  if (rows < 1 || cols < 1)
    throw DomainError("quantum_product: the Grassmannian needs rows and cols at least 1, not " + std::to_string(rows) +
                      " and " + std::to_string(cols));
  if (!fits(lambda, {rows, cols}) || !fits(mu, {rows, cols}))
    throw DomainError("quantum_product: " + to_string(fits(lambda, {rows, cols}) ? mu : lambda) +
                      " does not fit in the box");
  require_rows("quantum_product", rows, task);
  std::map<std::pair<int, Partition>, Integer> sum;
  const std::int64_t period = std::int64_t{rows} + cols;
  for (const SchurTerm& term : schur_product(lambda, mu, {rows}, task)) {
    // A ribbon of `period` cells in `rows` rows: q times (-1)^(rows - width in rows); move every bead below
    // the period.
    std::vector<int> beta = detail::beta_set(term.partition, rows);
    int degree = 0;
    for (int& b : beta) {
      degree += static_cast<int>(b / period);
      b = static_cast<int>(b % period);
    }
    int sign = detail::sort_with_sign(beta);
    if ((static_cast<std::int64_t>(degree) * (rows - 1)) % 2 != 0) sign = -sign;
    if (sign != 0) sum[{degree, detail::from_beta_set(beta)}] += sign * term.coefficient;
  }
  std::vector<QuantumTerm> result;
  for (const auto& [key, coefficient] : sum)
    if (coefficient != 0) result.push_back({key.second, key.first, coefficient});
  return result;
}

}  // namespace intertwine
