// The action of automorphisms of fields on characters.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
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
/// \par Cost  for each automorphism the columns until one row is left: tables are complete, so that it is the conjugate
inline std::vector<std::size_t> conjugate_rows(const CharacterTable& table, std::size_t i,
                                               const std::vector<std::uint32_t>& automorphisms) {
  std::vector<std::size_t> rows{i}, all(table.size());
  std::iota(all.begin(), all.end(), 0);
  for (const std::uint32_t k : automorphisms) {
    std::vector<std::size_t> left = all;
    for (std::size_t c = 0; c < table.size() && left.size() > 1; ++c) {
      const Cyclotomic value = table(i, c).galois_conjugate(k);
      std::erase_if(left, [&](std::size_t row) { return table(row, c) != value; });
    }
    if (left.empty()) throw InternalError("a conjugate of the character " + table.name(i) + " is missing");
    rows.push_back(left.front());
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace intertwine
