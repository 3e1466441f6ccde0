// Sums of Schur functions: collects terms and compares them.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "intertwine/combinatorics/symmetric_function.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/exact/sum_text.hpp"

namespace intertwine {

namespace {

/// The key that mostly tells partitions apart, in their order: the weight, and the first parts, a byte each, from the
/// largest on.
struct SortKey {
  int weight;
  std::uint64_t parts;
  std::size_t term;
};

SortKey sort_key(const Partition& lambda, std::size_t term) {
  constexpr int bytes = 8, most = 255;
  std::uint64_t parts = 0;
  int k = 0;
  for (; k < bytes && lambda[k] < most; ++k) parts = parts << 8U | static_cast<std::uint64_t>(lambda[k]);
  // The key says nothing of parts that do not fit into a byte, nor of those behind them.
  for (bool is_first = true; k < bytes; ++k, is_first = false)
    parts = parts << 8U | static_cast<std::uint64_t>(is_first ? most : 0);
  return {lambda.weight(), ~parts, term};
}

void sort(std::vector<SchurTerm>& terms) {
  const auto in_order = [](const SchurTerm& a, const SchurTerm& b) { return a.partition < b.partition; };
  if (std::is_sorted(terms.begin(), terms.end(), in_order)) return;
  std::vector<SortKey> keys;
  keys.reserve(terms.size());
  for (std::size_t k = 0; k < terms.size(); ++k) keys.push_back(sort_key(terms[k].partition, k));
  std::sort(keys.begin(), keys.end(), [&](const SortKey& a, const SortKey& b) {
    if (a.weight != b.weight) return a.weight < b.weight;
    return a.parts != b.parts ? a.parts < b.parts : in_order(terms[a.term], terms[b.term]);
  });
  for (std::size_t k = 0; k < keys.size(); ++k) {  // cycle by cycle: a second list would be as large as the first
    if (keys[k].term == k) continue;
    SchurTerm held = std::move(terms[k]);
    std::size_t to = k;
    for (std::size_t from = keys[to].term; from != k; from = keys[to].term) {
      terms[to] = std::move(terms[from]);
      keys[to].term = to;
      to = from;
    }
    terms[to] = std::move(held);
    keys[to].term = to;
  }
}

/// Sorts, adds up equal partitions and drops zeros.
void normalize(std::vector<SchurTerm>& terms) {
  sort(terms);
  std::size_t out = 0;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    if (out > 0 && terms[out - 1].partition == terms[k].partition) {
      terms[out - 1].coefficient += terms[k].coefficient;
    } else {
      if (out > 0 && terms[out - 1].coefficient == 0) --out;
      if (out != k) terms[out] = std::move(terms[k]);
      ++out;
    }
  }
  if (out > 0 && terms[out - 1].coefficient == 0) --out;
  terms.resize(out);
}

}  // namespace

SchurSum::SchurSum(std::vector<SchurTerm> terms) : terms_(std::move(terms)) { normalize(terms_); }

Integer SchurSum::coefficient(const Partition& lambda) const {
  const auto at = std::lower_bound(terms_.begin(), terms_.end(), lambda,
                                   [](const SchurTerm& term, const Partition& p) { return term.partition < p; });
  return at != terms_.end() && at->partition == lambda ? at->coefficient : Integer(0);
}

SchurSum operator+(const SchurSum& a, const SchurSum& b) {
  std::vector<SchurTerm> terms = a.terms_;
  terms.insert(terms.end(), b.terms_.begin(), b.terms_.end());
  return SchurSum(std::move(terms));
}

SchurSum operator*(const Integer& c, const SchurSum& a) {
  if (c == 0) return {};
  SchurSum result = a;
  for (SchurTerm& term : result.terms_) term.coefficient *= c;
  return result;
}

SchurSum operator-(const SchurSum& a, const SchurSum& b) { return a + Integer(-1) * b; }

std::string to_string(const SchurSum& f) {
  SumText sum;
  std::string function;
  for (const SchurTerm& term : f) {
    function = 's';
    append_text(function, term.partition);
    sum.add(term.coefficient, function);
  }
  return std::move(sum).str();
}

std::string to_latex(const SchurSum& f) {
  SumText sum(Notation::latex);
  for (const SchurTerm& term : f) sum.add(term.coefficient, "s_{" + to_latex(term.partition) + "}");
  return sum.str();
}

std::string to_string(const std::vector<QuantumTerm>& terms) {
  SumText sum;
  for (const QuantumTerm& term : terms) {
    const std::string q = term.degree == 0 ? "" : term.degree == 1 ? "q*" : "q^" + std::to_string(term.degree) + "*";
    sum.add(term.coefficient, q + "s" + to_string(term.partition));
  }
  return sum.str();
}

SchurSum omega_involution(const SchurSum& f) {
  std::vector<SchurTerm> terms;
  for (const SchurTerm& term : f) terms.push_back({term.partition.conjugate(), term.coefficient});
  return SchurSum(std::move(terms));
}

Integer dimension(const SchurSum& f, int n) {
  Integer total = 0;
  for (const SchurTerm& term : f) total += term.coefficient * number_of_semistandard_tableaux(term.partition, n);
  return total;
}

}  // namespace intertwine
