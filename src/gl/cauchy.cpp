// Cauchy's decompositions under GL(m) x GL(n).
#include "intertwine/gl/cauchy.hpp"

#include <algorithm>
#include <map>

#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

void require_sizes(const char* function, std::initializer_list<int> sizes) {
  for (const int size : sizes)
    if (size < 0)
      throw DomainError(std::string(function) + ": the degree or dimension " + std::to_string(size) + " is negative");
}

void require_n(const char* function, int n) {
  if (n < 1) throw DomainError(std::string(function) + ": n = " + std::to_string(n) + " is not positive");
}

std::vector<SlTerm> collect(const std::map<std::vector<int>, Integer, std::greater<>>& sum) {
  std::vector<SlTerm> terms;
  for (const auto& [labels, multiplicity] : sum)
    if (multiplicity != 0) terms.push_back({labels, multiplicity});
  return terms;
}

using SlSum = std::map<std::vector<int>, Integer, std::greater<>>;

void add_gl_power(SlSum& sum, int d, int n, bool exterior, int sign, const Task& task) {
  for (const Partition& lambda : partitions(d, {n, exterior ? n : std::max(d, 1)}, most_partitions, task)) {
    task.poll();
    for (const SlTerm& term : restrict_to_sl(tensor_with_dual(lambda, exterior ? lambda.conjugate() : lambda, n, task)))
      sum[term.labels] += sign * term.multiplicity;
  }
}

}  // namespace

std::vector<GlGlTerm> cauchy_decomposition(int d, int m, int n, const Task& task) {
  require_sizes("cauchy_decomposition", {d, m, n});
  std::vector<GlGlTerm> terms;
  for (const Partition& lambda : partitions(d, {std::min(m, n)}, most_partitions, task))
    terms.push_back({lambda, lambda, 1});
  return terms;
}

std::vector<GlGlTerm> dual_cauchy_decomposition(int d, int m, int n, const Task& task) {
  require_sizes("dual_cauchy_decomposition", {d, m, n});
  std::vector<GlGlTerm> terms;
  for (const Partition& lambda : partitions(d, {m, n}, most_partitions, task))
    terms.push_back({lambda, lambda.conjugate(), 1});
  return terms;
}

std::vector<GlGlTerm> schur_functor_decomposition(const Partition& nu, int m, int n, const Task& task) {
  require_sizes("schur_functor_decomposition", {m, n});
  if (nu.length() <= 1) return cauchy_decomposition(nu.weight(), m, n, task);
  if (nu[0] == 1) return dual_cauchy_decomposition(nu.weight(), m, n, task);
  std::vector<GlGlTerm> terms;
  for (const Partition& lambda : partitions(nu.weight(), {m}, most_partitions, task))
    for (const SchurTerm& term : kronecker_product(nu, lambda, task))
      if (term.partition.length() <= n) terms.push_back({lambda, term.partition, term.coefficient});
  return terms;
}

Integer dimension(const std::vector<GlGlTerm>& terms, int m, int n) {
  Integer total = 0;
  for (const GlGlTerm& term : terms)
    total += term.multiplicity * number_of_semistandard_tableaux(term.left, m) *
             number_of_semistandard_tableaux(term.right, n);
  return total;
}

std::vector<GlTripleTerm> symmetric_power_of_triple(int d, int a, int b, int c, const Task& task) {
  require_sizes("symmetric_power_of_triple", {d, a, b, c});
  std::vector<GlTripleTerm> terms;
  for (const Partition& alpha : partitions(d, {a}, most_partitions, task))
    for (const GlGlTerm& term : schur_functor_decomposition(alpha, b, c, task))
      terms.push_back({alpha, term.left, term.right, term.multiplicity});
  return terms;
}

