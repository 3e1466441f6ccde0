// Decompositions of representations of every kind, by what the kinds know.
#include "intertwine/hom/constituents.hpp"

#include <algorithm>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/error.hpp"

namespace intertwine::hom {

namespace {

using Kind = FactorIrrep::Kind;

Constituent constituent_of(const CharacterTable& table, std::size_t row, const Integer& multiplicity) {
  const int indicator = table.indicator(row);
  return {{{Kind::row, {}, row, table.degree(row), indicator, table.name(row)}},
          table.degree(row),
          multiplicity,
          indicator,
          table.name(row)};
}

std::vector<Constituent> constituents_of(const intertwine::Decomposition& d) {
  std::vector<Constituent> list;
  for (const intertwine::Constituent& part : d.constituents) {
    Constituent one = constituent_of(d.table, part.irreps.front(), part.multiplicity);
    one.degree = part.degree;
    one.name = row_names(d.table, part.irreps);
    list.push_back(std::move(one));
  }
  return list;
}

std::vector<Constituent> constituents_of(const std::vector<ContinuousConstituent>& parts) {
  std::vector<Constituent> list;
  for (const ContinuousConstituent& part : parts)
    list.push_back({part.factors, part.degree, part.multiplicity, part.indicator(), part.name()});
  return list;
}

std::vector<Constituent> constituents_of(const LieGroup& G, const LieCharacter& chi) {
  std::vector<Constituent> list;
  for (const WeightTerm& term : chi) {
    const Integer degree = chi.type().dimension(term.weight);
    const int indicator = chi.type().indicator(term.weight);
    const std::string name = irrep_name(G, term.weight);
    list.push_back(
        {{{Kind::weight, term.weight, 0, degree, indicator, name}}, degree, term.coefficient, indicator, name});
  }
  std::ranges::stable_sort(list, std::ranges::greater(), &Constituent::degree);
  return list;
}

std::vector<Constituent> constituents_of(const AxialCharacter& chi) {
  std::vector<Constituent> list;
  for (const auto& [irrep, multiplicity] : chi.terms()) {
    const std::string name = intertwine::to_string(irrep);
    list.push_back(
        {{{Kind::species, {irrep.lambda}, 0, irrep.degree(), 1, name}}, irrep.degree(), multiplicity, 1, name});
  }
  return list;
}

}  // namespace

Decomposition decompose(const Representation& V, BaseField over, const Task& task,
                        const std::optional<CharacterTable>& table) {
  Decomposition d{V.group(), V.dimension(), V.to_string(), {}};
  if (const auto* R = V.as<intertwine::Representation>()) {
    const CharacterTable own = table ? *table : character_table(R->group(), task);
    d.finite.emplace(
        intertwine::Decomposition{d.written, R->dimension(), own, over, decompose(*R, own, over, task), {}});
    d.constituents = constituents_of(*d.finite);
    d.table = own;
    return d;
  }
  if (over != BaseField::complex)
    throw DomainError("representations of " + V.group().name() +
                      " are decomposed over the complex numbers; the indicators say what is real (+), complex (o) "
                      "and quaternionic (-)");
  if (V.group().centre_of_linear_molecule())
    d.constituents = constituents_of(axial_character(V, task));
  else if (const auto* R = V.as<ContinuousRepresentation>())
    d.constituents = constituents_of(intertwine::decompose(*R, task));
  else
    d.constituents = constituents_of(*V.group().reductive(), *V.as<LieCharacter>());
  return d;
}

Decomposition decompose(const ClassFunction& f, std::string written) {
  const CharacterTable& table = f.table();
  const std::vector<Integer> parts = multiplicities(f);
  Decomposition d{table.group(), f.degree().to_integer(), std::move(written), {}, table};
  for (std::size_t row = 0; row < parts.size(); ++row)
    if (parts[row] != 0) d.constituents.push_back(constituent_of(table, row, parts[row]));
  return d;
}

void require_components(const Group& G, const std::string& what) {
  if (G.as<FiniteGroup>() == nullptr)
    throw DomainError(what + " for finite groups; representations of " + G.name() + " are decomposed by characters");
}

void add_components(Decomposition& d, const Representation& V, BaseField over, bool orthonormal, const Task& task) {
  require_components(V.group(), "isotypic components by matrices are");
  const auto& R = *V.as<intertwine::Representation>();
  d.finite->components = isotypic_decomposition(R, d.finite->table, over, task);
  if (orthonormal) d.finite->orthonormal = orthonormal_decomposition(R, *d.finite->components, over, task);
}

SymmetryAdaptedBasis symmetry_adapted_basis(const Representation& V, BaseField over, const Task& task) {
  require_components(V.group(), "symmetry-adapted bases are");
  const auto& R = *V.as<intertwine::Representation>();
  return intertwine::symmetry_adapted_basis(R, character_table(R.group(), task), over, task);
}

}  // namespace intertwine::hom
