#include "io/json_values.hpp"

namespace intertwine {

OrderedJson json_value(const Cyclotomic& a) {
  if (a.is_rational()) return to_string(a);
  OrderedJson terms = OrderedJson::array();
  for (const auto& [exponent, c] : a.terms()) terms.push_back(OrderedJson::array({to_string(c), exponent}));
  return {{"n", a.conductor()}, {"c", std::move(terms)}};
}

OrderedJson json_value(const Partition& lambda) { return lambda.parts(); }

OrderedJson json_value(const FieldMatrix& A) {
  OrderedJson rows = OrderedJson::array();
  for (std::size_t i = 0; i < A.rows(); ++i) {
    OrderedJson row = OrderedJson::array();
    for (std::size_t j = 0; j < A.cols(); ++j) row.push_back(json_value(A(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

OrderedJson json_value(const std::vector<Integer>& numbers) {
  OrderedJson list = OrderedJson::array();
  for (const Integer& a : numbers) list.push_back(to_string(a));
  return list;
}

}  // namespace intertwine
