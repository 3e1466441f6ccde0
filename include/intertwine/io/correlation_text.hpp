// Representations of point groups, asked in words, by their species.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "intertwine/physics/point_group_table.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// How often every species of a point group is in a representation of it: the name of a species, or an expression such as harmonic(2).
/// \throws as parse_representation; DomainError if it is not real
std::vector<std::uint64_t> species_of(const PointGroupTable& table, const std::string& rep, const Task& task = {});

}  // namespace intertwine
