// Diagrams as matrices, entry by entry from their definition: what layers of diagrams are compared with.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "intertwine/tables/diagram_table.hpp"

/// The entry at an index for every axis, outputs first.
inline int diagram_entry(const intertwine::DiagramTable& table, const std::vector<intertwine::DiagramAxis>& axes,
                         std::span<const std::int32_t> word, const std::vector<std::uint64_t>& index,
                         const std::vector<std::uint64_t>& sizes) {
  std::map<std::pair<std::size_t, std::int32_t>, std::vector<std::size_t>> blocks;
  for (std::size_t a = 0; a < word.size(); ++a) blocks[{axes[a].letter, word[a]}].push_back(a);
  int value = 1;
  for (const auto& [label, list] : blocks) {
    const auto at = [&, &list = list](std::size_t k) { return index[list[k]]; };
    if (label.second < 0) {
      for (std::size_t a = 0; a < list.size(); ++a)
        for (std::size_t b = a + 1; b < list.size(); ++b) value *= at(a) == at(b) ? 0 : at(a) < at(b) ? 1 : -1;
    } else if (table.groups[label.first].series == intertwine::DiagramGroup::Series::Sp &&
               axes[list[0]].output == axes[list[1]].output) {
      const std::uint64_t half = sizes[label.first] / 2;
      value *= (at(1) == at(0) + half) - (at(0) == at(1) + half);
    } else {
      for (std::size_t k = 1; k < list.size(); ++k) value *= at(k) == at(0);
    }
  }
  return value;
}

/// [rows, cols] of a diagram, or [rows, 1] of one of the bias.
inline std::vector<int> dense_diagram(const intertwine::DiagramTable& table, std::span<const std::int32_t> word,
                                      const std::vector<std::uint64_t>& sizes) {
  const auto axes = table.axes();
  std::vector<std::uint64_t> index(word.size(), 0);
  std::vector<int> out;
  for (;;) {
    out.push_back(diagram_entry(table, axes, word, index, sizes));
    std::size_t a = word.size();
    while (a > 0 && ++index[a - 1] == sizes[axes[a - 1].letter]) index[--a] = 0;
    if (a == 0) return out;
  }
}
