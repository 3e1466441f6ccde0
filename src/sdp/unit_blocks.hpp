// The blocks of a problem with diagonal ones as blocks of size 1.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "intertwine/sdp/semidefinite_problem.hpp"

namespace intertwine::sdp {

struct UnitBlocks {
  std::vector<std::uint32_t> first, size;  ///< of every unit: its first row, and how many it has
  std::vector<char> diagonal;              ///< it is part of a diagonal block
  std::vector<std::uint32_t> of_row;

  explicit UnitBlocks(std::span<const Block> blocks) {
    std::uint32_t row = 0;
    const auto add = [&](std::uint32_t count, bool is_diagonal) {
      of_row.insert(of_row.end(), count, static_cast<std::uint32_t>(first.size()));
      first.push_back(row);
      size.push_back(count);
      diagonal.push_back(is_diagonal ? 1 : 0);
      row += count;
    };
    for (const Block& block : blocks) {
      if (!block.diagonal) {
        if (block.size > 0) add(block.size, false);
        continue;
      }
      for (std::uint32_t i = 0; i < block.size; ++i) add(1, true);
    }
  }
};

}  // namespace intertwine::sdp
