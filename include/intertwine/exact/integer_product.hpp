// Products of many numbers.
#pragma once
#include <vector>

#include "intertwine/exact/integer.hpp"

namespace intertwine {

/// The product of all factors, 1 of none: in pairs, so that numbers of one size meet and the time is nearly that of the result's digits.
Integer product_of(std::vector<Integer> factors);

}  // namespace intertwine
