// Generators of ideals of number fields.
#pragma once
#include <vector>

#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A generator of an ideal, Z^m as a module over the integers of K, shortest in this form; where none is among the small combinations of the basis, a number
/// of it that generates one of small index.
/// \param integers  the multiplications by a basis of the integers of K; `by_generator` the one by a
/// \param form      inner products of the basis, which is reduced for it
IntegerMatrix ideal_generator(const std::vector<IntegerMatrix>& integers, const IntegerMatrix& by_generator,
                              const IntegerMatrix& form, const AbelianField& K, const Task& task);

}  // namespace intertwine
