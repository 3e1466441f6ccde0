#include "layer_file.hpp"

#include "intertwine/error.hpp"
#include "intertwine/io/table_file.hpp"

namespace intertwine::app {

TiedTable read_tied_table(const std::string& file, const std::string& command, const Task& task) {
  if (table_kind(file) == TableKind::sparse_basis)
    throw DomainError(file + " holds a general sparse basis, and " + command +
                      " applies tables of tied entries only; the library's SparseBasis materialises it");
  return read_table(file, task);
}

}  // namespace intertwine::app
