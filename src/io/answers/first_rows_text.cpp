// Writes symmetry-adapted bases by first rows.
#include "intertwine/io/records.hpp"
#include "intertwine/representations/first_rows.hpp"

#include <fmt/format.h>

#include "io/answers/indicator_text.hpp"
#include "io/answers/json_values.hpp"
#include "io/answers/number_arrays.hpp"
#include "io/answers/record_parts.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

std::string text_of(const SymmetryAdaptedBasis& basis) {
  std::string text = fmt::format("{} of {}: dimension {}, first rows over the {} numbers\n", basis.representation,
                                 basis.group, basis.dimension, to_string(basis.over));
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

void write_fields(JsonWriter& json, const SymmetryAdaptedBasis& basis) {
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

AnswerArrays arrays_of(const SymmetryAdaptedBasis& basis, const Task& task) {
  AnswerArrays answer{{},
                      described({{"group", basis.group},
                                 {"rep", basis.representation},
                                 {"over", to_string(basis.over)},
                                 {"dimension", std::to_string(basis.dimension)}})};
  std::vector<std::int64_t> degrees, multiplicities, indicators;
  OrderedJson names = basis.names;
  for (const FirstRows& part : basis.components) {
    const SparseColumns& X = part.basis;
    const std::size_t k = degrees.size() + 1;
    Numbers values(X.value.size(), task);
    for (const Cyclotomic& a : X.value) values.add(a);
    answer.arrays.push_back({fmt::format("data.{}", k), {X.value.size()}, std::move(values).over(X.field.is_real())});
    answer.arrays.push_back(
        {fmt::format("indices.{}", k), {X.row.size()}, std::vector<std::int64_t>(X.row.begin(), X.row.end())});
    answer.arrays.push_back(
        {fmt::format("indptr.{}", k), {X.starts.size()}, std::vector<std::int64_t>(X.starts.begin(), X.starts.end())});
    degrees.push_back(static_cast<std::int64_t>(part.degree));
    multiplicities.push_back(static_cast<std::int64_t>(part.multiplicity));
    indicators.push_back(part.indicator);
  }
  const std::uint64_t count = degrees.size();
  answer.arrays.push_back({"degrees", {count}, std::move(degrees)});
  answer.arrays.push_back({"multiplicities", {count}, std::move(multiplicities)});
  answer.arrays.push_back({"indicators", {count}, std::move(indicators)});
  answer.metadata.emplace("irreps", json_text(names, -1));
  answer.several = "a sparse matrix of every component";
  return answer;
}

}  // namespace

Record record(Kept<SymmetryAdaptedBasis> basis) {
  return {.fields = piecewise([=](JsonWriter& json) { write_fields(json, *basis); }),
          .text = [=](unsigned, const Task&) { return text_of(*basis); },
          .arrays = [=](const Task& task) { return arrays_of(*basis, task); }};
}

}  // namespace intertwine
