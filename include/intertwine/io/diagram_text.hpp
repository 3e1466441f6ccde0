// Tables of diagrams as text and JSON.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "intertwine/tables/diagram_table.hpp"

namespace intertwine {

/// "S(n)", or "S(n) on a, O(3) on b".
std::string groups_text(const DiagramTable& table);
/// The map of a diagram: "y[i,j] = mean x[i,k]". Axes with one index agree; an index of y alone takes all values, one
/// of x alone is summed over, as are those of the determinant det and of the form J.
std::string diagram_text(const DiagramTable& table, std::span<const std::int32_t> word, bool bias = false);

}  // namespace intertwine
