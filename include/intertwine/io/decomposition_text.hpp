// Decompositions of representations of every kind of group as text and JSON. JSON is one object without a newline at
// the end; integers that may be large are strings in it.
#pragma once
#include <string>

#include "intertwine/hom/constituents.hpp"
#include "intertwine/hom/restriction.hpp"
#include "intertwine/io/json_writer.hpp"
#include "intertwine/io/sheet.hpp"
#include "intertwine/reductive/axial_character.hpp"

namespace intertwine {

/// "\\Sigma_{g}^{+}"
std::string to_latex(const AxialIrrep& irrep);

namespace hom {

/// {"group", "rep", "dimension", "over", "constituents": [{"irrep", "weight", "partition" or "factors", "degree",
/// "multiplicity", "indicator", "name"}]}, with "type" for groups that have highest weights, "lambda" for species of
/// linear molecules, and for finite groups with the change of basis where it was asked for. Over a product "factors" is
/// a list of {"weight", "partition" or "irrep", "degree", "indicator", "name"}.
std::string to_json(const Decomposition& d);
/// The members of that object. The change of basis is written row by row.
void write_json(JsonWriter& json, const Decomposition& d);
/// "27 + 10 + 10* + 2*8 + 1", and a line for every constituent: the label over every factor, the degree, the
/// multiplicity, the indicator and the name.
std::string to_text(const Decomposition& d, unsigned width = 80);
/// A line for every constituent.
Sheet to_sheet(const Decomposition& d);

/// {"from", "to", "rep", "dimension", "embedding", "matrix", "denominator", "terms"}, the terms as constituents above,
/// irreps from 0; the matrix takes weights to weights, where both groups have these.
std::string to_json(const Restriction& r);
std::string to_text(const Restriction& r, unsigned width = 80);
std::string to_latex(const Restriction& r);
Sheet to_sheet(const Restriction& r);

}  // namespace hom

}  // namespace intertwine
