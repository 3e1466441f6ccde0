// Matrices of linear combinations of free components, in the answers about tensors and molecules.
#pragma once
#include <string>
#include <vector>

#include "intertwine/physics/component_form.hpp"
#include "io/answers/json_values.hpp"

namespace intertwine {

/// The entries of a row, "." where they are 0.
inline std::vector<std::string> component_cells(const ComponentForm& form, std::size_t row) {
  std::vector<std::string> cells;
  for (std::size_t j = 0; j < form.cols; ++j) {
    const std::string entry = form.entry(row, j);
    cells.push_back(entry == "0" ? "." : entry);
  }
  return cells;
}

/// "independent": the names of the free components; "matrix": every entry as an object, its coefficients by these names.
inline void put_components(const ComponentForm& form, OrderedJson& json) {
  json["independent"] = OrderedJson::array();
  for (const auto& [i, j] : form.independent) json["independent"].push_back(form.component(i, j));
  for (std::size_t i = 0; i < form.rows; ++i) {
    OrderedJson row = OrderedJson::array();
    for (std::size_t j = 0; j < form.cols; ++j) {
      OrderedJson entry = OrderedJson::object();
      for (std::size_t k = 0; k < form.independent.size(); ++k)
        if (const Cyclotomic c = form.coefficients(i * form.cols + j, k); !c.is_zero())
          entry[form.component(form.independent[k].first, form.independent[k].second)] = json_value(c);
      row.push_back(std::move(entry));
    }
    json["matrix"].push_back(std::move(row));
  }
}

}  // namespace intertwine
