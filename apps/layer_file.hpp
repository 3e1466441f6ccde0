// What the commands that run layers read.
#pragma once
#include "intertwine/numeric/equivariant_linear.hpp"
#include "intertwine/numeric/isotypic.hpp"
#include "intertwine/tables/weight_table.hpp"
#include "intertwine/task.hpp"

namespace intertwine::app {

/// The layer of a table with its isotypic form as well: the one that the table has, or that of the group and the
/// representations which it names. \throws as with_isotypic_form
template <class T>
EquivariantLinear<T> with_isotypic_layer(const EquivariantLinear<T>& layer, const WeightTable& table,
                                         const Task& task);

extern template EquivariantLinear<float> with_isotypic_layer(const EquivariantLinear<float>&,
                                                             const WeightTable&, const Task&);
extern template EquivariantLinear<double> with_isotypic_layer(const EquivariantLinear<double>&,
                                                              const WeightTable&, const Task&);

}  // namespace intertwine::app
