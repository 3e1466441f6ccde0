// Decompositions of representations by characters.
#include "intertwine/representations/decomposition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "intertwine/characters/conjugates.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

constexpr std::pair<BaseField, const char*> fields[] = {
    {BaseField::complex, "complex"}, {BaseField::real, "real"}, {BaseField::rational, "rational"}};

}  // namespace

std::string to_string(BaseField field) {
  return std::find_if(std::begin(fields), std::end(fields), [&](const auto& f) { return f.first == field; })->second;
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

namespace {

/// Characters to what is irreducible over R or Q. \throws LimitError if a Schur index is not decided.
void apply_indices(std::vector<Constituent>& parts, const CharacterTable& table, BaseField over, const Task& task) {
  if (over == BaseField::complex) return;
  std::vector<std::size_t> rows;
  for (const Constituent& part : parts) rows.push_back(part.irreps.front());
  std::vector<SchurIndex> indices;
  if (over == BaseField::rational) {
    indices = schur_indices(table, rows, task);
  } else {
    for (const std::size_t row : rows) {
      const std::uint32_t real = table.indicator(row) == -1 ? 2 : 1;
      indices.push_back({real, real, {}, {}});
    }
  }
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (!indices[k].undecided.empty())
      throw LimitError(
          fmt::format("decompose: the Schur index of {} at the prime {} is not decided; decompose over the "
                      "real or complex numbers",
                      table.name(rows[k]), indices[k].undecided.front().prime));
    Constituent& part = parts[k];
    part.index = std::move(indices[k]);
    if (part.multiplicity % part.index.index != 0)
      throw DomainError("decompose: " + table.name(rows[k]) + " occurs " + part.multiplicity.str() +
                        " times, which its Schur index does not divide; decompose over the complex numbers");
    part.degree *= part.index.index;
    part.multiplicity /= part.index.index;
  }
}

}  // namespace

std::vector<Constituent> decompose(const Representation& V, const CharacterTable& table, BaseField over,
                                   const Task& task) {
  if (over == BaseField::real && !V.field().is_real())
    throw DomainError("decompose: the representation is over " + V.field().to_string() +
                      ", which is not real; decompose it over the complex numbers, or take real(R)");
  if (over == BaseField::rational && !V.field().is_rational())
    throw DomainError("decompose: the representation is over " + V.field().to_string() +
                      ", which is not Q; decompose it over the real or complex numbers, or take rational(R)");
  return decompose(character_of(V, table, task), over, task);
}

std::vector<Constituent> decompose(const ClassFunction& f, BaseField over, const Task& task) {
  const CharacterTable& table = f.table();
  const auto all = multiplicities(f);
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
    Constituent part{conjugate_rows(table, i, conjugations), table.degree(i), all[i], {}};
    for (const std::size_t row : part.irreps) {
      done[row] = 1;
      if (all[row] != all[i])
        throw DomainError("decompose: the conjugate characters " + table.name(i) + " and " + table.name(row) +
                          " occur " + all[i].str() + " and " + all[row].str() +
                          " times; decompose over the complex numbers");
    }
    part.degree *= part.irreps.size();
    dimension += part.degree * part.multiplicity;
    result.push_back(std::move(part));
  }
  if (Cyclotomic(dimension) != f.degree())
    throw InternalError("decompose: the dimensions of the constituents do not add up");
  apply_indices(result, table, over, task);
  return result;
}

}  // namespace intertwine
