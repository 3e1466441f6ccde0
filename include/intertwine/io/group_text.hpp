// Writes the facts found out about a group.
#pragma once
#include <string>

#include "intertwine/groups/automorphism_group.hpp"
#include "intertwine/groups/group_report.hpp"
#include "intertwine/io/json_writer.hpp"

namespace intertwine {

/// Lines for people; generators longer than 200 letters are cut.
std::string to_text(const GroupReport& report);
/// A JSON object; what was not decided is null.
std::string to_json(const GroupReport& report);

/// Lines for people: the order, how many orbits have which length, and all generators in cycles, cut like those of a group.
std::string to_text(const Automorphisms& found);
/// The members "degree", "order", "orbits" (lists of points from 0) and "generators" (cycles): a group file.
void write_json(JsonWriter& json, const Automorphisms& found);
std::string to_json(const Automorphisms& found);

}  // namespace intertwine
