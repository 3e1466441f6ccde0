// A weight table with its patterns made ready for numbers: the handle that layers, plans and bindings share.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "intertwine/numeric/isotypic.hpp"
#include "intertwine/numeric/prepared_pattern.hpp"
#include "intertwine/tables/weight_block.hpp"

namespace intertwine {

/// Immutable, cheap to copy (copies share everything), safe to use from many threads. Codes that lie in memory are there once, for the
/// table, the patterns and every plan and layer made of them.
class PreparedTable {
 public:
  /// \throws DomainError as PreparedPattern; blocks of the isotypic form are looked at on first use.
  explicit PreparedTable(WeightBlock table, const Task& task = {});

  const WeightBlock& table() const;
  const PreparedPattern& weights() const;
  const PreparedPattern& bias() const;
  /// The map to the blocks of the isotypic form, made on first use; nothing if the table has none.
  /// \throws DomainError as IsotypicDecomposition and IsotypicMap
  const std::optional<IsotypicMap>& isotypic() const;
  /// digest() of the table, computed on first use and kept.
  const std::string& sha256() const;

 private:
  struct Data;
  std::shared_ptr<const Data> data_;
};

}  // namespace intertwine
