// Values of the library as JSON, for the writers of answers.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/exact/field_matrix.hpp"

namespace intertwine {

/// Keys stay in the order in which they are written.
using OrderedJson = nlohmann::ordered_json;

/// {"intertwine": VERSION, "command": name}: how every answer begins.
OrderedJson json_answer(const std::string& command);
/// The document with indentation, ended by a new line.
std::string json_text(const OrderedJson& json);

/// A plain string if rational, else {"n": N, "c": [[coefficient, exponent], ...]}.
OrderedJson json_value(const Cyclotomic& a);
/// A list of the parts.
OrderedJson json_value(const Partition& lambda);
/// A list of rows of numbers.
OrderedJson json_value(const FieldMatrix& A);
/// A string, as all integers and rationals are: they may be too large for readers of JSON.
OrderedJson json_value(const Integer& n);
/// Cycles.
OrderedJson json_value(const Permutation& g);

template <class T>
OrderedJson json_value(const std::vector<T>& items) {
  OrderedJson list = OrderedJson::array();
  for (const T& item : items) list.push_back(json_value(item));
  return list;
}

}  // namespace intertwine
