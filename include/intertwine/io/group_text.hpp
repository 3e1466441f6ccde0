// What is found out about a group, written.
#pragma once
#include <string>

#include "intertwine/groups/group_report.hpp"

namespace intertwine {

/// Lines for people; generators longer than 200 letters are cut.
std::string to_text(const GroupReport& report);
/// A JSON object; what was not decided is null.
std::string to_json(const GroupReport& report);

}  // namespace intertwine
