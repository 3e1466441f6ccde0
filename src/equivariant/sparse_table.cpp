#include "intertwine/equivariant/sparse_table.hpp"

#include <cmath>

#include "intertwine/error.hpp"

namespace intertwine {

Cyclotomic value_of(const AbelianField& field, const IntegerMatrix& coordinates, std::size_t e) {
  std::vector<Rational> list;
  for (std::size_t c = 0; c < coordinates.rows(); ++c) list.emplace_back(coordinates(c, e));
  return field.element(list);
}

std::vector<double> real_values(const AbelianField& field, const IntegerMatrix& coordinates) {
  if (!field.is_real())
    throw DomainError("the values of the basis are in " + field.to_string() +
                      ", which is not real; take the real forms of the representations: real(R)");
  std::vector<double> values;
  for (std::size_t e = 0; e < coordinates.cols(); ++e) {
    const Cyclotomic value = value_of(field, coordinates, e);
    values.push_back(value.to_complex().real());
    if (!std::isfinite(values.back())) throw LimitError("a value of the basis is too large for a double");
  }
  return values;
}

}  // namespace intertwine
