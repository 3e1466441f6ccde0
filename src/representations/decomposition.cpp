#include "intertwine/representations/decomposition.hpp"

#include <algorithm>
#include <utility>

#include "intertwine/error.hpp"
#include "representations/conjugates.hpp"

namespace intertwine {

namespace {

constexpr std::pair<BaseField, const char*> fields[] = {
    {BaseField::complex, "complex"}, {BaseField::real, "real"}, {BaseField::rational, "rational"}};

}  // namespace

std::string to_string(BaseField field) {
  return std::find_if(std::begin(fields), std::end(fields), [&](const auto& f) { return f.first == field; })
      ->second;
}

BaseField base_field(std::string_view name) {
  for (const auto& [field, known] : fields)
    if (name == known) return field;
  throw DomainError("the field is complex, real or rational");
}

std::string row_names(const CharacterTable& table, const std::vector<std::size_t>& rows) {
  std::string text;
  for (const std::size_t row : rows) text += (text.empty() ? "" : " + ") + table.name(row);
  return text;
}

ClassFunction character_of(const Representation& V, const CharacterTable& table, const Task& task) {
  if (!(V.group() == table.group()))
    throw DomainError("character_of: the representation belongs to " + V.group().name() + ", the table to " +
                      table.group().name());
  std::vector<Cyclotomic> values;
  for (std::size_t c = 0; c < table.size(); ++c) {
    task.poll();
    values.emplace_back(V.character(table.classes()[c].representative));
  }
  return {table, std::move(values)};
}

std::vector<Constituent> decompose(const Representation& V, const CharacterTable& table, BaseField over,
                                   const Task& task) {
  if (over == BaseField::real && !V.field().is_real())
    throw DomainError("decompose: the representation is over " + V.field().to_string() +
                      ", which is not real; decompose it over the complex numbers, or take real(R)");
  const auto all = multiplicities(character_of(V, table, task));
  std::vector<Constituent> result;
  std::vector<char> done(table.size(), 0);
  Integer dimension = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == 0 || done[i] != 0) continue;
    std::vector<std::uint32_t> conjugations{1};
    if (over != BaseField::complex) {
      const AbelianField K = AbelianField::generated_by(table.row(i));
      conjugations = automorphisms_over(K, over == BaseField::real ? K.real_subfield() : AbelianField());
    }
    Constituent part{conjugate_rows(table, i, conjugations), table.degree(i), all[i]};
    for (const std::size_t row : part.irreps) {
      done[row] = 1;
      if (all[row] != all[i])
        throw DomainError(
            "decompose: the conjugate characters " + table.name(i) + " and " + table.name(row) + " occur " +
            all[i].str() + " and " + all[row].str() +
            " times, so that the representation is not over the field asked for; ask for a larger one");
    }
    part.degree *= part.irreps.size();
    if (over != BaseField::complex && table.indicator(i) == -1) {
      if (part.multiplicity % 2 != 0)
        throw DomainError(
            "decompose: the quaternionic character " + table.name(i) + " occurs " + all[i].str() +
            " times, so that the representation is not over the field asked for; ask for a larger one");
      part.degree *= 2;
      part.multiplicity /= 2;
    }
    dimension += part.degree * part.multiplicity;
    result.push_back(std::move(part));
  }
  if (dimension != Integer(V.dimension()))
    throw InternalError("decompose: the dimensions of the constituents do not add up");
  return result;
}

}  // namespace intertwine
