// Writes symmetry-adapted bases by first rows.
#include "intertwine/io/first_rows_text.hpp"

#include <fmt/format.h>

#include "io/containers/text.hpp"
#include "io/text/indicator_text.hpp"
#include "io/text/json_values.hpp"

namespace intertwine {

std::string to_text(const SymmetryAdaptedBasis& basis) {
  std::string text = fmt::format("{} of {}: dimension {}, first rows over the {} numbers\n",
                                 basis.representation, basis.group, basis.dimension, to_string(basis.over));
  if (basis.components.empty()) return text;
  Cells rows{{"block", "degree", "copies", "type", "entries", "field", "irrep"}};
  for (std::size_t k = 0; k < basis.components.size(); ++k) {
    const FirstRows& part = basis.components[k];
    rows.push_back({std::to_string(part.basis.columns()), std::to_string(part.degree),
                    std::to_string(part.multiplicity), indicator_text(part.indicator),
                    std::to_string(part.basis.row.size()), part.basis.field.to_string(), basis.names[k]});
  }
  return text + aligned(rows);
}

void write_json(JsonWriter& json, const SymmetryAdaptedBasis& basis) {
  write_member(json, "group", basis.group);
  write_member(json, "rep", basis.representation);
  write_member(json, "dimension", std::to_string(basis.dimension));
  write_member(json, "over", to_string(basis.over));
  json.key("components").open_list();
  for (std::size_t k = 0; k < basis.components.size(); ++k) {
    const FirstRows& part = basis.components[k];
    const SparseColumns& X = part.basis;
    json.open_object();
    write_member(json, "irreps", part.irreps);
    write_member(json, "name", basis.names[k]);
    write_member(json, "field", X.field.to_string());
    write_member(json, "degree", part.degree);
    write_member(json, "multiplicity", part.multiplicity);
    write_member(json, "indicator", part.indicator);
    json.key("columns").open_list();
    for (std::size_t a = 0; a < X.columns(); ++a) {
      OrderedJson column = OrderedJson::array();
      for (std::uint64_t e = X.starts[a]; e < X.starts[a + 1]; ++e)
        column.push_back({X.row[e], json_value(X.value[e])});
      json.value(json_text(column, -1));
    }
    json.close();
    json.close();
  }
  json.close();
}

std::string to_json(const SymmetryAdaptedBasis& basis) { return object_text(basis); }

}  // namespace intertwine