std::vector<GlWeightTerm> tensor_with_dual(const Partition& lambda, const Partition& mu, int n, const Task& task) {
  require_n("tensor_with_dual", n);
  if (lambda.length() > n || mu.length() > n) return {};
  const std::uint64_t weight_bytes = sizeof(int) * static_cast<std::uint64_t>(n) + sizeof(GlWeightTerm);
  task.require_memory(3 * weight_bytes, "weights of GL(n)");  // the complement, a product and its weight
  // S_mu(V*) is S of the complement of mu in n rows, times the determinant to the power -mu_1.
  std::vector<int> complement(n);
  for (int i = 0; i < n; ++i) complement[i] = mu[0] - mu[n - 1 - i];
  std::vector<GlWeightTerm> terms;
  for (const SchurTerm& term : schur_product(lambda, Partition(complement), {n}, task)) {
    task.poll();
    task.require_memory((3 + terms.size()) * weight_bytes, "weights of GL(n)");
    std::vector<int> weight(n);
    for (int i = 0; i < n; ++i) weight[i] = term.partition[i] - mu[0];
    terms.push_back({std::move(weight), term.coefficient});
  }
  return terms;
}

Integer dimension_of_weight(const std::vector<int>& weight) {
  Integer above = 1, below = 1;
  for (std::size_t i = 0; i < weight.size(); ++i)
    for (std::size_t j = i + 1; j < weight.size(); ++j) {
      if (weight[i] < weight[j])
        throw DomainError("dimension_of_weight: the entries of a highest weight must not increase");
      const auto distance = static_cast<std::int64_t>(j - i);
      above *= Integer(std::int64_t{weight[i]} - weight[j] + distance);
      below *= Integer(distance);
    }
  return above / below;
}

std::vector<SlTerm> restrict_to_sl(const SchurSum& f, int n, const Task& task) {
  require_n("restrict_to_sl", n);
  SlSum sum;
  for (const SchurTerm& term : f) {
    task.poll();
    if (term.partition.length() > n) continue;
    const std::uint64_t label_bytes = sizeof(int) * static_cast<std::uint64_t>(n) + sizeof(SlTerm);
    task.require_memory(2 * (sum.size() + 1) * label_bytes, "Dynkin labels of SL(n)");  // in the sum and in the list
    std::vector<int> labels(n - 1);
    for (int i = 0; i + 1 < n; ++i) labels[i] = term.partition[i] - term.partition[i + 1];
    sum[labels] += term.coefficient;
  }
  return collect(sum);
}

std::vector<SlTerm> restrict_to_sl(const std::vector<GlWeightTerm>& terms) {
  SlSum sum;
  for (const GlWeightTerm& term : terms) {
    std::vector<int> labels;
    for (std::size_t i = 0; i + 1 < term.weight.size(); ++i) labels.push_back(term.weight[i] - term.weight[i + 1]);
    sum[labels] += term.multiplicity;
  }
  return collect(sum);
}

std::vector<SlTerm> symmetric_power_of_adjoint(int d, int n, const Task& task) {
  require_sizes("symmetric_power_of_adjoint", {d});
  require_n("symmetric_power_of_adjoint", n);
  SlSum sum;  // Sym(gl) = Sym(sl) (x) Sym(1), so Sym^d(sl) = Sym^d(gl) - Sym^{d-1}(gl)
  add_gl_power(sum, d, n, false, 1, task);
  if (d > 0) add_gl_power(sum, d - 1, n, false, -1, task);
  return collect(sum);
}

std::vector<SlTerm> exterior_power_of_adjoint(int d, int n, const Task& task) {
  require_sizes("exterior_power_of_adjoint", {d});
  require_n("exterior_power_of_adjoint", n);
  SlSum sum;  // Lambda^d(gl) = Lambda^d(sl) + Lambda^{d-1}(sl)
  for (int k = 0; k <= d; ++k) add_gl_power(sum, d - k, n, true, k % 2 ? -1 : 1, task);
  return collect(sum);
}

}  // namespace intertwine
