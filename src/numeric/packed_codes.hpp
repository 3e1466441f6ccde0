// Codes where they lie, and in the order in which products read them.
#pragma once
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "numeric/kernels.hpp"
#include "numeric/plan.hpp"

namespace intertwine::numeric_detail {

/// Codes, row-major, in the table that they came from or in memory of the pattern's own.
using CodeView =
    std::variant<std::span<const std::uint8_t>, std::span<const std::uint16_t>, std::span<const std::uint32_t>>;

/// Columns [from, to) of `count` rows of one-byte codes, `stride` apart, turned: row r goes to lane r of [to - from][kernels::panel]. Lanes
/// from `count` on get code 0.
void turn_codes(const std::uint8_t* codes, std::uint64_t stride, std::uint64_t count, std::uint64_t from,
                std::uint64_t to, std::uint8_t* out);
/// Rows [from, to) of `count` columns of codes, as [to - from][kernels::panel]: what turn_codes() gives of the transpose.
void copy_codes(const std::uint8_t* codes, std::uint64_t stride, std::uint64_t count, std::uint64_t from,
                std::uint64_t to, std::uint8_t* out);

/// Panels [first, first + count) of the rows of a row-major array, or of its columns: the codes of input j of panel p begin at
/// ((p - first) * inputs + j) * kernels::panel.
std::vector<std::uint8_t> pack_codes(std::span<const std::uint8_t> codes, std::uint64_t rows, std::uint64_t cols,
                                     bool transpose, std::uint64_t first, std::uint64_t count);

}  // namespace intertwine::numeric_detail
