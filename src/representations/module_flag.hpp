// Modules over the integers of a number field as flags of submodules with short quotients.
#pragma once
#include <optional>
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
/// reduced as a lattice again. Every step is exact; floating point numbers choose it. Nothing where they do not suffice, or no such vector is found
/// among the reduced basis and sums and differences of two of it.
///
/// \par Cost    operations on words, some r^3 m
/// \param gram     inner products of the unit vectors in a form for which multiplication by a number and by its conjugate are adjoint
/// \param actions  the multiplications by a basis of O: unit vector i is taken to row i
std::optional<ModuleFlag> module_flag(const IntegerMatrix& gram, const std::vector<IntegerMatrix>& actions,
                                      const Task& task);

}  // namespace intertwine
