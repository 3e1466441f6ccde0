#include "layer_file.hpp"

#include "intertwine/io/sparse_table_file.hpp"
#include "intertwine/io/table_file.hpp"

namespace intertwine::app {

LayerTable read_layer_table(const std::string& file, const Task& task) {
  if (table_kind(file) == TableKind::sparse_basis) return read_sparse_table(file, nullptr, task);
  return read_table(file, task);
}

}  // namespace intertwine::app
