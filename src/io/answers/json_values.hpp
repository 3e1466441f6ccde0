// Values of the library as JSON, for the writers of answers.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/characters/schur_index.hpp"
#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/io/json_writer.hpp"

namespace intertwine {

/// Keys stay in the order in which they are written.
using OrderedJson = nlohmann::ordered_json;

/// A plain string if rational, else {"n": N, "c": [[coefficient, exponent], ...]}.
OrderedJson json_value(const Cyclotomic& a);
/// A list of the parts.
OrderedJson json_value(const Partition& lambda);
/// A list of rows of numbers.
OrderedJson json_value(const FieldMatrix& A);
/// A string, as all integers and rationals are: they may be too large for readers of JSON.
OrderedJson json_value(const Integer& n);
/// {"index", "real", "finite": {"2": 2, ...}, "undecided": {"3": bound, ...}}, the latter only if there are some.
OrderedJson json_value(const SchurIndex& index);
OrderedJson json_value(const std::optional<DivisionAlgebra>& algebra);  ///< null for none
/// Cycles.
OrderedJson json_value(const Permutation& g);

template <class T>
OrderedJson json_value(const std::vector<T>& items) {
  OrderedJson list = OrderedJson::array();
  for (const T& item : items) list.push_back(json_value(item));
  return list;
}

/// A member of the object that is open.
void write_member(JsonWriter& json, std::string_view key, const OrderedJson& value);
/// A list of lists as json_value() has it, of which one row is held at a time.
void write_rows(JsonWriter& json, const FieldMatrix& A);

/// A list of what `item` makes of each element, of which one is held at a time.
template <class List, class Item>
void write_list(JsonWriter& json, const List& elements, Item item) {
  json.open_list();
  for (const auto& element : elements) json.value(json_text(OrderedJson(item(element))));
  json.close();
}

}  // namespace intertwine
