// The metadata of a weight table: where it comes from and what is proved of it (docs/formats.md).
#pragma once
#include <map>
#include <string>

#include "intertwine/hom/equivariant_basis.hpp"

namespace intertwine::hom {

std::map<std::string, std::string> block_metadata(const Basis::Block& block, const Task& task);

}  // namespace intertwine::hom
