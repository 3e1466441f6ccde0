// verify(PolynomialMaps): the proof of a basis of polynomial maps from the maps alone.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/equivariant/polynomial_maps.hpp"
#include "intertwine/equivariant/polynomial_terms.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

using Terms = std::vector<PolynomialTerm>;
using MonomialSum = std::map<Monomial, Cyclotomic>;
using Line = MatrixLine;

template <class... Args>
void require(bool condition, fmt::format_string<Args...> text, Args&&... args) {
  if (!condition) throw VerificationError("polynomial maps: " + fmt::format(text, std::forward<Args>(args)...));
}

void require_monomials(const PolynomialBasis& F) {
  for (std::size_t m = 0; m < F.monomials.size(); ++m) {
    std::uint64_t degree = 0, next = 0;
    for (const auto& [v, e] : F.monomials[m]) {
      require(v >= next && v < F.variables && e > 0,
              "monomial {} (0-based) is no increasing list of variables below {}", m, F.variables);
      next = std::uint64_t{v} + 1;
      degree += e;
    }
    require(degree == F.degree, "monomial {} (0-based) has degree {}, not {}", m, degree, F.degree);
    require(m == 0 || polynomials::comes_before(F.monomials[m - 1], F.monomials[m]),
            "monomials {} and {} (0-based) are not in order", m - 1, m);
  }
}

void require_terms(const PolynomialBasis& F) {
  const AbelianField& K = F.field;
  std::vector<bool> occurs(F.monomials.size());
  const auto place = [](const PolynomialTerm& t) { return std::tie(t.output, t.monomial); };
  for (std::size_t k = 0; k < F.maps.size(); ++k) {
    const Terms& map = F.maps[k];
    require(!map.empty(), "map {} is zero", k + 1);
    Integer common = 0;
    for (std::size_t t = 0; t < map.size(); ++t) {
      require(map[t].output < F.outputs && map[t].monomial < F.monomials.size(),
              "term {} of map {} has an output or a monomial that does not exist", t + 1, k + 1);
      require(t == 0 || place(map[t - 1]) < place(map[t]), "the terms of map {} are not in order", k + 1);
      require(!map[t].coefficient.is_zero() && K.contains(map[t].coefficient),
              "a coefficient of map {} is 0 or outside {}", k + 1, K.to_string());
      occurs[map[t].monomial] = true;
      for (const auto& [exponent, c] : map[t].coefficient.terms()) {
        require(denominator(c) == 1, "map {} has a coefficient that is no algebraic integer", k + 1);
        common = gcd(common, Integer(numerator(c)));
      }
    }
    const Cyclotomic& first = map.front().coefficient;
    require(first.is_integer() && first.sign() > 0 && common == 1, "map {} is not scaled as it should be", k + 1);
    require(k == 0 || F.maps[k - 1] < map, "maps {} and {} are not in order", k, k + 1);
  }
  require(std::find(occurs.begin(), occurs.end(), false) == occurs.end(), "a monomial occurs in no map");
}

/// The rows of rho(g), or its columns.
std::vector<Line> lines(const Representation& V, const Permutation& g, bool rows) {
  std::vector<Line> result(V.dimension());
  if (V.is_monomial()) {
    const SignedPermutation image = V.image(g);
    for (std::uint32_t j = 0; j < result.size(); ++j) {
      const SignedPoint i = image(j);
      result[rows ? i.point() : j].emplace_back(rows ? j : i.point(), Cyclotomic(i.sign()));
    }
    return result;
  }
  const FieldMatrix matrix = V.field_matrix(g);
  for (std::uint32_t i = 0; i < result.size(); ++i)
    for (std::uint32_t j = 0; j < result.size(); ++j)
      if (Cyclotomic value = matrix(i, j); !value.is_zero()) result[rows ? i : j].emplace_back(rows ? j : i, value);
  return result;
}

template <class Key>
void add(std::map<Key, Cyclotomic>& sum, const Key& key, const Cyclotomic& c) {
  const auto [at, fresh] = sum.try_emplace(key, c);
  if (fresh) return;
  at->second += c;
  if (at->second.is_zero()) sum.erase(at);
}

MonomialSum times(const MonomialSum& f, const Line& linear) {
  MonomialSum result;
  for (const auto& [monomial, c] : f)
    for (const auto& [v, a] : linear) {
      Monomial product = monomial;
      const auto at = std::lower_bound(product.begin(), product.end(), v,
                                       [](const auto& factor, std::uint32_t u) { return factor.first < u; });
      if (at != product.end() && at->first == v)
        ++at->second;
      else
        product.insert(at, {v, 1});
      add(result, product, c * a);
    }
  return result;
}

