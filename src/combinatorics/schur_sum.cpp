#include <algorithm>

#include "intertwine/combinatorics/symmetric_function.hpp"
#include "intertwine/combinatorics/tableau.hpp"

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
  if (f.size() == 0) return "0";
  std::string text;
  for (const SchurTerm& term : f) {
    const bool negative = term.coefficient < 0;
    const Integer size = negative ? Integer(-term.coefficient) : term.coefficient;
    text += text.empty() ? (negative ? "-" : "") : negative ? " - " : " + ";
    if (size != 1) text.append(to_string(size)).append("*");
    text.append("s").append(to_string(term.partition));
  }
  return text;
}

SchurSum omega(const SchurSum& f) {
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
