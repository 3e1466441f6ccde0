// What the commands that run layers read.
#pragma once
#include <string>
#include <variant>

#include "intertwine/equivariant/sparse_table.hpp"
#include "intertwine/equivariant/tied_table.hpp"
#include "intertwine/numeric/equivariant_linear.hpp"
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

}  // namespace intertwine::app
