// The engine behind tensor products, decomposition and restriction.
#pragma once
#include <vector>

#include "intertwine/reductive/weight_character.hpp"

namespace intertwine::detail {

/// The sum over the terms L(lambda) of a and all weights mu of b of +-L(nu), nu + rho in the orbit of lambda + mu + rho. No
/// coefficient of the answer exceeds `bound` in absolute value.
std::vector<WeightTerm> multiply_by_weights(const RootSystem& R, const std::vector<WeightTerm>& a,
                                            const std::vector<WeightTerm>& b, const Integer& bound, const Task& task);

}  // namespace intertwine::detail
