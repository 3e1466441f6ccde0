// Irreducible representations inside products and powers of smaller ones.
#include "product_irreducibles.hpp"

#include <fmt/format.h>

#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/representations/actions.hpp"
#include "representations/expressions/specht_action.hpp"

namespace intertwine {

namespace {

using ModularValues = ModularCharacters::Vector;

/// The values of Lambda^k or Sym^k of a row, by Newton's identities k e_k = sum of (-1)^(i-1) p_i e_(k-i), k h_k = sum of p_i h_(k-i).
ModularValues values_of_power(const GaloisTable& table, std::size_t row, unsigned k, bool symmetric) {
  const ModularCharacters& space = table.space();
  const PrimeField& field = space.field;
  ModularValues result;
  for (std::size_t c = 0; c < space.size(); ++c) {
    ModularValues partial{field.from(std::int64_t{1})};
    for (unsigned m = 1; m <= k; ++m) {
      PrimeField::Element sum = 0;
      for (unsigned i = 1; i <= m; ++i) {
        const auto term = field.multiply(table.row(row)[space.powers(c, i)], partial[m - i]);
        sum = field.add(sum, symmetric || i % 2 == 1 ? term : field.negative(term));
      }
      partial.push_back(field.multiply(sum, field.inverse(field.from(std::int64_t{m}))));
    }
    result.push_back(partial.back());
  }
  return result;
}

ModularValues values_of_product(const GaloisTable& table, std::size_t i, std::size_t j) {
  ModularValues result;
  for (std::size_t c = 0; c < table.space().size(); ++c)
    result.push_back(table.space().field.multiply(table.row(i)[c], table.row(j)[c]));
  return result;
}

/// The fields of the characters of both rows lie in that of a third.
bool in_field_of(const CharacterTable& table, std::size_t i, std::size_t j, std::size_t row) {
  const AbelianField K = AbelianField::generated_by(table.row(row));
  const auto degree = [&](std::size_t k) {
    return AbelianField::compositum(K, AbelianField::generated_by(table.row(k))).degree();
  };
  return degree(i) == K.degree() && degree(j) == K.degree();
}

/// The multiple of a vector without denominators and common factors.
FieldMatrix primitive(const FieldMatrix& x) {
  const IntegerMatrix& numerator = x.coefficients().numerator();
  return x.is_zero() ? x : FieldMatrix(x.field(), exact_quotient(numerator, numerator.content()), x.cols());
}

/// A multiple of the sum over H of l(h)^-k h x. Every h is t_1 t_2 ... with t_i in the i-th transversal.
FieldMatrix sum_over_subgroup(const Representation& V, const LinearPair& pair, std::uint32_t k, FieldMatrix x,
                              const Task& task) {
  const StabilizerChain& chain = pair.subgroup().chain(task);
  for (std::size_t level = chain.length(); level-- > 0 && !x.is_zero();) {
    FieldMatrix sum = x;
    for (const Point y : chain.orbit(level)) {
      if (y == chain.base_point(level)) continue;
      task.poll();
      const Permutation t = chain.transversal(level, y);
      const std::uint64_t exponent = std::uint64_t{pair.exponent_at(t)} * k % pair.order;
      const FieldMatrix image = V.apply(t, x);
      sum = sum +
            (exponent == 0
                 ? image
                 : Cyclotomic::root_of_unity(pair.order, static_cast<std::uint32_t>(pair.order - exponent)) * image);
    }
    x = primitive(sum);
  }
  return x;
}

MultiplicityOneSeed seed_of(const Representation& V, const LinearPair& pair, std::uint32_t k, const Task& task) {
  MultiplicityOneSeed seed;
  for (const Permutation& h : pair.subgroup().generators()) {
    const std::uint64_t exponent = std::uint64_t{pair.exponent_at(h)} * k % pair.order;
    seed.generators.push_back(h);
    seed.values.push_back(Cyclotomic::root_of_unity(pair.order, static_cast<std::uint32_t>(exponent)));
  }
  const AbelianField L = AbelianField::compositum(V.field(), AbelianField::cyclotomic(pair.order));
  for (std::size_t i = 0; i < V.dimension(); ++i) {
    FieldMatrix x = sum_over_subgroup(V, pair, k, FieldMatrix(unit_vector(V.dimension(), i)).over(L), task);
    if (x.is_zero()) continue;
    seed.vector = std::move(x);
    return seed;
  }
  throw InternalError("product_irreducible: no basis vector has a part that the subgroup moves by its character");
}

}  // namespace

std::optional<ProductOfRows> product_of_rows(const GaloisTable& table, std::size_t row) {
  constexpr unsigned most_factors = 4;
  const CharacterTable& characters = table.table();
  const Integer degree = characters.degree(row);
  std::vector<std::size_t> factors;
  for (std::size_t i = 0; i < characters.size(); ++i)
    if (characters.degree(i) > 1 && characters.degree(i) < degree && characters.indicator(i) != -1)
      factors.push_back(i);
  for (const bool symmetric : {false, true})
    for (unsigned k = 2; k <= most_factors; ++k)
      for (const std::size_t i : factors) {
        Integer of_power = 1;
        for (unsigned j = 0; j < k; ++j)
          of_power = of_power * (characters.degree(i) + (symmetric ? Integer(j) : -Integer(j))) / (j + 1);
        if (of_power == degree && values_of_power(table, i, k, symmetric) == table.row(row) &&
            in_field_of(characters, i, i, row))
          return ProductOfRows{symmetric ? ProductOfRows::Kind::symmetric : ProductOfRows::Kind::exterior, k, i, i};
      }
  for (const std::size_t i : factors)
    for (const std::size_t j : factors)
      if (i < j && characters.degree(i) * characters.degree(j) == degree &&
          values_of_product(table, i, j) == table.row(row) && in_field_of(characters, i, j, row))
        return ProductOfRows{ProductOfRows::Kind::tensor, 2, i, j};
  return std::nullopt;
}

std::optional<IrreducibleRepresentation> product_irreducible(
    const GaloisTable& table, std::size_t row, const ProductOfRows& form, const IrreducibleRepresentation& first,
    const IrreducibleRepresentation& second, const LinearPair& pair, std::uint32_t k, const Task& task) {
  if (!first.over_character_field || !second.over_character_field) return std::nullopt;
  const Representation& A = first.representation;
  const Representation V = form.kind == ProductOfRows::Kind::tensor      ? A * second.representation
                           : form.kind == ProductOfRows::Kind::symmetric ? sym(form.power, A)
                                                                         : alt(form.power, A);
  return IrreducibleRepresentation{row, named_irreducible(V, table.table(), row), seed_of(V, pair, k, task),
                                   "irreducible as " + V.to_string(), true};
}

}  // namespace intertwine
