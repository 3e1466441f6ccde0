// The conjugates of characters under automorphisms of fields.
#include "intertwine/characters/conjugates.hpp"

#include <algorithm>
#include <numeric>

#include "intertwine/error.hpp"

namespace intertwine {

std::vector<std::uint32_t> automorphisms_over(const AbelianField& L, const AbelianField& F) {
  std::vector<std::uint32_t> fixing;
  for (const std::uint32_t k : L.automorphisms())
    if (F.generator().galois_conjugate(k) == F.generator()) fixing.push_back(k);
  return fixing;
}

std::vector<std::size_t> conjugate_rows(const CharacterTable& table, std::size_t i,
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
