// What the automorphisms of fields make of characters.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/abelian_field.hpp"

namespace intertwine {

/// The automorphisms of L that fix F, the identity first.
inline std::vector<std::uint32_t> automorphisms_over(const AbelianField& L, const AbelianField& F) {
  std::vector<std::uint32_t> fixing;
  for (const std::uint32_t k : L.automorphisms())
    if (F.generator().galois_conjugate(k) == F.generator()) fixing.push_back(k);
  return fixing;
}

/// The rows of the table that automorphisms, of a field with the values in it, make of row i, increasing.
inline std::vector<std::size_t> conjugate_rows(const CharacterTable& table, std::size_t i,
                                               const std::vector<std::uint32_t>& automorphisms) {
  std::vector<std::size_t> rows{i};
  for (const std::uint32_t k : automorphisms) {
    std::vector<Cyclotomic> conjugate = table.row(i);
    for (Cyclotomic& value : conjugate) value = value.galois_conjugate(k);
    std::size_t row = 0;
    while (row < table.size() && table.row(row) != conjugate) ++row;
    if (row == table.size())
      throw InternalError("a conjugate of the character " + table.name(i) + " is missing");
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace intertwine
