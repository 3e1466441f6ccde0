// Enumerations of cosets that say when they grow large.
#pragma once
#include <cstdint>
#include <functional>
#include <span>

#include "intertwine/groups/presentation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A table that needs more rows is large.
constexpr std::uint64_t large_table = 1U << 18;

/// enumerate_cosets, with a question in between: `when_large` is called once before the table becomes large, and may
/// throw.
CosetTable enumerate_cosets(const Presentation& P, std::span<const Word> subgroup, std::uint64_t most,
                            const std::function<void()>& when_large, const Task& task);

}  // namespace intertwine
