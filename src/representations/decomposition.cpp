#include "intertwine/representations/decomposition.hpp"

#include "intertwine/error.hpp"

namespace intertwine {

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
    if (all[i] == 0 || done[i]) continue;
    Constituent part{i, i, table.degree(i), all[i]};
    if (over == BaseField::real && table.indicator(i) == 0) {
      const ClassFunction bar = ClassFunction::irreducible(table, i).conjugate();
      while (table.row(part.partner) != bar.values()) ++part.partner;
      done[part.partner] = 1;
      part.degree *= 2;
      if (all[part.partner] != all[i])
        throw InternalError("decompose: a conjugate pair of characters has different multiplicities");
    }
    if (over == BaseField::real && table.indicator(i) == -1) {
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
