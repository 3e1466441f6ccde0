#include "intertwine/equivariant/polynomial_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "intertwine/error.hpp"
#include "representations/node.hpp"

namespace intertwine {

namespace {

/// The monomials of degree d in n variables in lexicographic order of their weakly increasing lists of variables: the
/// basis of sym(d, V).
std::vector<Monomial> all_monomials(std::uint64_t n, unsigned d) {
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

/// d! / a!.
Integer multinomial(const Monomial& monomial) {
  Integer result = 1;
  unsigned long total = 0;
  for (const auto& [v, e] : monomial) {
    total += e;
    result *= binomial(total, e);
  }
  return result;
}

/// Terms (output, index of the monomial) with coefficients.
using Terms = std::vector<PolynomialTerm>;

/// The scaled element: primitive, with first coefficient positive.
Terms scaled(const SparseMatrix& element, std::uint64_t row, std::uint64_t column,
             const std::vector<Monomial>& monomials) {
  Terms terms;
  Integer common = 0;
  for (const SparseMatrix::Entry& entry : element.entries()) {
    if (denominator(entry.value) != 1)
      throw InternalError("polynomial_maps: a basis element is not integral");
    const std::uint64_t at = column + entry.col;
    terms.push_back({row + entry.row, static_cast<std::uint32_t>(at),
                     Integer(numerator(entry.value) * multinomial(monomials[at]))});
    common = gcd(common, terms.back().coefficient);
  }
  if (!terms.empty() && terms.front().coefficient < 0) common = -common;
  for (PolynomialTerm& term : terms) term.coefficient /= common;
  return terms;
}

std::vector<RepresentationNode::PlacedSummand> places(const Representation& V) {
  std::vector<RepresentationNode::PlacedSummand> result;
  V.node().append_places(0, result);
  return result;
}

bool earlier(const Terms& a, const Terms& b) {
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(), [](const PolynomialTerm& s, const PolynomialTerm& t) {
        return std::tie(s.output, s.monomial, s.coefficient) < std::tie(t.output, t.monomial, t.coefficient);
      });
}

/// Drops the monomials that no map has.
void compress(PolynomialMaps& result, const std::vector<Monomial>& monomials) {
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

}  // namespace

std::string to_string(const Monomial& monomial) {
  std::string text;
  for (const auto& [v, e] : monomial) {
    text += fmt::format("{}x{}", text.empty() ? "" : "*", v + 1);
    if (e > 1) text += fmt::format("^{}", e);
  }
  return text.empty() ? "1" : text;
}

std::vector<Rational> PolynomialMaps::operator()(std::size_t k, std::span<const Rational> x) const {
  if (k >= maps.size())
    throw DomainError(fmt::format("PolynomialMaps: there are {} maps, no number {}", maps.size(), k));
  if (x.size() != source.dimension())
    throw DomainError(
        fmt::format("PolynomialMaps: the maps take {} coordinates, not {}", source.dimension(), x.size()));
  std::vector<Rational> result(target.dimension());
  std::vector<std::optional<Rational>> value(monomials.size());
  for (const PolynomialTerm& term : maps[k]) {
    auto& known = value[term.monomial];
    if (!known) {
      known = Rational(1);
      for (const auto& [v, e] : monomials[term.monomial])
        for (std::uint32_t i = 0; i < e; ++i) *known *= x[v];
    }
    result[term.output] += Rational(term.coefficient) * *known;
  }
  return result;
}

PolynomialMaps polynomial_maps(const Representation& V, const Representation& W, unsigned d,
                               const Task& task) {
  if (!(V.group() == W.group()))
    throw DomainError(
        fmt::format("polynomial_maps: the representations belong to different groups, {} and {}",
                    V.group().name(), W.group().name()));
  constexpr std::uint64_t most_monomials = 10'000'000;
  const Representation powers = sym(d, V);
  if (powers.dimension() > most_monomials)
    throw LimitError(
        fmt::format("polynomial_maps: there are {} monomials of degree {} in {} variables; the limit is 10^7",
                    powers.dimension(), d, V.dimension()));
  if (W.dimension() > most_monomials)
    throw LimitError(
        fmt::format("polynomial_maps: the target has dimension {}; the limit is 10^7", W.dimension()));
  task.require_memory(powers.dimension() * (sizeof(Monomial) + 16 * std::uint64_t{d}), "the monomials");
  const std::vector<Monomial> monomials = all_monomials(V.dimension(), d);
  PolynomialMaps result{V, W, d, {}, {}, 0, {}};
  // Copies of a summand share their node, hence their basis.
  std::map<std::pair<const void*, const void*>, EquivariantBasis> known;
  std::uint64_t entries = 0;
  for (const auto& from : places(powers))
    for (const auto& to : places(W)) {
      if (from.representation.dimension() == 0 || to.representation.dimension() == 0) continue;
      const std::pair<const void*, const void*> key{&from.representation.node(), &to.representation.node()};
      auto at = known.find(key);
      if (at == known.end())
        at = known
                 .emplace(key, equivariant_basis(from.representation, to.representation, task,
                                                 {.single_pattern = true}))
                 .first;
      const EquivariantBasis& basis = at->second;
      result.character_dimension += basis.certificate().character_dimension;
      result.route = basis.certificate().route;
      for (const SparseMatrix& element : basis.blocks().front().weights.elements(task)) {
        entries += element.entries().size();
        task.require_memory(entries * 64, "the polynomial maps");
        result.maps.push_back(scaled(element, to.offset, from.offset, monomials));
      }
    }
  if (result.character_dimension != Integer(result.maps.size()))
    throw InternalError("polynomial_maps: the number of maps is not that of the characters");
  std::sort(result.maps.begin(), result.maps.end(), earlier);
  compress(result, monomials);
  return result;
}

}  // namespace intertwine
