// Unpacks the data that deflate [RFC 1951] has compressed.
#pragma once
#include "byte_source.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The raw form is that of zip; the other has the head and the checksum of zlib [RFC 1950].
enum class Deflate { raw, zlib };

/// Deflate makes no more than 1032 bytes of one; a size beyond that is a lie that must not be believed.
inline bool can_inflate_to(std::uint64_t stored_bytes, std::uint64_t bytes) { return bytes / 1040 <= stored_bytes; }

/// Unpacks [offset, offset + stored_bytes) into `out`. False unless all of it is one stream that fills `out`.
bool inflate_into(std::span<std::byte> out, const ByteSource& source, std::uint64_t offset, std::uint64_t stored_bytes,
                  Deflate form, const Task& task);

}  // namespace intertwine
