// Irreducible representations over the real and the rational numbers.
#include <fmt/format.h>

#include <algorithm>

#include "intertwine/characters/conjugates.hpp"
#include "intertwine/characters/schur_index.hpp"
#include "intertwine/error.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "representations/irreducible/found_irreducibles.hpp"

namespace intertwine {

namespace {

IrreducibleForms::Entry entry(IrreducibleRepresentation R, const CharacterTable& table, BaseField over) {
  IrreducibleForm form = over == BaseField::real       ? real_form(R, table)
                         : over == BaseField::rational ? rational_form(R, table)
                                                       : IrreducibleForm{{R.row}, 1, R.representation};
  return {std::move(R), std::move(form)};
}

}  // namespace

IrreducibleForm real_form(const IrreducibleRepresentation& R, const CharacterTable& table) {
  const int indicator = table.indicator(R.row);
  const Representation& V = R.representation;
  if (indicator == 1) {
    if (!V.field().is_real())
      throw LimitError(fmt::format("real_form: {} is real, but was realized over {} only", table.name(R.row),
                                   V.field().to_string()));
    return {{R.row}, 1, V};
  }
  const AbelianField F = V.field().real_subfield();
  return {conjugate_rows(table, R.row, automorphisms_over(V.field(), F)),
          indicator == 0 ? std::size_t{1} : std::size_t{2}, restriction_of_scalars(V, F)};
}

IrreducibleForm rational_form(const IrreducibleRepresentation& R, const CharacterTable& table) {
  const AbelianField K = AbelianField::generated_by(table.row(R.row));
  const Representation& V = R.representation;
  const std::size_t extension = V.field().degree() / K.degree();
  // Restricting scalars from a field of degree m over K, m the Schur index, gives what is irreducible over Q.
  if (extension != 1) {
    const SchurIndex known = schur_index(table, R.row);
    if (!known.undecided.empty() || known.index != extension)
      throw LimitError(
          fmt::format("rational_form: {} was realized over {}, of degree {} over the field {} of its values, "
                      "and its Schur index is {}",
                      table.name(R.row), V.field().to_string(), extension, K.to_string(),
                      known.undecided.empty() ? std::to_string(known.index) : "not known"));
  }
  return {conjugate_rows(table, R.row, K.automorphisms()), extension,
          V.field().is_rational() ? V : restriction_of_scalars(V, AbelianField())};
}

IrreducibleForms irreducible_forms(const CharacterTable& table, BaseField over, const Task& task) {
  FoundIrreducibles found = found_irreducibles(table, task);
  IrreducibleForms result{table, over, {}, std::move(found.missing)};
  for (auto& R : found.rows) {
    if (!R) continue;
    const std::size_t row = R->row;
    try {
      auto candidate = entry(std::move(*R), table, over);
      if (candidate.form.rows.front() == row) result.entries.push_back(std::move(candidate));
    } catch (const LimitError& refused) {
      result.missing.push_back({row, refused.what()});
    }
  }
  std::sort(result.missing.begin(), result.missing.end(),
            [](const MissingForm& a, const MissingForm& b) { return a.row < b.row; });
  return result;
}

IrreducibleForms irreducible_form(const CharacterTable& table, std::size_t k, BaseField over, const Task& task) {
  return {table, over, {entry(irreducible_representation(table, k, task), table, over)}, {}};
}

}  // namespace intertwine
