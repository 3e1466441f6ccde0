// Closed forms of series with poles at roots of unity alone: numerator / prod (1 - t^d).
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "intertwine/exact/integer.hpp"

namespace intertwine::hilbert {

/// How often the cyclotomic polynomial Phi_m divides a denominator, by m.
using CyclotomicFactors = std::map<std::uint64_t, std::int64_t>;

/// Degrees d, such that prod Phi_m divides prod (1 - t^d): each factor takes care of the Phi_m with m | d, largest m
/// first.
std::vector<std::uint64_t> common_denominator(CyclotomicFactors need);

/// The largest degree that parameter_degrees tries for this number of them; 0 if it tries none.
std::uint64_t largest_parameter_tried(std::uint64_t count);
/// The `count` degrees of least product, like those of a homogeneous system of parameters, for which the numerator has
/// no negative coefficient. \param degree as numerator_of; at least count * largest_parameter_tried(count) + degree + 1
/// coefficients
/// \return nothing if there are none
std::vector<std::uint64_t> parameter_degrees(const CyclotomicFactors& need, const std::vector<Integer>& coefficients,
                                             std::uint64_t count, std::int64_t degree);

/// coefficients times prod (1 - t^d), up to the degree of the numerator, without zeros at the end.
/// \param degree  at least that of the series as a rational function; sum of the d + degree + 1 coefficients are
/// looked at
std::vector<Integer> numerator_of(const std::vector<Integer>& coefficients, const std::vector<std::uint64_t>& degrees,
                                  std::int64_t degree);

}  // namespace intertwine::hilbert
