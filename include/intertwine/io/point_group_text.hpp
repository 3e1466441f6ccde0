// The functions and characters of point groups as chemists print them.
#pragma once
#include <string>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/physics/point_group_table.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// "x²-y²", "Rz", "x³-3xy²".
std::string to_string(const CartesianFunction& f);
/// "(x²-y², xy)"; "z" where there is only one.
std::string to_string(const FunctionSet& set);

/// A JSON list of {"class", "number", "value"} in printed order: the name of a class, its column in the table of
/// `chartable`, and the value there.
std::string to_json(const ClassFunction& f, const Task& task = {});

}  // namespace intertwine
