#include "intertwine/lie/continuous_polynomials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "equivariant/polynomial_checks.hpp"
#include "equivariant/polynomial_terms.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/echelon.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/exact/prime_field.hpp"
#include "intertwine/lie/continuous_basis.hpp"
#include "intertwine/lie/continuous_series.hpp"

namespace intertwine {

namespace {

constexpr std::size_t most_leaves = 2000, most_products = 100'000;

/// A summand without its multiplicity, and where it begins.
struct Leaf {
  ContinuousRepresentation representation;
  std::uint64_t first;
};

std::vector<Leaf> leaves_of(const ContinuousRepresentation& V) {
  std::vector<Leaf> list;
  std::uint64_t first = 0;
  for (const auto& [copies, summand] : V.summands())
    for (std::uint64_t k = 0; k < copies; ++k) {
      if (list.size() == most_leaves)
        throw LimitError("polynomial_maps: V or W has more than 2000 summands, copies counted");
      list.push_back({summand, first});
      first += summand.dimension();
    }
  return list;
}

/// Calls f with every list of exponents a_1 + ... + a_m = d, the first ones largest first.
void for_each_composition(std::size_t m, unsigned d,
                          const std::function<void(const std::vector<unsigned>&)>& f) {
  std::vector<unsigned> a(m, 0);
  std::size_t count = 0;
  const std::function<void(std::size_t, unsigned)> fill = [&](std::size_t i, unsigned left) {
    if (i + 1 >= m) {
      if (m > 0) a[i] = left;
      if (m == 0 && left > 0) return;
      if (++count > most_products)
        throw LimitError(
            fmt::format("polynomial_maps: Sym^{} of {} summands has more than 10^5 parts", d, m));
      f(a);
      return;
    }
    for (unsigned k = left + 1; k-- > 0;) {
      a[i] = k;
      fill(i + 1, left - k);
    }
  };
  fill(0, d);
}

ContinuousRepresentation power(unsigned k, const ContinuousRepresentation& V) {
  return k == 1 || V == trivial_representation(V.group()) ? V : sym(k, V);
}

/// Sym^a V_1 * Sym^b V_2 * ...; the trivial representation if all are 0. Over products of groups, where Sym^a is no functor of the factors alone,
/// V_1^a * V_2^b * ....
ContinuousRepresentation product_of_powers(const ContinuousRepresentation& V, const std::vector<Leaf>& leaves,
                                           const std::vector<unsigned>& a) {
  std::optional<ContinuousRepresentation> product;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == 0) continue;
    const ContinuousRepresentation& leaf = leaves[i].representation;
    const ContinuousRepresentation factor =
        V.group().is_product() ? tensor_power(leaf, a[i]) : power(a[i], leaf);
    product = product ? *product * factor : factor;
  }
  return product ? *product : trivial_representation(V.group());
}

/// The monomials of the basis of product_of_powers, in its order; of single groups.
std::vector<Monomial> monomials_of(const std::vector<Leaf>& leaves, const std::vector<unsigned>& a) {
  std::vector<Monomial> list{{}};
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == 0) continue;
    const auto factors = all_monomials(leaves[i].representation.dimension(), a[i]);
    std::vector<Monomial> products;
    products.reserve(list.size() * factors.size());
    for (const Monomial& left : list)
      for (const Monomial& right : factors) {
        Monomial& product = products.emplace_back(left);
        for (const auto& [v, e] : right)
          product.emplace_back(static_cast<std::uint32_t>(v + leaves[i].first), e);
      }
    list = std::move(products);
  }
  return list;
}

/// Of products of groups: for every vector of that basis the number of its monomial in the list that monomials_of has.
std::vector<std::uint32_t> symmetrized(const std::vector<Leaf>& leaves, const std::vector<unsigned>& a,
                                       const std::vector<Monomial>& monomials, std::uint64_t dimension,
                                       const Task& task) {
  std::map<Monomial, std::uint32_t> number;
  for (std::uint32_t k = 0; k < monomials.size(); ++k) number.emplace(monomials[k], k);
  std::vector<std::uint32_t> out;
  for (std::uint64_t k = 0; k < dimension; ++k) {
    task.poll();
    Monomial monomial;
    std::uint64_t left = k;
    for (std::size_t i = a.size(); i-- > 0;)
      for (unsigned j = 0; j < a[i]; ++j) {
        const std::uint64_t n = leaves[i].representation.dimension();
        const auto variable = static_cast<std::uint32_t>(leaves[i].first + left % n);
        left /= n;
        const auto at =
            std::ranges::find(monomial, variable, [](const auto& factor) { return factor.first; });
        if (at == monomial.end())
          monomial.emplace_back(variable, 1);
        else
          ++at->second;
      }
    std::ranges::sort(monomial);
    out.push_back(number.at(monomial));
  }
  return out;
}

