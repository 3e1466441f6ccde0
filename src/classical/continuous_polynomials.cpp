// Equivariant polynomial maps of continuous groups.
#include "intertwine/classical/continuous_polynomials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "classical/generator_lines.hpp"
#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/classical/continuous_series.hpp"
#include "intertwine/equivariant/polynomial_terms.hpp"
#include "intertwine/error.hpp"

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
void for_each_composition(std::size_t m, unsigned d, const std::function<void(const std::vector<unsigned>&)>& f) {
  std::vector<unsigned> a(m, 0);
  std::size_t count = 0;
  const std::function<void(std::size_t, unsigned)> fill = [&](std::size_t i, unsigned left) {
    if (i + 1 >= m) {
      if (m > 0) a[i] = left;
      if (m == 0 && left > 0) return;
      if (++count > most_products)
        throw LimitError(fmt::format("polynomial_maps: Sym^{} of {} summands has more than 10^5 parts", d, m));
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

/// Sym^a V_1 * Sym^b V_2 * ...; the trivial representation if all are 0.
ContinuousRepresentation product_of_powers(const ContinuousRepresentation& V, const std::vector<Leaf>& leaves,
                                           const std::vector<unsigned>& a) {
  std::optional<ContinuousRepresentation> product;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == 0) continue;
    const ContinuousRepresentation factor = power(a[i], leaves[i].representation);
    product = product ? *product * factor : factor;
  }
  return product ? *product : trivial_representation(V.group());
}

/// The monomials of the basis of product_of_powers, in its order.
std::vector<Monomial> monomials_of(const std::vector<Leaf>& leaves, const std::vector<unsigned>& a) {
  std::vector<Monomial> list{{}};
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == 0) continue;
    const auto factors = polynomials::all_monomials(leaves[i].representation.dimension(), a[i]);
    std::vector<Monomial> products;
    products.reserve(list.size() * factors.size());
    for (const Monomial& left : list)
      for (const Monomial& right : factors) {
        Monomial& product = products.emplace_back(left);
        for (const auto& [v, e] : right) product.emplace_back(static_cast<std::uint32_t>(v + leaves[i].first), e);
      }
    list = std::move(products);
  }
  return list;
}

void require_one_group(const ContinuousRepresentation& V, const ContinuousRepresentation& W) {
  if (!(V.group() == W.group()))
    throw DomainError(fmt::format("polynomial_maps: the representations belong to different groups, {} and {}",
                                  V.group().name(), W.group().name()));
}

}  // namespace

ContinuousPolynomialMaps polynomial_maps(const ContinuousRepresentation& V, const ContinuousRepresentation& W,
                                         unsigned d, const Task& task) {
  require_one_group(V, W);
  const std::vector<Leaf> in = leaves_of(V), out = leaves_of(W);
  ContinuousPolynomialMaps result{
      {V.dimension(), W.dimension(), d, AbelianField::compositum(V.field(), W.field()), {}, {}, 0, {}}, V, W};
  std::vector<Monomial> monomials;
  std::map<std::pair<std::string, std::string>, HomBasis> known;
  std::uint64_t entries = 0;
  for_each_composition(in.size(), d, [&](const std::vector<unsigned>& a) {
    task.poll();
    const ContinuousRepresentation powers = product_of_powers(V, in, a);
    const auto [copies_in, pattern] = powers.as_multiple();
    task.require_memory((monomials.size() + powers.dimension()) * (sizeof(Monomial) + 16 * std::uint64_t{d}),
                        "the monomials");
    const auto offset = static_cast<std::uint32_t>(monomials.size());
    const std::vector<Monomial> own = monomials_of(in, a);
    monomials.insert(monomials.end(), own.begin(), own.end());
    for (const Leaf& to : out) {
      if (powers.dimension() == 0 || to.representation.dimension() == 0) continue;
      const auto [copies_out, target] = to.representation.as_multiple();
      const std::pair key(pattern.to_string(), target.to_string());
      auto at = known.find(key);
      if (at == known.end()) at = known.emplace(key, hom_basis(pattern, target, task)).first;
      const HomCertificate& certificate = at->second.certificate();
      result.character_dimension += certificate.dimension * copies_in * copies_out;
      result.route = certificate.route;
      const IntertwinerSpace& space = at->second.space();
      for (std::uint64_t copy = 0; copy < copies_in * copies_out; ++copy) {
        const std::uint64_t row = to.first + copy / copies_in * space.rows(), col = copy % copies_in * space.cols();
        for (std::uint64_t k = 0; k < space.params(); ++k) {
          std::vector<PolynomialTerm> terms;
          for (std::uint64_t e = space.start()[k]; e < space.start()[k + 1]; ++e) {
            const auto monomial = static_cast<std::uint32_t>(col + space.col()[e]);
            terms.push_back({space.row()[e] + row, offset + monomial,
                             space.value(e) * Cyclotomic(polynomials::multinomial(own[monomial]))});
          }
          entries += terms.size();
          task.require_memory(entries * 64, "the polynomial maps");
          result.maps.push_back(std::move(terms));
        }
      }
    }
  });
  // Sym^d of a sum has its monomials in one order; products have theirs side by side.
  std::vector<std::uint32_t> order(monomials.size()), number(monomials.size());
  for (std::uint32_t k = 0; k < order.size(); ++k) order[k] = k;
  std::ranges::sort(
      order, [&](std::uint32_t a, std::uint32_t b) { return polynomials::comes_before(monomials[a], monomials[b]); });
  std::vector<Monomial> sorted;
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    number[order[k]] = k;
    sorted.push_back(std::move(monomials[order[k]]));
  }
  for (auto& map : result.maps) {
    for (PolynomialTerm& term : map) term.monomial = number[term.monomial];
    std::ranges::sort(map);
    map = polynomials::scaled(std::move(map));
  }
  polynomials::finish(result, sorted);
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
  require(F.variables == F.source.dimension() && F.outputs == F.target.dimension() &&
              F.field == AbelianField::compositum(F.source.field(), F.target.field()),
          "the variables, the outputs or the field are not those of the representations");
  require_well_formed(F);
  const MatrixGenerators generators = matrix_generators(F.source, F.target, task);
  for (std::size_t g = 0; g < generators.names.size(); ++g)
    polynomials::require_equivariant(
        F,
        {generators.names[g], generators.algebra[g],
         generator_lines<Cyclotomic, std::uint32_t>(generators.column, g, generators.field, false),
         generator_lines<Cyclotomic, std::uint32_t>(generators.row, g, generators.field, true)},
        task);
  polynomials::require_independent(F, task);
  polynomials::require_count(F, polynomial_dimension(F.source, F.target, F.degree, task));
}

}  // namespace intertwine
