// The coefficients of kernels on R^n, under whatever group.
#pragma once
#include <cstddef>
#include <cstdint>

#include "intertwine/equivariant/point_kernels.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/lie/steerable_kernels.hpp"

namespace intertwine {

inline std::size_t number_of_kernels(const SteerableKernels::Degree& part) { return part.kernels.size(); }
inline std::size_t number_of_kernels(const PointKernels::Degree& part) { return part.kernels.params(); }

/// Calls it with the number of the monomial, i dim V + j for entry (i, j), and the coefficient of kernel k.
template <class Call>
void each_term(const SteerableKernels::Degree& part, std::size_t k, Call call) {
  for (const auto& e : part.kernels[k].entries())
    call(static_cast<std::size_t>(e.row), std::uint64_t{e.col}, Cyclotomic(e.value));
}
template <class Call>
void each_term(const PointKernels::Degree& part, std::size_t k, Call call) {
  const IntertwinerSpace& kernels = part.kernels;
  for (std::uint64_t e = kernels.start()[k]; e < kernels.start()[k + 1]; ++e)
    call(std::size_t{kernels.row()[e]}, std::uint64_t{kernels.col()[e]}, kernels.value(e));
}

}  // namespace intertwine