using MapTerms = std::vector<PolynomialTerm>;

/// Terms in order, those with one output and one monomial added up.
MapTerms collected(MapTerms terms) {
  std::ranges::sort(terms);
  MapTerms out;
  for (PolynomialTerm& term : terms)
    if (!out.empty() && out.back().output == term.output && out.back().monomial == term.monomial)
      out.back().coefficient = out.back().coefficient + term.coefficient;
    else
      out.push_back(std::move(term));
  std::erase_if(out, [](const PolynomialTerm& term) { return term.coefficient.is_zero(); });
  return out;
}

/// Maps that are independent modulo a prime, the first ones first; so all that are needed, unless the prime was unlucky.
std::vector<MapTerms> independent_maps(const std::vector<MapTerms>& maps, const PrimeField& field,
                                       const Task& task) {
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::size_t> place;
  for (const auto& map : maps)
    for (const PolynomialTerm& term : map) place.try_emplace({term.output, term.monomial}, place.size());
  IncrementalEchelon echelon(field, place.size());
  std::vector<MapTerms> out;
  for (const MapTerms& map : maps) {
    task.poll();
    task.require_memory((out.size() + 1) * place.size() * sizeof(PrimeField::Element),
                        "independent polynomial maps");
    std::vector<PrimeField::Element> row(place.size(), 0);
    for (const PolynomialTerm& term : scaled(map))
      row[place.at({term.output, term.monomial})] = field.from(term.coefficient.to_integer());
    if (echelon.insert(std::move(row))) out.push_back(map);
  }
  return out;
}

/// As many independent maps of these as characters count; only maps of one list can depend on one another.
std::vector<MapTerms> basis_among(const std::vector<std::vector<MapTerms>>& spanning, const Integer& count,
                                  const Task& task) {
  std::uint64_t prime = std::uint64_t{1} << 60;
  for (int trial = 0; trial < 5; ++trial) {
    do ++prime;
    while (!is_prime(prime));
    const PrimeField field(prime);
    std::vector<MapTerms> out;
    for (const auto& maps : spanning)
      for (MapTerms& map : independent_maps(maps, field, task)) out.push_back(std::move(map));
    if (Integer(out.size()) == count) return out;
  }
  throw InternalError("polynomial maps of a product of groups are not as many as characters count");
}

void require_one_group(const ContinuousRepresentation& V, const ContinuousRepresentation& W) {
  if (!(V.group() == W.group()))
    throw DomainError(
        fmt::format("polynomial_maps: the representations belong to different groups, {} and {}",
                    V.group().name(), W.group().name()));
}

std::vector<MatrixLine> lines_of(const SparseMatrix& A) {
  std::vector<MatrixLine> lines(A.rows());
  for (const auto& e : A.entries())
    lines[e.row].emplace_back(static_cast<std::uint32_t>(e.col), Cyclotomic(e.value));
  return lines;
}

}  // namespace

