// What the commands that run layers read.
#pragma once
#include <string>
#include <variant>

#include "intertwine/equivariant/sparse_table.hpp"
#include "intertwine/equivariant/tied_table.hpp"
#include "intertwine/numeric/equivariant_linear.hpp"
#include "intertwine/numeric/isotypic.hpp"
#include "intertwine/task.hpp"

namespace intertwine::app {

/// A table of either kind.
using LayerTable = std::variant<TiedTable, SparseTable>;

LayerTable read_layer_table(const std::string& file, const Task& task);

/// With parameters zero.
template <class T>
EquivariantLinear<T> layer_of(const LayerTable& table) {
  return std::visit([](const auto& t) { return EquivariantLinear<T>(t); }, table);
}

/// The isotypic decomposition of the group and the representations that the table names. \throws as read_table_claim,
/// character_table and isotypic_form
IsotypicDecomposition decomposition_of(const LayerTable& table, const Task& task);

/// The layer with its isotypic form as well.
template <class T>
EquivariantLinear<T> with_isotypic_form(const EquivariantLinear<T>& layer, const LayerTable& table,
                                        const Task& task) {
  return layer.with_decomposition(IsotypicMap(layer.weights(), decomposition_of(table, task)));
}

}  // namespace intertwine::app
