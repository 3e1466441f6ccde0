// The container safetensors [https://huggingface.co/docs/safetensors]: 8 bytes of length, a JSON header, the
// arrays.
#pragma once
#include "byte_source.hpp"
#include "file_layout.hpp"

namespace intertwine {

/// \param metadata  with their prefix, see file_metadata()
/// \throws LimitError if the header would be larger than readers accept.
FileLayout safetensors_layout(const Metadata& metadata, const std::vector<PlannedArray>& arrays);

/// True if the first bytes of a file (9 or more) look like safetensors.
bool is_safetensors(std::string_view first_bytes);

/// \throws FileError. The arrays tile the data section exactly, in the order in which they are returned.
StoredTable parse_safetensors(const ByteSource& source);

}  // namespace intertwine
