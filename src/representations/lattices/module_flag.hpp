// Modules over the integers of a number field as flags of submodules with short quotients.
#pragma once
#include <vector>

#include "intertwine/exact/matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Z^r, r = d m, as a module over the integers O of a field of degree m: d - 1 vectors whose span over O is free with them as a basis and a direct
/// summand, and the quotient by it, an ideal.
struct ModuleFlag {
  IntegerMatrix vectors;  ///< d - 1 rows
  IntegerMatrix last;     ///< m rows: their images are a basis of the quotient
  IntegerMatrix
      form;  ///< inner products of the parts of these that are orthogonal to the span, times a number and rounded
  std::vector<IntegerMatrix> actions;  ///< the multiplications on the quotient, in the basis of these images
};

/// One after the other, a short vector of the quotient by the span of those before that generates a direct summand of it is taken; what is left is
/// reduced as a lattice again. Every step is exact; floating point numbers choose it. Where they do not suffice, numbers outgrow words, or no such vector is
/// found among the reduced basis and sums of two of it, the vectors are fewer than d - 1 and `last` is empty.
///
/// \par Cost    operations on words, some r^3 m
/// \param gram     inner products of the unit vectors, by which they are to be short
/// \param actions  the multiplications by a basis of O: unit vector i is taken to row i
ModuleFlag module_flag(const IntegerMatrix& gram, const std::vector<IntegerMatrix>& actions, const Task& task);

}  // namespace intertwine
