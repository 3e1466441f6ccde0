// Values of the library as JSON, for the writers of answers.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/exact/field_matrix.hpp"

namespace intertwine {

/// Keys stay in the order in which they are written.
using OrderedJson = nlohmann::ordered_json;

/// A plain string if rational, else {"n": N, "c": [[coefficient, exponent], ...]}.
OrderedJson json_value(const Cyclotomic& a);
/// A list of the parts.
OrderedJson json_value(const Partition& lambda);
/// A list of rows of numbers.
OrderedJson json_value(const FieldMatrix& A);
/// Integers and rationals are strings: they may be too large for readers of JSON.
OrderedJson json_value(const std::vector<Integer>& numbers);

}  // namespace intertwine
