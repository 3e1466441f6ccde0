#include "layer_file.hpp"

#include "intertwine/io/verify_table.hpp"

namespace intertwine::app {

template <class T>
EquivariantLinear<T> with_isotypic_layer(const EquivariantLinear<T>& layer, const WeightTable& table,
                                         const Task& task) {
  if (!table.isotypic) return with_isotypic_layer(layer, with_isotypic_form(table, task), task);
  const IsotypicBlocks& form = *table.isotypic;
  std::vector<IsotypicBlock> blocks;
  for (const auto& part : form.blocks)
    blocks.push_back(
        {static_cast<EndomorphismRing>(part.division), part.degree, part.copies_out, part.copies_in});
  return layer.with_decomposition(
      IsotypicMap(layer.weights(), IsotypicDecomposition(std::move(blocks), form.T_out, form.T_in)));
}

template EquivariantLinear<float> with_isotypic_layer(const EquivariantLinear<float>&, const WeightTable&,
                                                      const Task&);
template EquivariantLinear<double> with_isotypic_layer(const EquivariantLinear<double>&, const WeightTable&,
                                                       const Task&);

}  // namespace intertwine::app
