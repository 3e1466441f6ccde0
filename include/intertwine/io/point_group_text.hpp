// Character tables of point groups as chemists print them: text, Markdown, HTML, LaTeX, CSV, JSON.
#pragma once
#include <string>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/io/sheet.hpp"
#include "intertwine/physics/point_group_table.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// "x²-y²", "Rz", "x³-3xy²".
std::string to_string(const CartesianFunction& f);
/// "(x²-y², xy)"; "z" where there is only one.
std::string to_string(const FunctionSet& set);

/// Classes as columns, species as rows, then the functions: Real values are integers, square roots and 2cos72° about an axis,
/// (1+√5)/2 in icosahedral groups.
Sheet to_sheet(const PointGroupTable& table);
/// With a line above that names the group, unless the width is 0.
std::string to_text(const PointGroupTable& table, unsigned width = 80);
/// An array for a displayed formula.
std::string to_latex(const PointGroupTable& table);
/// A JSON object. Classes and rows refer to the table of `chartable` by `class` and `rows`.
std::string to_json(const PointGroupTable& table);

/// A JSON list of {"class", "number", "value"} in printed order: the name of a class, its column in the table of
/// `chartable`, and the value there.
std::string to_json(const ClassFunction& f, const Task& task = {});

}  // namespace intertwine
