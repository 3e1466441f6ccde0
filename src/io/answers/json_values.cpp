// Values as JSON.
#include "io/answers/json_values.hpp"

namespace intertwine {

OrderedJson json_value(const Cyclotomic& a) {
  if (a.is_rational()) return to_string(a);
  OrderedJson terms = OrderedJson::array();
  for (const auto& [exponent, c] : a.terms()) terms.push_back(OrderedJson::array({to_string(c), exponent}));
  return {{"n", a.conductor()}, {"c", std::move(terms)}};
}

OrderedJson json_value(const Partition& lambda) { return lambda.parts(); }

namespace {

OrderedJson json_row(const FieldMatrix& A, std::size_t i) {
  OrderedJson row = OrderedJson::array();
  for (std::size_t j = 0; j < A.cols(); ++j) row.push_back(json_value(A(i, j)));
  return row;
}

}  // namespace

OrderedJson json_value(const FieldMatrix& A) {
  OrderedJson rows = OrderedJson::array();
  for (std::size_t i = 0; i < A.rows(); ++i) rows.push_back(json_row(A, i));
  return rows;
}

OrderedJson json_value(const Integer& n) { return to_string(n); }

OrderedJson json_value(const SchurIndex& index) {
  const auto by_prime = [](const std::vector<LocalIndex>& list) {
    OrderedJson json = OrderedJson::object();
    for (const LocalIndex& local : list) json[std::to_string(local.prime)] = local.index;
    return json;
  };
  OrderedJson json{{"index", index.index}, {"real", index.real}, {"finite", by_prime(index.finite)}};
  if (!index.undecided.empty()) json["undecided"] = by_prime(index.undecided);
  return json;
}

OrderedJson json_value(const std::optional<DivisionAlgebra>& algebra) {
  if (!algebra) return nullptr;
  return {{"dimension", json_value(algebra->over_centre)}, {"over_rationals", json_value(algebra->over_rationals)}};
}

OrderedJson json_value(const Permutation& g) { return g.to_string(); }

void write_member(JsonWriter& json, std::string_view key, const OrderedJson& value) {
  json.key(key).value(json_text(value));
}

void write_rows(JsonWriter& json, const FieldMatrix& A) {
  json.open_list();
  for (std::size_t i = 0; i < A.rows(); ++i) json.value(json_text(json_row(A, i), -1));
  json.close();
}

}  // namespace intertwine
