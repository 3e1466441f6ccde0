// How far two names are apart, to offer the nearest known one.
#pragma once
#include <cstddef>
#include <string_view>

namespace intertwine {

/// The least number of insertions, deletions, changes and exchanges of neighbouring letters that turn one word into the
/// other, doubled; a letter in the wrong case counts 1. O(|a| |b|) time and memory.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace intertwine
