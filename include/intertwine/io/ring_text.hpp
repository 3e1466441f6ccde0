// Partitions, numbers and sums of partitions as JSON: pretty-printed values without a newline at the end, in which
// integers and rationals are strings.
#pragma once
#include <string>
#include <vector>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/combinatorics/symmetric_algebra.hpp"
#include "intertwine/exact/cyclotomic.hpp"

namespace intertwine {

/// The list of the parts.
std::string to_json(const Partition& lambda);
/// A plain string if rational, else {"n": N, "c": [[coefficient, exponent], ...]}.
std::string to_json(const Cyclotomic& a);
std::string to_json(const std::vector<Cyclotomic>& numbers);

}  // namespace intertwine
