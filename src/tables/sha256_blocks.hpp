// The compression function of SHA-256: portable, and with the SHA instructions of x86.
#pragma once
#include <cstddef>
#include <cstdint>

namespace intertwine::sha256_detail {

/// Takes `count` blocks of 64 bytes into the state of eight words.
using Compress = void (*)(std::uint32_t* state, const std::byte* blocks, std::size_t count);

void compress_portable(std::uint32_t* state, const std::byte* blocks, std::size_t count);

/// The one with the SHA instructions; null where the processor has none.
Compress compress_with_instructions();

}  // namespace intertwine::sha256_detail
