// Sparse elimination modulo a prime.
#pragma once
#include <cstdint>
#include <map>
#include <utility>

#include "intertwine/exact/prime_field.hpp"

namespace intertwine {

/// The rank of rows that come one at a time. The field has to outlive it.
class SparseRank {
 public:
  using Row = std::map<std::uint64_t, PrimeField::Element>;
  explicit SparseRank(const PrimeField& field) : field_(field) {}

  std::size_t rank() const { return pivots_.size(); }

  /// False if the row, without zeros, depends on those before.
  bool insert(Row row) {
    while (!row.empty()) {
      const auto [place, value] = *row.begin();
      const auto pivot = pivots_.find(place);
      if (pivot == pivots_.end()) {
        const PrimeField::Element scale = field_.inverse(value);
        for (auto& [at, x] : row) x = field_.multiply(scale, x);
        pivots_.emplace(place, std::move(row));
        return true;
      }
      const PrimeField::Element minus = field_.negative(value);
      for (const auto& [at, x] : pivot->second) {
        const auto [entry, fresh] = row.try_emplace(at, 0);
        entry->second = field_.add(entry->second, field_.multiply(minus, x));
        if (entry->second == 0) row.erase(entry);
      }
    }
    return false;
  }

 private:
  const PrimeField& field_;
  std::map<std::uint64_t, Row> pivots_;
};

}  // namespace intertwine
