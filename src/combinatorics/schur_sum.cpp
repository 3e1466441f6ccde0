#include <algorithm>

#include "intertwine/combinatorics/symmetric_function.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/exact/sum_text.hpp"

namespace intertwine {

namespace {

/// Sorts, adds up equal partitions and drops zeros.
void normalize(std::vector<SchurTerm>& terms) {
  std::sort(terms.begin(), terms.end(),
            [](const SchurTerm& a, const SchurTerm& b) { return a.partition < b.partition; });
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
  const auto at =
      std::lower_bound(terms_.begin(), terms_.end(), lambda,
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
  for (const SchurTerm& term : f) sum.add(term.coefficient, "s" + to_string(term.partition));
  return sum.str();
}

std::string to_latex(const SchurSum& f) {
  SumText sum(Notation::latex);
  for (const SchurTerm& term : f) sum.add(term.coefficient, "s_{" + to_latex(term.partition) + "}");
  return sum.str();
}

std::string to_string(const std::vector<QuantumTerm>& terms) {
  SumText sum;
  for (const QuantumTerm& term : terms) {
    const std::string q = term.degree == 0   ? ""
                          : term.degree == 1 ? "q*"
                                             : "q^" + std::to_string(term.degree) + "*";
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
  for (const SchurTerm& term : f)
    total += term.coefficient * number_of_semistandard_tableaux(term.partition, n);
  return total;
}

}  // namespace intertwine
