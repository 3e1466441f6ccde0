// The metadata of a weight table: where it comes from and what is proved of it (docs/formats.md).
#pragma once
#include <map>
#include <string>

#include "intertwine/equivariant/equivariant_basis.hpp"

namespace intertwine {

/// \param field  of the entries
std::map<std::string, std::string> table_metadata(const HomBasis& weights, const HomBasis& bias,
                                                  const AbelianField& field);

}  // namespace intertwine
