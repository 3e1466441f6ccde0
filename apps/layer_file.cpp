#include "layer_file.hpp"

#include "intertwine/equivariant/isotypic_form.hpp"
#include "intertwine/io/sparse_table_file.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/io/verify_table.hpp"

namespace intertwine::app {

namespace {

const TableHeader& header_of(const TiedTable& table) { return table.header; }
const SparseTable& header_of(const SparseTable& table) { return table; }

}  // namespace

LayerTable read_layer_table(const std::string& file, const Task& task) {
  if (table_kind(file) == TableKind::sparse_basis) return read_sparse_table(file, nullptr, task);
  return read_table(file, task);
}

IsotypicDecomposition decomposition_of(const LayerTable& table, const Task& task) {
  const TableClaim claim = std::visit(
      [&](const auto& t) {
        return read_table_claim(header_of(t).metadata, header_of(t).rows, header_of(t).cols, task);
      },
      table);
  const IsotypicForm form = isotypic_form(claim.in, claim.out, character_table(claim.group, task), task);
  std::vector<IsotypicBlock> blocks;
  for (const RealConstituent& part : form.constituents)
    blocks.push_back(
        {static_cast<EndomorphismRing>(part.division), part.degree, part.copies_out, part.copies_in});
  return {std::move(blocks), form.T_out, form.T_in};
}

}  // namespace intertwine::app
