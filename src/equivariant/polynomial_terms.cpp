// Polynomial maps by terms, from linear maps of symmetric powers.
#include "intertwine/equivariant/polynomial_terms.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

using Terms = std::vector<PolynomialTerm>;

}  // namespace

std::vector<Monomial> polynomials::all_monomials(std::uint64_t n, unsigned d) {
  std::vector<Monomial> result;
  if (d == 0) return {{}};
  if (n == 0) return {};
  std::vector<std::uint32_t> word(d, 0);
  for (;;) {
    Monomial monomial;
    for (const std::uint32_t v : word)
      if (!monomial.empty() && monomial.back().first == v)
        ++monomial.back().second;
      else
        monomial.emplace_back(v, 1);
    result.push_back(std::move(monomial));
    std::size_t i = d;
    while (i > 0 && word[i - 1] + 1 == n) --i;
    if (i == 0) return result;
    std::fill(word.begin() + static_cast<std::ptrdiff_t>(i - 1), word.end(), word[i - 1] + 1);
  }
}

bool polynomials::comes_before(const Monomial& a, const Monomial& b) {
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    if (a[k].first != b[k].first) return a[k].first < b[k].first;
    if (a[k].second != b[k].second) return a[k].second > b[k].second;  // of equal degree
  }
  return a.size() < b.size();
}

Integer polynomials::multinomial(const Monomial& monomial) {
  Integer result = 1;
  unsigned long total = 0;
  for (const auto& [v, e] : monomial) {
    total += e;
    result *= binomial(total, e);
  }
  return result;
}

Terms polynomials::scaled(Terms terms) {
  const bool integral =
      std::all_of(terms.begin(), terms.end(), [](const auto& term) { return term.coefficient.is_integer(); });
  if (integral) {
    Integer common = 0;
    for (const PolynomialTerm& term : terms) common = gcd(common, term.coefficient.to_integer());
    if (terms.front().coefficient.to_integer() < 0) common = -common;
    if (common == 1) return terms;
    for (PolynomialTerm& term : terms) term.coefficient = Cyclotomic(Integer(term.coefficient.to_integer() / common));
    return terms;
  }
  const Cyclotomic inverse = terms.front().coefficient.inverse();
  Integer common = 1;
  for (PolynomialTerm& term : terms) {
    term.coefficient *= inverse;
    for (const auto& [exponent, c] : term.coefficient.terms()) common = lcm(common, Integer(denominator(c)));
  }
  for (PolynomialTerm& term : terms) term.coefficient *= Cyclotomic(common);
  return terms;
}

void polynomials::finish(PolynomialBasis& result, const std::vector<Monomial>& monomials) {
  if (result.character_dimension != Integer(result.maps.size()))
    throw InternalError("polynomial_maps: the number of maps is not that of the characters");
  std::sort(result.maps.begin(), result.maps.end());
  std::set<std::uint32_t> used;
  for (const Terms& map : result.maps)
    for (const PolynomialTerm& term : map) used.insert(term.monomial);
  std::map<std::uint32_t, std::uint32_t> number;
  for (const std::uint32_t k : used) {
    number.emplace(k, static_cast<std::uint32_t>(result.monomials.size()));
    result.monomials.push_back(monomials[k]);
  }
  for (Terms& map : result.maps)
    for (PolynomialTerm& term : map) term.monomial = number.at(term.monomial);
}

}  // namespace intertwine
