// Irreducible representations over the real and the rational numbers.
#include <fmt/format.h>

#include <set>

#include "intertwine/error.hpp"
#include "intertwine/representations/irreducible.hpp"
#include "representations/conjugates.hpp"

namespace intertwine {

namespace {

AbelianField character_field(const CharacterTable& table, std::size_t row) {
  std::set<Cyclotomic> values;
  for (std::size_t c = 0; c < table.size(); ++c) values.insert(table(row, c));
  return AbelianField::generated_by(std::vector<Cyclotomic>(values.begin(), values.end()));
}

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
  const AbelianField K = character_field(table, R.row);
  const Representation& V = R.representation;
  const std::size_t extension = V.field().degree() / K.degree();
  // A real-valued character of indicator -1 has Schur index 2 [Brauer & Speiser]; an extension of degree 1 needs none.
  if (extension != 1 && !(extension == 2 && table.indicator(R.row) == -1))
    throw LimitError(fmt::format(
        "rational_form: the Schur index of {} is not known; it was realized over {}, its values lie in {}",
        table.name(R.row), V.field().to_string(), K.to_string()));
  return {conjugate_rows(table, R.row, K.automorphisms()), extension,
          V.field().is_rational() ? V : restriction_of_scalars(V, AbelianField())};
}

IrreducibleForms irreducible_forms(const CharacterTable& table, BaseField over, const Task& task) {
  IrreducibleForms result{table, over, {}};
  for (auto& R : irreducible_representations(table, task)) {
    const std::size_t row = R.row;
    auto candidate = entry(std::move(R), table, over);
    if (candidate.form.rows.front() == row) result.entries.push_back(std::move(candidate));
  }
  return result;
}

IrreducibleForms irreducible_form(const CharacterTable& table, std::size_t k, BaseField over,
                                  const Task& task) {
  return {table, over, {entry(irreducible_representation(table, k, task), table, over)}};
}

}  // namespace intertwine
