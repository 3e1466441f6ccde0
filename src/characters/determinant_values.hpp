// Determinants of characters on some classes alone.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The values of determinant(f) on these classes, which cost the orders of their elements. \throws as determinant
std::vector<Cyclotomic> determinant_values(const ClassFunction& f, std::span<const std::size_t> classes,
                                           const Task& task);

}  // namespace intertwine
