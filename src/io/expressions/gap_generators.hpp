// Generators of groups as files of GAP have them.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace intertwine {

/// The document of a group file for a text such as `gens := [(1,2,3), (1,2)];; G := Group(gens);`: permutations, or
/// matrices of numbers that GAP writes as 1/2 or E(3). The text makes one group, or has one list of generators.
/// \throws FileError naming the file and the line.
nlohmann::json group_document_of_gap(std::string_view text, const std::string& name);

}  // namespace intertwine
