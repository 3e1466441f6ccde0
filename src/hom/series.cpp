// Dimensions that characters count, for groups of every kind.
#include "intertwine/hom/series.hpp"

#include <algorithm>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/classical/continuous_hom_basis.hpp"
#include "intertwine/classical/continuous_series.hpp"
#include "intertwine/equivariant/hom_dimension.hpp"
#include "intertwine/error.hpp"
#include "intertwine/representations/decomposition.hpp"
#include "same_group.hpp"

namespace intertwine::hom {

namespace {

/// \throws DomainError for a difference of characters that is no character
void require_no_difference(const Representation& V) {
  const auto* chi = V.as<LieCharacter>();
  const auto* axial = V.as<AxialCharacter>();
  const bool negative =
      (chi != nullptr && !chi->is_character()) ||
      (axial != nullptr && std::ranges::any_of(axial->terms(), [](const auto& term) { return term.second < 0; }));
  if (negative)
    throw DomainError(V.to_string() + " of " + V.group().name() +
                      " is a difference of characters, and no representation");
}

/// The number of constituents that both have.
Integer inner_product(const LieCharacter& a, const LieCharacter& b) {
  Integer sum = 0;
  for (const WeightTerm& term : a) sum += term.coefficient * b.multiplicity(term.weight);
  return sum;
}
Integer inner_product(const AxialCharacter& a, const AxialCharacter& b) {
  Integer sum = 0;
  for (const auto& [irrep, multiplicity] : a.terms())
    if (const auto found = b.terms().find(irrep); found != b.terms().end()) sum += multiplicity * found->second;
  return sum;
}

template <class Character>
MolienSeries by_symmetric_powers(const Character& V, const Character& W, std::size_t count, const Task& task) {
  MolienSeries series;
  for (std::size_t k = 0; k < count; ++k)
    series.coefficients.push_back(inner_product(symmetric_power(static_cast<int>(k), V, task), W));
  return series;
}

}  // namespace

Integer hom_dimension(const Representation& V, const Representation& U, const Task& task) {
  require_same_group(V, U);
  require_no_difference(V);
  require_no_difference(U);
  if (const auto* a = V.as<intertwine::Representation>())
    return intertwine::hom_dimension(*a, *U.as<intertwine::Representation>(), task).dimension;
  if (V.has_matrices() && U.has_matrices())
    return continuous_hom_dimension(*V.as<ContinuousRepresentation>(), *U.as<ContinuousRepresentation>(), task)
        .dimension;
  if (V.group().centre_of_linear_molecule()) return inner_product(axial_character(V, task), axial_character(U, task));
  return inner_product(character(V, task), character(U, task));
}

MolienSeries molien_series(const Representation& V, const std::optional<Representation>& W, std::size_t count,
                           const Task& task) {
  if (W) require_same_group(V, *W);
  require_no_difference(V);
  if (W) require_no_difference(*W);
  if (const auto* a = V.as<intertwine::Representation>()) {
    const CharacterTable table = character_table(a->group(), task);
    return intertwine::molien_series(
        character_of(*a, table, task),
        W ? character_of(*W->as<intertwine::Representation>(), table, task) : ClassFunction::irreducible(table, 0),
        count, task);
  }
  if (V.has_matrices() && (!W || W->has_matrices())) {
    const auto& a = *V.as<ContinuousRepresentation>();
    return intertwine::molien_series(a, W ? *W->as<ContinuousRepresentation>() : trivial_representation(a.group()),
                                     count, task);
  }
  if (const auto centre = V.group().centre_of_linear_molecule())
    return by_symmetric_powers(axial_character(V, task),
                               W ? axial_character(*W, task) : AxialCharacter::trivial(*centre), count, task);
  return by_symmetric_powers(character(V, task), W ? character(*W, task) : V.group().reductive()->trivial(), count,
                             task);
}

}  // namespace intertwine::hom