/// The monomials in the moved variables (rho(g) x)_v. Neighbours share the product of the variables that they begin
/// with, which is kept.
std::vector<MonomialSum> moved_monomials(const PolynomialBasis& F, const std::vector<Line>& moved, const Task& task) {
  std::vector<MonomialSum> result;
  std::vector<std::uint32_t> word;
  std::vector<MonomialSum> product{{{Monomial(), Cyclotomic(1)}}};  // of the first 0, 1, ... variables of the word
  std::uint64_t entries = 0;
  for (const Monomial& monomial : F.monomials) {
    std::vector<std::uint32_t> next;
    for (const auto& [v, e] : monomial) next.insert(next.end(), e, v);
    const auto shared = static_cast<std::size_t>(
        std::mismatch(word.begin(), word.end(), next.begin(), next.end()).first - word.begin());
    product.resize(shared + 1);
    for (std::size_t k = shared; k < next.size(); ++k) {
      task.poll();
      product.push_back(times(product.back(), moved[next[k]]));
    }
    word = std::move(next);
    result.push_back(product.back());
    entries += result.back().size();
    task.require_memory(entries * 160, "the monomials in the moved variables");
  }
  return result;
}

/// The derivatives of the monomials in the direction X x.
std::vector<MonomialSum> derived_monomials(const PolynomialBasis& F, const std::vector<Line>& rows, const Task& task) {
  std::vector<MonomialSum> result;
  std::uint64_t entries = 0;
  for (const Monomial& monomial : F.monomials) {
    task.poll();
    MonomialSum& sum = result.emplace_back();
    for (std::size_t k = 0; k < monomial.size(); ++k) {
      const auto [v, e] = monomial[k];
      Monomial rest = monomial;
      if (e > 1)
        --rest[k].second;
      else
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
      for (const auto& [product, c] : times({{rest, Cyclotomic(Rational(e))}}, rows[v])) add(sum, product, c);
    }
    entries += sum.size();
    task.require_memory(entries * 160, "the derivatives of the monomials");
  }
  return result;
}

}  // namespace

void polynomials::require_equivariant(const PolynomialBasis& F, const GeneratorLines& generator, const Task& task) {
  const std::vector<MonomialSum> moved =
      generator.algebra ? derived_monomials(F, generator.rows_in, task) : moved_monomials(F, generator.rows_in, task);
  for (std::size_t k = 0; k < F.maps.size(); ++k) {
    task.poll();
    std::map<std::pair<std::uint64_t, Monomial>, Cyclotomic> difference;  // by output and monomial
    for (const PolynomialTerm& term : F.maps[k]) {
      for (const auto& [monomial, c] : moved[term.monomial])
        add(difference, {term.output, monomial}, term.coefficient * c);
      for (const auto& [output, c] : generator.columns_out[term.output])
        add(difference, {std::uint64_t{output}, F.monomials[term.monomial]}, -(term.coefficient * c));
    }
    require(difference.empty(), "map {} does not commute with {}", k + 1, generator.name);
  }
}

void polynomials::require_independent(const PolynomialBasis& F, const Task& task) {
  if (F.maps.empty()) return;
  const AbelianField& K = F.field;
  std::vector<IntertwinerSpace::Element> elements;
  for (const Terms& map : F.maps) {
    std::vector<std::vector<Rational>> coordinates;
    Integer common = 1;
    for (const PolynomialTerm& term : map) {
      coordinates.push_back(K.coordinates(term.coefficient));
      for (const Rational& c : coordinates.back()) common = lcm(common, Integer(denominator(c)));
    }
    IntertwinerSpace::Element element{{}, IntegerMatrix(K.degree(), map.size())};
    for (std::size_t t = 0; t < map.size(); ++t) {
      element.place.push_back(map[t].output * F.monomials.size() + map[t].monomial);
      for (std::size_t i = 0; i < K.degree(); ++i)
        element.value.set(i, t, Integer(numerator(Rational(coordinates[t][i] * common))));
    }
    elements.push_back(std::move(element));
  }
  require(are_independent(IntertwinerSpace(F.outputs, F.monomials.size(), std::move(elements), K), task),
          "the maps are linearly dependent");
}

void polynomials::require_count(const PolynomialBasis& F, const Integer& count) {
  require(count == F.maps.size(), "characters count {} maps, but there are {}", to_string(count), F.maps.size());
  require(count == F.character_dimension, "the certificate counts {} maps, characters {}",
          to_string(F.character_dimension), to_string(count));
}

void require_well_formed(const PolynomialBasis& F) {
  require_monomials(F);
  require_terms(F);
}

void verify(const PolynomialMaps& F, const Task& task) {
  require(F.source.group() == F.target.group(), "the representations belong to different groups");
  require_well_formed(F);
  require(F.variables == F.source.dimension() && F.outputs == F.target.dimension() &&
              F.field == AbelianField::compositum(F.source.field(), F.target.field()),
          "the variables, the outputs or the field are not those of the representations");
  const auto& generators = F.source.group().generators();
  for (std::size_t k = 0; k < generators.size(); ++k)
    polynomials::require_equivariant(F,
                                     {fmt::format("generator {}", k + 1), false, lines(F.source, generators[k], true),
                                      lines(F.target, generators[k], false)},
                                     task);
  polynomials::require_independent(F, task);
  polynomials::require_count(F, hom_dimension(sym(F.degree, F.source), F.target, task).dimension);
}

}  // namespace intertwine
