// Symmetry-adapted bases by first rows as text, JSON and arrays.
#pragma once
#include <string>

#include "intertwine/io/answer_arrays.hpp"
#include "intertwine/io/json_writer.hpp"
#include "intertwine/representations/first_rows.hpp"

namespace intertwine {

/// A line for every component: the size of its block, the degree, the type, how many entries are not 0.
std::string to_text(const SymmetryAdaptedBasis& basis);
/// The members of {"group", "rep", "dimension", "over", "components": [{"irreps", "name", "field", "degree",
/// "multiplicity", "indicator", "columns": [[[row, value], ...], ...]}]}, rows from 0.
void write_json(JsonWriter& json, const SymmetryAdaptedBasis& basis);
std::string to_json(const SymmetryAdaptedBasis& basis);
/// For every component k, from 1, a matrix of compressed sparse columns: `indptr.k` and `indices.k` int64,
/// `data.k` float64, or complex128 where its field is not real; `degrees`, `multiplicities`, `indicators` int64
/// [components]. \throws LimitError through `task`
AnswerArrays to_arrays(const SymmetryAdaptedBasis& basis, const Task& task = {});

}  // namespace intertwine
