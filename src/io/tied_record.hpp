// Tied tables as files hold them: kind signed-orbit.
#pragma once
#include <array>

#include "intertwine/equivariant/tied_table.hpp"
#include "table_record.hpp"

namespace intertwine {

inline constexpr std::string_view weight_code_name = "weight.code";
inline constexpr std::string_view orbit_size_name = "weight.orbit_size";
inline constexpr std::string_view bias_code_name = "bias.code";
inline constexpr std::array tied_array_names = {weight_code_name, orbit_size_name, bias_code_name};

/// The arrays in the order of the data section. Their contents point into the header; those of weight.code come
/// later.
std::vector<PlannedArray> planned_arrays(const TableHeader& header);

/// \throws DomainError if the parts of the header disagree; LimitError if it is too large for the format.
void require_consistent(const TableHeader& header);

/// Every key of the file with its prefix, without the digest.
Metadata file_metadata(const TableHeader& header);

/// The header that the metadata states, without orbit_size and bias_code. \throws FileError naming the file
/// `name`.
TableHeader header_from_metadata(const Metadata& metadata, const std::string& name);

}  // namespace intertwine
