// Equivariant polynomial maps of finite groups.
#include "intertwine/equivariant/polynomial_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <type_traits>

#include "intertwine/equivariant/hom_basis.hpp"
#include "intertwine/equivariant/polynomial_terms.hpp"
#include "intertwine/error.hpp"
#include "intertwine/representations/representation_node.hpp"

namespace intertwine {

namespace {

/// Terms (output, index of the monomial) with coefficients.
using Terms = std::vector<PolynomialTerm>;

/// The elements of a basis of one block, their entries (row, column) as terms, not yet scaled.
std::vector<Terms> elements_of(const HomBasis& basis, const Task& task) {
  std::vector<Terms> result;
  if (basis.is_tied() || basis.space().field().is_rational()) {
    for (const SparseMatrix& element : basis.elements(task)) {
      Terms& terms = result.emplace_back();
      for (const SparseMatrix::Entry& entry : element.entries())
        terms.push_back({entry.row, static_cast<std::uint32_t>(entry.col), Cyclotomic(entry.value)});
    }
    return result;
  }
  const IntertwinerSpace& space = basis.space();
  task.require_memory(space.nonzeros() * 128, "the entries of all basis elements");
  for (std::uint64_t k = 0; k < space.params(); ++k) {
    Terms& terms = result.emplace_back();
    for (std::uint64_t e = space.start()[k]; e < space.start()[k + 1]; ++e)
      terms.push_back({space.row()[e], space.col()[e], space.value(e)});
  }
  return result;
}

std::vector<RepresentationNode::PlacedSummand> places(const Representation& V) {
  std::vector<RepresentationNode::PlacedSummand> result;
  V.node().append_places(0, result);
  return result;
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

std::string to_latex(const Monomial& monomial) {
  std::string text;
  for (const auto& [v, e] : monomial) {
    text += fmt::format("{}x_{{{}}}", text.empty() ? "" : " ", v + 1);
    if (e > 1) text += fmt::format("^{{{}}}", e);
  }
  return text.empty() ? "1" : text;
}

namespace {

const Terms& map_of(const PolynomialBasis& F, std::size_t k) {
  if (k >= F.maps.size())
    throw DomainError(fmt::format("PolynomialMaps: there are {} maps, no number {}", F.maps.size(), k));
  return F.maps[k];
}

template <class Number>
std::vector<Number> value(const PolynomialBasis& F, std::size_t k, std::span<const Number> x) {
  const Terms& map = map_of(F, k);
  if (x.size() != F.variables)
    throw DomainError(fmt::format("PolynomialMaps: the maps take {} coordinates, not {}", F.variables, x.size()));
  std::vector<Number> result(F.outputs);
  std::vector<std::optional<Number>> powers(F.monomials.size());
  for (const PolynomialTerm& term : map) {
    auto& known = powers[term.monomial];
    if (!known) {
      known = Number(1);
      for (const auto& [v, e] : F.monomials[term.monomial])
        for (std::uint32_t i = 0; i < e; ++i) *known *= x[v];
    }
    if constexpr (std::is_same_v<Number, Rational>)
      result[term.output] += term.coefficient.to_rational() * *known;
    else
      result[term.output] += term.coefficient * *known;
  }
  return result;
}

}  // namespace

std::size_t PolynomialBasis::terms() const {
  std::size_t count = 0;
  for (const Terms& map : maps) count += map.size();
  return count;
}

std::vector<Rational> PolynomialBasis::operator()(std::size_t k, std::span<const Rational> x) const {
  return value(*this, k, x);
}

std::vector<Cyclotomic> PolynomialBasis::operator()(std::size_t k, std::span<const Cyclotomic> x) const {
  return value(*this, k, x);
}

std::string PolynomialBasis::coordinate(std::size_t k, std::uint64_t output, Notation notation) const {
  const Terms& map = map_of(*this, k);
  if (output >= outputs)
    throw DomainError(fmt::format("PolynomialMaps: the values have {} coordinates, no number {}", outputs, output));
  SumText sum(notation);
  const auto first = std::lower_bound(map.begin(), map.end(), output,
                                      [](const PolynomialTerm& term, std::uint64_t at) { return term.output < at; });
  for (auto term = first; term != map.end() && term->output == output; ++term) {
    const Monomial& monomial = monomials[term->monomial];
    sum.add(term->coefficient, monomial.empty()              ? ""
                               : notation == Notation::latex ? to_latex(monomial)
                                                             : to_string(monomial));
  }
  return sum.str();
}

PolynomialMaps polynomial_maps(const Representation& V, const Representation& W, unsigned d, const Task& task) {
  if (!(V.group() == W.group()))
    throw DomainError(fmt::format("polynomial_maps: the representations belong to different groups, {} and {}",
                                  V.group().name(), W.group().name()));
  constexpr std::uint64_t most_monomials = 10'000'000;
  const Representation powers = sym(d, V);
  if (powers.dimension() > most_monomials)
    throw LimitError(
        fmt::format("polynomial_maps: there are {} monomials of degree {} in {} variables; the limit is 10^7",
                    powers.dimension(), d, V.dimension()));
  if (W.dimension() > most_monomials)
    throw LimitError(fmt::format("polynomial_maps: the target has dimension {}; the limit is 10^7", W.dimension()));
  task.require_memory(powers.dimension() * (sizeof(Monomial) + 16 * std::uint64_t{d}), "the monomials");
  const std::vector<Monomial> monomials = polynomials::all_monomials(V.dimension(), d);
  PolynomialMaps result{
      {V.dimension(), W.dimension(), d, AbelianField::compositum(V.field(), W.field()), {}, {}, 0, {}}, V, W};
  // Copies of a summand share their node, hence their basis.
  std::map<std::pair<const void*, const void*>, HomBasis> known;
  std::uint64_t entries = 0;
  for (const auto& from : places(powers))
    for (const auto& to : places(W)) {
      if (from.representation.dimension() == 0 || to.representation.dimension() == 0) continue;
      const std::pair<const void*, const void*> key{&from.representation.node(), &to.representation.node()};
      auto at = known.find(key);
      if (at == known.end()) at = known.emplace(key, hom_basis(from.representation, to.representation, task)).first;
      const HomBasis& basis = at->second;
      result.character_dimension += basis.certificate().dimension;
      result.route = basis.certificate().route;
      for (Terms& element : elements_of(basis, task)) {
        entries += element.size();
        task.require_memory(entries * 64, "the polynomial maps");
        for (PolynomialTerm& term : element) {
          term.output += to.offset;
          term.monomial += static_cast<std::uint32_t>(from.offset);
          term.coefficient *= Cyclotomic(polynomials::multinomial(monomials[term.monomial]));
        }
        result.maps.push_back(polynomials::scaled(std::move(element)));
      }
    }
  polynomials::finish(result, monomials);
  return result;
}

}  // namespace intertwine
