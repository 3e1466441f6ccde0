// The classes of a point group as chemists name and order them.
#pragma once
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/physics/point_group_table.hpp"

namespace intertwine {

/// The determinant of a 3 x 3 matrix.
Cyclotomic determinant_in_space(const FieldMatrix& R);
/// The matrices of the representatives of all classes in cartesian_representation.
std::vector<FieldMatrix> class_matrices(const CharacterTable& table, const Task& task);
/// The classes with their names, in the order of printed tables.
std::vector<PointGroupTable::Column> operation_columns(const CharacterTable& table,
                                                       const std::vector<FieldMatrix>& matrices);
/// The classes of a double group, from the table of its point group with the columns there.
std::vector<PointGroupTable::Column> double_columns(const CharacterTable& table, const CharacterTable& base,
                                                    const std::vector<PointGroupTable::Column>& columns,
                                                    const Task& task);

}  // namespace intertwine
