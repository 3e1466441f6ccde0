// What the commands that run layers read.
#pragma once
#include <string>

#include "intertwine/equivariant/tied_table.hpp"
#include "intertwine/task.hpp"

namespace intertwine::app {

/// The tied table of a file. \throws DomainError saying that `command` does not apply general sparse bases, if the
/// file holds one.
TiedTable read_tied_table(const std::string& file, const std::string& command, const Task& task);

}  // namespace intertwine::app
