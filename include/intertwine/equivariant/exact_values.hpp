// The exact numbers of a weight table: between its integers and text (tables/weight_block.hpp) and numbers to compute with.
#pragma once
#include <cstdint>
#include <vector>

#include "intertwine/equivariant/intertwiner_space.hpp"
#include "intertwine/exact/abelian_field.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/matrix.hpp"
#include "intertwine/tables/weight_block.hpp"

namespace intertwine {

/// The number with the coordinates in column e.
Cyclotomic value_of(const AbelianField& field, const IntegerMatrix& coordinates, std::size_t e);
/// The doubles nearest to the values with these coordinates. \throws DomainError unless the field is real; LimitError for a
/// value too large for a double.
std::vector<double> real_values(const AbelianField& field, const IntegerMatrix& coordinates);

/// The field that exact.generator generates. \throws DomainError unless that is the generator of a real field as this library
/// chooses it (AbelianField::generator()), of the stated degree.
AbelianField field_of(const ExactValues& exact);
/// f x count: the coordinates of the values from entry `first` on.
IntegerMatrix coordinates_of(const SparseElements& elements, std::size_t first, std::size_t count);
inline IntegerMatrix coordinates_of(const SparseElements& elements) {
  return coordinates_of(elements, 0, elements.value.size());
}
/// Sets the values and their exact numbers. \throws DomainError unless the field is real; LimitError for coordinates above
/// 2^62 in absolute value over a field that is not Q.
void set_exact_values(SparseElements& elements, const AbelianField& field, const IntegerMatrix& coordinates);

/// The elements of a space as a table has them. \throws as set_exact_values
WeightPattern sparse_pattern(const IntertwinerSpace& space);

}  // namespace intertwine
