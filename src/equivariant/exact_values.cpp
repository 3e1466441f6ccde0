// The exact numbers of weight tables.
#include "intertwine/equivariant/exact_values.hpp"

#include <fmt/format.h>

#include <cmath>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

DomainError not_real(const AbelianField& field) {
  return DomainError("the values of the basis are in " + field.to_string() +
                     ", which is not real; take the real forms of the representations: real(R)");
}

void set_integral_values(SparseElements& elements, const IntegerMatrix& values) {
  if (values.height() > max_exact_double) {
    std::vector<std::string> texts;
    for (std::size_t e = 0; e < values.cols(); ++e) texts.push_back(values(0, e).str());
    return set_integers(elements, texts);
  }
  elements.exact = {};
  elements.value.clear();
  elements.value.reserve(values.cols());
  for (std::size_t e = 0; e < values.cols(); ++e)
    elements.value.push_back(static_cast<double>(values(0, e).convert_to<std::int64_t>()));
}

}  // namespace

Cyclotomic value_of(const AbelianField& field, const IntegerMatrix& coordinates, std::size_t e) {
  std::vector<Rational> list;
  for (std::size_t c = 0; c < coordinates.rows(); ++c) list.emplace_back(coordinates(c, e));
  return field.element(list);
}

std::vector<double> real_values(const AbelianField& field, const IntegerMatrix& coordinates) {
  if (!field.is_real()) throw not_real(field);
  std::vector<double> values;
  for (std::size_t e = 0; e < coordinates.cols(); ++e) {
    const Cyclotomic value = value_of(field, coordinates, e);
    values.push_back(value.to_complex().real());
    if (!std::isfinite(values.back())) throw LimitError("a value of the basis is too large for a double");
  }
  return values;
}

AbelianField field_of(const ExactValues& exact) {
  if (exact.generator.empty()) return {};
  const auto refuse = [&](const std::string& why) {
    return DomainError(fmt::format("the field_generator \"{}\" {}", exact.generator.substr(0, 80), why));
  };
  if (exact.generator.size() > 10'000) throw refuse("is too long");
  Cyclotomic generator;
  try {
    generator = parse_cyclotomic(exact.generator);
  } catch (const Error&) {
    throw refuse("is no cyclotomic number");
  }
  if (generator.conductor() > 10'000) throw refuse("has a conductor above 10000");
  const AbelianField field = AbelianField::generated_by({&generator, 1});
  if (field.is_rational() || field.generator() != generator || !field.is_real())
    throw refuse("is not the generator of a real field larger than Q as this program chooses it");
  if (exact.degree != 1 && exact.degree != field.degree())
    throw refuse(fmt::format("generates a field of degree {}, and the values have {} coordinates", field.degree(),
                             exact.degree));
  return field;
}

IntegerMatrix coordinates_of(const SparseElements& elements, std::size_t first, std::size_t count) {
  const ExactValues& exact = elements.exact;
  IntegerMatrix out(exact.degree, count);
  for (std::size_t e = 0; e < count; ++e) {
    if (exact.large.contains(first + e)) {
      out.set(0, e, Integer(exact.large.at(first + e)));
      continue;
    }
    if (exact.coordinates.empty()) out.set(0, e, static_cast<long>(elements.value[first + e]));
    for (std::size_t c = 0; c < exact.degree && !exact.coordinates.empty(); ++c)
      out.set(c, e, static_cast<long>(exact.coordinates[c * elements.value.size() + first + e]));
  }
  return out;
}

void set_exact_values(SparseElements& elements, const AbelianField& field, const IntegerMatrix& coordinates) {
  if (field.is_rational()) return set_integral_values(elements, coordinates);
  if (!field.is_real()) throw not_real(field);
  elements.value = real_values(field, coordinates);
  elements.exact = {field.to_string(), to_string(field.generator()), field.degree(), {}, {}};
  const Integer bound = Integer(1) << 62;
  if (coordinates.cols() == 0) return;
  for (std::size_t c = 0; c < coordinates.rows(); ++c)
    for (std::size_t e = 0; e < coordinates.cols(); ++e) {
      const Integer x = coordinates(c, e);
      if (abs(x) > bound)
        throw LimitError(fmt::format("entry {} has the coordinate {} in {}, and tables hold coordinates up to 2^62", e,
                                     x.str(), field.to_string()));
      elements.exact.coordinates.push_back(x.convert_to<std::int64_t>());
    }
}

WeightPattern sparse_pattern(const IntertwinerSpace& space) {
  WeightPattern pattern{space.rows(), space.cols(), space.params(), {}};
  SparseElements& elements = pattern.entries.emplace<SparseElements>();
  elements.start.assign(space.start().begin(), space.start().end());
  elements.row.assign(space.row().begin(), space.row().end());
  elements.col.assign(space.col().begin(), space.col().end());
  set_exact_values(elements, space.field(), space.values());
  return pattern;
}

}  // namespace intertwine