ContinuousPolynomialMaps polynomial_maps(const ContinuousRepresentation& V, const ContinuousRepresentation& W,
                                         unsigned d, const Task& task) {
  require_one_group(V, W);
  const bool of_product = V.group().is_product();
  const std::vector<Leaf> in = leaves_of(V), out = leaves_of(W);
  ContinuousPolynomialMaps result{{V.dimension(), W.dimension(), d, {}, {}, {}, 0, {}}, V, W};
  std::vector<Monomial> monomials;
  std::vector<std::vector<MapTerms>> spanning;  // of products: for every part of V and W
  std::map<std::pair<std::string, std::string>, ContinuousBasis> known;
  std::uint64_t entries = 0;
  for_each_composition(in.size(), d, [&](const std::vector<unsigned>& a) {
    task.poll();
    const ContinuousRepresentation powers = product_of_powers(V, in, a);
    task.require_memory((monomials.size() + powers.dimension()) * (sizeof(Monomial) + 16 * std::uint64_t{d}),
                        "the monomials");
    const auto offset = static_cast<std::uint32_t>(monomials.size());
    const std::vector<Monomial> own = monomials_of(in, a);
    monomials.insert(monomials.end(), own.begin(), own.end());
    const std::vector<std::uint32_t> number =
        of_product ? symmetrized(in, a, own, powers.dimension(), task) : std::vector<std::uint32_t>{};
    for (const Leaf& to : out) {
      if (powers.dimension() == 0 || to.representation.dimension() == 0) continue;
      const std::pair key(powers.to_string(), to.representation.to_string());
      auto at = known.find(key);
      if (at == known.end()) at = known.emplace(key, continuous_basis(powers, to.representation, task)).first;
      const ContinuousBasis& basis = at->second;
      result.character_dimension +=
          basis.certificate.weights.dimension * basis.channels.in * basis.channels.out;
      result.route = basis.certificate.weights.route;
      const IntertwinerSpace& space = basis.weights;
      const auto [copies_in, copies_out] = std::pair(basis.channels.in, basis.channels.out);
      std::vector<MapTerms> maps;
      for (std::uint64_t copy = 0; copy < copies_in * copies_out; ++copy) {
        const std::uint64_t row = to.first + copy / copies_in * space.rows(),
                            col = copy % copies_in * space.cols();
        for (std::uint64_t k = 0; k < space.params(); ++k) {
          MapTerms terms;
          for (std::uint64_t e = space.start()[k]; e < space.start()[k + 1]; ++e) {
            const auto tensor = static_cast<std::uint32_t>(col + space.col()[e]);
            const std::uint32_t at_own = of_product ? number[tensor] : tensor;
            const Integer times = of_product ? Integer(1) : multinomial(own[at_own]);
            terms.push_back({space.row()[e] + row, offset + at_own, space.value(e) * Cyclotomic(times)});
          }
          if (of_product) terms = collected(std::move(terms));
          entries += terms.size();
          task.require_memory(entries * 64, "the polynomial maps");
          if (!terms.empty()) maps.push_back(std::move(terms));
        }
      }
      if (of_product)
        spanning.push_back(std::move(maps));
      else
        result.maps.insert(result.maps.end(), std::make_move_iterator(maps.begin()),
                           std::make_move_iterator(maps.end()));
    }
  });
  if (of_product) {
    result.character_dimension = polynomial_dimension(V, W, d, task);
    result.maps = basis_among(spanning, result.character_dimension, task);
  }
  // Sym^d of a sum has its monomials in one order; products have theirs side by side.
  std::vector<std::uint32_t> order(monomials.size()), number(monomials.size());
  for (std::uint32_t k = 0; k < order.size(); ++k) order[k] = k;
  std::ranges::sort(
      order, [&](std::uint32_t a, std::uint32_t b) { return comes_before(monomials[a], monomials[b]); });
  std::vector<Monomial> sorted;
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    number[order[k]] = k;
    sorted.push_back(std::move(monomials[order[k]]));
  }
  for (auto& map : result.maps) {
    for (PolynomialTerm& term : map) term.monomial = number[term.monomial];
    std::ranges::sort(map);
    map = scaled(std::move(map));
  }
  finish(result, sorted);
  return result;
}

Integer polynomial_dimension(const ContinuousRepresentation& V, const ContinuousRepresentation& W, unsigned d,
                             const Task& task) {
  require_one_group(V, W);
  return polynomial_dimensions(V, W, std::size_t{d} + 1, task).back();
}

void verify(const ContinuousPolynomialMaps& F, const Task& task) {
  const auto require = [](bool condition, const char* text) {
    if (!condition) throw VerificationError(std::string("polynomial maps: ") + text);
  };
  require(F.source.group() == F.target.group(), "the representations belong to different groups");
  require(F.variables == F.source.dimension() && F.outputs == F.target.dimension() && F.field.is_rational(),
          "the variables, the outputs or the field are not those of the representations");
  require_well_formed(F);
  const MatrixGenerators generators = matrix_generators(F.source, F.target, task);
  for (std::size_t g = 0; g < generators.names.size(); ++g)
    require_equivariant(F,
                        {generators.names[g], generators.algebra[g], lines_of(generators.column[g]),
                         lines_of(generators.row[g].transpose())},
                        task);
  require_independent(F, task);
  require_count(F, polynomial_dimension(F.source, F.target, F.degree, task));
}

}  // namespace intertwine
